// All exchanges of two edges of a tour: the smallest (change, i, j) of all i < j.
typedef unsigned long long u64;

__device__ int dist(const double *x, const double *y, int a, int b) {
	double dx = x[a] - x[b], dy = y[a] - y[b];
	double s = __dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy)); // not fused, as in Go
	return (int)(__dsqrt_rn(s) + 0.5);
}

extern "C" __global__ void scan(const double *x, const double *y, const int *tour, int n,
                                u64 *best) {
	u64 mine = ~0ull;
	for (int i = blockIdx.x; i < n - 2; i += gridDim.x) {
		int a = tour[i], b = tour[i + 1], ab = dist(x, y, a, b);
		for (int j = i + 2 + threadIdx.x; j < n; j += blockDim.x) {
			int c = tour[j], e = tour[j + 1 < n ? j + 1 : 0];
			int change = dist(x, y, a, c) + dist(x, y, b, e) - ab - dist(x, y, c, e);
			u64 key = (u64)(unsigned)(change + (1 << 30)) << 32 | (u64)i << 16 | j;
			mine = key < mine ? key : mine;
		}
	}
	atomicMin(best, mine); // the smallest of all, in whatever order they come
}
