// Segment insertion beside 2-opt in rounds.cu: proposals of both kinds of moves, and what an
// insertion does to a tour. The twin is insert.go of solvers/rounds.
//
// A thread that looks at a neighbour of its city computes twelve distances where 2-opt alone needs
// four, and loads nothing more from the tour: the ends of segments lie around the city and are the
// same for all neighbours.
#ifndef METALAB_TOURS_INSERT_CUH
#define METALAB_TOURS_INSERT_CUH

// A move has a number among those of a neighbour, in the order of ties: 0 and 1 are 2-opt on
// the successor's and the predecessor's side; then come the insertions, six of either side, by
// size of the segment, inner edge before outer. A key holds the gain and, below it in eight bits,
// 255 less sixteen times the neighbour's number and the move's.
static const int FIRST_INSERT = 2, INSERTS = 6;

// parts of a move: bits 0 and 1 are the segment's size, bit 2 says that it lies at the stretch's
// end, bit 3 that it is turned round.
static const u32 HIGH = 4, TURNED = 8;

template <class P, bool OR>
__device__ void searcher<P, OR>::propose_all(int m, int head, int shift, bool scan) {
	typedef typename P::key key;
	typedef typename P::place place;
	const int lanes = 1 << shift, step = threads >> shift;
	for (int s0 = 0; s0 + (warp << 5 >> shift) < m; s0 += step) { // the same for a warp
		const int s = s0 + (tid >> shift);
		key best = 0;
		int c = 0, pc = 0, po = 0;
		if (s < m) {
			c = queue[wrap(head + s)];
			pc = pos[c];
			// The cities up to three places behind c and before it. With fewer than three cities
			// there is no segment.
			const int far2 = n > 2 ? 2 : 0, far3 = n > 2 ? 3 : 0;
			const place here = plane.at(c);
			const place next = plane.at(tour[wrap(pc + 1)]), prev = plane.at(tour[wrap(pc - 1)]);
			const place next2 = plane.at(tour[wrap(pc + far2)]), prev2 = plane.at(tour[wrap(pc - far2)]);
			const int longer = plane.dist(here, next), longer2 = plane.dist(here, prev);
			// What it saves to take a segment out, by side and size.
			key saved[2][3];
			saved[0][0] = saved[1][0] = (key)longer + longer2 - plane.dist(prev, next);
			saved[0][1] = (key)longer + plane.dist(prev, prev2) - plane.dist(next, prev2);
			saved[1][1] = (key)longer2 + plane.dist(next, next2) - plane.dist(prev, next2);
			{
				const place next3 = plane.at(tour[wrap(pc + far3)]), prev3 = plane.at(tour[wrap(pc - far3)]);
				saved[0][2] = (key)longer + plane.dist(prev2, prev3) - plane.dist(next, prev3);
				saved[1][2] = (key)longer2 + plane.dist(next2, next3) - plane.dist(prev, next3);
			}
			const typename P::edge *row = near + c * j.neighbours;
			for (int k = lane & (lanes - 1); k < j.neighbours; k += lanes) {
				const typename P::edge e = row[k];
				const int now = P::length(e);
				if (now >= longer && now >= longer2) break;
				const int o = P::city(e), p = pos[o];
				const place there = plane.at(o), up = plane.at(tour[wrap(p + 1)]),
										down = plane.at(tour[wrap(p - 1)]);
				// What the edges up and down from the neighbour leave when they go and the new one comes.
				const key open_up = (key)plane.dist(there, up) - now,
									open_down = (key)plane.dist(there, down) - now;
				const key was = best;
				const int rank = 255 - 16 * k;
				auto offer = [&](key gain, int number, bool may) {
					const key g = gain * 256 + (rank - number);
					if (may && gain > 0 && g > best) best = g;
				};
				// The ends of segments, from the successor's side: c, prev, prev2; from the other: c, next,
				// next2.
				const int up0 = plane.dist(here, up), down0 = plane.dist(here, down);
				const int up_prev = plane.dist(prev, up), down_prev = plane.dist(prev, down);
				const int up_next = plane.dist(next, up), down_next = plane.dist(next, down);
				const int up_prev2 = plane.dist(prev2, up), down_prev2 = plane.dist(prev2, down);
				const int up_next2 = plane.dist(next2, up), down_next2 = plane.dist(next2, down);
				const int back = wrap(pc - p), on = n - back; // steps to the neighbour along the segment
				const bool one = now < longer, two = now < longer2;
				offer(longer + open_up - up_next, 0, one);
				offer(longer2 + open_down - down_prev, 1, two);
				offer(saved[0][0] + open_up - up0, 2, one && back > 1);
				offer(saved[0][0] + open_down - down0, 3, one);
				offer(saved[0][1] + open_up - up_prev, 4, one && back > 2);
				offer(saved[0][1] + open_down - down_prev, 5, one && back > 1);
				offer(saved[0][2] + open_up - up_prev2, 6, one && back > 3);
				offer(saved[0][2] + open_down - down_prev2, 7, one && back > 2);
				offer(saved[1][0] + open_down - down0, 8, two && on > 1);
				offer(saved[1][0] + open_up - up0, 9, two);
				offer(saved[1][1] + open_down - down_next, 10, two && on > 2);
				offer(saved[1][1] + open_up - up_next, 11, two && on > 1);
				offer(saved[1][2] + open_down - down_next2, 12, two && on > 3);
				offer(saved[1][2] + open_up - up_next2, 13, two && on > 2);
				if (best != was) po = p;
			}
		}
		__syncwarp();
		key top = best;
		for (int x = lanes >> 1; x > 0; x >>= 1) {
			key other = __shfl_xor_sync(ALL, top, x);
			if (other > top) top = other;
		}
		if (s >= m) continue;
		if (scan) {
			if (top == 0 && (lane & (lanes - 1)) == 0) atomicAnd(&queued[c >> 5], ~(1u << (c & 31)));
		} else if (best == top && (top > 0 || (lane & (lanes - 1)) == 0)) {
			int number = top > 0 ? 255 - (int)(top & 255) & 15 : 0;
			const bool insert = number >= FIRST_INSERT;
			bool successor = number == 0, up = successor;
			int from = min(pc, po) + successor, size = max(pc, po) - min(pc, po), segment = 1;
			u32 parts = 0;
			if (insert) {
				number -= FIRST_INSERT;
				successor = number < INSERTS;
				if (!successor) number -= INSERTS;
				segment = 1 + (number >> 1);
				const int outer = number & 1;
				up = successor != (outer != 0);
				// The cities that the segment passes, on the side where they are fewer.
				int past = wrap(successor ? pc - po : po - pc) + outer - segment;
				bool high = successor;
				if (2 * past > n - segment) {
					past = n - segment - past;
					high = !high;
				}
				from = (successor ? pc - segment + 1 : pc) - (high ? past : 0);
				size = segment + past;
				parts = (u32)segment | (high ? HIGH : 0) | (outer ? 0 : TURNED);
			} else if (2 * size > n) {
				from += size;
				size = n - size;
			}
			slot v = {(i64)(top >> 8), (u16)wrap(from), (u16)size, parts};
			b->slots[s] = v;
			u16 *ends = b->ends[s];
			const int to = successor ? 1 : -1; // from c to the city that it leaves
			ends[0] = (u16)c, ends[1] = tour[po], ends[2] = tour[wrap(pc + to)],
			ends[3] = tour[wrap(po + (up ? 1 : -1))];
			ends[4] = insert ? tour[wrap(pc - to * (segment - 1))] : (u16)c;
			ends[5] = insert ? tour[wrap(pc - to * segment)] : (u16)c;
		}
	}
}

// The segment and the cities that it passed have changed places, and both are turned round: the
// cities are put right, and the segment unless it is to be turned.
template <class P, bool OR>
__device__ void searcher<P, OR>::right(const u32 *move, int first, int step) {
	const u32 parts = move[1], segment = parts & 3;
	if (segment == 0) return;
	const int from = move[0] >> 16, past = (int)((move[0] & 0xffff) - segment);
	const int at = parts & HIGH ? from : wrap(from + past),
						passed = parts & HIGH ? wrap(from + (int)segment) : from;
	swap((u32)passed << 16 | (u32)past, first, step);
	if (!(parts & TURNED)) swap((u32)at << 16 | segment, first, step);
}

#endif
