package sqlite

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"metalab/solvers/experiment"
)

// Traces are read in stretches of so many units, in turn by at most so many readers: decoding rows
// takes much longer than reading them.
const (
	stretch     = 32
	mostReaders = 4
)

// A part is the traces of a stretch of units.
type part struct {
	traces []experiment.Traced
	err    error
}

// A place is a unit's number in its experiment, and in the table.
type place struct {
	number int
	id     int64
}

// places are the units of an experiment that may have a trace, by number.
func (s *Store) places(ctx context.Context, name string) (out []place, err error) {
	tx, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	exp, err := id(ctx, tx, name)
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT number, id FROM units WHERE experiment = ? AND "+
		"state IN ('done', 'failed') ORDER BY number", exp)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.number, &p.id); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// Traces implements experiment.Store.
func (s *Store) Traces(ctx context.Context, name string) iter.Seq2[experiment.Traced, error] {
	return told(s, func(yield func(experiment.Traced, error) bool) {
		all, err := s.places(ctx, name)
		if err != nil {
			yield(experiment.Traced{}, err)
			return
		}
		ctx, end := context.WithCancel(ctx)
		var work sync.WaitGroup
		defer work.Wait()
		defer end()
		parts := make([]chan part, min(mostReaders, runtime.GOMAXPROCS(0)))
		for i := range parts {
			parts[i] = make(chan part, 2)
			work.Go(func() { s.parts(ctx, all, i*stretch, len(parts)*stretch, parts[i]) })
		}
		for from, i := 0, 0; from < len(all); from, i = from+stretch, (i+1)%len(parts) {
			p, ok := <-parts[i]
			if err := ctx.Err(); err != nil || !ok { // a reader gives up for that alone
				yield(experiment.Traced{}, err)
				return
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
	})
}

// parts sends the stretches of one reader, which begin at from, from+step and so on, up to the
// first that has an error, and closes to.
func (s *Store) parts(ctx context.Context, all []place, from, step int, to chan<- part) {
	defer close(to)
	if from >= len(all) {
		return
	}
	x, err := newScan(s.path)
	if err != nil {
		select {
		case to <- part{err: fmt.Errorf("experiments: %s: %w", s.path, err)}:
		case <-ctx.Done():
		}
		return
	}
	defer x.close()
	size := 0 // of the longest trace so far
	for ; from < len(all); from += step {
		var p part
		for _, u := range all[from:min(from+stretch, len(all))] {
			points, err := x.trace(u.id, make([]experiment.TracePoint, 0, size))
			if err != nil {
				p.err = fmt.Errorf("unit %d: %w", u.number, err)
				break
			}
			size = max(size, len(points))
			if len(points) > 0 {
				p.traces = append(p.traces, experiment.Traced{Number: u.number, Points: points})
			}
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

// Trace implements experiment.Store.
func (s *Store) Trace(ctx context.Context, name string, number int) (
	out []experiment.TracePoint, err error,
) {
	defer s.tell(&err)
	if _, err := s.Row(ctx, name, number); err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT t.iteration, t.evaluations, t.wall_s, t.cpu_s, t.best
		FROM experiments e JOIN units u ON u.experiment = e.id JOIN trace t ON t.unit = u.id
		WHERE e.name = ? AND u.number = ? ORDER BY t.iteration`, name, number)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p experiment.TracePoint
		if err := rows.Scan(&p.Iteration, &p.Evaluations, &p.Wall, &p.CPU, &p.Best); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}
