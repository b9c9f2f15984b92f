// The tours of a generation.
#ifndef METALAB_GENETIC_REPRODUCE_CUH
#define METALAB_GENETIC_REPRODUCE_CUH

#include "cross.cuh"
#include "mutate.cuh"
#include "walk.cuh"

// plan is how the tours of a generation are made; it is passed by value.
struct plan {
	const uint32_t *shorts; // places of 16 bits
	uint32_t *turns;        // births of either sort that were taken
	int32_t linked;         // births that need links: they are the first
	int32_t strong;         // warps of a block that have room for links: the first
};

// MEASURE is the kind by which lengths are measured.
template <int KIND> constexpr int MEASURE = KIND == MATRIX ? MATRIX : REAL;

// rounded is a number of bytes, up to a multiple of 32.
__device__ __forceinline__ int64_t rounded(int64_t bytes) { return (bytes + 31) & ~31ll; }

// link_bytes is the room for a child's links, numbers_bytes that for n numbers, seen_bytes that for
// a bit a city.
template <class C> __device__ __forceinline__ int64_t link_bytes(int n) {
	return rounded(4 * ((n + 4ll) & ~3ll) * (int)sizeof(C));
}
template <class C> __device__ __forceinline__ int64_t number_bytes(int n) {
	return rounded(n * (int64_t)sizeof(C));
}
__device__ __forceinline__ int64_t seen_bytes(int n) { return rounded(((n + 31ll) >> 5) * 4); }

// workshop is a warp's room.
template <class C, int KIND> struct workshop {
	C *links; // or room for n numbers
	int64_t near; // where links lie in shared memory, if they do
	uint32_t *seen;
	queue<KIND> *ends;
	bool strong;
};

// copied copies a table to shared memory, and returns how many bytes it takes there.
template <class T> __device__ inline int64_t copied(T *to, const T *from, int n) {
	for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
	__syncthreads();
	return rounded(n * (int64_t)sizeof(T));
}

// prepare shares out a block's memory. In shared memory lies what warps keep of the ends of rings,
// and if SHARED a copy of the places, if they are of whole numbers, and the links of strong warps;
// in scratch lie links of strong warps otherwise, numbers of the others, and bits of all.
template <class C, int KIND, bool SHARED>
__device__ inline workshop<C, KIND> prepare(
		int n, const plan &m, ground<KIND> *g, char *shared, char *scratch) {
	const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	workshop<C, KIND> s;
	s.strong = warp < m.strong, s.near = 0;
	s.ends = (queue<KIND> *)shared + warp;
	char *const begin = shared;
	shared += rounded(warps * (int64_t)sizeof(queue<KIND>));
	if constexpr (SHARED && KIND == SHORT) {
		const int64_t bytes = copied((uint32_t *)shared, g->table, n);
		g->table = (const uint32_t *)shared, shared += bytes;
	}
	if constexpr (SHARED && KIND == WHOLE) {
		const int64_t bytes = copied((int2 *)shared, g->table, n);
		g->table = (const int2 *)shared, shared += bytes;
	}
	const int64_t links = link_bytes<C>(n), numbers = number_bytes<C>(n);
	const int64_t seen = seen_bytes(n), own = (SHARED ? 0 : links) + seen;
	if (s.strong) {
		scratch += (blockIdx.x * (int64_t)m.strong + warp) * own;
		s.near = shared - begin + warp * links;
		s.links = (C *)(SHARED ? begin + s.near : scratch + seen);
	} else {
		scratch += gridDim.x * (int64_t)m.strong * own;
		scratch += (blockIdx.x * (int64_t)(warps - m.strong) + warp - m.strong) * (numbers + seen);
		s.links = (C *)(scratch + seen);
	}
	s.seen = (uint32_t *)scratch;
	return s;
}

// next_birth is the number of the next birth that a warp makes; o.births: there is none left.
// Strong warps make those that need links, and then, as the others, those that do not.
__device__ inline int next_birth(const job &o, const plan &m, bool *strong, int lane) {
	int x = 0;
	if (lane == 0) {
		x = *strong ? (int)atomicAdd(m.turns, 1u) : m.linked;
		if (x >= m.linked) x = m.linked + (int)atomicAdd(m.turns + 1, 1u);
	}
	x = __shfl_sync(ALL, x, 0);
	if (x >= m.linked) *strong = false;
	return x < o.births ? x : o.births;
}

// crossed makes the child of a birth, before it mutates.
template <class C, int KIND, bool SHARED>
__device__ inline void crossed(const job &o, const world &w, const ground<KIND> &g,
		const workshop<C, KIND> &s, C *const *rows, const birth &b, int first, int lane) {
	C *t = rows[b.to];
	const C *p = rows[b.a], *q = rows[b.b];
	if (b.cross == NONE) {
		for (int i = lane; i < o.n; i += 32) t[i] = p[i];
	} else if (b.cross == ARX) {
		arx(o.n, g, p, q, s.seen, s.ends, t, first, b.from, b.until, lane);
	} else {
		extern __shared__ uint4 shared[];
		C *links = s.links;
		if constexpr (SHARED) links = (C *)((char *)shared + s.near); // so nvcc sees that it is there
		write_links(links, p, q, o.n, lane);
		if (lane == 0) {
			if (b.cross == SCX) scx(o.n, w, g, links, t, first);
			else bcscx(o.n, g, links, t, first);
		}
	}
	__syncwarp();
}

// told is what the host learns of a tour: as measured has it, but by places in shared memory where
// they are there.
template <class C, int KIND>
__device__ inline child told(
		const job &o, const world &w, const ground<KIND> &g, const C *t, int lane) {
	if constexpr (KIND == SHORT || KIND == WHOLE) {
		int64_t length = 0;
		uint64_t hash = 0;
#pragma unroll 4
		for (int i = lane; i < o.n; i += 32) {
			const int c = t[i], next = t[i + 1 == o.n ? 0 : i + 1];
			const int2 p = whole_of(spot_of(g, c)), q = whole_of(spot_of(g, next));
			length += ml_dist(o.metric, (double)(p.x - q.x), (double)(p.y - q.y));
			hash += ml_mix64((uint64_t)i << 32 | (uint32_t)(c + 1));
		}
		return {sum_of_warp(length), (uint64_t)sum_of_warp((int64_t)hash)};
	} else {
		return measured<C, MEASURE<KIND>>(o, w, t, lane);
	}
}

// reproduce makes o.births tours; the first m.linked of them need links. Who makes which is left to
// chance. Links lie in shared memory if SHARED.
// Launch: any number of blocks of any number of warps, of which m.strong have room for links.
//
// Bound: the steps of a child wait for each other. A step of bcscx takes a latency of the memory
// that has its links, and what waits for it: a comparison of four places and the address of the
// next links. It reads four links and four places, 8 or 16 and 4 to 16 bytes each, and writes four
// numbers. A step of arx takes a comparison of two places that are in registers. A parent's tour is
// read at most once in each of arx' three parts, 2 or 4 bytes a city, with a bit and a place for
// each. doc.go has what was measured.
template <class C, int KIND, bool SHARED>
__device__ inline void reproduce(job o, world w, plan m, C *const *rows, const birth *births,
		child *out, char *scratch) {
	extern __shared__ uint4 shared[];
	const int lane = threadIdx.x & 31;
	ground<KIND> g;
	if constexpr (KIND == MATRIX) g = {w.matrix, o.n};
	if constexpr (KIND == REAL) g = {w.places};
	if constexpr (KIND == WHOLE) g = {w.whole};
	if constexpr (KIND == SHORT) g = {m.shorts};
	workshop<C, KIND> s = prepare<C, KIND, SHARED>(o.n, m, &g, (char *)shared, scratch);
	for (;;) {
		const int x = next_birth(o, m, &s.strong, lane);
		if (x == o.births) break;
		const birth b = births[x];
		C *t = rows[b.to];
		stream r = stream_of(b.seed, o.iteration, b.place, DRAW_MUTATION);
		int first = o.first;
		if (o.drawn && b.cross != NONE) first = below(&r, o.n);
		crossed<C, KIND, SHARED>(o, w, g, s, rows, b, first, lane);
		if (b.improve) {
			improve<C, MEASURE<KIND>>(o, w, t, &r, lane);
		} else if (o.mutation > 0 && unit(&r) < o.mutation) {
			if (o.gaining) mutate_gaining<C, MEASURE<KIND>>(o, w, t, s.links, &r, lane);
			else
				for (int k = 0; k < o.moves; k++) mutate_randomly(o, t, &r, lane);
		}
		__syncwarp();
		const child c = told(o, w, g, t, lane);
		if (lane == 0) out[x] = c;
		__syncwarp();
	}
}

#endif
