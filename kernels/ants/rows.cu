// MAX-MIN Ant System with the six choices of the GPU paper: the kernels of mmas/rows. What
// they compute is stated in solvers/ants/rows.go, wheel.go and tabu.go, whose results they have
// bit for bit.
//
// Without lists (all_*) an ant's weights are a row of a matrix, and its unvisited cities lie in
// shared memory: lc and ct as 16-bit numbers, bt as bits. solo kernels have an ant for
// each warp, team kernels one for each block, whose warps share out the segments of 256 positions.
//
// wrs looks at the high half of a clock's draw and of a reciprocal first: nearly all have lost by
// that, so a block of draws does for eight tiles, and two bytes are read where roulette reads four.
//
// lc needs no cities' positions here, since every choice names a position; they are what
// the paper's kernels need for candidate lists. With lists (near_*, far_*) the visited cities
// are bits for all three, which no result shows.
#include "walk.cuh"

#define SEGMENT 256

enum { LC, CT, BT };

static __device__ __forceinline__ float clip(float w) { return fminf(fmaxf(w, 0x1p-100f), 0x1p100f); }

static __device__ __forceinline__ float weigh(const job *j, float tau, float eta) {
	float x = tau * j->inv;
	if (j->alpha != 1) x = (float)ml_pow((double)x, j->alpha);
	return clip(x * eta);
}

static __device__ __forceinline__ float renew(const job *j, float v, bool after, bool before) {
	if (j->reward) {
		v = fmaxf(v * j->rate, 0x1p-100f);
		if (after) v = v + j->add;
		if (before) v = v + j->add;
		v = fminf(fmaxf(v, j->lo), j->hi);
	}
	return j->fill ? j->level : v;
}

// prepare brings the trails of lists up to date and makes weights, or their reciprocals. A
// warp takes a city.
extern "C" __global__ void prepare(ground g, const job *j, float *tau, const float *eta, float *table,
		const uint16_t *after, const uint16_t *before, int inverse) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c >= g.n || (i & 31) >= g.k) return;
	uint32_t to = g.id[i];
	float v = renew(j, tau[i], after[c] == to, before[c] == to);
	tau[i] = v;
	float w = weigh(j, v, eta[i]);
	table[i] = inverse ? 1.0f / w : w;
}

// prepare_matrix does it with all edges; a block takes a city. rough has the high halves of
// reciprocals, which are not above them.
extern "C" __global__ void prepare_matrix(ground g, const job *j, float *tau, const float *eta, float *table, uint16_t *rough,
		const uint16_t *after, const uint16_t *before, int inverse) {
	const int c = blockIdx.x;
	const size_t row = (size_t)c * g.n;
	const int next = g.n > 1 ? after[c] : -1, last = g.n > 1 ? before[c] : -1;
	for (int to = threadIdx.x; to < g.n; to += blockDim.x) {
		float v = renew(j, tau[row + to], next == to, last == to);
		tau[row + to] = v;
		float w = weigh(j, v, eta[row + to]);
		if (inverse) {
			w = 1.0f / w;
			rough[row + to] = (uint16_t)(__float_as_uint(w) >> 16);
		}
		table[row + to] = w;
	}
}

// slots copies the weights of the lists out of the matrix. A warp takes a city.
extern "C" __global__ void slots(ground g, const float *table, float *list, int inverse) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c >= g.n || (i & 31) >= g.k) return;
	float w = table[(size_t)c * g.n + g.id[i]];
	list[i] = inverse ? 1.0f / w : w;
}

// look_matrix is look with trails of all edges.
extern "C" __global__ void look_matrix(ground g, const float *tau, unsigned long long *out) {
	int c = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31, k = g.k;
	if (c >= g.n) return;
	float v = tau[(size_t)c * g.n + g.id[c * 32 + lane]];
	uint32_t bits = __float_as_uint(v);
	float lo = __uint_as_float(warp_min(lane < k ? bits : ALL)), hi = __uint_as_float(warp_max(lane < k ? bits : 0));
	float cut = lo + 0.05f * (hi - lo);
	int above = __popc(__ballot_sync(ALL, lane < k && v > cut));
	uint64_t h = warp_sum(lane < k ? ml_mix64((uint64_t)(c * k + lane) << 32 | bits) : 0);
	if (lane == 0 && k > 0) {
		atomicAdd(out, (unsigned long long)above);
		atomicAdd(out + 1, (unsigned long long)h);
	}
}

// butterfly is the sum of x over a warp.
static __device__ __forceinline__ float butterfly(float x) {
#pragma unroll
	for (int d = 16; d > 0; d >>= 1) x = x + __shfl_xor_sync(ALL, x, d);
	return x;
}

// ladder is the sum of x over the lanes up to this one.
static __device__ __forceinline__ float ladder(float x, int lane) {
#pragma unroll
	for (int d = 1; d < 32; d <<= 1) {
		float y = __shfl_sync(ALL, x, lane - d & 31);
		if (lane >= d) x = x + y;
	}
	return x;
}

// pick finds the lane that r falls on, -1 where all x are 0, and takes off r what is before it.
static __device__ __forceinline__ int pick(float x, float sums, float &r) {
	const uint32_t some = __ballot_sync(ALL, x != 0), above = __ballot_sync(ALL, x != 0 && sums > r);
	if (!some) return -1;
	const int at = above ? __ffs(above) - 1 : 31 - __clz(some);
	const float less = __shfl_sync(ALL, sums, at - 1 & 31);
	if (at > 0) r = fmaxf(0.0f, r - less);
	return at;
}

// Words gives a warp the draws of rwm: lane l holds those of positions 128 b + 4 l and the
// three after.
struct words {
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

// What an ant without lists has left.
template <int TABU> struct left {
	uint16_t *list; // lc, ct
	uint32_t *vis;  // bt
	int n, count;

	__device__ __forceinline__ int positions() const { return TABU == BT ? n : count; }
	__device__ __forceinline__ int city(int position) const { return TABU == BT ? position : list[position]; }
	__device__ __forceinline__ void start(int thread, int threads) {
		count = n;
		if (TABU == BT) {
			const int words = (n + 31) >> 5;
			for (int i = thread; i < words; i += threads) vis[i] = i == words - 1 && (n & 31) ? ~((1u << (n & 31)) - 1) : 0;
		} else {
			for (int i = thread; i < n; i += threads) list[i] = (uint16_t)i;
		}
	}
	// visit takes out the city c at a position; one thread calls it, the others count.
	__device__ __forceinline__ void visit(int position, int c) {
		const int end = count - 1;
		if (TABU == BT) {
			vis[c >> 5] |= 1u << (c & 31);
		} else if (TABU == LC) {
			list[position] = list[end];
		} else {
			const int last = list[end];
			list[c] = list[end] = (uint16_t)n;
			if (position != end) list[position] = (uint16_t)last, list[last] = (uint16_t)position;
		}
	}
	// none tells that a segment has no unvisited city, as far as that is easy to tell.
	__device__ __forceinline__ bool none(int segment, int lane) const {
		if (TABU != BT) return false;
		const int w = segment * 8 + (lane & 7);
		return __all_sync(ALL, w * 32 >= n || vis[w] == ALL);
	}
	// fetch gets the entries of row of a segment, other where nobody is. All loads are made, so that
	// they are under way together.
	template <bool FULL> __device__ __forceinline__ void fetch(float *x, const float *row, int segment, int lane) const {
		const int from = segment * SEGMENT + lane, end = positions() - 1;
#pragma unroll
		for (int t = 0; t < 8; t++) {
			const int i = FULL ? from + 32 * t : min(from + 32 * t, end);
			if (TABU == BT) {
				const float v = row[i];
				x[t] = vis[i >> 5] & 1u << (i & 31) ? 0 : v;
			} else {
				x[t] = row[list[i]];
			}
			if (!FULL && from + 32 * t > end) x[t] = 0;
		}
	}
	__device__ __forceinline__ void weights(float *x, const float *row, int segment, int lane) const {
		if ((segment + 1) * SEGMENT <= positions()) fetch<true>(x, row, segment, lane);
		else fetch<false>(x, row, segment, lane);
	}
	// bounds makes of the high halves of reciprocals and of draws (inverted) what the clocks of a
	// segment are above, times 45829 (2^16 / 1.43).
	template <bool FULL> __device__ __forceinline__ void bounds(float *x, const uint16_t *rough, const ml_u4 &inverted, int segment, int lane) const {
		const int from = segment * SEGMENT + lane, end = positions() - 1;
		uint32_t r[8];
#pragma unroll
		for (int t = 0; t < 8; t++) {
			const int i = FULL ? from + 32 * t : min(from + 32 * t, end);
			r[t] = rough[TABU == BT ? i : list[i]];
		}
#pragma unroll
		for (int t = 0; t < 8; t++) {
			const uint32_t q = t % 4 == 0 ? inverted.x : t % 4 == 1 ? inverted.y : t % 4 == 2 ? inverted.z : inverted.w;
			const float v = __uint_as_float(0x4B000000u | (t < 4 ? q & 0xffff : q >> 16)) - 8388608.0f;
			x[t] = v * __uint_as_float(r[t] << 16);
			bool in = FULL || from + 32 * t <= end;
			if (TABU == BT) {
				const int i = FULL ? from + 32 * t : min(from + 32 * t, end);
				in = in && !(vis[i >> 5] & 1u << (i & 31));
			}
			if (!in) x[t] = __uint_as_float(0x7f800000u);
		}
	}
};

static __device__ __forceinline__ float tree(const float *x) {
	return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

// roam makes tours without lists. With SOLO a warp is an ant, else a block.
template <int TABU, bool RACE, bool SOLO>
static __device__ __forceinline__ void roam(const ground &g, const job *j, const float *__restrict__ table,
		const uint16_t *__restrict__ roughs,
		uint16_t *tours, result *results, const keys &rk, int share) {
	extern __shared__ uint4 memory[];
	__shared__ float sums[32];
	__shared__ uint2 firsts[32];
	__shared__ int choice;
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, ant = SOLO ? blockIdx.x * warps + warp : blockIdx.x;
	const int me = SOLO ? 0 : warp, team = SOLO ? 1 : warps;
	if (ant >= j->ants) return;
	left<TABU> u;
	u.n = n;
	u.list = (uint16_t *)((char *)memory + (SOLO ? warp * share : 0));
	u.vis = (uint32_t *)u.list;
	u.start(me * 32 + lane, team * 32);
	uint16_t *tour = tours + (size_t)ant * n;
	words draws;
	draws.fill(j, ant, 0, lane, rk);
	int cur = (int)__umulhi(draws.at(0), (uint32_t)n);
	if (SOLO) __syncwarp();
	else __syncthreads();
	if (me == 0 && lane == 0) u.visit(cur, cur);
	u.count--;
	if (SOLO) __syncwarp();
	else __syncthreads();
	uint32_t keep = cur;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi ^ 1u << 31;
	for (int p = 1; p < n; p++) {
		const float *row = table + (size_t)cur * n;
		const int m = u.positions();
		int position;
		if (RACE) {
			const uint16_t *rough = roughs + (size_t)cur * n;
			uint32_t best = ALL, at = ALL;
			float limit = __uint_as_float(0x7f800000u);
			for (int b = me; b * SEGMENT < m; b += team) {
				if (u.none(b, lane)) continue;
				ml_u4 q = {it_lo, it_hi ^ (uint32_t)p, (uint32_t)ant, (uint32_t)(b * 32 + lane)};
#pragma unroll
				for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
				q.x = ~q.x, q.y = ~q.y, q.z = ~q.z, q.w = ~q.w;
				float x[8];
				if ((b + 1) * SEGMENT <= m) u.template bounds<true>(x, rough, q, b, lane);
				else u.template bounds<false>(x, rough, q, b, lane);
				const float low = fminf(fminf(fminf(x[0], x[1]), fminf(x[2], x[3])), fminf(fminf(x[4], x[5]), fminf(x[6], x[7])));
				if (!__any_sync(ALL, low <= limit && low < __uint_as_float(0x7f800000u))) continue;
				// Some clocks may win: first each lane's most promising one, then those that still may.
				ml_u4 l = {it_lo, it_hi ^ 1u << 30 ^ (uint32_t)p, (uint32_t)ant, (uint32_t)(b * 32 + lane)};
#pragma unroll
				for (int i = 0; i < 10; i++) l = ml_philox_round(l, rk.k[2 * i], rk.k[2 * i + 1]);
				uint32_t todo = 0;
#pragma unroll
				for (int t = 7; t >= 0; t--)
					if (x[t] == low) todo = 1u << t;
				if (!(low <= limit) || low == __uint_as_float(0x7f800000u)) todo = 0;
				uint32_t done = todo;
				for (int round = 0; round < 2; round++) {
					while (todo) {
						const int t = __ffs(todo) - 1, i = b * SEGMENT + 32 * t + lane;
						todo &= todo - 1;
						const uint32_t h = t & 2 ? (t & 1 ? q.w : q.z) : t & 1 ? q.y : q.x, k = t & 2 ? (t & 1 ? l.w : l.z) : t & 1 ? l.y : l.x;
						const uint32_t word = t & 4 ? (~h & 0xffff0000u) | k >> 16 : ~h << 16 | (k & 0xffff);
						const uint32_t key = __float_as_uint(ml_expo32(word) * row[u.city(i)]);
						if (key < best || key == best && i < at) best = key, at = i;
					}
					__syncwarp();
					limit = __uint_as_float(warp_min(best)) * 45829.0f;
					if (round > 0) break;
#pragma unroll
					for (int t = 0; t < 8; t++)
						if (x[t] <= limit) todo |= 1u << t;
					todo &= ~done;
				}
			}
			const uint32_t least = warp_min(best);
			at = warp_min(best == least ? at : ALL);
			position = at;
			if (!SOLO) {
				if (lane == 0) firsts[warp] = make_uint2(least, at);
				__syncthreads();
				if (warp == 0) {
					const uint2 f = lane < warps ? firsts[lane] : make_uint2(ALL, ALL);
					const uint32_t first = warp_min(f.x);
					position = warp_min(f.x == first ? f.y : ALL);
				}
			}
		} else {
			float x[8], a, total = 0, r = 0;
			int s = 0;
			const bool many = m > SEGMENT;
			if (many) {
				for (int i = me; i * SEGMENT < m; i += 2 * team) { // two at a time
					const int k = i + team;
					const bool both = k * SEGMENT < m;
					float y[8], sum = 0, next = 0;
					u.weights(x, row, i, lane);
					if (both) u.weights(y, row, k, lane);
					sum = butterfly(tree(x));
					if (both) next = butterfly(tree(y));
					if (SOLO) {
						if (lane == i) total = sum;
						if (lane == k && both) total = next;
					} else if (lane == 0) {
						sums[i] = sum;
						if (both) sums[k] = next;
					}
				}
			}
			if (!SOLO) __syncthreads();
			if ((p & 127) == 0) draws.fill(j, ant, p, lane, rk);
			if (SOLO || warp == 0) {
				const float shot = unit(draws.at(p));
				if (many) {
					if (!SOLO) total = lane * SEGMENT < m ? sums[lane] : 0;
					const float sum = ladder(total, lane);
					r = shot * __shfl_sync(ALL, sum, 31);
					s = pick(total, sum, r);
				}
				u.weights(x, row, s, lane);
				a = tree(x);
				const float sum = ladder(a, lane);
				if (!many) r = shot * __shfl_sync(ALL, sum, 31);
				const int l = pick(a, sum, r);
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
		}
		if (SOLO) {
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
		if (me == 0 && (p & 31) == 31) tour[p - 31 + lane] = (uint16_t)keep;
	}
	if (me > 0) return;
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, 0, lane);
}

#define ROAM(name, tabu, race, solo)                                                                                   \
	extern "C" __global__ void __launch_bounds__(1024, 1) name(ground g, const job *j, const float *table,             \
			const uint16_t *rough, uint16_t *tours, result *results, keys rk, int share) {                             \
		roam<tabu, race, solo>(g, j, table, rough, tours, results, rk, share);                                         \
	}
ROAM(solo_rwm_lc, LC, false, true)
ROAM(solo_rwm_ct, CT, false, true)
ROAM(solo_rwm_bt, BT, false, true)
ROAM(solo_wrs_lc, LC, true, true)
ROAM(solo_wrs_ct, CT, true, true)
ROAM(solo_wrs_bt, BT, true, true)
ROAM(team_rwm_lc, LC, false, false)
ROAM(team_rwm_ct, CT, false, false)
ROAM(team_rwm_bt, BT, false, false)
ROAM(team_wrs_lc, LC, true, false)
ROAM(team_wrs_ct, CT, true, false)
ROAM(team_wrs_bt, BT, true, false)

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

// listed makes the tour of an ant with lists. With NEAR they are copied to shared memory;
// with MATRIX an ant whose candidates are visited looks at its row of all.
template <bool RACE, bool NEAR, bool MATRIX>
static __device__ __forceinline__ void listed(const ground &g, const job *j, const float *__restrict__ list,
		const float *__restrict__ table, uint16_t *tours, result *results, const keys &rk) {
	extern __shared__ uint4 memory[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, words_ = g.words;
	uint32_t *vis = (uint32_t *)memory + warp * words_;
	const float *weight = list;
	const uint16_t *ids = g.id;
	if (NEAR) {
		uint4 *r = memory + ((warps * words_ + 3) >> 2), *d = r + n * 8;
		const uint4 *rs = (const uint4 *)list, *ds = (const uint4 *)g.id;
		for (int i = threadIdx.x; i < n * 8; i += blockDim.x) r[i] = rs[i];
		for (int i = threadIdx.x; i < n * 4; i += blockDim.x) d[i] = ds[i];
		weight = (const float *)r;
		ids = (const uint16_t *)d;
		__syncthreads();
	}
	const int ant = blockIdx.x * warps + warp;
	if (ant >= j->ants) return;
	unvisit(vis, n, words_, lane);
	uint16_t *tour = tours + (size_t)ant * n;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi, agent = (uint32_t)ant * 32 + lane;
	ml_u4 q = {it_lo, it_hi, agent, 0};
	words draws;
	int cur;
	float clock[4];
	if (RACE) {
#pragma unroll
		for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
		cur = (int)__shfl_sync(ALL, __umulhi(q.x, (uint32_t)n), 0);
		clock[0] = 0, clock[1] = ml_expo32(q.y), clock[2] = ml_expo32(q.z), clock[3] = ml_expo32(q.w);
	} else {
		draws.fill(j, ant, 0, lane, rk);
		cur = (int)__umulhi(draws.at(0), (uint32_t)n);
	}
	if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
	__syncwarp();
	uint32_t keep = cur;
	int falls = 0;
	float w = weight[cur * 32 + lane];
	uint32_t id = ids[cur * 32 + lane];
	for (int s0 = 0; s0 < n; s0 += 4) {
		if (RACE) q.x = it_lo, q.y = it_hi, q.z = agent, q.w = (uint32_t)(s0 >> 2) + 1;
		else if ((s0 & 127) == 0 && s0 > 0) draws.fill(j, ant, s0, lane, rk);
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const int s = s0 + i;
			if (s > 0 && s < n) {
				const uint32_t word = vis[id >> 5], bit = 1u << (id & 31);
				const bool open = !(word & bit); // beyond the list stands the city itself
				int winner;
				bool found;
				if (RACE) {
					const uint32_t key = open ? ml_race_key(clock[i], w, lane) : ALL, m = warp_min(key);
					found = m != ALL;
					winner = m & 31;
				} else {
					const float x = open ? w : 0, sum = ladder(x, lane);
					float r = unit(draws.at(s)) * __shfl_sync(ALL, sum, 31);
					winner = pick(x, sum, r);
					found = winner >= 0;
				}
				__syncwarp(); // all have read vis
				if (found) {
					cur = (int)__shfl_sync(ALL, id, winner);
					if (lane == winner) vis[id >> 5] = word | bit;
				} else {
					falls++;
					if (MATRIX) cur = strongest(vis, table + (size_t)cur * n, words_, lane);
					else cur = nearest<false>(vis, g.at, g.box, g.ext, g.metric, words_, cur, lane);
					__syncwarp();
					if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
				}
				__syncwarp();
				w = weight[cur * 32 + lane];
				id = ids[cur * 32 + lane];
				if ((s & 31) == lane) keep = cur;
				if ((s & 31) == 31) tour[s - 31 + lane] = (uint16_t)keep;
			}
			if (RACE) { // the rounds of the next block's draws, while the row is on its way
				const int from = i == 0 ? 0 : i == 1 ? 3 : i == 2 ? 6 : 8, to = i == 0 ? 3 : i == 1 ? 6 : i == 2 ? 8 : 10;
#pragma unroll
				for (int k = from; k < to; k++) q = ml_philox_round(q, rk.k[2 * k], rk.k[2 * k + 1]);
			}
		}
		if (RACE) clock[0] = ml_expo32(q.x), clock[1] = ml_expo32(q.y), clock[2] = ml_expo32(q.z), clock[3] = ml_expo32(q.w);
	}
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, falls, lane);
}

#define LISTED(name, race, near, matrix)                                                                               \
	extern "C" __global__ void __launch_bounds__(1024, 1) name(ground g, const job *j, const float *list,              \
			const float *table, uint16_t *tours, result *results, keys rk) {                                           \
		listed<race, near, matrix>(g, j, list, table, tours, results, rk);                                             \
	}
LISTED(near_rwm, false, true, false)
LISTED(near_wrs, true, true, false)
LISTED(near_rwm_matrix, false, true, true)
LISTED(near_wrs_matrix, true, true, true)
LISTED(far_rwm, false, false, false)
LISTED(far_wrs, true, false, false)
LISTED(far_rwm_matrix, false, false, true)
LISTED(far_wrs_matrix, true, false, true)
