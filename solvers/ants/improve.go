package ants

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

// Kinds of local search.
const (
	localNone = "none"
	localTwo  = "2opt"
	localOr   = "oropt"
	localFull = "3opt"

	localRounds   = "2opt-rounds" // package rounds
	localOrRounds = "oropt-rounds"
)

// Values of local_search: queueWords are made by [tours.Search] on the host's cores, roundWords where
// the tours are.
var (
	queueWords = []string{localTwo, localFull, localOr}
	roundWords = []string{localRounds, localOrRounds}
	localWords = slices.Concat([]string{localNone}, queueWords, roundWords)
)

// inRounds tells whether the local search is one that a crew makes too.
func (c *common) inRounds() bool { return slices.Contains(roundWords, c.localSearch) }

// atHome tells whether tours come to the host's cores for their local search.
func (c *common) atHome() bool { return c.localSearch != localNone && !c.inRounds() }

// stayAway refuses a local search that is not made where a crew's tours are.
func (c *common) stayAway() error {
	if !c.atHome() {
		return nil
	}
	return fmt.Errorf("ants: local_search is %s, which is made on the host's cores; the tours of this variant stay on the GPU, where it takes %s: or use backend cpu",
		c.localSearch, strings.Join(slices.Concat(roundWords, []string{localNone}), " or "))
}

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
	if c.inRounds() {
		w.rounds = rounds.NewPolisher(c.polishing())
		return nil
	}
	var err error
	if w.local, err = tours.NewSearch(c.sp, c.near, tours.DefaultSettings()); err != nil {
		return fmt.Errorf("ants: local search: %w", err)
	}
	return nil
}

// polishing is what package rounds takes of the instance; nil when it is not asked for.
func (c *colony) polishing() *rounds.Problem {
	if !c.inRounds() {
		return nil
	}
	return &rounds.Problem{Space: c.sp, Near: c.near, Width: rounds.Lanes, Or: c.localSearch == localOrRounds}
}

// improved is how many ants of an iteration have a local search.
func (c *colony) improved() int {
	if c.localSearch == localNone {
		return 0
	}
	return int(math.Ceil(c.localShare * float64(c.ants)))
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
	c.env.Pool.Run(c.improved(), c.improveRanked)
}

// improveWalked is improveAll after a walk that made the hashes too.
func (c *colony) improveWalked() error {
	if c.localSearch == localNone {
		return nil
	}
	c.improveAll()
	if c.cut.Load() {
		return c.ctx.Err()
	}
	if c.localShare == 1 {
		c.env.Pool.Run(c.ants, func(ant, _ int) { c.hashes[ant] = arith.HashPerm(c.tour(ant)) })
	}
	return nil
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
	if w.rounds != nil {
		c.improveInRounds(w, ant)
		return
	}
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

// improveInRounds is improve with package rounds.
func (c *colony) improveInRounds(w *worker, ant int) {
	var next, prev []int32
	if c.bestLength != unknown {
		next, prev = c.next, c.prev
	}
	var stop func() bool
	if c.givable {
		stop = c.stopped
	}
	gain, _ := w.rounds.Polish(c.tour(ant), next, prev, stop)
	c.lengths[ant] -= gain
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
