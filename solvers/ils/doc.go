// Package ils is the solver ils, iterated local search on the travelling salesman problem: it
// improves a tour to a local optimum, then kicks and repairs it again and again, and accepts a
// repaired tour that is not longer. It has five variants:
//
//   - queue, the default, repairs a kick from a queue of the cities that it touched, by the moves
//     of package tours, up to Lin-Kernighan chains of exchanges. Now and then it crosses its tours
//     with local optima from other starts. It runs on the CPU.
//   - 2opt-rounds makes many 2-opt moves, and segment insertions if wanted, at once, in rounds that
//     are the same on a CPU and a GPU; package rounds defines them, and package
//     metalab/kernels/rounds runs them on a GPU. Use it for many parallel chains.
//   - tiles kicks one tour in many pieces at once: tiles of the plane, with a new cut in every
//     iteration. All cores work on one tour, whatever its size; package tiles defines it.
//   - pools builds many tours from different starts, kicks all of them in tiles, crosses them by
//     edge assembly, and begins the next pool. Use it on GPUs.
//   - best is the published algorithm of J. Fosin, D. Davidovic and T. Caric: 2-opt or 3-opt that
//     always makes the best move of the whole tour. It serves for comparison. Package
//     metalab/kernels/tours runs it on a GPU, as published.
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
// A kick is a random change of four edges, a double bridge; a chain is a tour with its sequence of
// kicks; an iteration is a block of kicks in every chain; the first iteration improves every
// chain's start to a local optimum, without kicks. A cycle is the kicks in which the temperature of
// accept=annealing falls to 0. A pool is a set of tours to cross after a cycle; the chains continue
// from the shortest ones. In the variant pools it holds all tours. Chains are independent within an
// iteration, so the number of cores changes nothing but the time.
//
// Evaluations are local searches: one from all cities for each of the first tours and of those of a
// pool, and one after each kick from the cities at its edges. Children of a pool do not count.
//
// # Map
//
// Measurements behind a default are beside its code; the tables ils-* of package
// metalab/solvers/bench/figures have the rest.
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
// word among the options of the parameter in queueparams.go; a test compares the two. Code that
// moves edges belongs into package tours (Operator, Kick). A parameter is a row of a table, with
// its field and the effect of a change on the state. A phase is a case of Iterate, and
// schedule.phase says when it is due. Raise the variant's Revision with every change that alters
// the result of a record.
package ils
