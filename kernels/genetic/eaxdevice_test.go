//go:build cuda

package genetic

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/genetic"
	"metalab/solvers/record"
)

// The device makes the generations that package genetic makes.
func TestEaxTwin(t *testing.T) {
	gputest.Need(t)
	all := append(trials[4:len(trials):len(trials)],
		trial{1002, datasets.Euc2D, 1}, trial{501, datasets.Geo, 0.05}, trial{2175, datasets.Ceil2D, 1},
		trial{33000, datasets.Att, 10})
	if testing.Short() {
		all = all[:10]
	}
	for _, c := range all {
		p, first := c.eaxProblem(t, max(4, min(24, 100000/c.n)))
		want, err := genetic.NewRoundsCPU(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := NewRounds(p)
		if err != nil {
			t.Fatal(err)
		}
		n, blocks := crossed(t, fmt.Sprintf("%+v", c), p, first, 4, got, want)
		t.Logf("%+v: %d tours were replaced, %d by blocks", c, n, blocks)
		got.Close()
	}
}

// TestEaxLaws holds ga/eax-rounds to the laws.
func TestEaxLaws(t *testing.T) {
	gputest.Need(t)
	inst, err := datasets.Uniform(61, 1)
	if err != nil {
		t.Fatal(err)
	}
	conform.Check(t, conform.Case{
		Solver: "ga", Variant: "eax-rounds", Backend: "cuda", Instance: inst, Seed: 3,
		Params: record.Of("population", 12, "children", 5, "round", 4), Trials: 6,
		Ranges: map[string][2]float64{
			"population": {3, 20}, "children": {1, 6}, "round": {1, 9}, "workers": {0, 4},
		},
	})
}

// TestEaxFigures times searches, where METALAB_EAX is set: instance, seed, population, round and
// seconds of each, with ; between them; METALAB_EAX_WARPS are the warps of a block. It is a table
// to read, and fails for errors alone.
func TestEaxFigures(t *testing.T) {
	if os.Getenv("METALAB_EAX") == "" {
		t.Skip("METALAB_EAX is not set")
	}
	gputest.Need(t)
	if s := os.Getenv("METALAB_EAX_WARPS"); s != "" {
		if _, err := fmt.Sscan(s, &eaxWarps); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range strings.Split(os.Getenv("METALAB_EAX"), ";") {
		var name string
		var seed uint64
		var population, round int
		var limit float64
		if _, err := fmt.Sscan(line, &name, &seed, &population, &round, &limit); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		inst, err := datasets.Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := eaxFigure(inst, name, seed, population, round, limit); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// eaxLongest is METALAB_EAX_LONGEST, or the default of longest.
func eaxLongest() int {
	longest := 128
	fmt.Sscan(os.Getenv("METALAB_EAX_LONGEST"), &longest)
	return longest
}

func eaxFigure(
	inst datasets.Instance, name string, seed uint64, population, round int, limit float64,
) error {
	ctx, begin := context.Background(), time.Now()
	r, err := solvers.Open(solvers.Config{
		Name: "figure", Solver: "ga", Variant: "eax-rounds", Backend: "cuda", Instance: inst, Seed: seed,
		Params: record.Of("population", population, "round", round, "longest", eaxLongest()),
	})
	if err != nil {
		return err
	}
	defer r.Close()
	since := func() float64 { return time.Since(begin).Seconds() }
	opened := since()
	if err := r.Step(ctx, 1); err != nil {
		return err
	}
	start := since()
	if err := r.Time(ctx, true); err != nil {
		return err
	}
	spans := map[string]time.Duration{}
	best, at, generation, it, two := r.Last().Best, start, 1, 1, 0
	text := ""
	for since() < limit {
		if err := r.Step(ctx, 1); err != nil {
			return err
		}
		it++
		list, err := r.Spans(ctx)
		if err != nil {
			return err
		}
		for _, s := range list {
			spans[s.Name] += s.Time
		}
		p := r.Last()
		if p.Best < best {
			best, at, generation = p.Best, since(), it
		}
		if it%100 == 0 || it == 20 {
			text += fmt.Sprintf(" %d:%.0f@%.2f", it, p.Best, since())
		}
		if two == 0 && p.Measures[5] > 1 {
			two = it
			text += fmt.Sprintf(" stage 2: %d:%.0f@%.2f", it, p.Best, since())
		}
		if p.Measures[5] > 2 || p.Mean == p.IterBest {
			break
		}
	}
	fmt.Printf(
		"%s seed %d, %d tours, rounds of %d: open %.2f s, start %.2f s, best %.0f at %.2f s "+
			"(generation %d), end %.2f s (generation %d); of it edges %.2f s, couples %.2f s;%s\n", name,
		seed, population, round, opened, start-opened, best, at, generation, since(), it,
		spans["edges"].Seconds(), spans["couples"].Seconds(), text,
	)
	return nil
}

// The GPU makes the kept runs too. With METALAB_GOLDEN_OUT set it writes them there.
func TestEaxGoldenDevice(t *testing.T) { gputest.Remake(t, eaxGoldenRuns(t)) }
