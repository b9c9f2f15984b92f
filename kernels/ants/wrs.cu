// MAX-MIN Ant System by races of exponential clocks: the kernels of mmas/wrs. What they
// compute is stated in solvers/ants/wrs.go, whose results they have bit for bit.
#include "lists.cuh"

static __device__ __forceinline__ float clip(float w) { return fminf(fmaxf(w, 0x1p-100f), 0x1p100f); }

// prepare brings trails up to date and makes the reciprocals of the weights. A warp takes a city.
extern "C" __global__ void prepare(ground g, const job *j, float *tau, const float *eta, float *recip,
		const city_t *after, const city_t *before) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c >= g.n || (i & 31) >= g.k) return;
	uint32_t to = g.id[i];
	float v = tau[i];
	if (j->reward) {
		v = fmaxf(v * j->rate, 0x1p-100f);
		if (after[c] == to) v = v + j->add;
		if (before[c] == to) v = v + j->add;
		v = fminf(fmaxf(v, j->lo), j->hi);
	}
	if (j->fill) v = j->level;
	tau[i] = v;
	float x = v * j->inv;
	if (j->alpha != 1) x = (float)ml_pow((double)x, j->alpha);
	recip[i] = 1.0f / clip(x * eta[i]);
}

#ifndef WIDE // shared memory does not hold the lists of as many cities
extern "C" __global__ void __launch_bounds__(1024, 1) walk_near(ground g, const job *j, const float *recip,
		city_t *tours, result *results, keys rk) {
	raced<true, false>(g, j, recip, recip, 0, tours, results, rk);
}
#endif

extern "C" __global__ void __launch_bounds__(1024, 1) walk_far(ground g, const job *j, const float *recip,
		city_t *tours, result *results, keys rk) {
	raced<false, false>(g, j, recip, recip, 0, tours, results, rk);
}
