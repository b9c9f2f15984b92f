package genetic_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/genetic"
	"metalab/solvers/internal/sample"
	"metalab/solvers/record"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

func TestRoundsKeepTheLaws(t *testing.T) {
	t.Parallel()
	for _, n := range []int{9, 60} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ga", Variant: "eax-rounds", Instance: sample.Scattered(t, n, 100, 5, datasets.Euc2D),
				Seed: 7, Params: record.Of("population", 8, "children", 3, "round", 3),
				Ranges: map[string][2]float64{
					"children": {1, 6}, "workers": {0, 4}, "round": {1, 9},
				},
				Structural: []record.Values{{"population": record.Num(5)}, {"population": record.Num(19)}},
			})
		})
	}
}

func TestRoundsOnAFewCities(t *testing.T) {
	t.Parallel()
	for n := 1; n < 8; n++ {
		in := sample.Scattered(t, n, 30, 1, datasets.Euc2D)
		best := solve(t, in, "eax-rounds", 1, 10, "best", record.Of("population", 20))
		if length, err := in.Length(best.Solution.Perm); err != nil || float64(length) != best.Value {
			t.Errorf("%d cities: best %v, its tour is %d long, error %v", n, best.Value, length, err)
		}
	}
}

// The shortest tours that are published are found.
func TestRoundsFindOptima(t *testing.T) {
	t.Parallel()
	for name, optimum := range map[string]float64{"eil51": 426, "pr76": 108159, "lin318": 42029} {
		in := published(t, "tsplib", name)
		best := solve(t, in, "eax-rounds", 1, 60, "best", record.Of("population", 100))
		if best.Value != optimum {
			t.Errorf("%s: %v, want %v", name, best.Value, optimum)
		}
	}
}

// Cycles hold every edge that only one parent has, each edge of a parent at most once, and edges
// of A and B in turn; children are tours,
// as much shorter than A as they say, and with the edges that they say.
func TestMatesMakeWhatTheySay(t *testing.T) {
	t.Parallel()
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 60).Draw(t, "cities")
		in := sample.Scattered(
			t, n, rapid.SampledFrom([]int{5, 1000}).Draw(t, "side"), rapid.Uint64().Draw(t, "seed"),
			rapid.SampledFrom([]datasets.Metric{datasets.Euc2D, datasets.Ceil2D}).Draw(t, "metric"),
		)
		if rapid.Bool().Draw(t, "matrix") {
			in = sample.AsMatrix(t, in)
		}
		sp := sample.Space(t, in)
		search, err := tours.NewSearch(sp, sp.Nearest(8), tours.DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		k := genetic.NewCrossover(sp)
		for range 3 { // with the same memory
			r := arith.NewStream(rapid.Uint64().Draw(t, "tours"), 0, 0, 0)
			a, b := sp.Random(&r), sp.Random(&r)
			if rapid.Bool().Draw(t, "improved") {
				search.Improve(a, nil, tours.TwoOpt)
				search.Improve(b, nil, tours.TwoOpt)
			}
			ofA, ofB, length := sample.EdgesOf(a), sample.EdgesOf(b), sp.Length(a)
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
					delete(want, sample.EdgeOf(e[0], e[1]))
				}
				for _, e := range gained {
					want[sample.EdgeOf(e[0], e[1])] = true
				}
				if len(cut) != len(gained) || !maps.Equal(sample.EdgesOf(tour), want) {
					t.Fatal("the child has other edges than it says")
				}
			})
			leftA, leftB := maps.Clone(ofA), maps.Clone(ofB)
			for _, c := range cycles {
				for i := range c {
					left := leftA
					if i%2 == 1 {
						left = leftB
					}
					e := sample.EdgeOf(c[i], c[(i+1)%len(c)])
					if !left[e] {
						t.Fatalf("edge %d of cycle %v is not of its parent, or there twice", i, c)
					}
					delete(left, e)
				}
			}
			for e := range sample.Without(leftA, ofB) {
				t.Fatalf("edge %v of A alone is in no cycle", e)
			}
			for e := range sample.Without(leftB, ofA) {
				t.Fatalf("edge %v of B alone is in no cycle", e)
			}
		}
	})
	if made == 0 {
		t.Error("no child was made")
	}
}
