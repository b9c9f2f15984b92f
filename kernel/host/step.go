package host

import (
	"errors"
	"fmt"
	"time"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

var _ = handle("step", (*Host).step)

func (h *Host) step(c *Call, q *wire.StepRequest) (*reply.StepReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	n, stop, met, err := budget(q.N, q.Wall, q.CPU, q.Until, e.run.Last(), e.run.Instance())
	if err != nil {
		return nil, wrong("step: " + err.Error())
	}
	if met != "" {
		return &reply.StepReply{Status: e.Status("step"), Why: met}, nil
	}
	if n > 0 {
		if n -= c.before; n <= 0 {
			return &reply.StepReply{Status: e.Status("step"), Made: c.before}, nil
		}
	}
	// The rule is called with exactly the points that count for this caller.
	var wall, cpu reply.Num // of the points that were counted
	var end int64
	var cpuAt float64
	count := func(start record.Point) func(*record.Point) string {
		wall0, cpu0 := start.Wall, start.CPU
		var next func(*record.Point) string
		if stop != nil {
			next = stop(start)
		}
		return func(p *record.Point) string {
			c.made.Add(1)
			wall, cpu, end = reply.Num(p.Wall-wall0), reply.Num(p.CPU-cpu0), p.Iter
			cpuAt = p.CPU
			if next == nil {
				return ""
			}
			return next(p)
		}
	}
	e.active.Add(1)
	ctx, done := e.bounded(c.ctx, q)
	why, err := e.run.StepUntil(ctx, int(n), count)
	done()
	e.active.Add(-1)
	if err != nil {
		if errors.Is(err, solvers.ErrPaused) || errors.Is(err, solvers.ErrClosed) {
			err = fmt.Errorf("%s: %w at iteration %d, after %d of this step's", e.name, err,
				e.run.Last().Iter, c.before+c.made.Load())
		}
		return nil, err
	}
	if last := e.run.Last(); last.Iter == end { // the CPU clock is not read at each iteration
		cpu += reply.Num(max(0, last.CPU-cpuAt))
	}
	rep := &reply.StepReply{
		Status: e.Status("step"), Made: c.before + c.made.Load(), StepWallS: wall,
		StepCPUS: cpu, Why: why,
	}
	rep.Printed = h.printed(e)
	return rep, nil
}

// budget turns the limits of a request into a number of iterations (-1: any) and a rule. met is a
// condition that holds already.
func budget(n int64, wall, cpu reply.Num, until string,
	last record.Point, inst datasets.Instance,
) (most int64, stop solvers.Stop, met string, err error) {
	var rules []solvers.Stop
	if n < 0 || wall < 0 || cpu < 0 {
		what := fmt.Sprintf("wall is %v", wall)
		switch {
		case n < 0:
			what = fmt.Sprintf("n is %d", n)
		case cpu < 0:
			what = fmt.Sprintf("cpu is %v", cpu)
		}
		return 0, nil, "", fmt.Errorf("%s, want 0 or more", what)
	}
	if wall.Known() && wall > 0 {
		rules = append(rules, solvers.ForWall(duration(float64(wall))))
	}
	if cpu.Known() && cpu > 0 {
		rules = append(rules, solvers.ForCPU(duration(float64(cpu))))
	}
	if until != "" {
		conds, err := wire.ParseConds(until)
		if err != nil {
			return 0, nil, "", err
		}
		for _, c := range conds {
			rule, err := ruleOf(c, inst)
			if err != nil {
				return 0, nil, "", err
			}
			rules = append(rules, rule)
			if c.Name == "gap" || c.Name == "best" || c.Name == "iteration" {
				if why := rule(last)(&last); why != "" {
					met = why + " already"
				}
			}
		}
	}
	if n == 0 && len(rules) == 0 {
		return 0, nil, "", errors.New(
			"how far? give a number of iterations, a time as 10s, CPU time as 10cpu, or until gap<1")
	}
	most = n
	if n == 0 {
		most = -1
	}
	switch len(rules) {
	case 0:
	case 1:
		stop = rules[0]
	default:
		stop = solvers.Any(rules...)
	}
	return most, stop, met, nil
}

func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}

// stalled is solvers.NoImprovement counted within the step alone: a user who types it again wants
// as many iterations more.
func stalled(n int64) solvers.Stop {
	return func(start record.Point) func(*record.Point) string {
		rule := solvers.NoImprovement(n)(start)
		return func(p *record.Point) string {
			if p.Iter-start.Iter < n {
				return ""
			}
			return rule(p)
		}
	}
}

// ruleOf turns a condition into a rule.
func ruleOf(c wire.Cond, inst datasets.Instance) (solvers.Stop, error) {
	best, sense, instance := bestOf(inst), solvers.SenseOf(inst), inst.Name()
	switch c.Name {
	case "gap":
		if best == nil {
			word := "best<=…"
			if sense == record.Maximise {
				word = "best>=…"
			}
			return nil, fmt.Errorf("no best value of %s is known, so there is no gap; give %s instead",
				instance, word)
		}
		if c.Value < 0 || c.Value == 0 && c.Strict {
			if err := proven(inst, fmt.Sprintf("a gap below %v %%", c.Value), "gap<=0"); err != nil {
				return nil, err
			}
		}
		return below(func(p *record.Point) float64 {
			return solvers.Gap(p.Best, best)
		}, c, func(gap float64) string { return fmt.Sprintf("gap %.4g%%", gap) }), nil
	case "best":
		if sense == record.Maximise && c.Below || sense == record.Minimise && c.Above {
			word, sign := "minimised", "<="
			if sense == record.Maximise {
				word, sign = "maximised", ">="
			}
			return nil, fmt.Errorf("the objective of %s is %s: give best%s%v", instance, word, sign,
				reply.Num(c.Value))
		}
		format := func(cost float64) string {
			return "best " + reply.Num(sense.Value(cost)).String()
		}
		cost := c
		cost.Value = sense.Cost(c.Value)
		if best != nil && (cost.Value < *best || cost.Value == *best && c.Strict) {
			what := fmt.Sprintf("a best that is better than %v", reply.Num(sense.Value(*best)))
			if err := proven(inst, what, fmt.Sprintf("best=%v", reply.Num(sense.Value(*best)))); err != nil {
				return nil, err
			}
		}
		return below(func(p *record.Point) float64 { return p.Best }, cost, format), nil
	case "stall":
		return stalled(int64(c.Value)), nil
	case "iteration":
		return solvers.AtIteration(int64(c.Value)), nil
	case "time":
		return solvers.ForWall(duration(c.Value)), nil
	case "cpu":
		return solvers.ForCPU(duration(c.Value)), nil
	}
	return nil, fmt.Errorf("no rule for %q", c.Name)
}

// proven is the error of a condition that is never met, for the best known value is proven to be
// the optimum; nil where it is not.
func proven(inst datasets.Instance, what, instead string) error {
	b, ok := inst.BestKnown()
	if !ok || !b.Proven {
		return nil
	}
	return fmt.Errorf("%s is never reached: the optimum of %s is %v, which is proven; give %s instead",
		what, inst.Name(), reply.Num(solvers.SenseOf(inst).Value(b.Value)), instead)
}

// below stops when a value is small enough.
func below(
	value func(*record.Point) float64, c wire.Cond, format func(float64) string,
) solvers.Stop {
	return func(record.Point) func(*record.Point) string {
		return func(p *record.Point) string {
			v := value(p)
			if v < c.Value || (v == c.Value && !c.Strict) {
				return format(v) + " reached"
			}
			return ""
		}
	}
}

var _ = handle("go", (*Host).goOn)

// An order is a standing order with limits.
type order struct {
	Asked wire.GoRequest `json:"asked"`
	At    start          `json:"at"` // where it began
}

// A start is what limits are counted from.
type start struct {
	Iter  int64   `json:"iter"`
	Wall  float64 `json:"wall"`
	CPU   float64 `json:"cpu"`
	Evals int64   `json:"evals"`
}

func (h *Host) goOn(_ *Call, q *wire.GoRequest) (*reply.RunReply, error) {
	return h.goFrom(q, nil)
}

// goFrom is goOn; limits are counted from at, where it is not nil.
func (h *Host) goFrom(q *wire.GoRequest, at *start) (*reply.RunReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	var stop solvers.Stop
	var limits *order
	if q.N != 0 || q.Wall != 0 || q.CPU != 0 || q.Until != "" {
		n, rule, met, err := budget(q.N, q.Wall, q.CPU, q.Until, e.run.Last(), e.run.Instance())
		if err != nil {
			return nil, wrong("go: " + err.Error())
		}
		if met != "" {
			return &reply.RunReply{Status: e.Status("go"), Note: met}, nil
		}
		if stop = rule; n > 0 {
			if stop = solvers.Iterations(n); rule != nil {
				stop = solvers.Any(stop, rule)
			}
		}
		limits = &order{Asked: *q}
		ends := stop
		stop = func(p record.Point) func(*record.Point) string {
			if at != nil {
				p.Iter, p.Wall, p.CPU, p.Evals = at.Iter, at.Wall, at.CPU, at.Evals
			}
			limits.At = start{p.Iter, p.Wall, p.CPU, p.Evals}
			return ends(p)
		}
	}
	if err := e.run.GoUntil(stop); err != nil {
		return nil, err
	}
	e.limits.Store(limits)
	e.tellLimits()
	return &reply.RunReply{Status: e.Status("go")}, nil
}

var _ = handle("pause", (*Host).pause)

func (h *Host) pause(c *Call, q *wire.RunRequest) (*reply.RunReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	e.endRepeat(fmt.Errorf("%w by %s", solvers.ErrPaused, c.who), false)
	if err := e.run.Pause(c.who); err != nil {
		return nil, err
	}
	return &reply.RunReply{Status: e.Status("pause")}, nil
}

var _ = handle("set", (*Host).set)

// changedBy holds, for the settings of a run beside its parameters, the verb that changes them.
var changedBy = map[string]string{"variant": "fork", "on": "fork", "seed": "fork"}

func (h *Host) set(c *Call, q *wire.SetRequest) (*reply.SetReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	if len(q.Params) == 0 && !q.Default {
		return nil, wrong("set: nothing to set; as in: set a q0=0.98")
	}
	vs, devices, err := e.cutDevices(e.defaults(q.Params, q.Default))
	if err != nil {
		return nil, err
	}
	var made []record.Change
	later := e.run.Pending()
	if len(vs) > 0 {
		made, err = e.run.Set(c.ctx, vs, c.who)
	}
	if err == nil && devices != nil {
		var moved []record.Change
		if moved, err = e.run.Move(c.ctx, devices, c.who); err != nil {
			return nil, fmt.Errorf("set: %w", err)
		}
		made = append(made, moved...)
	}
	if err != nil {
		said := WireError("set", err)
		if fixed, ok := errors.AsType[*solvers.StructuralError](err); ok {
			said.Message = fmt.Sprintf("set: %s: %s is structural, fixed for a run (now %s): "+
				"fork %s as <name> %s=%s", e.name, fixed.Name, fixed.Now, e.name, fixed.Name, fixed.Asked)
		}
		if none, ok := errors.AsType[*solvers.UnknownParamError](err); ok {
			said.Message += havers(e.run.Variant(), e.run.Instance(), none.Name)
			if by := changedBy[none.Name]; by != "" {
				said.Message = fmt.Sprintf("set: %s: %s is no parameter; another one is taken by %s %s as "+
					"<name> %s=%v", e.name, none.Name, by, e.name, none.Name, q.Params[none.Name])
			}
		}
		return nil, said
	}
	rep := &reply.SetReply{Status: e.Status("set"), Changes: []reply.Change{}}
	for _, x := range later {
		if vs.Has(x.Name) && x.Iter >= e.run.Last().Iter {
			rep.Left = append(rep.Left, wireChange(x))
		}
	}
	rep.After = rep.Status.Iteration
	for _, c := range made {
		rep.After = c.Iter
		rep.Changes = append(rep.Changes, wireChange(c))
	}
	rep.Note = idle(e, q.Params)
	return rep, nil
}
