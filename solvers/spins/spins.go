package spins

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

func init() {
	solvers.Register(spins)
}

// spins is the variant on the CPU.
var spins = solvers.Variant{
	Solver: "anneal", Name: "spins", Backend: "cpu", Revision: 1, Deterministic: true,
	Kinds: []datasets.Kind{datasets.KindCut},
	Presets: []solvers.Preset{
		{
			Name: "slow", Doc: "Coolings ten times as long, which end better.",
			Values: solvers.Fixed(record.Of("cooling", 0.999)),
		},
		{
			Name: "wide", Doc: "8,448 walks, which occupy a GPU of 132 multiprocessors.",
			Values: solvers.Fixed(record.Of("walks", 8448)),
		},
	},
	Title: "Simulated annealing of spins, 64 walks at a time in the bits of words; a core makes " +
		"hundreds of millions of trials a second",
	Source: "S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, 1983, Optimization by simulated " +
		"annealing, doi:10.1126/science.220.4598.671; L. Jacobs, C. Rebbi, 1981, Multi-spin coding, " +
		"doi:10.1016/0021-9991(81)90089-9",
	Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ b/4 << 20 ^ " +
		"purpose << 24, vertex ^ sweep << 20, walk/32}: purpose 1 the start, purpose 2 the bits b of " +
		"the numbers that decide on flips, word b mod 4, a walk a bit.",
	Family: "bits",
	New: func(inst datasets.Instance) (solvers.Algorithm, error) {
		return newSearch(inst, onCores)
	},
}

// onCores makes the engine of the CPU.
func onCores(p *Problem) (Engine, error) { return newCores(p), nil }

// The words of the parameter schedule.
const (
	scheduleLinear    = "linear"
	scheduleGeometric = "geometric"
)

// mostWalks is the largest number of walks.
const mostWalks = 1 << 17

// search is the algorithm.
type search struct {
	// Parameters; see Declare.
	heat
	sweeps, walks, workers, block int

	inst   *datasets.Cut
	open   func(*Problem) (Engine, error)
	given  *record.Solution // what all walks begin at; nil: random sides
	p      *Problem
	engine Engine
	warmth
	out []Group

	resampling *resampling // of a population, or nil
	only       *span       // the walks that are made; nil: all

	// State, beside the engine's words and what is left of the temperature.
	best []int8  // the best solution; nil: none
	low  float64 // its cost
	by   int     // the walk that found it, of the whole run; -1: none did
	err  error   // of a failed copy; the next iteration returns it
}

// heat is the schedule of the temperature.
type heat struct {
	temperature, cooling, cold, reheat float64
	schedule                           string

	cooled float64 // what is left of the temperature, of 1; 0: the iteration that ends a cooling
}

// warmth is the temperature of the levels.
type warmth struct {
	most   int64 // the highest level that there can be
	levels Levels
	warm   float64
	set    bool // the levels are those of warm
}

// warmTo sets the levels to those of a temperature.
func (w *warmth) warmTo(n *Net, temperature float64) {
	if !w.set || temperature != w.warm {
		w.levels.Set(n, temperature, w.most)
		w.set, w.warm = true, temperature
	}
}

func newSearch(
	inst datasets.Instance, open func(*Problem) (Engine, error),
) (*search, error) {
	c, ok := inst.(*datasets.Cut)
	if !ok {
		return nil, fmt.Errorf("anneal/spins: %s is a %T, want max-cut", inst.Name(), inst)
	}
	return &search{
		inst: c, open: open, walks: 64, sweeps: 16,
		heat: heat{
			schedule: scheduleLinear, temperature: 0.35, cooling: 0.99, cold: 0.15, reheat: 1,
		},
	}, nil
}

// Declare says what can be turned, in which range, and when.
func (s *search) Declare(t *solvers.Params) {
	t.Float(&s.temperature, record.Param{
		Name: "temperature", Min: 0, Max: 100, Step: 0.01,
		Doc: "How hot a cooling begins, in units of the root mean square change of the cost by a flip " +
			"at random sides.",
		Effect: "It is so much hotter or colder at once; how far the cooling has come stays.",
	})
	t.Float(&s.cooling, record.Param{
		Name: "cooling", Min: 0.5, Max: 1, Step: 0.001,
		Doc: "What an iteration leaves of the temperature; with schedule=linear each takes as much as " +
			"the first. 1 keeps it.",
	})
	t.Float(&s.cold, record.Param{
		Name: "cold", Min: 1e-9, Max: 1, Step: 0.001,
		Doc: "What is left of the temperature when a cooling ends, by an iteration at temperature 0.",
	})
	t.Float(&s.reheat, record.Param{
		Name: "reheat", Min: 0, Max: 1, Step: 0.05,
		Doc: "How hot the next cooling begins, of the temperature; each walk goes on from where it is. " +
			"0: it stays cold.",
	})
	t.Enum(&s.schedule, record.Param{
		Name: "schedule", Options: []string{scheduleLinear, scheduleGeometric},
		Doc: "How the temperature falls: by the same amount, or by the same factor, in each iteration.",
	})
	t.Int(&s.sweeps, record.Param{
		Name: "sweeps", Min: 1, Max: MaxSweeps, Step: 1, Unit: "sweeps",
		Doc: "How often an iteration tries each vertex, at one temperature.",
	})
	t.Int(&s.walks, record.Param{
		Name: "walks", Class: record.Structural, Min: 1, Max: mostWalks, Step: 32, Unit: "walks",
		Doc: "Solutions side by side, each a bit of words; 1 takes as long as 64 on a core.",
	})
	if s.resampling != nil {
		s.resampling.declare(t)
	}
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the words; 0 means one for each core.",
	})
	t.Int(&s.block, record.Param{
		Name: "block", Class: record.Schedule, Min: 0, Max: 512, Step: 32, Unit: "threads",
		Doc: "Threads of a GPU that share the vertices of 32 walks; 0 lets metalab choose.",
	})
}

// StartAt is called before Init where the run is to begin at a solution.
func (s *search) StartAt(sol record.Solution) { s.given = &sol }

// Init makes the net and the walks.
func (s *search) Init(env *solvers.Env) (err error) {
	env.Pool.Resize(s.workers)
	s.cooled, s.low, s.by = 1, math.Inf(1), -1
	net := NewNet(s.inst)
	s.most = net.most()
	s.p = &Problem{
		Net: net, Walks: s.walks, Seed: env.Seed, Env: env, Resampled: s.resampling != nil,
	}
	if o := s.only; o != nil {
		s.p.First, s.p.Skip = o.first/32, o.first%32
		s.p.Walks = o.last + 1 - 32*s.p.First
	}
	s.out = make([]Group, s.p.Groups())
	words := s.p.start()
	if s.given != nil {
		cost, err := s.inst.Cost(s.given.Bits)
		if err != nil {
			return err
		}
		s.best, s.low = append([]int8(nil), s.given.Bits...), float64(cost)
		for _, of := range words {
			for i, v := range net.Vertex {
				of[i] = -uint32(s.best[v])
			}
		}
	}
	if s.engine, err = s.open(s.p); err != nil {
		return err
	}
	return s.engine.Load(words)
}

// start returns the words of all groups at the start.
func (p *Problem) start() [][]uint32 {
	words := make([][]uint32, p.Groups())
	for g := range words {
		words[g] = make([]uint32, p.Net.N)
		for i, v := range p.Net.Vertex {
			words[g][i] = start(p.Seed, v, p.First+g)
		}
	}
	return words
}

// Changed receives the names of the parameters that changed between two iterations.
func (s *search) Changed(names []string) {
	for _, name := range names {
		if name == "workers" {
			s.p.Env.Pool.Resize(s.workers)
		}
	}
}

// Iterate makes the sweeps of an iteration, and cools.
func (s *search) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := errors.Join(s.err, ctx.Err()); err != nil {
		return err
	}
	s.warmTo(s.p.Net, s.temperature*s.cooled)
	job := Job{Iteration: it, Sweeps: s.sweeps, Levels: &s.levels, Block: s.block}
	if err := s.engine.Iterate(ctx, job, s.out); err != nil {
		return err
	}
	leader, least, sum, flips := 0, int64(math.MaxInt64), int64(0), int64(0)
	for w := s.p.Skip; w < s.p.Walks; w++ {
		c := s.p.Net.Cost(s.out[w/32].Good[w%32])
		sum += c
		if c < least {
			leader, least = w, c
		}
	}
	for g := range s.out {
		flips += s.out[g].Flips
		p.Digest = arith.Chain(p.Digest, s.out[g].Hash)
	}
	p.IterBest = float64(least)
	walks := s.p.Walks - s.p.Skip
	p.Mean = max(float64(sum)/float64(walks), p.IterBest)
	p.Evals = int64(s.sweeps) * int64(s.inst.N) * int64(walks)
	p.Measures[0] = s.warm
	p.Measures[1] = 100 * float64(flips) / float64(p.Evals)
	if p.IterBest < s.low {
		if err := s.keep(leader, least); err != nil {
			return err
		}
	}
	s.cool()
	if s.resampling != nil {
		share, err := s.resample(it, s.warm, s.temperature*s.cooled)
		if err != nil {
			return err
		}
		p.Measures[2] = 100 * share
	}
	return nil
}

// keep makes the solution of a walk the best.
func (s *search) keep(walk int, cost int64) error {
	x, err := s.solution(walk)
	if err != nil {
		return err
	}
	is, err := s.inst.Cost(x)
	if err != nil {
		return err
	}
	if is != cost {
		return fmt.Errorf("anneal/spins: the solution of walk %d costs %d by the planes, %d by the edges",
			walk, cost, is)
	}
	s.best, s.low, s.by = x, float64(cost), 32*s.p.First+walk
	return nil
}

// solution reads that of a walk.
func (s *search) solution(walk int) ([]int8, error) {
	words := make([]uint32, s.inst.N)
	if err := s.engine.Words(walk/32, words); err != nil {
		return nil, err
	}
	x := make([]int8, s.inst.N)
	for i, v := range s.p.Net.Vertex {
		x[v] = int8(words[i] >> (walk % 32) & 1)
	}
	return x, nil
}

// cool ends an iteration.
func (h *heat) cool() {
	if h.cooled == 0 {
		h.cooled = max(h.cold, h.reheat)
		return
	}
	next := h.cooled * h.cooling
	if h.schedule == scheduleLinear {
		next = h.cooled - (1 - h.cooling)
	}
	if next <= h.cold && h.cooling < 1 {
		next = 0
	}
	h.cooled = next
}

func (s *search) Counts() string { return "flips tried" }

func (s *search) Measures() []string {
	names := []string{"temperature", "flips made, %"}
	if s.resampling != nil {
		names = append(names, "walks with descendants, %")
	}
	return names
}

func (s *search) Best() float64 { return s.low }

func (s *search) Solution() record.Solution {
	return record.Solution{Bits: append([]int8(nil), s.best...)}
}

// StateBytes is about how long a snapshot is.
func (s *search) StateBytes() int64 {
	return 4*int64(s.p.Groups())*int64(s.inst.N) + int64(s.inst.N)
}

// Snapshot writes the words by vertex; bits that are no walk's are 0.
func (s *search) Snapshot(w *solvers.Writer) {
	words := make([]uint32, s.inst.N)
	var all []int32
	for g := range s.out {
		if err := s.engine.Words(g, words); err != nil {
			s.err = cmp.Or(s.err, fmt.Errorf("anneal/spins: the words of group %d: %w", g, err))
			w.Bytes("lost", []byte(s.err.Error())) // what is lost is not restored by mistake
			return
		}
		used := s.p.Used(g)
		for _, at := range s.p.Net.Place {
			all = append(all, int32(words[at]&used))
		}
	}
	w.Int64s("walks", int64(s.walks))
	w.Float64s("cooled", s.cooled)
	w.Int32s("words", all)
	w.Float64s("low", s.low)
	w.Int64s("by", int64(s.by))
	if s.best != nil {
		w.Solution("best", s.inst.Kind(), record.Solution{Bits: s.best})
	}
}

// Restore takes over as many walks as there are. Those that the state does not have begin anew, and
// with fewer the last are dropped.
func (s *search) Restore(r *solvers.Reader) error {
	walks, cooled := int(r.Int64s("walks", 1)[0]), r.Float64s("cooled", 1)[0]
	if err := r.Err(); err != nil {
		return err
	}
	if walks < 1 || walks > mostWalks || !(cooled >= 0 && cooled <= 1) {
		return fmt.Errorf("anneal/spins: a state of %d walks with %v of the temperature, want 1 to %d "+
			"walks and 0 to 1", walks, cooled, mostWalks)
	}
	was := &Problem{Walks: walks}
	if s.only != nil { // whose state is of the same part
		was = s.p
	}
	all := r.Int32s("words", was.Groups()*s.inst.N)
	low, by := r.Float64s("low", 1)[0], r.Int64s("by", 1)[0]
	if err := r.Err(); err != nil {
		return err
	}
	if by < -1 || by >= mostWalks {
		return fmt.Errorf("anneal/spins: a state whose best is of walk %d, want -1 to %d", by,
			mostWalks-1)
	}
	var best []int8
	if !math.IsInf(low, 1) {
		sol, cost, err := r.Solution("best", s.inst)
		if err != nil {
			return err
		}
		best, low = sol.Bits, cost
	}
	words := s.p.start()
	for g, of := range words[:min(len(words), was.Groups())] {
		known := was.Used(g)
		for v, at := range s.p.Net.Place {
			of[at] = of[at]&^known | uint32(all[g*s.inst.N+v])&known
		}
	}
	if err := s.engine.Load(words); err != nil {
		return err
	}
	s.cooled, s.best, s.low, s.by, s.err = cooled, best, low, int(by), nil
	return r.Err()
}

// Trace shows the solutions of the walks, by which a replay that differs says where.
func (s *search) Trace() [][]int32 {
	out := make([][]int32, 0, s.walks)
	for w := s.p.Skip; w < s.p.Walks; w++ {
		x, err := s.solution(w)
		if err != nil {
			return out
		}
		sides := make([]int32, len(x))
		for v, b := range x {
			sides[v] = int32(b)
		}
		out = append(out, sides)
	}
	return out
}

func (s *search) Close() {
	if s.engine != nil {
		s.engine.Close()
	}
}
