package experiments

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/plot"

	"metalab/kernel/view"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
	"metalab/solvers/tuning"
)

// errNothingVaried is the error of figures of parameters where none is varied.
var errNothingVaried = errors.New("it needs varied parameters and two results or more")

// allVaried refuses settings of which some lack a parameter that others vary.
func allVaried(gs []*experiment.Group, t *tuning.History) error {
	for _, g := range gs {
		for _, d := range t.Plan.Space {
			if len(g.Done) == 0 {
				continue
			}
			if u := &g.Done[0].Unit; u.Params[d.Name] == (record.Value{}) {
				return fmt.Errorf("it needs settings that have all varied parameters, and %s/%s has no %s",
					u.Solver, u.Variant, d.Name)
			}
		}
	}
	return nil
}

// parallelChart draws each choice of the varied parameters as a line through their values.
func parallelChart(l view.Look, w view.Labels, gs []*experiment.Group) (*plot.Plot, error) {
	t := trialsOf(gs)
	if len(t.Plan.Space) == 0 || len(t.Trials) < 2 {
		return nil, errNothingVaried
	}
	if err := allVaried(gs, &t); err != nil {
		return nil, err
	}
	out := view.Trials{
		Name: "mean " + w.Y, Maximise: gs[0].Sense == record.Maximise && !inGaps(gs),
	}
	for _, x := range t.Trials {
		out.Result = append(out.Result, x.Mean)
	}
	for _, d := range t.Plan.Space {
		v := view.Dimension{Name: d.Name}
		for _, x := range t.Trials {
			f, number := x.Values[d.Name].Float()
			if !number {
				word := x.Values[d.Name].String()
				at := slices.Index(v.Labels, word)
				if at < 0 {
					at, v.Labels = len(v.Labels), append(v.Labels, word)
				}
				f = float64(at)
			}
			v.Values = append(v.Values, f)
		}
		v.Log = v.Labels == nil && slices.Min(v.Values) > 0 &&
			slices.Max(v.Values) >= 50*slices.Min(v.Values)
		out.Params = append(out.Params, v)
	}
	return l.Parallel(w, out)
}

// importanceChart draws how much each varied parameter matters.
func importanceChart(l view.Look, w view.Labels, gs []*experiment.Group) (*plot.Plot, error) {
	t := trialsOf(gs)
	if len(t.Plan.Space) == 0 || len(t.Trials) < 2 {
		return nil, errNothingVaried
	}
	if err := allVaried(gs, &t); err != nil {
		return nil, err
	}
	var out []view.Share
	for _, x := range t.Importance() {
		out = append(out, view.Share{Name: x.Name, Value: x.Share})
	}
	return l.Importance(w, out...)
}
