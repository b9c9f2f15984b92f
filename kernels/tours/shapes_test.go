package tours

import (
	"testing"

	"metalab/kernels/internal/gputest"
	_ "metalab/solvers/ils"
)

var shapes = []gputest.Shapes{
	{
		Name: "ils/best", Solver: "ils", Variant: "best", Least: 8, Most: 130, Iterations: 60,
		Fixed: []string{"start nn greedy curve random"},
		Live: []string{
			"operator 3opt-ordered 3opt 2opt", "neighbours 1 5 8 20", "quadrant true false", "kicks 1 2 4",
			"accept better always", "chains 1 2 5 17",
		},
		Schedule: []string{"blocks 0 0 1 2 3 7 33 64 133 300 1024"},
	},
	{
		Name: "ils/tiles", Solver: "ils", Variant: "tiles", Least: 8, Most: 900, Iterations: 60,
		Fixed: []string{
			"chains 1 2 5 33", "neighbours 1 5 8 10", "candidates near alpha weighted",
			"start random greedy curve", "descent none 2opt oropt", "mend 0 5 20", "timed false",
		},
		Live: []string{
			"piece 8 33 100 257 4096", "kicks 0.05 0.3 1", "cuts 1 4 33", "operator 2opt or2opt or3opt",
			"kick walk segment", "width 1 5 10 40", "accept better threshold", "temperature 0 0.4 5",
			"cooling 0 5 30", "exchange 0 1 3",
		},
		Schedule: []string{"workers 0 1 3"},
	},
	{
		Name: "ils/pools", Solver: "ils", Variant: "pools", Least: 8, Most: 600, Iterations: 60,
		Fixed: []string{
			"tours 2 5 33", "neighbours 1 5 8 10", "candidates near alpha weighted",
			"crossing rounds several",
		},
		Live: []string{
			"piece 8 33 100 257 4096", "kicks 0.05 0.3 1", "cuts 1 4 33", "operator 2opt or2opt or3opt",
			"kick walk segment", "width 1 5 10 40", "temperature 0 0.4 5", "ripen 0 0.2 1",
			"descent none 2opt oropt",
		},
		Schedule: []string{"workers 0 1 3"},
	},
}

// TestShapes changes launches at random; see conform.CheckShapes.
func TestShapes(t *testing.T) { gputest.OnDevice(t, shapes) }

func TestShapesOnCPU(t *testing.T) { gputest.OnCPU(t, shapes) }
