//go:build !js

package lock

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Take locks the file at path for this process; ErrTaken when another has it. The system frees
// the lock however the process ends. The process that frees a lock may remove its file, so the
// locked file must still be the one at path.
func Take(path string) (*os.File, error) {
	for range 100 {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, ErrTaken
			}
			return nil, fmt.Errorf("host: lock %s: %w", path, err)
		}
		mine, err1 := f.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close()
	}
	return nil, fmt.Errorf("host: lock %s: it is taken and freed all the time", path)
}

// Free frees a lock. Closing the file is not enough: a process that another goroutine starts at
// this moment has a copy of it until it executes its program.
func Free(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	f.Close()
}

// Taken reports whether a process has the lock at path. Hosts may ask at the same moment: the
// lock that this takes to find out is shared.
func Taken(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	defer Free(f)
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}
