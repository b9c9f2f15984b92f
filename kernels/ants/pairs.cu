// The 2-opt of the GPU MMAS paper (Skinderowicz 2020, section 5.7), on tours that a construction
// left in global memory: local_search=2opt-plain and 2opt-best. The walk is that of
// solvers/ants/local and tours.Search with Pairs: cities wait in a queue, each at most once, which
// is the paper's array of
// don't-look bits. The city at the head is looked at until it has no exchange that gains; then it
// leaves, and the next one is looked at. The queue gets 1024 cities at a time, in the order of
// their numbers or, with 2opt-best, of the tour, and the four cities of each exchange that are not
// in it.
//
// A block has a tour. Its warps look at as many cities from the head of the queue at once, a lane
// at a neighbour each. Of those that find an exchange the first in the queue makes it, as it would
// if cities were looked at one after the other: those before it have none, and those behind it are
// looked at again. So the number of warps changes no tour. All threads of the block reverse the
// path, the shorter of the two.
#include "common.cuh"

#define PORTION 1024 // cities that the queue gets at a time; portion in solvers/ants/local
#define TEAMS 16     // warps of a block, at most

// An exchange removes the edges (end 0, end 1) and (end 2, end 3), and adds (end 1, end 2) and (end
// 3, end 0): it reverses the positions from first to last, across the end of the array if first is
// above last.
struct exchange {
	int gain; // 0: none
	int first, last;
	int end[4];
};

struct pairs {
	const double2 *at;
	const uint2 *near; // k a city: number and distance, nearest first
	int n, metric, k, lane;
	uint16_t *tour, *pos;

	__device__ __forceinline__ int wrap(int p) const { return p < 0 ? p + n : p >= n ? p - n : p; }
	__device__ __forceinline__ int step(int c, int way) const { return tour[wrap(pos[c] + way)]; }

	// look finds an exchange with a gain that removes an edge of t: the first one or, with best, the
	// first of those with the greatest gain. First come those of the edge after t, then those of the
	// edge before it, by the neighbours of t in their order.
	__device__ __forceinline__ void look(int t, bool best, exchange *out) const {
		const double2 here = at[t];
		int most = 0;
		for (int way = 1; way >= -1; way -= 2) {
			const int a = step(t, way);
			const double2 there = at[a];
			const int gone = distance(metric, here, there);
			for (int base = 0; base < k; base += 32) {
				int gain = 0, c = t, x = t;
				if (base + lane < k) {
					const uint2 e = near[(size_t)t * k + base + lane];
					c = (int)e.x, gain = gone - (int)e.y;
				}
				if (gain > 0) {
					x = step(c, way);
					const double2 far = at[x];
					gain += distance(metric, at[c], far) - distance(metric, there, far);
				}
				int want = 1;
				if (best) want = max((int)warp_max((uint32_t)max(gain, 0)), most + 1);
				const uint32_t some = __ballot_sync(ALL, gain >= want);
				if (!some) continue;
				if (lane == __ffs(some) - 1) {
					const int p = pos[way > 0 ? x : t], q = pos[way > 0 ? t : x];
					*out = {gain, p, q, {a, t, c, x}};
				}
				if (!best) return;
				most = want;
				__syncwarp(); // before another lane writes a greater one
			}
		}
		if (lane == 0 && most == 0) out->gain = 0;
	}

	// reverse turns round the path of an exchange, or the rest of the tour if that is shorter.
	__device__ __forceinline__ void reverse(int first, int last, int thread, int threads) const {
		int length = last - first + 1;
		if (length <= 0) length += n;
		if (2 * length > n) {
			const int i = wrap(last + 1);
			last = wrap(first - 1), first = i, length = n - length;
		}
		for (int i = thread; i < length / 2; i += threads) {
			const int p = wrap(first + i), q = wrap(last - i);
			const uint16_t x = tour[p], y = tour[q];
			tour[p] = y, tour[q] = x;
			pos[y] = (uint16_t)p, pos[x] = (uint16_t)q;
		}
	}
};

// search_pairs improves tours.
//
// near: k edges a city, number and distance, nearest first. best: not 0 for 2opt-best. tours: g.n
// city numbers a tour. which: the tours that are improved, one a block; null for all. results: one
// for each tour; lengths and hashes are updated. g is that of common.cuh.
//
// Launch: a block a tour, of up to 16 warps; shared memory 6 n + 2 bytes and a bit a city, rounded
// up to words. Bound: the latency of a look, a read of k neighbours and of their coordinates from
// L2, at each exchange, and the reversals. No figure is recorded.
extern "C" __global__ void __launch_bounds__(32 * TEAMS) search_pairs(instance g, const uint2 *near,
		int k, int best, city_t *tours, const uint32_t *which, result *results) {
	extern __shared__ uint4 memory[];
	__shared__ exchange found[2][TEAMS];
	__shared__ int waiting;
	__shared__ unsigned long long hash;
	const int thread = threadIdx.x, threads = blockDim.x, n = g.n;
	const int lane = thread & 31, warp = thread >> 5, warps = threads >> 5;
	const uint32_t own = which ? which[blockIdx.x] : blockIdx.x;
	if (n < 5) return; // there is nothing to exchange
	city_t *mine = tours + (size_t)own * n;
	// The cities that wait, in a circle of n + 1 places: the one that is being looked at may wait
	// once more. queued has a bit for each city that waits.
	uint32_t *queued = (uint32_t *)memory;
	const int words = (n + 31) >> 5, places = n + 1;
	uint16_t *tour = (uint16_t *)(queued + words), *pos = tour + n, *queue = pos + n;
	const pairs w = {g.at, near, n, g.metric, k, lane, tour, pos};
	for (int p = thread; p < n; p += threads) {
		const uint16_t c = (uint16_t)mine[p];
		tour[p] = c, pos[c] = (uint16_t)p;
	}
	for (int i = thread; i < words; i += threads) queued[i] = 0;
	if (thread == 0) hash = 0;
	int head = 0, count = 0, next = 0, turn = 0;
	bool looked = false; // the city at the head has been taken out: it does not wait any more
	int64_t gain = 0;
	for (;;) {
		if (count == 0) {
			if (next >= n) break;
			const int more = min(PORTION, n - next);
			__syncthreads(); // warp 0 has cleared its bits
			for (int i = thread; i < more; i += threads) {
				const int c = best ? (int)mine[next + i] : next + i, at = head + i;
				queue[at < places ? at : at - places] = (uint16_t)c;
				atomicOr(&queued[c >> 5], 1u << (c & 31));
			}
			next += more, count = more, looked = false;
			__syncthreads();
		}
		const int here = min(warps, count);
		exchange *of = found[turn ^= 1];
		if (warp < here) {
			const int at = head + warp;
			w.look(queue[at < places ? at : at - places], best, of + warp);
		}
		__syncthreads();
		const uint32_t some = __ballot_sync(ALL, lane < here && of[lane < here ? lane : 0].gain > 0);
		const int first = some ? __ffs(some) - 1 : here;
		// Those before the first one leave; it is taken out, and stays at the head.
		if (warp == 0) {
			if (lane >= (looked ? 1 : 0) && lane < here && lane <= first) {
				const int at = head + lane, c = queue[at < places ? at : at - places];
				atomicAnd(&queued[c >> 5], ~(1u << (c & 31)));
			}
			__syncwarp();
		}
		head += first, count -= first;
		if (head >= places) head -= places;
		looked = some != 0;
		if (!some) continue;
		const exchange e = of[first];
		gain += e.gain;
		if (thread == 0) {
			int many = count;
			for (int i = 0; i < 4; i++) {
				const int c = e.end[i];
				if (queued[c >> 5] >> (c & 31) & 1) continue;
				queued[c >> 5] |= 1u << (c & 31);
				const int at = head + many++;
				queue[at < places ? at : at - places] = (uint16_t)c;
			}
			waiting = many;
		}
		w.reverse(e.first, e.last, thread, threads);
		__syncthreads();
		count = waiting;
	}
	if (gain == 0) return;
	uint64_t sum = 0;
	for (int p = thread; p < n; p += threads) {
		const uint16_t c = tour[p];
		mine[p] = c;
		sum += ml_mix64((uint64_t)p << 32 | (c + 1u));
	}
	sum = warp_sum(sum);
	if (lane == 0) atomicAdd(&hash, (unsigned long long)sum);
	__syncthreads();
	if (thread == 0) results[own].length -= gain, results[own].hash = hash;
}
