package cmaes

import "math"

// jacobi turns a symmetric matrix of n rows into a diagonal one by rotations, whose product it
// stores in v: a was V A Vᵀ. All is done in one order, so that the result has the same bits
// everywhere.
func jacobi(a, v []float64, n int) {
	for i := range v {
		v[i] = 0
	}
	for i := range n {
		v[i*n+i] = 1
	}
	const sweeps = 60
	for range sweeps {
		off, all := 0.0, 0.0
		for i := range n {
			for j := range n {
				q := float64(a[i*n+j] * a[i*n+j])
				all += q
				if i != j {
					off += q
				}
			}
		}
		if !(off > 1e-30*all) {
			return
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, v, n, p, q)
			}
		}
	}
}

// rotate makes the entry at p, q zero.
func rotate(a, v []float64, n, p, q int) {
	x := a[p*n+q]
	if x == 0 {
		return
	}
	theta := (a[q*n+q] - a[p*n+p]) / (2 * x)
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	s := t * c
	for k := range n {
		f, g := a[k*n+p], a[k*n+q]
		a[k*n+p], a[k*n+q] = float64(c*f)-float64(s*g), float64(s*f)+float64(c*g)
	}
	for k := range n {
		f, g := a[p*n+k], a[q*n+k]
		a[p*n+k], a[q*n+k] = float64(c*f)-float64(s*g), float64(s*f)+float64(c*g)
	}
	for k := range n {
		f, g := v[k*n+p], v[k*n+q]
		v[k*n+p], v[k*n+q] = float64(c*f)-float64(s*g), float64(s*f)+float64(c*g)
	}
}
