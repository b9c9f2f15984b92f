package genetic

import (
	"cmp"
	"context"
	"math"
	"sync"

	"metalab/solvers/arith"
)

// first makes the first population.
func (f *remote) first(
	ctx context.Context, g *tournament,
) (members []individual, n int64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	rows := g.population
	if err := f.engine.Room(rows, g.births()); err != nil {
		return nil, 0, err
	}
	switch g.start {
	case startMinima:
		members, n, err = f.minima(ctx, g)
	case startTwoOpt, startOrOpt:
		members, err = f.descended(ctx, g)
	default:
		members, err = f.begun(ctx, g)
	}
	if err != nil {
		return nil, 0, err
	}
	for i, made := 0, len(members); len(members) < rows; i++ {
		members = append(members, members[i%made]) // in the same row
	}
	f.best = -1
	return members, int64(rows) + n, nil
}

// births is about the largest number of tours of a generation.
func (g *tournament) births() int {
	children := g.population / 4
	if g.couples == couplesNeighbours || g.crossover == crossARX || g.crossover == crossHybrid {
		children *= 2
	}
	if g.mutants != mutantsAll {
		return children + g.groups + 1
	}
	mutants := float64(g.mutation * float64(g.population-children))
	return min(children+int(mutants+float64(4*math.Sqrt(mutants)))+g.groups, g.population) + 1
}

// begun makes random tours, or those of the nearest neighbour, in the first rows.
func (f *remote) begun(ctx context.Context, g *tournament) ([]individual, error) {
	f.births, f.parts = f.births[:0], f.parts[:0]
	for i := range g.population {
		f.births = append(f.births, Birth{Seed: g.env.Seed, To: int32(i), Place: int32(i)})
		f.parts = append(f.parts, g.group(i, g.population))
	}
	made := make([]Made, len(f.births))
	own := 0 // the given start
	if g.given != nil {
		own = 1
	}
	j := Job{
		Drawn: g.origin == originDrawn, Nearest: g.start == startNN, Parts: f.parts[own:],
	}
	if err := f.engine.Start(ctx, j, f.births[own:], made[own:]); err != nil {
		return nil, err
	}
	members := make([]individual, len(made))
	for i, m := range made {
		members[i] = individual{row: int32(i), length: m.Length, hash: m.Hash}
	}
	if g.given == nil {
		return members, nil
	}
	var err error
	members[0], err = f.putStart(g)
	return members, err
}

// descended writes the tours of start=2opt, which the cores make, into the first rows.
func (f *remote) descended(ctx context.Context, g *tournament) ([]individual, error) {
	members := make([]individual, g.population)
	own := g.descents()
	var lock sync.Mutex // the engine is for one goroutine at a time
	var failed error
	var done progress
	g.env.Progress.Store(0)
	g.env.Pool.Run(len(members), func(i, w int) {
		if g.cut.Load() {
			return
		}
		var t []int32
		more := true
		if i == 0 && g.given != nil {
			t = g.space.FromInstance(g.given)
		} else {
			t, more = g.descended(ctx, own, i, w)
		}
		lock.Lock()
		defer lock.Unlock()
		if more && failed == nil {
			members[i], failed = f.write(g, int32(i), t)
		}
		if !more || failed != nil {
			g.cut.Store(true)
		}
		done.one(g.env.Progress, len(members))
	})
	return members, cmp.Or(ctx.Err(), own.failed(), failed)
}

// putStart writes the given start into the first row.
func (f *remote) putStart(g *tournament) (individual, error) {
	return f.write(g, 0, g.space.FromInstance(g.given))
}

// write writes a first tour into the row of its place.
func (f *remote) write(g *tournament, row int32, t []int32) (individual, error) {
	if g.origin == originSame {
		turnTo(t, g.space.Internal[0])
	}
	m := individual{row: row, length: g.space.Length(t), hash: arith.HashPerm(t)}
	return m, f.put(g.group(int(row), g.population), row, t)
}

// sideBySide is up to how many bytes of tours more than the population takes there are for
// searches for local minima. Tests change it.
var sideBySide = 2 << 30

// minima builds local minima, with as many parallel searches as there is room for, and returns the
// number of tours built for them, less one for each.
func (f *remote) minima(
	ctx context.Context, g *tournament,
) (members []individual, n int64, err error) {
	count := min(g.population, g.minima)
	room := max(g.population+g.population/2, sideBySide/(4*g.space.N)) - count
	batch := max(1, room/(2*minimaTours))
	var list []*tournament
	for i := range count {
		r := arith.NewStream(g.env.Seed, 0, uint32(i), drawStart)
		if i > 0 || g.given == nil {
			list = append(list, g.descent(&r))
		}
	}
	if g.given != nil {
		m, err := f.putStart(g)
		if err != nil {
			return nil, 0, err
		}
		members = append(members, m)
	}
	for lo := 0; lo < len(list); lo += batch {
		side := list[lo:min(lo+batch, len(list))]
		best, made, err := f.descend(ctx, side, members, g.minimaGenerations)
		if err != nil {
			return nil, 0, err
		}
		members = append(members, best...)
		n += made - int64(len(side))
		g.env.Progress.Store(uint32((lo + len(side)) << 16 / len(list)))
	}
	return members, n, nil
}

// descend computes the generations of parallel searches, and does not touch the rows of kept. It
// returns the best tour of each, and the number of tours built.
func (f *remote) descend(
	ctx context.Context, side []*tournament, kept []individual, generations int,
) (best []individual, made int64, err error) {
	rows := func(n int) error {
		clear(f.used)
		count := f.useAll(kept) + f.useAll(best)
		for _, own := range side {
			count += f.useAll(own.members) + f.useAll(own.next)
		}
		return f.spare(count, n)
	}
	if err := rows(len(side) * minimaTours); err != nil {
		return nil, 0, err
	}
	f.births, f.parts = f.births[:0], f.parts[:0]
	for k, own := range side {
		for i := range minimaTours {
			f.births = append(f.births, Birth{
				Seed: own.env.Seed, To: f.free[len(f.births)], Place: int32(i),
			})
			f.parts = append(f.parts, int32(k))
		}
	}
	f.made = make([]Made, len(f.births))
	if err := f.engine.Start(ctx, Job{Parts: f.parts}, f.births, f.made); err != nil {
		return nil, 0, err
	}
	for k, own := range side {
		own.far = f
		for i := range minimaTours {
			at := k*minimaTours + i
			own.members = append(own.members, individual{
				row: f.births[at].To, length: f.made[at].Length, hash: f.made[at].Hash,
			})
		}
		best = append(best, own.members[shortest(own.members)])
	}
	made = int64(len(f.births))
	for it := int64(2); it < int64(generations)+2; it++ {
		plans := 0
		for _, own := range side {
			own.compete(it)
			plans += len(own.plan)
		}
		if err := rows(plans); err != nil {
			return nil, 0, err
		}
		f.births, f.parts = f.births[:0], f.parts[:0]
		for k, own := range side {
			f.expect(own, func(int) int32 { return int32(k) })
		}
		if err := f.breed(ctx, side[0], it); err != nil {
			return nil, 0, err
		}
		made += int64(len(f.births))
		at := 0
		for k, own := range side {
			f.settle(own, at)
			at += len(own.plan)
			own.copyWinners()
			own.commit()
			own.keep()
			if m := own.members[shortest(own.members)]; m.length < best[k].length {
				best[k] = m
				best[k].child = false
			}
		}
	}
	return best, made, nil
}
