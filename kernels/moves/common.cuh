// What the kernels of tabu search share: moves and their numbers, choices, and the two stages in
// which the best move is found.
//
// A scan is two launches or three. In the first each thread evaluates the neighbours t, t + T,
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

// How a scan chooses: tabu search, or hill climbing, which makes the best improving move, or the
// first of those from some index on, going round.
enum { TABU, BEST, FIRST, RANDOM };

// job is what an iteration is to do in one neighbourhood; it is passed by value.
struct job {
	uint64_t seed;
	uint64_t size; // moves of a walk's neighbourhood
	int64_t tenure, aspiration;
	int32_t tenures;       // 0 cube, 1 uniform, 2 fixed, 3 conflicts
	int32_t n, flips;      // length of a solution; positions that a move touches
	int32_t blocks;        // of a walk
	int32_t pick;          // TABU, BEST, FIRST or RANDOM
	int32_t number;        // of the neighbourhood
	int32_t level, depth;  // of a descent: the neighbourhood's place, and how many there are
	int32_t real;          // costs are the bits of doubles, and deltas are ordered_bits
	int32_t scans;         // of a walk in all, for kernels that make all of them
	int32_t first, span;   // a launch has the blocks first to first + span - 1 of each walk
	int32_t parted;        // it only finds the best moves: those of other launches are not known yet
	int32_t pad;
};

// A launch has all blocks of a walk, unless several devices have parts of them each.
__device__ __forceinline__ int walk_of_block(const job &o) { return blockIdx.x / o.span; }
__device__ __forceinline__ int block_of_walk(const job &o) {
	return o.first + blockIdx.x % o.span;
}

// walk is the state of a walk beside its solution and its memory.
struct walk {
	int64_t clock, cost, low, least;
	double sum;
	// Of tabu search worsening, aspired, overdue, stuck, looked; else looked, improving, ended.
	int64_t tally[5];
	uint64_t hash;
	int32_t at[3]; // the positions of the last move; -1: not needed, or no move was made
	int32_t back;  // its direction
	int64_t better; // the last move led to a new best solution
	int64_t from;   // climbing: the index from which the next scan looks
	int32_t level;  // climbing: the place of its neighbourhood
	int32_t left;   // scans that are left
	int32_t ended;  // climbing: the walk is at a local optimum
	int32_t pad;
};

// due tells whether a walk makes a scan in this launch. Kernels do nothing for the others.
__device__ __forceinline__ bool due(const job &o, const walk &w) {
	return w.left > 0 && !w.ended && w.level == o.level;
}

// ordered_bits is a number whose order is that of doubles; 0 and -0 are the same.
__device__ __forceinline__ int64_t ordered_bits(double x) {
	int64_t b = (int64_t)ML_D2U(x + 0.0);
	return b < 0 ? b ^ INT64_MAX : b;
}

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

// best_of_blocks finds the best moves of walk a among those of its blocks; only thread 0 gets them.
__device__ inline found best_of_blocks(const job &o, const found *parts, int64_t a) {
	found f = {no_choice(), no_choice(), no_choice()};
	for (int b = threadIdx.x; b < o.span; b += blockDim.x) {
		const found &g = parts[a * o.span + b];
		f.all = better(f.all, g.all), f.late = better(f.late, g.late), f.open = better(f.open, g.open);
	}
	return best_of(f);
}

// best_of_part puts the best moves of walk a among those of a launch's blocks behind those of all
// walks, of which there are so many; a block calls it.
__device__ inline void best_of_part(const job &o, const walk *w, found *parts, int a, int walks) {
	if (!due(o, w[a])) return;
	const found f = best_of_blocks(o, parts, a);
	if (threadIdx.x == 0) parts[(int64_t)walks * o.span + a] = f;
}

// read reads what a kernel never writes: through the read-only cache, or as any other memory.
template <bool CACHED, class T> __device__ __forceinline__ T read(const T *p) {
	return CACHED ? __ldg(p) : *p;
}

__device__ __forceinline__ int64_t pairs_of(int64_t n) { return n * (n - 1) / 2; }

// triples_of is n (n - 1) (n - 2) / 6, for n up to 2^21 without overflow: one of the factors of the
// first product is even, and one of the three divisible by 3.
__device__ __forceinline__ int64_t triples_of(int64_t n) {
	return n < 3 ? 0 : n * (n - 1) / 2 * (n - 2) / 3;
}

// pair_digit is the largest a with pairs_of(a) <= r. The root is estimated, and then corrected, so
// it is exact.
__device__ __forceinline__ int64_t pair_digit(int64_t r) {
	int64_t a = (int64_t)ML_SQRT(2 * (double)r) + 1;
	while (pairs_of(a) > r) a--;
	while (pairs_of(a + 1) <= r) a++;
	return a;
}

// pair_at is the pair with this index among the pairs of n things, moves.PairAt.
__device__ __forceinline__ void pair_at(int64_t n, uint64_t index, int *i, int *j) {
	const int64_t rest = pairs_of(n) - 1 - (int64_t)index, a = pair_digit(rest);
	*i = (int)(n - 1 - a);
	*j = (int)(n - 1 - (rest - pairs_of(a)));
}

// triple_at is the triple with this index among the triples of n things, moves.TripleAt.
__device__ __forceinline__ void triple_at(int64_t n, uint64_t index, int *i, int *j, int *k) {
	int64_t rest = triples_of(n) - 1 - (int64_t)index, a = (int64_t)cbrt(6 * (double)rest) + 2;
	if (a > n) a = n;
	while (triples_of(a) > rest) a--;
	while (a < n && triples_of(a + 1) <= rest) a++;
	rest -= triples_of(a);
	const int64_t b = pair_digit(rest);
	*i = (int)(n - 1 - a);
	*j = (int)(n - 1 - b);
	*k = (int)(n - 1 - (rest - pairs_of(b)));
}

// move_at is the move of o.flips positions with this index; positions that are not needed are -1.
// given, if it is not null, has the moves that the host generated.
__device__ __forceinline__ void move_at(
		const job &o, const int4 *given, uint64_t index, int *i, int *j, int *k = nullptr) {
	if (k) *k = -1;
	if (given) {
		int4 m = given[index];
		*i = m.x, *j = m.y;
		if (k) *k = m.z;
	} else if (o.flips == 1) {
		*i = (int)index, *j = -1;
	} else if (o.flips == 2 || !k) {
		pair_at(o.n, index, i, j);
	} else {
		triple_at(o.n, index, i, j, k);
	}
}

// start_of is the index from which a scan looks for the first improving move.
__device__ inline uint64_t start_of(const job &o, const walk &w, int walk) {
	if (o.pick == FIRST) return o.size ? (uint64_t)w.from % o.size : 0;
	if (o.pick != RANDOM) return 0;
	const uint64_t clock = w.clock + 1;
	ml_u4 c = {(uint32_t)clock, (uint32_t)(clock >> 32) ^ 3u << 24, (uint32_t)walk, 0};
	return (uint64_t)((double)o.size * (((double)ml_philox(o.seed, c).x + 0.5) * 0x1p-32));
}

// note_found adds a move to f. late and tabu are what the memory says of it; start is start_of. Of
// the first improving move, all has the distance from start and the index, and late the distance
// and the delta.
__device__ __forceinline__ void note_found(const job &o, uint64_t start, found *f, int64_t delta,
		uint64_t index, bool late, bool tabu) {
	choice c = {delta, index};
	if (o.pick == TABU) {
		f->all = better(f->all, c);
		if (late) f->late = better(f->late, c);
		if (!tabu) f->open = better(f->open, c);
	} else if (delta < 0) {
		if (o.pick != BEST) {
			c.delta = (int64_t)(index - start + (index < start ? o.size : 0));
			f->late = better(f->late, {c.delta, (uint64_t)delta});
		}
		f->all = better(f->all, c);
	}
}

// chosen is the move that tabu search makes of these, by the rule of solvers/moves: one that leads
// to a new best solution; else the best of the overdue ones; else the best that is not tabu.
__device__ __forceinline__ choice chosen(const found &f, int64_t hope) {
	if (f.all.delta < hope) return f.all;
	return f.late.index != NO_MOVE ? f.late : f.open;
}

// wait_of draws for how many scans the d-th position of a move is forbidden: moves.tenure.
// conflicts are a colouring's.
__device__ inline int64_t wait_of(
		const job &o, int64_t clock, int walk, int d, int conflicts = 0) {
	ml_u4 c = {(uint32_t)clock, (uint32_t)((uint64_t)clock >> 32) ^ 2u << 24, (uint32_t)walk, 0};
	if (o.tenures == 2) return o.tenure;
	c = ml_philox(o.seed, c);
	uint32_t u = d == 0 ? c.x : d == 1 ? c.y : c.z;
	if (o.tenures == 3) {
		int64_t most = o.tenure < 1 ? 1 : o.tenure;
		return (int64_t)((uint64_t)u * (uint64_t)most >> 32) + (int64_t)conflicts * 6 / 10;
	}
	if (o.tenures == 1) {
		int64_t lo = o.tenure * 9 / 10;
		uint32_t span = (uint32_t)(o.tenure * 11 / 10 - lo + 1);
		return lo + (int64_t)((uint64_t)u * span >> 32);
	}
	double q = ((double)u + 0.5) * (1.0 / 4294967296.0);
	return (int64_t)(q * q * q * (double)o.tenure);
}

// taken counts a scan after its move: search.take.
__device__ inline void taken(const job &o, walk *w) {
	if (o.real) {
		double c = ML_U2D(w->cost), least = ML_U2D(w->least), low = ML_U2D(w->low);
		if (c < least) w->least = w->cost;
		w->sum += c;
		w->better = c < low;
	} else {
		w->least = w->cost < w->least ? w->cost : w->least;
		w->sum += (double)w->cost;
		w->better = w->cost < w->low;
	}
	if (w->better) w->low = w->cost;
}

// climbed is decide for climbing.
__device__ inline choice climbed(const job &o, walk *w, const found &f) {
	choice c = f.all;
	int64_t looked = (int64_t)o.size;
	if (o.pick != BEST && c.index != NO_MOVE) {
		looked = c.delta + 1;
		c.delta = (int64_t)f.late.index;
	}
	w->tally[0] += looked;
	if (c.index != NO_MOVE) {
		w->tally[1]++;
		w->level = 0;
		w->from = (int64_t)c.index;
	} else if (o.level + 1 < o.depth) {
		w->level++;
		w->from = 0;
	} else {
		w->tally[2]++;
		w->ended = 1;
	}
	return c;
}

// decide decides what a scan does: it counts, and returns the move, if there is one. The cost
// follows, unless it is a double, which the caller sets. The caller then calls taken. looked is how
// many neighbours tabu search has looked at, if not all.
__device__ inline choice decide(const job &o, walk *w, const found &f, int64_t looked = -1) {
	w->clock++;
	w->left--;
	w->at[0] = w->at[1] = w->at[2] = -1;
	w->back = 0;
	choice c;
	if (o.pick != TABU) {
		c = climbed(o, w, f);
	} else {
		int64_t hope = o.real ? ordered_bits(ML_U2D(w->low) - ML_U2D(w->cost)) : w->low - w->cost;
		c = chosen(f, hope);
		if (f.late.index != NO_MOVE) w->tally[2]++;
		w->tally[4] += looked < 0 ? (int64_t)o.size : looked;
		if (c.index == NO_MOVE)
			w->tally[3]++;
		else if (c.delta > 0)
			w->tally[0]++;
	}
	if (c.index != NO_MOVE && !o.real) w->cost += c.delta;
	return c;
}

#endif
