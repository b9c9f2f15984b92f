package ils

import (
	"context"

	"metalab/solvers/tours"
)

// The search from all cities looks from a city along both of its tour edges and follows chains of
// up to first_depth exchanges. After a kick it looks one way and less deep, but also from the
// cities around the kick. The exchanges of a chain may grow its open path at either end. With
// candidates=alpha, the default below 20,000 cities, lists hold the neighbours whose edges are
// almost in a minimum spanning tree of reduced costs, and the search works with these costs: where
// many edges are equally long, as on lattices, few cost the same; see tours.Space.Alpha. From
// 20,000 to 200,000 cities lists are short and go both ways (sparse), costs are reduced too, and
// more exchanges of three and four edges are tried (wide). From 50,000 on the open path grows at
// one end only after a kick: that allows half as many kicks again in the same time, and tours are
// shorter after 5, 10 and 15 s (table ils-ends). Without pools, candidates=mixed neighbours=10
// finds edges on clusters that alpha-near lists lack: on C1k.1 it is at 11,376,735 after 1 s, alpha
// at 11,617,183, but on C3k.2 it is behind.

// neighbourhoods make lists of at most k neighbours, by the values of the parameter candidates.
var neighbourhoods = map[string]func(sp *tours.Space, p nearParams) tours.Neighbours{
	"near": func(sp *tours.Space, p nearParams) tours.Neighbours {
		if p.quadrant {
			return sp.Quadrant(p.neighbours)
		}
		return sp.Nearest(p.neighbours)
	},
	"alpha": func(sp *tours.Space, p nearParams) tours.Neighbours { return sp.Alpha(p.neighbours) },
	"mixed": func(sp *tours.Space, p nearParams) tours.Neighbours {
		alpha := sp.Alpha(max(1, p.neighbours-4))
		return sp.Joined(p.neighbours, alpha, sp.Quadrant(4), sp.Nearest(p.neighbours))
	},
	"weighted": func(sp *tours.Space, p nearParams) tours.Neighbours {
		return sp.Weighted(sp.Quadrant(p.neighbours))
	},
	"sparse": func(sp *tours.Space, p nearParams) tours.Neighbours {
		return sp.Weighted(sp.Sparse(p.neighbours))
	},
}

// operators are the local searches by the values of the parameters operator and descent.
var operators = map[string]tours.Operator{
	"2opt": tours.TwoOpt, "3opt": tours.ThreeOpt, "oropt": tours.OrOpt,
}

// localSearch holds the settings of queue's local search.
type localSearch struct {
	lists
	plain *lists // without weights, for pools; nil until it is needed
	light bool   // near has no weights yet, see glances
}

// lists are lists of neighbours, and the workspaces of searches along them.
type lists struct {
	near   tours.Neighbours
	search []*tours.Search // by worker; nil until it is needed
}

// grow makes room for the workspaces of all workers.
func (l *lists) grow(workers int) {
	for len(l.search) < workers {
		l.search = append(l.search, nil)
	}
}

// forget drops the workspaces, and the lists for pools.
func (l *localSearch) forget() { l.search, l.plain = nil, nil }

// list makes the lists of neighbours.
func (s *queue) list() {
	s.local.near = neighbourhoods[s.param.near.candidates](s.space, s.param.near)
	s.local.light = false
	s.local.forget()
}

// listPlain makes the lists of candidates=sparse without weights, which weigh adds.
func (s *queue) listPlain() {
	s.local.near, s.local.light = s.space.Sparse(s.param.near.neighbours), true
	s.local.forget()
}

// weigh adds weights where lists are without.
func (s *queue) weigh() {
	if s.local.light {
		s.local.near, s.local.light = s.space.Weighted(s.local.near), false
		s.local.forget()
	}
}

// worker returns the workspace of a worker along lists, which have room for it; results do not
// depend on what it was used for before.
func (s *queue) worker(of *lists, w int) (*tours.Search, error) {
	if of.search[w] == nil {
		var err error
		if of.search[w], err = tours.NewSearch(s.space, of.near, s.afterKick()); err != nil {
			return nil, err
		}
	}
	return of.search[w], nil
}

// listAnew, searchAnew and descendAnew follow changes of parameters of the local search: of its
// lists, of its moves, and of what follows a search from all cities.
func (s *queue) listAnew() {
	s.list()
	s.plan.glance = false
	s.plan.descend = true
}

func (s *queue) searchAnew() {
	s.local.forget() // to make the workspaces with new settings
	s.plan.descend = true
}

func (s *queue) descendAnew() { s.plan.descend = true }

// afterKick are the settings of a search after a kick.
func (s *queue) afterKick() tours.Settings {
	c := &s.param.chain
	return tours.Settings{
		Depth: c.depth, Breadth: c.breadth[:], Far: c.far, Best: s.param.search.improvement == "best",
		Ends: c.ends, Even: c.even, OneWay: c.oneWay, Around: c.around, Wide: c.wide,
		Strict: true, Once: true,
	}
}

// fromAll are the settings of a search from all cities. For a tour that is no local optimum yet it
// pays to look in both directions and deeper.
func (s *queue) fromAll() tours.Settings {
	set := s.afterKick()
	set.OneWay, set.Depth = false, s.param.chain.firstDepth
	set.Ends = s.param.chain.firstEnds
	return set
}

// atAGlance are the settings of a quick search from all cities: those of a pool, and one way.
func (s *queue) atAGlance() tours.Settings {
	set := s.forPool()
	set.OneWay = true
	return set
}

// forPool are the settings of a search from all cities for a local optimum of a pool.
func (s *queue) forPool() tours.Settings {
	set := s.fromAll()
	if set.Wide {
		set.Wide, set.Depth = false, s.param.chain.depth
	}
	return set
}

// all loads a tour and makes a search from all cities.
func (s *queue) all(ctx context.Context, search *tours.Search, tour []int32) error {
	return s.allBy(ctx, search, tour, s.fromAll())
}

// allBy is all by other settings.
func (s *queue) allBy(
	ctx context.Context, search *tours.Search, tour []int32, set tours.Settings,
) error {
	search.Load(tour)
	if err := search.Set(set); err != nil {
		return err
	}
	search.PushAll()
	search.Run(operators[s.param.search.operator])
	return ctx.Err()
}

// descend makes a search from all cities in chain a.
func (s *queue) descend(ctx context.Context, search *tours.Search, _ int64, a int) result {
	out := result{effort: effort{searches: 1}}
	if out.length, out.err = s.optimum(ctx, search, s.tours[a]); out.err == nil {
		search.Store(s.next[a])
		out.err = s.mend(ctx, &out, a)
	}
	return out
}

// glance makes a quick search from all cities in chain a.
func (s *queue) glance(ctx context.Context, search *tours.Search, _ int64, a int) result {
	out := result{effort: effort{searches: 1}}
	length := s.space.Length(s.tours[a])
	if out.err = s.allBy(ctx, search, s.tours[a], s.atAGlance()); out.err == nil {
		out.length = length - search.Gain()
		search.Store(s.next[a])
	}
	return out
}

// tryOther searches from the other start, and keeps the shorter tour.
func (s *queue) tryOther(ctx context.Context, search *tours.Search, _ int64, a int) result {
	out := result{length: s.lengths[a], effort: effort{searches: 1}}
	length, err := s.optimum(ctx, search, s.space.QuickBoruvka())
	switch {
	case err != nil:
		out.err = err
	case length >= out.length:
		copy(s.next[a], s.tours[a])
	default:
		out.length = length
		search.Store(s.next[a])
		out.err = s.mend(ctx, &out, a)
	}
	return out
}

// optimum makes a search from all cities, and returns the length of the tour that it ends with.
func (s *queue) optimum(
	ctx context.Context, search *tours.Search, tour []int32,
) (length int64, err error) {
	length = s.space.Length(tour)
	err = s.all(ctx, search, tour)
	return length - search.Gain(), err
}
