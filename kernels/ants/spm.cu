// Ant Colony System with a selective pheromone memory: the kernels of acs/spm and acs/spm-alt. What they
// compute is stated in solvers/ants/spm.go; spm has its results bit for bit, the ants of spm-alt race.
//
// The device has room, so a warp finds its trails in one read: tau holds those of all slots, tau_min where an edge
// is not stored, and mask says which are. The rings say in which order they came, for what is to go next.
#include "acs.cuh"

// prepare makes the global update: a warp takes a city. Masks are made anew from the rings, which
// races may have left behind.
extern "C" __global__ void prepare(ground g, const job *j, const rules *a, memory m, const float *eta, wire *wires,
		const city_t *after, const city_t *before, uint32_t *bar, unsigned long long *tally) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (i == 0) *bar = 0;
	if (i < 2) tally[i] = 0;
	if (c >= g.n) return;
	const bool in = lane < m.slots;
	const int at = c * m.slots + lane;
	float t = m.tau[i], out_tau = in ? m.out_tau[at] : 0;
	uint32_t place = in ? m.ring[at] : NONE, mask = 0;
	int head = (int)(m.head[c] % (uint32_t)m.slots);
	for (int k = 0; k < m.slots; k++) {
		const uint32_t slot = __shfl_sync(ALL, place, k);
		if (slot < 32) mask |= 1u << slot;
	}
	if (j->reward) reward<true>(g, j, a, c, lane, m.slots, t, mask, place, out_tau, head, before[c], after[c]);
	const bool out = in && place != NONE && place & BEYOND;
	m.tau[i] = mask >> lane & 1 ? t : a->tau_min;
	if (in) m.ring[at] = place, m.out_tau[at] = out_tau;
	if (out) m.out_eta[at] = beyond(g, a, c, distance(g.metric, g.at[c], g.at[place & CITY]));
	const uint32_t outs = __ballot_sync(ALL, out);
	if (lane == 0) m.mask[c] = mask, m.head[c] = head, m.out[c] = outs;
	wires[i].eta = eta[i];
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

// A cell is a city's part of the memory in a warp's registers: lane l has slot l of the list and place l of the ring.
struct cell {
	int c; // -1: none
	float t, out_tau;
	uint32_t id, mask, place;
	int head;
};

static __device__ __forceinline__ void load(cell &x, int c, const ground &g, const memory &m, int lane) {
	x.c = c;
	const bool in = lane < m.slots;
	x.t = __ldcg(m.tau + c * 32 + lane);
	x.id = lane < g.k ? g.id[c * 32 + lane] : NONE;
	x.mask = __ldcg(m.mask + c);
	x.head = (int)__ldcg(m.head + c);
	x.place = in ? __ldcg(m.ring + c * m.slots + lane) : NONE;
	x.out_tau = in ? __ldcg(m.out_tau + c * m.slots + lane) : 0;
}

static __device__ __forceinline__ void store(const cell &x, const memory &m, int lane) {
	if (x.c < 0) return;
	const bool in = lane < m.slots;
	m.tau[x.c * 32 + lane] = x.t;
	if (in) m.ring[x.c * m.slots + lane] = x.place, m.out_tau[x.c * m.slots + lane] = x.out_tau;
	const uint32_t outs = __ballot_sync(ALL, in && x.place != NONE && x.place & BEYOND);
	if (lane == 0) m.mask[x.c] = x.mask, m.head[x.c] = x.head, m.out[x.c] = outs;
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
	const float eta = beyond(g, a, x.c, distance(g.metric, g.at[x.c], g.at[to]));
	if (lane == x.head) x.out_tau = a->stored, m.out_eta[x.c * m.slots + x.head] = eta;
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

// walk makes the tours of acs/spm; the grid is cooperative. The first walkers warps of a block are ants. After
// each lap the grid meets; then the warps make what was noted, in the notes' order: a warp has the
// cities whose numbers end in its own.
extern "C" __global__ void __launch_bounds__(1024, 1) walk(ground g, const job *j, const rules *a, memory m, const wire *__restrict__ wires,
		note_t *log, city_t *tours, result *results, uint32_t *bar, unsigned long long *tally, keys rk, int walkers) {
	extern __shared__ four_notes room_for_notes[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, ant = blockIdx.x * walkers + warp, ants = j->ants;
	const bool live = warp < walkers && ant < ants;
	note_t *chunk = (note_t *)room_for_notes;
	uint32_t *vis = bits_of((uint32_t *)(chunk + CHUNK), g, warp, ant);
	city_t *tour = tours + (size_t)ant * n;
	const int room = notes_of(a->period), total = ants * room;
	const uint32_t owners = 1u << (31 - __clz(gridDim.x * warps)), own = blockIdx.x * warps + warp;
	walker w;
	if (live) set_out(w, vis, g, j, a, ant, lane, rk);
	uint32_t hits = 0, updates = 0;
	uint32_t turn = 0;
	for (int from = 0; from <= n; from += LAP) {
		if (live) {
			note_t mine = NO_NOTE;
			int notes = 0;
			auto note = [&](int left, int, uint32_t, int to, const row &) {
				if (lane == notes) mine = (note_t)left << NOTE_BITS | to;
				notes++;
			};
			stride<false>(w, max(from, 1), min(from + LAP, n), vis, g, j, a, m, wires, tour, ant, lane, rk, note, [](int, const row &) {});
			if (from + LAP > n && n > 1) note(w.cur, 0, 0, w.start, row()); // position n: the way back
			if (lane < room) log[(size_t)ant * room + lane] = mine;
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
					store(x, m, lane);
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
			store(x, m, lane);
		}
		if (from + LAP <= n) meet_all(bar, ++turn);
	}
	if (lane == 0 && updates) {
		atomicAdd(tally, (unsigned long long)hits);
		atomicAdd(tally + 1, (unsigned long long)updates);
	}
	if (!live) return;
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (city_t)w.kept;
	__syncwarp();
	finish(g, tour, results + 1 + ant, w.falls, lane);
}

// evict forgets what stood in a place of a ring that was taken from it, while others race.
static __device__ __forceinline__ void evict(const memory &m, const rules *a, int c, uint32_t place, uint32_t old) {
	if (old < 32) {
		atomicAnd(m.mask + c, ~(1u << old));
		m.tau[c * 32 + old] = a->tau_min;
	} else if (old != NONE) {
		atomicAnd(m.out + c, ~(1u << place));
	}
}

static __device__ __forceinline__ uint32_t next_place(const memory &m, int c) {
	return (atomicAdd(m.head + c, 1u) + 1) % (uint32_t)m.slots;
}

// race_touch is the local update of a slot by one thread, while others touch the same city: of several
// that would store an edge one does, and each place of a ring that is taken from an edge is taken once. A trail
// may be written late.
static __device__ __forceinline__ bool race_touch(const memory &m, const rules *a, uint32_t at) {
	const uint32_t c = at >> 5, bit = 1u << (at & 31);
	const float t = __ldcg(m.tau + at);
	if (__ldcg(m.mask + c) & bit || atomicOr(m.mask + c, bit) & bit) {
		if (t != a->tau0) m.tau[at] = wear(t, a->tau0, a->keep, a->gain);
		return true;
	}
	m.tau[at] = a->stored;
	const uint32_t place = next_place(m, c);
	evict(m, a, c, place, atomicExch(m.ring + c * m.slots + place, at & 31));
	return false;
}

// race_outward is race_touch for an edge beyond the list, by a warp.
static __device__ __forceinline__ bool race_outward(const ground &g, const memory &m, const rules *a, int c, int to, int lane) {
	const uint32_t entry = BEYOND | to;
	const uint32_t at = __ballot_sync(ALL, lane < m.slots && __ldcg(m.ring + c * m.slots + min(lane, m.slots - 1)) == entry);
	if (at) {
		float *t = m.out_tau + c * m.slots + __ffs(at) - 1;
		if (lane == 0) *t = wear(__ldcg(t), a->tau0, a->keep, a->gain);
		return true;
	}
	const float eta = beyond(g, a, c, distance(g.metric, g.at[c], g.at[to]));
	if (lane == 0) {
		const uint32_t place = next_place(m, c);
		m.out_tau[c * m.slots + place] = a->stored;
		m.out_eta[c * m.slots + place] = eta;
		evict(m, a, c, place, atomicExch(m.ring + c * m.slots + place, entry));
		atomicOr(m.out + c, 1u << place);
	}
	return false;
}

// walk_alt makes the tours of acs/spm-alt.
extern "C" __global__ void __launch_bounds__(1024, 1) walk_alt(ground g, const job *j, const rules *a, memory m, const wire *__restrict__ wires,
		city_t *tours, result *results, unsigned long long *tally, keys rk) {
	extern __shared__ uint32_t bits[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, ant = blockIdx.x * warps + warp;
	if (ant >= j->ants) return;
	uint32_t *vis = bits_of(bits, g, warp, ant);
	city_t *tour = tours + (size_t)ant * n;
	walker w;
	set_out(w, vis, g, j, a, ant, lane, rk);
	uint32_t hits = 0, updates = 0;
	const float tau0 = a->tau0, keep = a->keep, gain = a->gain;
	// The two cities of an edge, one after the other where it is on no list, else a lane for each.
	auto both = [&](int from, int winner, uint32_t link, int to) {
		uint32_t back = NONE;
		if (winner < 0) {
			back = find(g, to, from, lane);
			const bool hit = race_outward(g, m, a, from, to, lane);
			if (lane == 0) updates++, hits += hit;
		} else if (has_back(link)) {
			back = back_of(link);
		}
		if (back == NONE) {
			const bool hit = race_outward(g, m, a, to, from, lane);
			if (lane == 0) updates++, hits += hit;
		}
		const uint32_t at = lane == 0 && winner >= 0 ? from * 32 + winner : lane == 1 && back != NONE ? to * 32 + back : NONE;
		if (at != NONE) updates++, hits += race_touch(m, a, at);
	};
	// Where both cities have the edge on their lists the rows tell what is stored and the trails: that of the city that is
	// left at once, that of the next city when it has come.
	uint32_t waits = NONE;
	auto known = [&](int c, const row &r) { // for one lane: its slot
		updates++;
		if (!(r.mask >> lane & 1)) {
			hits += race_touch(m, a, c * 32 + lane);
			return;
		}
		hits++;
		if (r.t != tau0) m.tau[c * 32 + lane] = wear(r.t, tau0, keep, gain);
	};
	auto note = [&](int from, int winner, uint32_t link, int to, const row &left) {
		if (winner < 0 || !has_back(link)) {
			both(from, winner, link, to);
			return;
		}
		if (lane == winner) known(from, left);
		waits = back_of(link);
	};
	auto arrived = [&](int c, const row &r) {
		if (lane == (int)waits) known(c, r);
		waits = NONE;
	};
	stride<true>(w, 1, n, vis, g, j, a, m, wires, tour, ant, lane, rk, note, arrived);
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (city_t)w.kept;
	__syncwarp();
	if (n > 1) { // the way back
		const uint32_t slot = find(g, w.cur, w.start, lane);
		both(w.cur, slot == NONE ? -1 : (int)slot, slot == NONE ? 0 : wires[w.cur * 32 + slot].link, w.start);
	}
	const uint64_t h = warp_sum(hits), u = warp_sum(updates);
	if (lane == 0) {
		atomicAdd(tally, (unsigned long long)h);
		atomicAdd(tally + 1, (unsigned long long)u);
	}
	finish(g, tour, results + 1 + ant, w.falls, lane);
}
