package ants

import (
	"errors"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

// Width is the number of slots of a city as crews see them: a warp's lanes. Slot c*Width+s
// is the s-th candidate of city c; slots beyond the length of a list name c itself, which is
// visited whenever they are looked at.
const Width = 32

// Far is the number of entries in a list of [Ground].Ext up to 65536 cities, FarMany with more.
const (
	Far     = 96
	FarMany = 32
)

// Ground is an instance as a crew walks on it, in internal numbers. It does not change.
type Ground struct {
	Space *tours.Space
	K     int // candidates of a city, at most Width
	Ants  int // with which a run begins: what a device's memory is asked for

	// Of mmas/rows. All: choices are among all unvisited cities, and the lists are only
	// looked at. Matrix: all edges have trails, and where a Crew is given or asked for
	// numbers by slot they stand by edge, n x n.
	All, Matrix     bool
	Selection, Tabu string

	ID      []int32 // n x Width: the candidates
	Reverse []int32 // n x Width: the slot of the way back, -1 where the city is not on that list

	// Ext holds the cities that follow the candidates, nearest first (ties by number),
	// n x Far: as many as are certainly nearer than all others. Places that are left over
	// name the city itself. The first unvisited of them is the nearest unvisited city once
	// the candidates are visited.
	Ext []int32
	Far int

	// Local is what the local search takes that the crew is to make after each walk, by
	// [rounds.Polisher]; nil: none. The known tour is the kept best.
	Local *rounds.Problem
}

// Kept names a tour that a crew keeps beside those of the last walk.
type Kept int

// The kept tours.
const (
	KeptBest    Kept = iota // the best so far
	KeptRestart             // the best since the trails of mmas were last set back
)

// A Crew makes an algorithm's tours elsewhere, on a GPU: trails and tours live there. Its
// results are those of the Go code of the same variant, bit for bit. Calls are not
// concurrent, and what one asks for may be done as late as the next that returns something.
type Crew interface {
	// SetTrails replaces all trails, by slot of Ground.
	SetTrails(tau []float32) error
	// Trails reads them, after the last reward.
	Trails(tau []float32) error
	// SetKept replaces a kept tour.
	SetKept(which Kept, tour []int32) error
	// Kept reads one.
	Kept(which Kept, tour []int32) error
	// Keep makes an ant's tour of the last walk a kept one.
	Keep(which Kept, ant int)
	// Polish says how many tours of a walk from now on, those that are shortest (ties by
	// number), get the local search that Ground states.
	Polish(tours int)
	// Walk makes one tour per ant: its length, its choices that the candidates could not
	// make, and its hash (arith.HashPerm). Lengths and hashes are those after the local search.
	Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error
	// Tours reads the tours of the last walk, one after the other.
	Tours(tours []int32) error
	// Look returns, after the last reward, the sum over cities of their branching with
	// lambda 0.05 and the hash of the trails.
	Look() (branches int64, hash uint64, err error)
	// Close frees everything.
	Close()
}

// A MaxMinCrew is a Crew for mmas.
type MaxMinCrew interface {
	Crew
	// Weigh states what makes weights of trails from now on: alpha, the scale inv of
	// trails, and the second factors by slot, which are only looked at when not nil.
	Weigh(alpha float64, inv float32, eta []float32) error
	// Reward evaporates, deposits add on a tour (an ant's, where ant >= 0) and keeps trails
	// within lo and hi.
	Reward(ant int, kept Kept, rate, add, lo, hi float32)
	// Fill sets all trails to v.
	Fill(v float32)
	// Warps sets how many ants a block of threads has; 0 is the crew's choice.
	Warps(n int)
}

// A LockstepCrew is a Crew for acs/lockstep. Its slots [MostListed] to Width - 1 of a city have the trails of edges
// beyond the lists, 0 where there is none.
type LockstepCrew interface {
	Crew
	// Rules states what choices depend on: Eta, Greedy, Tau0, Period, Beta and Inv, and the powers of 1 - rho by count.
	Rules(r AltRules, powers []float32) error
	// SetOuts says where the edges beyond the lists lead, by city: Outs each, the city itself for nowhere.
	SetOuts(city []int32) error
	// Outs reads that, after the last reward.
	Outs(city []int32) error
	// Reward takes the walk's visits into the trails, then strengthens the edges of the
	// best tour: tau <- max(tau0, keep tau + gain).
	Reward(keep, gain float32)
	// Warps sets how many ants a block of threads has; 0 is the crew's choice.
	Warps(n int)
}

// errWide refuses long lists.
func errWide(k int) error {
	return fmt.Errorf("ants: candidates is %d, this variant takes 1 to %d", k, Width)
}

// ground makes what a crew needs. Asymmetric instances have none.
func (c *colony) ground() (*Ground, error) {
	l := c.t.lists
	if l.k > Width {
		return nil, errWide(l.k)
	}
	if c.sp.Asymmetric {
		return nil, errors.New("ants: a crew needs a symmetric instance")
	}
	g := &Ground{Space: c.sp, K: l.k, Ants: c.ants, Far: Far, Local: c.polishing()}
	if l.n > 1<<16 {
		g.Far = FarMany
	}
	g.ID, g.Reverse = make([]int32, l.n*Width), make([]int32, l.n*Width)
	for i := range l.n {
		for s := range Width {
			to := i*Width + s
			g.ID[to], g.Reverse[to] = int32(i), -1
			if s >= l.k {
				continue
			}
			g.ID[to] = l.id[i*l.stride+s]
			if m := l.mirror[i*l.stride+s]; m >= 0 {
				g.Reverse[to] = m/int32(l.stride)*Width + m%int32(l.stride)
			}
		}
	}
	near := c.sp.Nearest(l.k + g.Far)
	g.Ext = make([]int32, l.n*g.Far)
	own := l.members()
	for i := range int32(l.n) {
		row, dist := near.Of(i), near.DistOf(i)
		at, end := int(i)*g.Far, int(i+1)*g.Far
		own.of(i)
		for s, id := range row {
			// Cities as far as the last one may be missing, so none of those counts.
			if near.K < l.n-1 && dist[s] == dist[near.K-1] || own.has(id) {
				continue
			}
			if at < end {
				g.Ext[at] = id
				at++
			}
		}
		for ; at < end; at++ {
			g.Ext[at] = i
		}
	}
	return g, nil
}

// widen copies numbers by slot of the lists to slots of Ground; the slots between hold rest.
func (l *lists) widen(v []float32, rest float32) []float32 {
	out := make([]float32, l.n*Width)
	for i := range l.n {
		for s := range Width {
			out[i*Width+s] = rest
			if s < l.k {
				out[i*Width+s] = v[i*l.stride+s]
			}
		}
	}
	return out
}

// narrow is the reverse of widen.
func (l *lists) narrow(wide, v []float32) {
	for i := range l.n {
		copy(v[i*l.stride:i*l.stride+l.k], wide[i*Width:])
	}
}

// hired is a colony's crew, and which of the colony's own arrays are behind it.
type hired struct {
	crew   Crew
	trials int  // of the tuner, see declareTrials
	tours  bool // the kept tours are newer there
	pull   bool // the trails are newer there
	lost   error
}

// Close lets the crew go; it is the Close of what hires one, before that of a colony.
func (h *hired) Close() {
	if h.crew != nil {
		h.crew.Close()
	}
}

// wrote notes that the crew went on.
func (h *hired) wrote() { h.tours, h.pull = true, true }

// fetchBest brings the best tour here; restart may be nil.
func (c *colony) fetchBest(h *hired, restart []int32) {
	if h.crew == nil || !h.tours || c.bestLength == unknown {
		return
	}
	h.lost = errors.Join(h.lost, h.crew.Kept(KeptBest, c.best))
	if restart != nil {
		h.lost = errors.Join(h.lost, h.crew.Kept(KeptRestart, restart))
	}
	h.tours = false
}

// fetchTrails brings the trails here.
func (c *colony) fetchTrails(h *hired) {
	if h.crew == nil || !h.pull {
		return
	}
	if f := c.t.full; f != nil {
		h.lost = errors.Join(h.lost, h.crew.Trails(f.tau))
		for s := range c.t.tau {
			c.t.tau[s] = f.tau[int(c.t.from(int32(s)))*c.n+int(c.t.id[s])]
		}
		h.pull = false
		return
	}
	wide := make([]float32, c.n*Width)
	h.lost = errors.Join(h.lost, h.crew.Trails(wide))
	c.t.narrow(wide, c.t.tau)
	h.pull = false
}

// fetchTours brings the tours of the last iteration here.
func (c *colony) fetchTours(h *hired) {
	if h.crew != nil && c.traced > 0 {
		h.lost = errors.Join(h.lost, h.crew.Tours(c.tours))
	}
}

// send brings the state to a crew.
func (c *colony) send(h *hired) error {
	h.tours, h.pull = false, false
	tau := c.t.widen
	if f := c.t.full; f != nil {
		tau = func([]float32, float32) []float32 { return f.tau }
	}
	return errors.Join(h.crew.SetTrails(tau(c.t.tau, 1)), h.crew.SetKept(KeptBest, c.best))
}

// remark ends an iteration as measure does.
func (c *colony) remark(h *hired, p *record.Point) error {
	trails, branches := c.it%trailsEvery == 0, c.it%branchEvery == 0 || c.it == 1
	if trails || branches {
		b, hash := int64(0), uint64(0)
		if h.crew == nil {
			b, hash = c.t.look()
		} else {
			var err error
			if b, hash, err = h.crew.Look(); err != nil {
				return err
			}
		}
		if trails {
			p.Digest = arith.Chain(p.Digest, hash)
		}
		if branches {
			c.branch = float64(b) / float64(c.n)
		}
	}
	p.Measures[0] = c.branch
	return nil
}

// look is the sum over cities of the number of their slots whose trail is above the least
// by more than 0.05 times the difference to the greatest, and the sum over slots of
// Mix64(i << 32 | bits of the trail), i counting the slots of all lists.
func (t *trails) look() (branches int64, hash uint64) {
	for c := range t.n {
		b, h := lookRow(t.tau[c*t.stride:c*t.stride+t.k], uint64(c*t.k))
		branches += b
		hash += h
	}
	return branches, hash
}

// lookRow is trails.look for one city, whose first slot has the number i.
func lookRow(row []float32, i uint64) (branches int64, hash uint64) {
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

// ring is a tour as neighbours of cities.
type ring struct{ after, before []int32 }

func (g *ring) follow(tour []int32) {
	if g.after == nil {
		g.after, g.before = make([]int32, len(tour)), make([]int32, len(tour))
	}
	last := tour[len(tour)-1]
	for _, c := range tour {
		g.after[last], g.before[c] = c, last
		last = c
	}
}

// times is how often the tour has the edge from i to j, in either direction.
func (g *ring) times(i, j int32) int {
	k := 0
	if g.after[i] == j {
		k++
	}
	if g.before[i] == j {
		k++
	}
	return k
}

// noState is written where the state is lost, so that no one takes what is here for it.
func noState(w *solvers.Writer, why error) { w.Bytes("lost", []byte(why.Error())) }

func declareWarps(t *solvers.Params, p *int) {
	t.Int(p, record.Param{
		Name: "warps", Class: record.Schedule, Min: 0, Max: Width, Step: 1, Unit: "warps",
		Doc:    "How many ants, a warp each, share a block of threads on a GPU; 0: tuned by the device's clock in the first iterations, see trials. Nothing on the cpu.",
		Effect: "none: results are the same",
	})
}

// declareFew declares the length of the lists, at most most.
func (c *common) declareFew(t *solvers.Params, n, most int) {
	t.Int(&c.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Min: 1, Max: float64(max(2, min(most, n-1))), Step: 1, Unit: "cities",
		Doc:    "Length of the candidate lists: an ant goes to one of this many nearest cities while one is unvisited. Edges on lists have trails.",
		Effect: "a fork keeps the trails of edges that are on its lists too",
	})
}

// The most cities whose numbers the kernels of a variant hold: in 16 bits, or in 26, which leaves their slots 31.
const (
	shortCities = 1 << 16
	wideCities  = 1<<26 - 1
)

// supported refuses what a device does not compute: more cities than most, for which others is to be used.
func supported(t *datasets.TSP, most int, others string) error {
	switch t.Metric {
	case datasets.Euc2D, datasets.Ceil2D, datasets.Att:
	default:
		return fmt.Errorf("ants: %s has distances of type %v, and a GPU computes EUC_2D, CEIL_2D and ATT: use backend cpu", t.Title, t.Metric)
	}
	if t.N > most {
		return fmt.Errorf("ants: %s has %d cities, and the kernels of this variant take up to %d: use %s", t.Title, t.N, most, others)
	}
	return nil
}
