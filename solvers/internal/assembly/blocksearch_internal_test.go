package assembly

import (
	"slices"
	"testing"

	"metalab/solvers/arith"
)

// star is a couple whose cycle 0 lies beside all others, the one with the largest number first, at
// so many places each; at others they lie beside cycles that are never met.
type star struct{ places, elsewhere []int32 }

func (s star) Size(int32) int { return 2 }

func (s star) Sides(c, sign int32, b *BlockSearch) {
	if c != 0 {
		b.Meet(0, sign*s.places[c])
		return
	}
	for o := int32(len(s.places)) - 1; o > 0; o-- {
		b.Meet(o, sign*s.places[o])
	}
}

// Of cycles that are equally good the tie says which comes first.
func TestTies(t *testing.T) {
	t.Parallel()
	k := star{places: []int32{0, 2, 1, 2, 1}, elsewhere: []int32{0, 1, 9, 1, 9}}
	for _, c := range []struct {
		tie  Tie
		want int32
	}{{FirstReached, 3}, {SmallestNumber, 1}} {
		b := BlockSearch{Tie: c.tie}
		b.Begin(len(k.places))
		for o := range k.places {
			b.Border[o] = k.places[o] + k.elsewhere[o]
			b.Border[0] += k.places[o]
		}
		b.reach(0)
		b.move(k, 0)
		if to, longer := b.next(0, 1, 0); to != c.want || longer != -1 {
			t.Errorf("tie %d: cycle %d comes and makes the border %d longer, want %d and -1", c.tie, to,
				longer, c.want)
		}
		b.Begin(len(k.places))
		for o := range k.places {
			b.Border[o] = k.places[o] + k.elsewhere[o]
			b.Border[0] += k.places[o]
		}
		r := arith.NewStream(1, 0, 0, 0)
		coin := func(int32) bool { t.Error("a coin for a cycle as long"); return true }
		set := b.Find(nil, k, 0, coin, &r)
		if slices.Sort(set); !slices.Equal(set, []int32{0, 1, 3}) {
			t.Errorf("tie %d: the block %v, want 0, 1 and 3", c.tie, set)
		}
	}
}
