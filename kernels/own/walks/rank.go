package walks

import "math"

// A Move is one of metalab/solvers/moves: At[2] is -2 for a move of somebody's own.
type Move struct {
	I, J, K int
	Back    bool
	By      int32
	Turn    int64 // of annealing: its number in the iteration
}

// Pairs is n(n-1)/2.
func Pairs(n int64) int64 { return n * (n - 1) / 2 }

// Triples is n(n-1)(n-2)/6, for n up to 2^20.
func Triples(n int64) int64 { return n * (n - 1) / 2 * (n - 2) / 3 }

// digit is the largest a with Pairs(a) <= r.
func digit(r int64) int64 {
	a := int64(math.Sqrt(2*float64(r))) + 1
	for Pairs(a) > r {
		a--
	}
	for Pairs(a+1) <= r {
		a++
	}
	return a
}

// Flip is the flip of a bit.
func Flip(_, _, index int64) Move { return Move{I: int(index)} }

// Pair is the pair of positions at a place.
func Pair(n, _, index int64) Move {
	rest := Pairs(n) - 1 - index
	a := digit(rest)
	return Move{I: int(n - 1 - a), J: int(n - 1 - (rest - Pairs(a)))}
}

// Triple is the triple of positions at a place.
func Triple(n, _, index int64) Move {
	rest := Triples(n) - 1 - index
	lo, hi := int64(0), n // the largest a with Triples(a) <= rest is in [lo, hi)
	for lo+1 < hi {
		mid := (lo + hi) / 2
		if Triples(mid) <= rest {
			lo = mid
		} else {
			hi = mid
		}
	}
	rest -= Triples(lo)
	b := digit(rest)
	return Move{I: int(n - 1 - lo), J: int(n - 1 - b), K: int(n - 1 - (rest - Pairs(b)))}
}

// Circle is an exchange of three in a circle, one way or the other.
func Circle(n, _, index int64) Move {
	m := Triple(n, 0, index/2)
	m.Back = index%2 == 1
	return m
}

// Change is an entry that takes another of k values.
func Change(_, k, index int64) Move {
	return Move{I: int(index / (k - 1)), By: int32(index%(k-1)) + 1}
}

// Insertion is an entry that is put elsewhere.
func Insertion(n, _, index int64) Move {
	i, j := index/(n-1), index%(n-1)
	if j >= i {
		j++
	}
	return Move{I: int(i), J: int(j), By: 1}
}
