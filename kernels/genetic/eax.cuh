// Children of a couple of ga/eax-rounds: package metalab/solvers/genetic defines them, in mate.go
// and the files beside it. A block has a couple: one lane takes the parents apart into A-B cycles,
// and then each warp makes children, all lanes together.
#ifndef METALAB_GENETIC_EAX_CUH
#define METALAB_GENETIC_EAX_CUH

#include "common.cuh"

#define DRAW_CHILDREN 5

// turn is what a launch makes: couples lo to hi - 1 of the ring.
struct turn {
	int32_t lo, hi, tours; // tours of the population
	int32_t children;      // of a couple
	int32_t greedy;        // the best child is the shortest
	int32_t shared;        // the parents' edges that are left lie in shared memory; 2: the way, too
	int64_t scratch;       // bytes of a block
	uint64_t slots;        // of the table of edges, a power of two
};

// bred is genetic.Bred.
struct bred {
	int64_t gain, length;
	uint64_t hash;
	int32_t children, cycles;
};

// An edge in the table of edges: its number in the upper 48 bits, and in how many tours it is.
typedef unsigned long long slot;

__device__ __forceinline__ slot edge_number(int n, int a, int b) {
	const slot lo = a < b ? a : b, hi = a < b ? b : a;
	return lo * n + hi + 1;
}

__device__ __forceinline__ uint64_t slot_of(slot edge, uint64_t slots) {
	return ml_mix64(edge) & (slots - 1);
}

// tours_with is the number of tours with an edge.
__device__ inline int tours_with(const slot *table, uint64_t slots, int n, int a, int b) {
	const slot edge = edge_number(n, a, b);
	uint64_t at = slot_of(edge, slots);
	for (uint64_t look = 0; look < slots; look++) {
		const slot s = table[at];
		if (s >> 16 == edge) return (int)(s & 0xffff);
		if (s == 0) return 0;
		at = (at + 1) & (slots - 1);
	}
	return 0;
}

// A purse hands memory out, by multiples of 16 bytes.
struct purse {
	char *at;
	template <class T> __device__ __forceinline__ T *take(int64_t count) {
		T *p = (T *)at;
		at += (count * (int64_t)sizeof(T) + 15) & ~15ll;
		return p;
	}
};

// Cuts of a child up to which its segments lie in shared memory.
#define FEW 64

// segments are what is known of the segments of a child, see matesegments.go.
struct segments {
	int32_t *cuts, *link, *sub, *next, *head, *tail, *size;
};

// The memory of a block and of a warp; kernels/genetic/eaxargs.go computes their sizes.
template <class C> struct couple_memory {
	C *left;        // by city: edges not used yet, two of A and two of B
	C *place;       // by city: its index + 1 in the path, at even and at odd indices
	C *pos;         // by city: its place in A
	C *beside;      // by city: the cities before and behind it in A
	C *path;        // the way so far; before, the cities beside each city in B
	C *cycles;      // of all cycles
	int32_t *start; // where they begin
	int32_t *pick;  // cycles in the order in which they are taken
	int32_t *owner; // by city: the cycles that pass through it, or -1
};

// mate makes children; the whole warp calls its methods, and all lanes have the same values.
template <class C, int KIND> struct mate {
	const job &o;
	const world &w;
	const C *order; // A
	const C *pos, *beside, *cycles;
	const int32_t *start;
	const int32_t *owner;
	int lane;

	C *adj;          // by city: the cities before and behind it
	uint32_t *stamp; // by city: the child that touched it last
	int32_t *touched, *set;
	int32_t *chosen; // by cycle: the child whose block it was chosen for last
	segments few, many, s; // s: those in use

	uint32_t child;
	int touches, sets, m, tours;
	int64_t gain;

	__device__ __forceinline__ int d(int a, int b) const { return dist<KIND>(o, w, a, b); }
	__device__ __forceinline__ int before(int c) const { return beside[2 * (int64_t)c]; }
	__device__ __forceinline__ int behind(int c) const { return beside[2 * (int64_t)c + 1]; }
	__device__ __forceinline__ int below_me(unsigned who) const {
		return __popc(who & ((1u << lane) - 1));
	}

	// replace replaces the edges of A of the cycles of set by those of B.
	__device__ inline void replace() {
		child++;
		touches = m = 0;
		int64_t sum = 0;
		int cuts = 0;
#pragma unroll 1
		for (int j = 0; j < sets; j++) cuts += (start[set[j] + 1] - start[set[j]]) / 2;
		s = cuts <= FEW ? few : many;
#pragma unroll 1
		for (int j = 0; j < sets; j++) {
			const C *cycle = cycles + start[set[j]];
			const int length = start[set[j] + 1] - start[set[j]];
#pragma unroll 1
			for (int at = 0; at < length; at += 32) {
				const int i = at + lane;
				int x = 0;
				bool right = false;
				if (i < length) {
					x = cycle[i];
					const int lost = cycle[i ^ 1];
					int to;
					if (i & 1) {
						to = cycle[i + 1 == length ? 0 : i + 1];
						sum -= d(x, to);
					} else {
						to = cycle[i ? i - 1 : length - 1];
						sum += d(x, lost);
					}
					right = behind(x) == lost;
					adj[2 * x + right] = (C)to;
					stamp[x] = child;
				}
				const unsigned who = __ballot_sync(ALL, right);
				if (right) {
					s.cuts[m + below_me(who)] = pos[x];
					touched[touches + below_me(who)] = x;
				}
				m += __popc(who);
				touches += __popc(who);
			}
		}
		__syncwarp();
		// Cities with a new neighbour before them only.
#pragma unroll 1
		for (int j = 0; j < sets; j++) {
			const C *cycle = cycles + start[set[j]];
			const int length = start[set[j] + 1] - start[set[j]];
#pragma unroll 1
			for (int at = 0; at < length; at += 32) {
				const int i = at + lane;
				int x = 0;
				bool left = false;
				if (i < length) {
					x = cycle[i];
					const int next = behind(x);
					left = next != cycle[i ^ 1] && adj[2 * x + 1] == next;
				}
				const unsigned who = __ballot_sync(ALL, left);
				if (left) touched[touches + below_me(who)] = x;
				touches += __popc(who);
			}
		}
		gain = sum_of_warp(sum);
		__syncwarp();
	}

	// sort sorts the cuts.
	__device__ inline void sort() {
		if (m <= 32) {
			int v = lane < m ? s.cuts[lane] : INT32_MAX;
			for (int k = 2; k <= 32; k *= 2) {
				for (int j = k / 2; j > 0; j /= 2) {
					const int other = __shfl_xor_sync(ALL, v, j);
					const bool low = ((lane & j) == 0) == ((lane & k) == 0);
					v = low == (other < v) ? other : v;
				}
			}
			__syncwarp();
			if (lane < m) s.cuts[lane] = v;
			__syncwarp();
			return;
		}
		int size = 64;
		while (size < m) size *= 2;
		for (int i = m + lane; i < size; i += 32) s.cuts[i] = INT32_MAX;
		__syncwarp();
#pragma unroll 1
		for (int k = 2; k <= size; k *= 2) {
#pragma unroll 1
			for (int j = k / 2; j > 0; j /= 2) {
				for (int i = lane; i < size; i += 32) {
					if (i & j) continue;
					const int a = s.cuts[i], b = s.cuts[i | j];
					if ((a > b) == ((i & k) == 0)) {
						s.cuts[i] = b;
						s.cuts[i | j] = a;
					}
				}
				__syncwarp();
			}
		}
	}

	// cut_at tells whether the edge of A at a side of city c is cut.
	__device__ __forceinline__ bool cut_at(int c, int side) const {
		const int to = side ? behind(c) : before(c);
		return adj[2 * c] != to && adj[2 * c + 1] != to;
	}

	// segment_of is the segment of a place.
	__device__ __forceinline__ int segment_of(int p) const {
		int lo = 0, hi = m;
		while (lo < hi) {
			const int x = (lo + hi) / 2;
			if (s.cuts[x] < p) lo = x + 1;
			else hi = x;
		}
		return lo == m ? 0 : lo;
	}

	__device__ __forceinline__ int first_of(int j) const {
		if (j) return s.cuts[j - 1] + 1;
		const int p = s.cuts[m - 1] + 1;
		return p == o.n ? 0 : p;
	}
	__device__ __forceinline__ int length_of(int j) const {
		if (j) return s.cuts[j] - s.cuts[j - 1];
		return s.cuts[0] + o.n - s.cuts[m - 1];
	}

	// enter is the end to which the new edge of city f at a side leads.
	__device__ __forceinline__ int enter(int f, int side) const {
		int g = adj[2 * f + side];
		if (!cut_at(f, 1 - side)) {
			const int other = side ? before(f) : behind(f);
			g = adj[2 * f];
			if (g == other) g = adj[2 * f + 1];
		}
		const int at = cut_at(g, 1) && (!cut_at(g, 0) || adj[2 * g + 1] == f);
		return 2 * segment_of(pos[g]) + at;
	}

	// find sorts the cuts and finds the links.
	__device__ inline void find() {
		sort();
		for (int e = lane; e < 2 * m; e += 32)
			s.link[e] = enter(order[e & 1 ? s.cuts[e / 2] : first_of(e / 2)], e & 1);
		__syncwarp();
	}

	// join_segments finds the subtours that the segments make.
	__device__ inline void join_segments() {
		for (int j = lane; j < m; j += 32) s.sub[j] = s.next[j] = -1;
		__syncwarp();
		int count = 0;
		if (lane == 0) {
			for (int j = 0; j < m; j++) {
				if (s.sub[j] >= 0) continue;
				int tail = j, size = 0;
				for (int end = 2 * j; s.sub[end / 2] < 0;) {
					const int x = end / 2;
					s.sub[x] = count;
					size += length_of(x);
					if (x != j) {
						s.next[tail] = x;
						tail = x;
					}
					end = s.link[2 * x + 1 - (end & 1)];
				}
				s.head[count] = j, s.tail[count] = tail, s.size[count] = size;
				count++;
			}
		}
		tours = __shfl_sync(ALL, count, 0);
		__syncwarp();
	}

	// best_exchange is the best exchange for subtour u; seen: a listed neighbour is elsewhere.
	__device__ inline struct gain best_exchange(int u, bool *seen) const {
		struct gain best = {INT64_MIN, INT64_MAX};
		bool any = false;
		for (int x = s.head[u]; x >= 0; x = s.next[x]) {
			const int first = first_of(x), items = length_of(x) * o.k;
			for (int y = lane; y < items; y += 32) {
				const int i = y % o.k;
				int p = first + y / o.k;
				if (p >= o.n) p -= o.n;
				const int v = order[p];
				const int c = w.near[(int64_t)v * o.k + i];
				if (s.sub[segment_of(pos[c])] == u) continue;
				any = true;
				const int v0 = adj[2 * v], v1 = adj[2 * v + 1];
				const int d0 = d(v, v0), d1 = d(v, v1), away = w.far[(int64_t)v * o.k + i];
				for (int t = 0; t < 2; t++) {
					const int c2 = adj[2 * c + t];
					const int64_t e = (int64_t)d(c, c2) - away;
					for (int h = 0; h < 2; h++) {
						const int64_t most = (h ? d1 : d0) + e;
						if (most < best.by) continue;
						const struct gain g = {most - d(h ? v1 : v0, c2),
							(((int64_t)p * o.k + i) * 2 + t) * 2 + h};
						best = larger(g, best);
					}
				}
			}
		}
		__syncwarp();
		*seen = __any_sync(ALL, any);
		return largest_of_warp(best);
	}

	__device__ __forceinline__ void swap(int c, int from, int to) {
		adj[2 * c + (adj[2 * c] != from)] = (C)to;
	}

	// merge joins the shortest subtour to another one; false: the child is of no use.
	__device__ inline bool merge(bool last) {
		struct gain least = {INT64_MIN, INT64_MAX}; // the largest of negative sizes
		for (int j = lane; j < tours; j += 32)
			if (s.size[j] > 0) least = larger(least, {-(int64_t)s.size[j], j});
		__syncwarp();
		const int u = (int)largest_of_warp(least).order;
		bool seen;
		const struct gain best = best_exchange(u, &seen);
		int v, v2, c, c2, to;
		int64_t by = best.by;
		if (seen) {
			const int64_t pair = best.order >> 2;
			v = order[pair / o.k];
			c = w.near[(int64_t)v * o.k + pair % o.k];
			c2 = adj[2 * c + ((best.order >> 1) & 1)];
			v2 = adj[2 * v + (best.order & 1)];
			to = s.sub[segment_of(pos[c])];
		} else { // along A to the next segment of another one
			int x = s.head[u];
			while (s.sub[x] == u) x = x + 1 == m ? 0 : x + 1;
			v = order[first_of(s.head[u])], c = order[s.cuts[x]], to = s.sub[x];
			v2 = adj[2 * v], c2 = adj[2 * c];
			by = (int64_t)d(v, v2) + d(c, c2) - d(v, c) - d(v2, c2);
		}
		if (last && gain + by <= 0) return false;
		gain += by;
		__syncwarp();
		for (int j = lane; j < m; j += 32)
			if (s.sub[j] == u) s.sub[j] = to;
		int more = 0;
		if (lane == 0) {
			const int all[4] = {v, c, v2, c2};
			for (int j = 0; j < 4; j++) {
				if (stamp[all[j]] == child) continue;
				stamp[all[j]] = child;
				touched[touches + more++] = all[j];
			}
			swap(v, v2, c);
			swap(c, c2, v);
			swap(v2, v, c2);
			swap(c2, c, v2);
			s.next[s.tail[to]] = s.head[u];
			s.tail[to] = s.tail[u];
			s.size[to] += s.size[u];
			s.size[u] = 0;
		}
		touches += __shfl_sync(ALL, more, 0);
		__syncwarp();
		return true;
	}

	// make makes the child of the cycles of set; gain is 0 if it is not shorter than A.
	__device__ inline void make() {
		replace();
		find();
		join_segments();
#pragma unroll 1
		for (int left = tours; left > 1; left--) {
			if (!merge(left == 2)) {
				gain = 0;
				return;
			}
		}
	}

	// undo gives the cities their neighbours in A again.
	__device__ inline void undo() {
		for (int i = lane; i < touches; i += 32) {
			const int c = touched[i];
			adj[2 * c] = (C)before(c), adj[2 * c + 1] = (C)behind(c);
		}
		__syncwarp();
	}

	// score tells how good the child is; only above 0 it may replace A.
	__device__ inline double score(
			const turn &r, const slot *table, const int64_t *entropy) const {
		if (gain <= 0) return 0;
		if (r.greedy) return (double)gain;
		int64_t loss = 0;
		for (int i = lane; i < touches; i += 32) {
			const int x = touched[i], prev = before(x), next = behind(x);
			const int now[2] = {adj[2 * x], adj[2 * x + 1]};
			if (now[0] != next && now[1] != next) {
				const int f = tours_with(table, r.slots, o.n, x, next);
				loss += entropy[f] - entropy[f - 1];
			}
			for (int y : now) {
				if (x >= y || y == prev || y == next) continue;
				const int f = tours_with(table, r.slots, o.n, x, y);
				loss -= entropy[f + 1] - entropy[f];
			}
		}
		__syncwarp();
		loss = sum_of_warp(loss);
		const int64_t little = 1 << 10;
		return (double)gain / (double)(loss > little ? loss : little);
	}

	// write writes the child's tour; it begins with segment 0.
	__device__ inline void write(C *dst) {
		s = many;
		m = 0;
#pragma unroll 1
		for (int at = 0; at < touches; at += 32) {
			const int i = at + lane;
			const int c = i < touches ? touched[i] : 0;
			const bool cut = i < touches && cut_at(c, 1);
			const unsigned who = __ballot_sync(ALL, cut);
			if (cut) s.cuts[m + below_me(who)] = pos[c];
			m += __popc(who);
		}
		__syncwarp();
		find();
		int at = 0, end = 0;
#pragma unroll 1
		while (at < o.n) {
			const int first = first_of(end / 2), length = length_of(end / 2);
			for (int i = lane; i < length; i += 32) {
				int p = end & 1 ? first + length - 1 - i : first + i;
				if (p >= o.n) p -= o.n;
				dst[at + i] = order[p];
			}
			at += length;
			end = s.link[2 * (end / 2) + 1 - (end & 1)];
		}
		__syncwarp();
	}

	// choose makes set the cycle c or, with block, it and those no longer that pass through a city of
	// it. Their order is left to chance.
	__device__ inline void choose(int c, bool block) {
		__syncwarp();
		if (lane == 0) set[0] = c;
		sets = 1;
		const int from = start[c], own = start[c + 1] - from, mark = (int)child + 1;
#pragma unroll 1
		for (int at = 0; block && at < 2 * own; at += 32) {
			const int i = at + lane;
			bool more = false;
			int other = -1;
			if (i < 2 * own) {
				other = owner[2 * (int64_t)cycles[from + i / 2] + (i & 1)];
				more = other >= 0 && other != c && start[other + 1] - start[other] <= own &&
						atomicExch(chosen + other, mark) != mark;
			}
			const unsigned who = __ballot_sync(ALL, more);
			if (more) set[sets + below_me(who)] = other;
			sets += __popc(who);
		}
		__syncwarp();
	}
};

#endif
