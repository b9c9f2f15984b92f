package cells

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Lines of the prompt become Go in the same lines.
func TestTyped(t *testing.T) {
	t.Parallel()
	const step = `lab.Show(lab.Do("step a 10"))`
	for code, want := range map[string]string{
		"%lab step a 10":                       "%% lab: " + step + "\n;",
		"%lab step a 10\nx := 1":               "%% lab: " + step + "\nx := 1",
		"%lab step a 10\n%lab step a 10":       "%% lab: " + step + "\n" + step,
		"%%\nx := 1\n  %lab step a 10; best a": "%%\nx := 1\n" + step + `; lab.Show(lab.Do("best a"))`,
		"func f() {}\n%lab step a 10\n\nf()":   "func f() {}\n%% lab: " + step + "\n\nf()",
		"\n%lab step a 10\n!ls\n":              "\n%% lab: " + step + "\n!ls\n\n;",
		"%lab plot a title='x; \"y\"'": "%% lab: " +
			`lab.Show(lab.Do("plot a title='x; \"y\"'"))` + "\n;",
		"%%\n%labour\nx":                     "%%\n%labour\nx",
		"%%\r\nx := 1\r\n%lab step a 10\r\n": "%%\nx := 1\n" + step + "\n",
		"%%":                                 "%%",
		"%%go\nfunc f() {}\n%lab step a 10":  "\nfunc f() {}\n%% lab: " + step + "\n;",
		"%lab ?q0":                           "%% lab: " + `lab.Show(lab.Do("help q0"))` + "\n;",
	} {
		if got := Typed(code); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", code, got, want)
		}
		if q := Quiet(code); len(q) != len(code) || strings.Contains(q, "%lab ") {
			t.Errorf("%q for the language server: %q", code, q)
		}
	}
}

// The last expression of a cell is shown, with the lines as they were; what has no value is not.
func TestShown(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"%%\nlab.Get(\"r\").Best()":          "%%\nlab.Show(lab.Get(\"r\").Best())",
		"func f() {}\n%%\nx := 1\nx // so":   "func f() {}\n%%\nx := 1\nlab.Show(x) // so",
		"%%\na.Plot(\n\t\"tour\",\n)\n\n!ls": "%%\nlab.Show(a.Plot(\n\t\"tour\",\n))\n\n!ls",
		"%%\n1 + 2":                          "%%\nlab.Show(1 + 2)",
		"%%\na.Best();":                      "",
		"%%\nfmt.Println(1)":                 "",
		"%%\nlab.Sliders(a)":                 "",
		"%%\nx := 1":                         "",
		"%%\nfor {\n\tf()\n}":                "",
		"%%\nfunc() {}()":                    "",
		"%%\n<-done":                         "",
		"%%\nthis is no Go":                  "",
		"func f() int { return 1 }":          "",
		"%%":                                 "",
	} {
		lines := strings.Split(code, "\n")
		got, changed := Shown(lines)
		if want == "" {
			want = code
		}
		if s := strings.Join(got, "\n"); s != want || changed != (want != code) {
			t.Errorf("%q becomes %q (%v), want %q", code, s, changed, want)
		}
	}
}

// The functions of lab that return nothing are known.
func TestNoResult(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../lab/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files of lab", err)
	}
	none := map[string]bool{}
	fset := token.NewFileSet()
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, p, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() &&
				fn.Type.Results == nil {
				none[fn.Name.Name] = true
			}
		}
	}
	if !maps.Equal(none, NoResult) {
		t.Errorf("known are %q, there are %q", slices.Sorted(maps.Keys(NoResult)),
			slices.Sorted(maps.Keys(none)))
	}
}

// Lines of the prompt are completed and told about as there, in Do and in lines of their own.
func TestPromptInCells(t *testing.T) {
	k := begin(t, "open acs rand-50-1 as a")
	for code, want := range map[string]string{
		`lab.Do("st|`:                 "step",
		`lab.Do("step a un|`:          "until",
		`lab.Do("set a q|`:            "q0",
		"%lab st|":                    "step",
		"%%\n%lab step a 10; set a |": "q0",
		"%lab open acs E1|":           "E1k.0",
	} {
		before, _, _ := strings.Cut(code, "|")
		words, _, to, ok := k.Complete(before, len(before))
		if !ok || to != len(before) || !slices.ContainsFunc(words, func(w string) bool {
			return strings.TrimRight(w, " =") == want
		}) {
			t.Errorf("%s: %q, want %s", code, words, want)
		}
	}
	for code, want := range map[string]string{
		`%%` + "\n" + `lab.Get("a").Set("q|0", 0.9)`: "q0",
		`lab.Open("b", "ac|s", pr)`:                  "acs",
		`lab.Get("a").Set("q|`:                       "q0",
		`lab.Get("a").Set("l|`:                       "local_period",
		`lab.Open("b", "m|`:                          "m: mmas, mmas/scan",
		`lab.Do("step a un|til gap<1")`:              "until",
		"%lab se|t a q0=0.5":                         "set",
		`lab.Load("zz|zz")`:                          "",
	} {
		before, after, _ := strings.Cut(code, "|")
		text, ok := k.Inspect(before+after, len(before))
		if !ok || want == "" && text != "" || want != "" && !strings.Contains(text, want) {
			t.Errorf("%s tells %q (%v)", code, text, ok)
		}
	}
	none := begin(t) // no run is open
	for code, want := range map[string]string{
		`a.Set("q`:     "q0",
		`a.Set("q0`:    "q0",
		`a.Set("quit`:  "",
		`a.Set("exit`:  "",
		`lab.Get("ls`:  "",
		`f("ls`:        "",
		`a.Plot("tour`: "tour",
	} {
		text, ok := none.Inspect(code, len(code))
		if !ok || want == "" && text != "" || !strings.Contains(text, want) ||
			strings.Contains(text, "no verb") {
			t.Errorf("without a run: %s tells %q (%v)", code, text, ok)
		}
	}
	if words, _, _, ok := none.Complete(`a.Set("q`, 8); !ok || !slices.Contains(words, "q0") {
		t.Errorf("without a run: Set is offered %q", words)
	}
	if _, ok := k.Inspect("%%\nlab.Get", 6); ok {
		t.Error("it tells of Go, too")
	}
}
