// What the kernels of all sources share: the instance, a construction's job and results, what is
// visited, the tours that are kept; the nearest unvisited city is in nearest.cuh. Every
// construction is given
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
// Versions: finish was made a function and reads each city's place once, which halved what a tour's
// end reads.
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
	uint32_t it_lo, it_hi;            // the iteration, for draws
	uint32_t serial;                  // another one in each launch
	int ants;
	int keep_best, keep_restart;      // the ant of the last construction whose tour is kept, or -1
	int deposit_ant, deposit_restart; // whose tour deposits: the ant's unless -1, else best or restart
	int deposit, fill;                // whether a tour deposits; whether all trails become level
	float rate, add, lo, hi, inv;     // mmas: evaporation, deposit, limits, 1 / the upper limit
	float keep, gain;                 // acs: the global update, keep tau + gain
	float level;
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
	int32_t likely; // mmas/wrs, few ants: how many of 1024 steps went where most ants go
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

#include "nearest.cuh"

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
