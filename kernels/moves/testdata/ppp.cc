// Runs one launch of a kernel of ppp.cu.
#include "fibres.h"

#include "kernel.cu"

#define OWN COLUMNS, WANT, V, TOP_V, Y, UNTIL, BINS, ROWS,
#include "testdata/emulate.h"

static void body() {
	const job o = *as<job>(JOB);
	ppp q = {as<int8_t>(COLUMNS), as<int32_t>(WANT), as<int8_t>(V), as<int8_t>(TOP_V),
		as<int32_t>(Y), as<int64_t>(UNTIL), as<int16_t>(BINS), *as<int32_t>(ROWS), 0};
	walk *w = walks_of();
	if (name == "ppp_load") ppp_load(o, q);
	else if (name == "ppp_published")
		ppp_published(o, q, w, given_of(), deltas_of(), parts_of());
	else if (name == "ppp_published_readonly")
		ppp_published_readonly(o, q, w, given_of(), deltas_of(), parts_of());
	else if (name == "ppp_move") ppp_move(o, q, w, parts_of());
	else if (name == "bits_hash") bits_hash(o, q, w);
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
