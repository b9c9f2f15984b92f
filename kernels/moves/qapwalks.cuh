// qap_walks: a block is a walk, for as many scans as a launch is to make. See qapfast.cuh.
//
// For tai100a (n = 100, numbers of 8 bits) a scan reads and writes D of 4950 pairs and reads M, u
// and v of them: 25,000 words of shared memory, 780 accesses by warps. To compute D of the pairs of
// r and s again takes 2 x 2 x 100 products of rows of 28 words: 5600 words of the matrices and
// 11,200 dot products of four numbers; with their vectors and sums some 320 accesses more. At an
// access a cycle and multiprocessor an H200 (132 of them, 1.98 GHz) could make 240 million scans a
// second. It makes 75 million with 396 walks in blocks of 224 threads, 68 million with 528.
//
// Versions: 59 million with loads one at a time and a key of 64 bits for every pair; 69 million by
// fours, with counts in shared memory; 75 million when what a warp has found bounds what its lanes
// look at.

// walks_shared is the layout of the dynamic shared memory, in words.
template <class W, int PAIRS> struct walks_shared {
	int pairs, vectors, d, own, x, m, p, top;
	__device__ walks_shared(int n, int words) {
		pairs = 0;                                          // change of each position, twice
		vectors = pairs + 4 * PAIRS * n;                    // rows r and s of a and of b'
		vectors = (vectors + 3) & ~3;
		const int each = sizeof(W) / 4;
		d = vectors + 4 * PAIRS * words;
		own = d + each * (n * (n - 1) / 2);
		x = own + each * n; // products of the rows of a with rows r and s of b', and the like of b
		m = x + each * 4 * n;
		p = m + n * (n - 1) / 2;
		top = p + n;
	}
};

// With 64 registers, for four blocks on a multiprocessor, some are spilt, and all walks together
// are slower than three blocks with 80.
#define WALKS_BOUNDS 256, 3

template <class V, class W, int PAIRS> __device__ inline void walk_scans(
		const job &o, const quick &q, walk *walks) {
	extern __shared__ uint4 memory[];
	__shared__ int64_t bests[32], lates[32];
	__shared__ int32_t waits[RINGS][2];
	__shared__ course counts; // of thread 0
	const int n = o.n, words = q.words, slots = n * (n - 1) / 2;
	const walks_shared<W, PAIRS> at(n, words);
	int32_t *const base = (int32_t *)memory;
	change<PAIRS> *const pairs = (change<PAIRS> *)(base + at.pairs);
	uint32_t *const vectors = (uint32_t *)(base + at.vectors);
	W *const d = (W *)(base + at.d), *const own = (W *)(base + at.own), *const x = (W *)(base + at.x);
	int32_t *const m = base + at.m, *const p = base + at.p, *const top = base + at.top;
	W *const kept = (W *)q.d;

	const int t = threadIdx.x, threads = blockDim.x, lane = t & 31, warp = t >> 5;
	const int warps = threads >> 5;
	const int64_t a = q.first + blockIdx.x, square_n = (int64_t)n * n;
	int64_t *const until = q.until + a * square_n;
	const int64_t clock0 = walks[a].clock;
	for (int k = t; k < n; k += threads) {
		p[k] = q.p[a * n + k], top[k] = q.top[a * n + k], own[k] = 0;
		pairs[k] = pairs[k + n] = {};
	}
	for (int k = t; k < 4 * PAIRS * words; k += threads) vectors[k] = 0;
	__syncthreads();
	const int groups = threads / n, group = t / n, i = t - group * n;
	const int rows = group < groups ? reach(n, i) : 0;
	const int of_thread = rows > group ? (rows - group + groups - 1) / groups : 0;
	const int fours = (n - 1) / 2 / groups / 4, step = groups * n; // at least so many has each
	const bool full = (warp + 1) * 32 <= groups * n; // all lanes have pairs
	// The diagonal of E is of the permutation, so it is made of it: what other kernels made of the
	// walk before does not matter.
	if (group < groups) {
		const int pi = p[i];
		W sum = q.da && group == 0 ? (W)q.da[i] * q.db[pi] : 0;
		for (int j = group; j < n; j += groups) {
			sum += (W)number<V>(q.a, n, i, j) * number<V>(q.b, n, pi, p[j]);
			if (PAIRS == 2) sum += (W)number<V>(q.at, n, i, j) * number<V>(q.bt, n, pi, p[j]);
		}
		add_to(own + i, sum);
	}
	for (int k = group; k < rows; k += groups) {
		const int slot = k * n + i, j = i + k + 1 < n ? i + k + 1 : i + k + 1 - n;
		const int64_t u = until[i * n + p[j]], v = until[j * n + p[i]];
		m[slot] = near(u < v ? u : v, clock0);
		d[slot] = kept[a * slots + slot];
	}
	__syncthreads();

	int64_t cost = walks[a].cost, low = walks[a].low;
	if (t == 0) counts = begun(walks[a]);
	for (int clock = 1; clock <= o.scans; clock++) {
		if (((clock - 1) & (RINGS - 1)) == 0 && warp == warps - 1) {
			waits[lane][0] = (int32_t)wait_of(o, clock0 + clock + lane, (int)a, 0);
			waits[lane][1] = (int32_t)wait_of(o, clock0 + clock + lane, (int)a, 1);
		}
		const W hope = hope_of<W>(low, cost, q.factor);
		const int32_t limit = o.aspiration > 0 ? clock - (int32_t)o.aspiration : INT32_MIN;
		int64_t best = NO_KEY, late = NO_KEY;
		{
			const change<PAIRS> mine = pairs[i];
			const change<PAIRS> *others = pairs + i + 1 + group;
			W *dd = d + group * n + i;
			const int32_t *mm = m + group * n + i;
			W bound = delta_of<W>(NO_KEY);
			int32_t first = INT32_MAX;
			int j = i + 1 + group;
			auto look = [&](W now, int32_t time, int j) {
				first = min(first, time);
				if (now <= bound && (time < clock || now < hope)) minimum(&best, key_of(n, now, i, j));
			};
			// By fours, so that loads need not wait for stores. What a warp has found bounds what its
			// lanes must look at, so most moves take few instructions.
			for (int left = rows > 0 ? fours : 0; left > 0; left--) {
				W now[4];
				int32_t time[4];
#pragma unroll
				for (int k = 0; k < 4; k++)
					now[k] = dd[k * step] - product<W>(mine, others[k * groups]), time[k] = mm[k * step];
#pragma unroll
				for (int k = 0; k < 4; k++) dd[k * step] = now[k];
#pragma unroll
				for (int k = 0; k < 4; k++) look(now[k], time[k], j + k * groups);
				dd += 4 * step, mm += 4 * step, others += 4 * groups, j += 4 * groups;
				bound = bound_of<W>(best, full);
			}
			for (int left = of_thread - 4 * fours; left > 0; left--) {
				const W now = *dd - product<W>(mine, *others);
				*dd = now;
				look(now, *mm, j);
				dd += step, mm += step, others += groups, j += groups;
			}
			if (first < limit) // seldom
				for (int k = group; k < rows; k += groups)
					if (m[k * n + i] < limit) minimum(&late, key_of(n, d[k * n + i], i, i + k + 1));
		}
		best = least_key(best);
		if (__any_sync(0xffffffffu, late != NO_KEY)) late = least_key(late);
		if (lane == 0) bests[warp] = best, lates[warp] = late;
		__syncthreads();
		best = least_key(lane < warps ? bests[lane] : NO_KEY);
		late = lane < warps ? lates[lane] : NO_KEY;
		if (__any_sync(0xffffffffu, late != NO_KEY)) late = least_key(late);
		if (late != NO_KEY && delta_of<W>(best) >= hope) best = late;
		const int64_t key = best;
		if (key != NO_KEY) cost += (int64_t)q.factor * delta_of<W>(key);
		if (t == 0) settle<W>(&counts, key, late, cost);
		const bool better = cost < low;
		if (better) low = cost;
		if (key == NO_KEY) { // no move: nothing changes
			for (int k = t; k < n; k += threads) pairs[k] = pairs[k + n] = {};
			__syncthreads();
			continue;
		}

		// The vectors of the move. Thread k has position k; p is as before the move until all
		// have read it.
		const int r = first_of<W>(key), s = second_of<W>(key);
		const int pr = p[s], ps = p[r]; // after the move
		const int32_t until_r = clock + waits[(clock - 1) & (RINGS - 1)][0];
		const int32_t until_s = clock + waits[(clock - 1) & (RINGS - 1)][1];
		if (t == 0 && m[slot_of(n, r, s)] >= clock) counts.tally[1]++;
		W fr = 0, fs = 0;
		int64_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
		change<PAIRS> mine = {};
		if (t < n) {
			const int k = t, pk = k == r ? pr : k == s ? ps : p[k];
			if (better) top[k] = pk;
			const int32_t ar = number<V>(q.a, n, k, r), as = number<V>(q.a, n, k, s);
			const int32_t br = number<V>(q.b, n, pk, pr), bs = number<V>(q.b, n, pk, ps);
			V *const alpha = (V *)vectors, *const beta = (V *)(vectors + 2 * words);
			const int wide = words * (4 / (int)sizeof(V));
			x0 = until[r * n + pk], x1 = until[k * n + pr]; // they are needed last
			y0 = until[s * n + pk], y1 = until[k * n + ps];
			if constexpr (PAIRS == 1) {
				alpha[pk] = (V)ar, alpha[wide + pk] = (V)as;
				beta[k] = (V)br, beta[wide + k] = (V)bs;
				mine.u = ar - as, mine.v = br - bs;
				fr = (W)2 * ar * br, fs = (W)2 * as * bs;
			} else {
				const int32_t tr = number<V>(q.at, n, k, r), ts = number<V>(q.at, n, k, s);
				const int32_t vr = number<V>(q.bt, n, pk, pr), vs = number<V>(q.bt, n, pk, ps);
				V *const alpha2 = alpha + 4 * wide, *const beta2 = beta + 4 * wide;
				alpha[pk] = (V)tr, alpha[wide + pk] = (V)ts;
				alpha2[pk] = (V)ar, alpha2[wide + pk] = (V)as;
				beta[k] = (V)vr, beta[wide + k] = (V)vs;
				beta2[k] = (V)br, beta2[wide + k] = (V)bs;
				mine.u = ar - as, mine.v = br - bs, mine.w = tr - ts, mine.z = vr - vs;
				fr = (W)(ar + tr) * (br + vr), fs = (W)(as + ts) * (bs + vs);
			}
			pairs[k] = pairs[k + n] = mine;
		}
		__syncthreads();
		if (t == 0) {
			p[r] = pr, p[s] = ps;
			until[r * n + ps] = clock0 + until_r, until[s * n + pr] = clock0 + until_s;
		}
		for (int y = t; y < 2 * n; y += threads) {
			const bool second = y >= n;
			const int row = second ? y - n : y;
			W er = 0, es = 0;
#pragma unroll
			for (int half = 0; half < PAIRS; half++) {
				const uint32_t *matrix = (half ? second ? q.bt : q.at : second ? q.b : q.a) + row;
				const uint32_t *of = vectors + (4 * half + (second ? 0 : 2)) * words;
				const uint4 *vr = (const uint4 *)of, *vs = (const uint4 *)(of + words);
				for (int w = 0; w < words; w += 4) {
					const uint32_t m0 = matrix[0], m1 = matrix[n], m2 = matrix[2 * n], m3 = matrix[3 * n];
					const uint4 xr = vr[w >> 2], xs = vs[w >> 2];
					er = dot<V, W>(m0, xr.x, er), es = dot<V, W>(m0, xs.x, es);
					er = dot<V, W>(m1, xr.y, er), es = dot<V, W>(m1, xs.y, es);
					er = dot<V, W>(m2, xr.z, er), es = dot<V, W>(m2, xs.z, es);
					er = dot<V, W>(m3, xr.w, er), es = dot<V, W>(m3, xs.w, es);
					matrix += 4 * n;
				}
			}
			x[2 * y] = er, x[2 * y + 1] = es;
		}
		__syncthreads();
		if (t < n) {
			const int k = t, pk = p[k];
			W jr = x[2 * k], js = x[2 * k + 1];               // E[k][r] and E[k][s]
			W rj = x[2 * (n + pk)], sj = x[2 * (n + pk) + 1]; // E[r][k] and E[s][k]
			W rr = x[2 * r], ss = x[2 * s + 1];
			if (q.da) {
				jr += (W)q.da[k] * q.db[pr], js += (W)q.da[k] * q.db[ps];
				rj += (W)q.da[r] * q.db[pk], sj += (W)q.da[s] * q.db[pk];
				rr += (W)q.da[r] * q.db[pr], ss += (W)q.da[s] * q.db[ps];
			}
			const W kk = k == r ? rr : k == s ? ss : own[k] + square<W>(mine);
			own[k] = kk;
			// The next scan subtracts the product of every pair.
			if (k != r) {
				const int slot = slot_of(n, r, k);
				d[slot] = jr + rj - rr - kk + fr + product<W>(pairs[r], mine);
				m[slot] = k == s ? min(until_r, until_s) : near(x0 < x1 ? x0 : x1, clock0);
			}
			if (k != r && k != s) {
				const int slot = slot_of(n, s, k);
				d[slot] = js + sj - ss - kk + fs + product<W>(pairs[s], mine);
				m[slot] = near(y0 < y1 ? y0 : y1, clock0);
			}
		}
		__syncthreads();
	}
	for (int k = group; k < rows; k += groups)
		kept[a * slots + k * n + i] = d[k * n + i] - product<W>(pairs[i], pairs[i + k + 1]);
	for (int k = t; k < n; k += threads) {
		q.p[a * n + k] = p[k], q.top[a * n + k] = top[k];
	}
	if (t == 0) ended(counts, o, o.scans, cost, low, walks + a);
}

#define WALKS(name, V, W, pairs)                                                          \
	extern "C" __global__ void __launch_bounds__(WALKS_BOUNDS) name(                          \
			job o, quick q, walk *walks) {                                                        \
		walk_scans<V, W, pairs>(o, q, walks);                                                   \
	}
WALKS(qap_walks8, int8_t, int32_t, 1)
WALKS(qap_walks8_two, int8_t, int32_t, 2)
WALKS(qap_walks32, int32_t, int32_t, 1)
WALKS(qap_walks32_two, int32_t, int32_t, 2)
WALKS(qap_walks64, int32_t, int64_t, 1)
WALKS(qap_walks64_two, int32_t, int64_t, 2)
#undef WALKS

// qap_fill computes D from its definition; a thread is a slot.
template <class V, class W>
__device__ inline void fill(const job &o, const quick &q) {
	const int64_t n = o.n, slots = n * (n - 1) / 2;
	const int64_t id = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, a = q.first + id / slots;
	if (a >= q.first + q.walks) return;
	const int64_t slot = id % slots;
	const int32_t *p = q.p + a * n;
	const int i = (int)(slot % n), j = (int)((i + slot / n + 1) % n);
	W ij = 0, ji = 0, ii = 0, jj = 0;
	for (int k = 0; k < n; k++) {
		W x = number<V>(q.a, o.n, i, k), y = number<V>(q.a, o.n, j, k);
		W z = number<V>(q.b, o.n, p[i], p[k]), t = number<V>(q.b, o.n, p[j], p[k]);
		ij += x * t, ji += y * z, ii += x * z, jj += y * t;
		if (q.pairs == 1) continue;
		x = number<V>(q.at, o.n, i, k), y = number<V>(q.at, o.n, j, k);
		z = number<V>(q.bt, o.n, p[i], p[k]), t = number<V>(q.bt, o.n, p[j], p[k]);
		ij += x * t, ji += y * z, ii += x * z, jj += y * t;
	}
	if (q.da) {
		ij += (W)q.da[i] * q.db[p[j]], ji += (W)q.da[j] * q.db[p[i]];
		ii += (W)q.da[i] * q.db[p[i]], jj += (W)q.da[j] * q.db[p[j]];
	}
	W x = number<V>(q.a, o.n, i, j), z = number<V>(q.b, o.n, p[i], p[j]);
	x += number<V>(q.at, o.n, i, j), z += number<V>(q.bt, o.n, p[i], p[j]);
	const W f = q.pairs == 1 ? x * z / 2 : x * z; // of one pair the matrices are symmetric
	((W *)q.d)[a * slots + slot] = ij + ji - ii - jj + f;
}
extern "C" __global__ void qap_fill8(job o, quick q) { fill<int8_t, int32_t>(o, q); }
extern "C" __global__ void qap_fill32(job o, quick q) { fill<int32_t, int32_t>(o, q); }
extern "C" __global__ void qap_fill64(job o, quick q) { fill<int32_t, int64_t>(o, q); }
