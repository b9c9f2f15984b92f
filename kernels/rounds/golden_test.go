package rounds

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ils"
	"metalab/solvers/record"
)

// goldens are runs whose digests testdata/golden.json holds, as a GPU made them; backend says
// cpu where no GPU has made one yet.
var goldens = []struct {
	name       string
	clustered  bool
	n          int
	params     record.Values
	iterations int
}{
	{"uniform33", false, 33, record.Values{"chains": record.Num(5), "kicks": record.Num(10)}, 6},
	{
		"uniform198", false, 198,
		record.Values{"chains": record.Num(8), "kicks": record.Num(20), "start": record.Text("random")},
		5,
	},
	{
		"clustered101", true, 101,
		record.Values{
			"chains": record.Num(6), "kicks": record.Num(15), "accept": record.Text("always"),
			"neighbours": record.Num(5),
		},
		5,
	},
	{
		"clustered1002", true, 1002,
		record.Values{
			"chains": record.Num(4), "kicks": record.Num(30), "start": record.Text("curve"),
			"neighbours": record.Num(16),
		},
		3,
	},
	{
		"uniform250narrow", false, 250,
		record.Values{
			"chains": record.Num(3), "kicks": record.Num(10), "width": record.Num(5), "size": record.Num(7),
		},
		4,
	},
	{
		"uniform45or", false, 45,
		record.Values{"moves": orOpt, "chains": record.Num(6), "kicks": record.Num(12)},
		6,
	},
	{
		"clustered203or", true, 203,
		record.Values{
			"moves": orOpt, "chains": record.Num(5), "kicks": record.Num(15), "start": record.Text("random"),
			"accept": record.Text("always"), "width": record.Num(9),
		},
		5,
	},
	{
		"uniform1002or", false, 1002,
		record.Values{
			"moves": orOpt, "chains": record.Num(4), "kicks": record.Num(30), "start": record.Text("curve"),
			"neighbours": record.Num(16),
		},
		3,
	},
}

var orOpt = record.Text(ils.TwoOptOr)

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
	r, err := solvers.Open(
		solvers.Config{
			Solver: "ils", Variant: "2opt-rounds", Backend: backend, Instance: in, Seed: 2024,
			Params: g.params,
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(context.Background(), g.iterations); err != nil {
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
			t.Logf("%s: made on %s, not yet on a GPU", g.name, want.Backend)
		}
		if got.Digest != want.Digest || got.Best != want.Best || got.Mean != want.Mean {
			t.Errorf("%s: %+v, want %+v", g.name, got, want)
		}
	}
}
