package tiles

import (
	"context"
	"slices"

	"metalab/solvers/arith"
)

// CPU is the engine in Go, the reference for all others. The workers of the pool share out the
// pieces of all chains.
type CPU struct {
	p      *Problem
	chains []chain
	pieces []*piece // by worker
	kept   []int32
}

// A chain is a tour, and what its pieces write in a round.
type chain struct {
	tour, next        []int32
	place             []int32 // by city: its place in the tour
	home, rank, width []int32
	results           []Outcome // by piece
}

// NewCPU returns the engine for p.
func NewCPU(p *Problem) (Engine, error) { return &CPU{p: p}, nil }

func (e *CPU) Load(chains [][]int32) error {
	e.chains = make([]chain, len(chains))
	for a, t := range chains {
		c := &e.chains[a]
		c.tour, c.next = slices.Clone(t), make([]int32, len(t))
		c.place, c.home = make([]int32, len(t)), make([]int32, len(t))
		c.rank, c.width = make([]int32, len(t)), make([]int32, len(t))
	}
	return nil
}

func (e *CPU) Tour(chain int, dst []int32) error {
	copy(dst, e.chains[chain].tour)
	return nil
}

func (e *CPU) Copy(from, to int) error {
	copy(e.chains[to].tour, e.chains[from].tour)
	return nil
}

func (e *CPU) Keep(chain int) error {
	e.kept = append(e.kept[:0], e.chains[chain].tour...)
	return nil
}

func (e *CPU) Kept(dst []int32) error {
	copy(dst, e.kept)
	return nil
}

func (e *CPU) Close() {}

func (e *CPU) Iterate(ctx context.Context, job Job, out []Outcome) error {
	pool, pieces := e.p.Env.Pool, job.Cut.Pieces()
	for len(e.pieces) < pool.Size() {
		e.pieces = append(e.pieces, nil)
	}
	flat := 8 * int64(len(e.chains)) * int64(e.p.Space.N)
	pool.RunOf(len(e.chains), flat, func(a, _ int) { e.chains[a].begin(pieces) })
	over := func() bool { return ctx.Err() != nil }
	pool.Run(len(e.chains)*pieces, func(i, worker int) {
		if over() {
			return
		}
		if e.pieces[worker] == nil {
			e.pieces[worker] = newPiece(e.p)
		}
		p, c, piece := e.pieces[worker], &e.chains[i/pieces], i%pieces
		p.load(job.Cut.Of(piece), c.place)
		if p.m < minCities {
			return // its cities stay where they are
		}
		p.search(&job, e.p.Seed, i/pieces, piece, &c.results[piece], over)
		p.store(c.home, c.rank, c.width)
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	pool.RunOf(len(e.chains), flat, func(a, _ int) {
		c := &e.chains[a]
		c.end()
		o := Outcome{Length: e.p.Space.Length(c.tour), Hash: arith.HashPerm(c.tour)}
		for _, r := range c.results {
			o.Change += r.Change
			o.Kicks += r.Kicks
			o.Kept += r.Kept
			o.Gained += r.Gained
			o.Refused += r.Refused
			o.Moves += r.Moves
		}
		out[a] = o
	})
	return nil
}

// begin makes every city a path of its own, at its place.
func (c *chain) begin(pieces int) {
	for i, v := range c.tour {
		c.place[v], c.home[v], c.rank[v], c.width[i] = int32(i), int32(i), 0, 0
	}
	c.results = append(c.results[:0], make([]Outcome, pieces)...)
}

// end puts the paths together, each at its place among the others.
func (c *chain) end() {
	for _, v := range c.tour {
		if c.home[v] == c.place[v] && c.width[c.place[v]] == 0 {
			c.width[c.place[v]] = 1 // no piece had it
		}
	}
	sum := int32(0)
	for i, w := range c.width {
		c.width[i] = sum
		sum += w
	}
	for v, h := range c.home {
		c.next[c.width[h]+c.rank[v]] = int32(v)
	}
	c.tour, c.next = c.next, c.tour
}
