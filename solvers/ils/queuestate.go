package ils

import (
	"fmt"

	"metalab/solvers"
	"metalab/solvers/internal/assembly"
)

// Flags of a state: searches that are due.
const (
	flagDescend int64 = 1 << iota
	flagOther
	flagGlance
)

func (s *queue) Snapshot(w *solvers.Writer) {
	flags := int64(0)
	if s.plan.descend {
		flags |= flagDescend
	}
	if s.plan.other {
		flags |= flagOther
	}
	if s.plan.glance {
		flags |= flagGlance
	}
	writeChains(w, &s.chains, flags, &s.best)
	w.Int64s("cycle", s.plan.made, int64(len(s.bases)))
	for _, t := range s.bases {
		w.Int32s("base", t)
	}
	w.Int64s("pool", s.plan.Head(len(s.pool.Members))...)
	for i := range s.pool.Members {
		w.Int32s("member", s.pool.Members[i].Tour)
	}
}

// Restore reads the whole state. A different number of chains, or another rule of acceptance, than
// in the state has the same effect as a change of that parameter.
func (s *queue) Restore(r *solvers.Reader) error {
	n := s.space.N
	c, flags, best, err := readChains(r, n)
	if err != nil {
		return err
	}
	made, bases, err := readCycle(r, len(c.tours), n)
	if err != nil {
		return err
	}
	plan, members, err := readPool(r, n)
	if err != nil {
		return err
	}
	s.chains, s.best, s.bases = c, best, bases
	s.plan = schedule{
		glance:  flags&flagGlance != 0 && s.mayGlance(),
		descend: flags&flagDescend != 0, other: flags&flagOther != 0 && s.param.start == "either",
		made: made, Plan: plan,
	}
	if s.plan.glance && !s.local.light {
		s.listPlain()
	}
	s.resize()
	rule := s.param.accept.rule
	if was, ok := r.Params["accept"].Word(); rule != "annealing" && len(s.bases) > 0 ||
		ok && was != rule {
		s.endCycles()
	}
	s.pool.Members = nil
	for _, t := range members {
		s.pool.Members = append(s.pool.Members, assembly.NewMember(s.space, t))
	}
	if s.plan.Stage > assembly.Filling {
		s.startCrossing()
	}
	if was, ok := r.Params["pool"].Float(); s.param.pool == 0 || ok && int(was) != s.param.pool {
		s.poolChanged()
	}
	return nil
}

// readCycle reads the number of kicks in the cycle and the tours at its beginning.
func readCycle(r *solvers.Reader, chains, n int) (made int64, bases [][]int32, err error) {
	v := r.Int64s("cycle", 2)
	if err := r.Err(); err != nil {
		return 0, nil, err
	}
	if made = v[0]; made < 0 || v[1] != 0 && v[1] != int64(chains) {
		return 0, nil, fmt.Errorf(
			"ils: a state of %d chains with a cycle of %d kicks and %d tours: %w", chains, made, v[1],
			solvers.ErrState,
		)
	}
	bases, err = readTours(r, "base", int(v[1]), n)
	return made, bases, err
}

// readPool reads how far the pool is, and its tours.
func readPool(r *solvers.Reader, n int) (p assembly.Plan, members [][]int32, err error) {
	v := r.Int64s("pool", 6)
	if err := r.Err(); err != nil {
		return p, nil, err
	}
	if p, err = assembly.PlanOf(v); err != nil {
		return p, nil, fmt.Errorf("ils: %w", err)
	}
	members, err = readTours(r, "member", int(v[5]), n)
	return p, members, err
}
