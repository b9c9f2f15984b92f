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

// Names of package lab are completed and told of from the table.
func TestNames(t *testing.T) {
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
		words, from, to, ok := k.Complete(strings.Replace(c.code, "|", "", 1), pos)
		if !slices.Equal(words, c.want) || ok != (c.want != nil) || ok && (from != c.from || to != pos) {
			t.Errorf("%q: %q from %d to %d", c.code, words, from, to)
		}
	}
	if all, _, _, _ := k.Complete("lab.", 4); len(all) < 50 || !slices.Contains(all, "Watch") {
		t.Errorf("lab. may be followed by %q", all)
	}
	for _, c := range []struct{ code, want string }{
		{"lab.Op|en(", "func Open(name"},
		{"lab.Open(|", "func Open(name"},
		{"x := lab.Open(\"a\", |)", "func Open(name"},
		{"lab.Open(\"a\", \"acs\", lab.Load(|\"E1k.0\"))", "func Load("},
		{"lab.Open(\"a\", \"acs\", lab.Load(\"E1k.0\"), |)", "func Open(name"},
		{"var _ lab.Solv|er", "type Solver interface { Init(p *Problem, r *Rand) error; Step(it int64,"},
		{"lab.Ke|eper", "type Keeper interface { Snapshot() ([]byte, error); Restore("},
		{"lab.Ru|n", "type Run\n"},
		{"lab.Ope|(", ""},
		{"fmt.O|pen(", ""},
		{"fmt.Println(|", ""},
		{"lab.Open(\"a\")|", ""},
		{"lab.Open(va|lue", ""},
		{"|", ""},
	} {
		at := strings.IndexByte(c.code, '|')
		text, ok := k.Inspect(strings.Replace(c.code, "|", "", 1), at)
		if ok != (c.want != "") || !strings.HasPrefix(text, c.want) ||
			ok && !strings.Contains(text, "\n\n") {
			t.Errorf("at %s is told %q, want %q", c.code, text, c.want)
		}
	}
}

// FuzzWords asks at any place of any text: what is to be replaced lies before it.
func FuzzWords(f *testing.F) {
	for _, code := range []string{
		"%%\nlab.Open(\"a\", ", "lab.𝛼", "x := `lab.", "%lab open ac", "\xff",
	} {
		f.Add(code, len(code))
		f.Add(code, 6)
	}
	k := New("")
	none := func(string, any, map[string]any, [][]byte) error { return nil }
	f.Fuzz(func(t *testing.T, code string, pos int) {
		for _, kind := range []string{"complete_request", "inspect_request"} {
			k.Words(kind, map[string]any{"code": code, "cursor_pos": float64(pos)}, none,
				func(_ string, content any) error {
					c := content.(map[string]any)
					if from, ok := c["cursor_start"].(int); ok && (from < 0 || from > c["cursor_end"].(int)) {
						t.Errorf("%q is replaced from %d to %d", code, from, c["cursor_end"])
					}
					return nil
				})
		}
	})
}

// What needs no gopls is answered between the statuses that a page waits for, and after them the
// kernel is busy with its cell again.
func TestWords(t *testing.T) {
	t.Parallel()
	k := New("")
	var said []string
	publish := func(_ string, content any, _ map[string]any, _ [][]byte) error {
		said = append(said, content.(map[string]any)["execution_state"].(string))
		return nil
	}
	var got map[string]any
	answer := func(kind string, content any) error {
		got = content.(map[string]any)
		said = append(said, kind)
		return nil
	}
	k.Widgets.Busy(func() { said = append(said, "busy again") })
	ask := func(code any, pos any) map[string]any {
		return map[string]any{"code": code, "cursor_pos": pos}
	}
	if !k.Words("complete_request", ask("lab.Slid", 8.), publish, answer) ||
		!slices.Equal(got["matches"].([]string), []string{"Sliders"}) || got["cursor_start"] != 4 ||
		!slices.Equal(said, []string{"busy", "complete_reply", "idle", "busy again"}) {
		t.Errorf("completed: %v: %v", said, got)
	}
	if !k.Words("inspect_request", ask("lab.Sliders(", 8.), publish, answer) ||
		got["found"] != true {
		t.Errorf("inspected: %v", got)
	}
	said = nil
	for _, q := range []any{
		nil, "lab.", ask(3, 3.), ask("lab.", "4"), ask("fmt.Pr", 6.), ask("", 0.), ask("x", -7.),
	} {
		for _, kind := range []string{"complete_request", "inspect_request", "execute_request"} {
			if k.Words(kind, q, publish, answer) || len(said) > 0 {
				t.Errorf("%s %v is answered: %v", kind, q, said)
			}
		}
	}
}
