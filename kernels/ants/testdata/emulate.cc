// Runs one launch of a kernel of wrs.cu or (compiled with -DLOCKSTEP) lockstep.cu, alt.cu, gpu.cu,
// spm.cu, rows.cu, thin.cu on a CPU. The test has put the source into kernel.cu, with plain C for
// what only a device has: every thread of a block is a fibre, and fibres change where threads wait
// for each other.
//
//	emulate KERNEL BLOCKS WARPS < buffers > buffers
//
// A buffer is its length in bytes (int64) and its bytes; their order is that of enum below.
// Blocks run one after the other, so a kernel with a barrier of the grid has one block.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __shared__ static
#define __launch_bounds__(...)
#define __align__ alignas

struct alignas(16) uint4 { unsigned x, y, z, w; };
struct uint2 { unsigned x, y; };
static uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
struct double2 { double x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct dim { unsigned x; };

alignas(16) static char shared[1 << 20];
struct fibre {
	ucontext_t at;
	std::vector<char> stack;
	dim index;
	bool done;
	int barriers, meetings;
	uint64_t value[2];
};
static std::vector<fibre> fibres;
static fibre *now;
static ucontext_t home;
static dim blockIdx, blockDim, gridDim;
#define threadIdx (now->index)

static void yield() { swapcontext(&now->at, &home); }

// reached waits until all living fibres of [from, to) have counted as far as this one.
template <class F> static void reached(int from, int to, F count) {
	int goal = count(*now);
	for (int i = from; i < to;) {
		if (count(fibres[i]) >= goal || fibres[i].done) i++;
		else yield();
	}
}
static void __syncthreads() {
	now->barriers++;
	reached(0, blockDim.x, [](fibre &f) { return f.barriers; });
}
// meet gives each thread of a warp the values of all.
static const fibre *meet(uint64_t v) {
	now->meetings++;
	now->value[now->meetings & 1] = v;
	int from = now->index.x & ~31u;
	reached(from, from + 32, [](fibre &f) { return f.meetings; });
	return &fibres[from];
}
static void __syncwarp() { meet(0); }
static unsigned __ballot_sync(unsigned, bool p) {
	const fibre *w = meet(p);
	unsigned m = 0;
	for (int i = 0; i < 32; i++) m |= (unsigned)w[i].value[now->meetings & 1] << i;
	return m;
}
template <class T> static T __shfl_sync(unsigned, T v, int lane) {
	return (T)meet((uint64_t)v)[lane & 31].value[now->meetings & 1];
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
static int __clz(unsigned v) { return v ? __builtin_clz(v) : 32; }
static void __threadfence() {}
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
static bool __any_sync(unsigned m, bool p) { return __ballot_sync(m, p) != 0; }
static bool __all_sync(unsigned m, bool p) { return __ballot_sync(m, p) == ~0u; }
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
using std::max;
using std::min;

#ifdef LOCKSTEP
// Words that other fibres write.
static unsigned acquire(const char *p) {
	yield();
	return *(const unsigned *)p;
}
static void post(unsigned *p, unsigned v) { *p = v; }
static uint4 four(const unsigned *p) {
	yield();
	return *(const uint4 *)p;
}
#endif

#include "kernel.cu"

enum { SIZES, AT, BOX, ID, EXT, JOB, TAU, ETA, TABLE, AFTER, BEFORE, BEST, RESTART, MARK, TOURS,
	RESULTS, COUNT, POWERS, BAR, KEYS, OUT, RULES, NUMBERS, RING, OUT_TAU, OUT_ETA, OUTS, HEAD, NOTES,
	TALLY, VISITED, BUFFERS };
static std::vector<char> buffer[BUFFERS];
template <class T> static T *as(int b) { return (T *)buffer[b].data(); }
static std::string name;

static void body() {
	const int *n = as<int>(SIZES);
	instance g = {as<double2>(AT), as<float4>(BOX), as<city_t>(ID), as<city_t>(EXT),
			buffer[VISITED].empty() ? nullptr : as<uint32_t>(VISITED), n[0], n[1], n[2], n[3]};
	for (int words = g.words;; words = (words + 31) / 32) {
		g.room += words;
		if (words <= 32) break;
	}
	const job *j = as<job>(JOB);
	city_t *after = as<city_t>(AFTER), *before = as<city_t>(BEFORE), *tours = as<city_t>(TOURS);
	float *tau = as<float>(TAU), *eta = as<float>(ETA);
#if defined(ALT) || defined(GPU) || defined(SPM)
	memory m = {tau, as<candidate>(TABLE), as<uint32_t>(RING), as<uint32_t>(HEAD),
			as<tour_neighbours>(POWERS), n[4], n[5]};
	unsigned long long *tally = as<unsigned long long>(TALLY);
	const rules *a = as<rules>(RULES);
#endif
	if (name == "keep_tours")
		keep_tours(g, j, tours, as<city_t>(BEST), as<city_t>(RESTART), after, before,
				as<uint32_t>(MARK), as<result>(RESULTS));
	else if (name == "branching")
		branching(tau, as<unsigned long long>(OUT), g.n, g.k);
#ifdef LOCKSTEP
	else if (name == "prepare")
		prepare(g, j, as<rules>(RULES), tau, eta, as<edge>(TABLE), as<uint32_t>(COUNT) + n[5],
				as<float>(POWERS), as<uint16_t>(RING), after, before);
	else if (name == "link_entries")
		link_entries(g, as<uint16_t>(RING), as<edge>(TABLE), as<uint32_t>(NUMBERS), n[4],
				as<uint32_t>(COUNT), as<uint32_t>(BAR), as<uint32_t>(NOTES), buffer[NOTES].size() / 4);
	else if (name == "construct" || name == "construct_global") {
		lockstep_args w = {as<edge>(TABLE), as<uint32_t>(COUNT), as<float>(POWERS), as<float>(OUT_TAU),
				tours, as<result>(RESULTS), as<uint32_t>(BAR), as<uint32_t>(NOTES), n[6], n[7], n[8], n[9]};
		(name == "construct" ? construct : construct_global)(g, j, as<rules>(RULES), w, *as<keys>(KEYS));
	}
#elif defined(ALT)
	else if (name == "prepare")
		prepare(g, j, a, m, eta, after, before);
	else if (name == "branching_rows")
		branching_rows(g, m, as<unsigned long long>(OUT));
#define CONSTRUCT(f) \
	else if (name == #f) f(g, j, a, m, tours, as<result>(RESULTS), *as<keys>(KEYS));
	CONSTRUCT(construct) CONSTRUCT(construct_40)
#undef CONSTRUCT
#elif defined(GPU)
	else if (name == "prepare")
		prepare(g, j, a, m, eta, after, before, as<uint32_t>(BAR));
	else if (name == "branching_rows")
		branching_rows(g, m, as<unsigned long long>(OUT));
#define CONSTRUCT(f)                                                         \
	else if (name == #f) f(g, j, a, m, tours, as<result>(RESULTS), as<uint32_t>(BAR), *as<keys>(KEYS));
	CONSTRUCT(construct) CONSTRUCT(construct_40)
#undef CONSTRUCT
#elif defined(SPM)
	else if (name == "prepare")
		prepare(g, j, a, m, eta, after, before, as<uint32_t>(BAR), tally);
	else if (name == "branching_rows")
		branching_rows(g, m, as<unsigned long long>(OUT));
#define CONSTRUCT(f)                                                                \
	else if (name == #f) f(g, j, a, m, as<note_t>(NOTES), tours, as<result>(RESULTS), \
			as<uint32_t>(BAR), tally, *as<keys>(KEYS), blockDim.x / 32 - 1);
	CONSTRUCT(construct)
	CONSTRUCT(construct_40) CONSTRUCT(construct_64) // one warp helps only
#undef CONSTRUCT
#define CONSTRUCT(f) \
	else if (name == #f) f(g, j, a, m, tours, as<result>(RESULTS), tally, *as<keys>(KEYS));
			CONSTRUCT(construct_alt) CONSTRUCT(construct_alt_40) CONSTRUCT(construct_alt_64)
#undef CONSTRUCT
#elif defined(ROWS)
	else if (name == "prepare")
		prepare(g, j, tau, eta, as<float>(COUNT), after, before, n[4]);
	else if (name == "prepare_matrix")
		prepare_matrix(g, j, tau, eta, as<float>(TABLE), n[6], after, before);
	else if (name == "list_weights")
		list_weights(g, as<float>(TABLE), n[6], as<float>(COUNT), n[4]);
	else if (name == "branching_matrix")
		branching_matrix(g, tau, as<unsigned long long>(OUT));
#define CONSTRUCT(f)                                                               \
	else if (name == #f) f(g, j, as<float>(TABLE), n[6], tours, as<result>(RESULTS), \
			*as<keys>(KEYS), n[5], n[7], n[8]);
	CONSTRUCT(shared_wrs_list) CONSTRUCT(shared_wrs_bt) CONSTRUCT(four_wrs_list)
	CONSTRUCT(four_wrs_bt) CONSTRUCT(warp_rwm_lc) CONSTRUCT(warp_rwm_ct) CONSTRUCT(warp_rwm_bt)
	CONSTRUCT(warp_wrs_list) CONSTRUCT(warp_wrs_bt) CONSTRUCT(block_rwm_lc) CONSTRUCT(block_rwm_ct)
	CONSTRUCT(block_rwm_bt) CONSTRUCT(block_wrs_list) CONSTRUCT(block_wrs_bt)
#undef CONSTRUCT
#define CONSTRUCT(f)                                                            \
	else if (name == #f) f(g, j, as<float>(COUNT), as<float>(TABLE), n[6], tours, \
			as<result>(RESULTS), *as<keys>(KEYS), n[5]);                              \
	else if (name == #f "_matrix") f##_matrix(g, j, as<float>(COUNT), as<float>(TABLE), n[6], \
			tours, as<result>(RESULTS), *as<keys>(KEYS), n[5]);
	CONSTRUCT(lists_rwm_lc) CONSTRUCT(lists_rwm_ct) CONSTRUCT(lists_rwm_bt)
	CONSTRUCT(lists_wrs_lc) CONSTRUCT(lists_wrs_ct) CONSTRUCT(lists_wrs_bt)
#elif defined(THIN)
	else if (name == "prepare")
		prepare(g, j, tau, eta, as<float>(TABLE), as<uint16_t>(NUMBERS), as<float>(COUNT),
				as<uint32_t>(POWERS), as<float>(RULES), after, before);
	else if (name == "branching_matrix")
		branching_matrix(g, tau, as<unsigned long long>(OUT));
#define CONSTRUCT(f)                                                                      \
	else if (name == #f) f(g, j, as<float>(TABLE), as<uint16_t>(NUMBERS), as<float>(COUNT), \
			as<uint32_t>(POWERS), as<float>(RULES), tours, as<result>(RESULTS), *as<keys>(KEYS), n[4]);
	CONSTRUCT(construct) CONSTRUCT(construct_small)
#else
	else if (name == "prepare")
		prepare(g, j, tau, eta, as<float>(TABLE), after, before);
	else if (name == "deposit")
		deposit(g, j, tours, as<result>(RESULTS), as<unsigned long long>(COUNT));
	else if (name == "prepare_all")
		prepare_all(g, j, tau, eta, as<float>(TABLE), as<unsigned long long>(COUNT));
#ifndef WIDE
	else if (name == "construct_shared")
		construct_shared(g, j, as<float>(TABLE), tours, as<result>(RESULTS), *as<keys>(KEYS));
	else if (name == "construct_small")
		construct_small(g, j, as<float>(TABLE), tours, as<result>(RESULTS), *as<keys>(KEYS));
	else if (name == "construct_large")
		construct_large(g, j, as<float>(TABLE), tours, as<result>(RESULTS), *as<keys>(KEYS));
#endif
	else if (name == "construct_plain_lists")
		construct_plain_lists(g, j, as<float>(TABLE), tours, as<result>(RESULTS), *as<keys>(KEYS));
#endif
	else
		_Exit(2);
	now->done = true;
	yield();
}

int main(int, char **arg) {
	name = arg[1];
	gridDim.x = atoi(arg[2]);
	blockDim.x = 32 * atoi(arg[3]);
	for (auto &b : buffer) {
		int64_t n;
		if (fread(&n, 8, 1, stdin) != 1) return 3;
		b.resize(n);
		if (n > 0 && fread(b.data(), n, 1, stdin) != 1) return 3;
	}
	fibres.resize(blockDim.x);
	for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
		memset(shared, 0xA5, sizeof shared); // nothing may rely on zeros
		for (unsigned i = 0; i < blockDim.x; i++) {
			fibre &f = fibres[i];
			f.index.x = i, f.done = false, f.barriers = f.meetings = 0;
			f.stack.resize(1 << 15);
			getcontext(&f.at);
			f.at.uc_stack.ss_sp = f.stack.data(), f.at.uc_stack.ss_size = f.stack.size(),
			f.at.uc_link = &home;
			makecontext(&f.at, body, 0);
		}
		int turn = 0;
		for (bool left = true; left; turn++) {
			left = false;
			// Backwards every other time: a missing barrier shows in one of the orders.
			for (unsigned i = 0; i < blockDim.x; i++) {
				now = &fibres[turn & 1 ? i : blockDim.x - 1 - i];
				if (now->done) continue;
				left = true;
				swapcontext(&home, &now->at);
			}
		}
	}
	for (auto &b : buffer) {
		int64_t n = b.size();
		fwrite(&n, 8, 1, stdout);
		fwrite(b.data(), 1, n, stdout);
	}
	return 0;
}
