package stats

import (
	"math"
	"testing"
)

// Half of the draws that equal the value count as smaller: those around it in even numbers have no
// bias.
func TestBiasOfEqualDraws(t *testing.T) {
	if b := bias([]float64{1, 2, 2, 3}, 2); math.Abs(b) > 1e-12 {
		t.Errorf("the bias is %v, want 0", b)
	}
	if b, want := bias([]float64{1, 1, 1, 3}, 2), -normalQuantile(0.75); b != want || b == 0 {
		t.Errorf("the bias is %v, want %v", b, want)
	}
}
