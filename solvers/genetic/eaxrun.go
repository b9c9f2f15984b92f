package genetic

import (
	"cmp"
	"context"
	"slices"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Init builds no tour: the first iteration builds the first population, and can be cancelled.
func (s *eax) Init(env *solvers.Env) error {
	s.env = env
	env.Pool.Resize(s.workers)
	var err error
	if s.space, err = tours.NewSpace(s.inst); err != nil {
		return err
	}
	s.crossed = assembly.New(s.space, s.space.Nearest(nearest))
	s.crossed.Progress = func(done, all int) { env.Progress.Store(uint32(done << 16 / all)) }
	return nil
}

func (s *eax) Changed(names []string) {
	if slices.Contains(names, "workers") {
		s.env.Pool.Resize(s.workers)
	}
}

func (s *eax) Iterate(ctx context.Context, it int64, p *record.Point) error {
	s.cut.Store(false)
	s.env.Progress.Store(0)
	replaced, made, cycles := 0, 0, 0
	best := s.bestLen
	if len(s.members) == 0 {
		if err := s.first(ctx); err != nil {
			return err
		}
		s.recount()
		p.Evals = int64(len(s.members))
	} else {
		if err := s.reproduce(ctx, it); err != nil {
			return err
		}
		replaced, made, cycles = s.crossed.Replaced, s.crossed.Made, s.crossed.Cycles
		p.Evals = int64(made)
	}
	at := s.lead()
	s.stage.next(s.bestLen < best, s.children)
	p.IterBest = float64(s.members[at].length)
	p.Mean, p.Digest = summary(s.members)
	p.Measures[0], p.Measures[1] = diversity(s.env.Pool, s.members, at), s.crossed.Spread()
	p.Measures[2], p.Measures[3] = share(replaced, len(s.members)), float64(made)
	p.Measures[4], p.Measures[5] = share(cycles, len(s.members)), float64(s.stage.number)
	return nil
}

// nearestOfStart is the number of neighbours that moves of the start lead to. With ten, edges that
// lead across rows of a drilling pattern are in no tour, and no child of d1291 can be the optimum.
const nearestOfStart = 50

// first makes the first population: random tours, each brought to an optimum of 2-opt.
func (s *eax) first(ctx context.Context) error {
	members := make([]individual, s.population)
	own := newDescents(
		s.space, s.space.Nearest(nearestOfStart), tours.DefaultSettings(), s.env.Pool,
	)
	own.far = true
	var done progress
	s.env.Pool.Run(len(members), func(i, w int) {
		if s.cut.Load() {
			return
		}
		if ctx.Err() != nil {
			s.cut.Store(true)
			return
		}
		r := arith.NewStream(s.env.Seed, 0, uint32(i), drawStart)
		var t []int32
		if i == 0 && s.given != nil {
			t = s.space.FromInstance(s.given)
		} else {
			t = s.space.Random(&r)
		}
		if !own.improve(ctx, t, w) {
			s.cut.Store(true)
			return
		}
		members[i] = individual{tour: t, length: s.space.Length(t), hash: arith.HashPerm(t)}
		done.one(s.env.Progress, len(members))
	})
	if err := cmp.Or(ctx.Err(), own.failed()); err != nil {
		return err
	}
	s.members = members
	return nil
}

// recount makes the counts of the edges anew.
func (s *eax) recount() {
	members := make([]assembly.Member, len(s.members))
	for i := range s.members {
		m := &s.members[i]
		members[i] = assembly.Member{Tour: m.tour, Length: m.length, Hash: m.hash, New: m.child}
	}
	s.crossed.Fill(members)
}

// reproduce makes the children of all couples. When ctx ends the population is as it was before.
func (s *eax) reproduce(ctx context.Context, it int64) error {
	err := s.crossed.Generate(ctx, s.env.Pool, assembly.Draws{
		Seed: s.env.Seed, Iteration: it, Plan: drawPlan, Children: drawChildren,
	}, assembly.Settings{
		Children: s.children, Greedy: s.replacement == replaceGreedy, Blocks: s.stage.number > 1,
	})
	if err != nil {
		return err
	}
	for i := range s.crossed.Members {
		m := &s.crossed.Members[i]
		s.members[i] = individual{tour: m.Tour, length: m.Length, hash: m.Hash, child: m.New}
	}
	return nil
}
