// Tours of the genetic search ga/tournament: a first population, and the tours of a generation. A
// warp makes a tour. Rows are named by number, rows[i] is the address of one; who competes with
// whom is the host's, and no tour is copied.
#include "common.cuh"
#include "nearest.cuh"
#include "reproduce.cuh"

// start makes first tours, random ones or, if NEAREST, those of the nearest neighbour from a random
// city. Each worker, a warp, makes those with its number and every workers-th after it. Tours begin
// at o.first unless o.drawn. scratch has for each worker room for n numbers and, with NEAREST, for
// the words of a tree, both up to a multiple of 16 bytes.
template <class C, int KIND, bool NEAREST>
__device__ inline void start(
		job o, world w, C *const *rows, const birth *births, child *out, char *scratch) {
	const int lane = threadIdx.x & 31, warps = blockDim.x >> 5;
	const int worker = blockIdx.x * warps + (threadIdx.x >> 5), workers = gridDim.x * warps;
	const int64_t numbers = (o.n * (int64_t)sizeof(C) + 15) & ~15ll;
	const int64_t tree = NEAREST ? (words(o.n) * 4 + 15) & ~15ll : 0;
	C *s = (C *)(scratch + worker * (numbers + tree));
	for (int x = worker; x < o.births; x += workers) {
		const birth b = births[x];
		C *t = rows[b.to];
		stream r = stream_of(b.seed, 0, b.place, DRAW_START);
		if constexpr (NEAREST) {
			walk<C, KIND>(o, w, s, (uint32_t *)((char *)s + numbers), below(&r, o.n), lane);
		} else {
			for (int i = lane; i < o.n; i += 32) s[i] = (C)i;
			__syncwarp();
			if (lane == 0) {
				for (int i = o.n - 1; i > 0; i--) {
					const int j = below(&r, i + 1);
					const C c = s[i];
					s[i] = s[j];
					s[j] = c;
				}
			}
			__syncwarp();
		}
		int from = 0;
		if (!o.drawn) { // where the first city is
			for (int i = lane; i < o.n; i += 32)
				if ((int)s[i] == o.first) from = i;
			from = (int)sum_of_warp(from);
		}
		for (int i = lane; i < o.n; i += 32) t[i] = s[i + from < o.n ? i + from : i + from - o.n];
		__syncwarp();
		const child c = measured<C, KIND>(o, w, t, lane);
		if (lane == 0) out[x] = c;
		__syncwarp();
	}
}

// around writes, for each city, the two beside it in a tour; differ counts, for each of the rows of
// which, the edges that this tour does not have.
template <class C> __device__ inline void around(int n, const C *t, C *beside) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		C *b = beside + 2 * (int64_t)t[i];
		b[0] = t[i ? i - 1 : n - 1];
		b[1] = t[i + 1 == n ? 0 : i + 1];
	}
}

template <class C>
__device__ inline void differ(
		int n, C *const *rows, const int32_t *which, int count, const C *beside,
		unsigned long long *sum) {
	int64_t other = 0;
	for (int k = 0; k < count; k++) {
		const C *t = rows[which[k]];
		for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
			const C c = t[i], last = t[i ? i - 1 : n - 1];
			const C *b = beside + 2 * (int64_t)last;
			other += b[0] != c && b[1] != c;
		}
	}
	other = sum_of_warp(other);
	if ((threadIdx.x & 31) == 0) atomicAdd(sum, (unsigned long long)other);
}

#define REPRODUCE(name, C, KIND, SHARED)                                                           \
	extern "C" __global__ void __launch_bounds__(512) name(job o, world w, plan m, C *const *rows,  \
			const birth *births, child *out, char *scratch) {                                           \
		reproduce<C, KIND, SHARED>(o, w, m, rows, births, out, scratch);                              \
	}
REPRODUCE(reproduce_short_shared, uint16_t, SHORT, true)
REPRODUCE(reproduce_whole_shared, uint16_t, WHOLE, true)
REPRODUCE(reproduce_real_shared, uint16_t, REAL, true)
REPRODUCE(reproduce_matrix_shared, uint16_t, MATRIX, true)
REPRODUCE(reproduce_real_narrow, uint16_t, REAL, false)
REPRODUCE(reproduce_matrix_narrow, uint16_t, MATRIX, false)
REPRODUCE(reproduce_real_wide, uint32_t, REAL, false)
REPRODUCE(reproduce_matrix_wide, uint32_t, MATRIX, false)

#define START(name, C, KIND, NEAREST)                                                              \
	extern "C" __global__ void name(job o, world w, C *const *rows, const birth *births,            \
			child *out, char *scratch) {                                                                \
		start<C, KIND, NEAREST>(o, w, rows, births, out, scratch);                                    \
	}

#define KERNELS(suffix, C)                                                                        \
	START(random_plane_##suffix, C, REAL, false)                                                    \
	START(random_matrix_##suffix, C, MATRIX, false)                                                 \
	START(nearest_plane_##suffix, C, REAL, true)                                                    \
	START(nearest_matrix_##suffix, C, MATRIX, true)                                                 \
	extern "C" __global__ void around_##suffix(int n, const C *t, C *beside) {                      \
		around(n, t, beside);                                                                         \
	}                                                                                               \
	extern "C" __global__ void differ_##suffix(int n, C *const *rows, const int32_t *which,         \
			int count, const C *beside, unsigned long long *sum) {                                      \
		differ(n, rows, which, count, beside, sum);                                                   \
	}
KERNELS(narrow, uint16_t)
KERNELS(wide, uint32_t)
