package solvers

import (
	"fmt"
	"slices"
	"strings"

	"metalab/datasets"
)

// mostOnGPU is the largest number of cities that a GPU searches where distances need a matrix.
const mostOnGPU = 8192

// suits tells why v cannot search on an instance of a kind that it takes; nil: it can.
func (v Variant) suits(inst datasets.Instance) error {
	t, ok := inst.(*datasets.TSP)
	if !ok {
		return nil
	}
	if len(t.Fixed) > 0 && !v.KeepsFixed {
		return fmt.Errorf("it keeps no fixed edges, and %s has %s: %s", t.Name(), t.FixedText(),
			keepers(t.Kind()))
	}
	if v.Backend != "cpu" && t.N > mostOnGPU && t.Metric == datasets.Geo {
		return fmt.Errorf("%s has %d cities, and GEO is searched on a GPU up to %d: on=cpu has no limit",
			t.Name(), t.N, mostOnGPU)
	}
	return nil
}

// keepers says which variants keep fixed edges of instances of a kind.
func keepers(kind datasets.Kind) string {
	var names []string
	for _, v := range Variants() {
		if v.KeepsFixed && v.takes(kind) {
			name := v.Solver + "/" + v.Name
			if v.Default {
				name = v.Solver
			}
			if name += " on " + v.Backend; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return "no solver here does"
	}
	return "kept by " + strings.Join(names, ", ")
}
