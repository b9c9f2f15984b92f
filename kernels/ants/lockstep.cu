// Ant Colony System in lock step: the kernels of acs/lockstep. What they compute is stated
// in solvers/ants/lockstep.go, whose results they have bit for bit.
//
// Visits are counted in two banks by slot. Step s reads bank s & 1 and adds its visits to the other
// one; those it has made are added to bank s & 1 in step s + 1, which reads the other. So no bank is
// read and written in one step, and after the last step bank n & 1 has all.
#include "walk.cuh"

// What a slot adds to a choice: the trail above tau0 at the iteration's start, the second
// factor of the weight, and where the edge leads: the city in the low 16 bits, the slot of
// the way back on that city's list in the next 5, and bit 21 if there is one.
struct __align__(16) edge {
	float gap, eta;
	uint32_t link, pad;
};

// prepare takes the visits of the last walk into the trails, makes the global update, and
// clears the counts for the next walk.
extern "C" __global__ void prepare(ground g, const job *j, float *tau, const float *eta, edge *edges, uint32_t *count,
		const float *powers, const uint16_t *after, const uint16_t *before, uint32_t *bar) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (i == 0) *bar = 0;
	if (c >= g.n) return;
	int slots = g.n * 32;
	float tau0 = j->tau0, v = tau[i];
	if ((i & 31) < g.k) {
		if (j->reward) {
			v = tau0 + powers[count[(size_t)(g.n & 1) * slots + i]] * (v - tau0);
			uint32_t to = g.id[i];
			if (after[c] == to) v = fmaxf(tau0, j->keep * v + j->gain);
			if (before[c] == to) v = fmaxf(tau0, j->keep * v + j->gain);
			tau[i] = v;
		}
	}
	edges[i].gap = v - tau0;
	edges[i].eta = eta[i];
	count[i] = 0;
	count[slots + i] = 0;
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
// counts nothing, so it arrives before it looks for the nearest city.
extern "C" __global__ void __launch_bounds__(1024, 1) walk(ground g, const job *j, const edge *__restrict__ edges,
		uint32_t *count, const float *__restrict__ powers, uint16_t *tours,
		result *results, uint32_t *bar, keys rk) {
	extern __shared__ uint32_t bits[];
	__shared__ uint32_t here;
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, words = g.words, slots = n * 32;
	const int ant = blockIdx.x * warps + warp;
	const bool live = ant < j->ants;
	uint32_t *vis = bits + warp * words;
	float *table = (float *)(bits + ((warps * words + 3) & ~3)); // powers: a look-up at each step
	for (int i = threadIdx.x; i < 2 * j->ants + 1; i += blockDim.x) table[i] = powers[i];
	uint16_t *tour = tours + (size_t)ant * n;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi;
	const uint64_t greedy = j->greedy;
	const float tau0 = j->tau0;
	const int period = j->period;
	if (threadIdx.x == 0) here = 0;
	unvisit(vis, n, words, lane);

	// Lane l holds the words of positions 128 b + 4 l and the three after.
	ml_u4 q = {it_lo, it_hi, (uint32_t)ant, (uint32_t)lane};
#pragma unroll
	for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
	int cur = (int)__shfl_sync(ALL, __umulhi(q.x, (uint32_t)n), 0);
	const int start = cur;
	if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
	__syncthreads();
	uint32_t keep = cur;
	int falls = 0, left = period;
	int mine = -1, back = -1; // the slots of this lane's visit of the step before
	edge e = edges[cur * 32 + lane];
	uint32_t id = e.link & 0xffff;
	bool racing;
	float clock;
	// plan makes the draws of step s, which needs nothing of the steps before.
	auto plan = [&](int s) {
		if ((s & 127) == 0) {
			q.x = it_lo, q.y = it_hi, q.z = (uint32_t)ant, q.w = (uint32_t)(s >> 2) + lane;
#pragma unroll
			for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
		}
		const int word = s & 3;
		racing = __shfl_sync(ALL, word == 0 ? q.x : word == 1 ? q.y : word == 2 ? q.z : q.w, s >> 2 & 31) >= greedy;
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
		bool found = true;
		if (live) {
			const int at = cur * 32 + lane;
			const uint32_t visits = __ldcg(count + (size_t)(s & 1) * slots + at);
			uint32_t *to = count + (size_t)((s + 1) & 1) * slots;
			if (mine >= 0) {
				atomicAdd(to + mine, 1u);
				if (back >= 0) atomicAdd(to + back, 1u);
				mine = -1;
			}
			const uint32_t seen = vis[id >> 5], bit = 1u << (id & 31);
			const float w = (tau0 + table[visits] * e.gap) * e.eta;
			int winner;
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
			const bool counts = --left == 0;
			if (counts) left = period;
			__syncwarp(); // all have read vis
			if (found) {
				if (lane == winner) {
					if (counts) {
						mine = at;
						back = e.link >> 21 ? (int)(id * 32 + (e.link >> 16 & 31)) : -1;
						atomicAdd(to + mine, 1u);
						if (back >= 0) atomicAdd(to + back, 1u);
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
				cur = nearest<true>(vis, g.at, g.box, g.ext, g.metric, words, cur, lane);
				__syncwarp();
				if (lane == 0) vis[cur >> 5] |= 1u << (cur & 31);
			}
			__syncwarp();
			e = edges[cur * 32 + lane];
			id = e.link & 0xffff;
			if ((s & 31) == lane) keep = cur;
			if ((s & 31) == 31) tour[s - 31 + lane] = (uint16_t)keep;
			plan(s + 1);
		}
		wait(bar, (uint32_t)s * gridDim.x);
	}
	if (!live) return;
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (uint16_t)keep;
	__syncwarp();
	if (n > 1) { // the way back, from the list of the last city or that of the first
		uint32_t hit = __ballot_sync(ALL, lane < g.k && id == (uint32_t)start);
		int slot = cur * 32 + lane;
		if (!hit) {
			slot = start * 32 + lane;
			e = edges[slot];
			hit = __ballot_sync(ALL, lane < g.k && (e.link & 0xffff) == (uint32_t)cur);
		}
		if (hit && lane == __ffs(hit) - 1) {
			uint32_t *to = count + (size_t)(n & 1) * slots;
			atomicAdd(to + slot, 1u);
			if (e.link >> 21) atomicAdd(to + (e.link & 0xffff) * 32 + (e.link >> 16 & 31), 1u);
		}
	}
	finish(g, tour, results + 1 + ant, falls, lane);
}
