package solvers_test

import (
	"errors"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A preset's values depend on the instance and are the run's defaults; what is set beside the
// preset goes before it. A value out of its range says which preset has it.
func TestPresets(t *testing.T) {
	toy, err := solvers.Find("toy", "swap", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	toy.Solver = "preset-toy"
	toy.Presets = []solvers.Preset{
		{Name: "best", Doc: "The default."},
		{Name: "large", Doc: "By size.", Values: func(inst datasets.Instance) record.Values {
			return record.Of("moves", inst.Size(), "accept", "always", "heat", 2.5)
		}},
		{Name: "wrong", Doc: "Out of range.", Values: solvers.Fixed(record.Of("moves", 0))},
	}
	solvers.Put(toy)
	defer solvers.Remove(toy.Solver, toy.Name, toy.Backend)

	r, err := solvers.Open(solvers.Config{
		Solver: "preset-toy", Preset: "large", Instance: grid(t, 20), Params: record.Of("heat", 3),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := map[string][2]string{
		"moves": {"20", "20"}, "accept": {"always", "always"}, "heat": {"3", "2.5"},
	}
	ps, err := r.Params(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if w, ok := want[p.Name]; ok && (p.Value.String() != w[0] || p.Default.String() != w[1]) {
			t.Errorf("%s is %s with the default %s, want %s and %s", p.Name, p.Value, p.Default, w[0], w[1])
		}
	}
	_, err = solvers.Open(solvers.Config{Solver: "preset-toy", Preset: "wrong", Instance: grid(t, 20)})
	if err == nil ||
		!strings.Contains(err.Error(), "preset wrong: moves is 0, want an integer from 1") {
		t.Errorf("error %v", err)
	}
	other := toy
	other.Backend, other.Presets = "other", toy.Presets[:1]
	const want1 = `preset is "large", want one of default, best; large is a preset of ` +
		"preset-toy/swap with backend cpu"
	solvers.Put(other)
	defer solvers.Remove(other.Solver, other.Name, other.Backend)
	if _, err := other.Preset("large"); err == nil || err.Error() != want1 {
		t.Errorf("error %v, want %s", err, want1)
	}
	if first := toy.AllPresets()[0]; first.Name != "default" ||
		!strings.HasSuffix(first.Doc, "the same as best.") {
		t.Errorf("the first preset is %+v", first)
	}
}

func neverOpened(datasets.Instance) (solvers.Algorithm, error) {
	return nil, errors.New("never opened")
}

// A configuration that names the solver alone opens what its default gives way to on the instance.
func TestChooseByTheInstance(t *testing.T) {
	large := func(datasets.Instance) (string, string) { return "b", "for it is large" }
	for _, v := range []solvers.Variant{
		{Solver: "chosen", Name: "a", Backend: "cpu", Default: true, Instead: large},
		{Solver: "chosen", Name: "b", Backend: "cpu"},
	} {
		v.New = neverOpened
		solvers.Put(v)
		defer solvers.Remove(v.Solver, v.Name, v.Backend)
	}
	inst, _, err := datasets.Generate("rand-10-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cfg  solvers.Config
		want string
	}{
		{solvers.Config{Instance: inst}, "b"},
		{solvers.Config{Instance: inst, Preset: "best"}, "b"},
		{solvers.Config{Instance: inst, Preset: "default"}, "b"},
		{solvers.Config{Instance: inst, Variant: "a"}, "a"},
		{solvers.Config{Instance: inst, Preset: "paper"}, "a"},
		{solvers.Config{Instance: inst, Params: record.Values{"moves": record.Num(1)}}, "a"},
		{solvers.Config{}, "a"},
	} {
		c.cfg.Solver = "chosen"
		v, why, err := solvers.Choose(c.cfg)
		if err != nil || v.Name != c.want || (why != "") != (v.Name == "b") {
			t.Errorf("%+v: %s, %q, %v, want %s", c.cfg, v.Name, why, err, c.want)
		}
	}
}

// Where the default does not take the kind of an instance, the first variant that does is taken,
// unless another is named.
func TestChosenByKind(t *testing.T) {
	for _, v := range []solvers.Variant{
		{
			Solver: "kinds", Name: "a", Backend: "cpu", Default: true,
			Kinds: []datasets.Kind{datasets.KindQAP},
		},
		{Solver: "kinds", Name: "b", Backend: "cuda", Kinds: []datasets.Kind{datasets.KindTSP}},
		{Solver: "kinds", Name: "c", Backend: "cpu", Kinds: []datasets.Kind{datasets.KindTSP}},
	} {
		v.New = neverOpened
		solvers.Put(v)
		defer solvers.Remove(v.Solver, v.Name, v.Backend)
	}
	inst, err := datasets.Uniform(5, 1)
	if err != nil {
		t.Fatal(err)
	}
	params := record.Values{"moves": record.Num(1)}
	for _, c := range []struct {
		cfg  solvers.Config
		want string
	}{
		{solvers.Config{Instance: inst}, "c"},
		{solvers.Config{Instance: inst, Params: params, Preset: "paper"}, "c"},
		{solvers.Config{Instance: inst, Variant: "a"}, "a"},
		{solvers.Config{}, "a"},
	} {
		c.cfg.Solver = "kinds"
		v, why, err := solvers.Choose(c.cfg)
		if err != nil || v.Name != c.want || v.Backend != "cpu" || why != "" {
			t.Errorf("%+v: %s, %q, %v, want %s", c.cfg, v.Name, why, err, c.want)
		}
	}
	// Where no variant takes the kind it is the default, which tells so.
	v, err := solvers.FindFor(datasets.KindPPP, "kinds", "", "")
	if err != nil || v.Name != "a" {
		t.Errorf("for no kind: %s, %v", v.Name, err)
	}
}

// Without a name the default is found; where it does not run, the fallback of the backend.
func TestFindWithoutAName(t *testing.T) {
	for _, v := range []solvers.Variant{
		{Solver: "unnamed", Name: "a", Backend: "cpu"},
		{Solver: "unnamed", Name: "a", Backend: "cuda", Fallback: true},
		{Solver: "unnamed", Name: "b", Backend: "cpu", Default: true},
		{Solver: "unnamed2", Name: "a", Backend: "cuda", Fallback: true},
		{Solver: "unnamed2", Name: "b", Backend: "cpu", Default: true},
		{Solver: "unnamed2", Name: "b", Backend: "cuda", Default: true},
		{Solver: "unnamed3", Name: "b", Backend: "cpu", Default: true},
	} {
		v.New = neverOpened
		solvers.Put(v)
		defer solvers.Remove(v.Solver, v.Name, v.Backend)
	}
	for _, c := range []struct{ solver, backend, want string }{
		{"unnamed", "cpu", "b"},
		{"unnamed", "cuda", "a"},
		{"unnamed2", "cuda", "b"},
		{"unnamed3", "cuda", ""},
	} {
		if v, err := solvers.Find(c.solver, "", c.backend); v.Name != c.want ||
			(err == nil) != (c.want != "") {
			t.Errorf("%s on %s: %q, %v, want %q", c.solver, c.backend, v.Name, err, c.want)
		}
	}
}
