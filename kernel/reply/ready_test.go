package reply_test

import (
	"math"
	"strings"
	"testing"

	"metalab/kernel/reply"
)

// Before the first iteration of a large instance has ended, a run says what it does, not that it
// stands at iteration 0 without a best.
func TestReadying(t *testing.T) {
	t.Parallel()
	none := reply.Num(math.NaN())
	s := reply.Status{Run: "a", Instance: "E1M.0", State: "stepping", Best: none, Gap: none}
	want := "a: makes E1M.0 ready (lists, first solutions), then iteration 1"
	if got := s.Line(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (&reply.RunReply{Status: s}).HTML(); !strings.Contains(got, "makes E1M.0 ready") {
		t.Errorf("in a cell: %s", got)
	}
	for _, s := range []reply.Status{
		{Run: "a", Instance: "E1M.0", State: "paused", Best: none, Gap: none},
		{Run: "a", Instance: "E1M.0", State: "running", Iteration: 1, Best: 7, Gap: none},
	} {
		if got := s.Line(); strings.Contains(got, "ready") || !strings.HasPrefix(got, "a: iteration ") {
			t.Errorf("%s, %d: %q", s.State, s.Iteration, got)
		}
	}
}
