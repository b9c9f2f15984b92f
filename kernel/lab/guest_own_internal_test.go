package lab

import (
	"slices"
	"testing"

	"metalab/kernel/lab/front"
	_ "metalab/kernel/lab/problem"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// spread is a problem of one's own whose parameter weighs neighbours that are far apart.
type spread struct {
	Weight float64 `param:"weight,1..9"`
}

func (s *spread) Cost(p []int32) (sum int64) {
	for i := 1; i < len(p); i++ {
		sum += int64(s.Weight) * int64(max(p[i]-p[i-1], p[i-1]-p[i]))
	}
	return sum
}

// walker is a solver that walks.
type walker struct {
	*Walk
	twice *Walk
	k     int
}

func (w *walker) Init(*Problem, *Rand) error         { return nil }
func (w *walker) Step(int64, *Rand) (float64, error) { return w.Cost(), nil }
func (w *walker) Best() (float64, []int)             { return w.Cost(), w.Solution() }

// spreads is the problem as a worker has it.
func spreads(t *testing.T) *Problem {
	t.Helper()
	besides("spread", func() front.Problem {
		return declaredProblem("spread", func() any { return &spread{Weight: 1} },
			[]ProblemOption{Permutation(7), Maximise})
	})
	t.Cleanup(func() {
		delete(beside, "spread")
		searched = nil
	})
	p, err := problemOf(wire.WorkerInit{
		Name: "spread", Kind: kindOwn, N: 7, Params: record.Of("weight", 2),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Costs of a walk are those of its solution, and of the problem's type with a minus, for it is
// maximised; deltas lead from one to the next.
func TestWalk(t *testing.T) {
	p := spreads(t)
	s, ok := p.Own().(*spread)
	if !ok || s.Weight != 2 {
		t.Fatalf("Own is %+v", p.Own())
	}
	for _, name := range p.Neighbourhoods() {
		w, err := p.Walk(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Load([]int{0, 6, 1, 5, 2, 4, 3})
		for k := 0; k < w.Moves(); k += 3 {
			want := w.Cost() + w.Delta(k)
			w.Apply(k)
			x := w.Solution()
			order := make([]int32, len(x))
			for i, v := range x {
				order[i] = int32(v)
			}
			if w.Cost() != want || p.Cost(x) != want || float64(-s.Cost(order)) != want {
				t.Fatalf("%s, move %d: %v, %v and %v, want %v", name, k, w.Cost(), p.Cost(x), -s.Cost(order),
					want)
			}
		}
		before := w.Cost()
		p.own.set(record.Of("weight", 4))
		if got := w.Cost(); got != 2*before || s.Weight != 4 || p.Cost(w.Solution()) != got {
			t.Errorf("%s: %v with twice the weight %v, and %v before", name, got, s.Weight, before)
		}
		p.own.set(record.Of("weight", 2))
	}
}

// Walks are part of a state, two fields that are one walk remain one.
func TestWalkState(t *testing.T) {
	p := spreads(t)
	w, err := p.Walk("insertion")
	if err != nil {
		t.Fatal(err)
	}
	w.Load([]int{0, 1, 2, 3, 4, 5, 6})
	s := &walker{Walk: w, twice: w, k: 3}
	d, err := describe("walker", s)
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(20)
	cost, at := s.Best()
	state, err := d.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(3)
	s.Apply(14)
	if _, err := d.restore(state); err != nil {
		t.Fatal(err)
	}
	if got, x := s.Best(); got != cost || !slices.Equal(x, at) || s.Walk != s.twice {
		t.Errorf("restored to %v, %v, want %v, %v; one walk: %v", got, x, cost, at, s.Walk == s.twice)
	}
	again, err := d.snapshot()
	if err != nil || !slices.Equal(again, state) {
		t.Errorf("another state after it was restored, %v", err)
	}
}
