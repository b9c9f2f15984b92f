// Package own is problems of somebody's own: a form of solutions and a type with the method Cost,
// on which the neighbourhood searches of package metalab/solvers/moves, and what builds on them,
// run as on any instance.
//
//	p, err := own.New("knapsack", form, func() any { return &Knapsack{…} })
//	run, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: p})
//
// A solver of somebody's own searches on them as well, in the same process: see Declare, and
// Problem.Own, of package metalab/kernel/lab.
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
//	             ApplySwap(p []int32, i, j int)       two entries are about to change places
//	             SwappedRow(p []int32, i, j, k int)   two entries have changed places; brings part k
//	                                                  of n, the length of p, up to date
//	reals        Cost(x []float64) V
//	all but      Moves() int                 how many moves a neighbourhood of one's own has, to 2^20
//	reals        Move(x, k int)              makes its move k on x, in place
//	             DeltaMove(x, k int) V       by how much the value grows by its move k
//	all          Load(x)                     x is the solution from now on
//	             Plot(x) *lab.Drawing        a picture of the solution, which plot a solution draws
//
// Load and Apply keep what the deltas use: Load is called with every new solution, and after
// every move for which there is no Apply, or ApplySwap or SwappedRow where it is a swap of a
// permutation. SwappedRow is called for each k from 0 to n-1 after ApplySwap, on a GPU by many
// threads at once: it writes elements of slices that it is called for with no other k, and reads
// none that another k writes. So all threads keep a table by which swaps are evaluated; the example
// has one for the quadratic assignment problem. What all parts of a swap need, ApplySwap can make.
// Where V is float64 and there is a Load, it is called in place of these: sums that are rounded on
// the way would depend on the way, which differs between goroutines, and after a run was loaded.
// The solutions that the methods are given are not theirs to change or to keep.
//
// # A neighbourhood of one's own
//
// A type with Moves and Move has the neighbourhood own beside those of its form. Moves must always
// say the same. Tabu search forbids the number of a move for a time, so a move should be undone by
// its own number, or by none. Load is called after each of these moves that is made.
//
// # On a GPU
//
// With on=cuda tabu, hill, vnd and anneal compile the methods for a GPU, all but Plot and Moves
// (package metalab/kernels/own); the history is the CPU's. Logarithms and powers are those of
// metalab/solvers/arith, which give the same bits everywhere; math.Exp and its like do not. What
// these methods use, at any distance, must be in the subset of Go of metalab/gpu/ptx: no append,
// make only with a constant length, no maps, strings, interfaces and functions of the library
// but those of math that round correctly and math/bits, no slices of slices; products that feed
// sums of float64 stand in float64(…). Fields that no method but Plot uses may be of any type.
// Slices are made in the constructor or in Load, which the CPU calls first, and keep their
// lengths. A variable beside the type must be a table that does not change.
//
// # What is checked
//
// Costs that are no numbers, or whole ones beyond 2^53, and panics end an iteration with an error
// that names the function and its line; see [Fault]. The verb check (lab.CheckProblem) compares, on
// random moves of every neighbourhood, the deltas with Cost, Cost with itself, and the CPU with the
// kernels that are compiled of the methods, which are interpreted where there is no GPU.
package own
