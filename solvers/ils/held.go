package ils

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/tours"
)

// device forwards what an engine may do beside its work; E is an interface.
type device[E any] struct{ engine E }

func (d *device[E]) Time(on bool) bool {
	e, ok := any(d.engine).(solvers.Timer)
	return ok && e.Time(on)
}

func (d *device[E]) Spans() []solvers.Span {
	if e, ok := any(d.engine).(solvers.Timer); ok {
		return e.Spans()
	}
	return nil
}

func (d *device[E]) Waves() []solvers.Wave {
	if e, ok := any(d.engine).(solvers.Waver); ok {
		return e.Waves()
	}
	return nil
}

func (d *device[E]) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := any(d.engine).(solvers.Sharer); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}

// Close frees what the engine holds.
func (d *device[E]) Close() {
	if e, ok := any(d.engine).(interface{ Close() }); ok {
		e.Close()
	}
}

// held are the tours of Rounds and Tiles, which their engine holds, here or on a device, which may
// be lost.
type held[E interface {
	Load(chains [][]int32) error
	Tour(chain int, into []int32) error
}] struct {
	device[E]
	space   *tours.Space
	lengths []int64 // by chain
}

// load gives the engine the tours of all chains.
func (h *held[E]) load(chains [][]int32) error {
	h.lengths = make([]int64, len(chains))
	for a, t := range chains {
		h.lengths[a] = h.space.Length(t)
	}
	return h.engine.Load(chains)
}

// tours copies the chains' tours from the engine.
func (h *held[E]) tours() ([][]int32, error) {
	out := make([][]int32, len(h.lengths))
	for a := range out {
		out[a] = make([]int32, h.space.N)
		if err := h.engine.Tour(a, out[a]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (h *held[E]) Lengths() []float64 { return floats(h.lengths) }

// Trace is nil when the device was lost.
func (h *held[E]) Trace() [][]int32 {
	all, err := h.tours()
	if err != nil {
		return nil
	}
	for a, t := range all {
		all[a] = h.space.ToInstance(t)
	}
	return all
}

// floats are the lengths of the chains' tours.
func floats(lengths []int64) []float64 {
	out := make([]float64, len(lengths))
	for a, l := range lengths {
		out[a] = float64(l)
	}
	return out
}

// heldState is the part of a state about the chains.
type heldState struct {
	tours   [][]int32 // none: the device that had them was lost
	best    []int32   // empty: there is none yet
	descend bool      // the tours still need the descent to minima
	more    []int64   // numbers of the solver's own
}

// write writes the state.
func (c heldState) write(w *solvers.Writer) {
	flag := int64(0)
	if c.descend {
		flag = 1
	}
	w.Int64s("chains", append([]int64{int64(len(c.tours)), flag}, c.more...)...)
	w.Int32s("best", c.best)
	for _, t := range c.tours {
		w.Int32s("tour", t)
	}
}

// readHeld reads a state of tours of n cities with some numbers of the solver's own, and keeps
// the first most tours. A state without tours is an error.
func readHeld(r *solvers.Reader, n, most, numbers int) (c heldState, err error) {
	head := r.Int64s("chains", 2+numbers)
	c.best = r.Int32s("best", -1)
	if err := r.Err(); err != nil {
		return c, err
	}
	c.descend, c.more = head[1] == 1, head[2:]
	if head[0] < 1 {
		return c, fmt.Errorf(
			"ils: the state has no chains, the device was lost before it was written: %w", solvers.ErrState,
		)
	}
	if len(c.best) > 0 {
		if err := datasets.CheckPermutation(c.best, n); err != nil {
			return c, fmt.Errorf("ils: the state's best tour: %w: %w", err, solvers.ErrState)
		}
	}
	for a := range head[0] {
		t := r.Int32s("tour", n)
		if err := r.Err(); err != nil {
			return c, err
		}
		if err := datasets.CheckPermutation(t, n); err != nil {
			return c, fmt.Errorf("ils: the state's tour %d: %w: %w", a, err, solvers.ErrState)
		}
		if len(c.tours) < most {
			c.tours = append(c.tours, t)
		}
	}
	return c, nil
}
