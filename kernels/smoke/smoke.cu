// Small kernels that prove a device and package gpu fit for work: one for each way in
// which the real kernels are launched, and some that fail on purpose.
#include <cooperative_groups.h>

#include "../view.cuh"

// saxpy adds a*x to y, for the first n elements.
extern "C" __global__ void saxpy(float *y, const float *x, float a, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] += a * x[i];
}

// reverse_shared copies x to y backwards within one block, through n floats of dynamic
// shared memory: as much as the block may have.
extern "C" __global__ void reverse_shared(view<float> y, view<const float> x) {
	extern __shared__ float s[];
	int n = (int)x.len;
	for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = s[n - 1 - i];
}

// mixed is a structure passed by value, with the paddings that C gives it.
struct mixed {
	double a;
	int b;
	float c;
	view<float> v;
	signed char d;
	bool e;
	unsigned short f;
};

extern "C" __global__ void fields(mixed m, signed char small, double *out) {
	out[0] = m.a, out[1] = m.b, out[2] = m.c, out[3] = m.v[m.v.len - 1];
	out[4] = m.d, out[5] = m.e, out[6] = m.f, out[7] = small;
}

// ring lets every block of a cooperative grid read what its neighbour wrote one barrier
// before: count[b] becomes the sum over rounds of the neighbour's value.
extern "C" __global__ void ring(unsigned *count, unsigned *next, int rounds) {
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	unsigned b = blockIdx.x, neighbour = (b + 1) % gridDim.x;
	for (int r = 0; r < rounds; r++) {
		if (threadIdx.x == 0) next[b] = count[neighbour] + 1;
		grid.sync();
		if (threadIdx.x == 0) count[b] = next[b];
		grid.sync();
	}
}

// spin keeps one thread busy for about that many clock cycles.
extern "C" __global__ void spin(long long cycles) {
	long long end = clock64() + cycles;
	while (clock64() < end) {
	}
}

// nothing is the cheapest launch.
extern "C" __global__ void nothing() {}

// illegal writes where nothing is.
extern "C" __global__ void illegal() { *(volatile int *)16 = 1; }

__device__ int table[4] = {1, 2, 3, 4};
