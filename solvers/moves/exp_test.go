package moves_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

func TestExp(t *testing.T) {
	if os.Getenv("EXP") == "" {
		t.Skip()
	}
	p := perceptron(t, 73, 73)
	type cfg struct {
		solver string
		v      record.Values
	}
	n, w := record.Num, record.Text
	for _, c := range []cfg{
		{"hill", record.Values{"neighbourhood": w("hamming2"), "kick": n(4), "select": w("first")}},
		{"hill", record.Values{"neighbourhood": w("hamming2"), "kick": n(10), "select": w("first")}},
		{"hill", record.Values{"neighbourhood": w("hamming1"), "kick": n(4), "select": w("best")}},
		{"vnd", record.Values{"depth": n(2), "kick": n(4), "select": w("first")}},
		{"vnd", record.Values{"depth": n(2), "kick": n(10), "select": w("best")}},
		{"tabu", record.Values{"neighbourhood": w("hamming2"), "tenure": n(10), "tenures": w("cube")}},
		{"tabu", record.Values{"neighbourhood": w("hamming1"), "tenure": n(20), "tenures": w("cube")}},
	} {
		var sum float64
		solved := 0
		for seed := uint64(1); seed <= 4; seed++ {
			c.v["scans"] = n(100)
			if c.solver == "vnd" {
				c.v["scans"] = n(10)
			}
			r, err := solvers.Open(solvers.Config{Solver: c.solver, Instance: p, Seed: seed, Params: c.v})
			if err != nil {
				t.Fatal(err)
			}
			for pt := range r.Steps(context.Background(), 1000000) {
				if pt.CPU > 1 || pt.Best == 0 {
					break
				}
			}
			l := r.Last()
			sum += l.Best
			if l.Best == 0 {
				solved++
			}
			r.Close()
		}
		fmt.Println(c.solver, c.v, "mean best", sum/4, "solved", solved)
	}
}
