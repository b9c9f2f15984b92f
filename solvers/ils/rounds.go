package ils

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

var (
	_ solvers.Algorithm      = (*Rounds)(nil)
	_ solvers.Changer        = (*Rounds)(nil)
	_ solvers.Tracer         = (*Rounds)(nil)
	_ solvers.LengthReporter = (*Rounds)(nil)
	_ solvers.Sharer         = (*Rounds)(nil)
	_ solvers.Timer          = (*Rounds)(nil)
	_ solvers.Waver          = (*Rounds)(nil)
	_ solvers.Starter        = (*Rounds)(nil)
)

// The values of the parameter moves of 2opt-rounds.
const (
	TwoOpt   = "2opt"
	TwoOptOr = "2opt+or"
)

// roundsLayout says how 2opt-rounds draws its random numbers. Package rounds makes the kicks.
const roundsLayout = "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ " +
	"purpose << 24, chain, block}; " +
	"purpose 1 makes starts (iteration 0: the first city, or the shuffle), purpose 2 the kicks: " +
	"block is the kick within the iteration, " +
	"word 0 the position, words 1 to 3 the lengths of the paths"

// Rounds is the variant 2opt-rounds; its engine makes the iterations.
type Rounds struct {
	param roundsParams
	given []int32 // the start, in the instance's numbers; nil: see start

	inst *datasets.TSP
	make func(*rounds.Problem) (rounds.Engine, error)
	p    rounds.Problem
	out  []rounds.Outcome // of the last iteration

	// The state.
	held[rounds.Engine]
	descend bool // the next iteration is a search from all cities
	best    incumbent
}

// roundsParams are the parameters of 2opt-rounds; see table.
type roundsParams struct {
	chains, neighbours, width, kicks, size int
	start, accept, moves                   string
	warps, lanes, workers, trials          int
}

// NewRounds returns the search on t with default parameters for it; engine makes the engine at
// Init.
func NewRounds(t *datasets.TSP, engine func(*rounds.Problem) (rounds.Engine, error)) *Rounds {
	return &Rounds{inst: t, make: engine, param: roundsParams{
		chains: 32, neighbours: 10, width: rounds.Lanes, kicks: min(max(t.N/10, 50), 1000), size: 50,
		trials: 3,
		start:  "nn", accept: "better", moves: TwoOpt,
	}}
}

func (s *Rounds) Declare(t *solvers.Params) { declare(t, s.table()) }

func (s *Rounds) Changed(names []string) { changed(s, s.table(), names) }

// table lists the parameters in the order in which they are shown.
func (s *Rounds) table() []row[*Rounds] {
	p := &s.param
	return []row[*Rounds]{
		{&p.chains, nil, record.Param{
			Name: "chains", Class: record.Structural, Min: 1, Max: 65536, Step: 8, Unit: "tours",
			Doc: "Tours that are searched side by side; a GPU wants several for each of its " +
				"multiprocessors.",
			Effect: "In a fork new chains begin with the best tour; the last are dropped.",
		}},
		{&p.moves, nil, record.Param{
			Name: "moves", Class: record.Structural, Options: []string{TwoOpt, TwoOptOr},
			Doc: "Moves of the local search: 2opt exchanges two edges; 2opt+or also takes segments of up " +
				"to three cities out and inserts them elsewhere, " +
				"either way round (segment insertion, Or-opt).",
			Effect: "In a fork the next iteration is a search from all cities.",
		}},
		{&p.neighbours, nil, record.Param{
			Name: "neighbours", Class: record.Structural, Min: 1, Max: rounds.MaxNeighbours, Step: 1,
			Unit:   "cities",
			Doc:    "Nearest cities of a city to which a move may give it a new edge.",
			Effect: "In a fork the next iteration is a search from all cities.",
		}},
		{&p.width, nil, record.Param{
			Name: "width", Class: record.Structural, Min: 1, Max: rounds.Lanes, Step: 1, Unit: "cities",
			Doc: "Cities that propose a move in a round.",
		}},
		{&p.start, nil, record.Param{
			Name: "start", Class: record.Structural, Options: []string{"nn", "curve", "random"},
			Doc: "The first tours: by the nearest neighbour from a random city, along the space-filling " +
				"curve from a random city, or at random.",
		}},
		{&p.kicks, nil, record.Param{
			Name: "kicks", Min: 1, Max: 1e6, Step: 10, Unit: "kicks", Sized: true,
			Doc: "Kicks of a chain in an iteration, one after the other.",
		}},
		{&p.size, nil, record.Param{
			Name: "size", Min: 1, Max: 1000, Step: 5, Unit: "cities",
			Doc: "Longest of the three paths that a kick puts into the opposite order; their lengths are " +
				"drawn from 1 to it.",
		}},
		{&p.accept, nil, record.Param{
			Name: "accept", Options: []string{"better", "always"},
			Doc: "Which repaired tours are kept: better, those that are not longer; always, all.",
		}},
		{&p.warps, nil, record.Param{
			Name: "warps", Class: record.Schedule, Min: 0, Max: 32, Unit: "warps",
			Doc: "Warps that search a tour on a GPU; 0: tuned by the device's clock in the first " +
				"iterations, see trials. Of no effect on cpu.",
		}},
		{&p.trials, nil, record.Param{
			Name: "trials", Class: record.Schedule, Min: 0, Max: 100, Unit: "iterations",
			Doc: "Iterations by which the tuner judges a number of warps on a GPU where warps is 0; 0: no " +
				"tuning, the program's own choice. Of no effect on cpu.",
		}},
		{&p.lanes, nil, record.Param{
			Name: "lanes", Class: record.Schedule, Min: 0, Max: 32, Unit: "threads",
			Doc: "Threads that look for the move of one city on a GPU, rounded down to 1, 2, 4 or 8; 0 " +
				"leaves it to the program. Of no effect on cpu.",
		}},
		{&p.workers, (*Rounds).employ, record.Param{
			Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
			Doc: "Goroutines that share the chains on the cpu backend; 0 means one for each core.",
		}},
	}
}

// employ makes room for the goroutines that share the chains.
func (s *Rounds) employ() { s.p.Env.Pool.Resize(s.param.workers) }

func (s *Rounds) Init(env *solvers.Env) error {
	env.Pool.Resize(s.param.workers)
	sp, err := tours.NewSpace(s.inst)
	if err != nil {
		return err
	}
	s.p = rounds.Problem{
		Space: sp, Near: sp.Nearest(s.param.neighbours), Seed: env.Seed, Env: env, Width: s.param.width,
		Or: s.param.moves == TwoOptOr,
	}
	if s.engine, err = s.make(&s.p); err != nil {
		return err
	}
	s.space, s.descend = sp, true
	return s.load(s.starts())
}

// starts makes the first tours.
func (s *Rounds) starts() [][]int32 {
	sp := s.p.Space
	chains := make([][]int32, s.param.chains)
	s.p.Env.Pool.Run(len(chains), func(a, _ int) {
		if s.given != nil {
			chains[a] = sp.FromInstance(s.given)
			return
		}
		draws := arith.NewStream(s.p.Seed, 0, uint32(a), drawStart)
		switch s.param.start {
		case "random":
			chains[a] = sp.Random(&draws)
		case "curve":
			curve := sp.Curve()
			first := draws.IntN(sp.N)
			chains[a] = append(curve[first:len(curve):len(curve)], curve[:first]...)
		default:
			chains[a] = sp.NearestNeighbour(int32(draws.IntN(sp.N)))
		}
	})
	return chains
}

func (s *Rounds) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if len(s.out) != len(s.lengths) {
		s.out = make([]rounds.Outcome, len(s.lengths))
	}
	job := rounds.Job{
		Iter: it, Descend: s.descend, Kicks: s.param.kicks, Size: s.param.size,
		Always: s.param.accept == "always",
		Warps:  s.param.warps, Lanes: s.param.lanes, Trials: s.param.trials,
	}
	if err := s.engine.Iterate(ctx, job, s.out); err != nil {
		return err
	}
	p.Evals = searches(s.descend, len(s.out), s.param.kicks)
	s.descend = false
	var sum rounds.Outcome
	first := 0
	p.Digest = 0
	for a, o := range s.out {
		s.lengths[a] = o.Length
		if o.Length < s.lengths[first] {
			first = a
		}
		sum.Length += o.Length
		sum.Rounds += o.Rounds
		sum.Moves += o.Moves
		sum.Kept += o.Kept
		sum.Gained += o.Gained
		p.Digest = arith.Chain(p.Digest, o.Hash)
	}
	chains := float64(len(s.out))
	p.IterBest, p.Mean = float64(s.lengths[first]), float64(sum.Length)/chains
	p.Measures[0], p.Measures[1] = float64(sum.Rounds)/chains, float64(sum.Moves)/chains
	p.Measures[2], p.Measures[3] = 0, 0
	if !job.Descend {
		all := float64(job.Kicks) * chains
		p.Measures[2], p.Measures[3] = float64(sum.Kept)/all, float64(sum.Gained)/all
	}
	if s.best.beaten(s.lengths[first]) {
		tour := make([]int32, s.p.Space.N)
		if err := s.engine.Tour(first, tour); err != nil {
			return err
		}
		s.best = incumbent{tour, s.lengths[first]}
		if l := s.p.Space.Length(tour); l != s.best.length {
			return fmt.Errorf(
				"ils: iteration %d: chain %d says that its tour has the length %d, and it has %d", it, first,
				s.best.length, l,
			)
		}
	}
	return nil
}

// StartAt makes all chains begin with the tour.
func (s *Rounds) StartAt(sol record.Solution) { s.given = sol.Perm }

func (s *Rounds) Counts() string { return counts }

// Measures are the rounds and moves of a chain, and the shares of accepted and of improving kicks
// (0 in a search from all cities).
func (s *Rounds) Measures() []string { return []string{"rounds", "moves", "kept", "gaining"} }

func (s *Rounds) Best() float64 { return s.best.value() }

func (s *Rounds) Solution() record.Solution { return s.best.solution(s.space) }
