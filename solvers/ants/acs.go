package ants

import (
	"context"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// sequence is the Ant Colony System in which the ants move in turn.
type sequence struct {
	colony
	q0, alpha, rho float64
	localPeriod    int

	tau0   float32
	ant    []mover
	saved  []float32 // trails at the start of a long iteration
	savedM []float32
	savedE []guest
}

// mover is an ant between two of its steps.
type mover struct {
	draws
	seen   []uint8
	rest   rest
	length int64
	falls  int32
}

func newSequence(inst datasets.Instance) (solvers.Algorithm, error) {
	t, err := asTSP(inst)
	if err != nil {
		return nil, err
	}
	s := &sequence{colony: colony{inst: t, localShare: 1}}
	s.Preset("best")
	return s, nil
}

// Preset implements solvers.Presetter.
func (s *sequence) Preset(name string) bool {
	n := s.inst.N
	switch name {
	case "best":
		s.common = common{ants: fewAnts(10, n), beta: 2, candidates: fewCandidates(20, n), storage: storeCandidates, localSearch: localOr}
		s.q0, s.alpha, s.rho = 0.98, 0.1, 0.1
		if s.inst.Asymmetric {
			s.localSearch, s.q0 = localFull, 0.9
		}
	case "paper":
		s.common = common{ants: fewAnts(n, n), beta: 3, candidates: fewCandidates(32, n), storage: storeCandidates, localSearch: localNone}
		s.q0, s.alpha, s.rho = max(0, float64(n-20)/float64(n)), 0.2, 0.01
	default:
		return false
	}
	s.localPeriod = 1
	return true
}

// Declare implements solvers.Algorithm.
func (s *sequence) Declare(t *solvers.Params) {
	s.declareLive(t)
	s.declareStructure(t, s.inst.N)
	s.declareLocal(t)
}

// declareLive declares the live parameters.
func (s *sequence) declareLive(t *solvers.Params) {
	s.declareAnts(t, s.inst.N)
	s.declareBeta(t)
	t.Float(&s.q0, record.Param{
		Name: "q0", Class: record.Live, Min: 0, Max: 1, Step: 0.01,
		Doc:    "Probability of taking the candidate with the greatest weight; otherwise one is drawn in proportion to the weights.",
		Effect: "the trails stay",
	})
	t.Float(&s.alpha, record.Param{
		Name: "alpha", Class: record.Live, Min: 0, Max: 1, Step: 0.05,
		Doc:    "Global evaporation: the best tour's edges get tau <- (1 - alpha) tau + alpha / L after an iteration (in as and mmas alpha is the exponent of tau).",
		Effect: "the trails stay",
	})
	t.Float(&s.rho, record.Param{
		Name: "rho", Class: record.Live, Min: 0, Max: 1, Step: 0.01,
		Doc:    "Local evaporation: the edge of a choice gets tau <- (1 - rho) tau + rho tau0 (in as and mmas rho is what remains).",
		Effect: "the trails stay",
	})
	t.Int(&s.localPeriod, record.Param{
		Name: "local_period", Class: record.Live, Min: 1, Max: 1 << 20, Step: 1, Unit: "choices",
		Doc:    "An ant makes the local update on every local_period-th of its choices only, and on its closing edge.",
		Effect: "the trails stay",
	})
}

// Init implements solvers.Algorithm.
func (s *sequence) Init(env *solvers.Env) error {
	if err := s.prepare(env, 1); err != nil {
		return err
	}
	s.tau0 = float32(1 / (float64(s.n) * float64(s.nn)))
	s.t.inv = 1 / s.tau0
	s.t.fill(s.tau0)
	s.refresh()
	s.branch = s.t.branching(0.05)
	return nil
}

// refresh makes all weights.
func (s *sequence) refresh() { s.t.limit(s.env.Pool, s.tau0, math.MaxFloat32) }

// Changed implements solvers.Changer.
func (s *sequence) Changed(names []string) {
	for _, name := range names {
		switch name {
		case "ants":
			s.resize()
		case "beta":
			s.t.setBeta(s.beta)
			s.refresh()
		}
	}
}

// From these numbers of choices on an iteration may be given up.
const (
	longIteration = 1 << 20
	longLocal     = 1 << 15 // with a local search
)

// Iterate implements solvers.Algorithm.
func (s *sequence) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := s.begin(ctx, it); err != nil {
		return err
	}
	long := s.ants*s.n >= longIteration || s.localSearch != localNone && s.ants*s.n >= longLocal
	s.givable = long
	if long {
		s.save()
	}
	if !s.construct(long) {
		s.undo()
		return ctx.Err()
	}
	if s.localSearch != localNone {
		s.improveAll()
		if s.cut.Load() {
			s.undo()
			return ctx.Err()
		}
	}
	for k := range s.hashes {
		s.hashes[k] = arith.HashPerm(s.tour(k))
	}
	s.finish(p)
	s.reward()
	s.forget(s.tau0)
	s.measure(p)
	return nil
}

// construct lets the ants move in turn, step by step. It returns false when it was
// given up.
func (s *sequence) construct(long bool) bool {
	for len(s.ant) < s.ants {
		s.ant = append(s.ant, mover{seen: make([]uint8, s.n)})
	}
	t, n := s.t, s.n
	ants := s.ant[:s.ants]
	for k := range ants {
		a := &ants[k]
		clear(a.seen)
		a.rest.done, a.length, a.falls = 0, 0, 0
		a.draws = newDraws(s.env.Seed, s.it, k)
		city := int32(arith.Below(a.word(0), n))
		s.tour(k)[0] = city
		a.seen[city] = 1
	}
	q := uint64(s.q0 * (1 << 32))
	cum := s.work[0].cum
	keep, tau0 := float32(1-s.rho), s.tau0
	gain := float32(float32(s.rho) * tau0)
	look := max(1, glance/len(ants))
	for p := 1; p < n; p++ {
		if long && p%look == 0 {
			if s.stopped() {
				return false
			}
			s.progress(int64(p), int64(n))
		}
		update := p%s.localPeriod == 0
		for k := range ants {
			a := &ants[k]
			tour := s.tour(k)
			city := tour[p-1]
			var slot int32
			if uint64(a.word(p)) < q {
				slot = t.greatest(city, a.seen)
			} else {
				slot = t.roulette(city, a.seen, cum, arith.Unit32(explore(s.env.Seed, s.it, k, p)))
			}
			var to int32
			if slot >= 0 {
				to = t.id[slot]
				a.length += int64(t.dist[slot])
			} else {
				to, slot = t.fallback(city, s.far, a.seen, &a.rest, tour[:p])
				a.length += int64(s.sp.D(city, to))
				a.falls++
			}
			tour[p] = to
			a.seen[to] = 1
			if update {
				// At tau0 a trail stays as it is, which rounding would not grant.
				if v := t.read(city, to, slot); v != tau0 {
					t.set(city, to, slot, max(tau0, float32(keep*v)+gain))
				}
			}
		}
	}
	for k := range ants {
		tour := s.tour(k)
		s.lengths[k] = ants[k].length + s.closing(tour)
		s.falls[k] = ants[k].falls
		if n > 1 {
			last, first := tour[n-1], tour[0]
			slot := t.place(last, first)
			if v := t.read(last, first, slot); v != tau0 {
				t.set(last, first, slot, max(tau0, float32(keep*v)+gain))
			}
		}
	}
	return true
}

// reward is the global update: the edges of the best tour.
func (s *sequence) reward() {
	if s.n < 2 {
		return
	}
	keep := float32(1 - s.alpha)
	gain := float32(s.alpha / float64(max(s.bestLength, 1)))
	last := s.best[s.n-1]
	for _, c := range s.best {
		slot := s.t.place(last, c)
		s.t.set(last, c, slot, max(s.tau0, float32(keep*s.t.read(last, c, slot))+gain))
		last = c
	}
}

// save keeps the trails, for undo.
func (s *sequence) save() {
	s.saved = append(s.saved[:0], s.t.tau...)
	if s.t.full != nil {
		s.savedM = append(s.savedM[:0], s.t.full.tau...)
	} else {
		s.savedE = append(s.savedE[:0], s.t.extra.list...)
	}
}

// undo brings the trails back to where save saw them.
func (s *sequence) undo() {
	copy(s.t.tau, s.saved)
	if s.t.full != nil {
		copy(s.t.full.tau, s.savedM)
	} else {
		copy(s.t.extra.list, s.savedE) // construction adds no guests
	}
	s.refresh()
}

// Measures implements solvers.Algorithm.
func (s *sequence) Measures() []string { return []string{"branching", "fallback"} }
