// Package own runs the scans of tabu search, hill climbing and variable neighbourhood descent, and
// the moves of simulated annealing, on users' problems (metalab/solvers/own) on a GPU. The
// problem's Go becomes the kernel: package own extracts its methods from the source, appends them
// to the scans of package walks, and compiles both by metalab/gpu/ptx, without nvcc. Results are
// those of the CPU, bit for bit. A cache holds compiled texts, and a GPU loads the kernels of a
// text once, as long as some run is open there.
//
// # One scan
//
// A block is a walk, and its threads share the neighbours; one of them applies the move, and all of
// them call SwappedRow, if the problem has it. A launch runs all scans of an iteration in one
// neighbourhood; a descent has launches for each neighbourhood in which there are walks.
// Alternatively several blocks evaluate the moves of a walk, and another launch applies the best
// one, which suits few walks with many neighbours, but not the selection of the first better move.
// The tuner of package metalab/solvers/wave tries both; the parameter wave says how many threads a
// walk has, and block those of a block.
//
// # Annealing
//
// Here too a block is a walk. The moves of a walk are sequential, but their draws are known
// beforehand: each thread evaluates one of the next moves, the first accepted one is applied, and
// those behind it are evaluated again. A block has as many threads as there were recent evaluations
// per applied move, 32 to 256. An iteration of many moves takes several launches, and can be
// abandoned between them.
//
// # Real numbers
//
// Each scan, or each move of annealing, draws new neighbours of real numbers from its number, the
// walk's and the move's. Each thread draws its own, into a private solution, and the thread that
// applies the move, or checks whether tabu search has been in the cube where it ends, draws the
// same again.
//
// # Fields of the problem's type
//
// The compiler reports which slices the methods write. All walks share slices that none of them
// writes. Each walk has its own copy of slices that Apply, Load, Move and Cost write, and of fields
// that are no slices; Load on the CPU fills it when a walk gets a solution. Each thread has its own
// copy of what an evaluation writes, such as a Delta that stores data for the next one: such a
// thread evaluates consecutive moves. Fields that no such method uses may be of any type. Slices
// have the lengths from the constructor and Load.
//
// # Errors
//
// Code that cannot be compiled is a [metalab/solvers/own.Fault] with line and column and what to
// write instead; a neighbourhood that cannot be compiled, when it is first used. A thread that
// fails is one as well, and a thread that goes on for Budget iterations of loops: the walks are
// then as they were before the iteration.
//
// # Comparing
//
// [Compare] evaluates single moves on the CPU and by kernels, on a GPU or in an interpreter, and
// names the first that differs: the verb check, and lab.CheckProblem, do it.
//
// # Adding to it
//
// A [Machine] is what kernels run on: OpenGPU, or an interpreter. text.go and calls.go write the
// part of a kernel that calls the problem's methods, in the order in which metalab/solvers/moves
// calls them.
package own
