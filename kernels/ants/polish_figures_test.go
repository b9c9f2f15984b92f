package ants

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestFiguresLocal prints how long iterations with a local search on the device take, when
// METALAB_FIGURES_LOCAL is set to a list of SOLVER/VARIANT:INSTANCE:ITERATIONS[:NAME=VALUE...] or
// to 1, which is mmas/wrs in the setting of the published program on the five instances of its
// table. The preset is best-2opt where preset=NAME says no other one. Of every hundredth of the
// iterations the parts by events: first, and the mean of the last quarter; then the clock's time of
// all iterations and the gap.
//
// With gap=PERCENT the run ends when the gap is reached, and the seconds are printed; with
// seconds=S in any case then.
func TestFiguresLocal(t *testing.T) {
	list := os.Getenv("METALAB_FIGURES_LOCAL")
	if list == "" {
		t.Skip("METALAB_FIGURES_LOCAL is not set")
	}
	if list == "1" {
		list = "mmas/wrs:pr1002:300 mmas/wrs:pr2392:300 mmas/wrs:fnl4461:200 mmas/wrs:usa13509:40 " +
			"mmas/wrs:d18512:40"
	}
	gputest.Need(t)
	for _, word := range strings.Fields(list) {
		t.Run(word, func(t *testing.T) { figuresLocal(t, word) })
	}
}

func figuresLocal(t *testing.T, word string) {
	part := strings.Split(word, ":")
	solver, variant, _ := strings.Cut(part[0], "/")
	inst, err := datasets.Load(part[1])
	if err != nil {
		t.Fatal(err)
	}
	iterations, err := strconv.Atoi(part[2])
	if err != nil {
		t.Fatal(err)
	}
	c := solvers.Config{
		Solver: solver, Variant: variant, Backend: "cuda", Instance: inst, Seed: 1,
		Preset: "best-2opt", Params: record.Values{"trials": record.Num(1)},
	}
	until, limit := -1.0, 1e9
	for _, kv := range part[3:] {
		name, value, _ := strings.Cut(kv, "=")
		x, err := strconv.ParseFloat(value, 64)
		switch {
		case name == "preset":
			c.Preset = value
		case err != nil:
			c.Params[name] = record.Text(value)
		case name == "seed":
			c.Seed = uint64(x)
		case name == "gap":
			until = x
		case name == "seconds":
			limit = x
		default:
			c.Params[name] = record.Num(x)
		}
	}
	r, err := solvers.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	known, _ := inst.BestKnown()
	gap := func() float64 { return 100 * (r.Last().Best/known.Value - 1) }
	ctx := context.Background()
	means := map[string]time.Duration{}
	counts := map[string]int{}
	var first []solvers.Span
	block := max(4, iterations/100)
	done, took := 0, time.Duration(0)
	for done < iterations && gap0(done, gap) > until && took.Seconds() < limit {
		// Two iterations whose parts, and two whose whole is timed, then those that only run.
		if err := r.Time(ctx, true); err != nil {
			t.Fatal(err)
		}
		for k := range min(4, iterations-done) {
			step(t, r, 1)
			spans, err := r.Spans(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if done == 0 && k == 0 {
				first = append(first, spans...)
			}
			if done >= iterations*3/4 || until >= 0 && done > block {
				for _, s := range spans {
					means[s.Name] += s.Time
					counts[s.Name]++
				}
			}
			done++
		}
		if err := r.Time(ctx, false); err != nil {
			t.Fatal(err)
		}
		if rest := min(block-4, iterations-done); rest > 0 {
			start := time.Now()
			step(t, r, rest)
			span := time.Since(start)
			took += span * time.Duration(block) / time.Duration(rest) // as if the others had run so too
			done += rest
		}
	}
	line := fmt.Sprintf("%s: first", word)
	for _, s := range first {
		line += fmt.Sprintf(" %s %.3f", s.Name, s.Time.Seconds()*1e3)
	}
	line += " ms; late"
	for _, name := range []string{"construct", "local search", "iteration"} {
		if k := counts[name]; k > 0 {
			line += fmt.Sprintf(" %s %.3f", name, means[name].Seconds()*1e3/float64(k))
		}
	}
	t.Logf("%s ms; %d iterations, %.2f s by the clock, gap %.3f %%, measures %.3f", line, done,
		took.Seconds(), gap(), r.Last().Measures)
}

// gap0 is the gap once there is one.
func gap0(done int, gap func() float64) float64 {
	if done == 0 {
		return 1e9
	}
	return gap()
}
