package cells

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/lab/front"
)

// What goes wrong in a cell is told in a line, without paths, and with what to do where
// beginners go wrong.
func TestExplain(t *testing.T) {
	t.Parallel()
	k := New("/nowhere/s.sock")
	for _, c := range []struct {
		name string
		f    Failure
		want []string
	}{
		{
			"no %%",
			Failure{
				Cell: 2, Code: "\na := lab.Open(\"a\", \"acs\", lab.Load(\"pr1002\"), lab.Seed(42))",
				Lines: []Line{{2, 2, "expected declaration, found a"}},
			},
			[]string{
				`line 2: a := lab.Open("a", "acs", lab.Load("pr1… stands outside of a function: write %% as ` +
					`the first line of the cell, statements stand below it`,
			},
		},
		{
			"an import of no package",
			Failure{
				Cell: 2, Code: "import \"fmtx\"\n%%\nfmtx.Do()",
				Lines: []Line{{2, 1, "package fmtx is not in std (/usr/local/go/src/fmtx)"}},
			},
			[]string{
				"line 1: there is no package fmtx in Go's library; that of a module has a host in its " +
					"path, as github.com/google/uuid",
			},
		},
		{
			"a question on a name of Go",
			Failure{
				Cell: 2, Code: "?lab.Solver",
				Lines: []Line{{2, 1, "illegal character U+003F '?'"}},
			},
			[]string{
				"line 1: ?lab.Solver is a line of the prompt: in a cell Shift-Tab behind lab.Solver shows " +
					"what it is",
			},
		},
		{
			"a brace too many",
			Failure{
				Cell: 2, Code: "%%\n}\nfmt.Println()",
				Lines: []Line{{2, 3, "expected declaration, found fmt (and 2 more errors)"}},
			},
			[]string{
				"line 3: fmt.Println() stands outside of a function: the } of line 2 is one too many",
			},
		},
		{
			"a brace too many at the end",
			Failure{
				Cell: 2, Code: "%%\nif true {\n\tfmt.Println(\"}\")\n}\n}\n",
				Lines: []Line{{0, 0, "expected declaration, found '}'"}},
			},
			[]string{"line 5: } is one too many: nothing is open above it"},
		},
		{
			"a brace too many in the last of two lines",
			Failure{
				Cell: 2, Code: "type T struct{}\n%%\nfmt.Println() }",
				Lines: []Line{{0, 0, "expected declaration, found '}' (and 1 more errors)"}},
			},
			[]string{"line 3: fmt.Println() }: a } is one too many here"},
		},
		{
			"a function below %%",
			Failure{
				Cell: 2, Code: "%%\nfunc f(x int) int { return x }\nfmt.Println(f(1))",
				Lines: []Line{{-1, 2, "expected '(', found f (and 1 more errors)"}},
			},
			[]string{
				"line 2: func f(x int) int { return x } stands below %%, where statements stand: declare " +
					"functions above %%, or write name := func(…) {…}",
			},
		},
		{
			"a statement above %%",
			Failure{
				Cell: 2, Code: "x := 5\n%%\nfmt.Println(x)",
				Lines: []Line{{-1, 1, "expected declaration, found x (and 2 more errors)"}},
			},
			[]string{
				"line 1: x := 5 stands above %%, where only imports, types, functions, var and const " +
					"stand: move it below, or write var x = 5",
			},
		},
		{
			"a loop above %%",
			Failure{
				Cell: 2, Code: "for {\n}\n%%\nfmt.Println()",
				Lines: []Line{{2, 1, "expected declaration, found 'for'"}},
			},
			[]string{
				"line 1: for { stands above %%, where only imports, types, functions, var and const " +
					"stand: move it below",
			},
		},
		{
			"of another cell with statements",
			Failure{
				Cell: 4, Code: "%%\nf()",
				Lines: []Line{{3, 1, "expected declaration, found x"}},
			},
			[]string{"cell [3], line 1: expected declaration, found x"},
		},
		{
			"not used",
			Failure{
				Cell: 2, Code: "%%\nx := 1",
				Lines: []Line{
					{0, 0, "# gonb_12ab34cd"},
					{2, 2, "declared and not used: x"},
					{0, 0, ""},
					{0, 0, "exit status 1"},
				},
			},
			[]string{"line 2: declared and not used: x; use it, or write _ = x"},
		},
		{
			"not used for another mistake",
			Failure{
				Cell: 2, Code: "%%\na := lab.Open(\"a\", \"acs\", \"E1k.0\", \"q0\", 42)",
				Lines: []Line{
					{2, 2, "declared and not used: a"},
					{2, 2, `cannot use "q0" (untyped string constant) as lab.Option value in argument to ` +
						"lab.Open"},
					{2, 2, "cannot use 42 (untyped int constant) as lab.Option value in argument to lab.Open"},
				},
			},
			[]string{
				`line 2: cannot use "q0" (untyped string constant) as lab.Option value in argument to ` +
					`lab.Open; parameters stand in lab.With("q0", 1), options are lab.Seed(1), ` +
					`lab.Preset("paper") and others`,
				"line 2: cannot use 42 (untyped int constant) as lab.Option value in argument to " +
					`lab.Open; a seed is lab.Seed(42), a parameter lab.With("name", 42)`,
				"line 2: declared and not used: a; use it, or write _ = a",
			},
		},
		{
			"an answer that is no list",
			Failure{
				Cell: 2, Code: "%%\nh := lab.Get(\"a\").History()\nfor range h {\n}\nlen(h)",
				Lines: []Line{
					{2, 3, "cannot range over h (variable of type *reply.HistoryReply)"},
					{2, 5, "invalid argument: h (variable of type *reply.HistoryReply) for built-in len"},
					{2, 6, "cannot index lab.Runs() (value of type *reply.RunsReply)"},
					{2, 7, "cannot range over x (variable of type *reply.NoteReply)"},
				},
			},
			[]string{
				"line 3: cannot range over h (variable of type *reply.HistoryReply); its list is .Points",
				"line 5: invalid argument: h (variable of type *reply.HistoryReply) for built-in len; " +
					"its list is .Points",
				"line 6: cannot index lab.Runs() (value of type *reply.RunsReply); its list is .Runs",
				"line 7: cannot range over x (variable of type *reply.NoteReply)",
			},
		},
		{
			"of another cell",
			Failure{
				Cell: 4, Code: "%%\nf()",
				Lines: []Line{{3, 7, "missing return"}, {4, 2, "undefined: g"}},
			},
			[]string{
				"cell [3], line 7: missing return",
				"line 2: undefined: g; variables end with their cell, functions, types and runs stay",
			},
		},
		{"lab without an import", Failure{
			Cell: 4, Code: "%%\nx := lab.Gat(1)",
			Lines: []Line{{4, 2, "undefined: lab"}},
		}, []string{"line 2: undefined: lab.Gat; is Get meant?"}},
		{
			"far from all names",
			Failure{Cell: 4, Code: "%%\nsort.Qwertyuiop()", Lines: []Line{{4, 2, "undefined: sort"}}},
			[]string{"line 2: undefined: sort.Qwertyuiop"},
		},
		{
			"what was given and what is wanted",
			Failure{Cell: 4, Code: "%%\nf(1)", Lines: []Line{
				{4, 2, "not enough arguments in call to f"},
				{0, 0, "\thave (number)"},
				{0, 0, "\twant (int, string)"},
				{4, 3, "missing return"},
				{0, 0, "exit status 1"},
			}},
			[]string{
				"line 2: not enough arguments in call to f; have (number), want (int, string)",
				"line 3: missing return",
			},
		},
		{
			"the same twice",
			Failure{Cell: 1, Lines: []Line{{1, 2, "x"}, {1, 2, "x"}}},
			[]string{"line 2: x"},
		},
		{
			"many",
			Failure{Cell: 1, Lines: []Line{
				{1, 1, "a"},
				{1, 2, "a"},
				{1, 3, "a"},
				{1, 4, "a"},
				{1, 5, "a"},
				{1, 6, "a"},
				{1, 7, "a"},
			}},
			[]string{"line 1: a", "line 2: a", "line 3: a", "line 4: a", "line 5: a", "and 2 more"},
		},
		{
			"no compiler",
			Failure{Cell: 1, Text: "executing special commands in cell: no such command %frob\nstack"},
			[]string{"no such command %frob"},
		},
		{
			"paths",
			Failure{Cell: 1, Text: "failed to run \"/usr/bin/go build -o " +
				"/tmp/x/gonb_12ab34cd/gonb_12ab34cd\": /tmp/x/gonb_12ab34cd/main.go:3:4: it is wrong"},
			[]string{"it is wrong"},
		},
		{
			"a brace that is missing",
			Failure{Cell: 1, Text: "expected '}', found 'EOF'"},
			[]string{"something is still open where the cell ends: a } or a ) is missing"},
		},
		{
			"Python",
			Failure{
				Cell: 1, Code: "import numpy as np",
				Lines: []Line{{-1, 1, "import path must be a string"}},
			},
			[]string{`line 1: import numpy as np is no Go; an import of Go is import "math", and lab ` +
				`needs none`},
		},
		{"nothing", Failure{Cell: 1, Text: "\n"}, []string{"the cell failed, and does not say why"}},
	} {
		name, value, lines := k.Explain(c.f)
		if len(lines) != len(c.want) || name == "" {
			t.Errorf("%s: %q, want %q", c.name, lines, c.want)
			continue
		}
		for i, l := range lines {
			if l != front.Red(c.want[i]) {
				t.Errorf("%s: line %d is %q, want %q", c.name, i+1, l, c.want[i])
			}
		}
		if value != c.want[0] {
			t.Errorf("%s: value %q, want %q", c.name, value, c.want[0])
		}
	}
}

func TestLineOf(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]Line{
		"Cell[3]: Line 12": {3, 12, "x"},
		"Cell Line 4":      {-1, 4, "x"}, "": {0, 0, "x"},
	} {
		if got := LineOf(info, "x"); got != want {
			t.Errorf("%q: %+v, want %+v", info, got, want)
		}
	}
}

// where puts the program's lines from 11 on into cell 3, those before into none, and those from
// 101 on into cell 1.
func where(n int) (cell, line int) {
	switch {
	case n > 100:
		return 1, n - 100
	case n > 10:
		return 3, n - 10
	}
	return 0, 0
}

const trace = `panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.pick(...)
	/tmp/x/gonb_12ab34cd/main.go:14
main.main()
	/tmp/x/gonb_12ab34cd/main.go:20 +0x1d
`

// What the runtime says when it ends a cell becomes a line; all else is passed on as it comes.
func TestTrace(t *testing.T) {
	t.Parallel()
	failed := errors.New("exit status 2")
	for _, c := range []struct {
		name, written string
		err           error
		passed, want  string
	}{
		{
			"a panic", trace, failed, "",
			"line 4: panic: index out of range [5] with length 3, in pick, called from line 10",
		},
		{
			"behind output", "one\ntwo\n" + trace, failed, "one\ntwo\n",
			"line 4: panic: index out of range [5] with length 3, in pick, called from line 10",
		},
		{
			"in main", "panic: why not\n\ngoroutine 1 " +
				"[running]:\nmain.main()\n\t/tmp/gonb_1/main.go:20 +0x1d\n", failed, "",
			"line 10: panic: why not",
		},
		{
			"in a method of an earlier cell",
			"panic: no\n\ngoroutine 1 [running]:\n" +
				"main.(*Walk).Step(0xc000012345, 0x2)\n\t/tmp/gonb_1/main.go:104 +0x1d\n" +
				"main.main()\n\t/tmp/gonb_1/main.go:12 +0x1d\n",
			failed, "",
			"cell [1], line 4: panic: no, in (*Walk).Step, called from line 2",
		},
		{
			"in a library",
			"panic: no\n\ngoroutine 1 [running]:\nsort.x()\n\t/usr/go/sort.go:7\n" +
				"main.main.func1()\n\t/tmp/gonb_1/main.go:12 +0x1d\n",
			failed, "", "line 2: panic: no",
		},
		{
			"nil",
			"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: " +
				"segmentation violation code=0x1 addr=0x0 pc=0x48]\n\ngoroutine 1 " +
				"[running]:\nmain.main()\n\t/tmp/gonb_1/main.go:12 +0x1d\n", failed, "",
			"line 2: panic: invalid memory address or nil pointer dereference",
		},
		{
			"a deadlock",
			"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan " +
				"receive]:\nmain.main()\n\t/tmp/gonb_1/main.go:12 +0x1d\n", failed, "",
			"line 2: all goroutines are asleep - deadlock!",
		},
		{
			"a stack that grew",
			"runtime: goroutine stack exceeds 1000000000-byte limit\nruntime: sp=0x1\nfatal error: stack " +
				"overflow\n\nruntime stack:\nruntime.throw()\n\t/usr/go/panic.go:1\n\ngoroutine 1 " +
				"[running]:\nmain.f(0x1)\n\t/tmp/gonb_1/main.go:13\n", failed, "",
			"line 3: stack overflow, in f",
		},
		{"no place", "panic: odd\n", failed, "", "panic: odd"},
		{"somebody's own words", "panic: not so bad\nmore", nil, "panic: not so bad\nmore", ""},
		{
			"an exit after them", "panic: not so bad\n", errors.New("exit status 3"), "panic: not so bad\n",
			"the cell's program ended with exit status 3",
		},
		{"a line without an end", "pan", nil, "pan", ""},
		{"nothing", "", failed, "", "the cell's program ended with exit status 2"},
	} {
		for _, size := range []int{1, 7, 10000} { // as it may come
			var b strings.Builder
			tr := NewTrace(&b, 3, where)
			for s := c.written; s != ""; {
				n := min(size, len(s))
				if _, err := tr.Write([]byte(s[:n])); err != nil {
					t.Fatal(err)
				}
				s = s[n:]
			}
			err := tr.End(c.err, false)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want || b.String() != c.passed {
				t.Errorf("%s, in pieces of %d: %q and %q passed on, want %q and %q", c.name, size, got,
					b.String(), c.want, c.passed)
			}
		}
	}
}

// What is written is passed on at once, unless it may be the beginning of the runtime's words.
func TestTraceIsNotLate(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	tr := NewTrace(&b, 3, where)
	for _, c := range [][2]string{
		{"half a line", "half a line"},
		{", the rest\npa", "half a line, the rest\n"},
		{"per\n", "half a line, the rest\npaper\n"},
	} {
		if _, err := tr.Write([]byte(c[0])); err != nil || b.String() != c[1] {
			t.Errorf("after %q: %q, want %q", c[0], b.String(), c[1])
		}
	}
}

func TestEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err         string
		interrupted bool
		want        string
	}{
		{"exit status 3", false, "the cell's program ended with exit status 3"},
		{"signal: interrupt", true, interruptedCell},
		{"signal: killed", true, interruptedCell},
	} {
		if got := ended(c.err, c.interrupted); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// An error of lab stands at the line of the cell that called it, and so do the lines of the program
// that its text names.
func TestSaidAtALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "said")
	t.Setenv(front.EnvSaid, path)
	for _, c := range []struct {
		name string
		said front.Said
		want string
	}{
		{"no line", front.Said{Text: "no"}, "no"},
		{"none of a cell", front.Said{Text: "no", At: []front.Frame{{Line: 3, In: "init"}}}, "no"},
		{
			"in main", front.Said{Text: "no", At: []front.Frame{{Line: 14, In: "main"}}}, "line 4: no",
		},
		{
			"in a closure",
			front.Said{Text: "no", At: []front.Frame{{Line: 14, In: "main.func1"}, {Line: 20, In: "main"}}},
			"line 4: no",
		},
		{
			"in a function of another cell",
			front.Said{Text: "no", At: []front.Frame{{Line: 104, In: "pick"}, {Line: 20, In: "main"}}},
			"cell [1], line 4: no, in pick, called from line 10",
		},
		{
			"with a line in it",
			front.Said{
				Text: "module: main.go:13:4: maps are not", At: []front.Frame{{Line: 20, In: "main"}},
			},
			"line 10: module: line 3: maps are not",
		},
		{
			"stopped",
			front.Said{Text: "interrupted; a", Stopped: true, At: []front.Frame{{Line: 14, In: "main"}}},
			"interrupted; a",
		},
	} {
		tr := NewTrace(io.Discard, 3, where)
		b, err := json.Marshal(c.said)
		if err == nil {
			err = os.WriteFile(path, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := tr.End(errors.New("exit status 1"), c.said.Stopped); got.Error() != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What package lab has left is the error of its own cell, and not of the next one.
func TestSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "said")
	t.Setenv(front.EnvSaid, path)
	if err := os.WriteFile(path, []byte("of a cell before"), 0o600); err != nil {
		t.Fatal(err)
	}
	tr := NewTrace(io.Discard, 3, where)
	if err := os.WriteFile(path, []byte("there is no run\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tr.End(errors.New("exit status 1"), false); err.Error() != "there is no run" {
		t.Errorf("%v, want what was left", err)
	}
	err := NewTrace(io.Discard, 4, where).End(errors.New("exit status 1"), false)
	if err.Error() != "the cell's program ended with exit status 1" {
		t.Errorf("%v, where nothing was left", err)
	}
	if err := NewTrace(io.Discard, 5, where).End(nil, true); err != nil {
		t.Errorf("%v, of a cell that ended well", err)
	}
}
