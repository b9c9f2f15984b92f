// Package rounds is iterated local search whose 2-opt makes many moves at once: the
// variant 2opt-rounds of the solver ils, in a form that a CPU and a GPU walk alike.
//
// Many chains run side by side, each with a tour of its own. The first iteration brings
// every chain's start to a 2-opt optimum; each further one makes a block of kicks in every
// chain: a double bridge that is close on the tour, a repair by 2-opt, and the repaired tour is kept
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
//  2. A move turns round a stretch of the tour, the shorter of the two that will do, the
//     inner one of equals. Two moves are at odds if their stretches, each with the two cities beside it, share
//     a position. Proposals are accepted in the order of their gains, the largest first, ties in
//     the order of the queue, unless one accepted before is at odds.
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
// The definition knows no warps, so their number changes nothing but the time.
//
// # Two backends
//
// [New] makes the algorithm around an [Engine], which holds the chains' tours and makes
// iterations; [CPU] is the one in Go that says what is right, meant to be read. An engine
// on a device makes the same [Outcome] and the same tours, bit for bit.
package rounds
