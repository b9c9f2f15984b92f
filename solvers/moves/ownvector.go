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
func (b *ownVector) scan(_ int, lo, hi int64, nb Neighbourhood, r rule) (best choice, ok bool) {
	if !b.Whole || lo >= hi || nb.Size() == 0 {
		return noChoice, false
	}
	switch nb.(type) {
	case swaps:
		if b.Vector.WholeSwap != nil {
			return b.scanSwaps(lo, hi, nb.Move(lo), r), true
		}
	case insertions:
		if b.Vector.WholeInsert != nil {
			return b.scanInsertions(lo, hi, nb.Move(lo), r.allow), true
		}
	}
	return noChoice, false
}

// scanSwaps is the scan of swaps; m is the first. In a tabu search many a delta is better than the
// best before it and forbidden, so that is looked up here.
func (b *ownVector) scanSwaps(lo, hi int64, m Move, r rule) choice {
	swap, sign, x, best := b.Vector.WholeSwap, b.Sign(), b.x, noChoice
	i, j := int(m.At[0]), int(m.At[1])
	for at := lo; at < hi; i, j = i+1, i+2 {
		first := at - int64(j) // the index of a move of the row, less j
		for end := min(len(x), int(hi-first)); j < end; j++ {
			d := sign * float64(swap.DeltaSwap(x, i, j))
			if d >= best.delta {
				continue
			}
			if r.until != nil {
				if d >= r.hope && (r.until[x[i]] >= r.clock || r.until[x[j]] >= r.clock) {
					continue
				}
			} else if r.allow != nil && !r.allow(Move{At: [3]int32{int32(i), int32(j), none}}, d) {
				continue
			}
			best = choice{d, first + int64(j)}
		}
		at = first + int64(j)
	}
	return best
}

// scanInsertions is the scan of insertions; m is the first.
func (b *ownVector) scanInsertions(lo, hi int64, m Move, allow func(Move, float64) bool) choice {
	insert, sign, x, best := b.Vector.WholeInsert, b.Sign(), b.x, noChoice
	i, j := int(m.At[0]), int(m.At[1])
	for at := lo; at < hi; at++ {
		if d := sign * float64(insert.DeltaInsert(x, i, j)); d < best.delta {
			if m.At[0], m.At[1] = int32(i), int32(j); allow == nil || allow(m, d) {
				best = choice{d, at}
			}
		}
		if j++; j == i {
			j++
		}
		if j >= len(x) {
			i, j = i+1, 0
		}
	}
	return best
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
