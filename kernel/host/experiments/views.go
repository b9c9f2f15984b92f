package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// A cost is what runs are read against.
type cost struct {
	name, axis string // as by= has it, and as an axis does
	of         experiment.Effort
}

var costs = []cost{
	{"iterations", "iteration", experiment.ByIteration},
	{"evaluations", "evaluations", experiment.ByEvaluations},
	{"wall", "time (s)", experiment.ByWall},
	{"cpu", "cpu (s)", experiment.ByCPU},
}

// words are the cost in text.
func (c *cost) words() string {
	switch c.name {
	case "wall":
		return "time"
	case "cpu":
		return "CPU time"
	}
	return c.name
}

// costBy is a cost by its name; without one that of which the units of groups have a budget.
func costBy(by string, groups []*experiment.Group) (cost, error) {
	var b record.Budget
	for _, g := range groups {
		for i := range g.Done {
			if b == (record.Budget{}) { // runs of other programs may have none
				b = g.Done[i].Unit.Budget
			}
		}
	}
	switch {
	case by != "":
	case b.Iterations > 0:
		by = "iterations"
	case b.Evaluations > 0:
		by = "evaluations"
	case b.CPU > 0 && b.Wall == 0:
		by = "cpu"
	default:
		by = "wall"
	}
	for _, c := range costs {
		if c.name == by {
			return c, nil
		}
	}
	return cost{}, fmt.Errorf("by is %q, want iterations, evaluations, wall or cpu", by)
}

// numbersOf are the numbers of a list with commas, increasing or decreasing as sorted has them.
func numbersOf(name, list string, least float64) (out []float64, err error) {
	for _, w := range wire.NamesOf(list) {
		v, err := strconv.ParseFloat(strings.TrimSuffix(w, "%"), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < least {
			return nil, fmt.Errorf("%s is %q, want numbers of at least %v with commas between them", name, w,
				least)
		}
		out = append(out, v)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// A traced is the groups of an experiment with the traces of their units.
type traced struct {
	cost
	groups []*experiment.Group
	runs   map[*experiment.Group][]stats.Trace // by seed
	bases  map[string]float64                  // what gaps are above, by instance
	found  bool                                // some bases are the best values found
	out    []string                            // labels of groups without a run that has the cost
}

// tracedOf reads the traces of groups against a cost.
func tracedOf(
	ctx context.Context, s experiment.Store, name string, groups []*experiment.Group, by string,
) (*traced, error) {
	c, err := costBy(by, groups)
	if err != nil {
		return nil, err
	}
	t := &traced{
		cost: c, groups: groups, runs: map[*experiment.Group][]stats.Trace{},
		bases: map[string]float64{},
	}
	type place struct {
		group *experiment.Group
		i     int
	}
	at := map[int]place{}
	for _, g := range groups {
		t.runs[g] = make([]stats.Trace, len(g.Done))
		for i := range g.Done {
			at[g.Done[i].Unit.Number] = place{g, i}
		}
	}
	for x, err := range s.Traces(ctx, name) {
		if err != nil {
			return nil, err
		}
		if p, ok := at[x.Number]; ok {
			t.runs[p.group][p.i] = passed(x.Points, c.of)
		}
	}
	spent := false
	for _, g := range groups {
		for i, r := range t.runs[g] {
			if x := &g.Done[i].Result; len(r) == 0 { // of another program, without its course
				t.runs[g][i] = passed([]experiment.TracePoint{{
					Iteration: x.Iterations, Evaluations: x.Evaluations, Wall: x.Wall, CPU: x.CPU, Best: x.Best,
				}}, c.of)
			}
		}
		t.runs[g] = slices.DeleteFunc(t.runs[g], func(r stats.Trace) bool { return !(r.Spent() > 0) })
		spent = spent || len(t.runs[g]) > 0
		if len(t.runs[g]) == 0 && len(g.Done) > 0 && !slices.Contains(t.out, g.Label) {
			t.out = append(t.out, g.Label)
		}
		base, known := t.bases[g.Instance]
		switch {
		case !math.IsNaN(g.Optimum):
			base = g.Optimum
		case len(g.Done) > 0 && (!known || slices.Min(g.Best()) < base):
			base, t.found = slices.Min(g.Best()), true
		case !known:
			continue
		}
		t.bases[g.Instance] = base
	}
	if !spent {
		return nil, fmt.Errorf("no run of experiment %s is measured in %s", name, c.words())
	}
	return t, nil
}

// passed is a trace against a cost. Clocks may stand still, and never go back.
func passed(points []experiment.TracePoint, of experiment.Effort) stats.Trace {
	out := make(stats.Trace, len(points))
	most := math.Inf(-1)
	for i, p := range points {
		most = max(most, of(p))
		out[i] = stats.Passed{Cost: most, Best: p.Best}
	}
	return out
}

// target is the value that lies so many percent above the base of an instance; above 0 as many
// units.
func (t *traced) target(instance string, gap float64) float64 {
	base := t.bases[instance]
	if base == 0 {
		return gap
	}
	return base + math.Abs(base)*gap/100
}

// usual are targets, in percent.
var usual = []float64{
	0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000,
}

// mostColumns is the number of targets or budgets of a view that names none.
const mostColumns = 5

// targets are some of the usual targets that a run reaches, and not all at their first point: the
// hardest, the easiest, and others between them.
func (t *traced) targets() (out []float64) {
	for _, gap := range usual {
		reached, all := false, true
		for _, g := range t.groups {
			for _, r := range t.runs[g] {
				v := t.target(g.Instance, gap)
				reached = reached || r[len(r)-1].Best <= v
				all = all && r[0].Best <= v
			}
		}
		if reached && !all {
			out = append(out, gap)
		}
	}
	if n := len(out); n > mostColumns {
		some := make([]float64, mostColumns)
		for i := range some {
			some[i] = out[i*(n-1)/(mostColumns-1)]
		}
		return some
	}
	return out
}

// reached are the hardest usual targets that a run reaches, be it at its first point.
func (t *traced) reached() (out []float64) {
	for _, gap := range usual {
		for _, g := range t.groups {
			v := t.target(g.Instance, gap)
			if slices.ContainsFunc(t.runs[g], func(r stats.Trace) bool { return r[len(r)-1].Best <= v }) {
				out = append(out, gap)
				break
			}
		}
	}
	return out[:min(len(out), mostColumns)]
}

// budgets are costs from the latest first value to the earliest end; where some runs end before
// others have a value, to the latest end.
func (t *traced) budgets() (out []float64) {
	lo, hi, most := 0.0, math.Inf(1), 0.0
	for _, g := range t.groups {
		for _, r := range t.runs[g] {
			lo, hi, most = max(lo, r[0].Cost), min(hi, r.Spent()), max(most, r.Spent())
		}
	}
	if hi < lo {
		hi = most
	}
	if !(lo > 0) {
		lo = hi / math.Pow(2, mostColumns)
	}
	for i := range mostColumns {
		v := lo * math.Pow(hi/lo, float64(i)/(mostColumns-1))
		if t.name == "iterations" || t.name == "evaluations" {
			v = math.Round(v)
		}
		out = append(out, v)
	}
	out[mostColumns-1] = hi
	return slices.Compact(out)
}

// viewOf adds to a reply what it costs to reach targets, or what there is within budgets.
func (h *room) viewOf(
	ctx context.Context, s experiment.Store, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	groups, err := h.groupsOf(ctx, s, rep, q.Name)
	if err != nil {
		return nil, err
	}
	if why := otherObjective(groups); why != "" {
		return nil, wrong(fmt.Sprintf("experiment: %s: %s", q.Do, why))
	}
	at, err := numbersOf("at", q.At, 0)
	if err != nil {
		return nil, wrong("experiment: " + err.Error())
	}
	t, err := tracedOf(ctx, s, q.Name, groups, q.By)
	if err != nil {
		return nil, notCarried(ctx, err)
	}
	view := t.fixedTargets
	if q.Do == "budgets" {
		view = t.fixedBudgets
	}
	if err := view(rep, at); err != nil {
		return nil, err
	}
	if len(t.out) > 0 {
		rep.Report = append(rep.Report, fmt.Sprintf("Left out, as none of their runs is measured in "+
			"%s: %s.", t.words(), strings.Join(t.out, ", ")))
	}
	return rep, nil
}

// fixedTargets adds the view of fixed targets.
func (t *traced) fixedTargets(rep *reply.ExperimentReply, at []float64) error {
	if len(at) == 0 {
		if at = t.targets(); len(at) == 0 {
			at = t.reached()
		}
		if len(at) == 0 {
			return wrong("experiment: no run has come within 1000 % of the best known value: name " +
				"targets, as at=2000,5000")
		}
	}
	slices.Reverse(at) // the easiest first
	v := &reply.ExperimentView{What: "targets", By: t.name, At: nums(at), Found: t.found}
	for _, g := range t.groups {
		if len(t.runs[g]) == 0 {
			continue
		}
		row := reply.ExperimentViewRow{Instance: g.Instance, Label: g.Label, Seeds: len(t.runs[g])}
		for _, gap := range at {
			r := stats.FixedTarget(t.runs[g], t.target(g.Instance, gap))
			row.Values = append(row.Values, reply.Num(r.ERT))
			row.Reached = append(row.Reached, r.Reached)
		}
		v.Rows = append(v.Rows, row)
	}
	rep.View = v
	rep.Note = fmt.Sprintf("chart %s ert by=%s draws it, chart %s ecdf by=%s at=%v the run lengths",
		rep.Name, t.name, rep.Name, t.name, reply.Num(at[len(at)-1]))
	return nil
}

// fixedBudgets adds the view of fixed budgets, and says whether what there is within the last
// differs.
func (t *traced) fixedBudgets(rep *reply.ExperimentReply, at []float64) error {
	if len(at) == 0 {
		at = t.budgets()
	}
	v := &reply.ExperimentView{What: "budgets", By: t.name, At: nums(at), Found: t.found}
	last := map[string][]stats.Group{}
	short := false // a run has ended within a budget
	for _, g := range t.groups {
		if len(t.runs[g]) == 0 {
			continue
		}
		row := reply.ExperimentViewRow{Instance: g.Instance, Label: g.Label, Seeds: len(t.runs[g])}
		for i, c := range at {
			best := stats.FixedBudget(t.runs[g], c)
			for _, r := range t.runs[g] {
				short = short || r.Spent() < c
			}
			if i == len(at)-1 {
				last[g.Instance] = append(last[g.Instance], stats.Group{Name: g.Label, Values: best})
			}
			row.Values = append(row.Values, reply.Num(t.gap(g.Instance, stats.Median(best))))
		}
		v.Rows = append(v.Rows, row)
	}
	rep.View = v
	seen := map[string]bool{}
	for _, g := range t.groups {
		gs := last[g.Instance]
		few := slices.ContainsFunc(gs, func(g stats.Group) bool {
			return len(g.Values) < host.LeastSeeds
		})
		if seen[g.Instance] || len(gs) < 2 || few {
			continue
		}
		seen[g.Instance] = true
		r, err := stats.Analyse(question(gs, false))
		if err != nil {
			return fmt.Errorf("experiment: budgets: %w", err)
		}
		rep.Report = append(rep.Report, fmt.Sprintf("%s within %s: %s", g.Instance,
			v.Spent(len(at)-1), r.Verdict))
	}
	if short {
		rep.Report = append(rep.Report, "A run that ended within a budget counts with its last value.")
	}
	rep.Note = fmt.Sprintf("chart %s median by=%s draws it", rep.Name, t.name)
	return nil
}

// gap is by how many percent a value lies above the base of an instance.
func (t *traced) gap(instance string, v float64) float64 {
	base := t.bases[instance]
	if base == 0 {
		return v
	}
	return 100 * (v - base) / math.Abs(base)
}

// between are targets for a curve: in equal ratios from the worst first value to the best last one,
// in percent.
func (t *traced) between() (out []float64) {
	const n = 30
	lo, hi := math.Inf(1), 0.0
	for _, g := range t.groups {
		for _, r := range t.runs[g] {
			hi = max(hi, t.gap(g.Instance, r[0].Best))
			if v := t.gap(g.Instance, r[len(r)-1].Best); v > 0 {
				lo = min(lo, v)
			}
		}
	}
	if !(hi > lo) || math.IsInf(hi, 1) {
		return t.targets()
	}
	for i := range n {
		out = append(out, lo*math.Pow(hi/lo, float64(i)/(n-1)))
	}
	return out
}
