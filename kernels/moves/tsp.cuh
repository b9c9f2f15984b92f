// Tours whose cities change places: distances, single moves, and what a scan ends with.
#ifndef METALAB_MOVES_TSP_CUH
#define METALAB_MOVES_TSP_CUH

#include "common.cuh"

#define FULL 0xffffffffu

// tsp is an instance and the walks' data.
struct tsp {
	const void *places;       // by city; see the spaces below
	const int32_t *from, *to; // n x n tables: the distances from the city of a row, and to it
	int32_t *p, *top;         // by walk: the tour, and the best one
	int64_t *until;           // by walk and city
	int32_t *gain, *back;     // by walk, for cycles: see tsp_cycles.cuh
	uint32_t *tickets;        // by walk: blocks that have ended a scan, 0 between scans; then scans
	int32_t metric;           // of real places
	int32_t rows;             // of a warp's part of a scan of swaps, 1 to 30
	int32_t span;             // positions j of a warp's part of a scan of cycles
	int32_t stride;           // of gain and back
	int32_t together;         // all blocks are on the device at once, and wait for each other
	int32_t pad;
};

// The spaces: how a city is kept in registers (place), and the distance between two of them. from
// is the distance from a to b and to that from b to a; BOTH: they may differ.

#ifdef __CUDACC__
// approximate_root is the square root within a relative error of 2^-23.
__device__ __forceinline__ float approximate_root(float x) {
	float r;
	asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
#else
#define approximate_root sqrtf
#endif

// whole_distance is EUC_2D between whole coordinates, as float64 gives it: with s = dx dx + dy dy
// below 2^31 the rounded root is the e with e e - e < s <= e e + e. The estimate errs by less than
// 0.009 and half a unit in the last place of 0.002, so that after subtracting 0.0125 its whole part
// is e or e - 1.
__device__ __forceinline__ int whole_distance(int dx, int dy) {
	const uint32_t s = (uint32_t)(dx * dx + dy * dy);
	const uint32_t e = (uint32_t)(int)(approximate_root((float)s) + 0.4875f);
	return (int)(e + (s > e * e + e));
}

// whole is EUC_2D with whole coordinates whose squared distances are below 2^31: y << 16 | x.
template <bool CACHED> struct whole {
	typedef uint32_t place;
	static const bool BOTH = false;
	const uint32_t *xy;
	__device__ whole(const tsp &q, const job &) : xy((const uint32_t *)q.places) {}
	__device__ place at(int c) const { return read<CACHED>(xy + c); }
	__device__ int from(place a, place b) const {
		return whole_distance(
				(int)(a & 0xffff) - (int)(b & 0xffff), (int)(a >> 16) - (int)(b >> 16));
	}
	__device__ int to(place a, place b) const { return from(a, b); }
};

// real is EUC_2D, CEIL_2D and ATT with any coordinates.
template <bool CACHED> struct real {
	typedef double2 place;
	static const bool BOTH = false;
	const double *xy;
	int metric;
	__device__ real(const tsp &q, const job &) : xy((const double *)q.places), metric(q.metric) {}
	__device__ place at(int c) const {
		return {read<CACHED>(xy + 2 * c), read<CACHED>(xy + 2 * c + 1)};
	}
	__device__ int from(place a, place b) const { return ml_dist(metric, a.x - b.x, a.y - b.y); }
	__device__ int to(place a, place b) const { return from(a, b); }
};

// table is any metric, ASYMMETRIC or not.
template <bool CACHED, bool ASYMMETRIC> struct table {
	typedef int place;
	static const bool BOTH = ASYMMETRIC;
	const int32_t *out, *in;
	int64_t n;
	__device__ table(const tsp &q, const job &o) : out(q.from), in(q.to), n(o.n) {}
	__device__ place at(int c) const { return c; }
	__device__ int from(place a, place b) const { return read<CACHED>(out + a * n + b); }
	__device__ int to(place a, place b) const { return read<CACHED>(in + a * n + b); }
};

__device__ __forceinline__ uint32_t lane_says(uint32_t v, int lane) {
	return __shfl_sync(FULL, v, lane);
}
__device__ __forceinline__ int lane_says(int v, int lane) { return __shfl_sync(FULL, v, lane); }
__device__ __forceinline__ double2 lane_says(double2 v, int lane) {
	return {ML_U2D(__shfl_sync(FULL, (unsigned long long)ML_D2U(v.x), lane)),
		ML_U2D(__shfl_sync(FULL, (unsigned long long)ML_D2U(v.y), lane))};
}

// pair_index and triple_index are the places of pairs and triples: moves.PairIndex, TripleIndex.
__device__ __forceinline__ uint64_t pair_index(int64_t n, int64_t i, int64_t j) {
	return pairs_of(n) - 1 - (pairs_of(n - 1 - i) + n - 1 - j);
}
__device__ __forceinline__ uint64_t triple_index(int64_t n, int64_t i, int64_t j, int64_t k) {
	return triples_of(n) - 1 - (triples_of(n - 1 - i) + pairs_of(n - 1 - j) + n - 1 - k);
}

// exchange_at is the move with this index: three positions with flips == 3.
__device__ inline void exchange_at(const job &o, uint64_t index, int *at, bool *back) {
	at[2] = -1, *back = false;
	if (o.flips == 2) {
		pair_at(o.n, index, &at[0], &at[1]);
	} else {
		triple_at(o.n, index / 2, &at[0], &at[1], &at[2]);
		*back = index & 1;
	}
}

// exchange_delta is by how much an exchange of MANY cities, two or three, makes the tour longer:
// the edges, six at most, that begin at these positions or before them.
template <int MANY, class S>
__device__ __forceinline__ int64_t exchange_delta(
		const S &space, int n, const int32_t *p, const int *at, bool back) {
	int city[MANY], old[MANY], from[2 * MANY]; // the cities that come to at, and those that leave
#pragma unroll
	for (int h = 0; h < MANY; h++) old[h] = p[at[h]];
#pragma unroll
	for (int h = 0; h < MANY; h++)
		city[h] = back ? old[(h + MANY - 1) % MANY] : old[(h + 1) % MANY];
	int64_t d = 0;
#pragma unroll
	for (int e = 0; e < 2 * MANY; e++) {
		int x = at[e >> 1] - 1 + (e & 1);
		if (x < 0) x = n - 1;
		from[e] = x;
		bool twice = false;
#pragma unroll
		for (int f = 0; f < e; f++) twice |= from[f] == x;
		if (twice) continue;
		const int y = x + 1 < n ? x + 1 : 0;
		int a = p[x], b = p[y], c = a, g = b;
#pragma unroll
		for (int h = 0; h < MANY; h++) {
			if (at[h] == x) c = city[h];
			if (at[h] == y) g = city[h];
		}
		d += space.from(space.at(c), space.at(g));
		d -= space.from(space.at(a), space.at(b));
	}
	return d;
}

// tsp_make decides by f and makes the move; one thread of a walk calls it.
__device__ inline void tsp_make(const job &o, const tsp &q, int a, walk *w, const found &f) {
	choice c = decide(o, w, f);
	if (c.index != NO_MOVE) {
		int32_t *p = q.p + (int64_t)a * o.n;
		int64_t *until = q.until + (int64_t)a * o.n;
		int at[3], city[3];
		bool back, tabu = false;
		exchange_at(o, c.index, at, &back);
		for (int d = 0; d < o.flips; d++) {
			city[d] = p[at[d]];
			w->at[d] = at[d];
		}
		w->back = back;
		if (o.pick == TABU) {
			for (int d = 0; d < o.flips; d++) tabu |= until[city[d]] >= w->clock;
			w->tally[1] += tabu;
			for (int d = 0; d < o.flips; d++) until[city[d]] = w->clock + wait_of(o, w->clock, a, d);
		}
		for (int d = 0; d < o.flips; d++)
			p[at[d]] = city[(d + (back ? o.flips - 1 : 1)) % o.flips];
	}
	taken(o, w);
}

// tsp_keep copies the tour if it is the best; all threads of a block call it.
__device__ inline void tsp_keep(const job &o, const tsp &q, int64_t a, const walk *w) {
	if (!w->better) return;
	for (int64_t i = threadIdx.x; i < o.n; i += blockDim.x) q.top[a * o.n + i] = q.p[a * o.n + i];
}

// picked is the best move that a thread has found: only those that may be made.
struct picked {
	int delta, i, j, k; // k: of cycles, twice the third position and 1 if it goes back
	__device__ void look(int d, int x, int y, int z) {
		bool first = d < delta ||
				(d == delta && (x < i || (x == i && (y < j || (y == j && z < k)))));
		if (first) delta = d, i = x, j = y, k = z;
	}
};

#define NOTHING_PICKED (1 << 30)
__device__ __forceinline__ picked nothing_picked() { return {NOTHING_PICKED, 0, 0, 0}; }

// may are which moves a scan makes: those that are not tabu, and those with less than hope. In
// climbing all are as if they were tabu.
struct may {
	const int32_t *p;
	const int64_t *until;
	int64_t clock;
	int hope;
	bool climbing;
	__device__ may(const job &o, const tsp &q, const walk *w, int64_t a)
			: p(q.p + a * o.n), until(q.until + a * o.n), clock(w->clock + 1), hope(0),
				climbing(o.pick != TABU) {
		int64_t h = w->low - w->cost;
		if (!climbing) hope = h < -NOTHING_PICKED  ? -NOTHING_PICKED
						: h > NOTHING_PICKED ? NOTHING_PICKED
																 : (int)h;
	}
	__device__ bool tabu(int at) const { return climbing || until[p[at]] >= clock; }
};

// least_of is the least number of a warp.
__device__ __forceinline__ int least_of(int v) {
	for (int x = 16; x > 0; x >>= 1) {
		int w = __shfl_xor_sync(FULL, v, x);
		v = w < v ? w : v;
	}
	return v;
}

// choice_of is the same as a choice.
__device__ inline choice choice_of(const job &o, const picked &b) {
	if (b.delta == NOTHING_PICKED) return no_choice();
	return {b.delta,
		o.flips == 2 ? pair_index(o.n, b.i, b.j)
								 : 2 * triple_index(o.n, b.i, b.j, b.k >> 1) + (b.k & 1)};
}

// tsp_end ends a scan: the best of the walk's blocks is found by the last of them, which makes the
// move, or of a part of the blocks puts it where best_of_part does. It returns whether the block
// goes on with the next scan.
__device__ inline bool tsp_end(
		const job &o, const tsp &q, walk *walks, found *parts, int a, choice c) {
	__shared__ bool last;
	volatile uint32_t *turn = q.tickets + 2 * a + 1;
	uint32_t before = 0;
	c = best_of(c);
	if (o.span > 1) {
		unsigned long long *out = (unsigned long long *)parts; // two words a block
		if (threadIdx.x == 0) {
			out[2 * blockIdx.x] = (unsigned long long)c.delta, out[2 * blockIdx.x + 1] = c.index;
			before = *turn;
			__threadfence();
			last = atomicAdd(q.tickets + 2 * a, 1u) == (uint32_t)o.span - 1;
		}
		__syncthreads();
		if (!last) {
			if (!q.together) return false;
			if (threadIdx.x == 0) {
				while (*turn == before) {}
				__threadfence();
			}
			__syncthreads();
			return true;
		}
		__threadfence();
		c = no_choice();
		for (int b = threadIdx.x; b < o.span; b += blockDim.x) {
			const unsigned long long *from = out + 2 * ((int64_t)a * o.span + b);
			c = better(c, {(int64_t)__ldcg(from), __ldcg(from + 1)});
		}
		c = best_of(c);
	}
	if (threadIdx.x == 0) {
		q.tickets[2 * a] = 0;
		found f = {no_choice(), no_choice(), no_choice()};
		if (o.pick == TABU)
			f.open = c;
		else
			f.all = c;
		if (o.parted)
			parts[gridDim.x + a] = f;
		else
			tsp_make(o, q, a, walks + a, f);
	}
	if (o.parted) return false;
	__syncthreads();
	tsp_keep(o, q, a, walks + a);
	__syncthreads();
	if (q.together && threadIdx.x == 0) {
		__threadfence();
		*turn = before + 1;
	}
	return o.span == 1 || q.together;
}

#endif
