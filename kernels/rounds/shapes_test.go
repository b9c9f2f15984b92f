package rounds

import (
	"testing"

	"metalab/kernels/internal/gputest"
	_ "metalab/solvers/ils"
)

var shapes = []gputest.Shapes{{
	Name: "ils/2opt-rounds", Solver: "ils", Variant: "2opt-rounds", Least: 5, Most: 700,
	Fixed: []string{
		"chains 1 2 5 32 33 64 133", "moves 2opt 2opt+or", "neighbours 1 5 10 16", "width 1 8 31 32",
		"start nn curve random",
	},
	Live:     []string{"kicks 1 5 20 33", "size 1 10 50 1000", "accept better always"},
	Schedule: []string{"warps 0 0 0 1 2 3 4 7 10 16 32", "lanes 0 0 1 2 4 7 16 32", "trials 0 1 1 3"},
}}

// TestShapes changes launches at random; see conform.CheckShapes.
func TestShapes(t *testing.T) { gputest.OnDevice(t, shapes) }

func TestShapesOnCPU(t *testing.T) { gputest.OnCPU(t, shapes) }
