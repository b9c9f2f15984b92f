package cmaes

import (
	"math"

	"metalab/solvers/arith"
)

// strategy is the state of a start, in the tutorial's symbols.
type strategy struct {
	n, lambda int
	rates

	mean         []float64
	sigma, begun float64 // the step size, now and at the start
	pathC, pathS []float64
	c, b, d      []float64 // C = B D² Bᵀ, by rows; d is the diagonal of D
	generation   int64
	decomposed   int64     // the generation of b and d
	recent       []float64 // the best values of the last generations
}

// rates are the constants that follow from the number of entries and the population.
type rates struct {
	mu         int
	weights    []float64
	mueff      float64
	cc, cs, c1 float64
	cmu, damps float64
	chi        float64 // the expected length of a normal vector
}

// newStrategy returns a start with a mean, a step size and a population.
func newStrategy(mean []float64, sigma float64, lambda int) strategy {
	n := len(mean)
	s := strategy{
		n: n, lambda: lambda, mean: mean, sigma: sigma, begun: sigma, rates: rates{mu: lambda / 2},
		pathC: make([]float64, n), pathS: make([]float64, n), c: make([]float64, n*n),
		b: make([]float64, n*n), d: make([]float64, n),
	}
	for i := range n {
		s.c[i*n+i], s.b[i*n+i], s.d[i] = 1, 1, 1
	}
	s.weights = make([]float64, s.mu)
	sum, squares := 0.0, 0.0
	for i := range s.weights {
		s.weights[i] = arith.Log2(float64(lambda+1)/2) - arith.Log2(float64(i+1))
		sum += s.weights[i]
	}
	for i := range s.weights {
		s.weights[i] /= sum
		squares += float64(s.weights[i] * s.weights[i])
	}
	f, m := float64(n), 1/squares
	s.mueff = m
	s.cs = (m + 2) / (f + m + 5)
	s.cc = (4 + m/f) / (f + 4 + float64(2*m)/f)
	s.c1 = 2 / (float64((f+1.3)*(f+1.3)) + m)
	s.cmu = min(1-s.c1, float64(2*(0.25+m+1/m-2))/(float64((f+2)*(f+2))+m))
	s.damps = 1 + float64(2*max(0, math.Sqrt((m-1)/(f+1))-1)) + s.cs
	s.chi = math.Sqrt(f) * (1 - 1/(4*f) + 1/float64(21*f*f))
	return s
}

// draw draws a sample; y is scratch memory.
func (s *strategy) draw(x, y []float64, draws *arith.Stream) {
	normals(y, draws)
	for i := range y {
		y[i] *= s.d[i]
	}
	for i := range x {
		sum := 0.0
		for k, b := range s.b[i*s.n : (i+1)*s.n] {
			sum += float64(b * y[k])
		}
		x[i] = s.mean[i] + float64(s.sigma*sum)
	}
}

// normals draws independent normal numbers, two at a time by Marsaglia's polar method.
func normals(x []float64, draws *arith.Stream) {
	for i := 0; i < len(x); i += 2 {
		var u, v, q float64
		for q == 0 || q >= 1 {
			u, v = float64(draws.Float64()), float64(draws.Float64())
			u, v = float64(2*u)-1, float64(2*v)-1
			q = float64(u*u) + float64(v*v)
		}
		f := math.Sqrt(-2 * math.Ln2 * arith.Log2(q) / q)
		x[i] = u * f
		if i+1 < len(x) {
			x[i+1] = v * f
		}
	}
}

// update moves the mean to the better half of the samples, which are in order, and adapts paths,
// covariances and step size.
func (s *strategy) update(all []sample, learning, damping float64) {
	n := s.n
	c1, cmu := float64(learning*s.c1), float64(learning*s.cmu)
	if over := c1 + cmu; over > 1 {
		c1, cmu = c1/over, cmu/over
	}
	s.generation++
	step := make([]float64, n) // the weighted mean of the samples' steps
	for k, w := range s.weights {
		for i, y := range all[k].y {
			step[i] += float64(w * y)
		}
	}
	along := make([]float64, n) // Bᵀ step, by the axes' lengths
	for i := range n {
		s.mean[i] += float64(s.sigma * step[i])
		for k := range n {
			along[k] += float64(s.b[i*n+k] * step[i])
		}
	}
	rate := math.Sqrt(s.cs * (2 - s.cs) * s.mueff)
	length := 0.0
	for i := range n {
		sum := 0.0
		for k := range n {
			sum += float64(s.b[i*n+k] * (along[k] / s.d[k]))
		}
		s.pathS[i] = float64((1-s.cs)*s.pathS[i]) + float64(rate*sum)
		length += float64(s.pathS[i] * s.pathS[i])
	}
	length = math.Sqrt(length)
	passed := 1 - arith.PowInt(1-s.cs, int(min(2*(s.generation+1), 1<<20)))
	on := 0.0
	if length/math.Sqrt(passed) < (1.4+2/float64(n+1))*s.chi {
		on = 1
	}
	rate = on * math.Sqrt(s.cc*(2-s.cc)*s.mueff)
	for i := range n {
		s.pathC[i] = float64((1-s.cc)*s.pathC[i]) + float64(rate*step[i])
	}
	s.learn(all, c1, cmu, on)
	power := min(1, s.cs/(damping*s.damps)*(length/s.chi-1))
	s.sigma *= arith.Exp2(power * math.Log2E)
	if float64(s.generation-s.decomposed)*(c1+cmu)*float64(10*n) >= 1 {
		s.decompose()
	}
	s.recent = append(s.recent, all[0].cost)
	if most := 10 + (30*n+s.lambda-1)/s.lambda; len(s.recent) > most {
		s.recent = append(s.recent[:0], s.recent[len(s.recent)-most:]...)
	}
}

// learn adds the path and the better samples to the covariances.
func (s *strategy) learn(all []sample, c1, cmu, on float64) {
	n := s.n
	keep := 1 - c1 - cmu + float64(c1*(1-on)*s.cc*(2-s.cc))
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for k, w := range s.weights {
				sum += float64(w * all[k].y[i] * all[k].y[j])
			}
			v := float64(keep*s.c[i*n+j]) + float64(c1*s.pathC[i]*s.pathC[j]) + float64(cmu*sum)
			s.c[i*n+j], s.c[j*n+i] = v, v
		}
	}
}

// decompose finds the axes of the covariances.
func (s *strategy) decompose() {
	s.decomposed = s.generation
	a := append([]float64(nil), s.c...)
	jacobi(a, s.b, s.n)
	most := 0.0
	for i := range s.n {
		most = max(most, a[i*s.n+i])
	}
	for i := range s.n {
		s.d[i] = math.Sqrt(max(a[i*s.n+i], 1e-20*most, math.SmallestNonzeroFloat64))
	}
}

// ratio is how much longer the longest axis is than the shortest.
func (s *strategy) ratio() float64 {
	low, high := s.d[0], s.d[0]
	for _, d := range s.d {
		low, high = min(low, d), max(high, d)
	}
	return high / low
}

// ended reports whether the start has converged, or does not; the samples are in order.
func (s *strategy) ended(all []sample, precision float64) bool {
	const same, thin, wide = 1e-12, 1e7, 1e4
	if len(s.recent) >= 10+(30*s.n+s.lambda-1)/s.lambda {
		low, high := all[0].cost, all[len(all)-1].cost
		for _, v := range s.recent {
			low, high = min(low, v), max(high, v)
		}
		if high-low <= same {
			return true
		}
	}
	if r := s.ratio(); !(r < thin) || !(s.sigma < math.Inf(1)) {
		return true
	}
	small, longest := true, 0.0
	for i := range s.n {
		size := max(math.Sqrt(max(0, s.c[i*s.n+i])), math.Abs(s.pathC[i]))
		small = small && s.sigma*size <= precision*s.begun
		longest = max(longest, s.d[i])
	}
	return small || s.sigma*longest > wide*s.begun || s.sigma == 0
}
