package lab_test

import (
	"strings"
	"testing"
	"time"

	"metalab/kernel/lab"
)

// refused calls f, and returns the error that it fails with.
func refused(t *testing.T, f func()) (text string) {
	t.Helper()
	defer func() {
		if err, ok := recover().(error); ok {
			text = err.Error()
		}
	}()
	f()
	return ""
}

// A plan that a program makes is the experiment of the same line of the prompt: that adds nothing
// to it.
func TestPlan(t *testing.T) {
	session(t)
	p := lab.Plan{
		Solvers: []string{"acs", "mmas/wrs"}, Instances: []string{"rand-40-1", "rand-50-2"}, Seeds: 2,
		Iterations: 5, Params: map[string]any{"ants": 4, "beta": []float64{2, 3.5}},
	}
	r := p.Make("e")
	if r.Units != 2*2*2*2 || r.Done != r.Units {
		t.Errorf("%+v", r.ExperimentInfo)
	}
	line := "solvers=acs,mmas/wrs instances=rand-40-1,rand-50-2 seeds=2 n=5 ants=4 beta=2,3.5"
	if r := lab.Experiment("e", line); r.Added != 0 || r.Made != 0 || r.Units != 16 {
		t.Errorf("the line %q adds %d and makes %d: %+v", line, r.Added, r.Made, r.ExperimentInfo)
	}
	text := refused(t, func() { lab.Plan{Seeds: 3, Over: "attic"}.Make("e") })
	if !strings.Contains(text, "attic") {
		t.Errorf("over attic: %q", text)
	}
	if r := (lab.Plan{Seeds: 3}).Make("e"); r.Units != 24 || r.Made != 8 {
		t.Errorf("a seed more: made %d of %d", r.Made, r.Units)
	}
	if r := (lab.Plan{
		Seeds: 1, First: 9, Evaluations: 20, Solvers: []string{"as"},
		Instances: []string{"rand-40-1"}, On: []string{"cpu"},
	}).Make("f"); r.Units != 1 || r.Done != 1 {
		t.Errorf("%+v", r.ExperimentInfo)
	}
}

// A search that a program makes is that of the same line.
func TestTuning(t *testing.T) {
	session(t)
	a := lab.Open("a", "acs", lab.Load("rand-40-1"), lab.With("ants", 4))
	x := lab.Tuning{
		Params: map[string]any{
			"q0": lab.Range{Low: 0.5, High: 0.99}, "beta": lab.Range{Low: 1, High: 5, Log: true},
			"ants": []int{4, 8},
		},
		Iterations: 3, Method: "random", Trials: 3, Seeds: 2, Name: "t",
	}
	r := x.Make(a)
	line := "q0=0.5..0.99 beta=1..5:log ants=4,8 n=3 method=random trials=3 seeds=2 as t"
	if again := lab.Tune(a, line); again.Made != 0 || again.Line != r.Line || r.Made == 0 {
		t.Errorf("the line %q makes %d units, and has\n%s, want\n%s", line, again.Made, again.Line,
			r.Line)
	}
}

// What a plan cannot have is refused with the field and the value.
func TestPlanRefuses(t *testing.T) {
	if text := refused(t, func() { lab.Plan{}.Make("") }); !strings.Contains(text, "needs the name") {
		t.Errorf("a plan without a name: %q", text)
	}
	session(t)
	a := lab.Open("a", "acs", lab.Load("rand-40-1"))
	plan := func(name string, x any) func() {
		return func() { lab.Plan{Params: map[string]any{name: x}}.Make("e") }
	}
	tuning := func(name string, x any) func() {
		return func() { lab.Tuning{Params: map[string]any{name: x}}.Make(a) }
	}
	for want, f := range map[string]func(){
		`Plan: Solvers[1] is "mmas as"`: func() {
			lab.Plan{Solvers: []string{"as", "mmas as"}}.Make("e")
		},
		"Plan: 2 budgets": func() { lab.Plan{Iterations: 5, CPU: time.Second}.Make("e") },

		"Plan: q0 is a Range":              plan("q0", lab.Range{High: 1}),
		"Plan: q0 is a struct {}":          plan("q0", struct{}{}),
		"Plan: q0[1] is a []int":           plan("q0", []any{1, []int{2}}),
		"Plan: q0 has 0 values":            plan("q0", []int{}),
		`Plan: w[0] is "a,b"`:              plan("w", []string{"a,b", "c"}),
		"Tuning: q0 is 0.5, want":          tuning("q0", 0.5),
		"Tuning: q0 has 1 values":          tuning("q0", []float64{1}),
		"Tuning: q0 is a Range from 1 to ": tuning("q0", lab.Range{Low: 1, High: 1}),
		"Tuning: b is a Range from 0 to 1": tuning("b", lab.Range{High: 1, Log: true}),
		"lab: Tuning: run 1 is nil":        func() { lab.Tuning{}.Make(nil) },
	} {
		if got := refused(t, f); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
