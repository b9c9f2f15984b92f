package stats_test

import (
	"fmt"

	"metalab/solvers/stats"
)

// Gaps in percent of two solvers over eight seeds each.
func ExampleAnalyse() {
	acs := []float64{0.31, 0.42, 0.28, 0.39, 0.35, 0.51, 0.44, 0.30}
	mmas := []float64{0.12, 0.25, 0.18, 0.29, 0.11, 0.22, 0.33, 0.16}
	r, err := stats.Analyse(stats.Question{Groups: []stats.Group{{"acs", acs}, {"mmas", mmas}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p = %.4f, %s is better, by %.2f\n", r.Pairs[0].P, r.Pairs[0].Better,
		-r.Pairs[0].Shift.Value)
	// Output: p = 0.0019, mmas is better, by 0.17
}

// What it costs two runs to reach 100, and their values within 20 iterations.
func ExampleFixedTarget() {
	runs := []stats.Trace{
		{{Cost: 1, Best: 130}, {Cost: 10, Best: 100}},
		{{Cost: 1, Best: 140}, {Cost: 50, Best: 105}}, // ends without
	}
	r := stats.FixedTarget(runs, 100)
	fmt.Println(r.Reached, r.ERT, stats.FixedBudget(runs, 20))
	// Output: 1 60 [100 140]
}
