package datasets

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"
	"sync"
)

// A Weierstrass is the minimisation of a sum of Weierstrass functions, one a
// coordinate, over the box [-1, 1]^N:
//
//	f(x) = sum over k of W(x[k]),  W(x) = sum over i = 1..Terms of B^(-i H) sin(B^i x)
//
// It is continuous and, in the limit, nowhere differentiable; the smaller H,
// the rougher. (It is not the Weierstrass function of the CEC 2005 benchmarks.)
//
// Source: T. V. Luong, N. Melab, E.-G. Talbi, GPU computing for parallel local
// search metaheuristic algorithms, IEEE Transactions on Computers 62 (2013),
// doi:10.1109/TC.2011.206: H = 0.25, 100 terms, 1 to 10 dimensions. The paper
// states neither B nor how coordinates are combined; 2 and the sum are usual.
//
// The argument B^i x is reduced exactly, in fixed point, since it reaches
// 2^100: values are the same on every machine and within some 1e-14 of exact.
type Weierstrass struct {
	Title string
	N     int     // dimensions
	B     int     // base of the frequencies
	H     float64 // exponent of the weights, in (0, 1)
	Terms int     // terms of the sum

	weights []float64 // weights[i] = B^(-(i+1) H)
	facts   facts
}

var _ Instance = (*Weierstrass)(nil)

// weierstrassByName knows weierstrass-<N>.
func weierstrassByName(name string) (Instance, bool, error) {
	rest, found := strings.CutPrefix(name, "weierstrass-")
	n, good := number(rest)
	if !found || !good {
		return nil, false, nil
	}
	return made(NewWeierstrass(n, 2, 0.25, 100))
}

// NewWeierstrass returns the function in n dimensions (1 to 10^6) with base b
// (2 to 1024), exponent h (between 0 and 1) and the given number of terms (at
// least 1, and b^terms at most 2^200). With b = 2, h = 0.25 and 100 terms it is
// called weierstrass-n, else weierstrass-n-bB-hH-tTERMS.
func NewWeierstrass(n, b int, h float64, terms int) (*Weierstrass, error) {
	switch {
	case n < 1 || n > 1e6:
		return nil, fmt.Errorf("datasets: weierstrass: %d dimensions, want from 1 to 1000000", n)
	case b < 2 || b > 1024:
		return nil, fmt.Errorf("datasets: weierstrass: base %d, want from 2 to 1024", b)
	case !(h > 0 && h < 1):
		return nil, fmt.Errorf("datasets: weierstrass: exponent %v, want between 0 and 1", h)
	case terms < 1 || terms > 200/bits.Len(uint(b-1)):
		return nil, fmt.Errorf("datasets: weierstrass: %d terms, want from 1 to %d for base %d", terms, 200/bits.Len(uint(b-1)), b)
	}
	w := &Weierstrass{Title: fmt.Sprintf("weierstrass-%d", n), N: n, B: b, H: h, Terms: terms}
	if b != 2 || h != 0.25 || terms != 100 {
		w.Title += fmt.Sprintf("-b%d-h%v-t%d", b, h, terms)
	}
	first := bigPower(b, h)
	product := new(big.Float).SetPrec(bigPrec).SetInt64(1)
	for range terms {
		product.Mul(product, first)
		v, _ := product.Float64()
		w.weights = append(w.weights, v)
	}
	return w, nil
}

// Name returns the instance's name, as "weierstrass-10".
func (w *Weierstrass) Name() string { return w.Title }

// Kind returns KindWeierstrass.
func (w *Weierstrass) Kind() Kind { return KindWeierstrass }

// Size returns the number of dimensions.
func (w *Weierstrass) Size() int { return w.N }

// BestKnown returns false: no minimum is published.
func (w *Weierstrass) BestKnown() (best BestKnown, ok bool) { return BestKnown{}, false }

// SHA256 returns the hash of the canonical form: kind, N, B, Terms, weights. It
// is computed at the first call and safe for concurrent use.
func (w *Weierstrass) SHA256() string { return w.facts.sha256(w) }

func (w *Weierstrass) writeCanonical(h *hasher) {
	h.u64(uint64(w.B))
	h.u64(uint64(w.Terms))
	h.floats(w.weights)
}

// Bounds returns the ends of the interval that every coordinate lies in.
func (w *Weierstrass) Bounds() (lo, hi float64) { return -1, 1 }

// Weight returns the factor B^(-i H) of term i, from 1 to Terms, rounded correctly.
func (w *Weierstrass) Weight(i int) float64 { return w.weights[i-1] }

// Cost returns f(x), the terms and then the coordinates added in order. It is an
// error when x does not have N coordinates, all in [-1, 1].
func (w *Weierstrass) Cost(x []float64) (float64, error) {
	if len(x) != w.N {
		return 0, fmt.Errorf("datasets: solution of %s: %d coordinates, want %d", w.Title, len(x), w.N)
	}
	var sum float64
	for k, v := range x {
		if !(v >= -1 && v <= 1) {
			return 0, fmt.Errorf("datasets: solution of %s: coordinate %d is %v, want from -1 to 1", w.Title, k, v)
		}
		sum += w.At(v)
	}
	return sum, nil
}

// Delta returns by how much the cost of x grows when x[k] becomes y: the terms
// of one coordinate instead of all. Up to rounding, that is: a sum of deltas
// drifts, so recompute the cost where it is reported.
func (w *Weierstrass) Delta(x []float64, k int, y float64) float64 {
	return w.At(y) - w.At(x[k])
}

// At returns W(x) for x in [-1, 1], and NaN outside.
func (w *Weierstrass) At(x float64) float64 {
	if !(x >= -1 && x <= 1) {
		return math.NaN()
	}
	p := newTurns(math.Abs(x))
	var sum float64
	for _, weight := range w.weights {
		sum += float64(weight * p.times(uint64(w.B)).sine())
	}
	if x < 0 {
		return -sum // W is odd, and the rounding of negated terms is the same
	}
	return sum
}

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

// sine returns the angle's sine.
func (t *turns) sine() float64 {
	quarter := (t[0] + 1<<61) >> 62 // the nearest quarter turn, modulo 4
	r := float64(float64(int64(t[0]-quarter<<62)) * (2 * math.Pi / (1 << 64)))
	switch quarter {
	case 0:
		return sinTaylor(r)
	case 1:
		return cosTaylor(r)
	case 2:
		return -sinTaylor(r)
	default:
		return -cosTaylor(r)
	}
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

// bigPrec is the precision, in bits, of the weights before they are rounded.
const bigPrec = 256

// bigPower returns b^-h.
func bigPower(b int, h float64) *big.Float {
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(bigPrec).SetFloat64(v) }
	// ln(f) for f in [1, 2] by 2 artanh((f-1)/(f+1))
	ln := func(f float64) *big.Float {
		s := num(0).Quo(num(f-1), num(f+1))
		square, power, sum := num(0).Mul(s, s), num(0).Set(s), num(0)
		for k := 1.0; k < 180; k += 2 { // 3^-180 < 2^-256
			sum.Add(sum, num(0).Quo(power, num(k)))
			power.Mul(power, square)
		}
		return sum.Add(sum, sum)
	}
	f, e := math.Frexp(float64(b)) // b = 2f 2^(e-1)
	a := num(0).Mul(num(float64(e-1)), ln(2))
	a.Mul(a.Add(a, ln(2*f)), num(-h/64)) // h/64 is exact
	// exp(a)^64, |a| < 0.11
	sum, term := num(1), num(1)
	for k := 1.0; k < 60; k++ {
		term.Quo(term.Mul(term, a), num(k))
		sum.Add(sum, term)
	}
	for range 6 {
		sum.Mul(sum, sum)
	}
	return sum
}
