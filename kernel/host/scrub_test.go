package host_test

import (
	"slices"
	"strings"
	"testing"

	"metalab/kernel/host/hosttest"
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
