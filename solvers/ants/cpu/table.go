package cpu

import (
	"sync/atomic"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// tableKeeper keeps the trails of as, mmas, acs/seq and acs/alt: in a trail.Table.
type tableKeeper struct {
	c        *Crew
	lo, hi   float32
	deposits func(least int64, rate float32) // of all ants: as/scan's where it is nil
}

func newTable(c *Crew) *tableKeeper { return &tableKeeper{c: c} }

func (k *tableKeeper) rules(r *crew.Rules) {
	t := k.c.t
	t.Alpha, t.Inv = r.Alpha, r.Inv
	k.lo, k.hi = r.Low, r.High
	t.Limit(k.c.pool, k.lo, k.hi)
}

// pruneEvery is how often edges on no list are forgotten.
const pruneEvery = 8

func (k *tableKeeper) update(u crew.Update) {
	c, t := k.c, k.c.t
	switch {
	case !u.Evaporate:
		t.Strengthen(c.rewarded(u.Tour), u.On)
	case u.Tour != crew.All:
		t.Evaporate(c.pool, u.Rate)
		t.Deposit(c.rewarded(u.Tour), u.Add)
	case k.deposits != nil:
		t.EvaporateOff(u.Rate)
		k.deposits(u.Least, u.Rate)
	default:
		t.Evaporate(c.pool, u.Rate)
		for ant, length := range c.out.Lengths {
			t.Deposit(c.tour(ant), float32(1/float64(max(length, 1))))
		}
	}
	if u.Evaporate {
		t.Inv, k.lo, k.hi = u.Inv, u.Low, u.High
		t.Limit(c.pool, u.Low, u.High)
	}
	if c.it%pruneEvery == 0 {
		t.Forget(u.Forget)
	}
}

func (k *tableKeeper) reset(v float32) {
	k.c.t.Fill(v)
	k.c.t.Limit(k.c.pool, k.lo, k.hi)
}

// undo brings the trails back to where Save of the table saw them.
func (k *tableKeeper) undo() {
	k.c.t.Undo()
	k.c.t.Limit(k.c.pool, k.lo, k.hi)
}

func (k *tableKeeper) look() (branches int64, hash uint64) { return k.c.t.Look() }

// shareDeposits are the deposits of as/wrs. An ant deposits 1 / L for its tour of length L at each
// slot that leads along an edge of the tour: at two where each city is on the other's list, which
// then stay equal, at one where only one is. A deposit on an edge that is on no list is lost;
// as/scan keeps it in a trail of its own. Q of the paper, the deposit's numerator, is 1: weights
// have trails in proportion only, and the initial trail is that of as/scan.
//
// All deposits of an iteration on a slot are added up as whole numbers, see crew.Shares, so the sum
// has no order: tau <- rho tau + sum, with one rounding of the product, of the sum and of the
// addition each.
type shareDeposits struct {
	c   *Crew
	sum []uint64 // by slot: shares deposited in this iteration
}

func (d *shareDeposits) deposit(least int64, rate float32) {
	c, t, unit := d.c, d.c.t, crew.ShareUnit(least)
	c.pool.Run(c.ants, func(ant,
		_ int,
	) {
		d.along(c.tour(ant), crew.Shares(c.out.Lengths[ant], least))
	})
	for city := range c.n {
		at := city * t.Stride
		for s, shares := range d.sum[at : at+t.K] {
			t.Tau[at+s] = max(float32(t.Tau[at+s]*rate), trail.Min) + float32(float64(shares)*unit)
		}
	}
	clear(d.sum)
}

// along adds shares at the slots along a tour. Others may do so at the same time.
func (d *shareDeposits) along(tour []int32, shares uint64) {
	t := d.c.t
	last := tour[len(tour)-1]
	for _, c := range tour {
		s := t.Find(last, c)
		m := int32(-1)
		if s >= 0 {
			atomic.AddUint64(&d.sum[s], shares)
			m = t.Mirror[s]
		} else {
			m = t.Find(c, last)
		}
		if m >= 0 {
			atomic.AddUint64(&d.sum[m], shares)
		}
		last = c
	}
}
