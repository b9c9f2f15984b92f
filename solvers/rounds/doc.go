// Package rounds is local search that makes many moves at once, 2-opt moves and optionally
// insertions of short segments (Or-opt), with the same moves on a CPU and a GPU. The variant
// ils/2opt-rounds (package ils) uses it, and so do the local searches 2opt-rounds and oropt-rounds
// of ants.
//
// An [Engine] holds many chains, each with a tour of its own. The first iteration improves every
// chain's start to a local optimum. Each further one runs a block of kicks in every chain: a double
// bridge of edges near each other on the tour, then a repair. It accepts a repaired tour that is
// not longer, and undoes others.
//
// # A round
//
// A chain has a queue of the cities from which moves may start. A round is the same on every
// backend:
//
//  1. The round removes the first width cities (all, if there are fewer) from the queue. Each
//     proposes its best move on the present tour: of the 2-opt moves that replace its edge to its
//     successor (or predecessor) by an edge to a nearer city on its list, the one that gains most;
//     ties go to the nearer neighbour, then to the successor's side. A city that has no gaining
//     move does not return to the queue.
//  2. A move reverses a stretch of the tour: of the two possible ones the shorter, of equal ones
//     the inner. Two moves are at odds if their stretches, each with the two cities beside it,
//     share a position. The round accepts proposals in the order of their gains, the largest first,
//     ties in the order of the queue, unless they are at odds with one accepted before.
//  3. It applies all accepted moves; since they are disjoint, any order gives the same tour.
//  4. The proposers whose moves were not accepted go to the end of the queue, in their order, then
//     the ends of the changed edges that are not queued: of each accepted move, in the proposers'
//     order, the proposer, then of each its new neighbour, then of each the city that was the
//     proposer's neighbour, then of each the city that was the new neighbour's.
//
// It ends when the queue is empty. A search from a whole tour queues all cities that have a gaining
// move; it cuts the tour into [Lanes] equal stretches, and queues one city of each in turn, so that
// the moves of a round are far from each other on the tour. It fills an empty queue again in this
// way, until no city has a gaining move: the result is an optimum for all moves of step 1. After a
// kick only the ends of its edges are queued.
//
// # Segment insertion
//
// With moves=2opt+or a city may also propose to move a segment of one to [MaxSegment] cities, of
// which it is the first, to another place. In step 1 the segment begins at the city and leads away
// from the successor (or predecessor) whose edge is removed. It is inserted into one of the two
// edges of the neighbour so that the city is next to the neighbour, which determines whether the
// segment is reversed. The best move is the best of both kinds; ties go to the nearer neighbour,
// then to 2-opt, then to the successor's side, then to the shorter segment, then to that edge of
// the neighbour which comes first along the tour, from the city in the direction of the segment.
//
// In step 2 the stretch of an insertion is the segment and the cities that it passes, on the side
// where they are fewer; if both are equal, on the side away from the removed edge. Segment and
// passed cities change places, and nothing else on the tour moves. So the stretch of an insertion
// too must be disjoint from others. In step 4 the segment's other end comes after the others, then
// that end's old neighbour.
//
// The table rounds-optimum of package metalab/solvers/bench/figures shows the gains and costs of
// insertions; a GPU's times are in rounds-gpu.
//
// The definition does not mention warps, so their number changes only the time.
//
// # Two backends
//
// An [Engine] holds the chains' tours and runs iterations; [CPU] is the reference, in Go, written
// for readers. An engine on a device gives the same [Outcome] and the same tours, bit for bit. A
// [Polisher] runs the search on single tours from other solvers.
package rounds
