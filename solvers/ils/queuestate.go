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
	p := &s.plan.poolPlan
	w.Int64s("pool", p.stage, p.want, p.last, p.bred, p.idle, int64(len(s.pool.members)))
	for i := range s.pool.members {
		w.Int32s("member", s.pool.members[i].Tour)
	}
}

// Restore reads the whole state. If the parameters have another number of chains than the state, or
// another rule of what is kept, that has the same effect as a change of the parameter.
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
		glance:  s.plan.glance && flags&flagGlance != 0,
		descend: flags&flagDescend != 0, other: flags&flagOther != 0 && s.param.start == "either",
		made: made, poolPlan: plan,
	}
	s.resize()
	rule := s.param.accept.rule
	if was, ok := r.Params["accept"].Word(); rule != "annealing" && len(s.bases) > 0 ||
		ok && was != rule {
		s.endCycles()
	}
	s.pool.members = nil
	for _, t := range members {
		s.pool.members = append(s.pool.members, assembly.NewMember(s.space, t))
	}
	if s.plan.stage > stageFilling {
		s.startCrossing()
	}
	if was, ok := r.Params["pool"].Float(); s.param.pool == 0 || ok && int(was) != s.param.pool {
		s.poolChanged()
	}
	return nil
}

// readCycle reads the kicks that were made in the cycle and the tours at its beginning.
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
func readPool(r *solvers.Reader, n int) (p poolPlan, members [][]int32, err error) {
	v := r.Int64s("pool", 6)
	if err := r.Err(); err != nil {
		return p, nil, err
	}
	if p, err = poolOf(v); err != nil {
		return p, nil, err
	}
	members, err = readTours(r, "member", int(v[5]), n)
	return p, members, err
}

// poolOf is the pool of the numbers in a state, the last of which is that of its tours.
func poolOf(v []int64) (poolPlan, error) {
	p := poolPlan{stage: v[0], want: v[1], last: v[2], bred: v[3], idle: v[4]}
	if p.stage < noPool || p.stage >= poolStages || min(p.want, p.last, p.bred, p.idle, v[5]) < 0 ||
		p.stage > stageFilling && v[5] == 0 || p.stage == noPool && v[5] > 0 {
		return p, fmt.Errorf("ils: a state with a pool %v: %w", v, solvers.ErrState)
	}
	return p, nil
}
