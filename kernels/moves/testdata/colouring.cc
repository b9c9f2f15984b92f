// Runs one launch of a kernel of colouring.cu.
#include "fibres.h"

#include "kernel.cu"

#define OWN EDGES_FROM, NEAR, ADJACENT, C, TOP, UNTIL, AROUND, TICKETS, NUMBERS,
#include "testdata/emulate.h"

static void body() {
	const job o = *as<job>(JOB);
	const int32_t *v = as<int32_t>(NUMBERS);
	colouring q = {as<int32_t>(EDGES_FROM), as<int32_t>(NEAR), as<uint32_t>(ADJACENT), as<int32_t>(C),
		as<int32_t>(TOP), as<int64_t>(UNTIL), as<int32_t>(AROUND), as<uint32_t>(TICKETS), v[0], v[1]};
	walk *w = walks_of();
	if (name == "colouring_scan") colouring_scan(o, q, w, given_of(), deltas_of(), parts_of());
	else if (name == "colouring_scans") colouring_scans(o, q, w, parts_of());
	else if (name == "colouring_move") colouring_move(o, q, w, parts_of());
	else if (name == "colouring_load") colouring_load(o, q);
	else if (name == "colouring_hash") colouring_hash(o, q, w);
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
