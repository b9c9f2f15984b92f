//go:build !linux

package solvers

import "time"

var processStart = time.Now()

// threadCPU stands in with wall time where the system does not tell a thread's CPU
// time in a way that Go reaches without cgo.
func threadCPU() time.Duration { return time.Since(processStart) }

// Without the threads' CPU time there is nothing to take from that of the process.
func processCPU() time.Duration { return 0 }

func thread() int { return noThread }

func cpuOfThread(int) time.Duration { return 0 }
