package ils

import (
	"cmp"
	"context"
	"slices"

	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/tours"
)

// Hardly any kick changes the decisions of a start, such as which clusters are neighbours. With
// pool, the default up to 200,000 cities, a pool follows each cycle: each iteration adds five local
// optima from random starts, or one for each chain, in parallel. When there are enough, edge
// assembly (package assembly) crosses them and the chains' tours, with one generation per
// iteration, first cycle by cycle and then in blocks. A stage ends when ten generations, or a tenth
// of them, brought no better tour. The chains continue from the best. A local optimum takes less
// time than a tenth of a kick a city, so the first pool is complete soon after the kicks before it;
// each further one has twice as many tours, up to 1000 tours or 4,194,304 cities in all. Half of
// the local optima use lists by quadrants without weights, as alpha-near lists lack edges. A child
// receives one gaining cycle of A and B per 1000 cities: with a single one, the number of
// generations for 10,000 cities grows with their number. The measure pool is the number of tours in
// the pool. During a pool the search hardly gains, so the cycles before are of 0.5 kicks a city, of
// 0.75 from 8000 cities on. From 20,000 to 50,000 cities they are of 0.1: kicks there stand still
// above what a pool finds. With sparse lists, the local optima of pools use the search after a
// kick, but in both directions: more of them in the same time are worth more than better ones. The
// tables ils-pools and ils-pools-large show the gains of pools.

// Purposes of draws of pools.
const (
	drawPlan     uint8 = 5
	drawChildren uint8 = 6
)

// poolChanged follows a change of the number of tours.
func (s *queue) poolChanged() {
	if s.plan.Last = 0; s.param.pool == 0 {
		s.plan.End(true)
		s.pool.Members = nil
	}
}

// fill adds some local optima, in parallel. Their better parts go into the chains' tours at once.
// When there are enough, it adds the chains' tours, and the crossing begins.
func (s *queue) fill(ctx context.Context, it int64) (effort, error) {
	missing := int(s.plan.Want) - len(s.tours) - len(s.pool.Members)
	fresh, err := s.optima(ctx, it, max(0, min(max(len(s.tours), assembly.PoolSide), missing)))
	if err != nil {
		return effort{}, err
	}
	for i, tour := range fresh {
		s.pool.Members = append(s.pool.Members, assembly.NewMember(s.space, tour))
		a := i % len(s.tours)
		s.lengths[a] += s.merge(s.tours[a], tour)
	}
	if missing <= len(fresh) {
		for _, t := range s.tours {
			s.pool.Members = append(s.pool.Members, assembly.NewMember(s.space, slices.Clone(t)))
		}
		s.plan.Filled()
		s.startCrossing()
	}
	return effort{searches: int64(len(fresh))}, nil
}

// optima returns count local optima from random starts. With reduced costs, every second one uses
// lists by quadrants without weights, so that the pool has edges that the search's lists lack.
func (s *queue) optima(ctx context.Context, it int64, count int) ([][]int32, error) {
	made, errs := make([][]int32, count), make([]error, count)
	at := len(s.pool.Members)
	if s.local.near.Pi != nil && s.local.plain == nil {
		s.local.plain = &lists{near: s.space.Quadrant(s.param.near.neighbours)}
	}
	if s.local.plain != nil {
		s.local.plain.grow(s.env.Pool.Size())
	}
	s.env.Pool.Run(count, func(i, w int) {
		of := &s.local.lists
		if s.local.near.Pi != nil && (at+i)%2 == 1 {
			of = s.local.plain
		}
		var search *tours.Search
		if search, errs[i] = s.worker(of, w); errs[i] != nil {
			return
		}
		draws := arith.NewStream(s.env.Seed, uint64(it), uint32(i), drawStart)
		search.Watch(ctx)
		made[i] = s.space.RandomBoruvka(of.near, &draws)
		errs[i] = s.allBy(ctx, search, made[i], s.forPool())
		search.Store(made[i])
	})
	return made, cmp.Or(errs...)
}

// startCrossing makes the members ready to be crossed.
func (s *queue) startCrossing() { s.pool.Start(s.space, s.env) }

// cross makes a generation. After the last the chains go on from the shortest tours.
func (s *queue) cross(ctx context.Context, it int64) error {
	over, err := s.pool.Cross(ctx, s.env, &s.plan.Plan, assembly.Draws{
		Seed: s.env.Seed, Iteration: it, Plan: drawPlan, Children: drawChildren,
	})
	if err != nil {
		return err
	}
	best := s.pool.Best()
	s.best.offer(best.Tour, best.Length)
	if over {
		s.leavePool()
	}
	return nil
}

// leavePool ends the pool: the chains go on from its shortest tours where these are shorter.
func (s *queue) leavePool() {
	members := s.pool.Ranked()
	for a := range s.tours {
		if m := &members[min(a, len(members)-1)]; m.Length < s.lengths[a] {
			copy(s.tours[a], m.Tour)
			s.lengths[a] = m.Length
		}
	}
	for a := range s.bases {
		copy(s.bases[a], s.tours[a])
	}
	s.plan.End(false)
	s.pool.Members = nil
}
