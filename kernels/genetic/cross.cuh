// The constructive crossovers that follow links: scx and bcscx. arx is in walk.cuh.
//
// A link of a city says which city comes next, of those that the child lacks, forwards and
// backwards round the circle in either parent. One lane follows the child, for a step needs the one
// before.
//
// These were slower on an H100 or H200 for 10,150 to 1,000,000 cities: four lanes with a candidate
// each; sixteen lanes that ask for the candidates' candidates a step ahead. Links that hold places
// too, of which one is read, were quicker on random tours from 100,000 cities on and
// slower on tours from the nearest neighbour (doc.go).
#ifndef METALAB_GENETIC_CROSS_CUH
#define METALAB_GENETIC_CROSS_CUH

#include "ground.cuh"

// The jumps of a link, in the order in which ties are decided.
enum { FORTH1, BACK1, FORTH2, BACK2 };

// quad is a link as it is computed with.
struct quad {
	uint32_t v[4];
};

// A link in memory is four numbers side by side, of 16 or of 32 bits.
__device__ __forceinline__ uint2 load_link(const uint16_t *links, uint32_t c) {
	return ((const uint2 *)links)[c];
}

__device__ __forceinline__ uint4 load_link(const uint32_t *links, uint32_t c) {
	return ((const uint4 *)links)[c];
}

__device__ __forceinline__ quad opened(uint2 x) {
	return {{x.x & 0xffff, x.x >> 16, x.y & 0xffff, x.y >> 16}};
}

__device__ __forceinline__ quad opened(uint4 x) { return {{x.x, x.y, x.z, x.w}}; }

// put_pair writes two jumps that stand side by side, of which the first is forwards.
__device__ __forceinline__ void put_pair(uint16_t *to, uint32_t forth, uint32_t back) {
	*(uint32_t *)to = forth | back << 16;
}

__device__ __forceinline__ void put_pair(uint32_t *to, uint32_t forth, uint32_t back) {
	*(uint2 *)to = make_uint2(forth, back);
}

// write_links makes the jumps of both parents, in which every city is left; by a warp. No tour that
// is a parent is written meanwhile.
template <class C>
__device__ inline void write_links(C *links, const C *a, const C *b, int n, int lane) {
#pragma unroll 4
	for (int i = lane; i < n; i += 32) {
		const int before = i ? i - 1 : n - 1, after = i + 1 == n ? 0 : i + 1;
		const C c = __ldg(a + i), d = __ldg(b + i);
		put_pair(links + 4 * (int64_t)c + FORTH1, __ldg(a + after), __ldg(a + before));
		put_pair(links + 4 * (int64_t)d + FORTH2, __ldg(b + after), __ldg(b + before));
	}
	__syncwarp();
}

// leave makes all jumps pass over the city with the link l.
template <class C> __device__ __forceinline__ void leave(C *links, const quad &l) {
	links[4 * (int64_t)l.v[BACK1] + FORTH1] = (C)l.v[FORTH1];
	links[4 * (int64_t)l.v[FORTH1] + BACK1] = (C)l.v[BACK1];
	links[4 * (int64_t)l.v[BACK2] + FORTH2] = (C)l.v[FORTH2];
	links[4 * (int64_t)l.v[FORTH2] + BACK2] = (C)l.v[BACK2];
}

// bcscx makes the bidirectional circular sequential constructive child; by one lane. The links and
// the places of all candidates are asked for together, so a step takes one latency of the memory
// that has the links.
template <class C, int KIND>
__device__ inline void bcscx(int n, const ground<KIND> &g, C *links, C *child, int first) {
	spot<KIND> here = spot_of(g, first);
	quad l = opened(load_link(links, here.c));
	leave(links, l);
	child[0] = (C)first;
#pragma unroll 1
	for (int i = 1; i < n; i++) {
		const spot<KIND> p0 = spot_of(g, l.v[0]), p1 = spot_of(g, l.v[1]), p2 = spot_of(g, l.v[2]),
										 p3 = spot_of(g, l.v[3]);
		const auto q0 = load_link(links, l.v[0]), q1 = load_link(links, l.v[1]),
							 q2 = load_link(links, l.v[2]), q3 = load_link(links, l.v[3]);
		const auto k0 = key(g, here, p0), k1 = key(g, here, p1), k2 = key(g, here, p2),
							 k3 = key(g, here, p3);
		const bool low = k1 < k0, high = k3 < k2;
		const bool second = (high ? k3 : k2) < (low ? k1 : k0);
		here = second ? (high ? p3 : p2) : (low ? p1 : p0);
		l = opened(second ? (high ? q3 : q2) : (low ? q1 : q0));
		leave(links, l);
		child[i] = (C)here.c;
	}
}

// scx makes the sequential constructive child; by one lane. Link n is the end of the chromosomes,
// which stands between first and the city before it. Where a parent has no city left, the
// smallest in the instance's numbering that the child lacks stands in. A city that the child
// has is marked in its link, which nobody reads any more.
template <class C, int KIND>
__device__ inline void scx(
		int n, const world &w, const ground<KIND> &g, C *links, C *child, int first) {
	const uint32_t end = (uint32_t)n, mark = (C)~0u;
	const quad f = opened(load_link(links, first));
	const uint32_t ends[4] = {(uint32_t)first, f.v[BACK1], (uint32_t)first, f.v[BACK2]};
	for (int j = 0; j < 4; j++) links[4 * (int64_t)end + j] = (C)ends[j];
	links[4 * (int64_t)f.v[BACK1] + FORTH1] = (C)end;
	links[4 * (int64_t)f.v[BACK2] + FORTH2] = (C)end;
	links[4 * (int64_t)first + BACK1] = links[4 * (int64_t)first + BACK2] = (C)end;
	spot<KIND> here = spot_of(g, first);
	quad l = opened(load_link(links, here.c));
	for (int i = 0, low = 0;; i++) {
		child[i] = (C)here.c;
		leave(links, l);
		links[4 * (int64_t)here.c + FORTH1] = (C)mark;
		if (i == n - 1) return;
		uint32_t c0 = l.v[FORTH1], c1 = l.v[FORTH2];
		if (c0 == end || c1 == end) {
			while (links[4 * (int64_t)w.internal[low] + FORTH1] == (C)mark) low++;
			if (c0 == end) c0 = w.internal[low];
			if (c1 == end) c1 = w.internal[low];
		}
		const auto q0 = load_link(links, c0), q1 = load_link(links, c1);
		const spot<KIND> p0 = spot_of(g, c0), p1 = spot_of(g, c1);
		const bool second = key(g, here, p1) < key(g, here, p0);
		here = second ? p1 : p0;
		l = opened(second ? q1 : q0);
	}
}

#endif
