//go:build cuda

package spins

import (
	"fmt"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/emulate"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
	"metalab/solvers/spins"
)

var variants = []string{"spins", "population"}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, name string) *datasets.Cut {
	t.Helper()
	inst, _, err := datasets.Generate(name)
	must(t, err)
	return inst.(*datasets.Cut)
}

// What solvers/spins says to have a form on GPUs is registered here.
func TestOffered(t *testing.T) {
	t.Parallel()
	for _, v := range variants {
		_, err := solvers.Find("anneal", v, "cuda")
		if !solvers.Offered("anneal", v, "cuda") || err != nil {
			t.Errorf("anneal/%s is not offered, or not registered: %v", v, err)
		}
	}
}

// The GPU makes the kept runs too. With METALAB_GOLDEN_OUT set it writes them there.
func TestGoldenDevice(t *testing.T) { gputest.Remake(t, goldenRuns(t)) }

// Blocks, workers and the place of the words change at random in runs on a GPU.
func TestShapes(t *testing.T) {
	gputest.Need(t)
	defer func() { apart = false }()
	for _, v := range variants {
		s := shapes("cuda", v, 700, 300)
		s.Turn = func(n int) { apart = n%3 == 0 }
		conform.CheckShapes(t, s)
	}
}

func TestKeepsTheLaws(t *testing.T) {
	gputest.Need(t)
	for _, v := range variants {
		t.Run(v, func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: "anneal", Variant: v, Backend: "cuda", Instance: load(t, "gset-like-70-20-1-pm"),
				Seed: 7, Params: record.Of("sweeps", 3, "walks", 70, "cooling", 0.9),
				Ranges: map[string][2]float64{
					"sweeps": {1, 9}, "walks": {1, 150}, "workers": {0, 4}, "island": {1, 90},
				},
				Structural: []record.Values{record.Of("walks", 1), record.Of("walks", 130)},
			})
		})
	}
}

// Instances of the set, and one whose words do not fit into shared memory, are the CPU's.
func TestTwin(t *testing.T) {
	gputest.Need(t)
	for _, name := range []string{
		"G1", "G22", "G35", "G48", "G55", "G63", "G70", "G81", "torus-250x250-1",
		"gset-like-100000-0.01-1",
	} {
		for _, v := range variants {
			inst := load(t, name)
			var last [2]record.Point
			for i, on := range []string{"cpu", "cuda"} {
				r, err := solvers.Open(solvers.Config{
					Solver: "anneal", Variant: v, Backend: on, Instance: inst, Seed: 3,
					Params: record.Of("walks", 200, "sweeps", 2, "cooling", 0.7),
				})
				must(t, err)
				must(t, r.Step(t.Context(), 5))
				last[i] = r.Last()
				r.Close()
			}
			if a, b := last[0], last[1]; a.Digest != b.Digest || a.Best != b.Best || a.Mean != b.Mean {
				t.Errorf("%s, %s: %x, %v, %v on the CPU, %x, %v, %v on the GPU", name, v, a.Digest, a.Best,
					a.Mean, b.Digest, b.Best, b.Mean)
			}
		}
	}
}

// What an engine asks the device for is at least what it allocates, and all is given back.
func TestClaims(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	image = func() ([]byte, error) { return emulate.FakeImage, nil }
	for _, resampled := range []bool{false, true} {
		for _, walks := range []int{1, 32, 100} {
			p := &spins.Problem{
				Net: spins.NewNet(load(t, "G14")), Walks: walks, Resampled: resampled,
				Env: &solvers.Env{Run: "claims"},
			}
			made, err := NewEngine(p)
			must(t, err)
			e := made.(*Engine)
			if resampled {
				must(t, e.Choose(make([]int32, walks)))
			}
			h := e.Dev.Holding()
			if h.Claimed != e.bytes(walks) || h.Held > h.Claimed || h.Held == 0 {
				t.Errorf("%d walks: %d bytes were asked for, %d should be, %d are held", walks, h.Claimed,
					e.bytes(walks), h.Held)
			}
			e.Close()
		}
	}
	for _, h := range gpu.Holdings(0) {
		t.Errorf("after closing: %v", h)
	}
}

// Too many walks are refused, with what there is room for.
func TestNoRoom(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	image = func() ([]byte, error) { return emulate.FakeImage, nil }
	_, err := solvers.Open(solvers.Config{
		Name: "large", Solver: "anneal", Variant: "spins", Backend: "cuda", Instance: load(t, "G81"),
		Params: record.Of("walks", 100_000),
	})
	if err == nil || !strings.Contains(err.Error(), "room for walks=") {
		t.Errorf("100,000 walks in 64 MiB: %v", err)
	}
}

// BenchmarkDevice tries flips from hot to cold, in sweeps of an iteration as a search makes them.
func BenchmarkDevice(b *testing.B) {
	gputest.Need(b)
	for _, c := range []struct {
		name  string
		walks int
	}{
		{"G1", 76032},
		{"G22", 21120},
		{"G43", 38016},
		{"G48", 8448},
		{"G55", 8448},
		{"G63", 8448},
		{"G70", 8448},
		{"G81", 8448},
	} {
		for _, v := range variants {
			for _, sweeps := range []int{16, 64} {
				b.Run(fmt.Sprintf("%s/%s/%d", c.name, v, sweeps), func(b *testing.B) {
					r := opened(b, v, c.name, 1, record.Of("walks", c.walks, "sweeps", sweeps))
					const iterations = 86 // a cooling
					from := r.Last().Evals
					for b.Loop() {
						must(b, r.Step(b.Context(), iterations))
					}
					b.ReportMetric(float64(r.Last().Evals-from)/b.Elapsed().Seconds(), "flips/s")
					b.ReportMetric(-r.Last().Best, "best")
				})
			}
		}
	}
}
