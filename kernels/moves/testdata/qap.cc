// Runs one launch of a kernel of qap.cu.
#include "fibres.h"

#include "kernel.cu"

#define OWN A, B, FA, FB, EA, EB, EAT, EBT, DA, DB, P, TOP, UNTIL, E, UV, PAIRS,
#include "testdata/emulate.h"

static void body() {
	const job o = *as<job>(JOB);
	qap q = {as<int32_t>(A), as<int32_t>(B), as<int64_t>(FA), as<int64_t>(FB), as<int64_t>(EA),
		as<int64_t>(EB), as<int64_t>(EAT), as<int64_t>(EBT), as<int64_t>(DA), as<int64_t>(DB),
		as<int32_t>(P), as<int32_t>(TOP), as<int64_t>(UNTIL), as<int64_t>(E), as<int64_t>(UV),
		as<int32_t>(PAIRS)[0], as<int32_t>(PAIRS)[1]};
	walk *w = walks_of();
	if (name == "qap_load") qap_load(o, q);
#define SCAN(f) \
	else if (name == #f) f(o, q, w, given_of(), deltas_of(), parts_of()); \
	else if (name == #f "_readonly") f##_readonly(o, q, w, given_of(), deltas_of(), parts_of());
	SCAN(qap_published) SCAN(qap_incremental)
	else if (name == "qap_move") qap_move(o, q, w, parts_of());
	else if (name == "qap_turn") qap_turn(o, q, w);
	else if (name == "qap_update") qap_update(o, q, w, 0);
	else if (name == "qap_update2") qap_update(o, q, w, 1);
	else if (name == "perm_hash") perm_hash(o, q, w);
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
