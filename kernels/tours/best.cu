// Iterated local search that always makes the best move of the whole tour: the kernels of ils/best.
// What they compute is stated in solvers/tours/best.go; the CPU makes it in another way.
//
// A group of blocks searches a chain, and the next when that is done. All blocks of a group take
// the same decisions from the same data, so that nothing is done by the host between the kicks of
// an iteration. A pass:
//
//  1. A thread looks at a pair of a city i and a city j of its list, computes their distance, and
//     notes the pair if it is shorter than the longer edge of i (filter).
//  2. Of noted pairs a thread takes one for one of the two edges of i, and makes the move of two
//     edges (expand). In 3-opt a thread then looks whether a city k of the list of j can give a
//     gain at all (bound), and notes it; of those noted a thread makes the moves of one (third). In
//     3-opt ordered i, j and k stand in the order of the tour, and the edges after them go
//     (ordered).
//  3. The best of a block is found, then, after a barrier of the group, by each block the best of
//     all: the greatest gain and of equal ones the first in the order of tours.Best.
//  4. All threads write the tour with the move to another buffer: 16 bytes a city, whatever the
//     move, in place of up to three reversals with a barrier after each. A second barrier follows.
//
// Distances are computed from coordinates wherever they are needed, as published.
#include "wide.h"

#ifndef ALL
#define ALL 0xffffffffu
#endif
typedef long long i64;
typedef unsigned long long u64;

#define THREADS 256 // of a block
#define NOTES 512   // pairs or triples that a block notes before it looks at them
#define DRAW_KICK 2 // purpose of the draws of kicks
#define MIN_MOVE 5  // cities that a move needs
#define MIN_KICK 8  // cities that a kick needs
#define THREE 1     // 3-opt
#define ORDERED 2   // 3-opt ordered
#define ROUNDING 6  // upper bound of the rounding errors in two triangle inequalities

// A job is the same for all launches of an iteration.
struct job {
	u64 seed;
	i64 iter;
	int n, k;      // cities; length of their lists
	int op;        // 0: 2-opt, THREE, ORDERED
	int kicks;     // of a chain
	int always;    // keep every tour
	int metric;    // of datasets.Metric
	int chains;
	int groups;    // that share the chains
	int blocks;    // of a group
	int stride;    // cities from one tour to the next in memory
	int passes;    // of a chain in a launch, at most
	int looks;     // if not 0: make this many passes without a move, and no more; for figures
	int all;       // also look at pairs that are not shorter than the edge; for figures
	int unit;      // pairs that are next to each other in a block: a power of two, up to its threads
};

// A chain is what is kept of a chain between launches.
struct chain {
	i64 length, top;    // of the tour; of the shortest tour after any kick
	i64 moves;
	i64 change;         // by how much the tour is longer than before the kick
	int kick;           // -1: the search before the first
	int searching;      // the kick is made
	int done;
	int kept, gained;
	uint32_t draws;     // made in this iteration
	int base, work;     // buffers of the tour before the kick, and of that which is searched
	int base_long, work_long;
	i64 gain;           // of the last pass
};

// A record is a block's best move: first the greatest hi, then the smallest lo.
struct record {
	u64 hi, lo;
};

// The buffers of a chain.
#define BUFFERS 9
struct buffers {
	int *at;
	int stride;
	__device__ __forceinline__ int *tour(int b) const { return at + (size_t)b * stride; }
	__device__ __forceinline__ int *pos(int b) const { return at + (size_t)(3 + b) * stride; }
	// The longer of a city's two edges.
	__device__ __forceinline__ int *edge(int b) const { return at + (size_t)(6 + b) * stride; }
	__device__ __forceinline__ int *top() const { return at + (size_t)8 * stride; }
};

// The kinds of plane; place is what is kept of a city in registers.

// whole_plane is EUC_2D with whole coordinates whose squared distances stay below 2^31.
struct whole_plane {
	typedef int2 place;
	static constexpr bool PLANE = true;
	const int2 *xy;
	__device__ __forceinline__ whole_plane(const void *p, const job &) : xy((const int2 *)p) {}
	__device__ __forceinline__ place at(int c) const { return __ldg(xy + c); }
	__device__ __forceinline__ int dist(place a, place b) const {
		return ml_dist_whole(a.x - b.x, a.y - b.y);
	}
};

// wide_plane is EUC_2D and CEIL_2D with whole coordinates whose distances stay below 2^21.
struct wide_plane {
	typedef int2 place;
	static constexpr bool PLANE = true;
	const int2 *xy;
	bool up;
	__device__ __forceinline__ wide_plane(const void *p, const job &j)
			: xy((const int2 *)p), up(j.metric == 3) {}
	__device__ __forceinline__ place at(int c) const { return __ldg(xy + c); }
	__device__ __forceinline__ int dist(place a, place b) const {
		return ml_dist_wide(a.x - b.x, a.y - b.y, up);
	}
};

// real_plane is EUC_2D, CEIL_2D and ATT with any coordinates.
struct real_plane {
	typedef double2 place;
	static constexpr bool PLANE = true;
	const double2 *xy;
	int metric;
	__device__ __forceinline__ real_plane(const void *p, const job &j)
			: xy((const double2 *)p), metric(j.metric) {}
	__device__ __forceinline__ place at(int c) const { return __ldg(xy + c); }
	__device__ __forceinline__ int dist(place a, place b) const {
		return ml_dist(metric, a.x - b.x, a.y - b.y);
	}
};

// matrix is any metric, as a table.
struct matrix {
	typedef int place;
	static constexpr bool PLANE = false;
	const int *m;
	int n;
	__device__ __forceinline__ matrix(const void *p, const job &j) : m((const int *)p), n(j.n) {}
	__device__ __forceinline__ place at(int c) const { return c; }
	__device__ __forceinline__ int dist(place a, place b) const {
		return __ldg(m + (size_t)a * n + b);
	}
};

// A plan says of what parts of a circle another one consists. Places are counted from a position
// of the circle on, in a direction.
struct plan {
	int origin, dir;
	int parts, from[5], size[5], back[5]; // first place; places; whether backwards
};

// An entry is a pair (i, j) with an edge (i, i2) to go. Sides are meant in the direction from i to
// i2.
struct entry {
	i64 g;         // d(i,i2) - d(i,j)
	i64 most;      // for bound
	int i, i2, j;
	int jn, jp;    // the neighbours of j after it and before it
	int djn, djp;  // their distances from j
	int zero, dir; // places are counted from the position of i2 on in this direction
	int pj;        // place of j; in 3-opt ordered from city 0 on
	int late;      // whether i2 is the larger neighbour of i
	int unused;
};

// What a block keeps in shared memory.
struct board {
	int2 pair[NOTES];      // i, j
	int2 triple[NOTES];    // entry, k
	entry entries[THREADS];
	int pairs, triples, count;
	record best[THREADS / 32], first; // of warps; of all
	chain c;
	plan p;
};

// The position after p, or before it.
static __device__ __forceinline__ int after(int p, int dir, int n) {
	p += dir;
	return p == n ? 0 : p < 0 ? n - 1 : p;
}

// The place of a position.
static __device__ __forceinline__ int place_of(int p, int zero, int dir, int n) {
	p = (p - zero) * dir;
	return p < 0 ? p + n : p;
}

// The position of a place.
static __device__ __forceinline__ int position(int place, int zero, int dir, int n) {
	const int p = zero + dir * place;
	return p >= n ? p - n : p < 0 ? p + n : p;
}

// forward is the direction from city 0, which stands at zero, to the smaller of its neighbours.
static __device__ __forceinline__ int forward(const int *tour, int zero, int n) {
	return tour[after(zero, -1, n)] < tour[after(zero, 1, n)] ? -1 : 1;
}

// group_barrier lets the blocks of a group wait for each other for the turn-th time. bar: a counter
// of arrivals, 0 before the first.
static __device__ __forceinline__ void group_barrier(uint32_t *bar, uint32_t turn, int blocks) {
	__syncthreads();
#ifdef __CUDACC__
	if (threadIdx.x == 0 && blocks > 1) {
		const uint32_t target = turn * blocks;
		uint32_t v;
		__threadfence();
		asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(bar) : "memory");
		do {
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(bar) : "memory");
		} while (v < target);
		__threadfence();
	}
	__syncthreads();
#endif
}

static __device__ __forceinline__ bool before(const record &a, const record &b) {
	return a.hi > b.hi || (a.hi == b.hi && a.lo < b.lo);
}

// first_of_warp finds the best of a warp.
static __device__ __forceinline__ record first_of_warp(record r) {
#pragma unroll
	for (int x = 16; x; x >>= 1) {
		record o;
		o.hi = __shfl_xor_sync(ALL, r.hi, x);
		o.lo = __shfl_xor_sync(ALL, r.lo, x);
		if (before(o, r)) r = o;
	}
	return r;
}

// consider makes a move the thread's best if it is. late tells of i2, j2 and k2, whether it is the
// larger neighbour of its city.
static __device__ __forceinline__ void consider(
		record &r, i64 gain, int i, int j, int k, int late, int cross) {
	const u64 hi = (u64)gain << 30 | (u64)((1 << 30) - 1 - i);
	if (gain <= 0 || hi < r.hi) return;
	const u64 lo = (u64)j << 34 | (u64)(k + 1) << 4 | (u64)(late << 1 | cross);
	if (hi > r.hi || lo < r.lo) r.hi = hi, r.lo = lo;
}

// A look is a pass of a thread.
template <class P> struct look {
	const job &j;
	const P &plane;
	const int *near, *tour, *pos, *edge;
	board &b;
	record r;
	int zero, dir; // where city 0 stands, and the direction to the smaller of its neighbours

	__device__ __forceinline__ int d(int x, int y) const {
		return plane.dist(plane.at(x), plane.at(y));
	}

	// expand makes the entries of the noted pairs from first on, and their moves of two edges.
	__device__ __forceinline__ void expand(int first) {
		const int at = first + (int)(threadIdx.x >> 1), n = j.n;
		if (at >= b.pairs) return;
		entry e;
		e.i = b.pair[at].x, e.j = b.pair[at].y;
		e.dir = threadIdx.x & 1 ? -1 : 1;
		const int pi = pos[e.i], pj = pos[e.j];
		e.zero = after(pi, e.dir, n);
		e.i2 = tour[e.zero];
		const int other = tour[after(pi, -e.dir, n)];
		e.jn = tour[after(pj, e.dir, n)], e.jp = tour[after(pj, -e.dir, n)];
		if (e.j == e.i2 || e.j == other) return;
		const typename P::place xi = plane.at(e.i), xi2 = plane.at(e.i2), xj = plane.at(e.j),
														xn = plane.at(e.jn), xp = plane.at(e.jp);
		e.g = (i64)plane.dist(xi, xi2) - plane.dist(xi, xj);
		if (e.g <= 0 && !j.all) return;
		e.djn = plane.dist(xj, xn), e.djp = plane.dist(xj, xp);
		e.late = e.i2 > other;
		consider(r, e.g + e.djn - plane.dist(xi2, xn), e.i, e.j, -1, e.late << 2 | (e.jn > e.jp) << 1, 0);
		if (!j.op) return;
		if (j.op == ORDERED) {
			e.pj = place_of(pj, zero, dir, n);
			if (e.dir == dir && place_of(pi, zero, dir, n) < e.pj) b.entries[atomicAdd(&b.count, 1)] = e;
			return;
		}
		e.pj = place_of(pj, e.zero, e.dir, n);
		e.most = e.g + 2 * (i64)max(e.djn, e.djp) + plane.dist(xj, xi2) + ROUNDING;
		b.entries[atomicAdd(&b.count, 1)] = e;
	}

	// bound tells whether a move with k can gain.
	__device__ __forceinline__ bool bound(const entry &e, int k) const {
		if (j.op == ORDERED)
			return place_of(pos[k], zero, dir, j.n) > e.pj && (j.all || d(e.j, k) < e.djn);
		if (!P::PLANE || j.all) return true;
		// The gain is g + d(j,j') + d(k,k') - d(j',x) - d(i',y), where x and y are k and k', and
		// d(j',x) + d(i',y) >= 2 d(j,k) - d(j,j') - d(j,i') - d(k,k'), less the rounding.
		return e.most + 2 * (i64)edge[k] > 2 * (i64)d(e.j, k);
	}

	// third makes the moves of three edges of an entry and k.
	__device__ __forceinline__ void third(const entry &e, int k) {
		const int n = j.n, pk = pos[k], place = place_of(pk, e.zero, e.dir, n);
		const int kn = tour[after(pk, e.dir, n)], kp = tour[after(pk, -e.dir, n)];
		const typename P::place xk = plane.at(k), xi2 = plane.at(e.i2), xn = plane.at(e.jn),
														xp = plane.at(e.jp);
#pragma unroll
		for (int side = 0; side < 2; side++) {
			// The edge that goes, between the places low and low + 1.
			const int low = side ? place - 1 : place;
			if (low < 0 || low == n - 1) continue; // (i,i2)
			const int k2 = side ? kp : kn, a = side ? k2 : k, z = side ? k : k2; // the places' cities
			const typename P::place xk2 = plane.at(k2), xa = side ? xk2 : xk, xz = side ? xk : xk2;
			const i64 g = e.g + plane.dist(xk, xk2);
			const int late = e.late << 2 | (side ? kp > kn : kn > kp);
			{ // j2 is jn
				const bool part = low < e.pj;
				const int x = part ? a : z, y = part ? z : a; // what j2 and i2 are joined to
				const bool bad = low == e.pj || x == e.j || x == e.jn || y == e.i || y == e.i2 ||
						(e.i2 == e.jn && (x == e.i || y == e.j));
				if (!bad)
					consider(r, g + e.djn - plane.dist(xn, part ? xa : xz) - plane.dist(xi2, part ? xz : xa),
							e.i, e.j, k, late | (e.jn > e.jp) << 1, x == k2);
			}
			if (low < e.pj) continue;
			const i64 gp = g + e.djp;
#pragma unroll
			for (int cross = 0; cross < 2; cross++) { // j2 is jp
				const int x = cross ? k2 : k, y = cross ? k : k2;
				const bool bad = x == e.j || x == e.jp || y == e.i || y == e.i2 ||
						(e.i2 == e.jp && (x == e.i || y == e.j));
				if (!bad)
					consider(r, gp - plane.dist(xp, cross ? xk2 : xk) - plane.dist(xi2, cross ? xk : xk2), e.i,
							e.j, k, late | (e.jp > e.jn) << 1, cross);
			}
		}
	}

	// ordered makes the moves of 3-opt ordered of an entry and k; their ways are numbered as in
	// tours.Best.
	__device__ __forceinline__ void ordered(const entry &e, int k) {
		const int k2 = tour[after(pos[k], dir, j.n)];
		if (k2 == e.i) return;
		const typename P::place xi = plane.at(e.i), xi2 = plane.at(e.i2), xj = plane.at(e.j),
														xj2 = plane.at(e.jn), xk = plane.at(k), xk2 = plane.at(k2);
		const i64 ij = plane.dist(xi, xj), gone = e.g + ij + e.djn + plane.dist(xk, xk2);
		const int ij2 = plane.dist(xi, xj2), jk2 = plane.dist(xj, xk2);
		consider(r, gone - ij - plane.dist(xi2, xk) - plane.dist(xj2, xk2), e.i, e.j, k, 0, 0);
		consider(r, gone - ij2 - plane.dist(xk, xi2) - jk2, e.i, e.j, k, 0, 1);
		consider(r, gone - ij2 - plane.dist(xj, xk) - plane.dist(xi2, xk2), e.i, e.j, k, 1, 0);
		consider(r, gone - plane.dist(xi, xk) - plane.dist(xj2, xi2) - jk2, e.i, e.j, k, 1, 1);
	}

	// triples makes the moves of the noted triples.
	__device__ __forceinline__ void triples() {
		__syncthreads();
		const int count = b.triples;
		for (int q = threadIdx.x; q < count; q += blockDim.x) {
			const entry &e = b.entries[b.triple[q].x];
			if (j.op == ORDERED) ordered(e, b.triple[q].y);
			else third(e, b.triple[q].y);
		}
		__syncthreads();
		if (threadIdx.x == 0) b.triples = 0;
		__syncthreads();
	}

	// pairs makes the moves of the noted pairs.
	__device__ __forceinline__ void pairs() {
		__syncthreads();
		const int pairs = b.pairs, step = blockDim.x, width = step >> 1;
		for (int first = 0; first < pairs; first += width) {
			if (threadIdx.x == 0) b.count = 0;
			__syncthreads();
			expand(first);
			__syncthreads();
			const int items = b.count * j.k;
			for (int from = 0; from < items; from += step) {
				const int q = from + (int)threadIdx.x;
				if (q < items) {
					const int at = q / j.k, k = __ldg(near + (size_t)b.entries[at].j * j.k + (q - at * j.k));
					if (bound(b.entries[at], k)) {
						int2 t;
						t.x = at, t.y = k;
						b.triple[atomicAdd(&b.triples, 1)] = t;
					}
				}
				__syncthreads();
				const bool full = b.triples > NOTES - step;
				__syncthreads();
				if (full) triples();
			}
			triples();
		}
		__syncthreads();
		if (threadIdx.x == 0) b.pairs = 0;
		__syncthreads();
	}

	// all looks at the group's share of the pairs: this block has the number rank of blocks. A city
	// with a long edge has many pairs that are noted; small units spread them over the blocks.
	__device__ __forceinline__ void all(int rank) {
		const i64 end = (i64)j.n * j.k;
		const int unit = j.unit, of = threadIdx.x / unit, at = threadIdx.x & (unit - 1);
		if (threadIdx.x == 0) b.pairs = b.triples = 0;
		__syncthreads();
		for (i64 from = 0; from < end; from += (i64)blockDim.x * j.blocks) {
			const i64 q = from + (i64)(of * j.blocks + rank) * unit + at;
			if (q < end) {
				const int i = end <= 0x7fffffff ? (int)q / j.k : (int)(q / j.k), c = __ldg(near + q);
				if (j.all || d(i, c) < edge[i]) {
					int2 t;
					t.x = i, t.y = c;
					b.pair[atomicAdd(&b.pairs, 1)] = t;
				}
			}
			__syncthreads();
			const bool full = b.pairs > NOTES - (int)blockDim.x;
			__syncthreads();
			if (full) pairs();
		}
		pairs();
	}
};

// find finds the best move, which all blocks have in b.first. It waits for the group.
template <class P> static __device__ __forceinline__ void find(const job &j, const P &plane,
		const int *near, const buffers &u, board &b, int rank, record *records, uint32_t *bar,
		uint32_t &turn) {
	const int *tour = u.tour(b.c.work), *pos = u.pos(b.c.work), *edge = u.edge(b.c.work_long);
	const int zero = pos[0];
	look<P> l = {j, plane, near, tour, pos, edge, b, {0, ~0ull}, zero, forward(tour, zero, j.n)};
	l.all(rank);
	const record w = first_of_warp(l.r);
	const int lane = threadIdx.x & 31, warps = blockDim.x >> 5;
	if (lane == 0) b.best[threadIdx.x >> 5] = w;
	__syncthreads();
	if (threadIdx.x < 32) {
		record r = {0, ~0ull};
		if (lane < warps) r = b.best[lane];
		r = first_of_warp(r);
		if (lane == 0) {
			if (j.blocks > 1) records[(turn & 1) * j.blocks + rank] = r;
			b.first = r;
		}
	}
	if (j.blocks == 1) {
		__syncthreads();
		return;
	}
	record *of = records + (turn & 1) * j.blocks;
	group_barrier(bar, ++turn, j.blocks);
	if (threadIdx.x < 32) {
		record r = {0, ~0ull};
		for (int q = lane; q < j.blocks; q += 32) {
			record o;
			o.hi = __ldcg(&of[q].hi), o.lo = __ldcg(&of[q].lo);
			if (before(o, r)) r = o;
		}
		r = first_of_warp(r);
		if (lane == 0) b.first = r;
	}
	__syncthreads();
}

static __device__ __forceinline__ void part(plan &p, int from, int to, int back) {
	p.from[p.parts] = from, p.size[p.parts] = to - from + 1, p.back[p.parts] = back;
	p.parts++;
}

// plan_move makes the plan of the best move; by one thread.
static __device__ __forceinline__ void plan_move(const job &j, const buffers &u, board &b) {
	const int *tour = u.tour(b.c.work), *pos = u.pos(b.c.work), n = j.n;
	const u64 lo = b.first.lo;
	const int i = (1 << 30) - 1 - (int)(b.first.hi & ((1 << 30) - 1)), c = (int)(lo >> 34),
						k = (int)(lo >> 4 & ((1 << 30) - 1)) - 1;
	const int pi = pos[i], pj = pos[c], pk = k < 0 ? 0 : pos[k];
	// The direction in which a city lies beside another.
	auto side = [&](int p, bool late) {
		return (tour[after(p, 1, n)] > tour[after(p, -1, n)]) == late ? 1 : -1;
	};
	plan &p = b.p;
	if (j.op == ORDERED && k >= 0) {
		p.origin = pos[0], p.dir = forward(tour, p.origin, n), p.parts = 0;
		const int a = place_of(pi, p.origin, p.dir, n), m = place_of(pj, p.origin, p.dir, n),
							z = place_of(pk, p.origin, p.dir, n), way = lo & 3;
		part(p, 0, a, 0);
		if (way == 0) part(p, a + 1, m, 1), part(p, m + 1, z, 1);
		else part(p, m + 1, z, way == 3), part(p, a + 1, m, way == 2);
		part(p, z + 1, n - 1, 0);
		return;
	}
	p.dir = side(pi, lo >> 3 & 1);
	p.origin = after(pi, p.dir, n), p.parts = 0;
	const bool same = side(pj, lo >> 2 & 1) == p.dir;
	const int m = place_of(pj, p.origin, p.dir, n), last = n - 1;
	if (k < 0) {
		part(p, 0, m, 1), part(p, m + 1, last, 0);
		return;
	}
	const bool next = side(pk, lo >> 1 & 1) == p.dir, cross = lo & 1;
	const int place = place_of(pk, p.origin, p.dir, n), low = next ? place : place - 1, high = low + 1;
	if (same && low > m)
		part(p, m + 1, low, 0), part(p, 0, m, 0), part(p, high, last, 1);
	else if (same)
		part(p, m + 1, last, 0), part(p, high, m, 1), part(p, 0, low, 0);
	else // j2 is joined to high, or to low
		part(p, m, low, 0), part(p, 0, m - 1, (next ? cross : !cross) ? 0 : 1), part(p, high, last, 0);
}

static __device__ __forceinline__ void plan_copy(const job &j, board &b) {
	b.p.origin = 0, b.p.dir = 1, b.p.parts = 0;
	part(b.p, 0, j.n - 1, 0);
}

// plan_kick draws a double bridge and makes its plan; by one thread.
template <class P> static __device__ __forceinline__ void plan_kick(
		const job &j, const P &plane, const buffers &u, board &b, int agent) {
	const int n = j.n, *tour = u.tour(b.c.base), *pos = u.pos(b.c.base);
	plan &p = b.p;
	p.origin = pos[0], p.parts = 0;
	p.dir = forward(tour, p.origin, n);
	int at[4];
	ml_u4 u4 = {0, 0, 0, 0};
	uint32_t block = ~0u;
	do {
		for (int i = 0; i < 4; i++) {
			const uint32_t draw = b.c.draws++;
			if (draw >> 2 != block) {
				block = draw >> 2;
				const uint32_t high = (uint32_t)((u64)j.iter >> 32) ^ (uint32_t)DRAW_KICK << 24;
				const ml_u4 counter = {(uint32_t)j.iter, high, (uint32_t)agent, block};
				u4 = ml_philox(j.seed, counter);
			}
			const uint32_t w = draw & 3, v = w == 0 ? u4.x : w == 1 ? u4.y : w == 2 ? u4.z : u4.w;
			const int place = place_of(pos[ML_MULHI(v, (uint32_t)n)], p.origin, p.dir, n);
			int q = i;
			for (; q > 0 && at[q - 1] > place; q--) at[q] = at[q - 1];
			at[q] = place;
		}
	} while (at[0] == at[1] || at[1] == at[2] || at[2] == at[3]);
	auto city = [&](int place) { return tour[position(place == n ? 0 : place, p.origin, p.dir, n)]; };
	typename P::place x[4], y[4]; // the ends of the edges that go
	for (int i = 0; i < 4; i++) x[i] = plane.at(city(at[i])), y[i] = plane.at(city(at[i] + 1));
	i64 change = (i64)plane.dist(x[0], y[2]) + plane.dist(x[3], y[1]) + plane.dist(x[2], y[0]) +
			plane.dist(x[1], y[3]);
	for (int i = 0; i < 4; i++) change -= plane.dist(x[i], y[i]);
	b.c.change = change;
	part(p, 0, at[0], 0), part(p, at[2] + 1, at[3], 0), part(p, at[1] + 1, at[2], 0),
			part(p, at[0] + 1, at[1], 0), part(p, at[3] + 1, n - 1, 0);
}

// rebuild writes the tour from with the plan as to, with positions. The longer edges of all cities,
// or else of those at the ends of parts, are computed, the others copied unless they are there.
template <class P> static __device__ __forceinline__ void rebuild(const job &j, const P &plane,
		const plan &p, const int *from, int *to, int *pos, const int *edge_from, int *edge, bool all,
		int rank) {
	const int n = j.n;
	auto city = [&](int q, bool &end) {
		int o = 0, t = 0;
		while (q >= o + p.size[t]) o += p.size[t++];
		end = q == o || q == o + p.size[t] - 1;
		const int place = p.back[t] ? p.from[t] + p.size[t] - 1 - (q - o) : p.from[t] + q - o;
		return from[position(place, p.origin, p.dir, n)];
	};
	for (int q = rank * blockDim.x + threadIdx.x; q < n; q += j.blocks * blockDim.x) {
		bool end, unused;
		const int c = city(q, end);
		to[q] = c;
		pos[c] = q;
		if (all || end) {
			const typename P::place x = plane.at(c);
			edge[c] = max(plane.dist(x, plane.at(city(after(q, 1, n), unused))),
					plane.dist(x, plane.at(city(after(q, -1, n), unused))));
		} else if (edge != edge_from)
			edge[c] = edge_from[c];
	}
}

template <class P> static __device__ __forceinline__ void search(const job &j, const P &plane,
		const int *near, int *room, chain *chains, record *records, uint32_t *bars) {
	__shared__ board b;
	const int group = blockIdx.x / j.blocks, rank = blockIdx.x - group * j.blocks, n = j.n;
	const bool one = threadIdx.x == 0;
	uint32_t *bar = bars + group * 32, turn = 0;
	records += group * 2 * j.blocks;
	for (int a = group; a < j.chains; a += j.groups) {
		const buffers u = {room + (size_t)a * BUFFERS * j.stride, j.stride};
		__syncthreads();
		if (one) b.c = chains[a];
		__syncthreads();
		for (int left = j.passes, looks = j.looks; !b.c.done;) {
			if (!b.c.searching) {
				const bool first = b.c.kick < 0;
				if (!first && b.c.kick == j.kicks) {
					const bool better = b.c.length < b.c.top;
					if (better) {
						const int *from = u.tour(b.c.base);
						for (int q = rank * blockDim.x + threadIdx.x; q < n; q += j.blocks * blockDim.x)
							u.top()[q] = from[q];
					}
					__syncthreads();
					if (one) {
						if (better) b.c.top = b.c.length;
						b.c.done = 1;
					}
					__syncthreads();
					continue;
				}
				if (one) {
					b.c.change = 0;
					if (first || n < MIN_KICK) plan_copy(j, b);
					else plan_kick(j, plane, u, b, a);
				}
				__syncthreads();
				rebuild(j, plane, b.p, u.tour(b.c.base), u.tour(b.c.work), u.pos(b.c.work),
						u.edge(b.c.base_long), u.edge(b.c.work_long), first, rank);
				group_barrier(bar, ++turn, j.blocks);
				if (one) b.c.searching = 1;
			}
			i64 gain = 0;
			if (n >= MIN_MOVE) {
				if (left-- == 0) break;
				__syncthreads();
				find(j, plane, near, u, b, rank, records, bar, turn);
				gain = (i64)(b.first.hi >> 30);
			}
			if (looks > 0) { // for figures
				__syncthreads();
				if (one) b.c.gain = gain, b.c.done = --looks == 0;
				else looks--;
				__syncthreads();
				continue;
			}
			const int spare = 3 - b.c.base - b.c.work;
			if (gain > 0) {
				if (one) plan_move(j, u, b);
				__syncthreads();
				rebuild(j, plane, b.p, u.tour(b.c.work), u.tour(spare), u.pos(spare), u.edge(b.c.work_long),
						u.edge(b.c.work_long), false, rank);
				group_barrier(bar, ++turn, j.blocks);
				if (one) b.c.work = spare, b.c.change -= gain, b.c.moves++;
				__syncthreads();
				continue;
			}
			__syncthreads();
			const bool first = b.c.kick < 0, keep = first || b.c.change <= 0 || j.always;
			const bool better = !first && b.c.length + (keep ? b.c.change : 0) < b.c.top;
			if (better) {
				const int *from = u.tour(keep ? b.c.work : b.c.base);
				for (int q = rank * blockDim.x + threadIdx.x; q < n; q += j.blocks * blockDim.x)
					u.top()[q] = from[q];
			}
			__syncthreads();
			if (one) {
				chain &c = b.c;
				if (keep) {
					c.length += c.change;
					int swap = c.base;
					c.base = c.work, c.work = swap;
					swap = c.base_long, c.base_long = c.work_long, c.work_long = swap;
					if (!first) c.kept++, c.gained += c.change < 0;
				}
				if (better) c.top = c.length;
				c.kick++, c.searching = 0;
			}
			__syncthreads();
		}
		__syncthreads();
		if (one && rank == 0) chains[a] = b.c;
	}
}

// Launch: groups x blocks blocks of 256 threads, cooperative; groups is at most the chains.
//
// places: coordinates of a plane, or the matrix. near: n lists of k. room: a chain has nine times
// stride numbers: three tours, their positions, the longer edges of two, and the shortest tour
// after any kick. records: two a block. bars: 32 numbers a group, 0.
//
// Bound: for some thousand cities the latency of two barriers and four dependent reads a pass; for
// more, the instructions of distances.
#define KERNEL(name, plane)                                                                        \
	extern "C" __global__ void __launch_bounds__(THREADS, 2) name(job j, const void *places,          \
			const int *near, int *room, chain *chains, record *records, uint32_t *bars) {                 \
		search(j, plane(places, j), near, room, chains, records, bars);                                 \
	}
KERNEL(best_whole, whole_plane)
KERNEL(best_wide, wide_plane)
KERNEL(best_real, real_plane)
KERNEL(best_matrix, matrix)
