package moves

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"metalab/solvers"
	"metalab/solvers/internal/devices"
)

// A Sharing engine can be one of several that share out the walks.
type Sharing interface {
	Climber

	// Share says before Load that of the walks that come only those from this number on are the
	// engine's. To the others, which are there for their numbers alone, no scans are ever left.
	Share(first int)
}

// spread is a Climber of several, one on each of the run's devices, which share out the walks: in
// the order of their numbers, each as many as the others, or one more. A walk draws by its own
// number, so it makes the same moves wherever it is, and where it is changes no result. What goes
// from walk to walk (see the parameter exchange) goes through the host between iterations: it is a
// solution, seldom.
type spread struct {
	p    *Problem
	make func(*Problem) (Engine, error)

	parts []Climber // on the first of the devices: as many as there are walks for
	walks int
	out   [][]Outcome // by part
	timed bool
	lost  error // of an iteration that some have made
}

// newSpread opens engines for so many walks on the devices of p.
func newSpread(p *Problem, engine func(*Problem) (Engine, error), walks int) (*spread, error) {
	x := &spread{p: p, make: engine}
	if err := x.open(walks); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// open opens engines on more devices, where more walks want them.
func (x *spread) open(walks int) error {
	have := len(x.parts)
	want := min(len(x.p.Env.Devices), walks)
	if want <= have {
		return nil
	}
	more := make([]Climber, want-have)
	errs := devices.Each(len(more), func(k int) error {
		p := *x.p
		p.Env = devices.On(x.p.Env, x.p.Env.Devices[have+k])
		e, err := x.make(&p)
		if err != nil {
			return err
		}
		c, ok := e.(Climber)
		if !ok {
			e.Close()
			return fmt.Errorf("moves: a %T has no share of the walks: name one GPU", e)
		}
		if t, ok := e.(Tuned); ok && x.timed {
			t.Time(true)
		}
		more[k] = c
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		for _, c := range more {
			if c != nil {
				c.Close()
			}
		}
		return err
	}
	x.parts = append(x.parts, more...)
	return nil
}

// working are the engines that have walks.
func (x *spread) working() []Climber { return x.parts[:min(len(x.parts), x.walks)] }

// share are the numbers of the walks of part k, from the first to before the last.
func (x *spread) share(k int) (first, last int) {
	return devices.Share(x.walks, k, len(x.working()))
}

// of is the part that has a walk.
func (x *spread) of(walk int) Climber {
	for k, e := range x.working() {
		if _, last := x.share(k); walk < last {
			return e
		}
	}
	panic(fmt.Sprintf("moves: walk %d of %d", walk, x.walks))
}

// Load implements Engine. Of the walks after its own an engine needs nothing.
func (x *spread) Load(walks []State) error {
	if err := x.open(len(walks)); err != nil {
		return err
	}
	x.walks = len(walks)
	x.out = make([][]Outcome, len(x.working()))
	err := errors.Join(devices.Each(len(x.out), func(k int) error {
		first, last := x.share(k)
		x.out[k] = make([]Outcome, last)
		if e, ok := x.parts[k].(Sharing); ok {
			e.Share(first)
		}
		return x.parts[k].Load(walks[:last])
	})...)
	if err == nil {
		x.lost = nil
	}
	return err
}

// Iterate implements Engine.
func (x *spread) Iterate(ctx context.Context, j Job, out []Outcome) error {
	for a := range out {
		out[a] = NewOutcome(j.Scans)
	}
	return x.Climb(ctx, j, out)
}

// Climb implements Climber. It is also Iterate.
func (x *spread) Climb(ctx context.Context, j Job, out []Outcome) error {
	if err := errors.Join(x.lost, ctx.Err()); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // an iteration is made by all or by none
	errs := devices.Each(len(x.out), func(k int) error {
		first, last := x.share(k)
		own := x.out[k]
		clear(own[:first]) // no scans are left to them
		copy(own[first:], out[first:last])
		return x.parts[k].Climb(ctx, j, own)
	})
	err := devices.Joined(errs)
	if err != nil {
		if slices.Contains(errs, nil) {
			x.lost = err
		}
		return err
	}
	for k, own := range x.out {
		first, last := x.share(k)
		copy(out[first:last], own[first:])
	}
	return nil
}

// State implements Engine.
func (x *spread) State(a int, s *State) error {
	if x.lost != nil {
		return fmt.Errorf("moves: an iteration was broken off by %w", x.lost)
	}
	return x.of(a).State(a, s)
}

// Put implements Climber.
func (x *spread) Put(a int, s *State) error { return x.of(a).Put(a, s) }

// Close closes all engines.
func (x *spread) Close() {
	for _, e := range x.parts {
		e.Close()
	}
	x.parts = nil
}

// Turn takes the turns of all devices.
func (x *spread) Turn(ctx context.Context) (give func(), waited bool, err error) {
	var list []solvers.Sharer
	for _, e := range x.parts {
		if s, ok := e.(solvers.Sharer); ok {
			list = append(list, s)
		}
	}
	return devices.Turn(ctx, list)
}

// Time implements solvers.Timer.
func (x *spread) Time(on bool) bool {
	can := false
	for _, e := range x.parts {
		if t, ok := e.(solvers.Timer); ok {
			can = t.Time(on) || can
		}
	}
	x.timed = on && can
	return can
}

// Spans are those of the first device.
func (x *spread) Spans() []solvers.Span {
	if t, ok := x.parts[0].(solvers.Timer); ok {
		return t.Spans()
	}
	return nil
}

// Waves are those of all devices.
func (x *spread) Waves() (all []solvers.Wave) {
	for k, e := range x.working() {
		w, ok := e.(solvers.Waver)
		if !ok {
			continue
		}
		for _, v := range w.Waves() {
			v.What = fmt.Sprintf("GPU %d: %s", x.p.Env.Devices[k], v.What)
			all = append(all, v)
		}
	}
	return all
}

var _ Tuned = (*spread)(nil)
