// Package ptx compiles kernels written in a subset of Go to PTX, the portable assembler of NVIDIA's
// GPUs, which the driver turns into code for the GPU at hand. It needs neither nvcc nor NVRTC nor a
// CUDA toolkit. May change: api.txt does not promise its declarations.
//
//	m, err := ptx.Compile("scan.go", text, ptx.Options{})
//	m.PTX          // for gpu.Device.Module
//	m.Explain(w)   // "scan.go:12:7: index out of range (thread 77)"
//
// A kernel is an exported function without results whose first parameter is a cuda.T (package
// metalab/gpu/cuda). The same text, compiled by Go, is its twin on the CPU: both give the same
// bits. Package metalab/gpu/launch uploads the arguments, launches, and turns the error word into
// an error.
//
// # The subset
//
// Allowed: bool, all integers, float32, float64, structures, arrays of fixed length, slices of
// these, x[lo:hi], methods, also with pointer receivers, generics, function values and closures
// that are known at compile time, make with a constant length, min, max, those functions of
// math/bits that count, find, turn round, reverse and rotate bits or add, subtract and multiply
// with carries (not Div, Rem and the tables), those of math that round correctly (Sqrt, Abs, Floor,
// FMA and such), panic, tables of constants that the package declares as variables, and the
// functions of imported packages whose sources Options.Source gives.
//
// Refused, with line and column and what to write instead: maps, strings, append, channels,
// interfaces, recursion, defer, go, package variables that change, pointers or functions chosen by
// control flow, slices stored in memory, and a product that feeds a sum without a conversion around
// it, because Go fuses the two on some processors and not on others.
//
// # Errors at run time
//
// An index out of range, a division by zero, a negative shift count and a panic end the thread. The
// thread stores its number and the place in the error word, which keeps the lowest number, and the
// results of the launch are void. Options.Unchecked omits the checks. Options.Bounded gives every
// thread a budget of loop iterations, which stops an endless kernel.
//
// # The parameters of a kernel
//
// They are the function's parameters, flattened: a slice becomes its address and its length, a
// structure its fields. Then follow, with Options.Bounded, the budget (u64), and the address of the
// error word (u64), which holds [NoError] before the launch. Arrays that a kernel writes must not
// overlap other arguments (Kernel.Params says which they are): the compiler assumes that all others
// never change.
//
// # How it works
//
// The text becomes SSA (golang.org/x/tools/go/ssa). Lowering inlines every call and produces
// registers and blocks (lower.go). These become SSA again (ssa.go). Value numbering covers values,
// loads of read-only arrays and checks, over the dominator tree (number.go, bounds.go); loops with
// few known iterations are unrolled (unroll.go); invariants leave their loops (loops.go); and the
// checks of a block are merged before its loads (merge.go). print.go writes the text. A failing
// thread reports the first failing check, as without optimisation.
//
// # What it does not do
//
// It ignores capacities: x[lo:hi] beyond the length is an error, where Go allows up to the
// capacity. It inlines all calls, up to 50,000 instructions per kernel. A loop whose checks depend
// on its loads does not overlap its iterations as it does unchecked, which costs time if few warps
// run.
//
// The package imports nothing of metalab.
package ptx
