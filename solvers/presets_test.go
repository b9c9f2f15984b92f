package solvers_test

import (
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
