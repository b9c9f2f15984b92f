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

// eaxGoldens are runs of ga/eax-rounds whose digests testdata/eaxgolden.json holds, as a GPU made
// them.
var eaxGoldens = []struct {
	name       string
	clustered  bool
	n          int
	params     record.Values
	iterations int
}{
	{"uniform107", false, 107, record.Of("population", 32, "round", 9), 12},
	{"clustered203", true, 203, record.Of("population", 24, "children", 7), 9},
	{"uniform301", false, 301, record.Of("population", 20, "replacement", "greedy"), 8},
	{"uniform1002", false, 1002, record.Of("population", 16, "round", 5), 10},
}

func makeEaxGolden(t testing.TB, i int, backend string) golden {
	t.Helper()
	g := eaxGoldens[i]
	in, err := datasets.DIMACS(g.clustered, g.n, 11)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "ga", Variant: "eax-rounds", Backend: backend, Instance: in, Seed: 2024, Params: g.params,
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
func TestEaxGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/eaxgolden.json")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]golden{}
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if len(kept) != len(eaxGoldens) {
		t.Errorf("%d runs are kept, want %d", len(kept), len(eaxGoldens))
	}
	for i, g := range eaxGoldens {
		want, got := kept[g.name], makeEaxGolden(t, i, "cpu")
		if got.Digest != want.Digest || got.Best != want.Best || got.Mean != want.Mean {
			t.Errorf("%s: %+v, want %+v", g.name, got, want)
		}
	}
}
