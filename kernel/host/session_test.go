package host_test

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
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

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

func TestThread(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := filepath.Dir(l.o.StateDir)
	open := l.do("open walk rand-30-1 as a seed=7 moves=3").(*reply.OpenReply)
	if open.Run != "a" || open.Seed != 7 || open.Variant != "swap" || open.Best.Known() ||
		open.Attached {
		t.Errorf("open: %+v", open)
	}
	if s := l.do("step a 50").(*reply.StepReply); s.Iteration != 50 || s.Made != 50 ||
		!s.Best.Known() || s.State != "paused" {
		t.Errorf("step: %+v", s)
	}
	set := l.do("set a moves=5").(*reply.SetReply)
	if len(set.Changes) != 1 || set.After != 50 || set.String() != "a: moves 3 → 5 from iteration 51" {
		t.Errorf("set: %v", set)
	}
	if set := l.do("set a moves=5").(*reply.SetReply); len(set.Changes) != 0 {
		t.Errorf("set to the same value: %v", set)
	}
	l.do("step a 50")
	saved := l.do("save a " + dir + "/a.run").(*reply.FileReply)
	if st, err := os.Stat(saved.Path); err != nil || st.Size() != saved.Bytes {
		t.Errorf("save: %v, %v", saved, err)
	}
	rep := l.do("replay " + dir + "/a.run").(*reply.ReplayReply)
	if !rep.Identical || rep.FirstDifference != nil || rep.Iteration != 100 || rep.Verb != "replay" ||
		rep.Run != "a" {
		t.Errorf("replay: %+v", rep)
	}
	l.do("step a 25; load " + dir + "/a.run as b; step b 25")
	if d := l.do("diff a b").(*reply.DiffReply); !d.Identical || d.Shared != 125 {
		t.Errorf("a and b, loaded and stepped as far, differ: %v", d)
	}
	fork := l.do("fork a as c moves=1 size=2").(*reply.OpenReply)
	if fork.Iteration != 125 || fork.Parent != "a" {
		t.Errorf("fork: %+v", fork)
	}
	l.do("step c 30; step a 30")
	if d := l.do("diff a c").(*reply.DiffReply); d.Identical || len(d.Fixed) > 0 &&
		d.FirstDifference == nil {
		t.Errorf("a and its fork with other parameters are the same: %+v", d)
	}
	h := l.do("history a last=10").(*reply.HistoryReply)
	if len(h.Points) != 10 || h.Points[9].Iter != 155 || h.Names[0] != "half" ||
		h.Points[9].Measures[0] != 77.5 {
		t.Errorf("history: %+v", h)
	}
	if j := l.do("journal a").(*reply.JournalReply); len(j.Changes) != 1 ||
		j.Changes[0].Who != "test" {
		t.Errorf("journal: %v", j)
	}
	l.do("export a " + dir + "/a.csv")
	f, err := os.Open(dir + "/a.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 156 || !slices.Contains(rows[0], "half") {
		t.Errorf("export: %d rows, %v", len(rows), err)
	}
	best := l.do("best a solution").(*reply.BestReply)
	if best.Solution == nil || len(best.Solution.Perm) != 30 || best.Value != l.show("a").Best {
		t.Errorf("best: %+v", best)
	}
	runs := l.do("runs").(*reply.RunsReply)
	if len(runs.Runs) != 3 || runs.Runs[2].Run != "c" || runs.Runs[0].Verb != "runs" {
		t.Errorf("runs: %v", runs)
	}
	for _, line := range []string{
		"params a", "devices", "about", "solvers", "solvers walk",
		"instances E1k", "instance E1k.0", "recover", "runs all",
	} {
		if s := l.do(line).String(); s == "" {
			t.Errorf("%s prints nothing", line)
		}
	}
	if c := l.do("close b").(*reply.RunReply); c.State != "closed" {
		t.Errorf("close: %+v", c)
	}
	l.fails("step b 1", wire.CodeRun, `no run "b"`, "a, c")
}

// The fields of -json are there in every reply about a run, and what is not a number is
// null.
func TestCommonFields(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := filepath.Dir(l.o.StateDir)
	l.do("open walk rand-20-1 as a")
	for _, line := range []string{
		"open walk rand-20-1 as a", "show a", "params a", "best a", "history a", "journal a", "step a 5",
		"set a moves=4", "go a", "pause a", "plot a",
		"save a " + dir + "/x", "replay " + dir + "/x", "export a " + dir + "/y", "repeat a 2",
		"fork a as b", "load " + dir + "/x as c", "close b",
	} {
		call, err := words.Parse(line, words.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := l.c.Raw(t.Context(), call.Verb.Name, call.Args)
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

func TestOpenAttaches(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	l.do("open walk rand-20-1 as a seed=3 moves=4; step a 5; set a moves=9")
	r := l.do("open walk/swap rand-20-1 as a seed=3 moves=4 on=cpu preset=default").(*reply.OpenReply)
	if !r.Attached || r.Iteration != 5 {
		t.Errorf("the same arguments: %+v", r)
	}
	for _, c := range []struct{ line, want string }{
		{"open walk rand-20-1 as a moves=4", "seed is 3, not 1"},
		{"open walk rand-20-1 as a seed=3", "moves was given as 4"},
		{"open walk rand-20-1 as a seed=3 moves=5", "moves was given as 4, not 5"},
		{"open walk rand-20-1 as a seed=3 moves=4 size=1", "size was given as 0, not 1"},
		{"open walk rand-20-2 as a seed=3 moves=4", "instance is"},
		{"open walk rand-20-1 as a seed=3 moves=4 preset=slow", "preset is default, not slow"},
	} {
		l.fails(c.line, wire.CodeDiffers, c.want, "fresh=true")
	}
	if r := l.do("open walk rand-20-1 as a seed=4 fresh").(*reply.OpenReply); r.Attached ||
		r.Iteration != 0 || r.Seed != 4 {
		t.Errorf("fresh: %+v", r)
	}
	// A fresh open that fails leaves the run alone.
	l.do("step a 3")
	l.fails("open walk rand-20-1 as a moves=0 fresh", wire.CodeRequest, "moves is 0",
		"an integer from 1 to 1000")
	if s := l.show("a"); s.Iteration != 3 {
		t.Errorf("after a failed fresh open: %v", s)
	}
	// Forks alike: the same again attaches.
	l.do("fork a as f moves=2; step f 4; step a 2")
	if r := l.do("fork a as f moves=2").(*reply.OpenReply); !r.Attached || r.Iteration != 7 ||
		r.Parent != "a" {
		t.Errorf("the same fork again: %+v", r)
	}
	l.fails("fork a as f moves=3", wire.CodeDiffers, "no such fork", "fresh=true")
	if r := l.do("fork a as f moves=3 fresh").(*reply.OpenReply); r.Attached || r.Iteration != 5 {
		t.Errorf("a fresh fork: %+v", r)
	}
	// Without a name: the next free letter.
	if r := l.do("open walk rand-20-1").(*reply.OpenReply); r.Run != "b" {
		t.Errorf("the next name is %q, want b", r.Run)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	l.fails("step a 1", wire.CodeRun, `no run "a"`, "open acs")
	l.do("open walk rand-20-1 as a")
	l.fails("open acz rand-20-1", wire.CodeRequest, `"acz"`, "walk")
	l.fails("open walk nosuchinstance7", wire.CodeRequest, "nosuchinstance7")
	l.fails("open walk nosuchinstance7.tsp", wire.CodeRequest,
		"there is no file nosuchinstance7.tsp in this folder, and")
	l.fails("open walk /nonexistent/x.run as b", wire.CodeFile, "/nonexistent/x.run",
		"opened by: load")
	l.fails("open walk rand-20-1 as b heat=3", wire.CodeRequest, `"heat"`, "moves")
	l.fails("set a moves=1.5", wire.CodeRequest, "moves is 1.5", "an integer from 1 to 1000")
	l.fails("set a move=2", wire.CodeRequest, `"move"`, "did you mean moves?")
	l.fails("set a variant=swap", wire.CodeRequest, "fork a as <name> variant=swap")
	l.fails("set a seed=2", wire.CodeRequest, "no parameter", "fork a as <name> seed=2")
	l.fails("set a size=2", wire.CodeRequest, "structural", "fork a as <name> size=2")
	l.fails("step a until gap<1", wire.CodeRequest, "best value", "rand")
	l.fails("fork a as a", wire.CodeDiffers, "a is open already")
	l.fails("fork a as a fresh", wire.CodeRequest, "itself")
	l.fails("load /nonexistent/x.run", wire.CodeFile, "/nonexistent/x.run")
	l.fails("save a /nonexistent/x.run", wire.CodeFile,
		": folder /nonexistent: no such file or directory (nothing was changed there; make the "+
			"folder first)")
	l.fails("plot a nosuchfigure", wire.CodeRequest, "nosuchfigure", "tour")
	l.fails("plot a tuor", wire.CodeRequest, "; did you mean tour?")
	l.fails("diff a zz", wire.CodeRun, `"zz"`)
	l.fails("repeat a 3", wire.CodeRequest, "n=1000")
	l.fails("compare a a", wire.CodeRequest, "twice")
	l.fails("compare a", wire.CodeRequest, "two runs")
	l.fails("recover nothing", wire.CodeRequest, "nothing")
	if err := l.c.Do(t.Context(), "frob", nil, nil); wire.CodeOf(err) != wire.CodeVerb {
		t.Errorf("an unknown verb: %v", err)
	}
	if err := l.c.Do(t.Context(), "step", map[string]any{"run": "a", "m": 5},
		nil); wire.CodeOf(err) != wire.CodeRequest || !strings.Contains(err.Error(), `"m"`) {
		t.Errorf("an unknown field: %v", err)
	}
	if err := l.c.Do(t.Context(), "save", wire.FileRequest{Run: "a", Path: "x.run"},
		nil); err == nil || !strings.Contains(err.Error(), "absolute") {
		t.Errorf("a relative path: %v", err)
	}
	if err := l.c.Do(t.Context(), "step", wire.StepRequest{Run: "a", N: -1},
		nil); wire.CodeOf(err) != wire.CodeRequest {
		t.Errorf("a negative step: %v", err)
	}
	if err := l.c.Do(t.Context(), "step", wire.StepRequest{Run: "a"}, nil); err == nil ||
		!strings.Contains(err.Error(), "how far") {
		t.Errorf("a step without an end: %v", err)
	}
	// A failed run says why and stays for a look.
	l.do("set a fail=4")
	l.fails("step a 10", wire.CodeFailed, "iteration 4", "told to fail")
	if s := l.show("a"); s.State != "failed" || s.Iteration != 3 ||
		!strings.Contains(s.Failure, "told to fail") {
		t.Errorf("after a failure: %+v", s)
	}
	l.fails("go a", wire.CodeFailed, "told to fail")
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	l.do("open walk E1k.0 as a")
	s := l.do("step a until iteration=20").(*reply.StepReply)
	if s.Iteration != 20 || s.Why == "" {
		t.Errorf("until iteration=20: %+v", s)
	}
	if s := l.do("step a until iteration=20").(*reply.StepReply); s.Iteration != 20 || s.Made != 0 ||
		!strings.Contains(s.Why, "already") {
		t.Errorf("a condition that holds: %+v", s)
	}
	if s := l.do("step a until best<1e12,stall=9").(*reply.StepReply); s.Made != 0 {
		t.Errorf("a value that is reached: %+v", s)
	}
	if s := l.do("step a 5 until gap<0").(*reply.StepReply); s.Made != 5 || s.Why != "" {
		t.Errorf("a number before a condition: %+v", s)
	}
	if s := l.do("step a 10ms").(*reply.StepReply); s.Made == 0 || !strings.Contains(s.Why, "10ms") {
		t.Errorf("for a time: %+v", s)
	}
	if s := l.do("step a 10000000 10mscpu").(*reply.StepReply); s.Made == 0 ||
		!strings.Contains(s.Why, "CPU") {
		t.Errorf("for CPU time: %+v", s)
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := filepath.Dir(l.o.StateDir)
	l.do("open walk rand-50-1 as a; step a 20; fork a as b; step b 5")
	for _, c := range []struct {
		sink wire.Sink
		want string // in the data
		mime string
	}{
		{wire.Sink{Graphics: "svg"}, "<svg", "image/svg+xml"},
		{wire.Sink{Graphics: "png"}, "\x89PNG", "image/png"},
		{wire.Sink{Graphics: "pdf"}, "%PDF", "application/pdf"},
		{
			wire.Sink{Graphics: "cells", Cols: 60, Rows: 15, Depth: 24},
			"\x1b[",
			"text/plain; charset=utf-8",
		},
		{wire.Sink{Graphics: "kitty", Cols: 40, Rows: 10}, "\x1b_G", "text/plain; charset=utf-8"},
	} {
		for _, figure := range []string{"best", "curve", "tour", "trails", "heat", "lengths", "half"} {
			var r reply.PlotReply
			if err := l.c.Do(t.Context(), "plot", wire.PlotRequest{
				Runs: []string{"a"}, Figure: figure,
				Sink: &c.sink,
			}, &r); err != nil {
				t.Errorf("%s as %s: %v", figure, c.sink.Graphics, err)
				continue
			}
			if !strings.Contains(string(r.Data), c.want) || r.Mime != c.mime {
				t.Errorf("%s as %s: %s, %.20q", figure, c.sink.Graphics, r.Mime, r.Data)
			}
		}
	}
	var r reply.PlotReply
	if err := l.c.Do(t.Context(), "plot", wire.PlotRequest{
		Runs: []string{"a", "b"},
		To:   dir + "/x.png",
	}, &r); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(dir + "/x.png"); err != nil || !strings.HasPrefix(string(b), "\x89PNG") ||
		r.Data != nil {
		t.Errorf("a file: %v", err)
	}
	l.fails("plot a to "+dir+"/x.gif", wire.CodeRequest, ".gif")
}

func TestArrays(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	l.do("open walk rand-20-1 as a; step a 10")
	for _, c := range []struct {
		name  string
		typ   string
		shape []int
	}{
		{"tour", "int32", []int{20}},
		{"lengths", "float64", []int{1}},
		{"coordinates", "float64", []int{20, 2}},
		{"trails", "float64", []int{2, 3}},
	} {
		a, err := l.c.Array(t.Context(), "a", c.name)
		if err != nil || a.Type != c.typ || !slices.Equal(a.Shape, c.shape) {
			t.Errorf("%s: %+v, %v", c.name, a, err)
		}
	}
	a, _ := l.c.Array(t.Context(), "a", "tour")
	best := l.do("best a solution").(*reply.BestReply)
	if !slices.Equal(a.Int32s(), best.Solution.Perm) {
		t.Error("the array is another tour than the best")
	}
	tr, _ := l.c.Array(t.Context(), "a", "trails")
	if !slices.Equal(tr.Float64s(), []float64{0, 1, 2, 1, 2, 1}) {
		t.Errorf("trails: %v", tr.Float64s())
	}
	if _, err := l.c.Array(t.Context(), "a", "nothing"); err == nil ||
		!strings.Contains(err.Error(), "coordinates") {
		t.Errorf("an unknown array: %v", err)
	}
}

// The names of figures and axes that front ends complete are those that are drawn.
func TestNamesOfFigures(t *testing.T) {
	t.Parallel()
	var figures, axes []string
	for _, k := range view.Kinds() {
		figures = append(figures, k.Name)
	}
	for _, a := range view.Axes {
		axes = append(axes, string(a))
	}
	for _, c := range []struct {
		what  string
		drawn []string
		told  []wire.Choice
	}{{"figures", figures, wire.Figures}, {"axes", axes, wire.Axes}} {
		var told []string
		for _, choice := range c.told {
			if told = append(told, choice.Name); choice.Doc == "" {
				t.Errorf("nothing is said of %s", choice.Name)
			}
		}
		if !slices.Equal(c.drawn, told) {
			t.Errorf("%s: drawn are %q, offered %q", c.what, c.drawn, told)
		}
	}
}

// A fork may go on with another variant that shares the state; its journal, its record and what the
// autosave keeps say so.
func TestForkVariant(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := t.TempDir()
	l.do("open acs rand-60-1 as a ants=5 local_search=none; step a 5; fork a as b variant=spm " +
		"spm_slots=4; step b 5; save b " + dir + "/b.run")
	if s := l.do("show b").(*reply.ShowReply); s.Variant != "spm" || s.Iteration != 10 {
		t.Errorf("the fork is %+v", s.Status)
	}
	j, want := l.do("journal b").String(), "5: forked as b spm_slots=4 variant=spm"
	if !strings.Contains(j, want) {
		t.Errorf("its journal is %s, want %q", j, want)
	}
	if r := l.do("replay " + dir + "/b.run").(*reply.ReplayReply); !r.Identical || r.Variant != "spm" {
		t.Errorf("its record: %s", r)
	}
	l.do("fork b as c variant=gpu; step c 5; history c; close c; load " + dir + "/b.run as d; " +
		"step d 1")
	l.fails("fork b as c variant=gpu candidates=99", wire.CodeRequest, "candidates", "1 to 32")
	l.fails("fork b as e variant=nothing", wire.CodeRequest, "nothing")
	l.do("open mmas rand-60-1 as m ants=5")
	l.fails("fork m as f variant=focused", wire.CodeRequest, "do not share their state")
	if r := l.do("fork a as b variant=spm spm_slots=4").(*reply.OpenReply); !r.Attached {
		t.Errorf("the same fork again: %+v", r)
	}
	l.fails("fork a as b variant=alt", wire.CodeDiffers, "no such fork")
}
