package ils

import (
	"context"
	"errors"
	"fmt"

	"metalab/solvers"
	"metalab/solvers/internal/devices"
	"metalab/solvers/tours"
)

// bestSpread is a BestEngine of several, one on each of the run's devices, which share out the
// chains: in the order of their numbers, each as many as the others, or one more. A chain draws by
// its own number, so where it is changes no result.
type bestSpread struct {
	devices []int
	parts   []BestEngine
	chains  int
	own     [][]BestChain // by device: its chains, and before them those of others
}

func newBestSpread(
	p *BestProblem, engine func(*BestProblem) (BestEngine, error),
) (*bestSpread, error) {
	x := &bestSpread{devices: p.Env.Devices, parts: make([]BestEngine, len(p.Env.Devices))}
	errs := devices.Each(len(x.parts), func(k int) (err error) {
		q := *p
		q.Env = devices.On(p.Env, x.devices[k])
		x.parts[k], err = engine(&q)
		return err
	})
	if err := errors.Join(errs...); err != nil {
		for k, e := range x.parts {
			if errs[k] == nil {
				e.Close()
			}
		}
		return nil, err
	}
	return x, nil
}

// share are the chains of device k, from lo to hi - 1.
func (x *bestSpread) share(k int) (lo, hi int) { return devices.Share(x.chains, k, len(x.own)) }

// Use implements BestEngine. A device needs nothing of the chains after its own.
func (x *bestSpread) Use(near tours.Neighbours, op tours.BestOperator, chains int) error {
	x.chains = chains
	x.own = make([][]BestChain, min(chains, len(x.parts)))
	return errors.Join(devices.Each(len(x.own), func(k int) error {
		_, hi := x.share(k)
		x.own[k] = make([]BestChain, hi)
		return x.parts[k].Use(near, op, hi)
	})...)
}

// Iterate implements BestEngine.
func (x *bestSpread) Iterate(ctx context.Context, j BestJob, chains []BestChain) error {
	err := errors.Join(devices.Each(len(x.own), func(k int) error {
		lo, hi := x.share(k)
		for a := range lo {
			x.own[k][a] = BestChain{Idle: true}
		}
		copy(x.own[k][lo:], chains[lo:hi])
		return x.parts[k].Iterate(ctx, j, x.own[k])
	})...)
	if err != nil {
		return err
	}
	for k, own := range x.own {
		lo, hi := x.share(k)
		copy(chains[lo:hi], own[lo:])
	}
	return nil
}

// Close closes all engines.
func (x *bestSpread) Close() {
	for _, e := range x.parts {
		e.Close()
	}
}

// Turn takes the turns of all devices.
func (x *bestSpread) Turn(ctx context.Context) (give func(), waited bool, err error) {
	var list []solvers.Sharer
	for _, e := range x.parts {
		if s, ok := e.(solvers.Sharer); ok {
			list = append(list, s)
		}
	}
	return devices.Turn(ctx, list)
}

// Time implements solvers.Timer.
func (x *bestSpread) Time(on bool) bool {
	can := false
	for _, e := range x.parts {
		if t, ok := e.(solvers.Timer); ok {
			can = t.Time(on) || can
		}
	}
	return can
}

// Spans returns the spans of the first device.
func (x *bestSpread) Spans() []solvers.Span {
	if t, ok := x.parts[0].(solvers.Timer); ok {
		return t.Spans()
	}
	return nil
}

// Waves returns the waves of all devices.
func (x *bestSpread) Waves() (all []solvers.Wave) {
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
