// Package moves is neighbourhood search: the solvers tabu (tabu search), hill (hill climbing), vnd
// (variable neighbourhood descent) and the variant moves of ils (iterated local search). They
// evaluate all small changes of a solution, apply one, and repeat.
//
//	open tabu tai50a as t seed=1;  step t 10s;  set t tenure=200;  step t 10s
//	open hill ppp-73x73-1 as h walks=4 select=first;  step h 20s
//	open vnd tai30a as v preset=random-starts;  step v 100
//	open tabu queen9_9 as q;  step q 1s
//	open tabu weierstrass-10 as f neighbours=10000 radius=0.1;  step f 50;  plot f slice
//
// # The words
//
//   - A move is a small change of a solution ([Move]), and a neighbour is the solution that it
//     leads to.
//   - A neighbourhood is the list of all moves of one sort ([Neighbourhood]); a move has an index
//     in it, so that any worker can scan any part.
//   - A walk is a solution with the data that make its moves cheap to evaluate ([Walk]).
//   - A scan evaluates a whole neighbourhood, and at most one move follows it. Evaluations are the
//     evaluated neighbours.
//   - An iteration is a stated number of scans of each walk (parameter scans).
//   - A climb is the sequence of moves from a solution to a local optimum.
//   - The tenure is the number of scans for which undoing a move is forbidden.
//
// # Solvers
//
// All begin at random solutions, or at a given one.
//
//   - tabu applies the best move that is not forbidden. On assignments it is Taillard's robust tabu
//     search: for a random time, exchanges that would bring both facilities back to where they were
//     are forbidden. On bits and tours an entry that has moved may not move again for that time. On
//     colourings it is Tabucol, over the vertices in conflict; on real vectors the search may not
//     return to small cubes that it has left.
//   - hill applies an improving move (select = best, first or random) until there is none, and then
//     climbs again: from a random solution (begin = random), which is multi-start, or from a
//     disturbed one (begin = kick), which is iterated local search. The run ends after as many
//     climbs as restarts says.
//   - vnd is hill over several neighbourhoods: it scans a larger one if a smaller one has nothing
//     better.
//   - ils/moves is iterated local search on all but tours: hill with kicks of several sorts
//     (perturbation, kick_moves, kick) and the choice of the optimum for the next kick (accept). On
//     tours ils has variants of its own.
//
// Several walks (parameter walks) run side by side, independently or, with exchange, copying the
// best of them. All cores share the neighbourhood of a single walk; each of several walks runs on
// one core. Neither changes a result, since ties go to the move with the smaller index. The tuner
// of package wave finds in the first scans how large a part a core takes at a time, or the
// parameters wave and block set it.
//
// # Problems and their neighbourhoods
//
//   - Assignments (QAP) and tours (TSP, ATSP): two entries of the permutation change places (swap),
//     or three move in a circle, either way (3exchange). On symmetric tours, on cpu, a move
//     reverses a part (2opt), or moves up to three consecutive cities elsewhere, either way round
//     (oropt): these are ours, as the paper's moves improve tours little.
//   - Permuted perceptrons (PPP): one, two or three of n bits change sign (hamming1 to hamming3).
//   - Max-cut, spin glasses, QUBO: one, two or three of n bits flip (hamming1 to hamming3).
//   - Colourings: a vertex takes another colour (change), or two change places (swap).
//   - Weierstrass functions: a point of a ball around a real vector, one from each of the
//     concentric crowns that it consists of (ball, and wide with four times the radius).
//
// The cost of a neighbour, with n the length of a solution:
//
//   - assignments: a fixed number of steps, by a matrix that a move updates in n^2 steps, with two
//     numbers in a word of 64 bits if they are small enough; with evaluation=linear n steps by the
//     two matrices alone, as published;
//   - tours: swap one comparison, by a table of all swaps, of which a move updates those of six
//     positions, 6 n of them, or with evaluation=published four distances before and after;
//     3exchange up to six distances before and after; 2opt two, oropt three;
//   - permuted perceptrons: a count of bits for each set of up to 64 rows with the same product,
//     whatever the number of flips (two with three flips), and a few steps more for each product
//     that occurs; with evaluation=linear the products of all rows and a histogram of them, as
//     published;
//   - colourings: two look-ups in a table of the colours around each vertex (four for swap), which
//     a move updates for the neighbours of the vertices that it touches;
//   - spins: a look-up of the kept gain of a flip, and for each further flip a search among the
//     neighbours; a move updates the gains of the neighbours of the vertices that it flips;
//   - Weierstrass functions: all the sines, in double or in single precision, and a normal deviate
//     for each coordinate. With a base that is a power of two the phases are windows of one number
//     in fixed point; others multiply it. Both are exact.
//
// Permuted perceptrons are hard to solve, not only to improve; the table tabu-ppp of package
// metalab/solvers/bench/figures lists the solved ones and their times.
//
// # The paper
//
// The solvers follow T. V. Luong, N. Melab and E.-G. Talbi, GPU computing for parallel local search
// metaheuristic algorithms, IEEE Transactions on Computers 62 (2013), doi:10.1109/TC.2011.206.
// PairAt and TripleAt, PairIndex and TripleIndex are its mappings between one index and two or
// three, in integers, exact for every size whose moves an int64 can count. The preset paper is its
// experiments: tabu search of 10,000 iterations, and 100 climbs from random solutions. It has the
// paper's neighbourhoods, blocks of 256 threads and as many threads as neighbours, linear time a
// neighbour on assignments and perceptrons and single precision on real vectors. The paper does not
// state how long a move is forbidden: that is as in the preset best. The preset paper-threads tunes
// launches by its Algorithm 3, to the letter. The paper only names descents (vnd); their preset is
// random-starts. The tables luong-2 to luong-11 of the verb bench are the paper's.
//
// # Walks in Go
//
//	w, err := moves.On(q)                  // of the quadratic assignment problem, say
//	err = w.Load(record.Solution{Perm: p})
//	nb := w.Neighbourhoods()[0]            // swap
//	m := nb.Move(17)
//	fmt.Println(w.Cost(), w.Delta(m))
//	w.Apply(m)
//
// [Sampled] returns walks for a search that draws single moves, as package metalab/solvers/anneal
// does; on tours reverse stands in the place of 2opt.
//
// # Adding to it
//
// A neighbourhood implements [Neighbourhood] (neighbourhood.go). A problem needs a [Walk] of its
// own, which On and neighbourhoods (tabu.go) must return, and for tabu a memory (memory.go) of the
// moves that must not be undone. checkWalk in the tests compares all values of a walk with the
// instance's own cost function.
//
// An [Engine] runs the scans of tabu search elsewhere, for example on a device, and a [Climber]
// those of climbing; [TabuOn], [HillOn] and [VNDOn] are the variants of a backend with one (package
// metalab/kernels/moves). Parameters, starts, kicks, exchanges, record and state stay here, and the
// code of this package defines the results. With several devices there is an engine on each, and
// they share the walks (spread.go); a [Sharing] engine receives the numbers of its own. For few
// walks in large neighbourhoods they share the scans instead, and a [Parting] engine receives its
// part (parts.go).
//
// # Numbers
//
// Costs are whole numbers, except on real vectors, whose function takes the same steps on every
// machine. Deltas are exact, and random draws depend on the number of the scan, so that all runs
// replay; each variant states the layout of its draws. The instance itself computes the cost of a
// run's best solution again.
package moves
