// Runs eax.cu on a CPU by package metalab/kernels/internal/emulate.
#include "fibres.h"

#include "kernel.cu"

enum { JOB, PLACES, MATRICES, NEAR, FAR, ROUND, RING, TOURS, HASHES, TABLE, ENTROPY, FRESH, BRED,
	SCRATCH, FULL, COUNTS, LENGTHS, BUFFERS };
static std::vector<char> buffer[BUFFERS];
static std::string name;

template <class T> static T *at(int b) {
	return buffer[b].empty() ? nullptr : (T *)buffer[b].data();
}

template <class C> static void run(const char *width) {
	const job o = *at<job>(JOB);
	const turn r = *at<turn>(ROUND);
	const world w = {at<double2>(PLACES), nullptr, at<int32_t>(MATRICES), nullptr,
		at<int32_t>(NEAR), at<int32_t>(FAR)};
	auto is = [&](const char *what) { return name == std::string(what) + width; };
	if (is("couples_plane")) couples<C, REAL>(o, w, r, at<int32_t>(RING), at<C>(TOURS),
			at<uint64_t>(HASHES), at<int64_t>(LENGTHS), at<slot>(TABLE), at<int64_t>(ENTROPY),
			at<C>(FRESH), at<bred>(BRED), at<char>(SCRATCH));
	else if (is("couples_matrix")) couples<C, MATRIX>(o, w, r, at<int32_t>(RING), at<C>(TOURS),
			at<uint64_t>(HASHES), at<int64_t>(LENGTHS), at<slot>(TABLE), at<int64_t>(ENTROPY),
			at<C>(FRESH), at<bred>(BRED), at<char>(SCRATCH));
	else if (is("count")) count_tours(o.n, at<C>(TOURS), 0, r.tours, at<slot>(TABLE), r.slots,
			at<int32_t>(FULL));
	else if (is("settle")) settle(o.n, r, at<int32_t>(RING), at<C>(TOURS), at<uint64_t>(HASHES),
			at<int64_t>(LENGTHS), at<C>(FRESH), at<bred>(BRED), at<slot>(TABLE), at<int32_t>(FULL));
	else _Exit(2);
}

static void body() {
	if (name == "clear_edges") clear_slots(at<slot>(TABLE), at<turn>(ROUND)->slots);
	else if (name == "tally_edges")
		tally(at<slot>(TABLE), at<turn>(ROUND)->slots, at<unsigned long long>(COUNTS));
	else if (name.find("_wide") != std::string::npos) run<uint32_t>("_wide");
	else run<uint16_t>("_narrow");
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
