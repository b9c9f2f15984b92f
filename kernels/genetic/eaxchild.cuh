// A child of a couple of ga/eax-rounds, made by a warp: what eaxchild.go and eaxsegments.go of
// package metalab/solvers/genetic do.
#ifndef METALAB_GENETIC_EAXCHILD_CUH
#define METALAB_GENETIC_EAXCHILD_CUH

#include "eax.cuh"

// crossover makes children; the whole warp calls its methods, and all lanes have the same values.
template <class C, int KIND> struct crossover {
	const job &o;
	const world &w;
	const C *order; // A
	const C *pos, *beside, *reach, *cycles;
	const int32_t *start;
	int lane;

	C *adj;         // by city that is touched: the cities beside it
	uint32_t *bits; // by city: it is touched
	uint32_t *stay; // by place in A: the cycles of set have the edge behind it of both A and B
	int32_t *list;  // of 32 places, and behind it a queue of 64
	int32_t *touched, *set;
	int32_t *kept; // the child remembered: touched, and the cities beside these
	C *kept_adj;
	segments few, many, s; // s: those in use

	int touches, sets, m, tours, kept_touches;
	int64_t gain, kept_gain;

	__device__ __forceinline__ int d(int a, int b) const { return dist<KIND>(o, w, a, b); }
	__device__ __forceinline__ int before(int c) const { return beside[2 * (int64_t)c]; }
	__device__ __forceinline__ int behind(int c) const { return beside[2 * (int64_t)c + 1]; }
	__device__ __forceinline__ bool is_touched(int c) const {
		return bits[c >> 5] >> (c & 31) & 1;
	}
	// side_of is the city at a side of city c in the child.
	__device__ __forceinline__ int side_of(int c, int side) const {
		return (is_touched(c) ? adj : beside)[2 * (int64_t)c + side];
	}
	// touch gives city c neighbours of its own, those in A.
	__device__ __forceinline__ void touch(int c) {
		adj[2 * (int64_t)c] = (C)before(c), adj[2 * (int64_t)c + 1] = (C)behind(c);
		atomicOr(bits + (c >> 5), 1u << (c & 31));
	}
	// place_of is the place in A of the edge from city c to d, or -1.
	__device__ __forceinline__ int place_of(int c, int d) const {
		return behind(c) == d ? pos[c] : before(c) == d ? pos[d] : -1;
	}
	__device__ __forceinline__ bool stays(int place) const {
		return place >= 0 && (stay[place >> 5] >> (place & 31) & 1);
	}

	// common marks in stay the edges that the cycles of set have of both A and B, and tells whether
	// there are any.
	__device__ inline bool common() {
		bool any = false;
#pragma unroll 1
		for (int j = 0; j < sets; j++) {
			const int from = start[set[j]], to = start[set[j] + 1];
			for (int i = from + 1 + 2 * lane; i < to; i += 64) {
				const int x = cycles[i], y = cycles[i + 1 == to ? from : i + 1];
				any = any || behind(x) == y || before(x) == y;
			}
		}
		__syncwarp();
		if (!__any_sync(ALL, any)) return false;
		// The edges of A, in bits; then those of B among them.
#pragma unroll 1
		for (int what = 0; what < 3; what++) {
#pragma unroll 1
			for (int j = 0; j < sets; j++) {
				const int from = start[set[j]], to = start[set[j] + 1];
				for (int i = from + (what == 1) + 2 * lane; i < to; i += 64) {
					const int at = place_of(cycles[i], cycles[i + 1 == to ? from : i + 1]);
					if (what == 0) atomicOr(bits + (at >> 5), 1u << (at & 31));
					else if (what == 2) bits[at >> 5] = 0;
					else if (at >= 0 && (bits[at >> 5] >> (at & 31) & 1))
						atomicOr(stay + (at >> 5), 1u << (at & 31));
				}
			}
			__syncwarp();
		}
		return true;
	}

	// passage is what entry i of a cycle does to its city x: whether its edge of A is cut, and on
	// which side that is, and whether the edge of B comes.
	struct passage {
		int x, lost, to;
		bool cut, comes, right;
	};
	__device__ __forceinline__ passage pass(const C *cycle, int length, int i, bool any) const {
		passage p;
		p.x = cycle[i], p.lost = cycle[i ^ 1];
		p.to = cycle[i & 1 ? (i + 1 == length ? 0 : i + 1) : (i ? i : length) - 1];
		p.right = behind(p.x) == p.lost;
		p.cut = !any || !stays(pos[p.right ? p.x : p.lost]);
		p.comes = !any || !stays(place_of(p.x, p.to));
		return p;
	}

	// replace replaces the edges of A of the cycles of set by those of B.
	__device__ inline void replace() {
		touches = m = 0;
		int64_t sum = 0;
		int cuts = 0;
#pragma unroll 1
		for (int j = 0; j < sets; j++) cuts += (start[set[j] + 1] - start[set[j]]) / 2;
		s = cuts <= FEW ? few : many;
		const bool any = common();
#pragma unroll 1
		for (int j = 0; j < sets; j++) {
			const C *cycle = cycles + start[set[j]];
			const int length = start[set[j] + 1] - start[set[j]];
			for (int i = lane; i < length; i += 32) {
				const passage p = pass(cycle, length, i, any);
				if (p.cut || p.comes) touch(p.x);
			}
		}
		__syncwarp();
#pragma unroll 1
		for (int j = 0; j < sets; j++) {
			const C *cycle = cycles + start[set[j]];
			const int length = start[set[j] + 1] - start[set[j]];
#pragma unroll 1
			for (int at = 0; at < length; at += 32) {
				const int i = at + lane;
				passage p = {0, 0, 0, false, false, false};
				if (i < length) {
					p = pass(cycle, length, i, any);
					if (p.cut && !(i & 1)) sum += d(p.x, p.lost);
					if (p.comes && (i & 1)) sum -= d(p.x, p.to);
					// Where the edge of A stays, the city's other one is lost.
					if (p.comes) adj[2 * (int64_t)p.x + (p.right == p.cut)] = (C)p.to;
				}
				const bool right = p.cut && p.right;
				const unsigned who = __ballot_sync(ALL, right);
				if (right) {
					s.cuts[m + below_me(who, lane)] = pos[p.x];
					touched[touches + below_me(who, lane)] = p.x;
				}
				m += __popc(who);
				touches += __popc(who);
			}
		}
		__syncwarp();
		// Cities that have lost the edge before them only.
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
					const passage p = pass(cycle, length, i, any);
					x = p.x;
					left = p.cut && !p.right && adj[2 * (int64_t)x + 1] == (C)behind(x);
				}
				const unsigned who = __ballot_sync(ALL, left);
				if (left) touched[touches + below_me(who, lane)] = x;
				touches += __popc(who);
			}
		}
		__syncwarp();
#pragma unroll 1
		for (int j = 0; any && j < sets; j++) {
			for (int i = start[set[j]] + 2 * lane; i < start[set[j] + 1]; i += 64)
				stay[place_of(cycles[i], cycles[i + 1]) >> 5] = 0;
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
		if (!is_touched(c)) return false;
		const int to = side ? behind(c) : before(c);
		return adj[2 * (int64_t)c] != to && adj[2 * (int64_t)c + 1] != to;
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
		int g = side_of(f, side);
		if (!cut_at(f, 1 - side)) {
			const int other = side ? before(f) : behind(f);
			g = side_of(f, 0);
			if (g == other) g = side_of(f, 1);
		}
		const int at = cut_at(g, 1) && (!cut_at(g, 0) || side_of(g, 1) == f);
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

	// exchanges returns the better of best and the exchanges of a city with a listed neighbour: item
	// is its place in A, times k, and the neighbour's rank.
	__device__ inline struct gain exchanges(int item, struct gain best) const {
		const int i = item % o.k, p = item / o.k, v = order[p];
		const int c = w.near[(int64_t)v * o.k + i], away = w.far[(int64_t)v * o.k + i];
		const int v0 = side_of(v, 0), v1 = side_of(v, 1);
		const int d0 = d(v, v0), d1 = d(v, v1);
		for (int t = 0; t < 2; t++) {
			const int c2 = side_of(c, t);
			const int64_t e = (int64_t)d(c, c2) - away;
			for (int h = 0; h < 2; h++) {
				const int64_t most = (h ? d1 : d0) + e;
				if (most < best.by) continue;
				const struct gain g = {most - d(h ? v1 : v0, c2), ((int64_t)item * 2 + t) * 2 + h};
				best = larger(g, best);
			}
		}
		return best;
	}

	// best_exchange is the best exchange for subtour u; seen: a listed neighbour is elsewhere. Cities
	// whose neighbours all lie in their own segment are left out. Neighbours that are elsewhere wait
	// in queue until there is one for each lane.
	__device__ inline struct gain best_exchange(int u, bool *seen) const {
		struct gain best = {INT64_MIN, INT64_MAX};
		int32_t *queue = list + 32;
		int waiting = 0;
		*seen = false;
#pragma unroll 1
		for (int x = s.head[u]; x >= 0; x = s.next[x]) {
			const int first = first_of(x), length = length_of(x);
#pragma unroll 1
			for (int at = 0; at < length; at += 32) {
				const int rank = at + lane;
				int place = first + rank;
				if (place >= o.n) place -= o.n;
				const bool near_end = rank < length && (reach[2 * (int64_t)place] > rank ||
						reach[2 * (int64_t)place + 1] >= length - rank);
				const unsigned some = __ballot_sync(ALL, near_end);
				if (some == 0) continue;
				if (near_end) list[below_me(some, lane)] = place;
				__syncwarp();
				const int items = __popc(some) * o.k;
#pragma unroll 1
				for (int from = 0; from < items; from += 32) {
					const int y = from + lane;
					int item = 0;
					bool out = false;
					if (y < items) {
						item = list[y / o.k] * o.k + y % o.k;
						const int c = w.near[(int64_t)order[item / o.k] * o.k + y % o.k];
						out = s.sub[segment_of(pos[c])] != u;
					}
					const unsigned who = __ballot_sync(ALL, out);
					if (out) queue[waiting + below_me(who, lane)] = item;
					waiting += __popc(who);
					__syncwarp();
					if (waiting < 32) continue;
					*seen = true;
					best = exchanges(queue[lane], best);
					const int32_t rest = queue[32 + lane];
					__syncwarp();
					queue[lane] = rest;
					waiting -= 32;
					__syncwarp();
				}
			}
		}
		if (waiting > 0) *seen = true;
		if (lane < waiting) best = exchanges(queue[lane], best);
		__syncwarp();
		return largest_of_warp(best);
	}

	__device__ __forceinline__ void swap(int c, int from, int to) {
		C *sides = adj + 2 * (int64_t)c;
		sides[sides[0] != from] = (C)to;
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
			c2 = side_of(c, (best.order >> 1) & 1);
			v2 = side_of(v, best.order & 1);
			to = s.sub[segment_of(pos[c])];
		} else { // along A to the next segment of another one
			int x = s.head[u];
			while (s.sub[x] == u) x = x + 1 == m ? 0 : x + 1;
			v = order[first_of(s.head[u])], c = order[s.cuts[x]], to = s.sub[x];
			v2 = side_of(v, 0), c2 = side_of(c, 0);
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
				if (is_touched(all[j])) continue;
				touch(all[j]);
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
		if (m == 0) return;
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

	// undo gives the cities their neighbours in A again, once no lane looks at the child any more.
	__device__ inline void undo() {
		__syncwarp();
		for (int i = lane; i < touches; i += 32) bits[touched[i] >> 5] = 0;
		__syncwarp();
	}

	// remember keeps the child, and recall makes it the one in hand again, after undo.
	__device__ inline void remember() {
		for (int i = lane; i < touches; i += 32) {
			const int c = touched[i];
			kept[i] = c;
			kept_adj[2 * (int64_t)i] = adj[2 * (int64_t)c];
			kept_adj[2 * (int64_t)i + 1] = adj[2 * (int64_t)c + 1];
		}
		kept_touches = touches, kept_gain = gain;
		__syncwarp();
	}
	__device__ inline void recall() {
		touches = kept_touches, gain = kept_gain;
		for (int i = lane; i < touches; i += 32) {
			const int c = kept[i];
			touched[i] = c;
			adj[2 * (int64_t)c] = kept_adj[2 * (int64_t)i];
			adj[2 * (int64_t)c + 1] = kept_adj[2 * (int64_t)i + 1];
			atomicOr(bits + (c >> 5), 1u << (c & 31));
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
			const int now[2] = {adj[2 * (int64_t)x], adj[2 * (int64_t)x + 1]};
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

	// way finds the child's way along its segments, from segment 0: in head the ends at which they
	// are entered, in size their places in the tour. It returns their number.
	__device__ inline int way() {
		s = many;
		m = 0;
#pragma unroll 1
		for (int at = 0; at < touches; at += 32) {
			const int i = at + lane;
			const int c = i < touches ? touched[i] : 0;
			const bool cut = i < touches && cut_at(c, 1);
			const unsigned who = __ballot_sync(ALL, cut);
			if (cut) s.cuts[m + below_me(who, lane)] = pos[c];
			m += __popc(who);
		}
		__syncwarp();
		find();
		if (lane == 0) {
			int at = 0, end = 0;
			for (int j = 0; j < m; j++) {
				s.head[j] = end, s.size[j] = at;
				at += length_of(end / 2);
				end = s.link[2 * (end / 2) + 1 - (end & 1)];
			}
		}
		__syncwarp();
		return m;
	}

	// write writes the part of the child's tour that is thread's of threads, by the segments of
	// another warp's way.
	__device__ inline void write(
			const segments &of, int parts, C *dst, int thread, int threads) {
		s = of, m = parts;
#pragma unroll 1
		for (int j = 0; j < m; j++) {
			const int end = s.head[j], at = s.size[j];
			const int first = first_of(end / 2), length = length_of(end / 2);
			for (int i = thread; i < length; i += threads) {
				int p = end & 1 ? first + length - 1 - i : first + i;
				if (p >= o.n) p -= o.n;
				dst[at + i] = order[p];
			}
		}
	}
};

#endif
