// Ant Colony System in lock step: the kernels of acs/lockstep. What they compute is stated in
// solvers/ants/cpu/lockstep.go, whose results they have bit for bit.
//
// Lanes 0 to LISTED - 1 of a row are the candidates of a list, the others the edges beyond it that
// have trails, so that a step reads no more for them. What does not depend on visits is done while
// others choose: the row of the next city is asked for, and an ant that falls back looks for the
// nearest city. Ants meet after each position whose choices are visits, and after the last.
//
// construct: each block has all counts, of 16 bits, in its shared memory. An edge that is in both
// cities' rows has one number and one count. At a meeting an ant posts a word with the number of
// its edge, or that it visits none, which one that falls back does before it looks for a city; the
// block's last warps, which are no ants, read the words of all ants and count. A word says by
// itself of which meeting it is, so nothing need be in order and there is no barrier of the grid:
// who has read all words knows that all have chosen. Four banks of words take turns: an ant posts
// of meeting m when its block has counted m - 2, so all ants had posted of that, and all blocks
// had counted m - 4, whose words it replaces.
//
// construct_global: where those counts do not fit, they are in global memory, by slot, in two
// banks. After meeting x choices read bank x & 1; visits are added to the other one, and once
// more, to bank x & 1, before the meeting after. So no bank is read and written at once.
//
// Versions: counts in global memory and a barrier of the grid in each step (2.28 ms an iteration
// of pr1002 when boxes were floats, four words were looked at together and draws were made before
// the barrier); then edges beyond lists got trails in the last four lanes of a row; revision 3
// counts in each block's shared memory, posts words instead of meeting at a barrier, and an ant
// that falls back waits for nobody.
//
// Figures (bench ants-gpu-iteration): a construction of n ants takes 1.49, 6.19 and 16.9 ms on
// pr1002, pr2392 and fl3795 on an H200.
#define NEAREST_CALL __forceinline__
#include "acs.cuh"

#define PLACES 4 // Outs of solvers/ants
#define LISTED (32 - PLACES)

#define NUMBER_BITS 21
#define NOTHING ((1u << NUMBER_BITS) - 1) // in place of a number: no visit
#define QUADS 4                           // of words that a lane has under way at once

// What a slot adds to a choice: the trail above tau0 at the iteration's start, the second
// factor of the weight, where the edge leads (the city in the low 16 bits, the slot of
// the edge back in that city's row in the next 5, and bit 21 if there is one), and the number of
// its count.
struct __align__(16) edge {
	float gap, eta;
	uint32_t link, number;
};

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

// in_row is where slot lane of the row of c leads; c where it leads nowhere.
static __device__ __forceinline__ uint32_t in_row(
		const instance &g, const uint16_t *out, int c, int lane) {
	return lane < g.k ? g.id[c * 32 + lane] : lane >= LISTED ? out[c * PLACES + lane - LISTED] : c;
}

// prepare takes the visits of the last construction, counted at count, into the trails and makes
// the global update. A fill in the job says that second factors are others than in the launch
// before, or edges beyond lists that the host brought.
//
// a: one struct of rules. tau, eta: n x 32 by slot, trails and weights over trails. edges: n x 32
// by slot. count: visits by number of the edge. powers: (1 - rho)^c by c, 2 ants + 1. out: n x
// PLACES cities beyond lists. after, before: n cities.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city. Bound: memory: trail, edge and count
// of each slot. No figure of its own is recorded.
extern "C" __global__ void prepare(instance g, const job *j, const rules *a, float *tau,
		const float *eta, edge *edges, const uint32_t *count, const float *powers, uint16_t *out,
		const uint16_t *after, const uint16_t *before) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (c >= g.n) return;
	const float tau0 = a->tau0;
	float v = tau[i];
	const uint32_t was = in_row(g, out, c, lane);
	uint32_t to = was;
	if (j->deposit) {
		const uint32_t next = after[c], last = before[c];
		if (to != c) {
			v = tau0 + powers[count[edges[i].number]] * (v - tau0);
			if (next == to) v = fmaxf(tau0, j->keep * v + j->gain);
			if (last == to) v = fmaxf(tau0, j->keep * v + j->gain);
		}
		// An edge of the tour that has no slot gets that with the least trail of those off_list_weight
		// the list that are not of the tour.
		for (int side = 0; side < 2; side++) {
			const uint32_t target = side ? next : last;
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
	if (j->fill || to != was)
		edges[i].eta = lane >= LISTED && to != c
				? off_list_weight(g, a, c, distance(g.metric, g.at[c], g.at[to]))
				: eta[i];
}

// link_entries notes where edges lead and their edges back, as far as these are not those of the
// lists for good, and the numbers of edges beyond lists: those of the edges back on lists, else
// from first on, the less of the two where both cities have the edge in a place. Where first is
// -1, slots have their own numbers. It clears the counts, the barrier and the words of a
// construction: it comes after prepare.
//
// out: n x PLACES cities. edges: n x 32 by slot. numbers: n x 32, the numbers of listed edges.
// count: two a slot. bar: one counter. words: posts words.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city. Bound: memory: edge, number and two
// counts of each slot. No figure of its own is recorded.
extern "C" __global__ void link_entries(instance g, const uint16_t *out, edge *edges,
		const uint32_t *numbers, int first, uint32_t *count, uint32_t *bar, uint32_t *words,
		int posts) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (i == 0) *bar = 0;
	for (int p = i; p < posts; p += blockDim.x * gridDim.x) words[p] = 0;
	if (c >= g.n) return;
	count[i] = 0;
	count[g.n * 32 + i] = 0;
	const uint32_t to = in_row(g, out, c, lane);
	uint32_t link = edges[i].link,
					 number = first < 0 ? i
			: lane < LISTED         ? numbers[i]
															: first + c * PLACES + lane - LISTED;
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
			if (first >= 0)
				number = back < LISTED ? numbers[t * 32 + back]
															 : min(number, first + t * PLACES + back - LISTED);
		}
	}
	edges[i].link = link;
	edges[i].number = number;
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
	uint32_t *count; // two banks by slot; in construct by number, what is counted in the end
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
template <bool SHARED, bool EACH> static __device__ __forceinline__ void construct_tour(
		const instance &g, const job *j, const rules *a, const lockstep_args &w, const block_shared &c,
		const keys &rk, uint32_t *vis, int block_ants, int ant, int warp, int lane) {
	const int n = g.n, words = g.words, period = a->period, counters = (blockDim.x >> 5) - block_ants;
	const uint32_t slots = n * 32, before = fixed((1u << lane) - 1);
	const shared_address chosen = c.chosen + warp * 4, seen_at = fixed(shared_address_of(vis));
	uint16_t *tour = w.tours + (size_t)ant * n;
	uint32_t *posted = w.words + word_of(w, ant);
	const int extra =
			ant == j->ants - 1 ? 3 & ~ant : 0; // words of nobody that stand behind the last one
	const edge *rows = w.edges + lane;
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
			__ballot_sync(ALL, explores_at(explore, lane)); // which of 32 positions are a draw_explore
	uint32_t kept = cur;
	int fallbacks = 0, s = 1, left = period, meeting = 0;
	int mine = -1, back = -1; // far: the slots of this lane's visit that is in one bank only
	bool met = true;          // far: the last meeting was not waited for
	// Of this lane's edge: eta is 0 where it leads to a city that is visited. open are the lanes of
	// the others.
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
			if ((s & 127) == 0) draw_explore(explore, it_lo, it_hi, ant, s >> 7, lane, greedy, rk);
			ahead = __ballot_sync(ALL, explores_at(explore, s + lane));
		}
		look();
	};
	// leave is a choice's end, or the beginning of a fallback, that a meeting follows: with a visit
	// of the lane's edge where visits; wins is of one lane.
	auto leave = [&](bool wins, bool visits) {
		meeting++;
		if (SHARED) {
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
		arrive(c.here, w.bar, (uint32_t)meeting * block_ants - 1, lane);
	};
	// choose makes position s, where candidates are unvisited.
	auto choose = [&](bool exploring) {
		float clock = 0;
		if (exploring) {
			ml_u4 u = {it_lo, it_hi ^ 1u << 24, (uint32_t)ant * 32 + lane, (uint32_t)s};
#pragma unroll
			for (int i = 0; i < 10; i++) u = ml_philox_round(u, rk.k[2 * i], rk.k[2 * i + 1]);
			clock = ml_expo32(u.x);
		}
		if (SHARED) wait_counted(c, meeting, counters);
		else if (met) wait(w.bar, (uint32_t)meeting * gridDim.x);
		const uint32_t visits = SHARED
				? get_half(c.counts + number * 2)
				: __ldcg(w.count + ((meeting & 1 ? slots : 0) + cur * 32 + lane));
		const float weight = (tau0 + __uint_as_float(get(c.table + visits * 4)) * gap) * eta;
		uint32_t first;
		if (exploring) {
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
	// fallback makes position s, where they are not.
	auto fallback = [&] {
		fallbacks++;
		bool visit = true;
		const bool next = EACH || meets(s, n, period, left, visit);
		if (SHARED && next) {
			wait_counted(c, max(meeting - 1, 0), counters); // all blocks have read the bank
			leave(lane == 0, false);
		}
		const float top = w.tops[cur];
		int city = nearest<true>(vis, g.at, g.box, g.ext, g.metric, words, cur, lane);
		bool wins = false;
		if (open) { // an edge beyond the list
			const float weight = (tau0 + gap) * eta;
			const uint32_t key = __float_as_uint(weight), most = warp_max(key),
										 first = __ballot_sync(ALL, key == most);
			const float much =
					(float)a->beta * (top - octaves((float)distance(g.metric, g.at[cur], g.at[city]) + 0.1f));
			if (octaves(__uint_as_float(most)) > much) {
				wins = first >> lane & 1 && !(first & before);
				city = (int)__shfl_sync(ALL, link & 0xffff, __ffs(first) - 1);
			}
		}
		if (!SHARED) {
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
			fallback();
		} else if (ahead >> (s & 31) & 1) {
			choose(true);
		} else {
			do choose(false);
			while (s < n && !(ahead >> (s & 31) & 1) && open & ((1u << LISTED) - 1));
		}
	}
	if (!SHARED && met) wait(w.bar, (uint32_t)meeting * gridDim.x);
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)kept;
	__syncwarp();
	if (n > 1) { // the edge back, from the row of the last city or that of the first
		uint32_t hit = __ballot_sync(ALL, (link & 0xffff) == (uint32_t)start);
		int slot = cur * 32 + lane;
		if (!hit) {
			slot = start * 32 + lane;
			link = w.edges[slot].link, number = w.edges[slot].number;
			hit = __ballot_sync(ALL, (link & 0xffff) == (uint32_t)cur);
		}
		if (hit && lane == __ffs(hit) - 1) {
			if (SHARED) {
				atomicAdd(w.count + number, 1u);
			} else {
				uint32_t *to = w.count + (meeting & 1 ? slots : 0);
				atomicAdd(to + slot, 1u);
				if (link >> 21) atomicAdd(to + ((link & 0xffff) * 32 + (link >> 16 & 31)), 1u);
			}
		}
	}
	finish(g, tour, w.results + 1 + ant, fallbacks, lane);
}

// construct_tours makes all tours, every warp of a block's block_ants one; the grid is cooperative.
template <bool SHARED> static __device__ __forceinline__ void construct_tours(
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
		construct_tour<SHARED, true>(g, j, a, w, c, rk, vis, block_ants, ant, warp, lane);
	else construct_tour<SHARED, false>(g, j, a, w, c, rk, vis, block_ants, ant, warp, lane);
	if (!SHARED) return;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w.numbers;
			 i += gridDim.x * blockDim.x) { // the blocks' counts are equal
		const uint32_t times = get_half(c.counts + i * 2);
		if (times) atomicAdd(w.count + i, times);
	}
}

// construct constructs with the counts in shared memory.
//
// a: one struct of rules. w: see lockstep_args. g, j and rk are those of common.cuh.
//
// Launch: a cooperative grid, all ants resident; blocks of w.block_ants warps that are ants and
// some that count; shared memory: the visited bits, the powers and 2 bytes a number. Bound: the
// latency of a meeting, a word written and read through L2. Figures: above.
extern "C" __global__ void __launch_bounds__(1024, 1)
		construct(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<true>(g, j, a, w, rk);
}

// construct_768 is construct for blocks of up to 24 warps, which have more registers. Pointers,
// launch and bound are the same; the figures above are of whichever of the three fits the block.
extern "C" __global__ void __launch_bounds__(768, 1)
		construct_768(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<true>(g, j, a, w, rk);
}

// construct_512 is construct for blocks of up to 16 warps. All else is as for construct_768.
extern "C" __global__ void __launch_bounds__(512, 1)
		construct_512(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<true>(g, j, a, w, rk);
}

// construct_global constructs with the counts in global memory.
//
// a: one struct of rules. w: see lockstep_args. g, j and rk are those of common.cuh.
//
// Launch: a cooperative grid, all ants resident; shared memory: the visited bits and the powers.
// Bound: a barrier of the grid at each meeting. No figure is recorded since construct has the
// tables' instances.
extern "C" __global__ void __launch_bounds__(1024, 1)
		construct_global(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<false>(g, j, a, w, rk);
}
