// Tours by races of exponential clocks over candidate lists: the construction of mmas/wrs and
// as/wrs, and, with other tabu lists (tabu.cuh), of mmas/rows with selection=wrs. What they
// compute is stated in solvers/ants/crew/choice.go.
//
// A step is a chain: the row of the ant's city, what of it is visited, a reduction over the warp,
// the next row. All else is computed while those are waited for: the next clock, and some rounds
// of the block of draws of the four steps to come. The steps in which a candidate is found are in
// a loop without calls; an ant whose candidates are visited leaves it, and comes back with the
// next block.
#ifndef METALAB_ANTS_LISTS_CUH
#define METALAB_ANTS_LISTS_CUH

#include "common.cuh"
#include "paths.cuh"

// The most cities whose numbers are in keys.
#define KEY_CITIES 8192

// key_mask are the bits of a key that are not the clock's: crew.KeyMask.
static __device__ __forceinline__ uint32_t key_mask(int n) {
	return n > KEY_CITIES || n <= 32 ? 31u : (1u << (32 - __clz(n - 1))) - 1;
}

// packed is the reciprocal of a weight as keys of n cities want it: the nearest number whose last
// bits are the city's.
static __device__ __forceinline__ float packed(float r, uint32_t city, int n) {
	if (n > KEY_CITIES) return r;
	const uint32_t mask = key_mask(n);
	return __uint_as_float(((__float_as_uint(r) - city + ((mask + 1) >> 1)) & ~mask) | city);
}

// Shared memory by addresses of 32 bits: see paths.cuh.
#ifdef __CUDACC__
static __device__ __forceinline__ uint32_t load_word(shared_address a) {
	uint32_t v;
	__asm__ volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	return v;
}
// load_byte is ALL where the byte at a is 0xff, 0 where it is 0.
static __device__ __forceinline__ uint32_t load_byte(shared_address a) {
	uint32_t v;
	__asm__ volatile("ld.shared.s8 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	return v;
}
// visit_if: where key is m, the byte at a becomes 0xff and the 16 bits at b those of m. ones is
// ALL.
static __device__ __forceinline__ void visit_if(
		uint32_t key, uint32_t m, shared_address a, shared_address b, uint32_t ones) {
	__asm__ volatile("{\n\t.reg .pred mine;\n\tsetp.eq.u32 mine, %0, %1;\n\t@mine st.shared.u8 [%2], "
	                 "%4;\n\t@mine st.shared.u16 [%3], %0;\n\t}" ::"r"(key),
									 "r"(m), "r"(a), "r"(b), "r"(ones)
									 : "memory");
}
#else
static uint32_t load_word(shared_address a) { return *(uint32_t *)a; }
static uint32_t load_byte(shared_address a) { return (uint32_t)(int32_t)*(signed char *)a; }
static void visit_if(uint32_t key, uint32_t m, shared_address a, shared_address b, uint32_t) {
	if (key == m) *a = (char)0xff, *(uint16_t *)b = (uint16_t)key;
}
#endif

// copy_async copies count times 16 bytes to shared memory, all under way at once; blocks begin at
// different places, for they share a cache. copy_wait waits for them.
static __device__ __forceinline__ void copy_async(uint4 *to, const uint4 *from, int count) {
	const int first = (int)((uint64_t)count * blockIdx.x / gridDim.x);
	for (int i = threadIdx.x; i < count; i += blockDim.x) {
		const int at = i + first < count ? i + first : i + first - count;
#if __CUDA_ARCH__ >= 800
		__asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address_of(to + at)),
										 "l"(from + at)
										 : "memory");
#else
		to[at] = from[at];
#endif
	}
}
static __device__ __forceinline__ void copy_wait() {
#if __CUDA_ARCH__ >= 800
	__asm__ volatile("cp.async.wait_all;" ::: "memory");
#endif
	__syncthreads();
}

// How an ant of up to KEY_CITIES cities looks: what a lane reads of a slot is one word, the
// reciprocal of a weight whose last bits are the city. With SHARED these are in shared memory.
// Visited cities are bytes there, so that no lane reads what another one writes in the same step,
// and a byte, as a number with a sign, is what a key is to be joined with. The ant's last 32 cities
// are there too; of these the bits are made that nearest reads, before it
// is called and whenever 32 cities are written to the tour.
template <bool SHARED> struct packed_lists {
	static const bool roomy = SHARED; // there are registers for what is made ahead to stay where it is
	struct row {
		uint32_t p;
	};
	const uint32_t *global_rows; // this lane's
	shared_address shared_rows, visited_bytes, last_address;
	uint32_t *bits;
	uint16_t *last;
	city_t *tour;
	uint32_t mask, lane, ones;

	// An ant's room in shared memory is bytes, bits and its last cities.
	static __device__ __forceinline__ int shared_bytes(int words) { return 36 * words + 64; }

	__device__ __forceinline__ packed_lists(const instance &g, const float *rows, city_t *tour,
			uint4 *memory, int warp, int warps, int lane)
			: global_rows((const uint32_t *)rows + lane), tour(tour), mask(key_mask(g.n)), lane(lane) {
		char *own = (char *)memory + warp * shared_bytes(g.words);
		uint4 *table = memory + ((warps * shared_bytes(g.words) + 15) >> 4);
		if (SHARED) copy_async(table, (const uint4 *)rows, g.n * 8);
		bits = (uint32_t *)(own + 32 * g.words), last = (uint16_t *)(bits + g.words);
		visited_bytes = __shfl_sync(ALL, shared_address_of(own), 0),
		last_address = shared_address_of(last), shared_rows = shared_address_of(table) + 4 * lane;
		for (int i = lane; i < 8 * g.words; i += 32) ((uint32_t *)own)[i] = 0;
		last[lane] = 0xffff;
		clear_visited(bits, g.n, g.words, lane);
		ones = SHARED ? load_word(last_address) : ALL; // read, it is a number that no step makes anew
		if (SHARED) copy_wait();
		__syncwarp();
		OPAQUE(mask);
#ifdef __CUDACC__
		asm volatile("" : "+l"(global_rows));
#endif
	}
	__device__ __forceinline__ void start(uint32_t city) {
		last[lane] = (uint16_t)city; // there is always a city in each place
		__syncwarp();
		visit(city, 0);
	}
	__device__ __forceinline__ row fetch(uint32_t city) const {
		return {SHARED ? load_word(shared_rows + city * 128) : global_rows[(size_t)city * 32]};
	}
	// key has ones for a clock where the city is visited: see none.
	__device__ __forceinline__ uint32_t key(row r, float clock) const {
		const uint32_t done = load_byte(visited_bytes + (r.p & mask));
		return (__float_as_uint(clock * __uint_as_float(r.p)) & ~mask) | (r.p & mask) | (done & ~mask);
	}
	__device__ __forceinline__ uint32_t winner(row, uint32_t m) const { return m & mask; }
	// visit_winner: the ant goes to the city of the lane whose key is m. at is the position in the
	// tour, modulo 32.
	__device__ __forceinline__ void visit_winner(row r, uint32_t key, uint32_t m, int at) const {
		visit_if(key, m, visited_bytes + (r.p & mask), last_address + 2 * at, ones);
	}
	__device__ __forceinline__ void visit(uint32_t city, int at) const {
		visit_if(lane == 0 ? city : ALL, city, visited_bytes + city, last_address + 2 * at, ones);
	}
	// recent is the city at a position modulo 32, one of the last.
	__device__ __forceinline__ uint32_t recent(int at) const {
		__syncwarp();
		return last[at] & mask;
	}
	__device__ __forceinline__ uint32_t *visited() const {
		__syncwarp();
		const uint32_t c = last[lane] & mask;
		atomicOr(bits + (c >> 5), 1u << (c & 31));
		__syncwarp();
		return bits;
	}
	__device__ __forceinline__ int fallback(const instance &g, int cur) const {
		return nearest<false>(visited(), g.at, g.box, g.ext, g.metric, g.words, cur, lane);
	}
	// flush: the positions up to s are made, s being the last one of 32 or of all.
	__device__ __forceinline__ void flush(int s) const {
		__syncwarp();
		const uint32_t c = last[lane] & mask;
		if ((int)lane <= (s & 31)) {
			tour[(s & ~31) + lane] = (city_t)c;
			atomicOr(bits + (c >> 5), 1u << (c & 31));
		}
	}
};

// How an ant of more cities looks: weights and cities are arrays of their own, visited cities are
// bits, in shared memory or, with WIDE, where they are. It has the keys of fewer cities too, which
// a test may ask for.
struct plain_lists {
	static const bool roomy = false;
	struct row {
		float r;
		uint32_t id;
	};
	const float *rows; // this lane's
	const city_t *ids;
	uint32_t *bits;
	city_t *tour;
	uint32_t mask, lane;
	int words;
	bool few;
	uint32_t keep; // of the last 32 cities, lane's

	__device__ __forceinline__ plain_lists(
			const instance &g, const float *rows, city_t *tour, uint32_t *bits, int lane)
			: rows(rows + lane), ids(g.id + lane), bits(bits), tour(tour), mask(key_mask(g.n)),
				lane(lane), words(g.words), few(g.n <= KEY_CITIES), keep(0) {
		clear_visited(bits, g.n, g.words, lane);
	}
	__device__ __forceinline__ void start(uint32_t city) { visit(city, 0); }
	__device__ __forceinline__ row fetch(uint32_t city) const {
		return {rows[(size_t)city * 32], ids[(size_t)city * 32]};
	}
	__device__ __forceinline__ uint32_t key(row r, float clock) const {
		const uint32_t k = (__float_as_uint(clock * r.r) & ~mask) | (few ? r.id : lane);
		return bits[r.id >> 5] >> (r.id & 31) & 1 ? k | ~mask : k;
	}
	__device__ __forceinline__ uint32_t winner(row r, uint32_t m) const {
		return few ? m & mask : __shfl_sync(ALL, r.id, m & 31);
	}
	__device__ __forceinline__ void visit_winner(row r, uint32_t key, uint32_t m, int at) {
		const uint32_t city = winner(r, m);
		__syncwarp(); // all have read the bits
		if (key == m) mark_city(bits, words, city);
		if (at == (int)lane) keep = city;
	}
	__device__ __forceinline__ void visit(uint32_t city, int at) {
		__syncwarp();
		if (lane == 0) mark_city(bits, words, city);
		if (at == (int)lane) keep = city;
	}
	__device__ __forceinline__ uint32_t recent(int at) const { return __shfl_sync(ALL, keep, at); }
	__device__ __forceinline__ uint32_t *visited() const {
		__syncwarp();
		return bits;
	}
	__device__ __forceinline__ int fallback(const instance &g, int cur) const {
		return nearest<false>(visited(), g.at, g.box, g.ext, g.metric, g.words, cur, lane);
	}
	__device__ __forceinline__ void flush(int s) const {
		if ((int)lane <= (s & 31)) tour[(s & ~31) + lane] = (city_t)keep;
	}
};

// construct makes the tour of an ant, which looks as lists does. The class of lists has
//
//	fetch, key        what a lane reads of the row of a city, and its key in a race
//	winner            the city of the least key
//	visit_winner      the ant goes to that city, unless all candidates were visited
//	visit             it goes to any city
//	recent            one of its last 32 cities
//	fallback          the city that it goes to where its candidates are visited
//	flush             the last 32 cities become words of the tour
template <class LISTS>
static __device__ __forceinline__ void construct(LISTS &lists, const instance &g, const job *j,
		int ant, int lane, result *results, const keys &rk) {
	const int n = g.n;
	uint32_t k[20];
#pragma unroll
	for (int i = 0; i < 20; i++) k[i] = rk.k[i];
	const uint32_t it_lo = j->it_lo, it_hi = j->it_hi, agent = (uint32_t)ant * 32 + lane;
	auto rounds = [&](ml_u4 &q, int from, int to) {
#pragma unroll
		for (int i = 0; i < 10; i++)
			if (i >= from && i < to) q = ml_philox_wide(q, k[2 * i], k[2 * i + 1]);
	};
	auto block = [&](int b) {
		ml_u4 q = {it_lo, it_hi, agent, (uint32_t)b};
		rounds(q, 0, 10);
		return q;
	};
	ml_u4 have = block(0); // the draws of a block of four steps
	uint32_t cur = __shfl_sync(ALL, __umulhi(have.x, (uint32_t)n), 0);
	int fallbacks = 0, s = 1;   // the position to be made next
	uint32_t none = ~lists.mask; // a key from which on no candidate is left
	bool fell_back = false;      // so it is at s
	lists.start(cur);
	while (s < n) {
		if (fell_back || (s & 3) || s + 4 > n) {
			// One position after the other to the end of the block.
			do {
				if (!fell_back) {
					const typename LISTS::row row = lists.fetch(cur);
					const int w = s & 3;
					const float clock = ml_clock32(w == 0 ? have.x : w == 1 ? have.y : w == 2 ? have.z : have.w);
					__syncwarp();
					const uint32_t key = lists.key(row, clock), m = warp_min(key);
					fell_back = m >= none;
					if (!fell_back) {
						cur = lists.winner(row, m);
						lists.visit_winner(row, key, m, s & 31);
					}
				}
				if (fell_back) {
					fallbacks++;
					cur = lists.fallback(g, cur);
					lists.visit(cur, s & 31);
					fell_back = false;
				}
				if ((s & 31) == 31) lists.flush(s);
			} while (++s < n && (s & 3));
		} else {
			// Blocks of four. Each step's clock was made two steps before, and the next block's draws are
			// made in three of the steps, so that none waits for them: OPAQUE keeps them where they are,
			// if there is room. Where no candidate is left a visited one is gone to: that changes
			// nothing, and the loop ends.
			typename LISTS::row row = lists.fetch(cur);
			float even = ml_clock32(have.x), odd = ml_clock32(have.y);
			uint32_t third = have.z, fourth = have.w;
			ml_u4 q;
			int i;
			uint32_t next = s >> 2; // block whose draws are made
			int at = s & 31;        // of s
			auto step = [&](int i) {
				__syncwarp();
				const typename LISTS::row from = row;
				const uint32_t key = lists.key(from, i & 1 ? odd : even), m = warp_min(key);
				row = lists.fetch(lists.winner(from, m));
				lists.visit_winner(from, key, m, at + i);
				if (i == 0) {
					q.x = it_lo, q.y = it_hi, q.z = agent, q.w = ++next;
					rounds(q, 0, 5);
					even = ml_clock32(third);
				} else if (i == 1) {
					rounds(q, 5, 8);
					odd = ml_clock32(fourth);
				} else if (i == 2) {
					rounds(q, 8, 10);
					even = ml_clock32(q.x);
				} else {
					odd = ml_clock32(q.y), third = q.z, fourth = q.w;
				}
				if (LISTS::roomy && i < 3) {
					OPAQUE(q.x);
					OPAQUE(q.y);
					OPAQUE(q.z);
					OPAQUE(q.w);
				}
				if (LISTS::roomy && (i & 1)) OPAQUE_FLOAT(odd);
				if (LISTS::roomy && !(i & 1)) OPAQUE_FLOAT(even);
				return m >= none;
			};
			do {
				s &= ~31;
				const int stop = min(32, (n & ~3) - s);
				do {
					if (step(0)) {
						SET(i, 0);
						goto stuck;
					}
					if (step(1)) {
						SET(i, 1);
						goto stuck;
					}
					if (step(2)) {
						SET(i, 2);
						goto stuck;
					}
					if (step(3)) {
						SET(i, 3);
						goto stuck;
					}
					at += 4;
				} while (at < stop);
				s += at;
				if (at == 32) lists.flush(s - 1), at = 0;
			} while (s + 4 <= n);
			fell_back = false;
			goto done;
		stuck:
			fell_back = true;
			s += at + i;
		done:
			cur = lists.recent((s - 1) & 31);
		}
		have = block(s >> 2);
	}
	if (n & 31) lists.flush(n - 1);
	__syncwarp();
	finish(g, lists.tour, results + 1 + ant, fallbacks, lane);
}

// construct_packed is construct of up to KEY_CITIES cities.
template <bool SHARED>
static __device__ __forceinline__ void construct_packed(const instance &g, const job *j,
		const float *__restrict__ recips, city_t *tours, result *results, const keys &rk) {
	extern __shared__ uint4 memory[];
	uint32_t thread = threadIdx.x;
	OPAQUE(thread);
	const int lane = thread & 31, warp = thread >> 5, warps = blockDim.x >> 5,
						ant = blockIdx.x * warps + warp;
	packed_lists<SHARED> lists(g, recips, tours + (size_t)ant * g.n, memory, warp, warps, lane);
	if (ant < j->ants) construct(lists, g, j, ant, lane, results, rk);
}

// construct_plain is construct of any number.
static __device__ __forceinline__ void construct_plain(const instance &g, const job *j,
		const float *__restrict__ recips, city_t *tours, result *results, const keys &rk) {
	extern __shared__ uint4 memory[];
	uint32_t thread = threadIdx.x;
	OPAQUE(thread);
	const int lane = thread & 31, warp = thread >> 5, ant = blockIdx.x * (blockDim.x >> 5) + warp;
	if (ant >= j->ants) return;
	plain_lists lists(
			g, recips, tours + (size_t)ant * g.n, visited_of((uint32_t *)memory, g, warp, ant), lane);
	construct(lists, g, j, ant, lane, results, rk);
}

#endif
