package genetic

import (
	"context"

	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// first makes the first population.
func (g *rivals) first(ctx context.Context) ([]gene, error) {
	n := g.space.N
	genes := make([]gene, g.population)
	made := len(genes)
	if g.start == startMinima {
		made = min(made, g.minima)
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
		e := &genes[i]
		switch {
		case i == 0 && g.given != nil:
			e.tour = g.space.FromInstance(g.given)
		case g.start == startNN:
			e.tour = g.space.NearestNeighbour(int32(r.IntN(n)))
		case g.start == startMinima:
			e.tour = g.minimum(ctx, w, &r)
		default:
			e.tour = g.space.Random(&r)
		}
		e.length, e.hash = g.space.Length(e.tour), arith.HashPerm(e.tour)
		done.one(g.env.Progress, made)
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i := made; i < len(genes); i++ {
		genes[i] = genes[i%made]
		genes[i].tour = append([]int32(nil), genes[i].tour...)
	}
	return genes, nil
}

// minimum makes a local minimum: the bcscx child of two random tours, brought to an optimum
// of 2-opt.
func (g *rivals) minimum(ctx context.Context, w int, r *arith.Stream) []int32 {
	h := g.hand(w)
	if h.search == nil {
		s, err := tours.NewSearch(g.space, g.near, tours.DefaultSettings())
		if err != nil {
			panic("genetic: " + err.Error()) // Init has made one
		}
		h.search = s
	}
	h.search.Watch(ctx)
	a, b := g.space.Random(r), g.space.Random(r)
	child := make([]int32, g.space.N)
	h.cross.bcscx(child, a, b, int32(r.IntN(g.space.N)))
	h.search.Improve(child, nil, tours.TwoOpt)
	return child
}
