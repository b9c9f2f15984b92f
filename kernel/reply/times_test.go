package reply_test

import (
	"regexp"
	"strings"
	"testing"

	"metalab/kernel/reply"
)

// With METALAB_TIMES=none texts have no measured times, so that they are the same each time.
func TestTimesAreLeftOut(t *testing.T) {
	show := func(wall reply.Num) string {
		s := reply.Status{
			Run: "a", Solver: "acs", Variant: "seq", Instance: "E1k.0", State: "paused", Iteration: 7,
			Best: 5, WallS: wall, CPUS: wall / 2,
		}
		texts := []string{
			(&reply.ShowReply{Status: s, Rate: 7 / wall}).String(), s.Line(),
			(&reply.RunsReply{Runs: []reply.Status{s}}).String(),
			(&reply.StepReply{Status: s, Made: 7, StepWallS: wall, StepCPUS: wall / 3}).String(),
		}
		return strings.Join(texts, "\n")
	}
	if show(1.25) == show(2.5) {
		t.Error("times are left out")
	}
	t.Setenv(reply.EnvTimes, "none")
	a, b := show(1.25), show(250)
	if a != b {
		t.Errorf("texts with other times differ:\n%s\n%s", a, b)
	}
	if m := regexp.MustCompile(`\d(\.\d+)? (ms|s)\b`).FindString(a); m != "" {
		t.Errorf("%q is a time:\n%s", m, a)
	}
	if !strings.Contains(a, "7 iterations in …, cpu …") {
		t.Errorf("the step:\n%s", a)
	}
}
