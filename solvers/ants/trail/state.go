package trail

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
)

// A Store holds trails, and writes and reads them as a part of a state.
type Store interface {
	// Snapshot writes the trails.
	Snapshot(w *solvers.Writer)
	// Restore reads trails, which may have been written by another kind of store.
	Restore(r *solvers.Reader) error
	// Strongest returns at most limit of the trails, at least one, the strongest first, with the
	// instance's numbers of cities, and how many there are. Edges that have no trail of their own are
	// left out.
	Strongest(limit int) ([]solvers.Trail, int)
}

// The state of a table, in order: "off", "tau" (n x candidates, or n x n under storage matrix, by
// internal city), "edges" (the cities of the unlisted edges, twice as many, and under storage
// matrix none) and "guests" (their trails).

func (t *Table) Snapshot(w *solvers.Writer) {
	w.Float32s("off", []float32{t.Off})
	if t.Full != nil {
		w.Float32s("tau", t.Full.Tau)
		w.Int32s("edges", nil)
		w.Float32s("guests", nil)
		return
	}
	tight := t.Tau
	if t.K < t.Stride {
		tight = make([]float32, 0, t.N*t.K)
		for i := range t.N {
			tight = append(tight, t.Tau[i*t.Stride:i*t.Stride+t.K]...)
		}
	}
	w.Float32s("tau", tight)
	var edges []int32
	var tau []float32
	if t.rest != nil {
		for e, g := range t.rest.list {
			if !t.rest.two || e&1 == 0 {
				edges = append(edges, g.from, g.to)
				tau = append(tau, g.tau)
			}
		}
	}
	w.Int32s("edges", edges)
	w.Float32s("guests", tau)
}

// Restore implements Store. Lists and storage may have been others: edges that have a trail of
// their own there and here keep it.
func (t *Table) Restore(r *solvers.Reader) error {
	off := r.Float32s("off", 1)
	f, ok := r.Params["candidates"].Float()
	if !ok {
		return fmt.Errorf("ants: the state has no parameter candidates: %w", solvers.ErrState)
	}
	k := max(0, min(int(f), t.N-1))
	// Without lists the storage is always a matrix. If storage is no parameter, it is the same as now.
	storage, has := r.Params["storage"].Word()
	matrix := storage == string(Matrix) || int(f) == 0 || !has && t.Storage == Matrix
	size := t.N * k
	if matrix {
		size = t.N * t.N
	}
	tau := r.Float32s("tau", size)
	edges := r.Int32s("edges", -1)
	rest := r.Float32s("guests", len(edges)/2)
	if r.Err() != nil {
		return r.Err()
	}
	for _, c := range edges {
		if c < 0 || int(c) >= t.N {
			return fmt.Errorf("ants: the state has a trail of city %d, want 0 to %d: %w", c, t.N-1,
				solvers.ErrState)
		}
	}
	return t.adopt(tau, off[0], k, matrix, edges, rest)
}

// adopt restores trails that were written with lists of k cities and unlisted edges, or as a
// matrix. All other edges get the trail off.
func (t *Table) adopt(tau []float32, off float32, k int, matrix bool, edges []int32,
	rest []float32,
) error {
	t.Off = off
	if t.rest != nil {
		t.rest.clear()
	}
	was := func(i, j int32) float32 { return tau[int(i)*t.N+int(j)] }
	if !matrix {
		l := t.Lists
		if k != t.K {
			var err error
			if l, err = NewLists(t.Space, k); err != nil {
				return err
			}
		}
		old := &Table{
			Lists: l, Off: off, Tau: make([]float32, len(l.ID)),
			rest: newUnlisted(t.N, !t.Space.Asymmetric),
		}
		for i := range t.N {
			copy(old.Tau[i*l.Stride:i*l.Stride+k], tau[i*k:i*k+k])
		}
		for e, v := range rest {
			old.rest.put(edges[2*e], edges[2*e+1], v)
		}
		if k == t.K && t.Full == nil {
			t.Tau = old.Tau
			if t.rest != nil {
				t.rest = old.rest
			}
			return nil
		}
		was = old.at
		if t.rest != nil {
			t.keepUnlisted(old)
		}
	} else if t.rest != nil {
		for i := range int32(t.N) {
			for j := range int32(t.N) {
				if v := was(i, j); i != j && v != off && (t.Mirror == nil || i < j) && t.Place(i, j) == None {
					t.rest.put(i, j, v)
				}
			}
		}
	}
	for i := range int32(t.N) {
		for s := range t.K {
			at := int(i)*t.Stride + s
			t.Tau[at] = was(i, t.ID[at])
		}
		if t.Full != nil {
			for j := range int32(t.N) {
				t.Full.Tau[int(i)*t.N+int(j)] = was(i, j)
			}
		}
	}
	return nil
}

// keepUnlisted copies those trails of old whose edges are on no list here.
func (t *Table) keepUnlisted(old *Table) {
	for i := range int32(t.N) {
		for s := range old.K {
			at := int(i)*old.Stride + s
			if j, v := old.ID[at], old.Tau[at]; v != t.Off && t.Place(i, j) == None {
				t.rest.put(i, j, v)
			}
		}
	}
	for e, g := range old.rest.list {
		if (!old.rest.two || e&1 == 0) && t.Place(g.from, g.to) == None {
			t.rest.put(g.from, g.to, g.tau)
		}
	}
}

// Extended are the trails of acs/lockstep: those of edges on lists, and of some beyond them. The
// state is that of the table, then "outs" (where the edges beyond lists lead, the city itself for
// nowhere) and "outtau" (their trails, 0 for nowhere).
type Extended struct {
	Table *Table
	Outs  *Outs
}

func (x *Extended) Snapshot(w *solvers.Writer) {
	x.Table.Snapshot(w)
	w.Int32s("outs", x.Outs.City)
	w.Float32s("outtau", x.Outs.Tau)
}

func (x *Extended) Restore(r *solvers.Reader) error {
	if err := x.Table.Restore(r); err != nil {
		return err
	}
	n := x.Table.N
	city, tau := r.Int32s("outs", n*OutsPerCity), r.Float32s("outtau", n*OutsPerCity)
	if r.Err() != nil {
		return r.Err()
	}
	for p, j := range city {
		if c := p / OutsPerCity; j < 0 || int(j) >= n || (int(j) == c) != (tau[p] == 0) ||
			!(tau[p] >= 0) {
			return fmt.Errorf("ants: the state has a trail %v from city %d to %d, want one above 0 to "+
				"another city of 0 to %d, "+
				"or 0 to itself: %w", tau[p], c, j, n-1, solvers.ErrState)
		}
	}
	// The lists in the state may have another length.
	x.Outs.Clear()
	for p, j := range city {
		c := int32(p / OutsPerCity)
		switch s := x.Table.Find(c, j); {
		case s >= 0:
			x.Table.Tau[s] = tau[p]
		case j != c:
			x.Outs.City[p], x.Outs.Tau[p] = j, tau[p]
		}
	}
	return nil
}

// The state of a memory, in order: "edges" (n x spm_slots: where they lead, -1 for none),
// "trails" (theirs), "heads" (by city: the place that was stored into last), "counted" (Hits and
// Updates).

func (m *Memory) Snapshot(w *solvers.Writer) {
	w.Int32s("edges", m.City)
	w.Float32s("trails", m.Tau)
	w.Bytes("heads", m.Head)
	w.Int64s("counted", m.Hits, m.Updates)
}

func (m *Memory) Restore(r *solvers.Reader) error {
	f, ok := r.Params["spm_slots"].Float()
	if !ok || f < 1 || f > MostSlots {
		return fmt.Errorf("ants: the state's parameter spm_slots is %v, want 1 to %d: %w",
			r.Params["spm_slots"], MostSlots, solvers.ErrState)
	}
	n := len(m.Head)
	old := &Memory{Slots: int(f)}
	old.City = r.Int32s("edges", n*old.Slots)
	old.Tau = r.Float32s("trails", n*old.Slots)
	old.Head = r.Bytes("heads", n)
	counted := r.Int64s("counted", 2)
	if r.Err() != nil {
		return r.Err()
	}
	if old.Hits, old.Updates = counted[0], counted[1]; old.Hits < 0 || old.Updates < old.Hits {
		return fmt.Errorf("ants: the state has %d hits of %d updates: %w", old.Hits, old.Updates,
			solvers.ErrState)
	}
	for i, j := range old.City {
		if j != NoCity && (j < 0 || int(j) >= n || int(j) == i/old.Slots || !(old.Tau[i] > 0)) {
			return fmt.Errorf("ants: the state stores a trail %v from city %d to %d, want others of 0 to "+
				"%d: %w",
				old.Tau[i], i/old.Slots, j, n-1, solvers.ErrState)
		}
	}
	for _, h := range old.Head {
		if int(h) >= old.Slots {
			return fmt.Errorf("ants: the state's rings have a place %d, want below %d: %w", h, old.Slots,
				solvers.ErrState)
		}
	}
	if old.Slots == m.Slots {
		m.Copy(old)
	} else {
		m.Fit(old)
	}
	return nil
}

// CheckTour returns an error if a tour of a state is not a permutation of the cities.
func CheckTour(what string, tour []int32, n int) error {
	if err := datasets.CheckPermutation(tour, n); err != nil {
		return fmt.Errorf("ants: the state's %s: %w: %w", what, err, solvers.ErrState)
	}
	return nil
}
