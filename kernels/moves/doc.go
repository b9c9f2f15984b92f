// Package moves runs the scans of tabu search, hill climbing and variable neighbourhood descent on
// a GPU: it is an engine, by the interface of package metalab/solvers/moves, for tabu/robust,
// hill/climb and vnd/climb on assignments (QAP) and tours (TSP, ATSP), by exchanges of two and of
// three, on permuted perceptrons (PPP, one to three flips), on colourings (changes and swaps), and
// on real vectors (Weierstrass functions). Results are those of the CPU, bit for bit.
//
// # What it follows
//
// T. V. Luong, N. Melab and E.-G. Talbi, GPU computing for parallel local search metaheuristic
// algorithms, IEEE Transactions on Computers 62 (2013), doi:10.1109/TC.2011.206. A thread gets its
// neighbours by their index (Section 4): the index of a flip is the bit, the index of a pair is its
// place in lexicographic order, from which two positions follow by a square root. There are as many
// threads as the parameter wave says, in blocks of block threads; with fewer threads than
// neighbours a thread evaluates several. With wave=0 the paper's Algorithm 3 finds both in the
// first iterations, by the device's events (package metalab/kernels/launch).
//
// # One scan
//
//	ppp_sets     makes the sets of rows with the same product, by which ppp_one to ppp_three evaluate
//	qap_published, qap_incremental, ppp_published, ppp_one, ppp_two, ppp_three (and each with
//	_readonly)
//	             evaluate the neighbours of all walks; a block finds its best moves: of all, of those
//	             that are overdue, of those that are not tabu (stage 1 of the reduction)
//	ball_single, ball_double
//	             draw the neighbours on real vectors and evaluate them, a thread a coordinate
//	tsp_published, colouring_scan
//	             evaluate each move of tours and of colourings by itself, as published, or where the
//	             host generates or chooses
//	qap_move, ppp_move, ball_move, tsp_move, colouring_move
//	             a block per walk finds the best of all blocks (stage 2), chooses, draws tabu times,
//	             counts, and makes the move
//	qap_update   brings E up to date, from which an exchange is evaluated in a fixed number of steps
//	qap_turn     makes the second exchange of three in a circle, which are two exchanges of two
//
// Tours and colourings have kernels that also make the move: the last block of a walk that has
// evaluated its part finds the best of all blocks.
//
//	tsp_swaps    evaluates all swaps of tours; every distance serves four of them (tsp_swaps.cuh). It
//	             makes all scans of an iteration in one launch, if its blocks fit on the device
//	tsp_gains, tsp_cycles
//	             make tables of what each city at each place would add to the tour, and evaluate
//	             exchanges of three by sums of three of them (tsp_cycles.cuh)
//	colouring_scans
//	             evaluates changes of vertices in conflict, or all swaps; with one block a walk it
//	             makes all scans of an iteration
//
// # Many scans in a launch
//
// Exchanges of two, where no number that occurs needs more than 32 bits:
//
//	qap_walks8, qap_walks32
//	             a block is a walk; all that it needs is in shared memory, but the matrices, of
//	             numbers of 8 bits or of 32, and the times of placements
//	qap_team32, qap_team_published
//	             some blocks are a walk, and post their best moves to each other: for one walk, or
//	             few
//	qap_fill8, qap_fill32
//	             compute the deltas of all exchanges, which the others keep up to date
//
// The tuner chooses among them. With generate=cpu and reduce=host a scan is as above.
//
// A choice is the least by (delta, index), 64 bits each. Several walks are in the same launches.
//
// # What changes no result
//
//   - evaluation: linear is the paper's, n steps by the two matrices; incremental takes a fixed
//     number of steps by E, see the type Exchange of solvers/moves. On perceptrons linear is a
//     histogram of all products in each thread, and incremental counts bits of sets of rows with
//     the same product (sets.cuh); a warp then takes 4 by 64 pairs, a block a column, 4 others and
//     all third ones. On tours published is eight distances a swap and twelve a cycle, each thread
//     for itself; incremental shares them.
//   - generate: with cpu, the host sends all moves in each scan (Section 6.6).
//   - reduce: with host, all fitnesses are copied to the host, which chooses (Section 6.7).
//   - cache: with readonly, data are read through the read-only cache, in place of the paper's
//     textures (Section 5.2).
//   - wave, block, trials.
//
// If spans are requested, iterations in which the host generates or chooses report the shares of
// transfers, of the host's work and of kernels; the host then waits after each part.
//
// # Climbing
//
// A scan of a climb applies the best improving move, or the first from some index on, going round.
// A walk that finds none in the last of its neighbourhoods has ended: the engine stops it, and the
// host computes its next solution, at random or kicked, and returns it.
//
// # The parts of the engine
//
//   - engine.go, scans.go: memory, iterations, the two stages; where no kernel makes all scans they
//     are one graph.
//   - problem.go: what a problem is. Each has a file of its own (qap.go, ppp.go, ball.go, tsp.go,
//     colouring.go), a source of the same name, and a file of its emulation in the tests.
//   - A choice on real vectors compares doubles as integers of the same order (ordered_bits).
//   - A launch that fails is skipped by the tuner. If scans ran before an error, the engine
//     discards the walks on the device, and the run continues from its last saved state.
//
// # Several devices
//
// Each has an engine with a share of the walks (moves.Sharing). Kernels draw by the number of a
// walk on the device, so an engine also has the walks before its own. No scan is left to them:
// their blocks end at once, and those of the kernels that make many scans of exchanges are not
// launched. They take memory; where blocks of tours wait for each other they also take room.
//
// For few walks in large neighbourhoods each device has all walks and a part of the blocks of every
// scan (moves.Parting, parts.go): a range of blocks of one launch that all have agreed upon, so
// that every neighbour is looked at once. Kernels that evaluate a part apply no move; the best
// moves of all parts go through the host, some 60 us a scan, and then each device applies the move.
//
// # Tests
//
// The kernels run on a CPU at odd sizes (emulate_*_test.go), and the Go code on a driver that is
// none: claims of memory, a thousand runs, launches that fail (claim_test.go). On a device
// (device_test.go) every trial of the emulation is made with several schedules, and a few by
// compute-sanitizer; testdata/golden.json holds digests that a device made, which the CPU makes
// again. With METALAB_TABLES set, TestTables measures tables of package metalab/solvers/bench.
package moves
