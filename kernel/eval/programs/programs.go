// Package programs lets the input of a front end start programs: with it the interpreter knows
// packages crypto/sha256, os/exec and syscall. May change: api.txt does not promise it.
package programs

import (
	_ "github.com/goplus/ixgo/pkg/crypto/sha256"
	_ "github.com/goplus/ixgo/pkg/os/exec" // input starts programs
	_ "github.com/goplus/ixgo/pkg/syscall"
)
