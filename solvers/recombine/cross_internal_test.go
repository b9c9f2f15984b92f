package recombine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Crossovers make solutions of their form, of what both parents have.
func TestCrossovers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		draws := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
		a, b := make([]int32, n), make([]int32, n)
		for i := range n {
			a[i], b[i] = int32(i), int32(i)
		}
		draws.Shuffle(a)
		draws.Shuffle(b)
		for _, w := range crossovers(record.Form{Kind: record.FormPermutation}) {
			child := make([]int32, n)
			w.listed(child, a, b, &draws)
			seen := slices.Sorted(slices.Values(child))
			for i, v := range seen {
				if int(v) != i {
					t.Fatalf("%s of %v and %v is %v", w.name, a, b, child)
				}
			}
			inherits(t, w.name, child, a, b)
		}
		x, y := make([]int32, n), make([]int32, n)
		for i := range n {
			x[i], y[i] = int32(2*i), int32(2*i+1)
		}
		for _, w := range crossovers(record.Form{Kind: record.FormValues}) {
			child := make([]int32, n)
			w.listed(child, x, y, &draws)
			changes := 0
			for i, v := range child {
				if v != x[i] && v != y[i] {
					t.Fatalf("%s: entry %d is %d, want %d or %d", w.name, i, v, x[i], y[i])
				}
				if i > 0 && v&1 != child[i-1]&1 {
					changes++
				}
			}
			if w.name == "one-point" && n > 1 && changes != 1 || w.name == "two-point" && changes > 2 {
				t.Fatalf("%s changes over %d times: %v", w.name, changes, child)
			}
		}
	})
}

// inherits tells of places or edges that neither parent has, where a crossover makes none.
func inherits(t *rapid.T, name string, child, a, b []int32) {
	n := len(child)
	places := func(p []int32) (same int) {
		for i, v := range child {
			if p[i] == v {
				same++
			}
		}
		return same
	}
	switch name {
	case "pmx": // a place is of either, but for those that the part pushes out
		if n > 1 && places(a)+places(b) == 0 {
			t.Fatalf("pmx of %v and %v is %v", a, b, child)
		}
	case "order":
		if places(a) == 0 {
			t.Fatalf("order of %v and %v is %v, with nothing of the first", a, b, child)
		}
	case "edge":
		if slices.Equal(a, b) && n > 2 {
			for i, v := range child {
				at := slices.Index(a, v)
				if w := child[(i+1)%n]; a[(at+1)%n] != w && a[(at+n-1)%n] != w {
					t.Fatalf("edge of %v and itself is %v", a, child)
				}
			}
		}
	}
}

// Of parents that are alike a child is like them.
func TestLikeParents(t *testing.T) {
	t.Parallel()
	a := []int32{4, 1, 3, 0, 2, 6, 5}
	for _, w := range crossovers(record.Form{Kind: record.FormPermutation}) {
		for seed := range uint64(50) {
			draws := arith.NewStream(seed, 0, 0, 0)
			child := make([]int32, len(a))
			w.listed(child, a, a, &draws)
			rapid.Check(t, func(t *rapid.T) { inherits(t, w.name, child, a, a) })
			if w.name != "edge" && !slices.Equal(child, a) {
				t.Errorf("%s of %v twice is %v", w.name, a, child)
			}
		}
	}
}

// Children of real numbers are in the box, and with blend 0 between their parents.
func TestRealCrossovers(t *testing.T) {
	t.Parallel()
	form := record.Form{Kind: record.FormReals, Low: -2, High: 3}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		number := rapid.Float64Range(form.Low, form.High)
		a := rapid.SliceOfN(number, n, n).Draw(t, "a")
		b := rapid.SliceOfN(number, n, n).Draw(t, "b")
		g := &genetic{
			form: form,
			settings: settings{
				blend: rapid.SampledFrom([]float64{0, 0.5, 10}).Draw(t, "blend"),
				index: rapid.Float64Range(0, 100).Draw(t, "index"),
			},
		}
		draws := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
		for _, w := range crossovers(form) {
			child := make([]float64, n)
			w.real(g, child, a, b, &draws)
			for i, v := range child {
				lo, hi := form.Low, form.High
				if w.name == "blx" && g.blend == 0 {
					lo, hi = min(a[i], b[i])-1e-12, max(a[i], b[i])+1e-12
				}
				if !(v >= lo && v <= hi) {
					t.Fatalf("%s: number %d is %v of %v and %v", w.name, i, v, a[i], b[i])
				}
			}
		}
	})
}
