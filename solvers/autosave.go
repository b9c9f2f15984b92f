package solvers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"metalab/solvers/record"
)

// AutosaveOptions says how often and where Autosave writes.
type AutosaveOptions struct {
	Every time.Duration // between two appends to the record; 0: 2 s
	// OnError receives the error of a failed write; the autosave keeps trying. It may be nil.
	OnError func(error)
	// OnSaved is called after each attempt without error, with the iteration up to which the record is
	// complete on disk and the state beside it as recent as the autosave wants. It may be nil.
	OnSaved func(iteration int64)
	// KeepState is called before a snapshot of the state. If it returns true, the last snapshot stays,
	// for example when the device that holds the state is lost. It may be nil. Autosave takes no
	// snapshot of a failed run, whose state may be half an iteration's.
	KeepState func() bool
	// LargestState is the size of the largest state that Autosave writes, in bytes; 0: 256 MiB. For a
	// run with a larger state (see Sized) it writes the record alone, and Load runs the iterations
	// again.
	LargestState int64
	// BestRate is how many bytes of best solutions Autosave appends per second while the run iterates,
	// after the first; 0: 32 KiB. Larger ones wait; Autosave appends the newest as soon as the run
	// rests.
	BestRate int64
	// Folder is called before Autosave writes the record anew, because its file is no longer at its
	// path, for example after somebody deleted the folder. If it is nil, Autosave creates the folder
	// again.
	Folder func() error
	// Now receives functions. Each makes Autosave append at once, and is called with the outcome. It
	// may be nil.
	Now <-chan func(error)
}

// stateShare is the part of the wall time that snapshots of the state may take, stateEvery the
// shortest time between two.
const (
	stateShare = 0.01
	stateEvery = 10 * time.Second
)

// Autosave starts a record of r at path. When it returns, everything done to the run so far is on
// disk. The function that it returns then appends points, journal and best while the run continues,
// so that a crash loses at most a few seconds, and writes the state beside it (see StatePath), with
// at most one hundredth of the time. That function returns after a last append, when ctx ends or
// the run is closed.
//
// Load reads the result. The file lacks the end line of a Save, but holds the latest point at each
// append.
func Autosave(r *Run, path string, o AutosaveOptions) (
	follow func(ctx context.Context) error, err error,
) {
	if o.Every <= 0 {
		o.Every = 2 * time.Second
	}
	a, err := record.Create(path, r.Header())
	if err != nil {
		return nil, err
	}
	s := &autosave{
		run: r, app: a, path: path, keep: o.KeepState, most: o.LargestState,
		folder: o.Folder,
	}
	if s.folder == nil {
		s.folder = func() error { return os.MkdirAll(filepath.Dir(path), 0o700) }
	}
	if s.most == 0 {
		s.most = 256 << 20
	}
	if s.rate = o.BestRate; s.rate < 1 {
		s.rate = 32 << 10
	}
	s.next = time.Now().Add(stateEvery)
	if fresh := s.points(); s.repeats() || fresh {
		if err := a.Sync(); err != nil {
			return nil, errors.Join(err, a.Close())
		}
	}
	return func(ctx context.Context) error { return s.follow(ctx, o) }, nil
}

// firstAppends is the number of halvings of the first interval: in its first seconds a run is
// appended to at once, then less and less often.
const firstAppends = 4

// follow appends what happens until ctx ends or the run is closed.
func (s *autosave) follow(ctx context.Context, o AutosaveOptions) error {
	wait := o.Every >> firstAppends
	timer := time.NewTimer(wait)
	defer timer.Stop()
	report := func(err error) {
		ended := errors.Is(err, ErrClosed) || errors.Is(err, context.Canceled)
		if err != nil && !ended && o.OnError != nil {
			o.OnError(err)
		}
	}
	for {
		select {
		case say := <-o.Now:
			say(s.append(ctx, true))
		case <-timer.C:
			err := s.append(ctx, false)
			report(err)
			if time.Now().After(s.next) {
				serr := s.state(ctx)
				report(serr)
				s.old = serr != nil
			}
			if err == nil && !s.pending && !s.old && !s.behind && o.OnSaved != nil {
				o.OnSaved(s.at)
			}
			wait = min(2*wait, o.Every)
			timer.Reset(wait)
		case <-s.run.kept: // what a seed took long to give does not wait
			if s.repeats() { // not append, which may wait for a long iteration
				report(s.sync())
			}
		case <-s.run.done:
			s.points()
			s.repeats()
			return s.app.Close()
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			report(s.append(end, true))
			report(s.state(end))
			err := s.missing()
			return errors.Join(err, s.app.Close())
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
	folder  func() error
	most    int64     // bytes of a state that is written
	pending bool      // lines were appended that are not on the disk, for a write failed
	old     bool      // the latest state could not be written
	rate    int64     // see AutosaveOptions.BestRate
	bestDue time.Time // when the next best may be appended while the run iterates
	behind  bool      // the best that was appended is not the newest
}

// sync puts what was appended on the disk.
func (s *autosave) sync() error {
	err := s.app.Sync()
	s.pending = err != nil
	return err
}

// points appends the points and changes since the last time, in the order in which they
// happened, so that what is left of a file that is cut short is a record all the same. It
// reports whether there were any.
func (s *autosave) points() bool {
	s.run.mu.Lock()
	journal := s.run.journal[s.changes:]
	last := s.run.last
	last.Measures = append([]float64(nil), last.Measures...)
	s.run.mu.Unlock()
	ps := s.run.HistorySince(s.at)
	for len(ps) > 0 && ps[len(ps)-1].Iter > last.Iter {
		ps = ps[:len(ps)-1] // made meanwhile: next time
	}
	if last.Iter > s.at && (len(ps) == 0 || ps[len(ps)-1].Iter < last.Iter) {
		ps = append(ps, last)
	}
	n := 0
	for _, p := range ps {
		for ; n < len(journal) && journal[n].Iter < p.Iter; n++ {
			s.app.Change(journal[n])
		}
		s.app.Point(p, s.run.names)
		s.at = p.Iter
	}
	for _, c := range journal[n:] {
		s.app.Change(c)
	}
	s.changes += len(journal)
	return len(ps)+len(journal) > 0
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

// missing is an error unless the file that is written is the one at its path.
func (s *autosave) missing() error {
	if s.app.InPlace() {
		return nil
	}
	return fmt.Errorf("write %s: the file was deleted or replaced", s.path)
}

// anew begins the record again, with all that was done so far, where its file is not at its path
// any more; and has the state written again where that is missing.
func (s *autosave) anew() error {
	if s.saved > 0 {
		if _, err := os.Stat(StatePath(s.path)); errors.Is(err, os.ErrNotExist) {
			s.saved, s.next = 0, time.Time{}
		}
	}
	if s.app.InPlace() {
		return nil
	}
	s.pending = true // until it is there
	if err := s.folder(); err != nil {
		return err
	}
	a, err := record.Create(s.path, s.run.Header())
	if err != nil {
		return err
	}
	_ = s.app.Close() // nobody can read what it wrote
	s.app = a
	s.at, s.changes, s.best, s.series, s.results = 0, 0, 0, 0, 0
	s.saved, s.next, s.bestDue, s.behind = 0, time.Time{}, time.Time{}, false
	return nil
}

// append brings the file up to date and onto the disk. Unless all is to be there, a best solution
// for which it is too early waits.
func (s *autosave) append(ctx context.Context, all bool) error {
	if err := s.anew(); err != nil {
		return err
	}
	if err := s.bring(ctx, all); err != nil {
		return err
	}
	return s.missing()
}

// bring appends what is new.
func (s *autosave) bring(ctx context.Context, all bool) error {
	fresh := s.points()
	fresh = s.repeats() || fresh
	s.run.mu.Lock()
	best := s.run.bestIter
	s.run.mu.Unlock()
	s.behind = best > s.best && !all && s.busy() && time.Now().Before(s.bestDue)
	if best > s.best && !s.behind {
		// Asking for it waits for the end of the iteration, which may be long.
		if err := s.app.Flush(); err != nil {
			s.pending = true
			return err
		}
		b, err := s.run.Best(ctx)
		if err != nil { // as of an algorithm that claims what it does not have
			return errors.Join(err, s.sync())
		}
		before := s.app.Buffered()
		s.app.Best(b)
		size := float64(s.app.Buffered() - before)
		s.bestDue = time.Now().Add(time.Duration(size / float64(s.rate) * float64(time.Second)))
		s.best, fresh = b.Iter, true
	}
	if !fresh && !s.pending {
		return nil
	}
	return s.sync()
}

// busy tells whether the run makes iterations.
func (s *autosave) busy() bool {
	state := s.run.State()
	return state == Running || state == Stepping
}

// state writes the state, and sets the time of the next one.
func (s *autosave) state(ctx context.Context) error {
	if at := s.run.Last().Iter; at == s.saved || s.run.State() == Failed ||
		(s.keep != nil && s.keep()) {
		return nil
	}
	if large, err := s.large(ctx); large || err != nil {
		return err
	}
	t0 := time.Now()
	defer func() {
		took := time.Since(t0)
		s.next = time.Now().Add(max(stateEvery, time.Duration(float64(took)/stateShare)))
	}()
	b, err := s.run.Snapshot(ctx)
	if err != nil {
		return err
	}
	at := s.run.Last().Iter
	// The record must reach as far as the state, or the state is of no use.
	if err := s.append(ctx, false); err != nil {
		return err
	}
	err = record.Atomic(StatePath(s.path), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	if err == nil {
		s.saved = at
	}
	return err
}

// large tells whether the state is too large to be written.
func (s *autosave) large(ctx context.Context) (large bool, err error) {
	sized, ok := s.run.alg.(Sized)
	if !ok {
		return false, nil
	}
	err = s.run.do(ctx, func() { large = sized.StateBytes() > s.most })
	return large, err
}

// Discard removes an autosave: the record and its state.
func Discard(path string) error {
	err := os.Remove(path)
	if serr := os.Remove(StatePath(path)); !errors.Is(serr, os.ErrNotExist) {
		err = errors.Join(err, serr)
	}
	return err
}
