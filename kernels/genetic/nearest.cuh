// First tours by the nearest neighbour, a warp each: tours.Space.NearestNeighbour, with the same
// cities.
//
// In the plane a tree tells which cities are left. A leaf is 32 cities with numbers side by side,
// which lie along a Hilbert curve, and a node is 32 leaves or nodes: so a warp looks at all that is
// in one at once. The boxes round them are the same for all tours; of each tour there is one bit a
// city, and one for each leaf and node that has a city left.
#ifndef METALAB_GENETIC_NEAREST_CUH
#define METALAB_GENETIC_NEAREST_CUH

#include "common.cuh"

// box is what lies round the cities of a leaf or node.
struct box {
	double left, low, right, high;
};

#define LEVELS 6 // 2^30 cities

// tree is what is left of the cities for one tour. Level 0 are leaves; those of level l have words
// and boxes from first[l] on.
struct tree {
	uint32_t *left; // a bit for each city, leaf or node below
	int top;        // the level of the root
	int first[LEVELS];
};

// words is how many words a tree of n cities has.
__device__ __forceinline__ int64_t words(int n) {
	int64_t sum = 0;
	do {
		n = (n + 31) >> 5;
		sum += n;
	} while (n > 1);
	return sum;
}

// grow makes a tree in which all cities are left.
__device__ inline tree grow(uint32_t *left, int n, int lane) {
	tree t = {left, -1, {}};
	int at = 0;
	do {
		const int below = n;
		n = (n + 31) >> 5;
		t.first[++t.top] = at;
		for (int i = lane; i < n; i += 32) {
			const int more = below - 32 * i;
			left[at + i] = more >= 32 ? ALL : (1u << more) - 1;
		}
		at += n;
	} while (n > 1);
	__syncwarp();
	return t;
}

// cut takes a city out of the tree.
__device__ __forceinline__ void cut(const tree &t, int c, int lane) {
#pragma unroll 1
	for (int l = 0; l <= t.top; l++, c >>= 5) {
		uint32_t *word = t.left + t.first[l] + (c >> 5);
		const uint32_t rest = *word & ~(1u << (c & 31));
		__syncwarp();
		if (lane == 0) *word = rest;
		if (rest) break;
	}
	__syncwarp();
}

// least_of_warp is the least of the lanes' numbers.
__device__ __forceinline__ uint32_t least_of_warp(uint32_t v) {
#if __CUDA_ARCH__ >= 800
	return __reduce_min_sync(ALL, v);
#else
	for (int x = 16; x > 0; x >>= 1) {
		const uint32_t u = __shfl_xor_sync(ALL, v, x);
		v = u < v ? u : v;
	}
	return v;
#endif
}

// close is a city and the square of its distance: the bits of a double that is not negative order
// as it does. Of equal ones the smaller city counts.
struct close {
	uint64_t square;
	int c;
};

__device__ __forceinline__ close closer(close a, close b) {
	return b.square < a.square || (b.square == a.square && b.c < a.c) ? b : a;
}

// closest_of_warp is the closest of the lanes' cities, which ascend with the lanes.
__device__ __forceinline__ close closest_of_warp(close a) {
	const uint32_t high = (uint32_t)(a.square >> 32), low = (uint32_t)a.square;
	const uint32_t h = least_of_warp(high);
	uint32_t same = __ballot_sync(ALL, high == h);
	if (same & (same - 1)) {
		const uint32_t l = least_of_warp(high == h ? low : ALL);
		same = __ballot_sync(ALL, high == h && low == l);
	}
	const int lane = __ffs(same) - 1;
	a.square = (uint64_t)h << 32 | __shfl_sync(ALL, low, lane);
	a.c = __shfl_sync(ALL, a.c, lane);
	return a;
}

#define FAR_OFF (~0ull) // the square of the distance of what is not there

// square is that of the distance from a place to a box, 0 inside; no city in the box is closer.
__device__ __forceinline__ uint64_t square(const box &b, double2 p) {
	double dx = b.left > p.x ? b.left - p.x : p.x > b.right ? p.x - b.right : 0;
	double dy = b.low > p.y ? b.low - p.y : p.y > b.high ? p.y - b.high : 0;
	return ML_D2U(dx * dx + dy * dy);
}

// open looks at what is in a node of level l > 0, a lane at each.
__device__ __forceinline__ uint64_t open(
		const tree &t, const box *boxes, int l, int node, double2 p, int lane) {
	const uint32_t left = t.left[t.first[l] + node];
	if (!(left >> lane & 1)) return FAR_OFF;
	return square(boxes[t.first[l - 1] + 32 * node + lane], p);
}

// look is the closest of a leaf's cities.
__device__ __forceinline__ close look(
		const tree &t, const world &w, int leaf, double2 p, int lane) {
	close a = {FAR_OFF, 32 * leaf + lane};
	if (t.left[t.first[0] + leaf] >> lane & 1) {
		const double2 q = __ldg(w.places + a.c);
		const double dx = q.x - p.x, dy = q.y - p.y;
		a.square = ML_D2U(dx * dx + dy * dy);
	}
	return closest_of_warp(a);
}

// nearest is the city left that is nearest to a place. Of what is in a node the closest comes
// first, and what is farther than the best city is passed over.
__device__ inline int nearest(const tree &t, const world &w, double2 p, int lane) {
	if (t.top == 0) return look(t, w, 0, p, lane).c;
	const box *boxes = (const box *)w.boxes;
	close best = {FAR_OFF, INT32_MAX};
	uint64_t far[LEVELS];
	int node[LEVELS], l = t.top;
	node[l] = 0;
	far[l] = open(t, boxes, l, 0, p, lane);
#pragma unroll 1
	while (l <= t.top) {
		const uint32_t high = far[l] <= best.square ? (uint32_t)(far[l] >> 32) : ALL;
		const uint32_t h = least_of_warp(high);
		if (h == ALL) {
			l++;
			continue;
		}
		const int lead = __ffs(__ballot_sync(ALL, high == h)) - 1;
		if (lane == lead) far[l] = FAR_OFF;
		const int in = 32 * node[l] + lead;
		if (l == 1) {
			best = closer(best, look(t, w, in, p, lane));
		} else {
			l--;
			node[l] = in;
			far[l] = open(t, boxes, l, in, p, lane);
		}
	}
	return best.c;
}

// walk writes the tour by the nearest neighbour that begins at a city; left has room for the words
// of a tree.
template <class C, int KIND>
__device__ inline void walk(
		const job &o, const world &w, C *tour, uint32_t *left, int from, int lane) {
	const tree t = grow(left, o.n, lane);
#pragma unroll 1
	for (int i = 0, c = from;; i++) {
		if (lane == 0) tour[i] = (C)c;
		if (i == o.n - 1) break;
		cut(t, c, lane);
		if constexpr (KIND == MATRIX) {
			close best = {FAR_OFF, INT32_MAX};
			for (int d = lane; d < o.n; d += 32) {
				if (!(left[d >> 5] >> lane & 1)) continue;
				const uint32_t far = (uint32_t)dist<KIND>(o, w, c, d) ^ 1u << 31; // orders as signed ones
				best = closer(best, {far, d});
			}
			const uint32_t near = least_of_warp((uint32_t)best.square);
			c = (int)least_of_warp((uint32_t)best.square == near ? (uint32_t)best.c : ALL);
		} else {
			c = nearest(t, w, w.places[c], lane);
		}
	}
	__syncwarp();
}

#endif
