package assembly

import (
	"cmp"
	"context"
	"math"
	"sync/atomic"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// A Member is a tour of a population.
type Member struct {
	Tour   []int32
	Length int64
	Hash   uint64 // arith.HashPerm(Tour)
	New    bool   // the last generation made it
}

// NewMember is the member with a tour of sp.
func NewMember(sp *tours.Space, tour []int32) Member {
	return Member{Tour: tour, Length: sp.Length(tour), Hash: arith.HashPerm(tour)}
}

// Settings says how to compute a generation.
type Settings struct {
	// Children of a couple, each from another cycle or block; fewer where there are fewer cycles.
	Children int

	// Greedy takes the shortest child; otherwise it is the one with the largest gain for the entropy
	// of the population's edges that it costs.
	Greedy bool

	// Blocks makes children of blocks round the longest cycles, not of single cycles.
	Blocks bool

	// Cities is the number of cities for which a child has one of the cycles, or blocks, that gain;
	// as many times as many children are tried. 0: it has one.
	Cities int

	// Reach is how many cities from the edges that a child lacks a subtour is joined at most; 0: it is
	// joined where that costs least.
	Reach int

	// Batch is the number of parallel couples, see Generate; 0: ten.
	Batch int
}

// several is how many cycles or blocks a child of n cities may have.
func (s *Settings) several(n int) int {
	if s.Cities < 1 {
		return 1
	}
	return max(1, n/s.Cities)
}

// Draws are where the random numbers of a generation come from.
type Draws struct {
	Seed      uint64
	Iteration int64
	Plan      uint8 // purpose of those that shuffle the ring
	Children  uint8 // purpose of those of the couples; the agent is the first parent
}

// A Population is tours that are crossed with each other. It is not for several goroutines at a
// time.
type Population struct {
	Members []Member // Fill changes their number

	// Made is how many children the last generation tried, Cycles how many cycles its couples had,
	// and Replaced how many members it made anew.
	Made, Cycles, Replaced int

	// Progress, if set, receives the number of finished couples of a generation, and the number of
	// all.
	Progress func(done, all int)

	sp      *tours.Space
	near    tours.Neighbours
	scratch []*assembler // by worker
	count   Edges        // how many tours have an edge
	entropy []float64    // entropyTable(len(Members))

	// Memory of a generation.
	ring      []int32
	spare     [][]int32
	offspring []offspring // by tour
	// The members before a generation, in case it is abandoned.
	before []Member
	cut    atomic.Bool
}

// offspring is what a generation made of a tour.
type offspring struct {
	change   change
	tour     []int32 // nil: no child was better
	hash     uint64
	children int
	cycles   int
}

// New makes a population without members. Subtours are joined along the lists near.
func New(sp *tours.Space, near tours.Neighbours) *Population {
	return &Population{sp: sp, near: near}
}

// Fill makes members the population; it keeps their tours, and writes to them later.
func (p *Population) Fill(members []Member) {
	p.Members = append(p.Members[:0], members...)
	if len(p.entropy) != len(members)+2 {
		p.entropy = entropyTable(len(members))
	}
	p.count = Edges{}
	for i := range p.Members {
		p.count.AddTour(p.Members[i].Tour)
	}
}

// Best is the place of the shortest tour, of equal ones the first.
func (p *Population) Best() int {
	at := 0
	for i := range p.Members {
		if p.Members[i].Length < p.Members[at].Length {
			at = i
		}
	}
	return at
}

// batch is the default number of parallel couples.
const batch = 10

// Generate computes a generation: the tours stand in a ring in random order, and each is the first
// parent once, the one behind it the second. Couples run in batches; the next batch counts the
// edges as the batches before left them, so that not many couples at once drop an edge that few
// tours still have. When ctx ends the population is as it was before.
func (p *Population) Generate(
	ctx context.Context, pool *solvers.Pool, draws Draws, set Settings,
) error {
	m := len(p.Members)
	p.ring = p.ring[:0]
	for i := range m {
		p.ring = append(p.ring, int32(i))
	}
	for len(p.scratch) < pool.Size() {
		p.scratch = append(p.scratch, nil)
	}
	r := arith.NewStream(draws.Seed, uint64(draws.Iteration), 0, draws.Plan)
	r.Shuffle(p.ring)
	for len(p.offspring) < m {
		p.offspring = append(p.offspring, offspring{})
		p.spare = append(p.spare, make([]int32, p.sp.N))
	}
	p.before = append(p.before[:0], p.Members...)
	p.cut.Store(false)
	var done atomic.Int64
	side := cmp.Or(set.Batch, batch)
	for lo := 0; lo < m; lo += side {
		hi := min(lo+side, m)
		pool.Run(hi-lo, func(i, w int) {
			if p.cut.Load() {
				return
			}
			if ctx.Err() != nil {
				p.cut.Store(true)
				return
			}
			if p.scratch[w] == nil {
				p.scratch[w] = newAssembler(p.sp, p.near)
			}
			p.couple(ctx, draws, set, p.ring[lo+i], p.ring[(lo+i+1)%m], p.scratch[w])
			if d := int(done.Add(1)); p.Progress != nil {
				p.Progress(d, m)
			}
		})
		if ctx.Err() != nil {
			p.undoCommit(p.ring[:lo])
			return ctx.Err()
		}
		p.commit(p.ring[lo:hi])
	}
	p.Made, p.Cycles, p.Replaced = 0, 0, 0
	for i := range p.Members {
		o := &p.offspring[i]
		p.Made += o.children
		p.Cycles += o.cycles
		if o.tour != nil {
			p.Replaced++
		}
	}
	return nil
}

// couple makes the children of tours a and b and keeps the best in offspring[a]; not all of them
// when ctx ends.
func (p *Population) couple(
	ctx context.Context, draws Draws, set Settings, a, b int32, k *assembler,
) {
	out := &p.offspring[a]
	out.tour, out.children, out.cycles = nil, 0, 0
	if p.sp.N < 4 || p.Members[a].Hash == p.Members[b].Hash {
		return
	}
	r := arith.NewStream(draws.Seed, uint64(draws.Iteration), uint32(a), draws.Children)
	k.reach = int32(set.Reach)
	k.load(p.Members[a].Tour, p.Members[b].Tour)
	most := set.Children * set.several(p.sp.N)
	if set.Blocks {
		most = math.MaxInt
	}
	k.split(&r, most)
	out.cycles = k.count()
	surplus := p.Members[a].Length - p.Members[b].Length
	if best := p.try(ctx, &r, k, out, surplus, set); best > 0 {
		out.tour = p.spare[a]
		k.tour(out.tour, &out.change)
		out.hash = arith.HashPerm(out.tour)
	}
}

// commit puts the best children of some tours in the places of these.
func (p *Population) commit(of []int32) {
	for _, i := range of {
		o, g := &p.offspring[i], &p.Members[i]
		g.New = o.tour != nil
		if !g.New {
			continue
		}
		p.spare[i] = g.Tour
		g.Tour, g.Length, g.Hash = o.tour, g.Length-o.change.gain, o.hash
		p.countChange(&o.change, 1)
	}
}

// undoCommit undoes commit: p.before holds the members as they were.
func (p *Population) undoCommit(of []int32) {
	for _, i := range of {
		if o := &p.offspring[i]; o.tour != nil {
			p.spare[i] = o.tour
			p.countChange(&o.change, -1)
		}
		p.Members[i] = p.before[i]
	}
}

// countChange counts a change of a tour, or with by = -1 takes it back.
func (p *Population) countChange(c *change, by int32) {
	for _, e := range c.cut {
		p.count.Add(e[0], e[1], -by)
	}
	for _, e := range c.new {
		p.count.Add(e[0], e[1], by)
	}
}

// Spread is the entropy of the population's edges, in bits a city: the sum over the edges of
// -(f/m) log2(f/m), where f of m tours have the edge, over the number of cities.
func (p *Population) Spread() float64 {
	sum := make([]int64, len(p.Members)+1)
	p.count.Tally(sum)
	h := 0.0
	for f, times := range sum {
		h += float64(p.entropy[f] * float64(times))
	}
	return h / float64(p.sp.N)
}
