// Package arith is the arithmetic that decides results: random draws, logarithms,
// exponentials and hashes whose value is the same on every machine.
//
// The standard library's math.Exp, math.Log and math.Pow may differ in the last
// bit from one processor to the next (a compiler may fuse a product and a sum, and
// some processors have their own versions), and a sum of floating-point numbers
// depends on its order. A search that is replayed on another machine, or beside its
// CUDA twin, cannot live with that. Everything here is made of operations that
// IEEE 754 rounds correctly (+, -, *, /, sqrt), in an order that is fixed, with
// every product that feeds an addition rounded by an explicit conversion so that no
// compiler fuses them.
//
// The package imports nothing of metalab.
package arith
