package genetic

import (
	"cmp"
	"context"
	"math"
	"slices"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Init makes no tour: the first population is made by the first iteration, which
// can be cancelled.
func (s *assembly) Init(env *solvers.Env) error {
	s.env = env
	env.Pool.Resize(s.workers)
	var err error
	if s.space, err = tours.NewSpace(s.inst); err != nil {
		return err
	}
	s.near = s.space.Nearest(nearest)
	s.entropy = entropyTable(s.population)
	return nil
}

func (s *assembly) Changed(names []string) {
	if slices.Contains(names, "workers") {
		s.env.Pool.Resize(s.workers)
	}
}

func (s *assembly) Iterate(ctx context.Context, it int64, p *record.Point) error {
	for len(s.scratch) < s.env.Pool.Size() {
		s.scratch = append(s.scratch, nil)
	}
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
		replaced, made, cycles = s.sums()
		p.Evals = int64(made)
	}
	at := s.lead()
	s.stage.next(s.bestLen < best, s.children)
	p.IterBest = float64(s.members[at].length)
	p.Mean, p.Digest = summary(s.members)
	p.Measures[0], p.Measures[1] = diversity(s.env.Pool, s.members, at), s.spread()
	p.Measures[2], p.Measures[3] = share(replaced, len(s.members)), float64(made)
	p.Measures[4], p.Measures[5] = share(cycles, len(s.members)), float64(s.stage.number)
	return nil
}

// nearestOfStart is the number of neighbours that moves of the start lead to. With ten, edges that
// lead across rows of a drilling pattern are in no tour, and no child of d1291 can be the optimum.
const nearestOfStart = 50

// first makes the first population: random tours, each brought to an optimum of 2-opt.
func (s *assembly) first(ctx context.Context) error {
	members := make([]individual, s.population)
	own := newDescents(
		s.space, s.space.Nearest(nearestOfStart), tours.DefaultSettings(), s.env.Pool,
	)
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
func (s *assembly) recount() {
	s.count = edges{}
	for i := range s.members {
		s.count.addTour(s.members[i].tour)
	}
}

// batch is how many couples are made side by side.
const batch = 10

// reproduce makes the children of all couples: the tours stand in a ring in random order, and each
// is the first parent once, the one behind it the second. They are made in batches; the next batch
// counts the edges as the batches before left them, which keeps what few tours still have from
// being given up by many at once. When ctx ends the population is as it was before.
func (s *assembly) reproduce(ctx context.Context, it int64) error {
	m := len(s.members)
	s.ring = s.ring[:0]
	for i := range m {
		s.ring = append(s.ring, int32(i))
	}
	r := arith.NewStream(s.env.Seed, uint64(it), 0, drawPlan)
	r.Shuffle(s.ring)
	for len(s.offspring) < m {
		s.offspring = append(s.offspring, offspring{})
		s.spare = append(s.spare, make([]int32, s.space.N))
	}
	s.before = append(s.before[:0], s.members...)
	var done progress
	for lo := 0; lo < m; lo += batch {
		hi := min(lo+batch, m)
		s.env.Pool.Run(hi-lo, func(i, w int) {
			if s.cut.Load() {
				return
			}
			if ctx.Err() != nil {
				s.cut.Store(true)
				return
			}
			if s.scratch[w] == nil {
				s.scratch[w] = newAssembler(s.space, s.near)
			}
			s.couple(ctx, it, s.ring[lo+i], s.ring[(lo+i+1)%m], s.scratch[w])
			done.one(s.env.Progress, m)
		})
		if ctx.Err() != nil {
			s.undoCommit(s.ring[:lo])
			return ctx.Err()
		}
		s.commit(s.ring[lo:hi])
	}
	return nil
}

// couple makes the children of tours a and b and keeps the best in offspring[a]; not all of them
// when ctx ends.
func (s *assembly) couple(ctx context.Context, it int64, a, b int32, k *assembler) {
	out := &s.offspring[a]
	out.tour, out.children, out.cycles = nil, 0, 0
	if s.space.N < 4 || s.members[a].hash == s.members[b].hash {
		return
	}
	r := arith.NewStream(s.env.Seed, uint64(it), uint32(a), drawChildren)
	k.load(s.members[a].tour, s.members[b].tour)
	inBlocks := s.stage.number > 1
	most := s.children
	if inBlocks {
		most = math.MaxInt
	}
	k.split(&r, most)
	out.cycles = k.count()
	surplus := s.members[a].length - s.members[b].length
	best := s.try(ctx, &r, k, out, surplus, inBlocks)
	if best > 0 {
		out.tour = s.spare[a]
		k.tour(out.tour, &out.change)
		out.hash = arith.HashPerm(out.tour)
	}
}

// try makes children of the couple in k, each of another cycle in random order or, with blocks, of
// the block round one of the longest, and keeps the best in out. It returns the score of that.
func (s *assembly) try(
	ctx context.Context, r *arith.Stream, k *assembler, out *offspring, surplus int64, inBlocks bool,
) float64 {
	k.live = k.live[:0] // empty after split: now the cycles not tried yet
	for c := range out.cycles {
		k.live = append(k.live, int32(c))
	}
	if inBlocks {
		k.owners()
		slices.SortStableFunc(k.live, func(a, b int32) int {
			return cmp.Compare(len(k.cycle(b)), len(k.cycle(a)))
		})
	}
	best := 0.0
	for i := range min(s.children, out.cycles) {
		if i%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		c := k.live[i]
		if inBlocks {
			k.block(c, r)
		} else {
			j := i + r.IntN(out.cycles-i)
			c = k.live[j]
			k.live[j] = k.live[i]
			k.set = append(k.set[:0], c)
		}
		out.children++
		k.apply(k.set)
		// A child that is as long as B is mostly B.
		if score := s.score(&k.child); score > best && k.child.gain != surplus {
			best = score
			k.keep()
			out.change.copyFrom(&k.child)
		}
		k.undo()
	}
	k.live = k.live[:0]
	return best
}

// score tells how good a child is; only above 0 it may replace its parent.
func (s *assembly) score(c *change) float64 {
	if c.gain <= 0 {
		return 0
	}
	if s.replacement == replaceGreedy {
		return float64(c.gain)
	}
	const little = 1e-9
	loss := 0.0
	for _, e := range c.cut {
		f := s.count.of(e[0], e[1])
		loss += s.entropy[f] - s.entropy[f-1]
	}
	for _, e := range c.new {
		f := s.count.of(e[0], e[1])
		loss -= s.entropy[f+1] - s.entropy[f]
	}
	return float64(c.gain) / max(loss, little)
}

// commit puts the best children of some tours in the places of these.
func (s *assembly) commit(of []int32) {
	for _, i := range of {
		o, g := &s.offspring[i], &s.members[i]
		g.child = o.tour != nil
		if !g.child {
			continue
		}
		s.spare[i] = g.tour
		g.tour, g.length, g.hash = o.tour, g.length-o.change.gain, o.hash
		s.countChange(&o.change, 1)
	}
}

// undoCommit undoes commit: s.before holds the population as it was.
func (s *assembly) undoCommit(of []int32) {
	for _, i := range of {
		if o := &s.offspring[i]; o.tour != nil {
			s.spare[i] = o.tour
			s.countChange(&o.change, -1)
		}
		s.members[i] = s.before[i]
	}
}

// countChange counts a change of a tour, or with by = -1 takes it back.
func (s *assembly) countChange(c *change, by int32) {
	for _, e := range c.cut {
		s.count.add(e[0], e[1], -by)
	}
	for _, e := range c.new {
		s.count.add(e[0], e[1], by)
	}
}

// sums sums up what the couples of a generation did.
func (s *assembly) sums() (replaced, made, cycles int) {
	for i := range s.members {
		o := &s.offspring[i]
		made += o.children
		cycles += o.cycles
		if o.tour != nil {
			replaced++
		}
	}
	return replaced, made, cycles
}

// spread is the entropy of the population's edges, in bits a city: the sum over the edges of
// -(f/m) log2(f/m), where f of m tours have the edge, over the number of cities.
func (s *assembly) spread() float64 {
	sum := make([]int64, len(s.members)+1)
	for _, f := range s.count.count {
		sum[f]++
	}
	h := 0.0
	for f, times := range sum {
		h += float64(s.entropy[f] * float64(times))
	}
	return h / float64(s.space.N)
}
