package interpret

import (
	"os/exec"
	"strings"
	"testing"

	"metalab/kernel/eval"
)

// TestCompiled compiles cells that begin with %%go: they share the session and the output with
// those that are interpreted, and fail with their lines.
func TestCompiled(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no Go")
	}
	t.Parallel()
	r := start(t)
	for _, c := range []struct{ code, shows, fails string }{
		{"x := 1\n%lab open ils rand-50-1 as a seed=3; step a 5", "a: iteration 5", ""},
		{
			"%%go\nfunc Twice[T int | float64](v T) T { return 2 * v }\n\n%%\n" +
				"fmt.Println(\"first\", Twice(21)); a := lab.Get(\"a\"); a.Step(5)\n" +
				"lab.Show(a.Plot(\"best\")); fmt.Println(\"last\")",
			"first 42\nshown: best of a; a: iteration 10\nlast", "",
		},
		{"x", "1", ""},
		{"%%go\nimport \"net/http\"\nfmt.Println(http.StatusTeapot)", "418", ""},
		{"%%go\n\nfmt.Println(y)", "", "line 3: undefined: y"},
		{"run := lab.Get(\"a\")", "", ""},
		{"%%go\nrun.Step(1)", "", "line 2: undefined: run, a variable of type *lab.Run of another cell"},
		{"type P struct{ X int }\nfunc (p P) Twice() int { return 2 * p.X * len(unit) }\n" +
			"const unit = \"m\"\nfunc unused() { nothing() }\nfunc nothing() { run.Best() }", "", ""},
		{"%%go\nfmt.Println(P{x + 20}.Twice(), Thrice)", "", "line 2: undefined: Thrice"},
		{"%%go\nvar Thrice = 3 * x\nfunc half[T int](v T) T { return v / 2 }", "", ""},
		{"%%go\nfmt.Println(P{x + 20}.Twice(), Thrice, half(8))", "42 3 4", ""},
		{"Thrice := 4; x = 2", "", ""},
		{
			"%%go\nfunc (p P) Twice() int { return -p.X }\n%%\nfmt.Println(P{x}.Twice(), Thrice)",
			"-2 4", "",
		},
		{"P{1}.Twice()", "2", ""},
		{"import m \"math\"\nfunc root(x float64) float64 { return m.Sqrt(x) }", "", ""},
		{"%%go\nimport m \"math\"\nfmt.Println(root(m.Abs(-9)))", "3", ""},
		{
			"%%go\nimport m \"math/bits\"\nfmt.Println(root(9), m.Len(1))", "",
			"line 2: m is package \"math/bits\" here",
		},
		{"type t struct{ y int }", "", ""},
		{"%%go\nfmt.Println(t{}.x)", "", "line 2: t{}.x undefined"},
		{"%%go\nfunc (v t) y() {}", "", "what an earlier cell declares: "},
		{"%%go\nfmt.Println(P{x}.Twice())", "-2", ""},
		{"%%go", "", ""},
		{"%%go\n%%\nlab.Get(\"nobody\")", "", "line 3: there is no run \"nobody\""},
		{"%%go\nvar s []int\n%%\nfmt.Println(\"before\", s[len(s)])", "index out of range", "status 2"},
		{"%%go\n%%\nfmt.Println(", "", "line 3: the cell ends before what it began"},
		{"%%go\nx := 1\n%lab runs", "", "line 3: %lab is no Go"},
	} {
		res, err := r.Do(t.Context(), c.code)
		if err != nil {
			t.Fatal(err)
		}
		if (res.Failed == "") != (c.fails == "") || !strings.Contains(res.Failed, c.fails) {
			t.Errorf("%s: failed with %q, want %q", c.code, res.Failed, c.fails)
		}
		got := said(res.Outputs)
		for want := range strings.Lines(c.shows) {
			_, rest, found := strings.Cut(got, strings.TrimSpace(want))
			if got = rest; !found {
				t.Errorf("%s: shows\n%s\nwant %s", c.code, said(res.Outputs), c.shows)
				break
			}
		}
	}
}

// TestProgram imports what a cell names and does not declare, and keeps the numbers of its lines.
func TestProgram(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"%%go\nfunc main() { fmt.Println(1) }": `package main; import fmt "fmt"; ` +
			"\nfunc main() { fmt.Println(1) }",
		"%%go\nx := 1\n_ = x": "package main; func main() {\nx := 1\n_ = x\n}",
		"%%go\nimport (\n\t\"os\"\n)\nos.Exit(3)": "package main; \nimport (\n\t\"os\"\n)\n" +
			"func main() {os.Exit(3)\n}",
		"%%go\ntype t struct{ Println int }\n%%\nfmt := t{}\n_ = fmt.Println\nrand.IntN(3)": "" +
			`package main; import rand "math/rand/v2"; ` + "\ntype t struct{ Println int }\n" +
			"func main() {\nfmt := t{}\n_ = fmt.Println\nrand.IntN(3)\n}",
	} {
		e, err := eval.New(eval.Config{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&kernel{eval: e}).program(code)
		if err != nil || got.text != want || got.own != want {
			t.Errorf("%q is\n%+v\n%v, want\n%s", code, got, err, want)
		}
	}
}
