package moves_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// reach steps a run until it has the value, for at most so many iterations, and returns how
// many it took.
func reach(
	t *testing.T, solver string, inst datasets.Instance, seed uint64, params record.Values,
	value float64, most int,
) (int64, bool) {
	t.Helper()
	r, err := solvers.Open(solvers.Config{Solver: solver, Instance: inst, Seed: seed, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for p, err := range r.Steps(context.Background(), most) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Best < value {
			t.Fatalf("%s: %v is below the optimum %v", inst.Name(), p.Best, value)
		}
		if p.Best == value {
			if b, err := r.Best(context.Background()); err != nil || b.Value != value {
				t.Fatalf("%s: best %v, error %v", inst.Name(), b.Value, err)
			}
			return p.Iter, true
		}
	}
	return int64(most), false
}

// The optima of Taillard's uniform instances that need no file.
func TestRobustTabuFindsOptima(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int
		best float64
	}{{10, 135028}, {12, 224416}, {15, 388214}, {17, 491812}, {20, 703482}} {
		if it, ok := reach(t, "tabu", taillard(t, c.n), 1, nil, c.best, 3000); !ok {
			t.Errorf("tai%da: %v is not found in %d iterations", c.n, c.best, it)
		}
	}
}

// The least cost of all solutions is found on spins, and nothing below it.
func TestSearchesFindTheOptimaOfSpins(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"glass-4x4-1", "gset-like-16-40-1", "torus-4x4-3"} {
		inst, _, err := datasets.Generate(name)
		if err != nil {
			t.Fatal(err)
		}
		x, best := record.Solution{Bits: make([]int8, inst.Size())}, 0.0
		for bits := range 1 << 15 { // the last bit may be 0
			for v := range x.Bits {
				x.Bits[v] = int8(bits >> v & 1)
			}
			if c, err := solvers.Cost(inst, x); err != nil {
				t.Fatal(err)
			} else if bits == 0 || c < best {
				best = c
			}
		}
		for _, solver := range []string{"tabu", "hill", "vnd"} {
			if it, ok := reach(t, solver, inst, 1, nil, best, 2000); !ok {
				t.Errorf("%s on %s: %v is not found in %d iterations", solver, name, best, it)
			}
		}
	}
}

func TestClimbingFindsOptima(t *testing.T) {
	t.Parallel()
	for _, solver := range []string{"hill", "vnd"} {
		for _, pick := range []string{"best", "first", "random"} {
			with := record.Values{"select": record.Text(pick)}
			if it, ok := reach(t, solver, taillard(t, 10), 1, with, 135028, 2000); !ok {
				t.Errorf("%s, select=%s: the optimum of tai10a is not found in %d iterations", solver, pick, it)
			}
		}
	}
	if it, ok := reach(t, "tabu", grid(t, 4), 1, nil, 160, 2000); !ok {
		t.Errorf("the optimum of a grid of 16 is not found in %d iterations", it)
	}
}

// Published instances of every family: symmetric ones, ones with one symmetric matrix and
// with none, large flows, many optima.
func TestPublishedOptima(t *testing.T) {
	t.Parallel()
	if os.Getenv("METALAB_DATA") == "" {
		t.Skip("METALAB_DATA names no folder with instances")
	}
	for _, c := range []struct {
		name string
		best float64
	}{
		{"nug12", 578},
		{"nug30", 6124},
		{"tai12a", 224416},
		{"tai15a", 388214},
		{"tai17a", 491812},
		{"tai20a", 703482},
		{"tai12b", 39464925},
		{"tai20b", 122455319},
		{"chr12a", 9552},
		{"chr15a", 9896},
		{"els19", 17212548},
		{"esc16a", 68},
		{"esc32e", 2},
		{"had12", 1652},
		{"had20", 6922},
		{"bur26a", 5426670},
		{"bur26h", 7098658},
		{"lipa20b", 27076},
		{"scr12", 31410},
		{"rou15", 354210},
		{"kra30b", 91420},
		{"tai25a", 1167256},
		{"tai30a", 1818146},
		{"chr18a", 11098},
		{"chr22a", 6156},
		{"esc16i", 14},
		{"esc32g", 6},
		{"esc64a", 116},
		{"had14", 2724},
		{"had16", 3720},
		{"had18", 5358},
		{"bur26c", 5426795},
		{"nug20", 2570},
		{"nug25", 3744},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q, err := datasets.Load(c.name, datasets.Offline())
			if errors.Is(err, os.ErrNotExist) {
				t.Fatalf("%s is not in METALAB_DATA", c.name)
			}
			if err != nil {
				t.Fatal(err)
			}
			if known, ok := q.BestKnown(); !ok || known.Value != c.best {
				t.Errorf("best known value %v, want %v", known.Value, c.best)
			}
			it, ok := int64(0), false
			for seed := uint64(1); seed <= 3 && !ok; seed++ {
				it, ok = reach(t, "tabu", q, seed, nil, c.best, 4000)
			}
			if !ok {
				t.Errorf("%v is not found", c.best)
			}
			t.Logf("found in iteration %d", it)
		})
	}
}

// A perceptron of the literature's first size; the settings solve it in a few tries.
func TestPerceptronIsSolved(t *testing.T) {
	t.Parallel()
	p := perceptron(t, 73, 73)
	for seed := uint64(11); seed <= 13; seed++ {
		if _, ok := reach(t, "tabu", p, seed, nil, 0, 300); ok {
			return
		}
	}
	t.Error("73 x 73 is not solved in three tries of 300 iterations")
}

// Chromatic numbers of published graphs.
func TestGraphsAreColoured(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"queen5_5", "queen6_6", "queen7_7", "queen8_8", "queen8_12", "queen9_9", "queen10_10",
		"myciel3", "myciel4", "myciel5", "myciel6", "myciel7", "gnp-125-50-1-k18",
	} {
		g, _, err := datasets.Generate(name)
		if err != nil {
			t.Fatal(err)
		}
		it, ok := int64(0), false
		for seed := uint64(1); seed <= 3 && !ok; seed++ {
			it, ok = reach(t, "tabu", g, seed, nil, 0, 300)
		}
		if !ok {
			t.Errorf("%s is not coloured in three tries of %d iterations", name, it)
		}
	}
	for _, solver := range []string{"hill", "vnd"} {
		g, _, err := datasets.Generate("queen5_5")
		if err != nil {
			t.Fatal(err)
		}
		if it, ok := reach(t, solver, g, 1, nil, 0, 3000); !ok {
			t.Errorf("%s: queen5_5 is not coloured in %d iterations", solver, it)
		}
	}
}

// The least value of one Weierstrass function, as all places of a fine grid know it, is
// undercut by every solver.
func TestFunctionsAreMinimised(t *testing.T) {
	t.Parallel()
	w, err := datasets.NewWeierstrass(1, 2, 0.25, 100)
	if err != nil {
		t.Fatal(err)
	}
	least := 0.0
	for i := range 20001 {
		least = min(least, w.At(float64(i)/10000-1))
	}
	for _, solver := range []string{"tabu", "hill", "vnd"} {
		for _, precision := range []string{"double", "single"} {
			r, err := solvers.Open(solvers.Config{
				Solver: solver, Instance: w, Seed: 1,
				Params: record.Values{"neighbours": record.Num(300), "precision": record.Text(precision)},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Step(context.Background(), 400); err != nil {
				t.Fatal(err)
			}
			if got := r.Last().Best; got > least {
				t.Errorf("%s in %s precision: %v, on the grid %v", solver, precision, got, least)
			}
			r.Close()
		}
	}
}
