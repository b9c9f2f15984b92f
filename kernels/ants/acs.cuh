// What the kernels of alt.cu, spm.cu and lockstep.cu share: the rules of a construction, what a
// slot adds to a choice, the global update and the draws.
#ifndef METALAB_ANTS_ACS_CUH
#define METALAB_ANTS_ACS_CUH

#include "common.cuh"

// What constructions depend on besides the trails; the host writes it when a parameter changes.
struct rules {
	uint64_t greedy;        // a word below it means the greatest weight
	double beta;            // exponent of the visibility
	float tau0, keep, gain; // the local update: tau <- keep tau + gain
	float tau_min, stored;  // the trail of edges that are not stored, and of one just stored
	float inv;              // the weight of an edge on no list over its trail: see off_list_weight
	int period;             // local_period
};

#ifdef WIDE
#define CITY_SHIFT 6
#else
#define CITY_SHIFT 16
#endif

// What a slot adds to a choice: the weight over the trail, and where the edge leads: the city from
// bit CITY_SHIFT on; bit 5 says whether the way back is on that city's list, the low 5 bits in
// which slot.
struct __align__(8) candidate {
	float eta;
	uint32_t link;
};

// Where an ant is likely to go: where the weight of the list is greatest or, if it comes
// from there, to the other city, of the second weight.
struct __align__(2 * sizeof(city_t)) likely_cities {
	city_t best, other;
};

#define NONE ALL
#define OFF_LIST 0x80000000u // marks a city beyond the list in a ring

static __device__ __forceinline__ uint32_t city_of(uint32_t link) { return link >> CITY_SHIFT; }
static __device__ __forceinline__ bool has_back(uint32_t link) { return link & 32; }
static __device__ __forceinline__ uint32_t back_of(uint32_t link) { return link & 31; }

// The trails of a colony: rows of pitch entries, a city's. Entry s is slot s of the list, entry
// pitch - 1 - p is for place p of the city's ring, where that holds an edge beyond the list; else,
// like those between, it leads to the city itself. A pitch of 32 has room for both; else lane l
// has a second entry, 32 + l modulo pitch - 32, so some lanes have the same. In spm-sync and spm
// the sign of a slot's trail is set where the edge is not stored.
//
// acs/alt and acs/gpu have a trail for each edge, as a matrix has. Rows have 32 entries, those of
// the lists. Of the edges beyond the list of a city each whose trail was ever strengthened has a
// place of the city's ring, with its trail; the host sees to it that there are places enough. All
// others are at tau0, where local updates leave them.
struct memory {
	float *tau;                  // by entry: the trail
	candidate *candidates;       // by entry
	uint32_t *ring;              // by place, slots a city: the slot that is stored, OFF_LIST | city
	                             // beyond the list, NONE for nothing
	                             // In alt and gpu: the city
	uint32_t *head;              // by city: the place of the ring that was stored into last; in alt
	                             // and gpu how many places are taken
	likely_cities *likely;       // by city, as prepare found them
	float *beyond, *sight;       // alt, gpu: by place, the trail and the visibility
	int slots, pitch;            // pitch is 32, 40 or 64, the least in which list and ring have room
};

// entry_of is the entry of a row for a place of the ring.
static __device__ __forceinline__ size_t entry_of(const memory &m, int c, int place) {
	return (size_t)c * m.pitch + (m.pitch - 1 - place);
}

// empty_entry is the candidate of an entry that holds nothing.
static __device__ __forceinline__ candidate empty_entry(int c) {
	candidate e;
	e.eta = 0, e.link = (uint32_t)c << CITY_SHIFT;
	return e;
}

// visibility_of is visibility. What is called but not inlined is given no address of a
// kernel's parameters: those would have to lie in memory then.
template <bool TENTH> static __device__ __noinline__ float visibility_of(
		double near, double far, double beta) {
	return (float)ml_pow(
			TENTH ? (near + 0.1) / (far + 0.1) : fmax(near, 0.1) / fmax(far, 0.1), beta);
}

// visibility is the second factor of the weight of an edge on no list, from c of length d: that of
// 1 / d, where a d of 0 counts as 0.1, or with TENTH of 1 / (d + 0.1).
template <bool TENTH = false> static __device__ __forceinline__ float visibility(
		const instance &g, const rules *a, int c, int d) {
	return visibility_of<TENTH>(
			(double)distance(g.metric, g.at[c], g.at[g.id[c * 32]]), (double)d, a->beta);
}

// off_list_weight is the weight over the trail of an edge on no list, from c of length d.
template <bool TENTH = false> static __device__ __forceinline__ float off_list_weight(
		const instance &g, const rules *a, int c, int d) {
	return fmaxf(visibility<TENTH>(g, a, c, d), 0x1p-60f) * a->inv;
}

// note_likely writes the two cities of the greatest weights of a list: a warp has a slot a lane,
// with its weight and city, none where list is false. With one candidate both are it.
static __device__ __forceinline__ void note_likely(
		likely_cities *to, bool list, float weight, uint32_t city, int lane) {
	const uint32_t key = list ? (__float_as_uint(weight) & ~31u) | (31 - lane) : 0,
								 best = warp_max(key), other = warp_max(key == best ? 0 : key);
	const uint32_t first = __shfl_sync(ALL, city, ~best & 31),
								 second = __shfl_sync(ALL, city, ~(other ? other : best) & 31);
	if (lane == 0 && best) *to = {(city_t)first, (city_t)second};
}

// off_list_candidate is the candidate of an edge beyond the list of c, to a city.
static __device__ __forceinline__ candidate off_list_candidate(
		const instance &g, const rules *a, int c, int to) {
	candidate e;
	e.eta = off_list_weight(g, a, c, distance(g.metric, g.at[c], g.at[to])),
	e.link = (uint32_t)to << CITY_SHIFT;
	return e;
}

// local_update is the local update of a trail.
static __device__ __forceinline__ float local_update(float t, float tau0, float keep, float gain) {
	return t == tau0 ? t : fmaxf(fminf(t, tau0), keep * t + gain);
}

// global_update is the global update of a city: a warp has it, lane l has the trail t of slot l and
// place l of the ring, its trail and whether the slot is stored. It returns how many trails were
// not there.
static __device__ __forceinline__ uint32_t global_update(const instance &g,
		const job *j, const rules *a, int c, int lane, int slots, float &t, uint32_t &mask,
		uint32_t &place, float &out_tau, int &head, uint32_t before, uint32_t after) {
	const float least = a->tau_min;
	uint32_t misses = 0;
	const uint32_t to = g.id[c * 32 + lane];
	for (int side = 0; side < 2; side++) {
		const uint32_t target = side ? after : before;
		if (target == (uint32_t)c) continue; // one city
		const uint32_t hit = __ballot_sync(ALL, lane < g.k && to == target);
		const uint32_t entry = hit ? __ffs(hit) - 1 : OFF_LIST | target;
		const uint32_t at = __ballot_sync(ALL, lane < slots && place == entry);
		int where = __ffs(at) - 1;
		if (!at) { // stored at tau_min, to be strengthened
			misses++;
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
		if (hit && lane == (int)entry) t = fmaxf(least, j->keep * t + j->gain);
	}
	return misses;
}

// global_update_city makes the global update of a city by a warp, and what choices need. Which
// edges of the list are stored is made anew from the rings, which races may have left behind. It
// returns how many trails were not there.
static __device__ __forceinline__ uint32_t global_update_city(
		const instance &g, const job *j, const rules *a, const memory &m, const float *eta, int c,
		int lane, const city_t *after, const city_t *before) {
	const bool in = lane < m.slots, list = lane < g.k;
	const size_t at = (size_t)c * m.pitch + lane;
	float t = list ? fabsf(m.tau[at]) : 0, out_tau = in ? m.tau[entry_of(m, c, lane)] : 0;
	uint32_t mask = 0, misses = 0, place = in ? m.ring[c * m.slots + lane] : NONE;
	int head = (int)(m.head[c] % (uint32_t)m.slots);
	for (int k = 0; k < m.slots; k++) {
		const uint32_t slot = __shfl_sync(ALL, place, k);
		if (slot < 32) mask |= 1u << slot;
	}
	if (j->deposit)
		misses = global_update(
				g, j, a, c, lane, m.slots, t, mask, place, out_tau, head, before[c], after[c]);
	if (list) {
		m.tau[at] = mask >> lane & 1 ? t : -a->tau_min;
		m.candidates[at].eta = eta[c * 32 + lane];
	}
	if (in) {
		const bool out = place != NONE && place & OFF_LIST;
		m.ring[c * m.slots + lane] = place;
		m.tau[entry_of(m, c, lane)] = out ? out_tau : a->tau_min;
		candidate &e = m.candidates[entry_of(m, c, lane)];
		if (!out) e = empty_entry(c);
		else if (e.eta == 0 || city_of(e.link) != (place & ~OFF_LIST))
			e = off_list_candidate(g, a, c, (int)(place & ~OFF_LIST));
	}
	if (lane == 0) m.head[c] = head;
	note_likely(m.likely + c, list, (mask >> lane & 1 ? t : a->tau_min) * eta[c * 32 + lane],
			g.id[c * 32 + lane], lane);
	return misses;
}

// branching_rows is branching with trails in rows of pitch entries.
//
// m: see memory. out: two sums, branching and hash.
//
// Launch: n x 32 threads, blocks of 256. Bound: 128 bytes a city. No figure is recorded.
extern "C" __global__ void branching_rows(instance g, memory m, unsigned long long *out) {
	const int c = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31, k = g.k;
	if (c >= g.n) return;
	const float v = fabsf(m.tau[(size_t)c * m.pitch + lane]);
	const uint32_t bits = __float_as_uint(v); // trails are positive: their bits are in order
	const float lo = __uint_as_float(warp_min(lane < k ? bits : ALL)),
							hi = __uint_as_float(warp_max(lane < k ? bits : 0));
	const float cut = lo + 0.05f * (hi - lo);
	const int above = __popc(__ballot_sync(ALL, lane < k && v > cut));
	const uint64_t h = warp_sum(lane < k ? ml_mix64((uint64_t)(c * k + lane) << 32 | bits) : 0);
	if (lane == 0 && k > 0) {
		atomicAdd(out, (unsigned long long)above);
		atomicAdd(out + 1, (unsigned long long)h);
	}
}

// draw_explore draws at which of the 128 positions of block b, 128 b to 128 b + 127, an ant
// explores, which is where it draws the next city and does not take the best: bit l of word w is
// position 128 b + 4 l + w. It returns the words of lane l's four positions.
static __device__ __forceinline__ ml_u4 draw_explore(uint32_t (&explore)[4], uint32_t it_lo,
		uint32_t it_hi, int ant, int b, int lane, uint64_t greedy, const keys &rk) {
	ml_u4 q = {it_lo, it_hi, (uint32_t)ant, (uint32_t)(b * 32 + lane)};
#pragma unroll
	for (int i = 0; i < 10; i++) q = ml_philox_round(q, rk.k[2 * i], rk.k[2 * i + 1]);
	explore[0] = __ballot_sync(ALL, q.x >= greedy);
	explore[1] = __ballot_sync(ALL, q.y >= greedy);
	explore[2] = __ballot_sync(ALL, q.z >= greedy);
	explore[3] = __ballot_sync(ALL, q.w >= greedy);
	return q;
}

static __device__ __forceinline__ bool explores_at(const uint32_t (&explore)[4], int s) {
	const uint32_t w = s & 2 ? (s & 1 ? explore[3] : explore[2]) : (s & 1 ? explore[1] : explore[0]);
	return w >> (s >> 2 & 31) & 1;
}

// next_explore is the least position from s on, within the 128 of s, at which the ant explores, or
// the first of the next 128.
static __device__ __forceinline__ int next_explore(const uint32_t (&explore)[4], int s) {
	const uint32_t o = s & 127;
	uint32_t least = 128;
#pragma unroll
	for (int w = 0; w < 4; w++) {
		const uint32_t from = (o + 3 - w) >> 2; // lanes from here on have positions from s on
		const uint32_t left = from < 32 ? explore[w] >> from << from : 0;
		if (left) least = min(least, 4u * (__ffs(left) - 1) + w);
	}
	return (s & ~127) + (int)least;
}

// explore_winner is the lane that wins a race of clocks among the candidates that are open,
// or -1.
static __device__ __forceinline__ int explore_winner(bool open, float weight, uint32_t it_lo,
		uint32_t it_hi, int ant, int s, int lane, const keys &rk) {
	ml_u4 u = {it_lo, it_hi ^ 1u << 24, (uint32_t)ant * 32 + lane, (uint32_t)s};
#pragma unroll
	for (int i = 0; i < 10; i++) u = ml_philox_round(u, rk.k[2 * i], rk.k[2 * i + 1]);
	const uint32_t m = warp_min(open ? ml_race_key(ml_expo32(u.x), 1.0f / weight, lane) : ALL);
	return m != ALL ? (int)(m & 31) : -1;
}

#endif
