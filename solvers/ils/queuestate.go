package ils

import (
	"fmt"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/assembly"
)

func (s *queue) Snapshot(w *solvers.Writer) {
	flag := int64(0)
	if s.descend {
		flag = 1
	}
	if s.other {
		flag |= 2
	}
	w.Int64s("chains", int64(len(s.tours)), flag, s.bestLen)
	w.Int32s("best", s.best)
	w.Int64s("lengths", s.lengths...)
	for _, t := range s.tours {
		w.Int32s("tour", t)
	}
	w.Int64s("cycle", s.made, int64(len(s.bases)))
	for _, t := range s.bases {
		w.Int32s("base", t)
	}
	s.mating.snapshot(w)
}

// Restore reads the whole state. If the parameters have another number of chains than the state, or
// another rule of what is kept, that has the same effect as a change of the parameter.
func (s *queue) Restore(r *solvers.Reader) error {
	head := r.Int64s("chains", 3)
	best := r.Int32s("best", -1)
	lengths := r.Int64s("lengths", int(head[0]))
	if err := r.Err(); err != nil {
		return err
	}
	n := s.space.N
	if len(best) != n && len(best) != 0 || len(lengths) == 0 {
		return fmt.Errorf(
			"ils: a state of %d chains with a best tour of %d cities, want %d", len(lengths), len(best), n,
		)
	}
	chains := make([][]int32, len(lengths))
	for a := range chains {
		chains[a] = r.Int32s("tour", n)
	}
	cycle := r.Int64s("cycle", 2)
	if err := r.Err(); err != nil {
		return err
	}
	made, m := cycle[0], cycle[1]
	if made < 0 || m != 0 && m != int64(len(chains)) {
		return fmt.Errorf(
			"ils: a state of %d chains with a cycle of %d kicks and %d tours: %w", len(chains), made, m,
			solvers.ErrState,
		)
	}
	bases := make([][]int32, m)
	for a := range bases {
		bases[a] = r.Int32s("base", n)
	}
	if err := r.Err(); err != nil {
		return err
	}
	pool, members, err := readPool(r, n)
	if err != nil {
		return err
	}
	for a, t := range slices.Concat(chains, bases, members, [][]int32{best}) {
		if len(t) == 0 {
			continue // no search was made yet: there is no best tour
		}
		if err := datasets.CheckPermutation(t, n); err != nil {
			return fmt.Errorf("ils: the state's tour %d: %w: %w", a, err, solvers.ErrState)
		}
	}
	s.bases, s.made = bases, made
	s.tours, s.lengths, s.bestLen = chains, lengths, head[2]
	s.descend, s.other = head[1]&1 != 0, head[1]&2 != 0 && s.start == "either"
	s.best = nil
	if len(best) > 0 {
		s.best = best
	}
	s.resize()
	if was, ok := r.Params["accept"].Word(); s.accept != "annealing" && len(bases) > 0 ||
		ok && was != s.accept {
		s.endCycles()
	}
	s.mating = pool
	for _, t := range members {
		s.members = append(s.members, assembly.NewMember(s.space, t))
	}
	if s.stage > filling {
		s.fillCrossed()
	}
	if was, ok := r.Params["pool"].Float(); s.pool == 0 || ok && int(was) != s.pool {
		s.poolChanged()
	}
	return nil
}

// readPool reads what mating.snapshot wrote, and the tours of the pool apart.
func readPool(r *solvers.Reader, n int) (m mating, members [][]int32, err error) {
	v := r.Int64s("pool", 6)
	if err := r.Err(); err != nil {
		return m, nil, err
	}
	if m, err = poolOf(v); err != nil {
		return m, nil, err
	}
	for range v[5] {
		members = append(members, r.Int32s("member", n))
		if err := r.Err(); err != nil {
			return m, nil, err
		}
	}
	return m, members, nil
}

// poolOf is the pool of the numbers in a state, the last of which is that of its tours.
func poolOf(v []int64) (mating, error) {
	m := mating{stage: v[0], want: v[1], last: v[2], bred: v[3], idle: v[4]}
	if m.stage < noPool || m.stage >= poolStages || min(m.want, m.last, m.bred, m.idle, v[5]) < 0 ||
		m.stage > filling && v[5] == 0 || m.stage == noPool && v[5] > 0 {
		return m, fmt.Errorf("ils: a state with a pool %v: %w", v, solvers.ErrState)
	}
	return m, nil
}
