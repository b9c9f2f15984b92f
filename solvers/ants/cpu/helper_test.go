package cpu

import (
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/tours"
)

// opened is a crew for looking inside, whose trails are 1, with rules that leave them as they are.
// more may change the setup before it is opened.
func opened(t *testing.T, inst *datasets.TSP, form Form, storage trail.Storage, candidates,
	ants int, more func(s *crew.Setup),
) *Crew {
	t.Helper()
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	l, err := trail.NewLists(sp, candidates)
	if err != nil {
		t.Fatal(err)
	}
	table, err := trail.NewTable(sp, l, storage, trail.Tenth, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	table.Fill(1)
	s := &crew.Setup{
		Env: &solvers.Env{Seed: 23, Pool: solvers.NewPool(1)}, Instance: inst, Space: sp,
		Nearest: trail.NewNearest(sp, l), Ants: ants, Table: table,
	}
	if more != nil {
		more(s)
	}
	k, err := Open(s, form)
	if err != nil {
		t.Fatal(err)
	}
	c := k.(*Crew)
	rule(t, c, 0.1, 1)
	return c
}

// rule tells a crew the rules of acs, and those that as and mmas have with tau0 for the least
// trail.
func rule(t *testing.T, c *Crew, rho float64, tau0 float32) {
	t.Helper()
	err := c.Rules(&crew.Rules{
		Ants: c.ants, Alpha: 1, Beta: c.t.Beta, Inv: 1 / tau0, Low: 0, High: 1e13, Rho: rho,
		Steps: crew.Steps{
			Q0: 0.5, Local: trail.NewLocal(rho, tau0, tau0), Period: 1,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// construct lets all ants make their tours.
func construct(t *testing.T, c *Crew, it int64) *crew.Tours {
	t.Helper()
	out := &crew.Tours{
		Lengths: make([]int64, c.Ants), Falls: make([]int32, c.Ants),
		Hashes: make([]uint64, c.Ants),
	}
	if err := c.Construct(t.Context(), it, 0, out); err != nil {
		t.Fatal(err)
	}
	return out
}
