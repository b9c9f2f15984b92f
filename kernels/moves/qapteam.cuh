// qap_team: some blocks are a walk, for as many scans as a launch is to make; all blocks must be on
// the device at once. See qapfast.cuh.
//
// A block has D and M of a range of slots. In each scan it posts its best move, in words that say
// by themselves of which scan they are, and reads those of the walk's other blocks, so that there
// is no barrier: who has read all words knows that all blocks have looked at all their pairs. Two
// banks take turns. Each block makes the move for itself, in its own copy of the permutation, and
// computes D again for its own pairs of r and s, a warp for each.
//
// The bound is the time for a word to get to another multiprocessor, about a microsecond. On an
// H200 a scan of one walk takes 3.6 us on tai256c with 128 blocks of 256 threads, and 3.4 us on
// tai100a with 50 of 128; a block alone takes 3.2 us there, and 1.5 us on tai30a. The published
// evaluation takes 4.7 us on tai100a with 132 blocks of 320 threads: 495,000 terms of three
// operations are 0.1 us of the device's integer units, the rest is waiting.
//
// Published: D is not kept, and every move is evaluated in n steps by the two matrices, as Luong,
// Melab and Talbi do, by some lanes together.

// team_shared is the layout of the dynamic shared memory, in words.
template <int PAIRS> struct team_shared {
	int pairs, vectors, p, top, d, m, matrices;
	__device__ team_shared(int n, int chunk) {
		pairs = 0;
		vectors = pairs + 4 * PAIRS * n; // rows r and s of a, and of b'
		p = vectors + 4 * PAIRS * n;     // twice
		top = p + 2 * n;
		d = top + n;
		m = d + chunk;
		matrices = m + chunk;
	}
};

// A word of the mail: D, the positions, whether the move is tabu, and the scan.
#define TAG 0x7ff
#define NO_MAIL (~(uint64_t)TAG)
__device__ __forceinline__ uint64_t tag_of(int64_t clock) {
	return (uint64_t)clock % TAG + 1; // not 0
}
__device__ __forceinline__ uint64_t mail_of(int64_t key, bool tabu, int64_t clock) {
	const uint64_t tag = tag_of(clock);
	if (key == NO_KEY) return NO_MAIL | tag;
	const uint64_t d = (uint64_t)(delta_of<int32_t>(key) + (1 << 29));
	const uint64_t i = (uint64_t)key >> 16 & 0xffff, j = (uint64_t)key & 0xffff;
	return d << 34 | i << 23 | j << 12 | (uint64_t)tabu << 11 | tag;
}
__device__ __forceinline__ int64_t key_in(uint64_t mail) {
	if ((mail | TAG) == ~0ull) return NO_KEY;
	const uint32_t d = (uint32_t)((int32_t)(mail >> 34) - (1 << 29));
	return (int64_t)((uint64_t)d << 32 | (mail >> 23 & TAG) << 16 | (mail >> 12 & TAG));
}

// least_mail is the least word of the lanes of a warp; all get it.
__device__ __forceinline__ uint64_t least_mail(uint64_t x) {
#if __CUDA_ARCH__ >= 800
	const unsigned high = (unsigned)(x >> 32), least = __reduce_min_sync(0xffffffffu, high);
	const unsigned low = high == least ? (unsigned)x : 0xffffffffu;
	return (uint64_t)least << 32 | __reduce_min_sync(0xffffffffu, low);
#else
	for (int k = 16; k > 0; k >>= 1) {
		const uint64_t other = __shfl_xor_sync(0xffffffffu, (unsigned long long)x, k);
		x = other < x ? other : x;
	}
	return x;
#endif
}

// open_mail waits for a word of a scan.
__device__ __forceinline__ uint64_t open_mail(const uint64_t *at, int64_t clock) {
	uint64_t x;
	do x = *(const volatile uint64_t *)at;
	while ((x & TAG) != tag_of(clock));
	return x;
}

// long_delta is D of the exchange of i and j by the two matrices, as far as lanes l, l + lanes, ...
// compute it. The matrices have a row of n words for each position here; two has transposes.
template <int PAIRS>
__device__ __forceinline__ int32_t long_delta(const uint32_t *const (&m)[4], const int32_t *p,
		int n, int i, int j, int l, int lanes) {
	const int pi = p[i] * n, pj = p[j] * n;
	i *= n, j *= n;
	int32_t sum = 0;
#pragma unroll 4
	for (int k = l; k < n; k += lanes) {
		const int pk = p[k];
		sum -= ((int32_t)m[0][i + k] - (int32_t)m[0][j + k]) *
				((int32_t)m[1][pi + pk] - (int32_t)m[1][pj + pk]);
		if (PAIRS == 2)
			sum -= ((int32_t)m[2][i + k] - (int32_t)m[2][j + k]) *
					((int32_t)m[3][pi + pk] - (int32_t)m[3][pj + pk]);
	}
	return sum;
}

// short_delta is what is added to it: the terms of the two positions alone.
template <int PAIRS>
__device__ __forceinline__ int32_t short_delta(
		const uint32_t *const (&m)[4], const quick &q, int n, int i, int j, int pi, int pj) {
	int32_t x = (int32_t)m[0][i * n + j], y = (int32_t)m[1][pi * n + pj], f;
	if (PAIRS == 1)
		f = 2 * x * y; // both matrices are symmetric
	else
		f = (x + (int32_t)m[2][i * n + j]) * (y + (int32_t)m[3][pi * n + pj]);
	if (q.da) f -= (q.da[i] - q.da[j]) * (q.db[pi] - q.db[pj]);
	return f;
}

template <int PAIRS, bool PUBLISHED>
__device__ inline void team_scans(const job &o, const quick &q, walk *walks) {
	extern __shared__ uint4 memory[];
	__shared__ uint64_t bests[32], lates[32];
	__shared__ int32_t waits[RINGS][2];
	const int n = o.n, slots = n * (n - 1) / 2, chunk = (slots + q.team - 1) / q.team;
	const team_shared<PAIRS> at(n, chunk);
	int32_t *const base = (int32_t *)memory;
	change<PAIRS> *const pairs = (change<PAIRS> *)(base + at.pairs);
	int32_t *const vectors = base + at.vectors, *const top = base + at.top;
	int32_t *const d = base + at.d, *const m = base + at.m;
	int32_t *p = base + at.p, *next = p + n;

	const int t = threadIdx.x, threads = blockDim.x, lane = t & 31, warp = t >> 5;
	const int warps = threads >> 5;
	const int64_t place = blockIdx.x / q.team, a = q.first + place;
	const int member = blockIdx.x % q.team, lo = min(member * chunk, slots);
	const int hi = min(lo + chunk, slots);
	int64_t *const until = q.until + a * n * n;
	const int64_t clock0 = walks[a].clock;
	const uint32_t *ms[4] = {q.a, q.b, q.at, q.bt};
	if (q.staged) {
		uint32_t *const to = (uint32_t *)(base + at.matrices);
		for (int k = t; k < n * n; k += threads) {
			to[k] = q.a[k], to[n * n + k] = q.b[k];
			if (PAIRS == 2) to[2 * n * n + k] = q.at[k], to[3 * n * n + k] = q.bt[k];
		}
		for (int k = 0; k < 2 * PAIRS; k++) ms[k] = to + k * n * n;
	}
	for (int k = t; k < n; k += threads) {
		p[k] = q.p[a * n + k], top[k] = q.top[a * n + k];
		pairs[k] = pairs[k + n] = {};
	}
	__syncthreads();
	for (int slot = lo + t; slot < hi; slot += threads) {
		const int i = slot % n, j = (i + slot / n + 1) % n;
		const int64_t u = until[i * n + p[j]], v = until[j * n + p[i]];
		m[slot - lo] = near(u < v ? u : v, clock0);
		if (!PUBLISHED) d[slot - lo] = ((const int32_t *)q.d)[a * slots + slot];
	}
	int lanes = 1; // of a move, by the published evaluation
	while (lanes < 32 && 2 * lanes * chunk <= threads) lanes *= 2;
	__syncthreads();

	int64_t cost = walks[a].cost, low = walks[a].low;
	course counts = begun(walks[a]);
	for (int clock = 1; clock <= o.scans; clock++) {
		if (((clock - 1) & (RINGS - 1)) == 0 && warp == warps - 1) {
			waits[lane][0] = (int32_t)wait_of(o, clock0 + clock + lane, (int)a, 0);
			waits[lane][1] = (int32_t)wait_of(o, clock0 + clock + lane, (int)a, 1);
		}
		const int32_t hope = hope_of<int32_t>(low, cost, q.factor);
		const int32_t limit = o.aspiration > 0 ? clock - (int32_t)o.aspiration : INT32_MIN;
		int64_t key = NO_KEY, late = NO_KEY;
		if (PUBLISHED) {
			const int each = threads / lanes, group = t / lanes, l = t - group * lanes;
			for (int from = lo; from < hi; from += each) {
				const int slot = from + group, i = slot % n, k = i + slot / n + 1, j = k < n ? k : k - n;
				const bool is = slot < hi;
				int32_t now = is ? long_delta<PAIRS>(ms, p, n, i, j, l, lanes) : 0;
				for (int x = lanes / 2; x > 0; x >>= 1) now += __shfl_xor_sync(0xffffffffu, now, x);
				if (!is || l > 0) continue;
				now += short_delta<PAIRS>(ms, q, n, i, j, p[i], p[j]);
				const int32_t time = m[slot - lo];
				const int64_t own = key_of(n, now, i, k);
				if (time < clock || now < hope) minimum(&key, own);
				if (time < limit) minimum(&late, own);
			}
		} else {
			for (int slot = lo + t; slot < hi; slot += threads) {
				const int i = slot % n, j = i + slot / n + 1;
				const int32_t now = d[slot - lo] - product<int32_t>(pairs[i], pairs[j]), time = m[slot - lo];
				d[slot - lo] = now;
				const int64_t own = key_of(n, now, i, j);
				if (time < clock || now < hope) minimum(&key, own);
				if (time < limit) minimum(&late, own);
			}
		}
		key = least_key(key);
		if (__any_sync(0xffffffffu, late != NO_KEY)) late = least_key(late);
		if (lane == 0) bests[warp] = (uint64_t)key, lates[warp] = (uint64_t)late;
		__syncthreads();
		uint64_t *const mail = q.mail + (place * 2 + (clock & 1)) * 2 * q.team;
		if (warp == 0) {
			key = least_key(lane < warps ? (int64_t)bests[lane] : NO_KEY);
			late = lane < warps ? (int64_t)lates[lane] : NO_KEY;
			if (__any_sync(0xffffffffu, late != NO_KEY)) late = least_key(late);
			if (lane < 2) {
				const int64_t mine = lane == 0 ? key : late;
				const int i = (int)(mine >> 16) & 0xffff, j = (int)mine & 0xffff;
				const bool tabu = mine != NO_KEY && m[slot_of(n, i, j) - lo] >= clock;
				// What this block wrote to until must be seen with the word.
				if (member == 0) __threadfence();
				*(volatile uint64_t *)(mail + 2 * member + lane) = mail_of(mine, tabu, clock0 + clock);
			}
		}
		__syncthreads();
		uint64_t best = ~0ull, old = ~0ull;
		for (int k = t; k < q.team; k += threads) {
			best = min(best, open_mail(mail + 2 * k, clock0 + clock));
			old = min(old, open_mail(mail + 2 * k + 1, clock0 + clock));
		}
		best = least_mail(best), old = least_mail(old);
		if (lane == 0) bests[warp] = best, lates[warp] = old;
		__syncthreads();
		best = least_mail(lane < warps ? bests[lane] : ~0ull);
		old = least_mail(lane < warps ? lates[lane] : ~0ull);
		key = key_in(best), late = key_in(old);
		if (late != NO_KEY && delta_of<int32_t>(key) >= hope) key = late, best = old;
		if (key != NO_KEY) cost += (int64_t)q.factor * delta_of<int32_t>(key);
		settle<int32_t>(&counts, key, late, cost);
		const bool better = cost < low;
		if (better) low = cost;
		if (key == NO_KEY) { // no move: nothing changes
			for (int k = t; k < n; k += threads) pairs[k] = pairs[k + n] = {};
			__syncthreads();
			continue;
		}
		counts.tally[1] += best >> 11 & 1;

		const int r = (int)(key >> 16) & 0xffff, s = (int)key & 0xffff;
		const int pr = p[s], ps = p[r]; // after the move
		const int32_t until_r = clock + waits[(clock - 1) & (RINGS - 1)][0];
		const int32_t until_s = clock + waits[(clock - 1) & (RINGS - 1)][1];
		for (int k = t; k < n; k += threads) {
			const int pk = k == r ? pr : k == s ? ps : p[k];
			next[k] = pk;
			if (better) top[k] = pk;
			if (PUBLISHED) continue;
			const int32_t ar = ms[0][r * n + k], as = ms[0][s * n + k];
			const int32_t br = ms[1][pr * n + pk], bs = ms[1][ps * n + pk];
			vectors[k] = ar, vectors[n + k] = as, vectors[2 * n + k] = br, vectors[3 * n + k] = bs;
			change<PAIRS> mine = {};
			mine.u = ar - as, mine.v = br - bs;
			if constexpr (PAIRS == 2) {
				const int32_t tr = ms[2][r * n + k], ts = ms[2][s * n + k];
				const int32_t vr = ms[3][pr * n + pk], vs = ms[3][ps * n + pk];
				int32_t *const more = vectors + 4 * n;
				more[k] = tr, more[n + k] = ts, more[2 * n + k] = vr, more[3 * n + k] = vs;
				mine.w = tr - ts, mine.z = vr - vs;
			}
			pairs[k] = pairs[k + n] = mine;
		}
		// Other blocks read these for pairs of r and s after the next scan at the earliest.
		if (member == 0 && t == 0)
			until[r * n + ps] = clock0 + until_r, until[s * n + pr] = clock0 + until_s;
		__syncthreads();
		p = next, next = base + at.p + (p == base + at.p ? n : 0);
		// Of each row of slots, r and s have two pairs.
		const int first = lo / n, tasks = lo < hi ? 4 * ((hi - 1) / n - first + 1) : 0;
		for (int task = warp; task < tasks; task += warps) {
			const int step = first + (task >> 2) + 1, x = task & 1 ? s : r;
			const int y = task & 2 ? x - step + (x < step ? n : 0) : x + step - (x + step < n ? 0 : n);
			const int slot = slot_of(n, x, y);
			// A pair that comes twice is for one warp.
			if (slot < lo || slot >= hi || (x == s && y == r) || (task & 2 && 2 * step == n)) continue;
			int32_t sum = 0;
			const int py = p[y];
			const int64_t u = __ldcg(until + x * n + py), v = __ldcg(until + y * n + p[x]);
			if (!PUBLISHED) {
				const int32_t *const own = vectors + (task & 1) * n;
				for (int k = lane; k < n; k += 32) {
					const int pk = p[k];
					sum -= (own[k] - (int32_t)ms[0][y * n + k]) *
							(own[2 * n + k] - (int32_t)ms[1][py * n + pk]);
					if (PAIRS == 2)
						sum -= (own[4 * n + k] - (int32_t)ms[2][y * n + k]) *
								(own[6 * n + k] - (int32_t)ms[3][py * n + pk]);
				}
				for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, k);
			}
			if (lane > 0) continue;
			const bool both = x + y == r + s && (x == r || x == s) && (y == r || y == s);
			m[slot - lo] = both ? min(until_r, until_s) : near(u < v ? u : v, clock0);
			// The next scan subtracts the product of every pair.
			if (!PUBLISHED)
				d[slot - lo] = sum + short_delta<PAIRS>(ms, q, n, x, y, p[x], py) +
						product<int32_t>(pairs[x], pairs[y]);
		}
		__syncthreads();
	}
	if (!PUBLISHED)
		for (int slot = lo + t; slot < hi; slot += threads) {
			const int i = slot % n;
			((int32_t *)q.d)[a * slots + slot] =
					d[slot - lo] - product<int32_t>(pairs[i], pairs[i + slot / n + 1]);
		}
	if (member > 0) return;
	for (int k = t; k < n; k += threads) q.p[a * n + k] = p[k], q.top[a * n + k] = top[k];
	if (t == 0) ended(counts, o, o.scans, cost, low, walks + a);
}

#define TEAM(name, pairs, published)                                                      \
	extern "C" __global__ void __launch_bounds__(512) name(job o, quick q, walk *walks) {    \
		team_scans<pairs, published>(o, q, walks);                                             \
	}
TEAM(qap_team32, 1, false)
TEAM(qap_team32_two, 2, false)
TEAM(qap_team_published, 1, true)
TEAM(qap_team_published_two, 2, true)
#undef TEAM
