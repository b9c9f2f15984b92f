package experiments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// planned reports whether a request has parts of a plan.
func planned(q *wire.ExperimentRequest) bool {
	return q.Solvers != "" || q.Instances != "" || q.Seeds != nil || q.First != nil || q.N != 0 ||
		q.Evaluations != 0 || q.Wall != 0 || q.CPU != 0 || q.On != "" || q.Preset != "" ||
		len(q.Params) > 0
}

// listOf are the parts of a list with commas; one empty one where the list is empty.
func listOf(s string) []string {
	if all := wire.NamesOf(s); len(all) > 0 {
		return all
	}
	return []string{""}
}

// planOf returns the plan of a request. For an existing experiment, fields that the request omits
// keep their planned values.
func (h *room) planOf(
	ctx context.Context, s experiment.Store, q *wire.ExperimentRequest,
) (p experiment.Plan, err error) {
	info, err := s.Info(ctx, q.Name)
	old := err == nil
	switch {
	case old:
		p = info.Plan
	case errors.Is(err, experiment.ErrUnknown):
		p = experiment.Plan{Seeds: host.DefaultSeeds, First: host.DefaultSeed}
	default:
		return p, err
	}
	begun := old && info.Done+info.Failed > 0
	if q.Seeds != nil && (!begun || *q.Seeds > p.Seeds || *q.Seeds < 1) {
		p.Seeds = *q.Seeds // fewer take no results away
	}
	if q.First != nil {
		p.First = *q.First
	}
	if b := budgetOf(q.N, q.Evaluations, q.Wall, q.CPU); b != (record.Budget{}) {
		p.Budget = b
	}
	if q.Instances != "" {
		p.Instances = wire.NamesOf(q.Instances)
	}
	if !old || q.Solvers != "" || q.On != "" || q.Preset != "" || len(q.Params) > 0 {
		if q.Solvers == "" {
			return p, wrong("experiment: solvers is missing, as in: experiment " + q.Name +
				" solvers=acs,mmas/wrs instances=d198 seeds=10 n=100")
		}
		fixed, grid := axes(q.Params)
		p.Grid, p.Samples = grid, nil
		if p.Settings, err = settingsOf(q, fixed); err != nil {
			return p, err
		}
	}
	return p, nil
}

// settingsOf are the settings that a request names: each solver on each backend with each preset.
func settingsOf(
	q *wire.ExperimentRequest, fixed record.Values,
) (out []experiment.Setting, err error) {
	for _, name := range wire.NamesOf(q.Solvers) {
		for _, on := range listOf(q.On) {
			for _, preset := range listOf(q.Preset) {
				o := wire.OpenRequest{Solver: name, Preset: preset, Params: fixed}
				o.Solver, o.Variant, _ = strings.Cut(name, "/")
				said, err := host.Unname(&o)
				if err != nil {
					return nil, err
				}
				if _, err := solvers.Find(o.Solver, o.Variant, on); err != nil {
					return nil, fmt.Errorf("experiment: %w%s%s", err, host.NearSolver(o.Solver, o.Variant),
						host.WhyNot("experiment", o.Solver, o.Variant, on))
				}
				s := experiment.Setting{
					Solver: o.Solver, Variant: o.Variant, Backend: on, Preset: o.Preset, Params: o.Params,
				}
				if said != "" {
					s.Name = name
					if on != "" && on != "cpu" {
						s.Name += " on " + on
					}
				}
				out = append(out, s)
			}
		}
	}
	return out, nil
}

// axes splits parameters into those with one value and those with several.
func axes(vs record.Values) (fixed record.Values, grid []experiment.Axis) {
	fixed = record.Values{}
	for _, n := range sortedKeys(vs) {
		words := wire.NamesOf(vs[n].String())
		if len(words) < 2 {
			fixed[n] = vs[n]
			continue
		}
		a := experiment.Axis{Name: n}
		for _, w := range words {
			a.Values = append(a.Values, record.Parse(w))
		}
		grid = append(grid, a)
	}
	return fixed, grid
}

func budgetOf(n, evaluations int64, wall, cpu reply.Num) record.Budget {
	return record.Budget{
		Iterations: n, Evaluations: evaluations, Wall: float64(wall), CPU: float64(cpu),
	}
}

// defaultsOf are the instances and the budget of units, by default those of the run.
func defaultsOf(e *host.Run, verb, instances string, b record.Budget) (
	[]string, record.Budget, error,
) {
	all := wire.NamesOf(instances)
	if len(all) == 0 {
		ref := e.Engine().Header().Instance
		all = []string{or(ref.Path, ref.Name)}
	}
	if b == (record.Budget{}) {
		if b.Iterations = e.Engine().Last().Iter; b.Iterations == 0 {
			return all, b, wrong(fmt.Sprintf("%s: %s has made no iteration; say how many each unit makes, "+
				"as n=1000, or another budget, as 10s or 10cpu", verb, e.Name()))
		}
	}
	return all, b, nil
}

// setting is a run's solver with its parameters of now, as far as the preset has others, without
// those that are varied.
func setting(
	ctx context.Context, e *host.Run, verb string, varied []string,
) (s experiment.Setting, err error) {
	hd, v := e.Engine().Header(), e.Engine().Variant()
	if hd.Start != nil {
		return s, wrong(fmt.Sprintf("%s: %s begins at a given solution, which no unit of an experiment "+
			"does: open another run without start", verb, e.Name()))
	}
	s = experiment.Setting{
		Solver: v.Solver, Variant: v.Name, Backend: v.Backend, Preset: hd.Preset,
		Params: record.Values{},
	}
	_, own, err := solvers.Resolve(solvers.Config{
		Solver: s.Solver, Variant: s.Variant, Backend: s.Backend, Preset: s.Preset,
		Instance: e.Engine().Instance(),
	})
	if err != nil {
		return s, err
	}
	now, err := e.Engine().Params(ctx)
	if err != nil {
		return s, err
	}
	for i, d := range now { // what the preset does not have; another instance may have other values
		if !slices.Contains(varied, d.Name) && d.Class != record.Schedule &&
			(i >= len(own) || own[i].Value != d.Value) {
			s.Params[d.Name] = d.Value
		}
	}
	return s, nil
}
