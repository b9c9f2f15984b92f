// Package kernels is the root of the CUDA sources. arith.h is the arithmetic of
// package solvers/arith for them; each folder below is a family of kernels with its
// compiled images, packed by gzip, and the Go code that launches them.
package kernels
