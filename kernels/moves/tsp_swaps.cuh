// Scans of all swaps of tours.
//
// With D(x, y) the distance between the cities at the positions x and y, and c(x) the length of the
// two edges at x, a swap of i and j that are not neighbours makes the tour longer by
//
//	D(i-1, j) + D(i+1, j) + D(i, j-1) + D(i, j+1) - c(i) - c(j),
//
// and by 2 D(i, j) more if they are. So every distance serves four swaps. A lane has K positions j
// next to each other and goes along the positions i: it computes one distance a swap, keeps those
// of three rows, and takes what is beside them from the lanes beside it. The outer positions of a
// warp are only looked at, so that a warp evaluates 32 K - 2 columns, and up to 30 rows, whose
// cities its lanes hold.
#ifndef METALAB_MOVES_TSP_SWAPS_CUH
#define METALAB_MOVES_TSP_SWAPS_CUH

#include "tsp.cuh"

// swaps_part evaluates the swaps of the rows from i0 on, rows of them, with the columns after j0.
template <class S, int K>
__device__ __forceinline__ void swaps_part(
		const S &space, const job &o, const may &m, int i0, int rows, int j0, picked *best, int *lim) {
	typedef typename S::place place;
	const int n = o.n, lane = threadIdx.x & 31;
	int at = i0 - 1 + lane; // lane r has row i0 - 1 + r
	at = at < 0 ? n - 1 : at < n ? at : at % n;
	const place row = space.at(m.p[at]);
	const unsigned tabus = __ballot_sync(FULL, m.tabu(at));
	const int edge = space.from(row, lane_says(row, lane + 1));
	const int both = edge + lane_says(edge, lane - 1); // c of the row

	place col[K];
	int out[K]; // c of the columns; very small: no swap
	unsigned tabu = 0;
#pragma unroll
	for (int k = 0; k < K; k++) {
		int j = j0 + lane * K + k;
		j = j < n ? j : j % n;
		col[k] = space.at(m.p[j]);
		tabu |= (unsigned)m.tabu(j) << k;
	}
	{
		const place after = lane_says(col[0], lane + 1);
		int e[K];
#pragma unroll
		for (int k = 0; k < K; k++) e[k] = space.from(col[k], k + 1 < K ? col[k + 1] : after);
		const int before = lane_says(e[K - 1], lane - 1);
#pragma unroll
		for (int k = 0; k < K; k++) {
			const int x = lane * K + k;
			out[k] = x == 0 || x == 32 * K - 1 || j0 + x >= n ? -NOTHING_PICKED
																												: (k ? e[k - 1] : before) + e[k];
		}
	}

	int f0[K], f1[K], t1[K]; // from the city of the row before, and from and to that of this one
	{
		const place r0 = lane_says(row, 0), r1 = lane_says(row, 1);
#pragma unroll
		for (int k = 0; k < K; k++) {
			f0[k] = space.from(r0, col[k]);
			f1[k] = space.from(r1, col[k]);
			t1[k] = S::BOTH ? space.to(r1, col[k]) : f1[k];
		}
	}
	// Not all columns are beyond all rows, or the last is the neighbour of the first.
	const bool corner = j0 < i0 + rows + 1 || (i0 == 0 && j0 + 32 * K - 1 >= n - 1);
	// Not unrolled: with votes among lanes in it, nvcc 13.0 makes three rows where one is left.
#pragma unroll 1
	for (int r = 1; r <= rows; r++) {
		const place next = lane_says(row, r + 1);
		const int own = lane_says(both, r), i = i0 + r - 1;
		const int left = lane_says(t1[K - 1], lane - 1), right = lane_says(f1[0], lane + 1);
		int f2[K], t2[K], d[K], least = NOTHING_PICKED;
#pragma unroll
		for (int k = 0; k < K; k++) {
			f2[k] = space.from(next, col[k]);
			t2[k] = S::BOTH ? space.to(next, col[k]) : f2[k];
			d[k] = f0[k] + t2[k] + (k ? t1[k - 1] : left);
			d[k] += (k + 1 < K ? f1[k + 1] : right) - out[k];
		}
		if (corner)
#pragma unroll
			for (int k = 0; k < K; k++) {
				const int j = j0 + lane * K + k;
				if (j <= i) d[k] = NOTHING_PICKED;
				if (j == i + 1 || (i == 0 && j == n - 1)) d[k] += f1[k] + t1[k];
			}
#pragma unroll
		for (int k = 0; k < K; k++) least = d[k] < least ? d[k] : least;
		if (__any_sync(FULL, least <= *lim + own)) {
			const bool closed = tabus >> r & 1;
#pragma unroll
			for (int k = 0; k < K; k++) {
				const int j = j0 + lane * K + k, v = d[k] - own;
				if (v <= *lim && out[k] != -NOTHING_PICKED && j > i &&
						(v < m.hope || !(closed || tabu >> k & 1)))
					best->look(v, i, j, 0);
			}
			*lim = least_of(best->delta);
		}
#pragma unroll
		for (int k = 0; k < K; k++) f0[k] = f1[k], f1[k] = f2[k], t1[k] = t2[k];
	}
}

// last_column is the last column of a strip.
__device__ __forceinline__ int last_column(int n, int width, int strip) {
	return (strip + 1) * width < n - 1 ? (strip + 1) * width : n - 1;
}

// scan_swaps makes scans of all swaps and the moves that follow: one, or all that are left with one
// block a walk, or where blocks wait for each other. The tours have at least five cities.
template <class S, int K>
__device__ inline void scan_swaps(job o, tsp q, walk *walks, found *parts) {
	const S space(q, o);
	const int a = walk_of_block(o), block = block_of_walk(o), n = o.n;
	const int warps = blockDim.x >> 5, step = warps * o.blocks, width = 32 * K - 2;
	// Strips of columns have the more rows the further they are to the right, so the first goes with
	// the last, the second with the last but one, and so on: both parts are enough for two strips.
	const int strips = (n - 2 + width) / width;
	const int both = ((strips + 1) * width + q.rows - 1) / q.rows + 1, all = (strips + 1) / 2 * both;
	for (;;) {
		if (!due(o, walks[a])) return;
		const may m(o, q, walks + a, a);
		picked best = nothing_picked();
		int lim = NOTHING_PICKED;
		for (int t = block * warps + (threadIdx.x >> 5); t < all; t += step) {
			int strip = t / both, row = t % both * q.rows, last = last_column(n, width, strip);
			if (row >= last) { // the strip's rows are 0 to last - 1; then come those of the other
				row = (t % both - (last + q.rows - 1) / q.rows) * q.rows;
				if (strip == strips - 1 - strip) continue;
				strip = strips - 1 - strip, last = last_column(n, width, strip);
			}
			if (row < last)
				swaps_part<S, K>(space, o, m, row, last - row < q.rows ? last - row : q.rows,
						strip * width, &best, &lim);
		}
		if (!tsp_end(o, q, walks, parts, a, choice_of(o, best))) return;
	}
}

#endif
