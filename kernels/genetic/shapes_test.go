package genetic

import (
	"testing"

	"metalab/kernels/internal/gputest"
)

var shapes = []gputest.Shapes{
	{
		Name: "ga/tournament", Solver: "ga", Variant: "tournament", Least: 8, Most: 300,
		Fixed: []string{
			"population 4 5 33 64 133", "start random nn 2opt 2opt+or",
		},
		Live: []string{
			"groups 1 2 3 7", "crossover scx bcscx arx hybrid", "hybrid_share 0 0.5 1", "pairing next half",
			"elite none copied improved", "mutation 0 0.3 1", "mutants children all",
			"move gaining random", "moves 1 9 60", "origin same drawn", "exchange_period 0 1 5",
			"couples disjoint neighbours", "ties first second",
		},
		Schedule: []string{"workers 0 1 3"},
		Turn:     func(n int) { strongest, turns = 1+n%4, n/4%3 },
	},
	{
		Name: "ga/eax-rounds", Solver: "ga", Variant: "eax-rounds", Least: 8, Most: 300, Iterations: 60,
		Fixed: []string{"population 2 3 12 33 64"},
		Live: []string{
			"children 1 5 17 30", "longest 4 33 128 1000", "round 1 4 33 128", "replacement entropy greedy",
		},
		Schedule: []string{"workers 0 1 3"},
		Turn:     func(n int) { eaxWarps = []int{4, 8, 16}[n%3] }, // of populations that are loaded
	},
}

// TestShapes changes launches at random; see conform.CheckShapes.
func TestShapes(t *testing.T) {
	b, n, w := strongest, turns, eaxWarps
	defer func() { strongest, turns, eaxWarps = b, n, w }()
	gputest.OnDevice(t, shapes)
}

func TestShapesOnCPU(t *testing.T) { gputest.OnCPU(t, shapes) }
