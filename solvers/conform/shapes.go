package conform

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Shapes is a variant whose launches CheckShapes changes at random, and what is drawn of it.
type Shapes struct {
	Solver, Variant string
	Backend         string // that is held to the CPU; "cuda" when empty

	// Draw draws an instance, and the parameters that a run is opened with.
	Draw func(d *Draws) (datasets.Instance, record.Values, error)

	// Schedule draws parameters of class schedule, which are set between two iterations.
	Schedule func(d *Draws, inst datasets.Instance) record.Values

	// Live draws parameters that both runs get in some parts, such as numbers of ants, which change
	// the distribution of the work; it may be nil.
	Live func(d *Draws, inst datasets.Instance) record.Values

	// Turn is called with a drawn number before each part of a case, to change what no parameter
	// does; it may be nil.
	Turn func(n int)

	Cases      int // 6 when 0
	Iterations int // of a case; 200 when 0
}

// ShapesVar overrules what CheckShapes draws, as in "seed=7 cases=100 iterations=500", or
// "seed=7 case=31" for one case again.
const ShapesVar = "METALAB_SHAPES"

// A draw is what ShapesVar says.
type draw struct {
	seed              uint64
	cases, iterations int
	only              int // the number of a case; -1 for all
}

func (s *Shapes) draw(text string) (o draw, err error) {
	o = draw{seed: 1, cases: 6, iterations: 200, only: -1}
	if s.Cases > 0 {
		o.cases = s.Cases
	}
	if s.Iterations > 0 {
		o.iterations = s.Iterations
	}
	for _, word := range strings.Fields(text) {
		name, value, _ := strings.Cut(word, "=")
		to := map[string]any{
			"seed": &o.seed, "cases": &o.cases, "iterations": &o.iterations, "case": &o.only,
		}[name]
		if to == nil {
			return o, fmt.Errorf("%s has %q, want seed=, cases=, iterations= or case=", ShapesVar, word)
		}
		if _, err := fmt.Sscan(value, to); err != nil {
			return o, fmt.Errorf("%s has %q: %w", ShapesVar, word, err)
		}
	}
	if o.cases < 1 || o.iterations < 1 {
		return o, fmt.Errorf("%s has %q, want at least one case of one iteration", ShapesVar, text)
	}
	return o, nil
}

// CheckShapes compares runs on a backend with runs on the CPU, and changes the distribution of work
// on the backend, at random between iterations; now and then it saves and loads runs, forks them,
// or swaps them. All points, bests and solutions must be equal. It shrinks a failing case, as far
// as that takes few runs, and reports how to draw it again.
func CheckShapes(t *testing.T, s Shapes) {
	t.Helper()
	o, err := s.draw(os.Getenv(ShapesVar))
	if err != nil {
		t.Fatal(err)
	}
	sum := tally{}
	for i := range o.cases {
		if o.only >= 0 {
			i = o.only
		}
		if p := s.try(t.Context(), o, i, &sum); p != nil {
			t.Errorf("%v\nagain: %s=%q go test -run '^%s$'", p, ShapesVar,
				fmt.Sprintf("seed=%d iterations=%d case=%d", o.seed, o.iterations, i), t.Name())
		}
		if o.only >= 0 || t.Context().Err() != nil {
			break
		}
	}
	t.Logf("%s=%q: %+v", ShapesVar, fmt.Sprintf("seed=%d cases=%d iterations=%d", o.seed, o.cases,
		o.iterations), sum)
}

// A tally says what was tried.
type tally struct{ Cases, Iterations, Changes, Saves, Forks, Swaps int }

// The actions before a part of a case.
const (
	nothing = iota
	saved   // and loaded, the state with the record
	forked
	swapped // the run on the CPU goes on on the backend, the other one on the CPU
)

// A part of a case: something, then changes of both runs, and of the run on the backend, then
// iterations.
type part struct {
	before    int
	both, set record.Values
	turn, n   int
}

func (p part) String() string {
	text := [...]string{"", "save and load; ", "fork; ", "change places; "}[p.before]
	if len(p.both) > 0 {
		text += fmt.Sprintf("both %v; ", p.both)
	}
	if p.turn > 0 {
		text += fmt.Sprintf("turn %d; ", p.turn)
	}
	return text + fmt.Sprintf("%v, %d iterations", p.set, p.n)
}

// A drawn case.
type drawn struct {
	Shapes
	inst   datasets.Instance
	seed   uint64
	params record.Values
	parts  []part
}

// String names the case.
func (c *drawn) String() string {
	lines := []string{fmt.Sprintf("%s/%s on %s, seed %d: %v", c.Solver, c.Variant, c.inst.Name(),
		c.seed, c.params)}
	for _, p := range c.parts {
		lines = append(lines, "  "+p.String())
	}
	return strings.Join(lines, "\n")
}

// make draws a case.
func (s *Shapes) make(o draw, number int) (*drawn, error) {
	d := newDraws(o.seed, s.Solver+"/"+s.Variant, number)
	c := &drawn{Shapes: *s, seed: uint64(d.Uint32())}
	if c.Backend == "" {
		c.Backend = "cuda"
	}
	var err error
	if c.inst, c.params, err = s.Draw(d); err != nil {
		return nil, err
	}
	if c.params, err = s.legal(c.inst, c.params); err != nil {
		return nil, err
	}
	first := s.Schedule(d, c.inst)
	for left := o.iterations; left > 0; {
		p := part{n: min(left, d.Int(1, One(d, 1, 2, 1+o.iterations/12))), set: first}
		if first = nil; len(c.parts) > 0 {
			p.set = s.Schedule(d, c.inst)
			// Seldom: a device then rebuilds all that it has stored, right or wrong.
			if d.OneIn(8) {
				p.before = One(d, saved, forked, swapped)
			}
			if s.Live != nil && d.OneIn(8) {
				p.both = s.Live(d, c.inst)
			}
		}
		if s.Turn != nil {
			p.turn = d.Int(1, 1000)
		}
		left -= p.n
		c.parts = append(c.parts, p)
	}
	return c, nil
}

// legal brings the numbers among parameters into the ranges that they have for an instance.
func (s *Shapes) legal(inst datasets.Instance, vs record.Values) (record.Values, error) {
	r, err := solvers.Open(solvers.Config{Solver: s.Solver, Variant: s.Variant, Instance: inst})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	list, err := r.Params(context.Background())
	if err != nil {
		return nil, err
	}
	out := maps.Clone(vs)
	for _, p := range list {
		if x, ok := out[p.Name].Float(); ok && p.Max > p.Min {
			out[p.Name] = record.Num(min(max(x, p.Min), p.Max))
		}
	}
	return out, nil
}

// try makes a case and, if it fails, smaller ones of it.
func (s *Shapes) try(ctx context.Context, o draw, number int, sum *tally) *parting {
	c, err := s.make(o, number)
	if err != nil {
		return &parting{of: &drawn{}, what: err.Error()}
	}
	p := c.run(ctx, sum)
	if p == nil || p.opening {
		return p
	}
	return shrink(ctx, p)
}

// A parting is where the two runs of a case part, or what failed.
type parting struct {
	of      *drawn
	part    int   // with this number
	iter    int64 // the first that differs, or the last one run
	what    string
	opening bool // nothing was compared
	tries   int  // of smaller cases
}

func (p *parting) String() string {
	text := fmt.Sprintf("%v\niteration %d, part %d: %s", p.of, p.iter, p.part+1, p.what)
	if p.tries > 0 {
		text += fmt.Sprintf("\n(made as small as %d tries found)", p.tries)
	}
	return text
}

// A pair are the two runs of a case.
type pair struct {
	c           *drawn
	device, cpu *solvers.Run
	now         record.Values // all that was set on the device
	past        int           // runs that there were
}

func (q *pair) close() {
	for _, r := range []*solvers.Run{q.device, q.cpu} {
		if r != nil {
			r.Close()
		}
	}
}

// run makes the case, and returns nil if its two runs are the same.
func (c *drawn) run(ctx context.Context, sum *tally) *parting {
	q := &pair{c: c, now: record.Values{}}
	defer q.close()
	for i, to := range []**solvers.Run{&q.device, &q.cpu} {
		r, err := solvers.Open(solvers.Config{
			Name: "shapes", Solver: c.Solver, Variant: c.Variant, Backend: []string{c.Backend, "cpu"}[i],
			Instance: c.inst, Seed: c.seed, Params: c.params,
		})
		if err != nil {
			return &parting{of: c, what: "open: " + err.Error(), opening: true}
		}
		*to = r
	}
	sum.Cases++
	for i, p := range c.parts {
		iter, what := q.part(ctx, p, sum)
		if what != "" {
			return &parting{of: c, part: i, iter: iter, what: what + q.waves(ctx)}
		}
	}
	return nil
}

// waves are the launches of the device, as its tuners have chosen them.
func (q *pair) waves(ctx context.Context) (text string) {
	if q.device == nil {
		return ""
	}
	list, err := q.device.Waves(ctx)
	if err != nil {
		return "\n  launches: " + err.Error()
	}
	for _, w := range list {
		text += fmt.Sprintf("\n  %s by %v, tuned %v, after trials of", w.What, w.Config, w.Tuned)
		for _, t := range w.Trials {
			text += fmt.Sprintf(" %v,", t.Config)
		}
	}
	return text
}

// part makes a part of the case. It returns the first iteration that differs, and how; "": none.
func (q *pair) part(ctx context.Context, p part, sum *tally) (iter int64, what string) {
	iter = q.device.Last().Iter
	if q.c.Turn != nil {
		q.c.Turn(p.turn)
	}
	if err := q.move(ctx, p.before, sum); err != nil {
		return iter, err.Error()
	}
	maps.Copy(q.now, p.set)
	set := p.set
	if p.before == swapped {
		set = q.now
	}
	if len(set) > 0 {
		if _, err := q.device.Set(ctx, set, "shapes"); err != nil {
			return iter, fmt.Sprintf("set %v: %v", set, err)
		}
		sum.Changes++
	}
	for _, r := range []*solvers.Run{q.device, q.cpu} {
		if len(p.both) > 0 {
			if _, err := r.Set(ctx, p.both, "shapes"); err != nil {
				return iter, fmt.Sprintf("set %v on %s: %v", p.both, r.Variant().Backend, err)
			}
		}
	}
	a, aerr := points(ctx, q.device, p.n)
	b, berr := points(ctx, q.cpu, p.n)
	sum.Iterations += len(a)
	for i := range max(len(a), len(b)) {
		iter++
		switch {
		case i >= len(a):
			return iter, fmt.Sprintf("%s: %v; the CPU made the iteration", q.c.Backend, aerr)
		case i >= len(b):
			return iter, fmt.Sprintf("the CPU: %v; %s made the iteration", berr, q.c.Backend)
		case a[i] != b[i]:
			what = fmt.Sprintf("they part:\n  %s\t%s  CPU\t%s", q.c.Backend, a[i], b[i])
			if i == len(a)-1 && i == len(b)-1 {
				what += q.traces(ctx)
			}
			return iter, what
		}
	}
	if aerr != nil || berr != nil {
		return iter + 1, fmt.Sprintf("%s: %v; the CPU: %v", q.c.Backend, aerr, berr)
	}
	return iter, q.bests(ctx)
}

// points makes iterations, and returns the lines of their points without times.
func points(ctx context.Context, r *solvers.Run, n int) (lines []string, err error) {
	measures := r.Header().Measures
	for p, err := range r.Steps(ctx, n) {
		if err != nil {
			return lines, err
		}
		p.Wall, p.CPU = 0, 0
		lines = append(lines, string(record.AppendPoint(nil, p, measures)))
	}
	return lines, nil
}

// bests compares the best solutions, whose costs are computed again.
func (q *pair) bests(ctx context.Context) string {
	a, aerr := q.device.Best(ctx)
	b, berr := q.cpu.Best(ctx)
	switch {
	case aerr != nil || berr != nil:
		return fmt.Sprintf("best: %s: %v; the CPU: %v", q.c.Backend, aerr, berr)
	case a.Iter != b.Iter || a.Value != b.Value:
		return fmt.Sprintf("best: %v of iteration %d, the CPU has %v of %d", a.Value, a.Iter, b.Value,
			b.Iter)
	case solvers.HashSolution(a.Solution) != solvers.HashSolution(b.Solution):
		return fmt.Sprintf("the solutions with the best value %v differ: %v, the CPU has %v", a.Value,
			a.Solution, b.Solution)
	}
	return ""
}

// traces says where the solutions of the last iteration differ.
func (q *pair) traces(ctx context.Context) string {
	var all [2][][]int32
	for i, r := range []*solvers.Run{q.device, q.cpu} {
		if err := r.View(ctx, func(a solvers.Algorithm) {
			if tr, ok := a.(solvers.Tracer); ok {
				for _, x := range tr.Trace() {
					all[i] = append(all[i], slices.Clone(x))
				}
			}
		}); err != nil {
			return "\n  trace: " + err.Error()
		}
	}
	for a := range min(len(all[0]), len(all[1])) {
		x, y := all[0][a], all[1][a]
		for i := range min(len(x), len(y)) {
			if x[i] != y[i] {
				return fmt.Sprintf("\n  agent %d, position %d: %d, on the CPU %d", a, i, x[i], y[i])
			}
		}
	}
	return "\n  the solutions of the iteration are the same"
}

// move does what comes before a part.
func (q *pair) move(ctx context.Context, what int, sum *tally) error {
	if what == nothing {
		return nil
	}
	q.past++
	name := fmt.Sprintf("shapes-%d", q.past)
	switch what {
	case saved:
		sum.Saves++
		rec, err := q.device.Record(ctx)
		if err != nil {
			return fmt.Errorf("save: %w", err)
		}
		state, err := q.device.Snapshot(ctx)
		if err != nil {
			return fmt.Errorf("save: %w", err)
		}
		q.device.Close()
		if q.device, err = solvers.Revive(ctx, rec, state, q.c.inst, name); err != nil {
			return fmt.Errorf("load: %w", err)
		}
	case forked:
		sum.Forks++
		return follow(ctx, &q.device, solvers.Fork{Name: name})
	case swapped:
		sum.Swaps++
		if err := follow(ctx, &q.device, solvers.Fork{Name: name, Backend: "cpu"}); err != nil {
			return err
		}
		if err := follow(ctx, &q.cpu, solvers.Fork{Name: name, Backend: q.c.Backend}); err != nil {
			return err
		}
		q.device, q.cpu = q.cpu, q.device
	}
	return nil
}

// follow goes on with a fork of a run in its place.
func follow(ctx context.Context, r **solvers.Run, f solvers.Fork) error {
	made, err := (*r).Fork(ctx, f)
	if err != nil {
		return fmt.Errorf("fork: %w", err)
	}
	(*r).Close()
	*r = made
	return nil
}
