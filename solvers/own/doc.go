// Package own holds problems that users write: a form of solutions and a type with the method Cost.
// The neighbourhood searches of package metalab/solvers/moves run on them as on any instance. May
// change: api.txt does not promise its declarations.
//
//	p, err := own.New("knapsack", form, func() any { return &Knapsack{…} })
//	run, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: p})
//
// A user's own solver can search on them too, in the same process: see Declare, and Problem.Own, of
// package metalab/kernel/lab.
//
// # The methods
//
// Each value of the type serves one goroutine at a time, and one solution after the other, so its
// fields may hold data of a solution, or scratch memory. V is int64 or float64. Only Cost is
// required. It also replaces missing methods, at the price of a whole evaluation per neighbour.
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
// Load and Apply maintain the data that the deltas use. The search calls Load with every new
// solution, and after every move that has no Apply (for a swap of a permutation: no ApplySwap or
// SwappedRow). It calls SwappedRow after ApplySwap for each k from 0 to n-1, on a GPU from many
// threads at once: a call may write only elements that no other k writes, and read none that
// another k writes. So all threads together maintain a table by which swaps are evaluated; the
// example has one for the quadratic assignment problem. ApplySwap can compute what all parts of a
// swap need. If V is float64 and there is a Load, the search calls Load in place of these: rounded
// sums would depend on the order of the moves, which differs between goroutines, and after a run
// was loaded. The methods must neither change nor keep the solutions that they receive.
//
// # A neighbourhood of one's own
//
// A type with Moves and Move has the neighbourhood own beside those of its form. Moves must always
// return the same number. Tabu search forbids the number of a move for a time, so the inverse of a
// move should have the same number, or not exist. The search calls Load after each of these moves.
//
// # On a GPU
//
// With on=cuda tabu, hill, vnd and anneal compile the methods for a GPU, all but Plot and Moves
// (package metalab/kernels/own); the history is the CPU's. Logarithms and powers are those of
// metalab/solvers/arith, which give the same bits everywhere; math.Exp and its like do not. All
// code that these methods use, directly or not, must be in the subset of Go of metalab/gpu/ptx: no
// append, make only with a constant length, no maps, strings, interfaces and functions of the
// library but those of math that round correctly and math/bits, no slices of slices; products that
// feed sums of float64 stand in float64(…). Fields that no method but Plot uses may be of any type.
// Allocate slices in the constructor: a Load that makes them is refused there, unless the type has
// Apply (ApplySwap, for a permutation) and the CPU alone calls Load; they keep their lengths. A
// variable beside the type must be a table that does not change.
//
// # What is checked
//
// A cost that is no number, a whole cost beyond 2^53, and a panic end the iteration with an error
// that names the function and its line; see [Fault]. The verb check (lab.CheckProblem) compares, on
// random moves of every neighbourhood, the deltas with Cost, Cost with itself, and the CPU with the
// kernels compiled from the methods, which an interpreter runs if there is no GPU.
package own
