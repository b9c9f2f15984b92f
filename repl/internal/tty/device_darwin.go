package tty

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// waitRead waits until the terminal or the pipe can be read, or the time d is over (never, if it is
// negative), and tells which of them can be read. The error says that the terminal has gone. It
// uses select, since poll on this system refuses terminals.
func waitRead(fd, pipe int, d time.Duration) (readable, woken bool, err error) {
	var limit *unix.Timeval
	if d >= 0 {
		t := unix.NsecToTimeval(int64(d))
		limit = &t
	}
	var set unix.FdSet
	set.Set(fd)
	set.Set(pipe)
	if _, err := unix.Select(max(fd, pipe)+1, &set, nil, nil, limit); err != nil {
		if errors.Is(err, unix.EINTR) {
			return false, false, nil
		}
		return false, false, err
	}
	return set.IsSet(fd), set.IsSet(pipe), nil
}
