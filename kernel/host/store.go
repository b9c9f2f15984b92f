package host

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"metalab/kernel/host/internal/lock"
	"metalab/kernel/internal/written"

	"metalab/solvers"
)

// store is the folder of autosaves. Each host has a folder of its own in it, with a lock
// that it holds as long as it lives: a folder whose lock is free is of a host that ended.
//
//	<state>/autosave/<session>-<time>/lock
//	<state>/autosave/<session>-<time>/notebook         the path of the notebook, if it has one
//	<state>/autosave/<session>-<time>/<run>.run        and .run.state beside it
//	<state>/autosave/<session>-<time>/<run>~<n>.run    of a run that was closed
//	<state>/autosave/<session>-<time>/index            what lists show of them; see autosaves.go
type store struct {
	root     string // <state>/autosave
	dir      string // of this host
	notebook string
	lock     *os.File
	nowhere  bool // it keeps nothing
	book     *written.Book

	mu     sync.Mutex
	spared map[string]bool // autosaves of closed runs that had been recovered: discard leaves them
	read   int             // records that were read for a list
	shelf  int64           // bytes of autosaves of closed runs, at most
	number map[string]int  // the last one of closed runs of a name
}

// StaleAfter is the lifetime of autosaves of ended hosts, and closedFor that of closed runs. A host
// keeps the latter only up to mostClosedBytes in total, where each file counts as at least one
// block.
const (
	StaleAfter = 30 * 24 * time.Hour
	closedFor  = 24 * time.Hour
	block      = 4 << 10
)

// mostClosedBytes is a variable for tests.
var mostClosedBytes int64 = 1 << 30

func openStore(state, session, notebook string) (*store, error) {
	s := &store{
		root: filepath.Join(state, "autosave"), notebook: notebook, spared: map[string]bool{},
		book: written.Open(filepath.Join(state, "written")), number: map[string]int{},
	}
	if err := os.MkdirAll(s.root, 0o700); err != nil {
		return nil, StateError(state, err)
	}
	s.prune()
	s.book.Prune()
	// The name is the time in few letters; two hosts of one session never begin at once,
	// but one may follow another within the clock's step.
	for t := time.Now().UnixMilli(); ; t++ {
		s.dir = filepath.Join(s.root, session+"-"+strconv.FormatInt(t, 36))
		err := os.Mkdir(s.dir, 0o700)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, StateError(state, err)
		}
		break
	}
	var err error
	if s.lock, err = hold(s.dir); err != nil {
		return nil, err
	}
	if notebook != "" {
		err = os.WriteFile(filepath.Join(s.dir, "notebook"), []byte(notebook), 0o600)
	}
	return s, err
}

// whole makes the folder again, with its lock, where somebody deleted it or the lock, and reports
// whether it had to. Without a lock other hosts would take it for that of a host that ended.
func (s *store) whole() (remade bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.nowhere {
		return false, nil
	}
	held, err := s.lock.Stat()
	if err != nil {
		return false, err
	}
	if there, err := os.Stat(s.lock.Name()); err == nil && os.SameFile(held, there) {
		return false, nil
	}
	_, err = os.Stat(s.dir)
	remade = errors.Is(err, os.ErrNotExist)
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return remade, fmt.Errorf("folder of autosaves: %w", err)
	}
	fresh, err := hold(s.dir)
	if err != nil {
		return remade, err
	}
	lock.Free(s.lock)
	s.lock = fresh
	if s.notebook != "" {
		err = os.WriteFile(filepath.Join(s.dir, "notebook"), []byte(s.notebook), 0o600)
	}
	return remade, err
}

// nowhere is the store of a host that keeps nothing. Its folder is none that can be there.
func nowhere() *store {
	dir := filepath.Join(os.DevNull, "nowhere")
	return &store{
		root: dir, dir: dir, spared: map[string]bool{}, nowhere: true, book: written.Open(""),
	}
}

// hold takes the lock of a folder. Another host may hold it for a moment to see whether its owner
// is alive.
func hold(dir string) (*os.File, error) {
	for range 200 {
		if f, err := lock.Take(filepath.Join(dir, "lock")); !errors.Is(err, lock.ErrTaken) {
			return f, err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil, fmt.Errorf("host: folder of autosaves %s: %w", dir, lock.ErrTaken)
}

// close frees the folder's lock, and removes the folder if it is empty. discard removes the
// autosaves of closed runs, with spare except of those that had been recovered; those of open runs
// were removed before.
func (s *store) close(discard, spare bool) {
	if s.nowhere {
		return
	}
	if discard {
		for _, path := range records(s.dir) {
			if isClosed(path) && !(spare && s.spared[path]) {
				_ = solvers.Discard(path)
			}
		}
	}
	lock.Free(s.lock)
	removeEmpty(s.dir)
}

// records are the files of autosaves in a folder.
func records(dir string) []string {
	paths, _ := filepath.Glob(filepath.Join(dir, "*.run"))
	return paths
}

// removeEmpty removes a folder without autosaves.
func removeEmpty(dir string) {
	if len(records(dir)) == 0 {
		os.RemoveAll(dir)
	}
}

// dead returns the folders of hosts that ended.
func (s *store) dead() []string {
	dirs, _ := filepath.Glob(filepath.Join(s.root, "*"))
	slices.Sort(dirs)
	return slices.DeleteFunc(dirs, func(dir string) bool {
		if dir == s.dir {
			return true
		}
		return lock.Taken(filepath.Join(dir, "lock"))
	})
}

// prune removes old autosaves of hosts that ended, and empty folders. Damaged ones stay until a
// user drops them.
func (s *store) prune() {
	for _, dir := range s.dead() {
		st, err := os.Stat(dir)
		if err != nil || time.Since(st.ModTime()) < time.Minute && len(records(dir)) == 0 {
			continue // perhaps of a host that is just starting
		}
		old := slices.DeleteFunc(records(dir), func(path string) bool {
			return age(path) < lifetime(path)
		})
		if len(old) > 0 {
			for _, a := range s.list(dir, nil) {
				if slices.Contains(old, a.Path) && a.Damage == "" {
					_ = solvers.Discard(a.Path) // tried again at the next start
				}
			}
		}
		removeEmpty(dir)
	}
}

// age returns the time since the last write to a file.
func age(path string) time.Duration {
	st, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return time.Since(st.ModTime())
}

// lifetime returns how long an autosave is kept.
func lifetime(path string) time.Duration {
	if isClosed(path) {
		return closedFor
	}
	return StaleAfter
}

// moveState puts the state of a record, where it has one, beside another one.
func moveState(from, to string) error {
	err := os.Rename(solvers.StatePath(from), solvers.StatePath(to))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// removeEmptyDead removes the folder of another host that ended when nothing is left in it.
func removeEmptyDead(dir, own string) {
	if dir != own {
		removeEmpty(dir)
	}
}

// closedMark separates the name of a closed run from its number; no run's name contains it.
const closedMark = "~"

func isClosed(path string) bool { return strings.Contains(filepath.Base(path), closedMark) }

// shelve keeps the autosave of a closed run for a while, under another name, and returns those that
// it removed to make room.
func (s *store) shelve(k *keeper, spare bool) (gone []string, err error) {
	if s.nowhere {
		return nil, nil
	}
	path := s.place(k.path, spare)
	if err := moveState(k.path, path); err != nil { // which may wait for a disk
		return nil, err
	}
	if err := os.Rename(k.path, path); err != nil {
		return nil, err
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // its lifetime begins now
	size := sizeOf(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shelf += size; s.shelf > mostClosedBytes {
		gone = s.expire(path)
	}
	return gone, nil
}

// place returns a name for the autosave of a closed run, which no other one gets, and notes whether
// discard leaves it.
func (s *store) place(path string, spare bool) string {
	base := strings.TrimSuffix(path, ".run") + closedMark
	for {
		s.mu.Lock()
		s.number[base]++
		to := base + strconv.Itoa(s.number[base]) + ".run"
		s.spared[to] = spare
		s.mu.Unlock()
		if _, err := os.Lstat(to); err != nil { // mostly: there is none
			return to
		}
	}
}

// mind calls expire from time to time.
func (s *store) mind() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire("")
}

// sizeOf returns the disk space of an autosave.
func sizeOf(path string) (size int64) {
	for _, p := range []string{path, solvers.StatePath(path)} {
		if st, err := os.Stat(p); err == nil {
			size += max(st.Size(), block)
		}
	}
	return size
}

// expire removes autosaves of this host's closed runs that are too old or too large together, the
// oldest first, but not that of the one that was just closed. It returns the names of those that
// made room.
func (s *store) expire(fresh string) (gone []string) {
	type file struct {
		path string
		age  time.Duration
	}
	var files []file
	for _, path := range records(s.dir) {
		if isClosed(path) && path != fresh {
			files = append(files, file{path, age(path)})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.age, b.age) })
	s.shelf = 0
	if fresh != "" {
		s.shelf = sizeOf(fresh)
	}
	for i, f := range files {
		size := sizeOf(f.path)
		latest := i == 0 && fresh == ""
		if f.age <= closedFor && (latest || s.shelf+size <= mostClosedBytes) {
			s.shelf += size
			continue
		}
		_ = solvers.Discard(f.path) // tried again the next time
		if f.age <= closedFor {
			run, _, _ := strings.Cut(filepath.Base(f.path), closedMark)
			gone = append(gone, run)
		}
	}
	return gone
}
