package grow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// often is the time between two looks at another session's progress.
const often = 100 * time.Millisecond

// try takes the lock of the program's folder, if nobody has it.
func (c *cached) try() (free func(), ok bool) {
	f, err := os.OpenFile(filepath.Join(c.dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, false
	}
	return func() { f.Close() }, true
}

// lock waits for the lock, and passes the progress of the session that has it to say.
func (c *cached) lock(ctx context.Context, say func(done, total int64)) (free func(), err error) {
	for {
		if free, ok := c.try(); ok {
			return free, nil
		}
		if _, err := os.Stat(c.dir); err != nil {
			return nil, err
		}
		if !c.ahead { // it goes on without, only slower
			_ = os.WriteFile(c.wanted(), nil, 0o600)
		}
		if b, err := os.ReadFile(c.far()); err == nil {
			var done, total int64
			if n, _ := fmt.Sscan(string(b), &done, &total); n == 2 {
				say(done, total)
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(often):
		}
	}
}

// wanted returns the path of a file that a waiting session writes: it needs the program now.
func (c *cached) wanted() string { return filepath.Join(c.dir, "wanted") }

// far returns the path of the file that has the progress, for other sessions.
func (c *cached) far() string { return filepath.Join(c.dir, "far") }
