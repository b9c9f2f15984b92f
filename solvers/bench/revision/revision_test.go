package revision

import (
	"testing"

	"metalab/solvers"
	_ "metalab/solvers/all"
)

// The list has the variants that there are, each with its revision.
func TestListIsTheVariants(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, v := range solvers.Variants() {
		name := v.Solver + "/" + v.Name
		seen[name] = true
		if Of(name) != v.Revision {
			t.Errorf("the list has revision %d of %s, which is %d", Of(name), name, v.Revision)
		}
		for _, old := range v.Formerly {
			if Of(v.Solver+"/"+old) != v.Revision {
				t.Errorf("the list lacks %s, as %s was called", v.Solver+"/"+old, name)
			}
		}
	}
	for name := range now {
		if !seen[name] {
			t.Errorf("the list has %s, which is no variant", name)
		}
	}
}
