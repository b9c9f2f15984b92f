// Tabu search and climbing on colourings: a vertex takes another colour, or two change places.
#include "common.cuh"

#define FULL 0xffffffffu

// colouring is an instance and the walks' data.
struct colouring {
	const int32_t *first, *near; // the neighbours of v are near[first[v]] to before near[first[v + 1]]
	const uint32_t *adjacent;    // bit u of row v: v and u are neighbours
	int32_t *c, *top;            // by walk: the colours, and the best ones
	int64_t *until;              // by walk, vertex and colour
	int32_t *around;             // by walk, vertex and colour: neighbours of that colour
	uint32_t *tickets;           // by walk: blocks that have ended a scan, 0 between scans
	int32_t k, words;            // colours; words of a row of adjacent
};

// painted is a walk's data.
struct painted {
	const colouring &q;
	int32_t *c, *around;
	int64_t *until;
	__device__ painted(const job &o, const colouring &p, int64_t a)
			: q(p), c(p.c + a * o.n), around(p.around + a * o.n * p.k), until(p.until + a * o.n * p.k) {}
	__device__ int plus(int v, int by) const {
		const int x = c[v] + by;
		return x < q.k ? x : x - q.k;
	}
	// here is how many neighbours of v have its colour.
	__device__ int here(int v) const { return around[(int64_t)v * q.k + c[v]]; }
	// entry is the place in around and until of v with colour x.
	__device__ int64_t entry(int v, int x) const { return (int64_t)v * q.k + x; }
	__device__ int changed(int v, int by) const { return around[entry(v, plus(v, by))] - here(v); }
	__device__ int swapped(int v, int u) const {
		const int x = c[v], y = c[u];
		if (x == y) return 0;
		int d = around[entry(v, y)] - around[entry(v, x)] + around[entry(u, x)] - around[entry(u, y)];
		if (q.adjacent[(int64_t)v * q.words + (u >> 5)] >> (u & 31) & 1) d -= 2; // each counts the other
		return d;
	}
	// until_of is until when a move is tabu; u < 0: v takes another colour.
	__device__ int64_t until_of(int v, int u, int by) const {
		if (u < 0) return until[entry(v, plus(v, by))];
		const int64_t s = until[entry(v, c[u])], t = until[entry(u, c[v])];
		return s < t ? s : t;
	}
};

// repaint_at is the move with this index: v and by how much its colour grows, or v and u.
__device__ inline void repaint_at(
		const job &o, const colouring &q, uint64_t index, int *v, int *u, int *by) {
	*u = -1, *by = 0;
	if (o.number > 0) {
		pair_at(o.n, index, v, u);
	} else {
		*v = (int)(index / (uint32_t)(q.k - 1));
		*by = (int)(index % (uint32_t)(q.k - 1)) + 1;
	}
}

// colouring_make decides by f and makes the move; all threads of a block call it, with f of thread
// 0 and the number of vertices in conflict.
__device__ inline void colouring_make(
		job o, const colouring &q, int a, walk *w, const found &f, int conflicts) {
	__shared__ int vertex[2], fresh[2], better_now;
	const painted t(o, q, a);
	if (threadIdx.x == 0) {
		vertex[0] = vertex[1] = -1;
		if (o.pick == TABU && o.number == 0) o.size = (uint64_t)conflicts * (uint32_t)(q.k - 1);
		choice c = decide(o, w, f);
		if (c.index != NO_MOVE) {
			int v, u, by;
			repaint_at(o, q, c.index, &v, &u, &by);
			w->at[0] = v, w->at[1] = u, w->back = by;
			fresh[0] = u < 0 ? t.plus(v, by) : t.c[u], fresh[1] = t.c[v];
			vertex[0] = v, vertex[1] = u;
			if (o.pick == TABU) {
				w->tally[1] += t.until_of(v, u, by) >= w->clock;
				for (int d = 0; d < (u < 0 ? 1 : 2); d++)
					t.until[t.entry(vertex[d], t.c[vertex[d]])] =
							w->clock + wait_of(o, w->clock, a, d, conflicts);
			}
		}
		taken(o, w);
		better_now = (int)w->better;
	}
	__syncthreads();
	for (int d = 0; d < 2; d++) {
		const int v = vertex[d];
		const int old = v < 0 ? 0 : t.c[v], x = fresh[d];
		__syncthreads();
		if (v < 0 || old == x) continue;
		for (int e = q.first[v] + threadIdx.x; e < q.first[v + 1]; e += blockDim.x) {
			const int u = q.near[e];
			t.around[t.entry(u, old)]--;
			t.around[t.entry(u, x)]++;
		}
		if (threadIdx.x == 0) t.c[v] = x;
		__syncthreads(); // the neighbours of both may be the same
	}
	if (better_now)
		for (int v = threadIdx.x; v < o.n; v += blockDim.x) q.top[(int64_t)a * o.n + v] = t.c[v];
}

// conflicts_of is the number of vertices in conflict; all threads of a block call it.
__device__ inline int conflicts_of(const job &o, const painted &t) {
	__shared__ int count;
	__syncthreads();
	if (threadIdx.x == 0) count = 0;
	__syncthreads();
	int own = 0;
	for (int v = threadIdx.x; v < o.n; v += blockDim.x) own += t.here(v) > 0;
	if (own) atomicAdd(&count, own);
	__syncthreads();
	return count;
}

// colouring_scan evaluates the neighbours of all walks, a thread one by its index. deltas, if it is
// not null, gets the fitnesses, o.size for each walk; parts gets the best of each block. Tabu
// search changes only vertices in conflict.
extern "C" __global__ void colouring_scan(job o, colouring q, const walk *walks,
		const int4 *given, int64_t *deltas, found *parts) {
	const int64_t a = blockIdx.x / o.blocks, block = blockIdx.x % o.blocks;
	const walk &w = walks[a];
	if (!due(o, w)) return;
	const painted t(o, q, a);
	const uint64_t step = (uint64_t)o.blocks * blockDim.x, start = start_of(o, w, (int)a);
	found f = {no_choice(), no_choice(), no_choice()};
	for (uint64_t x = (uint64_t)block * blockDim.x + threadIdx.x; x < o.size; x += step) {
		int v, u, by;
		if (given)
			v = given[x].x, u = given[x].y, by = given[x].w;
		else
			repaint_at(o, q, x, &v, &u, &by);
		const int64_t d = u < 0 ? t.changed(v, by) : t.swapped(v, u);
		if (deltas) deltas[a * o.size + x] = d;
		if (o.pick == TABU && u < 0 && t.here(v) == 0) continue;
		note_found(o, start, &f, d, x, false, o.pick == TABU && t.until_of(v, u, by) > w.clock);
	}
	f = best_of(f);
	if (threadIdx.x == 0) parts[blockIdx.x] = f;
}

// colouring_move finds the best of the blocks' moves and makes it; a block is a walk.
extern "C" __global__ void colouring_move(job o, colouring q, walk *walks, const found *parts) {
	const int a = blockIdx.x;
	if (!due(o, walks[a])) return;
	const painted t(o, q, a);
	found f = {no_choice(), no_choice(), no_choice()};
	for (int b = threadIdx.x; b < o.blocks; b += blockDim.x) {
		const found &g = parts[(int64_t)a * o.blocks + b];
		f.all = better(f.all, g.all), f.late = better(f.late, g.late), f.open = better(f.open, g.open);
	}
	f = best_of(f);
	colouring_make(o, q, a, walks + a, f, conflicts_of(o, t));
}

// looked is the best move of a thread among those that may be made, and the vertices in conflict.
struct repaints {
	choice best;
	int64_t clock, hope;
	bool climbing;
	__device__ void look(const painted &t, int64_t d, uint64_t index, int v, int u, int by) {
		const choice c = {d, index};
		if (d > best.delta) return;
		if (d < hope || (!climbing && t.until_of(v, u, by) < clock)) best = better(best, c);
	}
};

// colouring_scans makes scans of a whole neighbourhood and the moves that follow: one, or, with one
// block a walk, all that are left. Of vertices a warp looks at 32, and its lanes at the colours of
// each; of pairs a warp has one vertex and its lanes have the others.
extern "C" __global__ void colouring_scans(job o, colouring q, walk *walks, found *parts) {
	__shared__ int conflicts;
	__shared__ bool last;
	const int a = blockIdx.x / o.blocks, block = blockIdx.x % o.blocks, n = o.n, k = q.k;
	const int lane = threadIdx.x & 31, warps = blockDim.x >> 5, step = warps * o.blocks;
	const painted t(o, q, a);
	do {
		walk *w = walks + a;
		if (!due(o, *w)) return;
		repaints r = {no_choice(), w->clock + 1, 0, o.pick != TABU};
		if (!r.climbing) r.hope = w->low - w->cost;
		__syncthreads();
		if (threadIdx.x == 0) conflicts = 0;
		__syncthreads();
		const int from = block * warps + (threadIdx.x >> 5);
		if (o.number == 0 || !r.climbing) {
			for (int v0 = 32 * from; v0 < n; v0 += 32 * step) {
				const bool in = v0 + lane < n, bad = in && t.here(v0 + lane) > 0;
				const unsigned in_conflict = __ballot_sync(FULL, bad);
				if (lane == 0 && in_conflict) atomicAdd(&conflicts, __popc(in_conflict));
				if (o.number > 0) continue;
				for (unsigned left = r.climbing ? __ballot_sync(FULL, in) : in_conflict; left;
						 left &= left - 1) {
					const int v = v0 + __ffs(left) - 1, own = t.c[v];
					const int32_t *row = t.around + t.entry(v, 0);
					const int here = row[own];
					for (int x = lane; x < k; x += 32) {
						if (x == own) continue;
						const int by = x < own ? x - own + k : x - own;
						r.look(t, row[x] - here, (uint64_t)v * (k - 1) + by - 1, v, -1, by);
					}
				}
			}
		}
		if (o.number > 0)
			for (int v = from; v < n - 1; v += step) {
				const uint64_t base = pairs_of(n) - pairs_of(n - v); // the index of the pair v, v + 1
				for (int u = v + 1 + lane; u < n; u += 32)
					r.look(t, t.swapped(v, u), base + (u - v - 1), v, u, 0);
			}
		__syncwarp();
		choice c = best_of(r.best);
		if (o.blocks > 1) {
			unsigned long long *out = (unsigned long long *)parts; // three words a block
			if (threadIdx.x == 0) {
				unsigned long long *own = out + 3 * (int64_t)blockIdx.x;
				own[0] = (unsigned long long)c.delta, own[1] = c.index, own[2] = (unsigned)conflicts;
				__threadfence();
				last = atomicAdd(q.tickets + a, 1u) == (uint32_t)o.blocks - 1;
			}
			__syncthreads();
			if (!last) return;
			__threadfence();
			if (threadIdx.x == 0) conflicts = 0;
			__syncthreads();
			c = no_choice();
			for (int b = threadIdx.x; b < o.blocks; b += blockDim.x) {
				const unsigned long long *in = out + 3 * ((int64_t)a * o.blocks + b);
				c = better(c, {(int64_t)__ldcg(in), __ldcg(in + 1)});
				atomicAdd(&conflicts, (int)__ldcg(in + 2));
			}
			c = best_of(c);
			if (threadIdx.x == 0) q.tickets[a] = 0;
		}
		__syncthreads();
		found f = {no_choice(), no_choice(), no_choice()};
		if (r.climbing)
			f.all = c;
		else
			f.open = c;
		colouring_make(o, q, a, w, f, conflicts);
		__syncthreads();
	} while (o.blocks == 1);
}

// colouring_load computes around; blockIdx.x is a walk.
extern "C" __global__ void colouring_load(job o, colouring q) {
	const painted t(o, q, blockIdx.x);
	for (int v = threadIdx.x; v < o.n; v += blockDim.x) {
		for (int x = 0; x < q.k; x++) t.around[t.entry(v, x)] = 0;
		for (int e = q.first[v]; e < q.first[v + 1]; e++) t.around[t.entry(v, t.c[q.near[e]])]++;
	}
}

// colouring_hash computes arith.HashPerm of each walk's colours; a block is a walk.
extern "C" __global__ void colouring_hash(job o, colouring q, walk *walks) {
	__shared__ unsigned long long sum;
	const int64_t a = blockIdx.x;
	if (threadIdx.x == 0) sum = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < o.n; i += blockDim.x) {
		uint32_t x = (uint32_t)q.c[a * o.n + i] + 1;
		atomicAdd(&sum, (unsigned long long)ml_mix64((uint64_t)i << 32 | x));
	}
	__syncthreads();
	if (threadIdx.x == 0) walks[a].hash = sum;
}
