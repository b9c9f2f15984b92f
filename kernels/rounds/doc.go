// Package rounds holds the CUDA kernels of local search in rounds, which is defined in package
// solvers/rounds, for the variant ils/2opt-rounds. Built with -tags cuda it registers the variant
// on the backend cuda; without, it only prepares the kernels' arguments, for tests.
//
// A chain is a block of warps; its tour is in the multiprocessor's shared memory as 16-bit numbers:
// six bytes and a bit a city, which limits the number of cities to about 37,000 on an H100 or H200,
// 26,600 on an A100 and 10,400 with 64 KB. [MaxCities] says it exactly.
//
// With moves=2opt+or a proposal computes twelve distances for a neighbour in place of four, and
// eleven in place of two before the first, but reads no more of the tour for a neighbour; an
// insertion reverses its stretch and most of it once more, with a barrier between. These moves have
// their own kernels, so 2-opt alone is not slowed down by them.
//
// The schedule parameters warps and lanes only share out work. If warps is 0, the first iterations
// with kicks try several numbers, timed by the device, and the fastest is kept; solvers.Run.Waves
// shows the table. rounds.cu is compiled to images/rounds.fatbin.gz by kernels/build; a test runs
// the same source on the CPU, thread by thread, against the twin.
//
// # Tours from elsewhere
//
// A [Polisher] runs the search of rounds.Polisher on tours that other kernels, such as those of
// package kernels/ants, left on the device: in their stream, with their city numbers. Only each
// tour's length and hash are copied to the host. A batch takes three kernels. remember writes the
// known tour as neighbours of cities. rank, used if only the shortest tours are searched, compares
// every length with every other. In the third, a block for each tour loads it into shared memory,
// queues the cities that have other neighbours than in the known tour and a gaining move, and runs
// rounds until the queue is empty. A tour without a move is not written back.
//
// A batch must read and write about eight bytes for each city of each tour: 800 tours of 1002, 2392
// and 4461 cities take 6.4, 15 and 29 MB, which a copy on an H200 moves in 1.5, 3.6 and 6.6 us. Its
// time is that of the rounds, each a chain of dependent reads of shared memory with three barriers;
// that is why as many tours as possible are resident.
//
// # Figures
//
// The table rounds-gpu of package metalab/solvers/bench/figures has the times on an H200 and what
// bounds them; TestFigures measures it. Times of the search within ants' iterations are among the
// tables of package kernels/ants.
package rounds
