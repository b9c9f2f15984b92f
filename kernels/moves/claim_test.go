package moves

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/launch/emulate"
	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

// TestClaims holds what an engine asks the device for against what it allocates, for several
// numbers of walks and all launches, and looks that all is given back.
func TestClaims(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	image = func(string) ([]byte, error) { return emulate.FakeImage, nil }
	var e *Engine
	const backend = "claims"
	solvers.Register(moves.TabuOn(backend, Kinds(), func(p *moves.Problem) (moves.Engine, error) {
		made, err := NewEngine(p)
		e, _ = made.(*Engine)
		return made, err
	}))
	perceptron, err := datasets.Load("ppp-33x33-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, inst := range []datasets.Instance{randomQAP(t, 33, 7), perceptron} {
		r, err := solvers.Open(solvers.Config{
			Name: "claims", Solver: "tabu", Variant: "robust", Backend: backend, Instance: inst, Seed: 1,
			Params: record.Of("scans", 2),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, walks := range []int{1, 7, 3} {
			n := inst.Size()
			state := moves.State{Until: make([]int64, n)}
			if _, ok := inst.(*datasets.QAP); ok {
				state.Until = make([]int64, n*n)
				for i := range int32(n) {
					state.Now.Perm = append(state.Now.Perm, i)
				}
			} else {
				state.Now.Bits = make([]int8, n)
				for i := range n {
					state.Now.Bits[i] = 1
				}
			}
			state.Top = state.Now
			if err := e.Load(slices.Repeat([]moves.State{state}, walks)); err != nil {
				t.Fatal(err)
			}
			e.jobs = []job{{Size: uint64(moves.Pairs(int64(n)))}}
			for _, c := range append(e.shapes(), e.own()) {
				if err := e.adopt(c); err != nil {
					t.Fatal(err)
				}
			}
			h := e.Dev.Holding()
			if h.Claimed != e.bytes(walks) || h.Held > h.Claimed || h.Held == 0 {
				t.Errorf("%s, %d walks: %d bytes were asked for, %d should be, %d are held", inst.Name(),
					walks, h.Claimed, e.bytes(walks), h.Held)
			}
		}
		r.Close()
	}
	for _, h := range gpu.Holdings(0) {
		t.Errorf("after closing: %v", h)
	}
}
