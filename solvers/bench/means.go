package bench

import (
	"math"
	"slices"

	"metalab/solvers/stats"
)

// A Mean is what the rows of one group have together.
type Mean struct {
	Group     string
	Rows, Of  int     // instances that were measured, of all
	Value     float64 // the mean of their means
	Low, High float64 // the interval of Value; not a number where there is none
	Least     int     // the fewest seeds of an instance
	Most      int     // and the most
	Unit      string
	Published float64 // not a number where ratios have nothing to stand beside
	// of ratios: the least and the greatest of the instances; else not a number
	From, To float64
	// Verdict is empty if more than a tenth of the instances are missing.
	Verdict Verdict
}

// Means are the means of a table's groups over what was measured, in the table's order, one for
// each published figure of a group. An instance counts once, with the seeds of all its twins.
func Means(t Table, out []Outcome) []Mean {
	var list []Mean
	for _, first := range t.Rows {
		at := func(m Mean) bool {
			return m.Group == first.Group && (m.Published == first.Peer.Figure || !first.Peer.Known)
		}
		told := first.Peer.Known || first.Measure == Ratio
		if first.Group == "" || !told || slices.ContainsFunc(list, at) {
			continue
		}
		twin := slices.ContainsFunc(list, func(m Mean) bool { return m.Group == first.Group })
		if m := meanOf(t, &first, out); m.Rows > 0 {
			m.Verdict.Twin = twin
			list = append(list, m)
		}
	}
	return list
}

// meanOf is that of the group of a row.
func meanOf(t Table, first *Row, out []Outcome) Mean {
	m := Mean{
		Group: first.Group, Unit: first.unit(), Published: first.Peer.Figure,
		Low: math.NaN(), High: math.NaN(), From: math.NaN(), To: math.NaN(),
	}
	if !first.Peer.Known {
		m.Published = math.NaN()
	}
	ratios := first.Measure == Ratio
	var names []string
	for _, r := range t.Rows {
		if r.Group == m.Group && (r.runs() || ratios) && !slices.Contains(names, r.Instance) {
			names = append(names, r.Instance)
		}
	}
	m.Of = len(names)
	var spreads []float64 // variances of seeds; -1: of too few
	var seeds []int
	widest, known := 0.0, 0
	for _, name := range names {
		values := ofInstance(out, m.Group, name)
		if len(values) == 0 {
			continue
		}
		v, deviation := stats.MeanDeviation(values)
		m.Value += v
		if ratios {
			m.From, m.To = least(m.From, v), -least(-m.To, -v)
		}
		seeds = append(seeds, len(values))
		if len(values) < leastSeeds {
			spreads = append(spreads, -1)
			continue
		}
		known++
		spreads = append(spreads, deviation*deviation)
		widest = max(widest, deviation*deviation)
	}
	if m.Rows = len(seeds); m.Rows == 0 {
		return m
	}
	n := float64(m.Rows)
	m.Value /= n
	m.Least, m.Most = slices.Min(seeds), slices.Max(seeds)
	if t.Margin == (Margin{}) || ratios || 10*m.Rows < 9*m.Of {
		return m
	}
	ours, theirs := exact(m.Value), exact(m.Published)
	seen := m.Most
	if 2*known <= m.Rows {
		seen = min(seen, leastSeeds-1) // most instances have too few
	} else {
		variance := 0.0
		for i, s := range spreads {
			if s < 0 {
				s = widest
			}
			variance += s / float64(seeds[i])
		}
		half := stats.StudentQuantile((1-level)/2, m.Most-1) * math.Sqrt(variance) / n
		ours.Low, ours.High = m.Value-half, m.Value+half
		m.Low, m.High = ours.Low, ours.High
		// the published mean has the spread of ours, of as many runs of each instance
		theirs.Low, theirs.High = m.Published-half, m.Published+half
	}
	m.Verdict = judge(ours, theirs, t.Margin.of(first.Measure, m.Published),
		first.Measure.Higher(), seen)
	m.Verdict.Unit = first.unit()
	if first.Measure == Gap {
		m.Verdict.Unit = "points"
	}
	return m
}

// least is the lesser of two, of which the first may not be a number.
func least(a, b float64) float64 {
	if math.IsNaN(a) {
		return b
	}
	return min(a, b)
}

// ofInstance are the figures of an instance in a group, by seed: those of the row with the most,
// and of its twin the seeds that it lacks.
func ofInstance(out []Outcome, group, instance string) []float64 {
	var best *Outcome
	of := func(o *Outcome) bool {
		return o.Row.Group == group && o.Row.Instance == instance && len(o.Values) > 0 &&
			!o.stale()
	}
	for i := range out {
		if o := &out[i]; of(o) && (best == nil || len(o.Values) > len(best.Values)) {
			best = o
		}
	}
	if best == nil {
		return nil
	}
	for i := range out {
		if o := &out[i]; o != best && of(o) && twins(best, o) {
			return both(best, o)
		}
	}
	return best.Values
}
