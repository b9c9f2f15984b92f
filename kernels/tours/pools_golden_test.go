package tours

import (
	"maps"
	"testing"

	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// poolsGoldens are runs of ils/pools whose digests testdata/golden_pools.json holds, as a GPU made
// them: two pools or more of few cities, kicks and generations of more.
var poolsGoldens = []struct {
	name       string
	clustered  bool
	n          int
	iterations int
	params     record.Values
}{
	{"uniform12", false, 12, 30, record.Of("piece", 8, "kicks", 5, "ripen", 10)},
	{"clustered199", true, 199, 120, record.Of("piece", 60, "tours", 12, "temperature", 0.3)},
	{
		"uniform1203", false, 1203, 25,
		record.Of("piece", 250, "ripen", 0.5, "descent", "2opt", "candidates", "alpha"),
	},
	{"uniform800", false, 800, 20, record.Of("ripen", 0.5, "crossing", "several")},
}

func poolsGoldenRuns(t testing.TB) []gputest.Run {
	t.Helper()
	var runs []gputest.Run
	for _, g := range poolsGoldens {
		params := record.Of("tours", 6, "piece", 100, "kicks", 0.5, "ripen", 1, "descent", "oropt",
			"temperature", 0, "crossing", "rounds", "candidates", "near", "neighbours", 8,
			"cities", 1000, "reach", 0)
		maps.Copy(params, g.params)
		runs = append(runs, gputest.Run{
			Name: g.name, Iterations: g.iterations, Config: solvers.Config{
				Solver: "ils", Variant: "pools", Instance: gputest.Cities(t, g.clustered, g.n), Seed: 2026,
				Params: params,
			},
		})
	}
	return runs
}

// The CPU replays what a GPU did.
func TestPoolsGolden(t *testing.T) {
	t.Parallel()
	gputest.Replay(t, "testdata/golden_pools.json", poolsGoldenRuns(t))
}
