// The constructive crossovers: scx, bcscx and arx.
//
// Each city has a link: the next city that the child lacks, forwards and backwards round the circle
// in either parent. One lane follows the child, for a step needs the one before; the links and
// the places of all candidates are asked for together, so a step takes one latency of the memory
// that holds the links: about 30 cycles of shared memory, 250 of the L2 cache, 600 and more of
// the device's memory. Bytes of a step: a link and a place of each candidate, four numbers written.
//
// These were slower on an H200, for 100,000 and 1,000,000 cities: four lanes with a candidate each;
// sixteen lanes that ask for the candidates' candidates a step ahead; loads before the stores of a
// step, for a store waits where its line has been asked for and is not there.
#ifndef METALAB_GENETIC_OLD_CUH
#define METALAB_GENETIC_OLD_CUH

#include "common.cuh"
#include "mutate.cuh"

namespace old {

// The jumps of a link, in the order in which ties are decided.
enum { FORTH1, BACK1, FORTH2, BACK2 };

// quad is a link as it is computed with.
struct quad {
	uint32_t v[4];
};

// A link in memory is four numbers side by side, of 16 or of 32 bits.
__device__ __forceinline__ quad load_link(const uint16_t *links, uint32_t c) {
	const uint2 x = ((const uint2 *)links)[c];
	return {{x.x & 0xffff, x.x >> 16, x.y & 0xffff, x.y >> 16}};
}

__device__ __forceinline__ quad load_link(const uint32_t *links, uint32_t c) {
	const uint4 x = ((const uint4 *)links)[c];
	return {{x.x, x.y, x.z, x.w}};
}

// write_links makes the jumps of both parents, in which every city is left; by a warp.
template <class C>
__device__ inline void write_links(C *links, const C *a, const C *b, int n, int lane) {
#pragma unroll 4
	for (int i = lane; i < n; i += 32) {
		const int before = i ? i - 1 : n - 1, after = i + 1 == n ? 0 : i + 1;
		C *x = links + 4 * (int64_t)a[i], *y = links + 4 * (int64_t)b[i];
		x[FORTH1] = a[after], x[BACK1] = a[before];
		y[FORTH2] = b[after], y[BACK2] = b[before];
	}
	__syncwarp();
}

// leave makes all jumps pass over the city with the link l.
template <class C> __device__ __forceinline__ void leave(C *links, const quad &l) {
	links[4 * (int64_t)l.v[BACK1] + FORTH1] = (C)l.v[FORTH1];
	links[4 * (int64_t)l.v[FORTH1] + BACK1] = (C)l.v[BACK1];
	links[4 * (int64_t)l.v[BACK2] + FORTH2] = (C)l.v[FORTH2];
	links[4 * (int64_t)l.v[FORTH2] + BACK2] = (C)l.v[BACK2];
}

// spot is where the child is: a city, and its place.
template <int KIND> struct spot {
	uint32_t c;
};
template <> struct spot<REAL> {
	uint32_t c;
	double2 at;
};
template <> struct spot<WHOLE> {
	uint32_t c;
	int2 at;
};

// whole are the places as whole numbers, which may be a copy of w.whole in shared memory.
template <int KIND>
__device__ __forceinline__ spot<KIND> spot_of(const world &w, const int2 *whole, uint32_t c) {
	spot<KIND> s;
	s.c = c;
	if constexpr (KIND == REAL) s.at = __ldg(w.places + c);
	if constexpr (KIND == WHOLE) s.at = whole[c];
	return s;
}

// key is the way from one city to another; the least is the nearest. The low bits are the jump, so
// that ties go to the first jump. In the plane the rest is the square of the distance: of whole
// numbers below 2^25 apart it is below 2^51, and orders as its bits as a double do, the last
// two of which are 0 then.
template <int KIND>
__device__ __forceinline__ uint64_t key(
		const job &o, const world &w, const spot<KIND> &p, const spot<KIND> &q, uint64_t jump) {
	if constexpr (KIND == MATRIX) {
		return (uint64_t)(uint32_t)__ldg(w.matrix + (int64_t)p.c * o.n + q.c) << 2 | jump;
	} else if constexpr (KIND == WHOLE) {
		const int64_t dx = p.at.x - q.at.x, dy = p.at.y - q.at.y;
		return (uint64_t)(dx * dx + dy * dy) << 2 | jump;
	} else {
		const double dx = p.at.x - q.at.x, dy = p.at.y - q.at.y;
		return (ML_D2U(dx * dx + dy * dy) & ~3ull) | jump;
	}
}

// bcscx makes the bidirectional circular sequential constructive child; by one lane.
template <class C, int KIND>
__device__ inline void bcscx(
		const job &o, const world &w, const int2 *whole, C *links, C *child, int first) {
	spot<KIND> here = spot_of<KIND>(w, whole, first);
	quad l = load_link(links, here.c);
	leave(links, l);
	child[0] = (C)first;
	for (int i = 1; i < o.n; i++) {
		const quad q0 = load_link(links, l.v[0]), q1 = load_link(links, l.v[1]),
							 q2 = load_link(links, l.v[2]), q3 = load_link(links, l.v[3]);
		const spot<KIND> p0 = spot_of<KIND>(w, whole, l.v[0]), p1 = spot_of<KIND>(w, whole, l.v[1]),
							 p2 = spot_of<KIND>(w, whole, l.v[2]), p3 = spot_of<KIND>(w, whole, l.v[3]);
		const uint64_t k0 = key<KIND>(o, w, here, p0, 0), k1 = key<KIND>(o, w, here, p1, 1),
									 k2 = key<KIND>(o, w, here, p2, 2), k3 = key<KIND>(o, w, here, p3, 3);
		const bool low = k1 < k0, high = k3 < k2;
		const bool second = (high ? k3 : k2) < (low ? k1 : k0);
		here = second ? (high ? p3 : p2) : (low ? p1 : p0);
		l = second ? (high ? q3 : q2) : (low ? q1 : q0);
		leave(links, l);
		child[i] = (C)here.c;
	}
}

// arx makes the alternating recommendation child; by one lane. Parent a recommends before place
// from and from until on, b between.
template <class C, int KIND>
__device__ inline void arx(
		const job &o, const world &w, const int2 *whole, C *links, C *child, int first, int from,
		int until) {
	spot<KIND> here = spot_of<KIND>(w, whole, first);
	quad l = load_link(links, here.c);
	leave(links, l);
	child[0] = (C)first;
	for (int i = 1; i < o.n; i++) {
		const bool b = from <= i && i < until;
		const uint32_t c0 = b ? l.v[FORTH2] : l.v[FORTH1], c1 = b ? l.v[BACK2] : l.v[BACK1];
		const quad q0 = load_link(links, c0), q1 = load_link(links, c1);
		const spot<KIND> p0 = spot_of<KIND>(w, whole, c0), p1 = spot_of<KIND>(w, whole, c1);
		const bool back = key<KIND>(o, w, here, p1, 1) < key<KIND>(o, w, here, p0, 0);
		here = back ? p1 : p0;
		l = back ? q1 : q0;
		leave(links, l);
		child[i] = (C)here.c;
	}
}

// scx makes the sequential constructive child; by one lane. Link n is the end of the chromosomes,
// which stands between first and the city before it. Where a parent has no city left, the
// smallest in the instance's numbering that the child lacks stands in. A city that the child
// has is marked in its link, which nobody reads any more.
template <class C, int KIND>
__device__ inline void scx(
		const job &o, const world &w, const int2 *whole, C *links, C *child, int first) {
	const uint32_t end = (uint32_t)o.n, mark = (C)~0u;
	const quad f = load_link(links, first);
	const uint32_t ends[4] = {(uint32_t)first, f.v[BACK1], (uint32_t)first, f.v[BACK2]};
	for (int j = 0; j < 4; j++) links[4 * (int64_t)end + j] = (C)ends[j];
	links[4 * (int64_t)f.v[BACK1] + FORTH1] = (C)end;
	links[4 * (int64_t)f.v[BACK2] + FORTH2] = (C)end;
	links[4 * (int64_t)first + BACK1] = links[4 * (int64_t)first + BACK2] = (C)end;
	spot<KIND> here = spot_of<KIND>(w, whole, first);
	quad l = load_link(links, here.c);
	for (int i = 0, low = 0;; i++) {
		child[i] = (C)here.c;
		leave(links, l);
		links[4 * (int64_t)here.c + FORTH1] = (C)mark;
		if (i == o.n - 1) return;
		uint32_t c0 = l.v[FORTH1], c1 = l.v[FORTH2];
		if (c0 == end || c1 == end) {
			while (links[4 * (int64_t)w.internal[low] + FORTH1] == (C)mark) low++;
			if (c0 == end) c0 = w.internal[low];
			if (c1 == end) c1 = w.internal[low];
		}
		const quad q0 = load_link(links, c0), q1 = load_link(links, c1);
		const spot<KIND> p0 = spot_of<KIND>(w, whole, c0), p1 = spot_of<KIND>(w, whole, c1);
		const bool second = key<KIND>(o, w, here, p1, FORTH2) < key<KIND>(o, w, here, p0, FORTH1);
		here = second ? p1 : p0;
		l = second ? q1 : q0;
	}
}

template <class C, int KIND, bool SHARED>
__device__ inline void reproduce(job o, world w, C *const *rows, const birth *births, child *out,
		C *scratch) {
	extern __shared__ uint4 shared[];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	const int worker = blockIdx.x * warps + warp, workers = gridDim.x * warps;
	const int64_t stride = 4 * (((int64_t)o.n + 4) & ~3ll); // of links, a multiple of 16 bytes
	const int2 *whole = w.whole;
	C *links;
	if constexpr (SHARED) {
		int64_t before = 0;
		if constexpr (KIND == WHOLE) {
			int2 *copy = (int2 *)shared;
			for (int i = threadIdx.x; i < o.n; i += blockDim.x) copy[i] = w.whole[i];
			whole = copy;
			before = (o.n + 1) / 2 * 16 / (int)sizeof(C);
			__syncthreads();
		}
		links = (C *)shared + before + warp * stride;
	} else {
		links = scratch + worker * stride;
	}
	for (int x = worker; x < o.births; x += workers) {
		const birth b = births[x];
		C *t = rows[b.to];
		const C *p = rows[b.a], *q = rows[b.b];
		stream r = stream_of(b.seed, o.iteration, b.place, DRAW_MUTATION);
		int first = o.first;
		if (o.drawn && b.cross != NONE) first = below(&r, o.n);
		if (b.cross == NONE) {
			for (int i = lane; i < o.n; i += 32) t[i] = p[i];
		} else {
			write_links(links, p, q, o.n, lane);
			if (lane == 0) {
				if (b.cross == SCX) scx<C, KIND>(o, w, whole, links, t, first);
				else if (b.cross == BCSCX) bcscx<C, KIND>(o, w, whole, links, t, first);
				else arx<C, KIND>(o, w, whole, links, t, first, b.from, b.until);
			}
		}
		__syncwarp();
		if (b.improve) {
			improve<C, KIND>(o, w, t, &r, lane);
		} else if (o.mutation > 0 && unit(&r) < o.mutation) {
			if (o.gaining) mutate_gaining<C, KIND>(o, w, t, links, &r, lane);
			else
				for (int m = 0; m < o.moves; m++) mutate_randomly(o, t, &r, lane);
		}
		__syncwarp();
		const child c = measured<C, KIND>(o, w, t, lane);
		if (lane == 0) out[x] = c;
		__syncwarp();
	}
}

} // namespace old

#endif
