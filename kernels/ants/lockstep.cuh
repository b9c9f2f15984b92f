// The construction of acs/lockstep: see lockstep.cu.
#ifndef METALAB_ANTS_LOCKSTEP_CUH
#define METALAB_ANTS_LOCKSTEP_CUH

#define NEAREST_CALL __forceinline__
#include "acs.cuh"

#define PLACES 4 // Outs of solvers/ants

#define NUMBER_BITS 21
#define NOTHING ((1u << NUMBER_BITS) - 1) // in place of a number: no visit
#define QUADS 4                           // of words that a lane has under way at once

// What an entry adds to a choice: the trail above tau0 at the iteration's start, the second
// factor of the weight, where the edge leads (the city in the low 16 bits, the entry of
// the edge back in that city's row in the next 6, and BACK if there is one), and the number of its
// count.
struct __align__(16) edge {
	float gap, eta;
	uint32_t link, number;
};

#define BACK (1u << 22) // of a link: the other city's row has the edge, too

static __device__ __forceinline__ uint32_t city_at(uint32_t link) { return link & 0xffff; }
static __device__ __forceinline__ int back_at(uint32_t link) { return link >> 16 & 63; }

// Addresses in shared memory are held as 32 bits, and what every step needs is not made anew.
#ifdef __CUDACC__
typedef uint32_t shared_address;
static __device__ __forceinline__ shared_address shared_address_of(const void *p) {
	shared_address a = (shared_address)__cvta_generic_to_shared(p);
	asm volatile("" : "+r"(a));
	return a;
}
static __device__ __forceinline__ uint32_t get(shared_address a) {
	uint32_t v;
	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	return v;
}
static __device__ __forceinline__ uint32_t get_half(shared_address a) {
	uint16_t v;
	asm volatile("ld.shared.u16 %0, [%1];" : "=h"(v) : "r"(a) : "memory");
	return v;
}
static __device__ __forceinline__ void put(shared_address a, uint32_t v) {
	asm volatile("st.shared.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory");
}
static __device__ __forceinline__ void add(shared_address a, uint32_t v) {
	asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory");
}
// Words are read and written as they are in L2, in no order.
static __device__ __forceinline__ void post(uint32_t *p, uint32_t v) {
	asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
static __device__ __forceinline__ uint4 four(const uint32_t *p) {
	uint4 v;
	asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
							 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
							 : "l"(p)
							 : "memory");
	return v;
}
// What warps of a block tell each other, after what they did before.
static __device__ __forceinline__ void release(shared_address a, uint32_t v) {
	asm volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory");
}
static __device__ __forceinline__ void release_one(shared_address a) {
	asm volatile("red.release.cta.shared.add.u32 [%0], 1;" ::"r"(a) : "memory");
}
static __device__ __forceinline__ uint32_t acquire(shared_address a) {
	uint32_t v;
	asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	return v;
}
#else // the emulator has the rest
typedef char *shared_address;
static shared_address shared_address_of(const void *p) { return (shared_address)p; }
static uint32_t get(shared_address a) { return *(uint32_t *)a; }
static uint32_t get_half(shared_address a) { return *(uint16_t *)a; }
static void put(shared_address a, uint32_t v) { *(uint32_t *)a = v; }
static void add(shared_address a, uint32_t v) { *(uint32_t *)a += v; }
static void release(shared_address a, uint32_t v) { put(a, v); }
static void release_one(shared_address a) { *(uint32_t *)a += 1; }
#endif

// fixed is x, which is kept then and not made again from what it was made of.
template <class T> static __device__ __forceinline__ T fixed(T x) {
	return __shfl_sync(ALL, x, threadIdx.x & 31);
}

// arrive tells that a warp has counted its visits; the block's last warp tells the
// other blocks.
static __device__ __forceinline__ void arrive(
		uint32_t *here, uint32_t *bar, uint32_t last, int lane) {
	__syncwarp();
	if (lane == 0) {
		uint32_t old;
		asm volatile("atom.acq_rel.cta.shared.add.u32 %0, [%1], 1;"
				: "=r"(old) : "r"((uint32_t)__cvta_generic_to_shared(here)) : "memory");
		if (old == last) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(bar) : "memory");
	}
}

// wait lets a block go on when all blocks have arrived.
static __device__ __forceinline__ void wait(uint32_t *bar, uint32_t target) {
	if (threadIdx.x == 0) {
		uint32_t v;
		do {
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(bar) : "memory");
		} while (v < target);
	}
	__syncthreads();
}

// What a construct is given beside the instance, the job and the rules.
struct lockstep_args {
	const edge *edges;
	uint32_t *count; // two banks by entry; in construct by number, what is counted in the end
	const float *powers;
	const float *tops; // by city: octaves of the distance to the first candidate and 0.1
	uint16_t *tours;
	result *results;
	uint32_t *bar;   // construct_global: the blocks that have arrived
	uint32_t *words; // construct: four banks of posted words
	int room;        // words of a bank
	int block_ants;     // the warps of a block that are ants
	int numbers;     // of counts
	int spread;      // eight words of a bank stand 1 << spread words apart
};

// word_of is where the word of an ant stands.
static __device__ __forceinline__ int word_of(const lockstep_args &w, int ant) {
	return (ant >> 3 << w.spread) + (ant & 7);
}

// tags are the bits of a word that say of which meeting it is: the words of the last meeting in a
// bank have others.
static __device__ __forceinline__ uint32_t tag_of(int meeting) {
	return (uint32_t)meeting << NUMBER_BITS;
}

// What the warps of a block share.
struct block_shared {
	shared_address table;  // (1 - rho)^c by c
	shared_address counts; // construct: by number, of 16 bits
	shared_address chosen; // by ant of the block: the last meeting whose choice it has made
	shared_address done;   // how often a warp has counted a meeting
	shared_address spare;  // 32 words
	uint32_t *here;
};

// meets tells whether ants meet after position s, and whether a choice there is a visit. left
// counts down to it.
static __device__ __forceinline__ bool meets(int s, int n, int period, int &left, bool &visit) {
	visit = --left == 0;
	if (visit) left = period;
	return visit || s == n - 1;
}

// counted waits until this block has counted a meeting.
static __device__ __forceinline__ void wait_counted(
		const block_shared &c, int meeting, int counters) {
	while ((int)(acquire(c.done) - (uint32_t)(meeting * counters)) < 0) {
	}
}

// count_visits counts the visits of all ants at each meeting. The block's warps that are no ants
// call it. A lane has QUADS times four words under way at once.
static __device__ __forceinline__ void count_visits(
		const lockstep_args &w, const block_shared &c, int n, int ants, int period, int lane) {
	const int stride = blockDim.x - w.block_ants * 32, quads = (ants + 3) >> 2,
						first = (threadIdx.x & ~31) - w.block_ants * 32;
	const shared_address mine = c.chosen + min(lane, w.block_ants - 1) * 4, spare = c.spare + lane * 4;
	int left = period, meeting = 0;
	bool visit;
	for (int s = 1; s < n; s++) {
		if (!meets(s, n, period, left, visit)) continue;
		const uint32_t tag = tag_of(++meeting), *words = w.words + (meeting & 3) * w.room;
		for (int base = first; base < quads; base += QUADS * stride) {
			uint4 v[QUADS];
			bool late[QUADS], some;
			const uint32_t *at[QUADS];
#pragma unroll
			for (int k = 0; k < QUADS; k++) {
				const int q = base + k * stride + lane;
				at[k] = words + word_of(w, 4 * q);
				late[k] = q < quads;
				v[k].x = v[k].y = v[k].z = v[k].w = NOTHING;
			}
			do {
#pragma unroll
				for (int k = 0; k < QUADS; k++)
					if (late[k]) v[k] = four(at[k]);
				some = (int)acquire(mine) < meeting; // an ant has not chosen
#pragma unroll
				for (int k = 0; k < QUADS; k++) {
					if (!late[k]) continue;
					late[k] = ((v[k].x ^ tag) | (v[k].y ^ tag) | (v[k].z ^ tag) | (v[k].w ^ tag)) >> NUMBER_BITS;
					some = some || late[k];
				}
			} while (__any_sync(ALL, some));
			auto count = [&](uint32_t word) { // no visits are counted where nobody looks: that takes
				                                // no branch
				const uint32_t number = word & NOTHING;
				add(number != NOTHING ? c.counts + (number >> 1) * 4 : spare, number & 1 ? 1u << 16 : 1u);
			};
#pragma unroll
			for (int k = 0; k < QUADS; k++)
				if (base + k * stride < quads) count(v[k].x), count(v[k].y), count(v[k].z), count(v[k].w);
		}
		__syncwarp();
		if (lane == 0) release_one(c.done);
	}
}

// run_without_ant is the part of a warp without an ant.
template <bool SHARED>
static __device__ __forceinline__ void run_without_ant(const lockstep_args &w,
		const block_shared &c, int n, int period, int block_ants, int warp, int lane) {
	if (SHARED) {
		if (lane == 0) release(c.chosen + warp * 4, 1u << 30);
		return;
	}
	int left = period, meeting = 0;
	bool visit;
	for (int s = 1; s < n; s++) {
		if (!meets(s, n, period, left, visit)) continue;
		wait(w.bar, (uint32_t)meeting++ * gridDim.x);
		arrive(c.here, w.bar, (uint32_t)meeting * block_ants - 1, lane);
	}
	wait(w.bar, (uint32_t)meeting * gridDim.x);
}

// octaves is that of solvers/ants.
static __device__ __forceinline__ float octaves(float x) {
	const uint32_t b = __float_as_uint(x);
	return (float)((int)(b >> 23) - 126) - ml_expo32(b << 8 | 1u << 31);
}

// construct_tour makes the tour of an ant. With EACH local_period is 1: ants meet after each
// position.
template <int PITCH, bool SHARED, bool EACH>
static __device__ __forceinline__ void construct_tour(const instance &g, const job *j,
		const rules *a, const lockstep_args &w, const block_shared &c, const keys &rk, uint32_t *vis,
		int block_ants, int ant, int warp, int lane) {
	constexpr bool LONG = PITCH > 32;
	constexpr uint32_t LISTED = LONG ? ALL : (1u << (32 - PLACES)) - 1; // the lanes with candidates
	const int n = g.n, words = g.words, period = a->period, counters = (blockDim.x >> 5) - block_ants;
	const uint32_t entries = n * PITCH, before = fixed((1u << lane) - 1);
	const shared_address chosen = c.chosen + warp * 4, seen_at = fixed(shared_address_of(vis));
	uint16_t *tour = w.tours + (size_t)ant * n;
	uint32_t *posted = w.words + word_of(w, ant);
	const int extra =
			ant == j->ants - 1 ? 3 & ~ant : 0; // words of nobody that stand behind the last one
	const edge *rows = w.edges + lane;
	const int second = 32 + (lane & 3); // with LONG: a place, of lanes 0 to 3
	const uint32_t far_slot = 32 - PLACES + (lane & 3); // its slot in draws and keys
	const bool has_second = lane < PLACES;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi;
	const uint64_t greedy = a->greedy;
	const float tau0 = a->tau0;
	clear_visited(vis, n, words, lane);

	uint32_t explore[4];
	int cur = (int)__shfl_sync(ALL,
			__umulhi(draw_explore(explore, it_lo, it_hi, ant, 0, lane, greedy, rk).x, (uint32_t)n), 0);
	const int start = cur;
	if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
	__syncwarp();
	uint32_t ahead =
			__ballot_sync(ALL, explores_at(explore, lane)); // at which of 32 positions
	uint32_t kept = cur;
	int fallbacks = 0, s = 1, left = period, meeting = 0;
	int mine = -1, back = -1; // far: the entries of this lane's visit that is in one bank only
	bool met = true;          // far: the last meeting was not waited for
	// Of this lane's edge: eta is 0 where it leads to a city that is visited. open are the lanes of
	// the others. With LONG far is the edge in this lane's place, far_open are the lanes of those.
	struct seen_edge {
		float gap, eta;
		uint32_t link, number, seen;
	};
	seen_edge near, far = {0, 0, 0, 0, 0};
	uint32_t open, far_open = 0;
	auto see = [&](seen_edge &x, const edge &e, bool counts) {
		x.gap = e.gap, x.link = e.link, x.number = e.number;
		x.seen = get(seen_at + (city_at(x.link) >> 5) * 4);
		const bool closed = !counts || x.seen >> (x.link & 31) & 1;
		x.eta = closed ? 0 : e.eta;
		return __ballot_sync(ALL, !closed);
	};
	auto look = [&] {
		const edge e = rows[cur * PITCH], f = LONG ? rows[cur * PITCH + second - lane] : e;
		__syncwarp(); // what was visited is written
		open = see(near, e, true);
		if (LONG) far_open = see(far, f, has_second);
	};
	look();
	// go moves the ant to a city; by the lane's edge x where wins.
	auto go = [&](int city, const seen_edge &x, bool wins) {
		cur = city;
		if (wins) put(seen_at + (city_at(x.link) >> 5) * 4, x.seen | 1u << (x.link & 31));
		if ((s & 31) == lane) kept = cur;
		if ((s & 31) == 31) tour[s - 31 + lane] = (uint16_t)kept;
		if ((++s & 31) == 0) {
			if ((s & 127) == 0) draw_explore(explore, it_lo, it_hi, ant, s >> 7, lane, greedy, rk);
			ahead = __ballot_sync(ALL, explores_at(explore, s + lane));
		}
		look();
	};
	// leave is a choice's end, or the beginning of a fallback, that a meeting follows: with a visit
	// of the lane's edge x, in an entry, where visits; wins is of one lane.
	auto leave = [&](const seen_edge &x, int entry, bool wins, bool visits) {
		meeting++;
		if (SHARED) {
			uint32_t *to = posted + (meeting & 3) * w.room;
			if (wins) post(to, tag_of(meeting) | (visits ? x.number : NOTHING));
			if (lane < extra) post(to + 1 + lane, tag_of(meeting) | NOTHING);
			if (lane == 0) release(chosen, meeting);
			return;
		}
		uint32_t *to = w.count + (meeting & 1 ? entries : 0);
		if (mine >= 0) {
			atomicAdd(to + mine, 1u);
			if (back >= 0) atomicAdd(to + back, 1u);
		}
		mine = -1;
		if (wins && visits) {
			mine = cur * PITCH + entry;
			back = x.link & BACK ? (int)city_at(x.link) * PITCH + back_at(x.link) : -1;
			atomicAdd(to + mine, 1u);
			if (back >= 0) atomicAdd(to + back, 1u);
		}
		arrive(c.here, w.bar, (uint32_t)meeting * block_ants - 1, lane);
	};
	// choose makes position s, where candidates are unvisited.
	auto choose = [&](bool exploring) {
		float clock = 0, far_clock = 0;
		if (exploring) {
			auto draw = [&](uint32_t purpose, uint32_t slot) {
				ml_u4 u = {it_lo, it_hi ^ purpose << 24, (uint32_t)ant * 32 + slot, (uint32_t)s};
#pragma unroll
				for (int i = 0; i < 10; i++) u = ml_philox_round(u, rk.k[2 * i], rk.k[2 * i + 1]);
				return ml_expo32(u.x);
			};
			clock = draw(1, lane);
			if (LONG) far_clock = draw(2, far_slot);
		}
		if (SHARED) wait_counted(c, meeting, counters);
		else if (met) wait(w.bar, (uint32_t)meeting * gridDim.x);
		auto weight_of = [&](const seen_edge &x, int entry) {
			const uint32_t visits = SHARED
					? get_half(c.counts + x.number * 2)
					: __ldcg(w.count + ((meeting & 1 ? entries : 0) + cur * PITCH + entry));
			return (tau0 + __uint_as_float(get(c.table + visits * 4)) * x.gap) * x.eta;
		};
		const float weight = weight_of(near, lane), far_weight = LONG ? weight_of(far, second) : 0;
		uint32_t first; // the lanes of the best key; of equal ones a candidate's goes before a place's
		bool beyond = false;
		if (exploring) {
			const uint32_t key = near.eta > 0 ? ml_race_key(clock, 1.0f / weight, lane) : ALL,
										 far_key = LONG && far.eta > 0
					? ml_race_key(far_clock, 1.0f / far_weight, far_slot)
					: ALL;
			const uint32_t least = warp_min(LONG ? min(key, far_key) : key);
			first = __ballot_sync(ALL, key == least);
			if (LONG && !first) beyond = true, first = __ballot_sync(ALL, far_key == least);
		} else {
			const uint32_t key = __float_as_uint(weight), far_key = __float_as_uint(far_weight),
										 most = warp_max(LONG ? max(key, far_key) : key);
			first = __ballot_sync(ALL, key == most);
			if (LONG && !first) beyond = true, first = __ballot_sync(ALL, far_key == most);
		}
		const bool wins = first >> lane & 1 && !(first & before); // the first of equal ones
		bool visit = true;
		met = EACH || meets(s, n, period, left, visit);
		const seen_edge x = LONG && beyond ? far : near;
		if (met) leave(x, LONG && beyond ? second : lane, wins, visit);
		go((int)__shfl_sync(ALL, city_at(x.link), __ffs(first) - 1), x, wins);
	};
	// fallback makes position s, where they are not.
	auto fallback = [&] {
		fallbacks++;
		bool visit = true;
		const bool next = EACH || meets(s, n, period, left, visit);
		if (SHARED && next) {
			wait_counted(c, max(meeting - 1, 0), counters); // all blocks have read the bank
			leave(near, lane, lane == 0, false);
		}
		const float top = w.tops[cur];
		int city = nearest<true>(vis, g.at, g.box, g.ext, g.metric, words, cur, lane);
		bool wins = false;
		const seen_edge x = LONG ? far : near; // candidates are closed
		if (LONG ? far_open : open) { // an edge beyond the list
			const float weight = (tau0 + x.gap) * x.eta;
			const uint32_t key = __float_as_uint(weight), most = warp_max(key),
										 first = __ballot_sync(ALL, key == most);
			const float much =
					(float)a->beta * (top - octaves((float)distance(g.metric, g.at[cur], g.at[city]) + 0.1f));
			if (octaves(__uint_as_float(most)) > much) {
				wins = first >> lane & 1 && !(first & before);
				city = (int)__shfl_sync(ALL, city_at(x.link), __ffs(first) - 1);
			}
		}
		if (!SHARED) {
			if (met) wait(w.bar, (uint32_t)meeting * gridDim.x);
			if (next) leave(near, lane, false, false);
			met = next;
		}
		__syncwarp();
		if (!__any_sync(ALL, wins) && lane == 0) vis[city >> 5] |= 1u << (city & 31);
		go(city, x, wins);
	};
	while (s < n) {
		if (!(open & LISTED)) {
			fallback();
		} else if (ahead >> (s & 31) & 1) {
			choose(true);
		} else {
			do choose(false);
			while (s < n && !(ahead >> (s & 31) & 1) && open & LISTED);
		}
	}
	if (!SHARED && met) wait(w.bar, (uint32_t)meeting * gridDim.x);
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)kept;
	__syncwarp();
	if (n > 1) { // the edge back, from the row of the last city or that of the first
		// visits counts the visit if the row of from leads to a city.
		auto visits = [&](int from, int city) {
			bool found = false;
#pragma unroll
			for (int entry = lane; entry < PITCH; entry += 32) {
				const edge e = w.edges[from * PITCH + entry];
				const bool here = city_at(e.link) == (uint32_t)city;
				found = found || here;
				if (!here) continue;
				if (SHARED) {
					atomicAdd(w.count + e.number, 1u);
					continue;
				}
				uint32_t *to = w.count + (meeting & 1 ? entries : 0);
				atomicAdd(to + from * PITCH + entry, 1u);
				if (e.link & BACK) atomicAdd(to + ((int)city_at(e.link) * PITCH + back_at(e.link)), 1u);
			}
			return __any_sync(ALL, found);
		};
		if (!visits(cur, start)) visits(start, cur);
	}
	finish(g, tour, w.results + 1 + ant, fallbacks, lane);
}

// construct_tours makes all tours, every warp of a block's block_ants one; the grid is cooperative.
template <int PITCH, bool SHARED> static __device__ __forceinline__ void construct_tours(
		const instance &g, const job *j, const rules *a, const lockstep_args &w, const keys &rk) {
	extern __shared__ uint32_t bits[];
	__shared__ uint32_t shared_here, shared_done, shared_chosen[32], shared_spare[32];
	const int lane = fixed(threadIdx.x & 31), warp = fixed(threadIdx.x >> 5),
						block_ants = SHARED ? w.block_ants : blockDim.x >> 5;
	const int n = g.n, ants = j->ants, period = a->period;
	float *powers = (float *)(bits + ((block_ants * g.words + 3) & ~3)); // a look-up at each step
	uint32_t *tally = (uint32_t *)(powers + ((2 * ants + 4) & ~3));
	for (int i = threadIdx.x; i < 2 * ants + 1; i += blockDim.x) powers[i] = w.powers[i];
	if (SHARED)
		for (int i = threadIdx.x; i < (w.numbers + 1) >> 1; i += blockDim.x) tally[i] = 0;
	if (threadIdx.x == 0) shared_here = shared_done = 0;
	if (threadIdx.x < 32) shared_chosen[threadIdx.x] = 0;
	const block_shared c = {fixed(shared_address_of(powers)), fixed(shared_address_of(tally)),
			fixed(shared_address_of(shared_chosen)), fixed(shared_address_of(&shared_done)),
			fixed(shared_address_of(shared_spare)), &shared_here};
	__syncthreads();
	const int ant = fixed(blockIdx.x * block_ants + warp);
	uint32_t *vis = bits + warp * g.words;
	if (SHARED && warp >= block_ants) count_visits(w, c, n, ants, period, lane);
	else if (ant >= ants) run_without_ant<SHARED>(w, c, n, period, block_ants, warp, lane);
	else if (period == 1)
		construct_tour<PITCH, SHARED, true>(g, j, a, w, c, rk, vis, block_ants, ant, warp, lane);
	else construct_tour<PITCH, SHARED, false>(g, j, a, w, c, rk, vis, block_ants, ant, warp, lane);
	if (!SHARED) return;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w.numbers;
			 i += gridDim.x * blockDim.x) { // the blocks' counts are equal
		const uint32_t times = get_half(c.counts + i * 2);
		if (times) atomicAdd(w.count + i, times);
	}
}

#endif
