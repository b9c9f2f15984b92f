// Runs genetic.cu on a CPU by package metalab/kernels/internal/emulate. Rows lie in one buffer, one
// after the other; scratch is empty where links lie in shared memory.
#include "fibres.h"

#include "kernel.cu"

enum { JOB, PLACES, WHOLES, MATRICES, INTERNAL, NEAR, FAR, ROWS, BIRTHS, MADE, SCRATCH, WHICH,
	BESIDE, EDGES, BOXES, PLAN, SHORTS, CITIES, BUFFERS };
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
	C *scratch = at<C>(SCRATCH);
	char *room = at<char>(SCRATCH);
	child *made = at<child>(MADE);
	const birth *births = at<birth>(BIRTHS);
	auto is = [&](const char *what) { return name == std::string(what) + width; };
	plan m = {};
	if (at<plan>(PLAN)) m = *at<plan>(PLAN);
	m.shorts = at<uint32_t>(SHORTS), m.packed = at<uint2>(CITIES), m.turns = blockIdx.x + 1 == gridDim.x ? taken : gone; // the last block makes all
	if (is("breed_short")) breed<C, SHORT, false, false>(o, w, m, r, births, made, room);
	else if (is("breed_packed")) breed<C, PACKED, false, false>(o, w, m, r, births, made, room);
	else if (is("breed_real")) breed<C, REAL, false, false>(o, w, m, r, births, made, room);
	else if (is("breed_matrix")) breed<C, MATRIX, false, false>(o, w, m, r, births, made, room);
	else if (name == "breed_short_shared") breed<C, SHORT, true, false>(o, w, m, r, births, made, room);
	else if (name == "breed_whole_shared") breed<C, WHOLE, true, false>(o, w, m, r, births, made, room);
	else if (name == "breed_real_shared") breed<C, REAL, true, false>(o, w, m, r, births, made, room);
	else if (name == "breed_matrix_shared") breed<C, MATRIX, true, false>(o, w, m, r, births, made, room);
	else if (is("reproduce_whole")) old::reproduce<C, WHOLE, false>(o, w, r, births, made, scratch);
	else if (is("reproduce_real")) old::reproduce<C, REAL, false>(o, w, r, births, made, scratch);
	else if (is("reproduce_matrix")) old::reproduce<C, MATRIX, false>(o, w, r, births, made, scratch);
	else if (name == "reproduce_whole_shared")
		old::reproduce<C, WHOLE, true>(o, w, r, births, made, nullptr);
	else if (name == "reproduce_real_shared")
		old::reproduce<C, REAL, true>(o, w, r, births, made, nullptr);
	else if (name == "reproduce_matrix_shared")
		old::reproduce<C, MATRIX, true>(o, w, r, births, made, nullptr);
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
