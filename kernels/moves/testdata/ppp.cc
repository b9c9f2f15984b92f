// Runs one launch of a kernel of ppp.cu.
#include "fibres.h"

#include "kernel.cu"

#define OWN COLUMNS, WANT, V, TOP_V, Y, UNTIL, BINS, SHAPE, ROWS, \
	HEAD, ENDS, INFOS, ORDER, UPS, COUNTS,
#include "testdata/emulate.h"

static void body() {
	const job o = *as<job>(JOB);
	const int32_t *shape = as<int32_t>(SHAPE);
	ppp q = {as<int8_t>(COLUMNS), as<int32_t>(WANT), as<int8_t>(V), as<int8_t>(TOP_V),
		as<int32_t>(Y), as<int64_t>(UNTIL), as<int16_t>(BINS), as<uint32_t>(ROWS), as<int32_t>(HEAD),
		as<int32_t>(ENDS), as<uint4>(INFOS), as<int32_t>(ORDER), as<uint32_t>(UPS),
		as<int32_t>(COUNTS), shape[0], shape[1], shape[2], shape[3]};
	walk *w = walks_of();
	if (name == "ppp_load") ppp_load(o, q);
	else if (name == "ppp_sets") ppp_sets(o, q, w, 2);
#define SCAN(f) \
	else if (name == #f) f(o, q, w, given_of(), deltas_of(), parts_of()); \
	else if (name == #f "_readonly") f##_readonly(o, q, w, given_of(), deltas_of(), parts_of());
	SCAN(ppp_published) SCAN(ppp_one) SCAN(ppp_two) SCAN(ppp_three)
	else if (name == "ppp_part") ppp_part(o, w, parts_of());
	else if (name == "ppp_move") ppp_move(o, q, w, parts_of());
	else if (name == "bits_hash") bits_hash(o, q, w);
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
