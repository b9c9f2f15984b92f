package eval_test

import (
	"strings"
	"testing"
)

// A program has the variables of plain data that it uses, with the values that they have, and no
// others: neither those that a local name hides nor those of other types.
func TestStandaloneVariables(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	for _, src := range []string{
		"tab := []int64{3, 4}; tab[1] = -9; rate := float32(.5); i := 4; var empty []string",
		`deep := map[string][2][]uint8{"b": {{1}, nil}, "a": {}}; big := make([]int64, 1<<16)`,
		"p := &tab; nan := math.NaN()",
		"type T int",
		"own := T(4); fresh := 1",
		"type K struct{ w int64 }",
		"func (k K) Cost() int64 { for i := range tab { k.w += tab[i] }; return k.w + int64(len(deep)) }",
		"func (k K) More() any { return []any{rate, empty, p, nan, own, big, fresh} }",
		`fresh = 2; late := "\n"; fmt.Sprint("k", K{w: int64(len(late))})`,
	} {
		if _, err := s.Eval(t.Context(), src); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
	}
	program, line, err := s.Standalone("fmt", "Sprint", "k")
	if err != nil {
		t.Fatal(err)
	}
	text := string(program)
	if got := strings.Split(text, "\n")[line-1]; !strings.Contains(got, `fmt.Sprint("k"`) {
		t.Errorf("line %d is %q", line, got)
	}
	for _, want := range []string{
		"var tab = []int64{3, -9}\n", "var rate = float32(0.5)\n", "var empty = []string(nil)\n",
		"var fresh = int(2)\n", `var late = string("\n")`,
		`var deep = map[string][2][]uint8{"a": [2][]uint8{[]uint8(nil), []uint8(nil)}, ` +
			`"b": [2][]uint8{[]uint8{1}, []uint8(nil)}}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(text, "\nvar "); n != 6 {
		t.Errorf("%d variables, want 6", n)
	}
	if t.Failed() {
		t.Log(text)
	}
}
