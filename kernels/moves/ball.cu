// Tabu search and climbing on real vectors: Weierstrass functions, and the neighbours in the
// concentric crowns of a ball.
//
// A neighbour is a random point of its crown: normal deviates for its direction, as in
// solvers/moves/ball.go. Its value is a sum of sines for each coordinate, whose arguments are
// reduced exactly in fixed point, as in datasets/turns.go. A block takes several neighbours at a
// time, a coordinate a thread.
//
// A term in float32 takes a shift of the argument, 4 operations to reduce it, a conversion, and 13
// products and sums: an SM begins 4 instructions in a cycle, so an H200 (132 SMs) at 1.98 GHz makes
// at most 1.7 * 10^12 terms a second, and 10,000 neighbours of 10 coordinates with 100 terms each
// take at least 6 us. In float64 a term has 21 products and sums, of which an SM makes 64 in a
// cycle: 13 us.
#include "common.cuh"

// MOST_COORDINATES is how many coordinates a point may have, and those that a block evaluates at a
// time; MOST_TERMS is how many terms a function may have.
#define MOST_COORDINATES 256
#define MOST_TERMS 200
#define MOST_ROOM 2048 // terms that a block has at a time
#define CELLS 4096 // hashes of cubes, with CUBES of them along a length of 1
#define CUBES 64.0

// ball is a function and the walks' data.
struct ball {
	const double *weights; // of the terms
	double *x, *top;       // by walk: the point, and the best one
	double *present;       // by walk: the value at the point, in the numbers that neighbours have
	int64_t *until;        // by walk: cells
	double radius;
	int32_t terms, base;
	int32_t shift;         // the binary logarithm of the base; 0: it is no power of two
	int32_t largest;       // the largest coordinate counts, not the sum
	int32_t single, pad;   // neighbours are compared in float32
};

// product_high is the upper half of the product of two words.
__device__ __forceinline__ uint64_t product_high(uint64_t a, uint64_t b) {
#ifdef __CUDACC__
	return __umul64hi(a, b);
#else
	return (uint64_t)((unsigned __int128)a * b >> 64);
#endif
}

// turns is an angle modulo a turn in fixed point, the highest word first: datasets.turns.
struct turns {
	uint64_t word[5];
};

// turns_of is the angle of x radians, x from 0 to 1: datasets.newTurns.
__device__ inline turns turns_of(double x) {
	const uint64_t inverse[5] = {0x28BE60DB9391054Aull, 0x7F09D5F47D4D3770ull,
		0x36D8A5664F10E410ull, 0x7F9458EAF7AEF158ull, 0x6DC91B8E909374B8ull}; // 1 / (2 pi)
	const uint64_t b = ML_D2U(x), m = (b & ((1ull << 52) - 1)) | 1ull << 52;
	const int s = 1075 - (int)(b >> 52); // x = m 2^-s
	uint64_t p[6], carry = 0;
#pragma unroll
	for (int i = 4; i >= 0; i--) {
		const uint64_t lo = m * inverse[i], sum = lo + carry;
		p[i + 1] = sum;
		carry = product_high(m, inverse[i]) + (sum < lo);
	}
	p[0] = carry;
	turns t;
	if (s >= 384) { // all words are 0
		for (int i = 0; i < 5; i++) t.word[i] = 0;
		return t;
	}
	for (int k = s >> 6; k > 0; k--) {
#pragma unroll
		for (int i = 5; i > 0; i--) p[i] = p[i - 1];
		p[0] = 0;
	}
	const int r = s & 63;
#pragma unroll
	for (int i = 0; i < 5; i++) t.word[i] = r ? p[i + 1] >> r | p[i] << (64 - r) : p[i + 1];
	return t;
}

// multiply multiplies an angle: datasets.turns.times.
__device__ inline void multiply(turns *t, uint64_t b) {
	uint64_t carry = 0;
	for (int i = 4; i >= 0; i--) {
		const uint64_t lo = t->word[i] * b, sum = lo + carry;
		carry = product_high(t->word[i], b) + (sum < lo);
		t->word[i] = sum;
	}
}

// window is the angle times 2^at: datasets.turns.window.
__device__ __forceinline__ uint64_t window(const turns &t, int at) {
	const int r = at & 63;
	return t.word[at >> 6] << r | t.word[(at >> 6) + 1] >> 1 >> (63 - r);
}

// sine64 is datasets.sine, and sine32, which takes the upper half of a word, datasets.sine32.
__device__ __forceinline__ double sine64(uint64_t u) {
	uint64_t v = u + (1ull << 62);
	v ^= (uint64_t)((int64_t)v >> 63);
	const double r = (double)((int64_t)v - (1ll << 62)) * 0x1.921fb54442d18p-62, z = r * r;
	double s = 0x1.883864938575ap-49;
	s = -0x1.ae439ef902726p-41 + s * z;
	s = 0x1.6123ccd99b00cp-33 + s * z;
	s = -0x1.ae6454d07634cp-26 + s * z;
	s = 0x1.71de3a528d19bp-19 + s * z;
	s = -0x1.a01a01a0147f4p-13 + s * z;
	s = 0x1.11111111110bcp-07 + s * z;
	s = -0x1.5555555555555p-03 + s * z;
	return r + r * (s * z);
}

__device__ __forceinline__ float sine32(uint32_t u) {
	uint32_t v = u + (1u << 30);
	v ^= (uint32_t)((int32_t)v >> 31);
	const float r = (float)((int32_t)v - (1 << 30)) * 0x1.921fb6p-30f, z = r * r;
	float s = 0x1.5da6d2p-19f;
	s = -0x1.9f6cdap-13f + s * z;
	s = 0x1.110ebp-07f + s * z;
	s = -0x1.55554ap-03f + s * z;
	return r + r * (s * z);
}

__device__ __forceinline__ double sine_of(uint64_t u, double) { return sine64(u); }
__device__ __forceinline__ float sine_of(uint64_t u, float) { return sine32((uint32_t)(u >> 32)); }

// doubled adds the terms of base 2: the argument moves by a bit from term to term.
__device__ __forceinline__ float doubled(const turns &t, const float *weights, int terms) {
	float sum = 0;
	for (int i = 0; i < terms; i += 64) {
		uint64_t hi = t.word[i >> 6], lo = t.word[(i >> 6) + 1];
		const int end = terms - i < 64 ? terms - i : 64;
		int k = 0;
		for (; k + 8 <= end; k += 8) {
			const float *w = weights + i + k;
#pragma unroll
			for (int d = 0; d < 8; d++) sum += w[d] * sine32((uint32_t)(hi >> (31 - d)));
			hi = hi << 8 | lo >> 56;
			lo <<= 8;
		}
		for (; k < end; k++) {
			hi = hi << 1 | lo >> 63;
			lo <<= 1;
			sum += weights[i + k] * sine32((uint32_t)(hi >> 32));
		}
	}
	return sum;
}

__device__ __forceinline__ double doubled(const turns &t, const double *weights, int terms) {
	double sum = 0;
	for (int i = 0; i < terms; i += 64) {
		uint64_t hi = t.word[i >> 6], lo = t.word[(i >> 6) + 1];
		const int end = terms - i < 64 ? terms - i : 64;
#pragma unroll 4
		for (int k = 0; k < end; k++) {
			hi = hi << 1 | lo >> 63;
			lo <<= 1;
			sum += weights[i + k] * sine64(hi);
		}
	}
	return sum;
}

// value_at is W(x): datasets.Weierstrass.At and At32.
template <class T, class W>
__device__ inline T value_at(const ball &q, const W *weights, double x) {
	turns t = turns_of(x < 0 ? -x : x);
	T sum = 0;
	if (q.shift == 1) {
		sum = doubled(t, (const T *)weights, q.terms); // which are of type T
	} else if (q.shift > 1) {
		for (int i = 0; i < q.terms; i++)
			sum += (T)weights[i] * sine_of(window(t, (i + 1) * q.shift), T());
	} else {
		for (int i = 0; i < q.terms; i++) {
			multiply(&t, q.base);
			sum += (T)weights[i] * sine_of(t.word[0], T());
		}
	}
	return x < 0 ? -sum : sum;
}

// combined adds values in order, or finds the largest: datasets.Weierstrass.Value.
template <class T> __device__ inline T combined(const ball &q, const T *of, int n) {
	if (q.largest) {
		T top = of[0];
		for (int k = 1; k < n; k++) top = of[k] > top ? of[k] : top;
		return top;
	}
	T sum = 0;
	for (int k = 0; k < n; k++) sum += of[k];
	return sum;
}

// unit is arith.Unit64.
__device__ __forceinline__ double unit(uint32_t u) {
	return ((double)u + 0.5) * (1.0 / 4294967296.0);
}

// disc_of makes the square of a point's distance from the origin, of a point of a square.
__device__ __forceinline__ double disc_of(uint2 u, double *a, double *b) {
	*a = 2 * unit(u.x) - 1, *b = 2 * unit(u.y) - 1;
	return *a * *a + *b * *b;
}

// draw draws what the neighbour i of a walk needs: its place in the crown, which it returns, and
// for each two coordinates a point of the unit disc (ball.point and normals have the rest). So many
// lanes of a warp, a power of two, draw for a neighbour, a try a lane; what the first lane returns
// counts. All lanes of the warp must call it; those with here == false draw nothing.
__device__ inline double draw(const job &o, uint64_t clock, int walk, uint32_t i, bool here,
		int lanes, uint2 *to, int pairs) {
	const int lane = threadIdx.x & 31, own = lane & (lanes - 1);
	ml_u4 c = {(uint32_t)clock, (uint32_t)(clock >> 32) ^ 5u << 24, (uint32_t)walk << 20 | i, 0};
	double place = 0;
	int have = 0;
	for (uint32_t t = own; __any_sync(0xffffffffu, here); t += lanes) {
		// The try t has the numbers 2 t + 1 and 2 t + 2 of the stream, in blocks of four.
		ml_u4 d = c, e = c;
		d.w = t / 2, e.w = (t + 1) / 2;
		d = ml_philox(o.seed, d), e = ml_philox(o.seed, e);
		const uint2 u = t & 1 ? uint2{d.w, e.x} : uint2{d.y, d.z};
		if (t == 0) place = unit(d.x);
		double x, y;
		const double s = disc_of(u, &x, &y);
		const bool in = here && s < 1 && s > 0;
		unsigned all = __ballot_sync(0xffffffffu, in) >> (lane - own);
		if (lanes < 32) all &= (1u << lanes) - 1;
		const int at = have + __popc(all & ((1u << own) - 1));
		if (in && at < pairs) to[at] = u;
		have += __popc(all);
		here = here && have < pairs;
	}
	return place;
}

// deviates makes two independent standard normal deviates of a point of the unit disc: normals.
__device__ __forceinline__ void deviates(uint2 u, double *to) {
	double a, b;
	const double s = disc_of(u, &a, &b);
	const double f = ML_SQRT(-0x1.62e42fefa39efp+00 * ml_log2(s) / s);
	to[0] = a * f, to[1] = b * f;
}

// scale_of is what the deviates of a neighbour with a place in its crown are multiplied by.
__device__ inline double scale_of(
		const job &o, const ball &q, uint64_t i, double place, const double *deviates, int n) {
	double radius = q.radius;
	if (o.number) radius = 4 * radius < 2 ? 4 * radius : 2;
	double norm = 0;
	for (int k = 0; k < n; k++) norm += deviates[k] * deviates[k];
	return radius * (((double)i + place) / (double)o.size) / ML_SQRT(norm);
}

// moved is a coordinate after a step, reflected at the sides of the box.
__device__ __forceinline__ double moved(double x, double step) {
	double v = x + step;
	if (v > 1)
		v = 2 - v;
	else if (v < -1)
		v = -2 - v;
	v = v < 1 ? v : 1.0;
	return v > -1 ? v : -1.0;
}

// cell_of is a hash of the cube that a point is in: moves.cellOf.
__device__ inline int cell_of(const double *x, int n) {
	uint64_t h = 0;
	for (int k = 0; k < n; k++) h = ml_mix64(h ^ (uint64_t)(int64_t)((x[k] + 1) * CUBES));
	return (int)(h % CELLS);
}

// crown is what the threads of a block share of the neighbours that they have at a time.
struct crown {
	uint2 disc[MOST_COORDINATES];      // by two coordinates; a neighbour's begin at its own
	double at[MOST_COORDINATES];       // deviates, then coordinates
	double value[MOST_COORDINATES];    // by coordinate
	double scale[MOST_COORDINATES];    // by neighbour: its place, then the length of a deviate
};

// scan_ball evaluates the neighbours of all walks, so many at a time as a block has threads for
// their coordinates; T is the type of the values.
template <class T>
__device__ inline void scan_ball(const job &o, const ball &q, const walk *walks, int64_t *deltas,
		found *parts) {
	__shared__ crown z;
	__shared__ T weights[MOST_TERMS];
	const int64_t a = blockIdx.x / o.blocks;
	const int n = o.n;
	if (!due(o, walks[a])) return;
	const int threads = blockDim.x, own = threadIdx.x;
	const int room = threads < MOST_COORDINATES ? threads : MOST_COORDINATES;
	const int group = n < room ? room / n : 1; // neighbours at a time
	const int pairs = (n + 1) / 2;
	int lanes = 1; // that draw for a neighbour: no more than it has coordinates
	while (2 * lanes <= n && lanes < 32) lanes *= 2;
	for (int k = own; k < q.terms; k += threads) weights[k] = (T)q.weights[k];
	const double *x = q.x + a * n;
	const uint64_t clock = walks[a].clock + 1, start = start_of(o, walks[a], (int)a);
	const int64_t *until = q.until + a * CELLS;
	T *value = (T *)z.value;
	found best = {no_choice(), no_choice(), no_choice()};
	const uint64_t step = (uint64_t)o.blocks * group;
	for (uint64_t from = (uint64_t)(blockIdx.x % o.blocks) * group; from < o.size; from += step) {
		const int here = o.size - from < group ? (int)(o.size - from) : group;
		__syncthreads();
		for (int g0 = 0; g0 < here; g0 += threads / lanes) {
			const int g = g0 + own / lanes;
			const double place = draw(o, clock, (int)a, (uint32_t)(from + g), g < here, lanes,
					z.disc + g * n, pairs);
			if (g < here && own % lanes == 0) z.scale[g] = place;
		}
		__syncthreads();
		for (int k = own; k < here * pairs; k += threads) {
			const int g = k / pairs, p = k % pairs;
			double two[2];
			deviates(z.disc[g * n + p], two);
			z.at[g * n + 2 * p] = two[0];
			if (2 * p + 1 < n) z.at[g * n + 2 * p + 1] = two[1];
		}
		__syncthreads();
		if (own < here) z.scale[own] = scale_of(o, q, from + own, z.scale[own], z.at + own * n, n);
		__syncthreads();
		for (int k = own; k < here * n; k += threads) {
			const int g = k / n;
			const double v = z.at[k] = moved(x[k - g * n], z.scale[g] * z.at[k]);
			value[k] = value_at<T>(q, weights, v);
		}
		__syncthreads();
		if (own < here) {
			const uint64_t index = from + own;
			const double f = (double)combined(q, value + own * n, n);
			const int64_t d = ordered_bits(f - q.present[a]);
			const bool tabu = o.pick == TABU && until[cell_of(z.at + own * n, n)] >= (int64_t)clock;
			note_found(o, start, &best, d, index, false, tabu);
			if (deltas) deltas[a * o.size + index] = d;
		}
	}
	best = best_of(best);
	if (own == 0) parts[blockIdx.x] = best;
}

extern "C" __global__ void ball_single(
		job o, ball q, const walk *walks, int64_t *deltas, found *parts) {
	scan_ball<float>(o, q, walks, deltas, parts);
}
extern "C" __global__ void ball_double(
		job o, ball q, const walk *walks, int64_t *deltas, found *parts) {
	scan_ball<double>(o, q, walks, deltas, parts);
}

// worth is the value at a point in double precision, and in float32 if neighbours are compared so.
struct worth {
	double wide;
	float narrow;
};

// worth_of computes it by a whole block, a term a thread at a time; only thread 0 gets it.
__device__ inline worth worth_of(const ball &q, const double *x, int n) {
	__shared__ double wide[MOST_ROOM];
	__shared__ float narrow[MOST_ROOM];
	__shared__ turns angle[MOST_COORDINATES];
	const int own = threadIdx.x, threads = blockDim.x;
	// Without a power of two each argument follows from the one before: a coordinate a thread.
	const int terms = q.shift ? q.terms : 1;
	const int most = MOST_ROOM / terms < MOST_COORDINATES ? MOST_ROOM / terms : MOST_COORDINATES;
	worth sum = {0, 0};
	for (int from = 0; from < n; from += most) {
		const int here = n - from < most ? n - from : most;
		__syncthreads();
		if (q.shift) {
			for (int k = own; k < here; k += threads) angle[k] = turns_of(fabs(x[from + k]));
			__syncthreads();
			for (int k = own; k < here * terms; k += threads) {
				const int i = k % terms;
				const uint64_t u = window(angle[k / terms], (i + 1) * q.shift);
				wide[k] = q.weights[i] * sine64(u);
				if (q.single) narrow[k] = (float)q.weights[i] * sine_of(u, 0.0f);
			}
			__syncthreads();
			for (int k = own; k < here; k += threads) {
				double d = 0;
				float f = 0;
				for (int i = 0; i < terms; i++) d += wide[k * terms + i];
				if (q.single)
					for (int i = 0; i < terms; i++) f += narrow[k * terms + i];
				const bool minus = x[from + k] < 0;
				wide[k * terms] = minus ? -d : d, narrow[k * terms] = minus ? -f : f;
			}
		} else {
			for (int k = own; k < here; k += threads) {
				wide[k] = value_at<double>(q, q.weights, x[from + k]);
				if (q.single) narrow[k] = value_at<float>(q, q.weights, x[from + k]);
			}
		}
		__syncthreads();
		if (own > 0) continue;
		for (int k = 0; k < here; k++) {
			const double d = wide[k * terms];
			const float f = narrow[k * terms];
			if (!q.largest)
				sum.wide += d, sum.narrow += f;
			else if (from + k == 0)
				sum = {d, f};
			else
				sum = {d > sum.wide ? d : sum.wide, f > sum.narrow ? f : sum.narrow};
		}
	}
	return sum;
}

// ball_load computes the present values; a block is a walk.
extern "C" __global__ void ball_load(job o, ball q) {
	const int64_t a = blockIdx.x;
	const worth f = worth_of(q, q.x + a * o.n, o.n);
	if (threadIdx.x == 0) q.present[a] = q.single ? (double)f.narrow : f.wide;
}

// ball_move finds the best of the blocks' moves and makes it; a block is a walk.
extern "C" __global__ void ball_move(job o, ball q, walk *walks, const found *parts) {
	__shared__ uint64_t shared_index;
	__shared__ int32_t shared_better, shared_from, shared_to;
	__shared__ uint2 disc[MOST_COORDINATES];
	__shared__ double y[MOST_COORDINATES + 1], shared_scale;
	const int64_t a = blockIdx.x;
	const int n = o.n, pairs = (n + 1) / 2, own = threadIdx.x, last = blockDim.x - 1;
	if (!due(o, walks[a])) return;
	found f = {no_choice(), no_choice(), no_choice()};
	for (int b = own; b < o.blocks; b += blockDim.x) {
		const found &g = parts[a * o.blocks + b];
		f.all = better(f.all, g.all), f.late = better(f.late, g.late), f.open = better(f.open, g.open);
	}
	f = best_of(f);
	walk *w = walks + a;
	double *x = q.x + a * n;
	if (own == 0) {
		const choice c = decide(o, w, f);
		shared_index = c.index;
		if (c.index != NO_MOVE) w->at[0] = (int32_t)c.index, w->back = o.number;
	}
	if (own == last) shared_from = cell_of(x, n);
	__syncthreads();
	const uint64_t index = shared_index;
	if (index != NO_MOVE) {
		double place = 0;
		if (own < 32) place = draw(o, w->clock, (int)a, (uint32_t)index, true, 32, disc, pairs);
		__syncthreads();
		for (int p = own; p < pairs; p += blockDim.x) deviates(disc[p], y + 2 * p);
		__syncthreads();
		if (own == 0) shared_scale = scale_of(o, q, index, place, y, n);
		__syncthreads();
		for (int k = own; k < n; k += blockDim.x) y[k] = moved(x[k], shared_scale * y[k]);
		__syncthreads();
		if (own == last) shared_to = cell_of(y, n);
		for (int k = own; k < n; k += blockDim.x) x[k] = y[k];
		const worth v = worth_of(q, y, n);
		if (own == 0) {
			q.present[a] = q.single ? (double)v.narrow : v.wide;
			w->cost = (int64_t)ML_D2U(v.wide);
			if (o.pick == TABU) {
				int64_t *until = q.until + a * CELLS;
				if (until[shared_to] >= w->clock) w->tally[1]++;
				until[shared_from] = w->clock + wait_of(o, w->clock, (int)a, 0);
			}
		}
	}
	if (own == 0) {
		taken(o, w);
		shared_better = (int32_t)w->better;
	}
	__syncthreads();
	if (shared_better)
		for (int k = own; k < n; k += blockDim.x) q.top[a * n + k] = x[k];
}

// ball_hash computes the hash of each walk's point; a block is a walk.
extern "C" __global__ void ball_hash(job o, ball q, walk *walks) {
	if (threadIdx.x > 0) return;
	const int64_t a = blockIdx.x;
	uint64_t h = 0;
	for (int k = 0; k < o.n; k++) h = ml_mix64(h ^ ML_D2U(q.x[a * o.n + k]));
	walks[a].hash = h;
}
