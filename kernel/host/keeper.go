package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"metalab/solvers"
)

// keeper is the autosave of one run.
type keeper struct {
	entry *Run
	path  string
	done  chan struct{} // closed when writing has ended
	good  atomic.Bool   // the record was created
	now   chan func(error)

	// Guarded by the entry's mu.
	at   time.Time // of the last whole autosave
	iter int64     // its iteration
	bad  string    // why it does not go on; empty where it does
}

// keep begins the autosave of a run, which is on disk when keep returns, and continues it until
// saving ends or the run is closed. If it cannot begin, for example because the disk is full, it
// tries again.
func (s *store) keep(e *Run) *keeper {
	k := &keeper{
		entry: e, path: filepath.Join(s.dir, e.name+".run"), done: make(chan struct{}),
		now: make(chan func(error)),
	}
	if s.nowhere {
		close(k.done)
		return k
	}
	follow, err := k.begin()
	if err != nil {
		k.fail(err)
	}
	go func() {
		defer close(k.done)
		for follow == nil {
			select {
			case <-e.saving.Done():
				return
			case <-time.After(cmp.Or(e.host.o.AutosaveEvery, 2*time.Second)):
			}
			follow, _ = k.begin() // clients know the reason already
		}
		if err := follow(e.saving); err != nil && !errors.Is(err, context.Canceled) {
			k.fail(err)
		}
	}()
	return k
}

// begin writes the record as far as it goes.
func (k *keeper) begin() (follow func(context.Context) error, err error) {
	if err := k.folder(); err != nil {
		return nil, err
	}
	follow, err = solvers.Autosave(k.entry.run, k.path, solvers.AutosaveOptions{
		Every: k.entry.host.o.AutosaveEvery, OnError: k.fail, OnSaved: k.saved, KeepState: k.entry.lost,
		Folder: k.folder, Now: k.now,
	})
	if err == nil {
		k.good.Store(true)
		k.saved(k.entry.run.Last().Iter)
	}
	return follow, err
}

// folder makes the folder of autosaves again where somebody deleted it, and says so.
func (k *keeper) folder() error {
	h := k.entry.host
	remade, err := h.store.whole()
	if remade && err == nil {
		h.Alarm(fmt.Sprintf("the folder of autosaves, %s, was deleted by another program: it is made "+
			"again, and open runs are autosaved anew; autosaves of closed runs that were in it are lost",
			h.store.dir))
	}
	return err
}

// flush brings the autosave up to date, and says why it is not; nil where all is on the disk.
func (k *keeper) flush(ctx context.Context) error {
	said := make(chan error, 1)
	select {
	case k.now <- func(err error) { said <- err }:
		select {
		case err := <-said:
			if err == nil { // whatever failed before
				_, err = os.Stat(k.path)
				return err
			}
			k.fail(err)
		case <-k.done:
		}
	case <-k.done:
	case <-ctx.Done():
	}
	k.entry.mu.Lock()
	defer k.entry.mu.Unlock()
	if k.bad != "" {
		return errors.New(k.left())
	}
	if _, err := os.Stat(k.path); err != nil {
		return err
	}
	return ctx.Err()
}

// fail tells everybody, once, that the run is not autosaved, and up to where it is.
func (k *keeper) fail(err error) {
	e := k.entry
	if e.lost() {
		e.host.Logf("autosave of %s, whose GPU failed: %v", e.name, err)
		return // the record exists, and the run will
	}
	e.mu.Lock()
	fresh := k.bad == ""
	k.bad = strings.TrimPrefix(err.Error(), "record: ")
	text := k.trouble()
	e.mu.Unlock()
	if fresh {
		e.host.Alarm(fmt.Sprintf("%s is not autosaved: %s", e.name, text))
	}
}

// saved records that the autosave is complete, and tells everybody that it works again.
func (k *keeper) saved(iter int64) {
	e := k.entry
	e.mu.Lock()
	again := k.bad != ""
	k.at, k.iter, k.bad = time.Now(), iter, ""
	e.mu.Unlock()
	if again {
		e.host.Alarm(fmt.Sprintf("%s is autosaved again, up to iteration %d", e.name, iter))
	}
}

// trouble says why the run is not autosaved, and up to where it is; empty where it is autosaved.
// The caller holds the entry's mu.
func (k *keeper) trouble() string {
	if k.bad == "" {
		return ""
	}
	return k.left() + "; the run goes on, and it is tried again"
}

// left says why the run is not autosaved, and what of it is on the disk.
func (k *keeper) left() string {
	_, err := os.Stat(k.path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		k.at = time.Time{} // the written file is gone
	}
	if k.at.IsZero() {
		return k.bad + "; nothing of it is on the disk"
	}
	return fmt.Sprintf("%s; the last whole autosave is of %s, iteration %d", k.bad,
		k.at.Format("15:04:05"), k.iter)
}

// discard removes it. A later prune removes remains.
func (k *keeper) discard() { _ = solvers.Discard(k.path) }

// takeOver replaces the autosave from which the run was loaded by this one, which has a longer
// record; the old state is still valid for it.
func (k *keeper) takeOver(old string) error {
	if !k.good.Load() || old == k.path {
		return nil
	}
	if err := moveState(old, k.path); err != nil {
		return err
	}
	if err := os.Remove(old); err != nil {
		return err
	}
	removeEmptyDead(filepath.Dir(old), filepath.Dir(k.path))
	return nil
}
