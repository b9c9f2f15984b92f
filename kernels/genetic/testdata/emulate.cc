// Runs genetic.cu on a CPU by package metalab/kernels/internal/emulate. Rows lie in one buffer, one
// after the other; scratch is empty where links lie in shared memory.
#include "fibres.h"

#include "kernel.cu"

enum { JOB, PLACES, WHOLES, MATRICES, INTERNAL, NEAR, FAR, ROWS, BIRTHS, MADE, SCRATCH, WHICH,
	BESIDE, EDGES, BOXES, PLAN, SHORTS, BUFFERS };
static std::vector<char> buffer[BUFFERS];
static std::string name;
static uint32_t taken[2], gone[2] = {1u << 30, 1u << 30};

template <class T> static T *at(int b) {
	return buffer[b].empty() ? nullptr : (T *)buffer[b].data();
}

template <class C> static void run(const char *width) {
	const job o = *at<job>(JOB);
	const world w = {at<double2>(PLACES), at<int2>(WHOLES), at<int32_t>(MATRICES),
		at<int32_t>(INTERNAL),
		at<int32_t>(NEAR), at<int32_t>(FAR), at<double>(BOXES)};
	const size_t row = (o.n * sizeof(C) + 15) / 16 * 16;
	static std::vector<C *> rows;
	rows.clear();
	for (size_t i = 0; (i + 1) * row <= buffer[ROWS].size(); i++)
		rows.push_back((C *)(buffer[ROWS].data() + i * row));
	C *const *r = rows.data();
	char *room = at<char>(SCRATCH);
	child *made = at<child>(MADE);
	const birth *births = at<birth>(BIRTHS);
	auto is = [&](const char *what) { return name == std::string(what) + width; };
	plan m = *at<plan>(PLAN);
	m.shorts = at<uint32_t>(SHORTS);
	m.turns = blockIdx.x + 1 == gridDim.x ? taken : gone; // the last block makes all
	if (is("reproduce_real")) reproduce<C, REAL, false>(o, w, m, r, births, made, room);
	else if (is("reproduce_matrix")) reproduce<C, MATRIX, false>(o, w, m, r, births, made, room);
	else if (name == "reproduce_short_shared")
		reproduce<C, SHORT, true>(o, w, m, r, births, made, room);
	else if (name == "reproduce_whole_shared")
		reproduce<C, WHOLE, true>(o, w, m, r, births, made, room);
	else if (name == "reproduce_real_shared")
		reproduce<C, REAL, true>(o, w, m, r, births, made, room);
	else if (name == "reproduce_matrix_shared")
		reproduce<C, MATRIX, true>(o, w, m, r, births, made, room);
	else if (is("random_plane")) start<C, REAL, false>(o, w, r, births, made, room);
	else if (is("random_matrix")) start<C, MATRIX, false>(o, w, r, births, made, room);
	else if (is("nearest_plane")) start<C, REAL, true>(o, w, r, births, made, room);
	else if (is("nearest_matrix")) start<C, MATRIX, true>(o, w, r, births, made, room);
	else if (is("around")) around(o.n, r[*at<int32_t>(WHICH)],
			at<C>(BESIDE));
	else if (is("differ")) differ(o.n, r, at<int32_t>(WHICH) + 1,
			(int)(buffer[WHICH].size() / 4) - 1, at<C>(BESIDE),
			at<unsigned long long>(EDGES));
	else _Exit(2);
}

static void body() {
	if (name.find("_wide") != std::string::npos) run<uint32_t>("_wide");
	else run<uint16_t>("_narrow");
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
