package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// store is the folder of autosaves. Each host has a folder of its own in it, with a lock
// that it holds as long as it lives: a folder whose lock is free is of a host that ended.
//
//	<state>/autosave/<session>-<time>/lock
//	<state>/autosave/<session>-<time>/<run>.run        and .run.state beside it
type store struct {
	root string // <state>/autosave
	dir  string // of this host
	lock *os.File

	mu    sync.Mutex
	taken []string // autosaves that were recovered: dropped when their runs are autosaved anew
}

// staleAfter is how long autosaves of hosts that ended are kept.
const staleAfter = 30 * 24 * time.Hour

func openStore(state, session string) (*store, error) {
	s := &store{root: filepath.Join(state, "autosave")}
	if err := os.MkdirAll(s.root, 0o700); err != nil {
		return nil, fmt.Errorf("host: folder of autosaves: %w (set %s to a folder that you may write to)", err, EnvState)
	}
	s.prune()
	// The name is the time in few letters; two hosts of one session never begin at once,
	// but one may follow another within the clock's step.
	for t := time.Now().UnixMilli(); ; t++ {
		s.dir = filepath.Join(s.root, session+"-"+strconv.FormatInt(t, 36))
		err := os.Mkdir(s.dir, 0o700)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("host: folder of autosaves: %w", err)
		}
		break
	}
	// Another host that looks who is alive may hold the lock for a moment.
	for range 200 {
		var err error
		if s.lock, err = takeLock(filepath.Join(s.dir, "lock")); !errors.Is(err, ErrTaken) {
			return s, err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil, fmt.Errorf("host: folder of autosaves %s: its lock is taken", s.dir)
}

// close lets go of the folder, and removes it when nothing is in it.
func (s *store) close() {
	s.mu.Lock()
	taken := s.taken
	s.taken = nil
	s.mu.Unlock()
	for _, path := range taken {
		_ = solvers.Discard(path) // it was loaded, and is saved again
	}
	s.lock.Close()
	if left, _ := filepath.Glob(filepath.Join(s.dir, "*.run")); len(left) == 0 {
		os.RemoveAll(s.dir)
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
		f, err := takeLock(filepath.Join(dir, "lock"))
		if err == nil {
			f.Close()
		}
		return err != nil
	})
}

// prune removes folders of ended hosts that are empty or old.
func (s *store) prune() {
	for _, dir := range s.dead() {
		left, _ := filepath.Glob(filepath.Join(dir, "*.run"))
		st, err := os.Stat(dir)
		if err == nil && time.Since(st.ModTime()) < time.Minute && len(left) == 0 {
			continue // perhaps of a host that is just starting
		}
		if err == nil && (len(left) == 0 || time.Since(st.ModTime()) > staleAfter) {
			os.RemoveAll(dir)
		}
	}
}

// orphans lists the autosaves of hosts that ended, the latest first. Files that cannot be
// read, as of a host that was killed before the first line, are left out.
func (s *store) orphans() []wire.Autosave {
	var out []wire.Autosave
	s.mu.Lock()
	taken := slices.Clone(s.taken)
	s.mu.Unlock()
	for _, dir := range s.dead() {
		files, _ := filepath.Glob(filepath.Join(dir, "*.run"))
		for _, path := range files {
			rec, err := record.ReadFile(path)
			st, serr := os.Stat(path)
			if err != nil || serr != nil || rec.End == 0 && rec.Seeds() == 0 || slices.Contains(taken, path) {
				continue
			}
			run := strings.TrimSuffix(filepath.Base(path), ".run")
			base := filepath.Base(dir)
			session := base
			if i := strings.LastIndexByte(base, '-'); i > 0 {
				session = base[:i]
			}
			best := nan
			if n := len(rec.Points); n > 0 {
				best = wire.Num(rec.Points[n-1].Best)
			}
			out = append(out, wire.Autosave{
				ID: base + "/" + run, Session: session, Run: run, Solver: rec.Header.Solver, Variant: rec.Header.Variant,
				Instance: rec.Header.Instance.Name, Iteration: rec.End, Best: best, At: st.ModTime().UTC(), Path: path,
			})
		}
	}
	slices.SortStableFunc(out, func(a, b wire.Autosave) int { return b.At.Compare(a.At) })
	return out
}

// keeper is the autosave of one run.
type keeper struct {
	path string
	done chan struct{} // closed when nothing is written any more
}

// keep autosaves a run until its saving ends or it is closed.
func (s *store) keep(e *entry) *keeper {
	k := &keeper{path: filepath.Join(s.dir, e.name+".run"), done: make(chan struct{})}
	fail := func(err error) {
		if e.lost() {
			e.host.logf("autosave of %s, whose GPU failed: %v", e.name, err)
			return // the record stands, and the run will
		}
		e.mu.Lock()
		fresh := e.saveErr == ""
		e.saveErr = err.Error()
		e.mu.Unlock()
		if fresh {
			e.host.logf("autosave of %s: %v", e.name, err)
			e.host.hub.publish(wire.Event{Kind: wire.EventNotice, Note: fmt.Sprintf("%s is not autosaved: %v", e.name, err)})
		}
	}
	go func() {
		defer close(k.done)
		err := solvers.Autosave(e.saving, e.run, k.path, solvers.AutosaveOptions{
			Every: e.host.o.AutosaveEvery, OnError: fail, KeepState: e.lost,
		})
		if err != nil && !errors.Is(err, context.Canceled) {
			fail(err)
		}
	}()
	return k
}

func (k *keeper) discard() { _ = solvers.Discard(k.path) } // what is left of it is pruned one day

func (h *Host) recover(c *call, q *wire.RecoverRequest) (*wire.RecoverReply, error) {
	rep := &wire.RecoverReply{Verb: "recover", Autosaves: []wire.Autosave{}}
	all := h.store.orphans()
	if q.ID == "" {
		return rep, h.recoverAll(q, all, rep)
	}
	if q.Sure || q.Solver != "" || q.Older != 0 {
		return nil, wrong("recover: sure, solver and older are of recover without an id")
	}
	i := slices.IndexFunc(all, func(a wire.Autosave) bool { return a.ID == q.ID })
	if i < 0 {
		// The latest of a session, by session/run or run alone.
		i = slices.IndexFunc(all, func(a wire.Autosave) bool { return a.Session+"/"+a.Run == q.ID || a.Run == q.ID })
	}
	if i < 0 {
		return nil, wrong(fmt.Sprintf("recover: there is no autosave %q; recover alone lists them, recover discard is about all of them", q.ID))
	}
	a := all[i]
	if q.Discard {
		rep.Discarded = a.ID
		if err := solvers.Discard(a.Path); err != nil {
			return nil, err
		}
		return rep, nil
	}
	opened, err := h.loadAs(c, a.Path, or(q.As, a.Run), "recover")
	if err != nil {
		return nil, err
	}
	rep.Opened = opened
	// The old file goes once the run's own autosave has had time to be written.
	h.store.mu.Lock()
	h.store.taken = append(h.store.taken, a.Path)
	h.store.mu.Unlock()
	return rep, nil
}

// recoverAll lists the autosaves that the request leaves, or drops them. What cannot be undone
// is done only when the request is sure.
func (h *Host) recoverAll(q *wire.RecoverRequest, all []wire.Autosave, rep *wire.RecoverReply) error {
	if q.As != "" || q.Sure && !q.Discard {
		return wrong("recover: which autosave? as in: recover s1/a as a; sure is of recover discard")
	}
	solver, variant, _ := strings.Cut(q.Solver, "/")
	limit := time.Duration(float64(q.Older) * float64(time.Second))
	for _, a := range all {
		if (solver == "" || a.Solver == solver) && (variant == "" || a.Variant == variant) && (limit == 0 || time.Since(a.At) >= limit) {
			rep.Autosaves = append(rep.Autosaves, a)
		}
	}
	switch {
	case !q.Discard || len(rep.Autosaves) == 0:
	case !q.Sure:
		rep.Sure = "recover discard"
		if q.Solver != "" {
			rep.Sure += " solver=" + q.Solver
		}
		if q.Older != 0 {
			rep.Sure += " older=" + q.Older.String()
		}
		rep.Sure += " sure"
	default:
		for _, a := range rep.Autosaves {
			if err := solvers.Discard(a.Path); err != nil {
				return err
			}
			rep.Dropped++
		}
	}
	return nil
}
