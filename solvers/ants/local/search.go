// Package local is the local search of ants: it improves their tours by the searches of packages
// tours and rounds, and on asymmetric instances by exchanges that reverse no path.
package local

import (
	"cmp"
	"fmt"
	"slices"

	"metalab/solvers"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

// Kinds of local search.
const (
	None    = "none"
	TwoOpt  = "2opt"
	OrOpt   = "oropt"
	FullOpt = "3opt"

	PlainOpt = "2opt-plain" // exchanges of two edges alone, from all cities
	BestOpt  = "2opt-best"  // as PlainOpt, the greatest gain of a city, along the tour

	Rounds   = "2opt-rounds" // package rounds
	OrRounds = "oropt-rounds"
)

// Values of local_search: those of Queues run on the CPU by [tours.Search], those of OnDevice on
// the device that holds the tours. Tiles begins on the CPU, and goes on wherever its engine is.
var (
	Queues   = []string{TwoOpt, FullOpt, OrOpt}
	InRounds = []string{Rounds, OrRounds}
	OfPairs  = []string{PlainOpt, BestOpt} // exchanges of two edges alone
	OnDevice = slices.Concat(OfPairs, InRounds)
	Words    = slices.Concat([]string{None}, Queues, OnDevice, []string{Tiles})
)

// Neighbours say which neighbours of a city the new edges of a search lead to: Count of them, a
// quarter from each quadrant around the city, or the nearest. Without coordinates, and on
// asymmetric instances, they are always the nearest.
type Neighbours struct {
	Count int
	Lists string // Quadrant or Nearest
}

// Lists of neighbours.
const (
	Quadrant = "quadrant"
	Nearest  = "nearest"
)

// MostNeighbours is the greatest number of neighbours.
const MostNeighbours = 64

// DefaultNeighbours are used where nothing else is chosen.
var DefaultNeighbours = Neighbours{Count: 10, Lists: Quadrant}

// A Problem is an instance as a local search needs it.
type Problem struct {
	Kind  string
	Space *tours.Space
	near  tours.Neighbours
	back  tours.Neighbours // of an asymmetric instance: see inward

	// For a device, nil for other searches: a search in rounds, and the lists of OfPairs.
	Rounds *rounds.Problem
	Pairs  *Pairs

	Tiles *TilesOn // not nil: rounds of Tiles
}

// Pairs is a search of OfPairs.
type Pairs struct {
	Near tours.Neighbours
	Best bool // BestOpt
}

// NewProblem prepares a search; nil for None. It returns an error for a kind that the instance does
// not allow, and for more neighbours than a search in rounds looks at. name is the instance's, for
// error texts.
func NewProblem(sp *tours.Space, kind, name string, b Neighbours) (*Problem, error) {
	if kind == None {
		return nil, nil
	}
	if slices.Contains(InRounds, kind) && b.Count > rounds.MaxNeighbours {
		return nil, fmt.Errorf("ants: local_neighbours is %d: local_search=%s looks at up to %d, use "+
			"2opt or oropt for more", b.Count, kind, rounds.MaxNeighbours)
	}
	if kind == Tiles {
		if err := checkTiles(sp, name, b.Count); err != nil {
			return nil, err
		}
	}
	p := &Problem{Kind: kind, Space: sp}
	switch {
	case !sp.Asymmetric && b.Lists == Nearest:
		p.near = sp.Nearest(b.Count)
	case !sp.Asymmetric:
		p.near = sp.Quadrant(b.Count)
	case kind == FullOpt:
		p.near, p.back = sp.Nearest(b.Count), inward(sp, b.Count)
	default:
		return nil, fmt.Errorf("ants: local_search is %s: %s is asymmetric, where turning a path round "+
			"changes its length: "+
			"use local_search=3opt, which then makes the moves that turn none, or none", kind, name)
	}
	if slices.Contains(OfPairs, kind) {
		p.Pairs = &Pairs{Near: p.near, Best: kind == BestOpt}
	}
	if slices.Contains(InRounds, kind) {
		p.Rounds = &rounds.Problem{Space: sp, Near: p.near, Width: rounds.Lanes, Or: kind == OrRounds}
	}
	return p, nil
}

// OnHost tells whether the search gets the tours from the host even if a device constructs them.
func (p *Problem) OnHost() bool { return p != nil && p.Rounds == nil && p.Pairs == nil }

// A Search improves tours on the workers of a pool. It begins at the cities whose neighbours differ
// from those in a known tour, which saves most of the work once ants make tours like it.
type Search struct {
	p          *Problem
	env        *solvers.Env
	pool       *solvers.Pool
	tiled      *tiled // nil: none, or not made yet
	work       []*worker
	known      bool
	next, prev []int32 // the known tour's neighbours of each city
	ranked     []int32 // tours by length

	// For the current call. The functions each and ofRank are created once, so that calls allocate
	// nothing.
	all          []int32
	lengths      []int64
	stop         func() bool
	each, ofRank func(i, worker int)
}

// worker is the workspace of one goroutine. One of the first three fields is not nil.
type worker struct {
	queue  *tours.Search
	oneWay *oneWay // for asymmetric instances
	rounds *rounds.Polisher
	dirty  []int32
}

// NewSearch makes a search that knows no tour yet.
func NewSearch(p *Problem, env *solvers.Env) *Search {
	n := p.Space.N
	s := &Search{p: p, env: env, pool: env.Pool, next: make([]int32, n), prev: make([]int32, n)}
	s.each = s.improveTour
	s.ofRank = func(rank, worker int) { s.improveTour(int(s.ranked[rank]), worker) }
	return s
}

// Know sets the known tour, which must be a local optimum; nil: none.
func (s *Search) Know(tour []int32) {
	if s.known = tour != nil; !s.known {
		return
	}
	last := tour[len(tour)-1]
	for _, city := range tour {
		s.next[last], s.prev[city] = city, last
		last = city
	}
}

// staff makes a workspace for each goroutine of the pool.
func (s *Search) staff() error {
	for len(s.work) < s.pool.Size() {
		w := &worker{dirty: make([]int32, 0, s.p.Space.N)}
		var err error
		switch p := s.p; {
		case p.Space.Asymmetric:
			w.oneWay = newOneWay(p.Space, p.near, p.back)
		case p.Rounds != nil:
			w.rounds = rounds.NewPolisher(p.Rounds)
		default:
			set := tours.DefaultSettings()
			set.Pairs, set.Best = p.Pairs != nil, p.Kind == BestOpt
			if w.queue, err = tours.NewSearch(p.Space, p.near, set); err != nil {
				return fmt.Errorf("ants: local search: %w", err)
			}
		}
		s.work = append(s.work, w)
	}
	return nil
}

// Close frees what the search has on a device.
func (s *Search) Close() {
	if s.tiled != nil {
		s.tiled.engine.Close()
	}
}

// Improve makes the search of iteration it on the count shortest tours (ties by number), and
// updates their lengths. all holds the tours one after the other. stop, if it is not nil, tells
// whether to give up, which leaves the tours in any state.
func (s *Search) Improve(
	it int64, all []int32, lengths []int64, count int, stop func() bool,
) error {
	if err := s.staff(); err != nil {
		return err
	}
	s.all, s.lengths, s.stop = all, lengths, stop
	count = min(count, len(lengths))
	if count == len(lengths) && s.p.Tiles == nil {
		s.pool.Run(count, s.each)
		return nil
	}
	s.ranked = s.ranked[:0]
	for k := range int32(len(lengths)) {
		s.ranked = append(s.ranked, k)
	}
	slices.SortFunc(s.ranked, func(a, b int32) int {
		return cmp.Or(cmp.Compare(lengths[a], lengths[b]), cmp.Compare(a, b))
	})
	s.pool.Run(count, s.ofRank)
	if s.p.Tiles == nil || count == 0 || stop != nil && stop() {
		return nil
	}
	if s.tiled == nil {
		var err error
		if s.tiled, err = newTiled(s.p, s.env); err != nil {
			return err
		}
	}
	return s.tiled.improve(it, all, lengths, s.ranked[:count], stop)
}

func (s *Search) improveTour(k, worker int) {
	n := s.p.Space.N
	s.lengths[k] -= s.improve(s.all[k*n:k*n+n], worker, s.stop)
}

// portion is the number of cities that a search gets at a time; between portions it can be
// cancelled. The kernel of OfPairs has the same number.
const portion = 1024

// improve makes the search on a tour, and returns the gain.
func (s *Search) improve(tour []int32, worker int, stop func() bool) (gain int64) {
	if stop != nil && stop() {
		return 0
	}
	w := s.work[worker]
	if w.rounds != nil {
		var next, prev []int32
		if s.known {
			next, prev = s.next, s.prev
		}
		gain, _ = w.rounds.Polish(tour, next, prev, stop)
		return gain
	}
	s.mark(w, tour)
	if w.oneWay != nil {
		w.oneWay.load(tour)
		gain = w.portions(w.oneWay.push, w.oneWay.run, stop)
		if gain > 0 {
			copy(tour, w.oneWay.tour)
		}
		return gain
	}
	op := tours.TwoOpt
	switch s.p.Kind {
	case FullOpt:
		op = tours.ThreeOpt
	case OrOpt, Tiles:
		op = tours.OrOpt
	}
	w.queue.Load(tour)
	gain = w.portions(w.queue.Push, func() int64 { return w.queue.Run(op) }, stop)
	if gain > 0 {
		w.queue.Store(tour)
	}
	return gain
}

// mark collects the cities from which moves may begin, in the order of the tour (all, in the order
// of their numbers, while no tour is known, and in the plain 2-opt; all in that of the tour in
// BestOpt). Cities with the same two neighbours as in the known tour, which is a local optimum,
// need not be looked at.
func (s *Search) mark(w *worker, tour []int32) {
	w.dirty = w.dirty[:0]
	if s.p.Kind == BestOpt {
		w.dirty = append(w.dirty, tour...)
		return
	}
	if !s.known || s.p.Kind == PlainOpt {
		for city := range int32(len(tour)) {
			w.dirty = append(w.dirty, city)
		}
		return
	}
	oneWay := s.p.Space.Asymmetric
	last, city := tour[len(tour)-1], tour[0]
	for i := range tour {
		next := tour[0]
		if i+1 < len(tour) {
			next = tour[i+1]
		}
		if a, b := s.prev[city], s.next[city]; (a != last || b != next) &&
			(a != next || b != last || oneWay) {
			w.dirty = append(w.dirty, city)
		}
		last, city = city, next
	}
}

// portions searches from the marked cities, some at a time. If it is cancelled it returns no gain.
func (w *worker) portions(push func(city int32), run func() int64, stop func() bool) (gain int64) {
	for at := 0; at < len(w.dirty); at += portion {
		for _, city := range w.dirty[at:min(len(w.dirty), at+portion)] {
			push(city)
		}
		gain += run()
		if stop != nil && stop() {
			return 0
		}
	}
	return gain
}
