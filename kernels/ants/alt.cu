// Ant Colony System whose ants make whole tours: the kernels of acs/alt. Ants race: what one reads
// may or may not have the updates that others make meanwhile, and an update that comes between
// another's read and write is lost, as in the published ACS-GPU-Alt. The trails of both directions
// of an edge are written one after the other. Each edge has a trail: see matrix.cuh.
//
// Versions: a step called functions and read a list, then the ring; then both stood in one row;
// most steps are in a loop without calls, and the row of the city that is likely to follow the
// next one is read ahead (with n ants 0.45 ms against 0.68 on pr1002 without, in one version).
// City numbers of 32 bits are the image alt_wide.
//
// Figures (bench ants-gpu-iteration): a construction of n ants takes 0.487 and 1.82 ms on pr1002
// and pr2392 on an H200.
#include "matrix.cuh"

// prepare makes the global update.
//
// a: one struct of rules. m: trails, see memory. eta: n x 32 by slot, weights over trails. after,
// before: n cities, neighbours in the tour that deposits.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city. Bound: memory, 18 bytes a slot and
// the ring. No figure of its own is recorded.
extern "C" __global__ void prepare(instance g, const job *j, const rules *a, memory m,
		const float *eta, const city_t *after, const city_t *before) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c < g.n) global_update_matrix(g, j, a, m, eta, c, i & 31, after, before);
}

// racing_wear makes the local update of a trail by a read and a write.
struct racing_wear {
	static __device__ __forceinline__ void wear(float *at, float tau0, float keep, float gain) {
		put(at, local_update(__ldcg(at), tau0, keep, gain));
	}
};

// racing_updates are the local updates of an ant: of the edge on a candidate list its trail
// there and that of the way back, which is taken to be the same.
struct racing_updates : matrix_updates<racing_wear> {
	__device__ __forceinline__ racing_updates(
			const rules *a, const memory &m, float *own, int lane, volatile ant_state &)
			: matrix_updates(a, m, own, lane) {}
	__device__ __forceinline__ bool pass(
			uint32_t c, uint32_t to, const row &r, bool mine, bool counts, bool) {
		const bool due = mine && counts, moves = due && r.t != tau0, back = has_back(r.e.link);
		const float t = fmaxf(fminf(r.t, tau0), keeps * r.t + gain);
		if (moves) put(tau + (size_t)c * 32, t);
		if (moves && back) put(tau + ((int64_t)to * 32 + ((int)back_of(r.e.link) - lane)), t);
		return __any_sync(ALL, due && !back);
	}
};

template <bool WINDOWS> static __device__ __forceinline__ void construct_tour(const instance &g,
		const job *j, const rules *a, const memory &m, city_t *tours, result *results, const keys &rk) {
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
	construct_steps<true, 32, racing_updates, WINDOWS>(w, n, bits, per, g, j, a, m, tours, rk);
	const int lane = lane_of_thread(), ant = blockIdx.x * per + warp_of_thread();
	if (n > 1 && n % a->period == 0) // the way back is an ant's n-th step
		racing_updates(a, m, m.tau + lane, lane, w).edge(w.cur, w.start);
	finish(g, tours + (size_t)ant * n, results + 1 + ant, w.fallbacks, lane);
}

// construct constructs.
//
// a: one struct of rules. m: trails, see memory. g, j, tours, results and rk are those of
// common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 20; shared memory for the visited bits. Bound:
// the latency of a step, a row past the multiprocessor's cache and one reduction. No figure of its
// own is recorded.
extern "C" __global__ void __launch_bounds__(640, 1) construct(
		instance g, const job *j, const rules *a, memory m, city_t *tours, result *results, keys rk) {
	construct_tour<false>(g, j, a, m, tours, results, rk);
}

#ifndef WIDE
// construct_windows constructs with few ants of a block, by windows of four steps: see windows in
// steps.cuh.
//
// a: one struct of rules. m: trails, see memory. g, j, tours, results and rk are those of
// common.cuh.
//
// Launch: ceil(ants / w) blocks of w warps, w up to 8; shared memory for the visited bits, whole 16
// bytes, and pathBytes(n). Bound: the latency of a window, whose rows are read in the one before.
// Figures: the table ants-gpu-likely of bench.
extern "C" __global__ void __launch_bounds__(256, 1) construct_windows(
		instance g, const job *j, const rules *a, memory m, city_t *tours, result *results, keys rk) {
	construct_tour<true>(g, j, a, m, tours, results, rk);
}
#endif
