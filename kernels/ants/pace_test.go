package ants

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestTabuLists holds the memory of an ant's tabu list to the paper's table 1, with candidate lists
// and without, and the numbers of ants of a block to the shared memory that there is.
func TestTabuLists(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 198, 1002, 2392, 3795, 18512} {
		table1 := map[string]int{"lc": 4 * n, "ct": 2 * n, "bt": (n + 7) / 8}
		for tabu, want := range table1 {
			p := plan{tabu: tabu, n: n}
			if got := p.tabuBytes(); got < want || got > want+3 { // bits in whole words
				t.Errorf("%s takes %d bytes for %d cities, the paper has %d", tabu, got, n, want)
			}
			if got := (plan{tabu: tabu, n: n, all: true}).tabuBytes(); got != p.tabuBytes() {
				t.Errorf("%s takes %d bytes for %d cities without lists, want %d", tabu, got, n, p.tabuBytes())
			}
			const most = 227 << 10
			for _, c := range append(p.shapes(5000, most), p.shapeFor(0, 5000, 132, most).config(5000),
				p.shapeFor(32, 5000, 132, most).config(5000)) {
				s := shapeOf(c, 5000)
				if used := p.shared(s, formLists); used > most || s.ants < 1 || s.warps != 1 {
					t.Errorf("%s, %d cities: %+v takes %d bytes", tabu, n, s, used)
				}
			}
		}
	}
	for _, c := range []struct {
		p    plan
		want string
	}{
		{plan{tabu: "lc", n: 60000}, "ants: tabu is lc, which takes 240000 bytes of shared memory " +
			"an ant in 60000 cities, and a block has 232448: use tabu=bt, or backend cpu"},
		{plan{tabu: "ct", n: 65536}, "ants: tabu is ct, whose numbers of 16 bits hold 65535 cities at " +
			"most, and there are 65536: use tabu=bt, or backend cpu"},
		{plan{tabu: "bt", n: 65536}, ""},
		{plan{tabu: "lc", n: 18512}, ""},
	} {
		got := ""
		if err := c.p.room(227 << 10); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}

func TestShapesOfRows(t *testing.T) {
	t.Parallel()
	p := plan{all: true, tabu: "lc", n: 1000}
	seen := map[shape]bool{}
	for _, c := range p.shapes(500, 20*p.share()) {
		s := shapeOf(c, 500)
		if s.config(500) != c || seen[s] || s.ants*s.warps < 1 || s.ants > 20 {
			t.Errorf("%v is %+v is %v", c, s, s.config(500))
		}
		seen[s] = true
	}
	if !seen[shape{16, 1}] || seen[shape{24, 1}] {
		t.Errorf("%v", seen)
	}
	for warps := 1; warps <= 10; warps++ { // those of the paper's table 4
		if !seen[shape{1, warps}] {
			t.Errorf("%d warps an ant are not tried", warps)
		}
	}
}

// TestTuning: on a device, with the tuner at work, every variant makes the CPU's tours, and in the
// end the tuner has chosen.
func TestTuning(t *testing.T) {
	gputest.Need(t)
	inst, err := datasets.Load("rand-300-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		variant string
		params  record.Values
	}{
		{"mmas/wrs", nil},
		{"mmas/wrs", record.Values{"local_search": record.Text("2opt-rounds")}},
		{"as/wrs", nil},
		{"mmas/rows", params("candidates", 0)},
		{"mmas/rows", record.Values{
			"selection": record.Text("rwm"), "tabu": record.Text("bt"),
			"candidates": record.Num(0),
		}},
		{"mmas/rows", record.Values{"selection": record.Text("rwm")}},
		{"mmas/rows", record.Values{"local_search": record.Text("2opt-plain")}},
		{"mmas/thin", nil},
		{"acs/lockstep", nil},
		{"acs/spm-sync", nil},
		{"acs/alt", nil},
		{"acs/spm", nil},
	} {
		t.Run(fmt.Sprint(c.variant, c.params), func(t *testing.T) {
			var runs [2]*solvers.Run
			for i, backend := range []string{"cpu", "cuda"} {
				solver, variant, _ := strings.Cut(c.variant, "/")
				v, err := solvers.Find(solver, variant, backend)
				if err != nil {
					t.Skip(err)
				}
				if !v.Deterministic && runs[0] != nil { // ants that race make tours of their own
					runs[0].Close()
					runs[0] = nil
				}
				if runs[i], err = solvers.Open(solvers.Config{
					Name: "tuning", Solver: solver, Variant: variant,
					Backend: backend, Instance: inst, Seed: 5, Params: c.params,
				}); err != nil {
					t.Fatal(err)
				}
				defer runs[i].Close()
			}
			local := !c.params["local_search"].IsZero()
			var w []solvers.Wave
			untuned := func(w solvers.Wave) bool { return !w.Tuned }
			// The local search is listed once the construction is tuned, after which it begins.
			for it := 0; it < 6 ||
				it < 40 && (local && len(w) < 2 || slices.ContainsFunc(w, untuned)); it++ {
				step(t, runs[1], 10)
				if w, err = runs[1].Waves(t.Context()); err != nil {
					t.Fatal(err)
				}
				if runs[0] == nil {
					continue
				}
				if step(t, runs[0], 10); runs[0].Last().Digest != runs[1].Last().Digest {
					t.Fatalf("they part before iteration %d", runs[1].Last().Iter)
				}
			}
			if len(w) == 0 || local != (len(w) == 2) {
				t.Fatalf("not tuned: %+v", w)
			}
			for _, w := range w {
				if !w.Tuned {
					t.Errorf("%s is not tuned", w.What)
				}
				t.Logf("%s: %v", w.What, w.Config)
				for _, trial := range w.Trials {
					t.Logf("  %v: %v %v", trial.Config, trial.Median, trial.Err)
				}
			}
			held := slices.IndexFunc(gpu.Holdings(0),
				func(h gpu.Holding) bool { return h.Holder == "run "+runs[1].Name() })
			if held < 0 {
				t.Error("the run holds no memory")
			} else if h := gpu.Holdings(0)[held]; !local && h.Claimed < h.Held-h.Held/10-1<<16 ||
				h.Claimed > h.Held+h.Held/10+1<<16 {
				t.Errorf("%d bytes were asked for, and %d are held", h.Claimed, h.Held)
			}
			if err := runs[1].Time(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			step(t, runs[1], 2)
			spans, err := runs[1].Spans(t.Context())
			if err != nil || len(spans) < 2 {
				t.Errorf("spans %v, %v", spans, err)
			}
			t.Logf("%v", spans)
		})
	}
}
