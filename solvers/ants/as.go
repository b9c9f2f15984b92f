package ants

import (
	"context"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// system is the Ant System.
type system struct {
	colony
	alpha, rho float64
}

func newSystem(inst datasets.Instance) (solvers.Algorithm, error) {
	t, err := asTSP(inst)
	if err != nil {
		return nil, err
	}
	a := &system{colony: colony{inst: t, scan: true, localShare: 1}}
	a.Preset("best")
	return a, nil
}

// Preset implements solvers.Presetter.
func (a *system) Preset(name string) bool {
	n := a.inst.N
	switch name {
	case "best":
		a.common = common{ants: fewAnts(25, n), beta: 5, candidates: fewCandidates(20, n), storage: storeCandidates, localSearch: localOr}
		if a.inst.Asymmetric {
			a.localSearch = localFull
		}
	case "paper":
		a.common = common{ants: fewAnts(n, n), beta: 5, candidates: fewCandidates(1024, n), storage: storeCandidates, localSearch: localNone}
	default:
		return false
	}
	a.alpha, a.rho = 1, 0.5
	return true
}

// Declare implements solvers.Algorithm.
func (a *system) Declare(t *solvers.Params) {
	a.declareAnts(t, a.inst.N)
	declareAlpha(t, &a.alpha)
	a.declareBeta(t)
	declareRemains(t, &a.rho)
	a.declareStructure(t, a.inst.N)
	a.declareLocal(t)
}

// Init implements solvers.Algorithm.
func (a *system) Init(env *solvers.Env) error {
	if err := a.prepare(env, a.alpha); err != nil {
		return err
	}
	a.t.fill(float32(1 / ((1 - a.rho) * float64(a.nn))))
	a.refresh()
	a.branch = a.t.branching(0.05)
	return nil
}

// refresh makes the weights. Their scale is a trail to which one ant a tour like the
// nearest-neighbour tour would bring an edge; only trails above 2^100 times are cut.
func (a *system) refresh() {
	a.t.inv = float32(float64(a.nn) * (1 - a.rho))
	a.t.limit(a.env.Pool, minTrail, math.MaxFloat32)
}

// Changed implements solvers.Changer.
func (a *system) Changed(names []string) {
	for _, name := range names {
		switch name {
		case "ants":
			a.resize()
		case "alpha":
			a.t.alpha = a.alpha
		case "beta":
			a.t.setBeta(a.beta)
		}
	}
	a.refresh()
}

// Iterate implements solvers.Algorithm.
func (a *system) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := a.begin(ctx, it); err != nil {
		return err
	}
	a.walkAll()
	if a.cut.Load() {
		return ctx.Err()
	}
	a.finish(p)
	a.t.evaporate(a.env.Pool, float32(a.rho))
	for k, l := range a.lengths {
		a.t.deposit(a.tour(k), l)
	}
	a.refresh()
	// Weak edges on no list are forgotten: rewarding all ants makes a great many.
	a.forget(max(a.t.off, float32(0x1p-10/((1-a.rho)*float64(a.nn)))))
	a.measure(p)
	return nil
}

// Measures implements solvers.Algorithm.
func (a *system) Measures() []string { return []string{"branching", "fallback"} }
