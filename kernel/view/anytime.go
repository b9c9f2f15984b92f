package view

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
)

// A Series holds the curves of one group, one per run.
type Series struct {
	Name string
	Runs []Trace
}

// A Trace is the curve of one run: value Y holds from X on until the next point. X and Y have the
// same length; X does not decrease.
type Trace struct{ X, Y []float64 }

// check returns an error where a trace contradicts itself.
func (t Trace) check(group string, run int) error {
	if len(t.X) != len(t.Y) {
		return fmt.Errorf("view: run %d of %q has %d places and %d values, want as many", run, group,
			len(t.X), len(t.Y))
	}
	for i := 1; i < len(t.X); i++ {
		if t.X[i] < t.X[i-1] {
			return fmt.Errorf("view: run %d of %q goes back from %v to %v at point %d, want places "+
				"that do not decrease", run, group, t.X[i-1], t.X[i], i)
		}
	}
	return nil
}

// Medians draws, for each group, the median of its runs and the band between their quartiles.
// A run that has ended counts with its last value.
func (l Look) Medians(w Labels, groups ...Series) (*plot.Plot, error) {
	p := l.base(w.Title)
	names, err := l.renamed(len(groups), func(i int) string { return groups[i].Name })
	if err != nil {
		return nil, err
	}
	var cs []*Curve
	var say told
	for i, g := range groups {
		for j, t := range g.Runs {
			if err := t.check(g.Name, j+1); err != nil {
				return nil, err
			}
		}
		c := &Curve{Name: names[i], LineStyle: line(palette[i%len(palette)], 1.5), Steps: true}
		c.medians(g.Runs)
		if c.cut(l.Range); !c.any() {
			continue
		}
		cs = append(cs, c)
		n := len(c.X) - 1
		say = append(say, fmt.Sprintf("%s: median of %s first %s, at %s %s, quartiles there %s and %s",
			names[i], counted(len(g.Runs), "run"), Number(c.Y[0]), Number(c.X[n]), Number(c.Y[n]),
			Number(c.Low[n]), Number(c.High[n])))
	}
	if len(cs) == 0 {
		return empty(p, "no curves to draw"), nil
	}
	p.Add(say)
	return p, l.curves(p, w, cs)
}

// ECDF draws, for each group, the share of its values that are at most x: for run lengths, the
// share of the runs that reached a target within a budget. A value of +Inf counts as a run that
// never reached it. H. H. Hoos and T. Stützle call it the run-length distribution: "Evaluating Las
// Vegas algorithms: pitfalls and remedies", Proc. UAI 1998.
func (l Look) ECDF(w Labels, groups ...Sample) (*plot.Plot, error) {
	if w.Y == "" {
		w.Y = "share of runs"
	}
	return l.shares(w, groups, "run", 0)
}

// Profile draws performance profiles as E. D. Dolan and J. J. Moré do in "Benchmarking optimization
// software with performance profiles", Mathematical Programming 91 (2002),
// doi:10.1007/s101070100263: for each solver the share of problems on which its cost is at most x
// times that of the best solver. The values are those ratios, one per problem; +Inf if the solver
// failed.
func (l Look) Profile(w Labels, solvers ...Sample) (*plot.Plot, error) {
	for _, s := range solvers {
		for i, v := range s.Values {
			if math.IsNaN(v) || v < 1 {
				return nil, fmt.Errorf("view: ratio %d of %q is %v, want 1 or more: 1 is the best solver's",
					i+1, s.Name, v)
			}
		}
	}
	if w.Y == "" {
		w.Y = "share of problems"
	}
	if w.X == "" {
		w.X = "cost, times the best solver's"
	}
	w.LogX = true
	return l.shares(w, solvers, "problem", 1)
}

// shares draws empirical distributions, from a value on unless that is 0.
func (l Look) shares(w Labels, groups []Sample, of string, from float64) (*plot.Plot, error) {
	p := l.base(w.Title)
	names, err := l.renamed(len(groups), func(i int) string { return groups[i].Name })
	if err != nil {
		return nil, err
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	sorted := make([][]float64, len(groups))
	for i, g := range groups {
		if sorted[i] = g.sorted(); len(sorted[i]) > 0 {
			lo, hi = min(lo, sorted[i][0]), max(hi, sorted[i][len(sorted[i])-1])
		}
	}
	if !(lo <= hi) {
		return empty(p, "no values to draw"), nil
	}
	w.LogX = w.LogX && lo > 0
	if from > 0 {
		lo = from
	}
	span := hi - lo
	end := hi + span*0.03
	if w.LogX {
		end = hi * math.Pow(hi/lo, 0.03)
	}
	if end <= hi {
		end = hi + max(math.Abs(hi)*0.01, 0.5)
	}
	var cs []*Curve
	var say told
	for i, v := range sorted {
		all := 0
		for _, x := range groups[i].Values {
			if !math.IsNaN(x) {
				all++
			}
		}
		if all == 0 {
			continue
		}
		c := &Curve{Name: names[i], LineStyle: line(palette[i%len(palette)], 1.6), Steps: true}
		if i >= len(palette) {
			c.Dashes = dashes
		}
		c.X, c.Y = []float64{lo}, []float64{0}
		for j, x := range v {
			c.X, c.Y = append(c.X, x), append(c.Y, float64(j+1)/float64(all))
		}
		c.X, c.Y = append(c.X, end), append(c.Y, c.Y[len(c.Y)-1])
		cs = append(cs, c)
		line := fmt.Sprintf("%s: %d of %s", names[i], len(v), counted(all, of))
		if len(v) > 0 {
			k := min((all+1)/2, len(v)) - 1
			line += fmt.Sprintf(", %.3g %% at %s, most at %s", 100*float64(k+1)/float64(all),
				Number(v[k]), Number(v[len(v)-1]))
		}
		say = append(say, line)
	}
	p.Add(say)
	if err := l.curves(p, w, cs); err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Max, p.Y.Scale = 0, 1.02, plot.LinearScale{}
	p.Y.Tick.Marker = Ticks{Want: l.few(6)}
	return p, nil
}

// counted writes a number of things, as "1 run" and "10 runs".
func counted(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return grouped(int64(n)) + " " + of + "s"
}

// medians makes k the median of curves, each held from a place until its next, with the band
// between their quartiles. It begins where all have a value.
func (k *Curve) medians(runs []Trace) {
	type step struct {
		x   float64
		run int
		v   float64
	}
	var steps []step
	n := 0
	from := math.Inf(-1)
	for _, r := range runs {
		if len(r.X) == 0 {
			continue
		}
		from = max(from, r.X[0]) // before, not all of them have a value
		for i, x := range r.X {
			steps = append(steps, step{x, n, r.Y[i]})
		}
		n++
	}
	slices.SortStableFunc(steps, func(a, b step) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	places := 0
	for i := range steps {
		if i+1 == len(steps) || steps[i+1].x != steps[i].x {
			places++
		}
	}
	every := 1 + places/min(bandGrid, max(2_000_000/max(n, 1), 100))
	now, sorted := make([]float64, n), make([]float64, n)
	place := 0
	for i, s := range steps {
		now[s.run] = s.v
		if i+1 < len(steps) && steps[i+1].x == s.x {
			continue
		}
		if place++; s.x < from || place%every != 0 && s.x != from && i+1 < len(steps) {
			continue
		}
		copy(sorted, now)
		slices.Sort(sorted)
		k.X, k.Y = append(k.X, s.x), append(k.Y, quantile(sorted, 0.5))
		k.Low, k.High = append(k.Low, quantile(sorted, 0.25)), append(k.High, quantile(sorted, 0.75))
	}
}
