// Runs rounds.cu on a CPU, thread by thread, for machines without a GPU: every thread of a
// block is a fibre, and fibres change where threads wait for each other. Slow, and as strict
// as the kernel's own barriers: who forgets one here reads what another has not written.
//
//	emulate layout > the structs' layouts
//	emulate KERNEL WARPS < job, places, near, tours > outcomes, tours
//	emulate polish_KERNEL WARPS < job, places, near, tours, heads, known, count > heads, tours
//
// The last form ranks the tours and searches on the count shortest, all of them without ranking.
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
#define __shared__
#define __launch_bounds__(...)
#define __grid_constant__

struct alignas(16) uint4 { unsigned x, y, z, w; };
#define __align__ alignas
struct int2 { int x, y; };
struct double2 { double x, y; };
struct dim { unsigned x; };

// crowd is who waits for each other: a block or a warp. seen counts arrivals, of which those of
// the whole crowd make a meeting.
struct crowd { int size, seen, met; };

static int threads;
struct fibre {
	ucontext_t at;
	std::vector<char> stack;
	dim index;
	bool done;
	int goal;          // of the crowd that it waits for
	const crowd *with; // nullptr: it waits for nobody
	int meetings;      // of its warp
	long long value[2];
};
static std::vector<fibre> fibres;
static std::vector<crowd> warps;
static crowd block;
static fibre *now;
static ucontext_t home;
static dim blockIdx, blockDim;
#define threadIdx (now->index)

// arrive waits until the whole crowd is there.
static void arrive(crowd &c) {
	now->goal = c.met + 1;
	now->with = &c;
	if (++c.seen == c.size) c.seen = 0, c.met++;
	if (c.met < now->goal) swapcontext(&now->at, &home);
	now->with = nullptr;
}
static void __syncthreads() { arrive(block); }

// meet gives each thread of a warp the values of all; who is two meetings ahead has let all read.
static const fibre *meet(long long v) {
	now->meetings++;
	now->value[now->meetings & 1] = v;
	arrive(warps[now->index.x / 32]);
	return &fibres[now->index.x & ~31u];
}
static void __syncwarp() { meet(0); }
static unsigned __ballot_sync(unsigned, bool p) {
	const fibre *w = meet(p);
	unsigned m = 0;
	for (int i = 0; i < 32; i++) m |= (unsigned)w[i].value[now->meetings & 1] << i;
	return m;
}
template <class T> static T __shfl_sync(unsigned, T v, int lane) {
	const fibre *w = meet((long long)v);
	return (T)w[lane & 31].value[now->meetings & 1];
}
template <class T> static T __shfl_xor_sync(unsigned m, T v, int x) {
	return __shfl_sync(m, v, (now->index.x & 31) ^ x);
}
static int __popc(unsigned v) { return __builtin_popcount(v); }
static int __ffs(unsigned v) { return __builtin_ffs(v); }
template <class T> static T atomicAdd(T *p, T v) { T o = *p; *p += v; return o; }
static unsigned atomicAnd(unsigned *p, unsigned v) { unsigned o = *p; *p &= v; return o; }
static unsigned atomicOr(unsigned *p, unsigned v) { unsigned o = *p; *p |= v; return o; }
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

#include "../rounds.cu"

alignas(16) u32 shared[1 << 16];

typedef void (*kernel)(job, const void *, const void *, u16 *, outcome *);
typedef void (*polisher_)(job, const void *, const void *, u16 *, const u32 *, const u32 *, char *);
static kernel chosen;
static polisher_ polishing;
static job the_job;
static std::vector<char> places, near_, tours_, outs, heads, known, links, which;
static int count, most;

// What the fibres of a launch do.
static void (*work)();
static void search() {
	chosen(the_job, places.data(), near_.data(), (u16 *)tours_.data(), (outcome *)outs.data());
}
static void learn() { remember((const u16 *)known.data(), (u32 *)links.data(), the_job.n); }
static void order() { rank(heads.data(), the_job.step, count, most, (u32 *)which.data()); }
static void improve() {
	polishing(the_job, places.data(), near_.data(), (u16 *)tours_.data(), (u32 *)links.data(),
		most < count ? (u32 *)which.data() : nullptr, heads.data());
}

static void body() {
	work();
	now->done = true;
	swapcontext(&now->at, &home);
}

static std::vector<char> get() {
	long long n;
	if (fread(&n, 8, 1, stdin) != 1) exit(3);
	std::vector<char> v(n + 64);
	if (n > 0 && fread(v.data(), n, 1, stdin) != 1) exit(3);
	return v;
}

static void put(const std::vector<char> &v) { fwrite(v.data(), v.size() - 64, 1, stdout); }

// launch runs blocks of so many warps one after the other.
static void launch(void (*f)(), int blocks, int of) {
	work = f;
	threads = 32 * of;
	blockDim.x = threads;
	fibres.resize(threads);
	for (blockIdx.x = 0; (int)blockIdx.x < blocks; blockIdx.x++) {
		memset(shared, 0xA5, sizeof shared); // nothing may rely on zeros
		block = {threads, 0, 0};
		warps.assign(threads / 32, {32, 0, 0});
		for (int i = 0; i < threads; i++) {
			fibre &f = fibres[i];
			f.index.x = i, f.done = false, f.with = nullptr, f.meetings = 0;
			f.stack.resize(1 << 16);
			getcontext(&f.at);
			f.at.uc_stack.ss_sp = f.stack.data(), f.at.uc_stack.ss_size = f.stack.size(),
			f.at.uc_link = &home;
			makecontext(&f.at, body, 0);
		}
		for (int left = threads; left > 0;) {
			left = 0;
			// Backwards every other time: a missing barrier shows in one of the orders.
			static int turn;
			turn++;
			for (int i = 0; i < threads; i++) {
				now = &fibres[turn & 1 ? i : threads - 1 - i];
				if (now->done) continue;
				left++;
				if (now->with && now->with->met < now->goal) continue;
				swapcontext(&home, &now->at);
			}
		}
	}
}

// layout prints the structs that Go fills or reads, as offset:size of each field and the size.
static void layout() {
#define FIELD(s, f) printf("%zu:%zu ", offsetof(s, f), sizeof(s::f));
#define END(s) printf("%zu\n", sizeof(s));
	FIELD(job, seed) FIELD(job, iter) FIELD(job, n) FIELD(job, neighbours) FIELD(job, stride)
	FIELD(job, width) FIELD(job, descend) FIELD(job, kicks) FIELD(job, size) FIELD(job, always)
	FIELD(job, metric) FIELD(job, lanes) FIELD(job, step) FIELD(job, pad) END(job)
	FIELD(outcome, length) FIELD(outcome, hash) FIELD(outcome, rounds) FIELD(outcome, moves)
	FIELD(outcome, kept) FIELD(outcome, gained) END(outcome)
	FIELD(head, length) FIELD(head, hash) END(head)
	END(board<false>) END(board<true>)
}

int main(int, char **arg) {
	if (!strcmp(arg[1], "layout")) {
		layout();
		return 0;
	}
	struct { const char *name; kernel k;
	} table[] = {
#define ROW(p)                                                                  \
	{#p "_many", p##_many}, {#p "_wide", p##_wide}, {#p "_or_many", p##_or_many}, \
			{#p "_or_wide", p##_or_wide},
			ROW(whole_plane) ROW(whole_shared) ROW(real_plane) ROW(matrix)};
	for (auto &t : table)
		if (std::string(arg[1]) == t.name) chosen = t.k;
	struct { const char *name; polisher_ k; } more[] = {
#define MORE(p)                                                                         \
	{"polish_" #p "_many", polish_##p##_many}, {"polish_" #p "_wide", polish_##p##_wide}, \
			{"polish_" #p "_or_many", polish_##p##_or_many},                                  \
			{"polish_" #p "_or_wide", polish_##p##_or_wide},
		MORE(whole_plane) MORE(whole_shared) MORE(real_plane)
	};
	for (auto &t : more)
		if (std::string(arg[1]) == t.name) polishing = t.k;
	if (!chosen && !polishing) return 2;
	const int of = atoi(arg[2]);
	std::vector<char> j = get();
	memcpy(&the_job, j.data(), sizeof the_job);
	places = get(), near_ = get(), tours_ = get();
	if (chosen) {
		int chains = (int)((tours_.size() - 64) / 2 / the_job.stride);
		outs.resize(chains * sizeof(outcome) + 64);
		launch(search, chains, of);
		put(outs);
	} else {
		heads = get(), known = get();
		std::vector<char> c = get();
		memcpy(&most, c.data(), 4);
		count = (int)((heads.size() - 64) / the_job.step);
		links.resize(4 * the_job.n + 64), which.assign(4 * count, -1);
		launch(learn, (the_job.n + 63) / 64, 2);
		if (most < count) launch(order, (count + 63) / 64, 2);
		launch(improve, most, of);
		put(heads);
	}
	put(tours_);
	return 0;
}
