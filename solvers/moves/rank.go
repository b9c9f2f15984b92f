package moves

import (
	"math"
	"math/bits"
)

// MaxPairs and MaxTriples are the largest sizes whose pairs, and whose triples taken
// twice, can be counted in an int64.
const (
	MaxPairs   = 1 << 32
	MaxTriples = 3_024_617
)

// Pairs is the number n(n-1)/2 of pairs of n things, n from 0 to MaxPairs.
func Pairs(n int64) int64 {
	if n%2 == 0 {
		return n / 2 * (n - 1)
	}
	return (n - 1) / 2 * n
}

// Triples is the number n(n-1)(n-2)/6 of triples of n things, n from 0 to 3810779.
func Triples(n int64) int64 {
	if n < 3 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(Pairs(n)), uint64(n-2))
	q, _ := bits.Div64(hi, lo, 3)
	return int64(q)
}

// PairIndex is the place of the pair (i, j), 0 <= i < j < n, among all pairs in
// lexicographic order: the mapping from two indices to one of Luong, Melab and Talbi.
func PairIndex(n, i, j int64) int64 { return Pairs(n) - 1 - (Pairs(n-1-i) + n - 1 - j) }

// PairAt is the pair at a place of [0, Pairs(n)): the inverse of PairIndex, exact for
// every n up to MaxPairs.
//
// Counted from the end, the pair is the number whose digits in the combinatorial number system are
// n-1-i and n-1-j (D. E. Knuth, The Art of Computer Programming, 7.2.1.3). The root is estimated in
// floating point, and then corrected.
func PairAt(n, index int64) (i, j int64) {
	rest := Pairs(n) - 1 - index
	a := pairDigit(rest)
	return n - 1 - a, n - 1 - (rest - Pairs(a))
}

// pairDigit is the largest a with Pairs(a) <= r.
func pairDigit(r int64) int64 {
	a := min(int64(math.Sqrt(2*float64(r)))+1, MaxPairs)
	for Pairs(a) > r {
		a--
	}
	for a < MaxPairs && Pairs(a+1) <= r {
		a++
	}
	return a
}

// TripleIndex is the place of the triple (i, j, k), 0 <= i < j < k < n, among all triples
// in lexicographic order: the mapping from three indices to one.
func TripleIndex(n, i, j, k int64) int64 {
	return Triples(n) - 1 - (Triples(n-1-i) + Pairs(n-1-j) + n - 1 - k)
}

// TripleAt is the triple at a place of [0, Triples(n)): the inverse of TripleIndex, exact
// for every n up to 3810779.
func TripleAt(n, index int64) (i, j, k int64) {
	rest := Triples(n) - 1 - index
	a := min(int64(math.Cbrt(6*float64(rest)))+2, n)
	for Triples(a) > rest {
		a--
	}
	for a < n && Triples(a+1) <= rest {
		a++
	}
	rest -= Triples(a)
	b := pairDigit(rest)
	return n - 1 - a, n - 1 - b, n - 1 - (rest - Pairs(b))
}
