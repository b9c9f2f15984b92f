// Ant Colony System with a selective pheromone memory: the kernels of acs/spm and acs/spm-alt. What they
// compute is stated in solvers/ants/spm.go; spm has its results bit for bit, the ants of spm-alt race.
//
// The device has room, so a warp finds its trails in one read: each slot of a list has an entry, whose trail is tau_min, with the sign set,
// where the edge is not stored. The rings say in which order edges came, for what is to go next.
#include "stride.cuh"

// prepare makes the global update: a warp takes a city.
extern "C" __global__ void prepare(ground g, const job *j, const rules *a, memory m, const float *eta, const city_t *after, const city_t *before,
		uint32_t *bar, unsigned long long *tally) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (i == 0) *bar = 0;
	if (i < 2) tally[i] = 0;
	if (c < g.n) renew<true>(g, j, a, m, eta, c, i & 31, after, before);
}

// meet lets all blocks of the grid wait for each other for the turn-th time.
static __device__ __forceinline__ void meet_all(uint32_t *bar, uint32_t turn) {
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

// A cell is a city's part of the memory in a warp's registers: lane l has slot l of the list, its trail and whether that is stored, and place l
// of the ring, with what belongs to it where that is an edge beyond the list.
struct cell {
	int c; // -1: none
	float t, out_tau;
	wire out;
	uint32_t id, mask, place;
	int head;
};

static __device__ __forceinline__ void load(cell &x, int c, const ground &g, const memory &m, int lane) {
	x.c = c;
	const bool in = lane < m.slots, list = lane < g.k;
	const float t = list ? __ldcg(m.tau + (size_t)c * m.pitch + lane) : 0;
	x.t = fabsf(t);
	x.id = list ? g.id[c * 32 + lane] : NONE;
	x.head = (int)__ldcg(m.head + c);
	x.place = in ? __ldcg(m.ring + c * m.slots + lane) : NONE;
	x.out_tau = in ? __ldcg(m.tau + entry_of(m, c, lane)) : 0;
	x.out = nowhere(c);
	if (in) {
		const uint2 e = __ldcg((const uint2 *)(m.wires + entry_of(m, c, lane)));
		x.out.eta = __uint_as_float(e.x), x.out.link = e.y;
	}
	x.mask = __ballot_sync(ALL, list && t > 0);
}

static __device__ __forceinline__ void store(const cell &x, const ground &g, const memory &m, int lane) {
	if (x.c < 0) return;
	if (lane < g.k) m.tau[(size_t)x.c * m.pitch + lane] = x.mask >> lane & 1 ? x.t : -x.t;
	if (lane < m.slots) {
		m.ring[x.c * m.slots + lane] = x.place;
		m.tau[entry_of(m, x.c, lane)] = x.out_tau;
		m.wires[entry_of(m, x.c, lane)] = x.place != NONE && x.place & BEYOND ? x.out : nowhere(x.c);
	}
	if (lane == 0) m.head[x.c] = x.head;
	__syncwarp();
}

// touch is the local update of the edge from a cell's city. It tells whether the trail was stored.
static __device__ __forceinline__ bool touch(cell &x, int to, const ground &g, const rules *a, const memory &m, int lane) {
	const uint32_t hit = __ballot_sync(ALL, x.id == (uint32_t)to);
	const uint32_t entry = hit ? __ffs(hit) - 1 : BEYOND | to;
	if (hit) {
		if (x.mask >> entry & 1) {
			if (lane == (int)entry) x.t = wear(x.t, a->tau0, a->keep, a->gain);
			return true;
		}
	} else {
		const uint32_t at = __ballot_sync(ALL, x.place == entry);
		if (at) {
			if (lane == __ffs(at) - 1) x.out_tau = wear(x.out_tau, a->tau0, a->keep, a->gain);
			return true;
		}
	}
	x.head = x.head + 1 == m.slots ? 0 : x.head + 1;
	const uint32_t old = __shfl_sync(ALL, x.place, x.head);
	if (old < 32) {
		x.mask &= ~(1u << old);
		if (lane == (int)old) x.t = a->tau_min;
	}
	if (lane == x.head) x.place = entry;
	if (hit) {
		x.mask |= 1u << entry;
		if (lane == (int)entry) x.t = a->stored;
		return false;
	}
	const wire e = outward(g, a, x.c, to);
	if (lane == x.head) x.out_tau = a->stored, x.out = e;
	return false;
}

// LAP is the number of positions after which updates are made.
#define LAP 32
// CHUNK is how many of the noted edges a block has at hand.
#define CHUNK 4096

// A note is an edge that is to be updated: the city that was left, and where to in the low NOTE_BITS.
#ifdef WIDE
#define NOTE_BITS 32
typedef unsigned long long note_t;
struct __align__(16) four_notes { note_t x, y, z, w; };
#else
#define NOTE_BITS 16
typedef uint32_t note_t;
typedef uint4 four_notes;
#endif
#define NO_NOTE ((note_t)-1)

static __device__ __forceinline__ uint32_t left_of(note_t e) { return (uint32_t)(e >> NOTE_BITS); }
static __device__ __forceinline__ uint32_t right_of(note_t e) { return (uint32_t)(e & (((note_t)1 << NOTE_BITS) - 1)); }

// notes_of is the room for an ant's notes in one lap.
static __device__ __forceinline__ int notes_of(int period) { return min(LAP, (LAP - 1 + period) / period + 1); }

// log_of is what an ant notes in a lap: lane i has its i-th note.
struct log_of {
	static constexpr bool BACKS = false, EXACT = true;
	const int lane;
	note_t mine;
	int notes;

	__device__ __forceinline__ log_of(const rules *, const memory &, float *, int own, volatile walker &w) : lane(own), mine(w.own[0]), notes((int)w.own[2]) {
#ifdef WIDE
		mine |= (note_t)w.own[1] << 32;
#endif
	}
	__device__ __forceinline__ void keep(volatile walker &w) {
		w.own[0] = (uint32_t)mine, w.own[2] = notes;
#ifdef WIDE
		w.own[1] = (uint32_t)(mine >> 32);
#endif
	}
	__device__ __forceinline__ uint32_t edge(uint32_t c, uint32_t to) {
		if (lane == notes) mine = (note_t)c << NOTE_BITS | to;
		notes++;
		return 0;
	}
	__device__ __forceinline__ bool pass(uint32_t c, uint32_t to, const row &, bool, bool counts, bool) {
		if (counts && lane == notes) mine = (note_t)c << NOTE_BITS | to;
		notes += counts;
		return false;
	}
	__device__ __forceinline__ uint32_t late(uint32_t, uint32_t) { return 0; }
	static __device__ __forceinline__ void store(const ground &, const rules *, const memory &, int, volatile walker &, uint32_t, uint32_t) {}
};

template <int PITCH>
static __device__ __forceinline__ void laps(const ground &g, const job *j, const rules *a, const memory &m, note_t *log, city_t *tours,
		result *results, uint32_t *bar, unsigned long long *tally, const keys &rk, int walkers) {
	extern __shared__ four_notes room_for_notes[];
	const int lane = own_lane(), warp = own_warp(), warps = blockDim.x >> 5;
	const int n = g.n, ant = blockIdx.x * walkers + warp, ants = j->ants;
	const bool live = warp < walkers && ant < ants;
	note_t *chunk = (note_t *)room_for_notes;
	uint32_t *vis = (uint32_t *)(chunk + CHUNK);
	city_t *tour = tours + (size_t)ant * n;
	const int room = notes_of(a->period), total = ants * room;
	const uint32_t owners = 1u << (31 - __clz(gridDim.x * warps)), own = blockIdx.x * warps + warp;
	volatile walker w;
	if (live) set_out(w, bits_of(vis, g, warp, ant), g, j, a, tour, ant, lane, rk);
	uint32_t hits = 0, updates = 0;
	uint32_t turn = 0;
	for (int from = 0; from <= n; from += LAP) {
		if (live) {
			w.own[0] = w.own[1] = ALL, w.own[2] = 0;
			stride<false, PITCH, log_of>(w, min(from + LAP, n), vis, walkers, g, j, a, m, tours, rk);
			log_of book(a, m, m.tau + lane, lane, w);
			if (from + LAP > n && n > 1) book.edge(w.cur, w.start); // position n: the way back
			if (lane < room) log[(size_t)ant * room + lane] = book.mine;
		}
		meet_all(bar, ++turn);
		for (int base = 0; base < total; base += CHUNK) {
			const int size = min(CHUNK, total - base);
			__syncthreads(); // all have looked at the chunk before
			for (int i = threadIdx.x; i < CHUNK; i += blockDim.x) chunk[i] = i < size ? __ldcg(log + base + i) : NO_NOTE;
			__syncthreads();
			if (own >= owners) continue;
			cell x;
			x.c = -1;
			auto edge = [&](note_t e, bool first) {
				const int c = (int)(first ? left_of(e) : right_of(e));
				if (c != x.c) {
					store(x, g, m, lane);
					load(x, c, g, m, lane);
				}
				updates++;
				hits += touch(x, (int)(first ? right_of(e) : left_of(e)), g, a, m, lane);
			};
			auto owned = [&](uint32_t c) { return (c & (owners - 1)) == own; };
			// Four notes a lane: 4 l to 4 l + 3 of 128.
			for (int i = 0; i < size; i += 128) {
				const four_notes e = room_for_notes[i / 4 + lane];
				auto any = [&](note_t y) { return y != NO_NOTE && (owned(left_of(y)) || owned(right_of(y))); };
				for (uint32_t b = __ballot_sync(ALL, any(e.x) || any(e.y) || any(e.z) || any(e.w)); b; b &= b - 1) {
					const int l = __ffs(b) - 1;
#pragma unroll
					for (int q = 0; q < 4; q++) {
						const note_t y = __shfl_sync(ALL, q == 0 ? e.x : q == 1 ? e.y : q == 2 ? e.z : e.w, l);
						if (y == NO_NOTE) continue;
						if (owned(left_of(y))) edge(y, true);
						if (owned(right_of(y))) edge(y, false);
					}
				}
			}
			store(x, g, m, lane);
		}
		if (from + LAP <= n) meet_all(bar, ++turn);
	}
	if (lane == 0 && updates) {
		atomicAdd(tally, (unsigned long long)hits);
		atomicAdd(tally + 1, (unsigned long long)updates);
	}
	if (live) finish(g, tour, results + 1 + ant, w.falls, lane);
}

// walk makes the tours of acs/spm, walk_long and walk_full with rows of 40 and 64 entries; the grid is cooperative. The first walkers warps of a block are ants. After
// each lap the grid meets; then the warps make what was noted, in the notes' order: a warp has the
// cities whose numbers end in its own.
extern "C" __global__ void __launch_bounds__(1024, 1) walk(ground g, const job *j, const rules *a, memory m, note_t *log, city_t *tours,
		result *results, uint32_t *bar, unsigned long long *tally, keys rk, int walkers) {
	laps<32>(g, j, a, m, log, tours, results, bar, tally, rk, walkers);
}

extern "C" __global__ void __launch_bounds__(1024, 1) walk_long(ground g, const job *j, const rules *a, memory m, note_t *log, city_t *tours,
		result *results, uint32_t *bar, unsigned long long *tally, keys rk, int walkers) {
	laps<40>(g, j, a, m, log, tours, results, bar, tally, rk, walkers);
}

extern "C" __global__ void __launch_bounds__(1024, 1) walk_full(ground g, const job *j, const rules *a, memory m, note_t *log, city_t *tours,
		result *results, uint32_t *bar, unsigned long long *tally, keys rk, int walkers) {
	laps<64>(g, j, a, m, log, tours, results, bar, tally, rk, walkers);
}

// updates are the local updates of an ant of spm-alt, while others touch the same cities: of several that would store an edge one does,
// and each place of a ring that is taken from an edge is taken once. A trail may be written late.
//
// Where both cities have the edge on their lists the rows tell what is stored and the trails: that of the city that is
// left at once, that of the next city when it has come.
template <int PITCH> struct updates {
	static constexpr bool BACKS = true, EXACT = false;
	const rules *const a;
	const memory &m;
	float *const tau; // of lane's entries
	const float tau0, keeps, gain;
	const int lane;
	bool lent, lone; // of the last pass: lane's trail is to be stored; its edge is not on the list of the other city
	uint32_t misses; // trails stored, by lane

	__device__ __forceinline__ updates(const rules *of, const memory &all, float *trails, int own, volatile walker &w)
		: a(of), m(all), tau(trails), tau0(of->tau0), keeps(of->keep), gain(of->gain), lane(own), lent(false), lone(false), misses(w.own[0]) {}
	__device__ __forceinline__ void keep(volatile walker &w) { w.own[0] = misses; }
	__device__ __forceinline__ bool pass(uint32_t c, uint32_t, const row &r, bool mine, bool counts, bool back) {
		const bool due = mine && counts, mends = due || back;
		const float t = fmaxf(fminf(r.t, tau0), keeps * r.t + gain);
		if (mends && r.t > 0 && r.t != tau0) put(tau + (size_t)c * PITCH, t);
		lent = mends && r.t < 0, lone = due && !has_back(r.e.link);
		return __any_sync(ALL, lent || lone);
	}
	__device__ __forceinline__ uint32_t late(uint32_t c, uint32_t to) {
		if (lent) claim(c, lane);
		return __any_sync(ALL, lone) && touch(to, c) ? 2 : 0;
	}
	__device__ __forceinline__ uint32_t edge(uint32_t c, uint32_t to) {
		const uint32_t lacks = touch(c, to) ? 1 : 0;
		return lacks | (touch(to, c) ? 2 : 0);
	}
	// turn takes the next place of a ring, for one thread.
	__device__ __forceinline__ void turn(uint32_t c, uint32_t entry, const wire &e) {
		const uint32_t place = (atomicAdd(m.head + c, 1u) + 1) % (uint32_t)m.slots;
		misses++;
		if (entry & BEYOND) {
			m.wires[entry_of(m, c, place)] = e;
			m.tau[entry_of(m, c, place)] = a->stored;
		}
		const uint32_t old = atomicExch(m.ring + c * m.slots + place, entry);
		if (old < 32) m.tau[(size_t)c * PITCH + old] = -a->tau_min;
		else if (old != NONE && !(entry & BEYOND)) m.wires[entry_of(m, c, place)] = nowhere(c);
	}
	// claim stores the edge of a slot, by one thread, unless another did meanwhile.
	__device__ __forceinline__ void claim(uint32_t c, int slot) {
		if (atomicExch((uint32_t *)m.tau + (size_t)c * PITCH + slot, __float_as_uint(a->stored)) >> 31) turn(c, slot, nowhere(c));
	}
	// touch is the local update of an edge at one of its cities, by a warp. It tells whether the city has no entry for it.
	__device__ __forceinline__ bool touch(uint32_t c, uint32_t to) {
		bool found = false;
		for (int i = 0; i < PITCH; i += 32) {
			if (lane + i >= PITCH) break;
			const row r = fetch(tau, m.wires + lane, (size_t)c * PITCH + i);
			if (city_of(r.e.link) == to) {
				found = true;
				if (r.t < 0) claim(c, lane);
				else if (r.t != tau0) put(tau + (size_t)c * PITCH + i, wear(r.t, tau0, keeps, gain));
			}
		}
		return !__any_sync(ALL, found);
	}
	// store gives an edge beyond the list of c, to a city, a place of its ring.
	static __device__ __forceinline__ void store(const ground &g, const rules *a, const memory &m, int lane, volatile walker &w, uint32_t c, uint32_t to) {
		const wire e = outward(g, a, (int)c, (int)to);
		lane = own_lane();
		if (lane > 0) return;
		updates book(a, m, m.tau + lane, lane, w);
		book.turn(c, BEYOND | to, e);
		book.keep(w);
	}
};

template <int PITCH>
static __device__ __forceinline__ void tours_of(const ground &g, const job *j, const rules *a, const memory &m, city_t *tours, result *results,
		unsigned long long *tally, const keys &rk) {
	extern __shared__ uint32_t bits[];
	const int per = blockDim.x >> 5, n = g.n;
	volatile walker w;
	{
		const int lane = own_lane(), warp = own_warp(), ant = blockIdx.x * per + warp;
		if (ant >= j->ants) return;
		set_out(w, bits_of(bits, g, warp, ant), g, j, a, tours + (size_t)ant * n, ant, lane, rk);
	}
	stride<true, PITCH, updates<PITCH>>(w, n, bits, per, g, j, a, m, tours, rk);
	if (n > 1) { // the way back
		const uint32_t from = w.cur, to = w.start;
		const int lane = own_lane();
		updates<PITCH> book(a, m, m.tau + lane, lane, w);
		const uint32_t lacks = book.edge(from, to);
		book.keep(w);
		if (lacks & 1) book.store(g, a, m, own_lane(), w, from, to);
		if (lacks & 2) book.store(g, a, m, own_lane(), w, to, from);
	}
	const int lane = own_lane(), ant = blockIdx.x * per + own_warp();
	const uint64_t misses = warp_sum(w.own[0]), all = n > 1 ? 2 * ((n - 1) / a->period + 1) : 0;
	if (lane == 0) {
		atomicAdd(tally, (unsigned long long)(all - misses));
		atomicAdd(tally + 1, (unsigned long long)all);
	}
	finish(g, tours + (size_t)ant * n, results + 1 + ant, w.falls, lane);
}

// walk_alt makes the tours of acs/spm-alt, walk_alt_long and walk_alt_full with rows of 40 and 64 entries.
extern "C" __global__ void __launch_bounds__(640, 1) walk_alt(ground g, const job *j, const rules *a, memory m, city_t *tours, result *results,
		unsigned long long *tally, keys rk) {
	tours_of<32>(g, j, a, m, tours, results, tally, rk);
}

extern "C" __global__ void __launch_bounds__(640, 1) walk_alt_long(ground g, const job *j, const rules *a, memory m, city_t *tours,
		result *results, unsigned long long *tally, keys rk) {
	tours_of<40>(g, j, a, m, tours, results, tally, rk);
}

extern "C" __global__ void __launch_bounds__(640, 1) walk_alt_full(ground g, const job *j, const rules *a, memory m, city_t *tours,
		result *results, unsigned long long *tally, keys rk) {
	tours_of<64>(g, j, a, m, tours, results, tally, rk);
}
