package datasets

import "math"

// Elementary functions of our own: those of package math may be fused or
// written in assembly on some machines and so differ in the last bit, which a
// truncated distance or coordinate can make visible. These take the same steps
// everywhere.

// cosine returns cos(x) for |x| up to some thousands to within an ulp or two.
func cosine(x float64) float64 {
	// pi/2 in two parts, the first with so few bits that k times it is exact.
	const (
		hi = 1.57079632673412561417e+00
		lo = 6.07710050650619224932e-11
	)
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := (x - float64(k*hi)) - float64(k*lo)
	switch int64(k) & 3 {
	case 0:
		return cosTaylor(r)
	case 1:
		return -sinTaylor(r)
	case 2:
		return -cosTaylor(r)
	default:
		return sinTaylor(r)
	}
}

// cosTaylor is the Taylor polynomial of degree 18, for |r| <= pi/4.
func cosTaylor(r float64) float64 {
	z := float64(r * r)
	s := -1.0 / 6402373705728000 // 18!
	s = 1.0/20922789888000 + float64(s*z)
	s = -1.0/87178291200 + float64(s*z)
	s = 1.0/479001600 + float64(s*z)
	s = -1.0/3628800 + float64(s*z)
	s = 1.0/40320 + float64(s*z)
	s = -1.0/720 + float64(s*z)
	s = 1.0/24 + float64(s*z)
	s = -1.0/2 + float64(s*z)
	return 1 + float64(s*z)
}

// sinTaylor is the Taylor polynomial of degree 17, for |r| <= pi/4.
func sinTaylor(r float64) float64 {
	z := float64(r * r)
	s := 1.0 / 355687428096000 // 17!
	s = -1.0/1307674368000 + float64(s*z)
	s = 1.0/6227020800 + float64(s*z)
	s = -1.0/39916800 + float64(s*z)
	s = 1.0/362880 + float64(s*z)
	s = -1.0/5040 + float64(s*z)
	s = 1.0/120 + float64(s*z)
	s = -1.0/6 + float64(s*z)
	return r + float64(r*float64(s*z))
}

// arccos returns acos(c); values outside [-1, 1], which only rounding brings
// about, count as the nearest end.
func arccos(c float64) float64 {
	switch {
	case c >= 1:
		return 0
	case c <= -1:
		return math.Pi
	case c > 0.5:
		return 2 * arcsinSeries(math.Sqrt(0.5*(1-c)))
	case c < -0.5:
		return math.Pi - float64(2*arcsinSeries(math.Sqrt(0.5*(1+c))))
	default:
		return math.Pi/2 - arcsinSeries(c)
	}
}

// arcsinSeries sums the power series of asin for |x| <= 1/2:
// sum over k of (2k-1)!!/(2k)!! x^(2k+1)/(2k+1), in Horner's form.
func arcsinSeries(x float64) float64 {
	const terms = 28 // 0.25^28 < 2^-53
	z, s := float64(x*x), 0.0
	for k := float64(terms); k > 0; k-- {
		// s is what multiplies (2k-1)!!/(2k)!! z^k, divided by that factor.
		s = 1/(2*k+1) + s
		s = float64(s*z) * (2*k - 1) / (2 * k)
	}
	return float64(x * (1 + s))
}

// logarithm returns ln(v) for v > 0, by the series of the inverse hyperbolic
// tangent, in the same steps on every machine (see cosine).
func logarithm(v float64) float64 {
	f, e := math.Frexp(v)
	if f < math.Sqrt2/2 {
		f, e = 2*f, e-1
	}
	s := (f - 1) / (f + 1) // |s| < 0.172
	z, sum := float64(s*s), 0.0
	for k := 25.0; k >= 3; k -= 2 {
		sum = float64((sum + 1/k) * z)
	}
	// ln 2 in two parts, the first with so few bits that e times it is exact.
	const (
		hi = 6.93147180369123816490e-01
		lo = 1.90821492927058770002e-10
	)
	k := float64(e)
	return float64(k*hi) + (float64(2*s) + (float64(2*float64(s*sum)) + float64(k*lo)))
}
