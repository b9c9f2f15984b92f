package moves

import (
	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// ownVector evaluates on permutations and on values.
type ownVector struct {
	*own.Value
	permutation bool
	k           int32 // values of an entry
	x           []int32
	spare       []int32
	form        record.Form
}

func newOwnVector(v *own.Value, form record.Form) *ownVector {
	b := &ownVector{
		Value: v, permutation: form.Kind == record.FormPermutation, k: int32(form.K),
		x: make([]int32, form.N), form: form,
	}
	if b.permutation {
		for i := range b.x {
			b.x[i] = int32(i)
		}
	}
	return b
}

func (b *ownVector) load(s record.Solution) {
	b.Refresh()
	copy(b.x, s.Perm)
	b.told()
}

// told tells the value of the solution.
func (b *ownVector) told() {
	if b.Vector.Load != nil {
		b.Vector.Load(b.x)
	}
}

func (b *ownVector) cost() float64 { return b.Checked(b.Vector.Cost(b.x)) }
func (b *ownVector) exact() bool   { return b.Whole }

func (b *ownVector) quick(k int) bool {
	f := b.Vector
	if b.permutation {
		return []bool{
			f.Swap != nil, f.Insert != nil, f.Reverse != nil, f.Cycle != nil, f.ByMove != nil,
		}[k]
	}
	return []bool{f.Delta != nil, f.Swap != nil, f.ByMove != nil}[k]
}

func (b *ownVector) pure(k int) bool { return b.quick(k) }

// scan is the scan of swaps and insertions whose deltas are whole.
func (b *ownVector) scan(
	_ int, lo, hi int64, nb Neighbourhood, allow func(Move, float64) bool,
) (best choice, ok bool) {
	best = noChoice
	swap, insert := b.Vector.WholeSwap, b.Vector.WholeInsert
	if !b.Whole || lo >= hi || nb.Size() == 0 {
		return best, false
	}
	sign, x, n, m := b.Sign(), b.x, len(b.x), nb.Move(lo)
	i, j := int(m.At[0]), int(m.At[1])
	better := func(d float64, at int64) {
		if m.At[0], m.At[1] = int32(i), int32(j); allow == nil || allow(m, d) {
			best = choice{d, at}
		}
	}
	switch nb.(type) {
	case swaps:
		if swap == nil {
			return best, false
		}
		for at := lo; at < hi; at++ {
			if d := sign * float64(swap.DeltaSwap(x, i, j)); d < best.delta {
				better(d, at)
			}
			if j++; j == n {
				i++
				j = i + 1
			}
		}
	case insertions:
		if insert == nil {
			return best, false
		}
		for at := lo; at < hi; at++ {
			if d := sign * float64(insert.DeltaInsert(x, i, j)); d < best.delta {
				better(d, at)
			}
			if j++; j == i {
				j++
			}
			if j >= n {
				i++
				j = 0
			}
		}
	default:
		return best, false
	}
	return best, true
}

func (b *ownVector) delta(m Move, cost float64) float64 {
	i, j, k := int(m.At[0]), int(m.At[1]), int(m.At[2])
	f := &b.Vector
	switch n := m.arity(); {
	case m.owned():
		return b.ownMove(m, cost)
	case n == 1:
		if f.Delta != nil {
			return f.Delta(b.x, i, b.to(m))
		}
	case n == 3:
		if f.Cycle != nil && m.Back {
			return f.Cycle(b.x, i, k, j)
		}
		if f.Cycle != nil {
			return f.Cycle(b.x, i, j, k)
		}
	case m.insertion():
		if f.Insert != nil {
			return f.Insert(b.x, i, j)
		}
	case m.Back:
		if f.Reverse != nil {
			return f.Reverse(b.x, i, j)
		}
	case f.Swap != nil:
		return f.Swap(b.x, i, j)
	}
	b.change(m)
	d := b.cost() - cost
	b.change(b.undo(m))
	return d
}

// to is the value that an entry takes by a change.
func (b *ownVector) to(m Move) int32 {
	v := b.x[m.At[0]] + m.By
	if v >= b.k {
		v -= b.k
	}
	return v
}

// change makes a move.
func (b *ownVector) change(m Move) {
	i, j := int(m.At[0]), int(m.At[1])
	switch {
	case m.arity() == 1:
		b.x[i] = b.to(m)
	case m.insertion():
		insert(b.x, i, j)
	case m.reversal():
		for ; i < j; i, j = i+1, j-1 {
			b.x[i], b.x[j] = b.x[j], b.x[i]
		}
	default:
		permute(b.x, m)
	}
}

// undo is the move back.
func (b *ownVector) undo(m Move) Move {
	switch {
	case m.arity() == 1:
		m.By = b.k - m.By
	case m.insertion():
		m.At[0], m.At[1] = m.At[1], m.At[0]
	case m.arity() == 3:
		m.Back = !m.Back
	}
	return m
}

func (b *ownVector) apply(m Move) {
	if m.owned() {
		b.Vector.Move(b.x, int(m.At[0]))
		moved(b.form, m.At[0], b.solution())
		b.told()
		return
	}
	swap := b.permutation && m.arity() == 2 && !m.insertion() && !m.reversal()
	if swap && (b.Vector.Swapped != nil || b.Vector.Row != nil) && b.exact() {
		b.swap(m)
		return
	}
	if b.Vector.Apply == nil || !b.exact() && b.Vector.Load != nil {
		b.change(m)
		b.told()
		return
	}
	set := func(at int32, v int32) {
		b.Vector.Apply(b.x, int(at), v)
		b.x[at] = v
	}
	if m.arity() == 1 {
		set(m.At[0], b.to(m))
		return
	}
	v, w := b.x[m.At[0]], b.x[m.At[1]]
	set(m.At[0], w)
	set(m.At[1], v)
}

// swap makes a swap, and has the problem keep what its deltas use.
func (b *ownVector) swap(m Move) {
	i, j := int(m.At[0]), int(m.At[1])
	if b.Vector.Swapped != nil {
		b.Vector.Swapped(b.x, i, j)
	}
	b.change(m)
	if b.Vector.Row != nil {
		for k := range b.x {
			b.Vector.Row(b.x, i, j, k)
		}
	}
}

func (b *ownVector) solution() record.Solution {
	return record.Solution{Perm: append([]int32(nil), b.x...)}
}

func (b *ownVector) random(draws *arith.Stream) {
	if b.permutation {
		for i := range b.x {
			b.x[i] = int32(i)
		}
		draws.Shuffle(b.x)
		return
	}
	for i := range b.x {
		b.x[i] = int32(draws.IntN(int(b.k)))
	}
}

func (b *ownVector) entry(at int32) int32 { return b.x[at] }

func (b *ownVector) hash() uint64 {
	var h uint64
	for _, x := range b.x {
		h = arith.Mix64(h ^ uint64(x))
	}
	return h
}
