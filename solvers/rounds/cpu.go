package rounds

import (
	"context"
	"slices"

	"metalab/solvers/arith"
)

// CPU is the engine in Go, the reference for all others. The workers of the pool share out the
// chains.
type CPU struct {
	p      *Problem
	tours  [][]int32
	next   [][]int32
	boards []*board // by worker
}

// NewCPU returns the engine for p.
func NewCPU(p *Problem) (Engine, error) { return &CPU{p: p}, nil }

func (e *CPU) Load(chains [][]int32) error {
	e.tours, e.next = nil, nil
	for _, t := range chains {
		e.tours = append(e.tours, slices.Clone(t))
		e.next = append(e.next, slices.Clone(t))
	}
	return nil
}

func (e *CPU) Tour(chain int, dst []int32) error {
	copy(dst, e.tours[chain])
	return nil
}

func (e *CPU) Close() {}

func (e *CPU) Iterate(ctx context.Context, job Job, out []Outcome) error {
	for len(e.boards) < e.p.Env.Pool.Size() {
		e.boards = append(e.boards, nil)
	}
	e.p.Env.Pool.Run(len(e.tours), func(chain, worker int) {
		if ctx.Err() != nil {
			return
		}
		if e.boards[worker] == nil {
			e.boards[worker] = newBoard(e.p)
		}
		out[chain] = e.boards[worker].iterate(ctx, e.p.Seed, job, chain, e.tours[chain], e.next[chain])
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	e.tours, e.next = e.next, e.tours
	return nil
}

// iterate makes an iteration of the chain whose tour is from; the new tour goes to to.
func (b *board) iterate(
	ctx context.Context, seed uint64, job Job, chain int, from, to []int32,
) Outcome {
	var out Outcome
	b.load(from)
	copy(to, from)
	b.length, b.moves, b.rounds = b.sp.Length(from), 0, 0
	if job.Descend {
		if b.descend(ctx) != nil {
			return out // the caller sees that ctx has ended and ignores it
		}
		copy(to, b.tour)
	} else if b.n >= minKick {
		for kick := range job.Kicks {
			if ctx.Err() != nil {
				return out
			}
			before := b.length
			b.kick(seed, job.Iter, chain, kick, job.Size)
			if b.repair(ctx) != nil {
				return out
			}
			if b.length < before {
				out.Gained++
			}
			if b.length <= before || job.Always {
				copy(to, b.tour)
				out.Kept++
			} else {
				b.load(to)
				b.length = before
			}
		}
	}
	out.Length, out.Hash = b.sp.Length(to), arith.HashPerm(to)
	out.Rounds, out.Moves = b.rounds, b.moves
	if out.Length != b.length {
		panic("rounds: the gains of a chain do not add up to its length")
	}
	return out
}
