//go:build cuda

package tours

import (
	"testing"

	"metalab/solvers"
)

// What solvers/ils says to have a form on GPUs is registered here.
func TestOffered(t *testing.T) {
	t.Parallel()
	_, err := solvers.Find("ils", "best", "cuda")
	if !solvers.Offered("ils", "best", "cuda") || err != nil {
		t.Error("ils/best is not offered, or not registered:", err)
	}
}
