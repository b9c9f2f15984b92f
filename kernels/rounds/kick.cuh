// An iteration of a chain: kicks, each repaired by rounds, or a descent, and the outcome. The twin
// is board.kick in solvers/rounds.
#ifndef METALAB_ROUNDS_KICK_CUH
#define METALAB_ROUNDS_KICK_CUH

// Draws for kicks have this purpose; see rounds.Layout.
static const u32 DRAW_KICK = 2;

// Kicks need this many cities.
static const int MIN_KICK = 8;

// kick is board.kick. A barrier lies behind it.
template <class P, bool OR>
__device__ inline void searcher<P, OR>::kick(int number) {
	ml_u4 counter = {
			(u32)j.iter, (u32)(j.iter >> 32) ^ DRAW_KICK << 24, (u32)blockIdx.x, (u32)number};
	ml_u4 u = ml_philox(j.seed, counter);
	int size = min(j.size, (n - 2) / 3);
	int p = (int)ML_MULHI(u.x, (u32)n);
	int x = 1 + (int)ML_MULHI(u.y, (u32)size), y = 1 + (int)ML_MULHI(u.z, (u32)size),
			z = 1 + (int)ML_MULHI(u.w, (u32)size);
	int first = p + 1, total = x + y + z, end = 0;
	if (warp == 0 && lane < 8) {
		int path = lane >> 1;
		end = tour[wrap(p + (path > 0 ? x : 0) + (path > 1 ? y : 0) + (path > 2 ? z : 0) + (lane & 1))];
	}
	for (int k = tid; k < total; k += threads) { // the queue is empty: room for the paths
		int from = k < z ? x + y + k : k < z + y ? x + k - z : k - z - y;
		queue[k] = tour[wrap(first + from)];
	}
	__syncthreads();
	for (int k = tid; k < total; k += threads) {
		int at = wrap(first + k);
		u16 c = queue[k];
		tour[at] = c;
		pos[c] = (u16)at;
	}
	__syncthreads();
	if (warp == 0) {
		// Lanes 0 to 3 measure the edges that go, 4 to 7 those that come.
		int k = lane & 3;
		int a = __shfl_sync(ALL, end, 2 * k);
		int go = __shfl_sync(ALL, end, 2 * k + 1);
		int come = __shfl_sync(ALL, end, (2 * k + 5) & 7);
		// Old edges 01 23 45 67, new ones 05 27 41 63.
		saved = lane < 4 ? (i64)d(a, go) : lane < 8 ? -(i64)d(a, come) : 0;
		bool in = lane < 8;
		for (int i = 0; i < 8; i++) {
			int other = __shfl_sync(ALL, end, i);
			if (i < lane && other == end) in = false;
		}
		u32 ins = __ballot_sync(ALL, in);
		if (in) {
			queue[__popc(ins & ((1u << lane) - 1))] = (u16)end;
			atomicOr(&queued[end >> 5], 1u << (end & 31));
		}
		if (lane == 0) b->head = 0, b->waiting = __popc(ins);
	}
	__syncthreads();
}

template <class P, bool OR>
__device__ inline i64 searcher<P, OR>::warp_sum(i64 v) const {
	for (int x = 16; x > 0; x >>= 1) v += __shfl_xor_sync(ALL, v, x);
	return v;
}

// summarise computes length and hash of the tour and writes the outcome.
template <class P, bool OR>
__device__ inline void searcher<P, OR>::summarise(outcome *out, int kept, int gained) {
	if (tid == 0) b->hash = 0, b->length = 0;
	__syncthreads();
	u64 hash = 0, length = 0;
	for (int i = tid; i < n; i += threads) {
		int c = tour[i];
		hash += ml_mix64((u64)i << 32 | (u32)(c + 1));
		length += (u64)(i64)d(c, tour[wrap(i + 1)]);
	}
	hash = (u64)warp_sum((i64)hash);
	length = (u64)warp_sum((i64)length);
	if (lane == 0) {
		atomicAdd(&b->hash, hash);
		atomicAdd(&b->length, length);
	}
	__syncthreads();
	if (tid == 0) {
		outcome o = {(i64)b->length, b->hash, rounds, moves, kept, gained};
		*out = o;
	}
}

// iterate is an iteration of the chain whose accepted tour is at chain.
template <class P, bool OR>
__device__ inline void searcher<P, OR>::iterate(u16 *chain, outcome *out) {
	int kept = 0, gained = 0;
	load(chain);
	for (int i = tid; i < (n + 31) >> 5; i += threads) queued[i] = 0;
	__syncthreads();
	if (j.descend) {
		descend();
		store(chain);
	} else if (n >= MIN_KICK) {
		for (int k = 0; k < j.kicks; k++) {
			kick(k);
			repair();
			if (warp == 0) {
				i64 sum = warp_sum(saved);
				bool keep = sum >= 0 || j.always;
				kept += keep, gained += sum > 0;
				if (lane == 0) b->keep = keep;
			}
			__syncthreads();
			if (b->keep) store(chain); else load(chain);
			__syncthreads();
		}
	}
	summarise(out, kept, gained);
}

#endif
