package sqlite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"metalab/solvers/experiment"
)

// A lock says that a process makes an experiment. The system frees it when the process ends.
type lock struct{ f *os.File }

// lock takes the lock of an experiment.
func (s *Store) lock(name string) (*lock, error) {
	path := s.lockPath(name)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("experiment %s: %w", name, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		who := make([]byte, 32)
		n, _ := f.Read(who)
		f.Close()
		return nil, fmt.Errorf("experiment %s: %w (%s)", name, experiment.ErrTaken,
			strings.TrimSpace(string(who[:n])))
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("experiment %s: lock %s: %w", name, path, err)
	}
	if err := f.Truncate(0); err == nil { // for people: the lock holds without it
		_, _ = fmt.Fprintf(f, "process %d\n", os.Getpid())
	}
	return &lock{f}, nil
}

// Taken reports whether a process makes an experiment now.
func (s *Store) Taken(name string) bool {
	f, err := os.Open(s.lockPath(name))
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB),
		syscall.EWOULDBLOCK)
}

// lockPath is the path of an experiment's lock: the name itself may hold what no file name does.
func (s *Store) lockPath(name string) string {
	return fmt.Sprintf("%s-%.8x.lock", s.path, sha256.Sum256([]byte(name)))
}

// free gives the lock back. Closing the file is not enough: a process that another goroutine starts
// at this moment has a copy of it until it executes its program.
func (l *lock) free() error {
	return errors.Join(syscall.Flock(int(l.f.Fd()), syscall.LOCK_UN), l.f.Close())
}
