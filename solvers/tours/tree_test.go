package tours

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
)

// root is the smallest city that c is joined to.
func (t *ascent) root(c int32) int32 {
	p := t.parent
	for p[c] != c {
		p[c] = p[p[c]]
		c = p[c]
	}
	return c
}

// The tree is that of Kruskal's algorithm, whatever the costs are and however many are equal.
func TestTreeIsMinimum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		n, side := rapid.IntRange(3, 300).Draw(r, "n"), rapid.IntRange(1, 40).Draw(r, "side")
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(rapid.IntRange(0, side).Draw(r, "x"))
			y[i] = float64(rapid.IntRange(0, side).Draw(r, "y"))
		}
		in, err := datasets.NewTSP("tree", datasets.Euc2D, x, y)
		if err != nil {
			r.Fatal(err)
		}
		sp, err := NewSpace(in)
		if err != nil {
			r.Fatal(err)
		}
		a := newAscent(sp, 5)
		most := rapid.Int64Range(0, 2000).Draw(r, "weights")
		for c := range a.pi {
			a.pi[c] = rapid.Int64Range(-most, most).Draw(r, "weight")
		}
		for range 2 { // the workspace is used again
			a.tree()
			got := slices.Clone(a.degree)
			a.order()
			want := make([]int32, n)
			for c := range a.parent {
				a.parent[c] = int32(c)
			}
			for _, key := range a.keys {
				e := &a.edges[uint32(key)]
				if p, q := a.root(e.a), a.root(e.b); p != q {
					a.parent[max(p, q)] = min(p, q)
					want[e.a]++
					want[e.b]++
				}
			}
			if !slices.Equal(got, want) {
				r.Fatalf("degrees %v, want %v", got, want)
			}
			a.prune(3)
		}
	})
}
