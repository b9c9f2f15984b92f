package stats

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// KruskalWallis tests whether several independent samples come from one distribution (W. H.
// Kruskal, W. A. Wallis: Use of ranks in one-criterion variance analysis, J. Amer. Statist. Assoc.
// 47, 1952, doi:10.1080/01621459.1952.10483441). The statistic H has the correction for ties.
//
// If there are at most a million ways to split the values into samples of these sizes (such as
// three of five values), the p-value is exact, also with ties: the share of splits whose H is at
// least as large. Beyond that chi-square approximates it.
func KruskalWallis(samples ...[]float64) (Test, error) {
	t := Test{Name: "Kruskal-Wallis", Symbol: "H"}
	if len(samples) < 2 {
		return t, fmt.Errorf("stats: kruskal-wallis of %d samples, want at least 2", len(samples))
	}
	var all []float64
	for i, s := range samples {
		if len(s) == 0 {
			return t, fmt.Errorf("stats: kruskal-wallis: sample %d is empty", i)
		}
		if err := numbers("kruskal-wallis", fmt.Sprint("sample ", i), s); err != nil {
			return t, err
		}
		all = append(all, s...)
	}
	r, ties := ranks(all)
	n := float64(len(all))
	var sizes, sums []int
	at := 0
	var terms []float64 // of H, a sample
	for _, s := range samples {
		sum := 0.0
		for range s {
			sum += r[at]
			at++
		}
		d := sum/float64(len(s)) - (n+1)/2
		terms = append(terms, float64(len(s))*d*d)
		sizes, sums = append(sizes, len(s)), append(sums, int(2*sum))
	}
	c := 1 - ties/(n*n*n-n)
	if c <= 0 || n < 2 {
		t.P, t.Exact = 1, true // all values are equal
		return t, nil
	}
	slices.Sort(terms) // else the last digits would depend on the order of the samples
	h := 0.0
	for _, x := range terms {
		h += x
	}
	t.Statistic = 12 / (n * (n + 1)) * h / c
	if len(samples) <= kruskalMost && arrangements(sizes) <= 1e6 {
		t.Exact, t.P = true, kruskalExact(doubled(r), sizes, sums)
		return t, nil
	}
	t.DF = float64(len(samples) - 1)
	t.P = mathext.GammaIncRegComp(t.DF/2, t.Statistic/2)
	return t, nil
}

// arrangements is the number of ways to part values into samples of these sizes.
func arrangements(sizes []int) float64 {
	out, n := 1.0, 0
	for _, s := range sizes {
		for i := 1; i <= s; i++ {
			n++
			out *= float64(n) / float64(i)
		}
	}
	return out
}

// kruskalMost is the greatest number of samples that a parting has room for.
const kruskalMost = 8

// parting is how many of the first values went to each sample, and the sums of their ranks.
type parting struct {
	count, sum [kruskalMost]int16
}

// kruskalExact counts the ways to part the doubled ranks r whose H is at least that of sums.
func kruskalExact(r, sizes, sums []int) float64 {
	h := func(sum func(int) int) (out float64) {
		for i, n := range sizes {
			s := float64(sum(i))
			out += s * s / float64(n)
		}
		return out
	}
	// Equal sums give equal sums of squares, but for rounding.
	seen := h(func(i int) int { return sums[i] }) * (1 - 1e-12)
	ways := map[parting]float64{{}: 1}
	for _, x := range r {
		next := make(map[parting]float64, 2*len(ways))
		for p, n := range ways {
			for i, size := range sizes {
				if int(p.count[i]) < size {
					q := p
					q.count[i]++
					q.sum[i] += int16(x)
					next[q] += n
				}
			}
		}
		ways = next
	}
	far, all := 0.0, 0.0
	for p, n := range ways { // n are integers: their sum has no order
		all += n
		if h(func(i int) int { return int(p.sum[i]) }) >= seen {
			far += n
		}
	}
	return far / all
}
