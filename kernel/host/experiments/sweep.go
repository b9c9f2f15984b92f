package experiments

import (
	"cmp"
	"context"
	"crypto/sha256"
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

var _ = host.HandleIn(here, "sweep", (*room).sweep)

func (h *room) sweep(c *host.Call, q *wire.SweepRequest) (*reply.ExperimentReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	on, gpus, err := gpuSets("sweep", q.On)
	if err != nil {
		return nil, err
	}
	q.On = strings.Join(on, ",")
	if len(on) == 1 && gpus != nil && on[0] == e.Engine().Variant().Backend {
		q.On = "" // it says where alone
	}
	p, err := sweepOf(c.Context(), e, q)
	if err != nil {
		return nil, err
	}
	if err := h.reach(c, q.Over); err != nil {
		return nil, err
	}
	s, err := h.experiments()
	if err != nil {
		return nil, err
	}
	name := or(q.As, sweepName(e, &p))
	h.limit(name, gpus)
	rep := &reply.ExperimentReply{Verb: "sweep", Path: s.Path()}
	if rep.Added, err = h.plan(c, s, "sweep", name, p); err != nil {
		return nil, err
	}
	rep, err = h.makeUnits(c, s, name, q.Again, q.Background, q.Over, rep)
	if err == nil && rep.Note == "" {
		rep.Note = fmt.Sprintf("chart %s draws the boxes", name)
		if len(p.Grid) > 0 {
			rep.Note = fmt.Sprintf("chart %s error draws the error against %s, chart %s the boxes", name,
				p.Grid[0].Name, name)
		}
	}
	return rep, err
}

// The forms are what a sweep may vary beside parameters: how the run is opened. They are settings
// of the plan.
var forms = []string{"variant", "preset", "on"}

// sweepOf is the plan of a run with several values of its parameters, or as several variants,
// with several presets or on several backends.
func sweepOf(
	ctx context.Context, e *host.Run, q *wire.SweepRequest,
) (p experiment.Plan, err error) {
	fixed, grid := axes(q.Params)
	for _, n := range sortedKeys(q.Params) {
		if !slices.ContainsFunc(e.Params(), func(p reply.Param) bool { return p.Name == n }) {
			return p, unvaried(e, "sweep", n)
		}
	}
	values := map[string][]string{} // of forms
	for form, list := range map[string]string{
		"variant": q.Variant, "preset": q.Preset, "on": q.On,
	} {
		switch all := wire.NamesOf(list); len(all) {
		case 0:
		case 1:
			fixed[form] = record.Text(all[0])
		default:
			values[form] = all
		}
	}
	if len(fixed) > 0 {
		n := sortedKeys(fixed)[0]
		return p, wrong(fmt.Sprintf("sweep: %s has one value, want several with commas between them, as "+
			"%s", n, or(map[string]string{
			"variant": "variant=seq,spm", "preset": "preset=default,paper", "on": "on=cpu,cuda",
		}[n], n+"=1,2,4")))
	}
	if n := len(grid) + len(values); n < 1 || n > 2 {
		return p, wrong(fmt.Sprintf("sweep: %d parameters have several values, want 1 or 2, as "+
			"q0=0.8,0.9 or variant=seq,spm; experiment takes more", n))
	}
	p = experiment.Plan{
		Seeds: host.DefaultSeeds, First: e.Engine().Seed(), Grid: grid,
		Budget: budgetOf(q.N, q.Evaluations, q.Wall, q.CPU),
	}
	if q.Seeds != nil {
		p.Seeds = *q.Seeds
	}
	var varied []string
	for _, a := range grid {
		varied = append(varied, a.Name)
	}
	base, err := setting(ctx, e, "sweep", varied)
	if err != nil {
		return p, err
	}
	p.Settings = []experiment.Setting{base}
	for _, form := range forms {
		if len(values[form]) > 0 {
			if p.Settings, err = asForms(e, p.Settings, form, values[form]); err != nil {
				return p, err
			}
		}
	}
	p.Instances, p.Budget, err = defaultsOf(e, "sweep", q.Instances, p.Budget)
	return p, err
}

// asForms returns settings with each value of a form. Changes of the run stay; each must be a
// parameter of all variants.
func asForms(
	e *host.Run, settings []experiment.Setting, form string, values []string,
) (out []experiment.Setting, err error) {
	for _, s := range settings {
		for _, v := range values {
			switch form {
			case "variant":
				s.Variant = v
			case "preset":
				s.Preset = v
			case "on":
				s.Backend = v
			}
			if _, err := solvers.Find(s.Solver, s.Variant, s.Backend); err != nil {
				return nil, wrong(fmt.Sprintf("sweep: %v%s%s", err, host.NearSolver(s.Solver, s.Variant),
					host.WhyNot("sweep", s.Solver, s.Variant, s.Backend)))
			}
			if err := takes(e, &s); err != nil {
				return nil, err
			}
			s.Name = s.Solver + "/" + s.Variant
			if s.Backend == "cuda" {
				s.Name += " on cuda"
			}
			if preset := cmp.Or(s.Preset, "default"); preset != "default" || form == "preset" {
				s.Name += " preset=" + preset
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// takes tests whether a setting can repeat a run.
func takes(e *host.Run, s *experiment.Setting) error {
	cfg := solvers.Config{
		Solver: s.Solver, Variant: s.Variant, Backend: s.Backend, Preset: s.Preset,
		Instance: e.Engine().Instance(),
	}
	v, own, err := solvers.Resolve(cfg)
	if err != nil {
		return wrong("sweep: " + strings.TrimPrefix(err.Error(), "solvers: resolve "))
	}
	for _, n := range sortedKeys(s.Params) {
		if !slices.ContainsFunc(own, func(p record.Param) bool { return p.Name == n }) {
			return wrong(fmt.Sprintf("sweep: run %s has %s=%s, and %s/%s has no parameter %s: open another "+
				"run without it, or name what is compared: experiment NAME solvers=%s/%s,%s/%s", e.Name(), n,
				s.Params[n], v.Solver, v.Name, n, v.Solver, e.Engine().Variant().Name, v.Solver, v.Name))
		}
	}
	return nil
}

// sweepName returns the default name of a sweep: the same for all sweeps that differ only in seeds
// and values.
func sweepName(e *host.Run, p *experiment.Plan) string {
	v := e.Engine().Variant()
	names := []string{v.Solver}
	names = append(names, formsOf(p)...)
	for _, a := range p.Grid {
		names = append(names, a.Name)
	}
	sum := sha256.New()
	s := &p.Settings[0]
	fmt.Fprintln(sum, v.Solver, v.Name, v.Backend, e.Engine().Header().Preset, p.Instances, p.Budget,
		p.First)
	for _, n := range sortedKeys(s.Params) {
		fmt.Fprintln(sum, n, s.Params[n])
	}
	return fmt.Sprintf("%s-%.4x", strings.Join(names, "-"), sum.Sum(nil)[:2])
}

// formsOf are the forms that settings of a sweep differ in.
func formsOf(p *experiment.Plan) (out []string) {
	of := map[string]func(*experiment.Setting) string{
		"variant": func(s *experiment.Setting) string { return s.Variant },
		"preset":  func(s *experiment.Setting) string { return s.Preset },
		"on":      func(s *experiment.Setting) string { return s.Backend },
	}
	for _, form := range forms {
		for i := range p.Settings {
			if of[form](&p.Settings[i]) != of[form](&p.Settings[0]) {
				out = append(out, form)
				break
			}
		}
	}
	return out
}
