package datasets_test

import (
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
)

// Bits are read in every form that is written of them, and what is none is named by its line.
func TestReadBits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, says string }{
		{"0\n1\n1\n", ""},
		{"# objective 3\n0\n\n1\r\n1", ""},
		{"011", ""},
		{"0, 1,\t1\n", ""},
		{"01", "datasets: b.txt: bits: expected 3 of them, found 2"},
		{"0111", "datasets: b.txt: bits: expected 3 of them, found 4"},
		{"", "datasets: b.txt: bits: expected 3 of them, found 0"},
		{"#\n01\n2", "datasets: b.txt:3: bits: expected 0 or 1, found 2"},
		{"0 -1 1", "datasets: b.txt:1: bits: expected 0 or 1, found -"},
	} {
		x, err := datasets.ReadBits(strings.NewReader(c.text), "b.txt", 3)
		switch {
		case c.says == "" && (err != nil || !slices.Equal(x, []int8{0, 1, 1})):
			t.Errorf("%q: %v, %v", c.text, x, err)
		case c.says != "" && (err == nil || err.Error() != c.says):
			t.Errorf("%q: %v, want %s", c.text, err, c.says)
		}
	}
}

func FuzzReadBits(f *testing.F) {
	f.Add("# a\n0\n1\n1\n")
	f.Add("011")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := datasets.ReadBits(strings.NewReader(text), "f", 3)
		if err == nil && (len(x) != 3 || slices.ContainsFunc(x, func(b int8) bool { return b|1 != 1 })) {
			t.Errorf("%q: %v", text, x)
		}
	})
}
