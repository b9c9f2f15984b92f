package lab_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/lab"
	"metalab/kernel/reply"
)

// A table of a paper is data, and a claim about it is tested.
func TestPaperAndClaim(t *testing.T) {
	session(t)
	p := lab.Paper("acs-9", "lin318")
	alt, spm := p.Values("lin318, CPU", "Alt"), p.Values("lin318, CPU", "SPM")
	if len(alt) == 0 || len(spm) == 0 {
		t.Fatalf("lin318 of acs-9: %s", p)
	}
	for _, f := range []func(){
		func() { p.Measured("Atl") }, func() { p.Published("Atl") },
		func() { p.Values("lin318, CPU", "Atl") },
		func() { p.Sample("a", true, "Atl") },
	} {
		if err := lab.Try(f); err == nil || !strings.Contains(err.Error(),
			`the column is "Atl"; acs-9 has "`) {
			t.Errorf("an unknown column: %v", err)
		}
	}
	if err := lab.Try(func() { p.Values("lin381, CPU", "Alt") }); err == nil || !strings.Contains(
		err.Error(), `the row is "lin381, CPU"; acs-9 has "`) {
		t.Errorf("an unknown row: %v", err)
	}
	if q := lab.Paper("acs-9", "lin318", "SPM"); len(q.Columns) != 1 || len(q.Rows) != len(p.Rows) {
		t.Errorf("a column of acs-9: %s", q)
	}
	c := lab.Claim("they are alike: so", "same", lab.Sample("Alt: a", alt...),
		lab.Sample("SPM; b", spm...))
	if len(c.Samples) != 2 || c.Samples[0].N != len(alt) || c.Samples[0].Name != "Alt  a" {
		t.Errorf("the claim: %+v", c)
	}
	err := lab.Try(func() { lab.Claim("so", "lower", lab.Sample("a", 1), lab.Sample("b")) })
	if err == nil || !strings.Contains(err.Error(), "sample b") {
		t.Errorf("a claim about no values: %v", err)
	}
	a := lab.Open("a", "acs", lab.Load("rand-50-1"), lab.With("ants", 4))
	r := lab.Repeat(a, 3, 5)
	if len(r.Values("best")) != 3 || len(r.Values("cpu")) != 3 || r.Values("iterations")[2] != 5 ||
		r.Values("colour") != nil {
		t.Errorf("values of a repeat: %v", r.Values("best"))
	}
	lab.Experiment("e", "solvers=acs instances=rand-50-1 seeds=3 iterations=3 q0=0.5,0.9")
	if e := lab.Experiment("e", "units"); len(e.Values("best", "rand-50-1", "q0=0.5")) != 3 ||
		len(e.Values("best", "")) != 6 || len(e.Values("best", "d198")) != 0 {
		t.Errorf("values of an experiment: %+v", e.Of)
	}
}

// A claim is about the values that are known, and of pairs about those of which both are.
func TestClaimLeavesOutWhatIsNotKnown(t *testing.T) {
	session(t)
	nan := math.NaN()
	a := lab.Sample("a", 1, nan, 3, 4, 5, 6, 7)
	b := lab.Sample("b", 2, 3, 4, 5, nan, 7, 9)
	if c := lab.Claim("a is lower", "paired-lower", a, b); c.Samples[0].N != 5 ||
		c.Samples[1].N != 5 || c.Samples[1].Median != 5 {
		t.Errorf("pairs: %+v", c.Samples)
	}
	if c := lab.Claim("a is lower", "lower", a, b); c.Samples[0].N != 6 || c.Samples[1].N != 6 {
		t.Errorf("two samples: %+v", c.Samples)
	}
	if len(a.Values) != 7 {
		t.Error("a sample was changed")
	}
	three := lab.Paper("luong-3", "")
	up := three.Ratio(true, "E5620", "H200")
	for i, v := range three.Measured("E5620") {
		if w := v / three.Measured("H200")[i]; up[i] != w && !math.IsNaN(w) {
			t.Errorf("row %d: a ratio of %v, want %v", i, up[i], w)
		}
	}
	eight := lab.Paper("mmas-8", "")
	seeds := eight.Seeds("pcb442, GPU", "RWM-LC", "WRS-CT")
	if len(seeds) != 2 || seeds[1].Name != "WRS-CT" || len(seeds[1].Values) < 5 ||
		!slices.Equal(seeds[1].Values, eight.Values("pcb442, GPU", "WRS-CT")) {
		t.Errorf("seeds of a row: %+v", seeds)
	}
	if bars := lab.Paper("mmas-4", "pr2392 GPU", "RWM-LC", "WRS-LC").Bars("log ms"); !strings.Contains(
		bars.Alt, "measured, H") {
		t.Errorf("the bars of a table say %s", bars.Alt)
	}
}

// What is replayed is named as it was asked for, without the folder.
func TestReplayNamesTheFile(t *testing.T) {
	session(t)
	dir := t.TempDir()
	t.Chdir(dir)
	a := lab.Open("a", "acs", lab.Load("rand-50-1"), lab.With("ants", 4))
	a.Step(3)
	a.Save("a.run")
	if r := lab.Replay("a.run"); !r.Identical || strings.Contains(r.String(), dir) ||
		!strings.Contains(r.String(), "a.run") {
		t.Errorf("replayed: %s", r)
	}
}

// Quick and full repetitions go by the environment.
func TestScale(t *testing.T) {
	for value, want := range map[string]int{"": 10, "0": 10, "1": 30, "yes": 30} {
		t.Setenv(lab.EnvFull, value)
		if got := lab.Scale(10, 30); got != want || lab.Full() != (want == 30) {
			t.Errorf("%s=%q: %d, want %d", lab.EnvFull, value, got, want)
		}
	}
	s := lab.Bars("alt", "log ms", []string{"a"}, lab.Sample("b", 3))
	if _, ok := any(s).(reply.Reply); !ok || !strings.Contains(lab.Sketch(1, 1, "alt").HTML(), "alt") {
		t.Error("a picture is not shown with its text")
	}
}
