package record_test

import (
	"bytes"
	"strings"
	"testing"

	"metalab/solvers/record"
)

// A repeat goes on with a series only if budget, backend, parameters and changes are the same.
func TestSameSeries(t *testing.T) {
	t.Parallel()
	of := func(change func(s *record.Series)) *record.Series {
		s := &record.Series{
			Params: record.Values{"q0": record.Num(0.9)}, Backend: "cpu",
			Budget: record.Budget{Iterations: 9}, Changes: []record.Change{
				{Iter: 3, Kind: record.KindSet, Name: "q0", New: record.Num(0.5), Who: "ann"},
			},
		}
		change(s)
		return s
	}
	a := of(func(*record.Series) {})
	for name, change := range map[string]func(s *record.Series){
		"budget":       func(s *record.Series) { s.Budget.Iterations++ },
		"backend":      func(s *record.Series) { s.Backend = "cuda" },
		"parameters":   func(s *record.Series) { s.Params["q0"] = record.Num(0.8) },
		"new value":    func(s *record.Series) { s.Changes[0].New = record.Num(0.6) },
		"iteration":    func(s *record.Series) { s.Changes[0].Iter++ },
		"other change": func(s *record.Series) { s.Changes = nil },
	} {
		if a.Same(of(change)) {
			t.Errorf("another %s: they are taken for the same", name)
		}
	}
	if !a.Same(of(func(s *record.Series) { s.Changes[0].Who = "bob" })) {
		t.Error("the same set by another user: they are taken for two series")
	}
}

func TestTimeless(t *testing.T) {
	t.Parallel()
	for _, b := range []record.Budget{{Wall: 1}, {CPU: 1}, {Until: "gap<1"}} {
		if b.Timeless() {
			t.Errorf("%v: it is taken for one without a clock", b)
		}
	}
	if !(record.Budget{Iterations: 5, Evaluations: 7}).Timeless() {
		t.Error("iterations and evaluations: they are taken for a clock's")
	}
}

// Lines of repeats that contradict each other are damage.
func TestFalseSeries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, new, want string }{
		"the number of a series twice": {`{"series":2,"params"`, `{"series":1,"params"`, "series is 1"},
		"a series that is not there":   {`{"series":2,"seed"`, `{"series":3,"seed"`, "series is 3"},
		"a curve without its times":    {`"wall_s":[0.1,0.2]`, `"wall_s":[0.1]`, "one length"},
	} {
		var text bytes.Buffer
		for line := range strings.Lines(string(encode(t, sample()))) {
			// Without the seal, which would tell it first; the header has none.
			if body, _, ok := strings.Cut(line, `,"crc32c"`); ok {
				line = body + "}\n"
			}
			text.WriteString(strings.Replace(line, c.old, c.new, 1))
		}
		if _, err := record.Decode(&text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Solutions are held to the ends of the ranges of their entries.
func TestFormTakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f  record.Form
		s  record.Solution
		ok bool
	}{
		{record.Form{Kind: record.FormValues, N: 2, K: 3}, record.Solution{Perm: []int32{0, 2}}, true},
		{record.Form{Kind: record.FormValues, N: 2, K: 3}, record.Solution{Perm: []int32{0, 3}}, false},
		{record.Form{Kind: record.FormValues, N: 2, K: 3}, record.Solution{Perm: []int32{-1, 2}}, false},
		{
			record.Form{Kind: record.FormReals, N: 2, Low: -1, High: 1},
			record.Solution{Real: []float64{-1, 1}},
			true,
		},
		{
			record.Form{Kind: record.FormReals, N: 2, Low: -1, High: 1},
			record.Solution{Real: []float64{-1, 1.5}},
			false,
		},
		{record.Form{Kind: record.FormPermutation, N: 2}, record.Solution{Perm: []int32{1, 0}}, true},
		{record.Form{Kind: record.FormPermutation, N: 2}, record.Solution{Perm: []int32{1, 1}}, false},
		{record.Form{Kind: record.FormPermutation, N: 2}, record.Solution{Perm: []int32{1, 2}}, false},
		{record.Form{Kind: record.FormBits, N: 2}, record.Solution{Bits: []int8{1, 0}}, true},
		{record.Form{Kind: record.FormBits, N: 2}, record.Solution{Bits: []int8{1, 2}}, false},
		{record.Form{Kind: record.FormBits, N: 2}, record.Solution{Bits: []int8{1}}, false},
	} {
		if err := c.f.Take(c.s); (err == nil) != c.ok {
			t.Errorf("%v of %v: %v", c.s, c.f, err)
		}
	}
}
