package eval_test

import (
	"maps"
	"slices"
	"testing"
)

// A program that is compiled has what it uses of the session, at any distance, and nothing that it
// declares itself.
func TestBeside(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	for _, src := range []string{
		`import m "math"`,
		"rate, hidden := 7, 8",
		"const ( one = \"1\"; two = iota )",
		"type P struct{ X float64 }",
		"func (p P) Root() float64 { return m.Sqrt(p.X) + float64(rate) }",
		"func (p P) Name() string { return strings.Repeat(one, two) }",
		"func lone() int { rate := 3; return rate }",
		"own := P{1}",
	} {
		if _, err := s.Eval(t.Context(), src); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
	}
	err := s.Keep("package main\nimport r \"math/rand/v2\"\ntype Q[T any] struct{ v T }\n" +
		"func (q Q[T]) Draw() int { return r.IntN(limit) }\nvar limit = 5\nfunc main() { lone() }")
	if err != nil {
		t.Fatal(err)
	}
	const methods = "\nfunc (p P) Name() string { return strings.Repeat(one, two) }\n\n" +
		"func (p P) Root() float64 { return m.Sqrt(p.X) + float64(rate) }\n\ntype P struct{ X float64 }\n"
	const group = "\nconst ( one = \"1\"; two = iota )\n"
	for _, c := range []struct{ program, want string }{
		{"package main\nfunc main() { println(1) }", ""},
		{"package main\nfunc main() { hidden := 3; _ = hidden }", ""},
		{"package main\nfunc main() { println(hidden, own) }", "\nvar hidden = int(8)\n"},
		{
			"package main\nfunc main() { println(lone()) }",
			"\nfunc lone() int { rate := 3; return rate }\n",
		},
		{
			"package main; func main() { P{}.Root() }", "import m \"math\"\n" +
				"import strings \"strings\"\n" + group + methods + "\nvar rate = int(7)\n",
		},
		{
			"package main; func (p P) Name() string { return two }; const two = 1",
			"import m \"math\"\n\nfunc (p P) Root() float64 { return m.Sqrt(p.X) + float64(rate) }\n\n" +
				"type P struct{ X float64 }\n\nvar rate = int(7)\n",
		},
		{"package main; type P int; var _ = one + P(0).String()", group},
		{
			"package main; const two = 2; var _ = one", "\nconst ( one = \"1\"; _   = iota )\n",
		},
		{
			"package main; var _ = Q[int]{}.Draw", "import r \"math/rand/v2\"\n\n" +
				"func (q Q[T]) Draw() int { return r.IntN(limit) }\n\ntype Q[T any] struct{ v T }\n\n" +
				"var limit = 5\n",
		},
	} {
		text, packages, err := s.Beside(c.program)
		got := ""
		for _, n := range slices.Sorted(maps.Keys(packages)) {
			got += "import " + n + " \"" + packages[n] + "\"\n"
		}
		if got += text; err != nil || got != c.want {
			t.Errorf("%s\n%v\n%s\nwant\n%s", c.program, err, got, c.want)
		}
	}
	if _, err := s.Eval(t.Context(), "limit := 6.5"); err != nil { // in the place of the program's
		t.Fatal(err)
	}
	got, _, err := s.Beside("package main; var _ = limit")
	if err != nil || got != "\nvar limit = float64(6.5)\n" {
		t.Errorf("%v\n%s", err, got)
	}
	if _, _, err := s.Beside("package main; func"); err == nil {
		t.Error("no error for what is no Go")
	}
	if err := s.Keep("package main; func"); err == nil {
		t.Error("no error for what is no Go")
	}
}
