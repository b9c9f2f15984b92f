package ils

import (
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
	"metalab/solvers/tours"
)

var (
	_ solvers.Algorithm      = (*Tiles)(nil)
	_ solvers.Changer        = (*Tiles)(nil)
	_ solvers.Controller     = (*Tiles)(nil)
	_ solvers.Tracer         = (*Tiles)(nil)
	_ solvers.LengthReporter = (*Tiles)(nil)
	_ solvers.Sharer         = (*Tiles)(nil)
	_ solvers.Timer          = (*Tiles)(nil)
	_ solvers.Waver          = (*Tiles)(nil)
	_ solvers.Starter        = (*Tiles)(nil)
)

// tilesLayout says how tiles draws its random numbers. Package tiles makes the kicks and the cuts.
const tilesLayout = "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ " +
	"purpose << 24, chain << 24 | piece, block}; purpose 1 shuffles random starts (iteration 0, " +
	"agent chain); purpose 2 makes the kicks: kick k has the blocks from 32 k, the first holds the " +
	"city and the draw of the limit, the next four for each attempt are those of the walks, or the " +
	"first of them the lengths of the segments; purpose 3 makes the cuts: the iteration is the " +
	"cut's number, the agent 0, block 0 the angle and block i the place of the cut of node i; " +
	"purpose 4 mends long edges: the iteration is 0 along the lists, 1 along lists without weights, " +
	"the agent the first city of the part of the plane; purpose 5 makes the kicks of polish: the " +
	"iteration is the cut, the agent the piece"

// A repaired kick must join the same ends of paths of its tile, else it is undone; the measure
// refused is the share of kicks for which that was the only reason. So from a tour that is no local
// optimum little is gained: keep descent. Larger pieces lose less, and take longer a kick.

// The largest value of the parameter cooling, and its smallest change, as a share, during a step
// with a limit of time.
const (
	maxCooling  = 1e6
	coolingStep = 0.02
)

// Tiles is the variant tiles; its engine makes the rounds.
type Tiles struct {
	param tilesParams
	given []int32 // the start, in the instance's numbers; nil: see start
	fits  string  // what begin returns for fit; empty until it is needed

	inst  *datasets.TSP
	make  func(*tiles.Problem) (tiles.Engine, error)
	p     tiles.Problem
	first tours.Neighbours // of the start and its search
	cut   *tiles.Cuts
	out   []tiles.Outcome // of the last iteration

	// The state.
	held[tiles.Engine]
	descend bool      // the next iteration is a search from all cities
	done    int64     // kicks of a chain so far, for cooling
	found   bool      // there is a best tour
	best    incumbent // and this is it; its tour is nil while the engine has it
}

// NewTiles returns the search on t with default parameters for it; engine makes the engine at
// Init.
func NewTiles(t *datasets.TSP, engine func(*tiles.Problem) (tiles.Engine, error)) *Tiles {
	return &Tiles{inst: t, make: engine, param: tilesDefaults(t.N)}
}

func (s *Tiles) Init(env *solvers.Env) error {
	env.Pool.Resize(s.param.workers)
	if err := s.open(env, "tiles"); err != nil {
		return err
	}
	s.cutters().Begin(2%s.param.cuts, s.param.cuts) // the first round is iteration 2
	return s.load(s.starts(s.param.chains))
}

// open prepares all but the tours; name is the variant's, for an error.
func (s *Tiles) open(env *solvers.Env, name string) error {
	if !planar(s.inst.Metric) {
		return fmt.Errorf(
			"ils: the metric of %s is %v; %s cuts the plane and needs EUC_2D, CEIL_2D or ATT; "+
				"ils/queue on the cpu takes any",
			s.inst.Title, s.inst.Metric, name,
		)
	}
	sp, err := tours.NewSpace(s.inst)
	if err != nil {
		return err
	}
	s.p = tiles.Problem{Space: sp, Seed: env.Seed, Env: env}
	s.p.Near, s.first = s.list(sp)
	if s.begin() == "whole" {
		if s.first = sp.Sparse(12); s.p.Near.Pi != nil {
			s.first = sp.WeightedAs(s.first, s.p.Near)
		} else {
			s.first = sp.Weighted(s.first)
		}
	}
	if s.engine, err = tiles.On(&s.p, s.param.chains, s.make); err != nil {
		return err
	}
	s.space, s.descend = sp, true
	return nil
}

// planar reports whether distances are those of the plane, which can be cut.
func planar(m datasets.Metric) bool {
	return m == datasets.Euc2D || m == datasets.Ceil2D || m == datasets.Att
}

// maxWeight is the largest weight of a city with which costs and sums of them fit in 32 bits.
const maxWeight = 1 << 27

// alphaNear is the number of neighbours by alpha with candidates=alpha. The others are the nearest
// in each quadrant: those near by alpha do not lead from one cluster to all around it.
const alphaNear = 5

// list makes the lists of neighbours, and those of the start and its search.
func (s *Tiles) list(sp *tours.Space) (near, first tours.Neighbours) {
	switch {
	case s.param.candidates == "alpha":
		near, first = sp.AlphaParts(min(s.param.neighbours, alphaNear), s.p.Env.Pool.Run)
		if s.param.neighbours > alphaNear {
			near = sp.Joined(s.param.neighbours, near, sp.Quadrant(4), first)
		}
	case s.param.candidates == "weighted":
		near = sp.Weighted(sp.Quadrant(s.param.neighbours))
		first = near
	case s.param.quadrant:
		near = sp.Quadrant(s.param.neighbours)
		return near, near
	default:
		near = sp.Nearest(s.param.neighbours)
		return near, near
	}
	if len(near.Pi) > 0 && max(slices.Max(near.Pi), -slices.Min(near.Pi)) > maxWeight {
		near = sp.Quadrant(s.param.neighbours)
		return near, near
	}
	return near, first
}

// starts makes the first tours.
func (s *Tiles) starts(count int) [][]int32 {
	chains, sp := make([][]int32, count), s.p.Space
	first := func(a int) []int32 {
		switch s.begin() {
		case "parts":
			return sp.GreedyParts(s.first, s.p.Env.Pool.Run)
		case "greedy", "whole": // for whole if there is no descent
			return sp.Greedy(s.first)
		case "boruvka":
			return sp.Boruvka(s.first)
		case "nn":
			return sp.NearestNeighbour(sp.Internal[a%sp.N])
		case "random":
			draws := arith.NewStream(s.p.Seed, 0, uint32(a), drawStart)
			return sp.Random(&draws)
		}
		return sp.Curve()
	}
	for a := range chains {
		switch {
		case s.given != nil:
			chains[a] = sp.FromInstance(s.given)
		case a > 0 && s.param.start != "nn" && s.param.start != "random":
			chains[a] = append([]int32(nil), chains[0]...)
		default:
			chains[a] = first(a)
		}
	}
	return chains
}

// cutOf returns the cut of an iteration, from a cache if possible.
func (s *Tiles) cutOf(it int64) *tiles.Cut {
	s.cutters().Drop(s.param.cuts)
	return s.cut.Get(int(it%int64(s.param.cuts)), s.param.cuts)
}

// cutters makes the cuts into pieces of the size that is asked for.
func (s *Tiles) cutters() *tiles.Cuts {
	if s.cut == nil || s.cut.Size() != s.param.size {
		if s.cut != nil {
			s.cut.Wait()
		}
		s.cut = tiles.NewCuts(s.p.Space, s.p.Seed, s.param.size)
	}
	return s.cut
}

// job is the round of iteration it.
func (s *Tiles) job(it int64) tiles.Job {
	job := tiles.Job{
		Iter: it, Cut: s.cutOf(it), Rate: int(math.Round(s.param.kicks * 1000)), Width: s.param.width,
	}
	switch s.param.operator {
	case "or2opt":
		job.Operator = tiles.OrTwoOpt
	case "or3opt":
		job.Operator = tiles.OrThreeOpt
	}
	if s.param.kick == "segment" {
		job.Kick = tiles.Segment
	}
	if s.param.accept == "threshold" {
		n, left := float64(s.p.Space.N), 1.0
		if s.param.cooling > 0 {
			left = max(0, 1-float64(s.done)/float64(s.param.cooling*n))
		}
		for _, l := range s.lengths {
			job.Scale = append(
				job.Scale, float64(s.param.temperature*math.Ln2)*float64(left*(float64(l)/n)),
			)
		}
	}
	return job
}

func (s *Tiles) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if len(s.out) != len(s.lengths) {
		s.out = make([]tiles.Outcome, len(s.lengths))
	}
	descend, n := s.descend, s.p.Space.N
	if descend {
		if err := s.descendAll(ctx); err != nil {
			return err
		}
	} else if err := s.engine.Iterate(ctx, s.job(it), s.out); err != nil {
		return err
	}
	var sum tiles.Outcome
	first := 0
	p.Digest = 0
	for a, o := range s.out {
		if !descend && s.lengths[a]+o.Change != o.Length {
			return fmt.Errorf("ils: iteration %d: chain %d had the length %d, its kicks changed it by %d, "+
				"and its tour has %d", it, a, s.lengths[a], o.Change, o.Length)
		}
		s.lengths[a] = o.Length
		if o.Length < s.lengths[first] {
			first = a
		}
		sum.Length += o.Length
		sum.Kicks += o.Kicks
		sum.Kept += o.Kept
		sum.Gained += o.Gained
		sum.Refused += o.Refused
		sum.Moves += o.Moves
		p.Digest = arith.Chain(p.Digest, o.Hash)
	}
	chains := int64(len(s.out))
	p.Evals = max(1, sum.Kicks)
	if descend {
		p.Evals = chains
	}
	s.descend = false
	s.done += sum.Kicks / chains
	p.IterBest, p.Mean = float64(s.lengths[first]), float64(sum.Length)/float64(chains)
	all := float64(max(1, sum.Kicks))
	p.Measures[0], p.Measures[1] = float64(sum.Kept)/all, float64(sum.Gained)/all
	p.Measures[2], p.Measures[3] = float64(sum.Refused)/all, float64(s.done)/float64(n)
	if !s.found || s.lengths[first] < s.best.length {
		if err := s.engine.Keep(first); err != nil {
			return err
		}
		s.found, s.best = true, incumbent{length: s.lengths[first]}
	}
	return s.swap(it)
}

// swap lets the chain with the longest tour go on from the shortest.
func (s *Tiles) swap(it int64) error {
	if s.param.exchange == 0 || it%int64(s.param.exchange) != 0 {
		return nil
	}
	from, to := 0, 0
	for a, l := range s.lengths {
		if l < s.lengths[from] {
			from = a
		}
		if l > s.lengths[to] {
			to = a
		}
	}
	if s.lengths[from] == s.lengths[to] {
		return nil
	}
	s.lengths[to] = s.lengths[from]
	return s.engine.Copy(from, to)
}
