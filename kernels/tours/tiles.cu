// Iterated local search in tiles of the plane: the kernels of ils/tiles. What they compute is
// defined in package solvers/tiles, whose Go code makes the same.
//
// On several devices each searches some of the pieces, and tells the others what it has made of
// them (tiles_pack, tiles_unpack): 12 bytes a city. All have all tours.
//
// A round is: note where cities are in the tour (tiles_place); search every piece, a warp each, in
// shared memory (tiles_search_*); find by prefix sums where its paths begin (tiles_chunks,
// tiles_carry, tiles_starts); write the new tour (tiles_write); measure it (tiles_measure).
#include "wide.h"

#ifndef ALL
#define ALL 0xffffffffu
#endif
typedef long long i64;
typedef unsigned long long u64;
typedef uint16_t u16;

#define NONE 0xffff
#define MIN_CITIES 8   // that a piece needs to be searched
#define BLOCKS 32      // blocks of draws of a kick
#define ATTEMPTS 4     // of a kick
#define DRAW_KICK 2    // purpose of the draws
#define SEGMENT 3      // longest path that is inserted
#define MAX_WARPS 8    // of a block that searches a piece
#define MOST_EACH 4    // kicks of a warp before the block meets
#define CHUNK 1024     // places whose widths a warp sums
#define EUC_2D 1
#define CEIL_2D 3

// A job is a round.
struct tile_job {
	u64 seed;
	i64 iter;
	int n, k;        // cities; length of their lists
	int pieces, cap; // of a chain; room for the cities of one
	int rate;        // kicks of a piece for every 1000 of its cities
	int kick, width; // 0 walk, 1 segment; its width
	int op;          // 0 two edges, 1 with insertions, 2 two or three edges
	int threshold, metric;
	int scale; // by which distances are multiplied where cities have weights; else 0
	int first, span; // of each chain a launch searches the pieces first to first + span - 1
};

// An outcome is what a round made of a chain.
struct tile_outcome {
	i64 length;
	u64 hash;
	i64 change, kicks, kept, gained, refused, moves;
};

// The arrays of all chains, n numbers each.
struct tile_room {
	int *tour, *next;
	int *place; // by city: its place in the tour
	int *home;  // by city: the first place of its path
	int *rank;  // by city: its place in its path
	int *width; // by place: the length of the path that began there; then where it begins now
	int *list;  // by piece and local number: the city
	int *from;  // by piece and local number: its place
	int *sums;  // by chunk
};

struct whole { int x, y; };
struct real { double x, y; };

// A move exchanges two edges (kind 0) or three; see solvers/tiles/move.go.
struct move {
	int gain, kind, t1, t2, t3, t4, t5, t6;
};

// An item is a city t3 whose edge from t2 is shorter than the one removed, by loose. The highest
// bit of city tells that t2 is before t1, not behind it.
struct item { uint32_t city; int loose; };
#define ITEMS 20 // at most: both directions, and a list of 10

// mark is a hash of an edge.
ML_FN uint32_t mark(int a, int b) {
	uint32_t h = (uint32_t)min(a, b) << 16 | (uint32_t)max(a, b);
	h *= 0x9E3779B1u;
	h ^= h >> 15;
	h *= 0x85EBCA77u;
	return h ^ h >> 13;
}

// most is the largest v of a warp, least the smallest.
ML_FN int most(int v) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	return __reduce_max_sync(ALL, v);
#else
	for (int i = 1; i < 32; i *= 2) v = max(v, __shfl_xor_sync(ALL, v, i));
	return v;
#endif
}
ML_FN int least(int v) { return -most(-v); }

// What the warps of a block tell each other.
struct talk {
	int m, first, fixed;   // of the piece; its first local number, as place among the keys
	int hit[2][MAX_WARPS]; // the kick that a warp would keep, in this round and the last
};

// A piece is in shared memory; a block works on it. All warps read what is here, and each writes
// its own circle and queue.
template <class P> struct piece {
	const tile_job &job;
	talk *said;
	P *at;
	int *pi; // weights
	item *items;
	u16 *near, *mate, *other, *saved, *order, *pos, *queue;
	uint8_t *count, *dirty;
	int m, fixed, lane, warp, warps;
	int plane; // 2: all squared distances are below 2^31; 1: below 2^42; else 0

	__device__ piece(const tile_job &j, char *memory)
			: job(j), lane(threadIdx.x & 31), warp(threadIdx.x >> 5), warps(blockDim.x >> 5) {
		const int cap = j.cap;
		at = (P *)memory;
		pi = (int *)(at + cap);
		said = (talk *)(pi + (j.scale ? cap : 0));
		items = (item *)(said + 1) + ITEMS * warp;
		saved = (u16 *)((item *)(said + 1) + ITEMS * warps);
		order = saved + cap + 3 * cap * warp, pos = order + cap, queue = pos + cap;
		mate = saved + cap + 3 * cap * warps, other = mate + cap, near = other + cap;
		count = (uint8_t *)(near + cap * j.k), dirty = count + cap + cap * warp;
	}

	__device__ __forceinline__ int wrap(int p) const { return p < 0 ? p + m : p >= m ? p - m : p; }
	__device__ __forceinline__ int step(int c, int dir) const { return order[wrap(pos[c] + dir)]; }

	// reset makes the circle of this warp the one that was kept.
	__device__ __forceinline__ void reset() {
		__syncwarp();
#pragma unroll 1
		for (int i = lane; i < m; i += 32) {
			const u16 c = saved[i];
			order[i] = c, pos[c] = (u16)i;
		}
		__syncwarp();
	}
};

// between is the distance of two cities; PLANE is the plane of their piece.
template <int PLANE> ML_FN int between(int metric, whole a, whole b) {
	if (PLANE == 2) return ml_dist_whole(a.x - b.x, a.y - b.y);
	if (PLANE == 1) return ml_dist_wide(a.x - b.x, a.y - b.y, metric == CEIL_2D);
	return ml_dist(metric, (double)(a.x - b.x), (double)(a.y - b.y));
}
template <int PLANE> ML_FN int between(int metric, real a, real b) {
	return ml_dist(metric, a.x - b.x, a.y - b.y);
}

// A climber makes the kicks of a piece. The warps of a block make kicks from the same circle at
// once; the first kick that is kept counts, and those after it are made again from its circle. So
// the number of warps changes no result.
//
// Each of its functions is called from one place, and loops
// are not unrolled: the code of a kick has to stay in the cache of instructions.
template <class P, int PLANE> struct climber {
	piece<P> &w;
	const tile_job &job;
	P *const at;
	int *const pi;
	item *const items;
	u16 *const near, *const mate, *const order, *const pos, *const saved, *const queue;
	uint8_t *const count, *const dirty;
	const int m, lane;
	int unit, side, slot; // of this lane: its item in a pass, side of t3, neighbour of t4
	int head, wait, change, moves;
	uint32_t marks;

	__device__ climber(piece<P> &w)
			: w(w), job(w.job), at(w.at), pi(w.pi), items(w.items), near(w.near), mate(w.mate),
			  order(w.order), pos(w.pos), saved(w.saved), queue(w.queue), count(w.count), dirty(w.dirty),
			  m(w.m), lane(w.lane), head(0), wait(0), change(0), moves(0), marks(0) {
		unit = lane / (2 * job.k);
		const int rest = lane - unit * 2 * job.k;
		side = rest >= job.k, slot = side ? rest - job.k : rest;
	}

	__device__ __forceinline__ int wrap(int p) const { return p < 0 ? p + m : p >= m ? p - m : p; }
	__device__ __forceinline__ int step(int c, int dir) const { return order[wrap(pos[c] + dir)]; }
	// dist is the cost of an edge: the distance, or with weights the reduced cost.
	__device__ __forceinline__ int dist(int a, int b) const {
		const int d = between<PLANE>(job.metric, at[a], at[b]);
		return job.scale ? d * job.scale + pi[a] + pi[b] : d;
	}

	// push puts cities into the queue that are not there, one of each lane below count, in the order
	// of the lanes.
	__device__ __forceinline__ void push(int c, int some) {
		bool want = lane < some && !dirty[c];
#pragma unroll
		for (int i = 0; i < 7; i++) {
			const int d = __shfl_sync(ALL, c, i);
			if (i < lane && d == c) want = false;
		}
		const uint32_t mask = __ballot_sync(ALL, want);
		__syncwarp();
		if (want) {
			int q = head + wait + __popc(mask & ((1u << lane) - 1));
			if (q >= m) q -= m;
			queue[q] = (u16)c, dirty[c] = 1;
		}
		wait += __popc(mask);
		__syncwarp();
	}

	__device__ __forceinline__ int pop() {
		const int c = queue[head];
		if (++head == m) head = 0;
		wait--;
		if (lane == 0) dirty[c] = 0;
		__syncwarp();
		return c;
	}

	// reverse turns the places i to j, or the others if these are fewer.
	__device__ __forceinline__ void reverse(int i, int j) {
		int size = j - i + 1;
		if (size <= 0) size += m;
		if (2 * size > m) {
			const int k = wrap(j + 1);
			j = wrap(i - 1), i = k, size = m - size;
		}
#pragma unroll 1
		for (int t = lane; t < size / 2; t += 32) {
			const int p = wrap(i + t), q = wrap(j - t);
			const u16 a = order[p], b = order[q];
			order[p] = b, order[q] = a;
			pos[b] = (u16)p, pos[a] = (u16)q;
		}
		__syncwarp();
	}

	// apply makes a move, by exchanges of two edges: each turns the way from b to d, b is a
	// neighbour of a, and the way does not lead through a.
	__device__ __forceinline__ void apply(const move &w) {
		const int times = w.kind == 0 ? 1 : w.kind == 2 ? 3 : 2;
#pragma unroll 1
		for (int i = 0; i < times; i++) {
			int a = w.t1, b = w.t2, d = w.kind == 2 ? w.t3 : w.kind == 3 ? w.t6 : w.t4;
			if (i > 0) {
				b = w.kind == 1 ? w.t4 : w.kind == 2 ? w.t3 : w.t2;
				d = w.kind == 3 ? w.t4 : w.t6;
				if (w.kind == 3 || i == 2) a = w.t5;
				if (i == 2) d = w.t4;
			}
			const int p = pos[b], q = pos[d];
			const bool after = wrap(pos[a] + 1) == p;
			__syncwarp();
			reverse(after ? p : q, after ? q : p);
		}
		moves++, change -= w.gain;
		marks -= mark(w.t1, w.t2) + mark(w.t3, w.t4);
		marks += mark(w.t2, w.t3);
		if (w.kind == 0) marks += mark(w.t4, w.t1);
		else marks += mark(w.t4, w.t5) + mark(w.t6, w.t1) - mark(w.t5, w.t6);
	}

	// What a lane has found so far: variant is its place in the order of solvers/tiles.
	struct found {
		int gain, variant, kind, t3, t4, t5, t6;
		__device__ __forceinline__ void see(int g, int v, int k, int a, int b, int c) {
			if (g > gain || g == gain && g > 0 && v < variant)
				gain = g, variant = v, kind = k, t4 = a, t5 = b, t6 = c;
		}
	};

	// look looks at the moves of an item: with t4 on one side of t3 the exchange of two edges, and
	// for a neighbour t5 of t4 those of three.
	__device__ __forceinline__ void look(found &f, int t1, int p1, item it) const {
		const int k = job.k, dir = (int)it.city < 0 ? -1 : 1, p2 = wrap(p1 + dir);
		f.t3 = (int)(it.city & 0xffff);
		const int p3 = pos[f.t3], t4 = order[wrap(side ? p3 + dir : p3 - dir)];
		int r3 = (p3 - p2) * dir; // how far it is from t2 to t3
		if (r3 < 0) r3 += m;
		if (r3 == 1 || mate[f.t3] == t4) return;
		const int g1 = it.loose + dist(f.t3, t4);
		if (side == 0 && slot == 0) f.see(g1 - dist(t4, t1), 0, 0, t4, 0, 0);
		if (job.op != 2 || slot >= count[t4]) return;
		const int t5 = near[t4 * k + slot], g = g1 - dist(t4, t5), p5 = pos[t5];
		int r5 = (p5 - p2) * dir;
		if (r5 < 0) r5 += m;
		const bool inside = r5 < r3;
		if (g <= 0 || (side ? !inside : t5 == f.t3 || t5 == t1)) return;
		const int mate5 = mate[t5], onwards = wrap(p5 + dir), back = wrap(p5 - dir);
		int t6 = order[side || inside ? onwards : back];
		if (mate5 != t6 && (side || t6 != t4))
			f.see(g + dist(t5, t6) - dist(t6, t1), side ? 1 + k + 2 * slot : 1 + slot, 1 + side, t4, t5,
					t6);
		if (side == 0 || p5 == p2) return;
		t6 = order[back];
		if (mate5 != t6)
			f.see(g + dist(t5, t6) - dist(t6, t1), 2 + k + 2 * slot, 3, t4, t5, t6);
	}

	// insert looks at the moves of the path of l cities from t2 on.
	__device__ __forceinline__ void insert(found &f, int t1, int t2, int loose, int dir, int l) const {
		const int p = pos[t2], p3 = pos[f.t3];
		int r3 = (p3 - p) * dir;
		if (r3 < 0) r3 += m;
		if (r3 < l) return;
		const int e = order[wrap(p + dir * (l - 1))], z = order[wrap(p + dir * l)];
		if (mate[e] == z) return;
		const int g = loose + dist(e, z) - dist(t1, z);
		if (g <= 0) return;
		const int other = mate[f.t3];
#pragma unroll 1
		for (int kind = 1; kind <= 2; kind++) {
			const int t4 = order[wrap(kind == 1 ? p3 - dir : p3 + dir)];
			if (other == t4 || kind == 1 && t4 == e) continue;
			f.see(g + dist(f.t3, t4) - dist(e, t4), 2 * l - 2 + kind, kind, t4, e, z);
		}
	}

	// insertions looks at the moves of OrTwoOpt, four lanes a t3.
	__device__ __forceinline__ void insertions(found &f, int t1, int t2, int t3, int dir) const {
		if (t3 == t1) return;
		const int l = lane & 3, loose = dist(t1, t2) - dist(t2, t3);
		f.t3 = t3;
		if (l > 0) {
			insert(f, t1, t2, loose, dir, l);
		} else if (loose > 0) {
			const int t4 = step(t3, -dir);
			if (t4 != t2 && mate[t3] != t4) f.see(loose + dist(t3, t4) - dist(t4, t1), 0, 0, t4, 0, 0);
		}
	}

	// best finds the move that is made from t1. Passes go over the cities t3 in their order, so the
	// first that finds something decides.
	__device__ __forceinline__ bool best(int t1, move &w) const {
		const int k = job.k, p1 = pos[t1];
		uint32_t all = 0; // how many items there are; with insertions also those that are none
		int units, mine;  // items in a pass, that of this lane
		if (job.op == 1) {
			all = 2 * k, units = 8, mine = lane >> 2;
		} else {
			const int dir = lane < 16 ? 1 : -1, s = lane & 15, t2 = order[wrap(p1 + dir)];
			int t3 = t1, loose = 0;
			if (s < k && mate[t1] != t2 && s < count[t2]) t3 = near[t2 * k + s];
			if (t3 != t1) loose = dist(t1, t2) - dist(t2, t3);
			const uint32_t some = __ballot_sync(ALL, loose > 0);
			if (!some) return false;
			if (loose > 0) {
				const item it = {(uint32_t)t3 | (dir < 0 ? 1u << 31 : 0), loose};
				items[__popc(some & ((1u << lane) - 1))] = it;
			}
			__syncwarp();
			all = __popc(some), units = 16 / k, mine = unit;
		}
#pragma unroll 1
		for (uint32_t base = 0; base < all; base += units) {
			found f;
			f.gain = 0, f.variant = 0, f.kind = 0, f.t3 = 0, f.t4 = 0, f.t5 = 0, f.t6 = 0;
			const uint32_t i = base + mine;
			int dir = 1;
			if (mine < units && i < all) {
				if (job.op == 1) {
					const int s = i < k ? i : i - k;
					dir = i < k ? 1 : -1;
					const int t2 = order[wrap(p1 + dir)];
					int t3 = t1;
					if (mate[t1] != t2 && s < count[t2]) t3 = near[t2 * k + s];
					insertions(f, t1, t2, t3, dir);
				} else {
					const item it = items[i];
					dir = (int)it.city < 0 ? -1 : 1;
					look(f, t1, p1, it);
				}
			}
			const uint32_t some = __ballot_sync(ALL, f.gain > 0);
			if (!some) continue;
			const bool first = mine == __shfl_sync(ALL, mine, __ffs(some) - 1);
			w.gain = most(first ? f.gain : 0);
			const bool good = first && f.gain == w.gain;
			const int variant = least(good ? f.variant : 1 << 30);
			const int winner = __ffs(__ballot_sync(ALL, good && f.variant == variant)) - 1;
			w.kind = __shfl_sync(ALL, f.kind, winner), w.t1 = t1;
			w.t2 = order[wrap(p1 + __shfl_sync(ALL, dir, winner))];
			w.t3 = __shfl_sync(ALL, f.t3, winner), w.t4 = __shfl_sync(ALL, f.t4, winner);
			w.t5 = __shfl_sync(ALL, f.t5, winner), w.t6 = __shfl_sync(ALL, f.t6, winner);
			return true;
		}
		return false;
	}

	// repair tells whether the circle is that before the kick, from whose ends c, one of each lane
	// below eight, it begins.
	__device__ __forceinline__ bool repair(int c) {
		int t1 = NONE, some = 8;
#pragma unroll 1
		while (true) {
			if (some > 0) push(c, some);
			if (t1 == NONE) {
				if (wait == 0) return false;
				t1 = pop();
			}
			move w;
			if (!best(t1, w)) {
				t1 = NONE, some = 0;
				continue;
			}
			apply(w);
			if (change == 0 && marks == 0) {
				for (int i = lane; i < wait; i += 32) dirty[queue[wrap(head + i)]] = 0;
				head = wrap(head + wait), wait = 0;
				__syncwarp();
				return true;
			}
			some = w.kind == 0 ? 4 : 6;
			c = lane == 0 ? w.t1 : lane == 1 ? w.t2 : lane == 2 ? w.t3 : lane == 3 ? w.t4
					: lane == 4 ? w.t5 : w.t6;
		}
	}

	// walk is the end of a random walk.
	__device__ __forceinline__ int walk(int c, ml_u4 w) const {
		uint32_t u = w.x;
#pragma unroll 1
		for (int i = 0; i < job.width; i++, u >>= 3) {
			if (i == 10) u = w.y;
			if (i == 20) u = w.z;
			if (i == 30) u = w.w;
			const uint32_t some = min((uint32_t)count[c], 8u);
			if (some > 0) c = near[c * job.k + (int)((u & 7) * some >> 3)];
		}
		return c;
	}

	// loose is the place of c, or the next one if a fixed edge leads on from c.
	__device__ __forceinline__ int loose(int c) const {
		const int p = pos[c], q = wrap(p + 1);
		return mate[c] == order[q] ? q : p;
	}

	__device__ __forceinline__ static void pair(int &a, int &b) {
		const int x = min(a, b), y = max(a, b);
		a = x, b = y;
	}

	// kick makes a double bridge; false: no attempt found four edges. limit gets the draw of it, end
	// an end of the edges in each of the first eight lanes.
	__device__ __forceinline__ bool kick(uint32_t agent, uint32_t number, uint32_t &limit, int &end) {
		const ml_u4 ctr = {(uint32_t)job.iter, (uint32_t)(job.iter >> 32) ^ (uint32_t)DRAW_KICK << 24,
			agent, number * BLOCKS + lane};
		const ml_u4 d = ml_philox(job.seed, ctr);
		limit = __shfl_sync(ALL, d.y, 0);
		const int first = (int)ML_MULHI(__shfl_sync(ALL, d.x, 0), (uint32_t)m);
		int q[4] = {0, 0, 0, 0};
		const int try_ = (lane - 1) / 4; // of lanes 1 to 16
		if (job.kick == 0) {
			int last = 0;
			if (lane >= 1 && lane <= 4 * ATTEMPTS) last = loose(walk(first, d));
			for (int i = 0; i < 4; i++) q[i] = __shfl_sync(ALL, last, 1 + 4 * (try_ & 3) + i);
		} else {
			const int size = max(1, min(job.width, (m - 2) / 3));
			int c = pos[first];
			for (int i = 0; i < 4; i++) {
				const uint32_t of = i == 1 ? d.y : i == 2 ? d.z : d.w;
				if (i > 0) c += 1 + (int)ML_MULHI(of, (uint32_t)size);
				q[i] = loose(order[c % m]);
			}
		}
		pair(q[0], q[1]), pair(q[2], q[3]), pair(q[0], q[2]), pair(q[1], q[3]), pair(q[1], q[2]);
		const bool good = q[0] < q[1] && q[1] < q[2] && q[2] < q[3];
		const uint32_t able =
				__ballot_sync(ALL, good && lane >= 1 && lane <= 4 * ATTEMPTS && (lane & 3) == 1);
		if (!able) return false;
		const int of = __ffs(able) - 1;
		for (int i = 0; i < 4; i++) q[i] = __shfl_sync(ALL, q[i], of);
		end = bridge(q);
		return true;
	}

	// bridge makes the double bridge of the edges behind four places. Lanes 0 to 3 have an edge that
	// goes, 4 to 7 one that comes.
	__device__ __forceinline__ int bridge(const int q[4]) {
		int a = lane & 7; // which of the eight ends this lane has
		const int end = saved[wrap((a & 1) + (a < 2 ? q[0] : a < 4 ? q[1] : a < 6 ? q[2] : q[3]))];
		// a [b .. d] [e .. f] [g .. h] i becomes a [g .. h] [e .. f] [b .. d] i.
		const int from = a < 4 ? 2 * a : a == 4 ? 0 : a == 5 ? 6 : a == 6 ? 4 : 2;
		const int to = a < 4 ? 2 * a + 1 : a == 4 ? 5 : a == 5 ? 3 : a == 6 ? 1 : 7;
		const int x = __shfl_sync(ALL, end, from), y = __shfl_sync(ALL, end, to);
		int d = dist(x, y);
		uint32_t h = mark(x, y);
		if (a < 4) d = -d, h = 0u - h;
		for (int i = 1; i < 8; i *= 2) d += __shfl_xor_sync(ALL, d, i), h += __shfl_xor_sync(ALL, h, i);
		change = d, marks = h;
		const int l1 = q[1] - q[0], l2 = q[2] - q[1], l3 = q[3] - q[2];
		__syncwarp();
#pragma unroll 1
		for (int i = lane; i < l1 + l2 + l3; i += 32) {
			const int s = i < l3 ? q[2] + 1 + i : i < l3 + l2 ? q[1] + 1 + i - l3 : q[0] + 1 + i - l3 - l2;
			const u16 c = saved[s];
			order[q[0] + 1 + i] = c, pos[c] = (u16)(q[0] + 1 + i);
		}
		__syncwarp();
		return end;
	}

	// paired tells whether the same ends of paths are joined as at the beginning.
	__device__ __forceinline__ bool paired() const {
		if (w.fixed == 0) return true;
		const u16 *other = w.other;
		int first = -1, begin = 0; // the first city before a fixed edge; the last one behind one
		bool bad = false;
#pragma unroll 1
		for (int base = 0; base < m; base += 32) {
			const int p = base + lane;
			int a = 0, b = 0;
			bool is = false;
			if (p < m) a = order[p], b = order[wrap(p + 1)], is = mate[a] == b;
			const uint32_t mask = __ballot_sync(ALL, is), below = mask & ((1u << lane) - 1);
			const int mine = below ? 31 - __clz(below) : 0;
			const int last = __shfl_sync(ALL, b, mine);
			const int start = below ? last : begin;
			if (is && (below || first >= 0) && other[start] != a) bad = true;
			if (mask) {
				if (first < 0) first = __shfl_sync(ALL, a, __ffs(mask) - 1);
				begin = __shfl_sync(ALL, b, 31 - __clz(mask));
			}
		}
		return !__any_sync(ALL, bad) && other[begin] == first;
	}

	// trial makes a kick and its repair. It returns 0 if that was in vain, 1 if the result was kept,
	// 2 if it was undone only because of the ends of paths.
	__device__ __forceinline__ int trial(uint32_t agent, uint32_t number, double scale) {
		uint32_t draw;
		int end;
		change = 0, marks = 0;
		if (!kick(agent, number, draw, end)) return 0;
		i64 limit = 0;
		if (job.threshold)
			limit = (i64)(-scale * ml_log2(((double)draw + 0.5) * (1.0 / 4294967296.0)));
		const bool same = repair(end);
		__syncwarp(); // a lane may have looked at a fixed edge last, without the others
		int result = 0;
		if (!same && change <= limit * max(1, job.scale)) result = paired() ? 1 : 2;
		if (result != 1) w.reset();
		return result;
	}

	// climb makes all kicks of a round, and counts for the chain.
	__device__ __forceinline__ void climb(uint32_t agent, double scale, tile_outcome *o) {
		const int kicks = (m * job.rate + 500) / 1000, warp = w.warp, warps = w.warps;
		i64 sum = 0;
		int kept = 0, gained = 0, refused = 0, made = 0, each = 1, turn = 0;
#pragma unroll 1
		for (int next = 0; next < kicks; turn ^= 1) {
			const int begin = next + warp * each, end = min(kicks, begin + each);
			int hit = INT32_MAX, bad = 0;
			moves = 0;
#pragma unroll 1
			for (int i = begin; i < end && hit == INT32_MAX; i++) {
				const int result = trial(agent, (uint32_t)i, scale);
				if (result == 1) hit = i;
				if (result == 2) bad++;
			}
			if (lane == 0) w.said->hit[turn][warp] = hit;
			__syncthreads();
			const int first = least(lane < warps ? w.said->hit[turn][lane] : INT32_MAX);
			if (begin <= first) refused += bad, made += moves;
			if (first == INT32_MAX) {
				next += warps * each, each = min(each + 1, MOST_EACH);
				continue;
			}
			if (hit == first) {
				kept++, sum += change / max(1, job.scale), gained += change < 0;
#pragma unroll 1
				for (int i = lane; i < m; i += 32) saved[i] = order[i];
			}
			__syncthreads();
			if (hit != first) w.reset();
			next = first + 1, each = 1;
		}
		if (lane > 0) return;
		if (warp == 0) atomicAdd((u64 *)&o->kicks, (u64)kicks);
		if (kept > 0) {
			atomicAdd((u64 *)&o->change, (u64)sum);
			atomicAdd((u64 *)&o->kept, (u64)kept);
			atomicAdd((u64 *)&o->gained, (u64)gained);
		}
		if (refused > 0) atomicAdd((u64 *)&o->refused, (u64)refused);
		atomicAdd((u64 *)&o->moves, (u64)made);
	}
};

// sort sorts the keys of a warp, a power of two of them.
static __device__ void sort(uint32_t *key, int size, int lane) {
	for (int k = 2; k <= size; k *= 2)
		for (int j = k / 2; j > 0; j /= 2) {
			for (int i = lane; i < size / 2; i += 32) {
				const int a = (i / j) * 2 * j + i % j, b = a + j;
				const uint32_t x = key[a], y = key[b];
				if ((x > y) == ((a & k) == 0)) key[a] = y, key[b] = x;
			}
			__syncwarp();
		}
}

// alone leaves the cities of a piece that is too small where they are.
static __device__ void alone(const int *city, int all, const tile_room &r, int lane) {
	for (int i = lane; i < all; i += 32) {
		const int c = city[i], p = r.place[c];
		r.home[c] = p, r.rank[c] = 0, r.width[p] = 1;
	}
}

// choose finds the cities of a piece, in one warp: keys are their places in the tour, sorted,
// without cities both of whose neighbours are outside. It leaves in other whether a city begins a
// path (1) and whether it ends one (2).
template <class P>
static __device__ void choose(piece<P> &w, uint32_t *key, const int *city, int all, tile_room r) {
	const int n = w.job.n, lane = w.lane;
	int size = 32;
	while (size < all) size *= 2;
	for (int i = lane; i < size; i += 32)
		key[i] = i < all ? (uint32_t)r.place[city[i]] : 0xffffffffu;
	__syncwarp();
	sort(key, size, lane);
	const uint32_t low = key[0], high = key[all - 1];
	uint32_t before = high;
	int m = 0, first = -1, fixed = 0;
	for (int base = 0; base < all; base += 32) {
		const int i = base + lane;
		uint32_t k = 0, next = 0;
		if (i < all) k = key[i], next = i + 1 < all ? key[i + 1] : low;
		uint32_t last = __shfl_sync(ALL, k, (lane + 31) & 31);
		if (lane == 0) last = before;
		before = __shfl_sync(ALL, k, 31);
		const bool in = i < all && all > 1;
		const bool b = in && (last + 1 == k || last + 1 == (uint32_t)n && k == 0);
		const bool a = in && (k + 1 == next || k + 1 == (uint32_t)n && next == 0);
		const uint32_t keep = __ballot_sync(ALL, a || b), ends = __ballot_sync(ALL, b && !a);
		const uint32_t begins = __ballot_sync(ALL, a && !b);
		__syncwarp();
		if (i < all && !a && !b) {
			const int c = r.tour[k];
			r.home[c] = (int)k, r.rank[c] = 0, r.width[k] = 1;
		}
		const int to = m + __popc(keep & ((1u << lane) - 1));
		if (a || b) key[to] = k, w.other[to] = (u16)((b ? 0 : 1) | (a ? 0 : 2));
		if (first < 0 && begins) first = m + __popc(keep & ((1u << (__ffs(begins) - 1)) - 1));
		m += __popc(keep), fixed += __popc(ends);
		__syncwarp();
	}
	if (lane > 0) return;
	talk *t = w.said;
	t->m = m, t->first = max(first, 0), t->fixed = fixed;
}

// load makes the piece of the cities; the keys lie where saved and the first warp's order, pos and
// queue are then.
template <class P>
static __device__ void load(piece<P> &w, const int *city, int all, const int *near, const P *points,
		const int *weights, tile_room r) {
	uint32_t *key = (uint32_t *)w.saved;
	const int lane = w.lane;
	if (w.warp == 0) choose(w, key, city, all, r);
	__syncthreads();
	const int m = w.m = w.said->m, first = w.said->first;
	w.fixed = w.said->fixed;
	for (int i = threadIdx.x; i < m; i += 32 * w.warps) { // local numbers
		const int l = i < first ? i - first + m : i - first, c = r.tour[key[i]];
		const int flags = w.other[i];
		int mate = NONE;
		if (flags & 1) mate = l == 0 ? m - 1 : l - 1;
		if (flags & 2) mate = l == m - 1 ? 0 : l + 1;
		w.mate[l] = (u16)mate;
		r.list[l] = c, r.from[l] = (int)key[i];
		w.at[l] = points[c];
		if (w.job.scale) w.pi[l] = weights[c];
		int some = 0;
		for (int j = 0; j < w.job.k; j++) { // neighbours in the piece
			const uint32_t p = (uint32_t)r.place[near[(size_t)c * w.job.k + j]];
			int lo = 0, hi = m;
			while (lo < hi) {
				const int mid = (lo + hi) / 2;
				if (key[mid] < p) lo = mid + 1;
				else hi = mid;
			}
			if (lo < m && key[lo] == p)
				w.near[l * w.job.k + some++] = (u16)(lo < first ? lo - first + m : lo - first);
		}
		w.count[l] = (uint8_t)some;
	}
	__syncthreads();
	int left = INT32_MAX, right = INT32_MIN, down = INT32_MAX, up = INT32_MIN;
	for (int l = lane; l < m; l += 32) {
		const int x = (int)w.at[l].x, y = (int)w.at[l].y;
		left = min(left, x), right = max(right, x), down = min(down, y), up = max(up, y);
	}
	left = least(left), right = most(right), down = least(down), up = most(up);
	const double across = (double)right - left, high = (double)up - down;
	const double square = across * across + high * high;
	const int metric = w.job.metric;
	w.plane = 0;
	if (metric == EUC_2D || metric == CEIL_2D) w.plane = square < 4398046511104.0;
	if (metric == EUC_2D && square < 2147483648.0) w.plane = 2;
	// Ends of paths, and the circle.
	for (int l = lane; l < m; l += 32)
		w.order[l] = (u16)l, w.pos[l] = (u16)l, w.dirty[l] = 0;
	int start = 0;
	for (int base = 0; w.warp == 0 && base < m; base += 32) {
		const int l = base + lane;
		bool begins = false, ends = false;
		if (l < m) {
			w.saved[l] = (u16)l, w.other[l] = NONE;
			begins = w.mate[l] == (l == 0 ? m - 1 : l - 1), ends = w.mate[l] == (l == m - 1 ? 0 : l + 1);
		}
		__syncwarp();
		const uint32_t mask = __ballot_sync(ALL, begins), upto = mask & (0xffffffffu >> (31 - lane));
		const int s = upto ? base + 31 - __clz(upto) : start;
		if (l < m && ends) w.other[l] = (u16)s, w.other[s] = (u16)l;
		if (mask) start = base + 31 - __clz(mask);
		__syncwarp();
	}
	__syncthreads();
}

// store writes where the cities of the piece are.
template <class P> static __device__ void store(const piece<P> &w, tile_room r, int lane) {
	const int m = w.m;
	const int dir = w.fixed > 0 && w.step(0, 1) == w.mate[0] ? -1 : 1;
	const int at = w.fixed == 0 ? 0 : w.pos[0];
	int begun = 0, home = 0; // where the path began that goes on here
	for (int base = 0; base < m; base += 32) {
		const int i = base + lane;
		int c = 0, from = 0;
		bool begins = false, ends = false;
		if (i < m) {
			const int p = dir > 0 ? w.wrap(at + i) : w.wrap(at - i);
			c = w.order[p];
			const int next = w.order[w.wrap(p + dir)], last = w.order[w.wrap(p - dir)];
			begins = i == 0 || w.mate[last] == c, ends = i == m - 1 || w.mate[c] == next;
			from = r.from[w.fixed == 0 ? 0 : c];
		}
		const uint32_t mask = __ballot_sync(ALL, begins), upto = mask & (0xffffffffu >> (31 - lane));
		const int mine = upto ? 31 - __clz(upto) : 0, of = __shfl_sync(ALL, from, mine);
		const int start = upto ? base + mine : begun, h = upto ? of : home;
		if (i < m) {
			const int g = r.list[c];
			r.home[g] = h, r.rank[g] = i - start;
			if (ends) r.width[h] = i - start + 1;
		}
		if (mask) {
			const int top = 31 - __clz(mask);
			begun = base + top, home = __shfl_sync(ALL, from, top);
		}
	}
}

// moved is the room of a chain.
static __device__ tile_room moved(tile_room r, size_t chain, int n) {
	const size_t by = chain * n;
	r.tour += by, r.next += by, r.place += by, r.home += by, r.rank += by, r.width += by;
	r.list += by, r.from += by;
	r.sums += chain * ((n + CHUNK - 1) / CHUNK);
	return r;
}

// A block has a piece of a chain.
template <class P>
static __device__ void search(const tile_job &job, char *memory, const int *start,
		const int *cities, const int *near, const P *points, const int *weights, const double *scale,
		const tile_room &room, tile_outcome *out) {
	const int number = job.first + blockIdx.x % job.span, chain = blockIdx.x / job.span;
	tile_room r = moved(room, chain, job.n);
	const int begin = start[number], all = start[number + 1] - begin;
	r.list += begin, r.from += begin;
	piece<P> w(job, memory);
	if (all < MIN_CITIES) {
		if (w.warp == 0) alone(cities + begin, all, r, w.lane);
		return;
	}
	load(w, cities + begin, all, near, points, weights, r);
	if (w.m < MIN_CITIES) { // nothing is searched
		if (w.warp == 0) alone(cities + begin, all, r, w.lane);
		return;
	}
	const uint32_t agent = (uint32_t)chain << 24 | (uint32_t)number;
	const double of = job.threshold ? scale[chain] : 0;
	if (sizeof(P) > 8) w.plane = 0; // real coordinates have one way
	if (w.plane == 2) climber<P, 2>(w).climb(agent, of, out + chain);
	else if (w.plane == 1) climber<P, 1>(w).climb(agent, of, out + chain);
	else climber<P, 0>(w).climb(agent, of, out + chain);
	__syncwarp();
	if (w.warp == 0) store(w, r, w.lane);
}

// Launch: a block of up to MAX_WARPS warps for each chain and each of span pieces; shared memory
// that of a talk and, for each warp, 8 ITEMS bytes, and for each of cap cities 15 + 2 k, 7 more a
// warp, 4 more with weights and 8 more with real coordinates. Bound: the latency of shared memory
// and of distances.
extern "C" __global__ void __launch_bounds__(32 * MAX_WARPS, 3) tiles_search_whole(tile_job job,
		const int *start, const int *cities, const int *near, const whole *points, const int *weights,
		const double *scale, tile_room room, tile_outcome *out) {
	extern __shared__ uint4 memory[];
	search(job, (char *)memory, start, cities, near, points, weights, scale, room, out);
}

extern "C" __global__ void __launch_bounds__(32 * MAX_WARPS, 3) tiles_search_real(tile_job job,
		const int *start, const int *cities, const int *near, const real *points, const int *weights,
		const double *scale, tile_room room, tile_outcome *out) {
	extern __shared__ uint4 memory[];
	search(job, (char *)memory, start, cities, near, points, weights, scale, room, out);
}

// tiles_place notes the places of cities. Launch: a thread a place and chain.
extern "C" __global__ void tiles_place(int n, int chains, tile_room room) {
	const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= (i64)n * chains) return;
	const i64 chain = i / n;
	room.place[chain * n + room.tour[i]] = (int)(i - chain * n);
	room.width[i] = 0;
}

// told is what there is to tell of the cities from begin to end - 1 of a cut, in all chains: home,
// rank, and the width of the path at the place of the city before the round, all of the first, then
// all of the second, and of the third. f gets a number there, and where it is in the room.
template <class F> static __device__ void told(const tile_job &job, int chains, const int *cities,
		int begin, int end, const tile_room &room, const F &f) {
	const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x, each = end - begin, all = each * chains;
	if (i >= all) return;
	const i64 of = i / each * job.n, c = of + cities[begin + i % each];
	f(i, room.home + c);
	f(all + i, room.rank + c);
	f(2 * all + i, room.width + of + room.place[c]);
}

// tiles_pack says what a device has made of its pieces, and tiles_unpack hears it of others.
// Launch: a thread a city and chain.
extern "C" __global__ void tiles_pack(tile_job job, int chains, const int *cities, int begin,
		int end, tile_room room, int *said) {
	told(job, chains, cities, begin, end, room, [=](i64 k, int *at) { said[k] = *at; });
}
extern "C" __global__ void tiles_unpack(tile_job job, int chains, const int *cities, int begin,
		int end, tile_room room, int *said) {
	told(job, chains, cities, begin, end, room, [=](i64 k, int *at) { *at = said[k]; });
}

// tiles_chunks sums widths. Launch: a warp a chunk and chain.
extern "C" __global__ void tiles_chunks(int n, int chains, tile_room room) {
	const int lane = threadIdx.x & 31, chunks = (n + CHUNK - 1) / CHUNK;
	const i64 i = ((i64)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
	if (i >= (i64)chunks * chains) return;
	const i64 chain = i / chunks, chunk = i - chain * chunks;
	const int *width = room.width + chain * n;
	const int begin = (int)chunk * CHUNK, end = min(n, begin + CHUNK);
	int sum = 0;
	for (int p = begin + lane; p < end; p += 32) sum += width[p];
	for (int k = 1; k < 32; k *= 2) sum += __shfl_xor_sync(ALL, sum, k);
	if (lane == 0) room.sums[i] = sum;
}

// upto is the sum of v over the lanes below, and over all.
static __device__ int upto(int v, int lane, int &all) {
	int sum = v;
	for (int k = 1; k < 32; k *= 2) {
		const int w = __shfl_sync(ALL, sum, (lane - k) & 31);
		if (lane >= k) sum += w;
	}
	all = __shfl_sync(ALL, sum, 31);
	return sum - v;
}

// tiles_carry replaces the sums of chunks by those of all chunks before. Launch: a warp a chain.
extern "C" __global__ void tiles_carry(int n, int chains, tile_room room) {
	const int lane = threadIdx.x & 31, chunks = (n + CHUNK - 1) / CHUNK;
	int *sums = room.sums + (size_t)blockIdx.x * chunks, carry = 0;
	for (int base = 0; base < chunks; base += 32) {
		const int i = base + lane, v = i < chunks ? sums[i] : 0;
		int all;
		const int before = upto(v, lane, all);
		if (i < chunks) sums[i] = carry + before;
		carry += all;
	}
}

// tiles_starts replaces widths by the places where paths begin now. Launch: a warp a chunk and
// chain.
extern "C" __global__ void tiles_starts(int n, int chains, tile_room room) {
	const int lane = threadIdx.x & 31, chunks = (n + CHUNK - 1) / CHUNK;
	const i64 i = ((i64)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
	if (i >= (i64)chunks * chains) return;
	const i64 chain = i / chunks, chunk = i - chain * chunks;
	int *width = room.width + chain * n, carry = room.sums[i];
	for (int base = (int)chunk * CHUNK; base < min(n, (int)(chunk + 1) * CHUNK); base += 32) {
		const int p = base + lane, v = p < n ? width[p] : 0;
		int all;
		const int before = upto(v, lane, all);
		if (p < n) width[p] = carry + before;
		carry += all;
	}
}

// tiles_write writes the new tours. Launch: a thread a city and chain.
extern "C" __global__ void tiles_write(int n, int chains, tile_room room) {
	const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= (i64)n * chains) return;
	const i64 chain = i / n;
	room.next[chain * n + room.width[chain * n + room.home[i]] + room.rank[i]] = (int)(i - chain * n);
}

// measure adds up length and hash of the new tour of a chain.
template <class P>
static __device__ void measure(const tile_job &job, int chains, const P *points,
		const tile_room &room, tile_outcome *out) {
	const int n = job.n, each = (n + 31) / 32; // lanes of a chain, in whole warps
	const i64 warp = ((i64)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
	const int lane = threadIdx.x & 31, chain = (int)(warp / each);
	if (chain >= chains) return;
	const int p = (int)(warp - (i64)chain * each) * 32 + lane;
	const int *next = room.next + (size_t)chain * n;
	u64 length = 0, hash = 0;
	if (p < n) {
		const int c = next[p];
		const P a = points[c], b = points[next[p + 1 < n ? p + 1 : 0]];
		length = (u64)ml_dist(job.metric, (double)(a.x - b.x), (double)(a.y - b.y));
		hash = ml_mix64((u64)p << 32 | (uint32_t)(c + 1));
	}
	for (int k = 1; k < 32; k *= 2)
		length += __shfl_xor_sync(ALL, length, k), hash += __shfl_xor_sync(ALL, hash, k);
	if (lane == 0) {
		atomicAdd((u64 *)&out[chain].length, length);
		atomicAdd((u64 *)&out[chain].hash, hash);
	}
}

// Launch: a warp for 32 places of a chain.
extern "C" __global__ void tiles_measure_whole(tile_job job, int chains, const whole *points,
		tile_room room, tile_outcome *out) {
	measure(job, chains, points, room, out);
}

extern "C" __global__ void tiles_measure_real(tile_job job, int chains, const real *points,
		tile_room room, tile_outcome *out) {
	measure(job, chains, points, room, out);
}
