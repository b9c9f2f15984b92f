// Package machine runs PTX on the CPU: the part of it that metalab/gpu/ptx writes. So what the
// compiler makes is run against the Go it was made of where there is no GPU. It is slow, and made
// for tests.
//
// It is strict where a GPU is not: a register that was not set, an operand of the wrong class, an
// access outside of an array, a store into a table, a load through the read-only cache of what the
// kernel has written, and threads that wait for those that never come are errors. Shared and local
// memory hold a pattern at first.
//
// Threads run one after the other, up to where they wait for others; a launch has one outcome.
package machine
