// MAX-MIN Ant System without lists, by thinning: the kernels of mmas/thin. What they compute is
// stated in solvers/ants/cpu/thin.go, whose results they have bit for bit.
//
// A warp is an ant. Its lanes are the near cities' slots and the arrivals of a batch.
//
// Versions: each choice drew arrivals of its own, three words a lane, and found a city by a guide
// and a search of running sums; since revision 2 one process of arrivals serves all choices, 32
// drawn at a time, an arrival reads one cell of an alias table, and the four heaviest other cities
// have clocks too. The loop over choices has no call; in blocks of up to 20 ants four choices
// stand one behind the other.
//
// Figures (bench ants-gpu-iteration): a construction of n ants takes 0.352, 1.35 and 3.79 ms on
// pr1002, pr2392 and fl3795 on an H200.
#include "thin.cuh"

#define ARRIVE (1u << 29)
#define FINAL (3u << 29)
#define HIGH (1u << 31)
#define LOW (3u << 30)
#define LAST 128 // choices at the end that look at a list of what is unvisited
#define END 64.0f // of time
#define ALMOST_END 0x1.fffffep+5f // the number before END
#define LEAVE 24  // arrivals behind which a batch is left
#define NEVER 0x7f800000u

// clock_floor is not above the variate of a draw with the high half h.
static __device__ __forceinline__ float clock_floor(uint32_t h) {
	return (float)(0xffff - h) * (1.43f * 0x1p-16f);
}

// philox_rounds makes the rounds from A to B, by products of 64 bits: a device has them in one
// instruction.
template <int A, int B>
static __device__ __forceinline__ void philox_rounds(ml_u4 &q, const keys &rk) {
#pragma unroll
	for (int i = A; i < B; i++) {
		const uint64_t z = (uint64_t)0xCD9E8D57u * q.z, x = (uint64_t)0xD2511F53u * q.x;
		q = ml_u4{(uint32_t)(z >> 32) ^ q.y ^ rk.k[2 * i], (uint32_t)z,
				(uint32_t)(x >> 32) ^ q.w ^ rk.k[2 * i + 1], (uint32_t)x};
	}
}

static __device__ __forceinline__ ml_u4 draw(
		uint32_t a, uint32_t b, uint32_t c, uint32_t d, const keys &rk) {
	ml_u4 q = {a, b, c, d};
	philox_rounds<0, 10>(q, rk);
	return q;
}

static __device__ __forceinline__ uint32_t word(const ml_u4 &q, int i) {
	return i & 2 ? (i & 1 ? q.w : q.z) : i & 1 ? q.y : q.x;
}

// Shared memory by 32-bit addresses that the compiler does not make anew, and the lane.
#ifdef __CUDACC__
typedef uint32_t shared_address;
static __device__ __forceinline__ shared_address shared_address_of(const void *p) {
	uint32_t a = (uint32_t)__cvta_generic_to_shared(p);
	asm volatile("" : "+r"(a));
	return a;
}
static __device__ __forceinline__ uint32_t get(shared_address a) {
	uint32_t v;
	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	return v;
}
static __device__ __forceinline__ void put(shared_address a, uint32_t v) {
	asm volatile("st.shared.u32 [%0], %1;" : : "r"(a), "r"(v) : "memory");
}
static __device__ __forceinline__ int lane_of_thread() {
	int l;
	asm volatile("mov.u32 %0, %%laneid;" : "=r"(l));
	return l;
}
// load is *p where need is true, else 0; it is asked for where it stands.
static __device__ __forceinline__ uint32_t load(const uint32_t *p, bool need) {
	uint32_t v;
	asm volatile(
			"{ .reg .pred q; setp.ne.u32 q, %2, 0; mov.u32 %0, 0; @q ld.global.cg.u32 %0, [%1]; }"
			: "=r"(v)
			: "l"(p), "r"((uint32_t)need));
	return v;
}
static __device__ __forceinline__ uint32_t load(const uint16_t *p) {
	uint32_t v;
	asm volatile("{ .reg .u16 h; ld.global.nc.u16 h, [%1]; cvt.u32.u16 %0, h; }" : "=r"(v) : "l"(p));
	return v;
}
static __device__ __forceinline__ float load(const float *p) {
	float v;
	asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
	return v;
}
static __device__ __forceinline__ void store_city(uint16_t *p, uint32_t v) {
	asm volatile("{ .reg .u16 h; cvt.u16.u32 h, %1; st.global.u16 [%0], h; }"
							 :
							 : "l"(p), "r"(v)
							 : "memory");
}
// pin has x made where it stands, not in a branch that may not need it.
static __device__ __forceinline__ void pin(float &x) { asm volatile("" : "+f"(x)); }
static __device__ __forceinline__ void pin(uint32_t &x) { asm volatile("" : "+r"(x)); }
template <class T> static __device__ __forceinline__ T *held(
		T *p) { // in registers, not a parameter that is read again
	asm volatile("" : "+l"(p));
	return p;
}
#else
typedef uintptr_t shared_address;
static shared_address shared_address_of(const void *p) { return (shared_address)p; }
static uint32_t get(shared_address a) { return *(uint32_t *)a; }
static void put(shared_address a, uint32_t v) { *(uint32_t *)a = v; }
static int lane_of_thread() { return threadIdx.x & 31; }
static uint32_t load(const uint32_t *p, bool need) { return need ? *p : 0; }
template <class T> static T load(const T *p) { return *p; }
static void store_city(uint16_t *p, uint32_t v) { *p = (uint16_t)v; }
template <class T> static void pin(T &) {}
template <class T> static T *held(T *p) { return p; }
#endif

// ml_expo32 in two halves.
struct expo_half {
	float t, k;
};

static __device__ __forceinline__ expo_half expo_begin(uint32_t u) {
	u |= 1u;
	const int lz = ML_CLZ(u);
	const uint32_t m = u << lz,
								 low = (uint32_t)((int32_t)(m - 0xAAAAAAABu) >> 31);  // low: all ones, or 0
	const float s = __uint_as_float(0x2f800000u ^ (low & 0x9f800000u)); // 2^-32, or -2^-31
	return {ML_FMA32((float)(int32_t)(m ^ ~(low & 0x7fffffffu)), s, 0.5f * s),
			(float)(lz - (int32_t)low)};
}

static __device__ __forceinline__ float expo_end(expo_half h) {
	float p = 0x1.ee035cp-3f;
	p = ML_FMA32(p, h.t, 0x1.1e9140p-2f);
	p = ML_FMA32(p, h.t, 0x1.256540p-2f);
	p = ML_FMA32(p, h.t, 0x1.6f02ccp-2f);
	p = ML_FMA32(p, h.t, 0x1.ec780ep-2f);
	p = ML_FMA32(p, h.t, 0x1.7158a2p-1f);
	p = ML_FMA32(p, h.t, 0x1.715476p+0f);
	return ML_FMA32(h.t, p, h.k);
}

template <int N> struct number {
	static constexpr int value = N;
};

// choose_among_all gives all that vis has unvisited new clocks. It returns city where none is
// before best, the bits of a clock, ALL if there is none.
static __device__ __noinline__ int choose_among_all(const uint32_t *vis, int n,
		const float *__restrict__ row, uint32_t it_lo, uint32_t it_hi, uint32_t ant, int p, int lane,
		uint64_t seed, uint32_t best, int city) {
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
		const ml_u4 q =
				ml_philox(seed, ml_u4{it_lo, it_hi ^ HIGH ^ (uint32_t)p, ant, (uint32_t)(b * 32 + lane)});
		uint32_t todo = 0;
#pragma unroll
		for (int t = 0; t < 8; t++)
			if (x[t] != 0 && clock_floor(word(q, t) >> (t >> 2) * 16 & 0xffff) * x[t] <= limit)
				todo |= 1u << t;
		if (!__any_sync(ALL, todo != 0)) continue;
		const ml_u4 l =
				ml_philox(seed, ml_u4{it_lo, it_hi ^ LOW ^ (uint32_t)p, ant, (uint32_t)(b * 32 + lane)});
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

// construct_tour makes the tour of an ant.
//
// All of a choice is in the inner loop but what needs more: a new batch, a look at all cities. The
// loop has no call, so all that it needs stays in registers; the clocks of later choices are drawn
// while loads and reductions are under way. With FOUR four choices stand one behind the other,
// which share the draw of a block; that takes more registers.
template <bool FOUR> static __device__ __forceinline__ void construct_tour(const instance &g,
		const job *j, const float *__restrict__ weights, const uint16_t *__restrict__ near,
		const float *__restrict__ rates, const uint32_t *__restrict__ cells,
		const float *__restrict__ gaps, uint16_t *tours, result *results, const keys &rk, int share) {
	extern __shared__ uint4 memory[];
	const int lane = lane_of_thread(), warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, words = g.words, ant = blockIdx.x * warps + warp, end = n - LAST;
	if (ant >= j->ants) return;
	uint16_t *open = (uint16_t *)((char *)memory + warp * share);
	uint32_t *vis = (uint32_t *)(open + LAST);
	clear_visited(vis, n, words, lane);
	const shared_address bits = shared_address_of(vis);
	uint16_t *tour = tours + (size_t)ant * n;
	const uint16_t *ids = held(near + lane);
	const float *list = held(rates + lane);
	const uint32_t *alias = held(cells);
	uint16_t *out = held(tour + lane - 31);
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi, agent = (uint32_t)ant * 32 + lane;

	ml_u4 q = draw(it_lo, it_hi, agent, 0, rk);
	uint32_t cur = __shfl_sync(ALL, __umulhi(q.x, (uint32_t)n), 0);
	if (lane == 0) put(bits + (cur >> 5) * 4, get(bits + (cur >> 5) * 4) | 1u << (cur & 31));
	__syncwarp();
	uint32_t keep = cur;
	int p = 1;
	auto append = [&](uint32_t to,
										bool may_end) { // marks no bit; may_end: 32 positions may end with p
		cur = to;
		if ((p & 31) == lane) keep = to;
		if (may_end && (p & 31) == 31) store_city(out + p, keep);
	};
	float at = 0, now = 0, leave = 0,
				full = 0; // of this lane's arrival; the ant's; of the arrivals LEAVE - 1 and 31
	uint32_t cell = 0, part = 0, batch = 0;
	float at_next = 0;
	uint32_t draw_next = 0;
	auto next_batch = [&] {
		uint32_t u;
		if (batch & 1) {
			at = at_next, u = draw_next;
		} else {
			const ml_u4 r = draw(it_lo, it_hi ^ ARRIVE, batch >> 1, agent, rk);
			float x = ml_expo32(r.x), y = ml_expo32(r.z);
#pragma unroll
			for (int d = 1; d < 32; d <<= 1) {
				const float a = __shfl_sync(ALL, x, lane - d & 31), b = __shfl_sync(ALL, y, lane - d & 31);
				if (lane >= d) x = x + a, y = y + b;
			}
#pragma unroll
			for (int d = 1; d < 32; d <<= 1) {
				const float a = __shfl_sync(ALL, x, lane - d & 31), b = __shfl_sync(ALL, y, lane - d & 31);
				if (lane >= d) x = fmaxf(x, a), y = fmaxf(y, b);
			}
			at = x, at_next = y, u = r.y, draw_next = r.w;
		}
		cell = __umulhi(u, (uint32_t)n), part = u * (uint32_t)n >> 16;
		now = 0, batch++;
		leave = __shfl_sync(ALL, at, LEAVE - 1), full = __shfl_sync(ALL, at, 31);
	};
	auto proposed = [&](uint32_t word) { return part < word >> 16 ? cell : word & 0xffff; };
	expo_half half = expo_begin(q.y); // of the clock of position p
	ml_u4 s = q;                      // the block of the next four positions, as far as it is made
	next_batch();
	for (;;) {
		uint32_t id = 0, key = 0, best = 0;
		bool stuck = false;
		// A choice, at a position whose remainder by 4 is F, or any where that is -1. It returns
		// whether that is all for now: it is stuck, or wants a batch.
		auto step = [&](auto remainder) {
			constexpr int F = decltype(remainder)::value;
			id = load(ids + cur * 32);
			const float r = load(list + cur * 32), t = at - now;
			const uint32_t bit = 1u << (id & 31);
			shared_address there = bits + (id >> 5) * 4;
			const uint32_t have = get(there);
			float ring = expo_end(half) * r;
			pin(ring);
			uint32_t marked = have | bit;
			key = have == marked ? NEVER : __float_as_uint(ring);
			best = warp_min(key);
			expo_half then;
			if constexpr (F == 0) {
				s = ml_u4{it_lo, it_hi, agent, (uint32_t)(p >> 2) + 1};
				philox_rounds<0, 3>(s, rk);
				then = expo_begin(q.y);
			} else if constexpr (F == 1) {
				philox_rounds<3, 6>(s, rk);
				then = expo_begin(q.z);
			} else if constexpr (F == 2) {
				philox_rounds<6, 10>(s, rk);
				then = expo_begin(q.w);
			} else {
				if constexpr (F == 3) q = s;
				else if ((p & 3) == 3) q = draw(it_lo, it_hi, agent, (uint32_t)(p >> 2) + 1, rk);
				then = expo_begin(F == 3 ? q.x : word(q, p + 1));
			}
			const float first = __uint_as_float(best), rest = fminf(first, END),
									cover = fminf(full - now, ALMOST_END);
			uint32_t city = warp_min(key == best ? id : ALL), who = id;
			float later = now + first;
			pin(marked);
			const bool in = t > 0 && t < rest;
			if (__any_sync(ALL, in || first > cover)) {
				const uint32_t to = proposed(load(alias + (cur * (uint32_t)n + cell), in)),
											 its = 1u << (to & 31);
				const shared_address far = bits + (to >> 5) * 4;
				const uint32_t seen = get(far);
				const bool found = in && !(seen & its);
				const uint32_t came = warp_min(found ? (uint32_t)lane << 16 | to : ALL);
				if (came != ALL) {
					city = came & 0xffff, later = __shfl_sync(ALL, at, came >> 16);
					who = to, there = far, marked = seen | its; // of all lanes that have it these are the same
				} else if (first > cover) {
					half = then;
					return stuck = true;
				}
			}
			if (who == city) put(there, marked);
			__syncwarp();
			append(city, F == 3 || F < 0);
			half = then, now = later, p++;
			return now >= leave;
		};
		while (!stuck && p < end && now < leave) {
			if constexpr (FOUR) {
				if ((p & 3) == 0 && p + 4 <= end) {
					while (
							!(step(number<0>()) || step(number<1>()) || step(number<2>()) || step(number<3>())) &&
							p + 4 <= end)
						continue;
					continue;
				}
			}
			step(number<-1>());
		}
		if (stuck) { // key, id and best are those of the near cities
			const float first = __uint_as_float(best);
			float rest = fminf(first, END);
			int city = -1;
			for (;;) {
				const float t = at - now;
				const bool in = t > 0 && t < rest;
				const uint32_t to = proposed(load(alias + (cur * (uint32_t)n + cell), in));
				const uint32_t came = warp_min(
						in && !(get(bits + (to >> 5) * 4) >> (to & 31) & 1) ? (uint32_t)lane << 16 | to : ALL);
				if (came != ALL) {
					city = came & 0xffff, now = __shfl_sync(ALL, at, came >> 16);
					break;
				}
				const float cover = full - now;
				if (rest <= cover) {
					now = now + rest;
					break;
				}
				rest = rest - cover;
				next_batch();
			}
			if (city < 0) {
				if (best != NEVER) city = (int)warp_min(key == best ? id : ALL);
				if (first >= END) { // near cities have had their clocks
					const uint32_t bit = key == NEVER ? 0 : 1u << (id & 31);
					if (bit) atomicOr(vis + (id >> 5), bit);
					__syncwarp();
					city = choose_among_all(vis, n, weights + (size_t)cur * n, it_lo, it_hi, (uint32_t)ant, p,
							lane, (uint64_t)rk.k[1] << 32 | rk.k[0],
							best == NEVER ? ALL : __float_as_uint((first - END) * gaps[cur]), city);
					__syncwarp();
					if (bit) atomicAnd(vis + (id >> 5), ~bit);
				}
			}
			__syncwarp(); // all have read the bits
			if (lane == 0)
				put(bits + ((uint32_t)city >> 5) * 4,
						get(bits + ((uint32_t)city >> 5) * 4) | 1u << (city & 31));
			__syncwarp();
			append((uint32_t)city, true);
			p++;
		} else if (p >= end) {
			break;
		}
		if (leave <= now) next_batch();
	}

	__syncwarp();
	int left = 0;
	for (int w = 0; w < words; w++) {
		const uint32_t have = ~get(bits + w * 4);
		if (have >> lane & 1) open[left + __popc(have & ((1u << lane) - 1))] = (uint16_t)(32 * w + lane);
		left += __popc(have);
	}
	__syncwarp();
	// This lane's places of the list, ALL where the city is visited. The list is made dense where 32
	// fewer are left.
	uint32_t mine[4];
	float clocks[4];
#pragma unroll
	for (int t = 0; t < 4; t++) mine[t] = 32 * t + lane < left ? open[32 * t + lane] : ALL;
	__syncwarp();
	auto choose = [&](auto tiles) {
		constexpr int T = decltype(tiles)::value;
		if (n - p <= 32 * (T - 1)) return;
		auto draw_clocks = [&](int m) {
			const ml_u4 r = draw(it_lo, it_hi ^ FINAL, (uint32_t)m, agent, rk);
#pragma unroll
			for (int t = 0; t < T; t++) clocks[t] = ml_expo32(word(r, t));
		};
		draw_clocks(p);
		for (; n - p > 32 * (T - 1); p++) {
			float x[T], c[T];
			const float *__restrict__ row = weights + (size_t)cur * n;
#pragma unroll
			for (int t = 0; t < T; t++) {
				x[t] = 0, c[t] = clocks[t];
				if (mine[t] != ALL) x[t] = row[mine[t]];
			}
			draw_clocks(p + 1);
			uint32_t key = ALL, who = ALL;
#pragma unroll
			for (int t = 0; t < T; t++) {
				const uint32_t k = mine[t] == ALL ? ALL : __float_as_uint(c[t] * x[t]);
				if (k < key) key = k, who = mine[t];
			}
			const uint32_t best = warp_min(key), city = warp_min(key == best ? who : ALL);
#pragma unroll
			for (int t = 0; t < T; t++)
				if (mine[t] == city) mine[t] = ALL;
			append(city, true);
		}
		int have = 0;
#pragma unroll
		for (int t = 0; t < T; t++) {
			const uint32_t some = __ballot_sync(ALL, mine[t] != ALL);
			if (mine[t] != ALL) open[have + __popc(some & ((1u << lane) - 1))] = (uint16_t)mine[t];
			have += __popc(some);
		}
		__syncwarp();
#pragma unroll
		for (int t = 0; t < T - 1; t++) mine[t] = open[32 * t + lane];
		__syncwarp();
	};
	choose(number<4>());
	choose(number<3>());
	choose(number<2>());
	choose(number<1>());
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)keep;
	__syncwarp();
	finish(g, tour, results + 1 + ant, 0, lane);
}

// table: n x n reciprocals of all weights. ids, list: n x 32 by slot, the near cities and what
// their clocks are multiplied with. alias: n x n cells, the alias tables. gaps: by city, the
// tail's share of a unit of time. g, j, tours, results and rk are those of common.cuh. share:
// bytes of shared memory an ant.
//
// Launch: ceil(ants / w) blocks of w warps; construct_small takes up to 20 and has more registers.
// Bound: the latency of a choice: a row of near cities, two reductions, a cell from L2. Figures:
// above.
#define THIN_KERNEL(name, four, threads)                                                  \
	extern "C" __global__ void __launch_bounds__(threads, 1) name(instance g, const job *j, \
			const float *table, const uint16_t *ids, const float *list, const uint32_t *alias,  \
			const float *gaps, uint16_t *tours, result *results, keys rk, int share) {          \
		construct_tour<four>(g, j, table, ids, list, alias, gaps, tours, results, rk, share); \
	}
THIN_KERNEL(construct, false, 1024)
THIN_KERNEL(construct_small, true, 640)
