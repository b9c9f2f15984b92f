// Ant Colony System whose ants make whole tours: the kernels of acs/alt. Ants race: what one reads may
// or may not have the updates that others make meanwhile, and an update that comes between
// another's read and write is lost, as in the published ACS-GPU-Alt. The trails of both directions of an edge
// are written one after the other. Of edges on no list a city knows those that were rewarded last.
#include "stride.cuh"

// prepare makes the global update: a warp takes a city.
extern "C" __global__ void prepare(ground g, const job *j, const rules *a, memory m, const float *eta, const city_t *after, const city_t *before) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5;
	if (c < g.n) renew<false>(g, j, a, m, eta, c, i & 31, after, before);
}

// updates are the local updates of an ant: of the edge on a candidate list its trail there and that of the way back, which is
// taken to be the same.
template <int PITCH> struct updates {
	static constexpr bool BACKS = false, EXACT = false;
	const int lane;
	float *const tau;        // of lane's entries
	const wire *const wires; // of lane's entries
	const float tau0, keeps, gain;

	__device__ __forceinline__ updates(const rules *a, const memory &m, float *own, int lane, volatile walker &)
		: lane(lane), tau(own), wires(m.wires + lane), tau0(a->tau0), keeps(a->keep), gain(a->gain) {}
	__device__ __forceinline__ bool pass(uint32_t c, uint32_t to, const row &r, bool mine, bool counts, bool) {
		const bool due = mine && counts, moves = due && r.t != tau0, back = has_back(r.e.link);
		const float t = fmaxf(fminf(r.t, tau0), keeps * r.t + gain);
		if (moves) put(tau + (size_t)c * PITCH, t);
		if (moves && back) put(tau + ((int64_t)to * PITCH + ((int)back_of(r.e.link) - lane)), t);
		return __any_sync(ALL, due && !back);
	}
	__device__ __forceinline__ void touch(uint32_t c, uint32_t to) {
		for (int i = 0; i < PITCH; i += 32) {
			if (lane + i >= PITCH) break;
			const size_t at = (size_t)c * PITCH + i;
			if (city_of(wires[at].link) == to) put(tau + at, wear(__ldcg(tau + at), tau0, keeps, gain));
		}
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
	__device__ __forceinline__ void keep(volatile walker &) {}
	static __device__ __forceinline__ void store(const ground &, const rules *, const memory &, int, volatile walker &, uint32_t, uint32_t) {}
};

template <int PITCH>
static __device__ __forceinline__ void tours_of(const ground &g, const job *j, const rules *a, const memory &m, city_t *tours, result *results,
		const keys &rk) {
	extern __shared__ uint32_t bits[];
	const int per = blockDim.x >> 5, n = g.n;
	volatile walker w;
	{
		const int lane = own_lane(), warp = own_warp(), ant = blockIdx.x * per + warp;
		if (ant >= j->ants) return;
		set_out(w, bits_of(bits, g, warp, ant), g, j, a, tours + (size_t)ant * n, ant, lane, rk);
	}
	stride<true, PITCH, updates<PITCH>>(w, n, bits, per, g, j, a, m, tours, rk);
	const int lane = own_lane(), ant = blockIdx.x * per + own_warp();
	if (n > 1) updates<PITCH>(a, m, m.tau + lane, lane, w).edge(w.cur, w.start); // the way back
	finish(g, tours + (size_t)ant * n, results + 1 + ant, w.falls, lane);
}

// walk makes the tours, walk_long with rows of 40 entries.
extern "C" __global__ void __launch_bounds__(640, 1) walk(ground g, const job *j, const rules *a, memory m, city_t *tours, result *results,
		keys rk) {
	tours_of<32>(g, j, a, m, tours, results, rk);
}

extern "C" __global__ void __launch_bounds__(640, 1) walk_long(ground g, const job *j, const rules *a, memory m, city_t *tours, result *results,
		keys rk) {
	tours_of<40>(g, j, a, m, tours, results, rk);
}
