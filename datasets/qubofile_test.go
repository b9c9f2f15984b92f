package datasets_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"metalab/datasets"

	"pgregory.net/rapid"
)

// quboFormats are the formats of QUBO that hold no names.
var quboFormats = []struct {
	name  string
	read  func(io.Reader, string) (*datasets.Cut, error)
	write func(io.Writer, *datasets.Cut) error
}{
	{"qubo", datasets.ReadQUBO, datasets.WriteQUBO},
	{"sparse", datasets.ReadSparse, datasets.WriteSparse},
}

// Every QUBO is written so that each bit string has its value again: in .qubo with offsets and a
// sense, in .sparse without.
func TestQUBOThereAndBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, linear, edges, offset, x := drawCut(t)
		for _, f := range quboFormats {
			maximise := rapid.Bool().Draw(t, "maximise")
			if f.name == "sparse" {
				offset, maximise = 0, false
			}
			c, err := datasets.NewQUBO("a", n, linear, edges, offset, maximise)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := f.write(&text, c); err != nil {
				t.Fatal(err)
			}
			written := text.String()
			again, err := f.read(&text, "a")
			if err != nil {
				t.Fatalf("%s: %v\n%s", f.name, err, written)
			}
			bits := make([]int8, n)
			copy(bits, x)
			want, err := c.Cost(bits)
			if err != nil {
				t.Fatal(err)
			}
			got, err := again.Cost(bits)
			if err != nil || again.Objective() != c.Objective() ||
				again.Answer(got).Energy != c.Answer(want).Energy {
				t.Fatalf("%s: %v of %s, want %v of %s (%v)\n%s", f.name, again.Answer(got),
					again.Objective(), c.Answer(want), c.Objective(), err, written)
			}
		}
	})
}

// Values of bit strings, counted by hand: an entry of .sparse off the diagonal counts twice.
func TestReadQUBOs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, text string
		bits         []int8
		value        float64
		better       datasets.Objective
	}{
		{
			"qubo", "c one\np qubo 0 4 3 2\n0 0 -3\n1 1 0.5\n3 3 2\n0 1 4\n1 3 -2.25\n",
			[]int8{1, 1, 0, 1},
			-3 + .5 + 2 + 4 - 2.25, datasets.QUBOObjective,
		},
		{
			"qubo", "c objective=maxqubo\nc offset=-1.5\np qubo unconstrained 2 0 1\n0 1 7\n",
			[]int8{1, 1},
			5.5, datasets.MaxQUBOObjective,
		},
		{
			"sparse", "# one\n3 4\n1 1 -5\n1 2 3\n3 2 1.5\n3 3 2\n",
			[]int8{1, 1, 1},
			-5 + 2*3 + 2*1.5 + 2, datasets.QUBOObjective,
		},
	} {
		for _, f := range quboFormats {
			if f.name != c.format {
				continue
			}
			q, err := f.read(strings.NewReader(c.text), "a")
			if err != nil {
				t.Fatal(err)
			}
			cost, err := q.Cost(c.bits)
			// A maximised value is the negative of the cost.
			got := q.Answer(cost).Energy
			if q.Maximises() {
				got = -got
			}
			if err != nil || got != c.value || q.Objective() != c.better {
				t.Errorf("%s %q: %v of %s (%v), want %v of %s", c.format, c.text, got, q.Objective(), err,
					c.value, c.better)
			}
		}
	}
}

func TestQUBORefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, text string
		line         int
		want         string
	}{
		{"qubo", "", 1, "p qubo 0"},
		{"qubo", "0 0 1\n", 1, "p qubo 0"},
		{"qubo", "p qubo 7 2 0 0\n", 1, "the topology"},
		{"qubo", "p qubo 0 2 3 0\n", 1, "from 0 to 2"},
		{"qubo", "p qubo 0 2 1 1\n0 1 5\n", 2, "a diagonal entry"},
		{"qubo", "p qubo 0 2 1 1\n0 0 5\n1 0 2\n", 3, "the smaller first"},
		{"qubo", "p qubo 0 2 1 1\n0 0 5\n0 2 2\n", 3, "from 0 to 1"},
		{"qubo", "p qubo 0 2 1 0\n0 0 5\n0 1 2\n", 3, "the end of the file"},
		{"qubo", "p qubo 0 2 1 1\n0 0 5\n", 3, "1 entries more"},
		{"qubo", "c offset=x\np qubo 0 2 0 0\n", 1, "an offset"},
		{"sparse", "", 1, "the numbers of variables"},
		{"sparse", "2 1\n0 1 3\n", 2, "from 1 to 2"},
		{"sparse", "2 2\n1 2 3\n2 1 3\n", 3, "symmetric"},
		{"sparse", "2 1\n1 2\n", 2, "a weight"},
		{"sparse", "2 2\n1 2 3\n", 3, "2 entries where there are 1"},
	} {
		for _, f := range quboFormats {
			if f.name != c.format {
				continue
			}
			_, err := f.read(strings.NewReader(c.text), "a")
			var e *datasets.SyntaxError
			if !errors.As(err, &e) || e.Line != c.line || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %q: %v, want line %d and %q", c.format, c.text, err, c.line, c.want)
			}
		}
	}
	cut, err := datasets.NewCut("g", 2, []datasets.Edge{{U: 0, V: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	shifted, err := datasets.NewQUBO("q", 1, nil, nil, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range quboFormats {
		if err := f.write(io.Discard, cut); err == nil || !strings.Contains(err.Error(), "no QUBO") {
			t.Errorf("%s writes a cut: %v", f.name, err)
		}
	}
	if err := datasets.WriteSparse(io.Discard, shifted); err == nil ||
		!strings.Contains(err.Error(), "no offset (3)") {
		t.Errorf("sparse writes an offset: %v", err)
	}
}

func FuzzReadQUBO(f *testing.F)   { fuzzQUBO(f, 0) }
func FuzzReadSparse(f *testing.F) { fuzzQUBO(f, 1) }

// fuzzQUBO reads what may be a file of the format; what is read and written reads alike.
func fuzzQUBO(f *testing.F, format int) {
	format0 := quboFormats[format]
	seed(f, format0.name)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		c, err := format0.read(bytes.NewReader(data), "fuzz")
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		if c.N > 1000 {
			t.Skip()
		}
		var out bytes.Buffer
		if err := format0.write(&out, c); err != nil {
			t.Skip() // halves with too many decimal places
		}
		again, err := format0.read(&out, "fuzz")
		if err != nil || again.Scale == c.Scale && again.SHA256() != c.SHA256() {
			t.Fatalf("what was written reads differently: %v", err)
		}
	})
}
