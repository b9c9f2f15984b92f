//go:build cuda

package rounds

import (
	"testing"

	"metalab/kernels/internal/gputest"
)

// The GPU makes the kept runs too. With METALAB_GOLDEN_OUT set it writes them there.
func TestGoldenDevice(t *testing.T) { gputest.Remake(t, goldenRuns(t)) }
