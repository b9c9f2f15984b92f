//go:build cuda

package genetic

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
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

// The device makes what package genetic makes.
func TestTwin(t *testing.T) {
	gputest.Need(t)
	all := append(slices.Clone(trials),
		trial{2175, datasets.Euc2D, 1}, trial{1002, datasets.Geo, 0.05}, trial{20011, datasets.Att, 10},
		trial{70001, datasets.Ceil2D, 1})
	if testing.Short() {
		all = all[:12]
	}
	for _, c := range all {
		p := c.problem(t)
		want, err := genetic.NewCPU(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := NewEngine(p)
		if err != nil {
			t.Fatal(err)
		}
		breed(t, fmt.Sprintf("%+v", c), p, got, want)
		got.Close()
	}
}

// TestConform holds the variant to the laws.
func TestConform(t *testing.T) {
	gputest.Need(t)
	inst, err := datasets.Uniform(61, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, params := range map[string]record.Values{
		"paper": record.Of(
			"population", 16, "groups", 2, "pairing", "half", "origin", "same", "mutants", "all",
			"mutation", 0.3, "move", "random", "moves", 2, "elite", "improved", "exchange_period", 2,
		),
		"best": record.Of("population", 18, "groups", 3, "exchange_period", 2, "moves", 5),
		"scx":  record.Of("population", 12, "start", "nn", "elite", "copied", "crossover", "scx"),
		"2opt": record.Of("population", 12, "start", "2opt+or", "crossover", "arx"),
	} {
		t.Run(name, func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: "ga", Variant: "tournament", Backend: "cuda", Instance: inst, Seed: 3,
				Params: params, Trials: 6, Presets: []string{"best"},
				Ranges: map[string][2]float64{
					"population": {4, 30}, "groups": {1, 5}, "moves": {1, 9}, "workers": {0, 4},
					"minima": {1, 2}, "minima_generations": {1, 3}, "exchange_period": {0, 4},
				},
			})
		})
	}
}

// figure is a population whose generations are timed.
type figure struct {
	instance   string
	crossover  string
	population int
	groups     int
}

// TestFigures times generations, where METALAB_FIGURES is set: by the device's events, and by the
// clock with what the host does. METALAB_CROSS names crossovers, METALAB_START the first
// population, METALAB_PRESET the preset: paper's mutations try many moves. It is a table to read,
// and fails for errors alone.
func TestFigures(t *testing.T) {
	if os.Getenv("METALAB_FIGURES") == "" {
		t.Skip("METALAB_FIGURES is not set")
	}
	gputest.Need(t)
	if s := os.Getenv("METALAB_SHAPE"); s != "" {
		if _, err := fmt.Sscan(s, &turns, &strongest); err != nil {
			t.Fatal(err)
		}
	}
	crosses := strings.Fields(cmp.Or(os.Getenv("METALAB_CROSS"), "bcscx arx hybrid"))
	var list []figure
	for _, name := range strings.Fields(os.Getenv("METALAB_FIGURES")) {
		for _, cross := range crosses {
			list = append(list, figure{name, cross, 2048, 8})
		}
	}
	for _, c := range list {
		inst, err := datasets.Load(c.instance)
		if err != nil {
			t.Error(err)
			continue
		}
		begin := time.Now()
		r, err := solvers.Open(solvers.Config{
			Name: "figure", Solver: "ga", Variant: "tournament", Backend: "cuda", Instance: inst, Seed: 1,
			Preset: cmp.Or(os.Getenv("METALAB_PRESET"), "paper-literal"), Params: record.Of(
				"population", c.population, "groups", c.groups, "crossover", c.crossover,
				"start", cmp.Or(os.Getenv("METALAB_START"), "random"),
			),
		})
		if err != nil {
			t.Error(err)
			continue
		}
		step := func(n int) time.Duration {
			at := time.Now()
			if err := r.Step(context.Background(), n); err != nil {
				t.Error(err)
			}
			return time.Since(at)
		}
		opened := time.Since(begin)
		start := step(1)
		step(3)
		if err := r.Time(context.Background(), true); err != nil {
			t.Error(err)
		}
		var clock, children []float64
		means := ""
		for i := 0; i < 15 && time.Since(begin) < 40*time.Second; i++ {
			clock = append(clock, step(1).Seconds()*1e3)
			spans, err := r.Spans(context.Background())
			if err != nil {
				t.Error(err)
			}
			for _, s := range spans {
				if s.Name == "children" {
					children = append(children, s.Time.Seconds()*1e3)
					means += fmt.Sprintf(" %.3g:%.3f", r.Last().Mean, children[len(children)-1])
				}
			}
		}
		slices.Sort(clock)
		slices.Sort(children)
		mid := func(v []float64) float64 {
			if len(v) == 0 {
				return 0
			}
			return v[len(v)/2]
		}
		best, _ := r.Best(context.Background())
		fmt.Printf(
			"%-10s %-7s open %.2f s, start %.0f ms, generation %.3f ms (kernel %.3f, of %d), best %v;"+
				" by mean length:%s\n",
			c.instance, c.crossover, opened.Seconds(), start.Seconds()*1e3, mid(clock), mid(children),
			len(clock), best.Value, means,
		)
		r.Close()
	}
}

// What solvers/genetic says to have a form on GPUs is what is registered here.
func TestOffered(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tournament", "eax"} {
		_, err := solvers.Find("ga", name, "cuda")
		if offered := solvers.Offered("ga", name, "cuda"); offered != (err == nil) {
			t.Errorf("ga/%s: offered is %v, registered: %v", name, offered, err)
		}
	}
}

// The GPU makes the kept runs too. With METALAB_GOLDEN_OUT set it writes them there.
func TestGoldenDevice(t *testing.T) { gputest.Remake(t, goldenRuns(t)) }
