package tours

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
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
	params := record.Of("piece", 1000, "kicks", 0.5, "chains", 1, "start", "greedy",
		"accept", "better", "temperature", 0.1, "cooling", 0, "timed", false)
	maps.Copy(params, g.params)
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "tiles", Backend: backend, Instance: in, Seed: 2026, Params: params,
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

// The CPU replays what a GPU did.
func TestTilesGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/golden_tiles.json")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]golden{}
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if len(kept) != len(tilesGoldens) {
		t.Errorf("%d runs are kept, want %d", len(kept), len(tilesGoldens))
	}
	for i, g := range tilesGoldens {
		want, got := kept[g.name], makeTilesGolden(t, i, "cpu")
		if want.Backend != "cuda" {
			t.Errorf("%s: made on %q, want a GPU", g.name, want.Backend)
		}
		if got.Digest != want.Digest || got.Best != want.Best || got.Mean != want.Mean {
			t.Errorf("%s: %+v, want %+v", g.name, got, want)
		}
	}
}
