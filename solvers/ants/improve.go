package ants

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Kinds of local search.
const (
	localNone = "none"
	localTwo  = "2opt"
	localOr   = "oropt"
	localFull = "3opt"
)

var localWords = []string{localNone, localTwo, localFull, localOr}

// localNeighbours is the number of neighbours that the local search looks at.
const localNeighbours = 10

// checkLocal refuses a local search that the instance does not allow.
func (c *colony) checkLocal() error {
	if c.localSearch == localNone {
		return nil
	}
	if c.sp.Asymmetric {
		if c.localSearch != localFull {
			return fmt.Errorf("ants: local_search is %s: %s is asymmetric, where turning a path round changes its length: use local_search=3opt, which then makes the moves that turn none, or none", c.localSearch, c.inst.Name())
		}
		c.near, c.back = c.sp.Nearest(localNeighbours), inward(c.sp, localNeighbours)
	} else {
		c.near = c.sp.Quadrant(localNeighbours)
	}
	c.next, c.prev = make([]int32, c.n), make([]int32, c.n)
	return nil
}

// equip gives a worker its local search.
func (c *colony) equip(w *worker) error {
	w.dirty = make([]int32, 0, c.n)
	if c.sp.Asymmetric {
		w.oneWay = newOneWay(c.sp, c.near, c.back)
		return nil
	}
	var err error
	if w.local, err = tours.NewSearch(c.sp, c.near, tours.DefaultSettings()); err != nil {
		return fmt.Errorf("ants: local search: %w", err)
	}
	return nil
}

// declareLocal declares the share of the ants that have a local search; 1 by default.
func (c *colony) declareLocal(t *solvers.Params) {
	t.Float(&c.localShare, record.Param{
		Name: "local_share", Class: record.Live, Min: 0, Max: 1, Step: 0.1,
		Doc:    "Share of the ants whose tours are improved by local_search, rounded up to a number of ants: those with the shortest tours. (0 is none, 1 all.)",
		Effect: "the trails stay",
	})
}

// improveAll makes the local search on the tours of the iteration, of all ants or of those with
// the shortest ones, ties by number. An iteration that is to be given up is cut.
func (c *colony) improveAll() {
	if c.localShare == 1 {
		c.env.Pool.Run(c.ants, c.improveAnt)
		return
	}
	c.ranked = c.ranked[:0]
	for k := range int32(c.ants) {
		c.ranked = append(c.ranked, k)
	}
	slices.SortFunc(c.ranked, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.lengths[a], c.lengths[b]), cmp.Compare(a, b))
	})
	c.env.Pool.Run(int(math.Ceil(c.localShare*float64(c.ants))), c.improveRanked)
}

// improveRank is improve for the ant of a rank, with its hash.
func (c *colony) improveRank(rank, worker int) {
	ant := int(c.ranked[rank])
	c.improve(ant, worker)
	c.hashes[ant] = arith.HashPerm(c.tour(ant))
}

// know notes the neighbours in the best tour, for the local search.
func (c *colony) know() {
	if c.next == nil {
		return
	}
	last := c.best[c.n-1]
	for _, city := range c.best {
		c.next[last], c.prev[city] = city, last
		last = city
	}
}

// improve makes the local search on the tour of an ant, from portions of its cities in the
// order of the tour (of their numbers before there is a best tour). Cities that stand between
// the same two as in the best tour, which is a local optimum, need no look at the start.
func (c *colony) improve(ant, worker int) {
	if c.localSearch == localNone || c.givable && c.stopped() {
		return
	}
	w, tour := c.work[worker], c.tour(ant)
	w.dirty = w.dirty[:0]
	if c.bestLength == unknown {
		for city := range int32(c.n) {
			w.dirty = append(w.dirty, city)
		}
	} else {
		last, city := tour[c.n-1], tour[0]
		for i := range tour {
			next := tour[0]
			if i+1 < len(tour) {
				next = tour[i+1]
			}
			if a, b := c.prev[city], c.next[city]; (a != last || b != next) && (a != next || b != last || c.sp.Asymmetric) {
				w.dirty = append(w.dirty, city)
			}
			last, city = city, next
		}
	}
	if w.oneWay != nil {
		c.improveOneWay(w, ant)
		return
	}
	op := tours.TwoOpt
	switch c.localSearch {
	case localFull:
		op = tours.ThreeOpt
	case localOr:
		op = tours.OrOpt
	}
	w.local.Load(tour)
	var gain int64
	for at := 0; at < len(w.dirty); at += portion {
		for _, city := range w.dirty[at:min(len(w.dirty), at+portion)] {
			w.local.Push(city)
		}
		gain += w.local.Run(op)
		if c.givable && c.stopped() {
			return
		}
	}
	if gain > 0 {
		w.local.Store(tour)
		c.lengths[ant] -= gain
	}
}

// improveOneWay is improve for asymmetric instances.
func (c *colony) improveOneWay(w *worker, ant int) {
	tour := c.tour(ant)
	w.oneWay.load(tour)
	var gain int64
	for at := 0; at < len(w.dirty); at += portion {
		for _, city := range w.dirty[at:min(len(w.dirty), at+portion)] {
			w.oneWay.push(city)
		}
		gain += w.oneWay.run()
		if c.givable && c.stopped() {
			return
		}
	}
	if gain > 0 {
		copy(tour, w.oneWay.tour)
		c.lengths[ant] -= gain
	}
}

// portion is how many cities at a time are given to a local search; between portions the
// iteration may be given up.
const portion = 1024
