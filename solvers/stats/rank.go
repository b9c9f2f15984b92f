package stats

import (
	"cmp"
	"slices"
)

// ranks returns the ranks of v from 1 on, ties sharing the mean of theirs, and the sum over ties of
// t^3 - t.
func ranks(v []float64) (r []float64, ties float64) {
	at := make([]int, len(v))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	r = make([]float64, len(v))
	for i := 0; i < len(at); {
		j := i + 1
		for j < len(at) && v[at[j]] == v[at[i]] {
			j++
		}
		for k := i; k < j; k++ {
			r[at[k]] = float64(i+j+1) / 2
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	return r, ties
}

// doubled returns twice the ranks, which are integers.
func doubled(r []float64) []int {
	out := make([]int, len(r))
	for i, x := range r {
		out[i] = int(2 * x)
	}
	return out
}

// unit returns 2 when all of r are even, else 1. Sums of r are counted in these units.
func unit(r []int) int {
	for _, x := range r {
		if x%2 != 0 {
			return 1
		}
	}
	return 2
}

// sumsOf counts the ways to choose n of r with each sum: out[s] are those with sum s*unit(r).
// Counts of more than 2^53 ways are rounded, to 16 digits.
func sumsOf(r []int, n int) []float64 {
	u := unit(r)
	sorted := slices.Clone(r)
	slices.Sort(sorted)
	top := 0
	for _, x := range sorted[len(sorted)-n:] {
		top += x / u
	}
	ways := make([][]float64, n+1)
	for k := range ways {
		ways[k] = make([]float64, top+1)
	}
	ways[0][0] = 1
	first := make([]int, len(r)+1) // the sum of the first so many
	for i, x := range sorted {
		x /= u
		first[i+1] = first[i] + x
		for k := min(n, i+1); k >= 1; k-- {
			// Sums of k - 1 of the first i are from those of the least to those of the greatest.
			least, most := first[k-1], first[i]-first[i-k+1]
			to := ways[k][x:]
			for s, w := range ways[k-1][least : min(most, top-x)+1] {
				to[least+s] += w
			}
		}
	}
	return ways[n]
}

// subsets counts the subsets of r with each sum: out[s] are those with sum s*unit(r).
func subsets(r []int) []float64 {
	u, top := unit(r), 0
	for _, x := range r {
		top += x / u
	}
	ways := make([]float64, top+1)
	ways[0] = 1
	sum := 0
	for _, x := range r {
		x /= u
		for s := sum; s >= 0; s-- {
			ways[s+x] += ways[s]
		}
		sum += x
	}
	return ways
}

// farther is the share of ways whose deviation from the mean is at least that of seen. Sums are in
// steps of u, mean is twice the mean, so that all are integers.
func farther(ways []float64, u, mean2, seen int) float64 {
	d, far, all := abs(2*seen-mean2), 0.0, 0.0
	for s, n := range ways {
		all += n
		if abs(2*s*u-mean2) >= d {
			far += n
		}
	}
	return min(1, far/all)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
