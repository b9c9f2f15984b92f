// Runs a kernel of tiles.cu on a CPU, by package metalab/kernels/internal/emulate.
#include "fibres.h"

#include "kernel.cu"

enum {
	JOB, CHAINS, START, CITIES, NEAR, POINTS, SCALE, OUT, TOUR, NEXT, PLACE, HOME, RANK, WIDTH, LIST,
	FROM, SUMS, WEIGHTS, RANGE, SAID, BUFFERS_
};
static std::vector<char> buffer[BUFFERS_];
template <class T> static T *as(int b) { return (T *)buffer[b].data(); }
static std::string name;

static void body() {
	const tile_job job = *as<tile_job>(JOB);
	const int chains = *as<int>(CHAINS);
	const tile_room room = {as<int>(TOUR), as<int>(NEXT), as<int>(PLACE), as<int>(HOME),
		as<int>(RANK), as<int>(WIDTH), as<int>(LIST), as<int>(FROM), as<int>(SUMS)};
	tile_outcome *out = as<tile_outcome>(OUT);
	const int *start = as<int>(START), *cities = as<int>(CITIES), *near = as<int>(NEAR);
	const int *weights = as<int>(WEIGHTS);
	const double *scale = as<double>(SCALE);
	if (name == "tiles_search_whole")
		tiles_search_whole(job, start, cities, near, as<whole>(POINTS), weights, scale, room, out);
	else if (name == "tiles_search_real")
		tiles_search_real(job, start, cities, near, as<real>(POINTS), weights, scale, room, out);
	else if (name == "tiles_measure_whole")
		tiles_measure_whole(job, chains, as<whole>(POINTS), room, out);
	else if (name == "tiles_measure_real")
		tiles_measure_real(job, chains, as<real>(POINTS), room, out);
	else if (name == "tiles_place") tiles_place(job.n, chains, room);
	else if (name == "tiles_chunks") tiles_chunks(job.n, chains, room);
	else if (name == "tiles_carry") tiles_carry(job.n, chains, room);
	else if (name == "tiles_starts") tiles_starts(job.n, chains, room);
	else if (name == "tiles_write") tiles_write(job.n, chains, room);
	else if (name == "tiles_pack")
		tiles_pack(job, chains, cities, as<int>(RANGE)[0], as<int>(RANGE)[1], room, as<int>(SAID));
	else if (name == "tiles_unpack")
		tiles_unpack(job, chains, cities, as<int>(RANGE)[0], as<int>(RANGE)[1], room, as<int>(SAID));
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }
