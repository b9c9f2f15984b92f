// The kernels of ../examples/kernels.go in CUDA C, for the table of times: the same words come
// out with -fmad=false.
typedef unsigned long long u64;
typedef long long i64;

__device__ int dist(const double *x, const double *y, int a, int b) {
	double dx = x[a] - x[b], dy = y[a] - y[b];
	return (int)(sqrt(dx * dx + dy * dy) + 0.5);
}

extern "C" __global__ void scan(const double *__restrict__ x, const double *__restrict__ y,
                                const int *__restrict__ tour, int n, u64 *best) {
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
	atomicMin(best, mine);
}

__device__ int swapDelta(const int *__restrict__ a, const int *__restrict__ b,
                         const int *__restrict__ p, int n, int r, int s) {
	int pr = p[r], ps = p[s];
	int d = (a[r * n + r] - a[s * n + s]) * (b[ps * n + ps] - b[pr * n + pr]) +
	        (a[r * n + s] - a[s * n + r]) * (b[ps * n + pr] - b[pr * n + ps]);
	for (int k = 0; k < n; k++) {
		if (k == r || k == s)
			continue;
		int pk = p[k];
		d += (a[k * n + r] - a[k * n + s]) * (b[pk * n + ps] - b[pk * n + pr]) +
		     (a[r * n + k] - a[s * n + k]) * (b[ps * n + pk] - b[pr * n + pk]);
	}
	return d;
}

extern "C" __global__ void qap(const int *__restrict__ a, const int *__restrict__ b,
                               const int *__restrict__ perms, int n, i64 *best) {
	int w = blockIdx.x;
	const int *p = perms + w * n;
	i64 mine = 0x7fffffffffffffffll;
	for (int k = threadIdx.x; k < n / 2 * (n - 1); k += blockDim.x) {
		int r = k / (n - 1), s = k % (n - 1) + 1;
		if (s <= r) {
			r = n - 1 - r;
			s = n - s;
		}
		i64 key = (i64)((u64)(i64)swapDelta(a, b, p, n, r, s) << 32) | (i64)r << 16 | s;
		mine = key < mine ? key : mine;
	}
	atomicMin(&best[w], mine);
}

__device__ double cosTurns(double x) {
	x = fabs(x - floor(x + 0.5));
	double sign = 1;
	if (x > 0.25) {
		x = 0.5 - x;
		sign = -1;
	}
	double z = x * x;
	z = z * 39.47841760435743;
	double s = 1;
	for (double k = 22; k > 0; k -= 2)
		s = 1 - s * z / (k * (k - 1));
	return sign * s;
}

__device__ double weierstrass1(double x) {
	double s = 0, a = 1, b = 1;
	for (int i = 0; i < 21; i++) {
		s += a * (cosTurns(b * (x + 0.5)) - cosTurns(b * 0.5));
		a *= 0.5;
		b *= 3;
	}
	return s;
}

extern "C" __global__ void weierstrass(const double *__restrict__ x, int n, double step,
                                       double *__restrict__ out, int count) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
		double s = 0;
		for (int j = 0; j < n; j++) {
			double v = x[j];
			if (j == i % n)
				v += step * (double)(i / n - 8);
			s += weierstrass1(v);
		}
		out[i] = s;
	}
}

extern "C" __global__ void ppp2(const signed char *__restrict__ a, const int *__restrict__ y,
                                int m, const signed char *__restrict__ v, int n,
                                const int *__restrict__ goal, int goals, u64 *best) {
	u64 mine = ~0ull;
	for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n * (n - 1) / 2;
	     k += gridDim.x * blockDim.x) {
		int j = ((int)sqrt((double)(8 * k + 1)) + 1) / 2;
		if (j * (j - 1) / 2 > k)
			j--;
		int i = k - j * (j - 1) / 2;
		int hist[128] = {0}, cost = 0;
		for (int r = 0; r < m; r++) {
			int x = y[r] - 2 * (a[r * n + i] * v[i] + a[r * n + j] * v[j]);
			if (x < 0)
				cost -= 30 * 2 * x;
			else
				hist[x & 127]++;
		}
		for (int h = 0; h < goals; h++)
			cost += abs(goal[h] - hist[h]);
		u64 key = (u64)(unsigned)cost << 32 | (u64)k;
		mine = key < mine ? key : mine;
	}
	atomicMin(best, mine);
}

extern "C" __global__ void knapsack(const int *__restrict__ weight, const int *__restrict__ value,
                                    int n, const unsigned char *__restrict__ x, i64 capacity,
                                    i64 penalty, i64 *best) {
	__shared__ i64 s[2];
	const unsigned char *mine = x + blockIdx.x * n;
	if (threadIdx.x == 0)
		s[0] = s[1] = 0;
	__syncthreads();
	i64 sumW = 0, sumV = 0;
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		if (mine[i] != 0) {
			sumW += weight[i];
			sumV += value[i];
		}
	atomicAdd((u64 *)&s[0], (u64)sumW);
	atomicAdd((u64 *)&s[1], (u64)sumV);
	__syncthreads();
	i64 top = -0x7fffffffffffffffll - 1;
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		i64 sign = 1 - 2 * (i64)mine[i];
		i64 over = s[0] + sign * weight[i] - capacity;
		i64 v = s[1] + sign * value[i] - penalty * (over > 0 ? over : 0);
		i64 key = (i64)((u64)v << 20) | i;
		top = key > top ? key : top;
	}
	atomicMax(&best[blockIdx.x], top);
}
