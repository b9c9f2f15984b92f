// Runs genetic.cu on a CPU by package metalab/kernels/launch/emulate. Rows lie in one buffer, one
// after the other; scratch is empty where links lie in shared memory.
#include "fibres.h"

#include "kernel.cu"

enum { JOB, PLACES, MATRIX, INTERNAL, NEAR, FAR, ROWS, BIRTHS, MADE, SCRATCH, WHICH, BESIDE, EDGES,
	BUFFERS };
static std::vector<char> buffer[BUFFERS];
static std::string name;

template <class T> static T *at(int b) {
	return buffer[b].empty() ? nullptr : (T *)buffer[b].data();
}

template <class C> static void run(const char *width) {
	const job o = *at<job>(JOB);
	const world w = {at<double2>(PLACES), at<int32_t>(MATRIX), at<int32_t>(INTERNAL),
		at<int32_t>(NEAR), at<int32_t>(FAR)};
	const size_t row = (o.n * sizeof(C) + 15) / 16 * 16;
	static std::vector<C *> rows;
	rows.clear();
	for (size_t i = 0; (i + 1) * row <= buffer[ROWS].size(); i++)
		rows.push_back((C *)(buffer[ROWS].data() + i * row));
	C *const *r = rows.data();
	C *scratch = at<C>(SCRATCH);
	child *made = at<child>(MADE);
	if (name == std::string("bear_plane") + width) bear<C, true>(o, w, r, at<birth>(BIRTHS), made,
			scratch);
	else if (name == std::string("bear_matrix") + width) bear<C, false>(o, w, r,
			at<birth>(BIRTHS), made, scratch);
	else if (name == std::string("start_plane") + width) start<C, true>(o, w, r, made, scratch);
	else if (name == std::string("start_matrix") + width) start<C, false>(o, w, r, made, scratch);
	else if (name == std::string("around") + width) around(o.n, r[*at<int32_t>(WHICH)],
			at<C>(BESIDE));
	else if (name == std::string("differ") + width) differ(o.n, r, at<int32_t>(WHICH) + 1,
			(int)(buffer[WHICH].size() / 4) - 1, at<C>(BESIDE),
			at<unsigned long long>(EDGES));
	else _Exit(2);
}

static void body() {
	if (name.find("_wide") != std::string::npos) run<uint32_t>("_wide");
	else run<uint16_t>("_narrow");
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
