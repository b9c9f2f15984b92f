// Package rounds holds the CUDA kernels of local search in rounds, which is defined in package
// solvers/rounds, for the variant ils/2opt-rounds. Built with -tags cuda it registers the variant on
// the backend cuda; without, it only prepares what the kernels take, for tests.
//
// A chain is a block of warps, its tour lies in the multiprocessor's shared memory as 16-bit
// numbers: six bytes and a bit a city, which limits the number of cities to about 37,000 on an
// H100 or H200, 26,600 on an A100 and 10,400 with 64 KB. [MaxCities] says it exactly.
//
// With moves=2opt+or a proposal computes twelve distances for a neighbour in place of four, and
// eleven in place of two before the first, but reads no more of the tour for a neighbour; an insertion turns its
// stretch round and most of it back, with a barrier between. These are kernels of
// their own, so 2-opt alone pays nothing for them. Counted on ants' tours of fnl4461, to the first
// optimum: 32,000 proposals that look at 129,000 neighbours, 1.9 million distances a tour (2-opt alone: 25,000,
// 121,000, 0.54 million), and 0.7 million positions in stretches that are turned (0.43). At ten instructions a
// distance and four for each of fourteen moves, 800 tours need at least some 0.7 ms of all lanes of an
// H200; the rest of a descent's time is waiting, see the figures below.
//
// The schedule parameters warps and lanes only share work out. Where warps is 0, the first
// iterations with kicks try several numbers, timed by the device, and the fastest stays;
// solvers.Run.Waves shows the table. rounds.cu is compiled to
// images/rounds.fatbin.gz by kernels/build; a test runs the same source on the CPU, thread by
// thread, against the twin.
//
// # Tours from elsewhere
//
// A [Polisher] makes the search of rounds.Polisher on tours that other kernels left on the device, as package
// kernels/ants does: in their stream, with their numbers of cities, and nothing comes back but each tour's length and
// hash. Three kernels make a batch: remember writes the known tour as neighbours of cities; rank, where only the shortest are
// searched, compares every length with every other; and a block for each tour takes it to shared memory, queues the cities
// that stand elsewhere than in the known tour and have a gaining move, and makes rounds until the queue is
// empty. A tour that no move was made in is not written back.
//
// What a batch must read and write is some eight bytes a city of each tour: 800 tours of 1002, 2392 and 4461 cities take
// 6.4, 15 and 29 MB, which a copy on an H200 moves in 1.5, 3.6 and 6.6 us. Its time is that of the rounds, each a
// chain of dependent reads of shared memory with three barriers; that is why as many tours as can be are resident.
//
// # Figures
//
// An NVIDIA H200 (driver 580, CUDA 13.0), 22 November 2026, by its events: 800 tours as ants of a first iteration walk, to the first
// optimum (median of five, by 10 neighbours and the width 32), and the mean gap of the tours then; afterwards 100 iterations of 20 kicks for each of 800
// chains, ms an iteration, kicks a second in all, and the mean gap at the end. Four warps a tour; fnl4461 and pr2392 with insertions are quicker with
// eight, 8.9 and 4.9 ms.
//
//	                     to the optimum        with kicks
//	pr1002   2opt        0.91 ms   11.83 %     0.47 ms   34.2 million/s   2.89 %
//	pr1002   2opt+or     1.57 ms    7.18 %     1.02 ms   15.7 million/s   1.73 %
//	pr2392   2opt        2.82 ms   13.46 %     0.49 ms   32.9 million/s   4.67 %
//	pr2392   2opt+or     5.21 ms    8.29 %     1.07 ms   14.9 million/s   2.90 %
//	fnl4461  2opt        7.06 ms   11.44 %     0.56 ms   28.7 million/s   5.72 %
//	fnl4461  2opt+or    10.56 ms    6.00 %     1.19 ms   13.4 million/s   3.03 %
//
// TestFigures prints them; times of the search within ants' iterations are in package kernels/ants. The tests of twins, conformance,
// golden runs and of the search on ants' tours passed on the device.
package rounds
