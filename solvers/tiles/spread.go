package tiles

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"metalab/solvers"
	"metalab/solvers/internal/devices"
)

// A Parting engine can be one of several that share out the pieces of a cut. Each has all tours,
// searches its part of the pieces, tells the others what it has made of them, and makes the new
// tours of what all have told.
type Parting interface {
	Engine

	// Part says before Iterate that the engine has part k of n; of 1 it has all. In each round it
	// calls meet once, and gets what all have told, in the order of their parts. An error says that
	// another engine has failed.
	Part(k, n int, meet func([]int32) ([][]int32, error))
}

// partedCities is the smallest total number of cities of tours for which devices share the pieces.
// They exchange 12 bytes a city, through the host. With fewer cities the pieces do not keep one
// H100 busy: a round of E100k.0 takes 19.8 ms, and on two of them 18.1.
const partedCities = 500_000

// On makes the engine of p for so many tours: one, or on several devices and for many cities the
// one that Spread makes.
func On(p *Problem, tours int, engine func(*Problem) (Engine, error)) (Engine, error) {
	if p.Env == nil || len(p.Env.Devices) < 2 || tours*p.Space.N < partedCities {
		return engine(p)
	}
	return Spread(p, engine)
}

// spread is an Engine of several, one on each device.
type spread struct {
	devices []int
	parts   []Parting
	out     [][]Outcome // by part
	lost    error       // of a round that some have made
}

// Spread returns an engine on each of the devices of p, which share the pieces. The distribution
// changes no result. The engines must be Parting.
func Spread(p *Problem, engine func(*Problem) (Engine, error)) (Engine, error) {
	x := &spread{devices: p.Env.Devices}
	made := make([]Engine, len(x.devices))
	errs := devices.Each(len(made), func(k int) (err error) {
		q := *p
		q.Env = devices.On(p.Env, x.devices[k])
		made[k], err = engine(&q)
		return err
	})
	err := errors.Join(errs...)
	for _, e := range made {
		part, ok := e.(Parting)
		if err == nil && !ok {
			err = fmt.Errorf("tiles: a %T has no part of the pieces: name one GPU", e)
		}
		x.parts = append(x.parts, part)
	}
	if err != nil {
		for k, e := range made {
			if errs[k] == nil {
				e.Close()
			}
		}
		return nil, err
	}
	x.out = make([][]Outcome, len(x.parts))
	return x, nil
}

// all calls f for each part.
func (x *spread) all(f func(e Parting) error) error {
	return errors.Join(devices.Each(len(x.parts), func(k int) error { return f(x.parts[k]) })...)
}

// Load implements Engine.
func (x *spread) Load(chains [][]int32) error {
	err := x.all(func(e Parting) error { return e.Load(chains) })
	if err == nil {
		x.lost = nil
	}
	return err
}

// Iterate implements Engine.
func (x *spread) Iterate(ctx context.Context, j Job, out []Outcome) error {
	if err := errors.Join(x.lost, ctx.Err()); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // all devices run a round, or none
	m := devices.NewMeeting[[]int32](len(x.parts))
	errs := m.Each(func(k int) error {
		x.out[k] = make([]Outcome, len(out))
		x.parts[k].Part(k, len(x.parts), func(mine []int32) ([][]int32, error) {
			return m.Meet(k, mine)
		})
		return x.parts[k].Iterate(ctx, j, x.out[k])
	})
	err := devices.Joined(errs)
	if err == nil {
		err = x.sum(out)
	}
	if err != nil && slices.Contains(errs, nil) {
		x.lost = err
	}
	return err
}

// sum adds up the counts of the parts. All must report the same new tours.
func (x *spread) sum(out []Outcome) error {
	for a := range out {
		o := x.out[0][a]
		for k := 1; k < len(x.parts); k++ {
			p := x.out[k][a]
			if p.Hash != o.Hash || p.Length != o.Length {
				return fmt.Errorf("tiles: after a round that GPUs %d and %d share, tour %d of them differs",
					x.devices[0], x.devices[k], a)
			}
			o.Change += p.Change
			o.Kicks += p.Kicks
			o.Kept += p.Kept
			o.Gained += p.Gained
			o.Refused += p.Refused
			o.Moves += p.Moves
		}
		out[a] = o
	}
	return nil
}

// Tour implements Engine.
func (x *spread) Tour(chain int, dst []int32) error {
	if x.lost != nil {
		return fmt.Errorf("tiles: a round was broken off by %w", x.lost)
	}
	return x.parts[0].Tour(chain, dst)
}

// Copy implements Engine.
func (x *spread) Copy(from, to int) error {
	return x.all(func(e Parting) error { return e.Copy(from, to) })
}

// Keep implements Engine.
func (x *spread) Keep(chain int) error {
	return x.all(func(e Parting) error { return e.Keep(chain) })
}

// Kept implements Engine.
func (x *spread) Kept(dst []int32) error { return x.parts[0].Kept(dst) }

// Close closes all engines.
func (x *spread) Close() {
	for _, e := range x.parts {
		e.Close()
	}
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
	for k, e := range x.parts {
		if w, ok := e.(solvers.Waver); ok {
			for _, v := range w.Waves() {
				v.What = fmt.Sprintf("GPU %d: %s", x.devices[k], v.What)
				all = append(all, v)
			}
		}
	}
	return all
}

var _ Tuned = (*spread)(nil)
