package lab_test

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"metalab/kernel/lab"
)

// A string names an instance where one is wanted, a seed is any whole number, and what is asked
// otherwise gets an error that names value and way out.
func TestAsked(t *testing.T) {
	dir := session(t)
	if err := os.WriteFile("towns.csv", []byte("name,lat,lon\na,1,2\nb,2,3\nc,3,1\nd,1,1\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	with := lab.With("ants", 4)
	a := lab.Open("a", "acs", "rand-50-1", with)
	if b := lab.Open("a", "acs", lab.Load("rand-50-1"), with); b.Name() != "a" {
		t.Errorf("attached to %s", b.Name())
	}
	if r := lab.Open("t", "acs", "towns.csv", with).Step(1); r.Made != 1 {
		t.Errorf("on a file: %v", r)
	}
	for i, seed := range []any{7, int64(7), uint8(7), uint64(7), 7., float32(7)} {
		if s := lab.Open("s", "acs", "rand-50-1", lab.Seed(seed), lab.Fresh()).Show().Seed; s != 7 {
			t.Errorf("seed %d, %T: %d", i, seed, s)
		}
	}
	a.Step(5)
	a.Set("q0", 0.5)
	a.Step(5)
	if r := a.Undo(); a.Show().Iteration != 5 {
		t.Errorf("undone: %v", r)
	}
	if r := a.Repeat(2, 3); len(r.Results) != 2 || r.Results[0].Iteration != 3 {
		t.Errorf("repeated: %+v", r.Results)
	}
	if r := lab.Repeat(a, 2); len(r.Results) != 2 || r.Results[0].Iteration != 5 {
		t.Errorf("repeated as long as the run: %+v", r.Results)
	}
	for want, f := range map[string]func(){
		"the instance is 5, a int, want its name": func() { lab.Open("x", "acs", 5) },
		"no instance; give its name":              func() { lab.Open("x", "acs", nil) },
		"no instance; give its":                   func() { lab.Open("x", "acs", (*lab.Instance)(nil)) },
		"there is no file nosuch.csv in folder " + dir + ", which has towns.csv": func() {
			lab.Load("nosuch.csv")
		},
		"there is no file x.tsp in folder " + dir + "/no, nor that folder": func() {
			lab.Load("no/x.tsp")
		},
		"Seed: -1, want a whole number from 0 to 18446744073709551615": func() {
			lab.Seed(-1)
		},
		"Seed: 1.5, want a whole":                   func() { lab.Seed(1.5) },
		"Seed: NaN, want a whole":                   func() { lab.Seed(math.NaN()) },
		`Seed: "7" is a string, want a whole`:       func() { lab.Seed("7") },
		"StepFor: 5ns, want 1ms or more":            func() { a.StepFor(5) },
		"StepCPU: 0s, want 1ms or more":             func() { a.StepCPU(0) },
		"Plan: 30ns, want 1ms":                      func() { lab.Plan{Wall: 30}.Make("e") },
		"Tuning: 30ns, want 1ms":                    func() { lab.Tuning{CPU: 30}.Make(a) },
		"Plan: First: 0.5, want a whole":            func() { lab.Plan{First: 0.5}.Make("e") },
		"Repeat: 2 numbers behind the seeds, want ": func() { a.Repeat(2, 3, 4) },
	} {
		if err := lab.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if r := a.StepFor(time.Millisecond); r.Made == 0 {
		t.Errorf("for the shortest time: %v", r)
	}
}
