// What the programs share that run a launch of a kernel on a CPU, by package
// metalab/kernels/internal/emulate. Each program defines OWN, the buffers of its problem, as a list
// that ends with a comma, and includes this file after "fibres.h" and "kernel.cu"; then it
// defines body.
enum { JOB, WALKS, GIVEN, DELTAS, PARTS, OWN BUFFERS };
static std::vector<char> buffer[BUFFERS];
static std::string name;

// as is a buffer's contents; an empty buffer is null.
template <class T> static T *as(int b) {
	return buffer[b].empty() ? nullptr : (T *)buffer[b].data();
}

static walk *walks_of() { return as<walk>(WALKS); }
static const int4 *given_of() { return as<int4>(GIVEN); }
static int64_t *deltas_of() { return as<int64_t>(DELTAS); }
static found *parts_of() { return as<found>(PARTS); }
