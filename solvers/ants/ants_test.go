package ants_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// uniform is a small symmetric instance.
func uniform(tb testing.TB, n int) *datasets.TSP {
	tb.Helper()
	t, err := datasets.DIMACS(false, n, 5)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// oneWay is a small asymmetric instance.
func oneWay(tb testing.TB, n int) *datasets.TSP {
	tb.Helper()
	s := arith.NewStream(4, 0, 0, 0)
	d := make([]int32, n*n)
	for i := range d {
		d[i] = int32(1 + s.IntN(1000))
	}
	t, err := datasets.NewMatrixTSP("oneway", n, d, true)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// circle is an instance whose shortest tour is the way round.
func circle(tb testing.TB, n int) (*datasets.TSP, float64) {
	tb.Helper()
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i] = math.Round(10000 * math.Cos(2*math.Pi*float64(i)/float64(n)))
		y[i] = math.Round(10000 * math.Sin(2*math.Pi*float64(i)/float64(n)))
	}
	t, err := datasets.NewTSP("circle", datasets.Euc2D, x, y)
	if err != nil {
		tb.Fatal(err)
	}
	round := make([]int32, n)
	for i := range round {
		round[i] = int32(i)
	}
	l, err := t.Length(round)
	if err != nil {
		tb.Fatal(err)
	}
	return t, float64(l)
}

func open(tb testing.TB, solver string, inst datasets.Instance, ps record.Values) *solvers.Run {
	tb.Helper()
	r, err := solvers.Open(solvers.Config{Solver: solver, Instance: inst, Seed: 3, Params: ps})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(r.Close)
	return r
}

func step(tb testing.TB, r *solvers.Run, n int) record.Point {
	tb.Helper()
	if err := r.Step(context.Background(), n); err != nil {
		tb.Fatal(err)
	}
	return r.Last()
}

var all = []string{"as", "mmas", "acs"}

func TestConform(t *testing.T) {
	t.Parallel()
	num, text := record.Num, record.Text
	lists := []record.Values{
		{"candidates": num(3)},
		{"candidates": num(25)},
		{"storage": text("matrix")},
	}
	for _, c := range []conform.Case{
		{
			Solver: "as", Instance: uniform(t, 50), Params: record.Values{"local_search": text("none")},
			Structural: lists,
		},
		{
			Solver: "mmas", Instance: uniform(t, 50),
			Params: record.Values{"local_search": text("none"), "candidates": num(7)}, Structural: lists,
		},
		{
			Solver: "acs", Instance: uniform(t, 50),
			Params: record.Values{"local_search": text("none"), "candidates": num(7)}, Structural: lists,
		},
		{
			Solver: "mmas", Instance: oneWay(t, 30), Params: record.Values{"candidates": num(6)},
			Structural: lists,
		},
		{
			Solver: "acs", Instance: uniform(t, 40),
			Params: record.Values{"local_search": text("oropt"), "storage": text("matrix")},
			Structural: []record.Values{
				{"storage": text("candidates"), "candidates": num(9)},
				{"local_search": text("none")},
				{"candidates": num(39)},
			},
		},
		{
			Solver: "mmas", Instance: uniform(t, 40), Params: record.Values{"local_search": text("2opt")},
			Structural: lists,
		},
	} {
		local, _ := c.Params["local_search"].Word()
		t.Run(c.Solver+" on "+string(c.Instance.Kind())+" local search "+local, func(t *testing.T) {
			t.Parallel()
			c.Seed, c.Iterations = 11, 12
			c.Params["ants"] = num(5)
			c.Ranges = map[string][2]float64{"ants": {1, 12}}
			conform.Check(t, c)
		})
	}
}

func TestKnownOptimum(t *testing.T) {
	conform.Brief(t, "ants search until they find the optimum")
	t.Parallel()
	inst, best := circle(t, 40)
	for _, solver := range all {
		for _, ps := range []record.Values{
			{"local_search": record.Text("none"), "ants": record.Num(20)},
			{},
			{"storage": record.Text("matrix")},
		} {
			if p := step(t, open(t, solver, inst, ps), 150); p.Best != best {
				t.Errorf("%s %v: best is %v, the way round has %v", solver, ps, p.Best, best)
			}
		}
	}
	if os.Getenv("METALAB_DATA") == "" {
		t.Skip("METALAB_DATA is not set: published instances left out")
	}
	for name, best := range map[string]float64{
		"burma14": 3323, "ulysses16": 6859, "gr17": 2085,
		"br17": 39,
	} {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for solver, ps := range map[string]record.Values{
			"as":   {"beta": record.Num(2), "rho": record.Num(0.95)},
			"mmas": {"rho": record.Num(0.95)},
			"acs":  {"q0": record.Num(0.5)},
		} {
			ps["ants"] = record.Num(20)
			ps["local_search"] = record.Text("none")
			// A colony may settle on another tour; one of five seeds must not.
			least := math.Inf(1)
			for seed := range uint64(5) {
				r, err := solvers.Open(solvers.Config{Solver: solver, Instance: inst, Seed: seed, Params: ps})
				if err != nil {
					t.Fatal(err)
				}
				least = min(least, step(t, r, 400).Best)
				r.Close()
			}
			if least != best {
				t.Errorf("%s on %s: best of five seeds is %v, want %v", solver, name, least, best)
			}
		}
	}
}

// TestGoodTours holds the default parameters to a quality that only a working
// colony reaches: the pheromone must beat what the local search does alone.
func TestGoodTours(t *testing.T) {
	conform.Brief(t, "ants learn for many iterations")
	t.Parallel()
	inst := uniform(t, 120)
	for _, solver := range all {
		first := step(t, open(t, solver, inst, record.Values{"local_search": record.Text("none")}), 1)
		last := step(t, open(t, solver, inst, record.Values{"local_search": record.Text("none")}), 300)
		if last.Best > 0.95*first.Best {
			t.Errorf("%s: best went from %v to %v in 300 iterations", solver, first.Best, last.Best)
		}
		with := step(t, open(t, solver, inst, nil), 100)
		if with.Best > last.Best {
			t.Errorf("%s: with local search %v, without %v", solver, with.Best, last.Best)
		}
	}
}

func TestEdges(t *testing.T) {
	conform.Brief(t, "many runs at the ends of parameters")
	t.Parallel()
	num := record.Num
	for n := 1; n <= 5; n++ {
		for _, inst := range []*datasets.TSP{uniform(t, n), oneWay(t, n)} {
			for _, solver := range all {
				for _, ps := range []record.Values{
					{},
					{"ants": num(1), "beta": num(0)},
					{"candidates": num(float64(max(1, n-1)))},
					{"candidates": num(1), "storage": record.Text("matrix")},
				} {
					r := open(t, solver, inst, ps)
					step(t, r, 12)
					if _, err := r.Best(t.Context()); err != nil {
						t.Errorf("%s, %d cities, %v: %v", solver, n, ps, err)
					}
				}
			}
		}
	}
	for _, c := range []struct {
		solver string
		ps     record.Values
	}{
		{"acs", record.Values{"q0": num(0)}},
		{"acs", record.Values{"q0": num(1)}},
		{"acs", record.Values{"rho": num(0), "alpha": num(0)}},
		{"acs", record.Values{"rho": num(1), "alpha": num(1)}},
		{"acs", record.Values{"local_period": num(1 << 20)}},
		{"acs", record.Values{"ants": num(1), "candidates": num(59)}},
		{"mmas", record.Values{"alpha": num(0)}},
		{"mmas", record.Values{"alpha": num(10), "beta": num(20)}},
		{"mmas", record.Values{"rho": num(0)}},
		{"mmas", record.Values{"rho": num(0.9999), "p_best": num(1)}},
		{"mmas", record.Values{"p_best": num(1e-9), "candidates": num(59)}},
		{"mmas", record.Values{"reset": num(1), "best_period": num(1)}},
		{"as", record.Values{"alpha": num(0)}},
		{"as", record.Values{"rho": num(0)}},
		{"as", record.Values{"alpha": num(10), "rho": num(0.9999)}},
	} {
		for _, local := range []string{"none", "oropt"} {
			c.ps["local_search"] = record.Text(local)
			r := open(t, c.solver, uniform(t, 60), c.ps)
			p := step(t, r, 60)
			for i, v := range p.Measures {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s %v: measure %s is %v", c.solver, c.ps, r.Header().Measures[i], v)
				}
			}
			if _, err := r.Best(t.Context()); err != nil {
				t.Errorf("%s %v: %v", c.solver, c.ps, err)
			}
		}
	}
}

// TestGreedy: with q0 = 1 and no updates all ants that start in one city make one tour.
func TestGreedy(t *testing.T) {
	t.Parallel()
	r := open(t, "acs", uniform(t, 30), record.Values{
		"q0": record.Num(1), "rho": record.Num(0), "alpha": record.Num(0),
		"ants": record.Num(200), "local_search": record.Text("none"),
	})
	step(t, r, 1)
	var trace [][]int32
	if err := r.View(t.Context(),
		func(a solvers.Algorithm) { trace = a.(solvers.Tracer).Trace() }); err != nil {
		t.Fatal(err)
	}
	first := map[int32][]int32{}
	same := 0
	for _, tour := range trace {
		if o, ok := first[tour[0]]; ok {
			same++
			for i := range o {
				if o[i] != tour[i] {
					t.Fatalf("two greedy tours from city %d differ at %d", tour[0], i)
				}
			}
		}
		first[tour[0]] = tour
	}
	if same < 100 {
		t.Errorf("%d of 200 ants started where another one had", same)
	}
}

// Above 2000 cities of the plane mmas is mmas/focused, and the preset best of mmas/scan makes one
// ant a long local search.
func TestBestOfMMASGoesByTheSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		variant string
		n       int
		opened  string
		ants    float64
		search  string
	}{
		{"", 2000, "scan", 25, "oropt"},
		{"", 2001, "focused", 64, "oropt"},
		{"scan", 2000, "scan", 25, "oropt"},
		{"scan", 2001, "scan", 1, "tiles"},
	} {
		inst := uniform(t, c.n)
		r, err := solvers.Open(solvers.Config{
			Solver: "mmas", Variant: c.variant, Instance: inst, Preset: "best",
		})
		if err != nil {
			t.Fatal(err)
		}
		if v := r.Variant().Name; v != c.opened {
			t.Errorf("%q on %d cities opens %s, want %s", c.variant, c.n, v, c.opened)
		}
		ps, err := r.Params(t.Context())
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"ants": c.ants, "local_search": c.search}
		for _, p := range ps {
			if w, ok := want[p.Name]; ok && p.Value.String() != value(w).String() {
				t.Errorf("%d cities: %s is %v, want %v", c.n, p.Name, p.Value, w)
			}
		}
	}
}

func TestPresets(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 100)
	for _, c := range []struct {
		solver, preset string
		want           map[string]any
	}{
		{"acs", "paper", map[string]any{
			"ants": 100.0, "beta": 3.0, "alpha": 0.2, "rho": 0.01, "q0": 0.8,
			"candidates": 32.0, "local_search": "none",
		}},
		{"mmas", "paper", map[string]any{
			"ants": 100.0, "rho": 0.5, "alpha": 1.0, "beta": 2.0,
			"p_best": 0.01, "candidates": 32.0, "local_search": "none",
		}},
		{"mmas", "paper-2opt", map[string]any{
			"ants": 800.0, "rho": 0.9, "candidates": 32.0,
			"local_search": "2opt-plain", "local_neighbours": 32.0, "local_lists": "nearest",
		}},
		{"as", "paper", map[string]any{
			"ants": 100.0, "rho": 0.5, "alpha": 1.0, "beta": 5.0,
			"local_search": "none",
		}},
	} {
		r, err := solvers.Open(solvers.Config{Solver: c.solver, Instance: inst, Preset: c.preset})
		if err != nil {
			t.Fatal(err)
		}
		ps, err := r.Params(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			if want, ok := c.want[p.Name]; ok && p.Value.String() != value(want).String() {
				t.Errorf("%s preset %s: %s is %v, want %v", c.solver, c.preset, p.Name, p.Value, want)
			}
			delete(c.want, p.Name)
		}
		if len(c.want) > 0 {
			t.Errorf("%s preset %s lacks %v", c.solver, c.preset, c.want)
		}
		r.Close()
	}
	for _, solver := range all {
		a, b := open(t, solver, inst, nil), (*solvers.Run)(nil)
		var err error
		if b, err = solvers.Open(solvers.Config{
			Solver: solver, Instance: inst,
			Preset: "best",
		}); err != nil {
			t.Fatal(err)
		}
		if x, y := a.Header().Params, b.Header().Params; len(x) != len(y) {
			t.Errorf("%s: preset best is not the default", solver)
		} else {
			for name := range x {
				if x[name] != y[name] {
					t.Errorf("%s: preset best has %s=%v, the default is %v", solver, name, y[name], x[name])
				}
			}
		}
		b.Close()
	}
}

func value(v any) record.Value {
	if f, ok := v.(float64); ok {
		return record.Num(f)
	}
	return record.Text(v.(string))
}

// TestGiveUp cancels long iterations and looks that nothing has changed.
func TestGiveUp(t *testing.T) {
	t.Parallel()
	for i := range 2 * len(all) {
		solver, local := all[i/2], i%2 == 1
		t.Run(fmt.Sprintf("%s local search %v", solver, local), func(t *testing.T) {
			t.Parallel()
			n, ps := 2000, record.Values{"ants": record.Num(600), "local_search": record.Text("none")}
			if !local {
				conform.Brief(t, "iterations of a million choices")
			} else {
				if solver != "as" {
					conform.Brief(t, "one of them shows what races")
				}
				n, ps = 1000, record.Values{"ants": record.Num(40), "local_search": record.Text("oropt")}
			}
			var r *solvers.Run
			var before []byte
			begin := func() {
				r = open(t, solver, uniform(t, n), ps)
				step(t, r, 1)
				var err error
				if before, err = r.Snapshot(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			begin()
			for given, tries := 0, 0; given < 3; tries++ {
				if tries == 60 {
					t.Fatalf("of %d long iterations %d were given up", tries, given)
				}
				ctx, cancel := context.WithCancel(t.Context())
				run, was := r, r.Progress()
				go func() {
					for run.Progress() == was && ctx.Err() == nil {
						runtime.Gosched()
					}
					cancel()
				}()
				err := r.Step(ctx, 1)
				cancel()
				if r.Last().Iter != 1 { // it was over before anybody saw its progress
					r.Close()
					begin()
					continue
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("an iteration that was given up: error %v", err)
				}
				given++
				after, err := r.Snapshot(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(before, after) {
					t.Fatal("an iteration that was given up changed the state")
				}
			}
			step(t, r, 1)
			whole := open(t, solver, uniform(t, n), ps)
			if a, b := r.Last(), step(t, whole, 2); a.Digest != b.Digest {
				t.Errorf("after cancelling, digest %x, without %x", a.Digest, b.Digest)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, solver := range all {
		for _, c := range []struct {
			inst datasets.Instance
			ps   record.Values
			want string
		}{
			{oneWay(t, 20), record.Values{"local_search": record.Text("2opt")}, "asymmetric"},
			{uniform(t, 20000), record.Values{
				"storage":      record.Text("matrix"),
				"local_search": record.Text("none"),
			}, "4800000000 bytes"},
		} {
			_, err := solvers.Open(solvers.Config{Solver: solver, Instance: c.inst, Params: c.ps})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %v: error %v, want one with %q", solver, c.ps, err, c.want)
			}
		}
	}
}
