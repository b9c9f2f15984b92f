package datasets

import (
	"fmt"
	"strings"
)

// taillardByName knows tai<N>a.
func taillardByName(name string) (Instance, bool, error) {
	rest, found := strings.CutPrefix(name, "tai")
	digits, letter := strings.CutSuffix(rest, "a")
	n, good := number(digits)
	if !found || !letter || !good {
		return nil, false, nil
	}
	return made(Taillard(n))
}

// Taillard returns the uniform instance tai<n>a: two symmetric matrices with a diagonal of 0 and
// entries uniform in 0 to 99. For the sizes in QAPLIB it equals the published one, matrix by
// matrix; other sizes, from 2 to 2000, follow the same rule.
//
// Source: É. D. Taillard, Robust taboo search for the quadratic assignment problem, Parallel
// Computing 17 (1991), doi:10.1016/S0167-8191(05)80147-4. One seed, 123456789, serves all sizes.
func Taillard(n int) (*QAP, error) {
	if n < 2 || n > 2000 {
		return nil, fmt.Errorf("datasets: tai%da: size %d, want from 2 to 2000", n, n)
	}
	// x <- 16807 x mod 2^31 - 1, by Schrage's division (P. Bratley, B. L. Fox,
	// L. E. Schrage, A Guide to Simulation, 1983).
	x := int32(123456789)
	draw := func() int32 {
		k := x / 127773
		if x = 16807*(x%127773) - 2836*k; x < 0 {
			x += 1<<31 - 1
		}
		return int32(float64(x) / (1<<31 - 1) * 100)
	}
	matrix := func() []int32 {
		m := make([]int32, n*n)
		for i := range n {
			for j := i + 1; j < n; j++ {
				v := draw()
				m[i*n+j], m[j*n+i] = v, v
			}
		}
		return m
	}
	first, second := matrix(), matrix()
	name := fmt.Sprintf("tai%da", n)
	if n == 50 || n == 100 { // these two were published in the order of drawing
		return NewQAP(name, n, first, second)
	}
	return NewQAP(name, n, second, first)
}
