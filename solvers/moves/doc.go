// Package moves is neighbourhood search: tabu search, hill climbing and variable
// neighbourhood descent over neighbourhoods whose moves are numbered, after T. V. Luong,
// N. Melab and E.-G. Talbi, GPU computing for parallel local search metaheuristic
// algorithms, IEEE Transactions on Computers 62 (2013), doi:10.1109/TC.2011.206.
//
// # Neighbourhoods
//
// A Neighbourhood is a list of moves: its Size, the Move with an index, the Index of a
// move. Any worker can so be given any part of it. PairAt and TripleAt, PairIndex and
// TripleIndex are the paper's mappings between one index and two or three, in integers,
// exact for every size whose moves an int64 can count. There are
//
//   - Flips: one, two or three of n bits change sign (hamming1, hamming2, hamming3);
//   - Swaps: two entries of a permutation, or of a vector of values, change places (swap);
//   - Cycles: three entries of a permutation move in a circle, either way (3exchange);
//   - Changes: one entry of a vector of values takes another value (change);
//   - Balls: a point of a ball around a real vector, one from each of the concentric crowns
//     that it consists of (ball, and wide with four times the radius).
//
// A Walk is a solution with what makes its moves cheap to evaluate; On makes one for an
// instance:
//
//	w, err := moves.On(q)                  // of the quadratic assignment problem, say
//	err = w.Load(record.Solution{Perm: p})
//	nb := w.Neighbourhoods()[0]            // swap
//	m := nb.Move(17)
//	fmt.Println(w.Cost(), w.Delta(m))
//	w.Apply(m)
//
// What a neighbour costs, with n the length of a solution:
//
//   - assignments (QAP): swap and 3exchange a fixed number of steps, by a matrix that a move
//     renews in n^2 steps, two numbers to a word of 64 bits where they are small enough; with
//     evaluation=linear n steps by the two matrices alone, as published;
//   - permuted perceptrons (PPP): a count of bits for each set of up to 64 rows with the same
//     product, whatever the number of flips (two with three flips), and a few steps more for
//     each product that occurs;
//   - tours (TSP, ATSP): swap one comparison, by a table of all swaps of which a move renews
//     those of six positions, 6 n of them; 3exchange up to six distances before and after;
//   - colourings: two look-ups in a table of the colours around each vertex (four for swap),
//     which a move renews for the neighbours of the vertices that it touches;
//   - Weierstrass functions: all the sines, in double or in single precision, and a normal
//     deviate for each coordinate. With a base that is a power of two the phases are windows
//     of one number in fixed point; others multiply it. Both are exact.
//
// # Solvers
//
// All walk from random solutions. An iteration is a stated number of scans (parameter
// scans), each of the whole neighbourhood and followed by one move, for each of a number of
// walks side by side, which are independent or, with exchange, cooperate. One walk's
// neighbourhood is shared out to all cores, of several walks each is one core's; neither
// changes a result, since ties go to the move with the smaller index. How large the parts are
// that a core takes is found in the first scans by the tuner of package wave (wave = 0), as
// the paper does for the threads of a GPU.
//
//   - tabu makes the best move that is not forbidden. On assignments it is Taillard's robust
//     tabu search: an exchange is forbidden when it would bring both facilities back to
//     where they were, for a random time. On bits and tours what has moved stays. On
//     colourings it is Tabucol, over the vertices in conflict; on real vectors small cubes
//     that were left are forbidden.
//   - hill makes an improving move (select = best, first or random) until there is none, and
//     climbs again: from a random solution (begin = random), which is multi-start, or from a
//     disturbed one (begin = kick), which is iterated local search.
//   - vnd is hill over several neighbourhoods, a larger one where a smaller has nothing better.
//
// At the prompt:
//
//	open tabu tai50a as t seed=1;  step t 10s;  set t tenure=200;  step t 10s
//	open hill ppp-73x73-1 as h walks=4 select=first;  step h 20s
//	open vnd tai30a as v preset=paper;  step v 100
//	open tabu queen9_9 as q;  step q 1s
//	open tabu weierstrass-10 as f neighbours=10000 radius=0.1;  step f 50;  plot f slice
//
// The paper's experiments are: 100 climbs in sequence (preset paper of hill and vnd), after which
// the run is over; independent walks (walks) and cooperating ones (exchange); tabu search of 10,000
// iterations (preset paper of tabu). Of the paper are the neighbourhoods, 256 threads a block and
// as many threads as neighbours, O(n) steps a neighbour on assignments (evaluation=linear) and
// single precision on real vectors. The paper does not tell how long a move is forbidden.
//
// Permuted perceptrons are hard to solve, not only to improve; the table tabu-ppp of package
// metalab/solvers/bench/figures says which were solved and how long it took.
//
// # Numbers
//
// Costs are whole but for real vectors, whose function takes the same steps on every machine;
// deltas are exact, and the random draws are counted by scans, so that all runs replay; the layout
// of the draws stands with each variant. The cost of a run's best solution is computed anew by the
// instance.
//
// Evaluations are neighbours looked at.
package moves
