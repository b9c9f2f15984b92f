// Scans of all exchanges of three cities of tours.
//
// With g(x, y) by how much the tour gets longer where the city at y comes to the position x, and
// its neighbours stay, the exchange of i, j and k makes it longer by g(i, j) + g(j, k) + g(k, i),
// or the other way round by g(i, k) + g(j, i) + g(k, j), if no two of them are next to each other.
// gain has g(x, y) and back has g(y, x) in row x, for y > x + 1. A lane has four rows i and four
// columns k in registers and goes along the positions j: two sums and a comparison an exchange.
// Exchanges of positions that are next to each other, about 3 n^2, are evaluated one by one.
#ifndef METALAB_MOVES_TSP_CYCLES_CUH
#define METALAB_MOVES_TSP_CYCLES_CUH

#include "tsp.cuh"

#define IN_ROWS 4    // positions i of a lane
#define IN_COLUMNS 4 // positions k of a lane
#define NO_GAIN (1 << 29) // beyond any sum of three gains; three of it are below 2^31

// fill_gains makes gain and back of all walks.
template <class S>
__device__ inline void fill_gains(const job &o, const tsp &q, const walk *walks) {
	const S space(q, o);
	const int a = blockIdx.x / o.blocks, block = blockIdx.x % o.blocks, n = o.n;
	if (!due(o, walks[a])) return;
	const int32_t *p = q.p + (int64_t)a * n;
	const int64_t s = q.stride;
	int32_t *gain = q.gain + a * n * s, *back = q.back + a * n * s;
	for (int x = block; x < n; x += o.blocks) {
		const typename S::place b = space.at(p[x ? x - 1 : n - 1]), c = space.at(p[x]),
														d = space.at(p[x + 1 < n ? x + 1 : 0]);
		const int own = space.from(b, c) + space.from(c, d);
		for (int y = threadIdx.x; y < s; y += blockDim.x) {
			int g = NO_GAIN, h = NO_GAIN;
			if (y > x + 1 && y < n && (x || y < n - 1)) {
				const typename S::place e = space.at(p[y - 1]), f = space.at(p[y]),
																g0 = space.at(p[y + 1 < n ? y + 1 : 0]);
				g = space.from(b, f) + space.from(f, d) - own;
				h = space.from(e, c) + space.from(c, g0) - space.from(e, f) - space.from(f, g0);
			}
			gain[x * s + y] = g, back[x * s + y] = h;
		}
	}
}

// cycles_part evaluates the exchanges of the rows from i0 on with the columns from k0 on and all j
// from j0 to before j1. gains is room for 2 IN_ROWS (j1 - j0) numbers.
__device__ __forceinline__ void cycles_part(const job &o, const tsp &q, const may &m, int64_t a,
		int i0, int j0, int j1, int k0, int *gains, picked *best, int *lim) {
	const int n = o.n, lane = threadIdx.x & 31, k1 = k0 + IN_COLUMNS * lane;
	const int64_t s = q.stride;
	const int32_t *gain = q.gain + a * n * s, *back = q.back + a * n * s;
	const bool in = k1 < s;
	__syncwarp(); // gains may still be read
	for (int x = lane; x < IN_ROWS * (j1 - j0); x += 32) {
		const int i = i0 + x % IN_ROWS, j = j0 + x / IN_ROWS;
		gains[x] = i < n ? gain[i * s + j] : NO_GAIN;
		gains[IN_ROWS * (j1 - j0) + x] = i < n ? back[i * s + j] : NO_GAIN;
	}
	__syncwarp();
	const int4 none = {NO_GAIN, NO_GAIN, NO_GAIN, NO_GAIN};
	int there[IN_ROWS][IN_COLUMNS], here[IN_ROWS][IN_COLUMNS];
#pragma unroll
	for (int y = 0; y < IN_ROWS; y++) {
		const int64_t at = (i0 + y) * s + k1;
		const bool ok = in && i0 + y < n;
		const int4 u = ok ? *(const int4 *)(back + at) : none, v = ok ? *(const int4 *)(gain + at) : none;
		there[y][0] = u.x, there[y][1] = u.y, there[y][2] = u.z, there[y][3] = u.w;
		here[y][0] = v.x, here[y][1] = v.y, here[y][2] = v.z, here[y][3] = v.w;
	}
	for (int j = j0; j < j1; j++) {
		const int64_t at = j * s + k1;
		const int4 u = in ? *(const int4 *)(gain + at) : none, v = in ? *(const int4 *)(back + at) : none;
		const int4 x = *(const int4 *)(gains + IN_ROWS * (j - j0)),
							 y = *(const int4 *)(gains + IN_ROWS * (j1 - j0) + IN_ROWS * (j - j0));
		const int ij[IN_ROWS] = {x.x, x.y, x.z, x.w}, ji[IN_ROWS] = {y.x, y.y, y.z, y.w};
		const int jk[IN_COLUMNS] = {u.x, u.y, u.z, u.w}, kj[IN_COLUMNS] = {v.x, v.y, v.z, v.w};
		int least = NOTHING_PICKED;
#pragma unroll
		for (int r = 0; r < IN_ROWS; r++)
#pragma unroll
			for (int c = 0; c < IN_COLUMNS; c++) {
				const int d = ij[r] + jk[c] + there[r][c], e = ji[r] + kj[c] + here[r][c];
				least = d < least ? d : least;
				least = e < least ? e : least;
			}
		if (!__any_sync(FULL, least <= *lim)) continue;
		const bool middle = m.tabu(j);
#pragma unroll
		for (int r = 0; r < IN_ROWS; r++)
#pragma unroll
			for (int c = 0; c < IN_COLUMNS; c++) {
				const int d = ij[r] + jk[c] + there[r][c], e = ji[r] + kj[c] + here[r][c];
				const int v = d < e ? d : e, i = i0 + r, k = k1 + c;
				if (v > *lim || v >= NO_GAIN / 2) continue;
				const bool tabu = middle || m.tabu(i) || m.tabu(k);
				if (d < m.hope || !tabu) best->look(d, i, j, 2 * k);
				if (e < m.hope || !tabu) best->look(e, i, j, 2 * k + 1);
			}
		*lim = least_of(best->delta);
	}
}

// beside evaluates the two exchanges of i < j < k, some of which are next to each other.
template <class S>
__device__ inline void beside(
		const S &space, const job &o, const may &m, int i, int j, int k, picked *best) {
	const int at[3] = {i, j, k};
	const bool tabu = m.tabu(i) || m.tabu(j) || m.tabu(k);
	for (int back = 0; back < 2; back++) {
		const int d = (int)exchange_delta<3>(space, o.n, m.p, at, back);
		if (d < m.hope || !tabu) best->look(d, i, j, 2 * k + back);
	}
}

// scan_cycles makes a scan of all exchanges of three and the move that follows, after fill_gains.
// Shared memory holds 2 IN_ROWS q.span numbers for each warp.
template <class S>
__device__ inline void scan_cycles(const job &o, const tsp &q, walk *walks, found *parts) {
	extern __shared__ int shared[];
	const S space(q, o);
	const int a = blockIdx.x / o.blocks, block = blockIdx.x % o.blocks, n = o.n;
	if (!due(o, walks[a])) return;
	const int warps = blockDim.x >> 5, warp = threadIdx.x >> 5;
	const may m(o, q, walks + a, a);
	picked best = nothing_picked();
	const int64_t threads = (int64_t)o.blocks * blockDim.x;
	for (int64_t t = (int64_t)block * blockDim.x + threadIdx.x; t < (int64_t)n * n; t += threads) {
		const int x = (int)(t / n), y = (int)(t % n);
		if (y < x + 2) continue;
		beside(space, o, m, x, x + 1, y, &best);
		if (y + 1 < n) beside(space, o, m, x, y, y + 1, &best);
		if (x == 0 && y < n - 2) beside(space, o, m, 0, y, n - 1, &best);
	}
	__syncwarp();
	int lim = least_of(best.delta);
	int *gains = shared + 2 * IN_ROWS * q.span * warp;
	// Warps beside each other have other rows i, and read the same of gain and back.
	const uint32_t strips = (n + 32 * IN_COLUMNS - 1) / (32 * IN_COLUMNS), // of columns
			spans = (n + q.span - 1) / q.span, rows = (n + IN_ROWS - 1) / IN_ROWS,
			all = rows * strips * spans;
	for (uint32_t t = block * warps + warp; t < all; t += warps * o.blocks) {
		const uint32_t u = t / rows;
		const int i0 = (int)(t % rows) * IN_ROWS, k0 = (int)(u % strips) * 32 * IN_COLUMNS;
		int j0 = (int)(u / strips) * q.span, j1 = j0 + q.span;
		const int most = k0 + 32 * IN_COLUMNS < n ? k0 + 32 * IN_COLUMNS : n; // k is below
		if (j0 < i0 + 2) j0 = i0 + 2;
		if (j1 > most - 2) j1 = most - 2;
		if (j0 < j1) cycles_part(o, q, m, a, i0, j0, j1, k0, gains, &best, &lim);
	}
	tsp_end(o, q, walks, parts, a, choice_of(o, best));
}

#endif
