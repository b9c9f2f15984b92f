//go:build linux || darwin

package serve

import "syscall"

// usedCPU is the CPU time that the process has used, in ns.
func usedCPU() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

func closeOnExec(fd int) { syscall.CloseOnExec(fd) }
