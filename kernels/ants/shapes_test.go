package ants

import (
	"testing"

	"metalab/kernels/internal/gputest"
)

// What the parameters of ants are drawn from.
var (
	antsLive = []string{
		"ants 1 2 7 31 32 33 64 100 133 300", "beta 0 1 2 2.5 5", "local_share 0.01 0.4 1",
	}
	antsSchedule = []string{"warps 0 0 0 1 2 3 5 8 16 31 32", "trials 0 1 1 2 3"}
	antsSearch   = "local_search none none 2opt-rounds oropt-rounds 2opt-plain 2opt-best"
	maxMin       = []string{
		"alpha 1 1 1.5", "rho 0.5 0.9 0.98", "p_best 0.01 0.5", "deposit iteration best mixed",
		"reset 0 20 250", "best_period 0 5",
	}
	colony = []string{"q0 0 0.2 0.9 0.98", "alpha 0.1 0.2", "rho 0.01 0.1", "local_period 1 2 4"}
)

// join is one list of several.
func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// shapes are the deterministic variants on a GPU.
var shapes = []gputest.Shapes{
	{
		Name: "as/wrs", Solver: "as", Variant: "wrs", Least: 1, Most: 400,
		Fixed: []string{"candidates 1 5 9 31 32", antsSearch},
		Live:  join(antsLive, []string{"alpha 1 1 2.5", "rho 0.5 0.9"}), Schedule: antsSchedule,
	},
	{
		Name: "mmas/wrs", Solver: "mmas", Variant: "wrs", Least: 1, Most: 400,
		Fixed: []string{"candidates 1 5 9 31 32", antsSearch},
		Live:  join(antsLive, maxMin), Schedule: antsSchedule,
	},
	{
		Name: "mmas/rows", Solver: "mmas", Variant: "rows", Least: 1, Most: 300,
		Fixed: []string{
			"candidates 0 0 3 20 32", "storage candidates matrix", "selection rwm wrs groups",
			"tabu lc ct bt", antsSearch,
		},
		Live: join(antsLive, maxMin), Schedule: antsSchedule,
	},
	{
		Name: "mmas/thin", Solver: "mmas", Variant: "thin", Least: 1, Most: 400,
		Fixed: []string{"candidates 1 5 9 31 32", antsSearch},
		Live:  join(antsLive, maxMin), Schedule: antsSchedule,
	},
	{
		Name: "acs/lockstep", Solver: "acs", Variant: "lockstep", Least: 1, Most: 300,
		Fixed: []string{"candidates 1 4 9 28 29 32", antsSearch + " oropt"},
		Live:  join(antsLive, colony), Schedule: antsSchedule,
	},
	{
		Name: "acs/spm-sync", Solver: "acs", Variant: "spm-sync", Least: 1, Most: 300,
		Fixed: []string{"candidates 1 4 9 28 29 32", "tau_min 1 0.5", antsSearch + " oropt"},
		Live:  join(antsLive, colony, []string{"spm_slots 1 3 8 32"}), Schedule: antsSchedule,
	},
}

// TestShapes changes launches at random; see conform.CheckShapes.
func TestShapes(t *testing.T) { gputest.OnDevice(t, shapes) }

func TestShapesOnCPU(t *testing.T) { gputest.OnCPU(t, shapes) }
