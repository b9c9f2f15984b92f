package moves

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
)

// TestThreeFlipsToTheLeastProduct evaluates flips that lead to the least product that three flips
// can lead to, which a row should have.
func TestThreeFlipsToTheLeastProduct(t *testing.T) {
	inst := &datasets.PPP{M: 1, N: 9, A: slices.Repeat([]int8{1}, 9), H: make([]int32, 10)}
	inst.H[3] = 1
	w, err := newPPPWalk(inst)
	if err != nil {
		t.Fatal(err)
	}
	copy(w.v, inst.A)
	w.multiply()
	for k, nb := range w.Neighbourhoods() {
		w.prepare(k, wave{ctx: t.Context(), block: 1})
		if m := nb.Move(0); w.value(k, 0, m) != w.Delta(m) {
			t.Errorf("%s: a move from %v costs %v, want %v", nb.Name(), w.cost, w.value(k, 0, m), w.Delta(m))
		}
	}
}

// TestPPPLinear compares the two evaluations of all moves.
func TestPPPLinear(t *testing.T) {
	inst, err := datasets.Load("ppp-9x7-1")
	if err != nil {
		t.Fatal(err)
	}
	w, err := On(inst)
	if err != nil {
		t.Fatal(err)
	}
	p := w.(*pppWalk)
	draws := arith.NewStream(1, 0, 0, 9)
	p.Random(&draws)
	for k, nb := range p.Neighbourhoods() {
		p.prepare(k, wave{ctx: t.Context(), block: 1})
		for x := range nb.Size() {
			m := nb.Move(x)
			p.evaluate(false)
			sets := p.value(k, x, m)
			p.evaluate(true)
			if v := p.value(k, x, m); v != sets {
				t.Errorf("%s, move %d: %v by sets, %v by products", nb.Name(), x, sets, v)
			}
		}
	}
}
