// Tours by races of exponential clocks over candidate lists: the walk of mmas/wrs, and that of mmas/rows
// with selection=wrs. A step's draws and the clock of the next one are made while the next row is on its way.
#ifndef METALAB_ANTS_LISTS_CUH
#define METALAB_ANTS_LISTS_CUH

#include "walk.cuh"

// strongest is the unvisited city of greatest weight from a city, the smallest number of
// equal ones, there being one: words that are not full, four at a time.
static __device__ __noinline__ int strongest(const uint32_t *vis, const float *row, int words, int lane) {
	uint32_t best = 0, city = ALL;
	for (int base = 0; base < words; base += 32) {
		const uint32_t word = base + lane < words ? vis[base + lane] : ALL;
		uint32_t some = __ballot_sync(ALL, word != ALL);
		while (some) {
			uint32_t c[4];
			float w[4];
#pragma unroll
			for (int k = 0; k < 4; k++) {
				const int bit = __ffs(some) - 1;
				const uint32_t v = __shfl_sync(ALL, word, bit & 31);
				c[k] = (base + bit) * 32 + lane;
				w[k] = 0;
				if (some && !(v >> lane & 1)) w[k] = row[c[k]];
				some &= some - 1;
			}
#pragma unroll
			for (int k = 0; k < 4; k++)
				if (__float_as_uint(w[k]) > best) best = __float_as_uint(w[k]), city = c[k]; // numbers come in order
		}
	}
	const uint32_t most = warp_max(best);
	return (int)warp_min(best == most ? city : ALL);
}

// copy_lists brings the lists to shared memory behind what the warps' visited cities take.
static __device__ __forceinline__ void copy_lists(const ground &g, uint4 *memory, int warps, const float *&weight, const city_t *&ids) {
	uint4 *r = memory + ((warps * g.words + 3) >> 2), *d = r + g.n * 8;
	const uint4 *rs = (const uint4 *)weight, *ds = (const uint4 *)g.id;
#pragma unroll 4
	for (int i = threadIdx.x; i < g.n * 8; i += blockDim.x) r[i] = rs[i];
#pragma unroll 4
	for (int i = threadIdx.x; i < g.n * 2 * (int)sizeof(city_t); i += blockDim.x) d[i] = ds[i];
	weight = (const float *)r;
	ids = (const city_t *)d;
	__syncthreads();
}

// raced makes the tour of an ant. With NEAR the lists are copied to shared memory; with MATRIX an ant whose
// candidates are visited looks at its row of all, which are stride apart.
//
// All lanes have read the visited cities' bits when a reduction over the warp is made of what they found there.
template <bool NEAR, bool MATRIX>
static __device__ __forceinline__ void raced(const ground &g, const job *j, const float *__restrict__ recips,
		const float *__restrict__ table, int stride, city_t *tours, result *results, const keys &rk) {
	extern __shared__ uint4 memory[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, bits = g.words;
	const int ant = blockIdx.x * warps + warp;
	uint32_t *vis = bits_of((uint32_t *)memory, g, warp, ant);
	const float *recip = recips;
	const city_t *ids = g.id;
	if (NEAR) copy_lists(g, memory, warps, recip, ids);
	if (ant >= j->ants) return;
	unvisit(vis, n, bits, lane);
	city_t *tour = tours + (size_t)ant * n;

	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi, agent = (uint32_t)ant * 32 + lane;
	ml_u4 have = {it_lo, it_hi, agent, 0}, q;
#pragma unroll
	for (int i = 0; i < 10; i++) have = ml_philox_round(have, rk.k[2 * i], rk.k[2 * i + 1]);
	int cur = (int)__shfl_sync(ALL, __umulhi(have.x, (uint32_t)n), 0), falls = 0;
	if (lane == 0) mark_city(vis, bits, cur);
	__syncwarp();
	uint32_t keep = cur;
	float clock = 0, r = recip[cur * 32 + lane];
	uint32_t id = ids[cur * 32 + lane];

	auto step = [&](int s) {
		const uint32_t word = vis[id >> 5], bit = 1u << (id & 31);
		const uint32_t key = word & bit ? ALL : ml_race_key(clock, r, lane); // beyond the list stands the city itself
		const uint32_t m = warp_min(key);
		if (m != ALL) {
			cur = (int)__shfl_sync(ALL, id, m & 31);
			if (key == m) mark_word(vis, bits, id >> 5, word | bit);
		} else {
			falls++;
			if (MATRIX) cur = strongest(vis, table + (size_t)cur * stride, bits, lane);
			else cur = nearest<false>(vis, g.at, g.box, g.ext, g.metric, bits, cur, lane);
			__syncwarp();
			if (lane == 0) mark_city(vis, bits, cur);
		}
		__syncwarp();
		r = recip[cur * 32 + lane];
		id = ids[cur * 32 + lane];
		if ((s & 31) == lane) keep = cur;
	};
	// Behind step i of four: rounds of the next block, and the next clock.
	auto ahead = [&](int i) {
		const int from = i == 0 ? 0 : i == 1 ? 3 : i == 2 ? 6 : 8, to = i == 0 ? 3 : i == 1 ? 6 : i == 2 ? 8 : 10;
#pragma unroll
		for (int k = 0; k < 10; k++)
			if (k >= from && k < to) q = ml_philox_round(q, rk.k[2 * k], rk.k[2 * k + 1]);
		if (i == 3) have = q;
		clock = ml_expo32(i == 0 ? have.y : i == 1 ? have.z : i == 2 ? have.w : have.x);
	};
	auto begin = [&](int s0) { q.x = it_lo, q.y = it_hi, q.z = agent, q.w = (uint32_t)(s0 >> 2) + 1; };
	for (int s0 = 0; s0 < n; s0 += 4) {
		begin(s0);
		if (s0 > 0 && s0 + 4 <= n) {
#pragma unroll
			for (int i = 0; i < 4; i++) {
				step(s0 + i);
				ahead(i);
			}
			if ((s0 & 28) == 28) tour[s0 - 28 + lane] = (city_t)keep;
			continue;
		}
#pragma unroll 1
		for (int i = 0; i < 4; i++) { // the first step and what is behind the last are not made
			if (s0 + i > 0 && s0 + i < n) step(s0 + i);
			ahead(i);
		}
	}
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (city_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, falls, lane);
}

#endif
