package hosttest

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// WalkPresets are the presets of Walk.
var WalkPresets = []solvers.Preset{
	{Name: "slow", Doc: "One move an iteration.", Values: solvers.Fixed(record.Of("moves", 1))},
}

func init() {
	solvers.Register(solvers.Variant{
		Solver: "walk", Name: "swap", Backend: "cpu", Revision: 1, Default: true, Deterministic: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Title: "exchanges of two cities", Presets: WalkPresets,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			if inst.Name() == SharedInstance {
				SharedBy.Store(inst, true)
			}
			return NewWalk(inst), nil
		},
	})
}

// SharedBy are the instances of the name SharedInstance of which walks were made.
var SharedBy sync.Map

// SharedInstance is the instance whose walks SharedBy notes.
const SharedInstance = "rand-77-5"

// ErrLost stands for an error of a GPU after which only a new process can use it.
var ErrLost = errors.New("told to lose the device")

// Walk is a search for the tests: one tour, random exchanges, and a pause in each
// iteration where that is asked for.
type Walk struct {
	Moves int
	Delay float64 // ms
	Size  int
	Fail  int
	Lose  int

	inst    *datasets.TSP
	seed    uint64
	t, next []int32
	v, nv   int64
	best    float64
	bestT   []int32
}

// NewWalk is a walk on an instance with cities.
func NewWalk(inst datasets.Instance) *Walk {
	return &Walk{inst: inst.(*datasets.TSP), Moves: 10, best: math.Inf(1)}
}

func (s *Walk) Declare(t *solvers.Params) {
	t.Int(&s.Moves, record.Param{Name: "moves", Min: 1, Max: 1000, Doc: "Exchanges in an iteration."})
	t.Float(&s.Delay, record.Param{
		Name: "delay", Class: record.Schedule, Min: 0, Max: 1e9,
		Unit: "ms", Doc: "Pause in an iteration.",
	})
	t.Int(&s.Size, record.Param{Name: "size", Class: record.Structural, Max: 10, Doc: "Nothing."})
	t.Int(&s.Fail, record.Param{Name: "fail", Max: 1e6, Doc: "The iteration that fails; 0: none."})
	t.Int(&s.Lose, record.Param{Name: "lose", Max: 1e6, Doc: "The iteration that loses the " +
		"device; 0: none."})
}

func (s *Walk) Init(env *solvers.Env) error {
	s.seed = env.Seed
	s.t, s.next = make([]int32, s.inst.N), make([]int32, s.inst.N)
	for i := range s.t {
		s.t[i] = int32(i)
	}
	v, err := s.inst.Length(s.t)
	s.v = v
	return err
}

func (s *Walk) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if s.Fail > 0 && it == int64(s.Fail) {
		panic("told to fail")
	}
	if s.Lose > 0 && it == int64(s.Lose) {
		return ErrLost
	}
	if s.Delay > 0 {
		select {
		case <-time.After(time.Duration(s.Delay * float64(time.Millisecond))):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	copy(s.next, s.t)
	st := arith.NewStream(s.seed, uint64(it), 0, 0)
	s.nv = s.v
	for range s.Moves {
		i, j := st.IntN(len(s.next)), st.IntN(len(s.next))
		s.next[i], s.next[j] = s.next[j], s.next[i]
		w, err := s.inst.Length(s.next)
		if err != nil {
			return err
		}
		if w < s.nv {
			s.nv = w
		} else {
			s.next[i], s.next[j] = s.next[j], s.next[i]
		}
	}
	s.t, s.next, s.v = s.next, s.t, s.nv
	if float64(s.v) < s.best {
		s.best, s.bestT = float64(s.v), append(s.bestT[:0], s.t...)
	}
	p.IterBest, p.Mean, p.Digest = float64(s.v), float64(s.v), arith.HashPerm(s.t)
	p.Measures[0] = float64(it) / 2
	return nil
}

func (s *Walk) Measures() []string { return []string{"half"} }
func (s *Walk) Best() float64      { return s.best }
func (s *Walk) Lengths() []float64 { return []float64{float64(s.v)} }
func (s *Walk) Solution() record.Solution {
	return record.Solution{Perm: append([]int32(nil), s.bestT...)}
}

func (s *Walk) Trails(int) ([]solvers.Trail, int) {
	return []solvers.Trail{{From: 0, To: 1, Strength: 2}, {From: 1, To: 2, Strength: 1}}, 2
}

func (s *Walk) Snapshot(w *solvers.Writer) {
	w.Int32s("tour", s.t)
	w.Int64s("value", s.v)
	w.Float64s("best", s.best)
	w.Int32s("best tour", s.bestT)
}

func (s *Walk) Restore(r *solvers.Reader) error {
	s.t, s.v = r.Int32s("tour", s.inst.N), r.Int64s("value", 1)[0]
	s.best, s.bestT = r.Float64s("best", 1)[0], r.Int32s("best tour", -1)
	return r.Err()
}

func (s *Walk) Close() {}
