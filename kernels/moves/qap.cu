// Tabu search and climbing on assignments: exchanges of two facilities.
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

// published_delta is QAP.Delta: n steps by the two matrices.
template <bool CACHED>
__device__ inline int64_t published_delta(const qap &q, const int32_t *p, int n, int r, int s) {
	const int32_t *a = q.a, *b = q.b;
	const int pr = read<CACHED>(p + r), ps = read<CACHED>(p + s);
#define A(i, j) ((int64_t)read<CACHED>(a + (int64_t)(i) * n + (j)))
#define B(i, j) ((int64_t)read<CACHED>(b + (int64_t)(i) * n + (j)))
	int64_t d = (A(r, r) - A(s, s)) * (B(ps, ps) - B(pr, pr)) +
			(A(r, s) - A(s, r)) * (B(ps, pr) - B(pr, ps));
	for (int k = 0; k < n; k++) {
		if (k == r || k == s) continue;
		const int pk = read<CACHED>(p + k);
		d += (A(r, k) - A(s, k)) * (B(ps, pk) - B(pr, pk)) +
				(A(k, r) - A(k, s)) * (B(pk, ps) - B(pk, pr));
	}
#undef A
#undef B
	return d;
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
		int i, j;
		move_at(o, given, x, &i, &j);
		int64_t d = QUICK ? quick_delta<CACHED>(o, q, q.e + a * square, p, i, j)
											: published_delta<CACHED>(q, p, o.n, i, j);
		int64_t s = until[i * n + p[j]], t = until[j * n + p[i]], least = s < t ? s : t;
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

// qap_move finds the best of the blocks' moves and makes it; a block is a walk. Afterwards uv has
// the vectors of the move for qap_update, if there is one.
extern "C" __global__ void qap_move(job o, qap q, walk *walks, const found *parts) {
	__shared__ int32_t shared_r, shared_s, shared_better;
	const int a = blockIdx.x;
	const int64_t n = o.n;
	int32_t *p = q.p + a * n;
	if (!due(o, walks[a])) {
		if (threadIdx.x == 0) walks[a].at[0] = -1; // for qap_update
		return;
	}
	const found f = best_of_blocks(o, parts, a);
	if (threadIdx.x == 0) {
		walk *w = walks + a;
		choice c = decide(o, w, f);
		shared_r = -1;
		if (c.index != NO_MOVE) {
			int r, s;
			pair_at(n, c.index, &r, &s);
			int64_t *until = q.until + a * n * n;
			if (o.pick == TABU) {
				int64_t x = until[r * n + p[s]], y = until[s * n + p[r]];
				if ((x < y ? x : y) >= w->clock) w->tally[1]++;
				until[r * n + p[r]] = w->clock + wait_of(o, w->clock, a, 0);
				until[s * n + p[s]] = w->clock + wait_of(o, w->clock, a, 1);
			}
			w->at[0] = shared_r = r, w->at[1] = shared_s = s;
		}
		taken(o, w);
		shared_better = (int32_t)w->better;
	}
	__syncthreads();
	const int r = shared_r, s = shared_s;
	if (r < 0) return; // no move: the solution was the best before, or is not
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
	if (shared_better)
		for (int64_t i = threadIdx.x; i < n; i += blockDim.x) q.top[a * n + i] = p[i];
}

// qap_update brings E up to date after the last move; blockIdx.x counts rows of walks, a block is a
// row.
extern "C" __global__ void qap_update(job o, qap q, const walk *walks) {
	const int64_t n = o.n, a = blockIdx.x / n, i = blockIdx.x % n;
	const int r = walks[a].at[0], s = walks[a].at[1];
	if (r < 0) return;
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
