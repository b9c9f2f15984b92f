// What the kernels of alt.cu and spm.cu share: the rules of a walk, what a slot adds to a
// choice, and the draws.
#ifndef METALAB_ANTS_ACS_CUH
#define METALAB_ANTS_ACS_CUH

#include "walk.cuh"

// What walks depend on besides the trails; the host writes it when a parameter changes.
struct rules {
	uint64_t greedy;        // a word below it means the greatest weight
	double beta;            // exponent of the visibility
	float tau0, keep, gain; // the local update: tau <- keep tau + gain
	float tau_min, stored;  // the trail of edges that are not stored, and of one just stored
	float inv;              // the weight of an edge on no list over its trail: see beyond
	int period;             // local_period
};

#ifdef WIDE
#define CITY_BITS 26
#else
#define CITY_BITS 16
#endif
#define CITY ((1u << CITY_BITS) - 1)

// What a slot adds to a choice: the weight over the trail, and where the edge leads: the city in the
// low CITY_BITS, the slot of the way back on that city's list in the next 5, and the next bit if there is one.
struct __align__(8) wire {
	float eta;
	uint32_t link;
};

#define NONE ALL
#define BEYOND 0x80000000u // marks a city beyond the list in a ring

static __device__ __forceinline__ bool has_back(uint32_t link) { return link >> (CITY_BITS + 5); }
static __device__ __forceinline__ uint32_t back_of(uint32_t link) { return link >> CITY_BITS & 31; }

// The trails of a colony. Each city has a ring of slots places. In acs/alt rings hold only
// edges beyond the lists, and mask and stored trails mean nothing.
struct memory {
	float *tau;       // by slot of a list: the trail
	uint32_t *mask;   // by city: bit s of those slots that are stored
	uint32_t *ring;   // by place: the slot that is stored, BEYOND | city beyond the list, NONE for nothing
	float *out_tau;   // by place: the trail, of an edge beyond the list
	float *out_eta;   // by place: its weight over the trail
	uint32_t *out;    // by city: which places of its ring are edges beyond the list
	uint32_t *head;   // by city: the place of the ring that was stored into last
	int slots;
};

// beyond_of is beyond. What is called but not inlined is given no address of a kernel's parameters: those would
// have to lie in memory then.
static __device__ __noinline__ float beyond_of(double near, double far, double beta, float inv) {
	const float eta = (float)ml_pow((near + 0.1) / (far + 0.1), beta);
	return fmaxf(eta, 0x1p-60f) * inv;
}

// beyond is the weight over the trail of an edge on no list, from c of length d.
static __device__ __forceinline__ float beyond(const ground &g, const rules *a, int c, int d) {
	return beyond_of((double)distance(g.metric, g.at[c], g.at[g.id[c * 32]]), (double)d, a->beta, a->inv);
}

// wear is the local update of a trail.
static __device__ __forceinline__ float wear(float t, float tau0, float keep, float gain) {
	return t == tau0 ? t : fmaxf(fminf(t, tau0), keep * t + gain);
}

// reward is the global update of a city: a warp has it, lane l has the trail t of slot l and place l of
// the ring, its trail and whether the slot is stored. Edges that are on the list are stored if
// LISTS.
template <bool LISTS>
static __device__ __forceinline__ void reward(const ground &g, const job *j, const rules *a, int c, int lane, int slots, float &t,
		uint32_t &mask, uint32_t &place, float &out_tau, int &head, uint32_t before, uint32_t after) {
	const float least = a->tau_min;
	const uint32_t to = g.id[c * 32 + lane];
	for (int way = 0; way < 2; way++) {
		const uint32_t target = way ? after : before;
		if (target == (uint32_t)c) continue; // one city
		const uint32_t hit = __ballot_sync(ALL, lane < g.k && to == target);
		const uint32_t entry = hit ? __ffs(hit) - 1 : BEYOND | target;
		if (LISTS || !hit) {
			const uint32_t at = __ballot_sync(ALL, lane < slots && place == entry);
			int where = __ffs(at) - 1;
			if (!at) { // stored at tau_min, to be strengthened
				where = head = head + 1 == slots ? 0 : head + 1;
				const uint32_t old = __shfl_sync(ALL, place, head);
				if (old < 32) {
					mask &= ~(1u << old);
					if (lane == (int)old) t = least;
				}
				if (lane == head) place = entry, out_tau = least;
				if (hit) {
					mask |= 1u << entry;
					if (lane == (int)entry) t = least;
				}
			}
			if (!hit && lane == where) out_tau = fmaxf(least, j->keep * out_tau + j->gain);
		}
		if (hit && lane == (int)entry) t = fmaxf(least, j->keep * t + j->gain);
	}
}

// race says which of the 128 positions of block b, 128 b to 128 b + 127, are a race of clocks: bit l of
// word w is position 128 b + 4 l + w. It returns the words of lane l's four positions.
static __device__ __forceinline__ ml_u4 race(uint32_t (&races)[4], uint32_t it_lo, uint32_t it_hi, int ant, int b, int lane,
		uint64_t greedy, const keys &rk) {
	ml_u4 q = {it_lo, it_hi, (uint32_t)ant, (uint32_t)(b * 32 + lane)};
#pragma unroll
	for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
	races[0] = __ballot_sync(ALL, q.x >= greedy);
	races[1] = __ballot_sync(ALL, q.y >= greedy);
	races[2] = __ballot_sync(ALL, q.z >= greedy);
	races[3] = __ballot_sync(ALL, q.w >= greedy);
	return q;
}

static __device__ __forceinline__ bool races_at(const uint32_t (&races)[4], int s) {
	const uint32_t w = s & 2 ? (s & 1 ? races[3] : races[2]) : (s & 1 ? races[1] : races[0]);
	return w >> (s >> 2 & 31) & 1;
}

// clocked is the lane that wins a race of clocks among the candidates that are open, or -1.
static __device__ __forceinline__ int clocked(bool open, float weight, uint32_t it_lo, uint32_t it_hi, int ant, int s, int lane, const keys &rk) {
	ml_u4 u = {it_lo, it_hi ^ 1u << 24, (uint32_t)ant * 32 + lane, (uint32_t)s};
#pragma unroll
	for (int i = 0; i < 10; i++) u = ml_philox_round(u, rk.k[2 * i], rk.k[2 * i + 1]);
	const uint32_t m = warp_min(open ? ml_race_key(ml_expo32(u.x), 1.0f / weight, lane) : ALL);
	return m != ALL ? (int)(m & 31) : -1;
}

// An ant between two of its steps.
struct walker {
	int cur, start, falls, left;
	uint32_t kept;
	uint32_t races[4];
};

// set_out places an ant at its first city.
static __device__ __forceinline__ void set_out(walker &w, uint32_t *vis, const ground &g, const job *j, const rules *a, int ant, int lane, const keys &rk) {
	unvisit(vis, g.n, g.words, lane);
	w.cur = (int)__shfl_sync(ALL, __umulhi(race(w.races, j->it_lo, j->it_hi, ant, 0, lane, a->greedy, rk).x, (uint32_t)g.n), 0);
	w.start = w.kept = w.cur;
	w.falls = 0, w.left = a->period;
	if (lane == 0) mark_city(vis, g.words, w.cur);
	__syncwarp();
}

// A row is what a lane looks at in a city: the trail and the wire of its slot; its place of the ring, which may be an edge
// beyond the list, with the trail and the weight over it; and, with MASK, which slots are stored.
struct row {
	float t;
	wire e;
	uint32_t out, place, mask;
	float out_tau, out_eta;
};

// fetch reads trails past the multiprocessor's own cache: others write them. All is on its way at once: where rings hold
// whatever was walked, most cities have an edge beyond their lists.
template <bool MASK>
static __device__ __forceinline__ row fetch(const memory &m, const wire *__restrict__ wires, int c, int lane) {
	row r;
	r.t = __ldcg(m.tau + c * 32 + lane);
	r.e = wires[c * 32 + lane];
	r.out = __ldcg(m.out + c);
	r.mask = MASK ? __ldcg(m.mask + c) : 0;
	r.place = NONE, r.out_tau = r.out_eta = 0;
	if (lane < m.slots) {
		const int at = c * m.slots + lane;
		r.place = __ldcg(m.ring + at);
		r.out_tau = __ldcg(m.out_tau + at);
		r.out_eta = __ldcg(m.out_eta + at);
	}
	return r;
}

// stride makes the steps from s to end - 1. note is given the edge of a choice that counts: from where, the lane
// of the slot or -1, the slot's link, to where, and the row of the city that was left; all lanes call it, when the row of
// the next city is on its way. arrived is given a city and its row when that is there, after the note of the edge to it.
template <bool MASK, class F, class G>
static __device__ __forceinline__ void stride(walker &w, int s, int end, uint32_t *vis, const ground &g, const job *j, const rules *a, const memory &m,
		const wire *__restrict__ wires, city_t *tour, int ant, int lane, const keys &rk, F note, G arrived) {
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi;
	const int period = a->period;
	row r = fetch<MASK>(m, wires, w.cur, lane);
	for (; s < end; s++) {
		const uint32_t id = r.e.link & CITY, seen = vis[id >> 5], bit = 1u << (id & 31), far = r.place & CITY;
		const bool open = !(seen & bit), racing = races_at(w.races, s);
		const float weight = r.t * r.e.eta;
		const int cur = w.cur;
		// The greatest weight, where the low 5 bits do not count and of equal ones the first lane wins; likewise of edges
		// beyond the list, where the last lane wins. A ring that others write may have another entry by now.
		uint32_t out = 0;
		if (r.out >> lane & 1 && r.place != NONE && r.place & BEYOND && !(vis[far >> 5] >> (far & 31) & 1))
			out = (__float_as_uint(r.out_tau * r.out_eta) & ~31u) | lane;
		__syncwarp();
		const uint32_t most = warp_max(open ? (__float_as_uint(weight) & ~31u) | (31 - lane) : 0), outmost = warp_max(out);
		int winner = most ? 31 - (int)(most & 31) : -1;
		if (racing) winner = clocked(open, weight, it_lo, it_hi, ant, s, lane, rk);
		const bool counts = --w.left == 0;
		if (counts) w.left = period;
		int next;
		uint32_t link = 0;
		if (winner >= 0) {
			if (!racing && (outmost & ~31u) > (most & ~31u)) {
				next = (int)__shfl_sync(ALL, far, outmost & 31), winner = -1;
			} else {
				link = __shfl_sync(ALL, r.e.link, winner);
				next = (int)(link & CITY);
			}
		} else {
			w.falls++;
			next = nearest<true>(vis, g.at, g.box, g.ext, g.metric, g.words, cur, lane);
			if (outmost) {
				const float eta = beyond(g, a, cur, distance(g.metric, g.at[cur], g.at[next]));
				if ((outmost & ~31u) > (__float_as_uint(a->tau_min * eta) & ~31u)) next = (int)__shfl_sync(ALL, far, outmost & 31);
			}
		}
		arrived(cur, r);
		const row left = r;
		r = fetch<MASK>(m, wires, next, lane);
		if (winner >= 0 ? lane == winner : lane == 0) mark_city(vis, g.words, next);
		if (counts) note(cur, winner, link, next, left);
		__syncwarp();
		w.cur = next;
		if ((s & 31) == lane) w.kept = next;
		if ((s & 31) == 31) tour[s - 31 + lane] = (city_t)w.kept;
		if ((s & 127) == 127) race(w.races, it_lo, it_hi, ant, (s + 1) >> 7, lane, a->greedy, rk);
	}
	arrived(w.cur, r);
}

// find is the slot of city to on the list of c, or NONE.
static __device__ __forceinline__ uint32_t find(const ground &g, int c, int to, int lane) {
	const uint32_t hit = __ballot_sync(ALL, lane < g.k && g.id[c * 32 + lane] == to);
	return hit ? __ffs(hit) - 1 : NONE;
}

#endif
