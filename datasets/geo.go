package datasets

import "math"

// geoDist is TSPLIB's GEO distance of two cities whose latitude and longitude
// are given in the form DDD.MM, degrees and minutes. The constants (a short pi,
// the radius of the Earth) and the truncations are part of the definition.
func geoDist(lat1, lon1, lat2, lon2 float64) int32 {
	la1, lo1, la2, lo2 := geoRadians(lat1), geoRadians(lon1), geoRadians(lat2), geoRadians(lon2)
	q1 := cosine(lo1 - lo2)
	q2 := cosine(la1 - la2)
	q3 := cosine(la1 + la2)
	c := 0.5 * (float64((1+q1)*q2) - float64((1-q1)*q3))
	return int32(float64(6378.388*arccos(c)) + 1)
}

// geoRadians turns DDD.MM into radians. Degrees are found by truncation, as in
// the programs that the published optima were computed with, not by rounding,
// as the text of TSPLIB95 has it.
func geoRadians(v float64) float64 {
	deg := math.Trunc(v)
	minutes := v - deg
	return 3.141592 * (deg + float64(5*minutes)/3) / 180
}

// Cosine and arc cosine of our own: the functions of package math may be fused
// or written in assembly on some machines and so differ in the last bit, which
// a truncated distance can make visible. These take the same steps everywhere.

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
	s, z := 1.0, float64(r*r)
	for k := 18.0; k > 0; k -= 2 {
		s = 1 - float64(float64(s*z)/(k*(k-1)))
	}
	return s
}

// sinTaylor is the Taylor polynomial of degree 19, for |r| <= pi/4.
func sinTaylor(r float64) float64 {
	s, z := 1.0, float64(r*r)
	for k := 19.0; k > 1; k -= 2 {
		s = 1 - float64(float64(s*z)/(k*(k-1)))
	}
	return float64(r * s)
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
