// Tabu search and climbing on assignments: exchanges of two facilities, and of three in a circle,
// which are two exchanges of two, one after the other.
#include "common.cuh"

// qap is an instance and the walks' data. Matrices are n x n, by rows. E and its form are those of
// solvers/moves/qapform.go.
struct qap {
	const int32_t *a, *b;                        // as the instance has them
	const int64_t *fa, *fb;                      // symmetric sums
	const int64_t *ea, *eb, *eat, *ebt, *da, *db; // of which E is computed; da, db may be null
	int32_t *p, *top;                            // by walk: the permutation, and the best one
	int64_t *until;                              // by walk, n x n: placements
	int64_t *e;                                  // by walk, n x n: E
	int64_t *uv;                                 // by walk: u, v, w and z of the last move
	int32_t pairs, factor;                       // of E
};

// turn is a move: three positions, the last one -1 if it is an exchange of two; back is the
// direction of three.
struct turn {
	int i, j, k;
	bool back;
};

// turn_at is the move with this index; see move_at.
__device__ __forceinline__ turn turn_at(const job &o, const int4 *given, uint64_t index) {
	turn m = {0, 0, -1, false};
	if (o.flips == 2) {
		move_at(o, given, index, &m.i, &m.j);
	} else if (given) {
		move_at(o, given, index, &m.i, &m.j, &m.k);
		m.back = given[index].w != 0;
	} else {
		triple_at(o.n, index / 2, &m.i, &m.j, &m.k);
		m.back = index % 2 != 0;
	}
	return m;
}

// exchange_of is the first or the second exchange of a move: Move.exchanges.
__device__ __forceinline__ int2 exchange_of(const turn &m, bool second) {
	return second != m.back ? int2{m.j, m.k} : int2{m.i, m.j};
}

// least_until is the least time of the placements that a move makes.
__device__ __forceinline__ int64_t least_until(
		const int64_t *until, const int32_t *p, int64_t n, const turn &m) {
	const int pi = p[m.i], pj = p[m.j];
	if (m.k < 0) return min(until[m.i * n + pj], until[m.j * n + pi]);
	const int pk = p[m.k];
	if (m.back) return min(until[m.i * n + pk], min(until[m.j * n + pi], until[m.k * n + pj]));
	return min(until[m.i * n + pj], min(until[m.j * n + pk], until[m.k * n + pi]));
}

// published_delta is QAP.Delta: n steps by the two matrices. Before it, positions x and y have been
// exchanged, unless x is -1.
template <bool CACHED> __device__ inline int64_t published_delta(
		const qap &q, const int32_t *p, int n, int r, int s, int x = -1, int y = -1) {
	const int32_t *a = q.a, *b = q.b;
#define P(k) read<CACHED>(p + ((k) == x ? y : (k) == y ? x : (k)))
#define A(i, j) ((int64_t)read<CACHED>(a + (int64_t)(i) * n + (j)))
#define B(i, j) ((int64_t)read<CACHED>(b + (int64_t)(i) * n + (j)))
	const int pr = P(r), ps = P(s);
	int64_t d = (A(r, r) - A(s, s)) * (B(ps, ps) - B(pr, pr)) +
			(A(r, s) - A(s, r)) * (B(ps, pr) - B(pr, ps));
	for (int k = 0; k < n; k++) {
		if (k == r || k == s) continue;
		const int pk = P(k);
		d += (A(r, k) - A(s, k)) * (B(ps, pk) - B(pr, pk)) +
				(A(k, r) - A(k, s)) * (B(pk, ps) - B(pk, pr));
	}
#undef P
#undef A
#undef B
	return d;
}

// published_turn is the delta of a move by it.
template <bool CACHED>
__device__ inline int64_t published_turn(const qap &q, const int32_t *p, int n, const turn &m) {
	const int2 x = exchange_of(m, false);
	int64_t d = published_delta<CACHED>(q, p, n, x.x, x.y);
	if (m.k < 0) return d;
	const int2 y = exchange_of(m, true);
	return d + published_delta<CACHED>(q, p, n, y.x, y.y, x.x, x.y);
}

// quick_delta is the same by E, in a fixed number of steps.
template <bool CACHED>
__device__ inline int64_t quick_delta(
		const job &o, const qap &q, const int64_t *e, const int32_t *p, int i, int j) {
	const int64_t n = o.n;
	int64_t w = e[i * n + j] + e[j * n + i] +
			read<CACHED>(q.fa + i * n + j) * read<CACHED>(q.fb + p[i] * n + p[j]);
	return q.factor * (w - e[i * n + i] - e[j * n + j]);
}

// quick_turn is the delta of a move by E: of three positions what E says of all, minus what it
// counts among the three, plus the true change among them, as qapWalk.cycle has it.
template <bool CACHED>
__device__ inline int64_t quick_turn(
		const job &o, const qap &q, const int64_t *e, const int32_t *p, const turn &m) {
	if (m.k < 0) return quick_delta<CACHED>(o, q, e, p, m.i, m.j);
	const int64_t n = o.n, at[3] = {m.i, m.j, m.k}, of[3] = {p[m.i], p[m.j], p[m.k]};
	int64_t a[3][3], b[3][3], outside = 0, inside = 0;
#pragma unroll
	for (int x = 0; x < 3; x++)
#pragma unroll
		for (int y = 0; y < 3; y++) {
			a[x][y] = x == y ? 0 : read<CACHED>(q.a + at[x] * n + at[y]);
			b[x][y] = x == y ? 0 : read<CACHED>(q.b + of[x] * n + of[y]);
		}
	if (m.back) { // position x takes the entry of x + 2, else of x + 1
#define TURN(x) (((x) + 2) % 3)
#define TERMS \
		_Pragma("unroll") for (int x = 0; x < 3; x++) { \
			outside += e[at[x] * n + at[TURN(x)]] - e[at[x] * n + at[x]]; \
			_Pragma("unroll") for (int y = 0; y < 3; y++) \
				inside += a[x][y] * (b[TURN(x)][TURN(y)] - b[TURN(x)][y] + b[x][y]) - \
						a[y][x] * (b[y][TURN(x)] - b[y][x]) - a[x][y] * b[x][y]; \
		}
		TERMS
#undef TURN
	} else {
#define TURN(x) (((x) + 1) % 3)
		TERMS
#undef TURN
#undef TERMS
	}
	return q.factor * outside + inside;
}

// scan_qap evaluates the neighbours of all walks. deltas, if it is not null, gets their fitnesses,
// o.size for each walk; parts gets the best of each block. given: see move_at.
template <bool QUICK, bool CACHED>
__device__ inline void scan_qap(
		job o, qap q, const walk *walks, const int4 *given, int64_t *deltas, found *parts) {
	const int a = blockIdx.x / o.blocks, block = blockIdx.x % o.blocks;
	if (!due(o, walks[a])) return;
	const int64_t n = o.n, square = n * n;
	const int32_t *p = q.p + a * n;
	const int64_t *until = q.until + a * square, clock = walks[a].clock + 1;
	const uint64_t step = (uint64_t)o.blocks * blockDim.x;
	const uint64_t start = start_of(o, walks[a], a);
	found f = {no_choice(), no_choice(), no_choice()};
	for (uint64_t x = (uint64_t)block * blockDim.x + threadIdx.x; x < o.size; x += step) {
		const turn m = turn_at(o, given, x);
		int64_t d = QUICK ? quick_turn<CACHED>(o, q, q.e + a * square, p, m)
											: published_turn<CACHED>(q, p, o.n, m);
		const int64_t least = least_until(until, p, n, m);
		note_found(o, start, &f, d, x, o.aspiration > 0 && least < clock - o.aspiration, least >= clock);
		if (deltas) deltas[a * o.size + x] = d;
	}
	f = best_of(f);
	if (threadIdx.x == 0) parts[blockIdx.x] = f;
}

#define SCAN(name, quick, cached)                                                             \
	extern "C" __global__ void name(job o, qap q, const walk *walks, const int4 *given,         \
			int64_t *deltas, found *parts) {                                                        \
		scan_qap<quick, cached>(o, q, walks, given, deltas, parts);                               \
	}
SCAN(qap_published, false, false)
SCAN(qap_published_readonly, false, true)
SCAN(qap_incremental, true, false)
SCAN(qap_incremental_readonly, true, true)
#undef SCAN

// exchanged makes an exchange of walk a: p changes, and uv gets the vectors of it for qap_update. A
// block calls it.
__device__ inline void exchanged(const job &o, const qap &q, int64_t a, int2 of) {
	const int64_t n = o.n;
	const int r = of.x, s = of.y;
	int32_t *p = q.p + a * n;
	int64_t *u = q.uv + 4 * n * a, *v = u + n, *w = v + n, *z = w + n;
	for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
		const int64_t k = i == r ? s : i == s ? r : i; // v and z change places at r and s
		u[i] = q.eat[r * n + i] - q.eat[s * n + i];
		v[k] = q.ebt[p[s] * n + p[i]] - q.ebt[p[r] * n + p[i]];
		w[i] = q.ea[r * n + i] - q.ea[s * n + i];
		z[k] = q.eb[p[s] * n + p[i]] - q.eb[p[r] * n + p[i]];
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		int32_t x = p[r];
		p[r] = p[s], p[s] = x;
	}
	__syncthreads();
}

// kept keeps a new best solution. A block calls it.
__device__ inline void kept(const job &o, const qap &q, int64_t a) {
	for (int64_t i = threadIdx.x; i < o.n; i += blockDim.x) q.top[a * o.n + i] = q.p[a * o.n + i];
}

// made is the last move of a walk.
__device__ __forceinline__ turn made(const walk &w) {
	return {w.at[0], w.at[1], w.at[2], w.back != 0};
}

// qap_move finds the best of the blocks' moves and makes it, or the first exchange of three; a
// block is a walk. Afterwards uv has the vectors of it for qap_update, if there is one.
extern "C" __global__ void qap_move(job o, qap q, walk *walks, const found *parts) {
	__shared__ turn shared_move;
	__shared__ int32_t shared_better;
	const int a = blockIdx.x;
	const int64_t n = o.n;
	const int32_t *p = q.p + a * n;
	if (!due(o, walks[a])) {
		if (threadIdx.x == 0) walks[a].at[0] = -1; // for qap_update
		return;
	}
	found f = best_of_blocks(o, parts, a);
	if (threadIdx.x == 0) {
		walk *w = walks + a;
		choice c = decide(o, w, f);
		shared_move = {-1, -1, -1, false};
		if (c.index != NO_MOVE) {
			const turn m = turn_at(o, nullptr, c.index);
			w->at[0] = m.i, w->at[1] = m.j, w->at[2] = m.k, w->back = m.back;
			int64_t *until = q.until + a * n * n;
			if (o.pick == TABU) {
				if (least_until(until, p, n, m) >= w->clock) w->tally[1]++;
				for (int d = 0; d < o.flips; d++)
					until[w->at[d] * n + p[w->at[d]]] = w->clock + wait_of(o, w->clock, a, d);
			}
			shared_move = m;
		}
		taken(o, w);
		shared_better = (int32_t)w->better;
	}
	__syncthreads();
	if (shared_move.i < 0) return; // no move: the solution was the best before, or is not
	exchanged(o, q, a, exchange_of(shared_move, false));
	if (shared_better && o.flips == 2) kept(o, q, a);
}

// qap_turn makes the second exchange of three; a block is a walk.
extern "C" __global__ void qap_turn(job o, qap q, const walk *walks) {
	const walk &w = walks[blockIdx.x];
	if (w.at[0] < 0) return;
	exchanged(o, q, blockIdx.x, exchange_of(made(w), true));
	if (w.better) kept(o, q, blockIdx.x);
}

// qap_update brings E up to date after the first or the second exchange of the last move;
// blockIdx.x counts rows of walks, a block is a row.
extern "C" __global__ void qap_update(job o, qap q, const walk *walks, int32_t second) {
	const int64_t n = o.n, a = blockIdx.x / n, i = blockIdx.x % n;
	if (walks[a].at[0] < 0) return;
	const int2 of = exchange_of(made(walks[a]), second != 0);
	const int r = of.x, s = of.y;
	const int64_t *u = q.uv + 4 * n * a, *v = u + n, *w = v + n, *z = w + n;
	int64_t *row = q.e + (a * n + i) * n;
	const int64_t at_r = row[r], at_s = row[s];
	__syncthreads();
	for (int64_t j = threadIdx.x; j < n; j += blockDim.x) {
		int64_t x = (j == r ? at_s : j == s ? at_r : row[j]) + u[i] * v[j];
		if (q.pairs == 2) x += w[i] * z[j];
		row[j] = x;
	}
}

// qap_load computes E from its definition; blocks as in qap_update.
extern "C" __global__ void qap_load(job o, qap q) {
	const int64_t n = o.n, a = blockIdx.x / n, i = blockIdx.x % n;
	const int32_t *p = q.p + a * n;
	for (int64_t j = threadIdx.x; j < n; j += blockDim.x) {
		int64_t e = 0;
		for (int64_t k = 0; k < n; k++) {
			e += q.ea[i * n + k] * q.eb[p[j] * n + p[k]];
			if (q.pairs == 2) e += q.eat[i * n + k] * q.ebt[p[j] * n + p[k]];
		}
		if (q.da) e += q.da[i] * q.db[p[j]];
		q.e[(a * n + i) * n + j] = e;
	}
}

// perm_hash computes arith.HashPerm of each walk's permutation; a block is a walk.
extern "C" __global__ void perm_hash(job o, qap q, walk *walks) {
	__shared__ unsigned long long sum;
	const int a = blockIdx.x;
	if (threadIdx.x == 0) sum = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < o.n; i += blockDim.x) {
		uint32_t x = (uint32_t)q.p[(int64_t)a * o.n + i] + 1;
		atomicAdd(&sum, (unsigned long long)ml_mix64((uint64_t)i << 32 | x));
	}
	__syncthreads();
	if (threadIdx.x == 0) walks[a].hash = sum;
}

#include "qapfast.cuh"
#include "qapwalks.cuh"
#include "qapteam.cuh"
