// MAX-MIN Ant System by races of exponential clocks: the kernels of mmas/wrs. What they
// compute is stated in solvers/ants/wrs.go, whose results they have bit for bit.
#include "walk.cuh"

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

// tour makes the tour of an ant. With SHARED the lists are copied to shared memory.
template <bool SHARED>
static __device__ __forceinline__ void tour(const ground &g, const job *j, const float *__restrict__ recips,
		city_t *tours, result *results, const keys &rk) {
	extern __shared__ uint4 memory[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, words = g.words;
	uint32_t *vis = (uint32_t *)memory + warp * words;
	const float *recip = recips;
	const city_t *ids = g.id;
	if (SHARED) {
		uint4 *r = memory + ((warps * words + 3) >> 2), *d = r + n * 8;
		const uint4 *rs = (const uint4 *)recips, *ds = (const uint4 *)g.id;
		for (int i = threadIdx.x; i < n * 8; i += blockDim.x) r[i] = rs[i];
		for (int i = threadIdx.x; i < n * 4; i += blockDim.x) d[i] = ds[i];
		recip = (const float *)r;
		ids = (const city_t *)d;
		__syncthreads();
	}
	const int ant = blockIdx.x * warps + warp;
	if (ant >= j->ants) return;
	unvisit(vis, n, words, lane);
	city_t *tour = tours + (size_t)ant * n;

	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi, agent = (uint32_t)ant * 32 + lane;
	ml_u4 q = {it_lo, it_hi, agent, 0};
#pragma unroll
	for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
	int cur = (int)__shfl_sync(ALL, __umulhi(q.x, (uint32_t)n), 0);
	if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
	__syncwarp();
	uint32_t keep = cur;
	int falls = 0;
	float clock[4] = {0, ml_expo32(q.y), ml_expo32(q.z), ml_expo32(q.w)};
	float r = recip[cur * 32 + lane];
	uint32_t id = ids[cur * 32 + lane];
	for (int s0 = 0; s0 < n; s0 += 4) {
		q.x = it_lo, q.y = it_hi, q.z = agent, q.w = (uint32_t)(s0 >> 2) + 1;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const int s = s0 + i;
			if (s > 0 && s < n) {
				uint32_t word = vis[id >> 5], bit = 1u << (id & 31);
				uint32_t key = word & bit ? ALL : ml_race_key(clock[i], r, lane);
				uint32_t m = warp_min(key);
				__syncwarp(); // all have read vis
				if (m != ALL) {
					cur = (int)__shfl_sync(ALL, id, m & 31);
					if (key == m) vis[id >> 5] = word | bit;
				} else {
					falls++;
					cur = nearest<false>(vis, g.at, g.box, g.ext, g.metric, words, cur, lane);
					__syncwarp();
					if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
				}
				__syncwarp();
				r = recip[cur * 32 + lane];
				id = ids[cur * 32 + lane];
				if ((s & 31) == lane) keep = cur;
				if ((s & 31) == 31) tour[s - 31 + lane] = (city_t)keep;
			}
			// The rounds of the next block's draws, while the row is on its way.
			const int from = i == 0 ? 0 : i == 1 ? 3 : i == 2 ? 6 : 8, to = i == 0 ? 3 : i == 1 ? 6 : i == 2 ? 8 : 10;
#pragma unroll
			for (int k = from; k < to; k++) q = ml_philox_round(q, rk.k[2 * k], rk.k[2 * k + 1]);
		}
		clock[0] = ml_expo32(q.x), clock[1] = ml_expo32(q.y), clock[2] = ml_expo32(q.z), clock[3] = ml_expo32(q.w);
	}
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (city_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, falls, lane);
}

extern "C" __global__ void __launch_bounds__(1024, 1) walk_near(ground g, const job *j, const float *recip,
		city_t *tours, result *results, keys rk) {
	tour<true>(g, j, recip, tours, results, rk);
}

extern "C" __global__ void __launch_bounds__(1024, 1) walk_far(ground g, const job *j, const float *recip,
		city_t *tours, result *results, keys rk) {
	tour<false>(g, j, recip, tours, results, rk);
}
