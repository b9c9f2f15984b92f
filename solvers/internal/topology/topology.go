// Package topology says which of several searches send what they found to which others. Several
// searches of the same kind (colonies of ants, islands) go on side by side, and exchange their best
// solutions at iterations that are a multiple of a period.
//
//	for to := range searches {
//		for _, from := range topology.Ring.From(to, values) {
//			receive(to, sent[from]) // as the searches were before the exchange
//		}
//	}
//
// Nothing here depends on where the searches are made: an exchange is a function of the values that
// the searches have, in the order of their numbers.
//
// # The words
//
// A topology says who sends to whom: [Best], the search with the best solution sends to all others;
// [Ring], each sends to the one with the next number, the last to the first; [All], each sends to
// all others; [Star], each sends to the first, and that to each. The first three are those of
// M. Middendorf, F. Reischle, H. Schmeck, 2002, Multi colony ant algorithms,
// doi:10.1023/A:1015057701750, and of C. Twomey, T. Stuetzle, M. Dorigo, M. Manfrin, M. Birattari,
// 2010, An analysis of communication policies for homogeneous multi-colony ACO algorithms,
// doi:10.1016/j.ins.2010.02.017.
//
// A topology that is added is a word of [Words] and a case of [Topology.From].
package topology

import (
	"fmt"
	"slices"
	"strings"

	"metalab/solvers/arith"
)

// A Topology says who sends to whom.
type Topology string

// The topologies.
const (
	Best Topology = "best" // the one with the best solution sends to all others
	Ring Topology = "ring" // each sends to the next, the last to the first
	All  Topology = "all"  // each sends to all others
	Star Topology = "star" // each sends to the first, and the first to each
)

// Words are the names of the topologies, for a parameter.
var Words = []string{string(Best), string(Ring), string(All), string(Star)}

// Parse returns the topology of that name.
func Parse(word string) (Topology, error) {
	if !slices.Contains(Words, word) {
		return "", fmt.Errorf("topology %q, want one of %s", word, strings.Join(Words, ", "))
	}
	return Topology(word), nil
}

// From returns the numbers of the searches from which search i receives, in the order in which it
// takes in what they send. values are those of the best solutions of all searches, the smallest the
// best; of equal ones that of the smaller number is better.
func (t Topology) From(i int, values []float64) []int {
	switch n := len(values); t {
	case Ring:
		if n > 1 {
			return []int{(i + n - 1) % n}
		}
	case Star:
		if i > 0 {
			return []int{0}
		}
		return All.From(i, values)
	case All:
		var all []int
		for k := range values {
			if k != i {
				all = append(all, k)
			}
		}
		return all
	default:
		if k := Leader(values); k != i {
			return []int{k}
		}
	}
	return nil
}

// Leader is the number of the smallest value, of equal ones the smaller number; values has one at
// least.
func Leader(values []float64) int {
	best := 0
	for i, v := range values {
		if v < values[best] {
			best = i
		}
	}
	return best
}

// Due tells whether searches exchange after this iteration, the first being 1; a period of 0 is
// never.
func Due(iteration int64, period int) bool {
	return period > 0 && iteration%int64(period) == 0
}

// purposeSeed keeps the draws of Seed apart from all others of a run.
const purposeSeed = 255

// Seed is the seed of search number of several that are made from one seed. Number 0 has that seed,
// so that one search of several is what it is alone.
func Seed(seed uint64, number int) uint64 {
	if number == 0 {
		return seed
	}
	s := arith.NewStream(seed, 0, uint32(number), purposeSeed)
	low := uint64(s.Uint32())
	return uint64(s.Uint32())<<32 | low
}
