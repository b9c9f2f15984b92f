// Tabu search and climbing on tours: exchanges of two cities and of three.
#include "tsp_cycles.cuh"
#include "tsp_swaps.cuh"

// scan_tsp evaluates the neighbours of all walks, a thread one by its index and by its distances,
// as published. deltas, if it is not null, gets the fitnesses, o.size for each walk; parts gets the
// best of each block.
template <class S>
__device__ inline void scan_tsp(
		const job &o, const tsp &q, const walk *walks, const int4 *given, int64_t *deltas,
		found *parts) {
	const S space(q, o);
	const int64_t a = walk_of_block(o), block = block_of_walk(o);
	const walk &w = walks[a];
	if (!due(o, w)) return;
	const int32_t *p = q.p + a * o.n;
	const int64_t *until = q.until + a * o.n, clock = w.clock + 1;
	const uint64_t step = (uint64_t)o.blocks * blockDim.x, start = start_of(o, w, (int)a);
	found f = {no_choice(), no_choice(), no_choice()};
	for (uint64_t x = (uint64_t)block * blockDim.x + threadIdx.x; x < o.size; x += step) {
		int at[3];
		bool back;
		if (given) {
			const int4 move = given[x];
			at[0] = move.x, at[1] = move.y, at[2] = move.z, back = move.w;
		} else {
			exchange_at(o, x, at, &back);
		}
		const int64_t d = o.flips == 2 ? exchange_delta<2>(space, o.n, p, at, back)
																	 : exchange_delta<3>(space, o.n, p, at, back);
		bool tabu = false;
		if (o.pick == TABU)
			for (int h = 0; h < o.flips; h++) tabu |= until[p[at[h]]] >= clock;
		note_found(o, start, &f, d, x, false, tabu);
		if (deltas) deltas[a * o.size + x] = d;
	}
	f = best_of(f);
	if (threadIdx.x == 0) parts[blockIdx.x] = f;
}

#define PUBLISHED(name, ...)                                                                   \
	extern "C" __global__ void name(job o, tsp q, const walk *walks, const int4 *given,       \
			int64_t *deltas, found *parts) {                                                         \
		typedef __VA_ARGS__ space;                                                                 \
		scan_tsp<space>(o, q, walks, given, deltas, parts);                                        \
	}
PUBLISHED(tsp_published_whole, whole<false>)
PUBLISHED(tsp_published_whole_readonly, whole<true>)
PUBLISHED(tsp_published_real, real<false>)
PUBLISHED(tsp_published_real_readonly, real<true>)
PUBLISHED(tsp_published_table, table<false, true>)
PUBLISHED(tsp_published_table_readonly, table<true, true>)
#undef PUBLISHED

// The scans of all swaps, with one column a lane and with four, and of all exchanges of three: see
// tsp_swaps.cuh and tsp_cycles.cuh.
#define BOUNDS
#define SCANS(name, ...)                                                                       \
	extern "C" __global__ void BOUNDS tsp_swaps_##name##_1(                                      \
			job o, tsp q, walk *walks, found *parts) {                                               \
		typedef __VA_ARGS__ space;                                                                 \
		scan_swaps<space, 1>(o, q, walks, parts);                                                  \
	}                                                                                            \
	extern "C" __global__ void BOUNDS tsp_swaps_##name##_4(                                      \
			job o, tsp q, walk *walks, found *parts) {                                               \
		typedef __VA_ARGS__ space;                                                                 \
		scan_swaps<space, 4>(o, q, walks, parts);                                                  \
	}                                                                                            \
	extern "C" __global__ void tsp_gains_##name(job o, tsp q, const walk *walks) {               \
		typedef __VA_ARGS__ space;                                                                 \
		fill_gains<space>(o, q, walks);                                                            \
	}                                                                                            \
	extern "C" __global__ void tsp_cycles_##name(job o, tsp q, walk *walks, found *parts) {      \
		typedef __VA_ARGS__ space;                                                                 \
		scan_cycles<space>(o, q, walks, parts);                                                    \
	}
SCANS(whole, whole<true>)
SCANS(real, real<true>)
SCANS(table, table<true, false>)
SCANS(both, table<true, true>)
#undef SCANS

// tsp_part ends a scan of a part of the blocks that scan_tsp has made; a block is a walk.
extern "C" __global__ void tsp_part(job o, const walk *walks, found *parts) {
	best_of_part(o, walks, parts, blockIdx.x, gridDim.x);
}

// tsp_move finds the best of the blocks' moves and makes it; a block is a walk.
extern "C" __global__ void tsp_move(job o, tsp q, walk *walks, const found *parts) {
	const int a = blockIdx.x;
	if (!due(o, walks[a])) return;
	const found f = best_of_blocks(o, parts, a);
	if (threadIdx.x == 0) tsp_make(o, q, a, walks + a, f);
	__syncthreads();
	tsp_keep(o, q, a, walks + a);
}

// tsp_hash computes arith.HashPerm of each walk's tour; a block is a walk.
extern "C" __global__ void tsp_hash(job o, tsp q, walk *walks) {
	__shared__ unsigned long long sum;
	const int64_t a = blockIdx.x;
	if (threadIdx.x == 0) sum = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < o.n; i += blockDim.x) {
		uint32_t x = (uint32_t)q.p[a * o.n + i] + 1;
		atomicAdd(&sum, (unsigned long long)ml_mix64((uint64_t)i << 32 | x));
	}
	__syncthreads();
	if (threadIdx.x == 0) walks[a].hash = sum;
}
