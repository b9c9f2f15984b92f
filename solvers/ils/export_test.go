package ils

import "metalab/datasets"

// InsteadOn is what ils alone is on a GPU whose host has so many cores; empty: tiles.
func InsteadOn(inst datasets.Instance, cores int) string {
	name, _ := insteadOn(inst, cores)
	return name
}
