// Ant Colony System with a selective pheromone memory: the kernels of acs/spm-sync and acs/spm.
// What they compute is stated in solvers/ants/cpu/spm.go; spm-sync has its results bit for bit, the
// ants of spm race.
//
// The device has room, so a warp finds its trails in one read: each slot of a list has an entry,
// whose trail is tau_min, with the sign set, where the edge is not stored. The rings say in which
// order edges came, for what is to go next.
//
// Versions: a step read the ring, then the trails; then rings came with the row and updates were
// made of rows that are there; then the loop without calls and, in spm, rows read ahead (256
// ants of pr1002: 0.33 ms against 0.36 without, in one version). City numbers of 32 bits are the
// image spm_wide.
//
// Figures (bench ants-gpu-spm): an iteration of 256 ants of spm takes 0.345 and 0.772 ms on
// pr1002 and pr2392 on an H200.
#include "steps.cuh"

// prepare makes the global update and counts it, and clears the barrier and the counts of local
// updates.
//
// a, m, eta, after, before: as in alt.cu. bar: one counter of arrivals. tally: four sums: of local
// updates the trails found and all, of the last construction; of global updates the trails not
// found and all, of all since the host cleared them.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city. Bound: memory, 18 bytes a slot and
// the ring. No figure of its own is recorded.
extern "C" __global__ void prepare(instance g, const job *j, const rules *a, memory m,
		const float *eta, const city_t *after, const city_t *before, uint32_t *bar,
		unsigned long long *tally) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (i == 0) *bar = 0;
	if (i < 2) tally[i] = 0;
	if (i == 0 && j->deposit && g.n > 1) tally[3] += 2 * g.n;
	if (c >= g.n) return;
	const uint32_t misses = global_update_city(g, j, a, m, eta, c, i & 31, after, before);
	if ((i & 31) == 0 && misses) atomicAdd(tally + 2, (unsigned long long)misses);
}

// A city_memory is a city's part of the memory in a warp's registers: lane l has slot l of the
// list, its trail and whether that is stored, and place l of the ring, with what belongs to it
// where that is an edge beyond the list.
struct city_memory {
	int c; // -1: none
	float t, out_tau;
	candidate out;
	uint32_t id, mask, place;
	int head;
};

static __device__ __forceinline__ void load(
		city_memory &x, int c, const instance &g, const memory &m, int lane) {
	x.c = c;
	const bool in = lane < m.slots, list = lane < g.k;
	const float t = list ? __ldcg(m.tau + (size_t)c * m.pitch + lane) : 0;
	x.t = fabsf(t);
	x.id = list ? g.id[c * 32 + lane] : NONE;
	x.head = (int)__ldcg(m.head + c);
	x.place = in ? __ldcg(m.ring + c * m.slots + lane) : NONE;
	x.out_tau = in ? __ldcg(m.tau + entry_of(m, c, lane)) : 0;
	x.out = empty_entry(c);
	if (in) {
		const uint2 e = __ldcg((const uint2 *)(m.candidates + entry_of(m, c, lane)));
		x.out.eta = __uint_as_float(e.x), x.out.link = e.y;
	}
	x.mask = __ballot_sync(ALL, list && t > 0);
}

static __device__ __forceinline__ void store(
		const city_memory &x, const instance &g, const memory &m, int lane) {
	if (x.c < 0) return;
	if (lane < g.k) m.tau[(size_t)x.c * m.pitch + lane] = x.mask >> lane & 1 ? x.t : -x.t;
	if (lane < m.slots) {
		m.ring[x.c * m.slots + lane] = x.place;
		m.tau[entry_of(m, x.c, lane)] = x.out_tau;
		m.candidates[entry_of(m, x.c, lane)] =
				x.place != NONE && x.place & OFF_LIST ? x.out : empty_entry(x.c);
	}
	if (lane == 0) m.head[x.c] = x.head;
	__syncwarp();
}

// touch is the local update of the edge from a city_memory's city. It tells whether the trail was
// stored.
static __device__ __forceinline__ bool touch(
		city_memory &x, int to, const instance &g, const rules *a, const memory &m, int lane) {
	const uint32_t hit = __ballot_sync(ALL, x.id == (uint32_t)to);
	const uint32_t entry = hit ? __ffs(hit) - 1 : OFF_LIST | to;
	if (hit) {
		if (x.mask >> entry & 1) {
			if (lane == (int)entry) x.t = local_update(x.t, a->tau0, a->keep, a->gain);
			return true;
		}
	} else {
		const uint32_t at = __ballot_sync(ALL, x.place == entry);
		if (at) {
			if (lane == __ffs(at) - 1) x.out_tau = local_update(x.out_tau, a->tau0, a->keep, a->gain);
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
	const candidate e = off_list_candidate(g, a, x.c, to);
	if (lane == x.head) x.out_tau = a->stored, x.out = e;
	return false;
}

// strongest_in_ring is where an ant goes from a city whose candidates are all visited, to being the
// nearest unvisited one: to the unvisited city of the ring whose edge has the greatest weight, of
// equal ones the last in the ring, if that is above the weight of the way to the nearest at
// tau_min.
static __device__ __forceinline__ uint32_t strongest_in_ring(const instance &g, const rules *a,
		const memory &m, uint32_t *vis, int c, uint32_t to, int lane) {
	float t = 0;
	candidate e = empty_entry(c);
	if (lane < m.slots) {
		t = __ldcg(m.tau + entry_of(m, c, lane));
		const uint2 x = __ldcg((const uint2 *)(m.candidates + entry_of(m, c, lane)));
		e.eta = __uint_as_float(x.x), e.link = x.y;
	}
	const uint32_t city = city_of(e.link);
	const bool open = !(vis[city >> 5] >> (city & 31) & 1);
	const uint32_t most = warp_max(open ? key_of(fabsf(t) * e.eta, lane) : 0);
	if (most <= 31) return to;
	const float least =
			a->tau_min * off_list_weight(g, a, c, distance(g.metric, g.at[c], g.at[to]));
	return (most & ~31u) > key_of(least, 0) ? __shfl_sync(ALL, city, most & 31) : to;
}

// LAP is the number of positions after which updates are made.
#define LAP 32
// CHUNK is how many of the noted edges a block has at hand.
#define CHUNK 4096

// A note is an edge that is to be updated: the city that was left, and where to in the low
// NOTE_BITS.
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
static __device__ __forceinline__ uint32_t right_of(note_t e) {
	return (uint32_t)(e & (((note_t)1 << NOTE_BITS) - 1));
}

// notes_of is the room for an ant's notes in one lap.
static __device__ __forceinline__ int notes_of(int period) {
	return (LAP - 1 + period) / period;
}

// edge_log is what an ant notes in a lap: lane i has its i-th note.
struct edge_log {
	static constexpr bool BACKS = false;
	const int lane;
	note_t mine;
	int notes;

	__device__ __forceinline__ edge_log(
			const rules *, const memory &, float *, int own, volatile ant_state &w)
			: lane(own), mine(w.own[0]), notes((int)w.own[2]) {
#ifdef WIDE
		mine |= (note_t)w.own[1] << 32;
#endif
	}
	__device__ __forceinline__ void keep(volatile ant_state &w) {
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
	__device__ __forceinline__ bool pass(
			uint32_t c, uint32_t to, const row &, bool, bool counts, bool) {
		if (counts && lane == notes) mine = (note_t)c << NOTE_BITS | to;
		notes += counts;
		return false;
	}
	static __device__ __forceinline__ uint32_t fallback(const instance &g, const rules *a,
			const memory &m, uint32_t *vis, int c, uint32_t to, int lane) {
		return strongest_in_ring(g, a, m, vis, c, to, lane);
	}
	__device__ __forceinline__ uint32_t late(uint32_t, uint32_t) { return 0; }
	static __device__ __forceinline__ void store(const instance &, const rules *, const memory &, int,
			volatile ant_state &, uint32_t, uint32_t) {}
};

template <int PITCH> static __device__ __forceinline__ void construct_tours(const instance &g,
		const job *j, const rules *a, const memory &m, note_t *log, city_t *tours, result *results,
		uint32_t *bar, unsigned long long *tally, const keys &rk, int block_ants) {
	extern __shared__ four_notes room_for_notes[];
	const int lane = lane_of_thread(), warp = warp_of_thread(), warps = blockDim.x >> 5;
	const int n = g.n, ant = blockIdx.x * block_ants + warp, ants = j->ants;
	const bool live = warp < block_ants && ant < ants;
	note_t *chunk = (note_t *)room_for_notes;
	uint32_t *vis = (uint32_t *)(chunk + CHUNK);
	city_t *tour = tours + (size_t)ant * n;
	const int room = notes_of(a->period), total = ants * room;
	const uint32_t owners = 1u << (31 - __clz(gridDim.x * warps)), own = blockIdx.x * warps + warp;
	volatile ant_state w;
	if (live) start_tour(w, visited_of(vis, g, warp, ant), g, j, a, tour, ant, lane, rk);
	uint32_t hits = 0, made = 0;
	uint32_t turn = 0;
	for (int from = 0; from < n; from += LAP) {
		if (live) {
			w.own[0] = w.own[1] = ALL, w.own[2] = 0;
			construct_steps<false, PITCH, edge_log>(
					w, min(from + LAP, n), vis, block_ants, g, j, a, m, tours, rk);
			edge_log updates(a, m, m.tau + lane, lane, w);
			if (lane < room) log[(size_t)ant * room + lane] = updates.mine;
		}
		grid_barrier(bar, ++turn);
		for (int base = 0; base < total; base += CHUNK) {
			const int size = min(CHUNK, total - base);
			__syncthreads(); // all have looked at the chunk before
			for (int i = threadIdx.x; i < CHUNK; i += blockDim.x)
				chunk[i] = i < size ? __ldcg(log + base + i) : NO_NOTE;
			__syncthreads();
			if (own >= owners) continue;
			city_memory x;
			x.c = -1;
			auto edge = [&](note_t e, bool first) {
				const int c = (int)(first ? left_of(e) : right_of(e));
				if (c != x.c) {
					store(x, g, m, lane);
					load(x, c, g, m, lane);
				}
				made++;
				hits += touch(x, (int)(first ? right_of(e) : left_of(e)), g, a, m, lane);
			};
			auto owned = [&](uint32_t c) { return (c & (owners - 1)) == own; };
			// Four notes a lane: 4 l to 4 l + 3 of 128.
			for (int i = 0; i < size; i += 128) {
				const four_notes e = room_for_notes[i / 4 + lane];
				auto any = [&](note_t y) { return y != NO_NOTE && (owned(left_of(y)) || owned(right_of(y))); };
				for (uint32_t b = __ballot_sync(ALL, any(e.x) || any(e.y) || any(e.z) || any(e.w)); b;
						 b &= b - 1) {
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
		if (from + LAP < n) grid_barrier(bar, ++turn);
	}
	if (lane == 0 && made) {
		atomicAdd(tally, (unsigned long long)hits);
		atomicAdd(tally + 1, (unsigned long long)made);
	}
	if (live) finish(g, tour, results + 1 + ant, w.fallbacks, lane);
}

// construct constructs for acs/spm-sync. After each lap of 32 positions the grid meets; then the
// warps make what was noted, in the notes' order: a warp has the cities whose numbers end in its
// own.
//
// a: one struct of rules. m: trails in rows of 32 entries, see memory. log: by ant
// notes_of(local_period) notes. bar: one counter of arrivals, 0 before. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh. block_ants: the first warps of a block, which are
// ants.
//
// Launch: a cooperative grid of at least ceil(ants / block_ants) blocks, one a multiprocessor
// where that is more, of 16 warps or more; shared memory 4096 notes and the visited bits. Bound:
// two barriers of the grid a lap, and all notes read by every block. No figure is recorded.
extern "C" __global__ void __launch_bounds__(1024, 1)
		construct(instance g, const job *j, const rules *a, memory m, note_t *log, city_t *tours,
				result *results, uint32_t *bar, unsigned long long *tally, keys rk, int block_ants) {
	construct_tours<32>(g, j, a, m, log, tours, results, bar, tally, rk, block_ants);
}

// construct_40 is construct in rows of 40 entries.
//
// a: one struct of rules. m: trails in rows of 40 entries, see memory. log: by ant
// notes_of(local_period) notes. bar: one counter of arrivals, 0 before. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh. block_ants: the first warps of a block, which are
// ants.
//
// Launch and bound: as construct. No figure is recorded.
extern "C" __global__ void __launch_bounds__(1024, 1)
		construct_40(instance g, const job *j, const rules *a, memory m, note_t *log, city_t *tours,
				result *results, uint32_t *bar, unsigned long long *tally, keys rk, int block_ants) {
	construct_tours<40>(g, j, a, m, log, tours, results, bar, tally, rk, block_ants);
}

// construct_64 is construct in rows of 64 entries.
//
// a: one struct of rules. m: trails in rows of 64 entries, see memory. log: by ant
// notes_of(local_period) notes. bar: one counter of arrivals, 0 before. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh. block_ants: the first warps of a block, which are
// ants.
//
// Launch and bound: as construct. No figure is recorded.
extern "C" __global__ void __launch_bounds__(1024, 1)
		construct_64(instance g, const job *j, const rules *a, memory m, note_t *log, city_t *tours,
				result *results, uint32_t *bar, unsigned long long *tally, keys rk, int block_ants) {
	construct_tours<64>(g, j, a, m, log, tours, results, bar, tally, rk, block_ants);
}

// updates are the local updates of an ant of spm, while others touch the same cities: of
// several that would store an edge one does, and each place of a ring that is taken from an edge is
// taken once. A trail may be written late.
//
// Where both cities have the edge on their lists the rows tell what is stored and the trails: that
// of the city that is left at once, that of the next city when it has come.
template <int PITCH> struct racing_updates {
	static constexpr bool BACKS = true;
	const rules *const a;
	const memory &m;
	float *const tau; // of lane's entries
	const float tau0, keeps, gain;
	const int lane;
	bool to_store, one_way; // of the last pass: lane's trail is to be stored; its edge is not on the
	                        // list of the other city
	uint32_t misses; // trails stored, by lane

	__device__ __forceinline__ racing_updates(
			const rules *of, const memory &all, float *trails, int own, volatile ant_state &w)
			: a(of), m(all), tau(trails), tau0(of->tau0), keeps(of->keep), gain(of->gain), lane(own),
				to_store(false), one_way(false), misses(w.own[0]) {}
	__device__ __forceinline__ void keep(volatile ant_state &w) { w.own[0] = misses; }
	__device__ __forceinline__ bool pass(
			uint32_t c, uint32_t, const row &r, bool mine, bool counts, bool back) {
		const bool due = mine && counts, mends = due || back;
		const float t = fmaxf(fminf(r.t, tau0), keeps * r.t + gain);
		if (mends && r.t > 0 && r.t != tau0) put(tau + (size_t)c * PITCH, t);
		to_store = mends && r.t < 0, one_way = due && !has_back(r.e.link);
		return __any_sync(ALL, to_store || one_way);
	}
	static __device__ __forceinline__ uint32_t fallback(const instance &g, const rules *a,
			const memory &m, uint32_t *vis, int c, uint32_t to, int lane) {
		return strongest_in_ring(g, a, m, vis, c, to, lane);
	}
	__device__ __forceinline__ uint32_t late(uint32_t c, uint32_t to) {
		if (to_store) claim(c, lane);
		return __any_sync(ALL, one_way) && touch(to, c) ? 2 : 0;
	}
	__device__ __forceinline__ uint32_t edge(uint32_t c, uint32_t to) {
		const uint32_t missing = touch(c, to) ? 1 : 0;
		return missing | (touch(to, c) ? 2 : 0);
	}
	// turn takes the next place of a ring, for one thread.
	__device__ __forceinline__ void turn(uint32_t c, uint32_t entry, const candidate &e) {
		const uint32_t place = (atomicAdd(m.head + c, 1u) + 1) % (uint32_t)m.slots;
		misses++;
		if (entry & OFF_LIST) {
			m.candidates[entry_of(m, c, place)] = e;
			m.tau[entry_of(m, c, place)] = a->stored;
		}
		const uint32_t old = atomicExch(m.ring + c * m.slots + place, entry);
		if (old < 32) m.tau[(size_t)c * PITCH + old] = -a->tau_min;
		else if (old != NONE && !(entry & OFF_LIST)) m.candidates[entry_of(m, c, place)] = empty_entry(c);
	}
	// claim stores the edge of a slot, by one thread, unless another did meanwhile.
	__device__ __forceinline__ void claim(uint32_t c, int slot) {
		if (atomicExch((uint32_t *)m.tau + (size_t)c * PITCH + slot, __float_as_uint(a->stored)) >> 31)
			turn(c, slot, empty_entry(c));
	}
	// touch is the local update of an edge at one of its cities, by a warp. It tells whether the city
	// has no entry for it.
	__device__ __forceinline__ bool touch(uint32_t c, uint32_t to) {
		bool found = false;
		for (int i = 0; i < PITCH; i += 32) {
			if (lane + i >= PITCH) break;
			const row r = fetch(tau, m.candidates + lane, (size_t)c * PITCH + i);
			if (city_of(r.e.link) == to) {
				found = true;
				if (r.t < 0) claim(c, lane);
				else if (r.t != tau0) put(tau + (size_t)c * PITCH + i, local_update(r.t, tau0, keeps, gain));
			}
		}
		return !__any_sync(ALL, found);
	}
	// store gives an edge beyond the list of c, to a city, a place of its ring.
	static __device__ __forceinline__ void store(const instance &g, const rules *a, const memory &m,
			int lane, volatile ant_state &w, uint32_t c, uint32_t to) {
		const candidate e = off_list_candidate(g, a, (int)c, (int)to);
		lane = lane_of_thread();
		if (lane > 0) return;
		racing_updates updates(a, m, m.tau + lane, lane, w);
		updates.turn(c, OFF_LIST | to, e);
		updates.keep(w);
	}
};

template <int PITCH, bool WINDOWS = false>
static __device__ __forceinline__ void construct_tour(const instance &g, const job *j,
		const rules *a, const memory &m, city_t *tours, result *results, unsigned long long *tally,
		const keys &rk) {
	extern __shared__ uint4 room_for_bits[];
	uint32_t *bits = (uint32_t *)room_for_bits;
	const int per = blockDim.x >> 5, n = g.n;
	volatile ant_state w;
#ifndef WIDE
	if (WINDOWS) start_paths(bits, g, m, per);
#endif
	{
		const int lane = lane_of_thread(), warp = warp_of_thread(), ant = blockIdx.x * per + warp;
		if (ant >= j->ants) return;
		start_tour(w, visited_of(bits, g, warp, ant), g, j, a, tours + (size_t)ant * n, ant, lane, rk);
	}
	construct_steps<true, PITCH, racing_updates<PITCH>, WINDOWS>(
			w, n, bits, per, g, j, a, m, tours, rk);
	const int lane = lane_of_thread(), ant = blockIdx.x * per + warp_of_thread();
	const uint64_t misses = warp_sum(w.own[0]), all = 2 * ((n - 1) / a->period);
	if (lane == 0) {
		atomicAdd(tally, (unsigned long long)(all - misses));
		atomicAdd(tally + 1, (unsigned long long)all);
	}
	finish(g, tours + (size_t)ant * n, results + 1 + ant, w.fallbacks, lane);
}

// construct_alt constructs for acs/spm.
//
// a: one struct of rules. m: trails in rows of 32 entries, see memory. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 20; shared memory for the visited bits. Bound:
// the latency of a step, a row past the multiprocessor's cache and one reduction. Figures: above.
extern "C" __global__ void __launch_bounds__(640, 1) construct_alt(instance g, const job *j,
		const rules *a, memory m, city_t *tours, result *results, unsigned long long *tally, keys rk) {
	construct_tour<32>(g, j, a, m, tours, results, tally, rk);
}

// construct_alt_40 is construct_alt in rows of 40 entries.
//
// a: one struct of rules. m: trails in rows of 40 entries, see memory. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh.
//
// Launch and bound: as construct_alt. The figures above are of this kernel, with 32 candidates and
// 8 slots.
extern "C" __global__ void __launch_bounds__(640, 1) construct_alt_40(instance g, const job *j,
		const rules *a, memory m, city_t *tours, result *results, unsigned long long *tally, keys rk) {
	construct_tour<40>(g, j, a, m, tours, results, tally, rk);
}

// construct_alt_64 is construct_alt in rows of 64 entries.
//
// a: one struct of rules. m: trails in rows of 64 entries, see memory. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh.
//
// Launch and bound: as construct_alt. No figure is recorded.
extern "C" __global__ void __launch_bounds__(640, 1) construct_alt_64(instance g, const job *j,
		const rules *a, memory m, city_t *tours, result *results, unsigned long long *tally, keys rk) {
	construct_tour<64>(g, j, a, m, tours, results, tally, rk);
}

#ifndef WIDE
// construct_windows constructs for acs/spm with few ants of a block, by windows of four steps:
// see windows in steps.cuh.
//
// a: one struct of rules. m: trails in rows of 32 entries, see memory. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 8; shared memory for the visited bits, whole 16
// bytes, and pathBytes(n). Bound: the latency of a window, whose rows are read in the one before.
// Figures: the table ants-gpu-likely of bench.
extern "C" __global__ void __launch_bounds__(256, 1) construct_windows(instance g, const job *j,
		const rules *a, memory m, city_t *tours, result *results, unsigned long long *tally, keys rk) {
	construct_tour<32, true>(g, j, a, m, tours, results, tally, rk);
}

// construct_windows_40 constructs for acs/spm with few ants of a block, by windows of four steps:
// see windows in steps.cuh.
//
// a: one struct of rules. m: trails in rows of 40 entries, see memory. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 8; shared memory for the visited bits, whole 16
// bytes, and pathBytes(n). Bound: the latency of a window, whose rows are read in the one before.
// Figures: the table ants-gpu-likely of bench.
extern "C" __global__ void __launch_bounds__(256, 1) construct_windows_40(instance g, const job *j,
		const rules *a, memory m, city_t *tours, result *results, unsigned long long *tally, keys rk) {
	construct_tour<40, true>(g, j, a, m, tours, results, tally, rk);
}

// construct_windows_64 constructs for acs/spm with few ants of a block, by windows of four steps:
// see windows in steps.cuh.
//
// a: one struct of rules. m: trails in rows of 64 entries, see memory. tally: see prepare. g, j,
// tours, results and rk are those of common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 8; shared memory for the visited bits, whole 16
// bytes, and pathBytes(n). Bound: the latency of a window, whose rows are read in the one before.
// Figures: the table ants-gpu-likely of bench.
extern "C" __global__ void __launch_bounds__(256, 1) construct_windows_64(instance g, const job *j,
		const rules *a, memory m, city_t *tours, result *results, unsigned long long *tally, keys rk) {
	construct_tour<64, true>(g, j, a, m, tours, results, tally, rk);
}
#endif
