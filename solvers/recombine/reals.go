package recombine

import (
	"math"

	"metalab/solvers/arith"
)

// blend draws each number from the interval of both parents, made longer by blend of its length on
// either side.
func blend(g *genetic, child, a, b []float64, draws *arith.Stream) {
	for i := range child {
		lo, hi := min(a[i], b[i]), max(a[i], b[i])
		more := float64((hi - lo) * g.blend)
		lo -= more
		child[i] = g.inside(lo + float64((hi+more-lo)*draws.Float64()))
	}
}

// simulatedBinary draws each number at a distance from a parent whose distribution is that of
// one-point crossover on binary numbers: the closer, the greater the index.
func simulatedBinary(g *genetic, child, a, b []float64, draws *arith.Stream) {
	power := 1 / (g.index + 1)
	for i := range child {
		u, side := float64(draws.Float64()), draws.Uint32()
		x := 2 * u
		if u > 0.5 {
			x = 1 / (2 * (1 - u))
		}
		spread := arith.Pow(x, power)
		if side>>31 == 1 {
			spread = -spread
		}
		child[i] = g.inside(0.5 * (float64((1+spread)*a[i]) + float64((1-spread)*b[i])))
	}
}

// inside puts a number into the box.
func (g *genetic) inside(x float64) float64 {
	if math.IsNaN(x) {
		return g.form.Low
	}
	return max(g.form.Low, min(x, g.form.High))
}
