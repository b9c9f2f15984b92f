package replay

import (
	"context"
	"fmt"
	"math"

	"metalab/kernel/browser/bundle"
	"metalab/kernel/host/experiments"
	"metalab/kernel/reply"
	"metalab/solvers/experiment"
)

// mostSteps is how many steps of units a page holds at most: some 10 bytes each, before they are
// compressed.
const mostSteps = 100_000

// over gathers what the units had after each iteration: of the instances of which there are charts.
func over(
	ctx context.Context, x experiments.Shown, name string, s *experiments.Sheet, p *bundle.Study,
) error {
	traces, err := x.Traces(ctx, name)
	if err != nil {
		return err
	}
	sum := 0
	for _, t := range traces {
		sum += len(t)
	}
	if sum > mostSteps {
		p.Undrawn = append(p.Undrawn, fmt.Sprintf("There is no slider over the iterations: the units "+
			"have %d new bests, and a page holds %d.", sum, mostSteps))
		return nil
	}
	for i, place := range s.Where {
		if i == mostDrawn {
			break
		}
		if panel := panelOf(place, s, traces); len(panel.Settings) > 0 {
			p.Over = append(p.Over, panel)
		}
	}
	return nil
}

// panelOf is what there is of an instance.
func panelOf(
	place string, s *experiments.Sheet, traces map[int][]experiment.TracePoint,
) bundle.Panel {
	has := func(u reply.ExperimentUnit, place string) bool {
		return u.Instance == place && u.Error == "" && len(traces[u.Number]) > 0
	}
	p := bundle.Panel{Instance: place, Percent: true}
	for i, u := range s.Units {
		if has(u, place) {
			known := s.Rows[i].Result.Optimum
			p.Percent = p.Percent && !math.IsNaN(known) && known != 0
			p.Maximise = bool(s.Rows[i].Unit.Instance.Sense())
		}
	}
	at := map[string]int{} // of labels
	for i, u := range s.Units {
		if !has(u, place) {
			continue
		}
		k, ok := at[u.Label]
		if !ok {
			k = len(p.Settings)
			at[u.Label] = k
			p.Settings = append(p.Settings, bundle.Paths{Label: u.Label})
		}
		to := &p.Settings[k]
		to.Units = append(to.Units, stepsOf(&s.Rows[i], traces[u.Number], p.Percent))
	}
	return p
}

// stepsOf is a trace in values, or in gaps.
func stepsOf(r *experiment.Row, trace []experiment.TracePoint, percent bool) (out []bundle.Step) {
	known, sense := r.Result.Optimum, r.Unit.Instance.Sense()
	for _, t := range trace {
		v := sense.Value(t.Best)
		if percent {
			v = 100 * (t.Best - known) / math.Abs(known)
			v = math.Round(v*1e6) / 1e6 // as many digits as are read
		}
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			out = append(out, bundle.Step{float64(t.Iteration), v})
		}
	}
	return out
}
