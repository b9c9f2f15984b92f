// How crossovers compare cities: tables of places, in forms that are small and quick to compare.
#ifndef METALAB_GENETIC_GROUND_CUH
#define METALAB_GENETIC_GROUND_CUH

#include "common.cuh"

// A kind besides MATRIX, REAL and WHOLE: whole numbers less than 46,341 apart, 16 bits each, whose
// squares of distances fit 32 bits.
enum { SHORT = 3 };

// ground is what cities are compared by; table may be a copy in shared memory. spot is a city
// with its place.
template <int KIND> struct ground;
template <int KIND> struct spot;

template <> struct ground<MATRIX> {
	const int32_t *table;
	int n;
};
template <> struct spot<MATRIX> {
	uint32_t c;
};
__device__ __forceinline__ spot<MATRIX> spot_of(const ground<MATRIX> &, uint32_t c) { return {c}; }

template <> struct ground<REAL> {
	const double2 *table;
};
template <> struct alignas(16) spot<REAL> {
	uint32_t c;
	double2 at;
};
__device__ __forceinline__ spot<REAL> spot_of(const ground<REAL> &g, uint32_t c) {
	return {c, __ldg(g.table + c)};
}

template <> struct ground<WHOLE> {
	const int2 *table;
};
template <> struct alignas(16) spot<WHOLE> {
	uint32_t c;
	int2 at;
};
__device__ __forceinline__ spot<WHOLE> spot_of(const ground<WHOLE> &g, uint32_t c) {
	return {c, g.table[c]};
}

template <> struct ground<SHORT> {
	const uint32_t *table; // x in the low half, y in the high one
};
template <> struct alignas(8) spot<SHORT> {
	uint32_t c;
	uint32_t at;
};
__device__ __forceinline__ spot<SHORT> spot_of(const ground<SHORT> &g, uint32_t c) {
	return {c, g.table[c]};
}

// whole_of is a place of whole numbers.
__device__ __forceinline__ int2 whole_of(const spot<WHOLE> &s) { return s.at; }
__device__ __forceinline__ int2 whole_of(const spot<SHORT> &s) {
	return {(int)(s.at & 0xffff), (int)(s.at >> 16)};
}

// The host knows these sizes: ground.go.
static_assert(sizeof(spot<MATRIX>) == 4 && sizeof(spot<REAL>) == 32 && sizeof(spot<WHOLE>) == 16 &&
		sizeof(spot<SHORT>) == 8, "what a city takes with its place");

// key is the way from one city to another: of several the first with the least key is the nearest.
// In the plane it is the square of the distance; that of real places has its last two bits cleared,
// as on the CPU, those of whole numbers as doubles are 0 anyway: they are below 2^51.
__device__ __forceinline__ uint32_t key(
		const ground<MATRIX> &g, const spot<MATRIX> &p, const spot<MATRIX> &q) {
	return (uint32_t)__ldg(g.table + (int64_t)p.c * g.n + q.c);
}
__device__ __forceinline__ uint64_t key(
		const ground<REAL> &, const spot<REAL> &p, const spot<REAL> &q) {
	const double dx = p.at.x - q.at.x, dy = p.at.y - q.at.y;
	return ML_D2U(dx * dx + dy * dy) & ~3ull;
}
__device__ __forceinline__ uint64_t key(
		const ground<WHOLE> &, const spot<WHOLE> &p, const spot<WHOLE> &q) {
	const int dx = p.at.x - q.at.x, dy = p.at.y - q.at.y;
	return (uint64_t)((int64_t)dx * dx + (int64_t)dy * dy);
}
__device__ __forceinline__ uint32_t key(
		const ground<SHORT> &, const spot<SHORT> &p, const spot<SHORT> &q) {
	const int dx = (int)(p.at & 0xffff) - (int)(q.at & 0xffff);
	const int dy = (int)(p.at >> 16) - (int)(q.at >> 16);
	return (uint32_t)dx * dx + (uint32_t)dy * dy;
}

#endif
