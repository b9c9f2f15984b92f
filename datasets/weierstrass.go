package datasets

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// A Weierstrass is the minimisation of a sum of Weierstrass functions, one a
// coordinate, over the box [-1, 1]^N:
//
//	f(x) = sum over k of W(x[k]),  W(x) = sum over i = 1..Terms of B^(-i H) sin(B^i x)
//
// or, combined by max, of the largest of the coordinates' W(x[k]) instead of their sum.
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
	Max   bool    // whether the largest coordinate counts in place of the sum; see Combined

	weights   []float64 // weights[i] = B^(-(i+1) H)
	weights32 []float32
	shift     uint // the binary logarithm of B when B is a power of two, else 0
	facts     facts
}

var _ Instance = (*Weierstrass)(nil)

// weierstrassByName knows weierstrass-<N> and weierstrass-<N>-b<B>-h<H>-t<TERMS>.
func weierstrassByName(name string) (Instance, bool, error) {
	rest, found := strings.CutPrefix(name, "weierstrass-")
	if !found {
		return nil, false, nil
	}
	rest, largest := strings.CutSuffix(rest, "-max")
	b, h, terms := 2, 0.25, 100
	size, shape, shaped := strings.Cut(rest, "-")
	n, good := number(size)
	if shaped {
		base, rest, good1 := strings.Cut(shape, "-h")
		exponent, count, good2 := strings.Cut(rest, "-t")
		base, good3 := strings.CutPrefix(base, "b")
		var good4, good5 bool
		b, good4 = number(base)
		terms, good5 = number(count)
		var err error
		h, err = strconv.ParseFloat(exponent, 64)
		// One spelling for each: the one that NewWeierstrass gives.
		good = good && good1 && good2 && good3 && good4 && good5 && err == nil &&
			fmt.Sprint(h) == exponent &&
			(b != 2 || h != 0.25 || terms != 100)
	}
	if !good {
		return nil, false, nil
	}
	w, err := NewWeierstrass(n, b, h, terms)
	if err != nil || !largest {
		return made(w, err)
	}
	return made(w.Combined("max"))
}

// Combined returns the function with its coordinates combined by "sum" or by "max": the
// largest of them. With max its name ends in -max.
func (w *Weierstrass) Combined(how string) (*Weierstrass, error) {
	if how != "sum" && how != "max" {
		return nil, fmt.Errorf(
			"datasets: weierstrass: coordinates combined by %q, want sum or max", clip(how),
		)
	}
	v, err := NewWeierstrass(w.N, w.B, w.H, w.Terms)
	if err != nil {
		return nil, err
	}
	if how == "max" {
		v.Max = true
		v.Title += "-max"
	}
	return v, nil
}

// NewWeierstrass returns the function in n dimensions (1 to 10^6) with base b (2 to 1024), exponent
// h (between 0 and 1) and the given number of terms (at least 1, and b^terms at most 2^200). With b
// = 2, h = 0.25 and 100 terms its name is weierstrass-n, else weierstrass-n-bB-hH-tTERMS.
func NewWeierstrass(n, b int, h float64, terms int) (*Weierstrass, error) {
	switch {
	case n < 1 || n > 1e6:
		return nil, fmt.Errorf("datasets: weierstrass: %d dimensions, want from 1 to 1000000", n)
	case b < 2 || b > 1024:
		return nil, fmt.Errorf("datasets: weierstrass: base %d, want from 2 to 1024", b)
	case !(h > 0 && h < 1):
		return nil, fmt.Errorf("datasets: weierstrass: exponent %v, want between 0 and 1", h)
	case terms < 1 || terms > 200/bits.Len(uint(b-1)):
		return nil, fmt.Errorf(
			"datasets: weierstrass: %d terms, want from 1 to %d for base %d", terms, 200/bits.Len(uint(b-1)),
			b,
		)
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
		w.weights32 = append(w.weights32, float32(v))
	}
	if b&(b-1) == 0 {
		w.shift = uint(bits.Len(uint(b)) - 1)
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
	if w.Max {
		h.str("max")
	}
}

// Bounds returns the ends of the interval that every coordinate lies in.
func (w *Weierstrass) Bounds() (lo, hi float64) { return -1, 1 }

// Weight returns the factor B^(-i H) of term i, from 1 to Terms, correctly rounded.
func (w *Weierstrass) Weight(i int) float64 { return w.weights[i-1] }

// Cost returns f(x). It adds the terms, and then the coordinates, in order. It returns an error
// unless x has N coordinates in [-1, 1].
func (w *Weierstrass) Cost(x []float64) (float64, error) {
	if len(x) != w.N {
		return 0, fmt.Errorf("datasets: solution of %s: %d coordinates, want %d", w.Title, len(x), w.N)
	}
	for k, v := range x {
		if !(v >= -1 && v <= 1) {
			return 0, fmt.Errorf(
				"datasets: solution of %s: coordinate %d is %v, want from -1 to 1", w.Title, k, v,
			)
		}
	}
	return w.Value(x), nil
}

// Value is Cost without its checks. It returns NaN if a coordinate is outside the box.
func (w *Weierstrass) Value(x []float64) float64 {
	if w.Max {
		top := math.Inf(-1)
		for _, v := range x {
			top = max(top, w.At(v)) // NaN stays
		}
		return top
	}
	var sum float64
	for _, v := range x {
		sum += w.At(v)
	}
	return sum
}

// Value32 is Value in single precision, see At32.
func (w *Weierstrass) Value32(x []float64) float32 {
	if w.Max {
		top := float32(math.Inf(-1))
		for _, v := range x {
			top = max(top, w.At32(v))
		}
		return top
	}
	var sum float32
	for _, v := range x {
		sum += w.At32(v)
	}
	return sum
}

// Delta returns the change of the cost of x if x[k] became y. It computes the terms of one
// coordinate only, or of all if they are combined by max. The result is rounded, so a sum of deltas
// drifts: recompute the cost before you report it.
func (w *Weierstrass) Delta(x []float64, k int, y float64) float64 {
	if w.Max {
		after := append([]float64(nil), x...)
		after[k] = y
		return w.Value(after) - w.Value(x)
	}
	return w.At(y) - w.At(x[k])
}

// At returns W(x) for x in [-1, 1], and NaN outside.
func (w *Weierstrass) At(x float64) float64 {
	if !(x >= -1 && x <= 1) {
		return math.NaN()
	}
	var sum float64
	p := newTurns(math.Abs(x))
	switch w.shift {
	case 0:
		for _, weight := range w.weights {
			sum += float64(weight * sine(p.times(uint64(w.B))[0]))
		}
	case 1:
		// 2^i x is x with its point moved: 64 terms read a pair of words, bit by bit.
		for i := 0; i < len(w.weights); i += 64 {
			hi, lo := p[i/64], p[i/64+1]
			for _, weight := range w.weights[i:min(i+64, len(w.weights))] {
				hi = hi<<1 | lo>>63
				lo <<= 1
				sum += float64(weight * sine(hi))
			}
		}
	default:
		at := uint(0)
		for _, weight := range w.weights {
			at += w.shift
			sum += float64(weight * sine(p.window(at)))
		}
	}
	if x < 0 {
		return -sum // W is odd, and the rounding of negated terms is the same
	}
	return sum
}

// At32 is At in single precision: the same exact phases, with sines, products and the sum
// in float32. It is within about 1e-5 of At, and the same on every machine.
func (w *Weierstrass) At32(x float64) float32 {
	if !(x >= -1 && x <= 1) {
		return float32(math.NaN())
	}
	var sum float32
	p := newTurns(math.Abs(x))
	switch w.shift {
	case 0:
		for _, weight := range w.weights32 {
			sum += float32(weight * sine32(p.times(uint64(w.B))[0]))
		}
	case 1:
		for i := 0; i < len(w.weights32); i += 64 {
			hi, lo := p[i/64], p[i/64+1]
			for _, weight := range w.weights32[i:min(i+64, len(w.weights32))] {
				hi = hi<<1 | lo>>63
				lo <<= 1
				sum += float32(weight * sine32(hi))
			}
		}
	default:
		at := uint(0)
		for _, weight := range w.weights32 {
			at += w.shift
			sum += float32(weight * sine32(p.window(at)))
		}
	}
	if x < 0 {
		return -sum
	}
	return sum
}

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
