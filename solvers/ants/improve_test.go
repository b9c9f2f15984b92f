package ants_test

import (
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func TestConformLocalShare(t *testing.T) {
	t.Parallel()
	for _, solver := range all {
		t.Run(solver, func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: solver, Instance: uniform(t, 45), Seed: 11, Iterations: 12,
				Params: record.Values{
					"ants": record.Num(6), "local_search": record.Text("2opt"),
					"local_share": record.Num(0.4),
				},
				Ranges: map[string][2]float64{"ants": {1, 12}},
			})
		})
	}
}

// TestLocalShare: the share that is improved are the ants with the shortest tours, the
// others walk as without a local search.
func TestLocalShare(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 200)
	for _, solver := range all {
		lengths := func(share float64) []float64 {
			a := open(t, solver, inst, record.Values{
				"ants": record.Num(10), "local_search": record.Text("oropt"), "local_share": record.Num(share),
			})
			step(t, a, 1)
			var out []float64
			if err := a.View(t.Context(),
				func(alg solvers.Algorithm) { out = alg.(solvers.LengthReporter).Lengths() }); err != nil {
				t.Fatal(err)
			}
			return out
		}
		none, some, every := lengths(0), lengths(0.25), lengths(1)
		improved, worst, best := 0, 0.0, 1e18
		for k := range none {
			switch some[k] {
			case none[k]:
				best = min(best, none[k])
			case every[k]:
				improved++
				worst = max(worst, none[k])
			default:
				t.Errorf("%s: ant %d has %v, want %v or %v", solver, k, some[k], none[k], every[k])
			}
		}
		if improved != 3 || worst > best {
			t.Errorf("%s: %d of 10 ants are improved, whose tours had up to %v; others had from %v", solver,
				improved, worst, best)
		}
	}
}

// TestPlainTwoOpt: with all cities as neighbours no exchange of two edges shortens a tour that
// local_search=2opt-plain or 2opt-best leaves; moves of a city do, of which 2opt leaves few.
func TestPlainTwoOpt(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 33)
	paths := map[string]int{}
	for _, search := range []string{"2opt-plain", "2opt-best", "2opt"} {
		r := open(t, "mmas", inst, record.Values{
			"ants": record.Num(50), "local_search": record.Text(search),
			"local_neighbours": record.Num(32), "local_lists": record.Text("nearest"),
		})
		step(t, r, 2)
		var all [][]int32
		if err := r.View(t.Context(),
			func(a solvers.Algorithm) { all = a.(solvers.Tracer).Trace() }); err != nil {
			t.Fatal(err)
		}
		for _, tour := range all {
			n := len(tour)
			at := func(i int) int { return int(tour[i%n]) }
			d := func(i, j int) int { return int(inst.Dist(at(i), at(j))) }
			for i := range n {
				for j := i + 2; j < n; j++ {
					if d(i, j)+d(i+1, j+1) < d(i, i+1)+d(j, j+1) {
						t.Fatalf("%s: exchanging the edges at %d and %d shortens %v", search, i, j, tour)
					}
					if i > 0 && d(i-1, i+1)+d(j, i)+d(i, j+1) < d(i-1, i)+d(i, i+1)+d(j, j+1) {
						paths[search]++
					}
				}
			}
		}
	}
	for _, plain := range []string{"2opt-plain", "2opt-best"} {
		if paths[plain] < 3*paths["2opt"] || paths[plain] == 0 {
			t.Errorf("moves of a city that would shorten tours: %v, want three times as many of %s", paths,
				plain)
		}
	}
}

// TestLocalNeighbours: searches in rounds say how many neighbours they look at.
func TestLocalNeighbours(t *testing.T) {
	t.Parallel()
	ps := record.Values{
		"local_search": record.Text("2opt-rounds"), "local_neighbours": record.Num(17),
	}
	_, err := solvers.Open(solvers.Config{Solver: "mmas", Instance: uniform(t, 50), Params: ps})
	if want := "local_neighbours is 17: local_search=2opt-rounds looks at up to 16"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestTiles: tours are as long as is said, kicks make them shorter than oropt alone, and instances
// and neighbours that tiles do not take are refused.
func TestTiles(t *testing.T) {
	conform.Brief(t, "tours of 900 cities; TestWorkers has small ones")
	t.Parallel()
	inst := uniform(t, 900)
	var best [2]float64
	for i, search := range []string{"oropt", "tiles"} {
		values := record.Values{
			"ants": record.Num(17), "local_search": record.Text(search), "local_kicks": record.Num(2),
			"local_share": record.Num(0.98),
		}
		config := solvers.Config{Instance: inst, Params: values}
		r := openVariant(t, [2]string{"mmas", "wrs"}, config)
		if err := r.Step(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		b, err := r.Best(t.Context()) // recomputed
		if err != nil {
			t.Fatal(err)
		}
		best[i] = b.Value
		r.Close()
	}
	if best[1] >= 0.99*best[0] {
		t.Errorf("with tiles the best tour has %g, with oropt %g", best[1], best[0])
	}
	geo, err := datasets.NewTSP("geo", datasets.Geo, []float64{1, 2, 3, 4}, []float64{5, 6, 7, 9})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		inst  datasets.Instance
		lists float64
		want  string
	}{
		{geo, 8, "local_search=tiles cuts the plane"},
		{inst, 11, "local_neighbours is 11: local_search=tiles looks at up to 10"},
	} {
		_, err := solvers.Open(solvers.Config{
			Solver: "mmas", Variant: "wrs", Instance: v.inst, Params: record.Values{
				"local_search": record.Text("tiles"), "local_neighbours": record.Num(v.lists),
			},
		})
		if err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: %v, want %q", v.inst.Name(), err, v.want)
		}
	}
}
