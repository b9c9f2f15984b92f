// The steps of an ant of acs/alt, acs/gpu, acs/spm-sync and acs/spm, and what some of these share:
// updates by entry, and a barrier of the grid.
#ifndef METALAB_ANTS_STEPS_CUH
#define METALAB_ANTS_STEPS_CUH

#include "acs.cuh"

// A visited_address is the place of a word of visited bits: 32 bits that say where in shared
// memory, for which the compiler makes no other computation of the address, or a pointer where the
// word may lie elsewhere.
#if defined(__CUDA_ARCH__) && !defined(WIDE)
typedef uint32_t visited_address;
static __device__ __forceinline__ visited_address visited_address_of(uint32_t *vis) {
	visited_address base = (visited_address)__cvta_generic_to_shared(vis);
	OPAQUE(base);
	return base;
}
static __device__ __forceinline__ visited_address word_of(visited_address vis, uint32_t city) {
	return vis + (city >> 5) * 4;
}
static __device__ __forceinline__ uint32_t peek(visited_address at) {
	uint32_t v;
	asm volatile ("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
	return v;
}
static __device__ __forceinline__ void poke(visited_address at, uint32_t v) {
	asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(v) : "memory");
}
#else
typedef uint32_t *visited_address;
static __device__ __forceinline__ visited_address visited_address_of(uint32_t *vis) { return vis; }
static __device__ __forceinline__ visited_address word_of(visited_address vis, uint32_t city) {
	return vis + (city >> 5);
}
static __device__ __forceinline__ uint32_t peek(visited_address at) { return *at; }
static __device__ __forceinline__ void poke(visited_address at, uint32_t v) { *at = v; }
#endif

// lane_of_thread and warp_of_thread are the lane and the warp of a thread, once: the compiler does
// not look for them again.
static __device__ __forceinline__ int lane_of_thread() {
	int lane = threadIdx.x & 31;
	OPAQUE(lane);
	return lane;
}
static __device__ __forceinline__ int warp_of_thread() {
	return __shfl_sync(ALL, (int)(threadIdx.x >> 5), 0);
}

// grid_barrier lets all blocks of a cooperative grid wait for each other for the turn-th time. bar:
// one counter of arrivals, 0 before the first.
static __device__ __forceinline__ void grid_barrier(uint32_t *bar, uint32_t turn) {
	__syncthreads();
	if (threadIdx.x == 0) {
		const uint32_t target = turn * gridDim.x;
		uint32_t v;
		__threadfence();
		asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(bar) : "memory");
		do {
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(bar) : "memory");
		} while (v < target);
	}
	__syncthreads();
}

// An ant_state is an ant between two of its steps. It lies in memory, for what is in registers when
// a function is called would be written to the stack wherever it changes.
struct ant_state {
	int s; // the position to be filled
	uint32_t cur, start;
	int fallbacks;
	int due; // the next position whose edge is to be updated
	uint32_t explore[4];
	uint32_t own[3];           // of the updates
};

// start_tour places an ant at its first city.
static __device__ __forceinline__ void start_tour(volatile ant_state &w, uint32_t *vis,
		const instance &g, const job *j, const rules *a, city_t *tour, int ant, int lane,
		const keys &rk) {
	clear_visited(vis, g.n, g.words, lane);
	uint32_t explore[4];
	const uint32_t start = __shfl_sync(ALL,
			__umulhi(
					draw_explore(explore, j->it_lo, j->it_hi, ant, 0, lane, a->greedy, rk).x, (uint32_t)g.n),
			0);
	w.s = 1, w.cur = w.start = start, w.fallbacks = 0, w.due = a->period;
	for (int i = 0; i < 4; i++) w.explore[i] = explore[i];
	for (int i = 0; i < 3; i++) w.own[i] = 0;
	if (lane == 0) mark_city(vis, g.words, start), tour[0] = (city_t)start;
	__syncwarp();
}

// A row is what a lane looks at in a city: the trail and the candidate of its entry.
struct row {
	float t;
	candidate e;
};

static __device__ __forceinline__ tour_neighbours neighbours_of(
		const tour_neighbours *neighbours, uint32_t c) {
	tour_neighbours w;
#ifdef WIDE
	const uint2 x = __ldg((const uint2 *)(neighbours + c));
	w.after = x.x, w.before = x.y;
#else
	const uint32_t x = __ldg((const uint32_t *)(neighbours + c));
	w.after = (city_t)x, w.before = (city_t)(x >> 16);
#endif
	return w;
}

// put writes to global memory by a pointer of which the compiler does not know that it leads there.
static __device__ __forceinline__ void put(float *to, float v) {
#ifdef __CUDA_ARCH__
	asm volatile ("st.global.f32 [%0], %1;" ::"l"(to), "f"(v) : "memory");
#else
	*to = v;
#endif
}

static __device__ __forceinline__ void put(city_t *to, uint32_t v) {
#if defined(__CUDA_ARCH__) && defined(WIDE)
	asm volatile ("st.global.u32 [%0], %1;" ::"l"(to), "r"(v) : "memory");
#elif defined(__CUDA_ARCH__)
	asm volatile ("st.global.u16 [%0], %1;" ::"l"(to), "h"((uint16_t)v) : "memory");
#else
	*to = (city_t)v;
#endif
}

// fetch reads entry at of a lane, whose first row begins at tau and candidates, past the
// multiprocessor's own cache: others write them.
static __device__ __forceinline__ row fetch(
		const float *tau, const candidate *candidates, size_t at) {
	row r;
	r.t = __ldcg(tau + at);
	const uint2 e = __ldcg((const uint2 *)(candidates + at));
	r.e.eta = __uint_as_float(e.x), r.e.link = e.y;
	return r;
}

// An option is what a lane sees of the candidate that an entry leads to: the word of its visited
// bit and that bit, whether it is open, and the weight. The key says which weight is greatest: the
// weight's bits without the low 5, which are the rank, 31 less the slot; 0 where it is visited.
struct option {
	visited_address at;
	uint32_t word, bit, key;
	float weight;
	bool open;
};

static __device__ __forceinline__ uint32_t key_of(float weight, uint32_t rank) {
	return (__float_as_uint(weight) & ~31u) | rank; // without a sign
}

static __device__ __forceinline__ option option_of(
		const row &r, visited_address vis, bool list, uint32_t rank) {
	option v;
	const uint32_t to = city_of(r.e.link);
	v.at = word_of(vis, to);
	v.word = peek(v.at);
	v.bit = 1u << (to & 31);
	v.weight = fabsf(r.t) * r.e.eta;
	v.open = list && !(v.word & v.bit);
	v.key = v.open ? key_of(v.weight, rank) : 0;
	return v;
}

// construct_steps makes an ant's steps up to position end - 1. shared are the visited bits of a
// block's ants, per their number. UPDATES says what is done with the edges that count, of which the
// positions are multiples of local_period; all its functions are called by all lanes:
//
//	pass(c, to, r, mine, counts, back)
//	             a step from c to a city by the candidate of the lane for which mine is true; r is
//	             the row of c; back says whether lane's trail in r is to be updated for the edge
//	             that led to c; the answer, one for all lanes, is whether late is to be called
//	late(c, to)  the last step for which pass asked for it
//	edge(c, to)  a step that counts by an edge that is no candidate
//	store(c, to) each bit that late (2) and edge (1 for c, 2 for the way back) answer
//	fallback(c, to)  where an ant goes from c whose candidates are all visited, to being the nearest
//	             unvisited city
//	keep(w)      before the updates are made anew
//
// The law of a choice is figure 3 of R. Skinderowicz, 2016, as in solvers/ants/cpu: cities that are
// no candidates are looked at only where all candidates are visited.
//
// Of three loops the inner one makes the steps that need but the greatest weight, of a candidate,
// without branches. That around it makes races of clocks, and where all candidates are visited
// ends.
// What the calls need and leave is in w: nothing else lives across them.
//
// AHEAD reads the row of the city that is likely to follow the next one before that is known to be
// it: of the neighbours of the next city in the best tour the one that the ant does not come from.
template <bool AHEAD, int PITCH, class UPDATES>
static __device__ __forceinline__ void construct_steps(volatile ant_state &w, int end,
		uint32_t *shared, int per, const instance &g, const job *j, const rules *a, const memory &m,
		city_t *tours, const keys &rk) {
	while (w.s < end) {
		bool fallback = false;
		uint32_t missing = 0,
						 left = 0; // the edge that is to be stored at one of its ends leads from left to w.cur
		{
			const int lane = lane_of_thread(), warp = warp_of_thread(), ant = blockIdx.x * per + warp;
			const visited_address bits = visited_address_of(visited_of(shared, g, warp, ant));
			city_t *tour = tours + (size_t)ant * g.n;
			const uint32_t it_lo = j->it_lo, it_hi = j->it_hi;
			const bool list = lane < g.k;
			const uint32_t rank = 31 - lane;
			const int period = a->period;
			float *tau = m.tau + lane;
			const candidate *candidates = m.candidates + lane;
			OPAQUE_POINTER(tau);
			OPAQUE_POINTER(candidates);
			OPAQUE_POINTER(tour);
			const tour_neighbours *neighbours = m.neighbours;
			OPAQUE_POINTER(neighbours);
			UPDATES updates(a, m, tau, lane, w);
			int s = w.s, due = w.due;
			uint32_t cur = w.cur, explore[4];
			for (int i = 0; i < 4; i++) explore[i] = w.explore[i];
			uint32_t back = 0; // 32 and the lane whose trail of cur is still to be updated, for the edge
			                   // that led there
			const uint32_t self = 32 | lane;
			row r = fetch(tau, candidates, (size_t)cur * PITCH);
			uint32_t guess = NONE; // the city that is likely to be next
			tour_neighbours on = {0, 0};       // its neighbours
			row ahead = r;
			while (s < end) {
				if (!(s & 127)) draw_explore(explore, it_lo, it_hi, ant, s >> 7, lane, a->greedy, rk);
				const bool exploring = explores_at(explore, s);
				option v = option_of(r, bits, list, rank);
				uint32_t most = warp_max(v.key);
				int winner = most ? 31 - (int)(most & 31) : -1;
				if (exploring) winner = explore_winner(v.open, v.weight, it_lo, it_hi, ant, s, lane, rk);
				if (winner < 0) {
					fallback = true;
					break;
				}
				// The inner loop ends where another exploring step is, and goes on as long as candidates win.
				const int stop = min(end, next_explore(explore, s + 1));
				uint32_t source = winner;
				bool mine = lane == winner, late;
				for (;;) {
					const uint32_t link = __shfl_sync(ALL, r.e.link, source), next = city_of(link);
					const bool counts = s == due;
					due += counts ? period : 0;
					const row old = r;
					if (AHEAD && __any_sync(ALL, mine && city_of(old.e.link) == guess)) {
						r = ahead;
					} else {
						r = fetch(tau, candidates, (size_t)next * PITCH);
						if (AHEAD) on = neighbours_of(neighbours, next);
					}
					if (AHEAD) {
						guess = on.after == cur ? on.before : on.after;
						ahead = fetch(tau, candidates, (size_t)guess * PITCH);
						on = neighbours_of(neighbours, guess);
					}
					if (mine) put(tour + s, city_of(old.e.link));
#ifdef WIDE
					if (mine) mark_word(bits, g.words, next >> 5, v.word | v.bit);
#else
					if (mine) poke(v.at, v.word | v.bit);
#endif
					late = updates.pass(cur, next, old, mine, counts, back == self);
					if (UPDATES::BACKS) back = counts ? link & 63 : 0;
					__syncwarp();
					left = cur, cur = next, s++;
					if (s == stop || late) break;
					v = option_of(r, bits, list, rank);
					most = warp_max(v.key);
					if (!most) break;
					source = ~most & 31, mine = v.key == most;
				}
				if (late && (missing = updates.late(left, cur))) break;
			}
			if (UPDATES::BACKS && updates.pass(cur, cur, r, false, false, back == self))
				updates.late(cur, cur);
			w.s = s, w.cur = cur, w.due = due;
			for (int i = 0; i < 4; i++) w.explore[i] = explore[i];
			updates.keep(w);
		}
		uint32_t from = left, to = w.cur;
		if (fallback) {
			int lane = lane_of_thread(), warp = warp_of_thread();
			from = to;
			to = (uint32_t)nearest<true>(visited_of(shared, g, warp, blockIdx.x * per + warp), g.at,
					g.box, g.ext, g.metric, g.words, (int)from, lane);
			from = w.cur, lane = lane_of_thread(), warp = warp_of_thread();
			to = UPDATES::fallback(g, a, m, visited_of(shared, g, warp, blockIdx.x * per + warp),
					(int)from, to, lane);
			lane = lane_of_thread(), warp = warp_of_thread(), from = w.cur;
			const int ant = blockIdx.x * per + warp, s = w.s, due = w.due;
			if (lane == 0)
				mark_city(visited_of(shared, g, warp, ant), g.words, to),
						tours[(size_t)ant * g.n + s] = (city_t)to;
			__syncwarp();
			w.fallbacks = w.fallbacks + 1, w.s = s + 1, w.cur = to;
			if (s == due) {
				w.due = due + a->period;
				UPDATES updates(a, m, m.tau + lane, lane, w);
				missing = updates.edge(from, to);
				updates.keep(w);
			}
		}
		if (missing & 1) UPDATES::store(g, a, m, lane_of_thread(), w, from, to);
		if (missing & 2) UPDATES::store(g, a, m, lane_of_thread(), w, to, from);
	}
}

#endif
