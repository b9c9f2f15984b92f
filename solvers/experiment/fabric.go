package experiment

import (
	"context"
	"time"
)

// A Fabric runs the units of a queue elsewhere, for example on other machines; see [Options]. The
// queue decides: a unit remains until the queue has its result.
type Fabric interface {
	// Carry runs the units of a queue, and returns when none is left or when ctx ends. In the latter
	// case it gives back the units in progress and returns the cause of ctx. It uses the options Load,
	// Source, Each, Note and Progress.
	Carry(ctx context.Context, q Queue, o Options) error
}

// One runs a unit, on one core or on the GPU of its Device. The error is that of the context; any
// other failure is a result. lost reports that the GPU has become unusable, see Options.Lost. see
// receives the spent fraction of the budget now and then, and may be nil. One uses the options
// Load, Machine, Device, Lost, Hold and Keeping.
func One(ctx context.Context, u Unit, o Options, see func(part float64)) (
	r Result, lost bool, err error,
) {
	if err := given(ctx, o.Load != nil); err != nil {
		return r, false, err
	}
	if see == nil {
		see = func(float64) {}
	}
	m := &maker{o: o, ctx: ctx, insts: map[string]*loaded{}}
	return m.one(u, see)
}

// Elsewhere adds units that a Fabric runs. Call the returned function after each of them, with the
// time that it took and the number of units that run in parallel.
func (p *Progress) Elsewhere(units int) (made func(took time.Duration, side int)) {
	if p == nil {
		return func(time.Duration, int) {}
	}
	l := p.start(units, 0)
	return func(took time.Duration, side int) {
		l.side.Store(int64(side))
		l.spent.Add(int64(took))
		l.made.Add(1)
	}
}
