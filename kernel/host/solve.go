package host

import (
	"fmt"
	"path/filepath"
	"strings"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// solveFor is the default time of solve, in seconds.
const solveFor = 10

var _ = handle("solve", (*Host).solve)

// solve opens a run of the solver that suits an instance, steps it and writes its best solution.
func (h *Host) solve(c *Call, q *wire.SolveRequest) (*reply.SolveReply, error) {
	if isSolver(q.Instance) {
		return nil, wrong(fmt.Sprintf("solve: %s is a solver, and solve chooses one: solve pr1002 60s; "+
			"open %s pr1002 as a for this one", q.Instance, q.Instance))
	}
	inst, err := h.load1(c, q.Instance)
	if err != nil {
		return nil, err
	}
	if q.To != "" { // before the time is spent
		if err := Absolute("solve", q.To); err != nil {
			return nil, err
		}
		if err := holds("solve", q.To, inst); err != nil {
			return nil, err
		}
		if err := record.Writable(q.To); err != nil {
			return nil, fmt.Errorf("solve: %w", err)
		}
	}
	step := &wire.StepRequest{Wall: q.Wall, CPU: q.CPU, Until: q.Until}
	if step.Wall == 0 && step.CPU == 0 && step.Until == "" {
		step.Wall = solveFor
	}
	e, rep, err := h.openChosen(c, q, choose(q, inst, float64(step.Wall)))
	if err != nil {
		return nil, err
	}
	if q.To != "" {
		if err := h.May(bestFile(e, q.To, q.Force)); err != nil {
			h.drop(e, dropIt)
			return nil, err
		}
	}
	step.Run = e.name
	if b, ok := inst.BestKnown(); ok && b.Proven { // nothing is better
		step.Until = strings.TrimPrefix(step.Until+",gap<=0", ",")
	}
	made, err := h.step(c, step)
	if err != nil {
		return nil, fmt.Errorf("%w; the run is %s: best %s tells what it has", err, e.name, e.name)
	}
	rep.StepReply = *made
	rep.Verb = "solve"
	if q.To == "" {
		return rep, nil
	}
	file, err := h.ExportBest(c, e, &wire.ExportRequest{
		Runs: []string{e.name}, Path: q.To, Force: q.Force,
	})
	if err != nil {
		return nil, fmt.Errorf("%w; the run is %s", err, e.name)
	}
	rep.Path, rep.Bytes = file.Path, file.Bytes
	return rep, nil
}

// openChosen opens what was chosen. If a GPU that was not asked for fails, the run is on the CPU.
func (h *Host) openChosen(
	c *Call, q *wire.SolveRequest, ch choice,
) (*Run, *reply.SolveReply, error) {
	ask := &wire.OpenRequest{
		Solver: ch.solver, Instance: q.Instance, As: q.As, Seed: q.Seed, On: ch.on, Params: ch.params,
	}
	opened, err := h.open(c, ask)
	if err != nil && q.On == "" && onDevice(ch.on) && c.ctx.Err() == nil {
		ch.on, ch.params, ch.why = "cpu", nil, "on the CPU, as the GPU failed: "+err.Error()
		opened, err = h.open(c, &wire.OpenRequest{
			Solver: ch.solver, Instance: q.Instance, As: q.As, Seed: q.Seed,
		})
	}
	if err != nil {
		return nil, nil, err
	}
	e, err := h.Find(opened.Run)
	if err != nil {
		return nil, nil, err
	}
	rep := &reply.SolveReply{
		Line:   fmt.Sprintf("open %s %s as %s", ch.solver, q.Instance, e.name),
		Chosen: ch.why, Warning: opened.Warning,
	}
	if q.Seed != nil {
		rep.Line += fmt.Sprintf(" seed=%d", *q.Seed)
	}
	if onDevice(ch.on) {
		rep.Line += " on=" + ch.on
	}
	for _, name := range sortedKeys(ch.params) {
		rep.Line += fmt.Sprintf(" %s=%s", name, ch.params[name])
	}
	return e, rep, nil
}

// holds returns an error unless a file with this ending holds solutions of the instance.
func holds(verb, path string, inst datasets.Instance) error {
	ext, want, what := filepath.Ext(path), "", ""
	switch inst.(type) {
	case *datasets.TSP:
		want, what = TourFile, "a tour"
	case *datasets.QAP:
		want, what = SumFile, "an assignment"
	default:
		return wrong(fmt.Sprintf("%s: %s is of kind %s, and %s and %s hold tours and assignments; "+
			"export <run> FILE.txt best writes it as text", verb, inst.Name(), inst.Kind(), TourFile,
			SumFile))
	}
	if ext != want {
		return wrong(fmt.Sprintf("%s: the path is %s, and a solution of %s is %s: want %s", verb, path,
			inst.Name(), what, want))
	}
	return nil
}
