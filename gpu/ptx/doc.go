// Package ptx compiles kernels written in a subset of Go to PTX, the portable assembler of
// NVIDIA's GPUs, which the driver turns into code for the GPU at hand. Neither nvcc nor NVRTC nor
// a CUDA toolkit is needed.
//
//	m, err := ptx.Compile("scan.go", text, ptx.Options{})
//	m.PTX          // for gpu.Device.Module
//	m.Explain(w)   // "scan.go:12:7: index out of range (thread 77)"
//
// A kernel is an exported function whose first parameter is a cuda.T (package metalab/gpu/cuda)
// and that returns nothing. The same text, compiled by Go, is its twin: both give the same bits.
// Package metalab/gpu/launch uploads the arguments, launches, and turns the error word into an
// error.
//
// # The subset
//
// Taken: bool, all integers, float32, float64, structures, arrays of fixed length, slices of
// these, x[lo:hi], methods, also with pointer receivers, generics, function values and closures
// that are known when compiling, make with a constant length, min, max, math/bits, of math what
// rounds correctly (Sqrt, Abs, Floor, FMA and such), panic, tables of constants that the package
// declares as variables, and the functions of imported packages whose sources Options.Source
// gives.
//
// Refused, with line and column and what to write instead: maps, strings, append, channels,
// interfaces, recursion, defer, go, package variables that change, pointers or functions chosen by
// control flow, slices stored in memory, and a product that feeds a sum without a conversion
// around it, because Go fuses the two on some processors and not on others.
//
// # Errors at run time
//
// An index out of range, a division by zero, a negative shift count and a panic end the thread.
// The thread leaves its number and the place in the error word, of which the lowest number stays,
// and what the launch wrote is void. Options.Unchecked leaves the checks out, and Options.Bounded
// gives every thread a budget of loop iterations, so that a kernel that never ends is given up.
//
// # The parameters of a kernel
//
// They are the function's own, flattened: a slice is its address and its length, a structure its
// fields. After them come, with Options.Bounded, the budget (u64), and the address of the error
// word (u64), which holds [NoError] before the launch. Arrays that a kernel writes must not
// overlap other arguments (Kernel.Params says which they are): the others are read as what does
// not change.
//
// # How it works
//
// The text becomes SSA (golang.org/x/tools/go/ssa); lowering inlines every call and makes registers
// and blocks of it (lower.go); these become SSA again (ssa.go), so that values, loads of arrays
// that are not written and checks are numbered over the dominator tree (number.go, bounds.go),
// loops of few known iterations are written out (unroll.go), what a loop does not change leaves it
// (loops.go), and the checks of a block are made together, before its loads (merge.go). print.go
// writes the text. A thread that fails says the first check that fails, as without all that.
//
// # What it does not do
//
// Capacities are not kept: x[lo:hi] beyond the length is an error, where Go goes on up to the
// capacity. Calls are always inlined, 50,000 instructions a kernel at most. A loop whose checks
// depend on what it loads does not overlap its iterations as it does unchecked, which shows where
// few warps run.
//
// The package imports nothing of metalab.
package ptx
