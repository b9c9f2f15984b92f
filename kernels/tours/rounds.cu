// 2-opt by rounds: an iteration of ils/2opt-rounds on every chain, a block of warps for each.
//
// What a round is stands in the documentation of solvers/rounds, whose board.go is the twin
// of this file; here is only who does what. The tour, its inverse and the queue lie in shared
// memory as 16-bit numbers. A round has three steps with a barrier behind each: all threads
// look for proposals, LANES threads for a city; warp 0 chooses among them, one lane for each,
// and keeps the queue; all threads turn the stretches round.
//
// The tour that a chain has accepted lies in global memory, where a kick that is not wanted
// is taken back from.
#include "plane.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define ALL 0xffffffffu

// Draws for kicks have this purpose; see rounds.Layout.
static const u32 DRAW_KICK = 2;

// Kicks need this many cities.
static const int MIN_KICK = 8;

// Stretches of at least twice as many cities are turned round by the whole block.
static const int LONG = 64;

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
	int n, neighbours, stride; // stride: from one chain's tour to the next
	int width, descend, kicks, size, always, metric;
	int pad;
};

// The three kinds of plane. place is what is kept of a city in registers, gain holds any
// gain of a move, key a gain above 6 bits.

// whole_plane is EUC_2D with whole coordinates whose squared distances stay below 2^31.
struct whole_plane {
	typedef int2 place;
	typedef int gain;
	const int2 *xy;
	__device__ whole_plane(const void *p, const job &) : xy((const int2 *)p) {}
	__device__ place at(int c) const { return xy[c]; }
	__device__ int dist(place a, place b) const { return ml_dist_whole(a.x - b.x, a.y - b.y); }
};

// real_plane is EUC_2D, CEIL_2D and ATT with any coordinates.
struct real_plane {
	typedef double2 place;
	typedef i64 gain;
	const double2 *xy;
	int metric;
	__device__ real_plane(const void *p, const job &j) : xy((const double2 *)p), metric(j.metric) {}
	__device__ place at(int c) const { return xy[c]; }
	__device__ int dist(place a, place b) const { return ml_dist(metric, a.x - b.x, a.y - b.y); }
};

// matrix is any metric, as a table.
struct matrix {
	typedef int place;
	typedef i64 gain;
	const int *m;
	int n;
	__device__ matrix(const void *p, const job &j) : m((const int *)p), n(j.n) {}
	__device__ place at(int c) const { return c; }
	__device__ int dist(place a, place b) const { return m[(size_t)a * n + b]; }
};

// board is the part of shared memory whose size is fixed; tour, position, queue (n cities
// each, rounded up to an even number) and a bit for each city that waits follow it.
struct board {
	i64 gain[32];
	u64 hash, length;
	int from[32], size[32];      // of proposals
	int won_from[32], won_size[32];
	u16 ends[32][4];             // proposer, new neighbour, left by either
	int head, waiting, won, keep;
};

// searcher is one thread's view of a board.
template <class P, int LANES>
struct searcher {
	const P plane;
	const job &j;
	const u16 *near;
	board *b;
	u16 *tour, *pos, *queue;
	u32 *queued;
	const int n, tid, threads, lane, warp;

	// Of warp 0: what this lane's moves saved, and counts.
	i64 saved;
	int rounds, moves;

	__device__ searcher(const void *places, const job &jb, const u16 *nb, u32 *shared)
		: plane(places, jb), j(jb), near(nb), n(jb.n), tid(threadIdx.x), threads(blockDim.x),
		  lane(threadIdx.x & 31), warp(threadIdx.x >> 5), saved(0), rounds(0), moves(0) {
		int even = (n + 1) & ~1;
		b = (board *)shared;
		tour = (u16 *)(b + 1);
		pos = tour + even;
		queue = pos + even;
		queued = (u32 *)(queue + even);
	}

	__device__ int wrap(int p) const { return p < 0 ? p + n : p >= n ? p - n : p; }
	__device__ int d(int a, int c) const { return plane.dist(plane.at(a), plane.at(c)); }

	// load takes a tour over, and forgets who waits.
	__device__ void load(const u16 *from) {
		for (int i = tid; i < n; i += threads) {
			u16 c = from[i];
			tour[i] = c;
			pos[c] = (u16)i;
		}
		for (int i = tid; i < (n + 31) >> 5; i += threads) queued[i] = 0;
	}

	__device__ void store(u16 *to) const {
		for (int i = tid; i < n; i += threads) to[i] = tour[i];
	}

	// fill queues all cities: column by column of a table with a stretch in each row.
	__device__ void fill() {
		int stretch = (n + 31) >> 5, rows = (n + stretch - 1) / stretch;
		int last = n - (rows - 1) * stretch; // columns with all rows
		for (int p = tid; p < n; p += threads) {
			int row = p / stretch, column = p - row * stretch;
			int before = column < last ? column * rows : last * rows + (column - last) * (rows - 1);
			queue[before + row] = tour[p];
		}
		for (int i = tid; i < (n + 31) >> 5; i += threads) queued[i] = i == n >> 5 ? (1u << (n & 31)) - 1 : ALL;
		if (tid == 0) b->head = 0, b->waiting = n;
	}

	// propose finds the best moves of the first m waiting cities.
	__device__ void propose(int m, int head) {
		const int step = threads / LANES;
		for (int s0 = 0; s0 + warp * (32 / LANES) < m; s0 += step) { // the same for a warp
			int s = s0 + tid / LANES;
			i64 best = 0;
			int c = 0, mate = 0, leaves = 0, beyond = 0, from = 0, size = 0;
			if (s < m) {
				c = queue[wrap(head + s)];
				int pc = pos[c], mine = c * j.neighbours;
				int next = tour[wrap(pc + 1)], prev = tour[wrap(pc - 1)];
				typename P::place at = plane.at(c), after = plane.at(next), ahead = plane.at(prev);
				int longer = plane.dist(at, after), longer2 = plane.dist(at, ahead);
				for (int k = lane & (LANES - 1); k < j.neighbours; k += LANES) {
					int o = near[mine + k];
					typename P::place there = plane.at(o);
					int now = plane.dist(at, there);
					if (now >= longer && now >= longer2) break;
					int po = pos[o], i = min(pc, po), e = max(pc, po);
					if (now < longer) {
						int y = tour[wrap(po + 1)];
						typename P::place far = plane.at(y);
						typename P::gain g = (typename P::gain)longer - now + plane.dist(there, far) - plane.dist(after, far);
						i64 key = (i64)g * 64 + (63 - 2 * k);
						if (g > 0 && key > best) best = key, mate = o, leaves = next, beyond = y, from = i + 1, size = e - i;
					}
					if (now < longer2) {
						int y = tour[wrap(po - 1)];
						typename P::place far = plane.at(y);
						typename P::gain g = (typename P::gain)longer2 - now + plane.dist(there, far) - plane.dist(ahead, far);
						i64 key = (i64)g * 64 + (62 - 2 * k);
						if (g > 0 && key > best) best = key, mate = o, leaves = prev, beyond = y, from = i, size = e - i;
					}
				}
			}
			__syncwarp();
			i64 top = best;
			if (sizeof(typename P::gain) == 4) { // then keys have 32 bits
				int t = (int)top;
				for (int x = LANES / 2; x > 0; x >>= 1) t = max(t, __shfl_xor_sync(ALL, t, x));
				top = t;
			} else {
				for (int x = LANES / 2; x > 0; x >>= 1) {
					i64 other = __shfl_xor_sync(ALL, top, x);
					if (other > top) top = other;
				}
			}
			if (s < m && best == top && (top > 0 || (lane & (LANES - 1)) == 0)) {
				if (2 * size > n) {
					from = wrap(from + size);
					size = n - size;
				}
				b->gain[s] = top >> 6;
				b->from[s] = wrap(from);
				b->size[s] = size;
				u16 *ends = b->ends[s];
				ends[0] = (u16)c, ends[1] = (u16)mate, ends[2] = (u16)leaves, ends[3] = (u16)beyond;
			}
		}
	}

	__device__ bool waits(int c) const { return queued[c >> 5] >> (c & 31) & 1; }

	// choose accepts moves and brings the queue up to date; warp 0 does it, a lane for a
	// proposal.
	__device__ void choose(int m) {
		const bool there = lane < m;
		const i64 gain = there ? b->gain[lane] : 0;
		const int from = b->from[lane], size = b->size[lane];
		const u32 below = (1u << lane) - 1;
		const u32 moving = __ballot_sync(ALL, gain > 0);

		// The proposals that come before this lane's and are at odds with it.
		u32 rivals = 0;
		for (u32 rest = moving; rest; rest &= rest - 1) {
			int t = __ffs(rest) - 1;
			i64 gain_t = b->gain[t];
			int ahead = b->from[t] - from;
			if (ahead < 0) ahead += n;
			bool odds = ahead < size + 2 || ahead + b->size[t] + 2 > n;
			if (odds && (gain_t > gain || (gain_t == gain && t < lane))) rivals |= 1u << t;
		}
		u32 open = moving, won = 0;
		while (open) {
			bool mine = open >> lane & 1;
			u32 wins = __ballot_sync(ALL, mine && !(rivals & (open | won)));
			u32 falls = __ballot_sync(ALL, mine && (rivals & won));
			won |= wins;
			open &= ~(wins | falls);
		}
		const bool winner = won >> lane & 1, loser = gain > 0 && !winner;

		const int city = there ? b->ends[lane][0] : 0;
		int tail = wrap(b->head + b->waiting);
		const int before = b->waiting;
		if (there && !loser) atomicAnd(&queued[city >> 5], ~(1u << (city & 31)));
		__syncwarp();
		const u32 losers = __ballot_sync(ALL, loser);
		if (loser) queue[wrap(tail + __popc(losers & below))] = (u16)city;
		tail = wrap(tail + __popc(losers));
		int waiting = before - m + __popc(losers);
		for (int e = 0; e < 4; e++) { // the ends of all accepted moves are different cities
			int c = winner ? b->ends[lane][e] : 0;
			bool in = winner && !waits(c);
			u32 ins = __ballot_sync(ALL, in);
			if (in) {
				queue[wrap(tail + __popc(ins & below))] = (u16)c;
				atomicOr(&queued[c >> 5], 1u << (c & 31));
			}
			tail = wrap(tail + __popc(ins));
			waiting += __popc(ins);
			__syncwarp();
		}
		if (winner) {
			int w = __popc(won & below);
			b->won_from[w] = from, b->won_size[w] = size;
			saved += gain;
		}
		rounds++;
		moves += __popc(won);
		if (lane == 0) b->head = wrap(b->head + m), b->waiting = waiting, b->won = __popc(won);
	}

	// turn makes the accepted moves.
	__device__ void turn(int won) {
		for (int w = 0, turn = 0; w < won; w++) {
			int from = b->won_from[w], size = b->won_size[w], half = size >> 1;
			int first = tid, step = threads;
			if (half < LONG) {
				int whose = turn++ % (threads >> 5);
				if (whose != warp) continue;
				first = lane, step = 32;
			}
			for (int k = first; k < half; k += step) {
				int p = wrap(from + k), q = wrap(from + size - 1 - k);
				u16 x = tour[p], y = tour[q];
				tour[p] = y, pos[y] = (u16)p;
				tour[q] = x, pos[x] = (u16)q;
			}
		}
	}

	// repair makes rounds until no city waits. A barrier lies before it and behind it.
	__device__ void repair() {
		for (int waiting = b->waiting; waiting > 0; waiting = b->waiting) {
			int m = min(j.width, waiting);
			propose(m, b->head);
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

	// descend searches from all cities until no move was made.
	__device__ void descend() {
		for (;;) {
			fill();
			int before = moves;
			__syncthreads();
			repair();
			if (tid == 0) b->keep = moves != before;
			__syncthreads();
			bool again = b->keep;
			if (!again) return;
		}
	}

	// kick is board.kick. A barrier lies behind it.
	__device__ void kick(int number) {
		ml_u4 counter = {(u32)j.iter, (u32)(j.iter >> 32) ^ DRAW_KICK << 24, (u32)blockIdx.x, (u32)number};
		ml_u4 u = ml_philox(j.seed, counter);
		int size = min(j.size, (n - 2) / 3);
		int p = (int)ML_MULHI(u.x, (u32)n);
		int x = 1 + (int)ML_MULHI(u.y, (u32)size), y = 1 + (int)ML_MULHI(u.z, (u32)size), z = 1 + (int)ML_MULHI(u.w, (u32)size);
		int first = p + 1, total = x + y + z, end = 0;
		if (warp == 0 && lane < 8) {
			int path = lane >> 1;
			end = tour[wrap(p + (path > 0 ? x : 0) + (path > 1 ? y : 0) + (path > 2 ? z : 0) + (lane & 1))];
		}
		for (int k = tid; k < total; k += threads) { // the queue is empty: room for the paths
			int from = k < z ? x + y + k : k < z + y ? x + k - z : k - z - y;
			queue[k] = tour[wrap(first + from)];
		}
		__syncthreads();
		for (int k = tid; k < total; k += threads) {
			int at = wrap(first + k);
			u16 c = queue[k];
			tour[at] = c;
			pos[c] = (u16)at;
		}
		__syncthreads();
		if (warp == 0) {
			// Lanes 0 to 3 measure the edges that go, 4 to 7 those that come.
			int k = lane & 3;
			int a = __shfl_sync(ALL, end, 2 * k);
			int go = __shfl_sync(ALL, end, 2 * k + 1);
			int come = __shfl_sync(ALL, end, (2 * k + 5) & 7);
			// Old edges 01 23 45 67, new ones 05 27 41 63.
			saved = lane < 4 ? (i64)d(a, go) : lane < 8 ? -(i64)d(a, come) : 0;
			bool in = lane < 8;
			for (int i = 0; i < 8; i++) {
				int other = __shfl_sync(ALL, end, i);
				if (i < lane && other == end) in = false;
			}
			u32 ins = __ballot_sync(ALL, in);
			if (in) {
				queue[__popc(ins & ((1u << lane) - 1))] = (u16)end;
				atomicOr(&queued[end >> 5], 1u << (end & 31));
			}
			if (lane == 0) b->head = 0, b->waiting = __popc(ins);
		}
		__syncthreads();
	}

	__device__ i64 warp_sum(i64 v) const {
		for (int x = 16; x > 0; x >>= 1) v += __shfl_xor_sync(ALL, v, x);
		return v;
	}

	// summarise computes length and hash of the tour and writes the outcome.
	__device__ void summarise(outcome *out, int kept, int gained) {
		if (tid == 0) b->hash = 0, b->length = 0;
		__syncthreads();
		u64 hash = 0, length = 0;
		for (int i = tid; i < n; i += threads) {
			int c = tour[i];
			hash += ml_mix64((u64)i << 32 | (u32)(c + 1));
			length += (u64)(i64)d(c, tour[wrap(i + 1)]);
		}
		hash = (u64)warp_sum((i64)hash);
		length = (u64)warp_sum((i64)length);
		if (lane == 0) {
			atomicAdd(&b->hash, hash);
			atomicAdd(&b->length, length);
		}
		__syncthreads();
		if (tid == 0) {
			outcome o = {(i64)b->length, b->hash, rounds, moves, kept, gained};
			*out = o;
		}
	}

	// iterate is an iteration of the chain whose accepted tour is at chain.
	__device__ void iterate(u16 *chain, outcome *out) {
		int kept = 0, gained = 0;
		load(chain);
		__syncthreads();
		if (j.descend) {
			descend();
			store(chain);
		} else if (n >= MIN_KICK) {
			for (int k = 0; k < j.kicks; k++) {
				kick(k);
				repair();
				if (warp == 0) {
					i64 sum = warp_sum(saved);
					bool keep = sum >= 0 || j.always;
					kept += keep, gained += sum > 0;
					if (lane == 0) b->keep = keep;
				}
				__syncthreads();
				if (b->keep) store(chain); else load(chain);
				__syncthreads();
			}
		}
		summarise(out, kept, gained);
	}
};

extern __shared__ u32 shared[];

// One kernel for each plane and number of lanes.
#define KERNEL(plane, lanes)                                                                                  \
	extern "C" __global__ void __launch_bounds__(1024, 1)                                                     \
	plane##_##lanes(const __grid_constant__ job j, const void *places, const u16 *near, u16 *chains, outcome *out) {                  \
		searcher<plane, lanes> s(places, j, near, shared);                                                    \
		s.iterate(chains + (size_t)blockIdx.x * j.stride, out + blockIdx.x);                                  \
	}
#define KERNELS(plane) KERNEL(plane, 1) KERNEL(plane, 2) KERNEL(plane, 4) KERNEL(plane, 8)

KERNELS(whole_plane)
KERNELS(real_plane)
KERNELS(matrix)
