package datasets_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
)

// A file of rudy is read, its weights exactly, and written so that it reads again.
func TestRudyThereAndBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, again  string
		scale, whole int64 // the cut of the first vertex alone, as a cost
	}{
		{"3 2\n1 2 3\n2 3 -2\n", "3 2 \n1 2 3\n2 3 -2\n", 1, -3},
		{"# one\n4 3\n1 2 0.5\n2 3 -1.25e1\n\n3 4\n", "4 3 \n1 2 0.5\n2 3 -12.5\n3 4 1\n", 10, -5},
		{"2 1\n2 1 -1.50\n", "2 1 \n1 2 -1.5\n", 10, 15},
		{"2 2\n2 1 4\n1 2 -1\n", "2 1 \n1 2 3\n", 1, -3},
		{"2 1\r\n1 2 2e3\r\n", "2 1 \n1 2 2000\n", 1, -2000},
	} {
		g, err := datasets.ReadRudy(strings.NewReader(c.text), "g")
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		x := make([]int8, g.N)
		x[0] = 1
		if cost, err := g.Cost(x); err != nil || cost != c.whole || g.Scale != c.scale {
			t.Errorf("%q: cost %d (%v), scale %d", c.text, cost, err, g.Scale)
		}
		var out bytes.Buffer
		if err := datasets.WriteRudy(&out, g); err != nil || out.String() != c.again {
			t.Errorf("%q is written as %q (%v)", c.text, out.String(), err)
		}
		h, err := datasets.ReadRudy(&out, "g")
		if err != nil || h.SHA256() != g.SHA256() || h.Scale != g.Scale {
			t.Errorf("%q reads differently again (%v)", c.text, err)
		}
	}
}

// What is wrong with a file is said with its line, the value and what is allowed.
func TestRudyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		line int
		want string
	}{
		{"", 1, "the numbers of vertices and edges"},
		{"3\n", 1, "the number of edges"},
		{"0 0\n", 1, "the number of vertices from 1 to 1048576"},
		{"2 2\n1 2 1\n", 3, "2 edges where there are 1"},
		{"2 1\n1 3 1\n", 2, "a vertex from 1 to 2"},
		{"2 1\n1 1 1\n", 2, "two different vertices"},
		{"2 1\n1 2 x\n", 2, "a weight, a decimal number"},
		{"2 1\n1 2 1 1\n", 2, "the end of the line"},
		{"2 1\n1 2 3000000000\n", 2, "a weight from -2147483647 to 2147483647"},
		{"3 2\n1 2 0.001\n2 3 3e7\n", 3, "a weight that times 1000, as there are decimal places"},
		{"2 1\n1 2 1e-30\n", 2, "15 are decimal places"},
		{"2 1\n1 2 nan\n", 2, "a decimal number"},
		{"2 1\n1 2 .\n", 2, "a decimal number"},
	} {
		_, err := datasets.ReadRudy(strings.NewReader(c.text), "g")
		var e *datasets.SyntaxError
		if !errors.As(err, &e) || e.Line != c.line || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want line %d and %q", c.text, err, c.line, c.want)
		}
	}
}

// Load knows the ending, and the format where the name does not tell it.
func TestLoadRudy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"three.mc", "three", "three.txt"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("3 2\n1 2 3\n2 3 -2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		inst, err := datasets.Load(path)
		if err != nil || inst.Kind() != datasets.KindCut || inst.Size() != 3 {
			t.Errorf("%s: %v, %v", name, inst, err)
		}
	}
	for _, e := range datasets.Catalogue(datasets.Folders(dir), datasets.Cache("")) {
		if e.Name == "three" && (e.Kind != datasets.KindCut || e.Size != 3) {
			t.Errorf("%+v", e)
		}
	}
}

func FuzzReadRudy(f *testing.F) {
	seed(f, "rudy")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		g, err := datasets.ReadRudy(bytes.NewReader(data), "fuzz")
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		if g.Edges() > len(data) {
			t.Fatalf("%d edges from %d bytes", g.Edges(), len(data))
		}
		var out bytes.Buffer
		if err := datasets.WriteRudy(&out, g); err != nil {
			t.Fatal(err)
		}
		again, err := datasets.ReadRudy(&out, "fuzz")
		if err != nil || again.SHA256() != g.SHA256() && again.Scale == g.Scale {
			t.Fatalf("what was written reads differently: %v", err)
		}
	})
}
