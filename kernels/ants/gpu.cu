// Ant Colony System whose ants meet at each step: the kernels of acs/gpu, the published ACS-GPU.
// Ants race within a step: which updates of others a choice sees, and in which order they are made,
// is left to chance; but none is lost, for each is an atomic compare-and-swap on the trail, as in
// the published kernel. The trails of both directions of an edge are updated one after the other,
// as those of its matrix are. Each edge has a trail: see matrix.cuh.
//
// The published program launches a kernel a step. Here one kernel makes all steps, and the grid has
// a barrier after each; so all ants are resident.
//
// Versions: this is the first. Figures: bench ants-gpu-meeting.
#include "matrix.cuh"

// prepare makes the global update, and clears the barrier.
//
// a, m, eta, after, before: as in alt.cu. bar: one counter of arrivals.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city. Bound: memory, 18 bytes a slot and
// the ring. No figure is recorded.
extern "C" __global__ void prepare(instance g, const job *j, const rules *a, memory m,
		const float *eta, const city_t *after, const city_t *before, uint32_t *bar) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (i == 0) *bar = 0;
	if (c < g.n) global_update_matrix(g, j, a, m, eta, c, i & 31, after, before);
}

// atomic_wear makes the local update of a trail, which others may make at the same time.
struct atomic_wear {
	static __device__ __forceinline__ void wear(float *at, float tau0, float keep, float gain) {
		uint32_t *word = (uint32_t *)at;
		uint32_t seen = __ldcg(word);
		for (;;) {
			const uint32_t next =
					__float_as_uint(local_update(__uint_as_float(seen), tau0, keep, gain));
			if (next == seen) return; // at tau0
			const uint32_t was = atomicCAS(word, seen, next);
			if (was == seen) return;
			seen = was;
		}
	}
};

// atomic_updates are the local updates of an ant.
struct atomic_updates : matrix_updates<atomic_wear> {
	__device__ __forceinline__ atomic_updates(
			const rules *a, const memory &m, float *own, int lane, volatile ant_state &)
			: matrix_updates(a, m, own, lane) {}
	__device__ __forceinline__ bool pass(
			uint32_t c, uint32_t to, const row &r, bool mine, bool counts, bool) {
		const bool due = mine && counts, back = has_back(r.e.link);
		if (due) atomic_wear::wear(tau + (size_t)c * 32, tau0, keeps, gain);
		if (due && back)
			atomic_wear::wear(
					tau + ((int64_t)to * 32 + ((int)back_of(r.e.link) - lane)), tau0, keeps, gain);
		return __any_sync(ALL, due && !back);
	}
};

static __device__ __forceinline__ void construct_tours(const instance &g,
		const job *j, const rules *a, const memory &m, city_t *tours, result *results, uint32_t *bar,
		const keys &rk) {
	extern __shared__ uint32_t bits[];
	const int per = blockDim.x >> 5, n = g.n, lane = lane_of_thread(), warp = warp_of_thread();
	const int ant = blockIdx.x * per + warp;
	const bool live = ant < j->ants;
	city_t *tour = tours + (size_t)ant * n;
	volatile ant_state w;
	if (live) start_tour(w, visited_of(bits, g, warp, ant), g, j, a, tour, ant, lane, rk);
	for (int s = 1; s < n; s++) {
		if (live)
			construct_steps<false, 32, atomic_updates>(
					w, s + 1, bits, per, g, j, a, m, tours, rk);
		grid_barrier(bar, s);
	}
	if (!live) return;
	if (n > 1 && n % a->period == 0) // the way back is an ant's n-th step
		atomic_updates(a, m, m.tau + lane, lane, w).edge(w.cur, w.start);
	finish(g, tour, results + 1 + ant, w.fallbacks, lane);
}

// construct constructs. After each position the grid meets.
//
// a: one struct of rules. m: trails, see memory. bar: one counter of
// arrivals, 0 before. g, j, tours, results and rk are those of common.cuh.
//
// Launch: a cooperative grid of ceil(ants / w) blocks of w warps, w up to 20; shared memory for the
// visited bits. Bound: a barrier of the grid a step. Figure: bench ants-gpu-meeting.
extern "C" __global__ void __launch_bounds__(640, 1)
		construct(instance g, const job *j, const rules *a, memory m, city_t *tours, result *results,
				uint32_t *bar, keys rk) {
	construct_tours(g, j, a, m, tours, results, bar, rk);
}
