// Runs one launch of a kernel of qapfast.cuh on a CPU, by package metalab/kernels/internal/emulate.
// The order of the buffers is that of enum below.
#include "fibres.h"

#include "kernel.cu"

enum { JOB, QUICK, WALKS, A, AT, B, BT, DA, DB, P, TOP, UNTIL, D, MAIL, BUFFERS };
static std::vector<char> buffer[BUFFERS];
static std::string name;

// as is a buffer's contents; an empty buffer is null.
template <class T> static T *as(int b) {
	return buffer[b].empty() ? nullptr : (T *)buffer[b].data();
}

static void body() {
	const job o = *as<job>(JOB);
	quick q = *as<quick>(QUICK);
	q.a = as<uint32_t>(A), q.at = as<uint32_t>(AT), q.b = as<uint32_t>(B), q.bt = as<uint32_t>(BT);
	q.da = as<int32_t>(DA), q.db = as<int32_t>(DB);
	q.p = as<int32_t>(P), q.top = as<int32_t>(TOP), q.until = as<int64_t>(UNTIL);
	q.d = as<char>(D), q.mail = as<uint64_t>(MAIL);
	walk *w = as<walk>(WALKS);
	qap h = {};
	h.p = q.p;
	if (name == "perm_hash") perm_hash(o, h, w);
#define TRY(f, ...) else if (name == #f) f(__VA_ARGS__);
	TRY(qap_fill8, o, q)
	TRY(qap_fill32, o, q)
	TRY(qap_fill64, o, q)
	TRY(qap_walks8, o, q, w)
	TRY(qap_walks8_two, o, q, w)
	TRY(qap_walks32, o, q, w)
	TRY(qap_walks32_two, o, q, w)
	TRY(qap_walks64, o, q, w)
	TRY(qap_walks64_two, o, q, w)
	TRY(qap_team32, o, q, w)
	TRY(qap_team32_two, o, q, w)
	TRY(qap_team_published, o, q, w)
	TRY(qap_team_published_two, o, q, w)
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
