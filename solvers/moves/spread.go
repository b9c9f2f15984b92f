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

// spread is a Climber of several, one on each of the run's devices, which share the walks: in the
// order of their numbers, each as many as the others, or one more. A walk draws by its own number,
// so it makes the same moves on every device, and the distribution changes no result. Exchanges
// between walks (see the parameter exchange) go through the host between iterations: one solution,
// seldom.
//
// If there are fewer walks than devices, and neighbourhoods are large, all devices have all walks,
// and share the neighbourhoods (see Parting).
type spread struct {
	p    *Problem
	make func(*Problem) (Engine, error)

	parts []Climber // on the first of the devices: as many as there are walks for, or all
	whole bool      // each has all walks
	like  State     // has the sizes of all
	walks int
	out   [][]Outcome // by part
	timed bool
	lost  error // of an iteration that some have made
}

// newSpread opens engines for a number of walks on the devices of p.
func newSpread(p *Problem, engine func(*Problem) (Engine, error), walks int) (*spread, error) {
	x := &spread{p: p, make: engine}
	if err := x.open(walks); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// open opens engines on more devices, if want exceeds those that are open.
func (x *spread) open(want int) error {
	have := len(x.parts)
	want = min(len(x.p.Env.Devices), want)
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
func (x *spread) working() []Climber {
	if x.whole {
		return x.parts
	}
	return x.parts[:min(len(x.parts), x.walks)]
}

// share are the numbers of the walks of part k, from the first to before the last.
func (x *spread) share(k int) (first, last int) {
	if x.whole {
		return 0, x.walks
	}
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

// Load implements Engine. An engine needs nothing of the walks after its own.
func (x *spread) Load(walks []State) error {
	if err := x.open(len(walks)); err != nil {
		return err
	}
	x.walks, x.whole = len(walks), x.whole && len(walks) < len(x.parts)
	x.like = State{
		Now: walks[0].Now.Clone(), Top: walks[0].Top.Clone(), Until: slices.Clone(walks[0].Until),
	}
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
	give, err := x.arrange(ctx, j)
	defer give()
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // all engines run an iteration, or none
	meeting := devices.NewMeeting[[]Found](len(x.out))
	errs := meeting.Each(func(k int) error {
		first, last := x.share(k)
		own := x.out[k]
		clear(own[:first]) // no scans are left to them
		copy(own[first:], out[first:last])
		if e, ok := x.parts[k].(Parting); ok {
			n := 1
			if x.whole {
				n = len(x.parts)
			}
			e.Part(k%n, n, func(mine []Found) ([]Found, error) {
				told, err := meeting.Meet(k, mine)
				return slices.Concat(told...), err
			})
		}
		return x.parts[k].Climb(ctx, j, own)
	})
	err = devices.Joined(errs)
	if err == nil && x.whole {
		err = x.same()
	}
	if err != nil {
		if x.whole && errors.Is(err, solvers.ErrHalted) && !halted(errs) {
			err = fmt.Errorf("of %d devices that share scans some have begun: %v", len(errs), err)
		}
		if x.whole || slices.Contains(errs, nil) {
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

// arrange distributes among the devices what finishes a job of this kind soonest: walks, or
// neighbourhoods. It acquires the turns of added devices, which follow those that the run has; give
// releases them after the iteration. The next one acquires all (see Turn).
func (x *spread) arrange(ctx context.Context, j Job) (give func(), err error) {
	give = func() {}
	whole := false
	if e, ok := x.parts[0].(Parting); ok && x.walks < len(x.p.Env.Devices) {
		whole = e.Worth(j)
	}
	if whole == x.whole {
		return give, nil
	}
	walks := make([]State, x.walks)
	for a := range walks {
		s := &walks[a]
		*s = State{Now: x.like.Now.Clone(), Top: x.like.Top.Clone(), Until: slices.Clone(x.like.Until)}
		if err := x.State(a, s); err != nil {
			return give, err
		}
	}
	if have := len(x.parts); whole {
		if err := x.open(len(x.p.Env.Devices)); err != nil {
			return give, err
		}
		if give, _, err = devices.Turn(ctx, sharers(x.parts[have:])); err != nil {
			return func() {}, err
		}
	}
	x.whole = whole
	return give, x.Load(walks)
}

// same is an error if the devices, which all have the same walks, do not say the same of them.
func (x *spread) same() error {
	for k, own := range x.out {
		for a, o := range own {
			if o.Hash != x.out[0][a].Hash || o.Low != x.out[0][a].Low {
				return fmt.Errorf("moves: after scans that GPUs %d and %d share, walk %d of them differs",
					x.p.Env.Devices[0], x.p.Env.Devices[k], a)
			}
		}
	}
	return nil
}

// halted tells whether all devices have refused to begin.
func halted(errs []error) bool {
	return !slices.ContainsFunc(errs, func(err error) bool {
		return !errors.Is(err, solvers.ErrHalted)
	})
}

// State implements Engine.
func (x *spread) State(a int, s *State) error {
	if x.lost != nil {
		return fmt.Errorf("moves: an iteration was broken off by %w", x.lost)
	}
	return x.of(a).State(a, s)
}

// Put implements Climber.
func (x *spread) Put(a int, s *State) error {
	if !x.whole {
		return x.of(a).Put(a, s)
	}
	return errors.Join(devices.Each(len(x.parts), func(k int) error {
		return x.parts[k].Put(a, s)
	})...)
}

// Close closes all engines.
func (x *spread) Close() {
	for _, e := range x.parts {
		e.Close()
	}
	x.parts = nil
}

// Turn takes the turns of all devices.
func (x *spread) Turn(ctx context.Context) (give func(), waited bool, err error) {
	return devices.Turn(ctx, sharers(x.parts))
}

func sharers(engines []Climber) (list []solvers.Sharer) {
	for _, e := range engines {
		if s, ok := e.(solvers.Sharer); ok {
			list = append(list, s)
		}
	}
	return list
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

// Spans returns the spans of the first device.
func (x *spread) Spans() []solvers.Span {
	if t, ok := x.parts[0].(solvers.Timer); ok {
		return t.Spans()
	}
	return nil
}

// Waves returns the waves of all devices.
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
