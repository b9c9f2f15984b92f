package tours

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Operator is a rule that improves a tour from one city; see the constants.
type Operator uint8

// The operators of [Search]. All add only edges to listed neighbours, and only while the sum of the
// gains so far is positive. Each takes the first gain that it finds or the best of a small
// neighbourhood, as stated below.
const (
	// TwoOpt exchanges two edges, or moves a path of at most three cities elsewhere, either way
	// round: the first move that shortens the tour. (J. L. Bentley, Fast algorithms for
	// geometric traveling salesman problems, 1992, doi:10.1287/ijoc.4.4.387.)
	TwoOpt Operator = iota

	// ThreeOpt exchanges two or three edges in any of the ways that close a tour and are
	// sequential (of three edges, all are): the best one round the first tour edge of the
	// city that has one. (S. Lin, Computer solutions of the traveling salesman problem,
	// 1965, doi:10.1002/j.1538-7305.1965.tb04146.x.)
	ThreeOpt

	// OrOpt follows chains of exchanges as Lin and Kernighan do, up to the settings'
	// depth; see Settings. (S. Lin, B. W. Kernighan, An effective heuristic algorithm for the
	// traveling-salesman problem, 1973, doi:10.1287/opre.21.2.498.)
	OrOpt
)

// Settings are the limits of a Search's moves.
type Settings struct {
	// Depth is the largest number of exchanges in a chain of OrOpt, 2 to 50.
	Depth int

	// Breadth[i] is how many of the most promising exchanges OrOpt tries at level i of a
	// chain, 1 to 16; the last holds for all further levels.
	Breadth []int

	// Far is how many neighbours OrOpt tries, at the first level of a chain, in exchanges of three
	// edges that are not made of exchanges of two (such as Or-opt moves), 0 to the neighbours' K.
	Far int

	// Wide replaces Far: the most promising exchanges of three edges at the first level, wherever
	// the neighbours are in the lists, and those of four of which the first two cut off a circle,
	// the third leaves it so, and the fourth joins it again. They are the alternatives of Lin and
	// Kernighan's paper to their first two steps.
	Wide bool

	// Strict keeps a chain of OrOpt from adding an edge that it has removed, as in Lin and
	// Kernighan's paper. (That it never removes one that it has added holds anyway.)
	Strict bool

	// Once makes a search look from a city once when its turn comes, and go on with the next even
	// after a gain; otherwise it looks again until nothing is gained. Cities of changed edges come
	// into the queue in either case.
	Once bool

	// Ends makes chains of OrOpt grow at either end of the open path, wherever more is gained, from
	// the level on at which one exchange is tried only (K. T. Mak, A. J. Morton, A modified
	// Lin-Kernighan traveling-salesman heuristic, 1993, doi:10.1016/0167-6377(93)90018-C).
	//
	// With it, a chain whose first edge is much longer than the edges to the neighbours goes home:
	// it tries first the exchanges that bring the ends of the path near each other. This removes
	// the long edges with which a start joined its last paths; a choice by the gain of the open
	// path would leave them, as nearly every exchange gains after such an edge is removed.
	Ends bool

	// Even lets OrOpt, at the levels that try several exchanges, also add an edge as long as the
	// gain so far: where many distances are equal, many chains begin so.
	Even bool

	// OneWay makes OrOpt look from a city only along the tour edge that leads on from it, in the
	// direction in which the tour is held, and not along the other: half the work, with a smaller
	// loss of moves, because both cities of a changed edge are looked at.
	OneWay bool

	// Around is how many cities before and behind each end of a kick's edges are marked with
	// it, 0 to 100: a repair then goes a little further than the kick.
	Around int

	// Best makes TwoOpt take the best move from its city, and ThreeOpt the best for an
	// edge of its city, in place of the first.
	Best bool

	// Pairs makes TwoOpt exchange two edges and move no paths.
	Pairs bool
}

// MaxAround is the largest Settings.Around.
const MaxAround = 100

// DefaultSettings suit iterated local search.
func DefaultSettings() Settings {
	return Settings{Depth: 10, Breadth: []int{5, 3, 1}, Far: 3}
}

// A Search improves tours of one Space. It is a workspace, which allocates only at its creation,
// for one goroutine at a time.
type Search struct {
	sp    *Space
	ring  *ring
	chain chain
	lists
	set Settings

	pts   []point // nil: distances come from sp.slow
	up    float64
	pi    []int32 // nil, or d is the reduced cost; see Neighbours
	scale int64   // of gains; 1 without reduced costs

	dirtyQueue
	watched

	work Work

	mate  []int32 // see SetPaths
	other []int32

	gain int64 // shortening since it was last set to 0
	mark int64 // gain at Begin

	canonical bool // see Canonical
}

// lists are the neighbours of cities as the search reads them.
type lists struct {
	arc   []arc // n x k: neighbours and their distances side by side, nearest first
	k     int
	count []uint8 // lengths of lists, or nil; see Neighbours
}

// dirtyQueue has the cities that moves may start from.
type dirtyQueue struct {
	queue []int32 // each at most once, in a circle of 2^x places
	head  uint32
	tail  uint32
	dirty []bool // it is in the queue
}

// watched is the context of Watch.
type watched struct {
	ctx   context.Context // or nil
	looks uint            // units of work since Watch
	over  bool            // ctx has ended
}

// Work counts the work of a Search since its creation.
type Work struct {
	Looked    int64 // cities taken from the queue
	Evaluated int64 // neighbours that chains of OrOpt looked at
	Exchanges int64 // of two edges made in the tour, and undone
	Turned    int64 // cities on the paths that they reversed; for tours in an array only
}

// Work returns the work since the creation of the Search.
func (s *Search) Work() Work {
	w := s.work
	w.Exchanges, w.Turned = s.ring.exchanges, s.ring.turned
	return w
}

// arc is a way to a neighbour.
type arc struct{ to, dist int32 }

// NewSearch makes a workspace for sp with neighbour lists. It refuses an asymmetric instance, of
// whose tours no part may be reversed, lists of another instance, and settings out of range.
func NewSearch(sp *Space, near Neighbours, set Settings) (*Search, error) {
	return newSearch(sp, near, set, sp.N >= twoLevelFrom)
}

func newSearch(sp *Space, near Neighbours, set Settings, twoLevel bool) (*Search, error) {
	if sp.Asymmetric {
		return nil, errors.New(
			"tours: the instance is asymmetric; moves that turn round a path need a symmetric one",
		)
	}
	if len(near.ID) != sp.N*near.K || len(near.Dist) != len(near.ID) {
		return nil, fmt.Errorf(
			"tours: neighbour lists hold %d entries, want %d x %d", len(near.ID), sp.N, near.K,
		)
	}
	size := 1
	for size < sp.N {
		size *= 2
	}
	s := &Search{
		sp: sp, ring: newRing(sp.N, twoLevel), pi: near.Pi, scale: int64(max(near.Scale, 1)),
		lists:      lists{arc: make([]arc, len(near.ID)), k: near.K, count: near.Count},
		dirtyQueue: dirtyQueue{queue: make([]int32, size), dirty: make([]bool, sp.N)},
	}
	share(sp.N, func(from, to int) {
		for i := from * near.K; i < to*near.K; i++ {
			s.arc[i] = arc{near.ID[i], near.Dist[i]}
		}
	})
	if sp.fast {
		s.pts, s.up = sp.pts, sp.up
	}
	if err := s.Set(set); err != nil {
		return nil, err
	}
	return s, nil
}

// Set changes the limits of the moves.
func (s *Search) Set(set Settings) error {
	if set.Depth < 2 || set.Depth > MaxDepth {
		return fmt.Errorf("tours: depth is %d, want 2 to %d", set.Depth, MaxDepth)
	}
	if len(set.Breadth) == 0 {
		return errors.New("tours: breadth is empty")
	}
	for i, b := range set.Breadth {
		if b < 1 || b > MaxBreadth {
			return fmt.Errorf("tours: breadth at level %d is %d, want 1 to %d", i+1, b, MaxBreadth)
		}
	}
	if set.Far < 0 {
		return fmt.Errorf("tours: far is %d, want 0 or more", set.Far)
	}
	if set.Around < 0 || set.Around > MaxAround {
		return fmt.Errorf("tours: around is %d, want 0 to %d", set.Around, MaxAround)
	}
	s.set = set
	s.chain.configure(set, s.k)
	return nil
}

// Load makes tour, a permutation of the cities, the tour to work on and empties the queue.
func (s *Search) Load(tour []int32) {
	if len(tour) != s.sp.N {
		panic(fmt.Sprintf("tours: a tour of %d cities in a space of %d", len(tour), s.sp.N))
	}
	for s.head != s.tail {
		s.pop()
	}
	s.ring.set(tour)
	s.gain = 0
}

// Store writes the tour to dst, which has room for all cities.
func (s *Search) Store(dst []int32) { s.ring.get(dst[:s.sp.N]) }

// Push marks city c as dirty: a move may start from it. Cities are looked at in the order in which
// they were marked.
func (s *Search) Push(c int32) {
	if !s.dirty[c] {
		s.dirty[c] = true
		s.queue[s.tail&uint32(len(s.queue)-1)] = c
		s.tail++
	}
}

// PushAll marks all cities, in the order of their numbers, that is along the curve.
func (s *Search) PushAll() {
	for c := range int32(s.sp.N) {
		s.Push(c)
	}
}

func (s *Search) pop() int32 {
	c := s.queue[s.head&uint32(len(s.queue)-1)]
	s.head++
	s.dirty[c] = false
	s.work.Looked++
	return c
}

// Watch makes the searches that follow look at ctx now and then, and end early once it has ended.
// The tour and their results are then useless, so callers must check ctx afterwards.
func (s *Search) Watch(ctx context.Context) { s.ctx, s.looks, s.over = ctx, 0, false }

// lookEvery is how many starts of moves and levels of chains there are between two checks of the
// context: some milliseconds.
const lookEvery = 1 << 10

// ended counts a unit of work, and tells whether the search must end.
func (s *Search) ended() bool {
	if s.looks++; s.looks%lookEvery == 0 && s.ctx != nil && s.ctx.Err() != nil {
		s.over = true
	}
	return s.over
}

// Run improves the tour from the dirty cities, and from those at the ends of edges that it
// changes, until none is left, and returns by how much it became shorter.
func (s *Search) Run(op Operator) int64 {
	before := s.gain
	s.RunSome(op, math.MaxInt)
	return (s.gain - before) / s.scale
}

// RunSome is Run, but ends after this many cities; it returns true if no city is dirty any more.
func (s *Search) RunSome(op Operator, cities int) bool {
	for ; s.head != s.tail && cities > 0 && !s.ended(); cities-- {
		c := s.pop()
		if s.sp.N < minCities {
			continue
		}
		for s.improve(op, c) && !s.set.Once {
		}
	}
	return s.head == s.tail
}

// improve makes one move that starts at c, if there is one.
func (s *Search) improve(op Operator, c int32) bool {
	switch op {
	case TwoOpt:
		return s.twoOpt(c)
	case ThreeOpt:
		return s.threeOpt(c)
	default:
		return s.orOpt(c)
	}
}

// minCities is the smallest number of cities for which a search looks for moves.
const minCities = 5

// Improve loads tour, runs the operator and replaces tour by the better one; it returns
// the gain. It begins from the dirty cities only, or, if dirty is nil, from all cities again
// and again until no city of the tour has a move.
//
// The repetition is needed for a true local optimum: a move can become possible for cities that
// none of the changed edges touches, because the path between them was reversed.
func (s *Search) Improve(tour, dirty []int32, op Operator) int64 {
	s.Load(tour)
	if dirty == nil {
		for gain := int64(1); gain > 0 && !s.over; {
			s.PushAll()
			gain = s.Run(op)
		}
	}
	for _, c := range dirty {
		s.Push(c)
	}
	s.Run(op)
	if s.gain > 0 {
		s.Store(tour)
	}
	return s.gain / s.scale
}

// d returns the distance of two cities.
func (s *Search) d(a, b int32) int {
	if s.pi != nil {
		return s.reduced(a, b)
	}
	if s.pts == nil {
		return int(s.sp.slow(a, b))
	}
	return s.plane(a, b)
}

// plane is d for instances with a short formula; it is small enough to be inlined.
func (s *Search) plane(a, b int32) int {
	p, q := &s.pts[a], &s.pts[b]
	dx, dy := p.x-q.x, p.y-q.y
	return int(int32(math.Sqrt(float64(dx*dx)+float64(dy*dy)) + s.up))
}

// reduced is d with weights.
func (s *Search) reduced(a, b int32) int {
	return s.raw(a, b)*int(s.scale) + int(s.pi[a]) + int(s.pi[b])
}

// raw is the distance of two cities without weights.
func (s *Search) raw(a, b int32) int {
	if s.pts != nil {
		return s.plane(a, b)
	}
	return int(s.sp.slow(a, b))
}

// arcs are the first m ways from c to its neighbours.
func (s *Search) arcs(c int32, m int) []arc {
	if s.count != nil {
		m = min(m, int(s.count[c]))
	}
	return s.arc[int(c)*s.k:][:m]
}
