package ils

import (
	"context"
	"math"
	"slices"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Purposes of draws; see Variant.Layout.
const (
	drawStart uint8 = 1
	drawKick  uint8 = 2
)

func (s *queue) Init(env *solvers.Env) error {
	s.env = env
	env.Pool.Resize(s.workers)
	var err error
	if s.space, err = tours.NewSpace(s.inst); err != nil {
		return err
	}
	s.list()
	s.grow(1)
	if _, err := s.worker(&s.lists, 0); err != nil {
		return err
	}
	s.descend, s.other = true, s.start == "either" && s.given == nil
	for a := range s.chains {
		var tour []int32
		if a > 0 && s.start != "nn" && s.start != "random" {
			tour = slices.Clone(s.tours[0])
		} else {
			tour = s.first(a)
		}
		s.tours = append(s.tours, tour)
		s.lengths = append(s.lengths, s.space.Length(tour))
	}
	return nil
}

// first is the start of chain a.
func (s *queue) first(a int) []int32 {
	if s.given != nil {
		return s.space.FromInstance(s.given)
	}
	start := s.start
	if start == "fit" {
		if start = "greedy"; s.lattice() {
			start = "boruvka"
		}
	}
	switch start {
	case "greedy", "either":
		return s.space.Greedy(s.near)
	case "nn":
		return s.space.NearestNeighbour(s.space.Internal[a%s.space.N])
	case "curve":
		return s.space.Curve()
	case "random":
		r := arith.NewStream(s.env.Seed, 0, uint32(a), drawStart)
		return s.space.Random(&r)
	default:
		return s.space.QuickBoruvka()
	}
}

// list makes the lists of neighbours again; workspaces are then made again too.
func (s *queue) list() {
	if s.candidates == "alpha" {
		s.near = s.space.Alpha(s.neighbours)
	} else if s.candidates == "mixed" {
		alpha := s.space.Alpha(max(1, s.neighbours-4))
		s.near = s.space.Joined(
			s.neighbours, alpha, s.space.Quadrant(4), s.space.Nearest(s.neighbours),
		)
	} else if s.candidates == "weighted" {
		s.near = s.space.Weighted(s.space.Quadrant(s.neighbours))
	} else if s.candidates == "sparse" {
		s.near = s.space.Weighted(s.space.Sparse(s.neighbours))
	} else if s.quadrant {
		s.near = s.space.Quadrant(s.neighbours)
	} else {
		s.near = s.space.Nearest(s.neighbours)
	}
	s.forget()
}

// forget drops the workspaces, and lists for pools.
func (s *queue) forget() { s.search, s.plain = nil, nil }

func (s *queue) settings() tours.Settings {
	return tours.Settings{
		Depth: s.depth, Breadth: s.breadth[:], Far: s.far, Best: s.improvement == "best",
		Ends: s.ends, Even: s.even, OneWay: s.oneWay, Around: s.around, Wide: s.wide,
		Strict: true, Once: true,
	}
}

func (s *queue) op() tours.Operator {
	switch s.operator {
	case "2opt":
		return tours.TwoOpt
	case "3opt":
		return tours.ThreeOpt
	default:
		return tours.OrOpt
	}
}

func (s *queue) kickKind() tours.Kick {
	switch s.kick {
	case "segment":
		return tours.Segment
	case "walk":
		return tours.Walk
	default:
		return tours.Uniform
	}
}

// worker returns the workspace of a worker along lists, which have room for it; results do not
// depend on what it was used for before.
func (s *queue) worker(of *lists, w int) (*tours.Search, error) {
	if of.search[w] == nil {
		var err error
		if of.search[w], err = tours.NewSearch(s.space, of.near, s.settings()); err != nil {
			return nil, err
		}
	}
	return of.search[w], nil
}

// grow makes room for the workspaces of all workers.
func (l *lists) grow(workers int) {
	for len(l.search) < workers {
		l.search = append(l.search, nil)
	}
}

func (s *queue) Changed(names []string) {
	for _, name := range names {
		switch name {
		case "workers":
			s.env.Pool.Resize(s.workers)
		case "neighbours", "quadrant", "candidates":
			s.list()
			s.descend = true
		case "mend":
			s.descend = true
		case "operator", "improvement", "depth", "first_depth", "breadth1", "breadth2", "breadth3",
			"far", "wide", "ends", "even", "one_way", "around":
			s.forget() // to make them with new settings
			s.descend = true
		case "chains":
			s.resize()
		case "accept":
			s.endCycles()
		case "pool":
			s.poolChanged()
		}
	}
}

// resize drops chains, or adds some that begin with the shortest tour.
func (s *queue) resize() {
	best := s.rank(func(a, b int64) bool { return a < b })
	for len(s.tours) < s.chains {
		s.tours = append(s.tours, slices.Clone(s.tours[best]))
		s.lengths = append(s.lengths, s.lengths[best])
	}
	s.tours, s.lengths = s.tours[:s.chains], s.lengths[:s.chains]
	if len(s.bases) > 0 {
		for len(s.bases) < s.chains {
			s.bases = append(s.bases, slices.Clone(s.bases[best]))
		}
		s.bases = s.bases[:s.chains]
	}
}

// rank returns the chain whose length comes first in the order before, of equal ones the first.
func (s *queue) rank(before func(a, b int64) bool) int {
	at := 0
	for i, l := range s.lengths {
		if before(l, s.lengths[at]) {
			at = i
		}
	}
	return at
}

func (s *queue) Iterate(ctx context.Context, it int64, p *record.Point) error {
	s.grow(s.env.Pool.Size())
	if s.stage != noPool && !s.descend && !s.other {
		made, err := s.mates(ctx, it)
		if err != nil {
			return err
		}
		s.results = s.results[:0]
		p.Evals = int64(made)
	} else if err := s.kicked(ctx, it, p); err != nil {
		return err
	}
	kept, gained := 0, 0
	p.IterBest, p.Mean, p.Digest = math.Inf(1), 0, 0
	for _, r := range s.results {
		kept += r.kept
		gained += r.gained
	}
	for a, length := range s.lengths {
		p.IterBest = min(p.IterBest, float64(length))
		p.Mean += float64(length)
		p.Digest = arith.Chain(p.Digest, arith.HashPerm(s.tours[a]))
		if s.best == nil || length < s.bestLen {
			s.best, s.bestLen = append(s.best[:0], s.tours[a]...), length
		}
	}
	all := float64(s.kicks * len(s.tours))
	p.Mean /= float64(len(s.tours))
	p.Measures[0], p.Measures[1] = float64(kept)/all, float64(gained)/all
	s.tell(p)
	if s.stage == noPool && s.exchange > 0 && it%int64(s.exchange) == 0 {
		from := s.rank(func(a, b int64) bool { return a < b })
		to := s.rank(func(a, b int64) bool { return a > b })
		if s.lengths[to] > s.lengths[from] {
			copy(s.tours[to], s.tours[from])
			s.lengths[to] = s.lengths[from]
			if len(s.bases) > 0 {
				copy(s.bases[to], s.bases[from])
			}
		}
	}
	return nil
}

// kicked makes an iteration of searches from all cities or of kicks.
func (s *queue) kicked(ctx context.Context, it int64, p *record.Point) error {
	for len(s.next) < len(s.tours) {
		s.next = append(s.next, make([]int32, s.space.N))
	}
	s.drawn = s.draws()
	s.results = append(s.results[:0], make([]result, len(s.tours))...)
	s.env.Pool.Run(len(s.tours), func(a, w int) {
		search, err := s.worker(&s.lists, w)
		if err != nil {
			s.results[a].err = err
			return
		}
		s.results[a] = s.chain(ctx, search, it, a)
	})
	for _, r := range s.results {
		if r.err != nil {
			return r.err
		}
	}
	p.Evals = searches(s.descend || s.other, len(s.tours), s.kicks)
	for a, r := range s.results {
		s.tours[a], s.next[a] = s.next[a], s.tours[a]
		s.lengths[a] = r.length
	}
	switch {
	case s.descend:
		s.descend = false
	case s.other:
		s.other = false
	default:
		s.cycle()
	}
	return nil
}

// all loads a tour and makes a search from all cities. For a tour that is no local optimum yet, it
// pays to look in both directions and deeper.
func (s *queue) all(ctx context.Context, search *tours.Search, tour []int32) error {
	search.Load(tour)
	set := s.settings()
	set.OneWay, set.Depth = false, s.firstDepth
	if err := search.Set(set); err != nil {
		return err
	}
	search.PushAll()
	search.Run(s.op())
	return ctx.Err()
}

// latticeHunt is how many cities hunt=0 draws in the first cycle on lattices.
const latticeHunt = 10

// draws is how many cities are drawn for a kick.
func (s *queue) draws() int {
	if s.hunt > 0 {
		return s.hunt
	}
	if len(s.bases) == 0 && s.lattice() {
		return latticeHunt
	}
	return 1
}

// lattice tells whether most cities stand in a lattice. It is not for several goroutines at a time.
func (s *queue) lattice() bool {
	if s.rows == 0 {
		s.rows = 1 + s.space.Even()
	}
	return s.rows > 1.5
}

// patience is the number of kicks between two checks whether the iteration is cancelled; long
// searches check by themselves.
const patience = 64

// chain makes an iteration of one chain, and writes its tour to next[a].
func (s *queue) chain(ctx context.Context, search *tours.Search, it int64, a int) result {
	out := result{length: s.lengths[a]}
	op, n := s.op(), s.space.N
	search.Watch(ctx)
	if s.descend || s.other {
		tour := s.tours[a]
		if !s.descend {
			tour = s.space.QuickBoruvka()
		}
		length := s.space.Length(tour)
		if out.err = s.all(ctx, search, tour); out.err != nil {
			return out
		}
		length -= search.Gain()
		if !s.descend && length >= out.length {
			copy(s.next[a], s.tours[a])
			return out
		}
		out.length = length
		search.Store(s.next[a])
		out.err = s.mendLong(ctx, &out, a)
		return out
	}
	if out.err = search.Set(s.settings()); out.err != nil {
		return out
	}
	search.Load(s.tours[a])
	draws := arith.NewStream(s.env.Seed, uint64(it), uint32(a), drawKick)
	kick, limit := s.kickKind(), int64(0)
	if s.accept == "always" {
		limit = math.MaxInt64
	}
	// -ln u is -log2 u ln 2; the mean edge is that of the tour at the iteration's beginning.
	scale := float64(s.temperature*math.Ln2) * float64(out.length) / float64(n)
	for i := range s.kicks {
		if i%patience == 0 {
			if out.err = ctx.Err(); out.err != nil {
				return out
			}
		}
		at := search.Hunt(s.drawn, &draws)
		if s.accept == "threshold" {
			limit = int64(-scale * arith.Log2(draws.Float64()))
		} else if s.accept == "annealing" {
			limit = 0
			if warm := s.warmth(i); warm > 0 {
				limit = int64(-float64(scale*warm) * arith.Log2(draws.Float64()))
			}
		}
		change, kept := search.Trial(op, kick, at, s.size, limit, &draws)
		out.length += change
		if kept {
			out.kept++
		}
		if change < 0 {
			out.gained++
		}
	}
	if out.err = ctx.Err(); out.err != nil {
		return out
	}
	search.Store(s.next[a])
	return out
}
