// The tables of mmas/thin: trails, weights, the cities with clocks, and of the others an alias
// table a city.
#ifndef METALAB_ANTS_THIN_CUH
#define METALAB_ANTS_THIN_CUH

#include "common.cuh"

#define HEAVY 4   // the heaviest other cities, which have clocks too
#define STREAMS 8 // partial sums of the tail
#define CELL 65536u
#define FILL 65472u // of a cell

static __device__ __forceinline__ float clamp_weight(float w) {
	return fminf(fmaxf(w, 0x1p-100f), 0x1p100f);
}

static __device__ __noinline__ float power(float x, double alpha) {
	return (float)ml_pow((double)x, alpha);
}

// sums makes x the sum of the lanes up to this one.
static __device__ __forceinline__ uint32_t sums(uint32_t x, int lane) {
#pragma unroll
	for (int d = 1; d < 32; d <<= 1) {
		const uint32_t y = __shfl_sync(ALL, x, lane - d & 31);
		if (lane >= d) x += y;
	}
	return x;
}

// above is the first place of a rising row of n whose value is above x, there being one.
static __device__ __forceinline__ uint32_t above(const uint32_t *row, int n, uint32_t x) {
	int lo = 0, hi = n - 1;
	while (lo < hi) {
		const int mid = (lo + hi) >> 1;
		if (row[mid] > x) hi = mid;
		else lo = mid + 1;
	}
	return (uint32_t)lo;
}

// prepare evaporates down to the lower limit, deposits up to the upper one, and makes the
// reciprocals of the weights, the list of the cities with clocks, and the alias table of the
// others. A block takes a city, a thread a range of others.
//
// In the order of numbers light cities fill up their cells from the first heavy one with something
// left. So with running sums of what light ones lack and of what heavy ones have more, cells are
// found apart from each other: a heavy one has no more than a cell left at the first light one
// where the sum of what they lack reaches its own, and a light one takes from the heavy one behind
// as many as that befell before it.
//
// tau, eta, table: n x n: trails, visibilities, reciprocals of weights. ids, list: n x 32 by slot.
// alias: n x n cells, 16 bits of units kept and 16 of the other city. gaps: n. after, before: n
// cities.
//
// Launch: n blocks of 64 threads below 1500 cities, else 128; shared memory 10 bytes a city
// (thinRow). Bound: memory, 20 n^2 bytes; what an iteration takes beyond its construction, 0.027,
// 0.09 and 0.19 ms on pr1002, pr2392 and fl3795, is mostly this (ants-gpu-iteration).
extern "C" __global__ void __launch_bounds__(256)
		prepare(instance g, const job *j, float *__restrict__ tau, const float *__restrict__ eta,
				float *__restrict__ table, uint16_t *__restrict__ ids, float *__restrict__ list,
				uint32_t *__restrict__ alias, float *__restrict__ gaps, const uint16_t *__restrict__ after,
				const uint16_t *__restrict__ before) {
	extern __shared__ uint4 room[];
	const int c = blockIdx.x, n = g.n, words = g.words, threads = blockDim.x;
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	uint32_t *lack = (uint32_t *)room; // by city: units, then sums of what light ones lack
	uint32_t *cell = lack + 32 * words; // of a heavy city first the sum of what they have more, of a
	                                    // light one how many heavy ones it leaves without
	uint32_t *near = cell + 32 * words, *top = near + 32,
					 *tally = top + 64 * 2; // top: 2 of 32 maxima and their places; tally: 5 of 32
	float *w = (float *)lack, *part = (float *)(tally + 5 * 32);                 // part: STREAMS of 32
	uint16_t *heavy = (uint16_t *)(part + STREAMS * 32);
	const size_t row = (size_t)c * n;
	const int own = min(g.k, 32 - HEAVY), clocks = min(own + HEAVY, n - 1); // near cities
	if (threadIdx.x < 32) near[lane] = lane < own ? g.id[c * 32 + lane] : c;
	const int next = n > 1 ? after[c] : -1, last = n > 1 ? before[c] : -1, deposit = j->deposit,
						fill = j->fill;
	const float rate = j->rate, add = j->add, lo = j->lo, hi = j->hi, inv = j->inv, level = j->level;
	const double alpha = j->alpha;
	const bool plain = alpha == 1;
	for (int start = threadIdx.x; start < n;
			 start += 8 * threads) { // all reads of eight are under way at once
		float v[8], x[8];
#pragma unroll
		for (int k = 0; k < 8; k++) {
			const int to = start + k * threads;
			v[k] = to < n ? tau[row + to] : 0, x[k] = to < n ? eta[row + to] : 0;
		}
#pragma unroll
		for (int k = 0; k < 8; k++) {
			const int to = start + k * threads;
			if (to >= n) break;
			if (deposit) {
				v[k] = fmaxf(v[k] * rate, lo);
				if (next == to) v[k] = v[k] + add;
				if (last == to) v[k] = v[k] + add;
				v[k] = fminf(v[k], hi);
			}
			if (fill) v[k] = level;
			tau[row + to] = v[k];
			float y = v[k] * inv;
			if (!plain) y = power(y, alpha);
			y = clamp_weight(y * x[k]);
			table[row + to] = 1.0f / y;
			w[to] = y;
		}
	}
	if (threadIdx.x < 32 && n + lane < 32 * words) w[n + lane] = 0;
	__syncthreads();
	if (threadIdx.x < 32) w[near[lane]] = 0;
	if (threadIdx.x == 0) w[c] = 0;
	__syncthreads();

	uint32_t most = 0, at = ALL; // of this thread's cities
	auto search = [&] {
		most = 0, at = ALL;
		for (int i = threadIdx.x; i < n; i += threads) {
			const uint32_t x = __float_as_uint(w[i]);
			if (x > most) most = x, at = i;
		}
	};
	search();
	for (int s = own; s < clocks; s++) {
		uint32_t *maxima = top + (s & 1) * 64;
		const uint32_t m = warp_max(most), i = warp_min(most == m ? at : ALL);
		if (lane == 0) maxima[warp] = m, maxima[32 + warp] = i;
		__syncthreads();
		const uint32_t x = lane < warps ? maxima[lane] : 0, y = warp_max(x);
		const uint32_t to = warp_min(lane < warps && x == y ? maxima[32 + lane] : ALL);
		if (to == at) {
			w[to] = 0, near[s] = to;
			search();
		}
		__syncwarp();
	}
	__syncthreads();

	for (int s = warp; s < STREAMS; s += warps) {
		float x = 0;
		for (int t = s; t < words; t += STREAMS) x = x + w[32 * t + lane];
		part[32 * s + lane] = x;
	}
	__syncthreads();
	float total = part[lane];
#pragma unroll
	for (int s = 1; s < STREAMS; s++) total = total + part[32 * s + lane];
#pragma unroll
	for (int d = 16; d > 0; d >>= 1) total = total + __shfl_xor_sync(ALL, total, d);
	const float share = total > 0 ? (float)((uint32_t)n * FILL) / total : 0;
	if (threadIdx.x == 0) gaps[c] = share / (float)((uint32_t)n * CELL);
	if (threadIdx.x < 32) {
		ids[c * 32 + lane] = (uint16_t)near[lane];
		list[c * 32 + lane] = lane < clocks
				? clamp_weight(table[row + near[lane]] * ((float)((uint32_t)n * CELL) / share))
				: 1;
	}

	const int chunk = (n + threads - 1) / threads | 1, from = min((int)threadIdx.x * chunk, n),
						to = min(from + chunk, n);
	uint32_t used = 0;
	for (int i = from; i < to; i++) {
		const uint32_t u = (uint32_t)(w[i] * share + 0.5f);
		lack[i] = u, used += u;
	}
	used = (uint32_t)warp_sum(used);
	if (lane == 0) tally[warp] = used;
	__syncthreads();
	used = 0;
	for (int v = 0; v < warps; v++) used += tally[v];
	if (from <= c && c < to) lack[c] = (uint32_t)n * CELL - used; // what is over
	uint32_t a = 0, b = 0, k = 0;
	for (int i = from; i < to; i++) {
		const uint32_t u = lack[i];
		a += max(CELL, u) - u, b += max(CELL, u) - CELL, k += u > CELL;
	}
	const uint32_t as = sums(a, lane), bs = sums(b, lane), ks = sums(k, lane);
	if (lane == 31) tally[32 + warp] = as, tally[64 + warp] = bs, tally[96 + warp] = ks;
	__syncthreads();
	uint32_t all = 0; // heavy ones
	a = as - a, b = bs - b, k = ks - k;
	for (int v = 0; v < warps; v++) {
		if (v < warp) a += tally[32 + v], b += tally[64 + v], k += tally[96 + v];
		all += tally[96 + v];
	}
	const uint32_t lacked = a; // before this thread's cities
	for (int i = from; i < to; i++) {
		const uint32_t u = lack[i];
		uint32_t x = u == CELL ? (uint32_t)i : 0;
		if (u > CELL) b += u - CELL, x = b, heavy[k++] = (uint16_t)i;
		a += max(CELL, u) - u;
		cell[i] = x, lack[i] = a;
	}
	__syncthreads();
	for (uint32_t h = threadIdx.x; h < all; h += threads) {
		const uint32_t i = heavy[h], more = cell[i], where = above(lack, n, more - 1),
									 lent = lack[where] - more;
		cell[i] = lent > 0 ? (CELL - lent) << 16 | heavy[h + 1] : i;
		atomicAdd(cell + where, 1u);
	}
	__syncthreads();
	k = 0, a = lacked;
	for (int i = from; i < to; i++) {
		const uint32_t d = lack[i];
		if (d != a) k += cell[i];
		a = d;
	}
	const uint32_t left = sums(k, lane);
	if (lane == 31) tally[128 + warp] = left;
	__syncthreads();
	k = left - k, a = lacked;
	for (int v = 0; v < warp; v++) k += tally[128 + v];
	for (int i = from; i < to; i++) {
		const uint32_t d = lack[i], lacking = d - a;
		if (lacking > 0) {
			const uint32_t without = cell[i];
			cell[i] = (CELL - lacking) << 16 | heavy[k];
			k += without;
		}
		a = d;
	}
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += threads) alias[row + i] = cell[i];
}

// branching_matrix is branching with the trails of all edges.
//
// tau: n x n trails. out: two sums, branching and hash.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city's list. Bound: n x 32 scattered reads
// of 4 bytes. No figure is recorded.
extern "C" __global__ void branching_matrix(instance g, const float *tau, unsigned long long *out) {
	int c = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31, k = g.k;
	if (c >= g.n) return;
	float v = tau[(size_t)c * g.n + g.id[c * 32 + lane]];
	uint32_t bits = __float_as_uint(v);
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
