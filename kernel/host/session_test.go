package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
)

func TestOpenAttaches(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a seed=3 moves=4; step a 5; set a moves=9")
	r := l.Do("open walk/swap rand-20-1 as a seed=3 moves=4 on=cpu preset=default").(*reply.OpenReply)
	if !r.Attached || r.Iteration != 5 {
		t.Errorf("the same arguments: %+v", r)
	}
	for _, c := range []struct{ line, want string }{
		{"open walk rand-20-1 as a moves=4", "seed is 3, not 1"},
		{"open walk rand-20-1 as a seed=3", "moves was given as 4"},
		{"open walk rand-20-1 as a seed=3 moves=5", "moves was given as 4, not 5"},
		{"open walk rand-20-1 as a seed=3 moves=4 size=1", "size was given as 0, not 1"},
		{"open walk rand-20-1 as a seed=3 moves=4 ants=1", "ants is no parameter of walk/"},
		{"open walk rand-20-2 as a seed=3 moves=4", "instance is"},
		{"open walk rand-20-1 as a seed=3 moves=4 preset=slow", "preset is default, not slow"},
	} {
		l.Fails(c.line, wire.CodeDiffers, c.want, "fresh=true")
	}
	if r := l.Do("open walk rand-20-1 as a seed=4 fresh").(*reply.OpenReply); r.Attached ||
		r.Iteration != 0 || r.Seed != 4 {
		t.Errorf("fresh: %+v", r)
	}
	// A fresh open that fails leaves the run alone.
	l.Do("step a 3")
	l.Fails("open walk rand-20-1 as a moves=0 fresh", wire.CodeRequest, "moves is 0",
		"an integer from 1 to 1000")
	if s := l.Show("a"); s.Iteration != 3 {
		t.Errorf("after a failed fresh open: %v", s)
	}
	// Forks alike: the same again attaches.
	l.Do("fork a as f moves=2; step f 4; step a 2")
	if r := l.Do("fork a as f moves=2").(*reply.OpenReply); !r.Attached || r.Iteration != 7 ||
		r.Parent != "a" {
		t.Errorf("the same fork again: %+v", r)
	}
	l.Fails("fork a as f moves=3", wire.CodeDiffers, "no such fork", "fresh=true")
	if r := l.Do("fork a as f moves=3 fresh").(*reply.OpenReply); r.Attached || r.Iteration != 5 {
		t.Errorf("a fresh fork: %+v", r)
	}
	// Without a name: the next free letter.
	if r := l.Do("open walk rand-20-1").(*reply.OpenReply); r.Run != "b" {
		t.Errorf("the next name is %q, want b", r.Run)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Fails("step a 1", wire.CodeRun, `no run "a"`, "open acs")
	l.Do("open walk rand-20-1 as a")
	l.Fails("open acz rand-20-1", wire.CodeRequest, `"acz"`, "walk")
	l.Fails("open walk nosuchinstance7", wire.CodeRequest, "nosuchinstance7")
	l.Fails("open walk nosuchinstance7.tsp", wire.CodeRequest,
		"there is no file nosuchinstance7.tsp in this folder, and")
	l.Fails("open walk /nonexistent/x.run as b", wire.CodeFile, "no file x.run in folder /nonexistent",
		"opened by: load")
	l.Fails("open walk rand-20-1 as b heat=3", wire.CodeRequest, `"heat"`, "moves")
	l.Fails("set a moves=1.5", wire.CodeRequest, "moves is 1.5", "an integer from 1 to 1000")
	l.Fails("set a move=2", wire.CodeRequest, `"move"`, "did you mean moves?")
	l.Fails("set a variant=swap", wire.CodeRequest, "fork a as <name> variant=swap")
	l.Fails("set a seed=2", wire.CodeRequest, "no parameter", "fork a as <name> seed=2")
	l.Fails("set a size=2", wire.CodeRequest, "structural", "fork a as <name> size=2")
	l.Fails("step a until gap<1", wire.CodeRequest, "best value", "rand")
	l.Fails("fork a as a", wire.CodeDiffers, "a is open already")
	l.Fails("fork a as a fresh", wire.CodeRequest, "itself")
	l.Fails("load /nonexistent/x.run", wire.CodeFile, "/nonexistent/x.run")
	l.Fails("save a /nonexistent/x.run", wire.CodeFile,
		": folder /nonexistent: no such file or directory (nothing was changed there; make the "+
			"folder first)")
	l.Fails("plot a nosuchfigure", wire.CodeRequest, "nosuchfigure", "tour")
	l.Fails("plot a tuor", wire.CodeRequest, "; did you mean tour?")
	l.Fails("diff a zz", wire.CodeRun, `"zz"`)
	l.Fails("repeat a 3", wire.CodeRequest, "n=1000")
	l.Fails("compare a a", wire.CodeRequest, "twice")
	l.Fails("compare a", wire.CodeRequest, "two runs")
	l.Fails("recover nothing", wire.CodeRequest, "nothing")
	if err := l.C.Do(t.Context(), "frob", nil, nil); wire.CodeOf(err) != wire.CodeVerb {
		t.Errorf("an unknown verb: %v", err)
	}
	if err := l.C.Do(t.Context(), "step", map[string]any{"run": "a", "m": 5},
		nil); wire.CodeOf(err) != wire.CodeRequest || !strings.Contains(err.Error(), `"m"`) {
		t.Errorf("an unknown field: %v", err)
	}
	if err := l.C.Do(t.Context(), "save", wire.FileRequest{Run: "a", Path: "x.run"},
		nil); err == nil || !strings.Contains(err.Error(), "absolute") {
		t.Errorf("a relative path: %v", err)
	}
	if err := l.C.Do(t.Context(), "step", wire.StepRequest{Run: "a", N: -1},
		nil); wire.CodeOf(err) != wire.CodeRequest {
		t.Errorf("a negative step: %v", err)
	}
	if err := l.C.Do(t.Context(), "step", wire.StepRequest{Run: "a"}, nil); err == nil ||
		!strings.Contains(err.Error(), "how far") {
		t.Errorf("a step without an end: %v", err)
	}
	// A failed run says why and stays for a look.
	l.Do("set a fail=4")
	l.Fails("step a 10", wire.CodeFailed, "iteration 4", "told to fail")
	if s := l.Show("a"); s.State != "failed" || s.Iteration != 3 ||
		!strings.Contains(s.Failure, "told to fail") {
		t.Errorf("after a failure: %+v", s)
	}
	l.Fails("go a", wire.CodeFailed, "told to fail")
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk E1k.0 as a")
	s := l.Do("step a until iteration=20").(*reply.StepReply)
	if s.Iteration != 20 || s.Why == "" {
		t.Errorf("until iteration=20: %+v", s)
	}
	if s := l.Do("step a until iteration=20").(*reply.StepReply); s.Iteration != 20 || s.Made != 0 ||
		!strings.Contains(s.Why, "already") {
		t.Errorf("a condition that holds: %+v", s)
	}
	if s := l.Do("step a until best<1e12,stall=9").(*reply.StepReply); s.Made != 0 {
		t.Errorf("a value that is reached: %+v", s)
	}
	if s := l.Do("step a until gap<0.0001 5").(*reply.StepReply); s.Made != 5 || s.Why != "" {
		t.Errorf("a number before a condition: %+v", s)
	}
	if s := l.Do("step a 10ms").(*reply.StepReply); s.Made == 0 || !strings.Contains(s.Why, "10ms") {
		t.Errorf("for a time: %+v", s)
	}
	if s := l.Do("step a 10000000 10mscpu").(*reply.StepReply); s.Made == 0 ||
		!strings.Contains(s.Why, "CPU") {
		t.Errorf("for CPU time: %+v", s)
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	l.Do("open walk rand-50-1 as a; step a 20; fork a as b; step b 5")
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
			if err := l.C.Do(t.Context(), "plot", wire.PlotRequest{
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
	if err := l.C.Do(t.Context(), "plot", wire.PlotRequest{
		Runs: []string{"a", "b"},
		To:   dir + "/x.png",
	}, &r); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(dir + "/x.png"); err != nil || !strings.HasPrefix(string(b), "\x89PNG") ||
		r.Data != nil {
		t.Errorf("a file: %v", err)
	}
	l.Fails("plot a to "+dir+"/x.gif", wire.CodeRequest, ".gif")
}

func TestArrays(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a; step a 10")
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
		a, err := l.C.Array(t.Context(), "a", c.name)
		if err != nil || a.Type != c.typ || !slices.Equal(a.Shape, c.shape) {
			t.Errorf("%s: %+v, %v", c.name, a, err)
		}
	}
	a, _ := l.C.Array(t.Context(), "a", "tour")
	best := l.Do("best a solution").(*reply.BestReply)
	_, tour, _ := strings.Cut(best.String(), "count from 0):\n")
	if cities := strings.Fields(tour); slices.Contains(cities, "0") ||
		!slices.Contains(cities, fmt.Sprint(len(best.Solution.Perm))) {
		t.Errorf("the cities of a tour are not counted from 1: %s", tour)
	}
	if !slices.Equal(a.Int32s(), best.Solution.Perm) {
		t.Error("the array is another tour than the best")
	}
	tr, _ := l.C.Array(t.Context(), "a", "trails")
	if !slices.Equal(tr.Float64s(), []float64{0, 1, 2, 1, 2, 1}) {
		t.Errorf("trails: %v", tr.Float64s())
	}
	if _, err := l.C.Array(t.Context(), "a", "nothing"); err == nil ||
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
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	l.Do("open acs rand-60-1 as a ants=5 local_search=none; step a 5; fork a as b variant=spm " +
		"spm_slots=4; step b 5; save b " + dir + "/b.run")
	if s := l.Do("show b").(*reply.ShowReply); s.Variant != "spm" || s.Iteration != 10 {
		t.Errorf("the fork is %+v", s.Status)
	}
	j, want := l.Do("journal b").String(), "5: forked as b spm_slots=4 variant=spm"
	if !strings.Contains(j, want) {
		t.Errorf("its journal is %s, want %q", j, want)
	}
	if r := l.Do("replay " + dir + "/b.run").(*reply.ReplayReply); !r.Identical || r.Variant != "spm" {
		t.Errorf("its record: %s", r)
	}
	l.Do("fork b as c variant=gpu; step c 5; history c; close c; load " + dir + "/b.run as d; " +
		"step d 1")
	l.Fails("fork b as c variant=gpu candidates=99", wire.CodeRequest, "candidates", "1 to 32")
	l.Fails("fork b as e variant=nothing", wire.CodeRequest, "nothing")
	l.Do("open mmas rand-60-1 as m ants=5")
	l.Fails("fork m as f variant=focused", wire.CodeRequest, "do not share their state")
	if r := l.Do("fork a as b variant=spm spm_slots=4").(*reply.OpenReply); !r.Attached {
		t.Errorf("the same fork again: %+v", r)
	}
	l.Fails("fork a as b variant=alt", wire.CodeDiffers, "no such fork")
}
