package assembly

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Settings of pools, chosen on the table tours-dev with ils/queue.
const (
	PoolSide     = 5 // tours that an iteration adds, or more
	PoolChildren = 30
	PoolCities   = 1000    // for which a child may take over one cycle or block
	PoolJoins    = 10      // neighbours to which subtours are joined
	poolIdle     = 10      // generations without a better tour that end a stage, or a tenth of it
	poolTours    = 1000    // no pool has more by itself,
	poolMost     = 1 << 22 // nor when its tours have more cities
)

// Stages of a pool.
const (
	NoPool   int64 = iota // there is none
	Filling               // an iteration adds tours
	ByCycles              // an iteration is a generation
	ByBlocks              // the same
	stages                // how many there are
)

// A Plan is how far a pool is.
type Plan struct {
	Stage int64
	Want  int64 // tours that the pool is to have
	Last  int64 // those of the pool before; 0: there was none
	bred  int64 // generations in the stage
	idle  int64 // those in turn without a better tour
}

// Begin begins the next pool, with so many tours if it is the first, else with twice as many as the
// one before, but for the bounds of the pool's size; it has at least so many as least says.
func (p *Plan) Begin(first, least, cities int) {
	most := int64(min(poolTours, poolMost/cities))
	p.Want = max(int64(first), min(2*p.Last, most), int64(least))
	p.Stage, p.bred, p.idle = Filling, 0, 0
}

// Filled ends the stage Filling.
func (p *Plan) Filled() { p.Stage = ByCycles }

// generation counts a generation that brought a better tour, or none, and tells whether it was the
// last. A stage ends when ten generations in turn, or a tenth of them, brought none.
func (p *Plan) generation(better bool) (over bool) {
	p.bred++
	if p.idle++; better {
		p.idle = 0
	}
	if p.idle >= max(poolIdle, p.bred/10) {
		p.Stage, p.bred, p.idle = p.Stage+1, 0, 0
	}
	return p.Stage == stages
}

// End ends the pool. The next one is the first again if others are asked for: anew.
func (p *Plan) End(anew bool) {
	p.Last = p.Want
	if anew {
		p.Last = 0
	}
	p.Stage, p.Want = NoPool, 0
}

// Head is the plan as a state has it, with the number of the pool's tours at the end.
func (p *Plan) Head(tours int) []int64 {
	return []int64{p.Stage, p.Want, p.Last, p.bred, p.idle, int64(tours)}
}

// PlanOf is the plan of a Head, which it refuses where no pool can be so.
func PlanOf(v []int64) (Plan, error) {
	p := Plan{Stage: v[0], Want: v[1], Last: v[2], bred: v[3], idle: v[4]}
	if p.Stage < NoPool || p.Stage >= stages || min(p.Want, p.Last, p.bred, p.idle, v[5]) < 0 ||
		p.Stage > Filling && v[5] == 0 || p.Stage == NoPool && v[5] > 0 {
		return p, fmt.Errorf("a state with a pool %v: %w", v, solvers.ErrState)
	}
	return p, nil
}

// A Pool is tours that come together, are then crossed, a generation an iteration, first cycle by
// cycle and then in blocks, and leave their best. The Plan says how far it is.
type Pool struct {
	Members []Member

	crossed *Population // made when it is needed; holds Members from ByCycles on
}

// Start makes the members ready to be crossed. In env it stores the progress of a generation.
func (p *Pool) Start(sp *tours.Space, env *solvers.Env) {
	if p.crossed == nil {
		p.crossed = New(sp, sp.Nearest(PoolJoins))
		p.crossed.Progress = func(done, all int) {
			env.Progress.Store(uint32(int64(done) << 16 / int64(all)))
		}
	}
	p.crossed.Fill(p.Members)
}

// Cross makes a generation, and tells whether it was the last. When ctx ends all is as it was
// before.
func (p *Pool) Cross(
	ctx context.Context, env *solvers.Env, plan *Plan, draws Draws,
) (over bool, err error) {
	before := p.Best().Length
	if err := p.crossed.Generate(ctx, env.Pool, draws, Settings{
		Children: PoolChildren, Cities: PoolCities, Blocks: plan.Stage == ByBlocks,
	}); err != nil {
		return false, err
	}
	p.Members = append(p.Members[:0], p.crossed.Members...)
	return plan.generation(p.Best().Length < before) || p.alike(), nil
}

// Best is the shortest member, of equal ones the first.
func (p *Pool) Best() *Member {
	best := &p.Members[0]
	for i := range p.Members {
		if p.Members[i].Length < best.Length {
			best = &p.Members[i]
		}
	}
	return best
}

// Ranked sorts the members by length, the shortest first. It is for a pool that ends.
func (p *Pool) Ranked() []Member {
	slices.SortStableFunc(p.Members, func(a, b Member) int { return cmp.Compare(a.Length, b.Length) })
	return p.Members
}

// alike tells whether all members are equally long.
func (p *Pool) alike() bool {
	for i := range p.Members {
		if p.Members[i].Length != p.Members[0].Length {
			return false
		}
	}
	return true
}

// Admit replaces the longest member by a new one, unless the longest is shorter, or a member has
// the same length, which counts as the same tour. It then calls begin, for the pool counts its
// edges anew.
func (p *Pool) Admit(m Member, begin func()) bool {
	at := 0
	for i := range p.Members {
		if p.Members[i].Length == m.Length {
			return false
		}
		if p.Members[i].Length > p.Members[at].Length {
			at = i
		}
	}
	if m.Length >= p.Members[at].Length {
		return false
	}
	p.Members[at] = m
	begin()
	return true
}

// Tell adds the pool at a stage to a point, the number of its tours as a measure.
func (p *Pool) Tell(to *record.Point, measure int, stage int64) {
	to.Measures[measure] = float64(len(p.Members))
	if len(p.Members) == 0 {
		return
	}
	to.IterBest = min(to.IterBest, float64(p.Best().Length))
	sum := 0.0
	for i := range p.Members {
		sum += float64(p.Members[i].Length)
		to.Digest = arith.Chain(to.Digest, p.Members[i].Hash)
	}
	if stage > Filling {
		to.Mean = sum / float64(len(p.Members))
	}
}
