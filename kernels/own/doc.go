// Package own makes the scans of tabu search, hill climbing and variable neighbourhood descent, and
// the moves of simulated annealing, on problems of somebody's own (metalab/solvers/own) on a GPU.
// The problem's Go becomes the kernel: its methods are taken out
// of its source, put behind the scans of package walks, and compiled by metalab/gpu/ptx, without
// nvcc. Results are those of the CPU, bit for bit. Texts that were compiled are kept,
// and a GPU has the kernels of a text once, as long as some run is open there.
//
// # One scan
//
// A block is a walk, and its threads share the neighbours; one of them makes the move, and all of
// them call SwappedRow, where the problem has it. A launch
// makes all scans of an iteration in one neighbourhood; a descent, launches for each in which walks
// are. Or several blocks look at the moves of a walk, and another launch makes the best one, which
// suits few walks with many neighbours; not where the first better move is made. The tuner of
// package metalab/solvers/wave tries both; the parameter wave says how many threads a walk has, and
// block those of a block.
//
// # Annealing
//
// A block is a walk there, too. The moves of a walk follow one another, but which ones are drawn is
// known beforehand: each thread looks at one of the next moves, the first that is accepted is made,
// and those behind it are looked at again. A block has as many threads as lately went by for one
// that was made, 32 to 256. An iteration of many moves takes several launches, and can be given up
// between them.
//
// # Real numbers
//
// Neighbours of real numbers are drawn anew for each scan, or for each move of annealing, from its
// number, the walk's and the move's: each thread draws its own, into a solution that it has for
// itself, and whoever makes the move, or looks whether tabu search has been in the cube where it
// ends, draws the same again.
//
// # Fields of the problem's type
//
// The compiler says which slices the methods write. What none of them writes all walks share. What
// Apply, Load, Move and Cost write, and what is no slice, each walk has for itself; it is made by
// Load on the CPU when a walk gets a solution. What an evaluation writes, as a Delta that keeps
// what the next can use, each thread has for itself: there a thread takes moves that follow one
// another. Fields that no such method uses may be of any type. Slices are as long as the
// constructor and Load have made them.
//
// # Errors
//
// What cannot be compiled is a [metalab/solvers/own.Fault] with line and column and what to write
// instead; a neighbourhood that cannot be compiled, when it is first used. A thread that fails is
// one as well, and a thread that goes on for Budget iterations of loops: the walks are then as they
// were before the iteration.
//
// # Comparing
//
// [Compare] evaluates single moves on the CPU and by kernels, on a GPU or in an interpreter, and
// names the first that differs: the verb check, and lab.CheckProblem, do it.
//
// # Adding to it
//
// A [Machine] is what kernels run on: OpenGPU, or an interpreter. text.go and calls.go
// write the part of a kernel that calls the problem's methods, in the order in which
// metalab/solvers/moves calls them.
package own
