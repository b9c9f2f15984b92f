package genetic_test

import (
	"maps"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestNamesOfBefore: records in which the variant is called rivals, and pairing too, are made again
// and compared with those of now; the old names open and set.
func TestNamesOfBefore(t *testing.T) {
	t.Parallel()
	old, err := record.ReadFile("testdata/rivals.run")
	if err != nil {
		t.Fatal(err)
	}
	inst, err := datasets.Load(old.Header.Instance.Name)
	if err != nil {
		t.Fatal(err)
	}
	if _, renamed := old.Header.Params["pairing"]; renamed || old.Header.Variant != "rivals" {
		t.Fatal("the record has the names of now")
	}
	first, err := solvers.Replay(t.Context(), old, inst, solvers.ReplayOptions{})
	if first != nil || err != nil {
		t.Errorf("replayed: %v, %v", first, err)
	}
	r, err := solvers.Open(solvers.Config{
		Name: "now", Solver: "ga", Variant: "rivals", Instance: inst, Seed: old.Header.Seed,
		Params: record.Of("population", 64, "rivals", "half"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	h := r.Header()
	if w, _ := h.Params["pairing"].Word(); h.Variant != "tournament" || w != "half" ||
		slices.Contains(slices.Collect(maps.Keys(h.Params)), "rivals") {
		t.Errorf("the header says %s and %v", h.Variant, h.Params)
	}
	if err := r.Step(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	made, err := r.Set(t.Context(), record.Of("rivals", "next"), "x")
	if err != nil || len(made) != 1 || made[0].Name != "pairing" {
		t.Errorf("set: %v, %v", made, err)
	}
	if err := r.Step(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	f, err := r.Fork(t.Context(), solvers.Fork{Name: "f", With: record.Of("rivals", "half")})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Step(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	now, err := f.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d, err := solvers.Diff(t.Context(), old, now, inst)
	if err != nil {
		t.Fatal(err)
	}
	if d.First != nil || len(d.Header) > 0 {
		t.Errorf("the record of before and that of now: %+v", d)
	}
	if now.Digest != old.Digest {
		t.Errorf("digest %x, of before %x", now.Digest, old.Digest)
	}
	bare, err := solvers.NewStepper(r.Variant(), inst)
	if err != nil {
		t.Fatal(err)
	}
	if err := bare.Init(1, record.Of("rivals", "half"), nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range bare.Params() {
		if w, _ := p.Value.Word(); p.Name == "pairing" && w != "half" {
			t.Errorf("pairing is %s in an algorithm without a run, want half", w)
		}
	}
}
