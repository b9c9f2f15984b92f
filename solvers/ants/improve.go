package ants

import (
	"fmt"

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
		return fmt.Errorf("ants: local_search is %s: %s is asymmetric, where turning a path round changes its length: use local_search=none", c.localSearch, c.inst.Name())
	}
	c.near = c.sp.Quadrant(localNeighbours)
	c.next, c.prev = make([]int32, c.n), make([]int32, c.n)
	return nil
}

// equip gives a worker its local search.
func (c *colony) equip(w *worker) error {
	var err error
	if w.local, err = tours.NewSearch(c.sp, c.near, tours.DefaultSettings()); err != nil {
		return fmt.Errorf("ants: local search: %w", err)
	}
	w.dirty = make([]int32, 0, c.n)
	return nil
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
			if a, b := c.prev[city], c.next[city]; (a != last || b != next) && (a != next || b != last) {
				w.dirty = append(w.dirty, city)
			}
			last, city = city, next
		}
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

// portion is how many cities at a time are given to a local search; between portions the
// iteration may be given up.
const portion = 1024
