package moves

import (
	"testing"

	"metalab/datasets"
)

// The tables of gains of exchanges of three count as memory of a walk before it is admitted.
func TestTablesOfCyclesAreCounted(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Load("E1k.0")
	if err != nil {
		t.Fatal(err)
	}
	of, err := newTSP(inst)
	if err != nil {
		t.Fatal(err)
	}
	p := of.(*tsp)
	plain := p.perWalk()
	p.cyclic = true
	if more := p.perWalk() - plain; more != 8*1000*int64(p.arg.Stride) {
		t.Errorf("the tables count %d bytes", more)
	}
}
