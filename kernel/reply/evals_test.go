package reply_test

import (
	"strings"
	"testing"

	"metalab/kernel/reply"
)

// What a run has looked at, in all and in its last iteration, stands in one row.
func TestShowTellsEvaluationsOnce(t *testing.T) {
	r := &reply.ShowReply{Counts: "neighbours looked at"}
	r.Iteration, r.Evals = 200, 12800000
	r.Measures, r.Values = []string{"evaluations", "stuck"}, []reply.Num{64000, 0}
	text := r.String()
	if strings.Count(text, "evaluations") != 1 ||
		!strings.Contains(text, "12800000 neighbours looked at, 64000 in the last iteration") ||
		!strings.Contains(text, "stuck") {
		t.Errorf("the text is\n%s", text)
	}
}
