package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// LeastSeeds is the least number of seeds on each side for a test: with four on each side the rank
// test cannot give a p-value below 0.028.
const LeastSeeds = 5

// costly is the factor above which the costs of equal iterations count as unequal.
const costly = 1.5

// side is a run in a comparison.
type side struct {
	of *Run
	reply.Side
	repeats *record.Series // nil: it was not repeated with its present parameters
	others  int            // seeds with other parameters
}

var _ = handle("compare", (*Host).compare)

func (h *Host) compare(_ *Call, q *wire.CompareRequest) (*reply.CompareReply, error) {
	if len(q.Runs) < 2 {
		return nil, wrong("compare: name two runs or more")
	}
	sides := make([]side, len(q.Runs))
	all := make([][]record.Series, len(q.Runs))
	for i, name := range q.Runs {
		e, err := h.Find(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(q.Runs[:i], name) {
			return nil, wrong(fmt.Sprintf("compare: %s is named twice", name))
		}
		sides[i].of = e
		all[i], sides[i].others = e.ofNow()
	}
	for i, s := range together(all) {
		x := &sides[i]
		x.repeats = s
		none := quartiles(nil)
		x.Side = reply.Side{
			Status: x.of.Status("compare"), Seeds: 1, Changed: changed(sides[0].of, x.of),
			IterQ: none, BestQ: none, GapQ: none, WallQ: none, CPUQ: none,
		}
		if s != nil {
			w := x.of.series(s)
			x.Seeds, x.Budget = len(s.Seeds), w.Budget
			x.IterQ, x.BestQ, x.GapQ, x.WallQ, x.CPUQ = w.IterQ, w.BestQ, w.GapQ, w.WallQ, w.CPUQ
		}
	}
	rep := &reply.CompareReply{Verb: "compare", Tests: []reply.Test{}, Note: untested(sides)}
	for i := range sides {
		rep.Sides = append(rep.Sides, sides[i].Side)
	}
	rep.Costs = costsOf(sides)
	if rep.Note != "" {
		return rep, nil
	}
	return rep, tests(rep, sides)
}

// together chooses a series for each side: the latest of those whose budget all sides have, with
// enough seeds for a test; if there is none, the latest of each side.
func together(all [][]record.Series) []*record.Series {
	out := make([]*record.Series, len(all))
	for k := len(all[0]) - 1; k >= 0; k-- {
		whole := true
		for i := range all {
			out[i] = nil
			for n := range all[i] {
				if s := &all[i][n]; s.Budget == all[0][k].Budget && len(s.Seeds) >= LeastSeeds {
					out[i] = s
				}
			}
			whole = whole && out[i] != nil
		}
		if whole {
			return out
		}
	}
	for i := range all {
		out[i] = nil
		if n := len(all[i]); n > 0 {
			out[i] = &all[i][n-1]
		}
	}
	return out
}

// untested returns why nothing can be tested; empty if everything can.
func untested(sides []side) string {
	first := &sides[0]
	var few, stale []string
	for i := range sides {
		s := &sides[i]
		switch {
		case s.of.run.Instance().SHA256() != first.of.run.Instance().SHA256():
			return fmt.Sprintf("%s and %s search on different instances: their values do not compare",
				first.of.name, s.of.name)
		case s.repeats != nil && len(s.repeats.Seeds) >= LeastSeeds:
			continue
		case s.others > 0:
			stale = append(stale, s.of.name)
		}
		few = append(few, s.of.name)
	}
	own := ObjectivesOf(first.of.run.Instance())
	for i := range sides[1:] {
		a, b := ObjectiveBy(own, present(first.of)), ObjectiveBy(own, present(sides[i+1].of))
		if a != b {
			return OtherObjectives(first.of.run.Instance().Name(), a, b)
		}
	}
	if len(few) > 0 {
		note := "one run proves nothing: no p-values with fewer than " + strconv.Itoa(LeastSeeds) +
			" seeds a side"
		if len(stale) > 0 {
			note += " (seeds that were made with other parameters than now do not count: see seeds " +
				strings.Join(stale, ", seeds ") + ")"
		}
		return note + "; type: " + levelled(sides) + lasting(sides)
	}
	for i := range sides {
		if a, b := first.repeats.Budget, sides[i].repeats.Budget; a != b {
			return fmt.Sprintf("%s was repeated for %s and %s for %s: no test over different budgets; "+
				"type: %s", first.of.name, a, sides[i].of.name, b, levelled(sides))
		}
	}
	return ""
}

// longRepeats is the CPU time from which on lasting tells it; a variable for tests.
var longRepeats = time.Minute

// lasting says how much CPU time the repeats of levelled take, by that of the runs, where it is
// long.
func lasting(sides []side) string {
	fewest, each := int64(0), 0.0
	for i := range sides {
		last := sides[i].of.run.Last()
		if last.Iter == 0 || sides[i].repeats != nil {
			return ""
		}
		if each += last.CPU / float64(last.Iter); fewest == 0 || last.Iter < fewest {
			fewest = last.Iter
		}
	}
	took := time.Duration(each * float64(fewest) * DefaultSeeds * float64(time.Second))
	if took < longRepeats {
		return ""
	}
	return fmt.Sprintf(" (about %v of CPU time; a smaller n takes less)", took.Round(time.Second))
}

// levelled returns the line that makes all sides testable: the missing repeats, for one budget.
// That is the first budget with enough seeds on some side, else the fewest iterations of a run.
func levelled(sides []side) string {
	budget := record.Budget{}
	for i := range sides {
		if s := sides[i].repeats; s != nil && len(s.Seeds) >= LeastSeeds {
			budget = s.Budget
			break
		}
		made := sides[i].of.run.Last().Iter
		if made > 0 && (budget.Iterations == 0 || made < budget.Iterations) {
			budget.Iterations = made
		}
	}
	if budget == (record.Budget{}) {
		budget.Iterations = 1000
	}
	var lines []string
	for i := range sides {
		s := sides[i].repeats
		if s == nil || len(s.Seeds) < LeastSeeds || s.Budget != budget {
			lines = append(lines, fmt.Sprintf("repeat %s %d %s", sides[i].of.name, DefaultSeeds,
				typedBudget(budget)))
		}
	}
	return strings.Join(lines, "; ")
}

// typedBudget is the budget of a repeat as it is typed.
func typedBudget(b record.Budget) string {
	var out []string
	num := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	if b.Iterations > 0 {
		out = append(out, fmt.Sprintf("n=%d", b.Iterations))
	}
	if b.Wall > 0 {
		out = append(out, num(b.Wall)+"s")
	}
	if b.CPU > 0 {
		out = append(out, num(b.CPU)+"cpu")
	}
	if b.Until != "" {
		out = append(out, "until "+b.Until)
	}
	return strings.Join(out, " ")
}

// costsOf lists the pairs of sides whose equal iterations cost unequally. The measure is CPU time,
// because runs side by side on all cores wait for each other; for runs on GPUs it is wall time.
func costsOf(sides []side) (out []reply.Cost) {
	for i := range sides {
		for j := i + 1; j < len(sides); j++ {
			x, y := &sides[i], &sides[j]
			n := x.Iterations()
			if n != y.Iterations() || n == 0 ||
				x.of.run.Instance().SHA256() != y.of.run.Instance().SHA256() {
				continue
			}
			c := reply.Cost{
				Less: x.of.name, More: y.of.name, Iterations: int64(n),
				What: "CPU time", LessS: x.CPU(), MoreS: y.CPU(),
			}
			if x.Backend != "cpu" || y.Backend != "cpu" {
				c.What, c.LessS, c.MoreS = "time", x.Wall(), y.Wall()
			}
			if c.LessS > c.MoreS {
				c.Less, c.More, c.LessS, c.MoreS = c.More, c.Less, c.MoreS, c.LessS
			}
			if c.Factor = c.MoreS / c.LessS; c.LessS > 0 && c.Factor >= costly {
				c.Words = c.Warning()
				out = append(out, c)
			}
		}
	}
	return out
}

// tests compares the sides with each other, by the tests that fit.
func tests(rep *reply.CompareReply, sides []side) error {
	q := stats.Question{Maximise: true}
	for i := range sides {
		q.Maximise = q.Maximise && senseOf(sides[i].of.run) == record.Maximise
		q.Groups = append(q.Groups, stats.Group{Name: sides[i].of.name, Values: bests(sides[i].repeats)})
	}
	r, err := stats.Analyse(q)
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if r.Overall != nil {
		rep.Overall = r.Verdict
	}
	rep.Assumed = r.Assumed
	for _, p := range r.Pairs {
		t := reply.Test{
			A: p.A, B: p.B, Name: p.Test.Name + ", two-sided", P: reply.Num(Rounded(p.P)),
			Effect: reply.Num(p.Less), Words: p.Words,
		}
		worse := p.A
		if p.Better == p.A {
			worse = p.B
		}
		for _, c := range rep.Costs {
			if won := p.Better + " is better"; c.More == p.Better && c.Less == worse {
				t.Words = strings.Replace(t.Words, won, won+" after as many iterations, at "+c.Times()+
					" times the "+c.What, 1)
			}
		}
		rep.Tests = append(rep.Tests, t)
	}
	return nil
}

// Rounded is a p-value to four digits, at most 1.
func Rounded(p float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(min(p, 1), 'g', 4, 64), 64)
	if err != nil {
		return p // cannot fail: FormatFloat made the text
	}
	return r
}

// bests returns the best values of a series.
func bests(s *record.Series) []float64 {
	out := make([]float64, len(s.Seeds))
	for i, x := range s.Seeds {
		out[i] = x.Best
	}
	return out
}

// changed lists in what a run differs from the first.
func changed(first, e *Run) []string {
	out := []string{}
	if first == e {
		return out
	}
	if a, b := first.run.Seed(), e.run.Seed(); a != b {
		out = append(out, fmt.Sprintf("seed=%d", b))
	}
	if first.run.Header().Solver != e.run.Header().Solver {
		return out // parameters of one name mean other things there
	}
	a, b := present(first), present(e)
	for _, n := range sortedKeys(b) {
		if v, ok := a[n]; ok && v != b[n] {
			out = append(out, n+"="+b[n].String())
		}
	}
	return out
}

// present returns the parameters by header and journal. It does not ask the run, which may be in a
// long iteration.
func present(e *Run) record.Values {
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
