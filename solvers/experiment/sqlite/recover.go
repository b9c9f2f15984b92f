package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"metalab/solvers/experiment"
)

// A Recovery says what Recover has saved.
type Recovery struct {
	Path  string // of the new store, where the damaged file was
	Aside string // where the damaged file is now, with its log beside it

	Pages, Bad  int // of the damaged file, and those of them that cannot be read
	Experiments []Recovered
	Lost        int // units whose experiment is unknown
}

// A Recovered is an experiment that was saved.
type Recovered struct {
	Name      string
	Units     int   // that were saved
	Results   int   // of them that are done or failed
	Traces    int   // of these that have the whole course of their best values
	Solutions int   // of these that have their best solution
	Lost      []int // numbers of units that are lost
	Again     []int // numbers of units whose result is lost: they wait
}

// ErrWhole is wrapped by the error of Recover about a file that is not damaged.
var ErrWhole = errors.New("it is not damaged")

// ErrNothing is wrapped by the error of Recover about a file in which it finds no unit.
var ErrNothing = errors.New("no unit can be read")

// Recover copies the readable part of a damaged file into a new store in its place: row by row,
// from all intact pages, whatever else is damaged. The damaged file stays beside it, with the time
// in its name. With empty Recover reads nothing, and the new store is empty. After an error nothing
// has changed; the error wraps experiment.ErrTaken if a process is running an experiment.
//
// Recover copies a unit with its setting and instance, if its key is theirs. It ignores a partly
// overwritten result, so the unit waits, and a trace with holes.
func Recover(ctx context.Context, path string, empty bool) (r *Recovery, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	for i, end := range ends[:2] {
		n, err := sizeOf(abs + end)
		if err != nil {
			return nil, fmt.Errorf("experiments: %w", err)
		}
		if n > 0 {
			break
		}
		if i == 1 {
			return nil, fmt.Errorf("experiments: %s: there is nothing in it: %w", abs, ErrWhole)
		}
	}
	free, err := alone(abs)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, free()) }()
	switch s, err := Open(abs); {
	case err == nil:
		err = s.Check(ctx)
		if err == nil {
			err = s.read1(ctx)
		}
		_ = s.Close() // it has written nothing
		if err == nil {
			return nil, fmt.Errorf("experiments: %s: %w", abs, ErrWhole)
		}
		if !damaged(err) {
			return nil, err
		}
	case !damaged(err):
		return nil, err
	}
	part := fmt.Sprintf("%s.part-%d", abs, os.Getpid())
	remove := func() {
		for _, end := range ends {
			_ = os.Remove(part + end)
		}
	}
	remove() // what a process of the same number has left, that was killed
	defer remove()
	if r, err = salvage(ctx, abs, part, empty); err != nil {
		return nil, fmt.Errorf("experiments: recover %s: %w (nothing was changed)", abs, err)
	}
	r.Path, r.Aside = abs, beside(abs, "damaged-"+time.Now().UTC().Format("20060102T150405Z"))
	if err := swap(abs, part, r.Aside); err != nil {
		return nil, fmt.Errorf("experiments: recover %s: %w", abs, err)
	}
	return r, nil
}

// ends are those of the names of a file and of what SQLite keeps beside it.
var ends = []string{"", "-wal", "-shm"}

// read1 reads all rows once: rows of what no program has written are damage, too.
func (s *Store) read1(ctx context.Context) error {
	all, err := s.Experiments(ctx)
	if err != nil {
		return err
	}
	for _, i := range all {
		for _, err := range s.Rows(ctx, i.Name) {
			if err != nil {
				return err
			}
		}
		for _, err := range s.Solutions(ctx, i.Name) {
			if err != nil {
				return err
			}
		}
		if _, err := s.Journal(ctx, i.Name); err != nil {
			return err
		}
	}
	return nil
}

// alone takes the locks of all experiments that were ever made, and one for recovering, so that no
// other process writes meanwhile. free gives them back.
func alone(path string) (free func() error, err error) {
	locks := []string{path + "-recover.lock"}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("experiments: recover %s: %w", path, err)
	}
	for _, n := range names {
		p := filepath.Join(filepath.Dir(path), n.Name())
		if strings.HasPrefix(p, path+"-") && strings.HasSuffix(p, ".lock") && p != locks[0] {
			locks = append(locks, p)
		}
	}
	var held []*os.File
	free = func() error {
		var errs []error
		for _, f := range held {
			errs = append(errs, syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
		}
		return errors.Join(errs...)
	}
	for _, p := range locks {
		f, err := os.OpenFile(p, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("experiments: recover %s: %w", path, err), free())
		}
		held = append(held, f)
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EWOULDBLOCK):
			who := make([]byte, 32)
			n, _ := f.Read(who)
			return nil, errors.Join(fmt.Errorf("experiments: recover %s: an experiment of it is being made "+
				"(%s): %w", path, strings.TrimSpace(string(who[:n])), experiment.ErrTaken), free())
		case err != nil:
			return nil, errors.Join(fmt.Errorf("experiments: recover %s: lock %s: %w", path, p, err),
				free())
		}
	}
	return free, nil
}

// salvage writes what can be read of the file at path into a new store at part.
func salvage(ctx context.Context, path, part string, empty bool) (*Recovery, error) {
	s, err := Open(part)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r := &Recovery{}
	if !empty {
		w, err := newSaver(ctx, s)
		if err != nil {
			return nil, err
		}
		if err := w.all(path, r); err != nil {
			return nil, errors.Join(err, w.tx.Rollback())
		}
		if err := w.tx.Commit(); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(r.Experiments, func(x Recovered) bool { return x.Units > 0 }) {
			return nil, ErrNothing
		}
		if err := errors.Join(s.Check(ctx), s.read1(ctx)); err != nil {
			return nil, err
		}
	}
	if _, err := s.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	if n, err := sizeOf(part + "-wal"); err != nil || n > 0 {
		return nil, errors.Join(err, fmt.Errorf("the log of %s is not written into it", part))
	}
	return r, onDisk(part)
}

// swap puts the file at aside, and part in its place. At each moment all that the damaged file
// had is there, under the one name or the other; its log is not beside the new file.
func swap(path, part, aside string) error {
	moved := map[string]string{}
	undo := func(err error) error {
		for from, to := range moved {
			err = errors.Join(err, os.Rename(to, from))
		}
		return err
	}
	linked := os.Link(path, aside) == nil
	for _, end := range ends[1:] {
		switch err := os.Rename(path+end, aside+end); {
		case err == nil:
			moved[path+end] = aside + end
		case !errors.Is(err, os.ErrNotExist):
			if linked {
				_ = os.Remove(aside)
			}
			return undo(err)
		}
	}
	if !linked { // a file system without links, or only the log was there
		switch err := os.Rename(path, aside); {
		case err == nil:
			moved[path] = aside
		case !errors.Is(err, os.ErrNotExist):
			return undo(err)
		}
	}
	if err := os.Rename(part, path); err != nil {
		if linked {
			_ = os.Remove(aside)
		}
		return undo(err)
	}
	return onDisk(filepath.Dir(path))
}
