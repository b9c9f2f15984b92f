// Package rounds holds the CUDA kernels of local search in rounds, which is defined in package
// solvers/rounds, for the variant ils/2opt-rounds. Built with -tags cuda it registers the variant
// on the backend cuda; without, it only prepares what the kernels take, for tests.
//
// A chain is a block of warps, its tour lies in the multiprocessor's shared memory as 16-bit
// numbers: six bytes and a bit a city, which limits the number of cities to about 37,000 on an
// H100 or H200, 26,600 on an A100 and 10,400 with 64 KB. [MaxCities] says it exactly.
//
// With moves=2opt+or a proposal computes twelve distances for a neighbour in place of four, and
// eleven in place of two before the first, but reads no more of the tour for a neighbour; an
// insertion turns its stretch round and most of it back, with a barrier between. These are
// kernels of their own, so 2-opt alone pays nothing for them.
//
// The schedule parameters warps and lanes only share work out. Where warps is 0, the first
// iterations with kicks try several numbers, timed by the device, and the fastest stays;
// solvers.Run.Waves shows the table. rounds.cu is compiled to
// images/rounds.fatbin.gz by kernels/build; a test runs the same source on the CPU, thread by
// thread, against the twin.
//
// # Tours from elsewhere
//
// A [Polisher] makes the search of rounds.Polisher on tours that other kernels left on the device,
// as package kernels/ants does: in their stream, with their numbers of cities, and nothing comes
// back but each tour's length and hash. Three kernels make a batch: remember writes the known tour
// as neighbours of cities; rank, where only the shortest are searched, compares every length with
// every other; and a block for each tour takes it to shared memory, queues the cities that stand
// elsewhere than in the known tour and have a gaining move, and makes rounds until the queue is
// empty. A tour that no move was made in is not written back.
//
// What a batch must read and write is some eight bytes a city of each tour: 800 tours of 1002, 2392
// and 4461 cities take 6.4, 15 and 29 MB, which a copy on an H200 moves in 1.5, 3.6 and 6.6 us. Its
// time is that of the rounds, each a chain of dependent reads of shared memory with three barriers;
// that is why as many tours as can be are resident.
//
// # Figures
//
// The table rounds-gpu of package metalab/solvers/bench/figures has the times on an H200 and
// what bounds them; TestFigures measures it. Times of the search within ants' iterations are
// among the tables of package kernels/ants.
package rounds
