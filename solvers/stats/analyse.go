package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Group is a named sample, such as the results of a solver.
type Group struct {
	Name   string
	Values []float64 // smaller is better
}

// A Question is the input of [Analyse].
type Question struct {
	Groups []Group
	Paired bool    // value i of every group belongs to the same instance
	Alpha  float64 // the level of significance; 0: 0.05
	// Control, when not empty, is the group to compare with all others; else every pair is compared.
	Control string
	// Maximise says that values are costs: the negatives of an objective's values. Texts then speak of
	// the objective.
	Maximise bool
}

// A Pair is the comparison of two groups.
type Pair struct {
	A, B string
	Test Test
	P    float64 // adjusted for the number of pairs
	// the share of pairs of values in which that of A is smaller; equal values count half
	Less  float64
	Shift Estimate // how much larger the values of B are than those of A
	Words string

	Better string // the group with the smaller values; empty: no significant difference

	lead float64 // above 0 where A has the smaller values by the test, below 0 where B has
}

// A Report is the answer of [Analyse].
type Report struct {
	Groups  []Group
	Medians []float64
	Alpha   float64
	Overall *Test   // nil with two groups
	Ranked  *Ranked // of Friedman's test, else nil
	CD      float64 // the critical difference of mean ranks by Nemenyi; 0 if nobody asked for it
	Pairs   []Pair
	Adjust  string   // how the p-values of pairs are adjusted; empty with one pair
	Assumed []string // the assumptions and limits of the tests
	Verdict string

	maximise bool
}

// String returns the report in plain words.
func (r Report) String() string {
	lines := []string{r.Verdict}
	for _, p := range r.Pairs {
		lines = append(lines, p.Words)
	}
	return strings.Join(append(lines, r.Assumed...), "\n")
}

// Analyse compares groups with tests that fit the data.
//
//   - Two groups: [MannWhitney]; paired: [Wilcoxon], with Pratt's method if some pairs are equal.
//   - More: [KruskalWallis], then [MannWhitney] of pairs, adjusted by [Holm]; paired: [Friedman]
//     (the exact p-value if there is one, else that of Iman and Davenport), then [Nemenyi], or with
//     a control z tests of mean ranks, adjusted by [Holm].
func Analyse(q Question) (Report, error) {
	r := Report{Groups: q.Groups, Alpha: q.Alpha, maximise: q.Maximise}
	if r.Alpha == 0 {
		r.Alpha = 0.05
	}
	control, err := q.check(r.Alpha)
	if err != nil {
		return r, err
	}
	for _, g := range q.Groups {
		r.Medians = append(r.Medians, Median(g.Values))
	}
	for i := range q.Groups {
		for j := i + 1; j < len(q.Groups); j++ {
			a, b := i, j
			if j == control {
				a, b = j, i
			}
			if control >= 0 && a != control {
				continue
			}
			p, err := r.pair(a, b, q.Paired)
			if err != nil {
				return r, err
			}
			r.Pairs = append(r.Pairs, p)
		}
	}
	if len(q.Groups) > 2 {
		if q.Paired {
			err = r.friedman(control)
		} else {
			err = r.kruskal()
		}
		if err != nil {
			return r, err
		}
	}
	r.say(q.Paired)
	return r, nil
}

// check returns the index of the control, -1 for none.
func (q *Question) check(alpha float64) (control int, err error) {
	control = -1
	if len(q.Groups) < 2 {
		return control, fmt.Errorf("stats: analyse %d groups, want at least 2", len(q.Groups))
	}
	if !(alpha > 0 && alpha < 1) {
		return control, fmt.Errorf("stats: analyse: alpha is %v, want above 0 and below 1", alpha)
	}
	for i, g := range q.Groups {
		if len(g.Values) == 0 {
			return control, fmt.Errorf("stats: analyse: group %s has no values", g.Name)
		}
		if err := numbers("analyse", "group "+g.Name, g.Values); err != nil {
			return control, err
		}
		if n := len(q.Groups[0].Values); q.Paired && len(g.Values) != n {
			return control, fmt.Errorf("stats: analyse: group %s has %d values, and %s %d; want as many "+
				"in pairs", g.Name, len(g.Values), q.Groups[0].Name, n)
		}
		named := func(o Group) bool { return o.Name == g.Name }
		if g.Name != "" && slices.ContainsFunc(q.Groups[:i], named) {
			return control, fmt.Errorf("stats: analyse: two groups are named %s", g.Name)
		}
		if g.Name == q.Control {
			control = i
		}
	}
	if q.Control != "" && control < 0 {
		return control, fmt.Errorf("stats: analyse: no group is named %s", q.Control)
	}
	return control, nil
}

// pair compares two groups by themselves.
func (r *Report) pair(a, b int, paired bool) (p Pair, err error) {
	x, y := r.Groups[a].Values, r.Groups[b].Values
	p.A, p.B = r.Groups[a].Name, r.Groups[b].Name
	shift := Shift
	if paired {
		p.Test, err = Wilcoxon(x, y, Pratt)
		shift = ShiftOfPairs
		for i := range x {
			switch {
			case x[i] < y[i]:
				p.Less++
			case x[i] == y[i]:
				p.Less += 0.5
			}
		}
		p.Less /= float64(len(x))
	} else {
		p.Test, err = MannWhitney(x, y)
		p.Less = A12(y, x)
	}
	if err != nil {
		return p, err
	}
	p.P = p.Test.P
	finite := func(v []float64) bool {
		return !slices.ContainsFunc(v, func(v float64) bool { return math.IsInf(v, 0) })
	}
	p.lead = p.Less - 0.5
	p.Shift = Estimate{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if pairs := len(x) * len(y); pairs <= mostDifferences && finite(x) && finite(y) {
		p.Shift, err = shift(y, x, 1-r.Alpha)
		if paired && p.Shift.Value != 0 {
			p.lead = p.Shift.Value
		}
	}
	return p, err
}

// kruskal tests several independent groups.
func (r *Report) kruskal() error {
	samples := make([][]float64, len(r.Groups))
	for i, g := range r.Groups {
		samples[i] = g.Values
	}
	t, err := KruskalWallis(samples...)
	if err != nil {
		return err
	}
	r.Overall = &t
	r.adjust("Holm", Holm)
	return nil
}

// adjust adjusts the p-values of the pairs.
func (r *Report) adjust(name string, by func([]float64) []float64) {
	ps := make([]float64, len(r.Pairs))
	for i, p := range r.Pairs {
		ps[i] = p.P
	}
	for i, p := range by(ps) {
		r.Pairs[i].P = p
	}
	if len(ps) > 1 {
		r.Adjust = fmt.Sprintf("%s for %d tests", name, len(ps))
	}
}

// friedman tests several groups over the same instances.
func (r *Report) friedman(control int) error {
	blocks := make([][]float64, len(r.Groups[0].Values))
	for i := range blocks {
		for _, g := range r.Groups {
			blocks[i] = append(blocks[i], g.Values[i])
		}
	}
	f, err := Friedman(blocks)
	if err != nil {
		return err
	}
	r.Ranked, r.Overall = &f, &f.F
	if f.Chi.Exact {
		r.Overall = &f.Chi
	}
	place := map[string]int{}
	for i, g := range r.Groups {
		place[g.Name] = i
	}
	if control >= 0 {
		ps, err := Against(f, control)
		if err != nil {
			return err
		}
		for i := range r.Pairs {
			p := &r.Pairs[i]
			d := f.Ranks[place[p.B]] - f.Ranks[control]
			p.P, p.lead = ps[place[p.B]], d
			p.Test = Test{
				Name: "mean ranks", Symbol: "z", P: p.P,
				Statistic: d / deviation(len(r.Groups), f.Blocks),
			}
		}
		r.adjust("Holm", Holm)
		return nil
	}
	r.CD = CriticalDifference(r.Alpha, len(r.Groups), f.Blocks)
	all := Nemenyi(f)
	for i := range r.Pairs {
		p := &r.Pairs[i]
		a, b := place[p.A], place[p.B]
		p.P, p.lead = all[a][b], f.Ranks[b]-f.Ranks[a]
		p.Test = Test{
			Name: "Nemenyi", Symbol: "difference of mean ranks", P: p.P,
			Statistic: math.Abs(f.Ranks[a] - f.Ranks[b]),
		}
	}
	r.Adjust = "Nemenyi for all pairs"
	return nil
}
