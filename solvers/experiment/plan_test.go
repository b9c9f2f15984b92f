package experiment_test

import (
	"context"
	"crypto/sha256"
	"strings"
	"testing"

	"metalab/datasets"
	_ "metalab/solvers/ants"
	"metalab/solvers/experiment"
	_ "metalab/solvers/genetic"
	_ "metalab/solvers/recombine"
	"metalab/solvers/record"
)

// load loads an instance.
func load(ctx context.Context, name string) (datasets.Instance, error) {
	return datasets.LoadContext(ctx, name)
}

// small is a plan of 2 settings x 3 values x 1 instance.
func small() experiment.Plan {
	return experiment.Plan{
		Settings: []experiment.Setting{{Solver: "acs"}, {Solver: "acs", Variant: "spm"}},
		Grid: []experiment.Axis{{
			Name: "q0", Values: []record.Value{record.Num(0.5), record.Num(0.8), record.Num(0.9)},
		}},
		Instances: []string{"rand-60-1"}, Seeds: 2, First: 5, Budget: record.Budget{Iterations: 3},
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	p := small()
	units, err := p.Units(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	if len(units) != 12 {
		t.Fatalf("%d units, want 12", len(units))
	}
	seen := map[experiment.Key]bool{}
	for i, u := range units {
		k, err := u.MakeKey()
		if err != nil || k != u.Key || seen[k] || u.Number != i+1 || u.Seed != 5+uint64(i/6) {
			t.Errorf("unit %d: number %d, seed %d, key %v, made anew %v, %v", i+1, u.Number, u.Seed,
				u.Key, k, err)
		}
		seen[k] = true
		if _, all := u.Params["beta"]; !all {
			t.Errorf("unit %d: params %v lack those of the preset", i+1, u.Params)
		}
	}
	if got := units[1].Label; got != "acs/seq q0=0.8" {
		t.Errorf("label %q", got)
	}
	p.Seeds = 3 // more seeds come at the end
	more, err := p.Units(t.Context(), load)
	if err != nil || len(more) != 18 {
		t.Fatalf("%d units, %v", len(more), err)
	}
	for i, u := range units {
		if more[i].Key != u.Key {
			t.Fatalf("unit %d is another one with more seeds", i+1)
		}
	}
}

// On another kind of instances a setting without a variant is the one that takes them.
func TestUnitsByKind(t *testing.T) {
	t.Parallel()
	p := small()
	p.Settings, p.Grid, p.Seeds = []experiment.Setting{{Solver: "ga"}}, nil, 1
	p.Instances = []string{"rand-60-1", "tai12a"}
	units, err := p.Units(t.Context(), load)
	if err != nil || len(units) != 2 || units[0].Label != "ga/tournament" ||
		units[1].Label != "ga/generational" {
		t.Errorf("%+v, %v", units, err)
	}
}

// A setting without a variant is one algorithm on instances of all sizes, mmas too.
func TestUnitsOfOneVariant(t *testing.T) {
	t.Parallel()
	p := small()
	p.Settings, p.Grid, p.Seeds = []experiment.Setting{{Solver: "mmas"}}, nil, 1
	p.Instances = []string{"rand-60-1", "rand-2001-1"}
	units, err := p.Units(t.Context(), load)
	if err != nil || len(units) != 2 {
		t.Fatalf("%d units, %v, want 2", len(units), err)
	}
	for _, u := range units {
		if u.Variant != "scan" || u.Label != "mmas/scan" {
			t.Errorf("%s on %s is labelled %q", u.Variant, u.Instance.Name, u.Label)
		}
	}
}

func TestPlanErrors(t *testing.T) {
	t.Parallel()
	type plan = experiment.Plan
	for want, change := range map[string]func(*plan){
		"no solver is named":            func(p *plan) { p.Settings = nil },
		"no instance is named":          func(p *plan) { p.Instances = nil },
		"seeds is 0, want 1 to 1000000": func(p *plan) { p.Seeds = 0 },
		"no budget":                     func(p *plan) { p.Budget = record.Budget{} },
		"the budget is until gap<1":     func(p *plan) { p.Budget.Until = "gap<1" },
		"q0 is 2, want 0 to 1":          func(p *plan) { p.Grid[0].Values[1] = record.Num(2) },
		"want at most 1000000":          func(p *plan) { p.Seeds = 500_000 },
		"instance /nowhere.tsp":         func(p *plan) { p.Instances[0] = "/nowhere.tsp" },
		"q0 is fixed at 0.5 and varied": func(p *plan) {
			p.Settings[0].Params = record.Of("q0", 0.5)
		},
		`no parameter is called "quality"`: func(p *plan) { p.Grid[0].Name = "quality" },
	} {
		p := small()
		change(&p)
		if _, err := p.Units(t.Context(), load); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A grid, or a sample with a value that the preset has as well, makes no unit twice.
func TestUnitsOnce(t *testing.T) {
	t.Parallel()
	p := small()
	p.Settings = p.Settings[:1]
	p.Grid = nil
	p.Samples = []record.Values{record.Of("beta", 3), record.Of("beta", 2), record.Of("beta", 3.0)}
	units, err := p.Units(t.Context(), load)
	if err != nil || len(units) != 4 {
		t.Fatalf("%d units, want 4; %v", len(units), err)
	}
	if got := units[1].Label; got != "beta=2" {
		t.Errorf("label %q", got)
	}
}

// Each value of a parameter that changes no result makes units of its own, varied or in settings,
// and where none is asked for the key has none.
func TestUnitsOfASchedule(t *testing.T) {
	t.Parallel()
	p := small()
	p.Settings = []experiment.Setting{{Solver: "acs", Variant: "spm"}}
	p.Instances = p.Instances[:1]
	p.Grid = []experiment.Axis{{
		Name: "warps", Values: []record.Value{record.Num(1), record.Num(2), record.Num(4)},
	}}
	units, err := p.Units(t.Context(), load)
	if err != nil || len(units) != 3*p.Seeds {
		t.Fatalf("%d units, want 3 for each of %d seeds; %v", len(units), p.Seeds, err)
	}
	for i, u := range units {
		if want := []float64{1, 2, 4}[i%3]; u.Schedule["warps"] != record.Num(want) {
			t.Errorf("unit %d has the schedule %v, want warps=%v", i+1, u.Schedule, want)
		}
	}
	two := p.Settings[0]
	two.Params = record.Of("warps", 2)
	p.Settings, p.Grid = append(p.Settings, two), nil
	if units, err = p.Units(t.Context(), load); err != nil || len(units) != 2*p.Seeds {
		t.Errorf("%d units, want 2 for each of %d seeds; %v", len(units), p.Seeds, err)
	}
}

// Keys stay what they are in all stores that were written.
func TestKey(t *testing.T) {
	t.Parallel()
	u := experiment.Unit{
		Solver: "acs", Variant: "seq", Revision: 2, Backend: "cpu",
		Params:   record.Of("q0", 0.9, "ants", 10),
		Instance: record.InstanceRef{Name: "x", SHA256: "ab"}, Seed: 7,
		Budget: record.Budget{Iterations: 100},
	}
	k, err := u.MakeKey()
	if err != nil {
		t.Fatal(err)
	}
	text := `{"solver":"acs","variant":"seq","revision":2,"backend":"cpu",` +
		`"params":{"ants":10,"q0":0.9},"instance":"ab","budget":{"n":100},"seed":7}`
	if want := experiment.Key(sha256.Sum256([]byte(text))); k != want {
		t.Errorf("the key is %s, want %s", k, want)
	}
	u.Schedule = record.Of("warps", 2)
	text = strings.Replace(text, `"seed"`, `"schedule":{"warps":2},"seed"`, 1)
	if got, err := u.MakeKey(); err != nil || got != sha256.Sum256([]byte(text)) {
		t.Errorf("with a schedule the key is %s; %v", got, err)
	}
	if again, err := experiment.ParseKey(k.String()); err != nil || again != k {
		t.Errorf("%v, %v", again, err)
	}
	if _, err := experiment.ParseKey("abc"); err == nil {
		t.Error("a key of 3 digits is none")
	}
}

// Without a context, or a function that loads instances, every call returns an error.
func TestNilIsRefused(t *testing.T) {
	var no context.Context
	p := small()
	none := experiment.Options{}
	for name, f := range map[string]func() error{
		"units":            func() error { _, err := p.Units(no, load); return err },
		"units, no loader": func() error { _, err := p.Units(t.Context(), nil); return err },
		"make":             func() error { _, err := experiment.Make(no, nil, "e", none); return err },
		"make, no loader": func() error {
			_, err := experiment.Make(t.Context(), nil, "e", none)
			return err
		},
		"one": func() error {
			_, _, err := experiment.One(no, experiment.Unit{}, none, nil)
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), "nil") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
