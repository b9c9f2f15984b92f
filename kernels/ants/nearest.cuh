// The nearest unvisited city, which a step looks for where all candidates are visited. common.cuh
// includes this after the instance and the visited bits.
//
// Versions: it compared distances in double; then squares, with rectangles of floats and the cities
// of four words at a time; with city numbers of 32 bits it looks into a tree of rectangles, whose
// work does not grow with the number of cities.
#ifndef METALAB_ANTS_NEAREST_CUH
#define METALAB_ANTS_NEAREST_CUH

// The search for the nearest city is called, or inlined where NEAREST_CALL is defined so: around a
// call the compiler writes the registers of the loop to memory.
#ifndef NEAREST_CALL
#define NEAREST_CALL __noinline__
#endif

// From a city, the squares of the distances to rectangles: never above those to their cities.
struct box_distance {
	float xl, xh, yl, yh;
	__device__ __forceinline__ explicit box_distance(double2 p)
			: xl(__double2float_rd(p.x)), xh(__double2float_ru(p.x)), yl(__double2float_rd(p.y)),
				yh(__double2float_ru(p.y)) {}
	__device__ __forceinline__ uint32_t operator()(float4 b) const {
		float dx = fmaxf(0.0f, fmaxf(__fsub_rd(b.x, xh), __fsub_rd(xl, b.z)));
		float dy = fmaxf(0.0f, fmaxf(__fsub_rd(b.y, yh), __fsub_rd(yl, b.w)));
		return __float_as_uint(__fadd_rd(__fmul_rd(dx, dx), __fmul_rd(dy, dy)));
	}
};

#ifdef WIDE

// reach is a square of a distance beyond which no city is at the distance d or nearer, nor a
// rectangle that holds one; roundings included. Squares are the bits of floats. Where nothing was
// found, d is ALL, it is above all.
static __device__ __forceinline__ uint32_t reach(int metric, uint32_t d) {
	const float x = (float)d + 1.0f;
	return d == ALL ? ALL - 1 : __float_as_uint(x * x * (metric == 9 ? 10.0f : 1.0f) * 1.00001f);
}

// nearest is the unvisited city with the least (distance, number), there being one, when the
// candidates of cur are visited.
//
// Where ext does not tell, the rectangles in which the warp looks are those that may hold a city as
// near and are not full: first the 32 words round cur, then the 32 boxes of 32 words round those,
// and so on to the top, from each down to the cities. A rectangle's square is never above those of
// its cities, so none is left out.
template <bool EAGER> static __device__ NEAREST_CALL int nearest(const uint32_t *vis,
		const double2 *at, const float4 *box, const city_t *ext, int metric, int words, int cur,
		int lane) {
	const city_t *e = ext + (size_t)cur * FAR;
	for (int q = 0; q < FAR; q += 32) {
		const uint32_t a = e[q + lane], open = __ballot_sync(ALL, !(vis[a >> 5] >> (a & 31) & 1));
		if (open) return (int)__shfl_sync(ALL, a, __ffs(open) - 1);
	}
	const double2 me = at[cur];
	const box_distance square(me);
	uint32_t mine = ALL, city = ALL,
					 limit = ALL - 1; // the best city that this lane saw; no rectangle beyond it counts
	uint32_t bound[LEVELS];   // by level, of lane's child of the row: its square, ALL when done with
	int row[LEVELS], from[LEVELS], size[LEVELS];
	int levels = 1;
	from[0] = 0, size[0] = words;
	for (; size[levels - 1] > 32; levels++)
		from[levels] = from[levels - 1] + size[levels - 1], size[levels] = (size[levels - 1] + 31) >> 5;
	auto enter = [&](int k, int r) {
		const int i = r * 32 + lane;
		row[k] = r;
		bound[k] = i < size[k] && vis[from[k] + i] != ALL ? square(box[from[k] + i]) : ALL;
	};
	for (int top = 0; top < levels; top++) {
		int k = top;
		enter(k, cur >> (10 + 5 * top));
		if (top > 0 && lane == (cur >> (5 + 5 * top) & 31)) bound[k] = ALL; // the last row
		for (;;) {
			const uint32_t least = warp_min(bound[k]);
			if (least > limit) {
				if (k++ == top) break;
				continue;
			}
			if (k > 0) {
				const int l = __ffs(__ballot_sync(ALL, bound[k] == least)) - 1;
				if (lane == l) bound[k] = ALL;
				enter(k - 1, row[k] * 32 + l);
				k--;
				continue;
			}
			// The cities of four words at once; of the nearest one as long as none was found.
			uint32_t open = __ballot_sync(ALL, bound[0] <= (limit == ALL - 1 ? least : limit));
			uint32_t to[4];
			double2 p[4];
#pragma unroll
			for (int q = 0; q < 4; q++) {
				to[q] = ALL;
				if (!open) continue;
				const int l = __ffs(open) - 1, w = row[0] * 32 + l;
				open &= open - 1;
				if (lane == l) bound[0] = ALL;
				if (!(vis[w] >> lane & 1)) to[q] = w * 32 + lane, p[q] = at[to[q]];
			}
#pragma unroll
			for (int q = 0; q < 4; q++) {
				if (to[q] == ALL) continue;
				const uint32_t d = (uint32_t)distance(metric, me, p[q]);
				if (d < mine || (d == mine && to[q] < city)) mine = d, city = to[q];
			}
			limit = reach(metric, warp_min(mine));
		}
	}
	const uint32_t best = warp_min(mine);
	return (int)warp_min(mine == best ? city : ALL);
}

#else

// farthest is a square of a distance beyond which no city can be as near as one at the square s,
// roundings of ml_dist and of this function included: rounding makes less than 1 of
// difference, 3.17 in ATT, where the root is divided by the root of 10. Squares are the bits of
// floats.
static __device__ __forceinline__ uint32_t farthest(int metric, uint32_t s) {
	float x = __uint_as_float(s);
	float r = x * rsqrtf(fmaxf(x, 1e-30f)) * 1.00001f + (metric == 9 ? 3.17f : 1.0f);
	return __float_as_uint(r * r * 1.00001f);
}

// nearest_close is nearest where a lane has several cities that may be it: all whose squares
// are up to limit are compared by their distances.
static __device__ NEAREST_CALL int nearest_close(const uint32_t *vis, const double2 *at,
		const float4 *box, int metric, int words, int cur, int lane, uint32_t limit) {
	const double2 me = at[cur];
	const box_distance bound(me);
	uint32_t mine = ALL, city = ALL;
	for (int base = 0; base < words; base += 32) {
		const int own = base + lane;
		uint32_t open = __ballot_sync(ALL, own < words && vis[own] != ALL && bound(box[own]) <= limit);
		for (; open; open &= open - 1) {
			const int w = base + __ffs(open) - 1;
			if (vis[w] >> lane & 1) continue;
			const uint32_t j = w * 32 + lane, d = (uint32_t)distance(metric, me, at[j]);
			if (d < mine) mine = d, city = j; // words come in order: the first has the smallest number
		}
		__syncwarp();
	}
	const uint32_t best = warp_min(mine);
	return warp_min(mine == best ? city : ALL);
}

// nearest is the unvisited city with the least (distance, number), there being one, when the
// candidates of cur are visited.
//
// Where ext does not tell, words of 32 cities are looked at, 128 words at a time: first the one
// whose rectangle is nearest, then, four at once, all that may hold a city as near. What is
// compared is squares, as the bits of floats, rounded so that no city is left out; the few cities
// that are left at the end, mostly one, are compared by their distances.
//
// EAGER fetches the rectangles while ext is looked at: for a step for which all ants wait.
template <bool EAGER> static __device__ NEAREST_CALL int nearest(const uint32_t *vis,
		const double2 *at, const float4 *box, const city_t *ext, int metric, int words, int cur,
		int lane) {
	const city_t *e = ext + (size_t)cur * FAR;
	const double2 me = at[cur];
	const int groups = (words + 127) >> 7;
	int group = cur >> 12;
	uint32_t a[FAR / 32];
#pragma unroll
	for (int q = 0; q < FAR / 32; q++) a[q] = e[lane + 32 * q];
#pragma unroll
	for (int q = 0; q < FAR / 32; q++) OPAQUE(a[q]); // all are under way together
	float4 b[4];
	auto fetch = [&] {
#pragma unroll
		for (int q = 0; q < 4; q++) b[q] = box[min(group * 128 + 32 * q + lane, words - 1)];
	};
	if (EAGER) fetch();
#pragma unroll
	for (int q = 0; q < FAR / 32; q++) {
		uint32_t open = __ballot_sync(ALL, !(vis[a[q] >> 5] >> (a[q] & 31) & 1));
		if (open) return __shfl_sync(ALL, a[q], __ffs(open) - 1);
	}
	if (!EAGER) fetch();
	const box_distance square(me);
	uint32_t near = ALL, second = ALL, city = 0; // the two least squares that this lane saw
	uint32_t limit = ALL - 1;                    // no word beyond it counts
	auto see = [&](uint32_t j, double2 p) {
		const double dx = p.x - me.x, dy = p.y - me.y;
		const uint32_t s = __float_as_uint(__double2float_ru(dx * dx + dy * dy));
		second = min(second, max(near, s));
		if (s < near) near = s, city = j;
	};
	for (int i = 0; i < groups; i++) {
		const int base = group * 128;
		if (++group == groups) group = 0;
		uint32_t bound[4];
#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int w = base + 32 * q + lane;
			bound[q] = w < words && vis[w] != ALL ? square(b[q]) : ALL;
			if (i + 1 < groups) b[q] = box[min(group * 128 + 32 * q + lane, words - 1)];
		}
		if (limit == ALL - 1) {
			const uint32_t least = min(min(bound[0], bound[1]), min(bound[2], bound[3])),
										 m = warp_min(least);
			if (m == ALL) continue;
			const int l = __ffs(__ballot_sync(ALL, least == m)) - 1;
			const int which = m == bound[0] ? 0 : m == bound[1] ? 1 : m == bound[2] ? 2 : 3; // of lane l
			const int w = __shfl_sync(ALL, base + 32 * which + lane, l);
#pragma unroll
			for (int q = 0; q < 4; q++)
				if (lane == l && q == which) bound[q] = ALL;
			if (!(vis[w] >> lane & 1)) see(w * 32 + lane, at[w * 32 + lane]);
			limit = farthest(metric, warp_min(near));
		}
		for (;;) {
			uint32_t o[4];
#pragma unroll
			for (int q = 0; q < 4; q++) o[q] = __ballot_sync(ALL, bound[q] <= limit);
			if (!(o[0] | o[1] | o[2] | o[3])) break;
			double2 p[4];
			int w[4];
#pragma unroll
			for (int k = 0; k < 4; k++) {
				const int q = o[0] ? 0 : o[1] ? 1 : o[2] ? 2 : 3;
				const uint32_t mask = o[0] ? o[0] : o[1] ? o[1] : o[2] ? o[2] : o[3];
				const int bit = __ffs(mask) - 1;
				w[k] = -1;
#pragma unroll
				for (int r = 0; r < 4; r++)
					if (r == q && mask) {
						o[r] &= o[r] - 1;
						if (lane == bit) bound[r] = ALL;
					}
				if (mask && !(vis[base + 32 * q + bit] >> lane & 1)) {
					w[k] = (base + 32 * q + bit) * 32 + lane;
					p[k] = at[w[k]];
				}
			}
#pragma unroll
			for (int k = 0; k < 4; k++)
				if (w[k] >= 0) see(w[k], p[k]);
			limit = farthest(metric, warp_min(near));
		}
	}
	if (__any_sync(ALL, second <= limit))
		return nearest_close(vis, at, box, metric, words, cur, lane, limit);
	const uint32_t close = __ballot_sync(ALL, near <= limit);
	if (!(close & (close - 1))) return (int)__shfl_sync(ALL, city, __ffs(close) - 1);
	const uint32_t mine = near <= limit ? (uint32_t)distance(metric, me, at[city]) : ALL;
	const uint32_t best = warp_min(mine);
	return warp_min(mine == best ? city : ALL);
}

#endif

#endif
