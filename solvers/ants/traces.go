package ants

import (
	"math"

	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// traces are the trails of the focused ants, for edges on lists of neighbours. An iteration costs
// time only for the edges that it changes. They are the trails of MAX-MIN Ant System divided by its
// upper limit, as in the hyper-cube framework: a trail of 1 is that of an edge which has been on
// the strengthened tour for long, and
//
//	x <- rho x + (1 - rho) [on the tour],  x >= least
//
// in each iteration. traces stores the trail at the iteration in which its edge last joined or left
// the tour, and that iteration. The present trail follows from the number of iterations since then.
type traces struct {
	sp   *tours.Space
	near tours.Neighbours
	n, k int

	value []float32 // by slot: the trail in iteration |since|
	since []int32   // by slot: the iteration; below 0 (its complement): the edge is on the tour

	eta         []float32 // by slot: the visibility to the power of beta
	alpha, beta float64
	rho         float64
	least       float32
	power       [512]float32 // of rho
}

func newTraces(sp *tours.Space, near tours.Neighbours) *traces {
	n := sp.N
	return &traces{
		sp: sp, near: near, n: n, k: near.K,
		value: make([]float32, len(near.ID)), since: make([]int32, len(near.ID)),
		eta:  make([]float32, len(near.ID)),
		beta: -1,
	}
}

// rule sets the parameters of trails and weights, as of iteration it.
func (t *traces) rule(alpha, beta, rho, pBest float64, it int64) {
	if beta != t.beta {
		t.beta = beta
		visibility(t.sp, t.near, beta, t.eta)
	}
	if rho != t.rho {
		for at := range t.value {
			t.value[at] = t.now(at, it)
			if t.since[at] < 0 {
				t.since[at] = ^int32(it)
			} else {
				t.since[at] = int32(it)
			}
		}
	}
	t.alpha, t.rho = alpha, rho
	for i := range t.power {
		t.power[i] = float32(arith.PowInt(rho, i))
	}
	// As for mmas: an ant whose trails have converged makes the tour again with probability
	// p_best, where half of the neighbours are left at a choice.
	p := arith.Pow(pBest, 1/float64(max(1, t.n)))
	t.least = 1
	if avg := float64((t.k + 1) / 2); avg > 0 && p > 0 {
		t.least = float32(min(1, max((1-p)/float64(p*avg), 0x1p-40)))
	}
}

// visibility writes to eta, by slot, the visibilities to the power of beta, as parts of the
// greatest one of the city. Distances are not reduced.
func visibility(sp *tours.Space, near tours.Neighbours, beta float64, eta []float32) {
	for c := range int32(sp.N) {
		ids := near.Of(c)
		nearest := int32(math.MaxInt32)
		for _, j := range ids {
			nearest = min(nearest, sp.D(c, j))
		}
		for s, j := range ids {
			x := (float64(max(nearest, 0)) + 0.1) / (float64(max(sp.D(c, j), 0)) + 0.1)
			eta[int(c)*near.K+s] = float32(arith.Pow(x, beta))
		}
	}
}

// begin sets all trails to the lower limit.
func (t *traces) begin() {
	for at := range t.value {
		t.value[at], t.since[at] = t.least, 0
	}
}

// now returns the trail of a slot in iteration it.
func (t *traces) now(at int, it int64) float32 {
	since := t.since[at]
	if since < 0 {
		return max(t.least, 1-float32((1-t.value[at])*t.decay(it-int64(^since))))
	}
	return max(t.least, float32(t.value[at]*t.decay(it-int64(since))))
}

// decay is rho^k.
func (t *traces) decay(k int64) float32 {
	if k < int64(len(t.power)) {
		return t.power[k]
	}
	return float32(arith.PowInt(t.rho, int(min(k, math.MaxInt32))))
}

// weigh returns the weight of a slot in iteration it.
func (t *traces) weigh(at int, it int64) float32 {
	x := t.now(at, it)
	if t.alpha != 1 {
		x = float32(arith.Pow(float64(x), t.alpha))
	}
	return trail.Clip(float32(x * t.eta[at]))
}

// slot finds the slot of a towards b, or -1.
func (t *traces) slot(a, b int32) int {
	at := int(a) * t.k
	for s, c := range t.near.ID[at : at+t.k] {
		if c == b {
			return at + s
		}
	}
	return -1
}

// on records that the edge comes to the tour after iteration it, off that it leaves the tour.
func (t *traces) on(a, b int32, it int64) {
	for range 2 {
		if at := t.slot(a, b); at >= 0 {
			t.value[at], t.since[at] = t.now(at, it), ^int32(it)
		}
		a, b = b, a
	}
}

func (t *traces) off(a, b int32, it int64) {
	for range 2 {
		if at := t.slot(a, b); at >= 0 {
			t.value[at], t.since[at] = t.now(at, it), int32(it)
		}
		a, b = b, a
	}
}

// add strengthens an edge that is not on the tour by x, up to 1.
func (t *traces) add(a, b int32, it int64, x float32) {
	for range 2 {
		if at := t.slot(a, b); at >= 0 && t.since[at] >= 0 {
			t.value[at], t.since[at] = min(1, t.now(at, it)+x), int32(it)
		}
		a, b = b, a
	}
}

// hash returns a sum of hashes over all slots.
func (t *traces) hash(it int64) uint64 {
	var h uint64
	for at := range t.value {
		h += arith.Mix64(uint64(at)<<32 | uint64(math.Float32bits(t.now(at, it))))
	}
	return h
}
