package reply_test

import (
	"math"
	"strings"
	"testing"

	"metalab/kernel/reply"
)

// A picture drawn by hand is an SVG file that is well formed, whatever is written in it, and has a
// text for those who do not see it.
func TestSketch(t *testing.T) {
	t.Parallel()
	s := &reply.Sketch{Width: 100, Height: 50, Alt: `a <way> & "back"`}
	s.Line(0, 0, 9, 9, "red", 1).Dashed(0, 0, 9, 9, "red", 1).Arrow(1, 2, 30, 4, `"red`, 2).
		Dot(1, 1, 3, "black").Ring(1, 1, 3, "black", 1).Box(1, 1, -3, 4, "red").
		Frame(1, 1, 3, 4, "red", 1).Text(1, 1, 12, "", "black", "a < b & c")
	svg := s.SVG()
	if err := reply.WellFormed(svg); err != nil {
		t.Errorf("%v: %s", err, svg)
	}
	if !strings.Contains(svg, "a &lt; b &amp; c") || !strings.Contains(svg, `width="0.0"`) {
		t.Errorf("SVG: %s", svg)
	}
	if h := s.HTML(); !strings.Contains(h, `alt="a &lt;way&gt; &amp; &#34;back&#34;"`) ||
		reply.WellFormed(h) != nil || !strings.Contains(s.String(), `a <way>`) {
		t.Errorf("HTML: %s", h)
	}
}

// Bars are as high as their values, and values that are none have no bar.
func TestBars(t *testing.T) {
	t.Parallel()
	labels := []string{"x", "y"}
	one := reply.Sample{Name: "one", Values: []float64{1, 10}}
	two := reply.Sample{Name: "two", Values: []float64{math.NaN(), 100}}
	for _, log := range []bool{false, true} {
		svg := reply.Bars("bars", "ms", log, labels, one, two).SVG()
		// the ground, two squares of the legend, and three bars
		if n := strings.Count(svg, "<rect"); n != 6 || strings.Contains(svg, "NaN") ||
			reply.WellFormed(svg) != nil {
			t.Errorf("log %v: %d rectangles in %s", log, n, svg)
		}
	}
	if svg := reply.Bars("none", "ms", true, labels).SVG(); !strings.Contains(svg, "no values") {
		t.Errorf("without values: %s", svg)
	}
	high := reply.Bars("bars", "", false, labels, reply.Sample{Name: "a", Values: []float64{50, 100}})
	if svg := high.SVG(); !strings.Contains(svg, `height="116.0"`) ||
		!strings.Contains(svg, `height="232.0"`) {
		t.Errorf("bars of 50 and 100: %s", svg)
	}
}
