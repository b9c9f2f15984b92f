// Ants that choose by races of exponential clocks: the kernels of mmas/wrs and as/wrs, which walk alike. What they
// compute is stated in solvers/ants/race.go, wrs.go and aswrs.go, whose results they have bit for bit.
#include "lists.cuh"

static __device__ __forceinline__ float clip(float w) { return fminf(fmaxf(w, 0x1p-100f), 0x1p100f); }

// chance is the reciprocal of the weight of a slot with the trail v.
static __device__ __forceinline__ float chance(const job *j, float v, float eta) {
	float x = v * j->inv;
	if (j->alpha != 1) x = (float)ml_pow((double)x, j->alpha);
	return 1.0f / clip(x * eta);
}

// prepare brings trails up to date and makes the reciprocals of the weights. A warp takes a city.
extern "C" __global__ void prepare(ground g, const job *j, float *tau, const float *eta, float *recip,
		const city_t *after, const city_t *before) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c >= g.n) return;
	uint32_t to = g.id[i];
	if ((i & 31) >= g.k) { // the city itself: walks read it, and it is visited
		recip[i] = packed(1, to, g.n);
		return;
	}
	float v = tau[i];
	if (j->reward) {
		v = fmaxf(v * j->rate, 0x1p-100f);
		if (after[c] == to) v = v + j->add;
		if (before[c] == to) v = v + j->add;
		v = fminf(fmaxf(v, j->lo), j->hi);
	}
	if (j->fill) v = j->level;
	tau[i] = v;
	recip[i] = packed(chance(j, v, eta[i]), to, g.n);
}

#define STRETCH 128 // positions of a tour that a warp deposits on

// deposit adds the shares of all ants of the last walk: the deposits of as, as whole numbers, so that their order does
// not count. A warp takes a stretch of a tour and each of its cities in turn; the lanes look for the slots
// of the cities before and behind it, so an edge is found from both sides.
extern "C" __global__ void deposit(ground g, const job *j, const city_t *tours, const result *results, unsigned long long *sum) {
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
				if (times > 0 && lane < g.k && base + i + q < end) atomicAdd(sum + (size_t)c[q + 1] * 32 + lane, shares * times);
			}
			before = c[4], city = c[5];
		}
	}
}

// prepare_all evaporates, adds what was deposited, of which nothing is left, and makes the reciprocals of the
// weights. A warp takes a city.
extern "C" __global__ void prepare_all(ground g, const job *j, float *tau, const float *eta, float *recip, unsigned long long *sum) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if ((i >> 5) >= g.n) return;
	const uint32_t to = g.id[i];
	if ((i & 31) >= g.k) {
		recip[i] = packed(1, to, g.n);
		return;
	}
	float v = tau[i];
	if (j->least > 0) {
		v = fmaxf(v * j->rate, 0x1p-100f) + (float)((double)sum[i] * j->unit);
		tau[i] = v;
		sum[i] = 0;
	}
	recip[i] = packed(chance(j, v, eta[i]), to, g.n);
}

#ifndef WIDE // shared memory does not hold the lists of as many cities
extern "C" __global__ void __launch_bounds__(512, 1) walk_near(ground g, const job *j, const float *recip,
		city_t *tours, result *results, keys rk) {
	raced_short<true, false>(g, j, recip, recip, 0, tours, results, rk);
}

// walk_few is walk_far for blocks of up to 20 ants, with half as many registers again.
extern "C" __global__ void __launch_bounds__(640, 1) walk_few(ground g, const job *j, const float *recip,
		city_t *tours, result *results, keys rk) {
	raced_short<false, false>(g, j, recip, recip, 0, tours, results, rk);
}

extern "C" __global__ void __launch_bounds__(1024, 1) walk_far(ground g, const job *j, const float *recip,
		city_t *tours, result *results, keys rk) {
	raced_short<false, false>(g, j, recip, recip, 0, tours, results, rk);
}
#endif

extern "C" __global__ void __launch_bounds__(1024, 1) walk_long(ground g, const job *j, const float *recip,
		city_t *tours, result *results, keys rk) {
	raced_long<false>(g, j, recip, recip, 0, tours, results, rk);
}
