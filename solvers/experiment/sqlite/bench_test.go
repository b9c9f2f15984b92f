package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
	"metalab/solvers/record"
)

func init() { solvers.Register(still) }

// still is a variant that does nothing, so that what is measured is the machinery alone.
var still = solvers.Variant{
	Solver: "still", Name: "still", Backend: "cpu", Revision: 1, Default: true, Deterministic: true,
	Kinds: []datasets.Kind{datasets.KindTSP}, Title: "nothing",
	New: func(inst datasets.Instance) (solvers.Algorithm, error) {
		t := inst.(*datasets.TSP)
		p := make([]int32, t.Size())
		for i := range p {
			p[i] = int32(i)
		}
		v, err := solvers.Cost(inst, record.Solution{Perm: p})
		return &nothing{perm: p, value: v}, err
	},
}

type nothing struct {
	perm  []int32
	value float64
	made  bool
	level float64
}

func (s *nothing) Declare(t *solvers.Params) {
	t.Float(&s.level, record.Param{Name: "level", Min: 0, Max: 1e9, Doc: "nothing"})
}
func (s *nothing) Init(*solvers.Env) error { return nil }
func (s *nothing) Iterate(_ context.Context, it int64, p *record.Point) error {
	s.made = true
	p.IterBest, p.Mean, p.Digest = s.value, s.value, uint64(it)
	return nil
}
func (s *nothing) Measures() []string { return nil }
func (s *nothing) Best() float64      { return s.value }
func (s *nothing) Solution() record.Solution {
	return record.Solution{Perm: append([]int32(nil), s.perm...)}
}
func (s *nothing) Snapshot(*solvers.Writer)      {}
func (s *nothing) Restore(*solvers.Reader) error { return nil }
func (s *nothing) Close()                        {}

// stillPlan has so many units.
func stillPlan(units int) experiment.Plan {
	p := experiment.Plan{
		Settings: []experiment.Setting{{Solver: "still"}}, Instances: []string{"rand-20-1"},
		Seeds: units / 100, First: 1, Budget: record.Budget{Iterations: 1},
		Grid: []experiment.Axis{{Name: "level"}},
	}
	for i := range 100 {
		p.Grid[0].Values = append(p.Grid[0].Values, record.Num(float64(i)))
	}
	return p
}

func filled(b *testing.B, units int) (*sqlite.Store, experiment.Plan, []experiment.Unit) {
	b.Helper()
	s, err := sqlite.Open(filepath.Join(b.TempDir(), "x.sqlite"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	p := stillPlan(units)
	us, err := p.Units(context.Background(), load)
	if err != nil {
		b.Fatal(err)
	}
	if n, err := s.Add(context.Background(), "e", p, us); n != units || err != nil {
		b.Fatal(n, err)
	}
	return s, p, us
}

// BenchmarkUnit is what a unit costs beside its own iterations, on one worker: opening it as a
// run, storing its result safely, and taking the next.
func BenchmarkUnit(b *testing.B) {
	n := max((b.N+99)/100, 1) * 100
	s, _, _ := filled(b, n)
	b.ResetTimer()
	o := experiment.Options{Load: load, Workers: 1}
	if info, err := experiment.Make(context.Background(), s, "e", o); info.Done != n || err != nil {
		b.Fatal(info, err)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/unit")
}

// BenchmarkPlan is the listing of a plan of 100,000 units: made from the plan, and read from the
// store.
func BenchmarkPlan(b *testing.B) {
	for _, from := range []string{"plan", "store"} {
		b.Run(from, func(b *testing.B) {
			s, p, _ := filled(b, 100_000)
			for b.Loop() {
				n := 0
				if from == "plan" {
					us, err := p.Units(context.Background(), load)
					if err != nil {
						b.Fatal(err)
					}
					n = len(us)
				} else {
					for _, err := range s.Rows(context.Background(), "e") {
						if err != nil {
							b.Fatal(err)
						}
						n++
					}
				}
				if n != 100_000 {
					b.Fatal(n)
				}
			}
		})
	}
}

// BenchmarkResume is the time from opening the file until the first unit is taken.
func BenchmarkResume(b *testing.B) {
	for _, units := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(units), func(b *testing.B) {
			full, _, _ := filled(b, units)
			for b.Loop() {
				s, err := sqlite.Open(full.Path())
				if err != nil {
					b.Fatal(err)
				}
				q, err := s.Queue(context.Background(), "e", false)
				if err != nil {
					b.Fatal(err)
				}
				if _, ok, err := q.Take(context.Background(), "cpu"); !ok || err != nil {
					b.Fatal(ok, err)
				}
				b.StopTimer()
				if err := q.Close(); err != nil {
					b.Fatal(err)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// BenchmarkFinish stores results with tours of 1000 cities and traces of 50 rows, one after
// another, each safely on disk before the next: how many a second, and what they take in the file.
func BenchmarkFinish(b *testing.B) {
	const units = 2000
	for b.Loop() {
		b.StopTimer()
		s, _, _ := filled(b, units)
		q, err := s.Queue(context.Background(), "e", false)
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		size := fileSize(b, s)
		b.StartTimer()
		for range units {
			u, _, err := q.Take(context.Background(), "cpu")
			if err != nil {
				b.Fatal(err)
			}
			r := experiment.Result{Best: 1, Iterations: 50, Solution: record.Solution{
				Perm: make([]int32, 1000),
			}}
			for i, c := range rng.Perm(1000) {
				r.Solution.Perm[i] = int32(c)
			}
			for i := range 50 {
				r.Trace = append(r.Trace, experiment.TracePoint{
					Iteration: int64(i + 1), Best: float64(50 - i),
				})
			}
			if err := q.Finish(context.Background(), u, r); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		if err := q.Close(); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric((fileSize(b, s)-size)/units, "B/unit")
		b.StartTimer()
	}
	b.ReportMetric(float64(b.N*units)/b.Elapsed().Seconds(), "units/s")
}

// fileSize is how many bytes the file of a store has, with what is written ahead.
func fileSize(b *testing.B, s *sqlite.Store) (n float64) {
	b.Helper()
	for _, path := range []string{s.Path(), s.Path() + "-wal"} {
		if st, err := os.Stat(path); err == nil {
			n += float64(st.Size())
		}
	}
	return n
}
