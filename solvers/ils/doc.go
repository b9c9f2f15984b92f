// Package ils is the solver ils, iterated local search on the travelling salesman problem: a
// tour is brought to a local optimum, then kicked and repaired again and again, and what is
// not longer is kept. It has two variants:
//
//   - queue, the default, repairs a kick from a queue of the cities that it touched, by the
//     moves of package tours, up to Lin-Kernighan chains of exchanges. It runs on the CPU.
//   - 2opt-rounds makes many 2-opt moves, and segment insertions if wanted, at once, in
//     rounds that a CPU and a GPU make alike; package rounds defines them, and package
//     metalab/kernels/rounds makes them on a GPU. It is for many chains side by side.
//
// At the prompt:
//
//	open ils usa13509 as i;  step i 10s
//	open ils/2opt-rounds pr1002 as r moves=2opt+or on=cuda;  step r 100
//
// The words: a kick is a random change of four edges, a double bridge; a chain is a tour with
// the kicks made to it one after the other; an iteration is a block of kicks in every chain;
// the first iteration brings every chain's start to a local optimum and makes none.
//
// # The variant queue
//
// Chains are independent within an iteration, so the number of cores changes nothing but the
// time; between iterations the chain with the longest tour may go on from the shortest
// (exchange).
//
// The search from all cities looks from a city along both of its tour edges and follows chains
// of up to first_depth exchanges. After a kick it looks one way and less deep, but also from
// the cities around the kick. The exchanges of a chain may grow its open path at either end.
// What other settings gain and cost is measured in the tables ils-breadth and ils-chains of
// package metalab/solvers/bench/figures.
//
// # The variant 2opt-rounds
//
// [Rounds] is the algorithm around a [rounds.Engine], which holds the chains' tours and makes
// the iterations; [RoundsOn] describes the variant on the backend of an engine. What 2opt+or
// gains over 2opt stands in the table rounds-optimum, the times of a GPU in rounds-gpu.
//
// # Evaluations
//
// are local searches: one from all cities for each of the first tours, and one after each
// kick from the cities at its edges.
//
// # Adding to it
//
// A local search or a kick for queue belongs into package tours (Operator, Kick); its name is
// then an option of the parameter operator or kick. Whatever changes what a record gives must
// raise the variant's Revision.
package ils
