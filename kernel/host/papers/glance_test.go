package papers_test

import (
	"strings"
	"testing"

	"metalab/kernel/internal/glance"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Each paper has a picture of published and measured values, and lines on most of which something
// was measured. What was not measured is no finding of ours.
func TestGlance(t *testing.T) {
	t.Parallel()
	l := start(t)
	for _, paper := range glance.Papers() {
		g := l.do("glance " + paper).(*reply.GlanceReply)
		if len(g.Labels) < 4 || len(g.Series) < 2 || g.Alt == "" || len(g.Shapes) < 9 {
			t.Errorf("%s: %d labels, %d series, %d lines", paper, len(g.Labels), len(g.Series),
				len(g.Shapes))
		}
		for _, s := range g.Series {
			if len(s.Values) != len(g.Labels) {
				t.Errorf("%s: %s has %d values for %d labels", paper, s.Name, len(s.Values), len(g.Labels))
			}
			for i, v := range s.Values {
				if !v.Known() {
					t.Errorf("%s: %s has no value for %s", paper, s.Name, g.Labels[i])
				}
			}
		}
		measured := 0
		for _, s := range g.Shapes {
			if s.Measured.Of > 0 {
				measured++
			}
			if (s.Table == "luong-10" || s.Table == "luong-11") && s.Measured.Of > 0 {
				t.Errorf("%s: %s: four cores are no cluster, and count as one", paper, s.Table)
			}
		}
		if 3*measured < 2*len(g.Shapes) {
			t.Errorf("%s: measured are %d of %d lines", paper, measured, len(g.Shapes))
		}
	}
	l.fails("glance lin", wire.CodeRequest, `paper is "lin"`, "acs, fosin, kang, luong, mmas")
}

// A claim on published figures is not counted as a finding of ours.
func TestClaimOnPublishedFigures(t *testing.T) {
	t.Parallel()
	l := start(t)
	const line = "claim 'a is shorter' lower 'a:1,2,3,4,5;b:6,7,8,9,10'"
	if c := l.do(line).(*reply.ClaimReply); !c.Holds() || !strings.HasPrefix(c.String(), "✓ holds") {
		t.Errorf("measured: %s", c)
	}
	c := l.do(line + " published").(*reply.ClaimReply)
	if c.Holds() || c.Verdict != reply.Holds || strings.Contains(c.String()+c.HTML(), "✓") ||
		!strings.Contains(c.HTML(), "In the published figures, which nobody measured here, it holds") {
		t.Errorf("published: %s", c)
	}
}
