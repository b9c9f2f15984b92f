package tours

import (
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// tilesGoldens are runs of ils/tiles whose digests testdata/golden_tiles.json holds, as a GPU made
// them.
var tilesGoldens = []struct {
	name      string
	clustered bool
	n         int
	params    record.Values
}{
	{"uniform12", false, 12, record.Values{"piece": record.Num(8), "kicks": record.Num(5)}},
	{
		"clustered499", true, 499, record.Values{
			"piece": record.Num(90), "chains": record.Num(2), "accept": record.Text("threshold"),
			"cooling": record.Num(3),
		},
	},
	{
		"uniform1203", false, 1203, record.Values{
			"piece": record.Num(250), "operator": record.Text("or2opt"), "kick": record.Text("segment"),
			"descent": record.Text("2opt"),
		},
	},
}

func makeTilesGolden(t testing.TB, i int, backend string) golden {
	t.Helper()
	g := tilesGoldens[i]
	in, err := datasets.DIMACS(g.clustered, g.n, 11)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "tiles", Backend: backend, Instance: in, Seed: 2026, Params: g.params,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 6); err != nil {
		t.Fatal(err)
	}
	p := r.Last()
	return golden{Digest: fmt.Sprintf("%016x", p.Digest), Best: p.Best, Mean: p.Mean, Backend: backend}
}
