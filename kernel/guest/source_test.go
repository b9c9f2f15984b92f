package guest_test

import (
	"strings"
	"testing"

	"metalab/kernel/guest"
)

const program = `package main

import (
	"fmt"
	"slices"
	"metalab/kernel/lab"
)

const ( low = iota; high )

// Walk walks.
type Walk struct { p *lab.Problem; tour []city; T float64 }
type city int
type Other struct { n int }

func (w *Walk) Init(p *lab.Problem, r *lab.Rand) error { return helper(w, high) }
func (w *Walk) Step(it int64, r *lab.Rand) (float64, error) { slices.Sort(w.tour); return 0, nil }
func (o Other) Unused() { fmt.Println() }
func helper(w *Walk, k int) error { return nil }
func unrelated() {}

var start = 17.5

func main() {
	lab.Declare("other", func() lab.Solver { return nil })
	x := 1
	lab.Declare("walk", func() lab.Solver {
		return &Walk{T: start}
	})
	fmt.Println(x)
}
`

func cut(t *testing.T, src string) string {
	t.Helper()
	line := strings.Count(src[:strings.Index(src, `"walk", func`)], "\n") + 1
	s, ok := guest.Cut([]byte(src), "Walk", line, "walk")
	if !ok {
		t.Fatalf("no solver in\n%s", src)
	}
	return s.Text
}

// The source of a solver is what it uses, and nothing else of its cells changes it.
func TestCut(t *testing.T) {
	t.Parallel()
	got := cut(t, program)
	for _, want := range []string{
		"type Walk struct", "type city int", "high", "func helper", "slices",
		"start = 17.5", "T: start", `lab.Declare("walk"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	for _, not := range []string{"Other", "unrelated", "fmt", "x := 1", `"other"`} {
		if strings.Contains(got, not) {
			t.Errorf("%q is in\n%s", not, got)
		}
	}
	for name, c := range map[string]struct {
		old, now string
		changes  bool
	}{
		"another cell's function": {"func unrelated() {}", "func unrelated() { fmt.Println(2) }", false},
		"the order of cells":      {"// Walk walks.", "\n\n\n// Walk walks.", false},
		"white space":             {"type city int", "type    city   int", false},
		"what stands beside it":   {"x := 1", "x := 2; _ = start", false},
		"a method":                {"slices.Sort(w.tour)", "slices.Reverse(w.tour)", true},
		"a helper": {
			"func helper(w *Walk, k int) error { return nil }",
			"func helper(w *Walk, k int) error { k++; return nil }", true,
		},
		"a constant of the helper": {"low = iota", "low = iota + 1", true},
		"a default":                {"start = 17.5", "start = 18.5", true},
		"a new method": {
			"func unrelated() {}",
			"func (w *Walk) Best() (float64, []int) { return 0, nil }", true,
		},
	} {
		if !strings.Contains(program, c.old) {
			t.Fatal(name)
		}
		if now := cut(t, strings.Replace(program, c.old, c.now, 1)); (now != got) != c.changes {
			t.Errorf("%s: changed is %v, want %v:\n%s", name, now != got, c.changes, now)
		}
	}
	for _, bad := range []string{"", "package main", "package main\nfunc main() { lab.Declare("} {
		if _, ok := guest.Cut([]byte(bad), "Walk", 1, "walk"); ok {
			t.Errorf("a solver is found in %q", bad)
		}
	}
}

// Functions init that name what a solver uses belong to it, in their order, with all that they use.
func TestCutInit(t *testing.T) {
	const inits = `
var table []int
var other []int
func zeros() []int { return make([]int, 3) }
func init() { table = zeros() }
func init() { other = nil }
func init() { start = float64(len(table)); fmt.Println("a") }
`
	s := cut(t, program+inits)
	for _, want := range []string{
		"func zeros", "var table", "table = zeros() }\n\nfunc init() { start = float64(len(table))",
		`import "fmt"`,
	} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing in\n%s", want, s)
		}
	}
	if strings.Contains(s, "other = nil") {
		t.Errorf("an init of something else is in\n%s", s)
	}
	if cut(t, program) != cut(t, program+"\nfunc init() { unrelated() }\n") {
		t.Error("an init of another cell changes the solver")
	}
}

// An import whose path ends in its version is known by the word before.
func TestCutVersionedImport(t *testing.T) {
	src := strings.Replace(program, `"slices"`, `"math/rand/v2"`, 1)
	src = strings.Replace(src, "slices.Sort(w.tour)", "w.T = rand.New(rand.NewPCG(1, 2)).Float64()", 1)
	if s := cut(t, src); !strings.Contains(s, `import "math/rand/v2"`) {
		t.Errorf("no import in\n%s", s)
	}
}
