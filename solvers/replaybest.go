package solvers

import (
	"context"
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/solvers/record"
)

// ErrWhole is wrapped by the error of a record whose best cannot be made without the rest of its
// run. Replay makes all of it.
var ErrWhole = errors.New("replay makes the whole run")

// A BestReplay is the result of ReplayBest.
type BestReplay struct {
	Part       Part
	Agent      int         // that found the best, by the record
	Best       record.Best // of the part, at that iteration; Value is computed from the solution
	Iterations int64       // made again: up to the one that found the best
	Difference *Difference // from the record; nil: the best is the same
}

// ReplayBest makes the best of a record again, on the CPU, without the rest of its run: only the
// part whose agent found it, up to that iteration; see [Divisible]. It makes the recorded changes
// of parameters at their iterations, and compares the values that these replaced, the value at the
// start, and the iteration, value, solution and agent of the best. Of o it uses Progress, Each and
// Better, whose points are those of the part.
//
// Errors wrap [ErrWhole] where the solver has no parts, where the record does not say which agent
// found the best, and where a fork before it changed what the parts are: a structural parameter or
// the variant.
func ReplayBest(
	ctx context.Context, rec *record.Record, inst datasets.Instance, o ReplayOptions,
) (*BestReplay, error) {
	if ctx == nil {
		return nil, errNoContext
	}
	if err := sameInstance(rec, inst); err != nil {
		return nil, err
	}
	if o.Backend != "" && o.Backend != hostBackend {
		return nil, fmt.Errorf("a part is made on %s, not on %s: %w", hostBackend, o.Backend, ErrWhole)
	}
	p, err := plan(rec, hostBackend)
	if err != nil {
		return nil, err
	}
	if err := bestAlone(rec, inst, p.stages[0].variant); err != nil {
		return nil, err
	}
	h := rec.Header
	r, err := Open(Config{
		Name: h.Run, Solver: h.Solver, Variant: h.Variant, Backend: hostBackend, Instance: inst,
		Path: h.Instance.Path, Seed: h.Seed, Params: h.Params, Start: h.Start,
		Preset: p.stages[0].variant.presetOf(h), only: rec.Best.Agent,
	})
	if err != nil {
		return nil, err
	}
	out := &BestReplay{Part: r.part, Agent: *rec.Best.Agent, Iterations: rec.Best.Iter}
	if a, b := h.Start, r.header.Start; a != nil && a.Value != b.Value {
		s := SenseOf(inst)
		out.Difference = aside(0, "value of the start", s.Value(a.Value), s.Value(b.Value))
		r.Close()
		return out, nil
	}
	o.effort = nil
	r, out.Difference, err = r.followBest(ctx, rec, p, o)
	if r != nil {
		defer r.Close()
	}
	if err != nil || out.Difference != nil {
		return out, err
	}
	if out.Best, err = r.Best(ctx); err != nil {
		return nil, err
	}
	out.Difference = compareBests(rec.Best, out.Best, SenseOf(inst))
	return out, nil
}

// bestAlone returns the reason why the best of a record cannot be made by a part; nil: it can.
func bestAlone(rec *record.Record, inst datasets.Instance, v Variant) error {
	h, b := rec.Header, rec.Best
	v, params, err := Resolve(Config{
		Solver: h.Solver, Variant: h.Variant, Backend: hostBackend, Instance: inst, Params: h.Params,
		Preset: v.presetOf(h),
	})
	if err != nil {
		return err
	}
	alg, err := v.Make(inst)
	if err != nil {
		return err
	}
	_, divisible := alg.(Divisible)
	alg.Close()
	islands, _ := h.Params[ParamIslands].Float()
	switch {
	case !divisible || islands > 1:
		return fmt.Errorf("%s/%s has no parts that can be made alone: %w", v.Solver, v.Name, ErrWhole)
	case b.Iter == 0:
		return fmt.Errorf("the record has no best solution: %w", ErrWhole)
	case b.Iter < 0 || b.Iter > rec.End:
		return fmt.Errorf("the best of the record is of iteration %d, want 1 to %d: %w", b.Iter, rec.End,
			record.ErrFormat)
	case b.Agent == nil:
		return fmt.Errorf("the record does not say which agent found its best: %w", ErrWhole)
	}
	fixed := map[string]bool{ParamIslands: true}
	for _, q := range params {
		fixed[q.Name] = q.Class == record.Structural
	}
	for _, c := range rec.Journal {
		if c.Kind != record.KindFork || c.Iter >= b.Iter {
			continue
		}
		if c.Variant != "" {
			return fmt.Errorf("the fork after iteration %d changes the variant to %s, and the best is of "+
				"iteration %d: %w", c.Iter, c.Variant, b.Iter, ErrWhole)
		}
		for _, n := range sortedNames(c.With) {
			if fixed[n] {
				return fmt.Errorf("the fork after iteration %d changes %s, and so the parts, and the best is "+
					"of iteration %d: %w", c.Iter, n, b.Iter, ErrWhole)
			}
		}
	}
	return nil
}

// bestAgent returns the agent that found the best solution of the algorithm; nil: unknown.
func (r *Run) bestAgent() *int {
	if d, ok := r.alg.(Divisible); ok {
		if agent := d.BestAgent(); agent >= 0 {
			return &agent
		}
	}
	return nil
}

// restrict restricts an algorithm to the part of an agent.
func restrict(alg Algorithm, v Variant, agent int) (Part, error) {
	d, ok := alg.(Divisible)
	if !ok {
		return Part{}, fmt.Errorf("%s/%s on %s has no parts", v.Solver, v.Name, v.Backend)
	}
	return d.Only(agent)
}

// followBest makes a part up to the iteration of the record's best.
func (r *Run) followBest(
	ctx context.Context, rec *record.Record, p itinerary, o ReplayOptions,
) (*Run, *Difference, error) {
	to, told, forks := rec.Best.Iter, 0.0, 0
	see := func(record.Point) func(*record.Point) string {
		return func(q *record.Point) string {
			o.tell(q, to, &told)
			if o.Better != nil && q.Improved {
				o.Better(record.Best{Iter: q.Iter, Value: q.Best, Solution: r.alg.Solution()})
			}
			if o.Each != nil {
				o.Each(q)
			}
			return ""
		}
	}
	for _, c := range append(rec.Journal[:len(rec.Journal):len(rec.Journal)],
		record.Change{Iter: to, Kind: "end"}) {
		if c.Iter >= to && c.Kind != "end" {
			continue
		}
		if n := c.Iter - r.Last().Iter; n < 0 {
			return r, nil, fmt.Errorf("the journal goes back from iteration %d to %d: %w", r.Last().Iter,
				c.Iter, record.ErrFormat)
		} else if n > 0 {
			if _, err := r.StepUntil(ctx, int(n), see); err != nil {
				return r, nil, err
			}
		}
		switch c.Kind {
		case record.KindSet:
			if d, err := r.redoSame(ctx, c); err != nil || d != nil {
				return r, d, err
			}
		case record.KindFork:
			forks++
			n, err := r.Fork(ctx, Fork{
				Name: r.name, With: c.With, Backend: hostBackend, Seed: &p.stages[forks].seed,
			})
			if err != nil {
				return r, nil, err
			}
			r.Close()
			r = n
		}
	}
	return r, nil, nil
}
