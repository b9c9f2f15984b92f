package genetic_test

import (
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/genetic"
	"metalab/solvers/internal/sample"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// naive makes a child by searching the chromosomes place by place, as the crossovers are
// defined; with arx a recommends the places before from and those from to on, b the others.
func naive(sp *tours.Space, cross string, a, b []int32, first int32, from, to int) []int32 {
	n := len(a)
	have := make([]bool, n)
	look := func(t []int32, c int32, step int) int32 {
		i := slices.Index(t, c)
		for k := 1; k < n; k++ {
			if d := t[((i+step*k)%n+n)%n]; !have[d] {
				return d
			}
		}
		return -1
	}
	// ahead looks forwards in a chromosome that begins at first and ends before it.
	ahead := func(t []int32, c int32) int32 {
		f := slices.Index(t, first)
		t = append(slices.Clone(t[f:]), t[:f]...)
		for _, d := range t[slices.Index(t, c):] {
			if !have[d] {
				return d
			}
		}
		for _, d := range sp.Internal {
			if !have[d] {
				return d
			}
		}
		return -1
	}
	child := []int32{first}
	have[first] = true
	for len(child) < n {
		c := child[len(child)-1]
		var next []int32
		switch {
		case cross == "scx" || cross == "scx, ties to b":
			next = []int32{ahead(a, c), ahead(b, c)}
		case cross == "bcscx":
			next = []int32{look(a, c, 1), look(a, c, -1), look(b, c, 1), look(b, c, -1)}
		case len(child) < from || len(child) >= to:
			next = []int32{look(a, c, 1), look(a, c, -1)}
		default:
			next = []int32{look(b, c, 1), look(b, c, -1)}
		}
		best, way := int32(-1), math.Inf(1)
		for _, d := range next {
			w := float64(sp.D(c, d))
			if sp.Matrix == nil {
				dx, dy := sp.X[c]-sp.X[d], sp.Y[c]-sp.Y[d]
				w = dx*dx + dy*dy // exact: coordinates are small integers
			}
			if w < way || w == way && cross == "scx, ties to b" {
				best, way = d, w
			}
		}
		child = append(child, best)
		have[best] = true
	}
	return child
}

// The jumps lead where a search through the chromosomes leads, and so children are what the
// crossovers say: with scx, too, each edge is from a parent, passes over cities that the child
// had, or is the fallback.
func TestChildrenAreAsDefined(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "cities")
		wide := rapid.SampledFrom([]int{2, 10, 1000}).Draw(t, "side")
		metric := rapid.SampledFrom(
			[]datasets.Metric{datasets.Euc2D, datasets.Ceil2D, datasets.Att},
		).Draw(t, "metric")
		in := sample.Scattered(t, n, wide, rapid.Uint64().Draw(t, "seed"), metric)
		if rapid.Bool().Draw(t, "matrix") {
			in = sample.AsMatrix(t, in)
		}
		sp := sample.Space(t, in)
		x := genetic.NewChildren(sp)
		for range 3 { // with the same memory
			r := arith.NewStream(rapid.Uint64().Draw(t, "parents"), 0, 0, 0)
			a, b := sp.Random(&r), sp.Random(&r)
			if rapid.Bool().Draw(t, "alike") {
				copy(b, a)
				slices.Reverse(b[:rapid.IntRange(0, n).Draw(t, "turned")])
			}
			first := int32(rapid.IntRange(0, n-1).Draw(t, "first"))
			from, to := genetic.Switches(n, &r)
			if n > 2 && (from < 1 || from >= to || to >= n) {
				t.Fatalf("arx of %d cities changes over at %d and %d", n, from, to)
			}
			for _, cross := range []string{"scx", "bcscx", "arx"} {
				child := make([]int32, n)
				length := x.Make(cross, child, a, b, first, from, to)
				if want := naive(sp, cross, a, b, first, from, to); !slices.Equal(child, want) {
					t.Fatalf("%s of %v and %v from %d: %v, want %v", cross, a, b, first, child, want)
				}
				if want := sp.Length(child); length != want {
					t.Fatalf("%s: length %d, want %d", cross, length, want)
				}
			}
			child := make([]int32, n)
			x.Make("scx", child, b, a, first, from, to)
			if want := naive(sp, "scx, ties to b", a, b, first, from, to); !slices.Equal(child, want) {
				t.Fatalf("scx of %v and %v from %d, parents exchanged: %v, want %v", a, b, first, child, want)
			}
		}
	})
}

// Two equal parents have a child like them: an edge of theirs is always the nearest way on, unless
// the child can cut a corner, which it cannot on a circle.
func TestEqualParents(t *testing.T) {
	t.Parallel()
	n := 64
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = 1e6*math.Cos(
			2*math.Pi*float64(i)/float64(n),
		), 1e6*math.Sin(2*math.Pi*float64(i)/float64(n))
	}
	in, err := datasets.NewTSP("circle", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	sp := sample.Space(t, in)
	round := make([]int32, n)
	for i := range n {
		round[i] = sp.Internal[i]
	}
	for _, cross := range []string{"scx", "bcscx", "arx"} {
		child := make([]int32, n)
		if got, want := genetic.NewChildren(sp).Make(
			cross, child, round, round, 3, 10, 40,
		), sp.Length(round); got != want {
			t.Errorf("%s: %d, want %d", cross, got, want)
		}
	}
}

// The two children of nine cities on a line, made by hand as in the paper's Fig. 2. Parent a is
// 0 1 2 ... 8, parent b 0 3 6 1 4 7 2 5 8. From place 3 on the other one recommends, from place 6
// on the first again. The child of a begins 0 1 2, for its next cities lie one on (the way back
// leads to 8); b offers 5 and 7 beside 2, and 5 is nearer, 8 and 7 beside 5, 8 and 4 beside 7; a
// goes back from 8. The child of b begins 0 3 6; a offers 7 and 5 beside 6, as near, and the way on
// comes first, 8 and 5 beside 7, 1 and 5 beside 8; b offers 1 and 2 beside 5, 1 and 4 beside 2.
func TestChildrenOfTwoSwitches(t *testing.T) {
	t.Parallel()
	x, y := make([]float64, 9), make([]float64, 9)
	for i := range 9 {
		x[i] = float64(i)
	}
	in, err := datasets.NewTSP("line", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	sp := sample.Space(t, in)
	a := sp.FromInstance([]int32{0, 1, 2, 3, 4, 5, 6, 7, 8})
	b := sp.FromInstance([]int32{0, 3, 6, 1, 4, 7, 2, 5, 8})
	c := genetic.NewChildren(sp)
	for _, v := range []struct {
		first, second []int32
		want          []int32
	}{
		{a, b, []int32{0, 1, 2, 5, 7, 8, 6, 4, 3}},
		{b, a, []int32{0, 3, 6, 7, 8, 5, 2, 1, 4}},
	} {
		child := make([]int32, 9)
		c.Make("arx", child, v.first, v.second, sp.Internal[0], 3, 6)
		if got := sp.ToInstance(child); !slices.Equal(got, v.want) {
			t.Errorf("child %v, want %v", got, v.want)
		}
	}
}

// Every pair of places is drawn, and none much more often than others.
func TestSwitches(t *testing.T) {
	t.Parallel()
	r := arith.NewStream(1, 0, 0, 0)
	count := map[[2]int]int{}
	for range 15000 {
		from, to := genetic.Switches(7, &r)
		count[[2]int{from, to}]++
	}
	if len(count) != 15 {
		t.Errorf("%d pairs of 1 to 6, want 15: %v", len(count), count)
	}
	for at, k := range count {
		if k < 800 || k > 1200 || at[0] < 1 || at[0] >= at[1] || at[1] > 6 {
			t.Errorf("%v is drawn %d times of 15000", at, k)
		}
	}
}

func TestMutationsKeepPermutationsAndLengths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "cities")
		sp := sample.Space(t, sample.Scattered(t, n, 50, rapid.Uint64().Draw(t, "seed"), datasets.Euc2D))
		m := genetic.NewMutator(sp)
		r := arith.NewStream(rapid.Uint64().Draw(t, "tour"), 0, 0, 0)
		tour := sp.Random(&r)
		length := sp.Length(tour)
		for range 20 {
			change := int64(0)
			kinds := []string{"gaining", "improve", "random"}
			switch rapid.SampledFrom(kinds).Draw(t, "kind") {
			case "random":
				length += genetic.Random(m, tour, &r)
			case "gaining":
				change = genetic.Gaining(m, t.Context(), tour, 3, &r)
			default:
				change = genetic.Improve(m, t.Context(), tour, &r)
			}
			if length += change; change > 0 {
				t.Fatalf("moves that gain make the tour longer by %d", change)
			}
			if got := sp.Length(tour); got != length {
				t.Fatalf("length %d, want %d", got, length)
			}
			sorted := slices.Clone(tour)
			slices.Sort(sorted)
			for i, c := range sorted {
				if int32(i) != c {
					t.Fatalf("no permutation: %v", tour)
				}
			}
		}
	})
}
