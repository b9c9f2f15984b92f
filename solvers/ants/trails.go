package ants

import (
	"fmt"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// Storages of trails.
const (
	storeCandidates = "candidates"
	storeMatrix     = "matrix"
	storeSelective  = "selective" // a Memory, which is elsewhere
)

// maxMatrixBytes is the most that storage matrix may take.
const maxMatrixBytes = 1 << 30

// matrixBytes is what storage matrix takes for n cities: trails, visibilities and weights.
func matrixBytes(n int) int64 { return 3 * 4 * int64(n) * int64(n) }

// Weights are kept within these, so that a candidate never has weight 0 and a sum never
// overflows, whatever the exponents.
const (
	minWeight = 0x1p-100
	maxWeight = 0x1p100
	minTrail  = 0x1p-100
)

// trails are the pheromone of a colony, and the weights of choices made from it.
//
// The weight of going from c to j is (tau(c,j) inv)^alpha (e_c / (d(c,j) + 0.1))^beta,
// where inv makes trails near 1 and e_c is the distance of c's first candidate plus 0.1:
// factors that all edges of a city share and that leave the probabilities as they are,
// but keep the numbers in float32's range. The 0.1, which keeps coincident cities apart
// from infinity, is that of the published code (T. Stuetzle, ACOTSP).
type trails struct {
	*lists
	sp *tours.Space

	alpha, beta float64
	inv         float32

	tau    []float32 // by slot
	eta    []float32 // by slot: the second factor of the weight
	weight []float32 // by slot; 0 for the slots that only fill up
	revEta []float32 // as revSlot: the second factor seen from the list's city
	short  []uint16  // by slot, nil with share: id
	share  []uint32  // by slot, nil for most variants; see stroll.go
	off    float32   // the trail of all edges that have no other

	full  *matrix // nil for storage candidates
	extra *guests // nil for storage matrix

	evaporateRow func(block, worker int)
	weighRow     func(block, worker int)
	rate, lo, hi float32
}

// matrix holds the trails of all edges, those on lists too.
type matrix struct{ tau, eta, weight []float32 }

func newTrails(sp *tours.Space, l *lists, storage string, alpha, beta float64) (*trails, error) {
	t := &trails{lists: l, sp: sp, alpha: alpha, beta: beta, inv: 1, eta: make([]float32, len(l.id))}
	if storage == storeSelective {
		t.setBeta(beta)
		return t, nil
	}
	t.tau, t.weight, t.revEta = make([]float32, len(l.id)), make([]float32, len(l.id)), make([]float32, len(l.revSlot))
	if storage == storeMatrix {
		n := sp.N
		if need := matrixBytes(n); need > maxMatrixBytes {
			return nil, fmt.Errorf("ants: storage is matrix: %d cities need %d bytes, and the limit is %d: use storage=candidates", n, need, maxMatrixBytes)
		}
		t.full = &matrix{tau: make([]float32, n*n), eta: make([]float32, n*n), weight: make([]float32, n*n)}
	} else {
		t.extra = newGuests(sp.N, !sp.Asymmetric)
	}
	t.evaporateRow, t.weighRow = t.evaporateBlock, t.weighBlock
	t.setBeta(beta)
	return t, nil
}

// near0 is e_c of the weight.
func (t *trails) near0(c int32) float64 {
	if t.k == 0 {
		return 1
	}
	return float64(max(t.dist[int(c)*t.stride], 0)) + 0.1
}

// visibility is the second factor of the weight of an edge from c of length d.
func (t *trails) visibility(c, d int32) float32 {
	return float32(arith.Pow(t.near0(c)/(float64(max(d, 0))+0.1), t.beta))
}

// setBeta makes the second factors; the weights are to be made afterwards.
func (t *trails) setBeta(beta float64) {
	t.beta = beta
	for c := range int32(t.n) {
		for at := int(c) * t.stride; at < int(c)*t.stride+t.k; at++ {
			t.eta[at] = t.visibility(c, t.dist[at])
		}
		for r, at := range t.reverse(c) {
			if t.revEta == nil {
				break
			}
			t.revEta[int(t.revFrom[c])+r] = t.visibility(c, t.dist[at])
		}
		if t.full != nil {
			for j := range int32(t.n) {
				t.full.eta[int(c)*t.n+int(j)] = t.visibility(c, t.sp.D(c, j))
			}
		}
	}
}

// level is the first factor of the weight.
func (t *trails) level(tau float32) float32 {
	x := float32(tau * t.inv)
	if t.alpha == 1 {
		return x
	}
	return float32(arith.Pow(float64(x), t.alpha))
}

// weigh is the weight of an edge with a trail and a second factor.
func (t *trails) weigh(tau, eta float32) float32 {
	return clip(float32(t.level(tau) * eta))
}

func clip(w float32) float32 { return min(max(w, minWeight), maxWeight) }

// fill sets all trails to v.
func (t *trails) fill(v float32) {
	for i := range t.tau {
		t.tau[i] = v
	}
	t.off = v
	if t.full != nil {
		for i := range t.full.tau {
			t.full.tau[i] = v
		}
	} else {
		t.extra.clear()
	}
}

// A place is where the trail of an edge is: a slot of the edge's first city; -1 - s
// where s is a slot of its second city or, from len(id) on, len(id) plus an entry of the
// guests; or none.
type place = int32

// none is the place of an edge that has no trail of its own but in the matrix.
const none place = -1 << 31

// place finds the edge from i to j.
func (t *trails) place(i, j int32) place {
	if s := t.find(i, j); s >= 0 {
		return s
	}
	return t.placeUnlisted(i, j)
}

// placeUnlisted finds the edge from i to j when j is not on i's list.
func (t *trails) placeUnlisted(i, j int32) place {
	if t.mirror != nil {
		if s := t.find(j, i); s >= 0 {
			return -1 - s
		}
	}
	if t.extra != nil {
		if e := t.extra.find(i, j); e >= 0 {
			return -1 - int32(len(t.id)) - e
		}
	}
	return none
}

// read is the trail of the edge from i to j at its place.
func (t *trails) read(i, j int32, at place) float32 {
	switch {
	case at >= 0:
		return t.tau[at]
	case t.full != nil:
		return t.full.tau[int(i)*t.n+int(j)]
	case at == none:
		return t.off
	}
	if s := -1 - at; int(s) < len(t.tau) {
		return t.tau[s]
	}
	return t.extra.list[int(-1-at)-len(t.tau)].tau
}

// at is the trail of the edge from i to j.
func (t *trails) at(i, j int32) float32 { return t.read(i, j, t.place(i, j)) }

// write makes v the trail of the edge from i to j, in a symmetric instance also from j to i,
// without its weights. An edge without a trail of its own gets one if v is not the common one.
func (t *trails) write(i, j int32, at place, v float32) {
	if t.full != nil {
		t.full.tau[int(i)*t.n+int(j)] = v
		if t.mirror != nil {
			t.full.tau[int(j)*t.n+int(i)] = v
		}
	}
	switch {
	case at >= 0:
		t.tau[at] = v
		if t.mirror != nil {
			if m := t.mirror[at]; m >= 0 {
				t.tau[m] = v
			}
		}
	case at == none:
		if t.full == nil && v != t.off {
			t.extra.put(i, j, v)
		}
	case int(-1-at) < len(t.tau):
		t.tau[-1-at] = v
	default:
		t.extra.set(-1-at-int32(len(t.tau)), v)
	}
}

// add strengthens the edge from i to j by d; in a symmetric instance that is also the
// edge from j to i. The weights are to be made afterwards.
func (t *trails) add(i, j int32, d float32) {
	at := t.place(i, j)
	t.write(i, j, at, t.read(i, j, at)+d)
}

// set is write with the weights brought up to date.
func (t *trails) set(i, j int32, at place, v float32) {
	if at < 0 || t.full != nil {
		t.write(i, j, at, v)
		t.reweigh(i, j, at, v)
		return
	}
	t.tau[at] = v
	x := t.level(v)
	t.weight[at] = clip(float32(x * t.eta[at]))
	if t.mirror != nil {
		if m := t.mirror[at]; m >= 0 {
			t.tau[m] = v
			t.weight[m] = clip(float32(x * t.eta[m]))
		}
	}
}

// reweigh makes the weights of an edge that has the trail v.
func (t *trails) reweigh(i, j int32, at place, v float32) {
	slot := at
	if at < 0 && at != none {
		slot = -1 - at
	}
	if slot >= 0 && int(slot) < len(t.tau) {
		t.weight[slot] = t.weigh(v, t.eta[slot])
		if t.mirror != nil {
			if m := t.mirror[slot]; m >= 0 {
				t.weight[m] = t.weigh(v, t.eta[m])
			}
		}
	}
	if f := t.full; f != nil {
		a, b := int(i)*t.n+int(j), int(j)*t.n+int(i)
		f.weight[a] = t.weigh(v, f.eta[a])
		if t.mirror != nil {
			f.weight[b] = t.weigh(v, f.eta[b])
		}
	}
}

// block is the number of cities that a worker takes at a time.
const block = 512

func (t *trails) blocks(pool *solvers.Pool, f func(block, worker int)) {
	b := (t.n + block - 1) / block
	if t.full == nil && len(t.tau) < 1<<15 {
		for i := range b {
			f(i, 0)
		}
		return
	}
	pool.Run(b, f)
}

// evaporate multiplies all trails by rate.
func (t *trails) evaporate(pool *solvers.Pool, rate float32) {
	t.rate = rate
	t.off = max(float32(t.off*rate), minTrail)
	if t.extra != nil {
		for e := range t.extra.list {
			x := &t.extra.list[e].tau
			*x = max(float32(*x*rate), minTrail)
		}
	}
	t.blocks(pool, t.evaporateRow)
}

func (t *trails) evaporateBlock(b, _ int) {
	lo, hi := b*block, min(t.n, b*block+block)
	decay(t.tau[lo*t.stride:hi*t.stride], t.rate)
	if t.full != nil {
		decay(t.full.tau[lo*t.n:hi*t.n], t.rate)
	}
}

func decay(v []float32, rate float32) {
	for i := range v {
		v[i] = max(float32(v[i]*rate), minTrail)
	}
}

// limit keeps all trails in [lo, hi] and makes all weights.
func (t *trails) limit(pool *solvers.Pool, lo, hi float32) {
	t.lo, t.hi = lo, hi
	t.off = min(max(t.off, lo), hi)
	if t.extra != nil {
		for e := range t.extra.list {
			x := &t.extra.list[e].tau
			*x = min(max(*x, lo), hi)
		}
	}
	t.blocks(pool, t.weighRow)
}

func (t *trails) weighBlock(b, _ int) {
	lo, hi := b*block, min(t.n, b*block+block)
	if t.share != nil {
		defer t.apportion(lo, hi)
	}
	for c := lo; c < hi; c++ {
		at := c * t.stride
		t.weighAll(t.tau[at:at+t.k], t.eta[at:at+t.k], t.weight[at:at+t.k])
		if f := t.full; f != nil {
			t.weighAll(f.tau[c*t.n:c*t.n+t.n], f.eta[c*t.n:c*t.n+t.n], f.weight[c*t.n:c*t.n+t.n])
		}
	}
}

func (t *trails) weighAll(tau, eta, weight []float32) {
	eta, weight = eta[:len(tau)], weight[:len(tau)]
	lo, hi := t.lo, t.hi
	if t.alpha == 1 {
		for i, v := range tau {
			v = min(max(v, lo), hi)
			tau[i] = v
			weight[i] = clip(float32(float32(v*t.inv) * eta[i]))
		}
		return
	}
	// Most trails of a row stand at the lower limit: the power of the last one is kept.
	last, x := float32(-1), float32(0)
	for i, v := range tau {
		v = min(max(v, lo), hi)
		tau[i] = v
		if v != last {
			last, x = v, t.level(v)
		}
		weight[i] = clip(float32(x * eta[i]))
	}
}

// branching is the mean lambda-branching factor: the number of edges of a city's list
// whose trail is above its least trail by more than lambda times the difference of its
// greatest and least, averaged over cities; in a symmetric instance it falls to 2 when all
// ants walk one tour. (L. M. Gambardella, M. Dorigo, Ant-Q, 1995,
// doi:10.1016/B978-1-55860-377-6.50039-6.)
func (t *trails) branching(lambda float32) float64 {
	var sum int
	for c := range t.n {
		row := t.tau[c*t.stride : c*t.stride+t.k]
		if len(row) == 0 {
			return 0
		}
		lo, hi := row[0], row[0]
		for _, v := range row {
			lo, hi = min(lo, v), max(hi, v)
		}
		cut := lo + float32(lambda*(hi-lo))
		for _, v := range row {
			if v > cut {
				sum++
			}
		}
	}
	return float64(sum) / float64(t.n)
}
