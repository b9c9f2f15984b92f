// What the kernels of all sources share: the instance, a construction's job and results, the
// nearest unvisited city, the tours that are kept. Every construction is given
//
//	g        the instance, see struct instance
//	j        one job, written by the host before each iteration
//	tours    ants x n cities, row a the tour of ant a
//	results  1 + ants entries: entry 0 of the tour that became the best, 1 + a of ant a
//	rk       the round keys of Philox
//
// A warp is an ant unless a kernel says otherwise; lane s looks at slot s of the candidate list of
// the ant's city. Cities are numbered along a Hilbert curve, so that a word of the visited cities'
// bits is a small area. Lengths are in the instance's whole units; trails and weights have none.
//
// Versions: nearest compared distances in double; then squares, with rectangles of floats and the
// cities of four words at a time; with city numbers of 32 bits it looks into a tree of rectangles,
// whose work does not grow with the number of cities. finish was made a function and reads each
// city's place once, which halved what a tour's end reads.
#ifndef METALAB_ANTS_COMMON_CUH
#define METALAB_ANTS_COMMON_CUH

#include <stdint.h>

#include "../arith.h"

#define ALL 0xffffffffu

// OPAQUE hides from the compiler how a number was computed, so that it is computed before this line
// and kept in its register; OPAQUE_FLOAT and OPAQUE_POINTER are those of a float and a pointer. SET
// loads a constant at this line and not before.
#ifdef __CUDACC__
#define OPAQUE(x) asm volatile("" : "+r"(x))
#define OPAQUE_FLOAT(x) asm volatile("" : "+f"(x))
#define OPAQUE_POINTER(x) asm volatile("" : "+l"(x))
#define SET(x, value) asm volatile("mov.u32 %0, %1;" : "=r"(x) : "n"(value))
#else
#define OPAQUE(x)
#define OPAQUE_FLOAT(x)
#define OPAQUE_POINTER(x)
#define SET(x, value) (x) = (value)
#endif

// The search for the nearest city is called, or inlined where NEAREST_CALL is defined so: around a
// call the compiler writes the registers of the loop to memory.
#ifndef NEAREST_CALL
#define NEAREST_CALL __noinline__
#endif

// City numbers: 16 bits, or 32 in the images whose sources define WIDE. Those have up to 2^26 - 1
// cities, so that slots, 32 a city, have numbers of 31 bits.
//
// With WIDE the words of the visited bits are the leaves of a tree: 32 of them have a word that
// says which are full, and so on up to at most 32 words; words of one level follow those of the
// level below. There is a rectangle for each word.
#ifdef WIDE
typedef uint32_t city_t;
#define FAR 32   // entries of a city in ext
#define LEVELS 5 // of the tree, at most
#else
typedef uint16_t city_t;
#define FAR 96
#endif

struct instance {
	const double2 *at; // by city: its coordinates
	const float4 *box; // by word of 32 cities: a rectangle that holds them, as x0, y0, x1, y1
	const city_t *id;  // by slot (32 c + s): the candidate; c itself where the list has ended
	const city_t *ext; // FAR a city: those that follow the candidates, nearest first; then c itself
	uint32_t *visited; // WIDE: by ant, room words: the visited bits, where shared memory has no room
	                   // for them; else null
	int n;             // cities
	int metric;        // datasets.Metric: 1, 3 or 9
	int k;             // candidates of a city
	int words;         // of the visited bits, 32 cities a word
	int room, pad;     // WIDE: the words of an ant, of all levels
};

// What one iteration is to do; the host writes it. "last" is the construction of the iteration
// before.
struct job {
	double alpha;                     // exponent of trails
	uint64_t greedy;                  // acs: see rules
	uint32_t it_lo, it_hi;            // the iteration, for draws
	uint32_t serial;                  // another one in each launch
	int ants;
	int keep_best, keep_restart;      // the ant of the last construction whose tour is kept, or -1
	int deposit_ant, deposit_restart; // whose tour deposits: the ant's unless -1, else best or restart
	int deposit, fill;                // whether a tour deposits; whether all trails become level
	float rate, add, lo, hi, inv;     // mmas: evaporation, deposit, limits, 1 / the upper limit
	float tau0, keep, gain;           // acs: the global update, keep tau + gain
	float level;
	int period;
	double unit;   // as: what a share of a deposit is worth
	int64_t least; // as: the shortest length of the last construction, at least 1, where its tours
	               // deposit; else 0
};

// What an ant gives back. Entry 0 is of the tour that became the best.
struct result {
	int64_t length; // of its tour
	uint64_t hash;
	int32_t fallbacks; // choices that the candidates could not make; in entry 0 the cities that
	                   // came twice
	int32_t pad;
};

// The keys of the ten rounds of Philox, kernel arguments so that they cost no instruction.
struct keys {
	uint32_t k[20];
};

static __device__ __forceinline__ uint32_t warp_min(uint32_t x) {
#if __CUDA_ARCH__ >= 800
	return __reduce_min_sync(ALL, x);
#else
	for (int d = 16; d > 0; d >>= 1) x = min(x, __shfl_xor_sync(ALL, x, d));
	return x;
#endif
}

static __device__ __forceinline__ uint32_t warp_max(uint32_t x) {
#if __CUDA_ARCH__ >= 800
	return __reduce_max_sync(ALL, x);
#else
	return ~warp_min(~x);
#endif
}

static __device__ __forceinline__ uint64_t warp_sum(uint64_t x) {
	for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(ALL, x, d);
	return x;
}

static __device__ __forceinline__ int distance(int metric, double2 p, double2 q) {
	return ml_dist(metric, p.x - q.x, p.y - q.y);
}

// clear_visited clears the bits of an ant; those beyond the last city count as visited.
static __device__ __forceinline__ void clear_visited(uint32_t *vis, int n, int words, int lane) {
	for (int i = lane; i < words; i += 32)
		vis[i] = (i == words - 1 && (n & 31)) ? ~((1u << (n & 31)) - 1) : 0;
#ifdef WIDE
	while (words > 32) {
		vis += words, n = words, words = (words + 31) >> 5;
		for (int i = lane; i < words; i += 32)
			vis[i] = (i == words - 1 && (n & 31)) ? ~((1u << (n & 31)) - 1) : 0;
	}
#endif
	__syncwarp();
}

// visited_of are the visited bits of an ant, its block's warp-th.
static __device__ __forceinline__ uint32_t *visited_of(
		uint32_t *shared, const instance &g, int warp, int ant) {
#ifdef WIDE
	return g.visited ? g.visited + (size_t)ant * g.room : shared + warp * g.room;
#else
	return shared + warp * g.words;
#endif
}

// mark_word writes the word of a city that is visited now. One lane of the ant calls it, or
// mark_city.
static __device__ __forceinline__ void mark_word(
		uint32_t *vis, int words, uint32_t w, uint32_t word) {
	vis[w] = word;
#ifdef WIDE
	while (word == ALL && words > 32) {
		vis += words, words = (words + 31) >> 5;
		const uint32_t bit = 1u << (w & 31);
		w >>= 5;
		vis[w] = word = vis[w] | bit;
	}
#endif
}

static __device__ __forceinline__ void mark_city(uint32_t *vis, int words, uint32_t c) {
	mark_word(vis, words, c >> 5, vis[c >> 5] | 1u << (c & 31));
}

// From a city, the squares of the distances to rectangles: never above those to their cities.
struct box_distance {
	float xl, xh, yl, yh;
	__device__ __forceinline__ explicit box_distance(double2 p)
			: xl(__double2float_rd(p.x)), xh(__double2float_ru(p.x)), yl(__double2float_rd(p.y)),
				yh(__double2float_ru(p.y)) {}
	__device__ __forceinline__ uint32_t operator()(float4 b) const {
		float dx = fmaxf(0.0f, fmaxf(__fsub_rd(b.x, xh), __fsub_rd(xl, b.z)));
		float dy = fmaxf(0.0f, fmaxf(__fsub_rd(b.y, yh), __fsub_rd(yl, b.w)));
		return __float_as_uint(__fadd_rd(__fmul_rd(dx, dx), __fmul_rd(dy, dy)));
	}
};

#ifdef WIDE

// reach is a square of a distance beyond which no city is at the distance d or nearer, nor a
// rectangle that holds one; roundings included. Squares are the bits of floats. Where nothing was
// found, d is ALL, it is above all.
static __device__ __forceinline__ uint32_t reach(int metric, uint32_t d) {
	const float x = (float)d + 1.0f;
	return d == ALL ? ALL - 1 : __float_as_uint(x * x * (metric == 9 ? 10.0f : 1.0f) * 1.00001f);
}

// nearest is the unvisited city with the least (distance, number), there being one, when the
// candidates of cur are visited.
//
// Where ext does not tell, the rectangles in which the warp looks are those that may hold a city as
// near and are not full: first the 32 words round cur, then the 32 boxes of 32 words round those,
// and so on to the top, from each down to the cities. A rectangle's square is never above those of
// its cities, so none is left out.
template <bool EAGER> static __device__ NEAREST_CALL int nearest(const uint32_t *vis,
		const double2 *at, const float4 *box, const city_t *ext, int metric, int words, int cur,
		int lane) {
	const city_t *e = ext + (size_t)cur * FAR;
	for (int q = 0; q < FAR; q += 32) {
		const uint32_t a = e[q + lane], open = __ballot_sync(ALL, !(vis[a >> 5] >> (a & 31) & 1));
		if (open) return (int)__shfl_sync(ALL, a, __ffs(open) - 1);
	}
	const double2 me = at[cur];
	const box_distance square(me);
	uint32_t mine = ALL, city = ALL,
					 limit = ALL - 1; // the best city that this lane saw; no rectangle beyond it counts
	uint32_t bound[LEVELS];   // by level, of lane's child of the row: its square, ALL when done with
	int row[LEVELS], from[LEVELS], size[LEVELS];
	int levels = 1;
	from[0] = 0, size[0] = words;
	for (; size[levels - 1] > 32; levels++)
		from[levels] = from[levels - 1] + size[levels - 1], size[levels] = (size[levels - 1] + 31) >> 5;
	auto enter = [&](int k, int r) {
		const int i = r * 32 + lane;
		row[k] = r;
		bound[k] = i < size[k] && vis[from[k] + i] != ALL ? square(box[from[k] + i]) : ALL;
	};
	for (int top = 0; top < levels; top++) {
		int k = top;
		enter(k, cur >> (10 + 5 * top));
		if (top > 0 && lane == (cur >> (5 + 5 * top) & 31)) bound[k] = ALL; // the last row
		for (;;) {
			const uint32_t least = warp_min(bound[k]);
			if (least > limit) {
				if (k++ == top) break;
				continue;
			}
			if (k > 0) {
				const int l = __ffs(__ballot_sync(ALL, bound[k] == least)) - 1;
				if (lane == l) bound[k] = ALL;
				enter(k - 1, row[k] * 32 + l);
				k--;
				continue;
			}
			// The cities of four words at once; of the nearest one as long as none was found.
			uint32_t open = __ballot_sync(ALL, bound[0] <= (limit == ALL - 1 ? least : limit));
			uint32_t to[4];
			double2 p[4];
#pragma unroll
			for (int q = 0; q < 4; q++) {
				to[q] = ALL;
				if (!open) continue;
				const int l = __ffs(open) - 1, w = row[0] * 32 + l;
				open &= open - 1;
				if (lane == l) bound[0] = ALL;
				if (!(vis[w] >> lane & 1)) to[q] = w * 32 + lane, p[q] = at[to[q]];
			}
#pragma unroll
			for (int q = 0; q < 4; q++) {
				if (to[q] == ALL) continue;
				const uint32_t d = (uint32_t)distance(metric, me, p[q]);
				if (d < mine || (d == mine && to[q] < city)) mine = d, city = to[q];
			}
			limit = reach(metric, warp_min(mine));
		}
	}
	const uint32_t best = warp_min(mine);
	return (int)warp_min(mine == best ? city : ALL);
}

#else

// farthest is a square of a distance beyond which no city can be as near as one at the square s,
// roundings of ml_dist and of this function included: rounding makes less than 1 of
// difference, 3.17 in ATT, where the root is divided by the root of 10. Squares are the bits of
// floats.
static __device__ __forceinline__ uint32_t farthest(int metric, uint32_t s) {
	float x = __uint_as_float(s);
	float r = x * rsqrtf(fmaxf(x, 1e-30f)) * 1.00001f + (metric == 9 ? 3.17f : 1.0f);
	return __float_as_uint(r * r * 1.00001f);
}

// nearest_close is nearest where a lane has several cities that may be it: all whose squares
// are up to limit are compared by their distances.
static __device__ NEAREST_CALL int nearest_close(const uint32_t *vis, const double2 *at,
		const float4 *box, int metric, int words, int cur, int lane, uint32_t limit) {
	const double2 me = at[cur];
	const box_distance bound(me);
	uint32_t mine = ALL, city = ALL;
	for (int base = 0; base < words; base += 32) {
		const int own = base + lane;
		uint32_t open = __ballot_sync(ALL, own < words && vis[own] != ALL && bound(box[own]) <= limit);
		for (; open; open &= open - 1) {
			const int w = base + __ffs(open) - 1;
			if (vis[w] >> lane & 1) continue;
			const uint32_t j = w * 32 + lane, d = (uint32_t)distance(metric, me, at[j]);
			if (d < mine) mine = d, city = j; // words come in order: the first has the smallest number
		}
		__syncwarp();
	}
	const uint32_t best = warp_min(mine);
	return warp_min(mine == best ? city : ALL);
}

// nearest is the unvisited city with the least (distance, number), there being one, when the
// candidates of cur are visited.
//
// Where ext does not tell, words of 32 cities are looked at, 128 words at a time: first the one
// whose rectangle is nearest, then, four at once, all that may hold a city as near. What is
// compared is squares, as the bits of floats, rounded so that no city is left out; the few cities
// that are left at the end, mostly one, are compared by their distances.
//
// EAGER fetches the rectangles while ext is looked at: for a step for which all ants wait.
template <bool EAGER> static __device__ NEAREST_CALL int nearest(const uint32_t *vis,
		const double2 *at, const float4 *box, const city_t *ext, int metric, int words, int cur,
		int lane) {
	const city_t *e = ext + (size_t)cur * FAR;
	const double2 me = at[cur];
	const int groups = (words + 127) >> 7;
	int group = cur >> 12;
	uint32_t a[FAR / 32];
#pragma unroll
	for (int q = 0; q < FAR / 32; q++) a[q] = e[lane + 32 * q];
#pragma unroll
	for (int q = 0; q < FAR / 32; q++) OPAQUE(a[q]); // all are under way together
	float4 b[4];
	auto fetch = [&] {
#pragma unroll
		for (int q = 0; q < 4; q++) b[q] = box[min(group * 128 + 32 * q + lane, words - 1)];
	};
	if (EAGER) fetch();
#pragma unroll
	for (int q = 0; q < FAR / 32; q++) {
		uint32_t open = __ballot_sync(ALL, !(vis[a[q] >> 5] >> (a[q] & 31) & 1));
		if (open) return __shfl_sync(ALL, a[q], __ffs(open) - 1);
	}
	if (!EAGER) fetch();
	const box_distance square(me);
	uint32_t near = ALL, second = ALL, city = 0; // the two least squares that this lane saw
	uint32_t limit = ALL - 1;                    // no word beyond it counts
	auto see = [&](uint32_t j, double2 p) {
		const double dx = p.x - me.x, dy = p.y - me.y;
		const uint32_t s = __float_as_uint(__double2float_ru(dx * dx + dy * dy));
		second = min(second, max(near, s));
		if (s < near) near = s, city = j;
	};
	for (int i = 0; i < groups; i++) {
		const int base = group * 128;
		if (++group == groups) group = 0;
		uint32_t bound[4];
#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int w = base + 32 * q + lane;
			bound[q] = w < words && vis[w] != ALL ? square(b[q]) : ALL;
			if (i + 1 < groups) b[q] = box[min(group * 128 + 32 * q + lane, words - 1)];
		}
		if (limit == ALL - 1) {
			const uint32_t least = min(min(bound[0], bound[1]), min(bound[2], bound[3])),
										 m = warp_min(least);
			if (m == ALL) continue;
			const int l = __ffs(__ballot_sync(ALL, least == m)) - 1;
			const int which = m == bound[0] ? 0 : m == bound[1] ? 1 : m == bound[2] ? 2 : 3; // of lane l
			const int w = __shfl_sync(ALL, base + 32 * which + lane, l);
#pragma unroll
			for (int q = 0; q < 4; q++)
				if (lane == l && q == which) bound[q] = ALL;
			if (!(vis[w] >> lane & 1)) see(w * 32 + lane, at[w * 32 + lane]);
			limit = farthest(metric, warp_min(near));
		}
		for (;;) {
			uint32_t o[4];
#pragma unroll
			for (int q = 0; q < 4; q++) o[q] = __ballot_sync(ALL, bound[q] <= limit);
			if (!(o[0] | o[1] | o[2] | o[3])) break;
			double2 p[4];
			int w[4];
#pragma unroll
			for (int k = 0; k < 4; k++) {
				const int q = o[0] ? 0 : o[1] ? 1 : o[2] ? 2 : 3;
				const uint32_t mask = o[0] ? o[0] : o[1] ? o[1] : o[2] ? o[2] : o[3];
				const int bit = __ffs(mask) - 1;
				w[k] = -1;
#pragma unroll
				for (int r = 0; r < 4; r++)
					if (r == q && mask) {
						o[r] &= o[r] - 1;
						if (lane == bit) bound[r] = ALL;
					}
				if (mask && !(vis[base + 32 * q + bit] >> lane & 1)) {
					w[k] = (base + 32 * q + bit) * 32 + lane;
					p[k] = at[w[k]];
				}
			}
#pragma unroll
			for (int k = 0; k < 4; k++)
				if (w[k] >= 0) see(w[k], p[k]);
			limit = farthest(metric, warp_min(near));
		}
	}
	if (__any_sync(ALL, second <= limit))
		return nearest_close(vis, at, box, metric, words, cur, lane, limit);
	const uint32_t close = __ballot_sync(ALL, near <= limit);
	if (!(close & (close - 1))) return (int)__shfl_sync(ALL, city, __ffs(close) - 1);
	const uint32_t mine = near <= limit ? (uint32_t)distance(metric, me, at[city]) : ALL;
	const uint32_t best = warp_min(mine);
	return warp_min(mine == best ? city : ALL);
}

#endif

// root is the root of x to 2^-40 of it, nothing to go by where x is 0.
static __device__ __forceinline__ double root(double x) {
#ifdef __CUDACC__
	double y;
	asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x)); // to 2^-20
	const double r = x * y;
	return __fma_rn(0.5 * r, __fma_rn(-r, y, 1.0), r);
#else
	return sqrt(x) * (1 + 0x1p-41);
#endif
}

// finish_of is finish, not inlined for it is called once. A lane reads one city's place and has the
// next city's from the next lane, so 31 lanes make an edge each. A distance is that of a root
// nearby, unless rounding might make another one of it: four edges are under way together so.
static __device__ __noinline__ void finish_of(
		const double2 *at, int n, int metric, const city_t *tour, result *r, int fallbacks, int lane) {
	uint64_t length = 0, hash = 0;
	for (int from = lane; from - lane < n; from += 124) {
		uint32_t a[4];
		double2 p[4], q[4];
		int d[4];
		bool sure[4];
#pragma unroll
		for (int k = 0; k < 4; k++)
			a[k] = tour[from + 31 * k < n ? from + 31 * k : 0]; // behind the last city comes the first
#pragma unroll
		for (int k = 0; k < 4; k++) p[k] = at[a[k]];
#pragma unroll
		for (int k = 0; k < 4; k++) {
			q[k].x = ML_U2D(__shfl_sync(ALL, ML_D2U(p[k].x), lane + 1 & 31)),
			q[k].y = ML_U2D(__shfl_sync(ALL, ML_D2U(p[k].y), lane + 1 & 31));
			const double dx = p[k].x - q[k].x, dy = p[k].y - q[k].y;
			const uint64_t u =
					ML_D2U(root(dx * dx + dy * dy) + (0.5 + 0x1p32)); // its last 20 bits are behind the point
			d[k] = (int)(u >> 20);
			sure[k] = metric == 1 && (uint32_t)(u >> 32) - 0x41F00000u < 0x100 &&
					((uint32_t)u & 0xFFFFF) - 8 < 0xFFFF0; // EUC_2D
		}
#pragma unroll
		for (int k = 0; k < 4; k++) {
			const bool in = lane < 31 && from + 31 * k < n;
			if (in && !sure[k]) d[k] = distance(metric, p[k], q[k]);
			const uint64_t mix = ml_mix64((uint64_t)(from + 31 * k) << 32 | (a[k] + 1));
			length += in ? d[k] : 0;
			hash += in ? mix : 0;
		}
	}
	length = warp_sum(length);
	hash = warp_sum(hash);
	if (lane == 0) {
		r->length = (int64_t)length;
		r->hash = hash;
		r->fallbacks = fallbacks;
	}
}

// finish writes an ant's result, of a tour that this warp wrote. Four cities a lane are on their
// way at once.
static __device__ __forceinline__ void finish(
		const instance &g, const city_t *tour, result *r, int fallbacks, int lane) {
	finish_of(g.at, g.n, g.metric, tour, r, fallbacks, lane);
}

// keep_tours keeps tours of the last construction, and writes the tour that deposits as neighbours
// of cities. Of a tour that becomes the best it computes the length once more and counts the
// cities that come twice.
//
// best, restart: n cities, a tour each. after, before: by city the next and the last one in the
// tour that deposits. mark: by city the serial of the job that saw it last. check: one result.
//
// Launch: one block of 1024 threads. Bound: latency of one pass over up to three tours, 2 n to 6 n
// city numbers and, of a new best, 16 n bytes of places. No figure of its own is recorded; it is
// part of the iterations in ants-gpu-iteration.
extern "C" __global__ void __launch_bounds__(1024, 1)
		keep_tours(instance g, const job *j, const city_t *tours, city_t *best, city_t *restart,
				city_t *after, city_t *before, uint32_t *mark, result *check) {
	__shared__ uint64_t length[32];
	__shared__ uint32_t twice[32];
	int n = g.n, kb = j->keep_best, kr = j->keep_restart, ta = j->deposit_ant;
	const city_t *from = tours + (size_t)max(kb, 0) * n, *again = tours + (size_t)max(kr, 0) * n;
	const city_t *deposited = ta >= 0 ? tours + (size_t)ta * n : j->deposit_restart ? restart : best;
	uint64_t sum = 0;
	uint32_t dup = 0;
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		int next = i + 1 < n ? i + 1 : 0;
		// The host names the ant where the kept tour is the ant's, so no order matters here.
		if (j->deposit) {
			uint32_t a = deposited[i], b = deposited[next];
			after[a] = (city_t)b;
			before[b] = (city_t)a;
		}
		if (kb >= 0) {
			uint32_t a = from[i], b = from[next];
			best[i] = (city_t)a;
			sum += (uint64_t)(int64_t)distance(g.metric, g.at[a], g.at[b]);
			dup += atomicExch(mark + a, j->serial) == j->serial;
		}
		if (kr >= 0) restart[i] = again[i];
	}
	if (kb < 0) return;
	sum = warp_sum(sum);
	dup = (uint32_t)warp_sum(dup);
	int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	if (lane == 0) length[warp] = sum, twice[warp] = dup;
	__syncthreads();
	if (warp > 0) return;
	bool in = lane < (int)(blockDim.x >> 5);
	sum = warp_sum(in ? length[lane] : 0);
	dup = (uint32_t)warp_sum(in ? twice[lane] : 0);
	if (lane == 0) check->length = (int64_t)sum, check->fallbacks = (int32_t)dup;
}

// branching adds to out[0] the branching of all cities, the number of slots whose trail is above
// the least of the list by more than 5 % of the list's range, and to out[1] the hash of all
// trails.
//
// tau: n x 32 trails by slot. out: two sums. k: candidates of a city.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city. Bound: 128 bytes a city from memory.
// It runs only where somebody looks; no figure is recorded.
extern "C" __global__ void branching(const float *tau, unsigned long long *out, int n, int k) {
	int c = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
	if (c >= n) return;
	float v = tau[c * 32 + lane];
	uint32_t bits = __float_as_uint(v); // trails are positive: their bits are in order
	float lo = __uint_as_float(warp_min(lane < k ? bits : ALL)),
				hi = __uint_as_float(warp_max(lane < k ? bits : 0));
	float cut = lo + 0.05f * (hi - lo);
	int above = __popc(__ballot_sync(ALL, lane < k && v > cut));
	uint64_t h = warp_sum(lane < k ? ml_mix64((uint64_t)(c * k + lane) << 32 | bits) : 0);
	if (lane == 0 && k > 0) {
		atomicAdd(out, (unsigned long long)above);
		atomicAdd(out + 1, (unsigned long long)h);
	}
}

#endif
