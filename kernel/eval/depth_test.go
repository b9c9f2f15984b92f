package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"metalab/kernel/eval"
)

// A recursion without end that passes through compiled code ends its input with an error that names
// the function, whatever the compiled code does with panics, and the session goes on.
func TestEndlessThroughCompiledCode(t *testing.T) {
	for _, c := range []struct{ name, src, fn string }{
		{"String", `type T int; func (t T) String() string { return fmt.Sprint(t) }
			_ = fmt.Sprint(T(1))`, "T.String"},
		{"twice", `type T int; func (t T) String() string { return fmt.Sprint(t) + fmt.Sprint(t) }
			_ = fmt.Sprint(T(1))`, "T.String"},
		{"a field", `type T struct{ n *T }
			func (t *T) String() string { return fmt.Sprintf("%v", *t.n) + "" }
			type W struct { T *T }
			func (w W) String() string { return fmt.Sprintf("%v", w.T) }
			func (w W) Error() string { return fmt.Sprintf("%v", struct{ W W }{w}) }
			_ = fmt.Sprint(W{})`, "W.Error"},
		{"Error", `type E struct{ n int }
			func (e *E) Error() string { return fmt.Errorf("e: %w", e).Error() }
			_ = (&E{1}).Error()`, "(*E).Error"},
		{"MarshalJSON", `import "encoding/json"
			type J int; func (j J) MarshalJSON() ([]byte, error) { return json.Marshal(j) }
			json.Marshal(J(1))`, "J.MarshalJSON"},
		{"a generic", `func rec[T any](x T) string { return rec(x) + "" }
			rec(1)`, "rec[int]"},
		{"sort.Slice", `var f func()
			f = func() { sort.Slice([]int{2, 1}, func(i, j int) bool { f(); return false }) }
			f()`, "the function literal of line 2"},
		{"sort.Interface", `type L []int
			func (l L) Len() int { return len(l) }
			func (l L) Less(i, j int) bool { sort.Sort(l); return true }
			func (l L) Swap(i, j int) {}
			sort.Sort(L{1, 2})`, "L.Less"},
		{"slices.SortFunc", `var g func(a, b int) int
			g = func(a, b int) int { slices.SortFunc([]int{1, 2}, g); return 0 }
			slices.SortFunc([]int{1, 2}, g)`, "the function literal of line 2"},
		{"mutual", `type A int; type B int
			func (a A) String() string { return fmt.Sprint(B(a)) }
			func (b B) String() string { return fmt.Sprint(A(b)) }
			_ = fmt.Sprint(A(1))`, ".String"},
		{"recovers", `type T int
			func (t T) String() string { defer func() { recover() }(); return fmt.Sprint(t) + fmt.Sprint(t) }
			_ = fmt.Sprint(T(1))`, "T.String"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := session(t)
			_, err := s.Eval(t.Context(), c.src)
			if !errors.Is(err, eval.ErrStack) || !strings.Contains(err.Error(), "stack overflow in ") ||
				!strings.Contains(err.Error(), c.fn+":") {
				t.Errorf("got %.200v, want a stack overflow in %s", err, c.fn)
			}
			if v, err := s.Eval(t.Context(), "x := 1; x + 1"); err != nil || show(v) != "2" {
				t.Errorf("after it: got %v, %v, want 2", v, err)
			}
		})
	}
}

// So does one on a goroutine that the input starts, and of a value that the host prints.
func TestEndlessBesideTheInput(t *testing.T) {
	s, n := session(t)
	const typ = `type T int; func (t T) String() string { return fmt.Sprint(t) };`
	if _, err := s.Eval(t.Context(), typ+`go func() { _ = fmt.Sprint(T(1)) }()`); err != nil {
		t.Fatal(err)
	}
	if got := <-n.more; !strings.Contains(got, "stack overflow in T.String") {
		t.Errorf("the notice is %q", got)
	}
	v, err := s.Eval(t.Context(), "T(1)")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(v...); !strings.Contains(got, "stack overflow in T.String") {
		t.Errorf("printed %.200q", got)
	}
}
