package rounds

import (
	"testing"

	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/ils"
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

func goldenRuns(t testing.TB) []gputest.Run {
	t.Helper()
	var runs []gputest.Run
	for _, g := range goldens {
		runs = append(runs, gputest.Run{
			Name: g.name, Iterations: g.iterations, Config: solvers.Config{
				Solver: "ils", Variant: "2opt-rounds", Instance: gputest.Cities(t, g.clustered, g.n),
				Seed: 2024, Params: g.params,
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
