package genetic

import (
	"context"
	"slices"

	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// first makes the first population.
func (g *rivals) first(ctx context.Context) ([]individual, error) {
	n := g.space.N
	members := make([]individual, g.population)
	made := len(members)
	var near tours.Neighbours
	if g.start == startMinima {
		made = min(made, g.minima)
		near = g.space.Nearest(g.minimaNear)
	}
	g.env.Progress.Store(0)
	var done progress
	g.env.Pool.Run(made, func(i, w int) {
		if g.cut.Load() {
			return
		}
		if ctx.Err() != nil {
			g.cut.Store(true)
			return
		}
		r := arith.NewStream(g.env.Seed, 0, uint32(i), drawStart)
		e := &members[i]
		switch {
		case i == 0 && g.given != nil:
			e.tour = g.space.FromInstance(g.given)
		case g.start == startNN:
			e.tour = g.space.NearestNeighbour(int32(r.IntN(n)))
		case g.start == startMinima:
			var err error
			if e.tour, err = g.minimum(ctx, w, near, &r); err != nil { // ctx has ended
				g.cut.Store(true)
				return
			}
		default:
			e.tour = g.space.Random(&r)
		}
		if g.origin == originSame {
			turnTo(e.tour, g.space.Internal[0])
		}
		e.length, e.hash = g.space.Length(e.tour), arith.HashPerm(e.tour)
		done.one(g.env.Progress, made)
	})
	for _, h := range g.scratch {
		if h != nil {
			h.search = nil // it is as large as many tours, and is not needed again
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i := made; i < len(members); i++ {
		members[i] = members[i%made]
		members[i].tour = append([]int32(nil), members[i].tour...)
	}
	return members, nil
}

// minimum makes a local minimum: three random tours become one by bcscx, the child of two and the
// third having the last child, which is brought to an optimum of 2-opt.
func (g *rivals) minimum(
	ctx context.Context, w int, near tours.Neighbours, r *arith.Stream,
) ([]int32, error) {
	h := g.scratchOf(w)
	tour, child := g.space.Random(r), make([]int32, g.space.N)
	for range 2 {
		other := g.space.Random(r)
		h.cross.bcscx(child, tour, other, int32(r.IntN(g.space.N)))
		tour, child = child, tour
	}
	if h.search == nil {
		h.search = tours.NewBest(g.space, near, false)
	}
	h.search.Load(tour)
	_, _, err := h.search.Run(ctx)
	h.search.Store(tour)
	return tour, err
}

// turnTo turns a tour round so that it begins at a city.
func turnTo(tour []int32, city int32) {
	at := slices.Index(tour, city)
	slices.Reverse(tour[:at])
	slices.Reverse(tour[at:])
	slices.Reverse(tour)
}
