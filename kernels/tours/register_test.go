//go:build cuda

package tours

import (
	"testing"

	"metalab/solvers"
)

// What solvers/ils says to have a form on GPUs is registered here.
func TestOffered(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"best", "pools", "tiles"} {
		_, err := solvers.Find("ils", name, "cuda")
		if !solvers.Offered("ils", name, "cuda") || err != nil {
			t.Errorf("ils/%s is not offered, or not registered: %v", name, err)
		}
	}
}
