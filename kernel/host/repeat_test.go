package host_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers/record"
)

func TestExperiments(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk E1k.0 as a moves=1; step a 20; fork a as b moves=200")
	c := l.Do("compare a b").(*reply.CompareReply)
	if len(c.Tests) != 0 || !strings.Contains(c.Note, "repeat a 10 n=20; repeat b 10 n=20") ||
		!slices.Equal(c.Sides[1].Changed, []string{"moves=200"}) {
		t.Errorf("compare without seeds: %+v", c)
	}
	l.Do("open hill E1k.0 as h")
	if c := l.Do("compare a h").(*reply.CompareReply); len(c.Sides[1].Changed) != 0 {
		t.Errorf("parameters of two solvers are compared: %v", c.Sides[1].Changed)
	}
	r := l.Do("repeat a 6").(*reply.RepeatReply)
	if len(r.Results) != 6 || r.Results[0].Iteration != 20 || r.Results[5].Seed != 6 ||
		!(r.BestQ.Min <= r.BestQ.Median && r.BestQ.Median <= r.BestQ.Max) {
		t.Errorf("repeat: %+v", r)
	}
	if r.Results[0].Best != l.Show("a").Best || r.Results[0].Digest != l.Show("a").Digest {
		t.Errorf("the result of the run's own seed is %v, the run's %v", r.Results[0].Best,
			l.Show("a").Best)
	}
	l.Do("repeat b 6 n=10")
	if c = l.Do("compare a b").(*reply.CompareReply); len(c.Tests) != 0 ||
		!strings.Contains(c.Note, "different budgets") {
		t.Errorf("compare over different budgets: %+v", c)
	}
	_, hint, _ := strings.Cut(c.Note, "type: ")
	if c := l.Do("compare a b").(*reply.CompareReply); !strings.HasSuffix(c.Note,
		"type: repeat b 10 n=20") {
		t.Errorf("what compare says to type: %s", c.Note)
	}
	l.Do(hint + "; repeat b 6 n=40")
	if hint = "compare a b"; len(l.Do(hint).(*reply.CompareReply).Tests) != 1 {
		t.Error("what compare said to type leads to no test")
	}
	c = l.Do("compare a b").(*reply.CompareReply) // over the budget that both have
	if len(c.Tests) != 1 || !(c.Tests[0].P < 0.05) || c.Tests[0].Effect != 0 ||
		!strings.Contains(c.Tests[0].Words, "b is better") || len(c.Assumed) == 0 ||
		c.Sides[1].IterQ.Median != 20 {
		t.Errorf("compare: %+v", c)
	}
	l.Do("fork a as d moves=100; repeat d 6 n=20")
	c = l.Do("compare a b d").(*reply.CompareReply) // several sides: a test of all first
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
		l.Fails(line, wire.CodeRequest, want)
	}
}

// The issue's own line: what a repeated run gave is in its file, and goes on from there.
func TestRepeatsAreSavedAndLoaded(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	file := filepath.Dir(l.O.StateDir) + "/p.run"
	l.Do("open walk rand-30-1 as p seed=7; repeat p 5 n=40; save p " + file)
	m := start(t, hosttest.Options(t))
	m.Do("load " + file + " as p; open walk rand-30-1 as q moves=1; repeat q 5 n=40")
	if c := m.Do("compare p q").(*reply.CompareReply); len(c.Tests) != 1 || c.Sides[0].Seeds != 5 ||
		c.Note != "" {
		t.Errorf("compare in a new session: %+v", c)
	}
	// Without a budget it goes on as the last one did, with the seeds that are missing.
	r := m.Do("repeat p 8").(*reply.RepeatReply)
	if len(r.Results) != 8 || r.Had != 5 || r.Wanted != 8 || r.Budget != "40 iterations" ||
		r.Results[7].Seed != 14 {
		t.Errorf("gone on: %+v", r)
	}
	if s := r.String(); !strings.Contains(s,
		"5 of them were made before, with the same parameters; 3 were missing") {
		t.Errorf("it does not say so: %s", s)
	}
	if r := m.Do("repeat p 3").(*reply.RepeatReply); len(r.Results) != 8 || r.Had != 3 ||
		!strings.Contains(r.String(), "all of them were made before") {
		t.Errorf("nothing is missing: %v", r)
	}
	if r := m.Do("repeat p 3 fresh").(*reply.RepeatReply); len(r.Results) != 8 || r.Had != 3 ||
		!strings.Contains(r.String(), "now again") {
		t.Errorf("anew: %v", r)
	}
	// Seeds of other parameters are kept apart, and do not count for what the run is now.
	m.Do("set p moves=3")
	if c := m.Do("compare p q").(*reply.CompareReply); len(c.Tests) != 0 || c.Sides[0].Seeds != 1 ||
		!strings.Contains(c.Note, "with other parameters than now") {
		t.Errorf("compare after set: %+v", c)
	}
	if r := m.Do("repeat p 2").(*reply.RepeatReply); len(r.Results) != 2 || r.Had != 0 ||
		r.Apart != 8 ||
		!strings.Contains(r.String(), "8 seeds of other parameters or budgets are kept apart") {
		t.Errorf("with other parameters: %v", r)
	}
	s := m.Do("seeds p").(*reply.SeedsReply)
	if len(s.Series) != 2 || !slices.Equal(s.Series[0].Changed, []string{"moves=10"}) ||
		len(s.Series[1].Changed) != 0 || s.Latest != 1 {
		t.Errorf("seeds: %+v", s)
	}
	if show := m.Show("p"); len(show.Repeats) != 2 ||
		!strings.Contains(show.Repeats[0], "8 seeds, 40 iterations each, with moves=10: median ") {
		t.Errorf("show: %q", show.Repeats)
	}
	m.Do("set p moves=10")
	if c := m.Do("compare p q").(*reply.CompareReply); len(c.Tests) != 1 || c.Sides[0].Seeds != 8 {
		t.Errorf("compare with the parameters of before: %+v", c)
	}
	// All of it replays, and a seed that was tampered with is found.
	m.Do("save p " + file)
	if r := m.Do("replay " + file + " seeds").(*reply.ReplayReply); !r.Identical || r.Seeds != 10 {
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
	if r := m.Do("replay " + file + " differs").(*reply.ReplayReply); r.Identical || !r.Nothing ||
		!strings.Contains(r.String(), "nothing to compare: the record has no points; 10 seeds of its "+
			"repeats were not made again: replay "+file+" seeds makes them too") {
		t.Errorf("replay of the run alone: %s", r)
	} else if c, err := words.Parse("replay "+file, words.Scope{Dir: "/"}); err != nil ||
		!strings.Contains(c.Parted(r).Error(), "nothing could be compared") {
		t.Errorf("it is no error: %v", c.Parted(r))
	}
	if r := m.Do("replay " + file + " seeds").(*reply.ReplayReply); r.Identical ||
		!strings.Contains(r.String(), "the repeat with seed 9, iteration 40: digest") {
		t.Errorf("replay of a seed that was tampered with: %v", r)
	}
}

// The answer of a repeat says which changes of the run the seeds do not make, and how they do.
func TestRepeatOfAChangedRun(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-30-1 as p moves=3; step p 20; set p moves=5; step p 20")
	r := l.Do("repeat p 3").(*reply.RepeatReply)
	if !strings.Contains(r.String(), "p was changed (moves=5 after iteration 20), and these seeds "+
		"have its present parameters from iteration 1 on; to have them make its changes: repeat p 3 "+
		"changes") {
		t.Errorf("it does not say so: %s", r)
	}
	r = l.Do("repeat p 3 changes").(*reply.RepeatReply)
	if r.Had != 0 || r.Results[0].Digest != l.Show("p").Digest || len(r.Unmade) != 0 ||
		!strings.Contains(r.String(), "with its changes") {
		t.Errorf("with its changes: %s", r)
	}
	l.Do("step p 5; fork p as q seed=9; step q 5")
	l.Fails("repeat q 3 changes", wire.CodeRequest,
		"no run makes the fork after iteration 45 (seed=9)", "without the word changes")
}

// A host that ends leaves the seeds of a run that was never stepped.
func TestRepeatsAreRecovered(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-30-1 as p; repeat p 5 n=40")
	l.End()
	m := start(t, l.O)
	all := m.Do("recover").(*reply.RecoverReply).Autosaves
	if len(all) != 1 || all[0].Run != "p" || all[0].Seeds != 5 {
		t.Fatalf("recover: %+v", all)
	}
	m.Do("recover " + all[0].ID)
	if r := m.Do("repeat p 6").(*reply.RepeatReply); r.Had != 5 || len(r.Results) != 6 {
		t.Errorf("gone on: %+v", r)
	}
}

// slow is a repeat that no test waits for to the end.
const slow = "open walk rand-20-1 as p delay=5; repeat p 9000 n=2"

// made waits until some seeds are made and reports how many.
func (l *lab) made(run string, least int) int {
	l.Helper()
	n := 0
	l.Until("seeds", func() bool {
		s := l.Do("seeds " + run).(*reply.SeedsReply)
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
	l := start(t, hosttest.Options(t))
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := hosttest.Try(ctx, l.C, slow)
		failed <- err
	}()
	l.Until("the run", func() bool { return len(l.Do("runs").(*reply.RunsReply).Runs) == 1 })
	n := l.made("p", 3)
	cancel()
	if err := <-failed; err == nil {
		t.Error("it was made to the end")
	}
	l.Until("its end", func() bool { return l.Show("p").Repeat == nil })
	s := l.Do("seeds p").(*reply.SeedsReply)
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
	r := l.Do("repeat p 3").(*reply.RepeatReply)
	if r.Had != had || len(r.Results) != got+3-had {
		t.Errorf("%d of %d: gone on: %+v", had, got, r)
	}
}

func TestRepeatInTheBackground(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := l.C.Events(ctx, 0)
	if r := l.Do(slow + " background").(*reply.RepeatReply); !r.Background || r.Wanted != 9000 ||
		r.Repeat == nil || len(r.Results) != 0 {
		t.Errorf("begun: %+v", r)
	}
	l.made("p", 2)
	runs := l.Do("runs").(*reply.RunsReply)
	if p := runs.Runs[0].Repeat; p == nil || p.Seeds != 9000 || !(p.Done >= 2) || !(p.LeftS > 0) ||
		!p.Background || !strings.Contains(runs.String(), "/9000") {
		t.Errorf("runs: %+v, %s", p, runs)
	}
	l.Fails("repeat p 3 background", wire.CodeRequest, "p is being repeated", "pause p ends that")
	l.Do("step p 1; pause p")
	l.Until("its end", func() bool { return l.Show("p").Repeat == nil })
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
	l.Do("set p delay=0; repeat p 20 n=2 background")
	r := l.Do("repeat p 20 n=2").(*reply.RepeatReply) // waits for it
	if len(r.Results) < 20 || r.Had != 20 {
		t.Errorf("waited for: %+v", r)
	}
	// One that is under way when its run is closed ends with it.
	l.Do("repeat p 9000 n=3 background; close p; open walk rand-20-1 as p")
	if s := l.Do("seeds p").(*reply.SeedsReply); len(s.Series) != 0 {
		t.Errorf("a new run of the name has seeds: %+v", s)
	}
}

// The seeds' costs are of the record, so a comparison of loaded runs is the same anywhere.
func TestUnequalCost(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	for run, cost := range map[string]float64{"p": 0.05, "r": 0.9} {
		file := dir + "/" + run + ".run"
		l.Do("open walk rand-30-1 as " + run + map[string]string{
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
		l.Do("load " + file + " as " + run)
	}
	c := l.Do("compare p r").(*reply.CompareReply)
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
	l.Do("repeat p 2 0.01cpu; repeat r 2 0.01cpu")
	if c := l.Do("compare p r").(*reply.CompareReply); len(c.Costs) != 1 {
		t.Errorf("two seeds at equal cost are taken before six: %+v", c)
	}
	if p := c.Tests[0].P; !(p > 0 && p <= 1) || len(strings.TrimLeft(p.String(), "0.")) > 4 {
		t.Errorf("p is %v, want it Rounded", p)
	}
}

// Seeds that were made after a save are autosaved at the end of the host.
func TestSeedsAfterASave(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	file := filepath.Dir(l.O.StateDir) + "/p.run"
	l.Do("open walk rand-30-1 as p; repeat p 2 n=10; save p " + file +
		"; repeat p 4; open walk rand-30-1 as q; step q 5; save q " +
		filepath.Dir(l.O.StateDir) + "/q.run")
	l.End()
	m := start(t, l.O)
	all := m.Do("recover").(*reply.RecoverReply).Autosaves
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

// Repeats of several runs follow each other, as each has all cores.
func TestRepeatsTakeTurns(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do(slow + " background; open walk rand-20-1 as q; repeat q 3 n=2 background")
	l.Until("q to wait", func() bool {
		r := l.Show("q").Repeat
		return r != nil && r.Done == 0 &&
			strings.Contains(r.String(), "waits for the repeat of p (pause p ends it)")
	})
	l.Do("open walk rand-20-1 as r; repeat r 3 n=2 background; pause r")
	l.Until("r to give up", func() bool { return l.Show("r").Repeat == nil })
	if n := len(l.Do("seeds r").(*reply.SeedsReply).Series); n != 0 {
		t.Errorf("r has %d series", n)
	}
	l.Do("pause p")
	if r := l.Do("repeat q 3 n=2").(*reply.RepeatReply); len(r.Results) != 3 {
		t.Errorf("q: %+v", r)
	}
}
