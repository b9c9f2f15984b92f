// Selections of mmas/rows by groups, without lists. What they compute is stated at sample in
// solvers/ants/cpu/wheel.go: in a segment of 256 positions lane l has the
// positions 4 l to 4 l + 3, then those 128 further, and one key for all eight.
//
// The loads of up to four segments are under way together, and all draws are made behind them;
// then a lane adds up eight weights, and one reduction over the warp finds the winner. Each lane
// has found which of its cities it would be by then, so that one shuffle gives the city.
//
// Versions: a key for each city; then one for eight, which made all constructions faster than the
// published program's. That has a key for each city, as wrs in rows.cu has it.
#ifndef METALAB_ANTS_SAMPLE_CUH
#define METALAB_ANTS_SAMPLE_CUH

#include "common.cuh"

#define SEGMENT 256

enum { LC, CT, BT };

// rwm_draws gives a warp the draws of rwm: lane l holds those of positions 128 b + 4 l and the
// three after.
struct rwm_draws {
	ml_u4 q;
	__device__ __forceinline__ void fill(const job *j, int ant, int p, int lane, const keys &rk) {
		q.x = j->it_lo, q.y = j->it_hi, q.z = (uint32_t)ant, q.w = (uint32_t)(p >> 7) * 32 + lane;
#pragma unroll
		for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
	}
	__device__ __forceinline__ uint32_t at(int p) const {
		const int word = p & 3;
		return __shfl_sync(ALL, word == 0 ? q.x : word == 1 ? q.y : word == 2 ? q.z : q.w, p >> 2 & 31);
	}
};

static __device__ __forceinline__ float unit(uint32_t u) { return (float)(u >> 8) * 0x1p-24f; }

// What an ant has left; its memory is shared by the warps of a team.
template <int TABU> struct unvisited_groups { // LC: lc or ct
	uint16_t *list; // lc, ct
	uint32_t *mask; // bt: byte b mod 4 of word 32 (b / 4) + l is lane l's in segment b, 1 for what is
	                // visited
	int n, count;
	bool both; // ct: list has the cities' positions too

	__device__ __forceinline__ int positions() const { return TABU == BT ? n : count; }
	__device__ __forceinline__ void start(void *memory, int cities, int thread, int threads) {
		n = count = cities;
		list = (uint16_t *)memory, mask = (uint32_t *)memory;
		if (TABU == BT) {
			for (int i = thread; i < (n + 1023) / 1024 * 32; i += threads) {
				uint32_t m = 0;
				for (int e = 0; e < 32; e++)
					if ((i & ~31) * 32 + (e & ~7) * 32 + (e & 4) * 32 + (i & 31) * 4 + (e & 3) >= n) m |= 1u << e;
				mask[i] = m;
			}
		} else {
			for (int i = thread; i < n; i += threads) list[i] = (uint16_t)i;
		}
	}
	// fetch gets the weights of a lane's positions in a segment, 0 where nobody is, from the row of
	// the ant's city.
	template <bool FULL>
	__device__ __forceinline__ void fetch(float *x, const float *row, int segment, int lane) const {
		const uint32_t done = TABU == BT ? mask[(segment >> 2) * 32 + lane] >> 8 * (segment & 3) : 0;
#pragma unroll
		for (int h = 0; h < 2; h++) {
			const int i = segment * SEGMENT + 128 * h + 4 * lane;
			if (TABU == BT) {
				// What is visited need not be read.
				float4 v = {0, 0, 0, 0};
				const uint32_t bits = done >> 4 * h & 15;
				if (bits != 15) v = *(const float4 *)(row + i);
				x[4 * h] = bits & 1 ? 0 : v.x;
				x[4 * h + 1] = bits & 2 ? 0 : v.y;
				x[4 * h + 2] = bits & 4 ? 0 : v.z;
				x[4 * h + 3] = bits & 8 ? 0 : v.w;
				continue;
			}
			const uint2 c = *(const uint2 *)(list + (FULL ? i : min(i, (count - 1) & ~3)));
#pragma unroll
			for (int k = 0; k < 4; k++) {
				const uint32_t id = (k & 2 ? c.y : c.x) >> 16 * (k & 1) & 0xffff;
				x[4 * h + k] = 0;
				if (FULL || i + k < count) x[4 * h + k] = row[id];
			}
		}
	}
	__device__ __forceinline__ int city(int position) const {
		return TABU == BT ? position : list[position];
	}
	// visit takes out the city c at a position; last is the one at the last position. One thread
	// calls it, for masks lane c / 4 mod 32.
	__device__ __forceinline__ void visit(int position, int c, int last) const {
		const int end = count - 1;
		if (TABU == BT) {
			mask[(c >> 10) * 32 + (c >> 2 & 31)] |= 1u << ((c >> 5 & 24) | (c >> 5 & 4) | (c & 3));
		} else if (!both) {
			list[position] = (uint16_t)last;
		} else {
			list[c] = list[end] = (uint16_t)n;
			if (position != end) list[position] = (uint16_t)last, list[last] = (uint16_t)position;
		}
	}
};

// The best group that a lane saw: its key, at least 31 for none, its segment and the running sums
// of its weights.
struct best_group {
	uint32_t key;
	int segment;
	float y[8];

	__device__ __forceinline__ void see(float *x, float rate, int s, int lane) {
#pragma unroll
		for (int e = 1; e < 8; e++) x[e] = x[e - 1] + x[e];
		const uint32_t k = (__float_as_uint(x[7] * rate) & ~31u) | (31 - lane);
		if (k > key) {
			key = k, segment = s;
#pragma unroll
			for (int e = 0; e < 8; e++) y[e] = x[e];
		}
	}
};

// Draws of the groups of four segments, of which a lane takes one each.
struct group_draws {
	ml_u4 q;
	__device__ __forceinline__ void fill(
			uint32_t it_lo, uint32_t it_hi, int ant, int p, int four, int lane, const keys &rk) {
		q.x = it_lo, q.y = it_hi ^ 1u << 31 ^ (uint32_t)p, q.z = (uint32_t)ant,
		q.w = (uint32_t)(four * 32 + lane);
#pragma unroll
		for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
	}
	__device__ __forceinline__ float at(int k) const {
		return 0x1p-20f / ml_expo32(k == 0 ? q.x : k == 1 ? q.y : k == 2 ? q.z : q.w);
	}
};

// look shows a lane's groups of COUNT segments to h, from segment b on; the first is number FIRST
// of its four. The last one may end early.
template <int TABU, int COUNT, int FIRST> static __device__ __forceinline__ void consider(
		best_group &h, const unvisited_groups<TABU> &u, const float *row, int b, uint32_t it_lo,
		uint32_t it_hi, int ant, int p, group_draws &r, int lane, const keys &rk) {
	float x[COUNT][8], rate[COUNT];
#pragma unroll
	for (int k = 0; k < COUNT; k++) {
		if (k + 1 < COUNT) u.template fetch<true>(x[k], row, b + k, lane);
		else u.template fetch<false>(x[k], row, b + k, lane);
	}
	if (FIRST == 0) r.fill(it_lo, it_hi, ant, p, b >> 2, lane, rk);
#pragma unroll
	for (int k = 0; k < COUNT; k++) rate[k] = r.at(FIRST + k);
#pragma unroll
	for (int k = 0; k < COUNT; k++) h.see(x[k], rate[k], b + k, lane);
}

// construct_groups makes tours. With PER_WARP a warp is an ant, the first block_ants of a block,
// else a block. With SHARED the matrix is copied to shared memory. FOUR: four segments at once,
// else two.
template <int TABU, bool PER_WARP, bool SHARED, bool FOUR>
static __device__ __forceinline__ void construct_groups(const instance &g, const job *j,
		const float *__restrict__ table, int stride, city_t *tours, result *results, const keys &rk,
		int share, int block_ants, int both) {
	extern __shared__ uint4 memory[];
	__shared__ uint4 firsts[32];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, ant = PER_WARP ? blockIdx.x * block_ants + warp : blockIdx.x;
	const int me = PER_WARP ? 0 : warp, team = PER_WARP ? 1 : warps;
	const float *rows = table;
	if (SHARED) {
		uint4 *to = memory + block_ants * (share >> 4);
		const uint4 *from = (const uint4 *)table;
#pragma unroll 8
		for (int i = threadIdx.x; i < n * stride / 4; i += blockDim.x) to[i] = from[i];
		rows = (const float *)to;
		__syncthreads();
	}
	if (PER_WARP && warp >= block_ants || ant >= j->ants) return;
	unvisited_groups<TABU> u;
	u.both = both;
	u.start((char *)memory + (PER_WARP ? warp * share : 0), n, me * 32 + lane, team * 32);
	city_t *tour = tours + (size_t)ant * n;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi;
	rwm_draws draws;
	draws.fill(j, ant, 0, lane, rk);
	int cur = (int)__umulhi(draws.at(0), (uint32_t)n);
	if (PER_WARP) __syncwarp();
	else __syncthreads();
	if (me == 0 && lane == (TABU == BT ? cur >> 2 & 31 : 0)) u.visit(cur, cur, n - 1);
	u.count--;
	if (PER_WARP) __syncwarp();
	else __syncthreads();
	uint32_t keep = cur;
	for (int p = 1; p < n; p++) {
		const float *row = rows + (SHARED ? cur * stride : (size_t)cur * stride);
		const int m = u.positions();
		best_group h;
		group_draws r;
		h.key = 31, h.segment = 0;
#pragma unroll
		for (int e = 0; e < 8; e++) h.y[e] = 0;
		if (!PER_WARP) {
			for (int b = me; b * SEGMENT < m; b += team) {
				float x[8];
				if ((b + 1) * SEGMENT <= m) u.template fetch<true>(x, row, b, lane);
				else u.template fetch<false>(x, row, b, lane);
				r.fill(it_lo, it_hi, ant, p, b >> 2, lane, rk);
				h.see(x, r.at(b & 3), b, lane);
			}
		} else if (SHARED) { // one segment
			consider<TABU, 1, 0>(h, u, row, 0, it_lo, it_hi, ant, p, r, lane, rk);
		} else {
			for (int b = 0; b * SEGMENT < m; b += 4) {
				const int left = m - b * SEGMENT;
				if (left > 3 * SEGMENT && FOUR) {
					consider<TABU, 4, 0>(h, u, row, b, it_lo, it_hi, ant, p, r, lane, rk);
				} else if (left > 2 * SEGMENT && FOUR) {
					consider<TABU, 3, 0>(h, u, row, b, it_lo, it_hi, ant, p, r, lane, rk);
				} else if (left > SEGMENT) {
					consider<TABU, 2, 0>(h, u, row, b, it_lo, it_hi, ant, p, r, lane, rk);
					if (left > 3 * SEGMENT)
						consider<TABU, 2, 2>(h, u, row, b + 2, it_lo, it_hi, ant, p, r, lane, rk);
					else if (left > 2 * SEGMENT)
						consider<TABU, 1, 2>(h, u, row, b + 2, it_lo, it_hi, ant, p, r, lane, rk);
				} else {
					consider<TABU, 1, 0>(h, u, row, b, it_lo, it_hi, ant, p, r, lane, rk);
				}
			}
		}
		if ((p & 127) == 0) draws.fill(j, ant, p, lane, rk);
		const float shot = unit(draws.at(p)) * h.y[7];
		const int last = TABU == BT ? 0 : u.list[u.count - 1];
		uint32_t key = warp_max(h.key);
		int t = 0;
#pragma unroll
		for (int e = 0; e < 7; e++) t += h.y[e] <= shot;
		int position = h.key > 31 ? h.segment * SEGMENT + 128 * (t >> 2) + 4 * lane + (t & 3) : 0;
		int city = u.city(position);
		if (PER_WARP) {
			cur = __shfl_sync(ALL, city, 31 - (key & 31));
			__syncwarp(); // all have read what is left
			if (key == h.key) u.visit(position, city, last); // the city's lane
			__syncwarp();
		} else {
			if (key == h.key && (key > 31 || lane == 0))
				firsts[warp] = uint4{key, (uint32_t)position, (uint32_t)city, 0};
			__syncthreads();
			const uint4 f = lane < warps ? firsts[lane] : uint4{31, 0, 0, 0};
			key = warp_max(f.x);
			position = warp_min(f.x == key ? f.y : ALL); // the same lane of several warps: the first segment
			cur = warp_max(f.x == key && f.y == position ? f.z : 0);
			if (me == 0 && lane == 31 - (key & 31)) u.visit(position, cur, last);
			__syncthreads();
		}
		u.count--;
		if ((p & 31) == lane) keep = cur;
		if (me == 0 && (p & 31) == 31) tour[p - 31 + lane] = (city_t)keep;
	}
	if (me > 0) return;
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (city_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, 0, lane);
}

// Constructions by groups without lists. table: n rows of stride weights. g, j, tours, results and
// rk are those of common.cuh. share: bytes of shared memory an ant; block_ants: ants of a block;
// both: whether the list has the cities' positions too (ct).
//
// Launch: shared_ kernels (the matrix in shared memory, up to some 230 cities) and four_ kernels
// up to 16 ants a block, warp_ kernels up to 32, block_ kernels one block an ant. Bound: 2 n^3
// bytes of weights from L2, 0.38, 5.2 and 21 ms on pr1002, pr2392 and fl3795. Reached
// (ants-gpu-groups): lc 0.817, 8.07 and 33.9, ct 0.835, 8.12 and 34.0, bt 0.849, 8.59 and 31.3 ms.
#define GROUPS_KERNEL(name, threads, tabu, per_warp, in_shared, four)                  \
	extern "C" __global__ void __launch_bounds__(threads, 1)                          \
			name(instance g, const job *j, const float *table, int stride, city_t *tours, \
					result *results, keys rk, int share, int block_ants, int both) {          \
		construct_groups<tabu, per_warp, in_shared, four>(                                 \
				g, j, table, stride, tours, results, rk, share, block_ants, both);          \
	}
GROUPS_KERNEL(shared_groups_list, 512, LC, true, true, false)
GROUPS_KERNEL(shared_groups_bt, 512, BT, true, true, false)
GROUPS_KERNEL(four_groups_list, 512, LC, true, false, true)
GROUPS_KERNEL(four_groups_bt, 512, BT, true, false, true)
GROUPS_KERNEL(warp_groups_list, 1024, LC, true, false, false)
GROUPS_KERNEL(warp_groups_bt, 1024, BT, true, false, false)
GROUPS_KERNEL(block_groups_list, 1024, LC, false, false, false)
GROUPS_KERNEL(block_groups_bt, 1024, BT, false, false, false)

#endif
