package genetic

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// goldens are runs whose digests testdata/golden.json holds, as a GPU made them.
var goldens = []struct {
	name       string
	clustered  bool
	n          int
	params     record.Values
	iterations int
}{
	{"uniform107", false, 107, record.Of("population", 32, "groups", 2, "moves", 9), 8},
	{
		"clustered131", true, 131,
		record.Of("population", 64, "groups", 8, "crossover", "bcscx", "exchange_period", 2), 7,
	},
	{
		"uniform203", false, 203,
		record.Of(
			"population", 40, "crossover", "arx", "rivals", "half", "mutants", "all", "move", "random",
			"moves", 3, "origin", "same", "elite", "improved",
		), 7,
	},
	{
		"clustered101", true, 101,
		record.Of("population", 24, "crossover", "scx", "start", "nn", "elite", "copied"), 6,
	},
	{"uniform1002", false, 1002, record.Of("population", 48, "hybrid_share", 0.8), 5},
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
		Solver: "ga", Variant: "rivals", Backend: backend, Instance: in, Seed: 2024, Params: g.params,
	})
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
		if got.Digest != want.Digest || got.Best != want.Best || got.Mean != want.Mean {
			t.Errorf("%s: %+v, want %+v", g.name, got, want)
		}
	}
}
