//go:build !linux && !darwin

package serve

// A page has no other processes, so it serves nothing.

func usedCPU() int64 { return 0 }

func closeOnExec(int) {}

func tellWhere() {}
