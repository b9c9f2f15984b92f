// Ant Colony System whose ants make whole tours: the kernels of acs/alt. Ants race: what one reads may
// or may not have the updates that others make meanwhile, and an update that comes between
// another's read and write is lost, as in the published ACS-GPU-Alt. The trails of both directions of an edge
// are written one after the other. Of edges on no list a city knows those that were rewarded last.
#include "acs.cuh"

// prepare makes the global update: a warp takes a city.
extern "C" __global__ void prepare(ground g, const job *j, const rules *a, memory m, const float *eta, wire *wires,
		const city_t *after, const city_t *before) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i >> 5, lane = i & 31;
	if (c >= g.n) return;
	const bool in = lane < m.slots;
	const int at = c * m.slots + lane;
	float t = m.tau[i], out_tau = in ? m.out_tau[at] : 0;
	uint32_t mask = 0, place = in ? m.ring[at] : NONE;
	int head = (int)m.head[c];
	if (j->reward) reward<false>(g, j, a, c, lane, m.slots, t, mask, place, out_tau, head, before[c], after[c]);
	const bool out = in && place != NONE;
	m.tau[i] = t;
	if (in) m.ring[at] = place, m.out_tau[at] = out_tau;
	if (out) m.out_eta[at] = beyond(g, a, c, distance(g.metric, g.at[c], g.at[place & CITY]));
	const uint32_t outs = __ballot_sync(ALL, out);
	if (lane == 0) m.out[c] = outs, m.head[c] = head;
	wires[i].eta = eta[i];
}

// walk makes the tours.
extern "C" __global__ void __launch_bounds__(1024, 1) walk(ground g, const job *j, const rules *a, memory m, const wire *__restrict__ wires,
		city_t *tours, result *results, keys rk) {
	extern __shared__ uint32_t bits[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = g.n, ant = blockIdx.x * warps + warp;
	if (ant >= j->ants) return;
	uint32_t *vis = bits_of(bits, g, warp, ant);
	city_t *tour = tours + (size_t)ant * n;
	const float tau0 = a->tau0, keep = a->keep, gain = a->gain;
	walker w;
	set_out(w, vis, g, j, a, ant, lane, rk);
	auto outward_wear = [&](int from, int to) {
		if (lane >= m.slots) return;
		const int at = from * m.slots + lane;
		if (__ldcg(m.ring + at) == (BEYOND | to)) m.out_tau[at] = wear(__ldcg(m.out_tau + at), tau0, keep, gain);
	};
	auto note = [&](int from, int winner, uint32_t link, int to, const row &left) {
		if (winner < 0) {
			outward_wear(from, to);
			outward_wear(to, from);
		} else if (lane == winner && left.t != tau0) {
			const float t = wear(left.t, tau0, keep, gain);
			m.tau[from * 32 + lane] = t;
			if (has_back(link)) m.tau[to * 32 + back_of(link)] = t;
		}
	};
	stride<false>(w, 1, n, vis, g, j, a, m, wires, tour, ant, lane, rk, note, [](int, const row &) {});
	if (lane < (n & 31)) tour[(n & ~31) + lane] = (city_t)w.kept;
	__syncwarp();
	if (n > 1) { // the way back
		int from = w.cur, to = w.start;
		uint32_t slot = find(g, from, to, lane);
		if (slot == NONE) from = w.start, to = w.cur, slot = find(g, from, to, lane);
		note(from, slot == NONE ? -1 : (int)slot, slot == NONE ? 0 : wires[from * 32 + slot].link, to, fetch<false>(m, wires, from, lane));
	}
	finish(g, tour, results + 1 + ant, w.falls, lane);
}
