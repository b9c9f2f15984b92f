package experiment

import (
	"context"
	"time"
)

// A Fabric makes the units of a queue elsewhere, as on other machines; see [Options]. The queue
// stays the truth: what it was not told to have been finished is left.
type Fabric interface {
	// Carry makes the units of a queue and returns when none is left, or when ctx ends: then those
	// that are under way are given back, and the error is its cause. Of the options it uses Load,
	// Source, Each, Note and Progress.
	Carry(ctx context.Context, q Queue, o Options) error
}

// One makes a unit by itself, on one core or on the GPU of its Device. The error is that of the
// context: all else that goes wrong is a result. lost says that nothing works any more where it
// was made, see Options.Lost. see is told now and then which part of the budget is used up, and
// may be nil. Of the options it uses Load, Machine, Device, Lost, Hold and Keeping.
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

// Elsewhere notes that so many units are made by a Fabric. The function that it returns is told of
// each that is made: how long it took, and how many are made side by side.
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
