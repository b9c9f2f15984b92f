package tours

import (
	"maps"
	"testing"

	"metalab/kernels/internal/gputest"
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

func tilesGoldenRuns(t testing.TB) []gputest.Run {
	t.Helper()
	var runs []gputest.Run
	for _, g := range tilesGoldens {
		params := record.Of("piece", 1000, "kicks", 0.5, "chains", 1, "start", "greedy",
			"accept", "better", "temperature", 0.1, "cooling", 0, "timed", false)
		maps.Copy(params, g.params)
		runs = append(runs, gputest.Run{
			Name: g.name, Iterations: 6, Config: solvers.Config{
				Solver: "ils", Variant: "tiles", Instance: gputest.Cities(t, g.clustered, g.n), Seed: 2026,
				Params: params,
			},
		})
	}
	return runs
}

// The CPU replays what a GPU did.
func TestTilesGolden(t *testing.T) {
	t.Parallel()
	gputest.Replay(t, "testdata/golden_tiles.json", tilesGoldenRuns(t))
}
