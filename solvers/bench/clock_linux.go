package bench

import "golang.org/x/sys/unix"

// processCPU is the CPU time of the process in seconds.
func processCPU() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
}
