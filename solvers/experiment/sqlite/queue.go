package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"sync"

	"metalab/solvers/experiment"
)

// queue is the queue of an experiment. One goroutine writes: results that come while it writes are
// in its next transaction together.
type queue struct {
	*experiment.Line
	s    *Store
	lock *lock
	exp  int64
	ids  map[int]int64 // of units, by number

	mu     sync.Mutex
	making []int64 // to be marked as under way
	jobs   chan job
	done   chan struct{} // closed when the writer has ended
	once   sync.Once
}

// job is a result to be written.
type job struct {
	unit int64
	r    *experiment.Result
	err  chan error
}

// Queue implements experiment.Store.
func (s *Store) Queue(ctx context.Context, name string, again bool) (experiment.Queue, error) {
	l, err := s.lock(name)
	if err != nil {
		return nil, err
	}
	q := &queue{
		s: s, lock: l, ids: map[int]int64{}, jobs: make(chan job), done: make(chan struct{}),
	}
	var left []experiment.Unit
	err = s.change(ctx, func(tx *sql.Tx) error {
		left, err = q.read(ctx, tx, name, again)
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("experiment %s: %w", name, err), l.free())
	}
	q.Line = experiment.NewLine(left)
	go q.write()
	return q, nil
}

// read returns the units that are left. Those that a process had under way which was killed are
// among them, as this one has the lock.
func (q *queue) read(
	ctx context.Context, tx *sql.Tx, name string, again bool,
) (left []experiment.Unit, err error) {
	r, err := newReader(ctx, tx, name)
	if err != nil {
		return nil, err
	}
	q.exp = r.exp
	if again {
		if err := q.forget(ctx, tx, r.exp); err != nil {
			return nil, err
		}
	}
	if _, err := tx.ExecContext(ctx, "UPDATE units SET state = 'waiting' WHERE experiment = ? AND "+
		"state = 'making'", r.exp); err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT "+unitColumns+" FROM units WHERE experiment = ? AND "+
		"state = 'waiting' ORDER BY number", r.exp)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		u, at, err := r.scanUnit(rows)
		if err != nil {
			return nil, err
		}
		q.ids[u.Number] = at
		left = append(left, u)
	}
	return left, rows.Err()
}

// forget makes failed units waiting ones.
func (q *queue) forget(ctx context.Context, tx *sql.Tx, exp int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM trace WHERE unit IN
		(SELECT id FROM units WHERE experiment = ? AND state = 'failed')`, exp)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM solutions WHERE unit IN
		(SELECT id FROM units WHERE experiment = ? AND state = 'failed')`, exp)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE units SET "+noResult+
		" WHERE experiment = ? AND state = 'failed'", exp)
	return err
}

// noResult are the columns of a unit that waits.
const noResult = `state = 'waiting', best = NULL, iterations = NULL, evaluations = NULL,
	wall_s = NULL, cpu_s = NULL, digest = NULL, why = NULL, error = NULL, optimum = NULL, gap = NULL,
	ended = NULL, machine = NULL, device = NULL`

// Take implements experiment.Queue. That the unit is under way is written with the next result:
// it is for those who look on, and a crash makes it waiting again.
func (q *queue) Take(_ context.Context, backend string) (experiment.Unit, bool, error) {
	u, ok := q.Next(backend)
	if ok {
		q.mu.Lock()
		q.making = append(q.making, q.ids[u.Number])
		q.mu.Unlock()
	}
	return u, ok, nil
}

// Return implements experiment.Queue. Close writes that the unit waits.
func (q *queue) Return(u experiment.Unit) error {
	q.Put(u)
	return nil
}

// Finish implements experiment.Queue.
func (q *queue) Finish(_ context.Context, u experiment.Unit, r experiment.Result) error {
	j := job{q.ids[u.Number], &r, make(chan error, 1)}
	select {
	case q.jobs <- j:
		return <-j.err
	case <-q.done:
		return errors.New("experiments: the queue is closed")
	}
}

// write writes results until the queue is closed.
func (q *queue) write() {
	defer close(q.done)
	for j := range q.jobs {
		batch := []job{j}
	more:
		for len(batch) < 256 {
			select {
			case j, ok := <-q.jobs:
				if !ok {
					break more
				}
				batch = append(batch, j)
			default:
				break more
			}
		}
		q.mu.Lock()
		making := q.making
		q.making = nil
		q.mu.Unlock()
		err := q.s.change(context.Background(), func(tx *sql.Tx) error {
			return store(tx, making, batch)
		})
		if err != nil {
			err = fmt.Errorf("experiments: %s: %w", q.s.path, err)
		}
		for _, j := range batch {
			j.err <- err
		}
	}
}

// store writes what is under way, and results.
func store(tx *sql.Tx, making []int64, batch []job) error {
	for _, n := range making {
		if _, err := tx.Exec("UPDATE units SET state = 'making' WHERE id = ?", n); err != nil {
			return err
		}
	}
	trace, err := tx.Prepare(`INSERT OR REPLACE INTO trace
		(unit, iteration, evaluations, wall_s, cpu_s, best) VALUES (?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer trace.Close()
	solution, err := tx.Prepare("INSERT OR REPLACE INTO solutions (unit, kind, data) VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	defer solution.Close()
	for _, j := range batch {
		state, r := experiment.Done, j.r
		if r.Error != "" {
			state = experiment.Failed
		}
		_, err := tx.Exec(`UPDATE units SET state = ?, best = ?, iterations = ?, evaluations = ?,
			wall_s = ?, cpu_s = ?, digest = ?, why = ?, error = ?, optimum = ?, gap = ?, ended = ?,
			machine = ?, device = ? WHERE id = ?`, string(state), orNull(r.Best), r.Iterations,
			r.Evaluations, r.Wall, r.CPU, fmt.Sprintf("%016x", r.Digest), r.Why, r.Error,
			orNull(r.Optimum), orNull(r.Gap), r.Ended.UTC().Format(layout), r.Machine, r.Device, j.unit)
		if err != nil {
			return err
		}
		for _, p := range r.Trace {
			if _, err := trace.Exec(j.unit, p.Iteration, p.Evaluations, p.Wall, p.CPU, p.Best); err != nil {
				return err
			}
		}
		if kind, data := packed(&r.Solution); kind != "" {
			if _, err := solution.Exec(j.unit, kind, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// orNull is NULL for what SQLite has no number for.
func orNull(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// Close implements experiment.Queue.
func (q *queue) Close() error {
	var err error
	q.once.Do(func() {
		close(q.jobs)
		<-q.done
		err = q.s.change(context.Background(), func(tx *sql.Tx) error {
			_, err := tx.Exec("UPDATE units SET state = 'waiting' WHERE experiment = ? AND "+
				"state = 'making'", q.exp)
			return err
		})
		err = errors.Join(err, q.lock.free())
	})
	return err
}
