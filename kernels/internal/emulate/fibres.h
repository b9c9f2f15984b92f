// Runs CUDA kernels on a CPU, for machines without a GPU. Every thread of a block is a fibre, and
// fibres change where threads wait for each other. A program includes this file and then kernel.cu,
// the kernels' source, in which package emulate has replaced what C++ does not have.
//
// Blocks run one after the other, so a kernel with a barrier of the grid must have one block.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __shared__ static
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__ alignas

struct alignas(16) uint4 { unsigned x, y, z, w; };
struct uint2 { unsigned x, y; };
struct int2 { int x, y; };
struct alignas(16) int4 { int x, y, z, w; };
struct double2 { double x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct dim { unsigned x; };
static uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }

// A crowd is who waits for each other: a block or a warp. seen counts who is there; when all are,
// that is a meeting.
struct crowd {
	int size, seen, met;
	void look() {
		if (size > 0 && seen == size) seen = 0, met++;
	}
};

struct fibre {
	ucontext_t at;
	std::vector<char> stack;
	dim index;
	bool done;
	const crowd *with; // that it waits for, until goal; nullptr: it waits for nobody
	int goal;
	int meetings; // of its warp
	uint64_t value[2];
};
static std::vector<fibre> fibres;
static std::vector<crowd> warps;
static crowd block;
static fibre *now;
static ucontext_t home;
static dim blockIdx, blockDim, gridDim;
#define threadIdx (now->index)
alignas(16) static char shared_memory[1 << 20];

static void yield() { swapcontext(&now->at, &home); }

// arrive waits until the whole crowd is there. Threads that have ended do not belong to it.
static void arrive(crowd &c) {
	now->goal = c.met + 1;
	c.seen++;
	c.look();
	if (c.met >= now->goal) return;
	now->with = &c;
	yield();
	now->with = nullptr;
}
static crowd &own_warp() { return warps[now->index.x / 32]; }
static void __syncthreads() { arrive(block); }

// meet gives each thread of a warp the values of all. One that is two meetings ahead has let all
// read.
static const fibre *meet(uint64_t v) {
	now->meetings++;
	now->value[now->meetings & 1] = v;
	arrive(own_warp());
	return &fibres[now->index.x & ~31u];
}
// said is the value of a thread at this meeting: 0 if it had ended before.
static uint64_t said(const fibre &f) {
	return f.meetings < now->meetings ? 0 : f.value[now->meetings & 1];
}
static void __syncwarp() { meet(0); }
static unsigned __ballot_sync(unsigned, bool p) {
	const fibre *w = meet(p);
	unsigned m = 0;
	for (int i = 0; i < 32; i++) m |= (unsigned)said(w[i]) << i;
	return m;
}
static bool __any_sync(unsigned m, bool p) { return __ballot_sync(m, p) != 0; }
static bool __all_sync(unsigned m, bool p) { return __ballot_sync(m, p) == ~0u; }
template <class T> static T __shfl_sync(unsigned, T v, int lane) {
	return (T)said(meet((uint64_t)v)[lane & 31]);
}
static float __shfl_sync(unsigned m, float v, int lane) {
	unsigned u;
	memcpy(&u, &v, 4);
	u = __shfl_sync(m, u, lane);
	memcpy(&v, &u, 4);
	return v;
}
template <class T> static T __shfl_xor_sync(unsigned m, T v, int x) {
	return __shfl_sync(m, v, (now->index.x & 31) ^ x);
}

static int __popc(unsigned v) { return __builtin_popcount(v); }
static int __popcll(uint64_t v) { return __builtin_popcountll(v); }
static int __clz(unsigned v) { return v ? __builtin_clz(v) : 32; }
static int __ffs(unsigned v) { return __builtin_ffs(v); }
static unsigned __umulhi(unsigned a, unsigned b) { return (uint64_t)a * b >> 32; }
static unsigned __float_as_uint(float x) { unsigned u; memcpy(&u, &x, 4); return u; }
static float __uint_as_float(unsigned u) { float x; memcpy(&x, &u, 4); return x; }
static float __double2float_rd(double x) {
	float f = x;
	return f > x ? nextafterf(f, -INFINITY) : f;
}
static float __double2float_ru(double x) {
	float f = x;
	return f < x ? nextafterf(f, INFINITY) : f;
}
static float __fsub_rd(float a, float b) { return __double2float_rd((double)a - b); }
static float __fadd_rd(float a, float b) { return __double2float_rd((double)a + b); }
static float __fmul_rd(float a, float b) { return __double2float_rd((double)a * b); }
static float rsqrtf(float x) { return 1 / sqrtf(x); }
static void __threadfence() {}
template <class T> static T __ldcg(const T *p) { return *p; }
template <class T> static T __ldg(const T *p) { return *p; }
template <class T> static T atomicAdd(T *p, T v) { T o = *p; *p += v; return o; }
template <class T> static T atomicOr(T *p, T v) { T o = *p; *p |= v; return o; }
template <class T> static T atomicAnd(T *p, T v) { T o = *p; *p &= v; return o; }
template <class T> static T atomicExch(T *p, T v) { T o = *p; *p = v; return o; }
template <class T> static T atomicCAS(T *p, T old, T v) {
	T o = *p;
	if (o == old) *p = v;
	return o;
}
template <class A, class B> static std::common_type_t<A, B> min(A a, B b) {
	std::common_type_t<A, B> x = a, y = b;
	return y < x ? y : x;
}
template <class A, class B> static std::common_type_t<A, B> max(A a, B b) {
	std::common_type_t<A, B> x = a, y = b;
	return x < y ? y : x;
}

// What the fibres of a launch do.
static void (*work)();
static void live() {
	work();
	now->done = true;
	crowd &w = own_warp();
	w.size--, w.look();
	block.size--, block.look();
	yield();
}

// launch runs f in blocks of so many warps.
static void launch(void (*f)(), int blocks, int of) {
	work = f;
	gridDim.x = blocks;
	blockDim.x = 32 * of;
	fibres.resize(blockDim.x);
	for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
		memset(shared_memory, 0xA5, sizeof shared_memory); // nothing may rely on zeros
		block = {(int)blockDim.x, 0, 0};
		warps.assign(of, {32, 0, 0});
		for (unsigned i = 0; i < blockDim.x; i++) {
			fibre &f = fibres[i];
			f.index.x = i, f.done = false, f.with = nullptr, f.meetings = 0;
			f.stack.resize(1 << 16);
			getcontext(&f.at);
			f.at.uc_stack.ss_sp = f.stack.data(), f.at.uc_stack.ss_size = f.stack.size(),
			f.at.uc_link = &home;
			makecontext(&f.at, live, 0);
		}
		int turn = 0;
		for (bool left = true; left; turn++) {
			left = false;
			// Backwards every other time: a missing barrier shows in one of the orders.
			for (unsigned i = 0; i < blockDim.x; i++) {
				now = &fibres[turn & 1 ? i : blockDim.x - 1 - i];
				if (now->done) continue;
				left = true;
				if (now->with && now->with->met < now->goal) continue;
				swapcontext(&home, &now->at);
			}
		}
	}
}

// Buffers are what a test gives a launch and takes back: each its length in bytes (int64) and its
// bytes, on the standard input and output.
static bool read_buffer(std::vector<char> &b) {
	int64_t n;
	if (fread(&n, 8, 1, stdin) != 1) return false;
	b.resize(n);
	return n == 0 || fread(b.data(), n, 1, stdin) == 1;
}
static void write_buffer(const std::vector<char> &b) {
	int64_t n = b.size();
	fwrite(&n, 8, 1, stdout);
	fwrite(b.data(), 1, n, stdout);
}

// emulate is the main function of a program whose arguments are a kernel, blocks and warps: f does
// what a fibre does, for the kernel of that name and the buffers.
template <size_t N>
static int emulate(char **arg, std::string &name, std::vector<char> (&buffers)[N], void (*f)()) {
	name = arg[1];
	for (auto &b : buffers)
		if (!read_buffer(b)) return 3;
	launch(f, atoi(arg[2]), atoi(arg[3]));
	for (auto &b : buffers) write_buffer(b);
	return 0;
}
