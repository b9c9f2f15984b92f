//go:build cuda

package rounds

import (
	"testing"

	"metalab/solvers"
)

// What solvers/ils says to have a form on GPUs is registered here.
func TestOffered(t *testing.T) {
	t.Parallel()
	_, err := solvers.Find("ils", "2opt-rounds", "cuda")
	if !solvers.Offered("ils", "2opt-rounds", "cuda") || err != nil {
		t.Error("ils/2opt-rounds is not offered, or not registered:", err)
	}
}
