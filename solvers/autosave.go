package solvers

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"metalab/solvers/record"
)

// AutosaveOptions says how often a run is saved while it goes on.
type AutosaveOptions struct {
	Every time.Duration // between two appends to the record; 2 s when 0
	// OnError is told of a write that failed; the autosave goes on trying. It may
	// be nil.
	OnError func(error)
	// KeepState is asked before a snapshot of the state; true leaves the last one in
	// place, as when the device that holds the state was lost. It may be nil. A run that
	// failed is not asked for: its state may be half an iteration's.
	KeepState func() bool
}

// stateShare is the part of the wall time that snapshots of the state may take.
const stateShare = 0.01

// Autosave appends points, journal and best of r to the file at path while the run
// goes on, so that a crash loses at most the last few seconds of the record, and
// writes the state beside it (see StatePath) as often as one hundredth of the time
// allows. It returns when ctx ends or the run is closed, after a last append.
//
// What it leaves is read by Load; it lacks the end line of a Save, but holds the
// latest point at each append.
func Autosave(ctx context.Context, r *Run, path string, o AutosaveOptions) error {
	if o.Every <= 0 {
		o.Every = 2 * time.Second
	}
	a, err := record.Create(path, r.Header())
	if err != nil {
		return err
	}
	s := autosave{run: r, app: a, path: path, next: time.Now().Add(10 * time.Second), keep: o.KeepState}
	tick := time.NewTicker(o.Every)
	defer tick.Stop()
	report := func(err error) {
		if err != nil && !errors.Is(err, ErrClosed) && o.OnError != nil {
			o.OnError(err)
		}
	}
	for {
		select {
		case <-tick.C:
			report(s.append(ctx))
			if time.Now().After(s.next) {
				report(s.state(ctx))
			}
		case <-r.kept: // what a seed took long to give does not wait
			if s.repeats() { // not append, which may wait for a long iteration
				report(s.app.Sync())
			}
		case <-r.done:
			s.points()
			s.repeats()
			return a.Close()
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			report(s.append(end))
			report(s.state(end))
			return a.Close()
		}
	}
}

type autosave struct {
	run     *Run
	app     *record.Appender
	path    string
	at      int64 // last iteration whose point was appended
	changes int   // entries of the journal that were appended
	best    int64 // iteration of the best that was appended
	series  int   // series of repeats of which the first line was appended
	results int   // results of repeats that were appended
	saved   int64 // iteration of the state
	next    time.Time
	keep    func() bool // leave the state that is there
}

// points appends the points and changes since the last time, and reports whether
// there were any.
func (s *autosave) points() bool {
	s.run.mu.Lock()
	journal := s.run.journal[s.changes:]
	last := s.run.last
	last.Measures = append([]float64(nil), last.Measures...)
	s.run.mu.Unlock()
	any := len(journal) > 0
	for _, p := range s.run.HistorySince(s.at) {
		if p.Iter > last.Iter {
			break // made meanwhile: next time
		}
		s.app.Point(p, s.run.names)
		s.at, any = p.Iter, true
	}
	if last.Iter > s.at {
		s.app.Point(last, s.run.names)
		s.at, any = last.Iter, true
	}
	for _, c := range journal {
		s.app.Change(c)
	}
	s.changes += len(journal)
	return any
}

// repeats appends what repeats have given since the last time, and reports whether there
// was any.
func (s *autosave) repeats() bool {
	s.run.mu.Lock()
	fresh := s.run.results[s.results:]
	series := slices.Clone(s.run.repeats)
	s.run.mu.Unlock()
	for _, x := range fresh {
		for ; s.series <= x.series; s.series++ {
			s.app.Series(s.series+1, series[s.series])
		}
		s.app.Seeded(x.series+1, x.seeded)
	}
	s.results += len(fresh)
	return len(fresh) > 0
}

// append brings the file up to date and onto the disk.
func (s *autosave) append(ctx context.Context) error {
	fresh := s.points()
	fresh = s.repeats() || fresh
	s.run.mu.Lock()
	best := s.run.bestIter
	s.run.mu.Unlock()
	if best > s.best {
		b, err := s.run.Best(ctx)
		if err != nil {
			return err
		}
		s.app.Best(b)
		s.best, fresh = b.Iter, true
	}
	if !fresh {
		return nil
	}
	return s.app.Sync()
}

// state writes the state, and sets the time of the next one.
func (s *autosave) state(ctx context.Context) error {
	if at := s.run.Last().Iter; at == s.saved || s.run.State() == Failed || (s.keep != nil && s.keep()) {
		return nil
	}
	t0 := time.Now()
	b, err := s.run.Snapshot(ctx)
	if err != nil {
		return err
	}
	s.saved = s.run.Last().Iter
	// The record must reach as far as the state, or the state is of no use.
	if err := s.append(ctx); err != nil {
		return err
	}
	err = record.Atomic(StatePath(s.path), func(w io.Writer) error { _, err := w.Write(b); return err })
	took := time.Since(t0)
	s.next = time.Now().Add(max(10*time.Second, time.Duration(float64(took)/stateShare)))
	return err
}

// Discard removes an autosave: the record and its state.
func Discard(path string) error {
	err := os.Remove(path)
	if serr := os.Remove(StatePath(path)); !errors.Is(serr, os.ErrNotExist) {
		err = errors.Join(err, serr)
	}
	return err
}
