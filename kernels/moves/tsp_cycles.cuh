// Scans of all exchanges of three cities of tours.
//
// With g(x, y) by how much the tour gets longer where the city at y comes to the position x, and
// its neighbours stay, the exchange of i, j and k makes it longer by g(i, j) + g(j, k) + g(k, i),
// or the other way round by g(i, k) + g(j, i) + g(k, j), if no two of them are next to each other.
// gain has g(x, y) and back has g(y, x) in row x, for y > x + 1. A lane has four rows i and four
// columns k in registers and goes along the positions j: two sums and a comparison an exchange.
// The 2 n^2 exchanges with two positions next to each other are evaluated by their distances.
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
	const int a = walk_of_block(o), block = block_of_walk(o), n = o.n;
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

// three_beside evaluates the two exchanges of x and the two positions after it.
template <class S>
__device__ inline void three_beside(
		const S &space, const job &o, const may &m, int x, picked *best) {
	const int n = o.n;
	int at[3] = {x, x + 1, x + 2};
	if (x == n - 2) at[0] = 0, at[1] = n - 2, at[2] = n - 1;
	if (x == n - 1) at[0] = 0, at[1] = 1, at[2] = n - 1;
	const bool tabu = m.tabu(at[0]) || m.tabu(at[1]) || m.tabu(at[2]);
	for (int back = 0; back < 2; back++) {
		const int d = (int)exchange_delta<3>(space, n, m.p, at, back);
		if (d < m.hope || !tabu) best->look(d, at[0], at[1], 2 * at[2] + back);
	}
}

// two_beside evaluates the exchanges of x, the position after it, and each one that is beside
// neither, a lane one.
template <class S>
__device__ inline void two_beside(
		const S &space, const job &o, const may &m, int x, picked *best) {
	const int n = o.n, lane = threadIdx.x & 31, y = x + 1 < n ? x + 1 : 0;
	const int before = x ? x - 1 : n - 1, after = y + 1 < n ? y + 1 : 0;
	const typename S::place a = space.at(m.p[before]), b = space.at(m.p[x]), c = space.at(m.p[y]),
													d = space.at(m.p[after]);
	const int own = space.from(a, b) + space.from(b, c) + space.from(c, d);
	const int forth = space.from(a, c) - own, back = space.from(b, d) - own;
	const bool pair = m.tabu(x) || m.tabu(y);
	for (int k = lane; k < n; k += 32) {
		if (k == before || k == x || k == y || k == after) continue;
		const typename S::place e = space.at(m.p[k ? k - 1 : n - 1]), f = space.at(m.p[k]),
														g = space.at(m.p[k + 1 < n ? k + 1 : 0]);
		const int rest = space.from(e, f) + space.from(f, g);
		const int u = forth - rest + space.from(c, f) + space.to(d, f) + space.to(b, e) +
				space.from(b, g);
		const int v = back - rest + space.from(a, f) + space.to(b, f) + space.to(c, e) +
				space.from(c, g);
		if (u > best->delta && v > best->delta) continue;
		const bool tabu = pair || m.tabu(k);
		const int low = x < y ? x : y, high = x < y ? y : x; // 0 and n - 1 are next to each other
		const int i = k < low ? k : low, j = k < low ? low : k < high ? k : high,
							l = k > high ? k : high;
		if (u < m.hope || !tabu) best->look(u, i, j, 2 * l);
		if (v < m.hope || !tabu) best->look(v, i, j, 2 * l + 1);
	}
}

// scan_cycles makes a scan of all exchanges of three and the move that follows, after fill_gains.
// Shared memory holds 2 IN_ROWS q.span numbers for each warp.
template <class S>
__device__ inline void scan_cycles(const job &o, const tsp &q, walk *walks, found *parts) {
	extern __shared__ int shared[];
	const S space(q, o);
	const int a = walk_of_block(o), block = block_of_walk(o), n = o.n;
	if (!due(o, walks[a])) return;
	const int warps = blockDim.x >> 5, warp = threadIdx.x >> 5;
	const may m(o, q, walks + a, a);
	picked best = nothing_picked();
	for (int x = block * blockDim.x + threadIdx.x; x < n; x += o.blocks * blockDim.x)
		three_beside(space, o, m, x, &best);
	for (int x = block * warps + warp; x < n; x += o.blocks * warps)
		two_beside(space, o, m, x, &best);
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
