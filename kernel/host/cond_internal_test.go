package host

import (
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// solved is an instance with a best known value.
type solved struct {
	datasets.Instance
	best datasets.BestKnown
}

func (s solved) BestKnown() (datasets.BestKnown, bool) { return s.best, true }

// A condition that is never met is an error, which names what can be; where the best known value is
// not proven, a better one may be found.
func TestConditionsThatAreNeverMet(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(30, 1)
	if err != nil {
		t.Fatal(err)
	}
	for cond, want := range map[string]string{
		"gap<0": "a gap below 0 % is never reached: the optimum of rand-30-1 is 23367380, which is " +
			"proven; give gap<=0 instead",
		"gap<=-1":        "a gap below -1 % is never reached",
		"best<23367380":  "a best that is better than 23367380 is never reached",
		"best<=23367379": "give best=23367380 instead",
		"gap<=0":         "", "gap<0.1": "", "best<=23367380": "", "best=23367380": "", "stall=5": "",
	} {
		for _, proven := range []bool{true, false} {
			cs, err := wire.ParseConds(cond)
			if err != nil {
				t.Fatal(err)
			}
			_, err = ruleOf(cs[0], solved{inst, datasets.BestKnown{Value: 23367380, Proven: proven}})
			if proven && want != "" && (err == nil || !strings.Contains(err.Error(), want)) ||
				(!proven || want == "") && err != nil {
				t.Errorf("%s, proven %v: %v, want %q", cond, proven, err, want)
			}
		}
	}
}

// What is said of a value that was reached has all of its digits.
func TestReachedBest(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(30, 1)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := ruleOf(wire.Cond{Name: "best", Value: 3e7, Below: true}, inst)
	if err != nil {
		t.Fatal(err)
	}
	if why := rule(record.Point{})(&record.Point{Best: 23367380}); why != "best 23367380 reached" {
		t.Errorf("%q", why)
	}
}
