// Permuted perceptrons by sets of rows: what a neighbour costs follows from a count of bits for
// each set of rows with the same product, as in solvers/moves/pppclasses.go.
//
// Class c has the rows whose product is first + 2 c. A flip of column i moves each row up or down
// by a class; U(i) are the rows that go up, a bit each, and s(i) their number in the class. Let h
// be the rows that a class has after F flips, z the step to the next class. Over the classes c
//
//	F = 1:  h = size z^-1 + s (z - z^-1)
//	F = 2:  h = size z^-2 + s (1 - z^-2) + b (z^2 - 2 + z^-2)
//	F = 3:  h = size z^-3 + s (z^-1 - z^-3) + (o + a z^2) (z - 2 z^-1 + z^-3), for the third flip
//
// with s the sum of the flips', b = |U(i) & U(j)|, a = |U(i) & U(j) & U(l)| and
// o = |(U(i) | U(j)) & U(l)|. So in all cases, with t = s - (q - its value two classes before) and
// q = 0, b or o + a of two classes before, the wanted rows less h in class c - F are
//
//	D(c) + t(c) - t(c - 2),  D(c) = want(c - F) - size(c)
//
// The even classes and the odd ones are a chain each; a slot is a class's place in the even chain
// followed by the odd one. A class has as many words of 32 rows as it needs.
//
// Counts of an H200 for a pair of flips, by class: one count of bits (16 a cycle and SM) for each
// word, an AND and five sums (64 a cycle): 12 cycles of a warp and a quarter of an SM.
#ifndef METALAB_MOVES_SETS_CUH
#define METALAB_MOVES_SETS_CUH

#include "common.cuh"

// MOST_CLASSES is the most classes that ppp_sort can sort, and MOST_TRIPLES that a scan of three
// flips takes.
#define MOST_CLASSES 4096
#define MOST_TRIPLES 2048

// ppp is an instance and the walks' data. Products are odd, so product 2 k + 1 is bin k.
struct ppp {
	const int8_t *columns; // n x m: the matrix by columns
	const int32_t *want;   // (n + 1) / 2 bins: rows that should have each positive product
	int8_t *v, *top;       // by walk: the signs, and the best ones
	int32_t *y;            // by walk: the products
	int64_t *until;        // by walk: bits
	int16_t *bins;         // by bin and thread of the grid: so that a warp's accesses are together
	const uint32_t *rows;  // m x (n + 31) / 32: a bit for each entry, set if it is -1
	int32_t *head;         // by walk: classes, those of the even chain, words, and the rows that are
	                       // wanted outside all classes
	int32_t *ends;         // by walk and slot: the end of its words
	int2 *targets;         // by walk, flips less one, and slot: D, and the price of a row in class
	                       // c - F, if its product is negative
	int32_t *order;        // by walk and word: 32 rows; -1: none
	uint32_t *ups;         // by walk, word and column: the sets
	int32_t *counts;       // by walk, slot and column: s
	int32_t m;             // rows
	int32_t slots, words;  // room for a walk; 0: no sets
	int32_t stride;        // columns, rounded up to a multiple of 64
};

// sets are those of a walk.
struct sets {
	int32_t classes, even, left;
	const int32_t *ends, *order;
	const int2 *targets;
	const uint32_t *up;
	const int32_t *count;
};

__device__ __forceinline__ sets sets_of(const job &o, const ppp &q, int64_t a) {
	const int32_t *head = q.head + 4 * a;
	return {head[0], head[1], head[3], q.ends + a * q.slots, q.order + a * 32 * q.words,
		q.targets + (3 * a + o.flips - 1) * q.slots, q.ups + a * q.words * q.stride,
		q.counts + a * q.slots * q.stride};
}

// sum_of is the sum of x over a block, for all its threads. All must call it.
__device__ inline int32_t sum_of(int32_t x) {
	__shared__ int32_t parts[33];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(0xffffffffu, x, d);
	__syncthreads(); // parts may still be read from the call before
	if (lane == 0) parts[warp] = x;
	__syncthreads();
	if (warp == 0) {
		x = lane < warps ? parts[lane] : 0;
		for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(0xffffffffu, x, d);
		if (lane == 0) parts[32] = x;
	}
	__syncthreads();
	return parts[32];
}

// least_of is the least x of a block, in the same way.
__device__ inline int32_t least_of(int32_t x) {
	__shared__ int32_t parts[33];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	for (int d = 16; d > 0; d >>= 1) x = min(x, __shfl_xor_sync(0xffffffffu, x, d));
	__syncthreads();
	if (lane == 0) parts[warp] = x;
	__syncthreads();
	if (warp == 0) {
		x = lane < warps ? parts[lane] : parts[0];
		for (int d = 16; d > 0; d >>= 1) x = min(x, __shfl_xor_sync(0xffffffffu, x, d));
		if (lane == 0) parts[32] = x;
	}
	__syncthreads();
	return parts[32];
}

// before_of is the sum of x over the threads of a block that come before this one.
__device__ inline int32_t before_of(int32_t x) {
	__shared__ int32_t parts[32];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	int32_t sum = x;
	for (int d = 1; d < 32; d <<= 1) {
		int32_t y = __shfl_sync(0xffffffffu, sum, lane >= d ? lane - d : lane);
		if (lane >= d) sum += y;
	}
	__syncthreads();
	if (lane == 31) parts[warp] = sum;
	__syncthreads();
	int32_t base = 0;
	for (int w = 0; w < warp && w < warps; w++) base += parts[w];
	return base + sum - x;
}

// class_at is the class of a slot.
__device__ __forceinline__ int class_at(int slot, int even) {
	return slot < even ? 2 * slot : 2 * (slot - even) + 1;
}

// sort_rows sorts a walk's rows by their products; by a whole block. Three classes below the least
// product and six above the greatest are empty.
__device__ inline void sort_rows(const job &o, const ppp &q, int64_t a) {
	__shared__ int32_t size[MOST_CLASSES], next[MOST_CLASSES];
	const int32_t *y = q.y + a * q.m;
	int32_t lo = INT32_MAX, hi = -INT32_MAX;
	for (int row = threadIdx.x; row < q.m; row += blockDim.x)
		lo = min(lo, y[row]), hi = max(hi, y[row]);
	lo = least_of(lo), hi = -least_of(-hi);
	const int first = lo - 6, classes = (hi - lo) / 2 + 10, even = (classes + 1) / 2;
	for (int k = threadIdx.x; k < classes; k += blockDim.x) size[k] = 0;
	__syncthreads();
	for (int row = threadIdx.x; row < q.m; row += blockDim.x)
		atomicAdd(&size[(y[row] - first) / 2], 1);
	__syncthreads();
	// want is how many rows a class should have. Classes that flips can lead to are below inside.
	const int bins = (o.n + 1) / 2, inside = classes - 3;
	int32_t left = 0, from = 0;
	for (int k = threadIdx.x; k < bins; k += blockDim.x) left += q.want[k];
	for (int base = 0; base < classes; base += blockDim.x) {
		const int slot = base + threadIdx.x;
		const bool here = slot < classes;
		const int k = class_at(here ? slot : 0, even), rows = here ? size[k] : 0;
		const int words = (rows + 31) / 32, start = from + before_of(words);
		if (here) {
			q.ends[a * q.slots + slot] = start + words;
			next[k] = 32 * start;
			for (int flips = 1; flips <= 3; flips++) {
				const int t = k - flips, x = first + 2 * t;
				int2 to = {-rows, 0};
				if (t >= 0 && x < 0) to.y = -60 * x;
				if (t >= 0 && t < inside && x > 0 && x / 2 < bins) to.x += q.want[x / 2];
				q.targets[(3 * a + flips - 1) * q.slots + slot] = to;
			}
			const int x = first + 2 * k;
			if (k < inside && x > 0 && x / 2 < bins) left -= q.want[x / 2];
		}
		from += sum_of(words);
	}
	left = sum_of(left);
	int32_t *order = q.order + a * 32 * q.words;
	for (int k = threadIdx.x; k < 32 * from; k += blockDim.x) order[k] = -1;
	if (threadIdx.x == 0) {
		int32_t *head = q.head + 4 * a;
		head[0] = classes, head[1] = even, head[2] = from, head[3] = left;
	}
	__syncthreads();
	for (int row = threadIdx.x; row < q.m; row += blockDim.x)
		order[atomicAdd(&next[(y[row] - first) / 2], 1)] = row;
}

// transposed turns 32 words of 32 bits, one of each lane: bit c of lane r becomes bit r of lane c.
__device__ __forceinline__ uint32_t transposed(uint32_t x) {
	const int lane = threadIdx.x & 31;
	uint32_t low = 0x0000ffffu;
#pragma unroll
	for (int d = 16; d > 0; d >>= 1, low ^= low << d) {
		const uint32_t y = __shfl_xor_sync(0xffffffffu, x, d);
		x = lane & d ? (x & ~low) | (y & ~low) >> d : (x & low) | (y & low) << d;
	}
	return x;
}

// ppp_sets makes the sets of rows that go up, and counts them: a warp takes a slot and 32 columns.
// blockIdx.x counts blocks of walks, each blocks.
extern "C" __global__ void ppp_sets(job o, ppp q, const walk *walks, int blocks) {
	const int64_t a = blockIdx.x / blocks;
	if (!due(o, walks[a])) return;
	const sets s = sets_of(o, q, a);
	const int lane = threadIdx.x & 31, warps = blockDim.x >> 5, parts = q.stride / 32;
	const int wide = (o.n + 31) / 32, count = s.classes * parts;
	uint32_t *up = q.ups + a * q.words * q.stride;
	int32_t *counts = q.counts + a * q.slots * q.stride;
	for (int u = blockIdx.x % blocks * warps + (threadIdx.x >> 5); u < count; u += blocks * warps) {
		const int slot = u / parts, part = u % parts, column = 32 * part + lane;
		const bool minus = column < o.n && q.v[a * o.n + column] < 0;
		const uint32_t signs = __ballot_sync(0xffffffffu, minus);
		int32_t n = 0;
		for (int w = slot ? s.ends[slot - 1] : 0; w < s.ends[slot]; w++) {
			const int row = s.order[32 * w + lane];
			uint32_t x = row < 0 || part >= wide ? 0 : q.rows[(int64_t)row * wide + part] ^ signs;
			x = transposed(x);
			up[(int64_t)w * q.stride + column] = x;
			n += __popc(x);
		}
		counts[(int64_t)slot * q.stride + column] = n;
	}
}

// price adds to an energy what d wanted rows more than there are cost in a class.
__device__ __forceinline__ void price(int32_t *f, int32_t d, int32_t each) {
	if (each)
		*f -= each * d; // none is wanted
	else
		*f += d < 0 ? -d : d;
}

// looker is what a thread needs to note neighbours.
struct looker {
	const int64_t *until;
	int64_t clock, cost, *deltas;
	uint64_t start;
};

__device__ __forceinline__ looker looker_of(
		const job &o, const ppp &q, const walk *walks, int64_t a, int64_t *deltas) {
	return {q.until + a * o.n, walks[a].clock + 1, walks[a].cost,
		deltas ? deltas + a * o.size : nullptr, start_of(o, walks[a], (int)a)};
}

// index_of is the index of the flips of i, j and l, of which those that are not flipped are -1:
// moves.PairIndex and moves.TripleIndex.
__device__ __forceinline__ uint64_t index_of(int64_t n, int64_t i, int64_t j, int64_t l) {
	if (j < 0) return i;
	const int64_t b = n - 1 - j, c = n - 1 - i;
	if (l < 0) return n * (n - 1) / 2 - 1 - (c * (c - 1) / 2 + b);
	return n * (n - 1) * (n - 2) / 6 - 1 - (c * (c - 1) * (c - 2) / 6 + b * (b - 1) / 2 + n - 1 - l);
}

// note_flips notes a neighbour with an energy.
__device__ __forceinline__ void note_flips(
		const job &o, const looker &k, found *best, int32_t energy, int i, int j, int l) {
	const int64_t d = energy - k.cost;
	if (k.deltas) k.deltas[index_of(o.n, i, j, l)] = d;
	if (o.pick == TABU ? d > best->open.delta : d >= 0) return;
	const bool tabu = o.pick == TABU && (k.until[i] >= k.clock || (j >= 0 && k.until[j] >= k.clock) ||
			(l >= 0 && k.until[l] >= k.clock));
	note_found(o, k.start, best, d, index_of(o.n, i, j, l), false, tabu);
}

// flips_energy is the energy after F flips, by one thread.
template <int F, bool CACHED>
__device__ inline int32_t flips_energy(const ppp &q, const sets &s, int i, int j, int l) {
	int32_t f = s.left, word = 0;
	const int64_t stride = q.stride;
	for (int chain = 0; chain < 2; chain++) {
		int32_t t0 = 0, q0 = 0, p0 = 0, a0 = 0;
		for (int slot = chain ? s.even : 0; slot < (chain ? s.classes : s.even); slot++) {
			const int2 to = read<CACHED>(s.targets + slot);
			int32_t a = 0, p = 0, b = 0;
			if (F > 1) {
				const int end = read<CACHED>(s.ends + slot);
				for (; word < end; word++) {
					const uint32_t *up = s.up + word * stride;
					const uint32_t x = read<CACHED>(up + i), y = read<CACHED>(up + j);
					p += __popc(x & y);
					if (F > 2) {
						const uint32_t z = read<CACHED>(up + l);
						a += __popc(x & y & z), b += __popc((x | y) & z);
					}
				}
			}
			const int32_t *count = s.count + slot * stride;
			int32_t t = read<CACHED>(count + i) - (p - p0);
			if (F > 1) t += read<CACHED>(count + j);
			if (F > 2) {
				const int32_t both = b + a0;
				t += read<CACHED>(count + l) - (both - q0);
				q0 = both, a0 = a;
			}
			price(&f, to.x + t - t0, to.y);
			p0 = p, t0 = t;
		}
	}
	return f;
}

// scan_flips has a thread evaluate a neighbour at a time: single flips, and moves that the host
// gives.
template <int F, bool CACHED>
__device__ inline void scan_flips(
		const job &o, const ppp &q, const sets &s, const looker &k, const int4 *given, found *best) {
	const int block = blockIdx.x % o.blocks;
	const uint64_t step = (uint64_t)o.blocks * blockDim.x;
	for (uint64_t x = (uint64_t)block * blockDim.x + threadIdx.x; x < o.size; x += step) {
		int4 m = {(int)x, -1, -1, 0};
		if (given) m = given[x];
		note_flips(o, k, best, flips_energy<F, CACHED>(q, s, m.x, m.y, m.z), m.x, m.y, m.z);
	}
}

// A tile of pairs is 4 columns i by 64 columns j, two for a lane. Those with the same 64 follow
// each other: 16 tiles have the first 64, 32 the second, and so on.
__device__ __forceinline__ void pair_tile(int u, int *i, int *j) {
	int c = (int)ML_SQRT((double)u / 8);
	while (8 * c * (c + 1) > u) c--;
	while (8 * (c + 1) * (c + 2) <= u) c++;
	*i = 4 * (u - 8 * c * (c + 1));
	*j = 64 * c;
}

// scan_pairs has a warp evaluate a tile at a time.
template <bool CACHED>
__device__ inline void scan_pairs(
		const job &o, const ppp &q, const sets &s, const looker &k, found *best) {
	const int warps = blockDim.x >> 5, lane = threadIdx.x & 31, chunks = q.stride / 64;
	const int64_t stride = q.stride;
	const int tiles = 8 * chunks * (chunks + 1), step = o.blocks * warps;
	for (int u = blockIdx.x % o.blocks * warps + (threadIdx.x >> 5); u < tiles; u += step) {
		int i0, j0;
		pair_tile(u, &i0, &j0);
		if (i0 >= o.n - 1) continue;
		j0 += 2 * lane;
		int32_t f[4][2];
		for (int x = 0; x < 8; x++) f[x / 2][x % 2] = s.left;
		const uint32_t *ui = s.up + i0, *uj = s.up + j0;
		const int32_t *ci = s.count + i0, *cj = s.count + j0;
		int word = 0;
		for (int chain = 0; chain < 2; chain++) {
			int32_t t0[4][2] = {}, b0[4][2] = {};
			for (int slot = chain ? s.even : 0; slot < (chain ? s.classes : s.even); slot++) {
				const int2 to = read<CACHED>(s.targets + slot);
				const int end = read<CACHED>(s.ends + slot);
				int32_t b[4][2] = {};
				for (; word < end; word++, ui += stride, uj += stride) {
					const uint4 x = read<CACHED>((const uint4 *)ui);
					const uint2 y = read<CACHED>((const uint2 *)uj);
					b[0][0] += __popc(x.x & y.x), b[0][1] += __popc(x.x & y.y);
					b[1][0] += __popc(x.y & y.x), b[1][1] += __popc(x.y & y.y);
					b[2][0] += __popc(x.z & y.x), b[2][1] += __popc(x.z & y.y);
					b[3][0] += __popc(x.w & y.x), b[3][1] += __popc(x.w & y.y);
				}
				const int64_t at = slot * stride;
				const uint4 x = read<CACHED>((const uint4 *)(ci + at));
				const uint2 y = read<CACHED>((const uint2 *)(cj + at));
				const int32_t si[4] = {(int32_t)x.x, (int32_t)x.y, (int32_t)x.z, (int32_t)x.w};
				const int32_t sj[2] = {(int32_t)y.x, (int32_t)y.y};
#pragma unroll
				for (int e = 0; e < 8; e++) {
					const int r = e / 2, c = e % 2;
					const int32_t t = si[r] + sj[c] - b[r][c] + b0[r][c];
					price(&f[r][c], to.x + t - t0[r][c], to.y);
					b0[r][c] = b[r][c], t0[r][c] = t;
				}
			}
		}
#pragma unroll
		for (int e = 0; e < 8; e++) {
			const int i = i0 + e / 2, j = j0 + e % 2;
			if (i < j && j < o.n) note_flips(o, k, best, f[e / 2][e % 2], i, j, -1);
		}
	}
}

// A tile of triples is one column i by 4 columns j by all l: three tiles for the first four j, 7
// for the next, and so on.
__device__ __forceinline__ void triple_tile(int64_t u, int *i, int *j) {
	int64_t c = (int64_t)ML_SQRT((double)u / 2);
	while (2 * c * c + c > u) c--;
	while (2 * (c + 1) * (c + 1) + c + 1 <= u) c++;
	*i = (int)(u - (2 * c * c + c));
	*j = (int)(4 * c);
}

// scan_triples has a block evaluate a tile at a time. What depends on i and j alone is computed
// first.
template <bool CACHED>
__device__ inline void scan_triples(
		const job &o, const ppp &q, const sets &s, const looker &k, found *best) {
	__shared__ int4 wanted[MOST_TRIPLES];
	const int64_t stride = q.stride, fours = (o.n + 3) / 4, tiles = 2 * fours * fours + fours;
	for (int64_t u = blockIdx.x % o.blocks; u < tiles; u += o.blocks) {
		int i, j0;
		triple_tile(u, &i, &j0);
		const uint32_t *ui = s.up + i, *uj = s.up + j0;
		__syncthreads();
		for (int slot = threadIdx.x; slot < s.classes; slot += blockDim.x) {
			const int begin = slot < s.even ? 0 : s.even;
			int32_t p[3][4] = {}; // in common, of this slot and of the two before
			for (int d = 0; d < 3 && slot - d >= begin; d++) {
				const int x = slot - d;
				for (int w = x ? s.ends[x - 1] : 0; w < s.ends[x]; w++) {
					const uint32_t *y = uj + w * stride, a = ui[w * stride];
					for (int e = 0; e < 4; e++) p[d][e] += __popc(a & y[e]);
				}
			}
			int32_t d[4];
			for (int e = 0; e < 4; e++) {
				const int32_t *c = s.count + slot * stride, *before = c - stride;
				d[e] = s.targets[slot].x + c[i] + c[j0 + e] - (p[0][e] - p[1][e]);
				if (slot > begin) d[e] -= before[i] + before[j0 + e] - (p[1][e] - p[2][e]);
			}
			wanted[slot] = {d[0], d[1], d[2], d[3]};
		}
		__syncthreads();
		for (int l0 = (j0 + 1) / 64 * 64 + 2 * threadIdx.x; l0 < o.n; l0 += 2 * blockDim.x) {
			int32_t f[4][2];
			for (int x = 0; x < 8; x++) f[x / 2][x % 2] = s.left;
			const uint32_t *ul = s.up + l0;
			int64_t word = 0;
			for (int chain = 0; chain < 2; chain++) {
				int32_t t0[4][2] = {}, q0[4][2] = {}, a0[4][2] = {};
				for (int slot = chain ? s.even : 0; slot < (chain ? s.classes : s.even); slot++) {
					const int each = read<CACHED>(s.targets + slot).y;
					const int end = read<CACHED>(s.ends + slot);
					int32_t a[4][2] = {}, b[4][2] = {};
					for (; word < end; word++) {
						const uint32_t x = read<CACHED>(ui + word * stride);
						const uint4 y = read<CACHED>((const uint4 *)(uj + word * stride));
						const uint2 z = read<CACHED>((const uint2 *)(ul + word * stride));
						const uint32_t ys[4] = {y.x, y.y, y.z, y.w}, zs[2] = {z.x, z.y};
#pragma unroll
						for (int e = 0; e < 8; e++) {
							const uint32_t yy = ys[e / 2], zz = zs[e % 2];
							a[e / 2][e % 2] += __popc(x & yy & zz);
							b[e / 2][e % 2] += __popc((x | yy) & zz);
						}
					}
					const uint2 z = read<CACHED>((const uint2 *)(s.count + slot * stride + l0));
					const int32_t sl[2] = {(int32_t)z.x, (int32_t)z.y};
					const int4 want = wanted[slot];
					const int32_t d[4] = {want.x, want.y, want.z, want.w};
#pragma unroll
					for (int e = 0; e < 8; e++) {
						const int r = e / 2, c = e % 2;
						const int32_t both = b[r][c] + a0[r][c], t = sl[c] - both + q0[r][c];
						price(&f[r][c], d[r] + t - t0[r][c], each);
						a0[r][c] = a[r][c], q0[r][c] = both, t0[r][c] = t;
					}
				}
			}
#pragma unroll
			for (int e = 0; e < 8; e++) {
				const int j = j0 + e / 2, l = l0 + e % 2;
				if (i < j && j < l && l < o.n) note_flips(o, k, best, f[e / 2][e % 2], i, j, l);
			}
		}
	}
}

// scan_sets evaluates the neighbours of all walks; see scan_ppp. ppp_sets must have made the sets.
template <int F, bool CACHED>
__device__ inline void scan_sets(const job &o, const ppp &q, const walk *walks, const int4 *given,
		int64_t *deltas, found *parts) {
	const int64_t a = blockIdx.x / o.blocks;
	if (!due(o, walks[a])) return;
	const sets s = sets_of(o, q, a);
	const looker k = looker_of(o, q, walks, a, deltas);
	found best = {no_choice(), no_choice(), no_choice()};
	if (F == 1 || given)
		scan_flips<F, CACHED>(o, q, s, k, given, &best);
	else if (F == 2)
		scan_pairs<CACHED>(o, q, s, k, &best);
	else
		scan_triples<CACHED>(o, q, s, k, &best);
	best = best_of(best);
	if (threadIdx.x == 0) parts[blockIdx.x] = best;
}

#define SETS(name, flips, cached)                                                          \
	extern "C" __global__ void name(job o, ppp q, const walk *walks, const int4 *given,     \
			int64_t *deltas, found *parts) {                                                     \
		scan_sets<flips, cached>(o, q, walks, given, deltas, parts);                           \
	}
SETS(ppp_one, 1, false)
SETS(ppp_one_readonly, 1, true)
SETS(ppp_two, 2, false)
SETS(ppp_two_readonly, 2, true)
SETS(ppp_three, 3, false)
SETS(ppp_three_readonly, 3, true)
#undef SETS

#endif
