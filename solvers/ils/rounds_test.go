package ils_test

import (
	"context"
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/ils"
	"metalab/solvers/record"
	"metalab/solvers/rounds"
)

// dimacs is the instance of n cities of the DIMACS challenge with the seed 5.
func dimacs(tb testing.TB, n int) *datasets.TSP {
	tb.Helper()
	t, err := datasets.DIMACS(false, n, 5)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func TestRoundsKeepsTheLaws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n            int
		moves, other string
	}{
		{9, ils.TwoOpt, ils.TwoOptOr},
		{61, ils.TwoOpt, ils.TwoOptOr},
		{8, ils.TwoOptOr, ils.TwoOpt},
		{47, ils.TwoOptOr, ils.TwoOpt},
	} {
		t.Run(fmt.Sprint(c.n, c.moves), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ils", Variant: "2opt-rounds", Instance: dimacs(t, c.n), Seed: 7,
				Params: record.Values{
					"kicks": record.Num(7), "chains": record.Num(3), "accept": record.Text("always"),
					"moves": record.Text(c.moves),
				},
				Ranges: map[string][2]float64{
					"kicks": {1, 20}, "size": {1, 60}, "workers": {0, 4}, "warps": {0, 10}, "lanes": {0, 8},
				},
				Structural: []record.Values{
					{"start": record.Text("random"), "chains": record.Num(2)},
					{"neighbours": record.Num(5), "chains": record.Num(5)},
					{"width": record.Num(1)},
					{"moves": record.Text(c.other)},
				},
			})
		})
	}
}

// Every start and few cities are no error, and the best is what it says.
func TestRoundsOnAFewCities(t *testing.T) {
	t.Parallel()
	for n := 1; n < 12; n++ {
		for _, start := range []string{"nn", "curve", "random"} {
			for _, moves := range []string{ils.TwoOpt, ils.TwoOptOr} {
				few(t, n, start, moves)
			}
		}
	}
}

func few(t *testing.T, n int, start, moves string) {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "2opt-rounds", Instance: dimacs(t, n), Seed: 1,
		Params: record.Values{
			"start": record.Text(start), "chains": record.Num(2), "moves": record.Text(moves),
		},
	})
	if err != nil {
		t.Fatalf("%d cities: %v", n, err)
	}
	defer r.Close()
	if err := r.Step(context.Background(), 3); err != nil {
		t.Errorf("%d cities from %s by %s: %v", n, start, moves, err)
	}
	if _, err := r.Best(context.Background()); err != nil {
		t.Errorf("%d cities from %s by %s: %v", n, start, moves, err)
	}
}

// A fork to more moves begins with a search from all cities, and so ends with a tour that
// is at least as good.
func TestForkToMoreMoves(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "2opt-rounds", Instance: dimacs(t, 300), Seed: 1,
		Params: record.Values{"chains": record.Num(4)},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(ctx, 1); err != nil {
		t.Fatal(err)
	}
	f, err := r.Fork(
		ctx, solvers.Fork{Name: "f", With: record.Values{"moves": record.Text(ils.TwoOptOr)}},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Step(ctx, 1); err != nil {
		t.Fatal(err)
	}
	// Iterations with kicks say which share was kept; a search from all cities makes none.
	if before, after := r.Last(), f.Last(); after.Mean >= before.Mean || after.Measures[1] == 0 ||
		after.Measures[2] != 0 {
		t.Errorf("the fork went from %+v to %+v", before, after)
	}
}

func TestRoundsSolvesASmallInstance(t *testing.T) {
	t.Parallel()
	// On a 6 x 6 grid of side 10 the shortest tour has 36 edges of length 10.
	var x, y []float64
	for i := range 36 {
		x, y = append(x, float64(10*(i%6))), append(y, float64(10*(i/6)))
	}
	in, err := datasets.NewTSP("grid36", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []string{"nn", "curve", "random"} {
		r, err := solvers.Open(solvers.Config{
			Solver: "ils", Variant: "2opt-rounds", Instance: in, Seed: 1,
			Params: record.Values{"start": record.Text(start), "chains": record.Num(8)},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Step(context.Background(), 40); err != nil {
			t.Fatal(err)
		}
		if best := r.Last().Best; best != 360 {
			t.Errorf("from %s: %v, want 360", start, best)
		}
	}
}

// A device that was lost leaves a state that is refused in words, not one that is wrong.
func TestLostDevice(t *testing.T) {
	t.Parallel()
	in := dimacs(t, 20)
	lost := &losing{}
	s := ils.NewRounds(in, func(p *rounds.Problem) (rounds.Engine, error) {
		e, err := rounds.NewCPU(p)
		lost.Engine = e
		return lost, err
	})
	var params solvers.Params
	s.Declare(&params)
	if err := s.Init(&solvers.Env{Pool: solvers.NewPool(1)}); err != nil {
		t.Fatal(err)
	}
	p := record.Point{Measures: make([]float64, 4)}
	if err := s.Iterate(context.Background(), 1, &p); err != nil {
		t.Fatal(err)
	}
	best := s.Best()
	lost.gone = true
	if err := s.Iterate(context.Background(), 2, &p); err == nil || s.Best() != best {
		t.Errorf("error %v, best %v", err, s.Best())
	}
	if s.Trace() != nil {
		t.Error("tours of a lost device")
	}
}

type losing struct {
	rounds.Engine
	gone bool
}

var errLost = fmt.Errorf("the device was lost")

func (l *losing) Tour(chain int, dst []int32) error {
	if l.gone {
		return errLost
	}
	return l.Engine.Tour(chain, dst)
}

func (l *losing) Iterate(ctx context.Context, job rounds.Job, out []rounds.Outcome) error {
	if l.gone {
		return errLost
	}
	return l.Engine.Iterate(ctx, job, out)
}
