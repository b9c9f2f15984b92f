package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"metalab/datasets"
	"metalab/solvers/stats"
)

// The words of verdicts on a figure beside the published one.
const (
	Agrees = "agrees"
	Better = "better"
	Worse  = "worse"
	// Differs is of a test that finds a difference where the published one found none.
	Differs = "differs"
	// NoDifference is of an interval that holds the published figure and is wider than the margin,
	// and of a test that finds no difference: neither shows that there is none.
	NoDifference = "no difference found"
	// NotShown is of an interval that lies on an end of the margin, and of too few seeds.
	NotShown = "not shown"
)

const (
	// leastSeeds is the number of seeds from which there are verdicts.
	leastSeeds = 5
	// significance is the p-value below which a test tells a difference.
	significance = .05
	// level is that of the intervals.
	level = .95
	// medianSeed is that of the draws of the bootstrap of medians, which makes them the same always.
	medianSeed = 1
)

// A Margin is how far from a published figure is as good as there.
type Margin struct {
	Percent float64 // of the published gap, or number of iterations; of 1 for a share
	Least   float64 // points of gap, if that is more
}

// of is the margin on a row's scale, see Row.scaled.
func (m Margin) of(measure Measure, published float64) float64 {
	part := m.Percent / 100 * math.Abs(published)
	switch measure {
	case Gap, Best:
		return max(part, m.Least)
	case Found:
		return m.Percent / 100
	}
	return part
}

// A Verdict is how a figure stands beside the published one.
type Verdict struct {
	Word string // Agrees, Better, Worse, Differs, NoDifference or NotShown; empty: there is none
	N    int    // seeds
	// Low and High are the ends of the interval of the difference: ours less the published.
	Low, High float64
	Unit      string // of the difference: "points" of gap, else that of the row
	// Twin tells that the verdict is that of a row before on another backend, where the same searches
	// are, seed for seed: the two count once.
	Twin bool
}

// String is the verdict with the number of seeds, and with the difference where there is one.
func (v Verdict) String() string {
	n := fmt.Sprintf(", n=%d", v.N)
	switch {
	case v.Word == "":
		return ""
	case v.Word == NotShown && v.N < leastSeeds:
		return fmt.Sprintf("%s, n=%d of %d", v.Word, v.N, leastSeeds)
	case v.Word != Better && v.Word != Worse:
		return v.Word + n
	}
	low, high := math.Abs(v.Low), math.Abs(v.High)
	if low > high {
		low, high = high, low
	}
	by := fmt.Sprintf("%s to %s", short(low), short(high))
	switch {
	case math.IsInf(low, 1):
		return v.Word + ", not reached" + n
	case math.IsInf(high, 1):
		by = short(low) + " or more"
	}
	if v.Unit != "" {
		by += " " + v.Unit
	}
	return fmt.Sprintf("%s by %s%s", v.Word, by, n)
}

// short is a number to two digits and more.
func short(v float64) string {
	if math.Abs(v) >= 10 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// Rule says in some sentences how the verdicts of a table come about; "" if it has none.
func Rule(t Table) string {
	if t.Margin == (Margin{}) {
		return ""
	}
	has := func(is func(r *Row) bool) bool {
		return slices.ContainsFunc(t.Rows, func(r Row) bool { return is(&r) })
	}
	rule := fmt.Sprintf("Verdicts: the 95 %% interval of our mean over %d seeds or more, less the "+
		"published figure, agrees if all of it lies within the margin, and is better or worse if all "+
		"of it lies beyond; an interval that holds the published figure and is wider finds no "+
		"difference, which shows none, and one on an end of the margin shows nothing.", leastSeeds)
	if has(func(r *Row) bool { return r.Measure == Gap || r.Measure == Best }) {
		rule += fmt.Sprintf(" The margin is %g %% of the published gap, at least %g points.",
			t.Margin.Percent, t.Margin.Least)
	}
	if has(func(r *Row) bool { return r.Measure == Iterations }) {
		rule += fmt.Sprintf(" The margin of iterations is %g %%; where a run does not reach its aim, "+
			"the median takes the mean's place, with an interval by bootstrap.", t.Margin.Percent)
	}
	if has(func(r *Row) bool { return len(r.Runs) > 0 }) {
		rule += " Where the paper prints its single runs, the interval is that of the difference of " +
			"the two means."
	}
	if has(func(r *Row) bool { return r.Group != "" }) {
		rule += " A mean over instances is that of our means, each once, with the spread of seeds; an " +
			"instance of fewer seeds counts with the widest spread of the others."
	}
	if has(func(r *Row) bool { return r.Backend == "cuda" }) {
		rule += " A search that is the same on a CPU and a GPU, seed for seed, counts once."
	}
	if has(func(r *Row) bool { return r.Measure == PValue }) {
		rule += fmt.Sprintf(" A test that finds a difference (p below %g) agrees if the published one "+
			"does, else it differs.", significance)
	}
	return rule
}

// quality tells whether a measure is of results and not of the time that they took, which says
// nothing where machines differ.
func (m Measure) quality() bool {
	switch m {
	case Gap, Best, Iterations, Found:
		return true
	default:
		return false
	}
}

// scaled puts values on the scale of a row's verdicts: lengths become gaps in percent, above the
// best known length, or above the published one where none is known.
func (r *Row) scaled(values ...float64) []float64 {
	if r.Measure != Best {
		return values
	}
	least := r.Peer.Figure
	if b, ok := datasets.Published(r.Instance); ok {
		least = b.Value
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = 100 * (v - least) / math.Abs(least)
	}
	return out
}

// interval is that of the mean of values, or of their median where some are infinite.
func interval(values []float64) (stats.Estimate, error) {
	if !slices.ContainsFunc(values, func(v float64) bool { return math.IsInf(v, 0) }) {
		return stats.Mean(values, level)
	}
	// medians of finite numbers, of which those that stand for infinity are beyond all others
	const far = 1e100
	finite := make([]float64, len(values))
	for i, v := range values {
		finite[i] = max(-far, min(far, v))
	}
	e, err := stats.Bootstrap(
		func(s ...[]float64) float64 { return stats.Median(s[0]) },
		stats.Resampling{Seed: medianSeed, Level: level}, finite,
	)
	for _, v := range []*float64{&e.Value, &e.Low, &e.High} {
		if math.Abs(*v) > far/1e10 {
			*v = math.Inf(int(math.Copysign(1, *v)))
		}
	}
	return e, err
}

// judge compares an interval of ours, of n seeds, with a published figure, which runs may have its
// own interval of. Higher tells whether larger figures are better.
func judge(ours, published stats.Estimate, margin float64, higher bool, n int) Verdict {
	v := Verdict{Word: NotShown, N: n, Low: math.NaN(), High: math.NaN()}
	if n < leastSeeds {
		return v
	}
	// both spreads: G. Y. Zou and A. Donner, Statistics in Medicine 27, 2008, doi:10.1002/sim.3095
	d := ours.Value - published.Value
	v.Low = d - math.Hypot(ours.Value-ours.Low, published.High-published.Value)
	v.High = d + math.Hypot(ours.High-ours.Value, published.Value-published.Low)
	if math.IsInf(ours.Value, 1) { // d - Low is infinite, too
		v.Low, v.High = ours.Low-published.High, ours.High-published.Low
	}
	switch {
	case v.Low >= -margin && v.High <= margin:
		v.Word = Agrees
	case v.Low > margin && higher, v.High < -margin && !higher:
		v.Word = Better
	case v.Low > margin, v.High < -margin:
		v.Word = Worse
	case v.Low <= 0 && v.High >= 0:
		v.Word = NoDifference
	}
	return v
}

// exact is a figure without a spread.
func exact(v float64) stats.Estimate { return stats.Estimate{Value: v, Low: v, High: v} }

// verdict is that of a row with the figures of seeds, its own and its twin's.
func (r *Row) verdict(m Margin, values []float64) Verdict {
	published := r.scaled(r.Peer.Figure)[0]
	theirs := exact(published)
	if len(r.Runs) > 1 {
		theirs, _ = stats.Mean(r.scaled(r.Runs...), level)
	}
	unit := r.unit()
	if r.Measure == Gap || r.Measure == Best {
		unit = "points"
	}
	if len(values) < leastSeeds {
		return Verdict{Word: NotShown, N: len(values), Low: math.NaN(), High: math.NaN(), Unit: unit}
	}
	ours, err := interval(r.scaled(values...))
	if err != nil {
		ours = stats.Estimate{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	v := judge(ours, theirs, m.of(r.Measure, published), r.Measure.Higher(), len(values))
	v.Unit = unit
	return v
}

// tested is the verdict of a test of rows.
func (o *Outcome) tested() Verdict {
	v := Verdict{N: o.N}
	ours, theirs := o.Values[0] < significance, o.Row.Peer.Figure < significance
	switch {
	case o.N < leastSeeds:
		v.Word = NotShown
	case !ours:
		v.Word = NoDifference
	case theirs:
		v.Word = Agrees
	default:
		v.Word = Differs
	}
	return v
}

// twins tells whether two outcomes are of one search on two backends: their settings differ in the
// backend alone, and seeds that both have gave the same figure.
func twins(a, b *Outcome) bool {
	if a.Row.Backend == b.Row.Backend || a.Row.Instance != b.Row.Instance ||
		a.Row.Solver == "" || a.Row.Peer.Figure != b.Row.Peer.Figure && a.Row.Group == "" {
		return false
	}
	at := b.Row
	at.Backend = a.Row.Backend
	if at.Settings() != a.Row.Settings() {
		return false
	}
	same := false
	for i, seed := range a.Seeds {
		if k := slices.Index(b.Seeds, seed); k >= 0 {
			if a.Values[i] != b.Values[k] {
				return false
			}
			same = true
		}
	}
	return same
}

// both are the figures of two twins, each seed's once.
func both(a, b *Outcome) []float64 {
	out := slices.Clone(a.Values)
	for i, seed := range b.Seeds {
		if !slices.Contains(a.Seeds, seed) {
			out = append(out, b.Values[i])
		}
	}
	return out
}

// rule gives the outcomes of a table their verdicts. There is none where nothing is published or
// measured, where the figure is a time, and where it is a mean over instances, of which see Means.
func rule(t Table, out []Outcome) {
	if t.Margin == (Margin{}) {
		return
	}
	for i := range out {
		o := &out[i]
		switch r := &o.Row; {
		case !r.Peer.Known || len(o.Values) == 0 || r.Group != "":
			continue
		case r.Measure == PValue:
			o.Verdict = o.tested()
			continue
		case !r.Measure.quality():
			continue
		}
		values, twin := o.Values, false
		for k := range out {
			if k != i && twins(o, &out[k]) {
				first, second := o, &out[k]
				if twin = k < i; twin {
					first, second = second, first
				}
				values = both(first, second)
				break
			}
		}
		o.Verdict = o.Row.verdict(t.Margin, values)
		o.Verdict.Twin = twin
	}
}
