package genetic_test

import (
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/genetic"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// scattered is an instance of n random cities in a square of side wide; a small side makes
// many equal distances.
func scattered(tb interface {
	Helper()
	Fatal(...any)
}, n, wide int, seed uint64, metric datasets.Metric,
) *datasets.TSP {
	tb.Helper()
	r := arith.NewStream(seed, 0, 0, 99)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(r.IntN(wide)), float64(r.IntN(wide))
	}
	t, err := datasets.NewTSP("scattered", metric, x, y)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func space(tb interface {
	Helper()
	Fatal(...any)
}, in *datasets.TSP,
) *tours.Space {
	tb.Helper()
	sp, err := tours.NewSpace(in)
	if err != nil {
		tb.Fatal(err)
	}
	return sp
}

// naive makes a child by searching the chromosomes place by place, as the crossovers are
// defined.
func naive(sp *tours.Space, cross string, a, b []int32, first int32) []int32 {
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
		var from []int32
		switch {
		case cross == "scx":
			from = []int32{ahead(a, c), ahead(b, c)}
		case cross == "bcscx":
			from = []int32{look(a, c, 1), look(a, c, -1), look(b, c, 1), look(b, c, -1)}
		case len(child)%2 == 1:
			from = []int32{look(a, c, 1), look(a, c, -1)}
		default:
			from = []int32{look(b, c, 1), look(b, c, -1)}
		}
		next, way := int32(-1), math.Inf(1)
		for _, d := range from {
			w := float64(sp.D(c, d))
			if sp.Matrix == nil {
				dx, dy := sp.X[c]-sp.X[d], sp.Y[c]-sp.Y[d]
				w = dx*dx + dy*dy // exact: coordinates are small integers
			}
			if w < way {
				next, way = d, w
			}
		}
		child = append(child, next)
		have[next] = true
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
		in := scattered(t, n, wide, rapid.Uint64().Draw(t, "seed"), metric)
		if rapid.Bool().Draw(t, "matrix") {
			in = asMatrix(t, in)
		}
		sp := space(t, in)
		x := genetic.NewChildren(sp)
		for range 3 { // with the same memory
			r := arith.NewStream(rapid.Uint64().Draw(t, "parents"), 0, 0, 0)
			a, b := sp.Random(&r), sp.Random(&r)
			if rapid.Bool().Draw(t, "alike") {
				copy(b, a)
				slices.Reverse(b[:rapid.IntRange(0, n).Draw(t, "turned")])
			}
			first := int32(rapid.IntRange(0, n-1).Draw(t, "first"))
			for _, cross := range []string{"scx", "bcscx", "arx"} {
				child := make([]int32, n)
				length := x.Make(cross, child, a, b, first)
				if want := naive(sp, cross, a, b, first); !slices.Equal(child, want) {
					t.Fatalf("%s of %v and %v from %d: %v, want %v", cross, a, b, first, child, want)
				}
				if want := sp.Length(child); length != want {
					t.Fatalf("%s: length %d, want %d", cross, length, want)
				}
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
	sp := space(t, in)
	round := make([]int32, n)
	for i := range n {
		round[i] = sp.Internal[i]
	}
	for _, cross := range []string{"scx", "bcscx", "arx"} {
		child := make([]int32, n)
		if got, want := genetic.NewChildren(sp).Make(
			cross, child, round, round, 3,
		), sp.Length(round); got != want {
			t.Errorf("%s: %d, want %d", cross, got, want)
		}
	}
}

func TestMutationsKeepPermutationsAndLengths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "cities")
		sp := space(t, scattered(t, n, 50, rapid.Uint64().Draw(t, "seed"), datasets.Euc2D))
		m := genetic.NewMutator(sp)
		r := arith.NewStream(rapid.Uint64().Draw(t, "tour"), 0, 0, 0)
		tour := sp.Random(&r)
		length := sp.Length(tour)
		for range 20 {
			if rapid.Bool().Draw(t, "gaining") {
				change := genetic.Gaining(m, t.Context(), tour, 3, &r)
				if change > 0 {
					t.Fatalf("a gaining move makes the tour longer by %d", change)
				}
				length += change
			} else {
				length += genetic.Random(m, tour, &r)
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
