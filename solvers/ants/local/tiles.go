package local

import (
	"context"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/tiles"
	"metalab/solvers/tours"
)

// Tiles is iterated local search by package tiles: it first brings a tour to a local optimum, as
// OrOpt does, and then kicks and repairs in tiles of the plane, at most half a kick for each city
// in a round.
const Tiles = "tiles"

// The settings of rounds of Tiles; see [tiles.Job].
const (
	pieceCities = 250
	pieceCuts   = 16
	kickWidth   = 10
	kicksARound = 0.5
	atOnce      = 16 // tours
)

// MostKicks is the largest number of kicks of Tiles for each city.
const MostKicks = 100

// mostRounds is more than any number of rounds of a search.
const mostRounds = 256

// tilesSeed is combined with the seed of a run, because package tiles draws by the same counters as
// ants do.
const tilesSeed = 0x74696c6573

// TilesLayout says how Tiles draws its random numbers.
const TilesLayout = "local_search=tiles draws as ils/tiles does, with key = seed ^ 0x74696c6573, " +
	"iteration = (256 iteration + tour / 16) 256 + round, chain = tour mod 16, where tours are " +
	"numbered in the order in which they are searched"

// TilesOn are the rounds that local_search=tiles makes.
type TilesOn struct {
	Kicks  float64 // for each city
	Engine func(*tiles.Problem) (tiles.Engine, error)
}

// tiled is the search in tiles of a Search.
type tiled struct {
	p      *tiles.Problem
	engine tiles.Engine
	cuts   [pieceCuts]*tiles.Cut
	rounds int
	rate   int
	tours  [][]int32
	out    []tiles.Outcome
}

// InPlane tells whether Tiles can cut instances of a metric.
func InPlane(m datasets.Metric) bool {
	return m == datasets.Euc2D || m == datasets.Ceil2D || m == datasets.Att
}

// checkTiles returns an error for instances that cannot be cut into tiles, and too many neighbours.
func checkTiles(sp *tours.Space, name string, neighbours int) error {
	if !InPlane(sp.Metric) {
		return fmt.Errorf("ants: local_search=tiles cuts the plane and needs EUC_2D, CEIL_2D or ATT: "+
			"the metric of %s is %v, use oropt", name, sp.Metric)
	}
	if neighbours > tiles.MaxNeighbours {
		return fmt.Errorf("ants: local_neighbours is %d: local_search=tiles looks at up to %d, use "+
			"2opt or oropt for more", neighbours, tiles.MaxNeighbours)
	}
	return nil
}

func newTiled(p *Problem, env *solvers.Env) (*tiled, error) {
	own := *env
	own.Seed ^= tilesSeed
	t := &tiled{p: &tiles.Problem{Space: p.Space, Near: p.near, Seed: own.Seed, Env: &own}}
	t.rounds = int(math.Ceil(p.Tiles.Kicks / kicksARound))
	t.rate = int(math.Round(1000 * p.Tiles.Kicks / float64(t.rounds)))
	var err error
	if t.engine, err = p.Tiles.Engine(t.p); err != nil {
		return nil, fmt.Errorf("ants: local_search=tiles: %w", err)
	}
	return t, nil
}

// improve makes the rounds of iteration it on tours, which are local optima, and sets their
// lengths. order are the tours in the order in which they are searched.
func (t *tiled) improve(
	it int64, all []int32, lengths []int64, order []int32, stop func() bool,
) error {
	n := t.p.Space.N
	for from := 0; from < len(order); from += atOnce {
		some := order[from:min(from+atOnce, len(order))]
		t.tours = t.tours[:0]
		for _, k := range some {
			t.tours = append(t.tours, all[int(k)*n:int(k)*n+n])
		}
		if err := t.engine.Load(t.tours); err != nil {
			return err
		}
		t.out = append(t.out[:0], make([]tiles.Outcome, len(some))...)
		first := (it<<8 + int64(from/atOnce)) * mostRounds
		for round := range int64(t.rounds) {
			if stop != nil && stop() {
				return nil
			}
			cut := &t.cuts[(first+round)%pieceCuts]
			if *cut == nil {
				*cut = tiles.NewCut(
					t.p.Space, t.p.Seed, int((first+round)%pieceCuts), pieceCities, t.p.Env.Pool,
				)
			}
			err := t.engine.Iterate(context.Background(), tiles.Job{
				Iter: first + round, Cut: *cut, Rate: t.rate, Kick: tiles.Walk, Width: kickWidth,
				Operator: tiles.OrThreeOpt,
			}, t.out)
			if err != nil {
				return err
			}
		}
		for a, k := range some {
			if err := t.engine.Tour(a, t.tours[a]); err != nil {
				return err
			}
			lengths[k] = t.out[a].Length
		}
	}
	return nil
}
