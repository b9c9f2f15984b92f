package host

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// repeated is the outcome of the last repeat of a run.
type repeated struct {
	budget  string
	results []solvers.Result
}

// defaultSeeds is the number of seeds of a repeat; maxSeeds the most.
const (
	defaultSeeds = 10
	maxSeeds     = 10_000
)

// often calls f at most ten times a second.
func (c *call) often(f func(done, total int64)) func(done, total int64) {
	var mu sync.Mutex
	var last time.Time
	return func(done, total int64) {
		mu.Lock()
		now := time.Now()
		due := now.Sub(last) >= 100*time.Millisecond || done == total
		if due {
			last = now
		}
		mu.Unlock()
		if due {
			f(done, total)
		}
	}
}

// replaying counts work that no run of the host shows, so that an idle host does not end
// in the midst of it.
func (h *Host) replaying(n int32) { h.busy.Add(n) }

func (h *Host) repeat(c *call, q *wire.RepeatRequest) (*wire.RepeatReply, error) {
	e, err := h.find(q.Run)
	if err != nil {
		return nil, err
	}
	if q.Seeds == 0 {
		q.Seeds = defaultSeeds
	}
	if q.Seeds < 1 || q.Seeds > maxSeeds {
		return nil, wrong(fmt.Sprintf("repeat: seeds is %d, want 1 to %d", q.Seeds, maxSeeds))
	}
	if q.N == 0 && q.Wall == 0 && q.CPU == 0 && q.Until == "" {
		if q.N = e.run.Last().Iter; q.N == 0 {
			return nil, wrong(fmt.Sprintf("repeat: %s has made no iteration; say how many each seed makes, as in: repeat %s %d n=1000", e.name, e.name, q.Seeds))
		}
	}
	n, stop, _, err := budget(q.N, q.Wall, q.CPU, q.Until, e.run)
	if err != nil {
		return nil, wrong("repeat: " + err.Error())
	}
	ps, err := e.run.Params(c.ctx)
	if err != nil {
		return nil, err
	}
	values := record.Values{}
	for _, p := range ps {
		values[p.Name] = p.Value
	}
	v, hd := e.run.Variant(), e.run.Header()
	cfg := solvers.Config{
		Name: e.name, Solver: v.Solver, Variant: v.Name, Backend: v.Backend, Instance: e.run.Instance(),
		Path: hd.Instance.Path, Preset: hd.Preset, Params: values,
	}
	seeds := make([]uint64, q.Seeds)
	for i := range seeds {
		seeds[i] = e.run.Seed() + uint64(i)
	}
	h.replaying(1)
	defer h.replaying(-1)
	done := 0
	res, err := solvers.Repeat(c.ctx, cfg, seeds, solvers.Budget{Iterations: int(max(n, 0)), Stop: stop}, func(r solvers.Result) {
		done++
		c.progress(int64(done), int64(len(seeds)), fmt.Sprintf("repeat %s: seed %d: %v", e.name, r.Seed, wire.Num(r.Point.Best)))
	})
	if err != nil {
		return nil, err
	}
	b := budgetText(q)
	e.mu.Lock()
	e.repeated = &repeated{b, res}
	e.mu.Unlock()
	rep := &wire.RepeatReply{Status: e.status("repeat"), Budget: b, Results: make([]wire.Seeded, len(res))}
	for i, r := range res {
		rep.Results[i] = wire.Seeded{
			Seed: r.Seed, Iteration: r.Point.Iter, Best: wire.Num(r.Point.Best), Gap: wire.Num(r.Gap),
			WallS: wire.Num(r.Point.Wall), CPUS: wire.Num(r.Point.CPU), Why: r.Why,
		}
	}
	rep.BestQ, rep.GapQ = quartiles(pick(res, bestOf)), quartiles(pick(res, gapOf))
	rep.CPUQ = quartiles(pick(res, func(r solvers.Result) float64 { return r.Point.CPU }))
	return rep, nil
}

func bestOf(r solvers.Result) float64 { return r.Point.Best }
func gapOf(r solvers.Result) float64  { return r.Gap }

func pick(res []solvers.Result, f func(solvers.Result) float64) []float64 {
	out := make([]float64, len(res))
	for i, r := range res {
		out[i] = f(r)
	}
	return out
}

func budgetText(q *wire.RepeatRequest) string {
	var b []string
	if q.N > 0 {
		b = append(b, fmt.Sprintf("%d iterations", q.N))
	}
	if q.Wall > 0 {
		b = append(b, fmt.Sprintf("%v s", q.Wall))
	}
	if q.CPU > 0 {
		b = append(b, fmt.Sprintf("%v CPU s", q.CPU))
	}
	if q.Until != "" {
		b = append(b, "until "+q.Until)
	}
	return strings.Join(b, " or ")
}

// leastSeeds is the number of seeds a side below which a test says nothing: with four a
// side the rank test cannot give a p-value below 0.028 at all.
const leastSeeds = 5

func (h *Host) compare(_ *call, q *wire.CompareRequest) (*wire.CompareReply, error) {
	if len(q.Runs) < 2 {
		return nil, wrong("compare: name two runs or more")
	}
	rep := &wire.CompareReply{Verb: "compare", Tests: []wire.Test{}}
	var es []*entry
	var reps []*repeated
	for _, name := range q.Runs {
		e, err := h.find(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(es, e) {
			return nil, wrong(fmt.Sprintf("compare: %s is named twice", name))
		}
		e.mu.Lock()
		r := e.repeated
		e.mu.Unlock()
		es, reps = append(es, e), append(reps, r)
		s := wire.Side{Status: e.status("compare"), Seeds: 1, BestQ: quartiles(nil), GapQ: quartiles(nil), Changed: changed(es[0], e)}
		if r != nil {
			s.Seeds, s.Budget = len(r.results), r.budget
			s.BestQ, s.GapQ = quartiles(pick(r.results, bestOf)), quartiles(pick(r.results, gapOf))
		}
		rep.Sides = append(rep.Sides, s)
	}
	var few []string
	for i := range es {
		if reps[i] == nil || len(reps[i].results) < leastSeeds {
			few = append(few, es[i].name)
		}
	}
	for i := range es {
		switch {
		case es[i].run.Instance().SHA256() != es[0].run.Instance().SHA256():
			rep.Note = fmt.Sprintf("%s and %s search on different instances: their values do not compare", es[0].name, es[i].name)
		case rep.Note == "" && len(few) == 0 && reps[i].budget != reps[0].budget:
			rep.Note = fmt.Sprintf("%s was repeated for %s and %s for %s: no test over different budgets", es[0].name, reps[0].budget, es[i].name, reps[i].budget)
		}
	}
	if rep.Note == "" && len(few) > 0 {
		rep.Note = fmt.Sprintf("one run proves nothing: no p-values with fewer than %d seeds a side; type: repeat %s 10", leastSeeds, strings.Join(few, " 10; repeat "))
	}
	if rep.Note != "" {
		return rep, nil
	}
	return rep, addTests(rep, es, reps)
}

// addTests compares every pair.
func addTests(rep *wire.CompareReply, es []*entry, reps []*repeated) error {
	var ps []float64
	for i := range es {
		for j := i + 1; j < len(es); j++ {
			x, y := pick(reps[i].results, bestOf), pick(reps[j].results, bestOf)
			p, err := stats.MannWhitney(x, y)
			if err != nil {
				return fmt.Errorf("compare: %w", err)
			}
			ps = append(ps, p)
			// The probability that i is better, which is smaller.
			rep.Tests = append(rep.Tests, wire.Test{A: es[i].name, B: es[j].name, Name: "Mann-Whitney U, two-sided", Effect: wire.Num(stats.A12(y, x))})
		}
	}
	adjusted := ""
	if len(ps) > 1 {
		ps, adjusted = stats.Holm(ps), ", adjusted by Holm for "+fmt.Sprint(len(ps))+" tests"
	}
	for i := range rep.Tests {
		t := &rep.Tests[i]
		t.P = wire.Num(ps[i])
		a := float64(t.Effect)
		verdict := "no significant difference at 0.05"
		if ps[i] < 0.05 {
			better := t.A
			if a < 0.5 {
				better = t.B
			}
			verdict = better + " is better"
		}
		t.Words = fmt.Sprintf("%s against %s: %s (Mann-Whitney p = %.3g%s; %s has the smaller value in %.0f%% of pairs, %s effect)",
			t.A, t.B, verdict, ps[i], adjusted, t.A, 100*a, effectSize(a))
	}
	return nil
}

// effectSize names the size of A12 as Vargha and Delaney do.
func effectSize(a float64) string {
	switch d := math.Abs(a - 0.5); {
	case d < 0.06:
		return "no"
	case d < 0.14:
		return "a small"
	case d < 0.21:
		return "a medium"
	}
	return "a large"
}

// changed lists what a run has other than the first.
func changed(first, e *entry) []string {
	out := []string{}
	if first == e {
		return out
	}
	if a, b := first.run.Seed(), e.run.Seed(); a != b {
		out = append(out, fmt.Sprintf("seed=%d", b))
	}
	a, b := present(first), present(e)
	for _, n := range sortedKeys(b) {
		if v, ok := a[n]; ok && v != b[n] {
			out = append(out, n+"="+b[n].String())
		}
	}
	return out
}

// present are the parameters as header and journal tell them, without asking the run,
// which may be in a long iteration.
func present(e *entry) record.Values {
	out := record.Values{}
	for n, v := range e.run.Header().Params {
		out[n] = v
	}
	for _, c := range e.run.Journal() {
		switch c.Kind {
		case record.KindSet:
			out[c.Name] = c.New
		case record.KindFork:
			for n, v := range c.With {
				out[n] = v
			}
		}
	}
	return out
}
