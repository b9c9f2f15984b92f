package recombine

import (
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// A crossover is a way to make a child of two solutions of a form.
type crossover struct {
	name, doc string
	listed    func(child, a, b []int32, draws *arith.Stream) // bits, values, permutations
	real      func(g *genetic, child, a, b []float64, draws *arith.Stream)
}

// crossovers are those of a form; the first is the default.
func crossovers(form record.Form) []crossover {
	switch form.Kind {
	case record.FormPermutation:
		return []crossover{
			{"order", "a part of one, the rest in the order of the other", order, nil},
			{"pmx", "a part of one, the rest at its places in the other where they are free", pmx, nil},
			{"position", "half of all places of one, the rest in the order of the other", position, nil},
			{"edge", "neighbours of either", edges, nil},
		}
	case record.FormReals:
		return []crossover{
			{"blx", "numbers of a box around both", nil, blend},
			{"sbx", "numbers near one of both", nil, simulatedBinary},
		}
	}
	return []crossover{
		{"uniform", "each entry of either", uniform, nil},
		{"one-point", "the first entries of one and the last of the other", onePoint, nil},
		{"two-point", "a part of one in the other", twoPoint, nil},
	}
}

func uniform(child, a, b []int32, draws *arith.Stream) {
	var word uint32
	for i := range child {
		if i%32 == 0 {
			word = draws.Uint32()
		}
		child[i] = a[i]
		if word>>(i%32)&1 == 1 {
			child[i] = b[i]
		}
	}
}

// onePoint changes over at one place, which leaves at least one entry of each where there are two.
func onePoint(child, a, b []int32, draws *arith.Stream) {
	at := 1
	if n := len(child); n > 2 {
		at += draws.IntN(n - 1)
	}
	copy(child, a[:at])
	copy(child[at:], b[at:])
}

// twoPoint puts a part of b into a.
func twoPoint(child, a, b []int32, draws *arith.Stream) {
	lo, hi := part(len(child), draws)
	copy(child, a)
	copy(child[lo:hi], b[lo:hi])
}

// part draws a part [lo, hi) of n places, with at least one.
func part(n int, draws *arith.Stream) (lo, hi int) {
	i, j := draws.IntN(n), draws.IntN(n)
	return min(i, j), max(i, j) + 1
}
