package reply_test

import (
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// The changes stand where they were made, between the bests.
func TestScrubIsInTheOrderOfTheRun(t *testing.T) {
	r := &reply.ScrubReply{
		Frames: []reply.Frame{
			{Iter: 1, Best: 90}, {Iter: 5, Best: 80}, {Iter: 9, Best: 70},
		},
		Changes: []reply.Change{
			{Change: record.Change{Iter: 0, Kind: record.KindSet, Name: "first"}},
			{Change: record.Change{Iter: 5, Kind: record.KindSet, Name: "second"}},
			{Change: record.Change{Iter: 7, Kind: record.KindSet, Name: "third"}},
			{Change: record.Change{Iter: 12, Kind: record.KindSet, Name: "last"}},
		},
	}
	text := r.String()
	at := -1
	for _, what := range []string{
		"first", "iteration 1, best 90", "iteration 5, best 80", "second", "third",
		"iteration 9, best 70", "last",
	} {
		i := strings.Index(text, what)
		if i <= at {
			t.Errorf("%q stands at %d, after what is at %d:\n%s", what, i, at, text)
		}
		at = i
	}
}
