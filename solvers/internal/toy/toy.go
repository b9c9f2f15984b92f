// Package toy is a small search for the tests of the engine: several agents, each
// with a tour of its own, that try random exchanges of two cities. It exercises all
// that an algorithm may do (live, structural and schedule parameters, a pool, giving
// up an iteration, traces) and is fast to run, not to converge.
package toy

import (
	"context"
	"errors"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Register adds the solver "toy" with the variants "swap" (deterministic) and "racy"
// (says that it is not).
func Register() {
	v := solvers.Variant{
		Solver: "toy", Name: "swap", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true,
		Presets: []solvers.Preset{
			{Name: "slow", Doc: "One move an iteration.", Values: solvers.Fixed(record.Of("moves", 1))},
		},
		Title: "random exchanges of two cities",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return New(
				inst.(*datasets.TSP),
			), nil
		},
	}
	solvers.Register(v)
	v.Name, v.Deterministic, v.Default = "racy", false, false
	solvers.Register(v)
	v.Name, v.Deterministic, v.Revision = "broken", true, 1
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		s := New(inst.(*datasets.TSP))
		s.Broken = 1 << 62
		return s, nil
	}
	solvers.Register(v)
}

// Search is the algorithm.
type Search struct {
	Agents, Moves, Workers int
	Heat                   float64
	Accept                 string
	Broken                 int64 // from this iteration on agent 1 does something else; 0 never
	Fail                   int64 // this iteration gives an error; 0 none

	inst   *datasets.TSP
	env    *solvers.Env
	tours  [][]int32
	lens   []int64
	best   []int32
	bestV  float64
	next   [][]int32
	nextV  []int64
	hashes []uint64
}

// New returns the search with its default parameters.
func New(t *datasets.TSP) *Search {
	return &Search{Agents: 4, Moves: 8, Heat: 0.5, Accept: "better", inst: t, bestV: math.Inf(1)}
}

func (s *Search) Declare(t *solvers.Params) {
	t.Int(
		&s.Moves,
		record.Param{
			Name: "moves", Min: 1, Max: 1000, Step: 1, Doc: "Exchanges that an agent tries in an iteration.",
		},
	)
	t.Float(
		&s.Heat,
		record.Param{
			Name: "heat", Min: 0, Max: 10, Step: 0.1, Doc: "Scale of what a worse tour may cost.",
		},
	)
	t.Enum(
		&s.Accept,
		record.Param{
			Name: "accept", Options: []string{"better", "always"}, Doc: "Which tours an agent goes on from.",
		},
	)
	t.Int(
		&s.Agents,
		record.Param{Name: "agents", Class: record.Structural, Min: 1, Max: 64, Doc: "Agents."},
	)
	t.Int(
		&s.Workers,
		record.Param{Name: "workers", Class: record.Schedule, Max: 64, Doc: "Cores; 0 means all."},
	)
}

func (s *Search) Init(env *solvers.Env) error {
	if s.Agents == 63 {
		return errors.New("agents is 63, which nobody can draw")
	}
	s.env = env
	env.Pool.Resize(s.Workers)
	s.tours, s.next = make([][]int32, s.Agents), make([][]int32, s.Agents)
	s.lens, s.nextV, s.hashes = make([]int64, s.Agents), make([]int64, s.Agents), make(
		[]uint64, s.Agents,
	)
	for a := range s.tours {
		s.tours[a], s.next[a] = make([]int32, s.inst.N), make([]int32, s.inst.N)
		for i := range s.tours[a] {
			s.tours[a][i] = int32(i)
		}
		st := arith.NewStream(env.Seed, 0, uint32(a), 1)
		st.Shuffle(s.tours[a])
		s.lens[a], _ = s.inst.Length(s.tours[a])
	}
	return nil
}

func (s *Search) Changed(names []string) {
	for _, n := range names {
		if n == "workers" {
			s.env.Pool.Resize(s.Workers)
		}
	}
}

func (s *Search) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if it == s.Fail {
		return errors.New("it was told to fail")
	}
	s.env.Pool.Run(s.Agents, func(a, _ int) { s.agent(it, a) })
	if err := ctx.Err(); err != nil {
		return err // nothing was taken over yet
	}
	p.IterBest, p.Mean = math.Inf(1), 0
	for a := range s.tours {
		s.tours[a], s.next[a] = s.next[a], s.tours[a]
		s.lens[a] = s.nextV[a]
		v := float64(s.lens[a])
		p.Mean += v
		p.IterBest = min(p.IterBest, v)
		if v < s.bestV {
			s.bestV = v
			s.best = append(s.best[:0], s.tours[a]...)
		}
		p.Digest = arith.Chain(p.Digest, s.hashes[a])
	}
	p.Mean /= float64(s.Agents)
	p.Measures[0] = p.Mean - p.IterBest
	p.Evals = int64(s.Agents * s.Moves)
	return nil
}

// agent makes the moves of one agent.
func (s *Search) agent(it int64, a int) {
	t := s.next[a]
	copy(t, s.tours[a])
	v := s.lens[a]
	st := arith.NewStream(s.env.Seed, uint64(it), uint32(a), 0)
	for range s.Moves {
		i, j, u := st.IntN(len(t)), st.IntN(len(t)), st.Float64()
		if s.Broken > 0 && it >= s.Broken && a == 1 {
			i = 0
		}
		t[i], t[j] = t[j], t[i]
		w, _ := s.inst.Length(t)
		if s.Accept == "always" || float64(w-v) < float64(s.Heat*u)*100 {
			v = w
		} else {
			t[i], t[j] = t[j], t[i]
		}
	}
	s.nextV[a] = v
	s.hashes[a] = arith.HashPerm(t)
}

func (s *Search) Counts() string { return "exchanges tried" }

func (s *Search) Measures() []string { return []string{"spread"} }

func (s *Search) Best() float64 { return s.bestV }

func (s *Search) Solution() record.Solution {
	return record.Solution{Perm: append([]int32(nil), s.best...)}
}

func (s *Search) Snapshot(w *solvers.Writer) {
	w.Float64s("best", s.bestV)
	w.Int32s("best tour", s.best)
	w.Int64s("lengths", s.lens...)
	for a := range s.tours {
		w.Int32s("tour", s.tours[a])
	}
}

// Restore carries all over: agents that the state does not have start
// anew, and agents too many are dropped.
func (s *Search) Restore(r *solvers.Reader) error {
	s.bestV = r.Float64s("best", 1)[0]
	s.best = r.Int32s("best tour", -1)
	lens := r.Int64s("lengths", -1)
	for a := range lens {
		t := r.Int32s("tour", s.inst.N)
		if r.Err() == nil && a < s.Agents {
			s.lens[a] = lens[a]
			copy(s.tours[a], t)
		}
	}
	return r.Err()
}

func (s *Search) Trace() [][]int32 {
	out := make([][]int32, len(s.tours))
	for a := range out {
		out[a] = append([]int32(nil), s.tours[a]...)
	}
	return out
}

func (s *Search) Lengths() []float64 {
	out := make([]float64, len(s.lens))
	for a, v := range s.lens {
		out[a] = float64(v)
	}
	return out
}

func (s *Search) Close() {}
