package sqlite

import (
	"context"
	"iter"
	"sync"

	"metalab/solvers/experiment"
)

// Traces are read in stretches of so many units, in turn by so many readers: decoding rows takes
// much longer than reading them.
const (
	stretch = 32
	readers = 2
)

// A part is the traces of a stretch of units.
type part struct {
	traces []experiment.Traced
	err    error
}

// Traces implements experiment.Store.
func (s *Store) Traces(ctx context.Context, name string) iter.Seq2[experiment.Traced, error] {
	return func(yield func(experiment.Traced, error) bool) {
		info, err := s.Info(ctx, name)
		if err != nil {
			yield(experiment.Traced{}, err)
			return
		}
		ctx, end := context.WithCancel(ctx)
		var work sync.WaitGroup
		defer work.Wait()
		defer end()
		parts := [readers]chan part{}
		for i := range parts {
			parts[i] = make(chan part, 2)
			work.Go(func() { s.parts(ctx, name, i, info.Units, parts[i]) })
		}
		for from, i := 1, 0; from <= info.Units; from, i = from+stretch, (i+1)%readers {
			p, ok := <-parts[i]
			if !ok { // the reader gave up
				p.err = context.Cause(ctx)
			}
			for _, t := range p.traces {
				if !yield(t, nil) {
					return
				}
			}
			if p.err != nil {
				yield(experiment.Traced{}, p.err)
				return
			}
		}
	}
}

// parts sends the stretches of one reader, up to the first that has an error, and closes to.
func (s *Store) parts(ctx context.Context, name string, reader, units int, to chan<- part) {
	defer close(to)
	for from := 1 + reader*stretch; from <= units; from += readers * stretch {
		var p part
		const where = "AND u.number BETWEEN ? AND ?"
		for t, err := range s.traces(ctx, name, where, from, from+stretch-1) {
			if err != nil {
				p.err = err
				break
			}
			p.traces = append(p.traces, t)
		}
		select {
		case to <- p:
		case <-ctx.Done():
			return
		}
		if p.err != nil {
			return
		}
	}
}
