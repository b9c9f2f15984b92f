package solvers

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadCPU is the CPU time that the calling OS thread has used.
func threadCPU() time.Duration { return clockOf(unix.CLOCK_THREAD_CPUTIME_ID) }

// processCPU is the CPU time that all threads of the process have used, those that have ended too.
func processCPU() time.Duration { return clockOf(unix.CLOCK_PROCESS_CPUTIME_ID) }

// thread is the number of the calling OS thread.
func thread() int { return unix.Gettid() }

// cpuOfThread is threadCPU for a thread of this process; 0 where it has ended.
func cpuOfThread(id int) time.Duration {
	return clockOf(int32(^id<<3 | 6)) // as pthread_getcpuclockid makes the number of a thread's clock
}

func clockOf(id int32) time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(id, &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
