// Annealing of spins, 32 walks in the bits of a word; see metalab/solvers/spins for the law. A
// block is a group of 32 walks. Its threads take the slots of a colour side by side.
#include "../arith.h"

#define SWEEP (2u << 24) // the purpose of draws
#define SUMS 20          // planes of the sums of a thread
#define HEAD 66          // words before those of the walks: thresholds in planes, flips

// job is an iteration.
struct job {
	uint64_t seed;
	int64_t iteration;
	int32_t slots, colours, sweeps, stride; // stride: words of a group
	int32_t walks, beyond;                  // beyond: thresholds of even sums
	int32_t top[2];                         // the highest level with a threshold, of even and odd sums
};

// slice is 32 slots, whose edges are adjacent[from + 32 k + lane] for k below length.
struct slice {
	int64_t from;
	int32_t length, unused;
};

// place is a slot: a vertex and the number of its edges, or -1 for a slot without one.
struct place {
	int32_t vertex, degree;
};

// group is the result of a group.
struct group {
	int64_t good[32];
	unsigned long long flips, hash;
};

// net is an instance. The slots of colour c are from first[c] to before first[c + 1].
struct net {
	const int32_t *first;
	const slice *slices;
	const place *places;
	const int32_t *adjacent; // the other slot times 2, plus 1 if both are to be on one side
};

__device__ inline ml_u4 draw_of(const job &o, int32_t vertex, uint32_t sweep, uint32_t part) {
	ml_u4 c = {(uint32_t)o.iteration, (uint32_t)((uint64_t)o.iteration >> 32) ^ part << 20 ^ SWEEP,
		(uint32_t)vertex ^ sweep << 20, blockIdx.x};
	uint32_t k0 = (uint32_t)o.seed, k1 = (uint32_t)(o.seed >> 32);
	for (int i = 0; i < 10; i++) {
		c = ml_philox_wide(c, k0, k1);
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
	return c;
}

__device__ inline uint32_t word_of(const ml_u4 &r, int e) {
	return e == 0 ? r.x : e == 1 ? r.y : e == 2 ? r.z : r.w;
}

// used_of is the mask of the walks of this group that there are.
__device__ inline uint32_t used_of(const job &o) {
	const int left = o.walks - 32 * (int)blockIdx.x;
	return left < 32 ? (1u << left) - 1 : ~0u;
}

// beyond is which of the walks in rest flip, whose levels are above 16; planes hold the levels.
template <int K>
__device__ __noinline__ uint32_t beyond(job o, const uint32_t *planes, uint32_t rest, int odd,
		const uint32_t *more, int32_t vertex, uint32_t sweep) {
	uint32_t won = 0;
	const uint32_t *q = more + odd * o.beyond;
	for (uint32_t part = 0; rest && part < 8; part++) {
		const ml_u4 r = draw_of(o, vertex, sweep, part);
		for (uint32_t left = rest; left; left &= left - 1) {
			const int lane = __ffs(left) - 1;
			int level = 0;
			for (int j = 0; j < K; j++) level |= (int)(planes[j] >> lane & 1) << j;
			if (level > o.top[odd]) {
				rest &= ~(1u << lane);
				continue;
			}
			const uint32_t want = q[level - 1] << 4 * part >> 28;
			const uint32_t is = (r.x >> lane & 1) << 3 | (r.y >> lane & 1) << 2 |
													(r.z >> lane & 1) << 1 | (r.w >> lane & 1);
			if (is == want) continue;
			rest &= ~(1u << lane);
			won |= (uint32_t)(is < want) << lane;
		}
	}
	return won;
}

// flips is in which walks the vertex of a slot changes its side. K planes hold its good edges;
// up to N levels are compared side by side.
template <int K, int N>
__device__ __forceinline__ uint32_t flips(const job &o, const uint32_t *words, int slot, place v,
		const int32_t *adjacent, int length, const uint32_t *planes, const uint32_t *more, uint32_t used,
		uint32_t sweep) {
	const uint32_t own = words[slot];
	uint32_t c[K];
#pragma unroll
	for (int j = 0; j < K; j++) c[j] = 0;
	for (int k = 0; k < length; k += 2) { // edges that fill up join the slot to itself and add nothing
		const int a = adjacent[32 * k], b = adjacent[32 * k + 32];
		const uint32_t x = words[a >> 1] ^ own ^ (uint32_t)-(a & 1);
		const uint32_t y = words[b >> 1] ^ own ^ (uint32_t)-(b & 1);
		uint32_t carry = (c[0] & x) | (c[0] & y) | (x & y);
		c[0] ^= x ^ y;
#pragma unroll
		for (int j = 1; j < K; j++) {
			const uint32_t t = c[j] & carry;
			c[j] ^= carry;
			carry = t;
		}
	}
	const int half = v.degree >> 1, odd = v.degree & 1, top = o.top[odd];
	uint32_t less = 0, any = 0; // the sums become levels
#pragma unroll
	for (int j = 0; j < K; j++) {
		const uint32_t h = (uint32_t)-((half >> j) & 1), x = c[j];
		c[j] = x ^ h ^ less;
		less = (~x & h) | (~(x ^ h) & less);
		any |= c[j];
	}
	const uint32_t yes = less | ~any;
	uint32_t worse = ~yes & used;
#pragma unroll
	for (int j = 0; j < K; j++)
		if ((1 << j) > top) worse &= ~c[j];
	if (!worse) return yes;
	uint32_t level[N], open = 0, won = 0;
#pragma unroll
	for (int l = 1; l <= N; l++) {
		uint32_t m = 0;
		if (l <= top) {
			m = worse;
#pragma unroll
			for (int j = 0; j < K; j++) m &= (l >> j) & 1 ? c[j] : ~c[j];
		}
		level[l - 1] = m;
		open |= m;
	}
	const uint32_t rest = K > 5 ? worse & ~open : 0;
	for (int part = 0; open && part < 8; part++) {
		const ml_u4 r = draw_of(o, v.vertex, sweep, part);
#pragma unroll
		for (int e = 0; e < 4; e++) {
			const uint32_t t = planes[odd * 32 + part * 4 + e], u = word_of(r, e);
			uint32_t p = 0;
			if (t) {
#pragma unroll
				for (int l = 0; l < N; l++)
					if (t >> l & 1) p |= level[l];
			}
			won |= open & p & ~u;
			open &= ~(p ^ u);
		}
	}
	if (K > 5 && rest && top > N) {
		uint32_t all[K];
		for (int j = 0; j < K; j++) all[j] = c[j];
		won |= beyond<K>(o, all, rest, odd, more, v.vertex, sweep);
	}
	return yes | won;
}

// turn is in which walks the vertex of a slot changes its side; the length is that of all lanes
// of a warp, and even.
__device__ __forceinline__ uint32_t turn(const job &o, const net &g, const uint32_t *words,
		int slot, place v, const uint32_t *planes, const uint32_t *more, uint32_t used, uint32_t sweep) {
	const slice s = g.slices[slot >> 5];
	const int32_t *a = g.adjacent + s.from + (slot & 31);
#define FLIPS(K, N) flips<K, N>(o, words, slot, v, a, s.length, planes, more, used, sweep)
	if (s.length <= 2) return FLIPS(2, 2);
	if (s.length <= 6) return FLIPS(3, 4);
	if (s.length <= 14) return FLIPS(4, 8);
	if (s.length <= 30) return FLIPS(5, 16);
	if (s.length <= 62) return FLIPS(6, 16);
	if (s.length <= 4094) return FLIPS(12, 16);
	return FLIPS(16, 16);
#undef FLIPS
}

// sweep_all makes the sweeps of a group on words.
__device__ __forceinline__ void sweep_all(const job &o, const net &g, uint32_t *words,
		uint32_t *head, const uint32_t *table, group *out) {
	const uint32_t used = used_of(o);
	unsigned long long *total = (unsigned long long *)(head + 64), count = 0;
	for (int i = threadIdx.x; i < 64; i += blockDim.x) head[i] = table[i];
	if (threadIdx.x == 0) *total = 0;
	for (int s = 0; s < o.sweeps; s++)
		for (int c = 0; c < o.colours; c++) {
			__syncthreads();
			for (int i = g.first[c] + threadIdx.x; i < g.first[c + 1]; i += blockDim.x) {
				const place v = g.places[i];
				if (v.degree < 0) continue;
				const uint32_t f = turn(o, g, words, i, v, head, table + 64, used, (uint32_t)s);
				if (!f) continue;
				words[i] ^= f;
				count += __popc(f & used);
			}
		}
	__syncthreads();
	if (count) atomicAdd(total, count);
	__syncthreads();
	if (threadIdx.x == 0) out[blockIdx.x].flips = *total;
}

// spins_shared makes the sweeps of an iteration with the words of a group in shared memory.
extern "C" __global__ void __launch_bounds__(512, 2) spins_shared(job o, const int32_t *first,
		const slice *slices, const place *places, const int32_t *adjacent, const uint32_t *table,
		uint32_t *state, group *out) {
	extern __shared__ uint32_t shared[];
	const net g = {first, slices, places, adjacent};
	uint32_t *words = shared + HEAD, *mine = state + (int64_t)blockIdx.x * o.stride;
	for (int i = threadIdx.x; i <= o.slots; i += blockDim.x) words[i] = mine[i];
	sweep_all(o, g, words, shared, table, out);
	for (int i = threadIdx.x; i < o.slots; i += blockDim.x) mine[i] = words[i];
}

// spins_global is spins_shared with the words in the device's memory, for more vertices.
extern "C" __global__ void __launch_bounds__(512, 2) spins_global(job o, const int32_t *first,
		const slice *slices, const place *places, const int32_t *adjacent, const uint32_t *table,
		uint32_t *state, group *out) {
	extern __shared__ uint32_t shared[];
	const net g = {first, slices, places, adjacent};
	sweep_all(o, g, state + (int64_t)blockIdx.x * o.stride, shared, table, out);
}

// spins_count computes the good edges of the walks, each once, and the hash.
extern "C" __global__ void __launch_bounds__(512) spins_count(job o, const int32_t *first,
		const slice *slices, const place *places, const int32_t *adjacent, const uint32_t *state,
		group *out) {
	__shared__ unsigned long long sum[32], hash;
	const uint32_t *words = state + (int64_t)blockIdx.x * o.stride;
	const uint32_t used = used_of(o);
	for (int r = threadIdx.x; r < 32; r += blockDim.x) sum[r] = 0;
	if (threadIdx.x == 0) hash = 0;
	__syncthreads();
	uint32_t c[SUMS];
#pragma unroll
	for (int j = 0; j < SUMS; j++) c[j] = 0;
	int edges = 0;
	unsigned long long h = 0;
	for (int i = threadIdx.x;; i += blockDim.x) {
		const bool there = i < o.slots && places[i].degree >= 0;
		if (there) {
			const slice s = slices[i >> 5];
			const int32_t *a = adjacent + s.from + (i & 31);
			const uint32_t own = words[i];
			h += ml_mix64((uint64_t)(uint32_t)places[i].vertex << 32 | (own & used));
			for (int k = 0; k < s.length; k++) {
				const int b = a[32 * k];
				if ((b >> 1) <= i) continue;
				uint32_t carry = words[b >> 1] ^ own ^ (uint32_t)-(b & 1);
#pragma unroll
				for (int j = 0; j < SUMS; j++) {
					const uint32_t t = c[j] & carry;
					c[j] ^= carry;
					carry = t;
				}
				edges++;
			}
		}
		if (i >= o.slots || edges >= 1 << (SUMS - 1)) { // a slot has less than 2^16 edges more
			for (int r = 0; r < 32; r++) {
				uint32_t v = 0;
#pragma unroll
				for (int j = 0; j < SUMS; j++) v |= (c[j] >> r & 1) << j;
				if (v) atomicAdd(&sum[r], (unsigned long long)v);
			}
#pragma unroll
			for (int j = 0; j < SUMS; j++) c[j] = 0;
			edges = 0;
		}
		if (i >= o.slots) break;
	}
	if (h) atomicAdd(&hash, h);
	__syncthreads();
	for (int r = threadIdx.x; r < 32; r += blockDim.x) out[blockIdx.x].good[r] = (int64_t)sum[r];
	if (threadIdx.x == 0) out[blockIdx.x].hash = hash;
}

// spins_choose makes the words to, in which walk w has the sides of walk parents[w] of the words
// from; parents has a multiple of 32 walks.
extern "C" __global__ void __launch_bounds__(512) spins_choose(job o, const int32_t *parents,
		const uint32_t *from, uint32_t *to) {
	__shared__ int32_t parent[32];
	for (int r = threadIdx.x; r < 32; r += blockDim.x) parent[r] = parents[32 * blockIdx.x + r];
	__syncthreads();
	for (int i = threadIdx.x; i < o.slots; i += blockDim.x) {
		uint32_t w = 0;
		for (int r = 0; r < 32; r++) {
			const int32_t p = parent[r];
			w |= (from[(int64_t)(p >> 5) * o.stride + i] >> (p & 31) & 1) << r;
		}
		to[(int64_t)blockIdx.x * o.stride + i] = w;
	}
	if (threadIdx.x == 0) to[(int64_t)blockIdx.x * o.stride + o.slots] = ~0u;
}
