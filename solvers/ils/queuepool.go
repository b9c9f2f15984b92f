package ils

import (
	"cmp"
	"context"
	"slices"

	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/tours"
)

// What a start decides, as which cluster is joined to which, hardly any kick changes. With pool,
// the default up to 200,000 cities, each cycle is followed by a pool: each iteration adds five
// local optima from random starts, or one for each chain, side by side. When there are enough, they
// and the chains' tours are crossed by edge assembly (package assembly), a generation an iteration,
// first cycle by cycle and then in blocks. A stage ends when ten generations, or a tenth of them,
// brought no better tour. The chains go on from the best. A local optimum takes less time than a
// tenth of a kick a city, so the first pool is complete soon after the kicks before it; each
// further one has twice as many tours, up to 1000 tours or 4,194,304 cities in all. Half of the
// local optima are made along lists by quadrants without weights, as alpha-near lists lack edges.
// Of the cycles of A and B that gain a child takes over one for so many as 1000 cities: with one of
// all, the generations that 10,000 cities need grow with their number. The measure pool is the
// number of tours there are. While a pool is made the search hardly gains, so the cycles before are
// of 0.5 kicks a city, of 0.75 from 8000 cities on. From 20,000 to 50,000 cities they are of 0.1:
// kicks there stand still above what a pool finds. Local optima of pools are searched as after a
// kick, but in both directions, where lists are sparse: more of them in the same time are worth
// more than better ones. What pools gain is in the tables ils-pools and ils-pools-large.

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

// fill adds some local optima, side by side. What is better in one than in the tour of a chain is
// taken over there at once. When there are enough the chains' tours are added, and the crossing
// begins.
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

// optima makes so many local optima from random starts. Where costs are reduced every second one is
// made along lists by quadrants without weights, so that the pool has edges that the search's lists
// lack.
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
