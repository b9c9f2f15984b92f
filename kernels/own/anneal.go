package own

import (
	"context"
	"errors"
	"slices"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// annealing is the kernel of a neighbourhood that makes the moves of simulated annealing.
type annealing struct {
	module *ptx.Module
	kernel Kernel
}

// movesAtOnce is the largest number of moves of annealing per launch: a longer iteration takes
// several launches, so that it can be abandoned, and that none takes long.
var movesAtOnce int64 = 1 << 14 // in tests fewer

// annealer is the kernel that anneals in a neighbourhood, compiled when it is first used.
func (e *Engine) annealer(k int) (*compiled, error) {
	c := e.scans[k]
	if c == nil {
		return nil, notCompiled(e.p, e.refused[k])
	}
	if c.anneal != nil {
		return c, nil
	}
	m, err := c.compile(annealKernel)
	if err != nil {
		return nil, notCompiled(e.p, err)
	}
	kernel, err := e.on.Load(m, annealKernel)
	if err == nil {
		c.anneal = &annealing{m, kernel}
	}
	return c, err
}

// Anneal implements moves.Annealer.
func (e *Engine) Anneal(ctx context.Context, j moves.Cooling, out []moves.Annealed) error {
	if err := errors.Join(e.lost, ctx.Err()); err != nil {
		return err
	}
	c, err := e.annealer(j.Neighbourhood)
	if err != nil {
		return err
	}
	before := slices.Clone(e.heads)
	if err := e.backup(); err != nil {
		return err
	}
	for a := range e.heads {
		h := &e.heads[a]
		h.Clock, h.From, h.Heat, h.Least, h.Tally = j.Iteration, 0, j.Heat[a], h.Cost, [5]int64{}
	}
	if err := e.draw(ctx, c, j); err != nil {
		copy(e.heads, before)
		if back := e.restore(); back != nil {
			e.lost = errors.Join(err, back)
		}
		return err
	}
	made := int64(1)
	for a, h := range e.heads {
		made += h.Tally[0]
		out[a] = moves.Annealed{
			Cost: h.Cost, Low: h.Low, Least: h.Least, Hash: h.Hash, Made: int(h.Tally[0]),
		}
	}
	e.rarity = float64(j.Moves) * float64(len(out)) / float64(made)
	return nil
}

// draw launches the kernel until all moves of the iteration are drawn.
func (e *Engine) draw(ctx context.Context, c *compiled, j moves.Cooling) error {
	nb, err := moves.NeighbourhoodOf(e.p, j.Neighbourhood, 0)
	if err != nil {
		return err
	}
	most := int64(j.Moves)
	if nb.Size() == 0 {
		most = 0
	}
	job := e.job(nb)
	threads := e.abreast(c)
	e.cooled = wave.Config{Threads: int64(threads), Block: threads}
	if err := e.threads(c, threads*e.walks); err != nil {
		return err
	}
	err = errors.Join(
		e.head.Upload(0, bytesOf(e.heads)), e.word.Upload(0, bytesOf([]uint64{ptx.NoError})),
	)
	e.took = 0
	for err == nil && !job.Last {
		job.Moves = min(job.Moves+movesAtOnce, most)
		job.Last = job.Moves == most
		took, failed := c.anneal.kernel.Launch(
			cuda.Shape{Blocks: e.walks, Threads: threads}, c.arguments(e, threads*e.walks, job)...,
		)
		e.took += took
		if err = failed; err == nil {
			err = errors.Join(e.said(c.anneal.module), ctx.Err())
		}
	}
	return errors.Join(err, e.head.Download(0, bytesOf(e.heads)))
}

// abreast returns the number of threads that look at the next moves of a walk: about the number of
// evaluated moves per applied one in the last iteration, since moves behind an applied one are
// evaluated again.
func (e *Engine) abreast(c *compiled) int {
	most := min(int64(c.anneal.kernel.MaxBlock()), mostThreads, mostWalking/int64(e.walks))
	if own := c.private(e); own > 0 {
		most = min(most, privateMost/own/int64(e.walks))
	}
	threads := int64(warp)
	for e.rarity > float64(threads) && 2*threads <= min(most, 256) {
		threads *= 2
	}
	return int(threads)
}
