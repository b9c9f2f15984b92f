// Package tours holds the CUDA kernels of searches on one tour, or a few: of the variant ils/best,
// which always applies the best move of the whole tour, and of ils/tiles. Built with -tags cuda it
// registers the variants on the backend cuda; without, it only prepares the kernels' arguments, for
// tests.
//
// # The variant ils/best
//
// It is the system of J. Fosin, D. Davidovic and T. Caric (doi:10.7307/ptt.v25i3.300): a thread
// evaluates a pair of a city and a neighbour in its list, with distances from coordinates, and the
// best move of all is applied. Package metalab/solvers/tours defines the moves (Best), package
// metalab/solvers/ils the search; the kernels give the same, bit for bit, up to 2^28 cities.
//
// Unlike the published program, the device also applies the moves, kicks and decides: a kernel with
// resident blocks runs all kicks of an iteration, with two barriers a pass, and returns to the host
// only every 50 ms, which then checks whether to abandon the iteration. The best move is found
// exactly, whatever the order in which blocks run; the published program's results depended on it.
//
// Memory: for each chain 36 bytes a city (three tours with their positions, the longer edges of
// two, the best); for all, coordinates (8 or 16 bytes a city) or the matrix, and the lists (160
// bytes a city for 40 neighbours). A move writes the whole tour to another buffer, 16 bytes read
// and written a city, spread over all threads: about what a barrier costs at 20,000 cities, and a
// reversal of the shorter side would need up to three barriers.
//
// The schedule parameter blocks says how many blocks of 256 threads search a chain; 0: one for each
// 256 pairs, in 3-opt for each 64, as far as they are resident with those of other chains.
//
// # Figures
//
// bench fosin-1 and fosin-2 have the times of passes on an H200: pr1002 0.02 ms, pla85900 0.2 ms
// with the move that follows (published: 9.1 ms on a GTX 470 for pla85900). There a pass omits
// pairs that are not shorter than the removed edge, as the paper says that suffices; with them,
// which the figures' test measures, 3-opt takes 12.6 ms for pla85900, 1.6 for d18512.
//
// # The variant ils/tiles
//
// Package metalab/solvers/tiles defines it; the kernels of tiles.cu give the same, bit for bit. A
// block of one to eight warps has a piece, in shared memory: local numbers of 16 bits, and
// coordinates of 32 bits each where they are whole numbers, 31 bytes a city with lists of 8, and 7
// for each warp. All lanes hold the deciding values; they share both directions and the neighbours
// of a city, the places that a move turns, and the draws of a kick. Distances of EUC_2D and CEIL_2D
// need no float64 where the coordinates are whole and the piece is not larger than 2^21. Then
// prefix sums over the places of the tour tell where each path begins, and the new tour is written
// to another buffer; its length and hash are computed from the whole tour. The best tour stays on
// the device until somebody asks for it.
//
// If there are too few pieces to keep the device busy, several warps search a piece: each tries
// another of the next kicks, from the same circle, and the first accepted one counts; those after
// it are repeated. Few kicks are accepted, so most of that work is useful, and the number of warps
// changes no result.
//
// The host computes cuts, several at once, before they are needed, and stay in the device's memory,
// 4 bytes a city each; the rest takes 32 bytes a city for each chain, and 4 a neighbour and 12 or
// 20 a city for all.
//
// The cost of a kick: an or3opt kick searches from 29 cities and applies 10 moves by 20 reversals
// of 13 places on average, mostly by sequential reads from shared memory, of 23 cycles each. The
// first kernel took 190 microseconds for it however few warps there were, for its code, 160
// kilobytes, did not stay in the cache of instructions. Now a direction and a kind of distance have
// one piece of code each: on E1M.0 with piece=250, 22 warps a multiprocessor, the search of a round
// of 0.3 million kicks takes 12.4 ms, 24 million kicks a second, and the other kernels 0.16 ms.
//
// On an H200 (23 November 2026, seed 1, one run each, seconds from the opening on): E1M.0 with
// piece=250 temperature=0.3 is at its first optimum after 2.5 s, 1.10 % above the best known tour
// after 3.5 s, 0.72 % after 5.1 s, 0.48 % after 7.6 s and 0.42 % after 10 s. The search of a round
// there makes 24 million kicks a second, a round 21; in the first 32 rounds the host's cuts are
// waited for, so 16 million on average. On E100k.2 a round makes 6 to 8 million kicks a second with
// piece=250, more with a low temperature, and 2.7 to 3.6 with piece=500; after 6 s its best is
// 226,333,841 with piece=250 temperature=0.4, 226,335,360 with 0.7, and 226,272,880 with piece=500
// temperature=0.7. E3k.1 makes 3.2 to 4.1 million with 32 chains and piece=500, and after 4 s is at
// 40,340,135; with 16 chains and piece=120 6.2 to 7.3 million, and 40,382,587. E10k.3 makes 0.3 to
// 0.4 million kicks a second with one chain and piece=500, for its 20 pieces leave most
// multiprocessors idle, and 2.4 to 2.8 with four and piece=250; after 5 s it is at 72,017,473 and
// 72,035,275.
//
// # The variant ils/pools
//
// The same kernels kick all tours of a pool, and those of package metalab/kernels/genetic cross
// them: two engines on one device, of which one works at a time. Between the stages the tours come
// to the host and go back, 4 bytes a city. On an H100 128 tours of 10,000 cities get 12 to 18
// million kicks a second with piece=500, a generation of theirs takes 1.6 ms, one of 64 tours of
// 31,623 cities 2.5 ms; with crossing=several the host's cores cross them, in 45 ms on 14 cores
// (figures ils-pools-gpu).
package tours
