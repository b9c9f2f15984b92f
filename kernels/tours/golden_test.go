package tours

import (
	"testing"

	"metalab/kernels/internal/gputest"
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

func goldenRuns(t testing.TB) []gputest.Run {
	t.Helper()
	var runs []gputest.Run
	for _, g := range goldens {
		runs = append(runs, gputest.Run{
			Name: g.name, Iterations: 4, Config: solvers.Config{
				Solver: "ils", Variant: "best", Instance: gputest.Cities(t, g.clustered, g.n), Seed: 2026,
				Params: g.params,
			},
		})
	}
	return runs
}

// The CPU replays what a GPU did.
func TestGolden(t *testing.T) {
	t.Parallel()
	gputest.Replay(t, "testdata/golden.json", goldenRuns(t))
}
