// Runs a kernel of best.cu on a CPU, by package metalab/kernels/internal/emulate; a group is a
// block.
#include "fibres.h"

#include "kernel.cu"

enum { JOB, PLACES, NEAR, ROOM, CHAINS, RECORDS, BARS, BUFFERS_ };
static std::vector<char> buffer[BUFFERS_];
template <class T> static T *as(int b) { return (T *)buffer[b].data(); }
static std::string name;

static void body() {
	auto run = [](auto *kernel) {
		kernel(*as<job>(JOB), as<void>(PLACES), as<int>(NEAR), as<int>(ROOM), as<chain>(CHAINS),
				as<record>(RECORDS), as<uint32_t>(BARS));
	};
	if (name == "best_whole") run(best_whole);
	else if (name == "best_wide") run(best_wide);
	else if (name == "best_real") run(best_real);
	else if (name == "best_matrix") run(best_matrix);
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
