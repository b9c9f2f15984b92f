package ils

import (
	"cmp"
	"context"
	"slices"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/assembly"
	"metalab/solvers/record"
)

// A pool mends what single kicks cannot: which cluster is joined to which is decided by a start,
// and hardly any kick changes it. After a cycle the chains' tours and local optima from random
// starts are crossed by edge assembly: first cycle by cycle, then in blocks of cycles, each until
// some generations in turn brought no better tour. Then the chains go on from the best.

// Stages of a pool.
const (
	noPool     = iota // kicks are made
	filling           // an iteration adds local optima
	byCycles          // an iteration is a generation
	byBlocks          // the same
	poolStages        // how many there are
)

// Settings of pools, chosen on the table tours-dev.
const (
	poolChildren = 30
	poolSide     = 5       // local optima that an iteration adds, or one for each chain
	poolCities   = 1000    // for which a child may take over one cycle or block
	poolJoins    = 10      // neighbours to which subtours are joined
	poolIdle     = 10      // generations without a better tour that end a stage, or a tenth of it
	poolTours    = 1000    // no pool has more by itself,
	poolMost     = 1 << 22 // nor when its tours have more cities
)

// Purposes of draws of pools.
const (
	drawPlan     uint8 = 5
	drawChildren uint8 = 6
)

// mating is the state of the pool.
type mating struct {
	stage      int64
	want       int64             // tours that the pool is to have
	last       int64             // those of the pool before; 0: there was none
	bred, idle int64             // generations in the stage, and those in turn without a better tour
	members    []assembly.Member // what it has

	crossed *assembly.Population // made when it is needed; holds members from byCycles on
}

// beginPool begins the next pool.
func (s *queue) beginPool() {
	most := int64(min(poolTours, poolMost/s.space.N))
	s.want = max(int64(s.pool), min(2*s.last, most), 2*int64(len(s.tours)))
	s.stage, s.bred, s.idle = filling, 0, 0
}

// endPool drops the pool; the next is the first again if others were asked for.
func (s *queue) endPool(anew bool) {
	s.last = s.want
	if anew {
		s.last = 0
	}
	s.stage, s.want, s.members = noPool, 0, nil
}

// poolChanged follows a change of the number of tours.
func (s *queue) poolChanged() {
	if s.last = 0; s.pool == 0 {
		s.endPool(true)
	}
}

// mates makes an iteration of the pool and returns how many local optima it made.
func (s *queue) mates(ctx context.Context, it int64) (int, error) {
	if s.stage == filling {
		return s.fill(ctx, it)
	}
	return 0, s.cross(ctx, it)
}

// fill adds some local optima, side by side. Where costs are reduced every second one is made
// along lists by quadrants without weights, so that the pool has edges that the search's lists
// lack. What is better in one than in the tour of a chain is taken over there at once.
func (s *queue) fill(ctx context.Context, it int64) (int, error) {
	missing := int(s.want) - len(s.tours) - len(s.members)
	fresh := make([][]int32, max(0, min(max(len(s.tours), poolSide), missing)))
	errs := make([]error, len(fresh))
	at := len(s.members)
	if s.near.Pi != nil && s.plain == nil {
		s.plain = &lists{near: s.space.Quadrant(s.neighbours)}
	}
	if s.plain != nil {
		s.plain.grow(s.env.Pool.Size())
	}
	s.env.Pool.Run(len(fresh), func(i, w int) {
		of := &s.lists
		if s.near.Pi != nil && (at+i)%2 == 1 {
			of = s.plain
		}
		search, err := s.worker(of, w)
		if err != nil {
			errs[i] = err
			return
		}
		draws := arith.NewStream(s.env.Seed, uint64(it), uint32(i), drawStart)
		search.Watch(ctx)
		fresh[i] = s.space.RandomBoruvka(of.near, &draws)
		errs[i] = s.all(ctx, search, fresh[i])
		search.Store(fresh[i])
	})
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	for i, tour := range fresh {
		s.members = append(s.members, assembly.NewMember(s.space, tour))
		a := i % len(s.tours)
		s.lengths[a] += s.merge(s.tours[a], tour)
	}
	if missing <= len(fresh) {
		for _, t := range s.tours {
			s.members = append(s.members, assembly.NewMember(s.space, slices.Clone(t)))
		}
		s.stage = byCycles
		s.fillCrossed()
	}
	return len(fresh), nil
}

// fillCrossed makes the members ready to be crossed.
func (s *queue) fillCrossed() {
	if s.crossed == nil {
		s.crossed = assembly.New(s.space, s.space.Nearest(poolJoins))
		s.crossed.Progress = func(done, all int) {
			s.env.Progress.Store(uint32(int64(done) << 16 / int64(all)))
		}
	}
	s.crossed.Fill(s.members)
}

// cross makes a generation.
func (s *queue) cross(ctx context.Context, it int64) error {
	p := s.crossed
	before := p.Members[p.Best()].Length
	if err := p.Generate(ctx, s.env.Pool, assembly.Draws{
		Seed: s.env.Seed, Iteration: it, Plan: drawPlan, Children: drawChildren,
	}, assembly.Settings{
		Children: poolChildren, Cities: poolCities, Blocks: s.stage == byBlocks,
	}); err != nil {
		return err
	}
	s.members = append(s.members[:0], p.Members...)
	best := &s.members[p.Best()]
	if best.Length < s.bestLen {
		s.best, s.bestLen = append(s.best[:0], best.Tour...), best.Length
	}
	s.bred++
	if s.idle++; best.Length < before {
		s.idle = 0
	}
	if s.idle >= max(poolIdle, s.bred/10) {
		s.stage, s.bred, s.idle = s.stage+1, 0, 0
	}
	if s.stage == poolStages || s.alike() {
		s.leave()
	}
	return nil
}

// alike tells whether all members are equally long.
func (s *queue) alike() bool {
	for i := range s.members {
		if s.members[i].Length != s.members[0].Length {
			return false
		}
	}
	return true
}

// leave ends the pool: the chains go on from its shortest tours where these are shorter.
func (s *queue) leave() {
	slices.SortStableFunc(s.members, func(a, b assembly.Member) int {
		return cmp.Compare(a.Length, b.Length)
	})
	for a := range s.tours {
		if m := &s.members[min(a, len(s.members)-1)]; m.Length < s.lengths[a] {
			copy(s.tours[a], m.Tour)
			s.lengths[a] = m.Length
		}
	}
	for a := range s.bases {
		copy(s.bases[a], s.tours[a])
	}
	s.endPool(false)
}

// tell adds the pool to a point.
func (m *mating) tell(p *record.Point) {
	p.Measures[2] = float64(len(m.members))
	if len(m.members) == 0 {
		return
	}
	sum := 0.0
	for i := range m.members {
		p.IterBest = min(p.IterBest, float64(m.members[i].Length))
		sum += float64(m.members[i].Length)
		p.Digest = arith.Chain(p.Digest, m.members[i].Hash)
	}
	if m.stage > filling {
		p.Mean = sum / float64(len(m.members))
	}
}

func (m *mating) snapshot(w *solvers.Writer) {
	w.Int64s("pool", m.stage, m.want, m.last, m.bred, m.idle, int64(len(m.members)))
	for i := range m.members {
		w.Int32s("member", m.members[i].Tour)
	}
}
