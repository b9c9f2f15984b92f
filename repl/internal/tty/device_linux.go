package tty

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// waitRead waits until the terminal or the pipe can be read, or the time d is over (never, if it is
// negative), and tells which of them can be read. The error says that the terminal has gone.
func waitRead(fd, pipe int, d time.Duration) (readable, woken bool, err error) {
	ms := -1
	if d >= 0 {
		ms = int((d + time.Millisecond - 1) / time.Millisecond)
	}
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(pipe), Events: unix.POLLIN}}
	if _, err := unix.Poll(fds, ms); err != nil {
		if errors.Is(err, unix.EINTR) {
			return false, false, nil
		}
		return false, false, err
	}
	if fds[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0 {
		return false, false, io.ErrUnexpectedEOF
	}
	return fds[0].Revents != 0, fds[1].Revents != 0, nil
}
