// Generations of ga/eax-rounds: the table that counts in how many tours each edge is, the children
// of the couples of a round, and their taking the places of their first parents.
#include "eaxblock.cuh"
#include "eaxchild.cuh"

// clear_slots empties the table.
__device__ inline void clear_slots(slot *table, uint64_t slots) {
	for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < slots;
			i += (uint64_t)gridDim.x * blockDim.x)
		table[i] = 0;
}

// count_edge adds by to the count of an edge. Where the table is full it notes so in full.
__device__ inline void count_edge(
		slot *table, uint64_t slots, int n, int a, int b, int by, int32_t *full) {
	const slot edge = edge_number(n, a, b);
	uint64_t at = slot_of(edge, slots);
	for (uint64_t look = 0; look < slots; look++) {
		slot s = table[at];
		if (s == 0) {
			s = atomicCAS(table + at, (slot)0, edge << 16);
			if (s == 0) s = edge << 16;
		}
		if (s >> 16 == edge) {
			atomicAdd(table + at, (slot)(int64_t)by);
			return;
		}
		at = (at + 1) & (slots - 1);
	}
	*full = 1;
}

// count_tours counts the edges of tours lo to hi - 1.
template <class C>
__device__ inline void count_tours(
		int n, const C *tours, int lo, int hi, slot *table, uint64_t slots, int32_t *full) {
	const int64_t all = (int64_t)(hi - lo) * n;
	for (int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; x < all;
			x += (int64_t)gridDim.x * blockDim.x) {
		const int i = (int)(x % n);
		const C *t = tours + (lo + x / n) * n;
		count_edge(table, slots, n, t[i], t[i + 1 == n ? 0 : i + 1], 1, full);
	}
}

// tally counts the edges that are in f tours, by f.
__device__ inline void tally(const slot *table, uint64_t slots, unsigned long long *counts) {
	for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < slots;
			i += (uint64_t)gridDim.x * blockDim.x) {
		const int f = (int)(table[i] & 0xffff);
		if (f > 0) atomicAdd(counts + f, 1ull);
	}
}

// settle puts the best children of a round in the places of their first parents. A block has a
// couple.
template <class C>
__device__ inline void settle(int n, turn r, const int32_t *ring, C *tours, uint64_t *hash,
		int64_t *length, const C *fresh, const bred *out, slot *table, int32_t *full) {
	for (int x = r.lo + blockIdx.x; x < r.hi; x += gridDim.x) {
		const int a = ring[x];
		if (out[a].gain <= 0) continue;
		C *old = tours + (int64_t)a * n;
		const C *t = fresh + (int64_t)a * n;
		for (int i = threadIdx.x; i < n; i += blockDim.x) {
			const int next = i + 1 == n ? 0 : i + 1;
			count_edge(table, r.slots, n, old[i], old[next], -1, full);
			count_edge(table, r.slots, n, t[i], t[next], 1, full);
		}
		__syncthreads();
		for (int i = threadIdx.x; i < n; i += blockDim.x) old[i] = t[i];
		if (threadIdx.x == 0) hash[a] = out[a].hash, length[a] = out[a].length;
		__syncthreads();
	}
}

// open finds the edges that are to be in cycles, and the cities that have any, rising, in passes;
// see eaxcycles.go. The whole block calls it. It returns the number of these cities.
template <class C>
__device__ inline int open(const couple_memory<C> &k, const C *A, int n, int *counts) {
	const C none = (C)~0u;
	for (int c = threadIdx.x; c < n; c += blockDim.x) {
		const int64_t x = 2 * (int64_t)c;
		const C p = k.beside[x], q = k.beside[x + 1], s = k.other[x], t = k.other[x + 1];
		C *l = k.left + 2 * x;
		const bool only_p = p != s && p != t, only_q = q != s && q != t;
		const bool only_s = s != p && s != q, only_t = t != p && t != q;
		l[0] = only_p ? p : only_q ? q : none;
		l[1] = only_p && only_q ? q : none;
		l[2] = only_s ? s : only_t ? t : none;
		l[3] = only_s && only_t ? t : none;
	}
	__syncthreads();
	// The short ways that both have, each by a thread: a city is of one at most, or inside it.
	for (int c = threadIdx.x; c < n; c += blockDim.x) {
		if (!k.differs(c) || !k.in_b(c, k.beside[2 * (int64_t)c + 1])) continue;
		int steps = 1, end = k.beside[2 * (int64_t)c + 1];
		for (; steps <= 5 && !k.differs(end); steps++) end = k.beside[2 * (int64_t)end + 1];
		if (steps > 5) continue;
		for (int d = end; d != c;) {
			const int e = k.beside[2 * (int64_t)d];
			for (int of = 0; of < 2; of++) {
				C *l = k.left + 4 * (int64_t)d + 2 * of, *m = k.left + 4 * (int64_t)e + 2 * of;
				l[l[0] != none] = (C)e;
				m[m[0] != none] = (C)d;
			}
			d = e;
		}
	}
	__syncthreads();
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int part = ((n + warps - 1) / warps + 31) / 32 * 32;
	int from = 0;
#pragma unroll 1
	for (int what = 0; what < 2; what++) {
		int count = 0;
#pragma unroll 1
		for (int at = warp * part; at < min((warp + 1) * part, n); at += 32) {
			const int c = at + lane;
			const bool is = c < min((warp + 1) * part, n) && k.left[4 * (int64_t)c] != none;
			const unsigned who = __ballot_sync(ALL, is);
			if (is && what) k.passes[from + count + __popc(who & ((1u << lane) - 1))] = c;
			count += __popc(who);
		}
		if (what == 0) {
			if (lane == 0) counts[warp] = count;
			__syncthreads();
			for (int i = 0; i < warp; i++) from += counts[i];
		}
	}
	int all = 0;
	for (int i = 0; i < warps; i++) all += counts[i];
	__syncthreads();
	return all;
}

// empty tells whether a cycle changes nothing.
template <class C>
__device__ inline bool empty(const couple_memory<C> &k, int from, int to) {
	for (int i = from; i < to; i++) {
		const int x = k.cycles[i], y = k.cycles[i + 1 == to ? from : i + 1];
		if ((i - from) & 1 ? !k.in_a(x, y) : !k.in_b(x, y)) return false;
	}
	return true;
}

// split takes the edges apart into A-B cycles, until there are most, and returns how many there
// are; see eaxcycles.go. Warp 0 calls it; the stream is lane 0's.
template <class C>
__device__ inline int split(
		const couple_memory<C> &k, int live, int most, int longest, stream *r, int lane) {
	const C none = (C)~0u;
	int count = 0, all = 0;
	uint32_t coins = 0;
	int toss = 0;
	if (lane == 0) k.start[0] = 0;
#pragma unroll 1
	while (live > 0 && count < most) {
		int from = 0;
		if (lane == 0) from = below(r, live);
		from = __shfl_sync(ALL, from, 0);
		int c = -1;
#pragma unroll 1
		for (int steps = 0; steps < live && c < 0; steps += 32) {
			int at = from + steps + lane;
			if (at >= live) at -= live;
			const int x = steps + lane < live ? k.passes[at] : -1;
			const unsigned who = __ballot_sync(ALL, x >= 0 && k.left[4 * (int64_t)max(x, 0)] != none);
			if (who) c = __shfl_sync(ALL, x, __ffs(who) - 1);
		}
		if (c < 0) break;
		if (lane == 0) {
				// The way from c, until it is back and the way is used up.
				int last = 0, v = c;
				k.path[0] = (C)c;
				k.place[2 * (int64_t)c] = 1;
				for (;;) {
					const int of = last & 1;
					C *l = k.left + 4 * (int64_t)v + 2 * of;
					const C l0 = l[0], l1 = l[1];
					int take = l0;
					C keep = none;
					if (l1 != none) {
						if (toss == 0) coins = draw(r), toss = 32;
						const bool second = coins & 1;
						coins >>= 1;
						toss--;
						take = second ? l1 : l0;
						keep = second ? l0 : l1;
					}
					l[0] = keep, l[1] = none;
					C *m = k.left + 4 * (int64_t)take + 2 * of;
					if (m[0] == (C)v) m[0] = m[1];
					m[1] = none;
					v = take;
					last++;
					const int at = k.place[2 * (int64_t)v + (last & 1)];
					if (at == 0) {
						k.place[2 * (int64_t)v + (last & 1)] = (C)(last + 1);
						k.path[last] = (C)v;
						continue;
					}
					const int begin = at - 1; // the cycle is path[begin] to path[last - 1], and v again
					if (!(begin & 1)) k.cycles[all++] = (C)v;
					int i = begin + 1;
					for (; i + 4 <= last; i += 4) { // four loads before what waits for them
						const C p[4] = {k.path[i], k.path[i + 1], k.path[i + 2], k.path[i + 3]};
						for (int j = 0; j < 4; j++) {
							k.place[2 * (int64_t)p[j] + ((i + j) & 1)] = 0;
							k.cycles[all++] = p[j];
						}
					}
					for (; i < last; i++) {
						const C p = k.path[i];
						k.place[2 * (int64_t)p + (i & 1)] = 0;
						k.cycles[all++] = p;
					}
					if (begin & 1) k.cycles[all++] = (C)v;
					const int from = k.start[count];
					if ((longest && all - from > longest) || empty(k, from, all)) all = from;
					else k.start[++count] = all;
					if (begin == 0 || count == most) {
						for (int i = 0; i <= begin; i++) k.place[2 * (int64_t)k.path[i] + (i & 1)] = 0;
						break;
					}
					last = begin;
				}
		}
		count = __shfl_sync(ALL, count, 0);
		__syncwarp();
	}
	return count;
}

// survey finds which cycles lie side by side, and the longest ones; see eaxblock.go. The whole
// block calls it.
template <class C>
__device__ inline void survey(const couple_memory<C> &k, int n, int all, int most) {
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const C none = (C)~0u;
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		k.passes[2 * (int64_t)i] = k.passes[2 * (int64_t)i + 1] = -1;
		k.left[4 * (int64_t)i] = k.left[4 * (int64_t)i + 1] = none;
	}
	for (int c = threadIdx.x; c < all; c += blockDim.x) {
		const int own = k.start[c + 1] - k.start[c];
		int rank = 0;
		for (int i = 0; i < all && rank < most; i++) {
			const int length = k.start[i + 1] - k.start[i];
			rank += length > own || (length == own && i < c);
		}
		if (rank < most) k.pick[rank] = c;
	}
	__syncthreads();
	for (int c = warp; c < all; c += warps) {
		for (int e = k.start[c] + lane; e < k.start[c + 1]; e += 32) {
			int32_t *p = k.passes + 2 * (int64_t)k.cycles[e];
			if (atomicCAS(p, -1, e) != -1) p[1] = e;
			k.place[e] = (C)c;
		}
	}
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		int32_t *p = k.passes + 2 * (int64_t)i;
		const int a = p[0], b = p[1];
		if (b >= 0 && b < a) p[0] = b, p[1] = a;
	}
	__syncthreads();
	for (int e = threadIdx.x; e < k.start[all]; e += blockDim.x) {
		const int x = k.cycles[e];
		int end = k.beside[2 * (int64_t)x + 1];
		if (k.passes[2 * (int64_t)x + 1] >= 0 || !k.in_b(x, end)) continue;
		while (k.passes[2 * (int64_t)end] < 0) end = k.beside[2 * (int64_t)end + 1];
		k.left[4 * (int64_t)x] = k.place[k.passes[2 * (int64_t)end]];
		k.left[4 * (int64_t)end + 1] = k.place[e];
	}
	__syncthreads();
	for (int c = warp; c < all; c += warps) {
		int count = 0;
		for (int e = k.start[c] + lane; e < k.start[c + 1]; e += 32)
			for (int which = 0; which < 3; which++) count += k.beside_at(c, e, which) >= 0;
		__syncwarp();
		count = (int)sum_of_warp(count);
		if (lane == 0) k.border[c] = count;
	}
	__syncthreads();
}

// reaches finds for each place of A how far before and behind it neighbours of the city there are.
template <class C>
__device__ inline void reaches(
		const couple_memory<C> &k, const world &w, const C *A, int n, int near, int thread,
		int threads) {
	for (int p = thread; p < n; p += threads) {
		const int32_t *list = w.near + (int64_t)A[p] * near;
		int back = 0, ahead = 0;
		for (int i = 0; i < near; i++) {
			int by = (int)k.pos[list[i]] - p;
			if (by < 0) by += n;
			if (2 * by > n) back = max(back, n - by);
			else ahead = max(ahead, by);
		}
		k.reach[2 * (int64_t)p] = (C)back, k.reach[2 * (int64_t)p + 1] = (C)ahead;
	}
}

// couples makes the children of couples r.lo to r.hi - 1 of the ring, and in fresh the tours of
// those that take the places of their first parents. A block has a couple, a warp a child.
// Launch: any number of blocks of at most 32 warps, of scratch r.scratch bytes a block.
template <class C, int KIND>
__device__ inline void couples(job o, world w, turn r, const int32_t *ring, const C *tours,
		const uint64_t *hash, const int64_t *length, const slot *table, const int64_t *entropy,
		C *fresh, bred *out, char *scratch) {
	extern __shared__ uint4 shared[];
	__shared__ double scores[32];
	__shared__ child parts_of[32];
	__shared__ segments way_of;
	__shared__ int64_t gained;
	__shared__ int which[32], counts[32], cycles, taken, parts;
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = o.n;

	couple_memory<C> k;
	purse far = {scratch + blockIdx.x * r.scratch}, near = {(char *)shared};
	segments few, many;
	uint32_t *bits = nullptr, *stay = nullptr;
	int32_t *list = nullptr;
	for (int i = 0; i < warps; i++) {
		purse at = near;
		near.at += warp_bytes(n, sizeof(C));
		if (i != warp) continue;
		few.take(&at, FEW, FEW);
		list = at.take<int32_t>(96);
		if (sizeof(C) == 2)
			bits = at.take<uint32_t>((n + 31) / 32), stay = at.take<uint32_t>((n + 31) / 32);
	}
	purse *of = r.shared ? &near : &far, *way = r.shared > 1 ? &near : &far;
	k.left = of->take<C>(4 * (int64_t)n);
	k.place = of->take<C>(2 * (int64_t)n);
	k.path = way->take<C>(2 * (int64_t)n + 1);
	k.pos = far.take<C>(n);
	k.beside = far.take<C>(2 * (int64_t)n);
	k.other = far.take<C>(2 * (int64_t)n);
	k.reach = far.take<C>(2 * (int64_t)n);
	k.cycles = far.take<C>(2 * (int64_t)n);
	k.start = far.take<int32_t>(n / 2 + 2);
	k.pick = far.take<int32_t>(n / 2 + 2);
	k.border = far.take<int32_t>(n / 2 + 2);
	k.passes = far.take<int32_t>(2 * (int64_t)n);
	C *adj = nullptr;
	C *kept_adj = nullptr;
	int32_t *kept = nullptr, *touched = nullptr, *set = nullptr, *reached = nullptr;
	int32_t *contact = nullptr, *free = nullptr, *state = nullptr;
	for (int i = 0; i <= warp; i++) {
		adj = far.take<C>(2 * (int64_t)n), kept_adj = far.take<C>(2 * (int64_t)n);
		kept = far.take<int32_t>(n);
		touched = far.take<int32_t>(n), set = far.take<int32_t>(n / 2 + 2);
		reached = far.take<int32_t>(n / 2 + 2), contact = far.take<int32_t>(n / 2 + 2);
		free = far.take<int32_t>(n / 2 + 2), state = far.take<int32_t>(n / 2 + 2);
		many.take(&far, n, 2 * (int64_t)n + 64);
		if (sizeof(C) == 4)
			bits = far.take<uint32_t>((n + 31) / 32), stay = far.take<uint32_t>((n + 31) / 32);
	}
	for (int i = lane; i < (n + 31) / 32; i += 32) bits[i] = stay[i] = 0;
	for (int i = lane; r.longest == 0 && i < n / 2 + 2; i += 32) contact[i] = free[i] = state[i] = 0;

#pragma unroll 1
	for (int x = r.lo + blockIdx.x; x < r.hi; x += gridDim.x) {
		const int a = ring[x], b = ring[x + 1 == r.tours ? 0 : x + 1];
		bred best = {0, 0, 0, 0, 0};
		if (hash[a] == hash[b]) {
			if (threadIdx.x == 0) out[a] = best;
			continue;
		}
		const C *A = tours + (int64_t)a * n, *B = tours + (int64_t)b * n;
		// The parents.
		for (int i = threadIdx.x; i < n; i += blockDim.x) {
			const int64_t c = 2 * (int64_t)A[i], x = 2 * (int64_t)B[i];
			k.pos[A[i]] = (C)i;
			k.beside[c] = A[i ? i - 1 : n - 1], k.beside[c + 1] = A[i + 1 == n ? 0 : i + 1];
			k.other[x] = B[i ? i - 1 : n - 1], k.other[x + 1] = B[i + 1 == n ? 0 : i + 1];
			k.place[2 * (int64_t)i] = k.place[2 * (int64_t)i + 1] = 0;
		}
		__syncthreads();
		const int live = open(k, A, n, counts);
		stream random = stream_of(o, o.iteration, a, DRAW_CHILDREN);
		if (warp == 0) {
			const int count = split(k, live, r.most, r.longest, &random, lane);
			if (lane == 0) cycles = count, taken = 0;
		}
		if (warp > 0 || warps == 1) { // the others, while warp 0 splits
			const int others = warps > 1 ? 32 : 0;
			reaches(k, w, A, n, o.k, threadIdx.x - others, blockDim.x - others);
		}
		__syncthreads();
		const int all = cycles, picks = min(r.children, all);
		if (r.longest == 0) survey(k, n, all, r.children);
		crossover<C, KIND> m = {o, w, A, k.pos, k.beside, k.reach, k.cycles, k.start, lane, adj, bits,
			stay, list, touched, set, kept, kept_adj, few, many, few, 0, 0, 0, 0, 0, 0, 0};
		region<C> about = {k, lane, set, reached, contact, free, state, 0, 0};
		auto choose = [&](int i) {
			if (r.longest == 0) {
				about.block(k.pick[i], stream_of(o, o.iteration, a << 16 | i, DRAW_BLOCK));
				m.sets = about.sets;
				return;
			}
			__syncwarp();
			if (lane == 0) set[0] = i;
			m.sets = 1;
			__syncwarp();
		};
		const int64_t surplus = length[a] - length[b];
		double top = 0;
		int winner = -1;
#pragma unroll 1
		for (;;) {
			int i = 0;
			if (lane == 0) i = atomicAdd(&taken, 1);
			i = __shfl_sync(ALL, i, 0);
			if (i >= picks) break;
			choose(i);
			m.make();
			// A child that is as long as B is mostly B.
			const double score = m.gain == surplus ? 0 : m.score(r, table, entropy);
			if (score > top || (score == top && score > 0 && i < winner)) {
				top = score, winner = i;
				m.remember();
			}
			m.undo();
		}
		if (lane == 0) scores[warp] = top, which[warp] = winner;
		__syncthreads();
		int of = -1; // the warp that has the best child
		for (int i = 0; i < warps; i++) {
			if (which[i] < 0) continue;
			if (of < 0 || scores[i] > scores[of] || (scores[i] == scores[of] && which[i] < which[of]))
				of = i;
		}
		if (of >= 0) {
			C *t = fresh + (int64_t)a * n;
			if (warp == of) {
				m.recall();
				const int count = m.way();
				if (lane == 0) way_of = m.s, parts = count, gained = m.gain;
			}
			__syncthreads();
			m.write(way_of, parts, t, threadIdx.x, blockDim.x);
			__syncthreads();
			const child c = measured_part<C, KIND>(o, w, t);
			if (lane == 0) parts_of[warp] = c;
			if (warp == of) m.undo();
			__syncthreads();
			best.gain = gained;
			for (int i = 0; i < warps; i++)
				best.length += parts_of[i].length, best.hash += parts_of[i].hash;
		}
		best.children = picks, best.cycles = all;
		if (threadIdx.x == 0) out[a] = best;
		__syncthreads();
	}
}

#define COUPLES(name, C, KIND)                                                                     \
	extern "C" __global__ void __launch_bounds__(512) name(job o, world w, turn r,                 \
			const int32_t *ring, const C *tours, const uint64_t *hash, const int64_t *length,           \
			const slot *table, const int64_t *entropy, C *fresh, bred *out, char *scratch) {            \
		couples<C, KIND>(o, w, r, ring, tours, hash, length, table, entropy, fresh, out, scratch);    \
	}
COUPLES(couples_plane_narrow, uint16_t, REAL)
COUPLES(couples_matrix_narrow, uint16_t, MATRIX)
COUPLES(couples_plane_wide, uint32_t, REAL)
COUPLES(couples_matrix_wide, uint32_t, MATRIX)

#define TABLES(suffix, C)                                                                          \
	extern "C" __global__ void count_##suffix(                                                      \
			int n, const C *tours, int lo, int hi, slot *table, uint64_t slots, int32_t *full) {        \
		count_tours(n, tours, lo, hi, table, slots, full);                                            \
	}                                                                                               \
	extern "C" __global__ void settle_##suffix(int n, turn r, const int32_t *ring, C *tours,       \
			uint64_t *hash, int64_t *length, const C *fresh, const bred *out, slot *table,              \
			int32_t *full) {                                                                            \
		settle(n, r, ring, tours, hash, length, fresh, out, table, full);                             \
	}
TABLES(narrow, uint16_t)
TABLES(wide, uint32_t)

extern "C" __global__ void clear_edges(slot *table, uint64_t slots) { clear_slots(table, slots); }
extern "C" __global__ void tally_edges(
		const slot *table, uint64_t slots, unsigned long long *counts) {
	tally(table, slots, counts);
}
