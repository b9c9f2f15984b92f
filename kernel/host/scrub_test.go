package host_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A scrub holds best solutions from the first to the last, which are those of the run, and every
// change; it changes nothing.
func TestScrub(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open acs rand-200-1 as a ants=2")
	l.Fails("scrub a", wire.CodeRequest, "step a 1")
	l.Do("step a 30; set a q0=0.5; step a 30")
	r := l.Do("scrub a").(*reply.ScrubReply)
	if len(r.Frames) < 2 || r.Iteration != 60 || len(r.X) != 200 || len(r.Curve) != len(r.Frames) {
		t.Fatalf("%d frames and %d marks of %d iterations, %d cities", len(r.Frames), len(r.Curve),
			r.Iteration, len(r.X))
	}
	// Places and tours are those of the instance: each tour is as long as it says.
	inst, err := datasets.Load("rand-200-1")
	if err != nil {
		t.Fatal(err)
	}
	tsp := inst.(*datasets.TSP)
	for i := range tsp.N {
		if float64(r.X[i]) != tsp.ShowX[i] || float64(r.Y[i]) != tsp.ShowY[i] {
			t.Fatalf("city %d is at (%v, %v), want (%v, %v)", i, r.X[i], r.Y[i], tsp.ShowX[i],
				tsp.ShowY[i])
		}
	}
	for i, f := range r.Frames {
		length := 0.0
		for k, c := range f.Tour {
			d := f.Tour[(k+1)%len(f.Tour)]
			length += math.Round(math.Hypot(float64(r.X[c]-r.X[d]), float64(r.Y[c]-r.Y[d])))
		}
		if length != float64(f.Best) {
			t.Errorf("frame %d has a tour of %v and says %v", i, length, f.Best)
		}
	}
	for i, f := range r.Frames {
		tour := slices.Sorted(slices.Values(f.Tour))
		if len(tour) != 200 || tour[0] != 0 || tour[199] != 199 || len(slices.Compact(tour)) != 200 ||
			i > 0 && (f.Iter <= r.Frames[i-1].Iter || f.Best >= r.Frames[i-1].Best) {
			t.Errorf("frame %d: %+v", i, f)
		}
	}
	if last := r.Frames[len(r.Frames)-1]; last.Best != r.Best {
		t.Errorf("the last frame has %s, the run %s", last.Best, r.Best)
	}
	if !slices.ContainsFunc(r.Changes, func(c reply.Change) bool {
		return c.Name == "q0" && c.Iter == 30
	}) {
		t.Errorf("the changes are %v", r.Changes)
	}
	if html := r.HTML(); !strings.Contains(html, `<path data-part="line" d="M`) ||
		!strings.Contains(html, "q0") || strings.Count(html, "<script ") != 1 {
		t.Errorf("the figure is %.3000s", html)
	}
}
