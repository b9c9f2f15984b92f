// Mutations: 2-opt moves of a tour, by a warp. What all lanes draw is the same.
#ifndef METALAB_GENETIC_MUTATE_CUH
#define METALAB_GENETIC_MUTATE_CUH

#include "common.cuh"

#define PAIRS 8 // of cities that a lane asks for at once

// turn_round reverses the places i to j of a tour, i <= j + 1.
template <class C> __device__ __forceinline__ void turn_round(C *t, int i, int j, int lane) {
	__syncwarp(); // all lanes have read what they needed
#pragma unroll 1
	for (int from = lane; 2 * from < j - i; from += 32 * PAIRS) {
		C c[PAIRS], d[PAIRS];
#pragma unroll
		for (int u = 0; u < PAIRS; u++) {
			const int x = from + 32 * u;
			if (2 * x < j - i) c[u] = t[i + x], d[u] = t[j - x];
		}
#pragma unroll
		for (int u = 0; u < PAIRS; u++) {
			const int x = from + 32 * u;
			if (2 * x < j - i) t[i + x] = d[u], t[j - x] = c[u];
		}
	}
	__syncwarp();
}

// mutate_randomly makes a random 2-opt move.
template <class C> __device__ inline void mutate_randomly(
		const job &o, C *t, stream *r, int lane) {
	if (o.n < 4) return;
	int i = below(r, o.n);
	int j = (i + 1 + below(r, o.n - 1)) % o.n;
	if (i > j) {
		const int x = i;
		i = j, j = x;
	}
	turn_round(t, i + 1, j, lane);
}

// turn_circle reverses the places p to q of the circle, or all others, whichever are fewer, and
// keeps the places of cities in at.
template <class C>
__device__ inline void turn_circle(const job &o, C *t, C *at, int p, int q, int lane) {
	const int n = o.n;
	int length = q - p;
	if (length < 0) length += n;
	length++;
	if (2 * length > n) {
		const int x = p;
		p = q + 1 == n ? 0 : q + 1;
		q = x ? x - 1 : n - 1;
		length = n - length;
	}
	__syncwarp();
#pragma unroll 1
	for (int from = lane; from < length / 2; from += 32 * PAIRS) {
		C c[PAIRS], d[PAIRS];
		int i[PAIRS], j[PAIRS];
#pragma unroll
		for (int u = 0; u < PAIRS; u++) {
			const int x = from + 32 * u;
			i[u] = p + x, j[u] = q - x;
			if (i[u] >= n) i[u] -= n;
			if (j[u] < 0) j[u] += n;
			if (x < length / 2) c[u] = t[i[u]], d[u] = t[j[u]];
		}
#pragma unroll
		for (int u = 0; u < PAIRS; u++) {
			if (from + 32 * u >= length / 2) break;
			t[i[u]] = d[u], t[j[u]] = c[u];
			at[d[u]] = (C)i[u], at[c[u]] = (C)j[u];
		}
	}
	__syncwarp();
}

// mutate_gaining makes, o.moves times, the best 2-opt move at a random city, if one gains. at is
// room for n numbers. A lane looks at a neighbour.
template <class C, int KIND>
__device__ inline void mutate_gaining(
		const job &o, const world &w, C *t, C *at, stream *r, int lane) {
	const int n = o.n;
	if (n < 4) return;
	for (int i = lane; i < n; i += 32) at[t[i]] = (C)i;
	__syncwarp();
	for (int m = 0; m < o.moves; m++) {
		const int a = below(r, n), i = at[a];
		const int next = t[i + 1 == n ? 0 : i + 1], prev = t[i ? i - 1 : n - 1];
		const int to_next = dist<KIND>(o, w, a, next), to_prev = dist<KIND>(o, w, a, prev);
		gain best = {0, 0};
		int p = 0, q = 0;
		if (lane < o.k) {
			const int c = w.near[(int64_t)a * o.k + lane], d = w.far[(int64_t)a * o.k + lane];
			const int j = at[c];
			const int c_next = t[j + 1 == n ? 0 : j + 1], c_prev = t[j ? j - 1 : n - 1];
			if (d < to_next && c != next) {
				const int64_t g = (int64_t)to_next + dist<KIND>(o, w, c, c_next) - d -
						dist<KIND>(o, w, next, c_next);
				if (g > best.by) best = {g, 2 * lane}, p = i + 1 == n ? 0 : i + 1, q = j;
			}
			if (d < to_prev && c != prev) {
				const int64_t g = (int64_t)to_prev + dist<KIND>(o, w, c, c_prev) - d -
						dist<KIND>(o, w, prev, c_prev);
				if (g > best.by) best = {g, 2 * lane + 1}, p = j, q = i ? i - 1 : n - 1;
			}
		}
		const gain g = largest_of_warp(best.by > 0 ? best : gain{0, INT64_MAX});
		if (g.by <= 0) continue;
		const int lead = (int)(g.order >> 1);
		p = __shfl_sync(ALL, p, lead), q = __shfl_sync(ALL, q, lead);
		turn_circle(o, t, at, p, q, lane);
	}
}

// move_city moves a city of the window of places from a on to behind one of that from b on.
template <class C, int KIND>
__device__ inline void move_city(
		const job &o, const world &w, C *t, int a, int b, int width, int lane) {
	const int n = o.n;
	gain best = {0, INT64_MAX};
	for (int x = lane; x < width * width; x += 32) {
		const int i = a + x / width, j = b + x % width;
		if (j == i || j == i - 1) continue;
		const int before = t[i - 1], city = t[i], behind = t[i + 1 == n ? 0 : i + 1];
		const int c = t[j], next = t[j + 1 == n ? 0 : j + 1];
		const int64_t g = (int64_t)dist<KIND>(o, w, before, city) +
				dist<KIND>(o, w, city, behind) - dist<KIND>(o, w, before, behind) +
				dist<KIND>(o, w, c, next) - dist<KIND>(o, w, c, city) -
				dist<KIND>(o, w, city, next);
		if (g > best.by) best = {g, x};
	}
	best = largest_of_warp(best);
	if (best.by == 0) return;
	const int from = a + (int)(best.order / width), to = b + (int)(best.order % width);
	const C city = t[from];
	const int step = from < to ? 1 : -1;
	const int count = from < to ? to - from : from - to - 1;
	for (int x = 0; x < count; x += 32) { // each place takes what its neighbour had
		const int i = from + step * (x + lane);
		C c = 0;
		if (x + lane < count) c = t[i + step];
		__syncwarp();
		if (x + lane < count) t[i] = c;
		__syncwarp();
	}
	if (lane == 0) t[from < to ? to : to + 1] = city;
	__syncwarp();
}

// exchange_gain is what a 2-opt move gains that turns the places i + 1 to j round.
template <class C, int KIND>
__device__ __forceinline__ int64_t exchange_gain(
		const job &o, const world &w, const C *t, int i, int j) {
	const int a = t[i], b = t[i + 1], c = t[j], d = t[j + 1 == o.n ? 0 : j + 1];
	return (int64_t)dist<KIND>(o, w, a, b) + dist<KIND>(o, w, c, d) - dist<KIND>(o, w, a, c) -
			dist<KIND>(o, w, b, d);
}

// exchange_windows makes the best 2-opt move between places of the windows from a and from b on.
template <class C, int KIND>
__device__ inline void exchange_windows(
		const job &o, const world &w, C *t, int a, int b, int width, int lane) {
	gain best = {0, INT64_MAX};
	for (int x = lane; x < width * width; x += 32) {
		const int y = a + x / width, z = b + x % width, i = y < z ? y : z, j = y < z ? z : y;
		if (j < i + 2) continue;
		const int64_t g = exchange_gain<C, KIND>(o, w, t, i, j);
		if (g > best.by) best = {g, x};
	}
	best = largest_of_warp(best);
	if (best.by == 0) return;
	const int y = a + (int)(best.order / width), z = b + (int)(best.order % width);
	turn_round(t, (y < z ? y : z) + 1, y < z ? z : y, lane);
}

// exchange_near makes the best 2-opt move between places at most width + 1 apart.
template <class C, int KIND>
__device__ inline void exchange_near(const job &o, const world &w, C *t, int width, int lane) {
	gain best = {0, INT64_MAX};
	for (int i = 0; i < o.n - 1; i++) {
		for (int j = i + 2 + lane; j <= i + 1 + width && j < o.n; j += 32) {
			const int64_t g = exchange_gain<C, KIND>(o, w, t, i, j);
			if (g > best.by) best = {g, (int64_t)i << 32 | j};
		}
	}
	best = largest_of_warp(best);
	if (best.by > 0) turn_round(t, (int)(best.order >> 32) + 1, (int)best.order, lane);
}

// improve is mutator.improve: the moves of elite=improved.
template <class C, int KIND>
__device__ inline void improve(const job &o, const world &w, C *t, stream *r, int lane) {
	if (o.n < 8) return;
	const int width = (int)(ML_SQRT((double)o.n) + 0.5);
	const int a = 1 + below(r, o.n - 1 - width), b = 1 + below(r, o.n - 1 - width);
	move_city<C, KIND>(o, w, t, a, b, width, lane);
	exchange_windows<C, KIND>(o, w, t, a, b, width, lane);
	exchange_near<C, KIND>(o, w, t, width, lane);
}

#endif
