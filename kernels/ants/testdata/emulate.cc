// Runs one launch of a kernel of wrs.cu or (compiled with -DLOCKSTEP) lockstep.cu, alt.cu, gpu.cu,
// spm.cu, rows.cu, thin.cu, pairs.cu on a CPU, by package metalab/kernels/internal/emulate. The
// order of the buffers is that of enum below.
#include "fibres.h"

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
	uint32_t *likely = buffer[NUMBERS].empty() ? nullptr : as<uint32_t>(NUMBERS);
#if defined(ALT) || defined(GPU) || defined(SPM)
	memory m = {tau, as<candidate>(TABLE), as<uint32_t>(RING), as<uint32_t>(HEAD),
			as<likely_cities>(POWERS), as<float>(OUT_TAU), as<float>(OUT_ETA), n[4], n[5]};
	unsigned long long *tally = as<unsigned long long>(TALLY);
	const rules *a = as<rules>(RULES);
#endif
	if (name == "keep_tours")
		keep_tours(g, j, tours, as<city_t>(BEST), as<city_t>(RESTART), after, before,
				as<uint32_t>(MARK), as<result>(RESULTS));
	else if (name == "branching")
		branching(tau, as<unsigned long long>(OUT), g.n, g.k);
#ifdef LOCKSTEP
	else if (name == "prepare" || name == "prepare_36")
		(name == "prepare" ? prepare : prepare_36)(g, j, as<rules>(RULES), tau, eta, as<edge>(TABLE),
				as<uint32_t>(COUNT) + n[5], as<float>(POWERS), as<uint16_t>(RING), after, before);
	else if (name == "link_entries" || name == "link_entries_36")
		(name == "link_entries" ? link_entries : link_entries_36)(g, as<uint16_t>(RING),
				as<edge>(TABLE), as<uint32_t>(NUMBERS), n[4], as<uint32_t>(COUNT), as<uint32_t>(BAR),
				as<uint32_t>(NOTES), buffer[NOTES].size() / 4);
	else if (name == "branching_rows") {
		memory m = {tau};
		m.pitch = n[10];
		branching_rows(g, m, as<unsigned long long>(OUT));
	}
#define CONSTRUCT(f)                                                                        \
	else if (name == #f) {                                                                    \
		lockstep_args w = {as<edge>(TABLE), as<uint32_t>(COUNT), as<float>(POWERS),             \
				as<float>(OUT_TAU), tours, as<result>(RESULTS), as<uint32_t>(BAR),                  \
				as<uint32_t>(NOTES), n[6], n[7], n[8], n[9]};                                       \
		f(g, j, as<rules>(RULES), w, *as<keys>(KEYS));                                          \
	}
	CONSTRUCT(construct) CONSTRUCT(construct_36)
	CONSTRUCT(construct_global) CONSTRUCT(construct_global_36)
#undef CONSTRUCT
#elif defined(ALT)
	else if (name == "prepare")
		prepare(g, j, a, m, eta, after, before);
	else if (name == "branching_rows")
		branching_rows(g, m, as<unsigned long long>(OUT));
#define CONSTRUCT(f) \
	else if (name == #f) f(g, j, a, m, tours, as<result>(RESULTS), *as<keys>(KEYS));
	CONSTRUCT(construct)
#ifndef WIDE
	CONSTRUCT(construct_windows)
#endif
#undef CONSTRUCT
#elif defined(GPU)
	else if (name == "prepare")
		prepare(g, j, a, m, eta, after, before, as<uint32_t>(BAR));
	else if (name == "branching_rows")
		branching_rows(g, m, as<unsigned long long>(OUT));
#define CONSTRUCT(f)                                                         \
	else if (name == #f) f(g, j, a, m, tours, as<result>(RESULTS), as<uint32_t>(BAR), *as<keys>(KEYS));
	CONSTRUCT(construct)
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
#ifndef WIDE
	CONSTRUCT(construct_windows) CONSTRUCT(construct_windows_40) CONSTRUCT(construct_windows_64)
#endif
#undef CONSTRUCT
#elif defined(ROWS)
	else if (name == "prepare")
		prepare(g, j, tau, eta, as<float>(COUNT), after, before, n[4]);
	else if (name == "prepare_matrix")
		prepare_matrix(g, j, tau, eta, as<float>(TABLE), n[6], after, before, n[4]);
	else if (name == "list_weights")
		list_weights(g, as<float>(TABLE), n[6], as<float>(COUNT), n[4]);
	else if (name == "branching_matrix")
		branching_matrix(g, tau, as<unsigned long long>(OUT));
#define CONSTRUCT(f)                                                               \
	else if (name == #f) f(g, j, as<float>(TABLE), n[6], tours, as<result>(RESULTS), \
			*as<keys>(KEYS), n[5], n[7], n[8]);
	CONSTRUCT(shared_groups_list) CONSTRUCT(shared_groups_bt) CONSTRUCT(four_groups_list)
	CONSTRUCT(four_groups_bt) CONSTRUCT(warp_groups_list) CONSTRUCT(warp_groups_bt)
	CONSTRUCT(block_groups_list) CONSTRUCT(block_groups_bt)
	CONSTRUCT(warp_rwm_lc) CONSTRUCT(warp_rwm_ct) CONSTRUCT(warp_rwm_bt)
	CONSTRUCT(block_rwm_lc) CONSTRUCT(block_rwm_ct) CONSTRUCT(block_rwm_bt)
	CONSTRUCT(warp_wrs_lc) CONSTRUCT(warp_wrs_ct) CONSTRUCT(warp_wrs_bt)
	CONSTRUCT(block_wrs_lc) CONSTRUCT(block_wrs_ct) CONSTRUCT(block_wrs_bt)
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
#elif defined(PAIRS)
	else if (name == "search_pairs")
		search_pairs(g, as<uint2>(NUMBERS), n[4], n[5], tours, as<uint32_t>(NOTES),
				as<result>(RESULTS) + 1);
#else
	else if (name == "prepare")
		prepare(g, j, tau, eta, as<float>(TABLE), likely, after, before);
	else if (name == "deposit")
		deposit(g, j, tours, as<result>(RESULTS), as<unsigned long long>(COUNT));
	else if (name == "prepare_all")
		prepare_all(g, j, tau, eta, as<float>(TABLE), likely, as<unsigned long long>(COUNT));
#ifndef WIDE
	else if (name == "construct_shared")
		construct_shared(g, j, as<float>(TABLE), tours, as<result>(RESULTS), *as<keys>(KEYS));
	else if (name == "construct_small")
		construct_small(g, j, as<float>(TABLE), tours, as<result>(RESULTS), *as<keys>(KEYS));
	else if (name == "construct_large")
		construct_large(g, j, as<float>(TABLE), tours, as<result>(RESULTS), *as<keys>(KEYS));
#define CONSTRUCT(f) \
	else if (name == #f) f(g, j, as<float>(TABLE), likely, tours, as<result>(RESULTS), \
			*as<keys>(KEYS), 300);
	CONSTRUCT(likely_shared) CONSTRUCT(likely_global)
#undef CONSTRUCT
#endif
	else if (name == "construct_plain_lists")
		construct_plain_lists(g, j, as<float>(TABLE), tours, as<result>(RESULTS), *as<keys>(KEYS));
#endif
	else
		_Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
