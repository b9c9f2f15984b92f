package genetic

import (
	"context"
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
	for len(s.hands) < s.env.Pool.Size() {
		s.hands = append(s.hands, nil)
	}
	s.cut.Store(false)
	s.env.Progress.Store(0)
	replaced, made, cycles := 0, 0, 0
	if len(s.genes) == 0 {
		if err := s.first(ctx); err != nil {
			return err
		}
		s.recount()
		p.Evals = int64(len(s.genes))
	} else {
		if err := s.bear(ctx, it); err != nil {
			return err
		}
		replaced, made, cycles = s.tally()
		p.Evals = int64(made)
	}
	at := s.lead()
	p.IterBest = float64(s.genes[at].length)
	p.Mean, p.Digest = summary(s.genes)
	p.Measures[0], p.Measures[1] = diversity(s.genes, at), s.spread()
	p.Measures[2], p.Measures[3] = share(replaced, len(s.genes)), float64(made)
	p.Measures[4] = share(cycles, len(s.genes))
	return nil
}

// first makes the first population: random tours, each brought to an optimum of 2-opt.
func (s *assembly) first(ctx context.Context) error {
	genes := make([]gene, s.population)
	searches := make([]*tours.Search, s.env.Pool.Size())
	errs := make([]error, len(searches))
	var done progress
	s.env.Pool.Run(len(genes), func(i, w int) {
		if s.cut.Load() {
			return
		}
		if ctx.Err() != nil {
			s.cut.Store(true)
			return
		}
		if searches[w] == nil {
			if searches[w], errs[w] = tours.NewSearch(
				s.space, s.near, tours.DefaultSettings(),
			); errs[w] != nil {
				s.cut.Store(true)
				return
			}
			searches[w].Watch(ctx)
		}
		r := arith.NewStream(s.env.Seed, 0, uint32(i), drawStart)
		var t []int32
		if i == 0 && s.given != nil {
			t = s.space.FromInstance(s.given)
		} else {
			t = s.space.Random(&r)
		}
		searches[w].Improve(t, nil, tours.TwoOpt)
		genes[i] = gene{tour: t, length: s.space.Length(t), hash: arith.HashPerm(t)}
		done.one(s.env.Progress, len(genes))
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.genes = genes
	return nil
}

// recount makes the counts of the edges anew.
func (s *assembly) recount() {
	s.count = edges{}
	for i := range s.genes {
		s.count.addTour(s.genes[i].tour)
	}
}

// squad is how many couples are made side by side.
const squad = 10

// bear makes the kids of all couples: the tours stand in a ring in random order, and each is
// the first parent once, the one behind it the second. They are made in squads; the next squad
// counts the edges as the squads before left them, which keeps what few tours still have from
// being given up by many at once. When ctx ends the population is as it was before.
func (s *assembly) bear(ctx context.Context, it int64) error {
	m := len(s.genes)
	s.ring = s.ring[:0]
	for i := range m {
		s.ring = append(s.ring, int32(i))
	}
	r := arith.NewStream(s.env.Seed, uint64(it), 0, drawPlan)
	r.Shuffle(s.ring)
	for len(s.born) < m {
		s.born = append(s.born, offspring{})
		s.spare = append(s.spare, make([]int32, s.space.N))
	}
	s.before = append(s.before[:0], s.genes...)
	var done progress
	for lo := 0; lo < m; lo += squad {
		hi := min(lo+squad, m)
		s.env.Pool.Run(hi-lo, func(i, w int) {
			if s.cut.Load() {
				return
			}
			if ctx.Err() != nil {
				s.cut.Store(true)
				return
			}
			if s.hands[w] == nil {
				s.hands[w] = newKids(s.space, s.near)
			}
			s.couple(ctx, it, s.ring[lo+i], s.ring[(lo+i+1)%m], s.hands[w])
			done.one(s.env.Progress, m)
		})
		if ctx.Err() != nil {
			s.takeBack(s.ring[:lo])
			return ctx.Err()
		}
		s.commit(s.ring[lo:hi])
	}
	return nil
}

// couple makes the kids of tours a and b and keeps the best in born[a]; not all of them when
// ctx ends.
func (s *assembly) couple(ctx context.Context, it int64, a, b int32, k *kids) {
	out := &s.born[a]
	out.tour, out.kids, out.cycles = nil, 0, 0
	if s.space.N < 4 || s.genes[a].hash == s.genes[b].hash {
		return
	}
	r := arith.NewStream(s.env.Seed, uint64(it), uint32(a), drawKids)
	k.load(s.genes[a].tour, s.genes[b].tour)
	k.split(&r)
	out.cycles = k.count()
	best := s.try(ctx, &r, k, out, false)
	if best == 0 && out.cycles > 1 {
		best = s.try(ctx, &r, k, out, true)
	}
	if best > 0 {
		out.tour = s.spare[a]
		k.tour(out.tour, &out.change)
		out.hash = arith.HashPerm(out.tour)
	}
}

// try makes kids of the couple in k, each of another cycle in random order or, with blocks, of the
// block round another one, and keeps the best in out. It returns the score of that.
func (s *assembly) try(
	ctx context.Context, r *arith.Stream, k *kids, out *offspring, blocks bool,
) float64 {
	k.live = k.live[:0] // empty after split: now the cycles not tried yet
	for c := range out.cycles {
		k.live = append(k.live, int32(c))
	}
	if blocks {
		k.owners()
	}
	best := 0.0
	for i := range min(s.kids, out.cycles) {
		if i%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		j := i + r.IntN(out.cycles-i)
		c := k.live[j]
		k.live[j] = k.live[i]
		if k.set = append(k.set[:0], c); blocks {
			if k.block(c); len(k.set) == 1 {
				continue // it was tried, or there are enough others
			}
		}
		out.kids++
		k.apply(k.set)
		if score := s.score(&k.kid); score > best {
			best = score
			k.keep()
			out.change.copyFrom(&k.kid)
		}
		k.undo()
	}
	k.live = k.live[:0]
	return best
}

// score tells how good a kid is; only above 0 it may replace its parent.
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

// commit puts the best kids of some tours in the places of these.
func (s *assembly) commit(of []int32) {
	for _, i := range of {
		o, g := &s.born[i], &s.genes[i]
		g.child = o.tour != nil
		if !g.child {
			continue
		}
		s.spare[i] = g.tour
		g.tour, g.length, g.hash = o.tour, g.length-o.change.gain, o.hash
		s.recite(&o.change, 1)
	}
}

// takeBack undoes commit: s.before holds the population as it was.
func (s *assembly) takeBack(of []int32) {
	for _, i := range of {
		if o := &s.born[i]; o.tour != nil {
			s.spare[i] = o.tour
			s.recite(&o.change, -1)
		}
		s.genes[i] = s.before[i]
	}
}

// recite counts a change of a tour, or with by = -1 takes it back.
func (s *assembly) recite(c *change, by int32) {
	for _, e := range c.cut {
		s.count.add(e[0], e[1], -by)
	}
	for _, e := range c.new {
		s.count.add(e[0], e[1], by)
	}
}

// tally sums up what the couples of a generation did.
func (s *assembly) tally() (replaced, made, cycles int) {
	for i := range s.genes {
		o := &s.born[i]
		made += o.kids
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
	sum := make([]int64, len(s.genes)+1)
	for _, f := range s.count.count {
		sum[f]++
	}
	h := 0.0
	for f, times := range sum {
		h += float64(s.entropy[f] * float64(times))
	}
	return h / float64(s.space.N)
}
