package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

// TestLegendre compares nodes and weights with gonum's, and integrates a polynomial of the highest
// degree for which they are exact.
func TestLegendre(t *testing.T) {
	t.Parallel()
	got := legendre()
	var x, w [12]float64
	quad.Legendre{}.FixedLocations(x[:], w[:], -1, 1)
	for i := range x {
		if math.Abs(got[0][i]-x[i]) > 4e-16 || math.Abs(got[1][i]-w[i]) > 4e-15 {
			t.Errorf("node %d is %v of weight %v, want %v, %v", i, got[0][i], got[1][i], x[i], w[i])
		}
	}
	sum := 0.0
	for i, x := range got[0] {
		sum += got[1][i] * math.Pow(x, 22)
	}
	if want := 2.0 / 23; math.Abs(sum-want) > 1e-15 {
		t.Errorf("the integral of x^22 is %v, want %v", sum, want)
	}
}
