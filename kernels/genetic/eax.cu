// Generations of ga/eax-rounds: the table that counts in how many tours each edge is, the children
// of the couples of a round, and their taking the places of their first parents.
#include "eax.cuh"

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
		const C *fresh, const bred *out, slot *table, int32_t *full) {
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
		if (threadIdx.x == 0) hash[a] = out[a].hash;
		__syncthreads();
	}
}

// split takes the edges that the parents do not share apart into A-B cycles, and returns how many
// there are; see matecycles.go. Warp 0 calls it; the stream is lane 0's.
template <class C>
__device__ inline int split(const couple_memory<C> &k, int n, stream *r, int lane) {
	const C none = (C)~0u;
	int from = 0, count = 0, all = 0;
	uint32_t coins = 0;
	int toss = 0;
	if (lane == 0) {
		from = below(r, n);
		k.start[0] = 0;
	}
	from = __shfl_sync(ALL, from, 0);
#pragma unroll 1
	for (int base = 0; base < n; base += 32) {
#pragma unroll 1
		for (;;) {
			int c = from + base + lane;
			if (c >= n) c -= n;
			const unsigned who = __ballot_sync(ALL, base + lane < n && k.left[4 * (int64_t)c] != none);
			if (who == 0) break;
			if (lane == 0) {
				c = from + base + __ffs(who) - 1;
				if (c >= n) c -= n;
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
					k.start[++count] = all;
					if (begin == 0) {
						k.place[2 * (int64_t)c] = 0;
						break;
					}
					last = begin;
				}
			}
			__syncwarp();
		}
	}
	return __shfl_sync(ALL, count, 0);
}

// couples makes the children of couples r.lo to r.hi - 1 of the ring, and in fresh the tours of
// those that take the places of their first parents. A block has a couple, a warp a child.
// Launch: any number of blocks of at most 32 warps, of scratch r.scratch bytes a block.
template <class C, int KIND>
__device__ inline void couples(job o, world w, turn r, const int32_t *ring, const C *tours,
		const uint64_t *hash, const slot *table, const int64_t *entropy, C *fresh, bred *out,
		char *scratch) {
	extern __shared__ uint4 shared[];
	__shared__ double scores[32];
	__shared__ int which[32], cycles, picks, taken, made;
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int n = o.n;

	couple_memory<C> k;
	purse far = {scratch + blockIdx.x * r.scratch}, near = {(char *)shared};
	segments few;
	for (int i = 0; i <= warp; i++) {
		few = {near.take<int32_t>(FEW), near.take<int32_t>(2 * FEW), near.take<int32_t>(FEW),
			near.take<int32_t>(FEW), near.take<int32_t>(FEW), near.take<int32_t>(FEW),
			near.take<int32_t>(FEW)};
	}
	near = {(char *)shared + warps * (8 * FEW * 4)};
	purse *of = r.shared ? &near : &far, *way = r.shared > 1 ? &near : &far;
	k.left = of->take<C>(4 * (int64_t)n);
	k.place = of->take<C>(2 * (int64_t)n);
	k.path = way->take<C>(2 * (int64_t)n + 1);
	k.pos = far.take<C>(n);
	k.beside = far.take<C>(2 * (int64_t)n);
	k.cycles = far.take<C>(2 * (int64_t)n);
	k.start = far.take<int32_t>(n / 2 + 2);
	k.pick = far.take<int32_t>(n / 2 + 2);
	k.owner = far.take<int32_t>(2 * (int64_t)n);
	C *adj = nullptr;
	uint32_t *stamp = nullptr;
	int32_t *touched = nullptr, *set = nullptr, *chosen = nullptr;
	segments many;
	for (int i = 0; i <= warp; i++) {
		adj = far.take<C>(2 * (int64_t)n);
		stamp = far.take<uint32_t>(n);
		touched = far.take<int32_t>(n), set = far.take<int32_t>(n / 2 + 2);
		chosen = far.take<int32_t>(n / 2 + 2);
		many = {far.take<int32_t>(2 * (int64_t)n + 64), far.take<int32_t>(2 * (int64_t)n),
			far.take<int32_t>(n), far.take<int32_t>(n), far.take<int32_t>(n), far.take<int32_t>(n),
			far.take<int32_t>(n)};
	}

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
			k.pos[A[i]] = (C)i;
			const int64_t c = 2 * (int64_t)B[i];
			k.path[c] = B[i ? i - 1 : n - 1];
			k.path[c + 1] = B[i + 1 == n ? 0 : i + 1];
			k.place[2 * (int64_t)i] = k.place[2 * (int64_t)i + 1] = 0;
		}
		__syncthreads();
		for (int i = threadIdx.x; i < n; i += blockDim.x) {
			const int64_t c = A[i];
			const C p = A[i ? i - 1 : n - 1], q = A[i + 1 == n ? 0 : i + 1];
			const C s = k.path[2 * c], t = k.path[2 * c + 1], none = (C)~0u;
			C *l = k.left + 4 * c;
			k.beside[2 * c] = p, k.beside[2 * c + 1] = q;
			const bool only_p = p != s && p != t, only_q = q != s && q != t;
			const bool only_s = s != p && s != q, only_t = t != p && t != q;
			l[0] = only_p ? p : only_q ? q : none;
			l[1] = only_p && only_q ? q : none;
			l[2] = only_s ? s : only_t ? t : none;
			l[3] = only_s && only_t ? t : none;
		}
		__syncthreads();
		// Each array has room for whole blocks of 16 bytes.
		for (int i = lane; i < (2 * n * (int)sizeof(C) + 15) / 16; i += 32)
			((uint4 *)adj)[i] = ((const uint4 *)k.beside)[i];
		for (int i = lane; i < (n + 3) / 4; i += 32) ((uint4 *)stamp)[i] = {0, 0, 0, 0};
		stream random = stream_of(o, o.iteration, a, DRAW_CHILDREN);
		if (warp == 0) {
			const int count = split(k, n, &random, lane);
			if (lane == 0) cycles = count, made = 0;
		}
		__syncthreads();
		const int all = cycles;
		mate<C, KIND> m = {o, w, A, k.pos, k.beside, k.cycles, k.start, k.owner, lane, adj, stamp,
			touched, set, chosen, few, many, few, 0, 0, 0, 0, 0, 0};
		int winner = -1, stage = 0;
#pragma unroll 1
		for (; stage < 2 && winner < 0 && (stage == 0 || all > 1); stage++) {
			// The cycles, and which are taken in which order.
			for (int i = threadIdx.x; i < all; i += blockDim.x) k.pick[i] = i;
			if (stage == 1) {
				for (int i = threadIdx.x; i < 2 * n; i += blockDim.x) k.owner[i] = -1;
				for (int i = lane; i < all; i += 32) chosen[i] = 0;
			}
			__syncthreads();
			if (threadIdx.x == 0) {
				const int count = min(r.children, all);
				for (int i = 0; i < count; i++) {
					const int j = i + below(&random, all - i);
					const int c = k.pick[j];
					k.pick[j] = k.pick[i];
					k.pick[i] = c;
				}
				picks = count, taken = 0;
			}
			// The cycles through each city, in any order: two at most.
			if (stage == 1) {
				for (int c = warp; c < all; c += warps) {
					for (int i = k.start[c] + lane; i < k.start[c + 1]; i += 32) {
						int32_t *owner = k.owner + 2 * (int64_t)k.cycles[i];
						const int other = atomicCAS(owner, -1, c);
						if (other >= 0 && other != c) owner[1] = c;
					}
				}
			}
			__syncthreads();
			double top = 0;
			int at = -1;
#pragma unroll 1
			for (;;) {
				int i = 0;
				if (lane == 0) i = atomicAdd(&taken, 1);
				i = __shfl_sync(ALL, i, 0);
				if (i >= picks) break;
				m.choose(k.pick[i], stage == 1);
				if (stage == 1 && m.sets == 1) continue; // it was tried
				if (lane == 0) atomicAdd(&made, 1);
				m.make();
				const double score = m.score(r, table, entropy);
				if (score > top || (score == top && score > 0 && i < at)) top = score, at = i;
				m.undo();
			}
			if (lane == 0) scores[warp] = top, which[warp] = at;
			__syncthreads();
			top = 0;
			for (int i = 0; i < warps; i++) {
				if (which[i] < 0) continue;
				if (scores[i] > top || (scores[i] == top && which[i] < winner))
					top = scores[i], winner = which[i];
			}
		}
		if (warp == 0) {
			if (winner >= 0) {
				m.choose(k.pick[winner], stage == 2);
				m.make();
				C *t = fresh + (int64_t)a * n;
				m.write(t);
				const child c = measured<C, KIND>(o, w, t, lane);
				best.gain = m.gain, best.length = c.length, best.hash = c.hash;
			}
			best.children = made, best.cycles = all;
			if (lane == 0) out[a] = best;
		}
		__syncthreads();
	}
}

#define COUPLES(name, C, KIND)                                                                     \
	extern "C" __global__ void __launch_bounds__(512) name(job o, world w, turn r,                 \
			const int32_t *ring, const C *tours, const uint64_t *hash, const slot *table,               \
			const int64_t *entropy, C *fresh, bred *out, char *scratch) {                               \
		couples<C, KIND>(o, w, r, ring, tours, hash, table, entropy, fresh, out, scratch);            \
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
			uint64_t *hash, const C *fresh, const bred *out, slot *table, int32_t *full) {              \
		settle(n, r, ring, tours, hash, fresh, out, table, full);                                     \
	}
TABLES(narrow, uint16_t)
TABLES(wide, uint32_t)

extern "C" __global__ void clear_edges(slot *table, uint64_t slots) { clear_slots(table, slots); }
extern "C" __global__ void tally_edges(
		const slot *table, uint64_t slots, unsigned long long *counts) {
	tally(table, slots, counts);
}
