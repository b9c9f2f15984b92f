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
)

// maxMatrixBytes is the most that storage matrix may take.
const maxMatrixBytes = 1 << 30

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
	off    float32   // the trail of all edges that are on no list (storage candidates)

	full *matrix // nil for storage candidates

	evaporateRow func(block, worker int)
	weighRow     func(block, worker int)
	rate, lo, hi float32
}

// matrix holds the trails of all edges, those on lists too.
type matrix struct{ tau, eta, weight []float32 }

func newTrails(sp *tours.Space, l *lists, storage string, alpha, beta float64) (*trails, error) {
	t := &trails{
		lists: l, sp: sp, alpha: alpha, beta: beta, inv: 1,
		tau: make([]float32, len(l.id)), eta: make([]float32, len(l.id)), weight: make([]float32, len(l.id)),
		revEta: make([]float32, len(l.revSlot)),
	}
	if storage == storeMatrix {
		n := int64(sp.N)
		if need := 3 * 4 * n * n; need > maxMatrixBytes {
			return nil, fmt.Errorf("ants: storage is matrix: %d cities need %d bytes, and the limit is %d: use storage=candidates", n, need, maxMatrixBytes)
		}
		t.full = &matrix{tau: make([]float32, n*n), eta: make([]float32, n*n), weight: make([]float32, n*n)}
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
	}
}

// at is the trail of the edge from i to j.
func (t *trails) at(i, j int32) float32 {
	if t.full != nil {
		return t.full.tau[int(i)*t.n+int(j)]
	}
	if s := t.find(i, j); s >= 0 {
		return t.tau[s]
	}
	if t.mirror != nil {
		if s := t.find(j, i); s >= 0 {
			return t.tau[s]
		}
	}
	return t.off
}

// add strengthens the edge from i to j by d; in a symmetric instance that is also the
// edge from j to i. An edge on no list stays as it is under storage candidates.
func (t *trails) add(i, j int32, d float32) {
	if s := t.find(i, j); s >= 0 {
		t.tau[s] += d
		if t.mirror != nil && t.mirror[s] >= 0 {
			t.tau[t.mirror[s]] = t.tau[s]
		}
	} else if t.mirror != nil {
		if s := t.find(j, i); s >= 0 {
			t.tau[s] += d
		}
	}
	if f := t.full; f != nil {
		v := f.tau[int(i)*t.n+int(j)] + d
		f.tau[int(i)*t.n+int(j)] = v
		if t.mirror != nil {
			f.tau[int(j)*t.n+int(i)] = v
		}
	}
}

// set makes v the trail of the edge from i to j and brings its weights up to date. slot
// is that of i towards j, or -1 - r where r is the slot of j towards i of an edge
// that has no other, or none for an edge on no list.
func (t *trails) set(i, j, slot int32, v float32) {
	if slot >= 0 {
		t.tau[slot] = v
		x := t.level(v)
		t.weight[slot] = clip(float32(x * t.eta[slot]))
		if t.mirror != nil {
			if m := t.mirror[slot]; m >= 0 {
				t.tau[m] = v
				t.weight[m] = clip(float32(x * t.eta[m]))
			}
		}
	} else if slot != none {
		r := -1 - slot
		t.tau[r] = v
		t.weight[r] = t.weigh(v, t.eta[r])
	}
	if f := t.full; f != nil {
		x := t.level(v)
		a, b := int(i)*t.n+int(j), int(j)*t.n+int(i)
		f.tau[a] = v
		f.weight[a] = clip(float32(x * f.eta[a]))
		if t.mirror != nil {
			f.tau[b] = v
			f.weight[b] = clip(float32(x * f.eta[b]))
		}
	}
}

// none is the slot of an edge that is on no list.
const none = -1 << 31

// slotOf is the slot of the edge from i to j as set takes it.
func (t *trails) slotOf(i, j int32) int32 {
	if s := t.find(i, j); s >= 0 {
		return s
	}
	if t.mirror != nil {
		if s := t.find(j, i); s >= 0 {
			return -1 - s
		}
	}
	return none
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
	t.blocks(pool, t.weighRow)
}

func (t *trails) weighBlock(b, _ int) {
	lo, hi := b*block, min(t.n, b*block+block)
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
