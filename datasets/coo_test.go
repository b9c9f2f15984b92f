package datasets_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"

	"pgregory.net/rapid"
)

// Every instance is written so that it reads again as the same, with its labels and its scale.
func TestCOOThereAndBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, fields, edges, offset, _ := drawCut(t)
		var all []*datasets.Cut
		add := func(c *datasets.Cut, err error) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
		add(datasets.NewCut("a", n, edges))
		add(datasets.NewIsing("a", n, fields, edges, offset))
		add(datasets.NewQUBO("a", n, fields, edges, offset, false))
		add(datasets.NewQUBO("a", n, fields, edges, offset, true))
		for _, c := range all {
			text, err := datasets.Text(c)
			if err != nil {
				t.Fatal(err)
			}
			again, err := datasets.FromText(datasets.KindCut, "a", text, 0)
			if err != nil || again.SHA256() != c.SHA256() {
				t.Fatalf("%s reads differently (%v):\n%s", c.Objective(), err, text)
			}
		}
	})
}

// What stands in a file is what dimod takes it for.
func TestReadCOO(t *testing.T) {
	t.Parallel()
	c, err := datasets.ReadCOO(strings.NewReader(
		"# vartype=SPIN\n# offset=0.5\na a -1\na b 2.25\nb c -1\n",
	), "c")
	if err != nil {
		t.Fatal(err)
	}
	cost, err := c.Cost([]int8{1, 0, 1}) // 1, -1, 1: -1 - 2.25 + 1 + 0.5
	if a := c.Answer(cost); err != nil || a.Energy != -1.75 || a.Offset != 0.5 || cost != -175 ||
		c.Scale != 100 || !slices.Equal(c.Labels, []string{"a", "b", "c"}) {
		t.Errorf("cost %d (%v), %+v, labels %q", cost, err, a, c.Labels)
	}
	c, err = datasets.ReadCOO(strings.NewReader("# vartype=BINARY\n2 1 4\n0 0 -3\n2 2 1\n"), "c")
	if err != nil {
		t.Fatal(err)
	}
	cost, err = c.Cost([]int8{1, 1, 1})
	if a := c.Answer(cost); err != nil || cost != 2 || a.Energy != 2 || c.Labels != nil {
		t.Errorf("cost %d (%v), %+v, labels %q", cost, err, a, c.Labels)
	}
	var out bytes.Buffer
	want := "# vartype=BINARY\n0 0 -3\n1 1 0\n2 2 1\n1 2 4\n"
	if err := datasets.WriteCOO(&out, c); err != nil || out.String() != want {
		t.Errorf("%q (%v), want %q", out.String(), err, want)
	}
}

func TestCOORefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		line int
		want string
	}{
		{"", 1, "two variables and a bias"},
		{"0 1 1\n", 1, "vartype"},
		{"# vartype=TERNARY\n", 1, "SPIN or BINARY"},
		{"# vartype=SPIN\n0 1\n", 2, "a weight"},
		{"# vartype=SPIN\n0 1 x\n", 2, "a decimal number"},
		{"# vartype=SPIN\n# offset=x\n", 2, "an offset, a decimal number"},
		{"# vartype=SPIN\n# objective=maxqubo\n", 2, "objective cut after"},
		{"# vartype=SPIN\n# objective=cut\n0 0 1\n", 3, "no fields"},
		{"# vartype=SPIN\n0 1 1e10\n", 2, "a weight from -2147483647 to 2147483647"},
	} {
		_, err := datasets.ReadCOO(strings.NewReader(c.text), "c")
		var e *datasets.SyntaxError
		if !errors.As(err, &e) || e.Line != c.line || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want line %d and %q", c.text, err, c.line, c.want)
		}
	}
}

func FuzzReadCOO(f *testing.F) {
	seed(f, "coo")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		c, err := datasets.ReadCOO(bytes.NewReader(data), "fuzz")
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		if c.N > len(data) {
			t.Fatalf("%d variables from %d bytes", c.N, len(data))
		}
		var out bytes.Buffer
		if err := datasets.WriteCOO(&out, c); err != nil {
			t.Fatal(err)
		}
		again, err := datasets.ReadCOO(&out, "fuzz")
		if err != nil || again.Scale == c.Scale && again.SHA256() != c.SHA256() {
			t.Fatalf("what was written reads differently: %v", err)
		}
	})
}
