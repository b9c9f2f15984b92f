// Ants that choose by races of exponential clocks over candidate lists: the kernels of mmas/wrs
// and as/wrs, which construct alike. What they compute is stated in solvers/ants/crew/choice.go
// and solvers/ants/cpu/wrs.go, whose results they have bit for bit.
//
// Versions: a lane read weight and city of a slot, drew its clock in each step and exchanged the
// winner's city (521 cycles a step on pr1002); now a slot is one word, the reduction gives the
// city, clocks are made two steps ahead and the loop has no call. as/wrs came with deposits in
// whole shares, which may be added in any order. Few ants, whose steps wait, make four at a time
// along the likely path: likely.cuh. City numbers of 32 bits are the image wrs_wide.
//
// Figures (bench ants-gpu-iteration): a construction of n ants takes 0.132, 0.545 and 1.24 ms on
// pr1002, pr2392 and fl3795 on an H200.
#include "likely.cuh"

static __device__ __forceinline__ float clamp_weight(float w) {
	return fminf(fmaxf(w, 0x1p-100f), 0x1p100f);
}

// reciprocal_weight is the reciprocal of the weight of a slot with the trail v.
static __device__ __forceinline__ float reciprocal_weight(const job *j, float v, float eta) {
	float x = v * j->inv;
	if (j->alpha != 1) x = (float)ml_pow((double)x, j->alpha);
	return 1.0f / clamp_weight(x * eta);
}

// write_row writes a slot of the row of city c, and what likely has of that, where it is not null.
static __device__ __forceinline__ void write_row(
		const instance &g, float *recip, uint32_t *likely, int c, int lane, float r) {
	recip[c * 32 + lane] = r;
	if (likely) note_likely(likely, c, lane < g.k ? __float_as_uint(r) : ALL, key_mask(g.n), lane);
}

// prepare evaporates down to the lower limit, deposits up to the upper one, and makes the
// reciprocals of the weights.
//
// tau, eta, recip: n x 32 by slot: trails, visibilities raised to beta, and reciprocals as packed
// makes them. likely: n words, see likely.cuh, or null with more than 8192 cities. after, before: n
// cities, the neighbours in the tour that deposits.
//
// Launch: n x 32 threads, blocks of 256, one thread a slot. Bound: memory, 18 bytes a slot.
// Figure: within the 0.010 ms between construction and iteration on pr1002 (ants-gpu-iteration).
extern "C" __global__ void prepare(instance g, const job *j, float *tau, const float *eta,
		float *recip, uint32_t *likely, const city_t *after, const city_t *before) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c >= g.n) return;
	const uint32_t to = g.id[i];
	float r = 1; // of the city itself: constructions read it, and it is visited
	if ((i & 31) < g.k) {
		float v = tau[i];
		if (j->deposit) {
			v = fmaxf(v * j->rate, j->lo);
			if (after[c] == to) v = v + j->add;
			if (before[c] == to) v = v + j->add;
			v = fminf(v, j->hi);
		}
		if (j->fill) v = j->level;
		tau[i] = v;
		r = reciprocal_weight(j, v, eta[i]);
	}
	write_row(g, recip, likely, c, i & 31, packed(r, to, g.n));
}

#define STRETCH 128 // positions of a tour that a warp deposits on

// deposit adds the shares of all ants of the last construction: the deposits of as, as whole
// numbers, so that their order does not count. A warp takes STRETCH positions of a tour and each
// of their cities in turn; the lanes look for the slots of the cities before and behind it, so an
// edge is found from both sides.
//
// tours, results: see common.cuh. sum: n x 32 by slot: shares, 64 bits, 0 before.
//
// Launch: ants x ceil(n / 128) warps, blocks of 256. Bound: m n reads of a list of 64 bytes from
// L2 and up to 2 m n atomic additions; at 41 G rows a second at least 0.024 ms on pr1002 and 0.14
// ms on pr2392. Reached: 0.049 and 0.22 ms on an H200.
extern "C" __global__ void deposit(
		instance g, const job *j, const city_t *tours, const result *results, unsigned long long *sum) {
	const int lane = threadIdx.x & 31, n = g.n, parts = (n + STRETCH - 1) / STRETCH;
	const int w = (int)(blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5)), ant = w / parts;
	if (j->least == 0 || ant >= j->ants) return;
	const int from = w % parts * STRETCH, end = min(n, from + STRETCH);
	const city_t *tour = tours + (size_t)ant * n;
	const int64_t length = results[1 + ant].length;
	const double part = (double)j->least / (double)(length > 1 ? length : 1);
	unsigned long long shares = (unsigned long long)(part * 0x1p46 + 0.5);
	if (shares == 0) shares = 1;
	int before = tour[from > 0 ? from - 1 : n - 1], city = tour[from];
	for (int base = from; base < end; base += 32) {
		const int at = base + 1 + lane;
		const int ahead = tour[at < n ? at : 0]; // behind the last city comes the first
		for (int i = 0; i < 32 && base + i < end; i += 4) {
			int c[6] = {before, city};
			uint32_t id[4];
#pragma unroll
			for (int q = 0; q < 4; q++) c[q + 2] = __shfl_sync(ALL, ahead, i + q);
#pragma unroll
			for (int q = 0; q < 4; q++) id[q] = g.id[(size_t)c[q + 1] * 32 + lane];
#pragma unroll
			for (int q = 0; q < 4; q++) {
				const int times = ((int)id[q] == c[q]) + ((int)id[q] == c[q + 2]);
				if (times > 0 && lane < g.k && base + i + q < end)
					atomicAdd(sum + (size_t)c[q + 1] * 32 + lane, shares * times);
			}
			before = c[4], city = c[5];
		}
	}
}

// prepare_all evaporates, adds what was deposited, of which nothing is left, and makes the
// reciprocals of the weights.
//
// tau, eta, recip, likely: as for prepare. sum: n x 32 shares, 0 afterwards; a share is worth
// j->unit.
//
// Launch: n x 32 threads, blocks of 256. Bound: memory, 32 bytes a slot, 1.03 MB on pr1002.
// Reached: 0.004 ms on pr1002 on an H200.
extern "C" __global__ void prepare_all(
		instance g, const job *j, float *tau, const float *eta, float *recip, uint32_t *likely,
		unsigned long long *sum) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c >= g.n) return;
	const uint32_t to = g.id[i];
	float r = 1;
	if ((i & 31) < g.k) {
		float v = tau[i];
		if (j->least > 0) {
			v = fmaxf(v * j->rate, 0x1p-100f) + (float)((double)sum[i] * j->unit);
			tau[i] = v;
			sum[i] = 0;
		}
		r = reciprocal_weight(j, v, eta[i]);
	}
	write_row(g, recip, likely, c, i & 31, packed(r, to, g.n));
}

#ifndef WIDE // shared memory does not hold the lists of as many cities
// construct_shared constructs with the lists in shared memory, for up to some 1600 cities with 227
// KiB.
//
// recip: n x 32 packed reciprocals by slot, copied to shared memory. g, j, tours, results and rk
// are those of common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 16; shared memory: packedBytes(n, w) and 128 n
// bytes for the lists. Bound: the latency of a step's chain, row, visited byte, reduction, some
// 130 cycles on pr1002. Figure: 0.132 ms for 1002 ants of pr1002 on an H200.
extern "C" __global__ void __launch_bounds__(512, 1) construct_shared(
		instance g, const job *j, const float *recip, city_t *tours, result *results, keys rk) {
	construct_packed<true>(g, j, recip, tours, results, rk);
}

// construct_small is construct_large for blocks of up to 20 ants, with half as many registers
// again.
//
// recip: n x 32 packed reciprocals by slot, read from L2. g, j, tours, results and rk are those of
// common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 20; shared memory packedBytes(n, w). Bound:
// the latency of a step, whose row comes from L2. Figures: those of pr2392 and fl3795 above are of
// this kernel or construct_large, as the tuner chose.
extern "C" __global__ void __launch_bounds__(640, 1) construct_small(
		instance g, const job *j, const float *recip, city_t *tours, result *results, keys rk) {
	construct_packed<false>(g, j, recip, tours, results, rk);
}

// construct_large constructs with the lists in global memory, in blocks of up to 32 ants.
//
// recip: n x 32 packed reciprocals by slot. g, j, tours, results and rk are those of common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps; shared memory packedBytes(n, w). Bound and figures:
// see construct_small.
extern "C" __global__ void __launch_bounds__(1024, 1) construct_large(
		instance g, const job *j, const float *recip, city_t *tours, result *results, keys rk) {
	construct_packed<false>(g, j, recip, tours, results, rk);
}
#endif

#ifndef WIDE
// likely_shared constructs with few ants of a multiprocessor, by windows of four steps where trails
// have settled (likely.cuh), with the lists in shared memory.
//
// recip: n x 32 packed reciprocals by slot, copied to shared memory. likely: n words as prepare
// makes them. results: also how likely the last tour of each ant was. often: of 1024 steps, from
// which on it makes windows. g, j, tours and rk are those of common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 8; shared memory packedBytes(n, w), 128 n bytes
// for the lists and pathBytes(n). Bound: the latency of a window, a read of the visited bytes, four
// reductions under way together, a branch, and some 190 instructions beside that. Figures: the
// table ants-gpu-likely of bench.
extern "C" __global__ void __launch_bounds__(256, 1) likely_shared(instance g, const job *j,
		const float *recip, const uint32_t *likely, city_t *tours, result *results, keys rk,
		int often) {
	construct_by_likely<true>(g, j, recip, likely, tours, results, rk, often);
}

// likely_global is likely_shared with the lists in global memory.
//
// recip: n x 32 packed reciprocals by slot, read from L2. likely, results, often, g, j, tours and
// rk: as for likely_shared.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 8; shared memory packedBytes(n, w) and
// pathBytes(n). Bound and figures: as of likely_shared; the rows of a window are read in the one
// before.
extern "C" __global__ void __launch_bounds__(256, 1) likely_global(instance g, const job *j,
		const float *recip, const uint32_t *likely, city_t *tours, result *results, keys rk,
		int often) {
	construct_by_likely<false>(g, j, recip, likely, tours, results, rk, often);
}
#endif

// construct_plain_lists constructs for more than 8192 cities: weights and cities are two reads,
// visited cities are bits.
//
// recip: n x 32 reciprocals by slot. g, j, tours, results and rk are those of common.cuh. With
// WIDE g.visited has the bits where shared memory has no room.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 32; shared memory g.room x 4 bytes an ant.
// Bound: two dependent reads from L2 or memory a step. Figures: the table ants-gpu-many of bench,
// and 3.84 ms for 800 ants of usa13509 (ants-gpu-search).
extern "C" __global__ void __launch_bounds__(1024, 1) construct_plain_lists(
		instance g, const job *j, const float *recip, city_t *tours, result *results, keys rk) {
	construct_plain(g, j, recip, tours, results, rk);
}
