package ants_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// six are the choices of the paper.
var six = func() (list []record.Values) {
	for _, selection := range []string{"rwm", "wrs"} {
		for _, tabu := range []string{"lc", "ct", "bt"} {
			list = append(list, record.Values{
				"selection": record.Text(selection),
				"tabu":      record.Text(tabu),
			})
		}
	}
	return list
}()

// with adds parameters to a copy of v.
func with(v record.Values, name string, x record.Value) record.Values {
	out := record.Values{name: x}
	for k, old := range v {
		if k != name {
			out[k] = old
		}
	}
	return out
}

var rowsVariant = [2]string{"mmas", "rows"}

func TestConformRows(t *testing.T) {
	t.Parallel()
	num, text := record.Num, record.Text
	for i, v := range six {
		for _, k := range []float64{0, 7} {
			if k > 0 && i != 0 && i != 5 {
				continue // with lists the tabu list changes nothing
			}
			v := with(with(v, "candidates", num(k)), "ants", num(4))
			if i%2 == 0 && k > 0 {
				v["storage"] = text("matrix")
			}
			t.Run(fmt.Sprint(v), func(t *testing.T) {
				t.Parallel()
				conform.Check(t, conform.Case{
					Solver: "mmas", Variant: "rows", Instance: uniform(t, 40), Seed: 11, Iterations: 12,
					Params: v, Trials: 4,
					Ranges: map[string][2]float64{"ants": {1, 6}},
					Structural: []record.Values{
						{"candidates": num(3), "storage": text("candidates")},
						{"candidates": num(36)},
						{"candidates": num(0)},
						{"selection": text("rwm"), "tabu": text("bt")},
						{"selection": text("wrs"), "tabu": text("lc"), "storage": text("matrix")},
					},
				})
			})
		}
	}
}

// last makes n iterations and returns the last point.
func last(t *testing.T, inst datasets.Instance, ps record.Values, n int) record.Point {
	t.Helper()
	return step(t, openVariant(t, rowsVariant, solvers.Config{Instance: inst, Params: ps}), n)
}

// TestRowsThatAgree: what is said to make the same tours does.
func TestRowsThatAgree(t *testing.T) {
	t.Parallel()
	num, text := record.Num, record.Text
	inst := uniform(t, 150)
	for _, selection := range []string{"rwm", "wrs", "groups"} {
		v := record.Values{"selection": text(selection), "ants": num(6)}
		digest := func(tabu string, candidates float64, storage string) uint64 {
			return last(t, inst, with(with(with(v, "tabu", text(tabu)), "candidates", num(candidates)),
				"storage", text(storage)), 6).Digest
		}
		if a, b := digest("lc", 0, "matrix"), digest("ct", 0, "candidates"); a != b {
			t.Errorf("%s without lists: lc has %x, ct %x", selection, a, b)
		}
		if a, b := digest("lc", 0, "matrix"), digest("bt", 0, "matrix"); a == b {
			t.Errorf("%s without lists: lc and bt have the same tours", selection)
		}
		for _, k := range []float64{8, 40} {
			for _, storage := range []string{"matrix", "candidates"} {
				if a, b, c := digest("lc", k, storage), digest("ct", k, storage),
					digest("bt", k, storage); a != b || b != c {
					t.Errorf("%s with %v candidates and storage %s: lc has %x, ct %x, bt %x", selection, k,
						storage, a, b, c)
				}
			}
		}
	}
	// With beta=0 their different visibilities are nothing.
	ps := record.Values{"ants": num(6), "candidates": num(9), "beta": num(0)}
	a := step(t, openVariant(t, crews[0], solvers.Config{Instance: inst, Params: ps}), 6)
	if b := last(t, inst, ps, 6); a.Digest != b.Digest {
		t.Errorf("mmas/wrs has %x, mmas/rows with wrs and its lists %x", a.Digest, b.Digest)
	}
}

// TestRowsDigests holds the tours to what they were when the variant was written.
func TestRowsDigests(t *testing.T) {
	conform.Brief(t, "digests are the same with the race detector")
	t.Parallel()
	inst := uniform(t, 300) // two segments of weights
	for i, want := range []uint64{
		0xdca8d59072527790, 0xdca8d59072527790, 0xdec64a6dd3e8c462,
		0xd8bdf67be6279fbb, 0xd8bdf67be6279fbb, 0xed7cd2dc4fccd918,
		0x987b9f34cd54becc, 0x987b9f34cd54becc, 0x42ee19704f0feb4b,
	} {
		ps := with(six[i%6], "candidates", record.Num(0))
		if i > 5 { // those of ours
			ps = with(ps, "selection", record.Text("groups"))
		}
		if got := last(t, inst, with(ps, "ants", record.Num(5)), 20).Digest; got != want {
			t.Errorf("%v: digest %#x, want %#x", ps, got, want)
		}
	}
}

// TestRowsFindOptimum: the way round, which is easy, from all choices.
func TestRowsFindOptimum(t *testing.T) {
	conform.Brief(t, "ants search until they find the optimum")
	t.Parallel()
	inst, best := circle(t, 40)
	for _, v := range six {
		for _, k := range []float64{0, 4, 35} {
			ps := with(with(v, "candidates", record.Num(k)), "ants", record.Num(20))
			if p := last(t, inst, ps, 120); p.Best != best {
				t.Errorf("%v: best is %v, the way round has %v", ps, p.Best, best)
			}
		}
	}
}

// TestRowsSmall looks at instances smaller than lists, and at parameters' ends.
func TestRowsSmall(t *testing.T) {
	t.Parallel()
	num := record.Num
	try := func(n int, ps record.Values) {
		r := openVariant(t, rowsVariant, solvers.Config{Instance: uniform(t, n), Params: ps})
		step(t, r, 12)
		if _, err := r.Best(t.Context()); err != nil {
			t.Errorf("%d cities, %v: %v", n, ps, err)
		}
	}
	for _, v := range six {
		for n := 1; n <= 6; n++ {
			try(n, with(with(v, "ants", num(3)), "candidates", num(0)))
			try(n, with(with(v, "ants", num(2)), "candidates", num(1)))
		}
		v := with(with(v, "candidates", num(0)), "ants", num(3))
		try(60, with(with(v, "alpha", num(10)), "beta", num(20)))
		try(60, with(with(v, "rho", num(0)), "alpha", num(0.5)))
		try(60, with(with(v, "deposit", record.Text("best")), "beta", num(0)))
		try(60, with(with(with(v, "reset", num(1)), "best_period", num(1)), "p_best", num(1)))
	}
}

// TestRowsRefuses: an instance too large is refused with what to do.
func TestRowsRefuses(t *testing.T) {
	t.Parallel()
	_, err := solvers.Open(solvers.Config{
		Solver: "mmas", Variant: "rows", Instance: uniform(t, 18919), Seed: 1,
		Params: record.Values{"candidates": record.Num(0)},
	})
	if err == nil || !strings.Contains(err.Error(), "18919 cities") ||
		!strings.Contains(err.Error(), "lists") {
		t.Errorf("18919 cities without lists: %v", err)
	}
}

// The roulette wheel over a bit mask and over lists of 32, beside a reservoir over a
// compact list: three of the paper's algorithms from one seed.
func Example_rows() {
	inst, err := datasets.Load("E1k.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, ps := range []record.Values{
		{"selection": record.Text("rwm"), "tabu": record.Text("bt"), "candidates": record.Num(0)},
		{"selection": record.Text("rwm"), "tabu": record.Text("lc"), "candidates": record.Num(32)},
		{"selection": record.Text("wrs"), "tabu": record.Text("ct"), "candidates": record.Num(0)},
	} {
		ps["ants"] = record.Num(8)
		run, err := solvers.Open(solvers.Config{
			Solver: "mmas", Variant: "rows", Instance: inst,
			Seed: 42, Params: ps,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := run.Step(context.Background(), 2); err != nil {
			fmt.Println(err)
		}
		fmt.Println(run.Last().Iter, math.Trunc(run.Last().Best/run.Last().Mean*10))
		run.Close()
	}
	// Output:
	// 2 9
	// 2 9
	// 2 9
}
