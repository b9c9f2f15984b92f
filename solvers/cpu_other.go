//go:build !linux

package solvers

import "time"

var processStart = time.Now()

// threadCPU stands in with wall time where the system does not tell a thread's CPU
// time in a way that Go reaches without cgo.
func threadCPU() time.Duration { return time.Since(processStart) }
