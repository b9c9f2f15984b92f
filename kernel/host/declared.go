package host

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/kernel/guest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// declareProblem registers a user's problem.
func (h *Host) declareProblem(c *Call, q *wire.DeclareRequest) (*reply.DeclareReply, error) {
	if q.Solver == "" || len(q.Source) == 0 {
		return nil, wrong("declare: a problem is declared by lab.DeclareProblem, in a cell or at the " +
			"prompt")
	}
	t0 := time.Now()
	c.progress(0, 0, "compile "+q.Solver)
	now, before, err := h.guests.DeclareProblem(c.ctx, *q)
	if err != nil {
		return nil, err
	}
	code := now.Code()
	rep := &reply.DeclareReply{
		Verb: "declare", Solver: q.Solver, Code: code.ID, Program: code.SHA256, Whole: true,
		StartS: reply.Num(time.Since(t0).Seconds()), Params: wireParams(code.Hello.Params),
		Notes: slices.Clone(code.Notes), Form: now.Form().String(),
	}
	if before == nil {
		return rep, nil
	}
	rep.Before = before.Code().ID
	for _, e := range h.entries() {
		if in, ok := e.run.Instance().(*guest.Instance); ok && in != now && in.Name() == now.Name() {
			rep.Notes = append(rep.Notes, fmt.Sprintf("%s stays on code %s: another source is another "+
				"problem; open a new run for it", e.name, in.Code().ID))
		}
	}
	return rep, nil
}

var _ = handle("check", (*Host).check)

// check compares the deltas of a problem with its costs, and the kernels compiled from its methods
// with both.
func (h *Host) check(c *Call, q *wire.CheckRequest) (*reply.CheckReply, error) {
	in := h.guests.Problem(q.Problem)
	if in == nil {
		var names []string
		for _, p := range h.guests.Problems() {
			names = append(names, p.Name())
		}
		there := "there is none: lab.DeclareProblem declares one"
		if len(names) > 0 {
			there = "there are " + strings.Join(names, ", ")
		}
		return nil, wrong(fmt.Sprintf("check: no problem of your own is called %q; %s", q.Problem, there))
	}
	if q.Moves == 0 {
		q.Moves = 1000
	}
	if q.Moves < 1 || q.Moves > 1_000_000 {
		return nil, wrong(fmt.Sprintf("check: moves is %d, want 1 to 1,000,000", q.Moves))
	}
	w := wire.WorkerCheck{Seed: 1, Moves: q.Moves}
	if q.Seed != nil {
		w.Seed = *q.Seed
	}
	c.progress(0, 0, "check "+in.Name())
	done, err := in.Check(c.ctx, w)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	rep := &reply.CheckReply{
		Verb: "check", Problem: in.Name(), Code: in.Code().ID, Form: in.Form().String(),
		Neighbourhoods: []reply.CheckedMoves{},
	}
	rep.Kernels = reply.CheckedKernels{On: done.Kernels.On, Not: done.Kernels.Not}
	rep.Late = done.Late
	for _, n := range done.Kernels.Neighbourhoods {
		rep.Kernels.Moves += n.Moves
		rep.Kernels.Neighbourhoods = append(rep.Kernels.Neighbourhoods, reply.CheckedMoves(n))
	}
	for _, n := range done.Neighbourhoods {
		rep.Moves += n.Moves
		rep.Neighbourhoods = append(rep.Neighbourhoods, reply.CheckedMoves(n))
	}
	return rep, nil
}

// besideDeclared adds to the error of a name that no instance has the problems that were declared
// here.
func (h *Host) besideDeclared(err error, name string) error {
	var none *datasets.NotFoundError
	if !errors.As(err, &none) {
		return err
	}
	var names []string
	for _, p := range h.guests.Problems() {
		names = append(names, p.Name())
	}
	if len(names) == 0 {
		return err
	}
	said := *none
	if near := words.Near(name, names); near != "" && !slices.Contains(said.Near, near) {
		said.Near = append([]string{near}, said.Near...)
	}
	if said.Hint != "" {
		said.Hint += "; "
	}
	said.Hint += "declared in this session: " + strings.Join(names, ", ")
	return &said
}

// declaredHere is the problem that somebody declared under a name.
func (h *Host) declaredHere(name string) (datasets.Instance, bool) {
	if filepath.IsAbs(name) {
		return nil, false
	}
	if in := h.guests.Problem(name); in != nil {
		return in, true
	}
	return nil, false
}
