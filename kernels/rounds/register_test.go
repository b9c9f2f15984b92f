//go:build cuda

package rounds

import (
	"testing"

	"metalab/solvers"
)

// What solvers/rounds says to have a form on GPUs, also where it is not built in, is what is
// registered here.
func TestOffered(t *testing.T) {
	t.Parallel()
	n := 0
	for _, v := range solvers.Variants() {
		if v.Solver != "ils" || v.Backend != "cpu" {
			continue
		}
		_, err := solvers.Find(v.Solver, v.Name, "cuda")
		if offered := solvers.Offered(v.Solver, v.Name, "cuda"); offered != (err == nil) {
			t.Errorf("ils/%s: offered is %v, registered: %v", v.Name, offered, err)
		} else if offered {
			n++
		}
	}
	if n == 0 {
		t.Error("nothing is offered")
	}
}
