package stats

import (
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// A Ranked is the outcome of [Friedman].
type Ranked struct {
	Chi    Test      // Friedman's test
	F      Test      // the test of Iman and Davenport, which is less conservative
	Ranks  []float64 // the mean rank of each treatment; 1 is that of the smallest values
	Blocks int
	Ties   float64 // the divisor of chi-square that corrects for ties; 1 without ties
}

// friedmanMost are, by number of treatments, the most blocks with an exact p-value.
var friedmanMost = []int{2: 100, 3: 30, 4: 12, 5: 6, 6: 3}

// Friedman compares treatments over blocks (M. Friedman: The use of ranks to avoid the assumption
// of normality implicit in the analysis of variance, J. Amer. Statist. Assoc. 32, 1937,
// doi:10.1080/01621459.1937.10503522): blocks[i][j] is the value of treatment j in block i, such as
// the gap of solver j on instance i.
//
// Chi has the correction for ties. Its p-value is exact, also with ties, up to 100 blocks of 2
// treatments, 30 of 3, 12 of 4, 6 of 5, 3 of 6: the share of all orders of the ranks in each block
// whose statistic is at least as large. Beyond that chi-square approximates it. F is that of R. L.
// Iman and J. M. Davenport (Approximations of the critical region of the Friedman statistic,
// Commun. Stat. A 9, 1980, doi:10.1080/03610928008827904).
func Friedman(blocks [][]float64) (Ranked, error) {
	out := Ranked{
		Chi:    Test{Name: "Friedman", Symbol: "chi2"},
		F:      Test{Name: "Friedman, Iman-Davenport", Symbol: "F"},
		Blocks: len(blocks), Ties: 1,
	}
	n := len(blocks)
	if n < 2 || len(blocks[0]) < 2 {
		return out, fmt.Errorf("stats: friedman needs 2 blocks of 2 treatments or more")
	}
	k := len(blocks[0])
	out.Ranks = make([]float64, k)
	rows, sums, ties := make([][]int, n), make([]int, k), 0.0
	for i, b := range blocks {
		if len(b) != k {
			return out, fmt.Errorf("stats: friedman: block %d has %d treatments, want %d", i, len(b), k)
		}
		if err := numbers("friedman", fmt.Sprint("block ", i), b); err != nil {
			return out, err
		}
		r, t := ranks(b)
		ties += t
		rows[i] = doubled(r)
		for j, x := range rows[i] {
			sums[j] += x
		}
	}
	ss := 0.0
	for j, s := range sums {
		out.Ranks[j] = float64(s) / 2 / float64(n)
		d := out.Ranks[j] - float64(k+1)/2
		ss += d * d
	}
	nn, kk := float64(n), float64(k)
	out.Ties = 1 - ties/(nn*(kk*kk*kk-kk))
	out.Chi.DF, out.F.DF, out.F.DF2 = kk-1, kk-1, (kk-1)*(nn-1)
	if out.Ties <= 0 { // every block is one tie
		out.Chi.P, out.F.P = 1, 1
		return out, nil
	}
	chi := min(nn*(kk-1), 12*nn/(kk*(kk+1))*ss/out.Ties)
	out.Chi.Statistic = chi
	if k < len(friedmanMost) && n <= friedmanMost[k] {
		out.Chi.Exact, out.Chi.P = true, friedmanExact(rows, sums)
	} else {
		out.Chi.P = mathext.GammaIncRegComp((kk-1)/2, chi/2)
	}
	rest := nn*(kk-1) - chi
	out.F.Statistic = (nn - 1) * chi / rest // infinite where all blocks have one order
	out.F.P = mathext.RegIncBeta(out.F.DF2/2, out.F.DF/2, max(0, rest)/(nn*(kk-1)))
	return out, nil
}

// rankSums are the doubled rank sums of treatments, in order of size: what is asked of them does
// not depend on which treatment has which.
type rankSums [6]int16

// friedmanExact is the share of orders within rows for which the squares of rank sums add up to at
// least those of sums.
func friedmanExact(rows [][]int, sums []int) float64 {
	k := len(sums)
	ways := map[rankSums]float64{{}: 1}
	for _, row := range rows {
		next := make(map[rankSums]float64, 2*len(ways))
		orders := permutations(row)
		for _, s := range inOrder(ways) {
			n := ways[s] / float64(len(orders))
			for _, o := range orders {
				t := s
				for j := range k {
					t[j] += int16(o[j])
				}
				slices.Sort(t[:k])
				next[t] += n
			}
		}
		ways = next
	}
	squares := 0
	for _, s := range sums {
		squares += s * s
	}
	far := 0.0
	for _, s := range inOrder(ways) {
		q := 0
		for j := range k {
			q += int(s[j]) * int(s[j])
		}
		if q >= squares {
			far += ways[s]
		}
	}
	return min(1, far)
}

// inOrder are the keys of ways, sorted: sums over them are the same each time.
func inOrder(ways map[rankSums]float64) []rankSums {
	keys := slices.Collect(maps.Keys(ways))
	slices.SortFunc(keys, func(a, b rankSums) int { return slices.Compare(a[:], b[:]) })
	return keys
}

// permutations are the orders of v.
func permutations(v []int) [][]int {
	if len(v) == 1 {
		return [][]int{v}
	}
	var out [][]int
	for i := range v {
		rest := slices.Delete(slices.Clone(v), i, i+1)
		for _, p := range permutations(rest) {
			out = append(out, append([]int{v[i]}, p...))
		}
	}
	return out
}
