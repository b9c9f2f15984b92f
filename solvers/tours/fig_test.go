package tours_test

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"

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
