package experiment

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"metalab/solvers/record"
)

// Memory is a Store in memory. The zero value is an empty one.
type Memory struct {
	mu  sync.Mutex
	all map[string]*kept
}

var _ Store = (*Memory)(nil)

// kept is an experiment in memory.
type kept struct {
	info   Info
	rows   []Row // by number
	traces [][]TracePoint
	best   []record.Solution
	known  map[Key]bool
	taken  bool // there is a queue
	notes  []Entry
}

// get returns an experiment; m.mu is held.
func (m *Memory) get(name string) (*kept, error) {
	k := m.all[name]
	if k == nil {
		return nil, fmt.Errorf("experiment %s: %w", name, ErrUnknown)
	}
	return k, nil
}

// Add implements Store.
func (m *Memory) Add(_ context.Context, name string, plan Plan, units []Unit) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.all[name]
	if k == nil {
		k = &kept{info: Info{Name: name, Began: time.Now()}, known: map[Key]bool{}}
		if m.all == nil {
			m.all = map[string]*kept{}
		}
		m.all[name] = k
	}
	k.info.Plan = plan
	before := len(k.rows)
	for _, u := range units {
		if k.known[u.Key] {
			continue
		}
		k.known[u.Key] = true
		u.Number = 1
		if n := len(k.rows); n > 0 {
			u.Number = k.rows[n-1].Unit.Number + 1
		}
		k.rows, k.traces = append(k.rows, Row{Unit: u, State: Waiting}), append(k.traces, nil)
		k.best = append(k.best, record.Solution{})
	}
	return len(k.rows) - before, nil
}

// Experiments implements Store.
func (m *Memory) Experiments(context.Context) ([]Info, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Info
	for _, name := range slices.Sorted(maps.Keys(m.all)) {
		out = append(out, m.all[name].now())
	}
	return out, nil
}

func (k *kept) now() Info {
	i := k.info
	i.Units = len(k.rows)
	for _, r := range k.rows {
		switch r.State {
		case Done:
			i.Done++
		case Failed:
			i.Failed++
		default:
		}
	}
	return i
}

// Info implements Store.
func (m *Memory) Info(_ context.Context, name string) (Info, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(name)
	if err != nil {
		return Info{}, err
	}
	return k.now(), nil
}

// Rows implements Store.
func (m *Memory) Rows(_ context.Context, name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		m.mu.Lock()
		k, err := m.get(name)
		var rows []Row
		if err == nil {
			rows = slices.Clone(k.rows)
		}
		m.mu.Unlock()
		if err != nil {
			yield(Row{}, err)
			return
		}
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// at returns an experiment and where in it a unit of a number is; m.mu is held.
func (m *Memory) at(name string, number int) (*kept, int, error) {
	k, err := m.get(name)
	if err != nil {
		return nil, 0, err
	}
	i, ok := k.index(number)
	if !ok {
		err = fmt.Errorf("experiment %s: there is no unit %d: %w", name, number, ErrUnknown)
	}
	return k, i, err
}

// index is where a unit of a number is.
func (k *kept) index(number int) (int, bool) {
	return slices.BinarySearchFunc(k.rows, number, func(r Row, n int) int {
		return cmp.Compare(r.Unit.Number, n)
	})
}

// Row implements Store.
func (m *Memory) Row(_ context.Context, name string, number int) (Row, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, i, err := m.at(name, number)
	if err != nil {
		return Row{}, err
	}
	return k.rows[i], nil
}

// Trace implements Store.
func (m *Memory) Trace(_ context.Context, name string, number int) ([]TracePoint, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, i, err := m.at(name, number)
	if err != nil {
		return nil, err
	}
	return k.traces[i], nil
}

// Traces implements Store.
func (m *Memory) Traces(_ context.Context, name string) iter.Seq2[Traced, error] {
	return func(yield func(Traced, error) bool) {
		m.mu.Lock()
		k, err := m.get(name)
		var traces [][]TracePoint
		var rows []Row
		if err == nil {
			traces, rows = slices.Clone(k.traces), slices.Clone(k.rows)
		}
		m.mu.Unlock()
		if err != nil {
			yield(Traced{}, err)
			return
		}
		for i, t := range traces {
			if len(t) > 0 && !yield(Traced{rows[i].Unit.Number, t}, nil) {
				return
			}
		}
	}
}

// Solutions implements Store.
func (m *Memory) Solutions(_ context.Context, name string) iter.Seq2[Solved, error] {
	return func(yield func(Solved, error) bool) {
		m.mu.Lock()
		k, err := m.get(name)
		var best []record.Solution
		var rows []Row
		if err == nil {
			best, rows = slices.Clone(k.best), slices.Clone(k.rows)
		}
		m.mu.Unlock()
		if err != nil {
			yield(Solved{}, err)
			return
		}
		for i, s := range best {
			if len(s.Perm)+len(s.Bits)+len(s.Real) > 0 && !yield(Solved{rows[i].Unit.Number, s}, nil) {
				return
			}
		}
	}
}

// Drop implements Store.
func (m *Memory) Drop(_ context.Context, name string, numbers []int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(name)
	switch {
	case err != nil:
		return 0, err
	case k.taken:
		return 0, fmt.Errorf("experiment %s: %w", name, ErrTaken)
	}
	dropped := 0
	for _, n := range numbers {
		if i, ok := k.index(n); ok {
			delete(k.known, k.rows[i].Unit.Key)
			k.rows, k.traces = slices.Delete(k.rows, i, i+1), slices.Delete(k.traces, i, i+1)
			k.best = slices.Delete(k.best, i, i+1)
			dropped++
		}
	}
	return dropped, nil
}

// Note implements Store.
func (m *Memory) Note(_ context.Context, name, text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(name)
	if err == nil {
		k.notes = append(k.notes, Entry{time.Now(), text})
	}
	return err
}

// Journal implements Store.
func (m *Memory) Journal(_ context.Context, name string) ([]Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(k.notes), nil
}

// Remove implements Store.
func (m *Memory) Remove(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(name)
	switch {
	case err != nil:
		return err
	case k.taken:
		return fmt.Errorf("experiment %s is being made", name)
	}
	delete(m.all, name)
	return nil
}

// Close implements Store.
func (m *Memory) Close() error { return nil }

// Queue implements Store.
func (m *Memory) Queue(_ context.Context, name string, again bool) (Queue, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(name)
	switch {
	case err != nil:
		return nil, err
	case k.taken:
		return nil, fmt.Errorf("experiment %s: %w", name, ErrTaken)
	}
	k.taken = true
	var left []Unit
	for i := range k.rows {
		r := &k.rows[i]
		if again && r.State == Failed {
			*r, k.traces[i] = Row{Unit: r.Unit, State: Waiting}, nil
			k.best[i] = record.Solution{}
		}
		if r.State == Waiting {
			left = append(left, r.Unit)
		}
	}
	return &memoryQueue{Line: NewLine(left), m: m, k: k}, nil
}

// memoryQueue is the queue of an experiment in memory.
type memoryQueue struct {
	*Line
	m *Memory
	k *kept
}

// Take implements Queue.
func (q *memoryQueue) Take(_ context.Context, backend string) (Unit, bool, error) {
	u, ok := q.Next(backend)
	if ok {
		q.set(u, Row{Unit: u, State: Making}, Result{})
	}
	return u, ok, nil
}

// set sets a row, and what it leaves out of its result.
func (q *memoryQueue) set(u Unit, r Row, of Result) {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	i, _ := q.k.index(u.Number)
	q.k.rows[i], q.k.traces[i], q.k.best[i] = r, of.Trace, of.Solution
}

// Finish implements Queue.
func (q *memoryQueue) Finish(_ context.Context, u Unit, r Result) error {
	state, of := Done, r
	if r.Error != "" {
		state = Failed
	}
	r.Trace, r.Solution = nil, record.Solution{}
	q.set(u, Row{u, state, r}, of)
	return nil
}

// Return implements Queue.
func (q *memoryQueue) Return(u Unit) error {
	q.Put(u)
	q.set(u, Row{Unit: u, State: Waiting}, Result{})
	return nil
}

// Close implements Queue.
func (q *memoryQueue) Close() error {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	for i := range q.k.rows {
		if r := &q.k.rows[i]; r.State == Making {
			r.State = Waiting
		}
	}
	q.k.taken = false
	return nil
}
