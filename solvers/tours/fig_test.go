package tours_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// cpuSeconds is the CPU time of the process.
func cpuSeconds(tb testing.TB) float64 {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
}

// published reads an instance of the benchmark data; it skips without METALAB_DATA.
func published(tb testing.TB, name string) *datasets.TSP {
	tb.Helper()
	dir := os.Getenv("METALAB_DATA")
	if dir == "" {
		tb.Skip("METALAB_DATA is not set")
	}
	f, err := os.Open(filepath.Join(dir, "tsplib", name+".tsp"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	in, err := datasets.ReadTSP(f, name)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// BenchmarkILS prints the gap of the default ils, one thread, after 1 and 10 seconds of
// CPU time that include the numbering, the lists and the start.
//
//	METALAB_DATA=… go test -run '^$' -bench ILS -benchtime 5x ./solvers/tours
//
// Iteration i of the benchmark has seed i. The gaps of Chained Lin-Kernighan
// (Concorde's linkern, one thread, its defaults) on a faster machine, in percent:
// pr2392 .28 / .25, fnl4461 .20 / .09, usa13509 .59 / .26, d18512 .47 / .17, pla85900 .82 / .29.
func BenchmarkILS(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, name := range []string{"pr2392", "fnl4461", "usa13509", "d18512", "pla85900"} {
		b.Run(name, func(b *testing.B) {
			in := published(b, name)
			known, ok := in.BestKnown()
			if !ok {
				b.Fatal("no best known value")
			}
			seed := uint64(0)
			var sum1, sum10 float64
			for b.Loop() {
				seed++
				t0 := cpuSeconds(b)
				r, err := solvers.Open(solvers.Config{Solver: "ils", Instance: in, Seed: seed, Params: record.Values{"workers": record.Num(1)}})
				if err != nil {
					b.Fatal(err)
				}
				gap := func() float64 { return 100 * (r.Last().Best/known.Value - 1) }
				at1 := -1.0
				for cpuSeconds(b)-t0 < 10 {
					if err := r.Step(context.Background(), 1); err != nil {
						b.Fatal(err)
					}
					if at1 < 0 && cpuSeconds(b)-t0 >= 1 {
						at1 = gap()
					}
				}
				b.Logf("%s seed %d: %.3f %% after 1 s, %.3f %% after 10 s, %d iterations", name, seed, at1, gap(), r.Last().Iter)
				sum1, sum10 = sum1+at1, sum10+gap()
				r.Close()
			}
			b.ReportMetric(sum1/float64(seed), "gap1s-%")
			b.ReportMetric(sum10/float64(seed), "gap10s-%")
		})
	}
}

// BenchmarkFirstOptimum is the way to the first Lin-Kernighan optimum of a million cities spread
// evenly: numbering, lists, start and search, one thread. The gap is against
// 0.7124 sqrt(n A), which the optimum of such instances approaches (D. S. Johnson,
// L. A. McGeoch, 1997).
func BenchmarkFirstOptimum(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	in := uniform(1_000_000, 1)
	for b.Loop() {
		t0 := cpuSeconds(b)
		sp := mustSpace(b, in)
		near := sp.Quadrant(8)
		tour := sp.Greedy(near)
		t1 := cpuSeconds(b)
		set := tours.DefaultSettings()
		set.Depth, set.Breadth = 15, []int{5, 3, 2, 1}
		s, err := tours.NewSearch(sp, near, set)
		if err != nil {
			b.Fatal(err)
		}
		s.Load(tour)
		s.PushAll()
		s.Run(tours.OrOpt)
		s.Store(tour)
		b.ReportMetric(cpuSeconds(b)-t0, "cpu-s")
		b.ReportMetric(t1-t0, "start-cpu-s")
		b.ReportMetric(100*(float64(sp.Length(tour))/(0.7124*1e6*1000)-1), "gap-%")
	}
}

// BenchmarkKick compares a kick's cost at ten thousand and at a million cities.
func BenchmarkKick(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			sp := mustSpace(b, uniform(n, 1))
			near := sp.Quadrant(8)
			s, err := tours.NewSearch(sp, near, tours.DefaultSettings())
			if err != nil {
				b.Fatal(err)
			}
			s.Load(sp.Greedy(near))
			s.PushAll()
			s.Run(tours.OrOpt)
			r := stream(1)
			for b.Loop() {
				s.Trial(tours.OrOpt, tours.Walk, int32(r.IntN(n)), 5, 0, r)
			}
		})
	}
}
