package tours

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// goldens are runs of ils/best whose digests testdata/golden.json holds, as a GPU made them.
var goldens = []struct {
	name      string
	clustered bool
	n         int
	params    record.Values
}{
	{"uniform12", false, 12, record.Values{"kicks": record.Num(30)}},
	{"uniform101", false, 101, record.Values{"kicks": record.Num(20), "chains": record.Num(3)}},
	{
		"clustered199", true, 199,
		record.Values{
			"kicks": record.Num(10), "operator": record.Text("2opt"), "neighbours": record.Num(9),
		},
	},
	{
		"uniform250always", false, 250,
		record.Values{
			"kicks": record.Num(8), "accept": record.Text("always"), "start": record.Text("random"),
			"quadrant": record.Bool(false), "neighbours": record.Num(12),
		},
	},
	{"clustered503", true, 503, record.Values{"kicks": record.Num(5), "chains": record.Num(2)}},
}

// A golden is what is kept of a run.
type golden struct {
	Digest  string  `json:"digest"`
	Best    float64 `json:"best"`
	Mean    float64 `json:"mean"`
	Backend string  `json:"backend"` // that made it
	Device  string  `json:"device"`
}

func makeGolden(t testing.TB, i int, backend string) golden {
	t.Helper()
	g := goldens[i]
	in, err := datasets.DIMACS(g.clustered, g.n, 11)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "best", Backend: backend, Instance: in, Seed: 2026, Params: g.params,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	p := r.Last()
	return golden{Digest: fmt.Sprintf("%016x", p.Digest), Best: p.Best, Mean: p.Mean, Backend: backend}
}

// The CPU replays what a GPU did.
func TestGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]golden{}
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if len(kept) != len(goldens) {
		t.Errorf("%d runs are kept, want %d", len(kept), len(goldens))
	}
	for i, g := range goldens {
		want, got := kept[g.name], makeGolden(t, i, "cpu")
		if want.Backend != "cuda" {
			t.Errorf("%s: made on %q, want a GPU", g.name, want.Backend)
		}
		if got.Digest != want.Digest || got.Best != want.Best || got.Mean != want.Mean {
			t.Errorf("%s: %+v, want %+v", g.name, got, want)
		}
	}
}
