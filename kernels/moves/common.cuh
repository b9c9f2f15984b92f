// What the kernels of tabu search share: moves and their numbers, choices, and the two stages in
// which the best move is found.
//
// A scan is three launches or four. In the first each thread evaluates the neighbours t, t + T,
// t + 2 T, ... of a walk, T threads in all, and each block finds its best ones (stage 1). In the
// second a block per walk finds the best of all blocks (stage 2), decides, notes what must not be
// undone and makes the move. The others update what moves are evaluated by. No result depends on T,
// on blocks or on which block is first: a choice is the least by (delta, index).
#ifndef METALAB_MOVES_COMMON_CUH
#define METALAB_MOVES_COMMON_CUH

#include <stdint.h>

#include "../arith.h"

// NO_MOVE is the index of no move.
#define NO_MOVE 0xffffffffffffffffull

// choice is a move, and by how much it makes the cost grow.
struct choice {
	int64_t delta;
	uint64_t index;
};

// found are the best moves of a part of a neighbourhood: of all, of those that are overdue, and of
// those that are not tabu.
struct found {
	choice all, late, open;
};

// job is what an iteration is to do; it is passed by value.
struct job {
	uint64_t seed;
	uint64_t size;    // moves of a walk's neighbourhood
	int64_t tenure, aspiration;
	int32_t tenures;  // 0 cube, 1 uniform, 2 fixed
	int32_t n, flips; // length of a solution; bits that a move flips, or 2
	int32_t blocks;   // of a walk
	int32_t m;        // rows of a perceptron
	int32_t pairs, factor; // of E, for assignments
	int32_t pad;
};

// walk is the state of a walk beside its solution and its memory.
struct walk {
	int64_t clock, cost, low, least;
	double sum;
	int64_t tally[5]; // worsening, aspired, overdue, stuck, looked
	uint64_t hash;
	int32_t at[2]; // the positions of the last move; -1: no move was made
	int64_t better; // the last move led to a new best solution
};

__device__ __forceinline__ choice no_choice() { return {INT64_MAX, NO_MOVE}; }

__device__ __forceinline__ choice better(choice a, choice b) {
	bool first = a.delta < b.delta || (a.delta == b.delta && a.index < b.index);
	return first ? a : b;
}

__device__ __forceinline__ choice shuffled(choice a, int x) {
	return {(int64_t)__shfl_xor_sync(0xffffffffu, (unsigned long long)a.delta, x),
		(uint64_t)__shfl_xor_sync(0xffffffffu, (unsigned long long)a.index, x)};
}

// best_of finds the least choice of the threads of a block, of at most 1024 threads. Only thread 0
// gets it. All threads must call it.
__device__ inline choice best_of(choice c) {
	__shared__ choice parts[32];
	int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	for (int x = 16; x > 0; x >>= 1) c = better(c, shuffled(c, x));
	__syncthreads(); // parts may still be read from the call before
	if (lane == 0) parts[warp] = c;
	__syncthreads();
	if (warp == 0) {
		c = lane < warps ? parts[lane] : no_choice();
		for (int x = 16; x > 0; x >>= 1) c = better(c, shuffled(c, x));
	}
	return c;
}

__device__ inline found best_of(found f) {
	return {best_of(f.all), best_of(f.late), best_of(f.open)};
}

// read reads what a kernel never writes: through the read-only cache, or as any other memory.
template <bool CACHED, class T> __device__ __forceinline__ T read(const T *p) {
	return CACHED ? __ldg(p) : *p;
}

// pair_at is the pair with this index among the pairs of n things, moves.PairAt. The root is
// estimated, and then corrected, so it is exact.
__device__ __forceinline__ void pair_at(int64_t n, uint64_t index, int *i, int *j) {
	int64_t rest = n * (n - 1) / 2 - 1 - (int64_t)index;
	int64_t a = (int64_t)ML_SQRT(2 * (double)rest) + 1;
	while (a * (a - 1) / 2 > rest) a--;
	while ((a + 1) * a / 2 <= rest) a++;
	*i = (int)(n - 1 - a);
	*j = (int)(n - 1 - (rest - a * (a - 1) / 2));
}

// move_at is the move with this index: two positions, or one and -1. given, if it is not null, has
// the moves that the host generated.
__device__ __forceinline__ void move_at(
		const job &o, const int2 *given, uint64_t index, int *i, int *j) {
	if (given) {
		int2 m = given[index];
		*i = m.x, *j = m.y;
	} else if (o.flips == 1) {
		*i = (int)index, *j = -1;
	} else {
		pair_at(o.n, index, i, j);
	}
}

// note_found adds a move to f. late and tabu are what the memory says of it.
__device__ __forceinline__ void note_found(
		found *f, int64_t delta, uint64_t index, bool late, bool tabu) {
	choice c = {delta, index};
	f->all = better(f->all, c);
	if (late) f->late = better(f->late, c);
	if (!tabu) f->open = better(f->open, c);
}

// chosen is the move that is made of these, by the rule of solvers/moves: one that leads to a new
// best solution; else the best of the overdue ones; else the best that is not tabu.
__device__ __forceinline__ choice chosen(const found &f, int64_t hope) {
	if (f.all.delta < hope) return f.all;
	return f.late.index != NO_MOVE ? f.late : f.open;
}

// wait_of draws for how many scans the d-th position of a move is forbidden: moves.tenure.
__device__ inline int64_t wait_of(const job &o, int64_t clock, int walk, int d) {
	ml_u4 c = {(uint32_t)clock, (uint32_t)((uint64_t)clock >> 32) ^ 2u << 24, (uint32_t)walk, 0};
	if (o.tenures == 2) return o.tenure;
	c = ml_philox(o.seed, c);
	uint32_t u = d == 0 ? c.x : c.y;
	if (o.tenures == 1) {
		int64_t lo = o.tenure * 9 / 10;
		uint32_t span = (uint32_t)(o.tenure * 11 / 10 - lo + 1);
		return lo + (int64_t)((uint64_t)u * span >> 32);
	}
	double q = ((double)u + 0.5) * (1.0 / 4294967296.0);
	return (int64_t)(q * q * q * (double)o.tenure);
}

// taken counts a scan after its move: search.take.
__device__ inline void taken(walk *w) {
	w->least = w->cost < w->least ? w->cost : w->least;
	w->sum += (double)w->cost;
	w->better = w->cost < w->low;
	if (w->better) w->low = w->cost;
}

// decide decides what a scan does: it counts, and returns the move, if there is one.
__device__ inline choice decide(const job &o, walk *w, const found &f) {
	w->clock++;
	choice c = chosen(f, w->low - w->cost);
	if (f.late.index != NO_MOVE) w->tally[2]++;
	w->tally[4] += (int64_t)o.size;
	w->at[0] = w->at[1] = -1;
	if (c.index == NO_MOVE) {
		w->tally[3]++;
		return c;
	}
	if (c.delta > 0) w->tally[0]++;
	w->cost += c.delta;
	return c;
}

#endif
