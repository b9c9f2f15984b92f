package arith

import "embed"

// Files is the source of what kernels in Go use of this package.
//
//go:embed exp.go pair.go philox.go race.go
var Files embed.FS
