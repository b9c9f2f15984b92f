package host_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// The figures of problems are drawn for the problems that they are of, and say for the others
// that there is nothing to draw.
func TestFiguresOfProblems(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open tabu tai12a as q; open tabu ppp-15x15-1 as p; open tabu weierstrass-3 neighbours=50 " +
		"as w; open tabu queen5_5 as g; open hill rand-20-1 as c")
	sink := wire.Sink{Graphics: "cells", Cols: 80, Rows: 20}
	draw := func(run, figure string) string {
		t.Helper()
		var r reply.PlotReply
		err := l.C.Do(t.Context(), "plot", wire.PlotRequest{
			Runs: []string{run}, Figure: figure,
			Sink: &sink,
		}, &r)
		if err != nil {
			t.Errorf("%s of %s: %v", figure, run, err)
		}
		return string(r.Data)
	}
	if text := draw("q", "assignment"); !strings.Contains(text, "to draw") {
		t.Errorf("before the first iteration:\n%s", text)
	}
	l.Do("step q 3; step p 3; step w 3; step g 3; step c 3")
	for _, c := range []struct{ run, figure, want string }{
		{"q", "assignment", "before: "},
		{"q", "neighbourhood", "moves of swap"},
		{"q", "multiset", "no multiset"},
		{"p", "multiset", "product"},
		{"p", "neighbourhood", "moves of hamming2"},
		{"w", "slice", "first coordinate"},
		{"w", "neighbourhood", "moves of ball"},
		{"w", "assignment", "no assignment"},
		{"g", "neighbourhood", "moves of change"},
		{"g", "slice", "no function"},
		{"c", "neighbourhood", "moves of swap"},
	} {
		if text := draw(c.run, c.figure); !strings.Contains(text, c.want) {
			t.Errorf("%s of %s lacks %q:\n%s", c.figure, c.run, c.want, text)
		}
	}
}
