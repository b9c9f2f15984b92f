// Package arith is the arithmetic that decides results: random draws, logarithms,
// exponentials and hashes whose value is the same on every machine.
//
// The standard library's math.Exp, math.Log and math.Pow may differ in the last bit from one
// processor to the next, and a sum of floating-point numbers depends on its order. A search that
// is replayed on another machine, or compared with the same search on a GPU, needs the same bits.
// Everything here is made of operations that IEEE 754 rounds correctly (+, -, *, /, sqrt), in a
// fixed order. Every product that feeds an addition is rounded by an explicit conversion, so that
// no compiler fuses the two.
//
// # Words
//
//   - A draw is a random word of 32 bits. [Philox4x32] makes it from a key, which is the seed,
//     and a counter, which names the draw: usually iteration, agent and position. So any draw can
//     be made without those before it, on any core. A [Stream] numbers the draws of one agent in
//     one iteration; its purpose keeps it apart from other streams.
//   - Unit32, Unit64 and Below map a draw to a number: to [0, 1), to (0, 1), to [0, n).
//   - A race of exponential clocks chooses a slot in proportion to its weight: each slot has an
//     exponential variate ([Expo32], or [Clock32], which is quicker) over its weight, and the
//     smallest one wins. [RaceKey] packs variate and slot into an integer.
//   - A digest is a hash that two runs are compared by: [HashPerm] of a permutation, [Chain] of
//     one after the other.
//
// # Adding a function
//
// Device code has the same functions in kernels/arith.h, and a test compiles that header with gcc
// and compares it with this package bit for bit. A function that kernels need goes into both, and
// into that test; CI looks for fused products in this package's machine code. Its error bound
// stands in its comment, with the test that holds it.
//
// The package imports nothing of metalab.
package arith
