package ants

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// stand is a device whose walks take a known time for each shape, with a pacer.
type stand struct {
	pacer
	now     time.Duration
	marks   map[int]time.Duration
	shape   wave.Config
	adopted []wave.Config
	walks   int
	took    map[int]time.Duration // by threads of a block
	refuses map[int]bool          // shapes that are not taken
	fails   map[int]bool          // shapes that cannot be launched
}

func (s *stand) mark(i int) error { s.marks[i] = s.now; return nil }

func (s *stand) between(from, to int) (time.Duration, error) {
	return s.marks[to] - s.marks[from],
		nil
}

var errStand = errors.New("too many resources requested")

func newStand(own int, took map[int]time.Duration) *stand {
	s := &stand{
		marks: map[int]time.Duration{}, took: took, refuses: map[int]bool{},
		fails: map[int]bool{},
	}
	s.clock, s.what = s, func() string { return "construction" }
	s.pacer.own = func() wave.Config { return warpAnts(100, own) }
	s.shapes = func() []wave.Config { return blocksOf(100, 32) }
	s.adopt = func(c wave.Config) error {
		if s.refuses[c.Block/warpThreads] {
			return errStand
		}
		s.shape = c
		s.adopted = append(s.adopted, c)
		return nil
	}
	s.ask(0)
	s.setTrials(3)
	return s
}

// iterate is an iteration as base makes one: something, the walk, something.
func (s *stand) iterate(t *testing.T) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(s.settle())
	check(s.first())
	s.now += 5 * time.Microsecond
	before := s.walks
	check(s.pace(func() error {
		if s.fails[s.shape.Block/warpThreads] {
			return errStand
		}
		s.walks++
		s.now += s.took[s.shape.Block/warpThreads]
		return nil
	}))
	s.now += 2 * time.Microsecond
	check(s.last())
	check(s.read())
	if s.walks != before+1 {
		t.Fatalf("%d walks in an iteration", s.walks-before)
	}
}

func standTimes() map[int]time.Duration {
	out := map[int]time.Duration{}
	for _, c := range blocksOf(100, 32) {
		out[c.Block/warpThreads] = 100 * time.Microsecond
	}
	out[7] = 100 * time.Microsecond // the program's own
	out[6], out[8] = 80*time.Microsecond, 90*time.Microsecond
	return out
}

func TestWalksAreTuned(t *testing.T) {
	t.Parallel()
	s := newStand(7, standTimes())
	s.refuses[3], s.fails[12] = true, true
	iterations := 0
	for s.iterate(t); s.trying(); s.iterate(t) {
		iterations++
	}
	s.iterate(t)
	if s.shape != warpAnts(100, 6) || s.walks != iterations+2 {
		t.Errorf("%v after %d walks in %d iterations", s.shape, s.walks, iterations)
	}
	w := s.Waves()
	if len(w) != 1 || !w[0].Tuned || w[0].Config != warpAnts(100, 6) || w[0].What != "construction" {
		t.Fatalf("the table is %+v", w)
	}
	if first := w[0].Trials[0]; first.Config != warpAnts(100, 7) || len(first.Times) != 3 ||
		first.Median != 100*time.Microsecond {
		t.Errorf("first the program's own choice, three times: %+v", first)
	}
	for _, trial := range w[0].Trials {
		ants := trial.Config.Block / warpThreads
		if bad := ants == 3 || ants == 12; bad != errors.Is(trial.Err, errStand) ||
			bad != (len(trial.Times) == 0) {
			t.Errorf("%v: %+v", trial.Config, trial)
		}
		if ants > 6 && ants != 7 && ants != 8 && ants != 12 && len(trial.Times) != 2 {
			t.Errorf("%v was 1.25 times slower than the best and raced on: %v", trial.Config, trial.Times)
		}
	}
	// Another number of ants, or of trials, is another matter; the same is not.
	s.ask(0)
	s.setTrials(3)
	if s.tuner == nil {
		t.Error("what was found is forgotten")
	}
	s.again()
	s.iterate(t)
	if !s.trying() || s.shape != warpAnts(100, 7) {
		t.Errorf("nothing is tried: %v", s.shape)
	}
	// What is said is not tuned.
	s.ask(7)
	s.iterate(t)
	if w := s.Waves(); s.trying() || w[0].Tuned || w[0].Trials != nil ||
		w[0].Config != warpAnts(100, 7) {
		t.Errorf("tuned although warps is given: %+v", w)
	}
	s.ask(0)
	s.setTrials(0)
	s.iterate(t)
	if s.trying() || s.shape != warpAnts(100, 7) {
		t.Error("tuned without trials")
	}
}

// A local search is tuned when the walk is: its trials are the iterations after it.
func TestSearchesAreTuned(t *testing.T) {
	t.Parallel()
	s := newStand(7, standTimes())
	s.sought = func() int { return 40 }
	var launched []int
	for range 100 {
		if err := errors.Join(s.settle(), s.first(),
			s.pace(func() error { s.now += s.took[s.shape.Block/warpThreads]; return nil })); err != nil {
			t.Fatal(err)
		}
		if err := s.paceSearch(func(warps int) error {
			if s.trying() != (warps == 0) {
				t.Fatalf("%d warps while the walk is tried: %v", warps, s.trying())
			}
			if warps == 16 {
				return errStand
			}
			launched = append(launched, warps)
			s.now += time.Duration(100+max(warps, 6)-min(warps, 6)) * time.Microsecond
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.last(), s.read()); err != nil {
			t.Fatal(err)
		}
	}
	w := s.Waves()
	if len(w) != 2 || !w[0].Tuned || !w[1].Tuned || w[1].Config != blockAnts(40, 6) ||
		launched[99] != 6 ||
		s.loose() {
		t.Fatalf("%+v", w)
	}
	for _, trial := range w[1].Trials {
		if bad := trial.Config == blockAnts(40, 16); bad != errors.Is(trial.Err, errStand) {
			t.Errorf("%+v", trial)
		}
	}
	if s.again(); s.searchTuner != nil {
		t.Error("what was found is not forgotten")
	}
}

// Where none can be launched, the crew's own words are told; a crew that then finds another launch
// goes on.
func TestNoWalkIsTaken(t *testing.T) {
	t.Parallel()
	s := newStand(7, standTimes())
	for w := range s.took {
		s.refuses[w] = true
	}
	if err := s.settle(); !errors.Is(err, errStand) || s.trying() {
		t.Errorf("%v", err)
	}
	s.refuses[7] = false
	s.iterate(t)
	if s.shape != warpAnts(100, 7) {
		t.Errorf("%v", s.shape)
	}
}

func TestSpansOfIterations(t *testing.T) {
	t.Parallel()
	s := newStand(7, standTimes())
	s.setTrials(0)
	s.iterate(t)
	if s.Spans() != nil || s.loose() {
		t.Error("measured unasked")
	}
	s.Time(true)
	if !s.loose() {
		t.Error("the first one's parts are not measured")
	}
	s.iterate(t)
	s.iterate(t)
	want := []solvers.Span{
		{Name: "construct", Time: 100 * time.Microsecond},
		{Name: "iteration", Time: 107 * time.Microsecond},
	}
	if got := s.Spans(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	s.Time(false)
	if s.iterate(t); s.Spans() != nil || s.loose() {
		t.Error("still measured")
	}
}

// TestTabuLists holds the memory of an ant's tabu list with candidate lists to the paper's table 1,
// and the numbers of ants of a block to the shared memory that there is.
func TestTabuLists(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 198, 1002, 2392, 3795, 18512} {
		table1 := map[string]int{"lc": 4 * n, "ct": 2 * n, "bt": (n + 7) / 8}
		for tabu, want := range table1 {
			p := plan{tabu: tabu, n: n}
			if got := p.tabuBytes(); got < want || got > want+3 { // bits in whole words
				t.Errorf("%s takes %d bytes for %d cities, the paper has %d", tabu, got, n, want)
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
	if !seen[shape{1, 4}] || !seen[shape{16, 1}] || seen[shape{24, 1}] {
		t.Errorf("%v", seen)
	}
}

// TestTuning: on a device, with the tuner at work, every variant makes the CPU's tours, and in the
// end the tuner has chosen.
func TestTuning(t *testing.T) {
	device(t)
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
			var w []solvers.Wave
			untuned := func(w solvers.Wave) bool { return !w.Tuned }
			for it := 0; it < 6 || it < 20 && slices.ContainsFunc(w, untuned); it++ {
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
			local := !c.params["local_search"].IsZero()
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
