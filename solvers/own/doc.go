// Package own is problems of somebody's own: a form of solutions and a type with the method Cost,
// on which the neighbourhood searches of package metalab/solvers/moves, and what builds on them,
// run as on any instance.
//
//	p, err := own.New("knapsack", form, func() any { return &Knapsack{…} })
//	run, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: p})
//
// # The methods
//
// Each value of the type serves one goroutine at a time, and one solution after the other: its
// fields may hold what belongs to a solution, or is only scratch. V is int64 or float64. Only Cost
// must be there; what is not is made of it, which takes a whole evaluation a neighbour.
//
//	bits         Cost(x []uint8) V           the value of the whole solution
//	             Delta(x []uint8, i int) V   by how much the value grows if bit i is flipped
//	             Delta2(x []uint8, i, j int) V     two bits, i < j
//	             Delta3(x []uint8, i, j, k int) V  three bits, i < j < k
//	             Apply(x []uint8, i int)     bit i is about to be flipped
//	values       Cost(x []int32) V
//	             Delta(x []int32, i int, v int32) V  entry i becomes v
//	             DeltaSwap(x []int32, i, j int) V    two entries change places, i < j
//	             Apply(x []int32, i int, v int32)    entry i is about to become v
//	permutation  Cost(p []int32) V
//	             DeltaSwap(p []int32, i, j int) V     two entries change places, i < j
//	             DeltaInsert(p []int32, i, j int) V   the entry at i is taken out and put in again so
//	                                                  that it stands at j
//	             DeltaReverse(p []int32, i, j int) V  the entries from i to j are turned round, i < j
//	             DeltaCycle(p []int32, i, j, k int) V position i takes the entry of j, j that of k,
//	                                                  k that of i
//	reals        Cost(x []float64) V
//	all but      Moves() int                 how many moves a neighbourhood of one's own has, to 2^20
//	reals        Move(x, k int)              makes its move k on x, in place
//	             DeltaMove(x, k int) V       by how much the value grows by its move k
//	all          Load(x)                     x is the solution from now on
//	             Plot(x) *lab.Drawing        a picture of the solution, which plot a solution draws
//
// Load and Apply keep what the deltas use: Load is called with every new solution, and after
// every move for which there is no Apply. Where V is float64 and there is a Load, it is called in
// place of Apply: sums that are rounded on the way would depend on the way, which differs between
// goroutines, and after a run was loaded. The solutions that the methods are given are not theirs
// to change or to keep.
//
// # A neighbourhood of one's own
//
// A type with Moves and Move has the neighbourhood own beside those of its form. Moves must always
// say the same. Tabu search forbids the number of a move for a time, so a move should be undone by
// its own number, or by none. Load is called after each of these moves that is made.
//
// # What is checked
//
// Costs that are no numbers, or whole ones beyond 2^53, and panics end an iteration with an error
// that names the function and its line; see [Fault]. [Problem.Check] compares the deltas with Cost
// on random moves of every neighbourhood, and Cost with itself.
package own
