package trail

import (
	"math"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// A Storage says which edges have trails of their own.
type Storage string

// The storages.
const (
	Candidates Storage = "candidates" // edges on lists, and others that were rewarded
	Listed     Storage = "listed"     // edges on lists only; a deposit on another is lost
	Matrix     Storage = "matrix"     // all
	// none: trails are in a [Memory], and the table has only visibilities
	Selective Storage = "selective"
)

// Weights stay within these limits, so that a candidate never has weight 0 and a sum never
// overflows, whatever the exponents. No trail falls below Min.
const (
	minWeight = 0x1p-100
	maxWeight = 0x1p100
	Min       = 0x1p-100
)

// A Sight is what the visibility of an edge is before its exponent.
type Sight string

// The visibilities of an edge of length d.
const (
	// 1 / (d + 0.1), as T. Stuetzle's ACOTSP has it: it is finite between cities at one place.
	Tenth Sight = ""
	// 1 / d, as R. Skinderowicz has it, who knows no d of 0: that counts as 0.1, so that an edge
	// between cities at one place is ten times as visible as one of length 1.
	Plain Sight = "1/d"
)

// reciprocal is 1 over the visibility of an edge of length d.
func (s Sight) reciprocal(d int32) float64 {
	if s == Plain {
		return max(float64(d), 0.1)
	}
	return float64(max(d, 0)) + 0.1
}

// A Table holds trails, and the weights of choices made from them.
//
// The weight of going from c to j is (tau(c,j) Inv)^Alpha (v(c,j) / v_c)^Beta, where v is the
// visibility that the table's Sight says, Inv makes trails near 1 and v_c is the visibility of c's
// first candidate: factors that all edges of a city share and that leave the probabilities as they
// are, but keep the numbers in float32's range.
type Table struct {
	*Lists
	Space   *tours.Space
	Storage Storage
	Sight   Sight

	Alpha, Beta float64
	Inv         float32

	Tau    []float32 // by slot
	Eta    []float32 // by slot: the second factor of the weight
	Weight []float32 // by slot; 0 for the slots that are only padding
	revEta []float32 // as revSlot: the second factor seen from the list's city
	Off    float32   // the common trail: that of all edges for which none is stored

	Full *FullMatrix // storage matrix only
	rest *unlisted   // storage candidates only

	// Weighed, if set, is called with the weights of the cities from lo to hi - 1, from several
	// goroutines.
	Weighed func(lo, hi int)

	rowWork

	saved struct { // see Save
		tau, full []float32
		rest      []unlistedEdge
	}
}

// rowWork is what workers do with the rows of a table, made once, and the numbers for it.
type rowWork struct {
	evaporateRow func(block, worker int)
	weighRow     func(block, worker int)
	rate, floor  float32
	lo, hi       float32
}

// NewTable makes a table with all trails 0.
func NewTable(sp *tours.Space, l *Lists, storage Storage, sight Sight, alpha, beta float64,
) (*Table, error) {
	t := &Table{
		Lists: l, Space: sp, Storage: storage, Sight: sight, Alpha: alpha, Beta: beta, Inv: 1,
		Eta: make([]float32, len(l.ID)),
	}
	if storage == Selective {
		t.SetBeta(beta)
		return t, nil
	}
	t.Tau, t.Weight = make([]float32, len(l.ID)), make([]float32, len(l.ID))
	t.revEta = make([]float32, len(l.revSlot))
	switch storage {
	case Matrix:
		var err error
		if t.Full, err = newMatrix(sp.N, l.K); err != nil {
			return nil, err
		}
	case Candidates:
		t.rest = newUnlisted(sp.N, !sp.Asymmetric)
	}
	t.evaporateRow, t.weighRow = t.evaporateBlock, t.weighBlock
	t.SetBeta(beta)
	return t, nil
}

// near0 returns 1 / v_c of the weight.
func (t *Table) near0(c int32) float64 {
	if t.K == 0 {
		return 1
	}
	return t.Sight.reciprocal(t.Dist[int(c)*t.Stride])
}

// Visibility is the second factor of the weight of an edge from c of length d.
func (t *Table) Visibility(c, d int32) float32 {
	return float32(arith.Pow(t.near0(c)/t.Sight.reciprocal(d), t.Beta))
}

// SetBeta computes the second factors; the weights are to be computed afterwards.
func (t *Table) SetBeta(beta float64) {
	t.Beta = beta
	for c := range int32(t.N) {
		for at := int(c) * t.Stride; at < int(c)*t.Stride+t.K; at++ {
			t.Eta[at] = t.Visibility(c, t.Dist[at])
		}
		for r, at := range t.reverse(c) {
			if t.revEta == nil {
				break
			}
			t.revEta[int(t.revFrom[c])+r] = t.Visibility(c, t.Dist[at])
		}
	}
	if t.Full != nil {
		t.seeAll()
	}
}

// level returns the first factor of the weight.
func (t *Table) level(tau float32) float32 {
	x := float32(tau * t.Inv)
	if t.Alpha == 1 {
		return x
	}
	return float32(arith.Pow(float64(x), t.Alpha))
}

// Weigh is the weight of an edge with a trail and a second factor.
func (t *Table) Weigh(tau, eta float32) float32 {
	return Clip(float32(t.level(tau) * eta))
}

// Clip keeps a weight within its limits.
func Clip(w float32) float32 { return min(max(w, minWeight), maxWeight) }

// Fill sets all trails to v.
func (t *Table) Fill(v float32) {
	for i := range t.Tau {
		t.Tau[i] = v
	}
	t.Off = v
	if t.Full != nil {
		for i := range t.Full.Tau {
			t.Full.Tau[i] = v
		}
	}
	if t.rest != nil {
		t.rest.clear()
	}
}

func (t *Table) blocks(pool *solvers.Pool, f func(block, worker int)) {
	b := (t.N + block - 1) / block
	each := t.Stride
	if t.Full != nil {
		each += t.N
	}
	pool.RunOf(b, 2*int64(t.N)*int64(each), f)
}

// Evaporate multiplies all trails by rate; those that fall below least become least.
func (t *Table) Evaporate(pool *solvers.Pool, rate, least float32) {
	t.rate, t.floor = rate, max(least, Min)
	t.EvaporateOff(rate, least)
	if t.rest != nil {
		for e := range t.rest.list {
			x := &t.rest.list[e].tau
			*x = max(float32(*x*rate), t.floor)
		}
	}
	t.blocks(pool, t.evaporateRow)
}

// EvaporateOff is Evaporate for the common trail only.
func (t *Table) EvaporateOff(rate, least float32) {
	t.Off = max(float32(t.Off*rate), least, Min)
}

func (t *Table) evaporateBlock(b, _ int) {
	lo, hi := b*block, min(t.N, b*block+block)
	decay(t.Tau[lo*t.Stride:hi*t.Stride], t.rate, t.floor)
	if t.Full != nil {
		decay(t.Full.Tau[lo*t.N:hi*t.N], t.rate, t.floor)
	}
}

func decay(v []float32, rate, least float32) {
	for i := range v {
		v[i] = max(float32(v[i]*rate), least)
	}
}

// Limit clamps all trails to [lo, hi] and computes all weights.
func (t *Table) Limit(pool *solvers.Pool, lo, hi float32) {
	t.lo, t.hi = lo, hi
	t.LimitOff(lo, hi)
	if t.rest != nil {
		for e := range t.rest.list {
			x := &t.rest.list[e].tau
			*x = min(max(*x, lo), hi)
		}
	}
	t.blocks(pool, t.weighRow)
}

// LimitOff is Limit for the common trail only.
func (t *Table) LimitOff(lo, hi float32) { t.Off = min(max(t.Off, lo), hi) }

func (t *Table) weighBlock(b, _ int) {
	lo, hi := b*block, min(t.N, b*block+block)
	if t.Weighed != nil {
		defer t.Weighed(lo, hi)
	}
	for c := lo; c < hi; c++ {
		at := c * t.Stride
		t.weighAll(t.Tau[at:at+t.K], t.Eta[at:at+t.K], t.Weight[at:at+t.K])
		if f := t.Full; f != nil {
			t.weighAll(f.Tau[c*t.N:c*t.N+t.N], f.Eta[c*t.N:c*t.N+t.N], f.Weight[c*t.N:c*t.N+t.N])
		}
	}
}

func (t *Table) weighAll(tau, eta, weight []float32) {
	eta, weight = eta[:len(tau)], weight[:len(tau)]
	lo, hi := t.lo, t.hi
	if t.Alpha == 1 {
		for i, v := range tau {
			v = min(max(v, lo), hi)
			tau[i] = v
			weight[i] = Clip(float32(float32(v*t.Inv) * eta[i]))
		}
		return
	}
	// Most trails of a row are at the lower limit, so the power of the last trail serves the next.
	last, x := float32(-1), float32(0)
	for i, v := range tau {
		v = min(max(v, lo), hi)
		tau[i] = v
		if v != last {
			last, x = v, t.level(v)
		}
		weight[i] = Clip(float32(x * eta[i]))
	}
}

// Deposit adds d to the trails of a tour's edges; the weights are to be computed afterwards.
func (t *Table) Deposit(tour []int32, d float32) {
	last := tour[len(tour)-1]
	for _, c := range tour {
		if c != last {
			t.add(last, c, d)
		}
		last = c
	}
}

// Strengthen replaces each trail tau of a tour's edges by rule(tau), one by one, and updates their
// weights.
func (t *Table) Strengthen(tour []int32, rule func(tau float32) float32) {
	last := tour[len(tour)-1]
	for _, c := range tour {
		if c != last {
			at := t.Place(last, c)
			t.Set(last, c, at, rule(t.Read(last, c, at)))
		}
		last = c
	}
}

// Forget drops the stored trails of edges on no list that are not above least, or not above the
// common trail.
func (t *Table) Forget(least float32) {
	if t.rest != nil {
		t.rest.prune(max(least, t.Off))
	}
}

// Save makes a copy of the trails, for Undo.
func (t *Table) Save() {
	k := &t.saved
	k.tau = append(k.tau[:0], t.Tau...)
	if t.Full != nil {
		k.full = append(k.full[:0], t.Full.Tau...)
	}
	if t.rest != nil {
		k.rest = append(k.rest[:0], t.rest.list...)
	}
}

// Undo sets the trails back to the copy of Save. No trail of another edge may have been stored
// since then. The weights are to be computed afterwards.
func (t *Table) Undo() {
	copy(t.Tau, t.saved.tau)
	if t.Full != nil {
		copy(t.Full.Tau, t.saved.full)
	}
	if t.rest != nil {
		copy(t.rest.list, t.saved.rest)
	}
}

// Look is the sum over cities of their branching, and a hash of the trails of edges on lists. A
// city branches in as many edges of its list as have a trail that is above the least by more
// than 0.05 times the difference to the greatest: the lambda-branching factor (L. M.
// Gambardella, M. Dorigo, Ant-Q, 1995, doi:10.1016/B978-1-55860-377-6.50039-6), which in a
// symmetric instance falls to 2 when all ants make one tour. The hash is the sum over slots of
// Mix64(i << 32 | bits of the trail), i counting the slots of all lists.
func (t *Table) Look() (branches int64, hash uint64) {
	for c := range t.N {
		b, h := LookRow(t.Tau[c*t.Stride:c*t.Stride+t.K], uint64(c*t.K))
		branches += b
		hash += h
	}
	return branches, hash
}

// LookRow is Look for one city, whose first slot has the number i.
func LookRow(row []float32, i uint64) (branches int64, hash uint64) {
	if len(row) == 0 {
		return 0, 0
	}
	lo, hi := row[0], row[0]
	for _, v := range row {
		lo, hi = min(lo, v), max(hi, v)
	}
	cut := lo + float32(0.05*(hi-lo))
	for _, v := range row {
		if v > cut {
			branches++
		}
		hash += arith.Mix64(i<<32 | uint64(math.Float32bits(v)))
		i++
	}
	return branches, hash
}
