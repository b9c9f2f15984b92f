//go:build cuda

package ants

import (
	"slices"
	"testing"

	"metalab/solvers"
)

// What solvers/ants says to have a form on GPUs, also where it is not built in, is what is
// registered here.
func TestOffered(t *testing.T) {
	t.Parallel()
	var cpu, cuda []string
	for _, v := range solvers.Variants() {
		if !slices.Contains([]string{"as", "acs", "mmas"}, v.Solver) {
			continue
		}
		name := v.Solver + "/" + v.Name
		switch v.Backend {
		case "cpu":
			if solvers.Offered(v.Solver, v.Name, "cuda") {
				cpu = append(cpu, name)
			}
		case "cuda":
			cuda = append(cuda, name)
		}
	}
	if len(cuda) == 0 || !slices.Equal(cpu, cuda) {
		t.Errorf("offered are %v, registered %v", cpu, cuda)
	}
}
