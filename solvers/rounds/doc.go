// Package rounds is local search that makes many moves at once, 2-opt moves and, if they are
// wanted, insertions of short segments (Or-opt), in a form that a CPU and a GPU walk alike. The
// variant ils/2opt-rounds (package ils) is built on it, and so are the local searches
// 2opt-rounds and oropt-rounds of ants.
//
// An [Engine] holds many chains, each with a tour of its own. The first iteration brings
// every chain's start to an optimum; each further one makes a block of kicks in every
// chain: a double bridge that is close on the tour, a repair, and the repaired tour is kept
// if it is not longer, else taken back.
//
// # A round
//
// A chain keeps a queue of the cities from which moves may start. A round is this, whoever
// evaluates it:
//
//  1. The first width cities of the queue (all, when there are fewer) are taken out. Each
//     proposes its best move against the tour as it is now: of the 2-opt moves that give it a
//     new edge to one of its neighbours, nearer than its successor (or predecessor) which it
//     leaves, the one that gains most; ties go to the nearer neighbour, then to the successor's
//     side. A city that has no gaining move is done.
//  2. A move turns round a stretch of the tour, the shorter of the two that will do, the inner one
//     of equals. Two moves are at odds if their stretches, each with the two cities beside it,
//     share a position. Proposals are accepted in the order of their gains, the largest first, ties
//     in the order of the queue, unless one accepted before is at odds.
//  3. All accepted moves are made; since they are disjoint, any order gives the same tour.
//  4. The proposers whose moves were not accepted go to the end of the queue, in their order,
//     then the ends of the changed edges that are not queued: of each accepted move, in the
//     proposers' order, the proposer, then of each its new neighbour, then of each the city
//     that the proposer left, then of each the city that the new neighbour left.
//
// It ends when the queue is empty. A search from a whole tour queues all cities that have a
// gaining move; the tour is cut into [Lanes] equal stretches, and one city of each is taken
// in turn, so that the moves of a round are far from each other on the tour. When the queue
// is empty it is filled so again, until no city has a gaining move: the result is an optimum
// for all moves that step 1 knows. After a kick only the ends of its edges are queued.
//
// # Segment insertion
//
// With moves=2opt+or a city also proposes to insert elsewhere a segment of one to
// [MaxSegment] cities that begins with it. In step 1 the segment leads from the city away
// from the successor (or predecessor) that it leaves; it is put into one of the two edges of the
// neighbour so that the city comes to lie beside the neighbour, which decides whether the
// segment is turned round. The best move is the best of both kinds; ties go
// to the nearer neighbour, then to 2-opt, then to the successor's side, then to the
// shorter segment, then to that edge of the neighbour which comes first on the way from the
// city along the segment and on.
//
// In step 2 the stretch of an insertion is the segment and the cities that it passes, on the
// side where they are fewer, and of equals not over the city that is left. The two change places,
// so that nothing else on the tour moves: one more stretch that must be disjoint
// from others. In step 4 the segment's other end follows, then the city that this end left.
//
// What insertions gain and cost is measured in the table rounds-optimum of package
// metalab/solvers/bench/figures; a GPU's times are in rounds-gpu.
//
// The definition knows no warps, so their number changes nothing but the time.
//
// # Two backends
//
// An [Engine] holds the chains' tours and makes iterations; [CPU] is the one in Go that says
// what is right, meant to be read. An engine on a device makes the same [Outcome] and the
// same tours, bit for bit. A [Polisher] makes the search on single tours from elsewhere.
package rounds
