package bench

import (
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers/stats"
)

// fisher is the two-sided p-value of Fisher's exact test of k of n beside l of m: of all tables
// with the same sums those that are as unlikely as this one, or more.
func fisher(k, n, l, m int) float64 {
	choose := func(n, k int) float64 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c
	}
	at := func(x int) float64 {
		return math.Exp(choose(n, x) + choose(m, k+l-x) - choose(n+m, k+l))
	}
	const same = 1 + 1e-7 // of tables that are as unlikely but for rounding
	p := 0.0
	for x := max(0, k+l-m); x <= min(n, k+l); x++ {
		if at(x) <= at(k)*same {
			p += at(x)
		}
	}
	return min(p, 1)
}

// success are the published runs that came to the best known value, of how many, where the paper
// tells it: a mean of lengths that is the best known one is that of runs which all found it.
func (r *Row) success() (k, n int, ok bool) {
	switch n = r.Published; {
	case n == 0 || !r.Peer.Known:
		return 0, 0, false
	case r.Measure == Found:
		return int(math.Round(r.Peer.Figure * float64(n))), n, true
	case r.Measure == Best:
		best, known := datasets.Published(r.Instance)
		return n, n, known && r.Peer.Figure == best.Value
	}
	return 0, 0, false
}

// counted compares how many of our runs found the best known value with the published k of n.
func (r *Row) counted(values []float64, k, n int) Verdict {
	v := Verdict{Word: NotShown, N: len(values), Low: math.NaN(), High: math.NaN(), Counts: true}
	ours := 0
	for _, x := range r.scaled(values...) {
		if r.Measure == Found && x == 1 || r.Measure != Found && x <= 1e-9 {
			ours++
		}
	}
	p := fisher(ours, len(values), k, n)
	v.How = fmt.Sprintf("%d of %d found the best known value, %d of %d as published, p = %.2g", ours,
		len(values), k, n, p)
	half := fisher(len(values)/2, len(values), k, n)
	v.Could = half < significance
	switch {
	case len(values) < leastSeeds:
	case p >= significance:
		v.Word = NoDifference
	case float64(ours)*float64(n) > float64(k)*float64(len(values)):
		v.Word = Better
	default:
		v.Word = Worse
	}
	return v
}

// tie is how near gaps that are printed to two digits may be and count as equal.
const tie = .005

// oneSide is the level of each side of a test of two sides.
const oneSide = significance / 2

// before is the chance that k of n runs are below the best of m others from the same distribution.
func before(k, n, m int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(n-i) / float64(m+n-i)
	}
	return p
}

// bestOf compares our runs with the best of so many published ones: it is better where so many of
// ours are below that as would be so of one distribution in a fortieth of all cases, and worse
// where none is as low and as rarely would be.
func (o *Outcome) bestOf() Verdict {
	r := &o.Row
	published, n := r.Peer.Figure, r.Published
	v := Verdict{Word: NotShown, N: len(o.Of), Low: math.NaN(), High: math.NaN(), Counts: true}
	below, as := 0, 0
	for _, x := range o.Of {
		switch {
		case x < published-tie:
			below++
		case x <= published+tie:
			as++
		}
	}
	v.How = fmt.Sprintf("%d of %d are below the best of %d", below, len(o.Of), n)
	v.Could = before((len(o.Of)+1)/2, len(o.Of), n) < oneSide
	switch {
	case len(o.Of) < leastSeeds:
	case below > 0 && before(below, len(o.Of), n) < oneSide:
		v.Word = Better
	case below+as == 0 && float64(n)/float64(n+len(o.Of)) < oneSide:
		v.Word = Worse
	default:
		v.Word = NoDifference
	}
	return v
}

// assumed returns the interval of a published mean of n runs without a published spread, with the
// spread of ours. If n is unknown too, it is the number of ours.
func assumed(mean float64, n int, values []float64) stats.Estimate {
	if n < 2 {
		n = len(values)
	}
	if n < 2 || slices.ContainsFunc(values, func(v float64) bool { return math.IsInf(v, 0) }) {
		return exact(mean)
	}
	_, deviation := stats.MeanDeviation(values)
	half := math.Abs(stats.StudentQuantile((1-level)/2, n-1)) * deviation / math.Sqrt(float64(n))
	return stats.Estimate{Value: mean, Low: mean - half, High: mean + half}
}
