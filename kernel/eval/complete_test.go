package eval_test

import (
	"strings"
	"testing"

	"metalab/kernel/eval"
)

func TestComplete(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	s.Warm()
	if _, err := s.Eval(t.Context(), `import str "strings"
pr := testlab.Load("x")
a := testlab.Open("a", "acs", pr)
runs := []*testlab.Run{a}
type point struct{ x, Y int; testlab.Point }
func (p *point) length(scale float64) float64 { return 0 }
pt := point{}
func double(n int) int { return 2 * n }
var st testlab.Stepper = a`); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text  string // ¦ marks the cursor
		want  string // names, in order; … after the last when there may be more
		about string // what is said of the first
		start int
	}{
		{
			"testlab.Op¦", "Open Option",
			"func(name string, solver string, pr *Problem, opts ...Option) *Run — Open makes a run of a " +
				"solver on a problem.", 8,
		},
		{"testlab.op¦", "Open Option", "", 8},
		{"testlab.MaxR¦", "MaxRuns", "= 64 — MaxRuns is how many runs there may be.", 8},
		{"testlab.Prob¦", "Problem", "struct type — Problem is an instance.", 8},
		{
			"a.¦", "Bests Name OnPoint Param Points Problem Rows Search Seed Step",
			"func(n int) iter.Seq[float64] — Bests gives the best of each of n iterations.", 2,
		},
		{
			"x := a.St¦", "Step", "func(n int) Point — Step makes n iterations and returns the last row.",
			7,
		},
		{"a.Problem.¦", "Name Size", "string", 10},
		// what the text itself declares
		{"b := testlab.Open(\"b\", \"acs\", pr)\nb.St¦", "Step", "", 36},
		{"b := a\nc := b.Step(3)\nif c.Be¦", "Best", "float64", 27},
		{"for i, r := range runs { r.St¦", "Step", "", 27},
		{"var q testlab.Point; q.Be¦", "Best", "float64", 23},
		{"q := &testlab.Point{Best: 1}\nq.Be¦", "Best", "float64", 31},
		{"q := []*testlab.Run{a}\nq[0].St¦", "Step", "", 28},
		{"q, err := str.CutPrefix(\"a\", \"b\"); q¦", "q", "string", 35},
		{"answer := 6 * 7; ans¦", "answer", "variable", 17},
		{"a.Step(3).B¦", "Best", "float64", 10},
		{"runs[0].Step(len(runs)).¦", "Best Iteration String", "", 24},
		{"fmt.Println(a.Na¦me)", "Name", "", 14},
		{"pt.¦", "Best Iteration Point String Y length x", "", 3},
		{"pt.le¦", "length", "func(scale float64) float64", 3},
		{"st.¦", "Step", "", 3},
		{"str.ToUp¦", "ToUpper ToUpperSpecial", "func(string) string", 4},
		{"dou¦", "double", "func(n int) int", 0},
		{"ru¦", "runs", "[]*testlab.Run", 0},
		{"testl¦", "testlab", "package metalab/kernel/eval/internal/testlab: Package testlab", 0},
		{"po¦", "point", "type", 0},
		{`"a.¦`, "", "", 0},
		{"x // a.¦", "", "", 0},
		{"3.¦", "", "", 0},
		{"nothing.¦", "", "", 0},
		{"a.Nope.¦", "", "", 0},
		{").¦", "", "", 0},
		{"a.Step(1).Best.¦", "", "", 0},
	}
	for _, tt := range tests {
		pos := strings.Index(tt.text, "¦")
		text := strings.Replace(tt.text, "¦", "", 1)
		got := s.Complete(text, pos)
		var names []string
		for _, g := range got {
			names = append(names, g.Text)
			if g.Start != tt.start {
				t.Errorf("%s: %s starts at %d, want %d", tt.text, g.Text, g.Start, tt.start)
			}
		}
		if strings.Join(names, " ") != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, strings.Join(names, " "), tt.want)
			continue
		}
		if tt.about != "" && !strings.HasPrefix(got[0].About, tt.about) {
			t.Errorf("%s: got about %q, want %q", tt.text, got[0].About, tt.about)
		}
	}
	for _, pos := range []int{-1, 0, 99} { // no panic
		s.Complete("a.", pos)
	}
}

func TestIncomplete(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"": false, "x := 1": false, "for {": true, "for {\n}": false, "f(1,": true, "f(1,\n2)": false,
		"x := 1 +": true, "x := 1 +\n2": false, "x = ": true, "if a {\n} else": true, "`raw": true,
		"`raw`": false,
		"/* c":  true, "// c {": false, "\"a {": false, "\"a": false, "x := [3]int{1,\n": true,
		"a.": true, "a.\nb()": false,
		"x++": false, "func f() int {": true, "func f()": false, ")": false, "}{": false,
		"f(xs...)": false, "L:": false,
		"go": true, "return": false, "a := func() {\n\tb()\n": true, "x := 'a": false, "p := &": true,
		"ch <-": true, "a ||": true,
	}
	for src, want := range tests {
		if got := eval.Incomplete(src); got != want {
			t.Errorf("Incomplete(%q) is %t, want %t", src, got, want)
		}
	}
}

// FuzzSplit feeds the text tools arbitrary text: no panic, and what is whole Go
// is not called incomplete.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"x := 1", "for {", "func f() {}\nx", "type ( A int; B int )", "`", "/*",
		"a.b(c)[d].", "L: for", "func (", "const ( A = iota",
	} {
		f.Add(s, 3)
	}
	s, err := eval.New(eval.Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(_ *testing.T, text string, pos int) {
		eval.Incomplete(text)
		s.Complete(text, pos)
		eval.CompileForTest(s, text)
	})
}

// Describe tells all that a package says of a name; of variables what completion says.
func TestDescribe(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	s.Warm()
	if _, err := s.Eval(t.Context(), `a := testlab.Open("a", "acs", testlab.Load("x"))`); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"testlab.Load":     "testlab.Load func(name string) *Problem\nLoad gives the instance of a name.",
		"testlab.Problem":  "testlab.Problem struct type\nProblem is an instance.",
		"testlab.Run.Step": "testlab.Run.Step func(n int) Point\nStep makes",
		"testlab.Run":      "\n  Step(n int) Point  Step makes n iterations and returns the last row.",
		"testlab.Searcher": "testlab.Searcher interface type\nSearcher improves a tour; inputs may " +
			"bring their own.\n  Improve(tour []int) (gain int, err error)",
		"testlab": "package metalab/kernel/eval/internal/testlab\nPackage testlab is a " +
			"laboratory in small: it has the shape of the API that\npeople type",
		"a":              "a *testlab.Run",
		"a.Step":         "a.Step func(n int) Point",
		"strings.Fields": "strings.Fields func(string) []string",
	} {
		if got, ok := s.Describe(name); !ok || !strings.Contains(got, want) {
			t.Errorf("%s: %v, %q lacks %q", name, ok, got, want)
		}
	}
	for _, name := range []string{
		"", "nothing", "testlab.Nothing", "a.Nothing", "a.",
		"testlab.", ".",
	} {
		if got, ok := s.Describe(name); ok {
			t.Errorf("%q is %q", name, got)
		}
	}
}
