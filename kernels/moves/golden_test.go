package moves

import (
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

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

func goldenRuns(t *testing.T) []gputest.Run {
	t.Helper()
	var runs []gputest.Run
	for name, c := range goldens(t) {
		solver, variant := "tabu", "robust"
		if c.solver != "" {
			solver, variant = c.solver, "climb"
		}
		runs = append(runs, gputest.Run{
			Name: name, Iterations: 8, Config: solvers.Config{
				Solver: solver, Variant: variant, Instance: c.inst, Seed: 11, Params: c.params,
			},
		})
	}
	return runs
}

// The CPU replays what a GPU did.
func TestGolden(t *testing.T) {
	t.Parallel()
	gputest.Replay(t, "testdata/golden.json", goldenRuns(t))
}
