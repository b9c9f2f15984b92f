package spins

import (
	"context"

	"metalab/solvers"
)

// A Problem is what an engine is made of.
type Problem struct {
	Net       *Net
	Walks     int // of a part of a run, those from walk 32 First to the last of the part
	Seed      uint64
	Env       *solvers.Env
	Resampled bool // Choose will be called

	// Of a part of a run, else 0: the number of the first group, and how many of its first walks are
	// none of the part. Groups and walks are counted from First on.
	First, Skip int
}

// Groups is the number of groups of 32 walks.
func (p *Problem) Groups() int { return (p.Walks + 31) / 32 }

// Used is the mask of the walks of a group that there are.
func (p *Problem) Used(group int) uint32 {
	used := uint32(1<<32 - 1)
	if left := p.Walks - 32*group; left < 32 {
		used = uint32(1)<<left - 1
	}
	if group == 0 {
		used &= ^uint32(0) << p.Skip
	}
	return used
}

// A Job is an iteration.
type Job struct {
	Iteration int64
	Sweeps    int
	Levels    *Levels
	Block     int // threads of a GPU's block; 0: the engine chooses
}

// A Group is the result of an iteration of 32 walks.
type Group struct {
	Good [32]int64 // the weight of the good edges of each walk, each counted once

	// Of the walks that there are. Flips counts those that were made; that of a group may be counted
	// with another's. Hash is the sum over the vertices of arith.Mix64(vertex << 32 | word).
	Flips int64
	Hash  uint64
}

// An Engine has the words of the walks and makes the iterations. Words are by group, and in a group
// by position. After an error of ctx the words are as before; other errors fail the run.
type Engine interface {
	Load(words [][]uint32) error
	Iterate(ctx context.Context, j Job, out []Group) error
	Words(group int, dst []uint32) error

	// Choose gives walk w the sides of walk parents[w].
	Choose(parents []int32) error

	Close()
}

// cores is the engine of the CPU: a sweeper has two groups.
type cores struct {
	p     *Problem
	now   [][]uint64 // by two groups; position N has the side of fields
	next  [][]uint64
	seeds []sweeper // by worker
}

func newCores(p *Problem) *cores {
	c := &cores{p: p}
	for range (p.Groups() + 1) / 2 {
		c.now = append(c.now, make([]uint64, p.Net.N+1))
		c.next = append(c.next, make([]uint64, p.Net.N+1))
	}
	for k := range c.now {
		c.now[k][p.Net.N], c.next[k][p.Net.N] = all, all
	}
	return c
}

func (c *cores) Load(words [][]uint32) error {
	for g, of := range words {
		to, shift := c.now[g/2], 32*(g%2)
		for i, x := range of {
			to[i] = to[i]&^(0xffffffff<<shift) | uint64(x)<<shift
		}
	}
	return nil
}

func (c *cores) Words(group int, dst []uint32) error {
	for i := range dst {
		dst[i] = uint32(c.now[group/2][i] >> (32 * (group % 2)))
	}
	return nil
}

// steps is about how many nanoseconds a word takes in a sweep.
const steps = 60

func (c *cores) Iterate(ctx context.Context, j Job, out []Group) error {
	if need := c.p.Env.Pool.Size(); len(c.seeds) < need {
		c.seeds = make([]sweeper, need)
	}
	work := int64(len(c.now)) * int64(j.Sweeps) * int64(c.p.Net.N) * steps
	c.p.Env.Pool.RunOf(len(c.now), work, func(k, worker int) {
		c.pair(ctx, j, k, &c.seeds[worker], out[2*k:min(2*k+2, len(out))])
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	c.now, c.next = c.next, c.now
	return nil
}

// pair makes the sweeps of two groups.
func (c *cores) pair(ctx context.Context, j Job, k int, w *sweeper, out []Group) {
	w.net, w.levels, w.words, w.flips = c.p.Net, j.Levels, c.next[k], 0
	w.seed, w.low, w.high = c.p.Seed, uint32(j.Iteration), uint32(j.Iteration>>32)
	w.own = uint32(c.p.First + 2*k)
	w.used = uint64(c.p.Used(2 * k))
	if len(out) > 1 {
		w.used |= uint64(c.p.Used(2*k+1)) << 32
	}
	copy(w.words, c.now[k])
	for s := range j.Sweeps {
		if ctx.Err() != nil {
			return
		}
		w.sweep(s)
	}
	sums, hashes := w.counts(), w.hashes()
	for g := range out {
		copy(out[g].Good[:], sums[32*g:])
		out[g].Flips, out[g].Hash = 0, hashes[g]
	}
	out[0].Flips = w.flips
}

func (c *cores) Choose(parents []int32) error {
	n := c.p.Net.N
	c.p.Env.Pool.RunOf(len(c.now), int64(len(parents)*n), func(k, _ int) {
		to, of := c.next[k], parents[64*k:min(64*k+64, len(parents))]
		clear(to[:n])
		for at, p := range of {
			from, shift := c.now[p>>6][:n], p&63
			for i, x := range from {
				to[i] |= x >> shift & 1 << at
			}
		}
	})
	c.now, c.next = c.next, c.now
	return nil
}

func (c *cores) Close() {}
