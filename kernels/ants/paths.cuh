// Paths along likely cities: where ants go who always go where most do. likely has two cities for
// each city, those of the greatest weights, the best in the low 16 bits; an ant goes to the best
// one, or to the other if it comes from that. Of these a block makes, in shared memory, the next
// four cities from each, so that a window of four steps needs one read for its path.
#ifndef METALAB_ANTS_PATHS_CUH
#define METALAB_ANTS_PATHS_CUH

#include "common.cuh"

// Shared memory by addresses of 32 bits, which no step makes anew of what the hardware knows.
#ifdef __CUDACC__
typedef uint32_t shared_address;
static __device__ __forceinline__ shared_address shared_address_of(const void *p) {
	return (shared_address)__cvta_generic_to_shared(p);
}
#else
typedef char *shared_address;
static shared_address shared_address_of(const void *p) { return (shared_address)p; }
#endif

// likely_words are the words of likely in shared memory, whole 16 bytes.
static __device__ __forceinline__ int likely_words(int n) { return (n + 3) & ~3; }

// A path is the four cities that are likely to follow, 15 bits each and 16 apart; the last bit says
// that the best city of the fourth is the third. Each city has two, the second for ants that come
// from its best city.
static __device__ __forceinline__ uint64_t load_path(shared_address a) {
#ifdef __CUDACC__
	uint32_t x, y;
	__asm__ volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(a) : "memory");
	return (uint64_t)y << 32 | x;
#else
	return *(uint64_t *)a;
#endif
}
static __device__ __forceinline__ uint32_t step_of(uint64_t path, int i) {
	return (uint32_t)(path >> 16 * i) & 0x7fff;
}
// end_of is the number of the path from the end of another.
static __device__ __forceinline__ uint32_t end_of(uint64_t path) {
	const uint32_t w = (uint32_t)(path >> 48);
	return (w & 0x7fff) * 2 + (w >> 15);
}

// make_paths makes paths, by all threads of a block.
static __device__ __forceinline__ void make_paths(uint64_t *paths, const uint32_t *likely, int n) {
	for (int i = threadIdx.x; i < 2 * n; i += blockDim.x) {
		uint32_t c = (uint32_t)i >> 1, w = likely[c];
		uint64_t path = 0;
		bool back = i & 1; // the ant comes from the best city of c
#pragma unroll
		for (int k = 0; k < 4; k++) {
			const uint32_t to = back ? w >> 16 : w & 0xffff;
			path |= (uint64_t)to << 16 * k;
			w = likely[to];
			back = (w & 0xffff) == c;
			c = to;
		}
		paths[i] = path | (uint64_t)back << 63;
	}
}

#endif
