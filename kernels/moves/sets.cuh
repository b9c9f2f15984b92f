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
// followed by the odd one. A slot has a record for each 32 rows of its class, at least one, in
// order; with the last of them its class is complete. Chains end with three empty classes, which
// leave t and q at 0 for the next one. Where a class and the three before it in its chain are empty
// there is no record: the wanted rows of c - F are counted once for all neighbours.
//
// What a pair of flips takes of an H200, by record and warp: an AND and a count of bits (16 a cycle
// and SM: 8 cycles of a quarter), and 5 sums with the last one: at least 8 cycles. For 1301 x 1317,
// with 866,586 pairs and about 100 records, that is 23 us a scan at 1.8 GHz.
#ifndef METALAB_MOVES_SETS_CUH
#define METALAB_MOVES_SETS_CUH

#include "common.cuh"

// MOST_CLASSES is the most classes that can be sorted, and MOST_RECORDS the most records with which
// a scan of three flips does by tiles.
#define MOST_CLASSES 4096
#define MOST_RECORDS 2048

// ppp is an instance and the walks' data. Products are odd, so product 2 k + 1 is bin k.
struct ppp {
	const int8_t *columns; // n x m: the matrix by columns
	const int32_t *want;   // (n + 1) / 2 bins: rows that should have each positive product
	int8_t *v, *top;       // by walk: the signs, and the best ones
	int32_t *y;            // by walk: the products
	int64_t *until;        // by walk: bits
	int16_t *bins;         // by bin and thread of the grid: so that a warp's accesses are together
	const uint32_t *rows;  // m x (n + 31) / 32: a bit for each entry, set if it is -1
	int32_t *head;         // by walk, 8 numbers; see sets
	int32_t *ends;         // by walk and slot: the end of its records
	uint4 *infos;          // by walk, flips less one, and record: D, the price of a row in class c - F
	                       // if its product is negative, and 1 for the last of a slot
	int32_t *order;        // by walk and record: 32 rows; -1: none
	uint32_t *ups;         // by walk, record and column: the sets
	int32_t *counts;       // by walk, record and column: s, with the last of a slot
	int32_t m;             // rows
	int32_t slots, records; // room for a walk; 0: no sets
	int32_t stride;        // columns, rounded up to a multiple of 64
};

// sets are those of a walk.
struct sets {
	int32_t classes, even, records; // even: classes of the even chain
	int32_t left;                   // the energy of the classes that have no record, for F flips
	int32_t rest;                   // left, less the sum of D over the records
	const int32_t *ends, *order;
	const uint4 *infos;
	const uint32_t *up;
	const int32_t *count;
};

__device__ __forceinline__ sets sets_of(const job &o, const ppp &q, int64_t a) {
	const int32_t *head = q.head + 8 * a;
	const int32_t left = head[2 + o.flips];
	return {head[0], head[1], head[2], left, 2 * left - head[6] + q.m, q.ends + a * q.slots,
		q.order + a * 32 * q.records, q.infos + (3 * a + o.flips - 1) * q.records,
		q.ups + a * q.records * q.stride, q.counts + a * q.records * q.stride};
}

// range_of finds the least and the greatest of the numbers from lo to hi of the threads of a block.
// All must call it.
__device__ inline int2 range_of(int lo, int hi) {
	__shared__ int2 parts[32];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	for (int d = 16; d > 0; d >>= 1) {
		lo = min(lo, __shfl_xor_sync(0xffffffffu, lo, d));
		hi = max(hi, __shfl_xor_sync(0xffffffffu, hi, d));
	}
	if (lane == 0) parts[warp] = {lo, hi};
	__syncthreads();
	for (int w = 0; w < warps; w++) lo = min(lo, parts[w].x), hi = max(hi, parts[w].y);
	return {lo, hi};
}

// before_of is the sum of x over the threads of a block that come before this one, and adds that of
// all to total. All must call it.
__device__ inline int before_of(int x, int *total) {
	__shared__ int parts[32];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	int sum = x;
	for (int d = 1; d < 32; d <<= 1) {
		const int y = __shfl_sync(0xffffffffu, sum, lane >= d ? lane - d : lane);
		if (lane >= d) sum += y;
	}
	__syncthreads(); // parts may still be read from the call before
	if (lane == 31) parts[warp] = sum;
	__syncthreads();
	int base = 0;
	for (int w = 0; w < warps; w++) {
		if (w < warp) base += parts[w];
		*total += parts[w];
	}
	return base + sum - x;
}

// class_at is the class of a slot.
__device__ __forceinline__ int class_at(int slot, int even) {
	return slot < even ? 2 * slot : 2 * (slot - even) + 1;
}

// sort_rows sorts a walk's rows by their products; by a whole block. Three classes below the least
// product and six above the greatest are empty.
__device__ inline void sort_rows(const job &o, const ppp &q, int64_t a) {
	__shared__ int32_t size[MOST_CLASSES], next[MOST_CLASSES], shared_left[4];
	const int32_t *y = q.y + a * q.m;
	int32_t lo = INT32_MAX, hi = -INT32_MAX;
	if (threadIdx.x < 4) shared_left[threadIdx.x] = 0;
	for (int row = threadIdx.x; row < q.m; row += blockDim.x)
		lo = min(lo, y[row]), hi = max(hi, y[row]);
	const int2 range = range_of(lo, hi);
	lo = range.x, hi = range.y;
	const int first = lo - 6, classes = (hi - lo) / 2 + 10, even = (classes + 1) / 2;
	for (int k = threadIdx.x; k < classes; k += blockDim.x) size[k] = 0;
	__syncthreads();
	for (int row = threadIdx.x; row < q.m; row += blockDim.x)
		atomicAdd(&size[(y[row] - first) / 2], 1);
	__syncthreads();
	// left are the wanted rows of classes c - F without a record: of all, less those with one.
	const int bins = (o.n + 1) / 2;
	int32_t left[4] = {0, 0, 0, 0}, from = 0; // the last are all wanted rows
	for (int k = threadIdx.x; k < bins; k += blockDim.x) left[0] += q.want[k];
	left[1] = left[2] = left[3] = left[0];
	int32_t *order = q.order + a * 32 * q.records;
	for (int base = 0; base < classes; base += blockDim.x) {
		const int slot = base + threadIdx.x, k = class_at(slot < classes ? slot : 0, even);
		int rows = 0, near = 0; // near: also those of the three classes before in the chain
		if (slot < classes)
			for (int d = 0; d < 4 && k >= 2 * d; d++) near += size[k - 2 * d];
		if (near > 0) rows = size[k];
		const int records = near > 0 ? (rows > 0 ? (rows + 31) / 32 : 1) : 0;
		const int begin = from, start = begin + before_of(records, &from), last = start + records - 1;
		if (slot < classes) q.ends[a * q.slots + slot] = start + records, next[k] = 32 * start;
		for (int flips = 1; flips <= 3 && records; flips++) {
			const int t = k - flips, x = first + 2 * t;
			uint4 to = {(uint32_t)-rows, 0, 1, 0};
			if (x < 0) to.y = (uint32_t)(-60 * x);
			if (x > 0 && x / 2 < bins) {
				to.x += (uint32_t)q.want[x / 2];
				left[flips - 1] -= q.want[x / 2];
			}
			uint4 *infos = q.infos + (3 * a + flips - 1) * q.records;
			for (int r = start; r < last; r++) infos[r] = {0, 0, 0, 0};
			infos[last] = to;
		}
		for (int r = start; r <= last && slot < classes; r++)
			for (int d = 0; d < 32; d++)
				if (32 * (r - start) + d >= rows) order[32 * r + d] = -1;
	}
	for (int d = 0; d < 4; d++)
		if (left[d]) atomicAdd(&shared_left[d], left[d]);
	__syncthreads();
	if (threadIdx.x == 0) {
		int32_t *head = q.head + 8 * a;
		head[0] = classes, head[1] = even, head[2] = from;
		for (int d = 0; d < 4; d++) head[3 + d] = shared_left[d];
	}
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
	uint32_t *up = q.ups + a * q.records * q.stride;
	int32_t *counts = q.counts + a * q.records * q.stride;
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
			counts[(int64_t)w * q.stride + column] = n;
		}
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
	int32_t f = s.left, t0 = 0, q0 = 0, p0 = 0, a0 = 0, a = 0, p = 0, b = 0;
	const int64_t stride = q.stride;
	for (int r = 0; r < s.records; r++) {
		const uint4 to = read<CACHED>(s.infos + r);
		if (F > 1) {
			const uint32_t *up = s.up + r * stride;
			const uint32_t x = read<CACHED>(up + i), y = read<CACHED>(up + j);
			p += __popc(x & y);
			if (F > 2) {
				const uint32_t z = read<CACHED>(up + l);
				a += __popc(x & y & z), b += __popc((x | y) & z);
			}
		}
		if (!to.z) continue;
		const int32_t *count = s.count + r * stride;
		int32_t t = read<CACHED>(count + i) - (p - p0);
		if (F > 1) t += read<CACHED>(count + j);
		if (F > 2) {
			const int32_t both = b + a0;
			t += read<CACHED>(count + l) - (both - q0);
			q0 = both, a0 = a;
		}
		price(&f, (int32_t)to.x + t - t0, (int32_t)to.y);
		p0 = p, t0 = t, p = a = b = 0;
	}
	return f;
}

// scan_flips has a thread evaluate a neighbour at a time: single flips, and moves that the host
// gives.
template <int F, bool CACHED>
__device__ inline void scan_flips(
		const job &o, const ppp &q, const sets &s, const looker &k, const int4 *given, found *best) {
	const int block = block_of_walk(o);
	const uint64_t step = (uint64_t)o.blocks * blockDim.x;
	for (uint64_t x = (uint64_t)block * blockDim.x + threadIdx.x; x < o.size; x += step) {
		int4 m = {(int)x, -1, -1, 0};
		if (given)
			m = given[x];
		else if (F == 3)
			triple_at(o.n, x, &m.x, &m.y, &m.z);
		note_flips(o, k, best, flips_energy<F, CACHED>(q, s, m.x, m.y, m.z), m.x, m.y, m.z);
	}
}

// DEEP records are copied to shared memory at a time, while those before them are evaluated.
#define DEEP 8

// staged are records of the columns of a tile of pairs: 64 columns j, and 4 columns i of each warp,
// of at most PAIR_WARPS.
#define PAIR_WARPS 8
struct staged {
	uint4 info[DEEP];
	uint32_t uj[DEEP][64], cj[DEEP][64], ui[DEEP][4 * PAIR_WARPS], ci[DEEP][4 * PAIR_WARPS];
};

// From compute capability 8.0 on copies to shared memory go along with what a thread does beside.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define COPIES_ALONG
#endif

// copy16 copies 16 bytes to shared memory; they are there after arrived.
template <bool CACHED> __device__ __forceinline__ void copy16(void *to, const void *from) {
#ifdef COPIES_ALONG
	const uint32_t at = (uint32_t)__cvta_generic_to_shared(to);
	if (CACHED)
		asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
	else
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
#else
	*(uint4 *)to = *(const uint4 *)from;
#endif
}

// sent ends a group of copies, and arrived waits for all groups but the last N.
__device__ __forceinline__ void sent() {
#ifdef COPIES_ALONG
	asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int N> __device__ __forceinline__ void arrived() {
#ifdef COPIES_ALONG
	asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

// A copier is what a thread copies of each DEEP records: 16 bytes, from there on in steps.
struct copier {
	const char *from;
	int32_t step, at; // at: where it goes in staged
};

// copies_of is how many copies a record has, and copier_of the one with a number, of DEEP records.
__device__ __forceinline__ int copies_of(int warps) { return 32 + 2 * warps + 1; }
__device__ inline copier copier_of(
		const sets &s, int64_t stride, int x, int i0, int j0, int warps) {
	const int each = copies_of(warps), d = x / each;
	int k = x - d * each;
	const bool set = k < 16 || (k >= 32 && k < 32 + warps);
	const int32_t *rows = (set ? (const int32_t *)s.up : s.count) + d * stride;
	const int32_t step = (int32_t)(DEEP * stride * 4);
	if (k < 32) {
		const int at = set ? offsetof(staged, uj) : offsetof(staged, cj);
		k %= 16;
		return {(const char *)(rows + j0 + 4 * k), step, at + 256 * d + 16 * k};
	}
	k -= 32;
	if (k == 2 * warps)
		return {(const char *)(s.infos + d), DEEP * 16, (int)offsetof(staged, info) + 16 * d};
	const int at = set ? offsetof(staged, ui) : offsetof(staged, ci);
	k %= warps;
	return {(const char *)(rows + i0 + 4 * k), step, at + 16 * PAIR_WARPS * d + 16 * k};
}

// COPIERS are those that a thread keeps in registers; blocks of fewer than 128 threads need more.
#define COPIERS 3

// stage begins to copy the records from r on. There is room for DEEP after the last.
template <bool CACHED>
__device__ __forceinline__ void stage(staged *z, const sets &s, copier *own, int64_t stride, int r,
		int i0, int j0, int warps) {
#pragma unroll
	for (int x = 0; x < COPIERS; x++) {
		if (own[x].step) copy16<CACHED>((char *)z + own[x].at, own[x].from);
		own[x].from += own[x].step;
	}
	const int all = DEEP * copies_of(warps), threads = blockDim.x;
	for (int x = threadIdx.x + COPIERS * threads; x < all; x += threads) {
		const copier c = copier_of(s, stride, x, i0, j0, warps);
		copy16<CACHED>((char *)z + c.at, c.from + (int64_t)(r / DEEP) * c.step);
	}
	sent();
}

// MIDDLE is added to numbers of 16 bits, two in a word, so that sums and differences of words are
// those of both: PAIRED is the number one in both halves.
#define MIDDLE 16384
#define PAIRED 0x10001

// larger is the larger of each two halves.
__device__ __forceinline__ uint32_t larger(uint32_t a, uint32_t b) {
#ifdef __CUDACC__
	return __vmaxu2(a, b);
#else
	const uint32_t lo = max(a & 0xffff, b & 0xffff), hi = max(a >> 16, b >> 16);
	return lo | hi << 16;
#endif
}

// pair_tile is the tile with a number: 4 columns i for each warp by 64 columns j. Those with the
// same 64 follow each other, as many as have some i below some j. It returns false after the last.
__device__ __forceinline__ bool pair_tile(int u, int n, int warps, int *i, int *j) {
	for (int c = 0; 64 * c < n; c++) {
		const int below = 64 * (c + 1) < n ? 64 * (c + 1) : n;
		const int tiles = (below - 1 + 4 * warps - 1) / (4 * warps);
		if (u < tiles) {
			*i = 4 * warps * u, *j = 64 * c;
			return true;
		}
		u -= tiles;
	}
	return false;
}

// scan_pairs has a block evaluate a tile at a time, a thread 4 x 2 pairs, two of them in a word:
// with d wanted rows more than there are, the sum of |d| is twice that of max(d, 0), less that of
// d, which is the same for all neighbours but for the classes with a price.
template <bool CACHED>
__device__ inline void scan_pairs(
		const job &o, const ppp &q, const sets &s, const looker &k, found *best) {
	__shared__ staged z[2];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const int warps = min((int)blockDim.x >> 5, PAIR_WARPS);
	int i0, j0;
	for (int u = block_of_walk(o); pair_tile(u, o.n, warps, &i0, &j0); u += o.blocks) {
		uint32_t more[4] = {}, b[4] = {}, b0[4] = {}, t0[4] = {};
		int32_t f[4][2];
		for (int x = 0; x < 8; x++) f[x / 2][x % 2] = s.rest;
		copier own[COPIERS];
		for (int x = 0; x < COPIERS; x++) {
			const int number = threadIdx.x + x * blockDim.x;
			own[x] = {nullptr, 0, 0};
			if (number < DEEP * copies_of(warps))
				own[x] = copier_of(s, q.stride, number, i0, j0, warps);
		}
		__syncthreads();
		stage<CACHED>(z, s, own, q.stride, 0, i0, j0, warps);
		for (int r = 0; r < s.records; r += DEEP) {
			const staged &now = z[r / DEEP & 1];
			if (r + DEEP < s.records) {
				stage<CACHED>(z + (r / DEEP + 1 & 1), s, own, q.stride, r + DEEP, i0, j0, warps);
				arrived<1>();
			} else {
				arrived<0>();
			}
			__syncthreads();
			const int count = s.records - r < DEEP ? s.records - r : DEEP;
			for (int d = 0; d < count && warp < warps; d++) {
				const uint4 to = now.info[d], x = *(const uint4 *)&now.ui[d][4 * warp];
				const uint2 y = *(const uint2 *)&now.uj[d][2 * lane];
				b[0] += __popc(x.x & y.x) + (__popc(x.x & y.y) << 16);
				b[1] += __popc(x.y & y.x) + (__popc(x.y & y.y) << 16);
				b[2] += __popc(x.z & y.x) + (__popc(x.z & y.y) << 16);
				b[3] += __popc(x.w & y.x) + (__popc(x.w & y.y) << 16);
				if (!to.z) continue;
				const uint4 ci = *(const uint4 *)&now.ci[d][4 * warp];
				const uint2 cj = *(const uint2 *)&now.cj[d][2 * lane];
				const uint32_t si[4] = {ci.x * PAIRED, ci.y * PAIRED, ci.z * PAIRED, ci.w * PAIRED};
				const uint32_t sj = cj.x + (cj.y << 16), base = (to.x + MIDDLE) * PAIRED;
				uint32_t wants[4]; // each with MIDDLE
#pragma unroll
				for (int h = 0; h < 4; h++) {
					const uint32_t t = si[h] + sj - b[h] + b0[h];
					wants[h] = base + t - t0[h];
					b0[h] = b[h], t0[h] = t, b[h] = 0;
				}
				if (to.y) {
					for (int e = 0; e < 8; e++) {
						const uint32_t w = e % 2 ? wants[e / 2] >> 16 : wants[e / 2] & 0xffff;
						f[e / 2][e % 2] += (1 - (int32_t)to.y) * ((int32_t)w - MIDDLE);
					}
				} else {
#pragma unroll
					for (int h = 0; h < 4; h++)
						more[h] += larger(wants[h], MIDDLE * PAIRED) - MIDDLE * PAIRED;
				}
			}
			__syncthreads();
		}
		if (warp >= warps) continue;
#pragma unroll
		for (int e = 0; e < 8; e++) {
			const int i = i0 + 4 * warp + e / 2, j = j0 + 2 * lane + e % 2;
			const uint32_t above = e % 2 ? more[e / 2] >> 16 : more[e / 2] & 0xffff;
			if (i < j && j < o.n)
				note_flips(o, k, best, f[e / 2][e % 2] + 2 * (int32_t)above, i, j, -1);
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

// scan_triples has a block evaluate a tile at a time, a thread 4 x 2 triples. What depends on i and
// j alone is computed first.
template <bool CACHED>
__device__ inline void scan_triples(
		const job &o, const ppp &q, const sets &s, const looker &k, found *best) {
	__shared__ int4 wanted[MOST_RECORDS];
	const int64_t stride = q.stride, fours = (o.n + 3) / 4, tiles = 2 * fours * fours + fours;
	for (int64_t u = block_of_walk(o); u < tiles; u += o.blocks) {
		int i, j0;
		triple_tile(u, &i, &j0);
		const uint32_t *ui = s.up + i, *uj = s.up + j0;
		__syncthreads();
		for (int slot = threadIdx.x; slot < s.classes; slot += blockDim.x) {
			const int begin = slot < s.even ? 0 : s.even;
			int32_t p[3][4] = {}, c[2][4] = {}; // in common and in all, of this slot and those before
			for (int d = 0; d < 3 && slot - d >= begin; d++) {
				const int x = slot - d, from = x ? s.ends[x - 1] : 0;
				for (int r = from; r < s.ends[x]; r++) {
					const uint32_t *y = uj + r * stride, a = ui[r * stride];
					for (int e = 0; e < 4; e++) p[d][e] += __popc(a & y[e]);
				}
				const int32_t *count = s.count + (s.ends[x] - 1) * stride;
				for (int e = 0; e < 4 && d < 2 && from < s.ends[x]; e++)
					c[d][e] = count[i] + count[j0 + e];
			}
			if (s.ends[slot] == (slot ? s.ends[slot - 1] : 0)) continue;
			const int32_t to = (int32_t)s.infos[s.ends[slot] - 1].x;
			int32_t d[4];
			for (int e = 0; e < 4; e++)
				d[e] = to + c[0][e] - (p[0][e] - p[1][e]) - c[1][e] + (p[1][e] - p[2][e]);
			wanted[s.ends[slot] - 1] = {d[0], d[1], d[2], d[3]};
		}
		__syncthreads();
		for (int l0 = (j0 + 1) / 64 * 64 + 2 * threadIdx.x; l0 < o.n; l0 += 2 * blockDim.x) {
			int32_t f[4][2], t0[4][2] = {}, q0[4][2] = {}, a0[4][2] = {}, a[4][2] = {}, b[4][2] = {};
			for (int x = 0; x < 8; x++) f[x / 2][x % 2] = s.left;
			const uint32_t *ul = s.up + l0;
			const int32_t *cl = s.count + l0;
			// The next record is read while one is evaluated; there is room for one after the last.
			uint32_t x = read<CACHED>(ui);
			uint4 y = read<CACHED>((const uint4 *)uj), to = read<CACHED>(s.infos);
			uint2 z = read<CACHED>((const uint2 *)ul), c = read<CACHED>((const uint2 *)cl);
			for (int r = 0; r < s.records; r++) {
				const int64_t at = (r + 1) * stride;
				const uint32_t x1 = read<CACHED>(ui + at);
				const uint4 y1 = read<CACHED>((const uint4 *)(uj + at)), to1 = read<CACHED>(s.infos + r + 1);
				const uint2 z1 = read<CACHED>((const uint2 *)(ul + at));
				const uint2 c1 = read<CACHED>((const uint2 *)(cl + at));
				const uint32_t ys[4] = {y.x, y.y, y.z, y.w}, zs[2] = {z.x, z.y};
#pragma unroll
				for (int e = 0; e < 8; e++) {
					const uint32_t yy = ys[e / 2], zz = zs[e % 2];
					a[e / 2][e % 2] += __popc(x & yy & zz);
					b[e / 2][e % 2] += __popc((x | yy) & zz);
				}
				if (to.z) {
					const int32_t sl[2] = {(int32_t)c.x, (int32_t)c.y};
					const int4 want = wanted[r];
					const int32_t d[4] = {want.x, want.y, want.z, want.w};
#pragma unroll
					for (int e = 0; e < 8; e++) {
						const int h = e / 2, g = e % 2;
						const int32_t both = b[h][g] + a0[h][g], t = sl[g] - both + q0[h][g];
						price(&f[h][g], d[h] + t - t0[h][g], (int32_t)to.y);
						a0[h][g] = a[h][g], q0[h][g] = both, t0[h][g] = t, a[h][g] = b[h][g] = 0;
					}
				}
				x = x1, y = y1, z = z1, c = c1, to = to1;
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
	const int64_t a = walk_of_block(o);
	if (!due(o, walks[a])) return;
	const sets s = sets_of(o, q, a);
	const looker k = looker_of(o, q, walks, a, deltas);
	found best = {no_choice(), no_choice(), no_choice()};
	if (F == 1 || given || (F == 3 && s.records > MOST_RECORDS))
		scan_flips<F, CACHED>(o, q, s, k, given, &best);
	else if (F == 2)
		scan_pairs<CACHED>(o, q, s, k, &best);
	else
		scan_triples<CACHED>(o, q, s, k, &best);
	best = best_of(best);
	if (threadIdx.x == 0) parts[blockIdx.x] = best;
}

#define SETS(name, flips, cached)                                                             \
	extern "C" __global__ void __launch_bounds__(256) name(job o, ppp q, const walk *walks,     \
			const int4 *given, int64_t *deltas, found *parts) {                                     \
		scan_sets<flips, cached>(o, q, walks, given, deltas, parts);                              \
	}
SETS(ppp_one, 1, false)
SETS(ppp_one_readonly, 1, true)
SETS(ppp_two, 2, false)
SETS(ppp_two_readonly, 2, true)
SETS(ppp_three, 3, false)
SETS(ppp_three_readonly, 3, true)
#undef SETS

#endif
