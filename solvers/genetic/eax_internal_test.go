package genetic

import "testing"

// A stage goes on while better tours come, and ends a tenth of its generations after the last one,
// but not before 1500 children of a tour.
func TestStagesEndWithoutBetterTours(t *testing.T) {
	t.Parallel()
	var g stage
	g.next(true, 30) // the first population
	step := func(n int, better bool) {
		for range n {
			g.next(better, 30)
		}
	}
	step(900, true)
	step(94, false) // with 950 made, 95 without a better one end the stage
	if want := (stage{number: 1, made: 994, idle: 94, limit: 95}); g != want {
		t.Errorf("%v, want %v", g, want)
	}
	step(1, false)
	if want := (stage{number: 2}); g != want {
		t.Errorf("%v, want %v", g, want)
	}
	step(49, false)
	step(1, true)
	if g.limit != 0 || g.ended() != "" {
		t.Errorf("%v, and the search is over: %q", g, g.ended())
	}
	step(51, false)
	if want := "no better tour in 51 generations with blocks"; g.ended() != want {
		t.Errorf("%v: %q, want %q", g, g.ended(), want)
	}
	after := g
	if step(5, true); g != after {
		t.Errorf("%v after the end, it was %v", g, after)
	}
}
