package conform_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// withFixed are cities with fixed edges, of which every second follows another.
func withFixed(t *testing.T, n int) *datasets.TSP {
	t.Helper()
	made, err := datasets.Load("rand-200-7", datasets.Offline())
	if err != nil {
		t.Fatal(err)
	}
	all := made.(*datasets.TSP)
	p, err := datasets.NewTSP("fixed", datasets.Euc2D, all.X[:n], all.Y[:n])
	if err != nil {
		t.Fatal(err)
	}
	for i := int32(0); i < int32(n-3); i += 7 {
		p.Fixed = append(p.Fixed, [2]int32{i, i + 2}, [2]int32{i + 2, i + 1})
	}
	return p
}

// With fixed edges all laws hold for the variants that keep them; a best tour without one would be
// an error, as it has no length.
func TestFixedEdges(t *testing.T) {
	t.Parallel()
	for _, c := range []conform.Case{
		{
			Solver: "ils", Params: record.Of("chains", 2, "kicks", 10), Ranges: map[string][2]float64{
				"chains": {1, 3}, "kicks": {1, 20}, "neighbours": {3, 8}, "workers": {0, 2}, "pool": {0, 6},
			},
		},
		{
			Solver: "ga", Variant: "eax", Params: record.Of("population", 8, "children", 3),
			Ranges: map[string][2]float64{"children": {1, 6}, "workers": {0, 2}},
		},
	} {
		t.Run(c.Solver, func(t *testing.T) {
			t.Parallel()
			c.Instance, c.Seed, c.Iterations, c.Trials = withFixed(t, 40), 3, 8, 3
			conform.Check(t, c)
		})
	}
}

// The shortest tour with two crossing fixed edges is 84 long, found by trying all.
func TestFixedEdgesOfSix(t *testing.T) {
	t.Parallel()
	p, err := datasets.ReadTSP(strings.NewReader("NAME: x\nTYPE: TSP\nDIMENSION: 6\n"+
		"EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 10 0\n3 20 0\n4 20 10\n5 10 10\n6 0 10\n"+
		"FIXED_EDGES_SECTION\n1 4\n3 6\n-1\nEOF\n"), "x")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range solvers.Variants() {
		name := fmt.Sprintf("%s/%s", v.Solver, v.Name)
		r, err := solvers.Open(solvers.Config{
			Solver: v.Solver, Variant: v.Name, Backend: v.Backend, Instance: p,
		})
		if !v.KeepsFixed {
			if err == nil {
				r.Close()
			}
			if err == nil || slices.Contains(v.Kinds, datasets.KindTSP) &&
				!(strings.Contains(err.Error(), "FIXED_EDGES_SECTION, line 12") &&
					strings.Contains(err.Error(), "kept by ga/eax on cpu, ils on cpu")) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		defer r.Close()
		if err := r.Step(context.Background(), 3); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := r.Best(context.Background()); err != nil || b.Value != 84 {
			t.Errorf("%s: best %v, %v", name, b.Value, err)
		}
	}
}
