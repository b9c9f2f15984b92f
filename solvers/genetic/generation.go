package genetic

import (
	"context"
	"math"
	"slices"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Purposes of draws; see Variant.Layout.
const (
	drawStart    uint8 = 1
	drawPlan     uint8 = 2
	drawMutation uint8 = 3
	drawExchange uint8 = 4
	drawKids     uint8 = 5
)

// Init makes no tour: the first population is made by the first iteration, which
// can be cancelled.
func (g *rivals) Init(env *solvers.Env) error {
	g.env = env
	env.Pool.Resize(g.workers)
	var err error
	if g.space, err = tours.NewSpace(g.inst); err != nil {
		return err
	}
	if g.start == startMinima {
		_, err = tours.NewSearch(g.space, g.list(), tours.DefaultSettings())
	}
	return err
}

// list returns the lists of neighbours.
func (g *rivals) list() tours.Neighbours {
	if g.near.ID == nil {
		g.near = g.space.Nearest(nearest)
	}
	return g.near
}

func (g *rivals) Changed(names []string) {
	if slices.Contains(names, "workers") {
		g.env.Pool.Resize(g.workers)
	}
}

// hand returns the scratch memory of worker w; it has no memory of the children before.
func (g *rivals) hand(w int) *hand {
	h := g.hands[w]
	if h == nil {
		h = &hand{cross: newCrosser(g.space), mutate: mutator{sp: g.space, near: g.near}}
		g.hands[w] = h
	}
	return h
}

func (g *rivals) Iterate(ctx context.Context, it int64, p *record.Point) error {
	for len(g.hands) < g.env.Pool.Size() {
		g.hands = append(g.hands, nil)
	}
	g.cut.Store(false)
	won, better, born := 0, 0, 0
	if len(g.genes) == 0 {
		first, err := g.first(ctx)
		if err != nil {
			return err
		}
		g.genes = first
		p.Evals = int64(len(first))
	} else {
		won, born = g.compete(it)
		if err := g.bear(ctx, it); err != nil {
			return err
		}
		better = g.commit()
		p.Evals = int64(len(g.plan))
		if g.exchange > 0 && it%int64(g.exchange) == 0 {
			g.migrate(it)
		}
	}
	g.finish(p)
	p.Measures[2], p.Measures[3] = share(won, born), share(better, len(g.plan))
	return nil
}

func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

// bounds are the places of group k.
func (g *rivals) bounds(k, groups int) (lo, hi int) {
	return k * len(g.genes) / groups, (k + 1) * len(g.genes) / groups
}

// active is the number of groups that are made.
func (g *rivals) active() int { return max(1, min(g.groups, len(g.genes)/4)) }

// compete orders the population anew in next and plans the children of iteration it. In each
// group places 2i and 2i + 1 are rivals: the shorter tour goes to place i, the longer one
// behind all winners. Winners 2j and 2j + 1 are partners; their children take the places of
// losers j and, the second ones, of those behind. It returns how many of the children of the
// generation before won, and how many there were.
func (g *rivals) compete(it int64) (won, born int) {
	g.next = append(g.next[:0], g.genes...)
	g.plan = g.plan[:0]
	groups := g.active()
	for k := range groups {
		lo, hi := g.bounds(k, groups)
		pairs := (hi - lo) / 2
		winners := hi - lo - pairs
		for i := range pairs {
			a, b := &g.genes[lo+2*i], &g.genes[lo+2*i+1]
			if b.length < a.length {
				a, b = b, a
			}
			g.next[lo+i], g.next[lo+winners+i] = *a, *b
			if a.child {
				won++
			}
		}
		if winners > pairs { // the last has no rival
			g.next[lo+pairs] = g.genes[hi-1]
		}
		g.couple(it, lo, winners, pairs)
	}
	for i := range g.genes {
		if g.genes[i].child {
			born++
		}
	}
	for i := range g.next {
		g.next[i].child = false
	}
	return won, born
}

// couple plans the children of the group from place lo on, with so many winners and losers.
func (g *rivals) couple(it int64, lo, winners, losers int) {
	couples := winners / 2
	for j := range couples {
		a, b := lo+2*j, lo+2*j+1
		first, second := g.crossover, g.crossover
		r := arith.NewStream(g.env.Seed, uint64(it), uint32(a), drawPlan)
		if g.crossover == crossHybrid {
			first, second = crossARX, crossARX
			if r.Float64() < 2*g.share {
				first = crossBCSCX
			}
			if r.Float64() < 2*g.share-1 {
				second = crossBCSCX
			}
		}
		from, to := 0, 0
		if first == crossARX || second == crossARX {
			from, to = switches(g.space.N, &r)
		}
		g.plan = append(
			g.plan, birth{slot: lo + winners + j, a: a, b: b, cross: first, from: from, to: to},
		)
		if two := g.crossover == crossARX || g.crossover == crossHybrid; two && couples+j < losers {
			// The parents have each other's roles.
			g.plan = append(g.plan, birth{
				slot: lo + winners + couples + j, a: b, b: a, cross: second, from: from, to: to,
			})
		}
	}
}

// bear makes the planned children; it leaves the population alone.
func (g *rivals) bear(ctx context.Context, it int64) error {
	for len(g.spare) < len(g.plan) {
		g.spare = append(g.spare, make([]int32, g.space.N))
	}
	if g.mutation > 0 && g.move == moveGaining && !g.inst.Asymmetric {
		g.list()
	}
	g.env.Progress.Store(0)
	var done progress
	g.env.Pool.Run(len(g.plan), func(i, w int) {
		if g.cut.Load() {
			return
		}
		if ctx.Err() != nil {
			g.cut.Store(true)
			return
		}
		g.child(ctx, it, &g.plan[i], g.spare[i], g.hand(w))
		done.one(g.env.Progress, len(g.plan))
	})
	return ctx.Err()
}

// child makes one child in tour; when ctx ends it is not whole.
func (g *rivals) child(ctx context.Context, it int64, b *birth, tour []int32, h *hand) {
	r := arith.NewStream(g.env.Seed, uint64(it), uint32(b.slot), drawMutation)
	first := g.space.Internal[0]
	if g.origin == originDrawn {
		first = int32(r.IntN(g.space.N))
	}
	mother, father := &g.next[b.a], &g.next[b.b]
	b.out = gene{tour: tour, child: true}
	switch b.cross {
	case crossSCX:
		b.out.length = h.cross.scx(tour, mother.tour, father.tour, first)
	case crossBCSCX:
		b.out.length = h.cross.bcscx(tour, mother.tour, father.tour, first)
	default:
		b.out.length = h.cross.arx(tour, mother.tour, father.tour, first, b.from, b.to)
	}
	if g.mutation > 0 && r.Float64() < g.mutation {
		if g.move == moveGaining && !g.inst.Asymmetric {
			h.mutate.near = g.near
			b.out.length += h.mutate.gaining(ctx, tour, g.moves, &r)
		} else {
			for i := range g.moves {
				if i%lookEvery == 0 && ctx.Err() != nil {
					return
				}
				b.out.length += h.mutate.random(tour, &r)
			}
		}
	}
	b.better = b.out.length < min(mother.length, father.length)
	b.out.hash = arith.HashPerm(tour)
}

// commit puts the children in their places and returns how many are shorter than both parents.
func (g *rivals) commit() (better int) {
	for i := range g.plan {
		b := &g.plan[i]
		g.spare[i] = g.next[b.slot].tour
		g.next[b.slot] = b.out
		if b.better {
			better++
		}
	}
	g.genes, g.next = g.next, g.genes
	return better
}

// migrate copies the best of each group over the longest of a random other group.
func (g *rivals) migrate(it int64) {
	groups := g.active()
	if groups < 2 {
		return
	}
	best := make([]int, groups)
	for k := range groups {
		lo, hi := g.bounds(k, groups)
		best[k] = lo + shortest(g.genes[lo:hi])
	}
	for k, from := range best {
		r := arith.NewStream(g.env.Seed, uint64(it), uint32(k), drawExchange)
		to := (k + 1 + r.IntN(groups-1)) % groups
		lo, hi := g.bounds(to, groups)
		at := lo
		for i := lo; i < hi; i++ {
			if i != best[to] && (at == best[to] || g.genes[i].length >= g.genes[at].length) {
				at = i
			}
		}
		a, b := &g.genes[at], &g.genes[from]
		copy(a.tour, b.tour)
		a.length, a.hash, a.child = b.length, b.hash, false
	}
}

// shortest is the first place with the shortest tour.
func shortest(genes []gene) int {
	at := 0
	for i := range genes {
		if genes[i].length < genes[at].length {
			at = i
		}
	}
	return at
}

// finish takes over the best tour and fills p.
func (g *rivals) finish(p *record.Point) {
	at := g.lead()
	p.IterBest = float64(g.genes[at].length)
	p.Mean, p.Digest = summary(g.genes)
	p.Measures[0], p.Measures[1] = diversity(g.genes, at), different(g.genes)
}

// summary is the mean length and the digest of a population.
func summary(genes []gene) (mean float64, digest uint64) {
	var sum int64
	for i := range genes {
		sum += genes[i].length
		digest = arith.Chain(digest, genes[i].hash)
	}
	return math.Max(float64(sum)/float64(len(genes)), float64(genes[shortest(genes)].length)), digest
}
