package genetic

import (
	"context"
	"fmt"
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
	drawChildren uint8 = 5
	drawBlock    uint8 = 6
)

// Init builds no tour: the first iteration builds the first population, and can be cancelled.
func (g *tournament) Init(env *solvers.Env) error {
	g.env = env
	env.Pool.Resize(g.workers)
	if g.descending() && g.inst.Asymmetric {
		return fmt.Errorf(
			"ga: start=%s turns paths round, and %s is asymmetric; want nn, minima or random",
			g.start, g.inst.Title,
		)
	}
	var err error
	if g.space, err = tours.NewSpace(g.inst); err != nil || g.far == nil {
		return err
	}
	return g.far.begin(g)
}

// list returns the lists of neighbours.
func (g *tournament) list() tours.Neighbours {
	if g.near.ID == nil {
		g.near = g.space.Nearest(nearest)
	}
	return g.near
}

func (g *tournament) Changed(names []string) {
	if slices.Contains(names, "workers") {
		g.env.Pool.Resize(g.workers)
	}
}

// scratchOf returns the scratch memory of worker w; it has no memory of the children before.
func (g *tournament) scratchOf(w int) *scratch {
	h := g.scratch[w]
	if h == nil {
		h = &scratch{cross: newCrossing(g.space), mutate: mutator{sp: g.space, near: g.near}}
		g.scratch[w] = h
	}
	return h
}

func (g *tournament) Iterate(ctx context.Context, it int64, p *record.Point) error {
	for len(g.scratch) < g.env.Pool.Size() {
		g.scratch = append(g.scratch, nil)
	}
	g.cut.Store(false)
	won, better, bred, children := 0, 0, 0, 0
	if g.far != nil && g.far.err != nil {
		return g.far.err
	}
	if len(g.members) == 0 {
		made, err := g.begin(ctx)
		if err != nil {
			return err
		}
		p.Evals = made
	} else {
		won, bred = g.compete(it)
		if err := g.reproduce(ctx, it); err != nil {
			return err
		}
		g.copyWinners()
		p.Evals = int64(len(g.plan))
		children, better = g.commit()
		if g.elite != eliteNone {
			g.keep()
		}
		if g.exchange > 0 && it%int64(g.exchange) == 0 {
			g.migrate(it)
		}
	}
	if err := g.finish(p); err != nil {
		return err
	}
	p.Measures[2], p.Measures[3] = share(won, bred), share(better, children)
	return nil
}

func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

// begin stores the first population, and returns the number of tours built for it.
func (g *tournament) begin(ctx context.Context) (made int64, err error) {
	if g.far == nil {
		g.members, made, err = g.first(ctx)
		return made, err
	}
	g.members, made, err = g.far.first(ctx, g)
	return made, err
}

// bounds are the places of group k.
func (g *tournament) bounds(k, groups int) (lo, hi int) {
	return k * len(g.members) / groups, (k + 1) * len(g.members) / groups
}

// active returns the number of groups in use.
func (g *tournament) active() int { return max(1, min(g.groups, len(g.members)/4)) }

// compete orders the population anew in next and plans the tours of iteration it. In each group
// the shorter of two rivals goes to place i, the longer one behind all winners. Winners 2j and
// 2j + 1 are partners; their children take the places of losers. It returns how many of the
// children of the generation before won, and how many there were.
func (g *tournament) compete(it int64) (won, bred int) {
	g.next = append(g.next[:0], g.members...)
	g.plan, g.copies = g.plan[:0], g.copies[:0]
	groups := g.active()
	for k := range groups {
		lo, hi := g.bounds(k, groups)
		pairs := (hi - lo) / 2
		winners := hi - lo - pairs
		for i := range pairs {
			p, q := lo+2*i, lo+2*i+1
			if g.pairing == pairHalf {
				p, q = lo+i, lo+winners+i
			}
			if g.members[q].length < g.members[p].length {
				if g.pairing == pairHalf { // the winner is copied to place p, and stays at q too
					g.copies = append(g.copies, [2]int{q, p})
				}
				p, q = q, p
			}
			g.next[lo+i], g.next[lo+winners+i] = g.members[p], g.members[q]
			if g.members[p].child {
				won++
			}
		}
		if winners > pairs && g.pairing == pairNext { // the last has no rival
			g.next[lo+pairs] = g.members[hi-1]
		}
		g.couple(it, lo, hi)
	}
	for i := range g.members {
		if g.members[i].child {
			bred++
		}
	}
	for i := range g.next {
		g.next[i].child = false
	}
	g.change(it)
	return won, bred
}

// change plans the tours that are changed and stay in their places: with mutants=all those that
// mutate, and with elite=improved the first of each group.
func (g *tournament) change(it int64) {
	g.made = append(g.made[:0], make([]bool, len(g.next))...)
	for i := range g.plan {
		g.made[g.plan[i].place] = true
	}
	if g.mutants != mutantsAll && g.elite != eliteImproved {
		return
	}
	from := make([]int, len(g.next))
	for i := range from {
		from[i] = i
	}
	for _, t := range g.copies {
		from[t[0]] = t[1]
	}
	groups, k := g.active(), 0
	for i := range g.next {
		if lo, _ := g.bounds(k, groups); k < groups && i == lo {
			k++
			if g.elite != eliteNone {
				if g.elite == eliteImproved {
					g.plan = append(g.plan, job{place: i, a: i, b: i, first: true})
					g.made[i] = true
				}
				continue
			}
		}
		if g.mutants != mutantsAll || g.made[i] {
			continue
		}
		r := arith.NewStream(g.env.Seed, uint64(it), uint32(i), drawMutation)
		if r.Float64() < g.mutation {
			g.plan = append(g.plan, job{place: i, a: from[i], b: from[i]})
			g.made[i] = true
		}
	}
}

// couple plans the children of the group of places lo to hi - 1.
func (g *tournament) couple(it int64, lo, hi int) {
	if g.couples == couplesNeighbours {
		g.coupleAll(it, lo, hi)
		return
	}
	losers := (hi - lo) / 2
	winners := hi - lo - losers
	couples := winners / 2
	behind := winners + couples // where the second children go
	if g.pairing == pairHalf {
		behind = (3*(hi-lo) + 3) / 4
	}
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
		g.plan = append(g.plan, g.parents(
			job{place: lo + winners + j, a: a, b: b, cross: first, from: from, to: to},
		))
		if two := g.crossover == crossARX || g.crossover == crossHybrid; two && lo+behind+j < hi {
			// The parents have each other's roles.
			g.plan = append(g.plan, job{
				place: lo + behind + j, a: b, b: a, cross: second, from: from, to: to,
			})
		}
	}
}

// coupleAll plans a child of each winner and the next one, in the place of each loser. The
// published loop names place m/2, which the first thread overwrites, as the last winner's partner
// where m is even; here that is the first winner.
func (g *tournament) coupleAll(it int64, lo, hi int) {
	losers := (hi - lo) / 2
	winners := hi - lo - losers
	for j := range losers {
		a, b := lo+j, lo+(j+1)%winners
		cross := g.crossover
		r := arith.NewStream(g.env.Seed, uint64(it), uint32(a), drawPlan)
		if cross == crossHybrid {
			cross = crossARX
			if r.Float64() < g.share {
				cross = crossBCSCX
			}
		}
		from, to := 0, 0
		if cross == crossARX {
			from, to = switches(g.space.N, &r)
		}
		g.plan = append(g.plan, g.parents(
			job{place: lo + winners + j, a: a, b: b, cross: cross, from: from, to: to},
		))
	}
}

// parents orders the parents of a child. That of scx takes the city of its first one in a tie, and
// does not tell the two apart otherwise.
func (g *tournament) parents(b job) job {
	if b.cross == crossSCX && g.ties == tiesSecond {
		b.a, b.b = b.b, b.a
	}
	return b
}

// reproduce makes the planned children; it leaves the population alone.
func (g *tournament) reproduce(ctx context.Context, it int64) error {
	if g.far != nil {
		return g.far.reproduce(ctx, g, it)
	}
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
		g.child(ctx, it, &g.plan[i], g.spare[i], g.scratchOf(w))
		done.one(g.env.Progress, len(g.plan))
	})
	return ctx.Err()
}

// child makes one tour of the plan; when ctx ends it is not whole.
func (g *tournament) child(ctx context.Context, it int64, b *job, tour []int32, h *scratch) {
	r := arith.NewStream(g.env.Seed, uint64(it), uint32(b.place), drawMutation)
	a, other := &g.next[b.a], &g.next[b.b]
	b.out = individual{tour: tour, child: b.cross != ""}
	first := g.space.Internal[0]
	if g.origin == originDrawn && b.cross != "" {
		first = int32(r.IntN(g.space.N))
	}
	switch b.cross {
	case "":
		copy(tour, a.tour)
		b.out.length = a.length
	case crossSCX:
		b.out.length = h.cross.scx(tour, a.tour, other.tour, first)
	case crossBCSCX:
		b.out.length = h.cross.bcscx(tour, a.tour, other.tour, first)
	default:
		b.out.length = h.cross.arx(tour, a.tour, other.tour, first, b.from, b.to)
	}
	switch {
	case b.first:
		b.out.length += h.mutate.improve(ctx, tour, &r)
	case g.mutation > 0 && r.Float64() < g.mutation:
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
	b.better = b.cross != "" && b.out.length < min(a.length, other.length)
	b.out.hash = arith.HashPerm(tour)
}

// commit puts the tours of the plan in their places and returns how many are children, and how
// many of these are shorter than both parents.
func (g *tournament) commit() (children, better int) {
	for i := range g.plan {
		b := &g.plan[i]
		if g.far == nil {
			g.spare[i] = g.next[b.place].tour
		}
		g.next[b.place] = b.out
		if b.cross != "" {
			children++
		}
		if b.better {
			better++
		}
	}
	g.members, g.next = g.next, g.members
	return children, better
}

// copyWinners copies the winners that stay at the places of losers too, where the plan has no
// other tour.
func (g *tournament) copyWinners() {
	for _, t := range g.copies {
		if !g.made[t[0]] {
			copyTour(&g.next[t[0]], &g.next[t[1]])
		}
	}
}

// copyTour copies a tour. If an engine has the tours, both share a row.
func copyTour(to, from *individual) {
	copy(to.tour, from.tour)
	to.row = from.row
	to.length, to.hash, to.child = from.length, from.hash, false
}

// keep copies the best of each group to the group's first place.
func (g *tournament) keep() {
	groups := g.active()
	for k := range groups {
		lo, hi := g.bounds(k, groups)
		if at := lo + shortest(g.members[lo:hi]); at != lo {
			copyTour(&g.members[lo], &g.members[at])
		}
	}
}

// migrate copies the best of each group over the longest of a random other group.
func (g *tournament) migrate(it int64) {
	groups := g.active()
	if groups < 2 {
		return
	}
	best := make([]int, groups)
	for k := range groups {
		lo, hi := g.bounds(k, groups)
		best[k] = lo + shortest(g.members[lo:hi])
	}
	for k, from := range best {
		r := arith.NewStream(g.env.Seed, uint64(it), uint32(k), drawExchange)
		to := (k + 1 + r.IntN(groups-1)) % groups
		lo, hi := g.bounds(to, groups)
		at := lo
		for i := lo; i < hi; i++ {
			if i != best[to] && (at == best[to] || g.members[i].length >= g.members[at].length) {
				at = i
			}
		}
		copyTour(&g.members[at], &g.members[from])
	}
}

// shortest is the first place with the shortest tour.
func shortest(members []individual) int {
	at := 0
	for i := range members {
		if members[i].length < members[at].length {
			at = i
		}
	}
	return at
}

// finish stores the best tour and fills p.
func (g *tournament) finish(p *record.Point) (err error) {
	var at int
	if g.far != nil {
		at = g.far.lead(g)
		p.Measures[0], err = g.far.diversity(g, at)
	} else {
		at = g.lead()
		p.Measures[0] = diversity(g.env.Pool, g.members, at)
	}
	p.IterBest = float64(g.members[at].length)
	p.Mean, p.Digest = summary(g.members)
	p.Measures[1] = different(g.members)
	return err
}

// summary is the mean length and the digest of a population.
func summary(members []individual) (mean float64, digest uint64) {
	var sum int64
	for i := range members {
		sum += members[i].length
		digest = arith.Chain(digest, members[i].hash)
	}
	least := float64(members[shortest(members)].length)
	return max(float64(sum)/float64(len(members)), least), digest
}
