package genetic

import (
	"context"
	"slices"
	"sync/atomic"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// first builds the first population and returns the number of tours built for it.
func (g *tournament) first(ctx context.Context) (members []individual, tours int64, err error) {
	n := g.space.N
	members = make([]individual, g.population)
	made := len(members)
	if g.start == startMinima {
		made = min(made, g.minima)
	}
	var count atomic.Int64
	var own *descents
	if g.descending() {
		own = g.descents()
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
		case g.descending():
			t, more := g.descended(ctx, own, i, w)
			if e.tour = t; !more {
				g.cut.Store(true)
				return
			}
		case g.start == startMinima:
			t, made, err := g.minimum(ctx, &r)
			if err != nil { // ctx has ended
				g.cut.Store(true)
				return
			}
			e.tour = t
			count.Add(made - 1)
		default:
			e.tour = g.space.Random(&r)
		}
		if g.origin == originSame {
			turnTo(e.tour, g.space.Internal[0])
		}
		e.length, e.hash = g.space.Length(e.tour), arith.HashPerm(e.tour)
		done.one(g.env.Progress, made)
	})
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if own != nil && own.failed() != nil {
		return nil, 0, own.failed()
	}
	for i := made; i < len(members); i++ {
		members[i] = members[i%made]
		members[i].tour = append([]int32(nil), members[i].tour...)
	}
	return members, int64(len(members)) + count.Load(), nil
}

// minimaTours is the population that makes a local minimum.
const minimaTours = 64

// minimum makes a local minimum: the best of a search of its own, which crosses random tours over
// by bcscx, as the preset paper does, and improves its best by 2-opt, as the authors' program does
// (see improve). It returns how many tours it made.
func (g *tournament) minimum(
	ctx context.Context, r *arith.Stream,
) (tour []int32, made int64, err error) {
	own := g.descent(r)
	own.env.Pool, own.env.Progress = solvers.NewPool(1), new(atomic.Uint32)
	defer own.env.Pool.Close()
	for it := range int64(g.minimaGenerations) + 1 {
		p := record.Point{Measures: make([]float64, len(own.Measures()))}
		if err := own.Iterate(ctx, it+1, &p); err != nil {
			return nil, 0, err
		}
		made += p.Evals
	}
	return own.best, made, nil
}

// descent is the search whose best tour is a local minimum, with a seed from r.
func (g *tournament) descent(r *arith.Stream) *tournament {
	own := newTournament(g.inst)
	own.population, own.groups, own.start = minimaTours, 1, startRandom
	own.crossover, own.pairing, own.elite = crossBCSCX, pairNext, eliteImproved
	own.mutants, own.mutation, own.move, own.moves = mutantsAll, 0.1, moveRandom, 1
	own.origin, own.space = originSame, g.space
	own.env = &solvers.Env{Seed: uint64(r.Uint32())<<32 | uint64(r.Uint32())}
	return own
}

// turnTo turns a tour round so that it begins at a city.
func turnTo(tour []int32, city int32) {
	at := slices.Index(tour, city)
	slices.Reverse(tour[:at])
	slices.Reverse(tour[at:])
	slices.Reverse(tour)
}
