// What the kernels of ga/rivals share: tours in rows, distances, draws, lengths and hashes.
#ifndef METALAB_GENETIC_COMMON_CUH
#define METALAB_GENETIC_COMMON_CUH

#include <stdint.h>

#include "../arith.h"

#define ALL 0xffffffffu

// Purposes of draws, see the layout of ga/rivals.
#define DRAW_START 1
#define DRAW_MUTATION 3

// job is a generation; it is passed by value.
struct job {
	uint64_t seed, iteration;
	double mutation;       // probability that a tour mutates
	int32_t n, births;     // cities; tours to make
	int32_t metric;        // 1, 3 or 9: EUC_2D, CEIL_2D or ATT; 0: distances are of a matrix
	int32_t first;         // where children begin, if drawn is 0
	int32_t drawn;         // children begin at a random city
	int32_t gaining;       // mutations make moves that gain, else random ones
	int32_t moves;         // of a mutation
	int32_t k;             // neighbours in a list
};

// birth is a tour to make.
struct birth {
	uint64_t seed;         // of its draws
	int32_t to, a, b;      // rows: of the tour, and of its parents
	int32_t place;         // whose draws are taken
	int32_t cross;         // NONE: a copy of a that may mutate
	int32_t from, until;   // with ARX: the places at which the parents change over
	int32_t improve;       // the best moves of elite=improved, in place of a mutation
};

enum { NONE, SCX, BCSCX, ARX };

// child is what the host learns of a tour.
struct child {
	int64_t length;
	uint64_t hash;
};

// How two cities are compared: by a matrix, by places, or by places that are whole numbers, whose
// squares are exact in integers.
enum { MATRIX, REAL, WHOLE };

// world is an instance. Cities have internal numbers.
struct world {
	const double2 *places;   // null: distances are of a matrix
	const int2 *whole;       // the same if all are whole numbers; else null
	const int32_t *matrix;   // n x n
	const int32_t *internal; // by number of the instance
	const int32_t *near;     // lists of k neighbours, nearest first; null: not needed
	const int32_t *far;      // their distances
	const double *boxes;     // round leaves and nodes, four each; null: not needed
};

// stream is arith.Stream.
struct stream {
	uint64_t key;
	ml_u4 at, words;
	int next;
};

__device__ __forceinline__ stream stream_of(uint64_t seed, uint64_t it, int agent, int purpose) {
	return {seed, {(uint32_t)it, (uint32_t)(it >> 32) ^ (uint32_t)purpose << 24,
		(uint32_t)agent, 0}, {}, 4};
}

__device__ __forceinline__ stream stream_of(const job &o, uint64_t it, int agent, int purpose) {
	return stream_of(o.seed, it, agent, purpose);
}

__device__ __forceinline__ uint32_t draw(stream *s) {
	if (s->next == 4) {
		s->words = ml_philox(s->key, s->at);
		s->at.w++;
		s->next = 0;
	}
	const int k = s->next++;
	return k == 0 ? s->words.x : k == 1 ? s->words.y : k == 2 ? s->words.z : s->words.w;
}

// below is a draw from 0 to n - 1.
__device__ __forceinline__ int below(stream *s, int n) {
	return (int)((uint64_t)draw(s) * (uint32_t)n >> 32);
}

__device__ __forceinline__ double unit(stream *s) {
	return ((double)draw(s) + 0.5) * (1.0 / 4294967296.0);
}

// dist is the distance from city a to city b.
template <int KIND>
__device__ __forceinline__ int dist(const job &o, const world &w, int a, int b) {
	if (KIND == MATRIX) return __ldg(w.matrix + (int64_t)a * o.n + b);
	const double2 p = w.places[a], q = w.places[b];
	return ml_dist(o.metric, p.x - q.x, p.y - q.y);
}

__device__ __forceinline__ int64_t sum_of_warp(int64_t v) {
	for (int x = 16; x > 0; x >>= 1)
		v += (int64_t)__shfl_xor_sync(ALL, (unsigned long long)v, x);
	return v;
}

// measured is the length and the hash (arith.HashPerm) of a tour, by a warp.
template <class C, int KIND>
__device__ inline child measured(const job &o, const world &w, const C *t, int lane) {
	int64_t length = 0;
	uint64_t hash = 0;
#pragma unroll 4
	for (int i = lane; i < o.n; i += 32) {
		const int c = t[i], next = t[i + 1 == o.n ? 0 : i + 1];
		length += dist<KIND>(o, w, c, next);
		hash += ml_mix64((uint64_t)i << 32 | (uint32_t)(c + 1));
	}
	return {sum_of_warp(length), (uint64_t)sum_of_warp((int64_t)hash)};
}

// gain is by how much a move makes a tour shorter; of equal ones the one with the smaller order
// counts.
struct gain {
	int64_t by, order;
};

__device__ __forceinline__ gain larger(gain a, gain b) {
	bool first = a.by > b.by || (a.by == b.by && a.order <= b.order);
	return first ? a : b;
}

__device__ __forceinline__ gain largest_of_warp(gain g) {
	for (int x = 16; x > 0; x >>= 1) {
		gain h = {(int64_t)__shfl_xor_sync(ALL, (unsigned long long)g.by, x),
			(int64_t)__shfl_xor_sync(ALL, (unsigned long long)g.order, x)};
		g = larger(g, h);
	}
	return g;
}

#endif
