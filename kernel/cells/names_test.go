package cells

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/cells/labdoc"
)

// The table of names is that of package lab.
func TestNamesOfLab(t *testing.T) {
	t.Parallel()
	want, err := labdoc.Table("../lab")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("lab.tsv")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("lab.tsv is old: go generate ./kernel/cells (%v)", err)
	}
}

// Until gopls answers, names of package lab are completed and told of from the table.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	var k Kernel
	for _, c := range []struct {
		code string // | is where the cursor is
		want []string
		from int
	}{
		{"%%\nlab.Slid|", []string{"Sliders"}, 7},
		{"%%\nx := ü(lab.Ope|", []string{"Open"}, 14},
		{"lab.Sli|ders", []string{"Sliders"}, 4},
		{"lab.Nosuch|", nil, 0},
		{"slab.Open|", nil, 0},
		{"x.lab.Open|", nil, 0},
		{"lab|", nil, 0},
		{"fmt.Pr|", nil, 0},
	} {
		at := strings.IndexByte(c.code, '|')
		pos := len([]rune(c.code[:at]))
		words, from, to, ok := k.Meanwhile(strings.Replace(c.code, "|", "", 1), pos)
		if !slices.Equal(words, c.want) || ok != (c.want != nil) || ok && (from != c.from || to != pos) {
			t.Errorf("%q: %q from %d to %d", c.code, words, from, to)
		}
	}
	if all, _, _, _ := k.Meanwhile("lab.", 4); len(all) < 50 || !slices.Contains(all, "Watch") {
		t.Errorf("lab. may be followed by %q", all)
	}
	if text, ok := told("lab.Open(", 6); !ok || !strings.HasPrefix(text, "func Open(name") ||
		!strings.Contains(text, "\n\nOpen ") {
		t.Errorf("of lab.Open is told %q", text)
	}
	for _, code := range []string{"lab.Ope(", "fmt.Open("} {
		if text, ok := told(code, 6); ok {
			t.Errorf("of %s is told %q", code, text)
		}
	}
}
