package view

import (
	"context"
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
)

// objectives name what is optimised, by the kind of problem.
var objectives = map[datasets.Kind]string{
	datasets.KindTSP: "tour length", datasets.KindATSP: "tour length", datasets.KindQAP: "cost",
	datasets.KindPPP: "violations", datasets.KindWeierstrass: "function value",
	datasets.KindColouring: "conflicts", datasets.KindOwn: "objective",
}

// Objective names the objective of an instance.
func Objective(inst datasets.Instance) string {
	if c, ok := inst.(*datasets.Cut); ok {
		switch c.Objective() {
		case datasets.CutObjective:
			return "cut"
		case datasets.EnergyObjective:
			return "energy"
		default:
			return "value"
		}
	}
	return objectives[inst.Kind()]
}

// Of returns the data of a run for figures: its history and journal and, if there are cities, its
// best tour on their map. It waits for the end of the current iteration.
func Of(ctx context.Context, r *solvers.Run) (Data, error) {
	if ctx == nil || r == nil {
		return Data{}, errors.New("view: the context or the run is nil")
	}
	d := History(r)
	b, err := r.Best(ctx)
	if err != nil {
		return d, fmt.Errorf("view: %w", err)
	}
	if d.X != nil {
		d.Tour = b.Solution.Perm
	}
	return d, nil
}

// History returns the data of [Of] without the tour, and waits for nothing.
func History(r *solvers.Run) Data {
	h, kind, p := r.Header(), r.Instance().Kind(), r.Last()
	d := Data{
		Name: r.Name(), Objective: Objective(r.Instance()), Kind: string(kind), Instance: h.Instance.Name,
		Sense: solvers.SenseOf(r.Instance()), Points: r.History(), Measures: h.Measures,
		Counts: r.Counts(), Journal: r.Journal(),
	}
	if b, ok := r.Instance().BestKnown(); ok {
		d.Best = &b.Value
	}
	v := r.Variant()
	d.Title = fmt.Sprintf("%s: %s/%s on %s, iteration %d", d.Name, v.Solver, v.Name, d.Instance,
		p.Iter)
	if t, ok := r.Instance().(*datasets.TSP); ok {
		d.X, d.Y, d.Names, d.Km = t.ShowX, t.ShowY, t.Names, t.ShowKm
	}
	return d
}
