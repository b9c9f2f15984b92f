// Package ils is the solver ils, iterated local search on the travelling salesman problem: a tour
// is improved to a local optimum, then kicked and repaired again and again, and a repaired tour
// that is not longer is kept. It has five variants:
//
//   - queue, the default, repairs a kick from a queue of the cities that it touched, by the
//     moves of package tours, up to Lin-Kernighan chains of exchanges. Now and then it crosses its
//     tours with local optima from other starts. It runs on the CPU.
//   - 2opt-rounds makes many 2-opt moves, and segment insertions if wanted, at once, in rounds that
//     a CPU and a GPU make in the same way; package rounds defines them, and package
//     metalab/kernels/rounds makes them on a GPU. It is for many chains side by side.
//   - tiles kicks one tour in many pieces at once: tiles of the plane, cut anew in every iteration.
//     All cores work on one tour, whatever its size; package tiles defines it.
//   - pools makes many tours from starts of their own, kicks all of them in tiles, and crosses them
//     by edge assembly; then come the next ones. It is for GPUs.
//   - best is the published algorithm of J. Fosin, D. Davidovic and T. Caric: 2-opt or 3-opt that
//     always makes the best move of the whole tour. It is there to compare with. Package
//     metalab/kernels/tours makes it on a GPU, as published.
//
// At the prompt:
//
//	open ils usa13509 as i;  step i 10s
//	open ils pcb3038 as k pool=0 cooling=5;  step k 10s
//	open ils/2opt-rounds pr1002 as r moves=2opt+or on=cuda;  step r 100
//	open ils/tiles E100k.0 as t kicks=0.2;  step t 20;  set t kicks=1;  step t 20
//	open ils/pools fnl4461 as l on=cuda;  step l 5s
//	open ils/best pr439 as p preset=paper;  step p 5
//	open ils/best pr2392 as g preset=paper on=cuda;  step g 100
//
// # Words
//
// A kick is a random change of four edges, a double bridge; a chain is a tour with the kicks made
// to it one after the other; an iteration is a block of kicks in every chain; the first iteration
// improves every chain's start to a local optimum and makes no kicks. A cycle is the kicks in which
// the temperature of accept=annealing falls to 0. A pool is tours that are crossed after a cycle,
// of which the chains go on from the shortest; in the variant pools it is all tours that there are.
// Chains are independent within an iteration, so the number of cores changes nothing but the time.
//
// Evaluations are local searches: one from all cities for each of the first tours and of those of a
// pool, and one after each kick from the cities at its edges. Children of a pool are none.
//
// # Map
//
// What was measured of a default stands beside the code that it is about; the tables ils-* of
// package metalab/solvers/bench/figures have the rest.
//
//	table.go             parameters as rows: a field, what a change does, the declaration
//	population.go        chains and the best tour, held here: queue and best; their states
//	held.go              the same held by an engine, on a device that may be lost: the others
//	register.go          the variants and their presets
//
//	queue.go             the loop: what is due, in every chain side by side, and the point of it
//	queueparams.go       parameters and default values
//	queueschedule.go     which phase comes next: searches that are due, kicks, pools
//	queuestart.go        the first tours, by the words of start
//	queuesearch.go       the local search: neighbours, operators, searches from all cities
//	queuekick.go         perturb, search, accept; kicks and limits by the words of kick and accept
//	queuecycle.go        annealing in cycles, and the merging that ends one
//	queuepool.go         pools: local optima from other starts, crossed by edge assembly
//	queuemend.go         kicks at edges that are far too long; tilesmend.go makes them
//	queuestate.go        the state
//
//	rounds.go, tiles.go  2opt-rounds and tiles: the algorithm around an engine ([rounds.Engine],
//	                     [tiles.Engine]); RoundsOn and TilesOn describe it on a backend
//	tilesdescent.go      the first iteration of tiles
//	pools.go             the variant pools: its tours are made, kicked by the engine of tiles, and
//	                     crossed by that of ga/eax-rounds ([genetic.RoundsEngine]) or, in
//	                     poolscross.go, by the cores
//	best.go, bestrun.go  best, around a [BestEngine]; what the paper says, and what its tables show
//	bestspread.go        its chains shared out over several devices
//
// # Adding to it
//
// A start, a list of neighbours, a local search, a kick or a rule of what is kept for queue is a
// function in the map of its kind (starts, neighbourhoods, operators, perturbations, warmths) and a
// word among the options of the parameter in queueparams.go; a test compares the two. What moves
// edges belongs into package tours (Operator, Kick). A parameter is a row of a table, with the
// field that holds it and what a change of it does to the state. A phase is a case of Iterate, and
// schedule.phase says when it comes. Whatever changes what a record gives must raise the variant's
// Revision.
package ils
