// The steps of an ant of acs/alt, acs/gpu, acs/spm-sync and acs/spm, and what some of these share:
// updates by entry, and a barrier of the grid.
#ifndef METALAB_ANTS_STEPS_CUH
#define METALAB_ANTS_STEPS_CUH

#include "acs.cuh"
#include "paths.cuh"

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
static __device__ __forceinline__ void mark_bit(visited_address at, uint32_t bit) {
	asm volatile ("red.shared.or.b32 [%0], %1;" ::"r"(at), "r"(bit) : "memory");
}
#else
typedef uint32_t *visited_address;
static __device__ __forceinline__ visited_address visited_address_of(uint32_t *vis) { return vis; }
static __device__ __forceinline__ visited_address word_of(visited_address vis, uint32_t city) {
	return vis + (city >> 5);
}
static __device__ __forceinline__ uint32_t peek(visited_address at) { return *at; }
static __device__ __forceinline__ void poke(visited_address at, uint32_t v) { *at = v; }
static __device__ __forceinline__ void mark_bit(visited_address at, uint32_t bit) {
	atomicOr(at, bit);
}
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
	uint32_t cur, start, before;
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
	w.s = 1, w.cur = w.start = w.before = start, w.fallbacks = 0, w.due = a->period;
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

// packed_likely are likely_cities as they are read: unpacked when they are used, for what is done
// with a register waits for what is read into it.
struct packed_likely {
#ifdef WIDE
	uint2 x;
	// from is where an ant is likely to go that comes from city c.
	__device__ __forceinline__ uint32_t from(uint32_t c) const { return x.x == c ? x.y : x.x; }
#else
	uint32_t x;
	__device__ __forceinline__ uint32_t from(uint32_t c) const {
		return (x & 0xffff) == c ? x >> 16 : x & 0xffff;
	}
#endif
};

static __device__ __forceinline__ packed_likely likely_of(const likely_cities *likely, uint32_t c) {
#ifdef WIDE
	return {__ldg((const uint2 *)(likely + c))};
#else
	return {__ldg((const uint32_t *)(likely + c))};
#endif
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

#ifndef WIDE
// likely_after are the likely cities of a block, behind the visited bits of its ants, per their
// number; paths_of the paths, behind those.
static __device__ __forceinline__ uint32_t *likely_after(
		uint32_t *shared, const instance &g, int per) {
	return shared + ((per * g.words + 3) & ~3);
}
static __device__ __forceinline__ uint64_t *paths_of(uint32_t *shared, const instance &g, int per) {
	return (uint64_t *)(likely_after(shared, g, per) + likely_words(g.n));
}

// start_paths makes the paths of a block.
static __device__ __forceinline__ void start_paths(
		uint32_t *shared, const instance &g, const memory &m, int per) {
	uint32_t *likely = likely_after(shared, g, per);
	for (int i = threadIdx.x; i < g.n; i += blockDim.x) likely[i] = ((const uint32_t *)m.likely)[i];
	__syncthreads();
	make_paths(paths_of(shared, g, per), likely, g.n);
	__syncthreads();
}

// windows makes steps four at a time, up to position stop: those that go where ants are likely to
// go. All four rows are looked at at once, a candidate counts as visited where the path leads to it
// before, and the steps up to the first that leaves the path are made; meanwhile the rows of the
// next four come. It ends with the city from which the path is left, or whose step is to be
// followed by late, which it returns, or where fewer than four steps are left.
template <int PITCH, class UPDATES> static __device__ __forceinline__ bool windows(
		UPDATES &updates, visited_address bits, shared_address paths, const float *tau,
		const candidate *candidates, city_t *tour, bool list, uint32_t rank, int period, int stop,
		int lane, int &s, int &due, uint32_t &cur, uint32_t &left, uint32_t &back, row &r) {
	const uint32_t self = 32 | lane;
	uint32_t c[5];
	row even[4], odd[4];
	bool late;
	uint64_t path = load_path(paths + cur * 16);
	if (step_of(path, 0) == left) path = load_path(paths + cur * 16 + 8);
	uint32_t ends = end_of(path);
	c[0] = cur, even[0] = r;
#pragma unroll
	for (int i = 0; i < 4; i++) {
		c[i + 1] = step_of(path, i);
		if (i < 3) even[i + 1] = fetch(tau, candidates, (size_t)c[i + 1] * PITCH);
	}
	// window makes steps by the rows, and tells whether it is to be followed by one by ahead.
	auto window = [&](const row(&rows)[4], row(&ahead)[4]) {
		uint32_t most[4];
		option v[4];
		path = load_path(paths + ends * 8);
#pragma unroll
		for (int i = 0; i < 4; i++) v[i] = option_of(rows[i], bits, list, rank);
		ahead[0] = fetch(tau, candidates, (size_t)c[4] * PITCH);
#pragma unroll
		for (int i = 0; i < 3; i++)
			ahead[i + 1] = fetch(tau, candidates, (size_t)step_of(path, i) * PITCH);
#pragma unroll
		for (int i = 0; i < 4; i++) {
#pragma unroll
			for (int k = 1; k <= i; k++)
				if (city_of(rows[i].e.link) == c[k]) v[i].key = 0;
			most[i] = warp_max(v[i].key);
		}
		bool off[4]; // no key is left: so it is for the lanes of other cities
#pragma unroll
		for (int i = 0; i < 4; i++)
			off[i] = v[i].key == most[i] && city_of(rows[i].e.link) != c[i + 1];
		int made = 4;
		if (__any_sync(ALL, off[0] || off[1] || off[2] || off[3]))
			made = __any_sync(ALL, off[0])   ? 0
			       : __any_sync(ALL, off[1]) ? 1
			       : __any_sync(ALL, off[2]) ? 2
			                                 : 3;
		late = false;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const bool counts = s + i == due;
			if (i >= made || !(counts || (UPDATES::BACKS && back))) continue;
			due += counts ? period : 0;
			late = updates.pass(c[i], c[i + 1], rows[i], v[i].key == most[i], counts, back == self);
			if (UPDATES::BACKS)
				back = counts ? __shfl_sync(ALL, rows[i].e.link, ~most[i] & 31) & 63 : 0;
			if (late) made = i + 1;
		}
		const uint32_t to = lane == 0 ? c[1] : lane == 1 ? c[2] : lane == 2 ? c[3] : c[4];
		if (lane < made) {
			put(tour + (s + lane), to);
			mark_bit(word_of(bits, to), 1u << (to & 31));
		}
		__syncwarp();
		s += made;
		if (made < 4) {
			if (made > 0) {
				left = made == 1 ? c[0] : made == 2 ? c[1] : c[2];
				cur = made == 1 ? c[1] : made == 2 ? c[2] : c[3];
			}
			r = made == 0 ? rows[0] : made == 1 ? rows[1] : made == 2 ? rows[2] : rows[3];
			return false;
		}
		left = c[3], cur = c[4];
		if (late || s + 4 > stop) {
			r = ahead[0];
			return false;
		}
		ends = end_of(path);
		c[0] = c[4];
#pragma unroll
		for (int i = 0; i < 4; i++) c[i + 1] = step_of(path, i);
		return true;
	};
	// Rows under way stay in their registers: those of one window, then of the other.
	while (window(even, odd) && window(odd, even)) {}
	return late;
}
#endif

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
// without branches; with WINDOWS windows makes most of these. That around it makes races of clocks,
// and where all candidates are visited ends. What the calls need and leave is in w: nothing else
// lives across them.
//
// AHEAD reads the row of the city that is likely to follow the next one before that is known to be
// it. WINDOWS makes steps four at a time where it can.
template <bool AHEAD, int PITCH, class UPDATES, bool WINDOWS = false>
static __device__ __forceinline__ void construct_steps(volatile ant_state &w, int end,
		uint32_t *shared, int per, const instance &g, const job *j, const rules *a, const memory &m,
		city_t *tours, const keys &rk) {
	while (w.s < end) {
		bool fallback = false;
		uint32_t missing = 0,
						 left = w.before; // the edge that is to be stored at one of its ends leads from left to w.cur
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
			const likely_cities *likely = m.likely;
			OPAQUE_POINTER(likely);
			UPDATES updates(a, m, tau, lane, w);
			int s = w.s, due = w.due;
			uint32_t cur = w.cur, explore[4];
			for (int i = 0; i < 4; i++) explore[i] = w.explore[i];
			uint32_t back = 0; // 32 and the lane whose trail of cur is still to be updated, for the edge
			                   // that led there
			const uint32_t self = 32 | lane;
			row r = fetch(tau, candidates, (size_t)cur * PITCH);
			uint32_t guess = NONE; // the city that is likely to be next
			packed_likely on = {}; // and those from there
			row ahead = r;
			while (s < end) {
				if (!(s & 127)) draw_explore(explore, it_lo, it_hi, ant, s >> 7, lane, a->greedy, rk);
				const bool exploring = explores_at(explore, s);
				const int greedy_end = WINDOWS && !exploring ? min(end, next_explore(explore, s)) : s + 1;
#ifndef WIDE
				if (WINDOWS && s + 4 <= greedy_end) {
					const bool late = windows<PITCH>(updates, bits,
							shared_address_of(paths_of(shared, g, per)), tau, candidates, tour, list, rank, period,
							greedy_end, lane, s, due, cur, left, back, r);
					if (late && (missing = updates.late(left, cur))) break;
					if (late || s == greedy_end) continue;
				}
#endif
				option v = option_of(r, bits, list, rank);
				uint32_t most = warp_max(v.key);
				int winner = most ? 31 - (int)(most & 31) : -1;
				if (exploring) winner = explore_winner(v.open, v.weight, it_lo, it_hi, ant, s, lane, rk);
				if (winner < 0) {
					fallback = true;
					break;
				}
				// The inner loop ends where another exploring step is, and goes on as long as candidates win.
				const int stop = WINDOWS ? (s + 4 > greedy_end ? greedy_end : s + 1)
				                         : min(end, next_explore(explore, s + 1));
				uint32_t source = winner;
				bool mine = lane == winner, late;
				// step goes on by the row at; that of the likely city is under way in next, and that of the
				// one after it is then asked for in at.
				auto step = [&](row &at, row &next_row) {
					const uint32_t link = __shfl_sync(ALL, at.e.link, source), next = city_of(link);
					const bool counts = s == due;
					due += counts ? period : 0;
					const row old = at;
					if (!(AHEAD && !WINDOWS) || !__any_sync(ALL, mine && city_of(old.e.link) == guess)) {
						next_row = fetch(tau, candidates, (size_t)next * PITCH);
						if (AHEAD && !WINDOWS) on = likely_of(likely, next);
					}
					if (AHEAD && !WINDOWS) {
						guess = on.from(cur);
						at = fetch(tau, candidates, (size_t)guess * PITCH);
						on = likely_of(likely, guess);
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
					if (s == stop || late) return false;
					v = option_of(next_row, bits, list, rank);
					most = warp_max(v.key);
					if (!most) return false;
					source = ~most & 31, mine = v.key == most;
					return true;
				};
				// Rows under way stay in their registers: an odd number of steps leaves the row in ahead.
				for (;;) {
					if (!step(r, ahead)) {
						const row next = ahead;
						ahead = r, r = next;
						break;
					}
					if (!step(ahead, r)) break;
				}
				if (late && (missing = updates.late(left, cur))) break;
			}
			if (UPDATES::BACKS && updates.pass(cur, cur, r, false, false, back == self))
				updates.late(cur, cur);
			w.s = s, w.cur = cur, w.before = left, w.due = due;
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
			w.fallbacks = w.fallbacks + 1, w.s = s + 1, w.before = from, w.cur = to;
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
