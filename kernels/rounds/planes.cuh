// The kinds of plane: how rounds.cu keeps cities and computes distances.
#ifndef METALAB_TOURS_PLANES_CUH
#define METALAB_TOURS_PLANES_CUH

// The kinds of plane. place is what is kept of a city in registers; key holds the gain of a
// move and, below it, six bits; edge is an entry of the neighbour lists, with its distance.
// SHARED planes keep their cities in front of the rest of shared memory.

// whole_plane is EUC_2D with whole coordinates whose squared distances stay below 2^31:
// coordinates and distances fit into 16 bits.
struct whole_plane {
	struct place { int x, y; };
	typedef int key;
	typedef u32 edge;
	static const bool SHARED = false;
	const u32 *xy;
	__device__ whole_plane(const void *p, const job &) : xy((const u32 *)p) {}
	__device__ static place unpack(u32 v) {
		place p = {(int)(v & 0xffff), (int)(v >> 16)};
		return p;
	}
	__device__ place at(int c) const { return unpack(xy[c]); }
	__device__ int dist(place a, place b) const { return ml_dist_whole(a.x - b.x, a.y - b.y); }
	__device__ static int city(edge e) { return (int)(e & 0xffff); }
	__device__ static int length(edge e) { return (int)(e >> 16); }
};

// whole_shared is a whole_plane with the cities in shared memory, for up to some thousands:
// cities far from each other are read ten times as fast from there.
struct whole_shared {
	typedef whole_plane::place place;
	typedef int key;
	typedef u32 edge;
	static const bool SHARED = true;
	__device__ whole_shared(const void *p, const job &j) {
		for (int c = threadIdx.x; c < j.n; c += blockDim.x) shared[c] = ((const u32 *)p)[c];
	}
	__device__ place at(int c) const { return whole_plane::unpack(shared[c]); }
	__device__ int dist(place a, place b) const { return ml_dist_whole(a.x - b.x, a.y - b.y); }
	__device__ static int city(edge e) { return (int)(e & 0xffff); }
	__device__ static int length(edge e) { return (int)(e >> 16); }
};

// real_plane is EUC_2D, CEIL_2D and ATT with any coordinates.
struct real_plane {
	typedef double2 place;
	typedef i64 key;
	typedef int2 edge;
	static const bool SHARED = false;
	const double2 *xy;
	int metric;
	__device__ real_plane(const void *p, const job &j) : xy((const double2 *)p), metric(j.metric) {}
	__device__ place at(int c) const { return xy[c]; }
	__device__ int dist(place a, place b) const { return ml_dist(metric, a.x - b.x, a.y - b.y); }
	__device__ static int city(edge e) { return e.x; }
	__device__ static int length(edge e) { return e.y; }
};

// matrix is any metric, as a table.
struct matrix {
	typedef int place;
	typedef i64 key;
	typedef int2 edge;
	static const bool SHARED = false;
	const int *m;
	int n;
	__device__ matrix(const void *p, const job &j) : m((const int *)p), n(j.n) {}
	__device__ place at(int c) const { return c; }
	__device__ int dist(place a, place b) const { return m[(size_t)a * n + b]; }
	__device__ static int city(edge e) { return e.x; }
	__device__ static int length(edge e) { return e.y; }
};

#endif
