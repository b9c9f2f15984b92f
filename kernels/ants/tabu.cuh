// The tabu lists of the GPU paper (Skinderowicz 2020, section 4.1), and constructions of mmas/rows
// with candidate lists by them. They lie in shared memory, an ant's own each, of the sizes of the
// paper's table 1: lc 4 n bytes, ct 2 n and bt n / 8, rounded up to 16.
//
// A warp is an ant, lane s has slot s of the list. Where all candidates are visited the warp goes
// through what the tabu list still has, as in the paper's figure 2: n bits with bt, with lc and ct
// the cities that are unvisited. The tabu list changes no tour.
//
// Versions: with candidate lists lc, ct and bt were one kernel with bits, or bytes up to 8192
// cities, and an ant without candidates looked where the nearest city or the greatest weight may
// be; since each is what the paper says, a construction takes the memory and the reads that the
// paper measures. mmas/wrs makes the tours of wrs with storage=candidates in less time.
#ifndef METALAB_ANTS_TABU_CUH
#define METALAB_ANTS_TABU_CUH

#include "lists.cuh"
#include "sample.cuh"

// What an ant has not visited. With lc, list is the paper's unvisited and index its indices; with
// ct, list is its entries. length is the paper's L; with bt it is n.
template <int TABU> struct tabu {
	uint16_t *list, *index;
	uint32_t *bits;
	int n, length;

	__device__ __forceinline__ tabu(void *memory, int cities, int lane)
			: list((uint16_t *)memory), index(list + cities), bits((uint32_t *)memory), n(cities),
				length(cities) {
		if (TABU == BT) {
			const int words = (n + 31) >> 5;
			for (int i = lane; i < words; i += 32)
				bits[i] = i == words - 1 && (n & 31) ? ~((1u << (n & 31)) - 1) : 0;
		}
		for (int i = lane; TABU != BT && i < n; i += 32) {
			list[i] = (uint16_t)i;
			if (TABU == LC) index[i] = (uint16_t)i;
		}
		__syncwarp();
	}
	__device__ __forceinline__ bool is_visited(uint32_t v) const {
		if (TABU == LC) return index[v] >= length;
		if (TABU == CT) return list[v] > v;
		return bits[v >> 5] >> (v & 31) & 1;
	}
	// mark takes the unvisited city v out. One lane calls it, then all call marked.
	__device__ __forceinline__ void mark(uint32_t v) const {
		const uint32_t end = length - 1;
		if (TABU == BT) {
			bits[v >> 5] |= 1u << (v & 31);
			return;
		}
		const uint32_t i = TABU == LC ? index[v] : list[v], last = list[end];
		if (TABU == LC) {
			list[i] = (uint16_t)last, list[end] = (uint16_t)v;
			index[last] = (uint16_t)i, index[v] = (uint16_t)end;
			return;
		}
		list[v] = list[end] = (uint16_t)n; // the sentinel
		if (i != end) list[i] = (uint16_t)last, list[last] = (uint16_t)i;
	}
	__device__ __forceinline__ void marked() {
		if (TABU != BT) length--;
	}
};

// best_unvisited is the unvisited city, there being one, of greatest weight in row or, where there
// are no weights of all edges, the nearest to cur; of equal ones that with the smallest number. Of
// bt, words whose cities are all visited are passed over, 32 words at a time, and the reads of the
// cities of four words are under way together.
template <int TABU, bool MATRIX> static __device__ __noinline__ int best_unvisited(
		tabu<TABU> left, const double2 *at, int metric, const float *row, int cur, int lane) {
	uint32_t best = ALL, city = ALL; // less is better
	double2 here = {0, 0};
	if (!MATRIX) here = at[cur];
	auto see = [&](const uint32_t (&c)[4]) { // ALL for none
		float weight[4];
		double2 there[4];
#pragma unroll
		for (int k = 0; k < 4; k++) {
			weight[k] = MATRIX && c[k] != ALL ? row[c[k]] : 0;
			there[k] = !MATRIX && c[k] != ALL ? at[c[k]] : here;
		}
#pragma unroll
		for (int k = 0; k < 4; k++) {
			if (c[k] == ALL) continue;
			// Weights are positive: their bits are in order.
			const uint32_t v = MATRIX ? ~__float_as_uint(weight[k])
																: (uint32_t)distance(metric, here, there[k]);
			if (v < best || (v == best && c[k] < city)) best = v, city = c[k];
		}
	};
	if (TABU == BT) {
		const int words = (left.n + 31) >> 5;
		for (int base = 0; base < words; base += 32) {
			const uint32_t mine = base + lane < words ? left.bits[base + lane] : ALL;
			uint32_t open = __ballot_sync(ALL, mine != ALL);
			while (open) {
				uint32_t c[4];
#pragma unroll
				for (int k = 0; k < 4; k++) {
					c[k] = ALL;
					if (!open) continue;
					const int w = __ffs(open) - 1;
					open &= open - 1;
					const uint32_t word = __shfl_sync(ALL, mine, w);
					if (!(word >> lane & 1)) c[k] = (base + w) * 32 + lane;
				}
				see(c);
			}
		}
	} else {
		for (int i = lane; i < left.length; i += 32) {
			const uint32_t c[4] = {left.list[i], ALL, ALL, ALL};
			see(c);
		}
	}
	__syncwarp();
	const uint32_t least = warp_min(best);
	return (int)warp_min(best == least ? city : ALL);
}

// How an ant looks at its lists through a tabu list: see construct in lists.cuh. A step in which no
// candidate is left marks nothing.
template <int TABU, bool MATRIX> struct tabu_lists {
	static const bool roomy = false;
	struct row {
		float r;
		uint32_t id;
	};
	const float *rows; // this lane's
	const city_t *ids;
	const float *table; // with MATRIX the weights of all edges, in rows that are stride apart
	int stride;
	tabu<TABU> left;
	city_t *tour;
	uint32_t mask, lane;
	bool few;
	uint32_t keep; // of the last 32 cities, lane's

	__device__ __forceinline__ tabu_lists(const instance &g, const float *rows, const float *table,
			int stride, city_t *tour, void *memory, int lane)
			: rows(rows + lane), ids(g.id + lane), table(table), stride(stride),
				left(memory, g.n, lane), tour(tour), mask(key_mask(g.n)), lane(lane),
				few(g.n <= KEY_CITIES), keep(0) {}
	__device__ __forceinline__ void start(uint32_t city) { visit(city, 0); }
	__device__ __forceinline__ row fetch(uint32_t city) const {
		return {rows[(size_t)city * 32], ids[(size_t)city * 32]};
	}
	__device__ __forceinline__ uint32_t key(row r, float clock) const {
		const uint32_t k = (__float_as_uint(clock * r.r) & ~mask) | (few ? r.id : lane);
		return left.is_visited(r.id) ? k | ~mask : k;
	}
	__device__ __forceinline__ uint32_t winner(row r, uint32_t m) const {
		return few ? m & mask : __shfl_sync(ALL, r.id, m & 31);
	}
	__device__ __forceinline__ void visit_winner(row r, uint32_t key, uint32_t m, int at) {
		const uint32_t city = winner(r, m);
		__syncwarp(); // all have read the tabu list
		if (m < ~mask) {
			if (key == m) left.mark(city);
			left.marked();
		}
		if (at == (int)lane) keep = city;
	}
	__device__ __forceinline__ void visit(uint32_t city, int at) {
		__syncwarp();
		if (lane == 0) left.mark(city);
		left.marked();
		if (at == (int)lane) keep = city;
	}
	__device__ __forceinline__ uint32_t recent(int at) const { return __shfl_sync(ALL, keep, at); }
	__device__ __forceinline__ int fallback(const instance &g, int cur) const {
		__syncwarp();
		return best_unvisited<TABU, MATRIX>(
				left, g.at, g.metric, table + (MATRIX ? (size_t)cur * stride : 0), cur, lane);
	}
	__device__ __forceinline__ void flush(int s) const {
		if ((int)lane <= (s & 31)) tour[(s & ~31) + lane] = (city_t)keep;
	}
};

// construct_wrs_lists makes the tour of an ant by weighted reservoir sampling.
template <int TABU, bool MATRIX> static __device__ __forceinline__ void construct_wrs_lists(
		const instance &g, const job *j, const float *__restrict__ list,
		const float *__restrict__ table, int stride, city_t *tours, result *results, const keys &rk,
		int share) {
	extern __shared__ uint4 memory[];
	uint32_t thread = threadIdx.x;
	OPAQUE(thread);
	const int lane = thread & 31, warp = thread >> 5, ant = blockIdx.x * (blockDim.x >> 5) + warp;
	if (ant >= j->ants) return;
	tabu_lists<TABU, MATRIX> lists(g, list, table, stride, tours + (size_t)ant * g.n,
			(char *)memory + warp * share, lane);
	construct(lists, g, j, ant, lane, results, rk);
}

// construct_rwm_lists makes the tour of an ant by the roulette wheel.
template <int TABU, bool MATRIX> static __device__ __forceinline__ void construct_rwm_lists(
		const instance &g, const job *j, const float *__restrict__ list,
		const float *__restrict__ table, int stride, city_t *tours, result *results, const keys &rk,
		int share) {
	extern __shared__ uint4 memory[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const int n = g.n, ant = blockIdx.x * (blockDim.x >> 5) + warp;
	if (ant >= j->ants) return;
	tabu<TABU> left((char *)memory + warp * share, n, lane);
	city_t *tour = tours + (size_t)ant * n;
	rwm_draws draws;
	draws.fill(j, ant, 0, lane, rk);
	int cur = (int)__umulhi(draws.at(0), (uint32_t)n), fallbacks = 0;
	if (lane == 0) left.mark(cur);
	left.marked();
	__syncwarp();
	uint32_t keep = cur;
	float w = list[cur * 32 + lane];
	uint32_t id = g.id[cur * 32 + lane];
	for (int s = 1; s < n; s++) {
		if ((s & 127) == 0) draws.fill(j, ant, s, lane, rk);
		const float shot = unit(draws.at(s));
		const float x = left.is_visited(id) ? 0 : w; // beyond the list stands the city itself
		const float sum = prefix_sum(x, lane);
		float r = shot * __shfl_sync(ALL, sum, 31);
		const int winner = roulette(x, sum, r);
		if (winner >= 0) {
			cur = (int)__shfl_sync(ALL, id, winner);
		} else {
			fallbacks++;
			cur = best_unvisited<TABU, MATRIX>(
					left, g.at, g.metric, table + (MATRIX ? (size_t)cur * stride : 0), cur, lane);
		}
		w = list[cur * 32 + lane];
		id = g.id[cur * 32 + lane];
		__syncwarp(); // all have read the tabu list
		if (lane == 0) left.mark(cur);
		left.marked();
		__syncwarp();
		if ((s & 31) == lane) keep = cur;
		if ((s & 31) == 31) tour[s - 31 + lane] = (city_t)keep;
	}
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (city_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, fallbacks, lane);
}

// Constructions with candidate lists. list: n x 32 by slot, weights for rwm and packed reciprocals
// for wrs. table: with matrix n rows of stride weights, else not read. g, j, tours, results and rk
// are those of common.cuh. share: bytes of shared memory an ant.
//
// Launch: ceil(ants / w) blocks of w warps, as many as share leaves room for, at most 32; shared
// memory w x share. Bound: the latency of a step, a row from L2, the tabu list and the reductions,
// and how many ants a multiprocessor holds by their tabu lists.
#define LISTS_KERNEL(name, how, tabu, matrix)                                           \
	extern "C" __global__ void __launch_bounds__(1024, 1)                                 \
			name(instance g, const job *j, const float *list, const float *table, int stride, \
					city_t *tours, result *results, keys rk, int share) {                         \
		how<tabu, matrix>(g, j, list, table, stride, tours, results, rk, share);            \
	}
LISTS_KERNEL(lists_rwm_lc, construct_rwm_lists, LC, false)
LISTS_KERNEL(lists_rwm_ct, construct_rwm_lists, CT, false)
LISTS_KERNEL(lists_rwm_bt, construct_rwm_lists, BT, false)
LISTS_KERNEL(lists_wrs_lc, construct_wrs_lists, LC, false)
LISTS_KERNEL(lists_wrs_ct, construct_wrs_lists, CT, false)
LISTS_KERNEL(lists_wrs_bt, construct_wrs_lists, BT, false)
LISTS_KERNEL(lists_rwm_lc_matrix, construct_rwm_lists, LC, true)
LISTS_KERNEL(lists_rwm_ct_matrix, construct_rwm_lists, CT, true)
LISTS_KERNEL(lists_rwm_bt_matrix, construct_rwm_lists, BT, true)
LISTS_KERNEL(lists_wrs_lc_matrix, construct_wrs_lists, LC, true)
LISTS_KERNEL(lists_wrs_ct_matrix, construct_wrs_lists, CT, true)
LISTS_KERNEL(lists_wrs_bt_matrix, construct_wrs_lists, BT, true)

#endif
