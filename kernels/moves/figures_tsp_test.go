//go:build cuda

package moves

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestFiguresTSP prints the time of a scan of tours and colourings on the device, with the launch
// that the tuner chose, when METALAB_FIGURES is set to tsp, with names of figures behind it, or
// none for all.
func TestFiguresTSP(t *testing.T) {
	want := strings.Fields(os.Getenv("METALAB_FIGURES"))
	if len(want) == 0 || want[0] != "tsp" {
		t.Skip("METALAB_FIGURES is not tsp")
	}
	gputest.Need(t)
	for _, f := range []struct {
		name, instance string
		scans, steps   int
		values         []any
	}{
		{"swap", "rl5915", 200, 5, nil},
		{"published", "rl5915", 50, 3, []any{"evaluation", "published", "wave", 1 << 28, "trials", 0}},
		{"published", "rl5915", 50, 3, []any{
			"evaluation", "published", "wave", 1 << 28, "trials", 0, "cache", "plain",
		}},
		{"swap", "pla7397", 50, 5, nil},
		{"swap", "d18512", 50, 5, nil},
		{"swap", "fnl4461", 200, 5, nil},
		{"swap", "pr2392", 200, 5, nil},
		{"swap", "d1291", 200, 5, nil},
		{"swap", "rat783", 200, 5, nil},
		{"swap", "pcb442", 200, 5, nil},
		{"swap", "d198", 200, 5, nil},
		{"swap", "eil101", 200, 5, nil},
		{"walks", "eil101", 200, 5, []any{"walks", 1056}},
		{"walks", "pcb442", 200, 5, []any{"walks", 528}},
		{"cycles", "pcb442", 20, 5, []any{"neighbourhood", "3exchange"}},
		{"cycles", "rat783", 20, 5, []any{"neighbourhood", "3exchange"}},
		{"cycles", "pr2392", 1, 3, []any{"neighbourhood", "3exchange"}},
		{"colouring", "queen9_9", 500, 5, nil},
		{"colouring", "gnp-1000-50-1-k85", 500, 5, nil},
		{"colourings", "gnp-1000-50-1-k85", 500, 5, []any{"walks", 264}},
		{"colourswap", "gnp-1000-50-1-k85", 100, 5, []any{"neighbourhood", "swap"}},
		{"atsp", "rbg443", 200, 5, nil},
		{"huge", "d18512", 1, 1, []any{"neighbourhood", "3exchange", "trials", 0}},
	} {
		if len(want) > 1 && !strings.Contains(" "+strings.Join(want[1:], " ")+" ", " "+f.name+" ") {
			continue
		}
		if err := figureTSP(t, f.name, f.instance, f.scans, f.steps, f.values); err != nil {
			fmt.Printf("%-10s %-10s %v\n", f.name, f.instance, err)
		}
	}
}

// figureTSP prints a figure: the least time of a scan among steps, after the tuner has chosen.
func figureTSP(t *testing.T, name, instance string, scans, steps int, values []any) error {
	inst, err := datasets.Load(instance)
	if err != nil {
		return err
	}
	params := record.Of("scans", scans, "trials", 1)
	for k, v := range record.Of(values...) {
		params[k] = v
	}
	r, err := solvers.Open(solvers.Config{
		Name: name, Solver: "tabu", Variant: "robust", Backend: "cuda", Instance: inst, Seed: 1,
		Params: params,
	})
	if err != nil {
		return err
	}
	defer r.Close()
	warm := 20
	if slices.Contains(values, any("trials")) {
		warm = 1 // nothing is tuned
	}
	for range warm {
		if w, ok := r.Waves(t.Context()); ok == nil && len(w) > 0 && w[0].Tuned {
			break
		}
		if err := r.Step(t.Context(), 1); err != nil {
			return err
		}
	}
	least := time.Duration(1 << 62)
	before := r.Last().Evals
	for range steps {
		from := time.Now()
		if err := r.Step(t.Context(), 1); err != nil {
			return err
		}
		if d := time.Since(from); d < least {
			least = d
		}
	}
	evals := float64(r.Last().Evals-before) / float64(steps)
	w, _ := r.Waves(t.Context())
	line := ""
	if len(w) > 0 {
		line = fmt.Sprintf("%d threads in blocks of %d", w[0].Config.Threads, w[0].Config.Block)
		for _, x := range w[0].Trials {
			line += fmt.Sprintf("; %d/%d %.1f", x.Config.Threads, x.Config.Block,
				float64(x.Median.Nanoseconds())/1e3/float64(scans))
		}
	}
	fmt.Printf("%-10s %-10s %9.2f us a scan, %8.1f G neighbours/s, %s\n", name, instance,
		float64(least.Nanoseconds())/1e3/float64(scans), evals/least.Seconds()/1e9, line)
	return nil
}
