// Exchanges of an assignment whose numbers fit in 32 bits (Exchange.Small of solvers/moves), or
// whose matrices' do and the others in 42 (Exchange.Middle): what the resident kernels share, which
// make many scans in a launch. W is the type of D and E, int32_t or int64_t.
//
// They keep, for each pair of positions, the delta D of its exchange divided by the form's factor,
// and until when it is tabu, M: the smaller time of the two placements that it makes. An exchange
// of r and s changes the other pairs' D by
//
//	D[i][j] -= (u[i] - u[j]) (v[i] - v[j])
//
// with u and v of qapform.go, and by a second such product of w and z if no matrix is symmetric:
// no E is needed for that. Of the pairs of r and of s, D is computed again, in n steps each, by
//
//	D[i][j] = E[i][j] + E[j][i] - E[i][i] - E[j][j] + (a[i][j] + a[j][i]) (b'[i][j] + b'[j][i]),
//
// and so is M. Between launches p, top, until and D are kept, by every kernel alike, and nothing
// else: launches of any shape may follow each other. Clocks count from the start of the launch.
//
// The pair i, j has slot (d - 1) n + i, where j is i + d modulo n and d is at most n / 2. So all
// rows of slots are equally long, but the last one, which has n / 2 if n is even.

#define NO_KEY INT64_MAX
#define RINGS 32 // draws of tenures are made for so many scans at once

// quick is an instance and the walks' data. The matrices are in words of four numbers of 8 bits or
// one of 32: numbers c to c + 3 of row i are at (c / 4) n + i, and words is a multiple of four.
struct quick {
	const uint32_t *a, *at, *b, *bt; // without diagonals; at and bt are transposes
	const int32_t *da, *db;          // or null
	int32_t *p, *top;                // by walk: the permutation, and the best one
	int64_t *until;                  // by walk, n x n: placements
	void *d;                         // by walk: D by slot, of type W
	uint64_t *mail;                  // of teams; zeros before a launch
	int32_t words, walks, first; // of the walks that are meant
	int32_t pairs, factor; // of E
	int32_t team, staged;  // of teams: blocks of a walk; matrices are copied to shared memory
	int32_t pad;
};

// change has u and v of a position, and w and z.
template <int PAIRS> struct change;
template <> struct alignas(8) change<1> { int32_t u, v; };
template <> struct alignas(16) change<2> { int32_t u, v, w, z; };

template <class W> __device__ __forceinline__ W product(change<1> x, change<1> y) {
	return (W)(x.u - y.u) * (x.v - y.v);
}
template <class W> __device__ __forceinline__ W product(change<2> x, change<2> y) {
	return (W)(x.u - y.u) * (x.v - y.v) + (W)(x.w - y.w) * (x.z - y.z);
}
template <class W> __device__ __forceinline__ W square(change<1> x) { return (W)x.u * x.v; }
template <class W> __device__ __forceinline__ W square(change<2> x) {
	return (W)x.u * x.v + (W)x.w * x.z;
}

// dot adds the product of two words.
template <class V, class W> __device__ __forceinline__ W dot(uint32_t x, uint32_t y, W sum) {
	if (sizeof(V) == 4) return sum + (W)(int32_t)x * (int32_t)y;
#ifdef __CUDA_ARCH__
	return __dp4a((int)x, (int)y, (int)sum);
#else
	for (int k = 0; k < 32; k += 8) sum += (int8_t)(x >> k) * (int8_t)(y >> k);
	return sum;
#endif
}

// number is the number in a row and a column.
template <class V>
__device__ __forceinline__ int32_t number(const uint32_t *m, int n, int row, int column) {
	if (sizeof(V) == 4) return (int32_t)m[column * n + row];
	return ((const V *)m)[((column >> 2) * n + row) * 4 + (column & 3)];
}

// slot_of is the slot of a pair.
__device__ __forceinline__ int slot_of(int n, int i, int j) {
	const int d = j < i ? j - i + n : j - i;
	return 2 * d < n || (2 * d == n && i < j) ? (d - 1) * n + i : (n - d - 1) * n + j;
}

// reach is how many rows of slots have a position i.
__device__ __forceinline__ int reach(int n, int i) {
	return (n - 1) / 2 + (n % 2 == 0 && i < n / 2 ? 1 : 0);
}

// key_of orders moves by D and then by their index: i is below n, and j is i + d. Positions are
// below 2^11.
__device__ __forceinline__ int64_t key_of(int n, int32_t x, int i, int j) {
	const uint32_t pair = j < n ? (uint32_t)i << 16 | j : (uint32_t)(j - n) << 16 | i;
	return (int64_t)((uint64_t)(uint32_t)x << 32 | pair);
}
__device__ __forceinline__ int64_t key_of(int n, int64_t x, int i, int j) {
	const uint32_t pair = j < n ? (uint32_t)i << 11 | j : (uint32_t)(j - n) << 11 | i;
	return (int64_t)((uint64_t)x << 22 | pair);
}
template <class W> __device__ __forceinline__ W delta_of(int64_t key) {
	return (W)(key >> (sizeof(W) == 4 ? 32 : 22));
}
template <class W> __device__ __forceinline__ int first_of(int64_t key) {
	return sizeof(W) == 4 ? (int)(key >> 16) & 0xffff : (int)(key >> 11) & 0x7ff;
}
template <class W> __device__ __forceinline__ int second_of(int64_t key) {
	return (int)key & (sizeof(W) == 4 ? 0xffff : 0x7ff);
}

// least_key is the least key of the lanes of a warp; all get it.
__device__ __forceinline__ int64_t least_key(int64_t key) {
#if __CUDA_ARCH__ >= 800
	const int high = (int)(key >> 32), least = __reduce_min_sync(0xffffffffu, high);
	const unsigned low = high == least ? (unsigned)key : 0xffffffffu;
	return (int64_t)((uint64_t)(unsigned)least << 32 | __reduce_min_sync(0xffffffffu, low));
#else
	for (int x = 16; x > 0; x >>= 1) {
		int64_t other = (int64_t)__shfl_xor_sync(0xffffffffu, (unsigned long long)key, x);
		key = other < key ? other : key;
	}
	return key;
#endif
}

// least_int is the least number of the lanes of a warp.
__device__ __forceinline__ int32_t least_int(int32_t x) {
#if __CUDA_ARCH__ >= 800
	return __reduce_min_sync(0xffffffffu, x);
#else
	for (int k = 16; k > 0; k >>= 1) x = min(x, __shfl_xor_sync(0xffffffffu, x, k));
	return x;
#endif
}

// bound_of is the least D of the lanes' keys, or of this lane's alone: not less, and more by at
// most the bits of D that the upper half of a key does not have.
template <class W> __device__ __forceinline__ W bound_of(int64_t key, bool all) {
	const int32_t high = (int32_t)(key >> 32), least = all ? least_int(high) : high;
	return sizeof(W) == 4 ? (W)least : (W)((int64_t)least << 10 | 0x3ff);
}

// near is a time as it is compared in a launch that begins at clock: far times are cut, which
// changes no comparison, because aspiration, tenure and scans are below 2^29 here.
__device__ __forceinline__ int32_t near(int64_t until, int64_t clock) {
	const int64_t x = until - clock, most = 1 << 30;
	return (int32_t)(x < -most ? -most : x > most ? most : x);
}

// hope_of is the D below which a move leads to a new best solution.
template <class W>
__device__ __forceinline__ W hope_of(int64_t low, int64_t cost, int factor) {
	int64_t x = low - cost;
	if (factor == 2) x = (x + 1) >> 1;
	return sizeof(W) == 4 ? (W)near(x, 0) : (W)x;
}

// add_to adds to a sum that other threads add to.
__device__ __forceinline__ void add_to(int32_t *sum, int32_t x) { atomicAdd(sum, x); }
__device__ __forceinline__ void add_to(int64_t *sum, int64_t x) {
	atomicAdd((unsigned long long *)sum, (unsigned long long)x);
}

// minimum keeps the smaller key.
__device__ __forceinline__ void minimum(int64_t *least, int64_t key) {
	if (key < *least) *least = key;
}

// course is what a walk's counts become during a launch, beside its cost and the best one.
struct course {
	int64_t least, tally[4];
	double sum;
};

__device__ __forceinline__ course begun(const walk &w) {
	return {w.least, {w.tally[0], w.tally[1], w.tally[2], w.tally[3]}, w.sum};
}

// settle counts a scan that made the move of a key, or none, with the cost after it.
template <class W>
__device__ __forceinline__ void settle(course *c, int64_t key, int64_t late, int64_t cost) {
	if (late != NO_KEY) c->tally[2]++;
	if (key == NO_KEY)
		c->tally[3]++;
	else if (delta_of<W>(key) > 0)
		c->tally[0]++;
	c->least = cost < c->least ? cost : c->least;
	c->sum += (double)cost;
}

// ended writes it back.
__device__ __forceinline__ void ended(
		const course &c, const job &o, int scans, int64_t cost, int64_t low, walk *w) {
	w->clock += scans, w->left = 0;
	w->cost = cost, w->low = low, w->least = c.least, w->sum = c.sum;
	for (int k = 0; k < 4; k++) w->tally[k] = c.tally[k];
	w->tally[4] += (int64_t)o.size * scans;
}
