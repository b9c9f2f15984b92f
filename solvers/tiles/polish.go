package tiles

import (
	"context"
	"sync/atomic"

	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// drawPolish is the purpose of the draws of Polish.
const drawPolish uint8 = 5

// Polish makes kicks in the tiles of a cut that are repaired by chains of exchanges, on the CPU:
// hundreds of times as slow as an Engine's, but they remove what those leave, long edges first. A
// repaired tile must join the same ends of paths.
type Polish struct {
	Space    *tours.Space
	Near     tours.Neighbours
	Seed     uint64
	Round    int // of the draws
	Settings tours.Settings
	Hunt     int     // cities drawn for a kick, see [tours.Search.Hunt]
	Steps    int     // of the walks of a kick
	Kicks    float64 // for each city
}

// Make improves a tour in the tiles of the cut; run shares them out.
func (p *Polish) Make(
	ctx context.Context, cut *Cut, tour []int32, run tours.Runner,
) error {
	n, pieces := p.Space.N, cut.Pieces()
	c := chain{
		tour: tour, next: make([]int32, n), place: make([]int32, n), home: make([]int32, n),
		rank: make([]int32, n), width: make([]int32, n),
	}
	c.begin(pieces)
	var failed atomic.Pointer[error]
	run(pieces, func(i, _ int) {
		if err := p.piece(ctx, cut.Of(i), i, &c); err != nil {
			failed.Store(&err)
		}
	})
	if err := failed.Load(); err != nil {
		return *err
	}
	c.end()
	copy(tour, c.tour)
	return nil
}

// piece makes the kicks in a tile.
func (p *Polish) piece(ctx context.Context, cities []int32, number int, c *chain) error {
	t := newPiece(&Problem{Space: p.Space, Near: tours.Neighbours{Pi: p.Near.Pi}})
	t.load(cities, c.place)
	if t.m < 8 {
		return nil
	}
	near := p.Near
	sub, lists := p.Space.Among(t.city[:t.m], near, t.local)
	w, err := tours.NewSearch(sub, lists, p.Settings)
	if err != nil {
		return err
	}
	mate, other := make([]int32, t.m), make([]int32, t.m)
	for i := range t.m {
		mate[i], other[i] = int32(t.mate[i]), int32(t.other[i])
		if t.mate[i] == none {
			mate[i] = -1
		}
	}
	w.SetPaths(mate, other)
	order := sub.Curve()
	w.Watch(ctx)
	w.Load(order)
	draws := arith.NewStream(p.Seed, uint64(p.Round), agentOf(0, number), drawPolish)
	for i := range int(float64(p.Kicks*float64(t.m)) + 0.5) {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		w.Trial(tours.OrOpt, tours.Walk, w.Hunt(p.Hunt, &draws), p.Steps, 0, &draws)
	}
	w.Store(order)
	for q, v := range order {
		t.order[q], t.pos[v] = uint16(v), uint16(q)
	}
	t.store(c.home, c.rank, c.width)
	return ctx.Err()
}
