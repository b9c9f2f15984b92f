package process

import (
	"errors"

	"golang.org/x/sys/unix"
)

// processHandle opens a handle of a process, which reports its end at once; ok is false on systems
// before Linux 5.3. wait reports whether it could wait for the end.
func processHandle(pid int) (wait func() bool, ok bool) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, false
	}
	return func() bool {
		defer unix.Close(fd)
		for {
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1)
			if err != nil && !errors.Is(err, unix.EINTR) {
				return false
			}
			if n > 0 {
				return true
			}
		}
	}, true
}
