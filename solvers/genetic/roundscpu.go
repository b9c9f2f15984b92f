package genetic

import (
	"context"
	"math"
	"sync/atomic"

	"metalab/solvers/internal/assembly"

	"metalab/solvers/arith"
)

// roundsCPU makes generations of eax-rounds on the CPU.
type roundsCPU struct {
	p          *RoundsProblem
	members    [][]int32
	hash       []uint64
	length     []int64
	crossovers []*crossover   // by worker
	count      assembly.Edges // how many tours have an edge
	fresh      []fresh        // by couple of a round
	cut        atomic.Bool
}

// fresh is the best child of a couple, and what it changes of its first parent.
type fresh struct {
	tour     []int32
	cut, new [][2]int32
}

// NewRoundsCPU makes generations on the CPU: the definition for all engines.
func NewRoundsCPU(p *RoundsProblem) (RoundsEngine, error) {
	return &roundsCPU{
		p: p, hash: make([]uint64, p.Population), length: make([]int64, p.Population),
	}, nil
}

func (e *roundsCPU) Close() {}

func (e *roundsCPU) Load(tours [][]int32, counts []int64) error {
	e.members = e.members[:0]
	e.count = assembly.Edges{}
	for i, t := range tours {
		e.members = append(e.members, append([]int32(nil), t...))
		e.hash[i], e.length[i] = arith.HashPerm(t), e.p.Space.Length(t)
		e.count.AddTour(t)
	}
	e.count.Tally(counts)
	return nil
}

func (e *roundsCPU) Breed(
	ctx context.Context, job RoundsJob, bred []Bred, counts []int64, tour func(i int) []int32,
) error {
	m := len(job.Ring)
	for len(e.crossovers) < e.p.Env.Pool.Size() {
		e.crossovers = append(e.crossovers, nil)
	}
	for len(e.fresh) < min(job.Round, m) {
		e.fresh = append(e.fresh, fresh{tour: make([]int32, e.p.Space.N)})
	}
	e.cut.Store(false)
	var done progress
	for lo := 0; lo < m; lo += job.Round {
		hi := min(lo+job.Round, m)
		e.p.Env.Pool.Run(hi-lo, func(i, w int) {
			if e.cut.Load() {
				return
			}
			if ctx.Err() != nil {
				e.cut.Store(true)
				return
			}
			if e.crossovers[w] == nil {
				e.crossovers[w] = newCrossover(e.p.Space, e.p.Near)
			}
			a, b := job.Ring[lo+i], job.Ring[(lo+i+1)%m]
			bred[a] = e.couple(ctx, &job, a, b, e.crossovers[w], &e.fresh[i])
			done.one(e.p.Env.Progress, m)
		})
		if err := ctx.Err(); err != nil {
			return err // the search has the population as it was before, and loads it again
		}
		for i, a := range job.Ring[lo:hi] {
			if f := &e.fresh[i]; bred[a].Gain > 0 {
				e.members[a], f.tour = f.tour, e.members[a]
				e.hash[a], e.length[a] = bred[a].Hash, bred[a].Length
				e.adjust(f)
			}
		}
	}
	for i := range bred {
		if bred[i].Gain > 0 {
			copy(tour(i), e.members[i])
		}
	}
	e.count.Tally(counts)
	return nil
}

// adjust counts a change.
func (e *roundsCPU) adjust(f *fresh) {
	for _, x := range f.cut {
		e.count.Add(x[0], x[1], -1)
	}
	for _, x := range f.new {
		e.count.Add(x[0], x[1], 1)
	}
}

// couple makes the children of tours a and b, and the tour of the best in f; not all of them when
// ctx ends.
func (e *roundsCPU) couple(
	ctx context.Context, job *RoundsJob, a, b int32, k *crossover, f *fresh,
) (out Bred) {
	if k.n < fewest || e.hash[a] == e.hash[b] {
		return out
	}
	r := arith.NewStream(e.p.Env.Seed, job.Iteration, uint32(a), drawChildren)
	k.load(e.members[a], e.members[b])
	if job.Blocks {
		k.split(&r, math.MaxInt, math.MaxInt)
		k.longest(job.Children)
		k.survey()
	} else {
		k.split(&r, job.Children, job.Longest)
		k.singles()
	}
	out.Cycles = int32(len(k.start) - 1)
	choose := func(i int) {
		if k.set = append(k.set[:0], k.pick[i]); job.Blocks {
			r := arith.NewStream(e.p.Env.Seed, job.Iteration, uint32(a)<<16|uint32(i), drawBlock)
			k.block(k.pick[i], &r)
		}
	}
	// A child that is as long as B is mostly B.
	best, which, surplus := 0.0, -1, e.length[a]-e.length[b]
	for i := range k.pick {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return out
		}
		choose(i)
		out.Children++
		k.make()
		if score := e.score(k, job.Greedy, f); score > best && k.gain != surplus {
			best, which = score, i
		}
		k.undo()
	}
	if which >= 0 {
		choose(which)
		k.make()
		f.cut, f.new = k.changes(f.cut[:0], f.new[:0])
		k.write(f.tour)
		k.undo()
		out.Gain, out.Length = k.gain, e.p.Space.Length(f.tour)
		out.Hash = arith.HashPerm(f.tour)
	}
	return out
}

// score tells how good a child is; only above 0 it may replace its parent.
func (e *roundsCPU) score(k *crossover, greedy bool, f *fresh) float64 {
	if k.gain <= 0 {
		return 0
	}
	if greedy {
		return float64(k.gain)
	}
	loss, h := int64(0), e.p.Entropy
	f.cut, f.new = k.changes(f.cut[:0], f.new[:0])
	for _, x := range f.cut {
		c := e.count.Of(x[0], x[1])
		loss += h[c] - h[c-1]
	}
	for _, x := range f.new {
		c := e.count.Of(x[0], x[1])
		loss -= h[c+1] - h[c]
	}
	return float64(k.gain) / float64(max(loss, little))
}

// little is the least loss of entropy that counts, in units of 1/grain.
const little = grain >> 30
