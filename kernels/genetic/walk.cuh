// The alternating recommendation child without links. While a parent recommends, the child takes
// what is left of that parent's tour from two ends: the cities behind the one that it entered at,
// forwards, and those before it, backwards. So a warp reads the tour in both directions ahead of
// the child, leaves out what the child has, and keeps the next cities of both ends, with their
// places, in shared memory; a step compares two cities that are there. What an end keeps may have
// gone to the other one, but never its first city while there is one left.
#ifndef METALAB_GENETIC_WALK_CUH
#define METALAB_GENETIC_WALK_CUH

#include "ground.cuh"

#define QUEUE 256 // cities that an end keeps, a power of two
#define BATCH 4   // cities that a lane asks for at once

// queue is what the two ends of a ring keep, side by side.
template <int KIND> struct queue {
	spot<KIND> of[2 * QUEUE];
};

template <int KIND>
__device__ __forceinline__ spot<KIND> queued(const queue<KIND> *q, int end, int i) {
	return q->of[end * QUEUE + (i & (QUEUE - 1))];
}

// tip is an end: where in the tour it reads on, how many places it has read, and which entries of
// its queue hold cities.
struct tip {
	int read, head, count;
};

// fill reads a tour on from a place, forwards and backwards, till both ends have 32 * BATCH cities
// or the whole tour was read; seen has a bit for each city of the child.
template <class C, int KIND>
__device__ inline void fill(int n, const ground<KIND> &g, const C *t, int from,
		const uint32_t *seen, queue<KIND> *q, tip *tips, int lane) {
	for (;;) {
		const bool more[2] = {tips[0].count < 32 * BATCH && tips[0].read < n - 1,
				tips[1].count < 32 * BATCH && tips[1].read < n - 1};
		if (!more[0] && !more[1]) break;
		spot<KIND> s[2 * BATCH];
		bool left[2 * BATCH];
#pragma unroll
		for (int u = 0; u < 2 * BATCH; u++) {
			const int end = u & 1, k = tips[end].read + 32 * (u >> 1) + lane;
			left[u] = more[end] && k < n - 1;
			int i = end ? from - 1 - k : from + 1 + k;
			if (i < 0) i += n;
			if (i >= n) i -= n;
			s[u].c = t[left[u] ? i : from];
		}
#pragma unroll
		for (int u = 0; u < 2 * BATCH; u++)
			left[u] = left[u] && !(__ldcg(seen + (s[u].c >> 5)) >> (s[u].c & 31) & 1);
#pragma unroll
		for (int u = 0; u < 2 * BATCH; u++) s[u] = spot_of(g, s[u].c);
#pragma unroll
		for (int u = 0; u < 2 * BATCH; u++) {
			const int end = u & 1;
			const uint32_t m = __ballot_sync(ALL, left[u]);
			const int i = tips[end].head + tips[end].count + __popc(m & ((1u << lane) - 1));
			if (left[u]) q->of[end * QUEUE + (i & (QUEUE - 1))] = s[u];
			tips[end].count += __popc(m);
		}
		for (int end = 0; end < 2; end++)
			if (more[end]) tips[end].read += 32 * BATCH;
	}
	__syncwarp();
}

// place_of is where a city is in a tour.
template <class C>
__device__ inline int place_of(const C *t, int n, uint32_t c, int lane) {
	for (int from = 0;; from += 32 * 8) {
		int at = -1;
#pragma unroll
		for (int u = 0; u < 8; u++) {
			const int i = from + 32 * u + lane;
			if (i < n && t[i] == c) at = i;
		}
		const uint32_t m = __ballot_sync(ALL, at >= 0);
		if (m) return __shfl_sync(ALL, at, __ffs(m) - 1);
		if (from >= n) return 0; // never
	}
}

// follow makes the cities i to until - 1 of a child, behind here, as the tour t recommends.
template <class C, int KIND>
__device__ inline spot<KIND> follow(int n, const ground<KIND> &g, const C *t,
		const uint32_t *seen, queue<KIND> *q, C *child, spot<KIND> here, int i, int until, int lane) {
	const int from = place_of(t, n, here.c, lane);
	tip tips[2] = {};
	while (i < until) {
		fill(n, g, t, from, seen, q, tips, lane);
		int end = until - i;
		if (tips[0].count < end) end = tips[0].count;
		if (tips[1].count < end) end = tips[1].count;
		end += i;
		// An end's first two cities are at hand; late comes behind those of the end that went on last.
		int f = tips[0].head, b = tips[1].head;
		spot<KIND> f0 = queued(q, 0, f), f1 = queued(q, 0, f + 1), b0 = queued(q, 1, b),
							 b1 = queued(q, 1, b + 1), late = f1;
		bool last = false;
#pragma unroll 2
		for (; i < end; i++) {
			const bool second = key(g, here, b0) < key(g, here, f0);
			if (last) b1 = late;
			else f1 = late;
			here = second ? b0 : f0;
			if (second) b0 = b1, b++;
			else f0 = f1, f++;
			late = queued(q, second, (second ? b : f) + 1);
			last = second;
			if (lane == 0) child[i] = (C)here.c;
		}
		tips[0].count -= f - tips[0].head, tips[0].head = f;
		tips[1].count -= b - tips[1].head, tips[1].head = b;
		__syncwarp();
	}
	return here;
}

// mark notes that the child has its cities i to until - 1.
template <class C>
__device__ inline void mark(uint32_t *seen, const C *child, int i, int until, int lane) {
	for (i += lane; i < until; i += 32) {
		const uint32_t c = child[i];
		atomicOr(seen + (c >> 5), 1u << (c & 31));
	}
	__syncwarp();
}

// arx makes the alternating recommendation child, by a warp. Parent a recommends before place from
// and from until on, b between. seen is room for a bit a city.
template <class C, int KIND>
__device__ inline void arx(int n, const ground<KIND> &g, const C *a, const C *b, uint32_t *seen,
		queue<KIND> *q, C *child, int first, int from, int until, int lane) {
	for (int i = lane; i < (n + 31) / 32; i += 32) seen[i] = 0;
	if (lane == 0) child[0] = (C)first;
	__syncwarp();
	spot<KIND> here = spot_of(g, first);
	from = from < 1 ? 1 : from > n ? n : from;
	until = until < from ? from : until > n ? n : until;
	int marked = 0;
#pragma unroll 1
	for (int part = 0, i = 1; part < 3; part++) {
		const int end = part == 0 ? from : part == 1 ? until : n;
		if (end <= i) continue;
		mark(seen, child, marked, i, lane);
		marked = i;
		here = follow(n, g, part == 1 ? b : a, seen, q, child, here, i, end, lane);
		i = end;
	}
}

#endif
