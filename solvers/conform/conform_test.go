package conform_test

import (
	"testing"

	"metalab/datasets"
	"metalab/solvers/conform"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

func init() { toy.Register() }

func grid(t testing.TB) *datasets.TSP {
	t.Helper()
	var x, y []float64
	for i := range 20 {
		x = append(x, float64(i%5*100+i))
		y = append(y, float64(i/5*100+i*i%7))
	}
	p, err := datasets.NewTSP("grid20", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestToyKeepsTheLaws(t *testing.T) {
	t.Parallel()
	conform.Check(t, conform.Case{
		Solver: "toy", Instance: grid(t), Seed: 7, Ranges: map[string][2]float64{"moves": {1, 20}},
		Structural: []record.Values{{"agents": record.Num(2)}, {"agents": record.Num(9)}},
	})
}

func TestRacyIsHeldToItsOwn(t *testing.T) {
	t.Parallel()
	conform.Check(t, conform.Case{Solver: "toy", Variant: "racy", Instance: grid(t), Seed: 7})
}
