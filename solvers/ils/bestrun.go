package ils

import (
	"context"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

func (s *bestSearch) Init(env *solvers.Env) error {
	s.env = env
	env.Pool.Resize(s.workers)
	var err error
	if s.space, err = tours.NewSpace(s.inst); err != nil {
		return err
	}
	if s.space.Asymmetric {
		return fmt.Errorf("ils: %s is asymmetric; its tours cannot be turned round", s.inst.Title)
	}
	s.list()
	s.descend = true
	for a := range s.chains {
		tour := s.first(a)
		s.tours = append(s.tours, tour)
		s.lengths = append(s.lengths, s.space.Length(tour))
	}
	return nil
}

// first is the start of chain a.
func (s *bestSearch) first(a int) []int32 {
	if s.given != nil {
		return s.space.FromInstance(s.given)
	}
	draws := arith.NewStream(s.env.Seed, 0, uint32(a), drawStart)
	switch s.start {
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
	if len(s.work) != chains {
		s.work, s.loaded = make([]*tours.Best, chains), make([]bool, chains)
	}
	for len(s.next) < chains {
		s.next = append(s.next, make([]int32, s.space.N))
		s.tops = append(s.tops, make([]int32, s.space.N))
	}
	s.results = append(s.results[:0], make([]bestResult, chains)...)
	s.env.Pool.Run(chains, func(a, _ int) { s.results[a] = s.chain(ctx, it, a) })
	for _, r := range s.results {
		if r.err != nil {
			clear(s.loaded)
			return r.err
		}
	}
	p.Evals = searches(s.descend, chains, s.kicks)
	kicks := s.kicks * chains
	if s.descend {
		kicks = 0
	}
	s.descend = false
	kept, gained, moves := 0, 0, int64(0)
	p.IterBest, p.Mean, p.Digest = math.Inf(1), 0, 0
	for a, r := range s.results {
		s.tours[a], s.next[a] = s.next[a], s.tours[a]
		s.lengths[a] = r.length
		kept += r.kept
		gained += r.gained
		moves += r.moves
		p.IterBest = min(p.IterBest, float64(r.top))
		p.Mean += float64(r.length)
		p.Digest = arith.Chain(p.Digest, arith.HashPerm(s.tours[a]))
		if s.best == nil || r.top < s.bestLen {
			s.best, s.bestLen = append(s.best[:0], s.tops[a]...), r.top
		}
	}
	p.Mean /= float64(chains)
	p.Measures[0], p.Measures[1] = 0, 0
	if kicks > 0 {
		p.Measures[0], p.Measures[1] = float64(kept)/float64(kicks), float64(gained)/float64(kicks)
	}
	p.Measures[2] = float64(moves) / float64(p.Evals)
	return nil
}

// chain makes an iteration of one chain, and writes its tour to next[a].
func (s *bestSearch) chain(ctx context.Context, it int64, a int) (out bestResult) {
	if s.work[a] == nil {
		s.work[a] = tours.NewBest(s.space, s.near, s.operator == "3opt")
	}
	w := s.work[a]
	if !s.loaded[a] {
		w.Load(s.tours[a])
	}
	s.loaded[a] = true
	out.length = s.lengths[a]
	kicks := s.kicks
	if s.descend {
		kicks = 0
	}
	if out.err = ctx.Err(); out.err != nil {
		return out
	}
	gain, moves, err := w.Run(ctx) // makes moves only if the iteration descends
	out.length, out.moves, out.err = out.length-gain, moves, err
	w.Commit()
	out.top = math.MaxInt64
	draws := arith.NewStream(s.env.Seed, uint64(it), uint32(a), drawKick)
	for i := 0; i < kicks && out.err == nil; i++ {
		if out.err = ctx.Err(); out.err != nil { // a search of a few cities does not look
			break
		}
		longer := w.Kick(&draws)
		gain, moves, err = w.Run(ctx)
		out.moves, out.err = out.moves+moves, err
		switch change := longer - gain; {
		case err != nil:
		case change <= 0 || s.accept == "always":
			out.length += change
			out.kept++
			if change < 0 {
				out.gained++
			}
			w.Commit()
		default:
			w.Undo()
		}
		if out.err == nil && out.length < out.top { // accept=always may leave it again
			out.top = out.length
			w.Store(s.tops[a])
		}
	}
	if out.err == nil {
		w.Store(s.next[a])
		if out.length < out.top {
			out.top = out.length
			copy(s.tops[a], s.next[a])
		}
	}
	return out
}

func (s *bestSearch) Snapshot(w *solvers.Writer) {
	flag := int64(0)
	if s.descend {
		flag = 1
	}
	w.Int64s("chains", int64(len(s.tours)), flag, s.bestLen)
	w.Int32s("best", s.best)
	w.Int64s("lengths", s.lengths...)
	for _, t := range s.tours {
		w.Int32s("tour", t)
	}
}

// Restore reads the whole state. If the parameters have another number of chains, other lists or
// another operator than the state, that has the same effect as a change of these parameters.
func (s *bestSearch) Restore(r *solvers.Reader) error {
	head := r.Int64s("chains", 3)
	best := r.Int32s("best", -1)
	lengths := r.Int64s("lengths", int(head[0]))
	if err := r.Err(); err != nil {
		return err
	}
	n := s.space.N
	if len(best) != n && len(best) != 0 || len(lengths) == 0 {
		return fmt.Errorf(
			"ils: a state of %d chains with a best tour of %d cities, want %d: %w", len(lengths),
			len(best), n, solvers.ErrState,
		)
	}
	chains := make([][]int32, len(lengths))
	for a := range chains {
		chains[a] = r.Int32s("tour", n)
	}
	if err := r.Err(); err != nil {
		return err
	}
	for a, t := range append(chains, best) {
		if len(t) == 0 {
			continue // no search was made yet: there is no best tour
		}
		if err := datasets.CheckPermutation(t, n); err != nil {
			return fmt.Errorf("ils: the state's tour %d: %w: %w", a, err, solvers.ErrState)
		}
	}
	s.tours, s.lengths, s.descend, s.bestLen = chains, lengths, head[1] == 1, head[2]
	s.best = nil
	if len(best) > 0 {
		s.best = best
	}
	for name, now := range record.Of(
		"operator", s.operator, "neighbours", s.neighbours, "quadrant", s.quadrant,
	) {
		s.descend = s.descend || r.Params[name] != now
	}
	s.resize()
	return nil
}
