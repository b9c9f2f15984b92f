// MAX-MIN Ant System without lists, by thinning: the kernels of mmas/thin. What they compute is
// stated in solvers/ants/thin.go, whose results they have bit for bit.
//
// A warp is an ant. Its lanes are the near cities' slots, then the lanes of the race of what is far. All
// lanes of a round propose at once: a proposal that one of the same round beats cannot win, so the
// order in which the CPU looks at them does not show.
#include "walk.cuh"

#define ARRIVE (1u << 29)
#define PROPOSE (3u << 29)
#define HIGH (1u << 31)
#define LOW (3u << 30)
#define LAST 128 // choices at the end that look at a list of what is unvisited
#define MOST 16.0f
#define ROUNDS 4

// Of a city's tail: 32 over its weight, 0 without one, and its weight.
struct alignas(8) tail {
	float per, total;
};

static __device__ __forceinline__ float clip(float w) { return fminf(fmaxf(w, 0x1p-100f), 0x1p100f); }

// prepare brings trails up to date and makes the reciprocals of the weights, those of the lists, and
// the running sums and the guide of the tail. A block takes a city.
//
// A tile's sums begin at the last of the tile before. Rounding keeps order, so the greatest of
// base + x is base + the greatest x: the bases are a chain of one addition a tile.
extern "C" __global__ void prepare(ground g, const job *j, float *tau, const float *eta, float *table, float *list,
		float *cum, uint16_t *guide, tail *tails, const uint16_t *after, const uint16_t *before, int cells) {
	extern __shared__ uint4 room[];
	const int c = blockIdx.x, n = g.n, words = g.words, lane = threadIdx.x & 31;
	float *w = (float *)room, *base = w + 32 * words;
	uint32_t *out = (uint32_t *)(base + words + 1); // those that are not of the tail
	const size_t row = (size_t)c * n;
	for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = 0;
	__syncthreads();
	if (threadIdx.x < 32) {
		const uint32_t to = lane < g.k ? g.id[c * 32 + lane] : c;
		atomicOr(out + (to >> 5), 1u << (to & 31));
		if (lane == 0) atomicOr(out + (c >> 5), 1u << (c & 31));
	}
	__syncthreads();
	const int next = n > 1 ? after[c] : -1, last = n > 1 ? before[c] : -1;
	for (int to = threadIdx.x; to < 32 * words; to += blockDim.x) {
		if (to >= n) {
			w[to] = 0;
			continue;
		}
		float v = tau[row + to];
		if (j->reward) {
			v = fmaxf(v * j->rate, 0x1p-100f);
			if (next == to) v = v + j->add;
			if (last == to) v = v + j->add;
			v = fminf(fmaxf(v, j->lo), j->hi);
		}
		if (j->fill) v = j->level;
		tau[row + to] = v;
		float x = v * j->inv;
		if (j->alpha != 1) x = (float)ml_pow((double)x, j->alpha);
		x = clip(x * eta[row + to]);
		table[row + to] = 1.0f / x;
		w[to] = out[to >> 5] >> (to & 31) & 1 ? 0 : x;
	}
	__syncthreads();
	if (threadIdx.x < 32 && lane < g.k) list[c * 32 + lane] = table[row + g.id[c * 32 + lane]];
	for (int t = threadIdx.x >> 5; t < words; t += blockDim.x >> 5) {
		float x = w[32 * t + lane];
#pragma unroll
		for (int d = 1; d < 32; d <<= 1) {
			const float y = __shfl_sync(ALL, x, lane - d & 31);
			if (lane >= d) x = x + y;
		}
#pragma unroll
		for (int d = 1; d < 32; d <<= 1) {
			const float y = __shfl_sync(ALL, x, lane - d & 31);
			if (lane >= d) x = fmaxf(x, y);
		}
		w[32 * t + lane] = x;
		if (lane == 31) base[t + 1] = x;
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		float sum = 0;
		base[0] = 0;
#pragma unroll 8
		for (int t = 1; t <= words; t++) sum = sum + base[t], base[t] = sum;
	}
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		const float x = base[i >> 5] + w[i];
		w[i] = x;
		cum[row + i] = x;
	}
	__syncthreads();
	const float total = w[n - 1];
	if (threadIdx.x == 0) tails[c].per = total > 0 ? 32.0f / total : 0, tails[c].total = total;
	for (int b = threadIdx.x; b < cells; b += blockDim.x) {
		const float x = (float)b / (float)cells * total;
		int lo = 0, hi = n - 1;
		while (lo < hi) {
			const int mid = (lo + hi) >> 1;
			if (w[mid] > x) hi = mid;
			else lo = mid + 1;
		}
		guide[(size_t)c * cells + b] = (uint16_t)lo;
	}
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

static __device__ __forceinline__ float unit(uint32_t u) { return (float)(u >> 8) * 0x1p-24f; }

// early is not above the variate of a draw with the high half h.
static __device__ __forceinline__ float early(uint32_t h) { return (float)(0xffff - h) * (1.43f * 0x1p-16f); }

static __device__ __forceinline__ ml_u4 draw(uint32_t a, uint32_t b, uint32_t c, uint32_t d, const keys &rk) {
	ml_u4 q = {a, b, c, d};
#pragma unroll
	for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
	return q;
}

static __device__ __forceinline__ uint32_t word(const ml_u4 &q, int i) { return i & 2 ? (i & 1 ? q.w : q.z) : i & 1 ? q.y : q.x; }

// find is the first place of [lo, hi) whose sum is above x, else hi: four parts at a time, then four
// sums at once.
static __device__ __forceinline__ int find(const float *__restrict__ cum, int lo, int hi, int end, float x) {
	while (hi - lo > 4) {
		const int d = hi - lo >> 2, a = lo + d, b = a + d, c = b + d;
		const float u = cum[a], v = cum[b], w = cum[c];
		if (u > x) hi = a;
		else if (v > x) lo = a + 1, hi = b;
		else if (w > x) lo = b + 1, hi = c;
		else lo = c + 1;
	}
	float v[4];
#pragma unroll
	for (int i = 0; i < 4; i++) v[i] = cum[min(lo + i, end)];
	int k = 0;
#pragma unroll
	for (int i = 0; i < 4; i++) k += lo + i < hi && v[i] <= x;
	return lo + k;
}

// scan gives all that vis has unvisited new clocks. It returns city where none is before best, the bits
// of a clock, ALL if there is none.
static __device__ __noinline__ int scan(const uint32_t *vis, int n, const float *__restrict__ row, uint32_t it_lo, uint32_t it_hi,
		uint32_t ant, int p, int lane, uint64_t seed, uint32_t best, int city) {
	uint32_t mine = best, at = ALL;
	float limit = best == ALL ? __uint_as_float(0x7f800000u) : __uint_as_float(best);
	for (int b = 0; b * 256 < n; b++) {
		const int own = 8 * b + (lane & 7);
		if (__all_sync(ALL, own * 32 >= n || vis[own] == ALL)) continue;
		float x[8];
#pragma unroll
		for (int t = 0; t < 8; t++) {
			const int i = b * 256 + 32 * t + lane;
			x[t] = i < n && !(vis[i >> 5] >> lane & 1) ? row[i] : 0;
		}
		const ml_u4 q = ml_philox(seed, ml_u4{it_lo, it_hi ^ HIGH ^ (uint32_t)p, ant, (uint32_t)(b * 32 + lane)});
		uint32_t todo = 0;
#pragma unroll
		for (int t = 0; t < 8; t++)
			if (x[t] != 0 && early(word(q, t) >> (t >> 2) * 16 & 0xffff) * x[t] <= limit) todo |= 1u << t;
		if (!__any_sync(ALL, todo != 0)) continue;
		const ml_u4 l = ml_philox(seed, ml_u4{it_lo, it_hi ^ LOW ^ (uint32_t)p, ant, (uint32_t)(b * 32 + lane)});
#pragma unroll
		for (int t = 0; t < 8; t++) {
			if (!(todo >> t & 1)) continue;
			const int s = (t >> 2) * 16;
			const uint32_t u = (word(q, t) >> s & 0xffff) << 16 | (word(l, t) >> s & 0xffff);
			const uint32_t key = __float_as_uint(ml_expo32(u) * x[t]);
			if (key < mine) mine = key, at = b * 256 + 32 * t + lane;
		}
		__syncwarp();
		const uint32_t least = warp_min(mine);
		if (least != ALL) limit = __uint_as_float(least);
	}
	const uint32_t least = warp_min(mine);
	if (least >= best) return city;
	return (int)warp_min(mine == least ? at : ALL);
}

// wander makes the tour of an ant. With AHEAD the first proposals are drawn before it is known
// whether they are needed: shorter, but more work.
template <bool AHEAD>
static __device__ __forceinline__ void wander(const ground &g, const job *j, const float *__restrict__ table, const float *__restrict__ list,
		const float *__restrict__ cum, const uint16_t *__restrict__ guide, const tail *__restrict__ tails,
		uint16_t *tours, result *results, const keys &rk, int cells, int share) {
	extern __shared__ uint4 memory[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, words = g.words, ant = blockIdx.x * warps + warp;
	if (ant >= j->ants) return;
	uint16_t *open = (uint16_t *)((char *)memory + warp * share);
	uint32_t *vis = (uint32_t *)(open + LAST);
	unvisit(vis, n, words, lane);
	uint16_t *tour = tours + (size_t)ant * n;
	const uint16_t *__restrict__ ids = g.id;

	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi, agent = (uint32_t)ant * 32 + lane;
	const uint64_t seed = (uint64_t)rk.k[1] << 32 | rk.k[0];
	ml_u4 near = draw(it_lo, it_hi, agent, 0, rk), arrive = draw(it_lo, it_hi ^ ARRIVE, agent, 0, rk);
	int cur = (int)__shfl_sync(ALL, __umulhi(near.x, (uint32_t)n), 0);
	if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
	__syncwarp();
	uint32_t keep = cur;
	int p = 1;
	for (; n - p > LAST; p++) {
		const uint32_t id = ids[cur * 32 + lane];
		const float r = list[cur * 32 + lane];
		const tail from = tails[cur];
		const size_t row = (size_t)cur * n;
		const uint16_t *cell = guide + (size_t)cur * cells;
		if ((p & 3) == 0) near = draw(it_lo, it_hi, agent, p >> 2, rk), arrive = draw(it_lo, it_hi ^ ARRIVE, agent, p >> 2, rk);
		ml_u4 q;
		int lo = 0, hi = 0;
		auto entry = [&](float u) {
			const int b = min((int)(u * (float)cells), cells - 1);
			lo = cell[b];
			hi = b + 1 < cells ? cell[b + 1] : n - 1;
		};
		if (AHEAD) {
			q = draw(it_lo, it_hi ^ PROPOSE ^ (uint32_t)p, agent, 0, rk);
			entry(unit(q.x));
		}
		const float clock = ml_expo32(word(near, p & 3)), first = ml_expo32(word(arrive, p & 3));
		const bool open_here = !(vis[id >> 5] >> (id & 31) & 1);
		const uint32_t key = open_here ? __float_as_uint(clock * r) : ALL;
		uint32_t best = warp_min(key);
		const bool none = best == ALL;
		int city = (int)__shfl_sync(ALL, id, __ffs(__ballot_sync(ALL, key == best)) - 1);
		if (none) city = -1, best = 0x7f7fffffu;
		if (from.per != 0) { // the same for all lanes
			bool all = !none && __uint_as_float(best) > MOST * from.per;
			float time = first * from.per;
			bool alive = !all && time < __uint_as_float(best);
			for (int round = 0; __any_sync(ALL, alive); round++) {
				if ((round & 1) == 0 && (!AHEAD || round > 0)) q = draw(it_lo, it_hi ^ PROPOSE ^ (uint32_t)p, agent, round >> 1, rk);
				int to = 0;
				bool found = false;
				if (alive) {
					const float u = unit(round & 1 ? q.z : q.x);
					if (!AHEAD || round > 0) entry(u);
					to = find(cum + row, lo, hi, n - 1, u * from.total);
					found = !(vis[to >> 5] >> (to & 31) & 1);
				}
				__syncwarp();
				const uint32_t mine = found ? __float_as_uint(time) : ALL, least = warp_min(mine);
				if (least < best) {
					best = least;
					city = __shfl_sync(ALL, to, __ffs(__ballot_sync(ALL, mine == least)) - 1);
				}
				if (found) alive = false;
				else if (alive) time = time + ml_expo32(round & 1 ? q.w : q.y) * from.per;
				alive = alive && time < __uint_as_float(best);
				if (none && city < 0 && round == ROUNDS - 1) {
					all = true;
					break;
				}
			}
			if (all) { // near cities have had their clocks
				const uint32_t bit = 1u << (id & 31);
				if (open_here) atomicOr(vis + (id >> 5), bit);
				__syncwarp();
				city = scan(vis, n, table + row, it_lo, it_hi, (uint32_t)ant, p, lane, seed, none ? ALL : best, city);
				__syncwarp();
				if (open_here) atomicAnd(vis + (id >> 5), ~bit);
			}
		}
		__syncwarp(); // all have read vis
		cur = city;
		if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
		__syncwarp();
		if ((p & 31) == lane) keep = cur;
		if ((p & 31) == 31) tour[p - 31 + lane] = (uint16_t)keep;
	}
	int left = 0;
	for (int w = 0; w < words; w++) {
		const uint32_t have = ~vis[w];
		if (have >> lane & 1) open[left + __popc(have & ((1u << lane) - 1))] = (uint16_t)(32 * w + lane);
		left += __popc(have);
	}
	__syncwarp();
	for (; p < n; p++, left--) {
		const float *__restrict__ row = table + (size_t)cur * n;
		float x[4];
#pragma unroll
		for (int t = 0; t < 4; t++) x[t] = 32 * t + lane < left ? row[open[32 * t + lane]] : 0;
		const ml_u4 q = draw(it_lo, it_hi ^ HIGH ^ (uint32_t)p, (uint32_t)ant, lane, rk), l = draw(it_lo, it_hi ^ LOW ^ (uint32_t)p, (uint32_t)ant, lane, rk);
		uint32_t mine = ALL, at = ALL;
#pragma unroll
		for (int t = 0; t < 4; t++) {
			if (x[t] == 0) continue;
			const uint32_t key = __float_as_uint(ml_expo32(word(q, t) << 16 | (word(l, t) & 0xffff)) * x[t]);
			if (key < mine) mine = key, at = 32 * t + lane;
		}
		__syncwarp();
		const uint32_t least = warp_min(mine);
		at = warp_min(mine == least ? at : ALL);
		cur = open[at];
		__syncwarp();
		if (lane == 0) open[at] = open[left - 1];
		__syncwarp();
		if ((p & 31) == lane) keep = cur;
		if ((p & 31) == 31) tour[p - 31 + lane] = (uint16_t)keep;
	}
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, 0, lane);
}

#define WANDER(name, ahead)                                                                                                \
	extern "C" __global__ void __launch_bounds__(1024, 1) name(ground g, const job *j, const float *table, const float *list, \
			const float *cum, const uint16_t *guide, const tail *tails, uint16_t *tours, result *results, keys rk, int cells, \
			int share) {                                                                                                    \
		wander<ahead>(g, j, table, list, cum, guide, tails, tours, results, rk, cells, share);                              \
	}
WANDER(walk, false)
WANDER(walk_ahead, true)
