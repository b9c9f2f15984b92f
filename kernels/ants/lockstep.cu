// Ant Colony System in lock step: the kernels of acs/lockstep. What they compute is stated
// in solvers/ants/lockstep.go, whose results they have bit for bit.
//
// Visits are counted in two banks by slot. Step s reads bank s & 1 and adds its visits to the other
// one; those it has made are added to bank s & 1 in step s + 1, which reads the other. So no bank is
// read and written in one step, and after the last step bank n & 1 has all. A visit that is known only after the barrier counts
// as one of the step that follows.
//
// Lanes 0 to LISTED - 1 of a row are the candidates of a list, the others the edges beyond it that have trails, so that a
// step reads no more for them.
#include "acs.cuh"

#define PLACES 4 // Outs of solvers/ants
#define LISTED (32 - PLACES)

// What a slot adds to a choice: the trail above tau0 at the iteration's start, the second
// factor of the weight, and where the edge leads: the city in the low 16 bits, the slot of
// the way back in that city's row in the next 5, and bit 21 if there is one.
struct __align__(16) edge {
	float gap, eta;
	uint32_t link, pad;
};

// in_row is where slot lane of the row of c leads; c where it leads nowhere.
static __device__ __forceinline__ uint32_t in_row(const ground &g, const uint16_t *out, int c, int lane) {
	return lane < g.k ? g.id[c * 32 + lane] : lane >= LISTED ? out[c * PLACES + lane - LISTED] : c;
}

// prepare takes the visits of the last walk into the trails, makes the global update, and
// clears the counts for the next walk. A warp takes a city.
extern "C" __global__ void prepare(ground g, const job *j, const rules *a, float *tau, const float *eta, edge *edges, uint32_t *count,
		const float *powers, uint16_t *out, const uint16_t *after, const uint16_t *before, uint32_t *bar) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (i == 0) *bar = 0;
	if (c >= g.n) return;
	const int slots = g.n * 32;
	const float tau0 = a->tau0;
	float v = tau[i];
	uint32_t to = in_row(g, out, c, lane);
	if (j->reward) {
		const uint32_t next = after[c], last = before[c];
		if (to != c) {
			v = tau0 + powers[count[(size_t)(g.n & 1) * slots + i]] * (v - tau0);
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
	edges[i].eta = lane >= LISTED && to != c ? beyond(g, a, c, distance(g.metric, g.at[c], g.at[to])) : eta[i];
	count[i] = 0;
	count[slots + i] = 0;
}

// pair notes where edges lead and their ways back, as far as these are not those of the lists for good: it comes after prepare.
// A warp takes a city.
extern "C" __global__ void pair(ground g, const uint16_t *out, edge *edges) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (c >= g.n) return;
	const uint32_t to = in_row(g, out, c, lane);
	uint32_t link = edges[i].link;
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
		if (hit && lane == q) link = t | (uint32_t)(__ffs(hit) - 1) << 16 | 1u << 21;
	}
	edges[i].link = link;
}

// arrive tells that a warp has counted its visits of step s; the block's last warp tells the
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

// walk makes all tours, every warp one; the grid is cooperative. An ant that falls back
// counts nothing in that step, so it arrives before it looks for the nearest city.
extern "C" __global__ void __launch_bounds__(1024, 1) walk(ground g, const job *j, const rules *a, const edge *__restrict__ edges,
		uint32_t *count, const float *__restrict__ powers, uint16_t *tours,
		result *results, uint32_t *bar, keys rk) {
	extern __shared__ uint32_t bits[];
	__shared__ uint32_t here;
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, words = g.words, ants = j->ants;
	const uint32_t slots = n * 32;
	const int ant = blockIdx.x * warps + warp;
	const bool live = ant < ants;
	uint32_t *vis = bits + warp * words;
	float *table = (float *)(bits + ((warps * words + 3) & ~3)); // powers: a look-up at each step
	for (int i = threadIdx.x; i < 2 * ants + 1; i += blockDim.x) table[i] = powers[i];
	uint16_t *tour = tours + (size_t)ant * n;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi;
	const uint64_t greedy = a->greedy;
	const float tau0 = a->tau0;
	const int period = a->period;
	if (threadIdx.x == 0) here = 0;
	unvisit(vis, n, words, lane);

	uint32_t races[4]; // of the block of 128 positions of the next step
	int cur = (int)__shfl_sync(ALL, __umulhi(race(races, it_lo, it_hi, ant, 0, lane, greedy, rk).x, (uint32_t)n), 0);
	const int start = cur;
	if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
	__syncthreads();
	uint32_t kept = cur;
	int falls = 0, left = period;
	int mine = -1, back = -1; // the slots of this lane's visit of the step before
	int late = -1, late_back; // those of the ant's visit of the step before that counts in this one
	edge e = edges[cur * 32 + lane];
	uint32_t id = e.link & 0xffff;
	bool racing;
	float clock;
	// plan makes the draws of step s, which needs nothing of the steps before.
	auto plan = [&](int s) {
		if ((s & 127) == 0) race(races, it_lo, it_hi, ant, s >> 7, lane, greedy, rk);
		racing = races_at(races, s);
		if (racing) {
			ml_u4 u = {it_lo, it_hi ^ 1u << 24, (uint32_t)ant * 32 + lane, (uint32_t)s};
#pragma unroll
			for (int i = 0; i < 10; i++) u = ml_philox_round(u, rk.k[2 * i], rk.k[2 * i + 1]);
			clock = ml_expo32(u.x);
		}
	};
	plan(1);
	for (int s = 1; s < n; s++) {
		uint32_t m = 0, key = 0;
		bool found = true, lone = false, counts = false; // lone: only edges beyond the list are left
		int winner = 0;
		float w = 0;
		if (live) {
			// Indices of 32 bits: there are at most 2^22 counts.
			const uint32_t at = cur * 32 + lane, from = s & 1 ? slots : 0, to = slots - from;
			const uint32_t visits = __ldcg(count + (from + at));
			if (mine >= 0) {
				atomicAdd(count + (to + mine), 1u);
				if (back >= 0) atomicAdd(count + (to + back), 1u);
				mine = -1;
			}
			const uint32_t seen = vis[id >> 5], bit = 1u << (id & 31);
			w = (tau0 + table[visits] * e.gap) * e.eta;
			if (!racing) {
				key = seen & bit ? 0 : __float_as_uint(w);
				m = warp_max(key);
				found = m != 0;
				winner = __ffs(__ballot_sync(ALL, key == m)) - 1; // the first of equal ones
			} else {
				key = seen & bit ? ALL : ml_race_key(clock, 1.0f / w, lane);
				m = warp_min(key);
				found = m != ALL;
				winner = m & 31;
			}
			if (winner >= LISTED && found) found = !(lone = !(__ballot_sync(ALL, !(seen & bit)) & ((1u << LISTED) - 1)));
			counts = --left == 0;
			if (counts) left = period;
			__syncwarp(); // all have read vis
			if (late >= 0) {
				if (lane == (winner ^ 1)) {
					mine = late, back = late_back;
					atomicAdd(count + (to + mine), 1u);
					if (back >= 0) atomicAdd(count + (to + back), 1u);
				}
				late = -1;
			}
			if (found) {
				if (lane == winner) {
					if (counts) {
						mine = (int)at;
						back = e.link >> 21 ? (int)(id * 32 + (e.link >> 16 & 31)) : -1;
						atomicAdd(count + (to + mine), 1u);
						if (back >= 0) atomicAdd(count + (to + back), 1u);
					}
					vis[id >> 5] = seen | bit;
				}
				cur = (int)__shfl_sync(ALL, id, winner);
			}
		}
		arrive(&here, bar, (uint32_t)s * warps - 1, lane);
		if (live) {
			if (!found) {
				falls++;
				int next = nearest<true>(vis, g.at, g.box, g.ext, g.metric, words, cur, lane);
				if (lone) {
					const float eta = beyond(g, a, cur, distance(g.metric, g.at[cur], g.at[next]));
					if (__shfl_sync(ALL, w, winner) > tau0 * eta) {
						const uint32_t link = __shfl_sync(ALL, e.link, winner);
						next = (int)(link & 0xffff);
						if (counts) late = cur * 32 + winner, late_back = link >> 21 ? next * 32 + (int)(link >> 16 & 31) : -1;
					}
				}
				cur = next;
				__syncwarp();
				if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31); // wait lets others see it
			}
			e = edges[cur * 32 + lane];
			id = e.link & 0xffff;
			if ((s & 31) == lane) kept = cur;
			if ((s & 31) == 31) tour[s - 31 + lane] = (uint16_t)kept;
			plan(s + 1);
		}
		wait(bar, (uint32_t)s * gridDim.x);
	}
	if (!live) return;
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)kept;
	__syncwarp();
	if (late >= 0 && lane == 0) {
		uint32_t *to = count + (n & 1 ? slots : 0);
		atomicAdd(to + late, 1u);
		if (late_back >= 0) atomicAdd(to + late_back, 1u);
	}
	if (n > 1) { // the way back, from the row of the last city or that of the first
		uint32_t hit = __ballot_sync(ALL, id == (uint32_t)start);
		int slot = cur * 32 + lane;
		if (!hit) {
			slot = start * 32 + lane;
			e = edges[slot];
			hit = __ballot_sync(ALL, (e.link & 0xffff) == (uint32_t)cur);
		}
		if (hit && lane == __ffs(hit) - 1) {
			uint32_t *to = count + (n & 1 ? slots : 0);
			atomicAdd(to + slot, 1u);
			if (e.link >> 21) atomicAdd(to + ((e.link & 0xffff) * 32 + (e.link >> 16 & 31)), 1u);
		}
	}
	finish(g, tour, results + 1 + ant, falls, lane);
}
