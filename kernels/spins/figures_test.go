//go:build cuda

package spins

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// figures skips a test of figures unless METALAB_FIGURES is set.
func figures(t *testing.T) {
	t.Helper()
	gputest.Need(t)
	if os.Getenv("METALAB_FIGURES") == "" {
		t.Skip("METALAB_FIGURES is not set")
	}
}

// opened opens a run on the GPU and makes its first iteration.
func opened(t testing.TB, variant, graph string, seed uint64, vs record.Values) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Solver: "anneal", Variant: variant, Backend: "cuda", Instance: load(t, graph), Seed: seed,
		Params: vs,
	})
	must(t, err)
	t.Cleanup(r.Close)
	must(t, r.Step(t.Context(), 1))
	return r
}

// TestFiguresOfBlocks says what blocks do to the speed.
func TestFiguresOfBlocks(t *testing.T) {
	figures(t)
	for _, name := range []string{"G1", "G22", "G48", "G55", "G63", "G81"} {
		for _, block := range []int{0, 64, 128, 256, 384, 512} {
			r := opened(t, "spins", name, 1, record.Of("walks", 8448, "sweeps", 64, "block", block))
			from := r.Last()
			must(t, r.Step(t.Context(), 43))
			to := r.Last()
			t.Logf("%s block=%d: %.3g flips/s", name, block,
				float64(to.Evals-from.Evals)/(to.Wall-from.Wall))
			r.Close()
		}
	}
}

// TestFiguresOfCuts makes a cooling of some seconds on graphs of the G-set: METALAB_GRAPHS, as "G1
// G22", METALAB_SECONDS and METALAB_SEEDS say on which, how long and how often.
func TestFiguresOfCuts(t *testing.T) {
	figures(t)
	number := func(name string, other int) int {
		n, err := strconv.Atoi(os.Getenv(name))
		if err != nil {
			return other
		}
		return n
	}
	seconds, seeds := number("METALAB_SECONDS", 8), number("METALAB_SEEDS", 1)
	graphs := cmp.Or(os.Getenv("METALAB_GRAPHS"),
		"G1 G22 G35 G43 G48 G55 G58 G60 G62 G63 G64 G70 G72 G77 G81")
	for _, name := range strings.Fields(graphs) {
		known, _ := load(t, name).BestKnown()
		for seed := range uint64(seeds) {
			walks := 8448
			if load(t, name).N <= 2000 {
				walks *= 2
			}
			params := record.Of("walks", walks, "sweeps", 32)
			trial := opened(t, "population", name, seed+1, params)
			from := trial.Last().Wall
			must(t, trial.Step(t.Context(), 20))
			rate := 20 / (trial.Last().Wall - from)
			trial.Close()
			params["cooling"] = record.Num(1 - 0.85/(0.93*rate*float64(seconds)))
			r := opened(t, "population", name, seed+1, params)
			begin, found := time.Now(), time.Duration(0)
			last := r.Last().Best
			for time.Since(begin) < time.Duration(seconds)*time.Second {
				must(t, r.Step(t.Context(), 1))
				if b := r.Last().Best; b < last {
					last, found = b, time.Since(begin)
				}
			}
			t.Logf("%s seed %d, %d walks, %d s: best %v, known %v (%v), found after %.1f s, %.3g flips/s",
				name, seed+1, walks, seconds, -last, -float64(known.Value), last-float64(known.Value),
				found.Seconds(), float64(r.Last().Evals)/r.Last().Wall)
			r.Close()
		}
	}
}
