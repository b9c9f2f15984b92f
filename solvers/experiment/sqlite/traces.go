package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
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

// traces are the traces of units for which a condition holds. The rows are taken from the driver
// itself: that all is scanned by database/sql takes as long again.
func (s *Store) traces(
	ctx context.Context, name, where string, args ...int,
) iter.Seq2[experiment.Traced, error] {
	return func(yield func(experiment.Traced, error) bool) {
		exp, err := id(ctx, s.read, name)
		if err != nil {
			yield(experiment.Traced{}, err)
			return
		}
		conn, err := s.read.Conn(ctx)
		if err != nil {
			yield(experiment.Traced{}, err)
			return
		}
		defer conn.Close()
		values := []driver.NamedValue{{Ordinal: 1, Value: exp}}
		for i, v := range args {
			values = append(values, driver.NamedValue{Ordinal: i + 2, Value: int64(v)})
		}
		stopped := false
		err = conn.Raw(func(raw any) error {
			q, ok := raw.(driver.QueryerContext)
			if !ok {
				return fmt.Errorf("the driver of SQLite is a %T, want one that takes queries", raw)
			}
			rows, err := q.QueryContext(ctx, `SELECT u.number, t.iteration, t.evaluations, t.wall_s,
				t.cpu_s, t.best FROM units u JOIN trace t ON t.unit = u.id
				WHERE u.experiment = ? `+where+" ORDER BY u.number, t.iteration", values)
			if err != nil {
				return err
			}
			defer rows.Close()
			stopped, err = tracesOf(rows, func(t experiment.Traced) bool { return yield(t, nil) })
			return err
		})
		if err != nil && !stopped {
			yield(experiment.Traced{}, err)
		}
	}
}

// tracesOf reads rows of a number and a point, by number. It reports whether each wanted no more.
func tracesOf(rows driver.Rows, each func(experiment.Traced) bool) (stopped bool, err error) {
	var t experiment.Traced
	row := make([]driver.Value, 6)
	for {
		switch err := rows.Next(row); {
		case errors.Is(err, io.EOF):
			return t.Number > 0 && !each(t), nil
		case err != nil:
			return false, err
		}
		var p experiment.TracePoint
		number, ok := row[0].(int64)
		for i, to := range [...]*int64{&p.Iteration, &p.Evaluations} {
			v, is := row[1+i].(int64)
			*to, ok = v, ok && is
		}
		for i, to := range [...]*float64{&p.Wall, &p.CPU, &p.Best} {
			v, is := row[3+i].(float64)
			*to, ok = v, ok && is
		}
		if !ok {
			return false, fmt.Errorf("a row of a trace is %v, want three whole numbers and three numbers",
				row)
		}
		if int(number) != t.Number {
			if t.Number > 0 && !each(t) {
				return true, nil
			}
			t = experiment.Traced{Number: int(number)}
		}
		t.Points = append(t.Points, p)
	}
}
