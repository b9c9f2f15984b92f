// Package examples holds kernels for the compiler's tests: their text is compiled to PTX, and the
// same functions run here as the twins.
package examples

import _ "embed"

// The texts of the kernels.
var (
	//go:embed kernels.go
	Kernels string // those that are timed beside CUDA C
	//go:embed corners.go
	Corner string // arithmetic
	//go:embed warps.go
	Warp string // warps, shared arrays and tables
)
