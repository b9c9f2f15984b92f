// Tours as lists.cuh makes them, four steps at a time: for few ants, whose steps wait for one
// another and leave most of a multiprocessor idle.
//
// Where trails have settled, nearly every ant goes on to the city of the greatest weight, and from
// there to the next. likely has two such cities for each city, so that one is left where an ant
// comes from the other; a block makes of them, in shared memory, the next four cities from each. A
// window is the steps at up to four positions that share a block of draws. It looks at the rows of
// the cities on the likely path all at once: four keys a lane, four reductions. A candidate counts
// as visited if it is, or if the path leads to it before. The steps are right as long as winners
// are on the path; the first that is not is right too, and the next window begins behind it. So no
// tour depends on how good the guess is. The rows and draws of the next window are under way
// meanwhile.
//
// Of mmas/wrs (preset paper, 800 ants, lists of 32) the likely city won 25 % of the steps in the
// first iteration, 91 % in the 20th, 98 to 99 % in the 60th and 99.7 % in the 200th, on pr1002 and
// pr2392 alike. An ant counts how often it does, and makes its next tour one step after another
// where that is seldom.
#ifndef METALAB_ANTS_LIKELY_CUH
#define METALAB_ANTS_LIKELY_CUH

#include "lists.cuh"
#include "paths.cuh"

// note_likely writes the two cities of the least packed reciprocals of a row, of which a warp has a
// slot a lane, ALL for none: the best in the low 16 bits. With one candidate both are it.
static __device__ __forceinline__ void note_likely(
		uint32_t *likely, int c, uint32_t packed, uint32_t mask, int lane) {
	const uint32_t best = warp_min(packed), other = warp_min(packed == best ? ALL : packed);
	const uint32_t second = other == ALL ? best : other;
	if (lane == 0)
		likely[c] = best == ALL ? (uint32_t)c << 16 | c : (second & mask) << 16 | (best & mask);
}

// visit_both: the byte at a becomes 0xff and the 16 bits at b the city, by all lanes. ones is ALL.
static __device__ __forceinline__ void visit_both(
		uint32_t city, shared_address a, shared_address b, uint32_t ones) {
#ifdef __CUDACC__
	__asm__ volatile("st.shared.u8 [%0], %3;\n\tst.shared.u16 [%1], %2;" ::"r"(a), "r"(b), "r"(city),
									 "r"(ones)
									 : "memory");
#else
	*a = (char)ones, *(uint16_t *)b = (uint16_t)city;
#endif
}

// count_likely is how many of 1024 steps of a tour were likely, of an eighth of them.
static __device__ __forceinline__ int count_likely(
		const city_t *tour, int n, shared_address paths, int lane) {
	int hits = 0, all = 0;
	for (int i = lane; i - lane + 2 < n; i += 256) {
		const bool in = i + 2 < n;
		const uint32_t a = tour[in ? i : 0], b = tour[in ? i + 1 : 0], c = tour[in ? i + 2 : 0];
		const uint64_t path = load_path(paths + b * 16);
		const uint32_t to = step_of(path, 0) == a ? step_of(load_path(paths + b * 16 + 8), 0)
		                                          : step_of(path, 0);
		hits += __popc(__ballot_sync(ALL, in && to == c)), all += __popc(__ballot_sync(ALL, in));
	}
	return hits * 1024 / max(all, 1);
}

// fetch_row is lists.fetch, by an address that is known to be global.
template <bool SHARED> static __device__ __forceinline__ uint32_t fetch_row(
		const packed_lists<SHARED> &lists, uint32_t city) {
#ifdef __CUDACC__
	if (!SHARED) {
		uint32_t v;
		__asm__ volatile("ld.global.nc.u32 %0, [%1];"
		                 : "=r"(v)
		                 : "l"(lists.global_rows + (size_t)city * 32));
		return v;
	}
#endif
	return lists.fetch(city).p;
}

// construct_likely makes the tour of an ant by windows.
template <bool SHARED> static __device__ __forceinline__ void construct_likely(
		packed_lists<SHARED> &lists, shared_address paths, const instance &g, const job *j, int ant,
		int lane, result *results, const keys &rk) {
	const int n = g.n;
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi, agent = (uint32_t)ant * 32 + lane;
	const uint32_t mask = lists.mask, none = ~mask; // a key from which on no candidate is left
	ml_u4 q; // the draws of a block of four steps
	auto begin = [&](int b) { q.x = it_lo, q.y = it_hi, q.z = agent, q.w = (uint32_t)b; };
	auto rounds = [&](int from, int to) {
#pragma unroll
		for (int i = 0; i < 10; i++)
			if (i >= from && i < to) q = ml_philox_wide(q, rk.k[2 * i], rk.k[2 * i + 1]);
	};
	float t[4]; // their clocks
	auto clocks = [&] {
		t[0] = ml_clock32(q.x), t[1] = ml_clock32(q.y), t[2] = ml_clock32(q.z), t[3] = ml_clock32(q.w);
	};
	begin(0);
	rounds(0, 10);
	uint32_t cur = __shfl_sync(ALL, __umulhi(q.x, (uint32_t)n), 0), before = cur;
	clocks();
	int fallbacks = 0, s = 1; // the position to be made next
	lists.start(cur);
	const int fourth = min(lane, 3); // lanes from 3 on do as lane 3
	while (s < n) {
		// The window is the positions from s on, which are first to end - 1 of four. Where it is
		// shorter, the path begins with the ant's city, and steps that are not made are not looked at.
		const int first = s & 3, end = min(4, n - (s & ~3));
		const bool all = first == 0 && end == 4;
		bool right;
		uint32_t c[5], even[4], odd[4], m[4]; // the path, rows of windows in turn, and the least keys
		even[0] = fetch_row(lists, cur);
		uint64_t path = load_path(paths + cur * 16);
		if (step_of(path, 0) == before) path = load_path(paths + cur * 16 + 8);
		uint32_t ends = end_of(path); // the number of the next path
		path <<= 16 * first;
		c[0] = cur;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			c[i + 1] = i < first ? cur : step_of(path, i);
			if (i < 3) even[i + 1] = fetch_row(lists, c[i + 1]);
		}
		// window makes four steps, if it is right; meanwhile the path of the next four, its rows and
		// draws come.
		auto window = [&](const uint32_t(&r)[4], uint32_t(&ahead)[4]) {
			uint32_t done[4], key[4];
			path = load_path(paths + ends * 8);
			__syncwarp();
#pragma unroll
			for (int i = 0; i < 4; i++) done[i] = load_byte(lists.visited_bytes + (r[i] & mask));
			ahead[0] = fetch_row(lists, c[4]);
			begin((s >> 2) + 1);
#pragma unroll
			for (int i = 0; i < 3; i++) ahead[i + 1] = fetch_row(lists, step_of(path, i));
			rounds(0, 3);
#pragma unroll
			for (int i = 0; i < 4; i++) {
				bool seen = false;
#pragma unroll
				for (int k = 1; k <= i; k++) seen |= (r[i] & mask) == c[k];
				if (seen) done[i] = ALL;
				key[i] = (__float_as_uint(t[i] * __uint_as_float(r[i])) & none) | (r[i] & mask) |
						(done[i] & none);
				m[i] = warp_min(key[i]);
			}
			rounds(3, 10);
			const uint32_t off = ((m[0] & mask) ^ c[1]) | ((m[1] & mask) ^ c[2]) | ((m[2] & mask) ^ c[3]) |
					((m[3] & mask) ^ c[4]);
			right = all && off == 0 && max(max(m[0], m[1]), max(m[2], m[3])) < none;
			if (!right) return false;
			const uint32_t to = lane == 0 ? c[1] : lane == 1 ? c[2] : lane == 2 ? c[3] : c[4];
			visit_both(to, lists.visited_bytes + to, lists.last_address + 2 * ((s & 31) + fourth),
					lists.ones);
			clocks();
			s += 4;
			before = c[3], cur = c[4];
			ends = end_of(path);
			c[0] = c[4];
#pragma unroll
			for (int i = 0; i < 4; i++) c[i + 1] = step_of(path, i);
			if (__builtin_expect(!(s & 31), 0)) lists.flush(s - 1);
			return s + 4 <= n;
		};
		// Rows under way stay in their registers: those of one window, then of the other.
		while (window(even, odd) && window(odd, even)) {}
		if (right) continue;
		// Up to the first step that leaves the path, or to the end of a short window.
		uint32_t wrong = 0;
#pragma unroll
		for (int i = 0; i < 4; i++)
			if (i >= first && i < end && (m[i] >= none || (m[i] & mask) != c[i + 1])) wrong |= 1u << i;
		const int last = wrong ? __ffs(wrong) - 1 : end - 1;
		const uint32_t won = last == 0 ? m[0] : last == 1 ? m[1] : last == 2 ? m[2] : m[3];
		before = last == 0 ? c[0] : last == 1 ? c[1] : last == 2 ? c[2] : c[3];
		cur = won & mask;
		const bool stuck = won >= none;
		// Lanes that have no step of these do as the first one does.
		const int made = last + !stuck, own = lane >= first && lane < made ? lane : first;
		const uint32_t on = own == 0 ? c[1] : own == 1 ? c[2] : own == 2 ? c[3] : c[4],
									 to = own == last ? cur : on;
		s &= ~3;
		if (made > first)
			visit_both(
					to, lists.visited_bytes + to, lists.last_address + 2 * ((s & 31) + own), lists.ones);
		s += last;
		if (last == 3) clocks();
		if (stuck) {
			fallbacks++;
			cur = (uint32_t)lists.fallback(g, (int)before);
			lists.visit(cur, s & 31);
		}
		s++;
		if (!(s & 31)) lists.flush(s - 1);
	}
	if (n & 31) lists.flush(n - 1);
	__syncwarp();
	finish(g, lists.tour, results + 1 + ant, fallbacks, lane);
}

// construct_by_likely makes the tours of all ants: by windows those of ants of whose last tour, in
// results, often of 1024 steps or more were likely. Shared memory: that of packed_lists, then
// likely and the paths.
template <bool SHARED> static __device__ __forceinline__ void construct_by_likely(const instance &g,
		const job *j, const float *__restrict__ recips, const uint32_t *likely, city_t *tours,
		result *results, const keys &rk, int often) {
	extern __shared__ uint4 memory[];
	uint32_t thread = threadIdx.x;
	OPAQUE(thread);
	const int lane = thread & 31, warp = thread >> 5, warps = blockDim.x >> 5,
						ant = blockIdx.x * warps + warp;
	uint4 *own = memory + ((warps * packed_lists<SHARED>::shared_bytes(g.words) + 15) >> 4) +
			(SHARED ? g.n * 8 : 0);
	uint64_t *paths = (uint64_t *)(own + likely_words(g.n) / 4);
	copy_async(own, (const uint4 *)likely, likely_words(g.n) / 4);
	packed_lists<SHARED> lists(g, recips, tours + (size_t)ant * g.n, memory, warp, warps, lane);
	copy_wait();
	make_paths(paths, (const uint32_t *)own, g.n);
	__syncthreads();
	shared_address at = __shfl_sync(ALL, shared_address_of(paths), 0);
	if (ant >= j->ants) return;
	result *r = results + 1 + ant;
	if (r->likely >= often) construct_likely(lists, at, g, j, ant, lane, results, rk);
	else construct(lists, g, j, ant, lane, results, rk);
	__syncwarp();
	const int share = count_likely(lists.tour, g.n, at, lane);
	if (lane == 0) r->likely = share;
}

#endif
