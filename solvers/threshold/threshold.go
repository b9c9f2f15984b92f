package threshold

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
	solvers.Register(accepting)
	solvers.Register(travel)
}

// accepting is threshold accepting.
var accepting = variant("accepting", solvers.Variant{
	Default: true,
	Presets: []solvers.Preset{
		{
			Name: "slow", Doc: "Descents ten times as long, which end better.",
			Values: solvers.Fixed(record.Of("lowering", 0.9998)),
		},
	},
	Title: "Threshold accepting: moves at random, all but those that make it worse by the " +
		"threshold; on one core, and repeat uses all",
	Source: "G. Dueck, T. Scheuer, 1990, Threshold accepting: a general purpose optimization " +
		"algorithm appearing superior to simulated annealing, doi:10.1016/0021-9991(90)90201-B",
}, func(w *walk, d, t float64) bool { return d < t })

// travel is record-to-record travel.
var travel = variant("record", solvers.Variant{
	Title: "Record-to-record travel: moves at random, all that stay near the best cost so far; on " +
		"one core, and repeat uses all",
	Source: "G. Dueck, 1993, New optimization heuristics: the great deluge algorithm and the " +
		"record-to-record travel, doi:10.1006/jcph.1993.1010",
}, func(w *walk, d, t float64) bool { return d+(w.Cost()-w.record()) < t })

// A rule reports whether to apply a move that increases the cost of a walk by d, at threshold t.
type rule func(w *walk, d, t float64) bool

// variant completes a variant whose moves are accepted by a rule. All have the same state.
func variant(name string, v solvers.Variant, accepts rule) solvers.Variant {
	v.Solver, v.Name, v.Backend, v.Revision, v.Deterministic = "threshold", name, "cpu", 1, true
	v.Family = "threshold"
	v.Kinds = []datasets.Kind{
		datasets.KindTSP, datasets.KindATSP, datasets.KindQAP, datasets.KindPPP,
		datasets.KindColouring, datasets.KindWeierstrass, datasets.KindCut, datasets.KindOwn,
	}
	v.Layout = "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24" +
		", 0, block}: purpose 1 the start, purpose 2 the moves that scale the threshold, purpose 3 two " +
		"words for each move, purpose 5 the neighbours of real vectors (iteration << 20 ^ move for " +
		"the iteration)."
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		return newSearch(inst, name, accepts)
	}
	return v
}

// Purposes of draws; see Variant.Layout.
const (
	drawStart uint8 = 1
	drawScale uint8 = 2
	drawMoves uint8 = 3
)

// search is the algorithm: one walk, and the threshold that falls.
type search struct {
	// Parameters; see Declare.
	threshold, lowering, low, rise float64
	neighbourhood                  string
	moves                          int

	inst    datasets.Instance
	seed    uint64
	nbs     []moves.Neighbourhood
	given   *record.Solution // what the walk begins at; nil: a random solution
	accepts rule

	// State.
	walk *walk
	left float64 // what is left of the threshold, of 1
}

// walk is a solution with the data by which its moves are evaluated, and the best it came by.
type walk struct {
	moves.Walk
	scale float64 // by how much a move changes the cost in the mean, at the start
	best  record.Solution
	least float64 // its cost

	marker moves.Marker // remembers the best within an iteration, or nil
	marked bool         // it does
}

// record is the least cost so far.
func (w *walk) record() float64 { return min(w.least, w.Cost()) }

// keep makes the present solution the best one, if it is.
func (w *walk) keep() {
	c := w.Cost()
	if !(c < w.least) {
		return
	}
	w.least = c
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
func newSearch(inst datasets.Instance, name string, accepts rule) (*search, error) {
	nbs, err := moves.SampledNeighbourhoods(inst)
	if err != nil {
		return nil, err
	}
	if inst.Size() < 1 {
		return nil, fmt.Errorf("threshold: %s has no solution to move", inst.Name())
	}
	s := &search{
		inst: inst, nbs: nbs, neighbourhood: nbs[0].Name(), accepts: accepts,
		moves:     min(max(10*inst.Size(), 1000), 1e6),
		threshold: 0.8, lowering: 0.998, low: 0.05, rise: 1,
	}
	if name == "record" {
		s.threshold, s.lowering = 1.5, 1 // the paper's deviation stays what it is
	}
	switch inst.Kind() {
	case datasets.KindTSP:
		s.neighbourhood = "reverse"
		// The edges of good tours are shorter than those of random ones by the root of their number.
		s.threshold = min(0.5, math.Round(1500/math.Sqrt(float64(inst.Size())))/1000)
	case datasets.KindPPP:
		s.neighbourhood = "hamming2"
	case datasets.KindWeierstrass:
		s.moves = min(10*inst.Size(), 10_000) // of which each takes as long as hundreds elsewhere
	}
	return s, nil
}

// Declare says what can be turned, in which range, and when: all but neighbourhood, moves and the
// threshold itself are of the schedule.
func (s *search) Declare(t *solvers.Params) {
	t.Float(&s.threshold, record.Param{
		Name: "threshold", Min: 0, Max: 1000, Step: 0.01,
		Doc: "How high the threshold begins, of 1, which is by how much moves from the start change " +
			"the cost in the mean.",
		Effect: "It is so much higher or lower at once; how far it has fallen stays.",
	})
	t.Float(&s.lowering, record.Param{
		Name: "lowering", Min: 0.5, Max: 1, Step: 0.001,
		Doc: "What an iteration leaves of the threshold; 1 keeps it.",
	})
	t.Float(&s.low, record.Param{
		Name: "low", Min: 1e-9, Max: 1, Step: 0.001,
		Doc: "What is left of the threshold when a descent ends.",
	})
	t.Float(&s.rise, record.Param{
		Name: "rise", Min: 0, Max: 1, Step: 0.05,
		Doc: "How high the next descent begins, of the threshold; it goes on from the best solution. " +
			"0: it stays low.",
	})
	var names []string
	for _, nb := range s.nbs {
		names = append(names, nb.Name())
	}
	t.Enum(&s.neighbourhood, record.Param{
		Name: "neighbourhood", Options: names, Doc: "The moves that are drawn.",
	})
	t.Int(&s.moves, record.Param{
		Name: "moves", Min: 1, Max: 1e6, Step: 1000, Unit: "moves",
		Doc: "Moves that are drawn in an iteration, at one threshold.",
	})
}

// StartAt is called before Init where the run is to begin at a solution.
func (s *search) StartAt(sol record.Solution) { s.given = &sol }

// Init makes the walk and finds the scale of its threshold.
func (s *search) Init(env *solvers.Env) error {
	s.seed, s.left = env.Seed, 1
	walks, err := moves.Sampled(s.inst, 1)
	if err != nil {
		return err
	}
	s.walk = &walk{Walk: walks[0], least: math.Inf(1), marker: moves.MarkerOf(walks[0])}
	if s.given != nil {
		if err := s.walk.Load(*s.given); err != nil {
			return err
		}
	} else {
		draws := arith.NewStream(env.Seed, 0, 0, drawStart)
		s.walk.Random(&draws)
	}
	s.walk.keep()
	s.walk.settle()
	s.walk.scale = s.scale()
	return nil
}

// scale returns the mean of by how much some random moves change the cost; 1 where none does.
func (s *search) scale() float64 {
	nb, draws := s.drawn(), arith.NewStream(s.seed, 0, 0, drawScale)
	if nb.Size() == 0 {
		return 1
	}
	const sample = 1000
	var sum float64
	for range sample {
		sum += math.Abs(s.walk.Delta(nb.Move(below(&draws, nb.Size()))))
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

// Iterate draws moves at one threshold, and lowers it.
func (s *search) Iterate(ctx context.Context, it int64, p *record.Point) error {
	w := s.walk
	before, here := *w, w.Solution()
	made, least := s.move(ctx, it)
	if err := ctx.Err(); err != nil { // the state is unchanged, so that the iteration can run again
		*w = before
		if err := w.Load(here); err != nil {
			return err
		}
		return err
	}
	if err := moves.Proved(w.Walk); err != nil {
		return err
	}
	p.IterBest, p.Mean = least, max(w.Cost(), least)
	p.Digest = arith.Chain(p.Digest, w.Hash())
	p.Evals = int64(s.moves)
	p.Measures[0] = s.threshold * s.left
	p.Measures[1] = 100 * float64(made) / float64(s.moves)
	return s.lower()
}

// move draws moves and makes those that are accepted: how many, and the least cost that the walk
// had.
func (s *search) move(ctx context.Context, it int64) (made int, least float64) {
	w, nb := s.walk, s.drawn()
	draws := arith.NewStream(s.seed, uint64(it), 0, drawMoves)
	renewer, _ := w.Walk.(moves.Renewer)
	t := s.threshold * s.left * w.scale
	least = w.Cost()
	for i := range s.moves {
		if nb.Size() == 0 || i%256 == 0 && ctx.Err() != nil {
			break
		}
		if renewer != nil {
			renewer.Renew(s.seed, it<<20^int64(i), 0)
		}
		m := nb.Move(below(&draws, nb.Size()))
		if d := w.Delta(m); d > 0 {
			if !s.accepts(w, d, t) {
				continue
			}
			w.keep() // before it is left
		}
		w.Apply(m)
		made++
		least = min(least, w.Cost())
	}
	w.keep()
	w.settle()
	return made, least
}

// lower ends an iteration; a descent that has ended is followed by one from the best solution.
func (s *search) lower() error {
	s.left *= s.lowering
	if s.left > s.low {
		return nil
	}
	s.left = max(s.low, s.rise)
	if s.rise <= s.low {
		return nil
	}
	return s.walk.Load(s.walk.best)
}

func (s *search) Counts() string { return "neighbours looked at" }

func (s *search) Measures() []string { return []string{"threshold", "moves made, %"} }

func (s *search) Best() float64 { return s.walk.least }

func (s *search) Solution() record.Solution { return s.walk.best.Clone() }

// Snapshot writes all that the next iterations follow from.
func (s *search) Snapshot(w *solvers.Writer) {
	w.Float64s("left", s.left, s.walk.scale)
	w.Solution("now", s.inst.Kind(), s.walk.Solution())
	w.Solution("best", s.inst.Kind(), s.walk.best)
}

func (s *search) Restore(r *solvers.Reader) error {
	of := r.Float64s("left", 2)
	now, _, err := r.Solution("now", s.inst)
	if err != nil {
		return err
	}
	best, least, err := r.Solution("best", s.inst)
	if err != nil {
		return err
	}
	if err := s.walk.Load(now); err != nil {
		return err
	}
	s.left, s.walk.scale, s.walk.best, s.walk.least = of[0], of[1], best, least
	return r.Err()
}

// Trace shows the solution of the walk, by which a replay that differs says where.
func (s *search) Trace() [][]int32 { return [][]int32{s.walk.Solution().Perm} }

func (s *search) Close() {}
