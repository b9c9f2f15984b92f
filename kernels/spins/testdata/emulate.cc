// Runs one launch of a kernel of spins.cu.
#include "fibres.h"

#include "kernel.cu"

enum { JOB, FIRST, SLICES, PLACES, ADJACENT, TABLE, STATE, OUT, PARENTS, TO, BUFFERS };
static std::vector<char> buffer[BUFFERS];
static std::string name;
template <class T> static T *as(int b) { return (T *)buffer[b].data(); }

static void body() {
	const job o = *as<job>(JOB);
	if (name == "spins_count")
		spins_count(o, as<int32_t>(FIRST), as<slice>(SLICES), as<place>(PLACES), as<int32_t>(ADJACENT),
			as<uint32_t>(STATE), as<group>(OUT));
	else if (name == "spins_choose")
		spins_choose(o, as<int32_t>(PARENTS), as<uint32_t>(STATE), as<uint32_t>(TO));
	else
		(name == "spins_shared" ? spins_shared : spins_global)(o, as<int32_t>(FIRST), as<slice>(SLICES),
			as<place>(PLACES), as<int32_t>(ADJACENT), as<uint32_t>(TABLE), as<uint32_t>(STATE),
			as<group>(OUT));
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
