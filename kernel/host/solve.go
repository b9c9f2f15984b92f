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

// solveFor is how long solve searches where nothing is said, in seconds.
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
	solver := solverFor(inst.Kind())
	opened, err := h.open(c, &wire.OpenRequest{
		Solver: solver, Instance: q.Instance, As: q.As, Seed: q.Seed,
	})
	if err != nil {
		return nil, err
	}
	e, err := h.Find(opened.Run)
	if err != nil {
		return nil, err
	}
	rep := &reply.SolveReply{Line: fmt.Sprintf("open %s %s as %s", solver, q.Instance, e.name)}
	if q.Seed != nil {
		rep.Line += fmt.Sprintf(" seed=%d", *q.Seed)
	}
	step := &wire.StepRequest{Run: e.name, Wall: q.Wall, CPU: q.CPU, Until: q.Until}
	if step.Wall == 0 && step.CPU == 0 && step.Until == "" {
		step.Wall = solveFor
	}
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
	file, err := h.ExportBest(c, e, &wire.ExportRequest{Runs: []string{e.name}, Path: q.To})
	if err != nil {
		return nil, err
	}
	rep.Path, rep.Bytes = file.Path, file.Bytes
	return rep, nil
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
			"best <run> solution prints it", verb, inst.Name(), inst.Kind(), TourFile, SumFile))
	}
	if ext != want {
		return wrong(fmt.Sprintf("%s: the path is %s, and a solution of %s is %s: want %s", verb, path,
			inst.Name(), what, want))
	}
	return nil
}
