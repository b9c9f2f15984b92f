// MAX-MIN Ant System with the six selections of the GPU paper (Skinderowicz 2020): the kernels of
// mmas/rows. What they compute is stated in solvers/ants/cpu/rows.go, wheel.go and tabu.go, whose
// results they have bit for bit.
//
// Without lists an ant's weights are a row of a matrix, and its unvisited cities lie in shared
// memory: lc and ct as 16-bit numbers, bt as bits. warp_ kernels have an ant for each warp, block_
// kernels one for each block, whose warps share out the segments of 256 positions. groups, of ours,
// are in sample.cuh.
//
// The three tabu lists are the paper's in full, with lists as without, of the sizes of its table 1:
// see also tabu.cuh. lc writes the cities' positions too, though no selection without lists reads
// them.
//
// Versions: one key for each city gave way to one for eight in wrs, with a kernel for lc and ct;
// with candidate lists lc, ct and bt became kernels of their own; then what had one key for eight
// was called groups, and wrs has a key for each city again, in kernels of their own for lc and ct;
// then a lower bound came before the logarithm of wrs, and two segments are read at once. To
// compute the four clocks of a lane one after the other, each where it could be first, was
// measured: 2 % faster on pr2392, and 15 % slower on pr1002.
//
// Figures: the tables ants-gpu-rows and ants-gpu-groups (without lists) and ants-gpu-rows-lists
// (with lists) of bench.
#include "early.h"
#include "sample.cuh"
#include "lists.cuh"

static __device__ __forceinline__ float clamp_weight(float w) {
	return fminf(fmaxf(w, 0x1p-100f), 0x1p100f);
}

static __device__ __forceinline__ float weight_of(const job *j, float tau, float eta) {
	float x = tau * j->inv;
	if (j->alpha != 1) x = (float)ml_pow((double)x, j->alpha);
	return clamp_weight(x * eta);
}

static __device__ __forceinline__ float update_trail(
		const job *j, float v, bool after, bool before) {
	if (j->deposit) {
		v = fmaxf(v * j->rate, j->lo);
		if (after) v = v + j->add;
		if (before) v = v + j->add;
		v = fminf(v, j->hi);
	}
	return j->fill ? j->level : v;
}

// prepare evaporates down to the lower limit, deposits up to the upper one, and makes weights by
// slot, or their reciprocals.
//
// tau, eta, table: n x 32 by slot. after, before: n cities. inverse: 1 for packed reciprocals, 0
// for weights.
//
// Launch: n x 32 threads, blocks of 256. Bound: memory, 18 bytes a slot. No figure of its own is
// recorded.
extern "C" __global__ void prepare(instance g, const job *j, float *tau, const float *eta,
		float *table, const city_t *after, const city_t *before, int inverse) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c >= g.n) return;
	uint32_t to = g.id[i];
	if ((i & 31) >= g.k) { // the city itself: constructions read it, and it is visited
		table[i] = inverse ? packed(1, to, g.n) : 0;
		return;
	}
	float v = update_trail(j, tau[i], after[c] == to, before[c] == to);
	tau[i] = v;
	float w = weight_of(j, v, eta[i]);
	table[i] = inverse ? packed(1.0f / w, to, g.n) : w;
}

// prepare_matrix does it with the trails of all edges, and makes weights, or their reciprocals.
//
// tau, eta: n x n. table: n rows of stride weights. after, before: n cities. inverse: 1 for
// reciprocals, 0 for weights.
//
// Launch: n blocks of 256 threads, a block a city. Bound: memory, 16 n^2 bytes. Figure: most of
// the 11 to 13 % by which an iteration with all trails exceeds its construction
// (ants-gpu-iteration).
extern "C" __global__ void prepare_matrix(instance g, const job *j, float *tau, const float *eta,
		float *table, int stride, const city_t *after, const city_t *before, int inverse) {
	const int c = blockIdx.x;
	const size_t row = (size_t)c * g.n, out = (size_t)c * stride;
	const int next = g.n > 1 ? after[c] : -1, last = g.n > 1 ? before[c] : -1;
	for (int to = threadIdx.x; to < g.n; to += blockDim.x) {
		const float v = update_trail(j, tau[row + to], next == to, last == to);
		tau[row + to] = v;
		const float w = weight_of(j, v, eta[row + to]);
		table[out + to] = inverse ? 1.0f / w : w;
	}
}

// list_weights copies the weights of the lists out of the matrix.
//
// table: n rows of stride weights. list: n x 32 by slot, weights or, with inverse 1, packed
// reciprocals.
//
// Launch: n x 32 threads, blocks of 256. Bound: n x 32 scattered reads of 4 bytes. No figure is
// recorded.
extern "C" __global__ void list_weights(
		instance g, const float *table, int stride, float *list, int inverse) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c >= g.n) return;
	const uint32_t to = g.id[i];
	const float w = (i & 31) < g.k ? table[(size_t)c * stride + to] : 1;
	list[i] = inverse ? packed(1.0f / w, to, g.n) : w;
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

// warp_total is the sum of x over a warp.
static __device__ __forceinline__ float warp_total(float x) {
#pragma unroll
	for (int d = 16; d > 0; d >>= 1) x = x + __shfl_xor_sync(ALL, x, d);
	return x;
}

// prefix_sum is the sum of x over the lanes up to this one.
static __device__ __forceinline__ float prefix_sum(float x, int lane) {
#pragma unroll
	for (int d = 1; d < 32; d <<= 1) {
		float y = __shfl_sync(ALL, x, lane - d & 31);
		if (lane >= d) x = x + y;
	}
	return x;
}

// roulette finds the lane that r falls on, -1 where all x are 0, and takes off r what is before
// it.
static __device__ __forceinline__ int roulette(float x, float sums, float &r) {
	const uint32_t some = __ballot_sync(ALL, x != 0), above = __ballot_sync(ALL, x != 0 && sums > r);
	if (!some) return -1;
	const int at = above ? __ffs(above) - 1 : 31 - __clz(some);
	const float less = __shfl_sync(ALL, sums, at - 1 & 31);
	if (at > 0) r = fmaxf(0.0f, r - less);
	return at;
}

#define NOBODY 0x7F800000u // infinity: a clock that never rings, and its bits

// What an ant without lists has unvisited.
template <int TABU> struct unvisited {
	uint16_t *list, *index; // lc: the paper's unvisited and indices; ct: entries, and nothing
	uint32_t *vis;          // bt
	int n, count;

	__device__ __forceinline__ int positions() const { return TABU == BT ? n : count; }
	__device__ __forceinline__ int city(int position) const {
		return TABU == BT ? position : list[position];
	}
	__device__ __forceinline__ void start(void *memory, int cities, int thread, int threads) {
		n = count = cities;
		list = (uint16_t *)memory, index = list + n, vis = (uint32_t *)memory;
		if (TABU == BT) {
			const int rwm_draws = (n + 31) >> 5;
			for (int i = thread; i < rwm_draws; i += threads)
				vis[i] = i == rwm_draws - 1 && (n & 31) ? ~((1u << (n & 31)) - 1) : 0;
		} else {
			for (int i = thread; i < n; i += threads) {
				list[i] = (uint16_t)i;
				if (TABU == LC) index[i] = (uint16_t)i;
			}
		}
	}
	// visit takes out the city c at a position; one thread calls it, the others count.
	__device__ __forceinline__ void visit(int position, int c) {
		const int end = count - 1;
		if (TABU == BT) {
			vis[c >> 5] |= 1u << (c & 31);
		} else if (TABU == LC) {
			const int last = list[end];
			list[position] = (uint16_t)last, list[end] = (uint16_t)c;
			index[last] = (uint16_t)position, index[c] = (uint16_t)end;
		} else {
			const int last = list[end];
			list[c] = list[end] = (uint16_t)n;
			if (position != end) list[position] = (uint16_t)last, list[last] = (uint16_t)position;
		}
	}
	// fetch gets the entries of row of a segment, NONE as bits where nobody is. All loads are made, so
	// that they are under way together.
	template <bool FULL, uint32_t NONE>
	__device__ __forceinline__ void fetch(float *x, const float *row, int segment, int lane) const {
		const int from = segment * SEGMENT + lane, end = positions() - 1;
#pragma unroll
		for (int t = 0; t < 8; t++) {
			const int i = FULL ? from + 32 * t : min(from + 32 * t, end);
			if (TABU == BT) {
				const float v = __ldg(row + i);
				x[t] = vis[i >> 5] & 1u << (i & 31) ? __uint_as_float(NONE) : v;
			} else {
				x[t] = __ldg(row + list[i]);
			}
			if (!FULL && from + 32 * t > end) x[t] = __uint_as_float(NONE);
		}
	}
	template <uint32_t NONE>
	__device__ __forceinline__ void fetch(float *x, const float *row, int segment, int lane) const {
		if ((segment + 1) * SEGMENT <= positions()) fetch<true, NONE>(x, row, segment, lane);
		else fetch<false, NONE>(x, row, segment, lane);
	}
	__device__ __forceinline__ void weights(float *x, const float *row, int segment, int lane) const {
		fetch<0>(x, row, segment, lane);
	}
	// clocks gets the reciprocals of weights, infinity where nobody is.
	__device__ __forceinline__ void clocks(float *x, const float *row, int segment, int lane) const {
		fetch<NOBODY>(x, row, segment, lane);
	}
};

// row_of is the row of a city. The compiler must not know how it was found, or it computes the
// number of each entry in 64 bits, four instructions more.
static __device__ __forceinline__ const float *row_of(const float *table, int city, int stride) {
	const float *row = table + (size_t)city * stride;
	OPAQUE_POINTER(row);
	return row;
}

static __device__ __forceinline__ float tree(const float *x) {
	return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

// A stretch is what a warp holds the sums of, a segment a lane.
#define STRETCH (32 * SEGMENT)

// construct_rwm makes tours of rwm without lists. With PER_WARP a warp is an ant, else a block.
template <int TABU, bool PER_WARP> static __device__ __forceinline__ void construct_rwm(
		const instance &g, const job *j, const float *__restrict__ table, int stride, city_t *tours,
		result *results, const keys &rk, int share) {
	extern __shared__ uint4 memory[];
	__shared__ float sums[65536 / SEGMENT]; // of the segments
	__shared__ int choice;
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, ant = PER_WARP ? blockIdx.x * warps + warp : blockIdx.x;
	const int me = PER_WARP ? 0 : warp, team = PER_WARP ? 1 : warps;
	if (ant >= j->ants) return;
	unvisited<TABU> u;
	u.start((char *)memory + (PER_WARP ? warp * share : 0), n, me * 32 + lane, team * 32);
	city_t *tour = tours + (size_t)ant * n;
	rwm_draws draws;
	draws.fill(j, ant, 0, lane, rk);
	int cur = (int)__umulhi(draws.at(0), (uint32_t)n);
	if (PER_WARP) __syncwarp();
	else __syncthreads();
	if (me == 0 && lane == 0) u.visit(cur, cur);
	u.count--;
	if (PER_WARP) __syncwarp();
	else __syncthreads();
	uint32_t keep = cur;
	for (int p = 1; p < n; p++) {
		const float *row =
				TABU == BT ? row_of(table, cur, stride) : table + (size_t)cur * stride;
		const int m = u.positions();
		int position;
		float x[8], a, total = 0, r = 0;
		int s = 0;
		const bool many = m > SEGMENT;
		// add adds up the segments from a stretch's first one on to those of the end, for a warp that is
		// an ant one stretch.
		auto add = [&](int first, int end) {
			for (int i = first + me; i * SEGMENT < m && i < end; i += 2 * team) { // two at a time
				const int k = i + team;
				const bool both = k * SEGMENT < m;
				float y[8], sum = 0, next = 0;
				u.weights(x, row, i, lane);
				if (both) u.weights(y, row, k, lane);
				sum = warp_total(tree(x));
				if (both) next = warp_total(tree(y));
				if (PER_WARP) {
					if (lane == (i & 31)) total = sum;
					if (lane == (k & 31) && both) total = next;
				} else if (lane == 0) {
					sums[i] = sum;
					if (both) sums[k] = next;
				}
			}
		};
		// hold gives each lane the sum of a segment of a stretch.
		auto hold = [&](int first) {
			if (PER_WARP) total = 0, add(first, first + 32);
			else total = (first + lane) * SEGMENT < m ? sums[first + lane] : 0;
		};
		if (many) {
			if (PER_WARP) add(0, 32);
			else add(0, m);
		}
		if (!PER_WARP) __syncthreads();
		if ((p & 127) == 0) draws.fill(j, ant, p, lane, rk);
		if (PER_WARP || warp == 0) {
			const float shot = unit(draws.at(p));
			if (many) {
				int first = 0;
				if (!PER_WARP) hold(0);
				if (m > STRETCH) {
					float whole = 0;
					for (int i = 0; i * STRETCH < m; i++) {
						if (i > 0) hold(32 * i);
						const float last = __shfl_sync(ALL, prefix_sum(total, lane), 31);
						if (lane == i) whole = last;
					}
					const float sum = prefix_sum(whole, lane);
					r = shot * __shfl_sync(ALL, sum, 31);
					first = 32 * roulette(whole, sum, r);
					hold(first);
				}
				const float sum = prefix_sum(total, lane);
				if (m <= STRETCH) r = shot * __shfl_sync(ALL, sum, 31);
				s = first + roulette(total, sum, r);
			}
			u.weights(x, row, s, lane);
			a = tree(x);
			const float sum = prefix_sum(a, lane);
			if (!many) r = shot * __shfl_sync(ALL, sum, 31);
			const int l = roulette(a, sum, r);
			float y = 0;
			uint32_t some = 0, above = 0;
#pragma unroll
			for (int i = 0; i < 8; i++) {
				y = y + x[i];
				if (x[i] != 0) some |= 1u << i;
				if (x[i] != 0 && y > r) above |= 1u << i;
			}
			const int t = above ? __ffs(above) - 1 : 31 - __clz(some);
			position = s * SEGMENT + 32 * __shfl_sync(ALL, t, l) + l;
		}
		if (PER_WARP) {
			cur = u.city(position);
			__syncwarp(); // all have read the list
			if (lane == 0) u.visit(position, cur);
			__syncwarp();
		} else {
			if (warp == 0) {
				cur = u.city(position);
				__syncwarp();
				if (lane == 0) u.visit(position, cur), choice = cur;
			}
			__syncthreads();
			cur = choice;
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

// Constructions by rwm without lists. table: n rows of stride weights. g, j, tours, results and rk
// are those of common.cuh. share: bytes of shared memory an ant.
//
// Launch: warp_ kernels ceil(ants / w) blocks of w warps, block_ kernels one block of any number
// of warps for each ant; shared memory share bytes an ant. Bound: 2 n^3 bytes of weights from L2,
// 0.38, 5.2 and 21 ms on pr1002, pr2392 and fl3795. Reached (ants-gpu-rows): 1.39 and 8.51
// ms with lc on pr1002 and pr2392, 1.41 and 7.64 with ct, 1.70 and 10.8 with bt.
#define RWM_KERNEL(name, tabu, per_warp)                                            \
	extern "C" __global__ void __launch_bounds__(1024, 1)                             \
			name(instance g, const job *j, const float *table, int stride, city_t *tours, \
					result *results, keys rk, int share, int, int) {                          \
		construct_rwm<tabu, per_warp>(g, j, table, stride, tours, results, rk, share);  \
	}
RWM_KERNEL(warp_rwm_lc, LC, true)
RWM_KERNEL(warp_rwm_ct, CT, true)
RWM_KERNEL(warp_rwm_bt, BT, true)
RWM_KERNEL(block_rwm_lc, LC, false)
RWM_KERNEL(block_rwm_ct, CT, false)
RWM_KERNEL(block_rwm_bt, BT, false)

static __device__ __forceinline__ float least_of(const float *x) {
	return fminf(fminf(x[0], x[1]), fminf(x[2], x[3]));
}

// The clocks that a lane of a race saw.
//
// A clock takes a logarithm, some 44 lane slots with its slow conversions. So a lower bound of it
// is compared with the first clock that the warp knows, four instructions a city, and the clocks of
// 128 cities are computed only where one of them could be first: the first 128 and, by the law of
// records, some three times more in 2392 cities.
struct clock_race {
	uint32_t first, where; // the least clock, which is positive, as bits, and its position
	float bound;           // EARLY times the first clock that the warp knows

	// look shows the race AHEAD segments, from b on and team apart. Their loads are under way
	// together; only the last may end early. hi and lo are the words of the iteration in the draws'
	// counter.
	template <int TABU, int AHEAD, bool ALL_CLOCKS>/*
	With ALL_CLOCKS each is computed, which takes less time than to look whether it must be.
	*/__device__ __forceinline__ void look(const unvisited<TABU> &u,
			const float *row, int b, int team, int m, uint32_t lo, uint32_t hi, int ant, int lane,
			const keys &rk) {
		float x[AHEAD][8];
#pragma unroll
		for (int k = 0; k < AHEAD; k++) {
			if (k + 1 < AHEAD) u.template fetch<true, NOBODY>(x[k], row, b + k * team, lane);
			else u.clocks(x[k], row, b + k * team, lane);
		}
#pragma unroll
		for (int k = 0; k < AHEAD; k++) {
			const int s = b + k * team;
#pragma unroll
			for (int h = 0; h < 2; h++) {
				const int from = s * SEGMENT + 128 * h;
				const float *y = x[k] + 4 * h;
				if (k + 1 == AHEAD && from >= m) continue;
				if (TABU == BT && !__any_sync(ALL, least_of(y) != __uint_as_float(NOBODY))) continue;
				ml_u4 q = {lo, hi, (uint32_t)ant, (uint32_t)((2 * s + h) * 32 + lane)};
#pragma unroll
				for (int i = 0; i < 10; i++) q = ml_philox_wide(q, rk.k[2 * i], rk.k[2 * i + 1]);
				const uint32_t word[4] = {q.x, q.y, q.z, q.w};
				if (!ALL_CLOCKS) {
					float z[4];
#pragma unroll
					for (int t = 0; t < 4; t++) z[t] = early(word[t]) * y[t];
					if (!__any_sync(ALL, least_of(z) <= bound)) continue;
				}
#pragma unroll
				for (int t = 0; t < 4; t++) { // side by side: one after the other is slower for few ants
					const uint32_t key = __float_as_uint(ml_expo32(word[t]) * y[t]);
					if (key < first) first = key, where = from + 32 * t + lane;
				}
				if (!ALL_CLOCKS) bound = EARLY * __uint_as_float(warp_min(first));
			}
		}
	}
};

// construct_wrs makes tours of wrs without lists: each unvisited city has a number of its own. With
// PER_WARP a warp is an ant, else a block. table has reciprocals of weights.
template <int TABU, bool PER_WARP> static __device__ __forceinline__ void construct_wrs(
		const instance &g, const job *j, const float *__restrict__ table, int stride, city_t *tours,
		result *results, const keys &rk, int share) {
	extern __shared__ uint4 memory[];
	__shared__ uint2 firsts[32]; // by warp of a block that is an ant: its first clock, and where
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, ant = PER_WARP ? blockIdx.x * warps + warp : blockIdx.x;
	const int me = PER_WARP ? 0 : warp, team = PER_WARP ? 1 : warps;
	if (ant >= j->ants) return;
	unvisited<TABU> u;
	u.start((char *)memory + (PER_WARP ? warp * share : 0), n, me * 32 + lane, team * 32);
	city_t *tour = tours + (size_t)ant * n;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi;
	rwm_draws draws;
	draws.fill(j, ant, 0, lane, rk);
	int cur = (int)__umulhi(draws.at(0), (uint32_t)n);
	if (PER_WARP) __syncwarp();
	else __syncthreads();
	if (me == 0 && lane == 0) u.visit(cur, cur);
	u.count--;
	if (PER_WARP) __syncwarp();
	else __syncthreads();
	uint32_t keep = cur;
	for (int p = 1; p < n; p++) {
		const float *row = row_of(table, cur, stride);
		const int m = u.positions();
		clock_race r = {NOBODY, ALL, __uint_as_float(NOBODY)};
		const uint32_t hi = it_hi ^ 1u << 31 ^ (uint32_t)p;
		if (m <= SEGMENT) { // few: to compute all is faster
			if (me == 0) r.look<TABU, 1, true>(u, row, 0, team, m, it_lo, hi, ant, lane, rk);
		} else {
			int b = me;
			for (; (b + team) * SEGMENT < m; b += 2 * team)
				r.look<TABU, 2, false>(u, row, b, team, m, it_lo, hi, ant, lane, rk);
			if (b * SEGMENT < m) r.look<TABU, 1, false>(u, row, b, team, m, it_lo, hi, ant, lane, rk);
		}
		uint32_t least = warp_min(r.first);
		int position = (int)warp_min(r.first == least ? r.where : ALL);
		if (!PER_WARP) {
			if (lane == 0) firsts[warp] = uint2{least, (uint32_t)position};
			__syncthreads();
			const uint2 f = lane < warps ? firsts[lane] : uint2{ALL, ALL};
			least = warp_min(f.x);
			position = (int)warp_min(f.x == least ? f.y : ALL);
		}
		cur = u.city(position);
		if (PER_WARP) __syncwarp();
		else __syncthreads(); // all have read the list
		if (me == 0 && lane == 0) u.visit(position, cur);
		if (PER_WARP) __syncwarp();
		else __syncthreads();
		u.count--;
		if ((p & 31) == lane) keep = cur;
		if (me == 0 && (p & 31) == 31) tour[p - 31 + lane] = (city_t)keep;
	}
	if (me > 0) return;
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (city_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, 0, lane);
}

// Constructions by wrs without lists. table: n rows of stride reciprocals of weights. g, j, tours,
// results and rk are those of common.cuh. share: bytes of shared memory an ant.
//
// Launch: as those by rwm. Bound: as many bytes as rwm reads, and n^3 / 2 draws, with bt those of
// 128 cities where one of them is open. Four draws are a block of Philox, 16 products of 64 bits
// and 18 xors, both at half rate: 13 lane slots a draw, and 6 for the test by the bound. Reached
// (ants-gpu-rows): 54 lane slots a city with lc on pr2392 where rwm takes 41, 80 before the bound
// was there. So a race stays behind rwm, which draws nothing for a city.
#define WRS_KERNEL(name, tabu, per_warp)                                            \
	extern "C" __global__ void __launch_bounds__(1024, 1)                             \
			name(instance g, const job *j, const float *table, int stride, city_t *tours, \
					result *results, keys rk, int share, int, int) {                          \
		construct_wrs<tabu, per_warp>(g, j, table, stride, tours, results, rk, share);  \
	}
WRS_KERNEL(warp_wrs_lc, LC, true)
WRS_KERNEL(warp_wrs_ct, CT, true)
WRS_KERNEL(warp_wrs_bt, BT, true)
WRS_KERNEL(block_wrs_lc, LC, false)
WRS_KERNEL(block_wrs_ct, CT, false)
WRS_KERNEL(block_wrs_bt, BT, false)

#include "tabu.cuh"
