// Package arith is the arithmetic that decides results: random draws, logarithms, exponentials and
// hashes whose value is the same on every machine. May change: no declaration is promised, but the
// values stay, for records depend on them.
//
// The standard library's math.Exp, math.Log and math.Pow may differ in the last bit from one
// processor to the next, and a sum of floating-point numbers depends on its order. A replay on
// another machine, or on a GPU, needs the same bits. All functions here use only operations that
// IEEE 754 rounds correctly (+, -, *, /, sqrt), in a fixed order. An explicit conversion rounds
// every product that feeds an addition, so that no compiler fuses the two.
//
// # Words
//
//   - A draw is a random word of 32 bits. [Philox4x32] computes it from a key, which is the seed,
//     and a counter, which identifies the draw: usually iteration, agent and position. So any core
//     can compute any draw without those before it. A [Stream] numbers the draws of one agent in
//     one iteration; its purpose keeps it apart from other streams.
//   - Unit32, Unit64 and Below map a draw to a number: to [0, 1), to (0, 1), to [0, n).
//   - A race of exponential clocks chooses a slot in proportion to its weight: each slot has an
//     exponential variate ([Expo32], or [Clock32], which is quicker) over its weight, and the
//     smallest one wins. [RaceKey] packs variate and slot into an integer.
//   - A digest is a hash for comparing two runs: [HashPerm] hashes a permutation, [Chain] combines
//     hashes in order.
//
// # Adding a function
//
// Device code has the same functions in kernels/arith.h. A test compiles that header with gcc and
// compares it with this package bit for bit. Add a function that kernels need to both, and to that
// test. State its error bound in its comment, with the test of the bound. CI searches this
// package's machine code for fused products.
//
// The package imports nothing of metalab.
package arith
