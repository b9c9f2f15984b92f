//go:build cuda

package tours

import (
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers/conform"
	"metalab/solvers/ils"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

func engine(t testing.TB, p *ils.BestProblem) *Engine {
	t.Helper()
	e, err := newEngine(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// The device does what the twin does, for every number of blocks.
func TestTwin(t *testing.T) {
	gputest.Need(t)
	all := append(slices.Clone(trials),
		trial{601, datasets.Euc2D, 1, 40, true, ""}, trial{1002, datasets.Euc2D, 1, 40, true, ""},
		trial{1001, datasets.Ceil2D, 1000, 12, false, ""}, trial{503, datasets.Man2D, 1, 20, false, ""},
	)
	for _, c := range all {
		p, near := c.twin(t)
		for _, blocks := range []int{0, 1, 3, 44, 1024} {
			if c.n > 200 && blocks%1024 > 0 || c.n < 60 && blocks > 3 {
				continue
			}
			for op := range tours.BestOrdered + 1 {
				list := slices.Clone(jobs)
				for i := range list {
					list[i].Blocks = blocks
				}
				e := engine(t, p)
				e.passes = 3 + c.n // several launches
				what := fmt.Sprintf("%d cities, %s, %d blocks", c.n, e.q.kernel, blocks)
				twins(t, what, p, near, op, 1+blocks%4, e, list)
				t.Logf("%s, operator %v: alike", what, op)
				e.Close()
			}
		}
	}
}

// More chains than there are groups of blocks.
func TestManyChains(t *testing.T) {
	gputest.Need(t)
	c := trial{70, datasets.Euc2D, 1, 20, true, ""}
	p, near := c.twin(t)
	list := slices.Clone(jobs)
	for i := range list {
		list[i].Blocks = 90
	}
	twins(t, "many chains", p, near, tours.BestThree, 17, engine(t, p), list)
}

func TestLaws(t *testing.T) {
	gputest.Need(t)
	in, err := datasets.DIMACS(false, 60, 3)
	if err != nil {
		t.Fatal(err)
	}
	conform.Check(t, conform.Case{
		Solver: "ils", Variant: "best", Backend: "cuda", Instance: in, Seed: 7, Trials: 4,
		Params: record.Values{
			"kicks": record.Num(3), "chains": record.Num(2), "neighbours": record.Num(8),
		},
		Ranges: map[string][2]float64{
			"kicks": {1, 4}, "chains": {1, 4}, "neighbours": {1, 8}, "blocks": {0, 40},
		},
		Structural: []record.Values{{"start": record.Text("random"), "chains": record.Num(3)}},
	})
}

// The GPU makes the kept runs too. With METALAB_GOLDEN_OUT set it writes them there.
func TestGoldenDevice(t *testing.T) { gputest.Remake(t, goldenRuns(t)) }
