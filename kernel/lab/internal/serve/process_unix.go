//go:build linux || darwin

package serve

import (
	"os"
	"os/signal"
	"syscall"
)

// tellWhere writes to the standard error where the process is, whenever it gets SIGUSR1.
func tellWhere() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	go func() {
		for range c {
			_, _ = os.Stderr.WriteString(whereNow())
		}
	}()
}

// usedCPU is the CPU time that the process has used, in ns.
func usedCPU() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

func closeOnExec(fd int) { syscall.CloseOnExec(fd) }
