// Ant Colony System in lock step: the kernels of acs/lockstep. What they compute is stated in
// solvers/ants/cpu/lockstep.go, whose results they have bit for bit.
//
// A row has 32 entries: the candidates of a list of up to 28, then the PLACES for edges beyond it
// that have trails, so that a step reads no more for them. Of longer lists rows have 36 entries: a
// lane has a candidate, and lanes 0 to 3 a place too. What does not depend on visits is done while
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
// that falls back waits for nobody; then rows of 36 entries came, for lists of up to 32.
//
// Figures (bench ants-gpu-iteration): a construction of n ants takes 1.49, 6.19 and 16.9 ms on
// pr1002, pr2392 and fl3795 on an H200.
#include "lockstep.cuh"

// in_row is where entry s of the row of c leads; c where it leads nowhere.
template <int PITCH> static __device__ __forceinline__ uint32_t in_row(
		const instance &g, const uint16_t *out, int c, int s) {
	constexpr int LISTED = PITCH - PLACES;
	if (s < g.k) return g.id[c * 32 + s];
	return s >= LISTED && s < PITCH ? out[c * PLACES + s - LISTED] : c;
}

template <int PITCH> static __device__ __forceinline__ void prepare_row(const instance &g,
		const job *j, const rules *a, float *tau, const float *eta, edge *edges, const uint32_t *count,
		const float *powers, uint16_t *out, const uint16_t *after, const uint16_t *before) {
	constexpr int LISTED = PITCH - PLACES, EACH = (PITCH + 31) / 32, LAST = EACH - 1;
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (c >= g.n) return;
	const float tau0 = a->tau0;
	float v[EACH];
	uint32_t was[EACH], to[EACH]; // of entries lane and 32 + lane; places are among the last
#pragma unroll
	for (int e = 0; e < EACH; e++) {
		const int s = lane + 32 * e;
		v[e] = s < PITCH ? tau[(size_t)c * PITCH + s] : 0;
		to[e] = was[e] = in_row<PITCH>(g, out, c, s);
	}
	const int last = lane + 32 * LAST;
	if (j->deposit) {
		const uint32_t next = after[c], prior = before[c];
#pragma unroll
		for (int e = 0; e < EACH; e++) {
			if (to[e] == c) continue;
			v[e] = tau0 + powers[count[edges[(size_t)c * PITCH + lane + 32 * e].number]] * (v[e] - tau0);
			if (next == to[e]) v[e] = fmaxf(tau0, j->keep * v[e] + j->gain);
			if (prior == to[e]) v[e] = fmaxf(tau0, j->keep * v[e] + j->gain);
		}
		// An edge of the tour that has no entry gets that with the least trail of those beyond the
		// list that are not of the tour.
		for (int side = 0; side < 2; side++) {
			const uint32_t target = side ? next : prior;
			bool found = target == c;
#pragma unroll
			for (int e = 0; e < EACH; e++) found = found || to[e] == target;
			if (__any_sync(ALL, found)) continue;
			const bool place = last >= LISTED && last < PITCH;
			const uint32_t key =
					place && to[LAST] != next && to[LAST] != prior ? __float_as_uint(v[LAST]) : ALL;
			const uint32_t least = warp_min(key);
			if (lane == __ffs(__ballot_sync(ALL, key == least)) - 1) {
				to[LAST] = target, v[LAST] = fmaxf(tau0, j->keep * tau0 + j->gain);
				out[c * PLACES + last - LISTED] = (uint16_t)target;
			}
			__syncwarp();
		}
	}
#pragma unroll
	for (int e = 0; e < EACH; e++) {
		const int s = lane + 32 * e;
		if (s >= PITCH) continue;
		const size_t at = (size_t)c * PITCH + s;
		if (j->deposit && to[e] != c) tau[at] = v[e];
		edges[at].gap = v[e] - tau0;
		if (!j->fill && to[e] == was[e]) continue;
		if (s >= LISTED && to[e] != c)
			edges[at].eta = off_list_weight<true>(g, a, c, distance(g.metric, g.at[c], g.at[to[e]]));
		else edges[at].eta = s < 32 ? eta[c * 32 + s] : 1;
	}
}

// prepare takes the visits of the last construction, counted at count, into the trails and makes
// the global update. A fill in the job says that second factors are others than in the launch
// before, or edges beyond lists that the host brought.
//
// a: one struct of rules. tau: n x 32 trails by entry. eta: n x 32 by slot, weights over trails.
// edges: n x 32 by entry. count: visits by number of the edge. powers: (1 - rho)^c by c, 2 ants +
// 1. out: n x PLACES cities beyond lists. after, before: n cities.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city. Bound: memory: trail, edge and count
// of each entry. No figure of its own is recorded.
extern "C" __global__ void prepare(instance g, const job *j, const rules *a, float *tau,
		const float *eta, edge *edges, const uint32_t *count, const float *powers, uint16_t *out,
		const uint16_t *after, const uint16_t *before) {
	prepare_row<32>(g, j, a, tau, eta, edges, count, powers, out, after, before);
}

// prepare_36 is prepare in rows of 36 entries.
//
// a: one struct of rules. tau: n x 36 trails by entry. eta: n x 32 by slot, weights over trails.
// edges: n x 36 by entry. count, powers, out, after, before: as in prepare.
//
// Launch and bound: as prepare.
extern "C" __global__ void prepare_36(instance g, const job *j, const rules *a, float *tau,
		const float *eta, edge *edges, const uint32_t *count, const float *powers, uint16_t *out,
		const uint16_t *after, const uint16_t *before) {
	prepare_row<36>(g, j, a, tau, eta, edges, count, powers, out, after, before);
}

template <int PITCH> static __device__ __forceinline__ void link_row(const instance &g,
		const uint16_t *out, edge *edges, const uint32_t *numbers, int first, uint32_t *count,
		uint32_t *bar, uint32_t *words, int posts) {
	constexpr int LISTED = PITCH - PLACES, EACH = (PITCH + 31) / 32, LAST = EACH - 1;
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (i == 0) *bar = 0;
	for (int p = i; p < posts; p += blockDim.x * gridDim.x) words[p] = 0;
	if (c >= g.n) return;
	uint32_t to[EACH], link[EACH], number[EACH]; // of entries lane and 32 + lane
#pragma unroll
	for (int e = 0; e < EACH; e++) {
		const int s = lane + 32 * e;
		to[e] = link[e] = c, number[e] = 0;
		if (s >= PITCH) continue;
		const size_t at = (size_t)c * PITCH + s;
		count[at] = 0;
		count[(size_t)g.n * PITCH + at] = 0;
		to[e] = in_row<PITCH>(g, out, c, s);
		link[e] = edges[at].link;
		number[e] = first < 0 ? (uint32_t)at
				: s < LISTED      ? numbers[c * 32 + s]
													: first + c * PLACES + s - LISTED;
		if (s < g.k && (!(link[e] & BACK) || back_at(link[e]) >= LISTED)) { // not on the list of to
			link[e] = to[e];
			for (int q = 0; q < PLACES; q++)
				if (out[to[e] * PLACES + q] == c) link[e] = to[e] | (uint32_t)(LISTED + q) << 16 | BACK;
		}
		if (s >= LISTED) link[e] = to[e];
	}
	for (int q = LISTED; q < PITCH; q++) {
		const uint32_t t = __shfl_sync(ALL, to[LAST], q & 31);
		if (t == c) continue;
		int back = -1;
#pragma unroll
		for (int e = LAST; e >= 0; e--) {
			const uint32_t hit = __ballot_sync(ALL, in_row<PITCH>(g, out, t, lane + 32 * e) == c);
			if (hit) back = 32 * e + __ffs(hit) - 1;
		}
		if (back >= 0 && lane == (q & 31)) {
			link[LAST] = t | (uint32_t)back << 16 | BACK;
			if (first >= 0)
				number[LAST] = back < LISTED ? numbers[t * 32 + back]
																		 : min(number[LAST], first + t * PLACES + back - LISTED);
		}
	}
#pragma unroll
	for (int e = 0; e < EACH; e++) {
		if (lane + 32 * e >= PITCH) continue;
		edge &x = edges[(size_t)c * PITCH + lane + 32 * e];
		x.link = link[e];
		x.number = number[e];
	}
}

// link_entries notes where edges lead and their edges back, as far as these are not those of the
// lists for good, and the numbers of edges beyond lists: those of the edges back on lists, else
// from first on, the less of the two where both cities have the edge in a place. Where first is
// -1, entries have their own numbers. It clears the counts, the barrier and the words of a
// construction: it comes after prepare.
//
// out: n x PLACES cities. edges: n x 32 by entry. numbers: n x 32 by slot, the numbers of listed
// edges. count: two an entry. bar: one counter. words: posts words.
//
// Launch: n x 32 threads, blocks of 256; a warp takes a city. Bound: memory: edge, number and two
// counts of each entry. No figure of its own is recorded.
extern "C" __global__ void link_entries(instance g, const uint16_t *out, edge *edges,
		const uint32_t *numbers, int first, uint32_t *count, uint32_t *bar, uint32_t *words,
		int posts) {
	link_row<32>(g, out, edges, numbers, first, count, bar, words, posts);
}

// link_entries_36 is link_entries in rows of 36 entries.
//
// out: n x PLACES cities. edges: n x 36 by entry. numbers: n x 32 by slot, the numbers of listed
// edges. count: two an entry. bar: one counter. words: posts words.
//
// Launch and bound: as link_entries.
extern "C" __global__ void link_entries_36(instance g, const uint16_t *out, edge *edges,
		const uint32_t *numbers, int first, uint32_t *count, uint32_t *bar, uint32_t *words,
		int posts) {
	link_row<36>(g, out, edges, numbers, first, count, bar, words, posts);
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
	construct_tours<32, true>(g, j, a, w, rk);
}

// construct_768 is construct for blocks of up to 24 warps, which have more registers. Pointers,
// launch and bound are the same; the figures above are of whichever of the three fits the block.
extern "C" __global__ void __launch_bounds__(768, 1)
		construct_768(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<32, true>(g, j, a, w, rk);
}

// construct_512 is construct for blocks of up to 16 warps. All else is as for construct_768.
extern "C" __global__ void __launch_bounds__(512, 1)
		construct_512(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<32, true>(g, j, a, w, rk);
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
	construct_tours<32, false>(g, j, a, w, rk);
}

// construct_36 is construct in rows of 36 entries. Pointers, launch and bound are the
// same; no figure is recorded.
extern "C" __global__ void __launch_bounds__(1024, 1)
		construct_36(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<36, true>(g, j, a, w, rk);
}

// construct_768_36 is construct_768 in rows of 36 entries. All else is as for construct_36.
extern "C" __global__ void __launch_bounds__(768, 1)
		construct_768_36(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<36, true>(g, j, a, w, rk);
}

// construct_512_36 is construct_512 in rows of 36 entries. All else is as for construct_36.
extern "C" __global__ void __launch_bounds__(512, 1)
		construct_512_36(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<36, true>(g, j, a, w, rk);
}

// construct_global_36 is construct_global in rows of 36 entries. Pointers, launch and bound are
// the same; no figure is recorded.
extern "C" __global__ void __launch_bounds__(1024, 1)
		construct_global_36(instance g, const job *j, const rules *a, lockstep_args w, keys rk) {
	construct_tours<36, false>(g, j, a, w, rk);
}
