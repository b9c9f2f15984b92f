// Tabu search and climbing on permuted perceptrons: flips of one bit to three. Evaluated by sets of
// rows (sets.cuh), or as published, by a histogram of each thread's own.
#include "sets.cuh"

// ppp_energy is the energy after flips of i and, unless they are -1, j and l: in m + n steps, with
// a row of bins of the thread's own, as published.
template <bool CACHED>
__device__ inline int64_t ppp_energy(
		const job &o, const ppp &q, const int8_t *v, const int32_t *y, int i, int j, int l) {
	const int64_t threads = (int64_t)gridDim.x * blockDim.x, m = q.m;
	int16_t *bins = q.bins + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
	const int count = (o.n + 1) / 2;
	for (int k = 0; k < count; k++) bins[k * threads] = (int16_t)read<CACHED>(q.want + k);
	const int vi = 2 * v[i], vj = j < 0 ? 0 : 2 * v[j], vl = l < 0 ? 0 : 2 * v[l];
	const int8_t *ci = q.columns + i * m, *cj = q.columns + (j < 0 ? 0 : j) * m;
	const int8_t *cl = q.columns + (l < 0 ? 0 : l) * m;
	int64_t f = 0;
	for (int64_t row = 0; row < m; row++) {
		int x = y[row] - vi * read<CACHED>(ci + row) - vj * read<CACHED>(cj + row) -
				vl * read<CACHED>(cl + row);
		if (x > 0)
			bins[(x >> 1) * threads]--;
		else
			f -= 60 * (int64_t)x;
	}
	for (int k = 0; k < count; k++) {
		int d = bins[k * threads];
		f += d < 0 ? -d : d;
	}
	return f;
}

// flips_at is the move with this index, three columns, of which those that are not flipped are -1.
// given, if it is not null, has the moves that the host generated.
__device__ __forceinline__ void flips_at(
		const job &o, const int4 *given, uint64_t index, int *i, int *j, int *l) {
	*i = (int)index, *j = *l = -1;
	if (given) {
		int4 m = given[index];
		*i = m.x, *j = m.y, *l = m.z;
	} else if (o.flips == 2) {
		pair_at(o.n, index, i, j);
	} else if (o.flips == 3) {
		triple_at(o.n, index, i, j, l);
	}
}

// scan_ppp evaluates the neighbours of all walks; see scan_qap.
template <bool CACHED>
__device__ inline void scan_ppp(
		job o, ppp q, const walk *walks, const int4 *given, int64_t *deltas, found *parts) {
	const int64_t a = walk_of_block(o), block = block_of_walk(o);
	if (!due(o, walks[a])) return;
	const int8_t *v = q.v + a * o.n;
	const int32_t *y = q.y + a * q.m;
	const int64_t *until = q.until + a * o.n, clock = walks[a].clock + 1;
	const uint64_t step = (uint64_t)o.blocks * blockDim.x;
	const uint64_t start = start_of(o, walks[a], (int)a);
	found f = {no_choice(), no_choice(), no_choice()};
	for (uint64_t x = (uint64_t)block * blockDim.x + threadIdx.x; x < o.size; x += step) {
		int i, j, l;
		flips_at(o, given, x, &i, &j, &l);
		int64_t d = ppp_energy<CACHED>(o, q, v, y, i, j, l) - walks[a].cost;
		note_found(o, start, &f, d, x, false, until[i] >= clock || (j >= 0 && until[j] >= clock) ||
				(l >= 0 && until[l] >= clock));
		if (deltas) deltas[a * o.size + x] = d;
	}
	f = best_of(f);
	if (threadIdx.x == 0) parts[blockIdx.x] = f;
}

extern "C" __global__ void ppp_published(job o, ppp q, const walk *walks, const int4 *given,
		int64_t *deltas, found *parts) {
	scan_ppp<false>(o, q, walks, given, deltas, parts);
}
extern "C" __global__ void ppp_published_readonly(job o, ppp q, const walk *walks,
		const int4 *given, int64_t *deltas, found *parts) {
	scan_ppp<true>(o, q, walks, given, deltas, parts);
}

// ppp_part ends a scan of a part of the blocks; a block is a walk.
extern "C" __global__ void ppp_part(job o, const walk *walks, found *parts) {
	best_of_part(o, walks, parts, blockIdx.x, gridDim.x);
}

// ppp_move finds the best of the blocks' moves and makes it; a block is a walk.
extern "C" __global__ void ppp_move(job o, ppp q, walk *walks, const found *parts) {
	__shared__ int32_t shared_at[3], shared_better;
	const int64_t a = blockIdx.x;
	int8_t *v = q.v + a * o.n;
	if (!due(o, walks[a])) return;
	const found f = best_of_blocks(o, parts, a);
	if (threadIdx.x == 0) {
		walk *w = walks + a;
		choice c = decide(o, w, f);
		shared_at[0] = shared_at[1] = -1;
		if (c.index != NO_MOVE) {
			int64_t *until = q.until + a * o.n;
			bool tabu = false;
			flips_at(o, nullptr, c.index, &shared_at[0], &shared_at[1], &shared_at[2]);
			if (o.pick == TABU) {
				for (int d = 0; d < o.flips; d++) tabu |= until[shared_at[d]] >= w->clock;
				w->tally[1] += tabu;
				for (int d = 0; d < o.flips; d++)
					until[shared_at[d]] = w->clock + wait_of(o, w->clock, (int)a, d);
			}
			for (int d = 0; d < 3; d++) w->at[d] = shared_at[d];
		}
		taken(o, w);
		shared_better = (int32_t)w->better;
	}
	__syncthreads();
	if (shared_at[0] < 0) return;
	for (int d = 0; d < o.flips; d++) {
		const int at = shared_at[d], step = 2 * v[at];
		const int8_t *column = q.columns + (int64_t)at * q.m;
		for (int row = threadIdx.x; row < q.m; row += blockDim.x)
			q.y[a * q.m + row] -= step * column[row];
	}
	__syncthreads();
	if (threadIdx.x < (unsigned)o.flips) v[shared_at[threadIdx.x]] = -v[shared_at[threadIdx.x]];
	__syncthreads();
	if (shared_better)
		for (int i = threadIdx.x; i < o.n; i += blockDim.x) q.top[a * o.n + i] = v[i];
	if (q.slots) sort_rows(o, q, a);
}

// ppp_load computes the products, and sorts rows by them; blockIdx.x is a walk.
extern "C" __global__ void ppp_load(job o, ppp q) {
	const int64_t a = blockIdx.x;
	for (int row = threadIdx.x; row < q.m; row += blockDim.x) {
		int32_t y = 0;
		for (int64_t k = 0; k < o.n; k++) y += q.columns[k * q.m + row] * q.v[a * o.n + k];
		q.y[a * q.m + row] = y;
	}
	__syncthreads();
	if (q.slots) sort_rows(o, q, a);
}

// bits_hash computes the hash of each walk's signs, 64 of them a word, the first of a word in its
// highest bit; a block is a walk.
extern "C" __global__ void bits_hash(job o, ppp q, walk *walks) {
	__shared__ unsigned long long sum;
	const int64_t a = blockIdx.x;
	if (threadIdx.x == 0) sum = 0;
	__syncthreads();
	for (int from = 64 * threadIdx.x; from < o.n; from += 64 * blockDim.x) {
		const int to = from + 64 < o.n ? from + 64 : o.n;
		uint64_t word = 0;
		for (int k = from; k < to; k++) word = word << 1 | (uint64_t)(q.v[a * o.n + k] > 0);
		atomicAdd(&sum, (unsigned long long)ml_mix64(ml_mix64(word) + (uint64_t)(to - 1)));
	}
	__syncthreads();
	if (threadIdx.x == 0) walks[a].hash = sum;
}
