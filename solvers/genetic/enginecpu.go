package genetic

import (
	"context"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
)

// cpu is an engine in Go, which defines what the others do.
type cpu struct {
	p     *Problem
	rows  [][]int32
	cross *crossing
}

// NewCPU makes an engine of the code of this package, on one core, for tests of others.
func NewCPU(p *Problem) (Engine, error) { return &cpu{p: p, cross: newCrossing(p.Space)}, nil }

func (e *cpu) Room(tours, births int) error {
	for len(e.rows) < tours+births {
		e.rows = append(e.rows, make([]int32, e.p.Space.N))
	}
	return nil
}

func (e *cpu) Put(row int32, tour []int32) error {
	copy(e.rows[row], tour)
	return nil
}

func (e *cpu) Tour(row int32, tour []int32) error {
	copy(tour, e.rows[row])
	return nil
}

func (e *cpu) tell(row int32) Made {
	return Made{e.p.Space.Length(e.rows[row]), arith.HashPerm(e.rows[row])}
}

func (e *cpu) Start(ctx context.Context, j Job, births []Birth, out []Made) error {
	for i, b := range births {
		r, sp, t := arith.NewStream(b.Seed, 0, uint32(b.Place), drawStart), e.p.Space, e.rows[b.To]
		if j.Nearest {
			copy(t, sp.NearestNeighbour(int32(r.IntN(sp.N))))
		} else {
			copy(t, sp.Random(&r))
		}
		if !j.Drawn {
			turnTo(t, sp.Internal[0])
		}
		out[i] = e.tell(b.To)
	}
	return ctx.Err()
}

func (e *cpu) Reproduce(ctx context.Context, j Job, births []Birth, out []Made) error {
	g := &tournament{
		common: common{inst: &datasets.TSP{}, space: e.p.Space, env: &solvers.Env{}},
		tournamentParams: tournamentParams{
			mutation: j.Mutation, moves: j.Moves, move: moveRandom, origin: originSame,
		},
	}
	if j.Drawn {
		g.origin = originDrawn
	}
	if j.Gaining {
		g.move, g.near = moveGaining, e.p.Near()
	}
	h := &scratch{cross: e.cross, mutate: mutator{sp: e.p.Space, near: g.near}}
	names := map[Cross]string{}
	for name, c := range crosses {
		names[c] = name
	}
	for i, b := range births {
		g.env.Seed = b.Seed
		g.next = []individual{{tour: e.rows[b.A]}, {tour: e.rows[b.B]}}
		one := job{
			place: int(b.Place), a: 0, b: 1, cross: names[b.Cross], from: int(b.From),
			to: int(b.Until), first: b.Improve != 0,
		}
		g.child(ctx, int64(j.Iteration), &one, e.rows[b.To], h)
		out[i] = e.tell(b.To)
	}
	return ctx.Err()
}

func (e *cpu) Differ(row int32, rows []int32) (edges int64, err error) {
	around := beside(e.rows[row])
	for _, r := range rows {
		edges += otherEdges(around, e.rows[r])
	}
	return edges, nil
}

func (e *cpu) Close() {}
