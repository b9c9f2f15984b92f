package moves

import "fmt"

// Changes returns the neighbourhood of one changed entry on vectors of n entries that take values
// from 0 to k-1: n(k-1) moves, by entry and then by how much is added to it, modulo k. The set of
// moves does not depend on the vector.
func Changes(n, k int) (Neighbourhood, error) {
	if n < 0 || k < 1 || int64(n) > MaxTriples || int64(k) > MaxTriples {
		return nil, fmt.Errorf(
			"moves: changes of %d entries of %d values, want 0 to %d entries and from 1 to as many values",
			n, k, MaxTriples,
		)
	}
	return changes{n: int64(n), by: int64(k - 1)}, nil
}

type changes struct{ n, by int64 }

func (c changes) Name() string { return "change" }
func (c changes) Size() int64  { return c.n * c.by }

func (c changes) Move(index int64) Move {
	if c.by == 0 {
		return Move{At: [3]int32{0, none, none}, By: 1} // there are none
	}
	return Move{At: [3]int32{int32(index / c.by), none, none}, By: int32(index%c.by) + 1}
}

func (c changes) Index(m Move) int64 { return int64(m.At[0])*c.by + int64(m.By) - 1 }

func (c changes) Next(m Move) Move {
	if m.By++; int64(m.By) > c.by {
		m.At[0]++
		m.By = 1
	}
	return m
}
