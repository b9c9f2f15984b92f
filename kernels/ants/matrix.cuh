// The trails of acs/alt and acs/gpu, one for each edge as in the matrix of the paper: see memory.
#ifndef METALAB_ANTS_MATRIX_CUH
#define METALAB_ANTS_MATRIX_CUH

#include "steps.cuh"

// find_beyond is the place that an edge beyond the list has in the ring of city c, or -1.
static __device__ __forceinline__ int find_beyond(const memory &m, uint32_t c, uint32_t to,
		int lane) {
	const int taken = (int)m.head[c];
	const uint32_t *ring = m.ring + (size_t)c * m.slots;
	for (int p = 0; p < taken; p += 32) {
		const uint32_t at = __ballot_sync(ALL, p + lane < taken && ring[p + lane] == to);
		if (at) return p + __ffs(at) - 1;
	}
	return -1;
}

// global_update_matrix makes the global update of a city by a warp, and what choices need.
static __device__ __forceinline__ void global_update_matrix(const instance &g, const job *j,
		const rules *a, const memory &m, const float *eta, int c, int lane, const city_t *after,
		const city_t *before) {
	const bool list = lane < g.k;
	const size_t ring = (size_t)c * m.slots;
	const float least = a->tau_min;
	if (list) m.candidates[c * 32 + lane].eta = eta[c * 32 + lane];
	const int sides = j->deposit ? 2 : 0;
	for (int side = 0; side < sides; side++) {
		const uint32_t to = side ? after[c] : before[c];
		if (to == (uint32_t)c) continue; // one city
		const uint32_t hit = __ballot_sync(ALL, list && g.id[c * 32 + lane] == to);
		if (hit) {
			float *at = m.tau + c * 32 + lane;
			if (lane == __ffs(hit) - 1) *at = fmaxf(least, j->keep * *at + j->gain);
			continue;
		}
		int p = find_beyond(m, c, to, lane);
		if (p < 0) {
			p = (int)m.head[c];
			__syncwarp();
			if (lane == 0) m.ring[ring + p] = to, m.beyond[ring + p] = least, m.head[c] = p + 1;
			__syncwarp();
		}
		if (lane == 0) m.beyond[ring + p] = fmaxf(least, j->keep * m.beyond[ring + p] + j->gain);
		__syncwarp();
	}
	const int taken = (int)m.head[c];
	for (int p = lane; p < taken; p += 32)
		m.sight[ring + p] =
				visibility(g, a, c, distance(g.metric, g.at[c], g.at[m.ring[ring + p]]));
	note_likely(m.likely + c, list, m.tau[c * 32 + lane] * eta[c * 32 + lane], g.id[c * 32 + lane],
			lane);
}

// weigh is the weight of an edge on no list, as trail.Table.Weigh makes it.
static __device__ __forceinline__ float weigh(const rules *a, float tau, float sight) {
	return fminf(fmaxf(tau * a->inv * sight, 0x1p-100f), 0x1p100f);
}

// matrix_updates are the local updates of an ant, an edge's trail in the row of the city that is
// left, then that of the way back. WEAR::wear changes one trail. What is done in pass differs, and
// is added by those who use it.
template <class WEAR> struct matrix_updates {
	static constexpr bool BACKS = false;
	const int lane;
	float *const tau; // of lane's entries
	const memory &m;
	const float tau0, keeps, gain;

	__device__ __forceinline__ matrix_updates(const rules *a, const memory &m, float *own, int lane)
			: lane(lane), tau(own), m(m), tau0(a->tau0), keeps(a->keep), gain(a->gain) {}
	__device__ __forceinline__ void touch(uint32_t c, uint32_t to) {
		const size_t at = (size_t)c * 32;
		const bool here = city_of(m.candidates[at + lane].link) == to;
		if (here) WEAR::wear(tau + at, tau0, keeps, gain);
		if (__any_sync(ALL, here)) return;
		const int p = find_beyond(m, c, to, lane);
		if (p >= 0 && lane == 0) WEAR::wear(m.beyond + (size_t)c * m.slots + p, tau0, keeps, gain);
	}
	__device__ __forceinline__ uint32_t late(uint32_t c, uint32_t to) {
		touch(to, c);
		return 0;
	}
	__device__ __forceinline__ uint32_t edge(uint32_t c, uint32_t to) {
		touch(c, to);
		touch(to, c);
		return 0;
	}
	__device__ __forceinline__ void keep(volatile ant_state &) {}
	static __device__ __forceinline__ void store(const instance &, const rules *, const memory &, int,
			volatile ant_state &, uint32_t, uint32_t) {}

	// fallback: the unvisited city of the greatest weight, of equal ones the nearest, then that with
	// the smallest number. Of the edges at tau0 the shortest has the greatest weight, and no trail is
	// below tau0, so the others are compared with that to the nearest city.
	static __device__ __forceinline__ uint32_t fallback(const instance &g, const rules *a,
			const memory &m, uint32_t *vis, int c, uint32_t to, int lane) {
		const int taken = (int)m.head[c];
		if (taken == 0) return to;
		const size_t ring = (size_t)c * m.slots;
		uint32_t most = 0, far = ALL, city = ALL; // of lane's edges
		auto see = [&](uint32_t next, float weight) {
			const uint32_t w = __float_as_uint(weight),
										 d = (uint32_t)distance(g.metric, g.at[c], g.at[next]);
			if (w < most || (w == most && (d > far || (d == far && next > city)))) return;
			most = w, far = d, city = next;
		};
		if (lane == 0)
			see(to, weigh(a, a->tau_min, visibility(g, a, c, distance(g.metric, g.at[c], g.at[to]))));
		__syncwarp();
		for (int p = lane; p < taken; p += 32) {
			const uint32_t next = m.ring[ring + p];
			if (vis[next >> 5] >> (next & 31) & 1) continue;
			see(next, weigh(a, __ldcg(m.beyond + ring + p), m.sight[ring + p]));
		}
		__syncwarp();
		const uint32_t best = warp_max(most), near = warp_min(most == best ? far : ALL);
		return warp_min(most == best && far == near ? city : ALL);
	}
};

#endif
