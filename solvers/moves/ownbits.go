package moves

import (
	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// ownBits evaluates on bits.
type ownBits struct {
	*own.Value
	x     []uint8
	spare []uint8
	form  record.Form
}

func newOwnBits(v *own.Value, form record.Form) *ownBits {
	return &ownBits{Value: v, x: make([]uint8, form.N), form: form}
}

func (b *ownBits) load(s record.Solution) {
	b.Refresh()
	for i, x := range s.Bits {
		b.x[i] = uint8(x)
	}
	if b.Bits.Load != nil {
		b.Bits.Load(b.x)
	}
}

func (b *ownBits) cost() float64 { return b.Checked(b.Bits.Cost(b.x)) }
func (b *ownBits) exact() bool   { return b.Whole }

// stateless tells that deltas depend on the bits alone.
func (b *ownBits) stateless() bool { return b.Bits.Load == nil && b.Bits.Apply == nil }

func (b *ownBits) quick(k int) bool {
	f := b.Bits
	return b.pure(k) || k < 3 && f.Delta != nil && b.stateless()
}

func (b *ownBits) pure(k int) bool {
	f := b.Bits
	return []bool{f.Delta != nil, f.Delta2 != nil, f.Delta3 != nil, f.ByMove != nil}[k]
}

func (b *ownBits) delta(m Move, cost float64) float64 {
	i, j, k := int(m.At[0]), int(m.At[1]), int(m.At[2])
	f := &b.Bits
	switch n := m.arity(); {
	case m.owned():
		return b.ownMove(m, cost)
	case n == 1 && f.Delta != nil:
		return f.Delta(b.x, i)
	case n == 2 && f.Delta2 != nil:
		return f.Delta2(b.x, i, j)
	case n == 3 && f.Delta3 != nil:
		return f.Delta3(b.x, i, j, k)
	case f.Delta != nil && b.stateless():
		var d float64
		for _, at := range m.At[:n] {
			d += f.Delta(b.x, int(at))
			b.x[at] ^= 1
		}
		b.flip(m)
		return d
	}
	b.flip(m)
	d := b.cost() - cost
	b.flip(m)
	return d
}

func (b *ownBits) flip(m Move) {
	for _, at := range m.At[:m.arity()] {
		b.x[at] ^= 1
	}
}

func (b *ownBits) apply(m Move) {
	if m.owned() {
		b.Bits.Move(b.x, int(m.At[0]))
		moved(b.form, m.At[0], b.solution())
		if b.Bits.Load != nil {
			b.Bits.Load(b.x)
		}
		return
	}
	if b.Bits.Apply == nil || !b.exact() && b.Bits.Load != nil {
		if b.flip(m); b.Bits.Load != nil {
			b.Bits.Load(b.x)
		}
		return
	}
	for _, at := range m.At[:m.arity()] {
		b.Bits.Apply(b.x, int(at))
		b.x[at] ^= 1
	}
}

// scan is the scan of flips of one bit.
func (b *ownBits) scan(k int, lo, hi int64, _ Neighbourhood, r rule) (best choice, ok bool) {
	best, allow := noChoice, r.allow
	if k != 0 || !b.quick(0) {
		return best, false
	}
	delta, x := b.Bits.Delta, b.x
	if whole := b.Bits.Whole; whole != nil && b.Whole {
		sign := b.Sign()
		for i := lo; i < hi; i++ {
			d := sign * float64(whole.Delta(x, int(i)))
			if d < best.delta &&
				(allow == nil || allow(Move{At: [3]int32{int32(i), none, none}}, d)) {
				best = choice{d, i}
			}
		}
		return best, true
	}
	for i := lo; i < hi; i++ {
		d := delta(x, int(i))
		if d < best.delta &&
			(allow == nil || allow(Move{At: [3]int32{int32(i), none, none}}, d)) {
			best = choice{d, i}
		}
	}
	return best, true
}

func (b *ownBits) solution() record.Solution {
	s := make([]int8, len(b.x))
	for i, x := range b.x {
		s[i] = int8(x)
	}
	return record.Solution{Bits: s}
}

func (b *ownBits) random(draws *arith.Stream) {
	for i := range b.x {
		b.x[i] = uint8(draws.Uint32() >> 31)
	}
}

func (b *ownBits) entry(at int32) int32 { return int32(b.x[at]) }

func (b *ownBits) hash() uint64 {
	var h, word uint64
	for i, x := range b.x {
		if word = word<<1 | uint64(x); i%64 == 63 {
			h, word = arith.Mix64(h^word), 1
		}
	}
	return arith.Mix64(h ^ word)
}
