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
	deposits func(least int64, rate float32) // the deposits of all ants; nil: those of as/scan
}

func newTable(c *Crew) *tableKeeper { return &tableKeeper{c: c} }

func (k *tableKeeper) rules(r *crew.Rules) {
	t := k.c.t
	t.Alpha, t.Inv = r.Alpha, r.Inv
	k.lo, k.hi = r.Low, r.High
	t.Limit(k.c.pool, k.lo, k.hi)
}

// pruneEvery is the number of iterations after which weak edges on no list are forgotten.
const pruneEvery = 8

func (k *tableKeeper) update(u crew.Update) {
	c, t := k.c, k.c.t
	switch {
	case !u.Evaporate:
		t.Strengthen(c.rewarded(u.Tour), u.On)
	case u.Tour != crew.All:
		t.Evaporate(c.pool, u.Rate, u.Low)
		t.Deposit(c.rewarded(u.Tour), u.Add)
	case k.deposits != nil:
		t.EvaporateOff(u.Rate, u.Low)
		k.deposits(u.Least, u.Rate)
	default:
		t.Evaporate(c.pool, u.Rate, u.Low)
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

// undo sets the trails back to what they were at the table's Save.
func (k *tableKeeper) undo() {
	k.c.t.Undo()
	k.c.t.Limit(k.c.pool, k.lo, k.hi)
}

func (k *tableKeeper) look() (branches int64, hash uint64) { return k.c.t.Look() }

// shareDeposits are the deposits of as/wrs. An ant deposits 1 / L for its tour of length L at each
// slot of an edge of the tour: at two if each city is on the other's list, which then stay equal,
// at one if only one is. A deposit on an edge that is on no list is lost; as/scan stores such
// trails. Q of the paper, the deposit's numerator, is 1: only the ratios of trails matter. The
// initial trail is that of as/scan.
//
// All deposits of an iteration on a slot are added up as whole numbers, see crew.Shares, so their
// order does not matter: tau <- rho tau + sum, where the product, the sum and the addition are
// rounded once each.
type shareDeposits struct {
	c   *Crew
	sum []uint64 // by slot: shares deposited in this iteration
}

func (d *shareDeposits) deposit(least int64, rate float32) {
	c, t, unit := d.c, d.c.t, crew.ShareUnit(least)
	c.pool.RunOf(c.ants, 4*int64(c.ants)*int64(c.n), func(ant, _ int) {
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

// along adds shares to the slots of a tour's edges. Several goroutines may call it at the same
// time.
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
