//go:build linux || darwin

package host

import (
	"syscall"
	"time"
)

// usedCPU is the CPU time of this process and of those of its children that have ended.
func usedCPU() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}
