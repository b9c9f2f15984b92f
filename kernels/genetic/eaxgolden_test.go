package genetic

import (
	"testing"

	"metalab/kernels/internal/gputest"
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

func eaxGoldenRuns(t testing.TB) []gputest.Run {
	t.Helper()
	var runs []gputest.Run
	for _, g := range eaxGoldens {
		runs = append(runs, gputest.Run{
			Name: g.name, Iterations: g.iterations, Config: solvers.Config{
				Solver: "ga", Variant: "eax-rounds", Instance: gputest.Cities(t, g.clustered, g.n), Seed: 2024,
				Params: g.params,
			},
		})
	}
	return runs
}

// The CPU replays what a GPU did.
func TestEaxGolden(t *testing.T) {
	t.Parallel()
	gputest.Replay(t, "testdata/eaxgolden.json", eaxGoldenRuns(t))
}
