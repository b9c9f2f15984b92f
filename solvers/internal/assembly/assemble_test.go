package assembly_test

import (
	"maps"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/internal/sample"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// Cycles are of edges of A and B in turn, each at most once, and hold all that only one parent has;
// children are tours, as much shorter than A as they say, and with the edges that they say.
func TestAssembledChildrenAreWhatTheySay(t *testing.T) {
	t.Parallel()
	made, common := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 60).Draw(t, "cities")
		metric := rapid.SampledFrom([]datasets.Metric{datasets.Euc2D, datasets.Ceil2D}).Draw(t, "metric")
		in := sample.Scattered(
			t, n, rapid.SampledFrom([]int{5, 1000}).Draw(t, "side"), rapid.Uint64().Draw(t, "seed"), metric,
		)
		if rapid.Bool().Draw(t, "matrix") {
			in = sample.AsMatrix(t, in)
		}
		sp := sample.Space(t, in)
		near := sp.Nearest(8)
		search, err := tours.NewSearch(sp, near, tours.DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		k := assembly.NewAssembler(sp)
		k.Reach(rapid.SampledFrom([]int{0, 0, 1, 2, 5}).Draw(t, "reach"))
		for range 3 { // with the same memory
			r := arith.NewStream(rapid.Uint64().Draw(t, "tours"), 0, 0, 0)
			a, b := sp.Random(&r), sp.Random(&r)
			if rapid.Bool().Draw(t, "improved") {
				search.Improve(a, nil, tours.TwoOpt)
				search.Improve(b, nil, tours.TwoOpt)
			}
			ofA, ofB := sample.EdgesOf(a), sample.EdgesOf(b)
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
					if !want[sample.EdgeOf(e[0], e[1])] {
						t.Fatalf("edge %v is cut and not of A", e)
					}
					delete(want, sample.EdgeOf(e[0], e[1]))
				}
				for _, e := range gained {
					if ofA[sample.EdgeOf(e[0], e[1])] {
						t.Fatalf("edge %v is new and of A", e)
					}
					want[sample.EdgeOf(e[0], e[1])] = true
				}
				if !maps.Equal(sample.EdgesOf(tour), want) {
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
					e := sample.EdgeOf(c[i], c[(i+1)%len(c)])
					if !from[e] {
						t.Fatalf("edge %d of cycle %v is not of its parent, or there twice", i, c)
					}
					delete(from, e)
					if ofA[e] && ofB[e] {
						common++
					}
				}
			}
			if left := len(sample.Without(restA, ofB)) + len(sample.Without(restB, ofA)); left > 0 {
				t.Fatalf("%d edges of one parent are in no cycle", left)
			}
		}
	})
	if made == 0 || common == 0 {
		t.Errorf("%d children, %d edges of both parents in cycles", made, common)
	}
}
