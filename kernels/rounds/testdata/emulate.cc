// Runs rounds.cu on a CPU by package metalab/kernels/internal/emulate.
//
//	emulate KERNEL WARPS < job, places, near, tours > outcomes, tours
//	emulate polish_KERNEL WARPS < job, places, near, tours, heads, known, count > heads, tours
//
// The last form ranks the tours and searches on the count shortest, all of them without ranking.
#include "fibres.h"

#include "kernel.cu"

typedef void (*kernel)(job, const void *, const void *, u16 *, outcome *);
typedef void (*polisher_)(job, const void *, const void *, u16 *, const u32 *, const u32 *, char *);
static kernel chosen;
static polisher_ polishing;
static job the_job;
static std::vector<char> places, near_, tours_, outs, heads, known, links, which;
static int count, most;

static void search() {
	chosen(the_job, places.data(), near_.data(), (u16 *)tours_.data(), (outcome *)outs.data());
}
static void learn() { remember((const u16 *)known.data(), (u32 *)links.data(), the_job.n); }
static void order() { rank(heads.data(), the_job.step, count, most, (u32 *)which.data()); }
static void improve() {
	polishing(the_job, places.data(), near_.data(), (u16 *)tours_.data(), (u32 *)links.data(),
		most < count ? (u32 *)which.data() : nullptr, heads.data());
}

// get reads a buffer; what may be read beyond it is zero.
static std::vector<char> get() {
	std::vector<char> v;
	if (!read_buffer(v)) exit(3);
	v.resize(v.size() + 64);
	return v;
}

static void put(const std::vector<char> &v) { fwrite(v.data(), v.size() - 64, 1, stdout); }

int main(int, char **arg) {
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
