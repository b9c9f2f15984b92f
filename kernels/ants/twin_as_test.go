package ants

import (
	"os"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// asGoldenVar names a file to which TestGoldenAS writes what a device computes.
const asGoldenVar = "METALAB_ANTS_GOLDEN_AS"

// asGolden holds what a device computed.
const asGolden = "testdata/golden_as.json"

// goldensAS are small enough for any machine's ordinary tests.
var goldensAS = []trial{
	{
		Solver: "as", Variant: "wrs", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 70,
		Params: params("ants", 9),
	},
	{
		Solver: "as", Variant: "wrs", Cities: 97, Metric: "ATT", Spread: 5000, Iterations: 8,
		Params: params("ants", 130, "candidates", 9, "alpha", 1.5),
	},
	{
		Solver: "as", Variant: "wrs", Cities: 198, Metric: "CEIL_2D", Spread: 60, Iterations: 12,
		Params: params("ants", 40, "candidates", 12, "rho", 0.9),
	},
}

func init() {
	add := func(cities int, metric string, spread float64, iterations int, kv ...any) {
		twins = append(twins, trial{
			Solver: "as", Variant: "wrs", Cities: cities, Metric: metric,
			Spread: spread, Iterations: iterations, Params: params(kv...),
		})
	}
	add(1, "EUC_2D", 10, 2, "ants", 3)
	add(2, "EUC_2D", 1000, 3, "ants", 3)
	add(5, "EUC_2D", 100, 12, "ants", 40)
	add(64, "EUC_2D", 20, 130, "ants", 33, "warps", 4, "rho", 0.9)
	add(198, "EUC_2D", 1e5, 12, "warps", 3)
	add(1002, "EUC_2D", 15000, 3, "ants", 70, "warps", 31, "alpha", 2.5)
	add(2100, "CEIL_2D", 300, 3, "ants", 40, "candidates", 8)
}

// TestGoldenAS replays on the CPU what a device computed. With METALAB_ANTS_GOLDEN_AS it asks a
// device and writes the file.
func TestGoldenAS(t *testing.T) {
	replays(t, asGolden, asGoldenVar, goldensAS)
}

func TestConformAS(t *testing.T) {
	gputest.Need(t)
	conform.Check(t, conform.Case{
		Solver: "as", Variant: "wrs", Backend: "cuda", Instance: goldensAS[0].instance(t), Seed: 11,
		Iterations: 12,
		Params:     params("ants", 5, "candidates", 7),
		Ranges:     map[string][2]float64{"ants": {1, 12}},
		Structural: []record.Values{params("candidates", 3), params("candidates", 25)},
	})
}

// TestFiguresAS prints how long the parts of an iteration of as/wrs take on a device, by its
// events, n ants, preset paper, when METALAB_FIGURES is set to as, with names of instances behind
// it: medians over the 40 iterations after the tuner's and over iterations 161 to 200.
func TestFiguresAS(t *testing.T) {
	f := strings.Fields(os.Getenv("METALAB_FIGURES"))
	if len(f) == 0 || f[0] != "as" {
		t.Skip("METALAB_FIGURES is not as")
	}
	gputest.Need(t)
	for _, name := range f[1:] {
		t.Run(name, func(t *testing.T) { figuresAS(t, name) })
	}
}

func figuresAS(t *testing.T, name string) {
	inst, err := datasets.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "as", Variant: "wrs", Backend: "watched",
		Instance: inst, Seed: 1, Preset: "paper",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	tuned := func() (solvers.Wave, bool) {
		w, err := r.Waves(t.Context())
		if err != nil || len(w) != 1 {
			t.Fatalf("%v, %v", w, err)
		}
		return w[0], w[0].Tuned
	}
	for it := 0; it < 120; it++ {
		if step(t, r, 1); it > 0 {
			if _, done := tuned(); done {
				break
			}
		}
	}
	w, _ := tuned()
	t.Logf("FIG as %s: %s, %d threads a block, chosen in %d iterations", name, w.What, w.Config.Block,
		r.Last().Iter)
	if err := r.Time(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	measure := func(when string) {
		spans := map[string][]time.Duration{}
		for range 40 {
			step(t, r, 1)
			list, err := r.Spans(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range list {
				spans[s.Name] = append(spans[s.Name], s.Time)
			}
		}
		for _, part := range []string{"deposit", "prepare", "construct", "iteration"} {
			if len(spans[part]) > 0 {
				t.Logf("FIG as %s %s %s: %v", name, when, part, median(spans[part]))
			}
		}
	}
	measure("early")
	if left := 160 - int(r.Last().Iter); left > 0 {
		step(t, r, left)
	}
	measure("late")
	p := r.Last()
	t.Logf("FIG as %s: best %v, mean %v, %v %v after %d iterations", name, p.Best, p.Mean,
		[]string{"branching", "fallback"}, p.Measures, p.Iter)
}
