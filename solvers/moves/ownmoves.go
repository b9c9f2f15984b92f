package moves

import (
	"fmt"

	"metalab/solvers/own"
	"metalab/solvers/record"
)

// ownMark in At[2] marks a move of a user's own neighbourhood.
const ownMark = -2

// owned reports whether m belongs to a user's own neighbourhood.
func (m Move) owned() bool { return m.At[2] == ownMark }

// numbered is a user's own neighbourhood: n moves that only its methods know.
type numbered struct{ n int64 }

func (s numbered) Name() string       { return "own" }
func (s numbered) Size() int64        { return s.n }
func (s numbered) Index(m Move) int64 { return int64(m.At[0]) }

func (s numbered) Move(index int64) Move {
	return Move{At: [3]int32{int32(index), none, ownMark}}
}

func (s numbered) Next(m Move) Move {
	m.At[0]++
	return m
}

// moved panics with a Fault where somebody's Move has left no solution of the form.
func moved(form record.Form, k int32, s record.Solution) {
	if err := form.Take(s); err != nil {
		panic(&own.Fault{Text: fmt.Sprintf("Move makes no solution by move %d: %v", k, err)})
	}
}

// ownMove evaluates a user's own move by the whole cost, on a copy.
func (b *ownBits) ownMove(m Move, cost float64) float64 {
	if b.Bits.ByMove != nil {
		return b.Bits.ByMove(b.x, int(m.At[0]))
	}
	here := b.x
	b.spare = append(b.spare[:0], here...)
	b.Bits.Move(b.spare, int(m.At[0]))
	b.x = b.spare
	defer func() { b.x = here }()
	return b.cost() - cost
}

// ownMove evaluates a user's own move by the whole cost, on a copy.
func (b *ownVector) ownMove(m Move, cost float64) float64 {
	if b.Vector.ByMove != nil {
		return b.Vector.ByMove(b.x, int(m.At[0]))
	}
	here := b.x
	b.spare = append(b.spare[:0], here...)
	b.Vector.Move(b.spare, int(m.At[0]))
	b.x = b.spare
	defer func() { b.x = here }()
	return b.cost() - cost
}
