package host_test

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

func TestExperiments(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	l.do("open walk E1k.0 as a moves=1; step a 20; fork a as b moves=200")
	c := l.do("compare a b").(*reply.CompareReply)
	if len(c.Tests) != 0 || !strings.Contains(c.Note, "repeat a 10; repeat b 10") ||
		!slices.Equal(c.Sides[1].Changed, []string{"moves=200"}) {
		t.Errorf("compare without seeds: %+v", c)
	}
	l.do("open hill E1k.0 as h")
	if c := l.do("compare a h").(*reply.CompareReply); len(c.Sides[1].Changed) != 0 {
		t.Errorf("parameters of two solvers are compared: %v", c.Sides[1].Changed)
	}
	r := l.do("repeat a 6").(*reply.RepeatReply)
	if len(r.Results) != 6 || r.Results[0].Iteration != 20 || r.Results[5].Seed != 6 ||
		!(r.BestQ.Min <= r.BestQ.Median && r.BestQ.Median <= r.BestQ.Max) {
		t.Errorf("repeat: %+v", r)
	}
	if r.Results[0].Best != l.show("a").Best || r.Results[0].Digest != l.show("a").Digest {
		t.Errorf("the result of the run's own seed is %v, the run's %v", r.Results[0].Best,
			l.show("a").Best)
	}
	l.do("repeat b 6 n=10")
	if c := l.do("compare a b").(*reply.CompareReply); len(c.Tests) != 0 ||
		!strings.Contains(c.Note, "different budgets") {
		t.Errorf("compare over different budgets: %+v", c)
	}
	l.do("repeat b 6 n=20; repeat b 6 n=40")
	c = l.do("compare a b").(*reply.CompareReply) // over the budget that both have
	if len(c.Tests) != 1 || !(c.Tests[0].P < 0.05) || c.Tests[0].Effect != 0 ||
		!strings.Contains(c.Tests[0].Words, "b is better") || len(c.Assumed) == 0 ||
		c.Sides[1].IterQ.Median != 20 {
		t.Errorf("compare: %+v", c)
	}
	l.do("fork a as d moves=100; repeat d 6 n=20")
	c = l.do("compare a b d").(*reply.CompareReply) // several sides: a test of all first
	if len(c.Tests) != 3 || !strings.Contains(c.Overall, "Kruskal-Wallis") ||
		!strings.Contains(c.Tests[0].Words, "adjusted by Holm for 3 tests") ||
		!strings.Contains(c.String(), c.Overall) {
		t.Errorf("compare: %+v", c)
	}
	for line, want := range map[string]string{
		"repeat a 0":     "seeds is 0, want 1 to 10000",
		"repeat a 10001": "seeds is 10001, want 1 to 10000",
		"repeat a -1":    "seeds is -1, want 1 to 10000",
	} {
		l.fails(line, wire.CodeRequest, want)
	}
}

// The issue's own line: what a repeated run gave is in its file, and goes on from there.
func TestRepeatsAreSavedAndLoaded(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	file := filepath.Dir(l.o.StateDir) + "/p.run"
	l.do("open walk rand-30-1 as p seed=7; repeat p 5 n=40; save p " + file)
	m := start(t, options(t))
	m.do("load " + file + " as p; open walk rand-30-1 as q moves=1; repeat q 5 n=40")
	if c := m.do("compare p q").(*reply.CompareReply); len(c.Tests) != 1 || c.Sides[0].Seeds != 5 ||
		c.Note != "" {
		t.Errorf("compare in a new session: %+v", c)
	}
	// Without a budget it goes on as the last one did, with the seeds that are missing.
	r := m.do("repeat p 8").(*reply.RepeatReply)
	if len(r.Results) != 8 || r.Had != 5 || r.Wanted != 8 || r.Budget != "40 iterations" ||
		r.Results[7].Seed != 14 {
		t.Errorf("gone on: %+v", r)
	}
	if s := r.String(); !strings.Contains(s,
		"5 of them were made before, with the same parameters; 3 were missing") {
		t.Errorf("it does not say so: %s", s)
	}
	if r := m.do("repeat p 3").(*reply.RepeatReply); len(r.Results) != 8 || r.Had != 3 ||
		!strings.Contains(r.String(), "all of them were made before") {
		t.Errorf("nothing is missing: %v", r)
	}
	if r := m.do("repeat p 3 fresh").(*reply.RepeatReply); len(r.Results) != 8 || r.Had != 3 ||
		!strings.Contains(r.String(), "now again") {
		t.Errorf("anew: %v", r)
	}
	// Seeds of other parameters are kept apart, and do not count for what the run is now.
	m.do("set p moves=3")
	if c := m.do("compare p q").(*reply.CompareReply); len(c.Tests) != 0 || c.Sides[0].Seeds != 1 ||
		!strings.Contains(c.Note, "with other parameters than now") {
		t.Errorf("compare after set: %+v", c)
	}
	if r := m.do("repeat p 2").(*reply.RepeatReply); len(r.Results) != 2 || r.Had != 0 ||
		r.Apart != 8 ||
		!strings.Contains(r.String(), "8 seeds of other parameters or budgets are kept apart") {
		t.Errorf("with other parameters: %v", r)
	}
	s := m.do("seeds p").(*reply.SeedsReply)
	if len(s.Series) != 2 || !slices.Equal(s.Series[0].Changed, []string{"moves=10"}) ||
		len(s.Series[1].Changed) != 0 || s.Latest != 1 {
		t.Errorf("seeds: %+v", s)
	}
	if show := m.show("p"); len(show.Repeats) != 2 ||
		!strings.Contains(show.Repeats[0], "8 seeds, 40 iterations each, with moves=10: median ") {
		t.Errorf("show: %q", show.Repeats)
	}
	m.do("set p moves=10")
	if c := m.do("compare p q").(*reply.CompareReply); len(c.Tests) != 1 || c.Sides[0].Seeds != 8 {
		t.Errorf("compare with the parameters of before: %+v", c)
	}
	// All of it replays, and a seed that was tampered with is found.
	m.do("save p " + file)
	if r := m.do("replay " + file + " seeds").(*reply.ReplayReply); !r.Identical || r.Seeds != 10 {
		t.Errorf("replay: %+v", r)
	}
	rec, err := record.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rec.Repeats[0].Seeds[2].Digest++
	if err := rec.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	if r := m.do("replay " + file).(*reply.ReplayReply); !r.Identical || r.Seeds != 0 {
		t.Errorf("replay of the run alone: %+v", r)
	}
	if r := m.do("replay " + file + " seeds").(*reply.ReplayReply); r.Identical ||
		!strings.Contains(r.String(), "the repeat with seed 9, iteration 40: digest") {
		t.Errorf("replay of a seed that was tampered with: %v", r)
	}
}

// A host that ends leaves the seeds of a run that was never stepped.
func TestRepeatsAreRecovered(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	l.do("open walk rand-30-1 as p; repeat p 5 n=40")
	l.end()
	m := start(t, l.o)
	all := m.do("recover").(*reply.RecoverReply).Autosaves
	if len(all) != 1 || all[0].Run != "p" || all[0].Seeds != 5 {
		t.Fatalf("recover: %+v", all)
	}
	m.do("recover " + all[0].ID)
	if r := m.do("repeat p 6").(*reply.RepeatReply); r.Had != 5 || len(r.Results) != 6 {
		t.Errorf("gone on: %+v", r)
	}
}

// slow is a repeat that no test waits for to the end.
const slow = "open walk rand-20-1 as p delay=5; repeat p 9000 n=2"

// made waits until some seeds are made and reports how many.
func (l *lab) made(run string, least int) int {
	l.Helper()
	n := 0
	l.until("seeds", func() bool {
		s := l.do("seeds " + run).(*reply.SeedsReply)
		if len(s.Series) > 0 {
			n = len(s.Series[0].Results)
		}
		return n >= least
	})
	return n
}

// Who withdraws a repeat keeps what is finished.
func TestInterruptedRepeat(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := try(ctx, l.c, slow)
		failed <- err
	}()
	l.until("the run", func() bool { return len(l.do("runs").(*reply.RunsReply).Runs) == 1 })
	n := l.made("p", 3)
	cancel()
	if err := <-failed; err == nil {
		t.Error("it was made to the end")
	}
	l.until("its end", func() bool { return l.show("p").Repeat == nil })
	s := l.do("seeds p").(*reply.SeedsReply)
	got := len(s.Series[0].Results)
	if want := " seeds of p are kept, 2 iterations each: repeat goes on with the others"; got < n ||
		!strings.HasSuffix(s.Kept(), want) {
		t.Errorf("%d seeds are left of %d: %s", got, n, s.Kept())
	}
	had := 0 // of the first three: seeds are made side by side, and may end in another order
	for _, x := range s.Series[0].Results {
		if x.Seed <= 3 {
			had++
		}
	}
	r := l.do("repeat p 3").(*reply.RepeatReply)
	if r.Had != had || len(r.Results) != got+3-had {
		t.Errorf("%d of %d: gone on: %+v", had, got, r)
	}
}

func TestRepeatInTheBackground(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := l.c.Events(ctx, 0)
	if r := l.do(slow + " background").(*reply.RepeatReply); !r.Background || r.Wanted != 9000 ||
		r.Repeat == nil || len(r.Results) != 0 {
		t.Errorf("begun: %+v", r)
	}
	l.made("p", 2)
	runs := l.do("runs").(*reply.RunsReply)
	if p := runs.Runs[0].Repeat; p == nil || p.Seeds != 9000 || !(p.Done >= 2) || !(p.LeftS > 0) ||
		!p.Background || !strings.Contains(runs.String(), "/9000") {
		t.Errorf("runs: %+v, %s", p, runs)
	}
	l.fails("repeat p 3 background", wire.CodeRequest, "p is being repeated", "pause p ends that")
	l.do("step p 1; pause p")
	l.until("its end", func() bool { return l.show("p").Repeat == nil })
	// What it told: how far it was, how long the rest would take, and why it ended.
	far, note := false, ""
	for e, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		if part, ok := e.Part(); e.Kind == wire.EventProgress && e.Call == "" && ok && part > 0 &&
			e.Left() != "" {
			far = true
		}
		if e.Kind == wire.EventNotice {
			note = e.Note
			break
		}
	}
	if !far || !strings.Contains(note, "repeat: p: paused by test") ||
		!strings.Contains(note, "of 9000 seeds are made and kept") {
		t.Errorf("it told how far it was: %v; in the end: %s", far, note)
	}
	l.do("set p delay=0; repeat p 20 n=2 background")
	r := l.do("repeat p 20 n=2").(*reply.RepeatReply) // waits for it
	if len(r.Results) < 20 || r.Had != 20 {
		t.Errorf("waited for: %+v", r)
	}
	// One that is under way when its run is closed ends with it.
	l.do("repeat p 9000 n=3 background; close p; open walk rand-20-1 as p")
	if s := l.do("seeds p").(*reply.SeedsReply); len(s.Series) != 0 {
		t.Errorf("a new run of the name has seeds: %+v", s)
	}
}

// The seeds' costs are of the record, so a comparison of loaded runs is the same anywhere.
func TestUnequalCost(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := filepath.Dir(l.o.StateDir)
	for run, cost := range map[string]float64{"p": 0.05, "r": 0.9} {
		file := dir + "/" + run + ".run"
		l.do("open walk rand-30-1 as " + run + map[string]string{
			"p": " moves=1",
			"r": " moves=100",
		}[run] + "; repeat " + run + " 6 n=20; save " + run + " " + file +
			"; close " + run)
		rec, err := record.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rec.Repeats[0].Seeds {
			rec.Repeats[0].Seeds[i].CPU, rec.Repeats[0].Seeds[i].Wall = cost, 2*cost
		}
		if err := rec.WriteFile(file); err != nil {
			t.Fatal(err)
		}
		l.do("load " + file + " as " + run)
	}
	c := l.do("compare p r").(*reply.CompareReply)
	if len(c.Costs) != 1 || c.Costs[0].More != "r" || math.Abs(float64(c.Costs[0].Factor)-18) > 1e-9 {
		t.Fatalf("costs: %+v", c.Costs)
	}
	text := c.String()
	for _, want := range []string{
		"r is better after as many iterations, at 18 times the CPU time",
		"warning: the same 20 iterations cost r 18 times the CPU time of p: 900 ms against 50 ms; to " +
			"compare at equal cost: repeat p 10 0.9cpu; repeat r 10 0.9cpu",
		"(medians over the seeds of each)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %q", text, want)
		}
	}
	if html := c.HTML(); !strings.Contains(html, "18 times the CPU time of p") ||
		strings.Contains(html, "0.9cpu") {
		t.Errorf("HTML: %s", html)
	}
	// The columns are of the seeds, not of the runs, which were never stepped.
	rows := strings.Split(text, "\n")
	if head := strings.Fields(rows[0]); !slices.Equal(head[:7],
		[]string{"run", "solver", "instance", "seeds", "iterations", "best", "time"}) {
		t.Errorf("columns: %v", head)
	}
	if f := strings.Fields(rows[1]); !slices.Equal(f[3:5], []string{"6", "20"}) ||
		!slices.Equal(f[6:], []string{"100", "ms", "50", "ms"}) {
		t.Errorf("the side of p: %q", rows[1])
	}
	// The remedy is taken as it is written.
	l.do("repeat p 2 0.01cpu; repeat r 2 0.01cpu")
	if c := l.do("compare p r").(*reply.CompareReply); len(c.Costs) != 1 {
		t.Errorf("two seeds at equal cost are taken before six: %+v", c)
	}
	if p := c.Tests[0].P; !(p > 0 && p <= 1) || len(strings.TrimLeft(p.String(), "0.")) > 4 {
		t.Errorf("p is %v, want it rounded", p)
	}
}

// Seeds that were made after a save are autosaved at the end of the host.
func TestSeedsAfterASave(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	file := filepath.Dir(l.o.StateDir) + "/p.run"
	l.do("open walk rand-30-1 as p; repeat p 2 n=10; save p " + file +
		"; repeat p 4; open walk rand-30-1 as q; step q 5; save q " + file + "q")
	l.end()
	m := start(t, l.o)
	all := m.do("recover").(*reply.RecoverReply).Autosaves
	if len(all) != 1 || all[0].Run != "p" {
		t.Fatalf("recover: %+v", all)
	}
	rec, err := record.ReadFile(all[0].Path)
	if err != nil || rec.Seeds() != 4 {
		t.Errorf("%v: %d seeds", err, rec.Seeds())
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// A run that was repeated and never stepped has figures and a table of its seeds.
func TestSeedsAreDrawnAndExported(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := filepath.Dir(l.o.StateDir)
	l.do("open walk E1k.0 as p seed=7; open walk E1k.0 as q moves=1; repeat p 5 n=30; repeat q 5 n=30")
	words := func(figure string, runs ...string) string {
		var r reply.PlotReply
		if err := l.c.Do(t.Context(), "plot", wire.PlotRequest{
			Runs: runs, Figure: figure,
			Sink: &wire.Sink{Graphics: "none"},
		}, &r); err != nil {
			t.Fatal(err)
		}
		return string(r.Data)
	}
	for _, c := range []struct {
		figure string
		runs   []string
		want   []string
	}{
		{"", []string{"p"}, []string{
			"p: walk/swap on E1k.0, 5 seeds, 30 iterations each",
			"gap (%), median and quartiles: ", "median of the seeds: first ",
		}},
		{"best", []string{"p", "q"}, []string{
			"gap (%), median and quartiles: ", "\np: first ",
			"\nq: first ",
		}},
		{"band", []string{"p"}, []string{"p: median and quartiles of 5 seeds, 30 iterations each"}},
		{"box", []string{"p", "q"}, []string{
			"best of each seed, 30 iterations", "p: 5 seeds: least ",
			"q: 5 seeds: least ",
		}},
	} {
		got := words(c.figure, c.runs...)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("plot %s %v: %q\nlacks %q", c.figure, c.runs, got, w)
			}
		}
	}
	// Seeds of other parameters than now are not drawn as the run's.
	l.do("set q moves=2")
	if got := words("box", "p", "q"); strings.Contains(got, "q: ") {
		t.Errorf("a box of other parameters: %q", got)
	}
	read := func(path string) [][]string {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	if r := l.do("export p " + dir + "/p.csv").(*reply.FileReply); !strings.HasSuffix(r.String(),
		", 5 seeds") {
		t.Errorf("export: %s", r)
	}
	rows := read(dir + "/p.csv")
	if len(rows) != 6 ||
		!slices.Equal(rows[0][:9], []string{
			"run", "solver", "instance", "backend", "series", "budget",
			"seed", "iteration", "best",
		}) {
		t.Fatalf("rows: %v", rows)
	}
	seeds := l.do("seeds p").(*reply.SeedsReply).Series[0].Results
	for i, x := range seeds {
		want := []string{
			"p", "walk/swap", "E1k.0", "cpu", "1", "30 iterations", strconv.Itoa(7 + i),
			"30", x.Best.String(),
		}
		if !slices.Equal(rows[i+1][:9], want) {
			t.Errorf("row %d: %v, want %v", i+1, rows[i+1], want)
		}
	}
	// With iterations of its own the history comes first; series differ by their parameters.
	l.do("step p 10; set p moves=2; repeat p 2; export p " + dir + "/h.csv; export p " + dir +
		"/s.csv seeds")
	if rows := read(dir + "/h.csv"); len(rows) != 11 || rows[0][0] != "iteration" {
		t.Errorf("the history: %v", rows[0])
	}
	rows = read(dir + "/s.csv")
	if n := len(rows[0]); len(rows) != 8 || rows[0][n-1] != "moves" || rows[1][n-1] != "10" ||
		rows[7][n-1] != "2" || rows[7][4] != "2" {
		t.Errorf("two series: %v", rows)
	}
	l.fails("open walk E1k.0 as r; export r "+dir+"/r.csv seeds", wire.CodeRequest,
		"r was not repeated")
}

// Repeats of several runs follow each other, as each has all cores.
func TestRepeatsTakeTurns(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	l.do(slow + " background; open walk rand-20-1 as q; repeat q 3 n=2 background")
	l.until("q to wait", func() bool {
		r := l.show("q").Repeat
		return r != nil && r.Done == 0 &&
			strings.Contains(r.String(), "waits for the repeat of p (pause p ends it)")
	})
	l.do("open walk rand-20-1 as r; repeat r 3 n=2 background; pause r")
	l.until("r to give up", func() bool { return l.show("r").Repeat == nil })
	if n := len(l.do("seeds r").(*reply.SeedsReply).Series); n != 0 {
		t.Errorf("r has %d series", n)
	}
	l.do("pause p")
	if r := l.do("repeat q 3 n=2").(*reply.RepeatReply); len(r.Results) != 3 {
		t.Errorf("q: %+v", r)
	}
}
