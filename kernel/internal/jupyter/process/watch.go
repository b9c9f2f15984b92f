package process

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Watch returns a channel that is closed when a process of this user has ended. For a parent of
// this process it detects a number that another process has got since.
func Watch(pid int, parent bool) <-chan struct{} {
	done := make(chan struct{})
	// The handle is opened before the look at the parent: when the parent is the one it
	// should be after that, the handle is of it.
	wait, ok := processHandle(pid)
	if parent && os.Getppid() != pid {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		if ok && wait() {
			return
		}
		for {
			if parent {
				if os.Getppid() != pid {
					return
				}
			} else if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	return done
}

// End asks the process behind done to end, and makes it end when it does not.
func End(pid int, done <-chan struct{}) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		select {
		case <-done:
			return
		default:
		}
		_ = syscall.Kill(pid, s)
		select {
		case <-done:
			return
		case <-time.After(2 * time.Second):
		}
	}
}
