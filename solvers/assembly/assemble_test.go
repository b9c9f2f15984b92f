package assembly_test

import (
	"maps"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/assembly"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

type edge = [2]int32

func edgeOf(a, b int32) edge { return edge{min(a, b), max(a, b)} }

func edgesOf(t []int32) map[edge]bool {
	out := map[edge]bool{}
	for i, c := range t {
		out[edgeOf(c, t[(i+1)%len(t)])] = true
	}
	return out
}

// Cycles are of edges of A and B in turn, each at most once, and hold all that only one parent has;
// children are tours, as much shorter than A as they say, and with the edges that they say.
func TestAssembledChildrenAreWhatTheySay(t *testing.T) {
	t.Parallel()
	made, common := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 60).Draw(t, "cities")
		metric := rapid.SampledFrom([]datasets.Metric{datasets.Euc2D, datasets.Ceil2D}).Draw(t, "metric")
		in := scattered(
			t, n, rapid.SampledFrom([]int{5, 1000}).Draw(t, "side"), rapid.Uint64().Draw(t, "seed"), metric,
		)
		if rapid.Bool().Draw(t, "matrix") {
			in = asMatrix(t, in)
		}
		sp := space(t, in)
		near := sp.Nearest(8)
		search, err := tours.NewSearch(sp, near, tours.DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		k := assembly.NewAssembler(sp)
		for range 3 { // with the same memory
			r := arith.NewStream(rapid.Uint64().Draw(t, "tours"), 0, 0, 0)
			a, b := sp.Random(&r), sp.Random(&r)
			if rapid.Bool().Draw(t, "improved") {
				search.Improve(a, nil, tours.TwoOpt)
				search.Improve(b, nil, tours.TwoOpt)
			}
			ofA, ofB := edgesOf(a), edgesOf(b)
			length := sp.Length(a)
			cycles := k.All(a, b, &r, func(tour []int32, gain int64, cut, gained [][2]int32) {
				made++
				sorted := slices.Clone(tour)
				slices.Sort(sorted)
				for i, c := range sorted {
					if int32(i) != c {
						t.Fatalf("no permutation: %v", tour)
					}
				}
				if got := sp.Length(tour); got != length-gain {
					t.Fatalf("length %d, want %d - %d", got, length, gain)
				}
				want := maps.Clone(ofA)
				for _, e := range cut {
					if !want[edgeOf(e[0], e[1])] {
						t.Fatalf("edge %v is cut and not of A", e)
					}
					delete(want, edgeOf(e[0], e[1]))
				}
				for _, e := range gained {
					if ofA[edgeOf(e[0], e[1])] {
						t.Fatalf("edge %v is new and of A", e)
					}
					want[edgeOf(e[0], e[1])] = true
				}
				if !maps.Equal(edgesOf(tour), want) {
					t.Fatal("the child has other edges than it says")
				}
			})
			restA, restB := maps.Clone(ofA), maps.Clone(ofB)
			for _, c := range cycles {
				for i := range c {
					from := restA
					if i%2 == 1 {
						from = restB
					}
					e := edgeOf(c[i], c[(i+1)%len(c)])
					if !from[e] {
						t.Fatalf("edge %d of cycle %v is not of its parent, or there twice", i, c)
					}
					delete(from, e)
					if ofA[e] && ofB[e] {
						common++
					}
				}
			}
			if left := len(without(restA, ofB)) + len(without(restB, ofA)); left > 0 {
				t.Fatalf("%d edges of one parent are in no cycle", left)
			}
		}
	})
	if made == 0 || common == 0 {
		t.Errorf("%d children, %d edges of both parents in cycles", made, common)
	}
}

func without(a, b map[edge]bool) map[edge]bool {
	out := maps.Clone(a)
	for e := range b {
		delete(out, e)
	}
	return out
}

// asMatrix is the instance with its distances written down.
func asMatrix(t *rapid.T, in *datasets.TSP) *datasets.TSP {
	d := make([]int32, in.N*in.N)
	for i := range in.N {
		for j := range in.N {
			d[i*in.N+j] = in.Dist(i, j)
		}
	}
	out, err := datasets.NewMatrixTSP("matrix", in.N, d, false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

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
