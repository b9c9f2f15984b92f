// What a launch of ga/eax-rounds is told, the table of edges, and the memory of a couple: package
// metalab/solvers/genetic defines its children, in eaxcross.go and the files beside it. A block has
// a couple: one lane takes the parents apart into A-B cycles, and then each warp makes children,
// all lanes together.
#ifndef METALAB_GENETIC_EAX_CUH
#define METALAB_GENETIC_EAX_CUH

#include "common.cuh"

#define DRAW_CHILDREN 5
#define DRAW_BLOCK 6

// turn is what a launch makes: couples lo to hi - 1 of the ring.
struct turn {
	int32_t lo, hi, tours; // tours of the population
	int32_t children;      // of a couple
	int32_t most;          // A-B cycles of a couple
	int32_t greedy;        // the best child is the shortest
	int32_t longest;       // entries of cycles that count; 0: stage 2, children take over blocks
	int32_t shared;        // the parents' edges that are left lie in shared memory; 2: the way, too
	int64_t scratch;       // bytes of a block
	uint64_t slots;        // of the table of edges, a power of two
};

// bred is genetic.Bred.
struct bred {
	int64_t gain, length;
	uint64_t hash;
	int32_t children, cycles;
};

// An edge in the table of edges: its number in the upper 48 bits, and in how many tours it is.
typedef unsigned long long slot;

__device__ __forceinline__ slot edge_number(int n, int a, int b) {
	const slot lo = a < b ? a : b, hi = a < b ? b : a;
	return lo * n + hi + 1;
}

__device__ __forceinline__ uint64_t slot_of(slot edge, uint64_t slots) {
	return ml_mix64(edge) & (slots - 1);
}

// tours_with is the number of tours with an edge.
__device__ inline int tours_with(const slot *table, uint64_t slots, int n, int a, int b) {
	const slot edge = edge_number(n, a, b);
	uint64_t at = slot_of(edge, slots);
	for (uint64_t look = 0; look < slots; look++) {
		const slot s = table[at];
		if (s >> 16 == edge) return (int)(s & 0xffff);
		if (s == 0) return 0;
		at = (at + 1) & (slots - 1);
	}
	return 0;
}

// A purse hands memory out, by multiples of 16 bytes.
struct purse {
	char *at;
	template <class T> __device__ __forceinline__ T *take(int64_t count) {
		T *p = (T *)at;
		at += (count * (int64_t)sizeof(T) + 15) & ~15ll;
		return p;
	}
};

// below_me is how many of a ballot's lanes stand before this one.
__device__ __forceinline__ int below_me(unsigned who, int lane) {
	return __popc(who & ((1u << lane) - 1));
}

// Cuts of a child up to which its segments lie in shared memory.
#define FEW 64

// segments are what is known of the segments of a child, see eaxsegments.go.
struct segments {
	int32_t *cuts, *link, *sub, *next, *head, *tail, *size;

	// take takes room for so many cuts, which sorting needs more of.
	__device__ __forceinline__ void take(purse *from, int64_t cities, int64_t sorted) {
		cuts = from->take<int32_t>(sorted), link = from->take<int32_t>(2 * cities);
		sub = from->take<int32_t>(cities), next = from->take<int32_t>(cities);
		head = from->take<int32_t>(cities), tail = from->take<int32_t>(cities);
		size = from->take<int32_t>(cities);
	}
};

// warp_bytes is the shared memory of a warp.
__device__ __forceinline__ int64_t warp_bytes(int n, int width) {
	return 8 * FEW * 4 + 96 * 4 + (width == 2 ? 2 * (((n + 31) / 32 * 4 + 15) & ~15) : 0);
}

// measured_part is measured for what a warp sees of a tour whose cities a whole block goes through.
template <class C, int KIND>
__device__ inline child measured_part(const job &o, const world &w, const C *t) {
	int64_t length = 0;
	uint64_t hash = 0;
#pragma unroll 4
	for (int i = threadIdx.x; i < o.n; i += blockDim.x) {
		const int c = t[i], next = t[i + 1 == o.n ? 0 : i + 1];
		length += dist<KIND>(o, w, c, next);
		hash += ml_mix64((uint64_t)i << 32 | (uint32_t)(c + 1));
	}
	return {sum_of_warp(length), (uint64_t)sum_of_warp((int64_t)hash)};
}

// The memory of a block and of a warp; kernels/genetic/eaxargs.go computes their sizes.
template <class C> struct couple_memory {
	C *left;        // by city: edges not used yet, two of A and two of B
	C *place;       // by city: its index + 1 in the path, at even and at odd indices
	C *pos;         // by city: its place in A
	C *beside;      // by city: the cities before and behind it in A
	C *other;       // by city: the cities beside it in B
	C *reach;       // by place in A: how far before and behind it neighbours of the city there are
	C *path;        // the way so far
	C *cycles;      // of all cycles
	int32_t *start; // where they begin
	int32_t *pick;  // in stage 2 the longest cycles

	// What stage 2 knows of the cycles, see eaxblock.go; left has ahead and back by city then, and
	// place the cycle of each entry.
	int32_t *passes; // by city: entries in cycles that pass through it, or -1; before, live cities
	int32_t *border; // by cycle: places where it lies beside others

	__device__ __forceinline__ bool in_b(int c, int d) const {
		return other[2 * (int64_t)c] == (C)d || other[2 * (int64_t)c + 1] == (C)d;
	}
	__device__ __forceinline__ bool in_a(int c, int d) const {
		return beside[2 * (int64_t)c] == (C)d || beside[2 * (int64_t)c + 1] == (C)d;
	}
	// differs tells whether one parent alone has an edge of city c.
	__device__ __forceinline__ bool differs(int c) const {
		return !in_b(c, beside[2 * (int64_t)c]) || !in_b(c, beside[2 * (int64_t)c + 1]);
	}

	// beside_at is a cycle that lies beside cycle c at its entry e, or -1; which is 0 to 2.
	__device__ __forceinline__ int beside_at(int c, int e, int which) const {
		const int x = cycles[e], first = passes[2 * (int64_t)x], second = passes[2 * (int64_t)x + 1];
		int at = -1;
		if (first != e) {
			if (which == 0) at = place[first];
		} else if (which == 0) {
			if (second >= 0) at = place[second];
		} else {
			const C v = left[4 * (int64_t)x + which - 1];
			if (v != (C)~0u) at = v;
		}
		return at == c ? -1 : at;
	}
};

#endif
