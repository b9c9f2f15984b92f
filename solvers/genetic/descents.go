package genetic

import (
	"context"
	"sync/atomic"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// descents brings first tours to an optimum of a local search, side by side.
type descents struct {
	space    *tours.Space
	near     tours.Neighbours // that new edges lead to
	set      tours.Settings
	far      bool            // the first tours are random
	searches []*tours.Search // by worker
	err      atomic.Pointer[error]
}

func newDescents(
	space *tours.Space, near tours.Neighbours, set tours.Settings, pool *solvers.Pool,
) *descents {
	return &descents{
		space: space, near: near, set: set, searches: make([]*tours.Search, pool.Size()),
	}
}

// improve improves a tour by 2-opt, with the memory of worker w. It tells whether there is more to
// do: not if ctx has ended, or after an error, which failed returns.
func (d *descents) improve(ctx context.Context, tour []int32, w int) bool {
	if d.searches[w] == nil {
		search := tours.NewSearch
		if d.far {
			search = tours.NewFarSearch
		}
		s, err := search(d.space, d.near, d.set)
		if err != nil {
			d.err.Store(&err)
			return false
		}
		s.Watch(ctx)
		d.searches[w] = s
	}
	d.searches[w].Improve(tour, nil, tours.TwoOpt)
	return ctx.Err() == nil
}

func (d *descents) failed() error {
	if err := d.err.Load(); err != nil {
		return *err
	}
	return nil
}

// descending tells whether first tours are improved.
func (g *tournament) descending() bool { return g.start == startTwoOpt || g.start == startOrOpt }

// descents makes the tours of start=2opt and 2opt+or.
func (g *tournament) descents() *descents {
	set := tours.DefaultSettings()
	set.Pairs = g.start == startTwoOpt
	return newDescents(g.space, g.list(), set, g.env.Pool)
}

// descended is the first tour of a place with start=2opt or 2opt+or: by the nearest neighbour from
// a random city, then by moves to the ten nearest neighbours until none gains.
func (g *tournament) descended(
	ctx context.Context, d *descents, place, w int,
) (tour []int32, more bool) {
	r := arith.NewStream(g.env.Seed, 0, uint32(place), drawStart)
	tour = g.space.NearestNeighbour(int32(r.IntN(g.space.N)))
	return tour, d.improve(ctx, tour, w)
}
