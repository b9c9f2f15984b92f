package moves

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// golden is what a kept run came to, as a GPU made it.
type golden struct {
	Digest string
	Best   float64
	Mean   float64
	Device string
}

const goldenFile = "testdata/golden.json"

// goldens are the runs that are kept, by name.
func goldens(t *testing.T) map[string]trial {
	with := func(solver string, inst datasets.Instance, kv ...any) trial {
		return trial{inst: inst, params: record.Of(append([]any{"scans", 6}, kv...)...), solver: solver}
	}
	return map[string]trial{
		"assignment":           with("", randomQAP(t, 31, 5), "walks", 2, "aspiration", 40),
		"assignment, linear":   with("", randomQAP(t, 33, 2), "evaluation", "linear"),
		"assignment, cycles":   with("", randomQAP(t, 13, 3), "neighbourhood", "3exchange"),
		"assignment, hill":     with("hill", randomQAP(t, 17, 0), "walks", 3, "begin", "random"),
		"perceptron":           with("", load(t, "ppp-33x33-1"), "walks", 2, "exchange", 2),
		"perceptron, one flip": with("", load(t, "ppp-31x31-1"), "neighbourhood", "hamming1"),
		"perceptron, triples":  with("", load(t, "ppp-17x19-1"), "neighbourhood", "hamming3"),
		"perceptron, hill":     with("hill", load(t, "ppp-33x33-1"), "select", "first"),
		"perceptron, vnd":      with("vnd", load(t, "ppp-31x31-1"), "walks", 2),
		"tour":                 with("", load(t, "rand-61-1"), "walks", 2),
		"tour, cycles":         with("", load(t, "rand-23-1"), "neighbourhood", "3exchange"),
		"tour, vnd":            with("vnd", load(t, "rand-23-2")),
		"colouring":            with("", load(t, "queen8_8"), "walks", 3),
		"colouring, swaps":     with("", load(t, "myciel5"), "neighbourhood", "swap"),
		"colouring, hill":      with("hill", load(t, "queen8_8"), "select", "random"),
		"real vector, double":  with("", load(t, "weierstrass-3"), "neighbours", 300, "walks", 2),
		"real vector, single": with("", load(t, "weierstrass-5"), "neighbours", 100, "precision",
			"single"),
		"real vector, wide": with("hill", load(t, "weierstrass-2"), "neighbours", 65, "neighbourhood",
			"wide"),
	}
}

func makeGolden(t *testing.T, c trial, backend string) golden {
	t.Helper()
	solver, variant := "tabu", "robust"
	if c.solver != "" {
		solver, variant = c.solver, "climb"
	}
	r, err := solvers.Open(solvers.Config{
		Solver: solver, Variant: variant, Backend: backend, Instance: c.inst, Seed: 11, Params: c.params,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	p := r.Last()
	return golden{Digest: fmt.Sprintf("%016x", p.Digest), Best: p.Best, Mean: p.Mean}
}

// TestGolden makes the runs on the CPU that a GPU has made.
func TestGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]golden
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	all := goldens(t)
	if len(all) != len(want) {
		t.Errorf("%d runs are kept, there are %d", len(want), len(all))
	}
	for name, c := range all {
		w, ok := want[name]
		if !ok {
			t.Errorf("%s: not kept", name)
			continue
		}
		got := makeGolden(t, c, "cpu")
		if w.Device == "" {
			t.Errorf("%s: not made by a device", name)
		}
		if w.Device = ""; got != w {
			t.Errorf("%s: %+v, on the device %+v", name, got, w)
		}
	}
}
