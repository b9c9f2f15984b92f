// Package walks is what the kernels of problems of somebody's own have in common: scans of walks,
// a block a walk, in the subset of Go that metalab/gpu/ptx compiles. Package metalab/kernels/own
// writes the part of a kernel that calls the problem's methods, and compiles both; the results are
// those of metalab/solvers/moves, bit for bit.
package walks

import "embed"

// Files is the source of this package, for the compiler.
//
//go:embed scan.go memory.go rank.go anneal.go real.go
var Files embed.FS
