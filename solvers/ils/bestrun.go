package ils

import (
	"context"
	"fmt"
	"math"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

func (s *bestSearch) Init(env *solvers.Env) error {
	s.env = env
	s.employ()
	var err error
	if s.space, err = tours.NewSpace(s.inst); err != nil {
		return err
	}
	if s.space.Asymmetric {
		return fmt.Errorf("ils: %s is asymmetric; its tours cannot be turned round", s.inst.Title)
	}
	s.list()
	if s.engine, err = s.open(&BestProblem{Space: s.space, Seed: env.Seed, Env: env}); err != nil {
		return err
	}
	if err := s.tell(s.param.chains); err != nil {
		return err
	}
	s.descend = true
	for a := range s.param.chains {
		tour := s.first(a)
		s.tours = append(s.tours, tour)
		s.lengths = append(s.lengths, s.space.Length(tour))
	}
	return nil
}

// open makes the engine, on several devices several.
func (s *bestSearch) open(p *BestProblem) (BestEngine, error) {
	if len(p.Env.Devices) < 2 {
		return s.make(p)
	}
	return newBestSpread(p, s.make)
}

// Parts implements solvers.Spreader.
func (s *bestSearch) Parts() int { return s.param.chains }

// tell tells the engine what it searches with.
func (s *bestSearch) tell(chains int) error {
	s.use, s.loaded = false, false
	return s.engine.Use(s.near, bestOperators[s.param.operator], chains)
}

// first is the start of chain a.
func (s *bestSearch) first(a int) []int32 {
	if s.given != nil {
		return s.space.FromInstance(s.given)
	}
	draws := arith.NewStream(s.env.Seed, 0, uint32(a), drawStart)
	switch s.param.start {
	case "greedy":
		return s.space.Greedy(s.near)
	case "curve":
		return s.space.Curve()
	case "random":
		return s.space.Random(&draws)
	}
	return s.space.NearestListed(int32(draws.IntN(s.space.N)), s.near)
}

func (s *bestSearch) Iterate(ctx context.Context, it int64, p *record.Point) error {
	chains := len(s.tours)
	if s.use {
		if err := s.tell(chains); err != nil {
			s.use = true
			return err
		}
	}
	for len(s.results) < chains {
		s.results = append(s.results, BestChain{
			Next: make([]int32, s.space.N), Top: make([]int32, s.space.N),
		})
	}
	s.results = s.results[:chains]
	for a := range s.results {
		c := &s.results[a]
		c.Tour, c.Length, c.Loaded = s.tours[a], s.lengths[a], s.loaded
	}
	job := BestJob{
		Iter: it, Kicks: s.param.kicks, Always: s.param.accept == "always", Blocks: s.param.blocks,
	}
	if s.descend {
		job.Kicks = 0
	}
	s.loaded = false
	if err := s.engine.Iterate(ctx, job, s.results); err != nil {
		return err
	}
	s.loaded = true
	p.Evals = searches(s.descend, chains, s.param.kicks)
	s.descend = false
	kicks, kept, gained, moves := job.Kicks*chains, 0, 0, int64(0)
	p.IterBest, p.Mean, p.Digest = math.Inf(1), 0, 0
	for a := range s.results {
		r := &s.results[a]
		s.tours[a], r.Next = r.Next, s.tours[a]
		s.lengths[a] = r.Length
		kept += r.Kept
		gained += r.Gained
		moves += r.Moves
		p.IterBest = min(p.IterBest, float64(r.Least))
		p.Mean += float64(r.Length)
		p.Digest = arith.Chain(p.Digest, arith.HashPerm(s.tours[a]))
		s.best.offer(r.Top, r.Least)
	}
	p.Mean /= float64(chains)
	p.Measures[0], p.Measures[1] = 0, 0
	if kicks > 0 {
		p.Measures[0], p.Measures[1] = float64(kept)/float64(kicks), float64(gained)/float64(kicks)
	}
	p.Measures[2] = float64(moves) / float64(p.Evals)
	return nil
}

func (s *bestSearch) Snapshot(w *solvers.Writer) {
	flags := int64(0)
	if s.descend {
		flags = flagDescend
	}
	writeChains(w, &s.chains, flags, &s.best)
}

// Restore reads the whole state. If the parameters have another number of chains, other lists or
// another operator than the state, that has the same effect as a change of these parameters.
func (s *bestSearch) Restore(r *solvers.Reader) error {
	c, flags, best, err := readChains(r, s.space.N)
	if err != nil {
		return err
	}
	s.chains, s.best, s.descend = c, best, flags == flagDescend
	for name, now := range record.Of(
		"operator", s.param.operator, "neighbours", s.param.neighbours, "quadrant", s.param.quadrant,
	) {
		s.descend = s.descend || r.Params[name] != now
	}
	s.resize()
	return nil
}
