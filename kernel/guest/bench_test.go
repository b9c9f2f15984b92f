package guest_test

import (
	"testing"

	"metalab/kernel/lab"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Idle does nothing, n numbers of it.
type Idle struct {
	K    int `param:"k,0..9"`
	tour []int
	best float64
}

func (s *Idle) Init(p *lab.Problem, r *lab.Rand) error {
	s.tour = r.Perm(p.N)
	s.best = p.Length(s.tour)
	return nil
}
func (s *Idle) Step(int64, *lab.Rand) (float64, error) { return s.best, nil }
func (s *Idle) Best() (float64, []int)                 { return s.best, s.tour }

func benchRun(b *testing.B) *solvers.Run {
	b.Helper()
	session(b, "idle")
	r, err := solvers.Open(solvers.Config{
		Name: "a", Solver: "idle",
		Instance: instance(b, "rand-1000-1"),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(r.Close)
	return r
}

// What an iteration costs beside the solver's own work, when nobody looks.
func BenchmarkIteration(b *testing.B) {
	r := benchRun(b)
	b.ResetTimer()
	if err := r.Step(b.Context(), b.N); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(1e9*r.Last().CPU/float64(b.N), "cpu-ns/op") // of host and worker
}

// The same when each is followed by a change of a parameter, so that none is made ahead.
func BenchmarkIterationAndSet(b *testing.B) {
	r := benchRun(b)
	for i := range b.N {
		if err := r.Step(b.Context(), 1); err != nil {
			b.Fatal(err)
		}
		if _, err := r.Set(b.Context(), record.Values{"k": record.Num(float64(i % 10))}, ""); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1e9*r.Last().CPU/float64(b.N), "cpu-ns/op")
}

// A run that is opened: its worker starts, and makes the first state.
func BenchmarkOpen(b *testing.B) {
	session(b, "idle")
	inst := instance(b, "rand-1000-1")
	for b.Loop() {
		r, err := solvers.Open(solvers.Config{Name: "a", Solver: "idle", Instance: inst})
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

// A state: kept, and taken over by another run.
func BenchmarkFork(b *testing.B) {
	r := benchRun(b)
	for b.Loop() {
		f, err := r.Fork(b.Context(), solvers.Fork{Name: "f"})
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}
