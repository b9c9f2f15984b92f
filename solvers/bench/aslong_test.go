package bench

import (
	"strings"
	"testing"
)

// A run that has the seconds of another stops when these are over, and the settings tell of it.
func TestAsLong(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", "paper: kang\nnumber: 99\ntitle: gaps\nseeds: 1 of 1\n"+
		"run: solver=ils instance=rand-60-1 measure=iterations\n"+
		"column: long | as=ga/tournament,preset=best,iterations=40 iterations=4000\n"+
		"column: both | as=ga/tournament,iterations=40 iterations=3\n\n | long | both\nx | - | -\n")
	if err != nil {
		t.Fatal(err)
	}
	long, both := &table.Rows[0], &table.Rows[1]
	if want := (AsLong{"ga", "tournament", "best", 40}); long.As != want {
		t.Errorf("the run is %+v, want %+v", long.As, want)
	}
	for r, want := range map[*Row]string{
		long: "ils/ iterations=4000 as=ga/tournament,preset=best,iterations=40 measure=iterations",
		both: "ils/ iterations=3 as=ga/tournament,iterations=40 measure=iterations",
	} {
		if s := r.Settings(); s != want {
			t.Errorf("settings are %q, want %q", s, want)
		}
	}
	out, err := Run(t.Context(), table, Options{Seeds: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		if o.Err != nil || len(o.Values) != 2 || len(o.CPU) != 2 {
			t.Fatalf("%s: %+v, error %v", o.Row.What, o.Values, o.Err)
		}
	}
	if v := out[0].Values; v[0] < 1 || v[0] >= 4000 || out[0].CPU[0] <= 0 {
		t.Errorf("a run of some seconds made %v iterations in %v s", v, out[0].CPU)
	}
	if v := out[1].Values; v[0] > 3 || v[1] > 3 {
		t.Errorf("a run of 3 iterations at most made %v", v)
	}
}

// The seconds are those of the other run: without it there are none.
func TestAsLongOfNothing(t *testing.T) {
	t.Parallel()
	for bad, want := range map[string]string{
		"as=acs":                                  "it begins with no variant",
		"as=/alt,iterations=3":                    "it begins with no variant",
		"as=acs/alt":                              "it tells no iterations",
		"as=acs/alt,iterations=0":                 `iterations are "0"`,
		"as=acs/alt,iterations=3,ants=4":          `"ants=4" has no meaning there`,
		"as=acs/alt,preset=,iterations=3":         `"preset=" has no meaning there`,
		"as=acs/alt,iterations=3 cpu=2":           "gives a run its seconds",
		"as=acs/alt,iterations=3,iterations=four": `"iterations=four" has no meaning there`,
	} {
		_, err := parsePaperTable("x.txt", paperHead+"column: c | instance=rand-60-1 "+bad+
			"\n\n | c\nx | 1\n")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", bad, err, want)
		}
	}
	table := Table{Rows: []Row{{
		What: "x", Solver: "ils", Instance: "rand-60-1", Measure: Gap,
		As: AsLong{"ils", "none", "", 3},
	}}}
	out, err := Run(t.Context(), table, Options{Seeds: 1})
	if err != nil || out[0].Err == nil || !strings.Contains(out[0].Err.Error(), "none") {
		t.Errorf("as long as a variant that is not there: %+v, error %v", out, err)
	}
}
