// Searches on tours that other kernels have left in global memory: the twin of rounds.Polisher.
// A block takes a tour into its shared memory, searches there, and writes it back with its length
// and its hash where a move was made.
#ifndef METALAB_TOURS_POLISH_CUH
#define METALAB_TOURS_POLISH_CUH

// So many loads of a thread from global memory are under way at once.
static const int ABREAST = 8;

// head is what the record of a tour begins with.
struct head {
	i64 length;
	u64 hash;
};

// polisher is a searcher (S) on a tour from elsewhere.
template <class S>
struct polisher : S {
	using S::b, S::tour, S::pos, S::queue, S::queued, S::n, S::tid, S::threads, S::lane, S::warp,
			S::wrap;

	__device__ polisher(const void *places, const job &j, const void *near) : S(places, j, near) {}

	// begin queues the cities that have a gaining move and stand elsewhere than in the known tour, in
	// the order of fill: place q of a table with a stretch of the tour in each row, column by column.
	// A barrier lies before it, queued is 0 everywhere; a barrier lies behind it.
	__device__ void begin(const u32 *links) {
		const int stretch = (n + 31) >> 5, rows = (n + stretch - 1) / stretch;
		const int last = n - (rows - 1) * stretch; // columns with all rows
		// First queued has a bit for each place of the table.
		for (int p0 = tid; p0 < n; p0 += ABREAST * threads) {
			u32 l[ABREAST];
#pragma unroll
			for (int k = 0; k < ABREAST; k++)
				l[k] = p0 + k * threads < n ? links[tour[p0 + k * threads]] : 0;
#pragma unroll
			for (int k = 0; k < ABREAST; k++) {
				const int p = p0 + k * threads;
				if (p >= n) break;
				const u32 x = tour[wrap(p - 1)], y = tour[wrap(p + 1)];
				if (l[k] == (y << 16 | x) || l[k] == (x << 16 | y)) continue;
				const int row = p / stretch, column = p - row * stretch;
				const int q =
						row + (column < last ? column * rows : last * rows + (column - last) * (rows - 1));
				atomicOr(&queued[q >> 5], 1u << (q & 31));
			}
		}
		__syncthreads();
		if (warp == 0) {
			const int words = (n + 31) >> 5;
			int kept = 0;
			for (int w = lane; w - lane < words; w += 32) {
				u32 bits = w < words ? queued[w] : 0;
				int upto = __popc(bits);
				const int many = upto;
				for (int x = 1; x < 32; x <<= 1) {
					const int o = __shfl_sync(ALL, upto, (lane - x) & 31);
					if (lane >= x) upto += o;
				}
				int at = kept + upto - many;
				for (; bits; bits &= bits - 1) {
					int q = 32 * w + __ffs(bits) - 1, column, row;
					if (q < last * rows) {
						column = q / rows, row = q - column * rows;
					} else {
						q -= last * rows;
						column = q / (rows - 1), row = q - column * (rows - 1);
						column += last;
					}
					queue[at++] = tour[row * stretch + column];
				}
				if (w < words) queued[w] = 0;
				kept += __shfl_sync(ALL, upto, 31);
			}
			if (lane == 0) b->head = 0, b->waiting = kept;
		}
		__syncthreads();
		// From here on it has a bit for each city, as ever.
		const int m = b->waiting;
		for (int q = tid; q < m; q += threads) {
			const int c = queue[q];
			atomicOr(&queued[c >> 5], 1u << (c & 31));
		}
		__syncthreads();
		this->propose(m, 0, this->spread(m), true);
		__syncthreads();
		if (warp == 0) this->sift(m);
		__syncthreads();
	}

	// polish searches on mine.
	__device__ void polish(u16 *mine, const u32 *links, head *out) {
		for (int p = tid; p < n; p += ABREAST * threads) {
			u16 c[ABREAST];
#pragma unroll
			for (int k = 0; k < ABREAST; k++) c[k] = p + k * threads < n ? mine[p + k * threads] : 0;
#pragma unroll
			for (int k = 0; k < ABREAST; k++)
				if (p + k * threads < n) tour[p + k * threads] = c[k], pos[c[k]] = (u16)(p + k * threads);
		}
		for (int w = tid; w < (n + 31) >> 5; w += threads) queued[w] = 0;
		__syncthreads();
		begin(links);
		this->repair();
		if (warp == 0) {
			const i64 gain = this->warp_sum(this->saved);
			if (lane == 0) b->keep = this->moves > 0, b->length = (u64)gain, b->hash = 0;
		}
		__syncthreads();
		if (!b->keep) return;
		u64 hash = 0;
		for (int p = tid; p < n; p += threads) {
			const u16 c = tour[p];
			mine[p] = c;
			hash += ml_mix64((u64)p << 32 | (u32)(c + 1));
		}
		hash = (u64)this->warp_sum((i64)hash);
		if (lane == 0) atomicAdd(&b->hash, hash);
		__syncthreads();
		if (tid == 0) out->length -= (i64)b->length, out->hash = b->hash;
	}
};

// Searches on tours that other kernels left.
//
// j: one struct job, by value. places: by city its coordinates (u32 y << 16 | x, double2) or the n
// x n matrix of distances. near: n x j.neighbours edges, nearest first. tours: j.stride city
// numbers a tour. links: by city next << 16 | before in the known tour. which: the tours that are
// searched, one a block; null for all. heads: a record of j.step bytes for each tour, its length
// and hash first.
//
// Launch: a block a tour; shared memory as in rounds.cu. Bound: the rounds, as there; reading and
// writing 8 bytes a city of 800 tours of 1002 cities takes 1.5 us at an H200's copying speed.
// Figures: the search columns of the table ants-gpu-search of bench.
#define POLISH(plane, OR, name, bounds)                                                     \
	extern "C" __global__ void bounds name(const __grid_constant__ job j, const void *places, \
			const void *near, u16 *tours, const u32 *links, const u32 *which, char *heads) {      \
		polisher<searcher<plane, OR>> s(places, j, near);                                       \
		const u32 a = which ? which[blockIdx.x] : blockIdx.x;                                   \
		s.polish(tours + (size_t)a * j.stride, links, (head *)(heads + (size_t)a * j.step));    \
	}
#define POLISHES(plane)                                                    \
	POLISH(plane, false, polish_##plane##_many, __launch_bounds__(320, 3))   \
	POLISH(plane, false, polish_##plane##_wide, __launch_bounds__(1024, 1))  \
	POLISH(plane, true, polish_##plane##_or_many, __launch_bounds__(320, 3)) \
	POLISH(plane, true, polish_##plane##_or_wide, __launch_bounds__(1024, 1))

POLISHES(whole_plane)
POLISHES(whole_shared)
POLISHES(real_plane)

// remember makes of the known tour its links: of each city the next one << 16 | the one before.
// Where there is none, the first two cities being the same, no city has neighbours.
//
// known: n cities. links: by city.
//
// Launch: n threads, blocks of any size. Bound: memory, 10 bytes a city. No figure is recorded.
extern "C" __global__ void remember(const u16 *known, u32 *links, int n) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const u32 x = known[i > 0 ? i - 1 : n - 1], c = known[i], y = known[i + 1 < n ? i + 1 : 0];
	if (n > 1 && known[0] == known[1]) links[i] = ALL;
	else links[c] = y << 16 | x;
}

// rank finds the most shortest of count tours, ties by number: which[r] is the tour of rank r.
//
// heads: a record of step bytes for each tour. which: most tours.
//
// Launch: count threads, blocks of 256; shared memory 8 bytes a thread. Bound: count^2
// comparisons. No figure is recorded.
extern "C" __global__ void __launch_bounds__(256)
		rank(const char *heads, int step, int count, int most, u32 *which) {
	i64 *some = (i64 *)shared;
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const i64 own = i < count ? ((const head *)(heads + (size_t)i * step))->length : 0;
	int before = 0;
	for (int from = 0; from < count; from += blockDim.x) {
		const int k = from + threadIdx.x, here = min((int)blockDim.x, count - from);
		if (k < count) some[threadIdx.x] = ((const head *)(heads + (size_t)k * step))->length;
		__syncthreads();
		for (int t = 0; t < here; t++) before += some[t] < own || (some[t] == own && from + t < i);
		__syncthreads();
	}
	if (i < count && before < most) which[before] = (u32)i;
}

#endif
