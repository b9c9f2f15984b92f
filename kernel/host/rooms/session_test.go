package rooms_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// The fields of -json are there in every reply about a run, and what is not a number is
// null.
func TestCommonFields(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	l.Do("open walk rand-20-1 as a")
	for _, line := range []string{
		"open walk rand-20-1 as a", "show a", "params a", "best a", "history a", "journal a", "step a 5",
		"set a moves=4", "go a", "pause a", "plot a",
		"save a " + dir + "/x", "replay " + dir + "/x", "export a " + dir + "/y.csv", "repeat a 2",
		"fork a as b", "load " + dir + "/x as c", "close b",
	} {
		call, err := words.Parse(line, words.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := l.C.Raw(t.Context(), call.Verb.Name, call.Args)
		if err != nil {
			t.Fatal(line, err)
		}
		var m map[string]any
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(line, err)
		}
		for _, f := range []string{
			"verb", "run", "solver", "variant", "instance", "backend", "iteration",
			"best", "optimum", "gap", "wall_s", "cpu_s",
		} {
			if _, ok := m[f]; !ok {
				t.Errorf("%s: no field %q: %.200s", line, f, raw)
			}
		}
		if m["verb"] != call.Verb.Name || m["optimum"] != nil || m["gap"] != nil {
			t.Errorf("%s: verb %v, optimum %v, gap %v", line, m["verb"], m["optimum"], m["gap"])
		}
		if strings.Contains(string(raw), "\n") {
			t.Errorf("%s: more than one line", line)
		}
	}
}

func TestThread(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	open := l.Do("open walk rand-30-1 as a seed=7 moves=3").(*reply.OpenReply)
	if open.Run != "a" || open.Seed != 7 || open.Variant != "swap" || open.Best.Known() ||
		open.Attached {
		t.Errorf("open: %+v", open)
	}
	if s := l.Do("step a 50").(*reply.StepReply); s.Iteration != 50 || s.Made != 50 ||
		!s.Best.Known() || s.State != "paused" {
		t.Errorf("step: %+v", s)
	}
	set := l.Do("set a moves=5").(*reply.SetReply)
	if len(set.Changes) != 1 || set.After != 50 || set.String() != "a: moves 3 → 5 from iteration 51" {
		t.Errorf("set: %v", set)
	}
	if set := l.Do("set a moves=5").(*reply.SetReply); len(set.Changes) != 0 {
		t.Errorf("set to the same value: %v", set)
	}
	l.Do("step a 50")
	saved := l.Do("save a " + dir + "/a.run").(*reply.FileReply)
	if st, err := os.Stat(saved.Path); err != nil || st.Size() != saved.Bytes {
		t.Errorf("save: %v, %v", saved, err)
	}
	rep := l.Do("replay " + dir + "/a.run").(*reply.ReplayReply)
	if !rep.Identical || rep.FirstDifference != nil || rep.Iteration != 100 || rep.Verb != "replay" ||
		rep.Run != "a" {
		t.Errorf("replay: %+v", rep)
	}
	l.Do("step a 25; load " + dir + "/a.run as b; step b 25")
	if d := l.Do("diff a b").(*reply.DiffReply); !d.Identical || d.Shared != 125 {
		t.Errorf("a and b, loaded and stepped as far, differ: %v", d)
	}
	fork := l.Do("fork a as c moves=1 size=2").(*reply.OpenReply)
	if fork.Iteration != 125 || fork.Parent != "a" {
		t.Errorf("fork: %+v", fork)
	}
	l.Do("step c 30; step a 30")
	if d := l.Do("diff a c").(*reply.DiffReply); d.Identical || len(d.Fixed) > 0 &&
		d.FirstDifference == nil {
		t.Errorf("a and its fork with other parameters are the same: %+v", d)
	}
	h := l.Do("history a last=10").(*reply.HistoryReply)
	if len(h.Points) != 10 || h.Points[9].Iter != 155 || h.Names[0] != "half" ||
		h.Points[9].Measures[0] != 77.5 {
		t.Errorf("history: %+v", h)
	}
	if j := l.Do("journal a").(*reply.JournalReply); len(j.Changes) != 1 ||
		j.Changes[0].Who != "test" {
		t.Errorf("journal: %v", j)
	}
	l.Do("export a " + dir + "/a.csv")
	f, err := os.Open(dir + "/a.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 156 || !slices.Contains(rows[0], "half") {
		t.Errorf("export: %d rows, %v", len(rows), err)
	}
	best := l.Do("best a solution").(*reply.BestReply)
	if best.Solution == nil || len(best.Solution.Perm) != 30 || best.Value != l.Show("a").Best {
		t.Errorf("best: %+v", best)
	}
	runs := l.Do("runs").(*reply.RunsReply)
	if len(runs.Runs) != 3 || runs.Runs[2].Run != "c" || runs.Runs[0].Verb != "runs" {
		t.Errorf("runs: %v", runs)
	}
	for _, line := range []string{
		"params a", "devices", "about", "solvers", "solvers walk",
		"instances E1k", "instance E1k.0", "recover", "runs all",
	} {
		if s := l.Do(line).String(); s == "" {
			t.Errorf("%s prints nothing", line)
		}
	}
	if c := l.Do("close b").(*reply.RunReply); c.State != "closed" {
		t.Errorf("close: %+v", c)
	}
	l.Fails("step b 1", wire.CodeRun, `no run "b"`, "a, c")
}

func TestEveryVerbIsBound(t *testing.T) {
	t.Parallel()
	var specs []string
	for _, v := range wire.Verbs {
		if !v.Front {
			specs = append(specs, v.Name)
		}
	}
	slices.Sort(specs)
	if d := cmp.Diff(specs, host.Handled()); d != "" {
		t.Errorf("verbs of the table against handlers (-table +handlers):\n%s", d)
	}
}
