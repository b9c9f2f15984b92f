package anneal

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

func init() {
	solvers.Register(metropolis)
}

// metropolis is the variant on the CPU.
var metropolis = solvers.Variant{
	Solver: "anneal", Name: "metropolis", Backend: "cpu", Revision: 1, Default: true,
	Deterministic: true,
	Kinds: []datasets.Kind{
		datasets.KindTSP, datasets.KindATSP, datasets.KindQAP, datasets.KindPPP,
		datasets.KindColouring, datasets.KindWeierstrass, datasets.KindCut, datasets.KindOwn,
	},
	Presets: []solvers.Preset{
		{
			Name: "slow", Doc: "Coolings ten times as long, which end better.",
			Values: solvers.Fixed(record.Of("cooling", 0.9998)),
		},
	},
	Title: "Simulated annealing: moves at random, worse ones too, the fewer the colder it is; a " +
		"walk uses one core, so walks=8 uses eight",
	Source: "S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, 1983, Optimization by simulated " +
		"annealing, doi:10.1126/science.220.4598.671",
	Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24, " +
		"walk, block}: purpose 1 the start, purpose 2 the moves that scale the temperature, " +
		"purpose 3 three words for each move (two say which, the third whether it is made), " +
		"purpose 4 with order=sweep a word for each move that may be made though it is worse, " +
		"purpose 5 the neighbours of real vectors (iteration << 20 ^ move for the iteration).",
	New: func(inst datasets.Instance) (solvers.Algorithm, error) { return newSearch(inst) },
}

// Purposes of draws; see Variant.Layout.
const (
	drawStart uint8 = 1
	drawScale uint8 = 2
	drawMoves uint8 = 3
	drawSweep uint8 = 4
)

// search is the algorithm: walks side by side with a common schedule.
type search struct {
	// Parameters; see Declare.
	temperature, cooling, cold, reheat float64
	neighbourhood, order               string
	moves, walks, workers              int

	inst  datasets.Instance
	env   *solvers.Env
	nbs   []moves.Neighbourhood
	given *record.Solution // what all walks begin at; nil: random solutions

	// State.
	all    []*walk
	cooled float64 // what is left of the temperature, of 1
}

// walk is a solution with the data by which its moves are evaluated, and the best it came by.
type walk struct {
	moves.Walk
	scale float64 // by how much a move changes the cost in the mean, at the start
	best  record.Solution
	low   float64 // its cost

	marker moves.Marker // remembers the best within an iteration, or nil
	marked bool         // it does

	least float64 // of the costs in the last iteration
	made  int     // moves in it
	cost  float64 // of the solution after it
	hash  uint64  // likewise
	wrong error   // its cost is not what the sum of its moves says
}

// keep makes the present solution the best one, if it is.
func (w *walk) keep() {
	c := w.Cost()
	if !(c < w.low) {
		return
	}
	w.low = c
	if w.marker == nil {
		w.best = w.Solution()
		return
	}
	w.marker.Mark()
	w.marked = true
}

// settle makes best the solution that was kept last.
func (w *walk) settle() {
	if w.marked {
		w.best, w.marked = w.marker.Marked(), false
	}
}

// newSearch returns the search with defaults that suit the instance. It does no long work.
func newSearch(inst datasets.Instance) (*search, error) {
	nbs, err := moves.SampledNeighbourhoods(inst)
	if err != nil {
		return nil, err
	}
	if inst.Size() < 1 {
		return nil, fmt.Errorf("anneal: %s has no solution to move", inst.Name())
	}
	s := &search{
		inst: inst, nbs: nbs, neighbourhood: nbs[0].Name(), walks: 1,
		moves:       min(max(10*inst.Size(), 1000), 1e6),
		temperature: 0.5, cooling: 0.998, cold: 0.05, reheat: 0.5,
	}
	switch inst.Kind() {
	case datasets.KindCut:
		s.order = orderSweep
	case datasets.KindTSP:
		s.neighbourhood = "reverse"
		// The edges of good tours are shorter than those of random ones by the root of their number.
		s.temperature = min(0.5, math.Round(1500/math.Sqrt(float64(inst.Size())))/1000)
	case datasets.KindPPP:
		s.neighbourhood = "hamming2"
	case datasets.KindWeierstrass:
		s.moves = min(10*inst.Size(), 10_000) // of which each takes as long as hundreds elsewhere
	}
	return s, nil
}

// Declare says what can be turned, in which range, and when: live parameters at any iteration,
// structural ones by a fork. Those of class schedule never change a result.
func (s *search) Declare(t *solvers.Params) {
	t.Float(&s.temperature, record.Param{
		Name: "temperature", Min: 0, Max: 100, Step: 0.01,
		Doc: "How hot a cooling begins, of 1: at 1 a move that makes the cost worse by as much as " +
			"moves from the start change it is made with a probability of 37 %.",
		Effect: "It is so much hotter or colder at once; how far the cooling has come stays.",
	})
	t.Float(&s.cooling, record.Param{
		Name: "cooling", Min: 0.5, Max: 1, Step: 0.001,
		Doc: "What an iteration leaves of the temperature; 1 keeps it.",
	})
	t.Float(&s.cold, record.Param{
		Name: "cold", Min: 1e-9, Max: 1, Step: 0.001,
		Doc: "What is left of the temperature when a cooling ends.",
	})
	t.Float(&s.reheat, record.Param{
		Name: "reheat", Min: 0, Max: 1, Step: 0.05,
		Doc: "How hot the next cooling begins, of the temperature; it goes on from the best solution " +
			"of the walk. 0: it stays cold.",
	})
	var names []string
	for _, nb := range s.nbs {
		names = append(names, nb.Name())
	}
	t.Enum(&s.neighbourhood, record.Param{
		Name: "neighbourhood", Options: names, Doc: "The moves that are drawn.",
	})
	if s.order != "" {
		t.Enum(&s.order, record.Param{
			Name: "order", Options: []string{orderSweep, orderRandom},
			Doc: "Which moves are tried: all in turn, where a word is drawn only for a worse one, or " +
				"random ones.",
		})
	}
	t.Int(&s.moves, record.Param{
		Name: "moves", Min: 1, Max: 1e6, Step: 1000, Unit: "moves",
		Doc: "Moves that a walk draws in an iteration, at one temperature.",
	})
	t.Int(&s.walks, record.Param{
		Name: "walks", Class: record.Structural, Min: 1, Max: 4096, Unit: "walks",
		Doc: "Searches side by side, each with a solution of its own; they are shared out to the cores.",
	})
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the walks; 0 means one for each core.",
	})
}

// StartAt is called before Init where the run is to begin at a solution.
func (s *search) StartAt(sol record.Solution) { s.given = &sol }

// Init makes the walks and finds the scale of their temperatures.
func (s *search) Init(env *solvers.Env) error {
	s.env, s.cooled = env, 1
	env.Pool.Resize(s.workers)
	walks, err := moves.Sampled(s.inst, s.walks)
	if err != nil {
		return err
	}
	s.all = make([]*walk, s.walks)
	for a := range s.all {
		w := &walk{Walk: walks[a], low: math.Inf(1), marker: moves.MarkerOf(walks[a])}
		if s.given != nil {
			if err := w.Load(*s.given); err != nil {
				return err
			}
		} else {
			draws := arith.NewStream(env.Seed, 0, uint32(a), drawStart)
			w.Random(&draws)
		}
		w.keep()
		w.settle()
		w.scale = s.scale(w, a)
		s.all[a] = w
	}
	return nil
}

// scale returns the mean of by how much some random moves change the cost; 1 where none does.
func (s *search) scale(w *walk, a int) float64 {
	nb, draws := s.drawn(), arith.NewStream(s.env.Seed, 0, uint32(a), drawScale)
	if nb.Size() == 0 {
		return 1
	}
	const sample = 1000
	var sum float64
	for range sample {
		sum += math.Abs(w.Delta(nb.Move(below(&draws, nb.Size()))))
	}
	if sum == 0 {
		return 1
	}
	return sum / sample
}

// drawn is the neighbourhood whose moves are drawn.
func (s *search) drawn() moves.Neighbourhood {
	for _, nb := range s.nbs {
		if nb.Name() == s.neighbourhood {
			return nb
		}
	}
	return s.nbs[0]
}

// below draws a number in [0, n).
func below(draws *arith.Stream, n int64) int64 {
	x := uint64(draws.Uint32())<<32 | uint64(draws.Uint32())
	high, _ := bits.Mul64(x, uint64(n))
	return int64(high)
}

// Changed receives the names of the parameters that changed between two iterations.
func (s *search) Changed(names []string) {
	for _, name := range names {
		if name == "workers" {
			s.env.Pool.Resize(s.workers)
		}
	}
}

// Iterate draws moves at one temperature, and cools.
func (s *search) Iterate(ctx context.Context, it int64, p *record.Point) error {
	before := make([]walk, len(s.all))
	here := make([]record.Solution, len(s.all))
	s.env.Pool.Run(len(s.all), func(a, _ int) {
		w := s.all[a]
		before[a], here[a] = *w, w.Solution()
		s.anneal(ctx, it, a)
		w.wrong = moves.Proved(w.Walk)
	})
	if err := ctx.Err(); err != nil { // the state is unchanged, so that the iteration can run again
		for a := range s.all {
			*s.all[a] = before[a]
			if err := s.all[a].Load(here[a]); err != nil {
				return err
			}
		}
		return err
	}
	for _, w := range s.all {
		if w.wrong != nil {
			return w.wrong
		}
		w.cost, w.hash = w.Cost(), w.Hash()
	}
	s.tell(p)
	return s.cool()
}

// tell writes what the iteration came to.
func (s *search) tell(p *record.Point) {
	p.IterBest, p.Mean = math.Inf(1), 0
	made := 0
	for _, w := range s.all {
		p.IterBest = min(p.IterBest, w.least)
		p.Mean += w.cost / float64(len(s.all))
		p.Digest = arith.Chain(p.Digest, w.hash)
		made += w.made
	}
	p.Mean = max(p.Mean, p.IterBest) // a mean of equal numbers may be rounded to below them
	p.Evals = int64(s.moves) * int64(len(s.all))
	p.Measures[0] = s.temperature * s.cooled
	p.Measures[1] = 100 * float64(made) / float64(p.Evals)
}

// anneal makes the moves of walk a: a better one always, one that makes the cost worse by d with
// the probability exp(-d/t).
func (s *search) anneal(ctx context.Context, it int64, a int) {
	w, nb := s.all[a], s.drawn()
	if s.order == orderSweep {
		s.sweep(ctx, it, a)
		return
	}
	draws := arith.NewStream(s.env.Seed, uint64(it), uint32(a), drawMoves)
	renewer, _ := w.Walk.(moves.Renewer)
	t := s.temperature * s.cooled * w.scale
	w.least, w.made = w.Cost(), 0
	for i := range s.moves {
		if nb.Size() == 0 || i%256 == 0 && ctx.Err() != nil {
			break
		}
		if renewer != nil {
			renewer.Renew(s.env.Seed, it<<20^int64(i), a)
		}
		m := nb.Move(below(&draws, nb.Size()))
		u := draws.Float64()
		d := w.Delta(m)
		if d > 0 {
			// u < exp(-d/t), by the project's own logarithm, which is the same on all machines.
			if !(d < -t*math.Ln2*arith.Log2(u)) {
				continue
			}
			w.keep() // before it is left
		}
		w.Apply(m)
		w.made++
		w.least = min(w.least, w.Cost())
	}
	w.keep()
	w.settle()
}

// The words of the parameter order.
const (
	orderSweep  = "sweep"
	orderRandom = "random"
)

// never is the -log2 of less than any number that a word can be.
const never = 33

// sweep makes the moves of walk a in turn, from where the iterations before would have come to with
// as many moves.
func (s *search) sweep(ctx context.Context, it int64, a int) {
	w, nb := s.all[a], s.drawn()
	draws := arith.NewStream(s.env.Seed, uint64(it), uint32(a), drawSweep)
	t := s.temperature * s.cooled * w.scale * math.Ln2
	w.least, w.made = w.Cost(), 0
	size, cost := nb.Size(), w.Cost()
	at := int64(0)
	if size > 0 {
		at = (it - 1) % size * int64(s.moves) % size
	}
	for i := range s.moves {
		if size == 0 || i%256 == 0 && ctx.Err() != nil {
			break
		}
		m := nb.Move(at)
		if at++; at == size {
			at = 0
		}
		d := w.Delta(m)
		if d > 0 {
			// u < exp(-d/t), as in anneal; where no u is so small, none is drawn.
			if d >= t*never || !(d < -t*arith.Log2(draws.Float64())) {
				continue
			}
			if cost < w.low {
				w.keep() // before it is left
			}
		}
		w.Apply(m)
		w.made++
		cost = w.Cost()
		w.least = min(w.least, cost)
	}
	w.keep()
	w.settle()
}

// colder ends an iteration, and tells whether the walks are heated for the next.
func (s *search) colder() bool {
	s.cooled *= s.cooling
	if s.cooled > s.cold {
		return false
	}
	s.cooled = max(s.cold, s.reheat)
	return s.reheat > s.cold
}

// cool ends an iteration; what is heated begins at its best solution.
func (s *search) cool() error {
	if !s.colder() {
		return nil
	}
	for _, w := range s.all {
		if err := w.Load(w.best); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) Counts() string { return "neighbours looked at" }

func (s *search) Measures() []string { return []string{"temperature", "moves made, %"} }

// leader is the walk with the best solution.
func (s *search) leader() *walk {
	best := s.all[0]
	for _, w := range s.all {
		if w.low < best.low {
			best = w
		}
	}
	return best
}

func (s *search) Best() float64 { return s.leader().low }

func (s *search) Solution() record.Solution { return s.leader().best.Clone() }

// Snapshot writes all that the next iterations follow from.
func (s *search) Snapshot(w *solvers.Writer) {
	w.Int64s("walks", int64(len(s.all)))
	w.Float64s("cooled", s.cooled)
	for _, a := range s.all {
		w.Float64s("scale", a.scale)
		w.Solution("now", s.inst.Kind(), a.Solution())
		w.Solution("best", s.inst.Kind(), a.best)
	}
}

// Restore takes over as many walks as there are; those that the state does not have begin anew,
// and with fewer the last are dropped.
func (s *search) Restore(r *solvers.Reader) error {
	n, cooled := r.Int64s("walks", 1)[0], r.Float64s("cooled", 1)[0]
	for a := range n {
		scale := r.Float64s("scale", 1)[0]
		now, _, err := r.Solution("now", s.inst)
		if err != nil {
			return err
		}
		best, low, err := r.Solution("best", s.inst)
		if err != nil {
			return err
		}
		if a >= int64(len(s.all)) {
			if w := s.all[0]; low < w.low {
				w.best, w.low = best, low // the run's best is never lost
			}
			continue
		}
		w := s.all[a]
		if err := w.Load(now); err != nil {
			return err
		}
		w.scale, w.best, w.low = scale, best, low
	}
	s.cooled = cooled
	return r.Err()
}

// Trace shows the solutions of the walks, by which a replay that differs says where.
func (s *search) Trace() [][]int32 {
	out := make([][]int32, len(s.all))
	for a, w := range s.all {
		sol := w.Solution()
		out[a] = sol.Perm
	}
	return out
}

func (s *search) Close() {}
