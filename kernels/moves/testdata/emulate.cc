// Runs one launch of a kernel of moves.cu on a CPU, by package metalab/kernels/launch/emulate. The
// order of the buffers is that of enum below.
#include "fibres.h"

#include "kernel.cu"

enum { JOB, WALKS, A, B, FA, FB, EA, EB, EAT, EBT, DA, DB, P, TOP, UNTIL, E, UV, GIVEN, DELTAS,
	PARTS, COLUMNS, WANT, V, TOP_V, Y, BINS, BUFFERS };
static std::vector<char> buffer[BUFFERS];
static std::string name;

// as is a buffer's contents; an empty buffer is null.
template <class T> static T *as(int b) {
	return buffer[b].empty() ? nullptr : (T *)buffer[b].data();
}

static void body() {
	const job o = *as<job>(JOB);
	qap q = {as<int32_t>(A), as<int32_t>(B), as<int64_t>(FA), as<int64_t>(FB), as<int64_t>(EA),
		as<int64_t>(EB), as<int64_t>(EAT), as<int64_t>(EBT), as<int64_t>(DA), as<int64_t>(DB),
		as<int32_t>(P), as<int32_t>(TOP), as<int64_t>(UNTIL), as<int64_t>(E), as<int64_t>(UV)};
	ppp s = {as<int8_t>(COLUMNS), as<int32_t>(WANT), as<int8_t>(V), as<int8_t>(TOP_V),
		as<int32_t>(Y), as<int64_t>(UNTIL), as<int16_t>(BINS)};
	walk *w = as<walk>(WALKS);
	const int2 *given = as<int2>(GIVEN);
	int64_t *deltas = as<int64_t>(DELTAS);
	found *parts = as<found>(PARTS);
	if (name == "qap_load") qap_load(o, q);
#define SCAN(f, of) \
	else if (name == #f) f(o, of, w, given, deltas, parts); \
	else if (name == #f "_readonly") f##_readonly(o, of, w, given, deltas, parts);
	SCAN(qap_published, q) SCAN(qap_incremental, q) SCAN(ppp_published, s)
	else if (name == "qap_move") qap_move(o, q, w, parts);
	else if (name == "qap_update") qap_update(o, q, w);
	else if (name == "perm_hash") perm_hash(o, q, w);
	else if (name == "ppp_load") ppp_load(o, s);
	else if (name == "ppp_move") ppp_move(o, s, w, parts);
	else if (name == "bits_hash") bits_hash(o, s, w);
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
