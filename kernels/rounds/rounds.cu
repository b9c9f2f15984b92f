// Local search by rounds: an iteration of ils/2opt-rounds on every chain, a block of warps for
// each. Segment insertion, the second kind of move, is in insert.cuh; kicks and what an iteration
// makes of them are in kick.cuh; searches on tours of others are in polish.cuh.
//
// What a round is stands in the documentation of solvers/rounds, whose board.go is the twin of
// this file; here is only who does what. The tour, its inverse and the queue lie in shared memory
// as 16-bit numbers. A round has three steps with a barrier behind each: all threads look for
// proposals, 1 to 16 threads for a city; warp 0 chooses among them, one lane for each, and keeps
// the queue; all threads turn the stretches round. The time of a round is that of its chain of
// dependent loads, so they are issued side by side wherever the rules allow it.
//
// The tour that a chain has accepted lies in global memory, where a kick that is not wanted is
// taken back from.
//
// Versions: a block of warps a chain; then descents that queue only cities with a move, and up to
// some thousands of cities in shared memory, which are read ten times as fast from there;
// insertions in kernels of their own, so that 2-opt alone pays nothing for them; searches on
// others' tours, whose loads from global memory stand side by side.
//
// Figures (bench rounds-gpu): 800 tours of pr1002, pr2392 and fnl4461 reach their first 2-opt
// optimum in 0.91, 2.82 and 7.06 ms on an H200, with insertions in 1.57, 5.21 and 10.56.
#include "plane.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define ALL 0xffffffffu

// A stretch is turned round by a team of so many threads, and from twice LONG cities on by the
// whole block.
static const int TEAM = 8, LONG = 48;

// outcome is rounds.Outcome.
struct outcome {
	i64 length;
	u64 hash;
	i64 rounds, moves, kept, gained;
};

// job is what is the same for all chains; it is passed by value.
struct job {
	u64 seed;
	i64 iter;
	int n, neighbours, stride; // stride: from one chain's tour to the next, a multiple of 8
	int width, descend, kicks, size, always, metric;
	int lanes; // threads of a proposal: 1, 2, 4, 8 or 16; 0: as many as there are
	int step;  // of polish: bytes of a tour's record
	int pad;
};

extern __shared__ u32 shared[];

#include "planes.cuh"

// slot is a proposal as the choice needs it: 16 bytes, read at once.
struct __align__(16) slot {
	i64 gain;
	u16 from, size;
	u32 parts; // of an insertion, see insert.cuh; 0: it is a 2-opt move
};

// board is the part of shared memory whose size is fixed; tour, position, queue (n cities
// each, rounded up to a multiple of 8) and a bit for each city that waits follow it. OR says
// whether there are insertions.
template <bool OR>
struct __align__(16) board {
	slot slots[32];
	u16 ends[32][OR ? 6 : 4]; // proposer, new neighbour, left by either; the segment's other end, and
	                          // left by that
	u32 won_moves[32][OR ? 2 : 1]; // from << 16 | size, and parts
	u64 hash, length;
	int head, waiting, won, keep;
	u32 longs, inserts,
			pad[2]; // the moves that the whole block makes, and whether any is an insertion
};

// searcher is one thread's view of a board.
template <class P, bool OR = false>
struct searcher {
	const P plane;
	const job &j;
	const typename P::edge *near;
	board<OR> *b;
	u16 *tour, *pos, *queue;
	u32 *queued;
	const int n, tid, threads, lane, warp;

	// Of warp 0: what this lane's moves saved, and counts.
	i64 saved;
	int rounds, moves;

	__device__ searcher(const void *places, const job &jb, const void *nb)
			: plane(places, jb), j(jb), near((const typename P::edge *)nb), n(jb.n), tid(threadIdx.x),
				threads(blockDim.x), lane(threadIdx.x & 31), warp(threadIdx.x >> 5), saved(0), rounds(0),
				moves(0) {
		int room = (n + 7) & ~7;
		b = (board<OR> *)(shared + (P::SHARED ? (n + 3) & ~3 : 0));
		tour = (u16 *)(b + 1);
		pos = tour + room;
		queue = pos + room;
		queued = (u32 *)(queue + room);
	}

	__device__ int wrap(int p) const { return p < 0 ? p + n : p >= n ? p - n : p; }
	__device__ int d(int a, int c) const { return plane.dist(plane.at(a), plane.at(c)); }

	// load takes a tour over, eight cities at a time.
	__device__ void load(const u16 *from) {
		for (int v = tid; v < (n + 7) >> 3; v += threads) {
			uint4 eight = ((const uint4 *)from)[v];
			((uint4 *)tour)[v] = eight;
			u32 two[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
			for (int k = 0; k < 8; k++)
				if (8 * v + k < n) pos[two[k >> 1] >> (16 * (k & 1)) & 0xffff] = (u16)(8 * v + k);
		}
	}

	__device__ void store(u16 *to) const {
		for (int v = tid; v < (n + 7) >> 3; v += threads) ((uint4 *)to)[v] = ((const uint4 *)tour)[v];
	}

	// fill queues the cities that have a gaining move: all are queued, column by column of a
	// table with a stretch of the tour in each row, then those without are taken out. A barrier lies
	// behind it.
	__device__ void fill() {
		int stretch = (n + 31) >> 5, rows = (n + stretch - 1) / stretch;
		int last = n - (rows - 1) * stretch; // columns with all rows
		for (int p = tid; p < n; p += threads) {
			int row = p / stretch, column = p - row * stretch;
			int before = column < last ? column * rows : last * rows + (column - last) * (rows - 1);
			queue[before + row] = tour[p];
		}
		for (int i = tid; i < (n + 31) >> 5; i += threads)
			queued[i] = i == n >> 5 ? (1u << (n & 31)) - 1 : ALL;
		__syncthreads();
		propose(n, 0, 1, true);
		__syncthreads();
		if (warp == 0) sift(n);
		__syncthreads();
	}

	// sift leaves of the first m places of the queue, which begins at 0, the cities that are still
	// queued; warp 0 does it.
	__device__ void sift(int m) {
		int kept = 0;
		for (int q = 0; q < m; q += 32) { // kept <= q: what is written was read
			int c = q + lane < m ? queue[q + lane] : 0;
			bool in = q + lane < m && (queued[c >> 5] >> (c & 31) & 1);
			u32 ins = __ballot_sync(ALL, in);
			__syncwarp();
			if (in) queue[kept + __popc(ins & ((1u << lane) - 1))] = (u16)c;
			__syncwarp();
			kept += __popc(ins);
		}
		if (lane == 0) b->head = 0, b->waiting = kept;
	}

	// spread is the binary logarithm of the number of threads for each of m proposals.
	__device__ int spread(int m) const {
		int shift = 0;
		if (j.lanes) {
			while (1 << (shift + 1) <= j.lanes) shift++;
		} else {
			while (shift < 4 && m << (shift + 1) <= threads) shift++;
		}
		return shift;
	}

	// propose finds the best moves of the first m waiting cities, with 1 << shift threads for
	// each. A scan only takes those that have none out of the set of the queued.
	__device__ void propose(int m, int head, int shift, bool scan) {
		if constexpr (OR) propose_all(m, head, shift, scan);
		else propose_exchanges(m, head, shift, scan);
	}

	// propose_all looks for both kinds of moves; see insert.cuh.
	__device__ void propose_all(int m, int head, int shift, bool scan);

	// propose_exchanges looks for 2-opt moves.
	__device__ void propose_exchanges(int m, int head, int shift, bool scan) {
		const int lanes = 1 << shift, step = threads >> shift;
		for (int s0 = 0; s0 + (warp << 5 >> shift) < m; s0 += step) { // the same for a warp
			const int s = s0 + (tid >> shift);
			typename P::key best = 0;
			int c = 0, pc = 0, next = 0, prev = 0, mate = 0, po = 0, beyond = 0;
			if (s < m) {
				c = queue[wrap(head + s)];
				pc = pos[c];
				next = tour[wrap(pc + 1)], prev = tour[wrap(pc - 1)];
				const typename P::place here = plane.at(c), after = plane.at(next), ahead = plane.at(prev);
				const int longer = plane.dist(here, after), longer2 = plane.dist(here, ahead);
				const typename P::edge *row = near + c * j.neighbours;
				for (int k = lane & (lanes - 1); k < j.neighbours; k += lanes) {
					const typename P::edge e = row[k];
					const int now = P::length(e);
					if (now >= longer && now >= longer2) break;
					const int o = P::city(e), p = pos[o];
					// Both sides at once: the loads of one hide behind those of the other.
					const int y = tour[wrap(p + 1)], z = tour[wrap(p - 1)];
					const typename P::place there = plane.at(o), far = plane.at(y), far2 = plane.at(z);
					typename P::key g =
							(typename P::key)longer - now + plane.dist(there, far) - plane.dist(after, far);
					typename P::key g2 =
							(typename P::key)longer2 - now + plane.dist(there, far2) - plane.dist(ahead, far2);
					g = g * 64 + (63 - 2 * k);
					g2 = g2 * 64 + (62 - 2 * k);
					if (now < longer && g >= 64 && g > best) best = g, mate = o, po = p, beyond = y;
					if (now < longer2 && g2 >= 64 && g2 > best) best = g2, mate = o, po = p, beyond = z;
				}
			}
			__syncwarp();
			typename P::key top = best;
			for (int x = lanes >> 1; x > 0; x >>= 1) {
				typename P::key other = __shfl_xor_sync(ALL, top, x);
				if (other > top) top = other;
			}
			if (s >= m) continue;
			if (scan) {
				if (top == 0 && (lane & (lanes - 1)) == 0) atomicAnd(&queued[c >> 5], ~(1u << (c & 31)));
			} else if (best == top && (top > 0 || (lane & (lanes - 1)) == 0)) {
				const bool successor = top & 1;
				int from = min(pc, po) + successor, size = max(pc, po) - min(pc, po);
				if (2 * size > n) {
					from += size;
					size = n - size;
				}
				slot v = {(i64)(top >> 6), (u16)wrap(from), (u16)size, 0};
				b->slots[s] = v;
				u16 *ends = b->ends[s];
				ends[0] = (u16)c, ends[1] = (u16)mate, ends[2] = (u16)(successor ? next : prev),
				ends[3] = (u16)beyond;
			}
		}
	}

	// choose accepts moves and brings the queue up to date; warp 0 does it, a lane for a
	// proposal.
	__device__ void choose(int m) {
		const bool there = lane < m;
		slot mine = b->slots[lane];
		const i64 gain = there ? mine.gain : 0;
		const int from = mine.from, size = mine.size;
		const u32 below = (1u << lane) - 1;
		const u32 moving = __ballot_sync(ALL, gain > 0);
		const int ENDS = OR ? 6 : 4;
		int ends[ENDS];
#pragma unroll
		for (int e = 0; e < ENDS; e++) ends[e] = there ? b->ends[lane][e] : 0;

		// The proposals that come before this lane's and are at odds with it.
		u32 rivals = 0;
#pragma unroll 4
		for (int t = 0; t < m; t++) {
			const slot v = b->slots[t];
			int ahead = v.from - from;
			if (ahead < 0) ahead += n;
			bool odds = ahead < size + 2 || ahead + v.size + 2 > n;
			if (odds && (v.gain > gain || (v.gain == gain && t < lane))) rivals |= 1u << t;
		}
		u32 open = moving, won = 0;
		while (open) {
			bool undecided = open >> lane & 1;
			u32 wins = __ballot_sync(ALL, undecided && !(rivals & (open | won)));
			u32 falls = __ballot_sync(ALL, undecided && (rivals & won));
			won |= wins;
			open &= ~(wins | falls);
		}
		const bool winner = won >> lane & 1, loser = gain > 0 && !winner;

		if (there && !loser) atomicAnd(&queued[ends[0] >> 5], ~(1u << (ends[0] & 31)));
		const u32 losers = __ballot_sync(ALL, loser);
		__syncwarp();
		const int head = b->head, before = b->waiting;
		int waiting = before + __popc(losers); // the first m are counted until the end
		if (loser) queue[wrap(wrap(head + before) + __popc(losers & below))] = (u16)ends[0];
		// The ends of all accepted moves are different cities.
		bool in[ENDS];
#pragma unroll
		for (int e = 0; e < ENDS; e++) in[e] = winner && !(queued[ends[e] >> 5] >> (ends[e] & 31) & 1);
		if constexpr (OR) { // of an insertion some may be one city
			in[3] = in[3] && ends[3] != ends[2];
			in[4] = in[4] && mine.parts && ends[4] != ends[0];
			in[5] = in[5] && mine.parts && ends[5] != ends[1] && ends[5] != ends[3];
		}
#pragma unroll
		for (int e = 0; e < ENDS; e++) {
			const u32 ins = __ballot_sync(ALL, in[e]);
			if (in[e]) {
				int at = head + waiting + __popc(ins & below); // below 2n + m
				at = at >= 2 * n ? at - 2 * n : wrap(at);
				queue[at] = (u16)ends[e];
				atomicOr(&queued[ends[e] >> 5], 1u << (ends[e] & 31));
			}
			waiting += __popc(ins);
		}
		const u32 longs = __ballot_sync(ALL, winner && size >= 2 * LONG);
		// Short moves come first, so that teams find theirs by counting.
		if (winner) {
			const bool is_long = longs >> lane & 1;
			int w = is_long ? __popc(won) - 1 - __popc(longs & below) : __popc(won & ~longs & below);
			b->won_moves[w][0] = (u32)from << 16 | (u32)size;
			if constexpr (OR) b->won_moves[w][1] = mine.parts;
			saved += gain;
		}
		if constexpr (OR) {
			const u32 inserts = __ballot_sync(ALL, winner && mine.parts);
			if (lane == 0) b->inserts = inserts;
		}
		rounds++;
		moves += __popc(won);
		__syncwarp(); // all have read head and waiting
		if (lane == 0) {
			b->head = wrap(head + m), b->waiting = waiting - m;
			b->won = __popc(won), b->longs = __popc(longs);
		}
	}

	// turn makes the accepted moves: short ones by teams, long ones by all.
	__device__ void turn(int won) {
		const int shorts = won - (int)b->longs;
		for (int w = tid / TEAM; w < shorts; w += threads / TEAM)
			swap(b->won_moves[w][0], tid & (TEAM - 1), TEAM);
		for (int w = shorts; w < won; w++) swap(b->won_moves[w][0], tid, threads);
		if constexpr (OR) {
			if (!b->inserts) return; // the same for the block
			__syncthreads();
			for (int w = tid / TEAM; w < shorts; w += threads / TEAM)
				right(b->won_moves[w], tid & (TEAM - 1), TEAM);
			for (int w = shorts; w < won; w++) right(b->won_moves[w], tid, threads);
		}
	}

	// right is one thread's part of what an insertion needs after its stretch was turned round.
	__device__ void right(const u32 *move, int first, int step);

	// swap is one thread's part of turning a stretch.
	__device__ void swap(u32 move, int first, int step) {
		const int from = move >> 16, size = move & 0xffff;
		for (int k = first; k < size >> 1; k += step) {
			int p = wrap(from + k), q = wrap(from + size - 1 - k);
			u16 x = tour[p], y = tour[q];
			tour[p] = y, pos[y] = (u16)p;
			tour[q] = x, pos[x] = (u16)q;
		}
	}

	// repair makes rounds until no city waits. A barrier lies before it and behind it.
	__device__ void repair() {
		for (int waiting = b->waiting; waiting > 0; waiting = b->waiting) {
			int m = min(j.width, waiting);
			propose(m, b->head, spread(m), false);
			__syncthreads();
			if (warp == 0) choose(m);
			__syncthreads();
			int won = b->won;
			if (won) {
				turn(won);
				__syncthreads();
			}
		}
	}

	// descend searches from all cities until none has a gaining move.
	__device__ void descend() {
		for (fill(); b->waiting > 0; fill()) repair();
	}

	// An iteration of a chain, see kick.cuh. kick has a barrier behind it.
	__device__ void kick(int number);
	__device__ i64 warp_sum(i64 v) const;
	__device__ void summarise(outcome *out, int kept, int gained);
	__device__ void iterate(u16 *chain, outcome *out);
};

#include "insert.cuh"
#include "kick.cuh"

// Two kernels for each plane and each choice of moves: one with registers for blocks of at most 10
// warps, of which many share a multiprocessor, and one for blocks of any size. Each makes an
// iteration of every chain.
//
// j: one struct job, by value. places: by city its coordinates (u32 y << 16 | x, double2) or the n
// x n matrix of distances. near: n x j.neighbours edges, nearest first. chains: a tour of j.stride
// city numbers a chain, the accepted one, read and written. out: an outcome a chain. Lengths are
// in the instance's whole units.
//
// Launch: a block a chain, 4 or more warps; shared memory 6 bytes and a bit a city and the board.
// Bound: each round is a chain of dependent reads of shared memory with three barriers. Figures
// (bench rounds-gpu): 800 chains of pr1002 make 34.2 million kicks a second with 2-opt and 15.7
// with insertions.
#define KERNEL(plane, OR, name, bounds)                                                     \
	extern "C" __global__ void bounds name(const __grid_constant__ job j, const void *places, \
			const void *near, u16 *chains, outcome *out) {                                        \
		searcher<plane, OR> s(places, j, near);                                                 \
		s.iterate(chains + (size_t)blockIdx.x * j.stride, out + blockIdx.x);                    \
	}
#define KERNELS(plane)                                            \
	KERNEL(plane, false, plane##_many, __launch_bounds__(320, 3))   \
	KERNEL(plane, false, plane##_wide, __launch_bounds__(1024, 1))  \
	KERNEL(plane, true, plane##_or_many, __launch_bounds__(320, 3)) \
	KERNEL(plane, true, plane##_or_wide, __launch_bounds__(1024, 1))

KERNELS(whole_plane)
KERNELS(whole_shared)
KERNELS(real_plane)
KERNELS(matrix)

#include "polish.cuh"
