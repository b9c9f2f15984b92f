package datasets

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// turns is an angle modulo one turn, in fixed point, the highest word first.
type turns [5]uint64

// newTurns returns the angle of x radians, for x in [0, 1], to 2^-317 of a turn.
func newTurns(x float64) *turns {
	var t turns
	if x == 0 {
		return &t
	}
	f, e := math.Frexp(x) // x = m 2^-s with m of 53 bits
	m, s := uint64(math.Ldexp(f, 53)), uint(53-e)
	// p = m * (1/(2 pi) in fixed point), one word longer than t
	var p [6]uint64
	inv := invTwoPi()
	var carry uint64
	for i := 4; i >= 0; i-- {
		hi, lo := bits.Mul64(m, inv[i])
		var c uint64
		p[i+1], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	p[0] = carry
	// t = p 2^-s
	words, shift := int(s/64), s%64
	for i := range t {
		from := i + 1 - words
		if from >= 0 {
			t[i] = p[from] >> shift
			if from > 0 && shift > 0 {
				t[i] |= p[from-1] << (64 - shift)
			}
		}
	}
	return &t
}

// times multiplies the angle by b and returns it.
func (t *turns) times(b uint64) *turns {
	var carry uint64
	for i := len(t) - 1; i >= 0; i-- {
		hi, lo := bits.Mul64(t[i], b)
		var c uint64
		t[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	return t
}

// window returns the word that is the angle times 2^at, modulo one turn; at is below 256.
func (t *turns) window(at uint) uint64 {
	return t[at>>6]<<(at&63) | t[at>>6+1]>>(64-at&63)
}

// fold turns a whole word of a turn into a signed one, in 2^-64 of a turn, between minus and
// plus a quarter turn and with the same sine (to 2^-64 of a turn).
func fold(u uint64) int64 {
	v := u + 1<<62
	v ^= uint64(int64(v) >> 63) // from a quarter to three quarters of a turn: reflected
	return int64(v) - 1<<62
}

// The polynomials below interpolate sin(sqrt z) / sqrt z at Chebyshev nodes, for z from 0 to
// (pi/2)^2, with coefficients rounded to nearest.

// sine returns the sine of an angle in 2^-64 of a turn, to about 2e-16: the polynomial is
// within 3e-19 of the sine. It has no branch, for a phase's quadrant is chance.
func sine(u uint64) float64 {
	r := float64(float64(fold(u)) * (2 * math.Pi / (1 << 64)))
	z := float64(r * r)
	s := 2.721574942298344282631735e-15
	s = -7.643026557971632663477169e-13 + float64(s*z)
	s = 1.605894087848655993076048e-10 + float64(s*z)
	s = -2.505210689056951953949673e-8 + float64(s*z)
	s = 2.75573192112296066220111e-6 + float64(s*z)
	s = -1.984126984120867517000123e-4 + float64(s*z)
	s = 8.333333333333186384014852e-3 + float64(s*z)
	s = -0.1666666666666666530723207 + float64(s*z)
	return r + float64(r*float64(s*z))
}

// sine32 is sine in float32, to about 1e-7, of the angle's upper half.
func sine32(u uint64) float32 {
	r := float32(float32(int32(fold(u)>>32)) * (2 * math.Pi / (1 << 32)))
	z := float32(r * r)
	s := float32(2.605107635334788127177296e-6)
	s = -1.980901740878067800380024e-4 + float32(s*z)
	s = 8.333050170671773248310392e-3 + float32(s*z)
	s = -0.1666665794784601143588484 + float32(s*z)
	return r + float32(r*float32(s*z))
}

// invTwoPi returns 1/(2 pi) with 320 bits after the point, the highest word first.
var invTwoPi = sync.OnceValue(func() (words [5]uint64) {
	// Machin: pi/4 = 4 arctan 1/5 - arctan 1/239, with 448 bits after the point.
	const prec = 448
	arctan := func(n int64) *big.Int {
		term := new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), prec), big.NewInt(n))
		sum, square := new(big.Int), big.NewInt(n*n)
		for k := int64(1); term.Sign() != 0; k += 2 {
			part := new(big.Int).Div(term, big.NewInt(k))
			if k%4 == 1 {
				sum.Add(sum, part)
			} else {
				sum.Sub(sum, part)
			}
			term.Div(term, square)
		}
		return sum
	}
	quarter := new(big.Int).Sub(new(big.Int).Lsh(arctan(5), 2), arctan(239))
	inv := new(big.Int).Lsh(big.NewInt(1), prec+320)
	inv.Div(inv, quarter.Lsh(quarter, 3))
	for i := len(words) - 1; i >= 0; i-- {
		words[i] = new(big.Int).And(inv, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		inv.Rsh(inv, 64)
	}
	return words
})
