// Runs one launch of a kernel of tsp.cu.
#include "fibres.h"

#include "kernel.cu"

#define OWN PLACES, FROM, TO, P, TOP, UNTIL, GAIN, BACK, TICKETS, NUMBERS,
#include "testdata/emulate.h"

static void body() {
	const job o = *as<job>(JOB);
	const int32_t *v = as<int32_t>(NUMBERS);
	tsp q = {as<void>(PLACES), as<int32_t>(FROM), as<int32_t>(TO), as<int32_t>(P), as<int32_t>(TOP),
		as<int64_t>(UNTIL), as<int32_t>(GAIN), as<int32_t>(BACK), as<uint32_t>(TICKETS), v[0], v[1], v[2],
		v[3], 0, 0};
	walk *w = walks_of();
	if (name == "tsp_part") tsp_part(o, w, parts_of());
	else if (name == "tsp_move") tsp_move(o, q, w, parts_of());
	else if (name == "tsp_hash") tsp_hash(o, q, w);
#define SCAN(f) \
	else if (name == #f) f(o, q, w, given_of(), deltas_of(), parts_of()); \
	else if (name == #f "_readonly") f##_readonly(o, q, w, given_of(), deltas_of(), parts_of());
	SCAN(tsp_published_whole) SCAN(tsp_published_real) SCAN(tsp_published_table)
#define WHOLE(s) \
	else if (name == "tsp_swaps_" #s "_1") tsp_swaps_##s##_1(o, q, w, parts_of()); \
	else if (name == "tsp_swaps_" #s "_4") tsp_swaps_##s##_4(o, q, w, parts_of()); \
	else if (name == "tsp_gains_" #s) tsp_gains_##s(o, q, w); \
	else if (name == "tsp_cycles_" #s) tsp_cycles_##s(o, q, w, parts_of());
	WHOLE(whole) WHOLE(real) WHOLE(table) WHOLE(both)
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
