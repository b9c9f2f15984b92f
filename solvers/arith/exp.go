package arith

import "math"

// Exp2 returns 2^x for |x| <= 1022, with a relative error below 4e-16; beyond, 0
// (x < -1022) or +Inf (x > 1023). NaN gives NaN.
func Exp2(x float64) float64 {
	if x != x {
		return x
	}
	if x > 1023 {
		return math.Inf(1)
	}
	if x < -1022 {
		return 0
	}
	k := math.Floor(x + 0.5)
	f := x - k // exact: [-1/2, 1/2]
	// Taylor: coefficients are ln(2)^i / i!; the first one left out, at i = 14,
	// is below 2^-57 of the result.
	p := exp2Coef[len(exp2Coef)-1]
	for i := len(exp2Coef) - 2; i >= 0; i-- {
		p = float64(p*f) + exp2Coef[i]
	}
	return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

var exp2Coef = [...]float64{
	1,
	0.693147180559945309417232121458176568,
	0.240226506959100712333551263163332486,
	0.0555041086648215799531422637686218446,
	0.00961812910762847716197907157365887052,
	0.00133335581464284434234122219879962100,
	0.000154035303933816099544370973327423449,
	0.0000152527338040598402800254390120096177,
	0.00000132154867901443094884037582284880769,
	0.000000101780860092396997274900075977446870,
	7.05491162080112332987503534105450460e-9,
	4.44553827187081149759640856070166010e-10,
	2.56784359934882051419948066206740000e-11,
	1.36914888539041288808919140000000000e-12,
}

// Log2 returns the binary logarithm of a normal positive x, with a relative error
// below 1e-15 also near x = 1. Zero gives -Inf; negative numbers and NaN give NaN;
// subnormal numbers are scaled first.
func Log2(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	e := 0
	if x < 0x1p-1022 {
		x *= 0x1p54
		e = -54
	}
	b := math.Float64bits(x)
	e += int(b>>52) - 1023
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52) // [1, 2)
	if m > math.Sqrt2 {
		m *= 0.5
		e++
	}
	// log(m) = 2 atanh(s), s = (m - 1) / (m + 1), |s| <= 0.1716.
	s := (m - 1) / (m + 1)
	z := s * s
	p := 1.0 / 23
	for i := 21; i >= 3; i -= 2 {
		p = float64(p*z) + 1/float64(i)
	}
	// s + s z p, times 2 log2(e).
	t := s + float64(float64(s*z)*p)
	return float64(e) + float64(t*2.88539008177792681471984936200378427)
}

// Pow returns x^y for x > 0 as Exp2(y Log2(x)); 0^0 is 1 and 0^y is 0 for y > 0. The
// exponents 0, 1 and 2 are exact (one rounding). Its relative error grows with
// |y log2 x| and is below 1e-13 for results between 1e-300 and 1e300.
func Pow(x, y float64) float64 {
	switch y {
	case 0:
		return 1
	case 1:
		return x
	case 2:
		return x * x
	}
	if x == 0 {
		if y > 0 {
			return 0
		}
		return math.Inf(1)
	}
	return Exp2(float64(y * Log2(x)))
}

// PowInt returns x^k for k >= 0 by repeated squaring: the same products in the same
// order everywhere.
func PowInt(x float64, k int) float64 {
	r := 1.0
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}
