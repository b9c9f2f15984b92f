// Ant Colony System in lock step: the kernels of acs/lockstep. What they compute is stated
// in solvers/ants/lockstep.go, whose results they have bit for bit.
//
// Lanes 0 to LISTED - 1 of a row are the candidates of a list, the others the edges beyond it that have trails, so that a
// step reads no more for them. What does not depend on visits is done while others choose: the row of the next city is
// asked for, and an ant that falls back looks for the nearest city. Ants meet after each position whose choices are visits, and after the last.
//
// walk: each block has all counts, of 16 bits, in its shared memory. An edge that is in both cities' rows has one number and one count. At
// a meeting an ant posts a word with the number of its edge, or that it visits none, which one that falls back does before it looks for a
// city; the block's last warps, which are no ants, read the words of all ants and count. A word says by itself of which meeting it is, so
// nothing need be in order and there is no barrier of the grid: who has read all words knows that all have chosen. Four banks of words take
// turns: an ant posts of meeting m when its block has counted m - 2, so all ants had posted of that, and all blocks had counted m - 4,
// whose words it replaces.
//
// walk_far: where those counts do not fit, they are in global memory, by slot, in two banks. After meeting x choices read bank x & 1;
// visits are added to the other one, and once more, to bank x & 1, before the meeting after. So no bank is read and written at once.
#define SELDOM __forceinline__
#include "acs.cuh"

#define PLACES 4 // Outs of solvers/ants
#define LISTED (32 - PLACES)

#define NUMBER_BITS 21
#define NOTHING ((1u << NUMBER_BITS) - 1) // in place of a number: no visit
#define QUADS 4                           // of words that a lane has on their way at once

// What a slot adds to a choice: the trail above tau0 at the iteration's start, the second
// factor of the weight, where the edge leads (the city in the low 16 bits, the slot of
// the way back in that city's row in the next 5, and bit 21 if there is one), and the number of its count.
struct __align__(16) edge {
	float gap, eta;
	uint32_t link, number;
};

// Addresses in shared memory are held as 32 bits, and what every step needs is not made anew.
#ifdef __CUDACC__
typedef uint32_t spot;
static __device__ __forceinline__ spot spot_of(const void *p) {
	spot a = (spot)__cvta_generic_to_shared(p);
	asm volatile("" : "+r"(a));
	return a;
}
static __device__ __forceinline__ uint32_t get(spot a) {
	uint32_t v;
	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	return v;
}
static __device__ __forceinline__ uint32_t get_half(spot a) {
	uint16_t v;
	asm volatile("ld.shared.u16 %0, [%1];" : "=h"(v) : "r"(a) : "memory");
	return v;
}
static __device__ __forceinline__ void put(spot a, uint32_t v) { asm volatile("st.shared.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory"); }
static __device__ __forceinline__ void add(spot a, uint32_t v) { asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory"); }
// Words are read and written as they are in L2, in no order.
static __device__ __forceinline__ void post(uint32_t *p, uint32_t v) { asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
static __device__ __forceinline__ uint4 four(const uint32_t *p) {
	uint4 v;
	asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p) : "memory");
	return v;
}
// What warps of a block tell each other, after what they did before.
static __device__ __forceinline__ void release(spot a, uint32_t v) { asm volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory"); }
static __device__ __forceinline__ void release_one(spot a) { asm volatile("red.release.cta.shared.add.u32 [%0], 1;" ::"r"(a) : "memory"); }
static __device__ __forceinline__ uint32_t acquire(spot a) {
	uint32_t v;
	asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	return v;
}
#else // the emulator has the rest
typedef char *spot;
static spot spot_of(const void *p) { return (spot)p; }
static uint32_t get(spot a) { return *(uint32_t *)a; }
static uint32_t get_half(spot a) { return *(uint16_t *)a; }
static void put(spot a, uint32_t v) { *(uint32_t *)a = v; }
static void add(spot a, uint32_t v) { *(uint32_t *)a += v; }
static void release(spot a, uint32_t v) { put(a, v); }
static void release_one(spot a) { *(uint32_t *)a += 1; }
#endif

// fixed is x, which is kept then and not made again from what it was made of.
template <class T> static __device__ __forceinline__ T fixed(T x) { return __shfl_sync(ALL, x, threadIdx.x & 31); }

// in_row is where slot lane of the row of c leads; c where it leads nowhere.
static __device__ __forceinline__ uint32_t in_row(const ground &g, const uint16_t *out, int c, int lane) {
	return lane < g.k ? g.id[c * 32 + lane] : lane >= LISTED ? out[c * PLACES + lane - LISTED] : c;
}

// prepare takes the visits of the last walk, counted at count, into the trails and makes the global update. A warp
// takes a city. fill says that second factors are others than in the launch before, or edges beyond lists that the host brought.
extern "C" __global__ void prepare(ground g, const job *j, const rules *a, float *tau, const float *eta, edge *edges, const uint32_t *count,
		const float *powers, uint16_t *out, const uint16_t *after, const uint16_t *before) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (c >= g.n) return;
	const float tau0 = a->tau0;
	float v = tau[i];
	const uint32_t was = in_row(g, out, c, lane);
	uint32_t to = was;
	if (j->reward) {
		const uint32_t next = after[c], last = before[c];
		if (to != c) {
			v = tau0 + powers[count[edges[i].number]] * (v - tau0);
			if (next == to) v = fmaxf(tau0, j->keep * v + j->gain);
			if (last == to) v = fmaxf(tau0, j->keep * v + j->gain);
		}
		// An edge of the tour that has no slot gets that with the least trail of those beyond the list that are not of the tour.
		for (int way = 0; way < 2; way++) {
			const uint32_t target = way ? next : last;
			if (target == c || __any_sync(ALL, to == target)) continue;
			const uint32_t key = lane >= LISTED && to != next && to != last ? __float_as_uint(v) : ALL;
			const uint32_t least = warp_min(key);
			if (lane == __ffs(__ballot_sync(ALL, key == least)) - 1) {
				to = target, v = fmaxf(tau0, j->keep * tau0 + j->gain);
				out[c * PLACES + lane - LISTED] = (uint16_t)to;
			}
			__syncwarp();
		}
		if (to != c) tau[i] = v;
	}
	edges[i].gap = v - tau0;
	if (j->fill || to != was) edges[i].eta = lane >= LISTED && to != c ? beyond(g, a, c, distance(g.metric, g.at[c], g.at[to])) : eta[i];
}

// pair notes where edges lead and their ways back, as far as these are not those of the lists for good, and the numbers of edges
// beyond lists: those of the ways back on lists, else from first on, the less of the two where both cities have the edge in a place.
// Where first is -1, slots have their own numbers. It clears counts (two a slot), the bar and the words of a walk: it comes after
// prepare. A warp takes a city.
extern "C" __global__ void pair(ground g, const uint16_t *out, edge *edges, const uint32_t *numbers, int first, uint32_t *count, uint32_t *bar,
		uint32_t *words, int posts) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (i == 0) *bar = 0;
	for (int p = i; p < posts; p += blockDim.x * gridDim.x) words[p] = 0;
	if (c >= g.n) return;
	count[i] = 0;
	count[g.n * 32 + i] = 0;
	const uint32_t to = in_row(g, out, c, lane);
	uint32_t link = edges[i].link, number = first < 0 ? i : lane < LISTED ? numbers[i] : first + c * PLACES + lane - LISTED;
	if (lane < g.k && (!(link >> 21) || (link >> 16 & 31) >= LISTED)) { // not on the list of to
		link = to;
		for (int q = 0; q < PLACES; q++)
			if (out[to * PLACES + q] == c) link = to | (uint32_t)(LISTED + q) << 16 | 1u << 21;
	}
	if (lane >= LISTED) link = to;
	for (int q = LISTED; q < 32; q++) {
		const uint32_t t = __shfl_sync(ALL, to, q);
		if (t == c) continue;
		const uint32_t hit = __ballot_sync(ALL, in_row(g, out, t, lane) == c);
		if (hit && lane == q) {
			const int back = __ffs(hit) - 1;
			link = t | (uint32_t)back << 16 | 1u << 21;
			if (first >= 0) number = back < LISTED ? numbers[t * 32 + back] : min(number, first + t * PLACES + back - LISTED);
		}
	}
	edges[i].link = link;
	edges[i].number = number;
}

// arrive tells that a warp has counted its visits; the block's last warp tells the
// other blocks.
static __device__ __forceinline__ void arrive(uint32_t *here, uint32_t *bar, uint32_t last, int lane) {
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

// What a walk is given beside the instance, the job and the rules.
struct course {
	const edge *edges;
	uint32_t *count; // two banks by slot; in walk by number, what is counted in the end
	const float *powers;
	const float *tops; // by city: octaves of the distance to the first candidate and 0.1
	uint16_t *tours;
	result *results;
	uint32_t *bar;   // walk_far: the blocks that have arrived
	uint32_t *words; // walk: four banks of posted words
	int room;        // words of a bank
	int walkers;     // the warps of a block that are ants
	int numbers;     // of counts
	int spread;      // eight words of a bank stand 1 << spread words apart
};

// word_of is where the word of an ant stands.
static __device__ __forceinline__ int word_of(const course &w, int ant) { return (ant >> 3 << w.spread) + (ant & 7); }

// tags are the bits of a word that say of which meeting it is: the words of the last meeting in a bank have others.
static __device__ __forceinline__ uint32_t tag_of(int meeting) { return (uint32_t)meeting << NUMBER_BITS; }

// What the warps of a block share.
struct common {
	spot table;  // (1 - rho)^c by c
	spot counts; // walk: by number, of 16 bits
	spot chosen; // by walker: the last meeting whose choice it has made
	spot done;   // how often a warp has counted a meeting
	spot spare;  // 32 words
	uint32_t *here;
};

// meets tells whether ants meet after position s, and whether a choice there is a visit. left counts down to it.
static __device__ __forceinline__ bool meets(int s, int n, int period, int &left, bool &visit) {
	visit = --left == 0;
	if (visit) left = period;
	return visit || s == n - 1;
}

// counted waits until this block has counted a meeting.
static __device__ __forceinline__ void counted(const common &c, int meeting, int counters) {
	while ((int)(acquire(c.done) - (uint32_t)(meeting * counters)) < 0) {
	}
}

// collect counts the visits of all ants at each meeting. The block's warps that are no ants call it. A lane has QUADS times four words on
// their way at once.
static __device__ __forceinline__ void collect(const course &w, const common &c, int n, int ants, int period, int lane) {
	const int stride = blockDim.x - w.walkers * 32, quads = (ants + 3) >> 2, first = (threadIdx.x & ~31) - w.walkers * 32;
	const spot mine = c.chosen + min(lane, w.walkers - 1) * 4, spare = c.spare + lane * 4;
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
				some = (int)acquire(mine) < meeting; // a walker has not chosen
#pragma unroll
				for (int k = 0; k < QUADS; k++) {
					if (!late[k]) continue;
					late[k] = ((v[k].x ^ tag) | (v[k].y ^ tag) | (v[k].z ^ tag) | (v[k].w ^ tag)) >> NUMBER_BITS;
					some = some || late[k];
				}
			} while (__any_sync(ALL, some));
			auto count = [&](uint32_t word) { // no visits are counted where nobody looks: that takes no branch
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

// attend is the part of a warp without an ant.
template <bool NEAR>
static __device__ __forceinline__ void attend(const course &w, const common &c, int n, int period, int walkers, int warp, int lane) {
	if (NEAR) {
		if (lane == 0) release(c.chosen + warp * 4, 1u << 30);
		return;
	}
	int left = period, meeting = 0;
	bool visit;
	for (int s = 1; s < n; s++) {
		if (!meets(s, n, period, left, visit)) continue;
		wait(w.bar, (uint32_t)meeting++ * gridDim.x);
		arrive(c.here, w.bar, (uint32_t)meeting * walkers - 1, lane);
	}
	wait(w.bar, (uint32_t)meeting * gridDim.x);
}

// octaves is that of solvers/ants.
static __device__ __forceinline__ float octaves(float x) {
	const uint32_t b = __float_as_uint(x);
	return (float)((int)(b >> 23) - 126) - ml_expo32(b << 8 | 1u << 31);
}

// stroll makes the tour of an ant. With EACH local_period is 1: ants meet after each position.
template <bool NEAR, bool EACH>
static __device__ __forceinline__ void stroll(const ground &g, const job *j, const rules *a, const course &w, const common &c, const keys &rk,
		uint32_t *vis, int walkers, int ant, int warp, int lane) {
	const int n = g.n, words = g.words, period = a->period, counters = (blockDim.x >> 5) - walkers;
	const uint32_t slots = n * 32, before = fixed((1u << lane) - 1);
	const spot chosen = c.chosen + warp * 4, seen_at = fixed(spot_of(vis));
	uint16_t *tour = w.tours + (size_t)ant * n;
	uint32_t *posted = w.words + word_of(w, ant);
	const int extra = ant == j->ants - 1 ? 3 & ~ant : 0; // words of nobody that stand behind the last one
	const edge *rows = w.edges + lane;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi;
	const uint64_t greedy = a->greedy;
	const float tau0 = a->tau0;
	unvisit(vis, n, words, lane);

	uint32_t races[4];
	int cur = (int)__shfl_sync(ALL, __umulhi(race(races, it_lo, it_hi, ant, 0, lane, greedy, rk).x, (uint32_t)n), 0);
	const int start = cur;
	if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
	__syncwarp();
	uint32_t ahead = __ballot_sync(ALL, races_at(races, lane)); // which of 32 positions are a race
	uint32_t kept = cur;
	int falls = 0, s = 1, left = period, meeting = 0;
	int mine = -1, back = -1; // far: the slots of this lane's visit that is in one bank only
	bool met = true;          // far: the last meeting was not waited for
	// Of this lane's edge: eta is 0 where it leads to a city that is visited. open are the lanes of the others.
	float gap, eta;
	uint32_t link, number, seen, open;
	auto look = [&] {
		const edge e = rows[cur * 32];
		__syncwarp(); // what was visited is written
		gap = e.gap, link = e.link, number = e.number;
		seen = get(seen_at + ((link & 0xffff) >> 5) * 4);
		const bool closed = seen >> (link & 31) & 1;
		eta = closed ? 0 : e.eta;
		open = __ballot_sync(ALL, !closed);
	};
	look();
	// go moves the ant to a city; by the lane's edge where wins.
	auto go = [&](int city, bool wins) {
		cur = city;
		if (wins) put(seen_at + ((link & 0xffff) >> 5) * 4, seen | 1u << (link & 31));
		if ((s & 31) == lane) kept = cur;
		if ((s & 31) == 31) tour[s - 31 + lane] = (uint16_t)kept;
		if ((++s & 31) == 0) {
			if ((s & 127) == 0) race(races, it_lo, it_hi, ant, s >> 7, lane, greedy, rk);
			ahead = __ballot_sync(ALL, races_at(races, s + lane));
		}
		look();
	};
	// leave is a choice's end, or the beginning of a fall, that a meeting follows: with a visit of the lane's edge where visits; wins
	// is of one lane.
	auto leave = [&](bool wins, bool visits) {
		meeting++;
		if (NEAR) {
			uint32_t *to = posted + (meeting & 3) * w.room;
			if (wins) post(to, tag_of(meeting) | (visits ? number : NOTHING));
			if (lane < extra) post(to + 1 + lane, tag_of(meeting) | NOTHING);
			if (lane == 0) release(chosen, meeting);
			return;
		}
		uint32_t *to = w.count + (meeting & 1 ? slots : 0);
		if (mine >= 0) {
			atomicAdd(to + mine, 1u);
			if (back >= 0) atomicAdd(to + back, 1u);
		}
		mine = -1;
		if (wins && visits) {
			mine = cur * 32 + lane;
			back = link >> 21 ? (int)((link & 0xffff) * 32 + (link >> 16 & 31)) : -1;
			atomicAdd(to + mine, 1u);
			if (back >= 0) atomicAdd(to + back, 1u);
		}
		arrive(c.here, w.bar, (uint32_t)meeting * walkers - 1, lane);
	};
	// choose makes position s, where candidates are unvisited.
	auto choose = [&](bool racing) {
		float clock = 0;
		if (racing) {
			ml_u4 u = {it_lo, it_hi ^ 1u << 24, (uint32_t)ant * 32 + lane, (uint32_t)s};
#pragma unroll
			for (int i = 0; i < 10; i++) u = ml_philox_round(u, rk.k[2 * i], rk.k[2 * i + 1]);
			clock = ml_expo32(u.x);
		}
		if (NEAR) counted(c, meeting, counters);
		else if (met) wait(w.bar, (uint32_t)meeting * gridDim.x);
		const uint32_t visits = NEAR ? get_half(c.counts + number * 2) : __ldcg(w.count + ((meeting & 1 ? slots : 0) + cur * 32 + lane));
		const float weight = (tau0 + __uint_as_float(get(c.table + visits * 4)) * gap) * eta;
		uint32_t first;
		if (racing) {
			const uint32_t key = eta > 0 ? ml_race_key(clock, 1.0f / weight, lane) : ALL;
			first = __ballot_sync(ALL, key == warp_min(key));
		} else {
			const uint32_t key = __float_as_uint(weight);
			first = __ballot_sync(ALL, key == warp_max(key));
		}
		const bool wins = first >> lane & 1 && !(first & before); // the first of equal ones
		bool visit = true;
		met = EACH || meets(s, n, period, left, visit);
		if (met) leave(wins, visit);
		go((int)__shfl_sync(ALL, link & 0xffff, __ffs(first) - 1), wins);
	};
	// fall makes position s, where they are not.
	auto fall = [&] {
		falls++;
		bool visit = true;
		const bool next = EACH || meets(s, n, period, left, visit);
		if (NEAR && next) {
			counted(c, max(meeting - 1, 0), counters); // all blocks have read the bank
			leave(lane == 0, false);
		}
		const float top = w.tops[cur];
		int city = nearest<true>(vis, g.at, g.box, g.ext, g.metric, words, cur, lane);
		bool wins = false;
		if (open) { // an edge beyond the list
			const float weight = (tau0 + gap) * eta;
			const uint32_t key = __float_as_uint(weight), most = warp_max(key), first = __ballot_sync(ALL, key == most);
			const float much = (float)a->beta * (top - octaves((float)distance(g.metric, g.at[cur], g.at[city]) + 0.1f));
			if (octaves(__uint_as_float(most)) > much) {
				wins = first >> lane & 1 && !(first & before);
				city = (int)__shfl_sync(ALL, link & 0xffff, __ffs(first) - 1);
			}
		}
		if (!NEAR) {
			if (met) wait(w.bar, (uint32_t)meeting * gridDim.x);
			if (next) leave(false, false);
			met = next;
		}
		__syncwarp();
		if (!__any_sync(ALL, wins) && lane == 0) vis[city >> 5] |= 1u << (city & 31);
		go(city, wins);
	};
	while (s < n) {
		if (!(open & ((1u << LISTED) - 1))) {
			fall();
		} else if (ahead >> (s & 31) & 1) {
			choose(true);
		} else {
			do choose(false);
			while (s < n && !(ahead >> (s & 31) & 1) && open & ((1u << LISTED) - 1));
		}
	}
	if (!NEAR && met) wait(w.bar, (uint32_t)meeting * gridDim.x);
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)kept;
	__syncwarp();
	if (n > 1) { // the way back, from the row of the last city or that of the first
		uint32_t hit = __ballot_sync(ALL, (link & 0xffff) == (uint32_t)start);
		int slot = cur * 32 + lane;
		if (!hit) {
			slot = start * 32 + lane;
			link = w.edges[slot].link, number = w.edges[slot].number;
			hit = __ballot_sync(ALL, (link & 0xffff) == (uint32_t)cur);
		}
		if (hit && lane == __ffs(hit) - 1) {
			if (NEAR) {
				atomicAdd(w.count + number, 1u);
			} else {
				uint32_t *to = w.count + (meeting & 1 ? slots : 0);
				atomicAdd(to + slot, 1u);
				if (link >> 21) atomicAdd(to + ((link & 0xffff) * 32 + (link >> 16 & 31)), 1u);
			}
		}
	}
	finish(g, tour, w.results + 1 + ant, falls, lane);
}

// march makes all tours, every warp of a block's walkers one; the grid is cooperative.
template <bool NEAR>
static __device__ __forceinline__ void march(const ground &g, const job *j, const rules *a, const course &w, const keys &rk) {
	extern __shared__ uint32_t bits[];
	__shared__ uint32_t shared_here, shared_done, shared_chosen[32], shared_spare[32];
	const int lane = fixed(threadIdx.x & 31), warp = fixed(threadIdx.x >> 5), walkers = NEAR ? w.walkers : blockDim.x >> 5;
	const int n = g.n, ants = j->ants, period = a->period;
	float *powers = (float *)(bits + ((walkers * g.words + 3) & ~3)); // a look-up at each step
	uint32_t *tally = (uint32_t *)(powers + ((2 * ants + 4) & ~3));
	for (int i = threadIdx.x; i < 2 * ants + 1; i += blockDim.x) powers[i] = w.powers[i];
	if (NEAR)
		for (int i = threadIdx.x; i < (w.numbers + 1) >> 1; i += blockDim.x) tally[i] = 0;
	if (threadIdx.x == 0) shared_here = shared_done = 0;
	if (threadIdx.x < 32) shared_chosen[threadIdx.x] = 0;
	const common c = {fixed(spot_of(powers)), fixed(spot_of(tally)), fixed(spot_of(shared_chosen)), fixed(spot_of(&shared_done)), fixed(spot_of(shared_spare)), &shared_here};
	__syncthreads();
	const int ant = fixed(blockIdx.x * walkers + warp);
	uint32_t *vis = bits + warp * g.words;
	if (NEAR && warp >= walkers) collect(w, c, n, ants, period, lane);
	else if (ant >= ants) attend<NEAR>(w, c, n, period, walkers, warp, lane);
	else if (period == 1) stroll<NEAR, true>(g, j, a, w, c, rk, vis, walkers, ant, warp, lane);
	else stroll<NEAR, false>(g, j, a, w, c, rk, vis, walkers, ant, warp, lane);
	if (!NEAR) return;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w.numbers; i += gridDim.x * blockDim.x) { // the blocks' counts are equal
		const uint32_t times = get_half(c.counts + i * 2);
		if (times) atomicAdd(w.count + i, times);
	}
}

extern "C" __global__ void __launch_bounds__(1024, 1) walk(ground g, const job *j, const rules *a, course w, keys rk) { march<true>(g, j, a, w, rk); }

// walk_some and walk_few are walk for blocks of up to 24 and 16 warps, which have more registers.
extern "C" __global__ void __launch_bounds__(768, 1) walk_some(ground g, const job *j, const rules *a, course w, keys rk) { march<true>(g, j, a, w, rk); }

extern "C" __global__ void __launch_bounds__(512, 1) walk_few(ground g, const job *j, const rules *a, course w, keys rk) { march<true>(g, j, a, w, rk); }

extern "C" __global__ void __launch_bounds__(1024, 1) walk_far(ground g, const job *j, const rules *a, course w, keys rk) { march<false>(g, j, a, w, rk); }
