package arith

import (
	"math"
	"math/bits"
)

// FMA32 returns x*y + z rounded once, as a processor's fused instruction for float32
// does (fmaf). It is exact on every machine, and slow: the twins of kernels use it.
func FMA32(x, y, z float32) float32 {
	p := float64(float64(x) * float64(y)) // exact: 48 bits
	a := float64(z)
	s := p + a
	// Rounding twice is wrong only where s is half-way between two float32. Below 2^-126 those are
	// elsewhere.
	const least, last, half = (1023 - 126) << 52, 1<<29 - 1, 1 << 28
	if u := math.Float64bits(s); u&last != half && u&^(1<<63) >= least {
		return float32(s)
	}
	// The error of the sum, exactly (Knuth's TwoSum).
	b := s - p
	e := (p - (s - b)) + (a - b)
	if e != 0 && !math.IsInf(s, 0) && !math.IsNaN(e) {
		// Round s to odd, so that rounding it once more to float32 is right
		// (S. Boldo, G. Melquiond: Emulation of a FMA and correctly rounded sums, IEEE
		// Trans. Comput. 57, 2008, doi:10.1109/TC.2007.70819).
		if u := math.Float64bits(s); u&1 == 0 {
			if (e > 0) == (s > 0) {
				u++
			} else {
				u--
			}
			s = math.Float64frombits(u)
		}
	}
	return float32(s)
}

// Expo32 maps 32 random bits to an exponential variate in units of ln 2: -log2 of a
// uniform number in (0, 1). Its relative error is below 2e-6 everywhere, near 0 too:
// small values are those that decide a race in which one weight dominates, and
// -log2 of a uniform number that was rounded first would bias it.
func Expo32(u uint32) float32 {
	u |= 1
	lz := bits.LeadingZeros32(u)
	m := u << lz // the uniform number is (m + 1/2) 2^-32 2^-lz
	var t float32
	k := float32(lz)
	if m >= 0xAAAAAAAB { // 1 - t in [2/3, 1)
		t = FMA32(float32(^m), 0x1p-32, 0x1p-33)
	} else { // 1 - t in [1, 4/3)
		t = -FMA32(float32(m&0x7FFFFFFF), 0x1p-31, 0x1p-32)
		k++ // (m + 1/2) 2^-31 2^-(lz+1)
	}
	p := expoCoef[6]
	for i := 5; i >= 0; i-- {
		p = FMA32(p, t, expoCoef[i])
	}
	return FMA32(t, p, k)
}

// expoCoef approximates -log2(1 - t) / t on [-1/3, 1/3] (Chebyshev interpolation, relative
// error 1.3e-6).
var expoCoef = [7]float32{
	0x1.715476p+0, 0x1.7158a2p-1, 0x1.ec780ep-2, 0x1.6f02ccp-2, 0x1.256540p-2, 0x1.1e9140p-2,
	0x1.ee035cp-3,
}

// Clock32 is 256 times what Expo32 is, to 4e-4 of it, in a third of the operations: -log2 of a
// uniform number is a whole number, the leading zeros of u, and a fraction. The fraction is -log2(1
// - y/2), y being the product of u and [ClockFactor], modulo 2^32, as a share of 2^32: the factor
// is the inverse of 0x9E3779B9 = 2^32 / 1.618 modulo 2^32. So the words whose products are the m
// least are the first m multiples of the golden section, of which each half, quarter and so on of
// all words has its share but for two or three: for small values too the fraction does not depend
// on the whole. With u = 0, the whole number is 158.
//
// What the error does to a race: it has both signs, and the probability with which one of two
// clocks is the first is by at most 3e-4 of it another, where that is small, by 4e-5 where it is
// 1/11 and by 2e-6 at 2/5. A chi-square statistic of 10^9 races rises by 0.65 at most, a number
// that varies by 1.4.
func Clock32(u uint32) float32 {
	whole := float32(158 * 256)
	if u != 0 {
		whole = float32(bits.LeadingZeros32(u) * 256)
	}
	y := float32(u * ClockFactor)
	p := FMA32(clockCoef[3], y, clockCoef[2])
	p = FMA32(p, y, clockCoef[1])
	p = FMA32(p, y, clockCoef[0])
	return FMA32(p, y, whole)
}

// ClockFactor is a factor of [Clock32].
const ClockFactor = 0x144CBC89

// clockCoef approximates -log2(1 - y/2) / y on [0, 1] (Remez, relative error 3.2e-4), times 256 and
// for 2^32 y.
var clockCoef = [4]float32{0x1.7136ecp-25, 0x1.7f3920p-59, 0x1.e58d2ep-94, 0x1.fa56f2p-125}

// RaceKey is the key of slot (below 32) in a race of exponential clocks: the variate e
// over the weight, given as its reciprocal, in the 27 high bits, and the slot in the 5 low
// ones, so that the smallest key names the winner and ties go to the smaller slot. The
// slot with the smallest key is slot i with probability w_i / sum w (P. S. Efraimidis,
// P. G. Spirakis: Weighted random sampling with a reservoir, Inf. Process. Lett. 97,
// 2006, doi:10.1016/j.ipl.2005.11.003). e and reciprocal are not negative.
func RaceKey(e, reciprocal float32, slot uint32) uint32 {
	return math.Float32bits(e*reciprocal)&^31 | slot
}
