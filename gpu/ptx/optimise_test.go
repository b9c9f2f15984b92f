package ptx_test

import (
	"regexp"
	"strings"
	"testing"

	"metalab/gpu/ptx"
)

// entry is the text of one kernel, without what its failing threads do.
func entry(t *testing.T, text string, o ptx.Options) string {
	t.Helper()
	m, err := ptx.Compile("k.go", text, o)
	if err != nil {
		t.Fatal(err)
	}
	_, s, _ := strings.Cut(m.PTX, ".visible .entry")
	s, _, _ = strings.Cut(s, "\n$fail")
	return s
}

// TestOptimised counts what is left of loads, checks and conversions.
func TestOptimised(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, params, body string
		pattern            string
		plain, want        int
	}{
		{
			"a loop over a slice has no checks", ", x []int32, out []int64",
			"s := int64(0)\nfor i := range x { s += int64(x[i]) }\nout[0] = s", `setp\.[gl]e\.u`, 2, 1,
		},
		{
			"strides of the grid", ", x []int32",
			"for i := t.Thread(); i < len(x); i += t.Threads() { x[i]++ }", `setp\.[gl]e\.u`, 2, 0,
		},
		{
			"neighbours below n-2", ", x, y []int32",
			"for i := 0; i < len(x)-2; i++ { y[0] += x[i] + x[i+1] + x[i+2] }", `setp\.ge\.u`, 3, 0,
		},
		{
			"indices of 32 bits", ", x, y []int32",
			"for i := int32(0); i < int32(len(x)); i++ { y[0] += x[i] }", `setp\.ge\.u`, 1, 0,
		},
		{
			"32 bits may wrap with a larger step", ", x, y []int32",
			"for i := int32(0); i < int32(len(x)); i += 5 { y[0] += x[i] }", `setp\.ge\.u`, 1, 1,
		},
		{
			"a bound that changes is none", ", x, y []int32, n int",
			"for i := 0; i < n; i++ { y[0] += x[i]; n = int(x[0]) }", `setp\.ge\.u`, 1, 1,
		},
		{
			"i-1 of i > 0", ", x, y []int32",
			"for i := 1; i < len(x); i++ { y[0] += x[i-1] }", `setp\.ge\.u`, 1, 0,
		},
		{
			"the other side of a comparison", ", x, y []int32",
			"i := t.Thread(); if i < len(x)-2 { y[0] = 1 } else { y[0] = x[i] }", `setp\.ge\.u`, 1, 1,
		},
		{
			"without a sign n-5 may be above n", ", x, y []int32, i uint64",
			"if i < uint64(len(x))-5 { y[0] = x[i] }", `setp\.ge\.u`, 1, 1,
		},
		{
			"what is known of the next one is not of this one", ", x, y, in []int32",
			"p := int32(0); for _, e := range in { if e >= 0 && p < int32(len(x)) { y[0] += x[p] }; p = e }",
			`setp\.ge\.u`, 2, 1,
		},
		{
			"two ways back, one after a step that may wrap", ", x, y []int32, n, m int32",
			"i := int32(0); for { if i < int32(len(x)) { y[0] += x[i] }; if i < n { i++; continue }; " +
				"i++; if i < m { continue }; break }",
			`setp\.ge\.u`, 1, 1,
		},
		{
			"equal loads", ", x, y []int32, i int",
			"y[0] = x[i] + x[i]*x[i]", `ld\.global\.\S*s32`, 3, 1,
		},
		{
			"loads of what is written", ", x []int32, i int",
			"a := x[i]; x[i+1] = 5; x[0] = a + x[i]", `ld\.global\.\S*s32`, 2, 2,
		},
		{
			"loads that a loop does not change", ", x, v, y []int32, i int",
			"for k := range x { y[k] = x[k]*v[i] }", `\$L\d+:\n(?:.*\n)*?.*@%p\d+ ld\.global\.nc`, 0, 1,
		},
	} {
		text := one("", c.params, c.body)
		count := func(o ptx.Options) int {
			return len(regexp.MustCompile(c.pattern).FindAllString(entry(t, text, o), -1))
		}
		if plain, got := count(ptx.Options{Plain: true}), count(ptx.Options{}); plain != c.plain ||
			got != c.want {
			t.Errorf("%s: %d without and %d with optimisation, want %d and %d\n%s", c.name, plain, got,
				c.plain, c.want, entry(t, text, ptx.Options{}))
		}
	}
}
