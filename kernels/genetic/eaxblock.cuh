// The blocks of A-B cycles that children of ga/eax-rounds take over in the second stage: what
// eaxblock.go of package metalab/solvers/genetic does, by a warp.
#ifndef METALAB_GENETIC_EAXBLOCK_CUH
#define METALAB_GENETIC_EAXBLOCK_CUH

#include "eax.cuh"

// region searches for a block; the whole warp calls its methods.
template <class C> struct region {
	const couple_memory<C> &k;
	int lane;
	int32_t *set;     // the cycles of the block
	int32_t *reached; // cycles that are, or were, of the block or beside it
	// By cycle: places where it lies beside cycles of the block, the step from which on it may come
	// or go again, and whether it is USED, of the block, or KNOWN, in reached.
	int32_t *contact, *free, *state;
	int sets, reaches;

	static constexpr int32_t USED = 1, KNOWN = 2;

	// move lets a cycle come to the block, or go, and returns by how much the border becomes longer.
	__device__ inline int move(int c) {
		const bool used = state[c] & USED;
		const int by = k.border[c] - 2 * contact[c];
		__syncwarp();
		if (lane == 0) state[c] ^= USED;
		__syncwarp();
#pragma unroll 1
		for (int at = k.start[c]; at < k.start[c + 1]; at += 32) {
#pragma unroll 1
			for (int which = 0; which < 3; which++) {
				const int x = at + lane < k.start[c + 1] ? k.beside_at(c, at + lane, which) : -1;
				bool more = false;
				if (x >= 0) {
					atomicAdd(contact + x, used ? -1 : 1);
					more = !(atomicOr(state + x, KNOWN) & KNOWN);
				}
				const unsigned who = __ballot_sync(ALL, more);
				if (more) reached[reaches + below_me(who, lane)] = x;
				reaches += __popc(who);
			}
		}
		__syncwarp();
		return used ? -by : by;
	}

	// keep makes set the cycles of the block.
	__device__ inline void keep() {
		sets = 0;
#pragma unroll 1
		for (int at = 0; at < reaches; at += 32) {
			const int c = at + lane < reaches ? reached[at + lane] : -1;
			const bool used = c >= 0 && (state[c] & USED);
			const unsigned who = __ballot_sync(ALL, used);
			if (used) set[sets + below_me(who, lane)] = c;
			sets += __popc(who);
		}
		__syncwarp();
	}

	// block makes set a block round cycle c; see eaxblock.go. r is the same stream in all lanes.
	__device__ inline void block(int c, stream r) {
		const uint64_t toss = (uint64_t)draw(&r) << 32;
		__syncwarp();
		if (lane == 0) reached[0] = c, state[c] = KNOWN;
		reaches = 1;
		__syncwarp();
		int border = move(c);
		const int beside = reaches, own = k.start[c + 1] - k.start[c];
#pragma unroll 1
		for (int i = 1; i < beside; i++) {
			const int x = reached[i];
			if (k.start[x + 1] - k.start[x] < own && !(ml_mix64(toss | (uint64_t)x) & 1)) border += move(x);
		}
		int best = border;
		keep();
#pragma unroll 1
		for (int step = 1, since = 0; since < 20; step++) {
			long long least = INT64_MAX; // by how much the border becomes longer, and the cycle
#pragma unroll 1
			for (int i = lane; i < reaches; i += 32) {
				const int x = reached[i];
				const bool used = state[x] & USED;
				if (x == c || (!used && contact[x] == 0)) continue;
				int by = k.border[x] - 2 * contact[x];
				if (used) by = -by;
				const long long key = ((long long)by << 32) + x;
				if (key < least && (step > free[x] || border + by < best)) least = key;
			}
			__syncwarp();
			for (int i = 16; i > 0; i >>= 1) {
				const long long there = (long long)__shfl_xor_sync(ALL, (unsigned long long)least, i);
				least = there < least ? there : least;
			}
			since++;
			if (least == INT64_MAX) continue;
			const int to = (int)(least & 0xffffffff);
			border += move(to);
			const int stay_for = below(&r, 10);
			if (lane == 0) free[to] = step + 1 + stay_for;
			__syncwarp();
			if (border < best) {
				best = border, since = 0;
				keep();
			}
		}
		for (int i = lane; i < reaches; i += 32) {
			const int x = reached[i];
			state[x] = contact[x] = free[x] = 0;
		}
		__syncwarp();
	}
};

#endif
