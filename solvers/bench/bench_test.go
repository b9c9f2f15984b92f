package bench_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants"
	"metalab/solvers/bench"
	_ "metalab/solvers/ils"
	"metalab/solvers/record"
)

// one counts an iteration as a unit.
func one(datasets.Instance, record.Values) float64 { return 1 }

func small() bench.Table {
	return bench.Table{Name: "small", Rows: []bench.Row{
		{
			What: "best", Solver: "ils", Instance: "rand-60-1", Stop: bench.Stop{Iterations: 3}, Seeds: 3,
			Measure: bench.Best, Reach: math.MaxFloat64,
		},
		{
			What: "rate", Solver: "mmas", Instance: "rand-60-1", Stop: bench.Stop{Iterations: 4},
			Measure: bench.PerSecond, Units: bench.Ants,
			Params: record.Values{"ants": record.Num(7)}, Reach: 1,
		},
		{
			What: "ns", Solver: "ils", Instance: "rand-60-1", Stop: bench.Stop{Iterations: 4}, Seeds: 1,
			Measure: bench.NsPerUnit, Units: one,
		},
		{
			What: "time", Solver: "ils", Instance: "rand-60-1", Stop: bench.Stop{CPU: 0.05}, Seeds: 1,
			Measure: bench.Seconds,
		},
		{
			What: "memory", Solver: "ils", Instance: "rand-60-1", Stop: bench.Stop{Iterations: 1}, Seeds: 1,
			Measure: bench.Memory,
		},
		{
			What: "own", Seeds: 4, Measure: bench.OwnRate, Reach: 5,
			Do: func(_ context.Context, _ datasets.Instance, seed uint64) (float64, error) {
				return float64(seed * seed), nil
			},
		},
		{
			What: "fails", Seeds: 2, Measure: bench.Own,
			Do: func(context.Context, datasets.Instance, uint64) (float64, error) {
				return 0, errors.New("no such thing")
			},
		},
		{
			What: "unknown", Solver: "no such solver", Instance: "rand-60-1",
			Stop: bench.Stop{Iterations: 1}, Measure: bench.Gap,
		},
	}}
}

func TestRun(t *testing.T) {
	t.Parallel()
	var told []int
	out, err := bench.Run(t.Context(), small(),
		bench.Options{Done: func(_ bench.Outcome, done, total int) {
			if total != 3+5+1+1+1+4+2+5 {
				t.Errorf("%d measurements are announced", total)
			}
			told = append(told, done)
		}})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 8 || !slices.IsSorted(told) || len(told) != 3+5+1+1+1+4 {
		t.Fatalf("%d rows, told %v", len(out), told)
	}
	for i, seeds := range []int{3, 5, 1, 1, 1, 4, 0, 0} {
		o := out[i]
		if len(o.Values) != seeds || len(o.CPU) != seeds || o.Number != i+1 ||
			(o.Err == nil) != (seeds > 0) {
			t.Errorf("%s: %d values, number %d, error %v", o.Row.What, len(o.Values), o.Number, o.Err)
		}
		for _, v := range o.Values {
			if !(v > 0) || math.IsInf(v, 0) {
				t.Errorf("%s: a value of %v", o.Row.What, v)
			}
		}
	}
	if m := bench.Median(out[5].Values); m != 6.5 || !out[5].Met() {
		t.Errorf("the median of 1, 4, 9, 16 is %v, and 5 is not reached: %v", m, !out[5].Met())
	}
	if v := out[3].Values[0]; v < 0.05 || v > 40 { // milliseconds would be 50
		t.Errorf("a run of 0.05 CPU seconds took %v", v)
	}
	// The value is that of the same run made by hand.
	in, err := datasets.Load("rand-60-1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Solver: "ils", Instance: in, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if got := out[0].Values[1]; got != r.Last().Best {
		t.Errorf("seed 2 gives %v, a run of its own %v", got, r.Last().Best)
	}
}

func TestRunSelects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows string
		want string
	}{{"6", "own"}, {"OWN", "own"}, {"ti rand", "time"}, {"ils time", "time"}, {"mmas", "rate"}} {
		out, err := bench.Run(t.Context(), small(), bench.Options{Rows: c.rows, Seeds: 1})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range out {
			got = append(got, o.Row.What)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q means %q, want %q", c.rows, got, c.want)
		}
	}
	if _, err := bench.Run(t.Context(), small(), bench.Options{Rows: "nothing like it"}); err == nil {
		t.Error("no row is meant, and no error")
	}
	if _, err := bench.Run(
		t.Context(), small(), bench.Options{Peers: map[string]string{"nobody": "/bin/true"}},
	); err == nil || !strings.HasSuffix(err.Error(), "want one of acotsp, eax, linkern") {
		t.Errorf("an unknown peer: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bench.Run(ctx, small(), bench.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended gives %v", err)
	}
}

// A peer is a script that prints what linkern prints, after it looked at its arguments.
func TestPeer(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "peer")
	text := "#!/bin/sh\n[ \"$1 $5 $6\" = '-s -t 0.01' ] && grep -q NODE_COORD_SECTION \"$7\" && " +
		"echo \"Final Cycle: 4000$2\"\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	table := bench.Table{Name: "peers", Rows: []bench.Row{{
		What: "best", Solver: "ils", Instance: "rand-60-1", Stop: bench.Stop{CPU: 0.01}, Seeds: 2,
		Measure: bench.Best, Peer: bench.Peer{Program: "linkern"},
	}}}
	out, err := bench.Run(
		t.Context(), table, bench.Options{Peers: map[string]string{"linkern": script}},
	)
	if err != nil || out[0].Err != nil {
		t.Fatal(err, out[0].Err)
	}
	if want := []float64{40001, 40002}; !slices.Equal(out[0].Peer, want) {
		t.Errorf("the peer's values are %v, want %v", out[0].Peer, want)
	}
	out, err = bench.Run(
		t.Context(), table, bench.Options{Peers: map[string]string{"linkern": "/bin/true"}},
	)
	if err != nil || out[0].Err == nil || len(out[0].Values) != 2 {
		t.Errorf(
			"a peer that prints nothing: error %v, %v; %d values", err, out[0].Err, len(out[0].Values),
		)
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	all := bench.Tables()
	own := all[:slices.IndexFunc(all, func(t bench.Table) bool { return t.Paper != "" })]
	name := func(a, b bench.Table) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(own, name) {
		t.Error("our own tables are not in the order of their names")
	}
	if slices.ContainsFunc(all[len(own):], func(t bench.Table) bool { return t.Paper == "" }) {
		t.Error("a table of our own stands behind the papers'")
	}
	for _, table := range all {
		if got, err := bench.Find(table.Name); err != nil || got.Title != table.Title ||
			table.Title == "" || table.Source == "" {
			t.Errorf("table %q: %v", table.Name, err)
		}
		for i, r := range table.Rows {
			if r.What == "" {
				t.Errorf("%s, row %d has no name", table.Name, i+1)
			}
			if r.Solver == "" {
				continue
			}
			v, err := solvers.Find(r.Solver, r.Variant, r.Backend)
			if err != nil {
				continue // of a package that is not linked here
			}
			if r.Preset != "" &&
				!slices.ContainsFunc(v.Presets, func(p solvers.Preset) bool { return p.Name == r.Preset }) {
				t.Errorf("%s, row %d: preset %q of %s/%s", table.Name, i+1, r.Preset, v.Solver, v.Name)
			}
		}
	}
	if _, err := bench.Find("none"); err == nil || !strings.Contains(err.Error(), "tours") {
		t.Errorf("an unknown table: %v", err)
	}
}

// A mistake in a table is found when the program starts.
func TestRegisterRefuses(t *testing.T) {
	t.Parallel()
	do := func(context.Context, datasets.Instance, uint64) (float64, error) { return 0, nil }
	for i, r := range []bench.Row{
		{What: "neither"},
		{What: "both", Solver: "ils", Do: do, Instance: "a", Measure: bench.Own},
		{What: "no stop", Solver: "ils", Instance: "a", Measure: bench.Gap},
		{What: "no instance", Solver: "ils", Measure: bench.Gap, Stop: bench.Stop{CPU: 1}},
		{
			What: "no units", Solver: "ils", Instance: "a", Measure: bench.PerSecond,
			Stop: bench.Stop{CPU: 1},
		},
		{What: "gap of a function", Do: do, Measure: bench.Gap},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was registered", r.What)
				}
			}()
			bench.Register(bench.Table{Name: fmt.Sprint("wrong", i), Rows: []bench.Row{r}})
		}()
	}
}

func Example() {
	table := bench.Table{Name: "mine", Title: "My figures", Rows: []bench.Row{{
		What: "a tour of sixty cities", Solver: "ils", Instance: "rand-60-1",
		Stop: bench.Stop{Iterations: 20}, Seeds: 3, Measure: bench.Best, Reach: 6e6,
	}}}
	out, err := bench.Run(context.Background(), table, bench.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out[0].Row.What, len(out[0].Values), "seeds, reached:", out[0].Met())
	// Output: a tour of sixty cities 3 seeds, reached: true
}

// Every row of the table gpu names parameters that its variant has, as the twin on the cpu shows.
func TestRowsOfGPU(t *testing.T) {
	t.Parallel()
	table, err := bench.Find("gpu")
	if err != nil {
		t.Fatal(err)
	}
	inst, err := datasets.Load("rand-60-1")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, r := range table.Rows {
		if r.Backend != "cuda" {
			t.Errorf("row %d is on %q", i+1, r.Backend)
		}
		key := fmt.Sprint(r.Solver, r.Variant, r.Params)
		if seen[key] {
			continue
		}
		seen[key] = true
		params := record.Values{}
		for k, v := range r.Params {
			params[k] = v
		}
		if v, ok := params["ants"].Float(); ok && v > 60 {
			params["ants"] = record.Num(60)
		}
		run, err := solvers.Open(
			solvers.Config{
				Solver: r.Solver, Variant: r.Variant, Instance: inst, Preset: r.Preset, Params: params,
			},
		)
		if err != nil {
			t.Errorf("row %d (%s %s/%s): %v", i+1, r.What, r.Solver, r.Variant, err)
			continue
		}
		run.Close()
	}
	if b, err := bench.Backends(table, "rwm lc pr1002"); err != nil ||
		!slices.Equal(b, []string{"cuda"}) {
		t.Errorf("backends %v, %v", b, err)
	}
	if _, err := bench.Backends(table, "nothing like it"); err == nil {
		t.Error("no row is meant, and no error")
	}
}

// A device's spans are asked of a run; the cpu has none.
func TestDeviceOnCPU(t *testing.T) {
	t.Parallel()
	out, err := bench.Run(t.Context(), bench.Table{Name: "spans", Rows: []bench.Row{{
		What: "construction", Solver: "mmas", Variant: "wrs", Instance: "rand-60-1",
		Stop: bench.Stop{Iterations: 2}, Measure: bench.Device, Span: "construct",
	}}}, bench.Options{})
	if err != nil || out[0].Err == nil ||
		!strings.Contains(out[0].Err.Error(), "no device times mmas/wrs on cpu") {
		t.Errorf("%v, %v", err, out[0].Err)
	}
}
