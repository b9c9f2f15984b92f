package moves

import (
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/solvers/record"
)

// TestGraphsAfterOthers lets kernels that make many scans in a launch follow those of a graph, and
// these follow them: the tables of the former are not those of the tours then.
func TestGraphsAfterOthers(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	var e *Engine
	open := onFake(t, func(made *Engine) { e = made })
	r := open(try(randomQAP(t, 12, 0)), "wave", 64, "block", 64, "neighbourhood", "3exchange")
	defer r.Close()
	q := e.of.(*qap)
	for i, hood := range []string{"3exchange", "swap", "3exchange", "swap", "3exchange"} {
		if _, err := r.Set(t.Context(), record.Of("neighbourhood", hood), "test"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := r.Step(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			if stale := hood == "3exchange"; q.fast.stale != stale || q.without == stale {
				t.Errorf("part %d, by %s: stale are the tables of swaps: %v, of exchanges of three: %v", i,
					hood, q.fast.stale, q.without)
			}
		}
	}
}
