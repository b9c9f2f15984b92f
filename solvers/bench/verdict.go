package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
	// Within is of an interval that lies within the margin and does not hold the published figure, and
	// OnEnd of one that does not hold it and lies on an end of the margin.
	Within = "differs, within the margin"
	OnEnd  = "differs, on an end of the margin"
	// NoDifference is of an interval that holds the published figure and is wider than the margin,
	// and of a test that finds no difference: neither shows that there is none.
	NoDifference = "no difference found"
	// NotShown is of too few seeds, and of seeds that all have one figure: they have no interval.
	NotShown = "not shown"
	// Apart is of searches that a rule of our own makes others than the published ones.
	Apart = "not comparable"
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
	Word string // Agrees, Better and so on; empty: there is none
	N    int    // seeds
	// Low and High are the ends of the interval of the difference: ours less the published.
	Low, High float64
	Unit      string // of the difference: "points" of gap, else that of the row
	// Twin tells that the verdict is that of a row before, of the same search: on another backend,
	// seed for seed, or with the same settings, maybe in another table, Of. They count once.
	Twin bool
	Of   string
	// Could tells that a verdict which shows no difference could well have been another: these seeds
	// show a difference as great as the margin, or half of the runs being otherwise, in half of all
	// cases. Counts tells that it is one of counts, How in words.
	Could, Counts bool
	How           string
}

// String is the verdict with the number of seeds, and with the difference where there is one.
func (v Verdict) String() string {
	s := v.words()
	if s != "" && v.Of != "" {
		s += ", counted in " + v.Of
	}
	return s
}

func (v Verdict) words() string {
	n := fmt.Sprintf(", n=%d", v.N)
	switch {
	case v.Word == "":
		return ""
	case v.Word == NotShown && v.N < leastSeeds:
		return fmt.Sprintf("%s, n=%d of %d", v.Word, v.N, leastSeeds)
	case v.How != "":
		return v.Word + ": " + v.How
	case v.Word == NotShown:
		return v.Word + ", all alike" + n
	case v.Word == Within, v.Word == OnEnd:
		return strings.TrimSpace(fmt.Sprintf("%s, by %+.2f to %+.2f %s", v.Word, v.Low, v.High,
			v.Unit)) + n
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
		"published figure, is better or worse if all of it lies beyond the margin, and differs if it "+
		"does not hold 0 otherwise, within the margin or on an end of it; one that holds 0 agrees if "+
		"all of it lies within the margin, and else finds no difference, which shows none. Seeds that "+
		"all have one figure have no interval and show nothing. A search with the same settings has "+
		"one verdict, of all its seeds in all tables of the paper, beside the mean of what those "+
		"publish, and counts once. Figures of an earlier version of an algorithm judge nothing.",
		leastSeeds)
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
	if has(func(r *Row) bool { return r.Peer.Known && r.Measure.quality() && len(r.Runs) == 0 }) {
		rule += " A published mean without a spread is taken to have that of our runs, of as many as " +
			"the paper tells, else of as many as ours; a median is compared with it as it is printed."
	}
	if has(func(r *Row) bool { _, _, ok := r.success(); return ok }) {
		rule += " Where the published mean is the best known value all runs found it: how many of ours " +
			"did is compared by Fisher's exact test."
	}
	if has(func(r *Row) bool { return r.Measure == Least && r.Published > 0 }) {
		rule += " A best of so many published runs is compared with all of ours: it is better or worse " +
			"where so many of ours are below it, or none is, as in one distribution in a fortieth of " +
			"all cases."
	}
	if has(func(r *Row) bool { return r.Apart != "" }) {
		rule += " Not comparable are searches that a rule of our own makes others than published."
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
	v.Could = v.High-v.Low <= 2*margin
	switch {
	case v.Low == v.High && !math.IsInf(v.Low, 0):
	case v.Low > margin && higher, v.High < -margin && !higher:
		v.Word = Better
	case v.Low > margin, v.High < -margin:
		v.Word = Worse
	case v.Low >= -margin && v.High <= margin && (v.Low > 0 || v.High < 0):
		v.Word = Within
	case v.Low > 0, v.High < 0:
		v.Word = OnEnd
	case v.Low >= -margin && v.High <= margin:
		v.Word = Agrees
	case v.Low <= 0 && v.High >= 0:
		v.Word = NoDifference
	}
	return v
}

// exact is a figure without a spread.
func exact(v float64) stats.Estimate { return stats.Estimate{Value: v, Low: v, High: v} }

// verdict is that of a row with the figures of seeds, its own and those of all rows of one search.
func (r *Row) verdict(m Margin, values []float64) Verdict {
	if k, n, ok := r.success(); ok {
		return r.counted(values, k, n)
	}
	published := r.scaled(r.Peer.Figure)[0]
	unit := r.unit()
	if r.Measure == Gap || r.Measure == Best {
		unit = "points"
	}
	if len(values) < leastSeeds {
		return Verdict{Word: NotShown, N: len(values), Low: math.NaN(), High: math.NaN(), Unit: unit}
	}
	scaled := r.scaled(values...)
	theirs := assumed(published, r.Published, scaled)
	if len(r.Runs) > 1 {
		theirs, _ = stats.Mean(r.scaled(r.Runs...), level)
	}
	ours, err := interval(scaled)
	if err != nil {
		ours = stats.Estimate{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	v := judge(ours, theirs, m.of(r.Measure, published), r.Measure.Higher(), len(values))
	if slices.Min(scaled) == slices.Max(scaled) && !math.IsInf(scaled[0], 0) {
		v.Word, v.Could = NotShown, false // whatever the spread of the published ones
	}
	v.Unit = unit
	return v
}

// tested returns the verdict of a test of rows. If the paper marks which of two is better, ours
// finds the same one, or another.
func (o *Outcome) tested() Verdict {
	v := Verdict{N: o.N}
	r := &o.Row
	ours, theirs := o.Values[0] < significance, r.Peer.Figure < significance
	same := true
	if r.Peer.Mark != "" {
		theirs = r.Peer.Mark != "none"
		same = (r.Peer.Mark == "worse") == (o.Way > 0)
	}
	switch {
	case o.N < leastSeeds:
		v.Word = NotShown
	case !ours:
		v.Word = NoDifference
	case theirs && same:
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
// measured, where the figure is a time or of an earlier version, and where it is a mean over
// instances, of which see Means.
func rule(t Table, out []Outcome) {
	if t.Margin == (Margin{}) {
		return
	}
	for i := range out {
		o := &out[i]
		switch r := &o.Row; {
		case !r.Peer.Known || len(o.Values) == 0 || r.Group != "" || o.stale():
			continue
		case r.Apart != "" && (r.derived() || r.Measure.quality()):
			n := max(o.N, len(o.Values))
			o.Verdict = Verdict{
				Word: Apart, N: n, Low: math.NaN(), High: math.NaN(),
				How: fmt.Sprintf("%s, n=%d", r.Apart, n),
			}
			switch {
			case r.Measure == Least:
				o.Verdict.Twin, o.Verdict.Of = bestBefore(t, out, o)
			case r.runs():
				all := samplesOf(t, o)
				o.Verdict.Twin, o.Verdict.Of = all.owner != "" || all.number < o.Number, all.owner
			}
			continue
		case r.Measure == PValue:
			o.Verdict = o.tested()
			continue
		case r.Measure == Least && r.Published > 0:
			o.Verdict = o.bestOf()
			o.Verdict.Twin, o.Verdict.Of = bestBefore(t, out, o)
			continue
		case !r.Measure.quality():
			continue
		}
		values, twin := o.Values, false
		for k := range out {
			if k != i && !out[k].stale() && twins(o, &out[k]) {
				first, second := o, &out[k]
				if twin = k < i; twin {
					first, second = second, first
				}
				values = both(first, second)
				break
			}
		}
		row, owner := o.Row, ""
		if o.Made > 0 {
			all := samplesOf(t, o)
			if values, owner = all.with(values), all.owner; len(all.published) > 0 {
				row.Peer.Figure, _ = stats.MeanDeviation(all.published)
				row.Published *= len(all.published)
			}
			twin = twin || owner != "" || all.number < o.Number
		}
		o.Verdict = row.verdict(t.Margin, values)
		o.Verdict.Twin, o.Verdict.Of = twin, owner
	}
}
