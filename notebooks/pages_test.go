package notebooks_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metalab/kernel/wire"
)

// parsed are the Go files of a folder that are tests, or that are not.
func parsed(t *testing.T, dir string, tests bool) (*token.FileSet, []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no files in", dir, err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") != tests {
			continue
		}
		f, err := parser.ParseFile(fset, p, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return fset, files
}

func page(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var sheetRow = regexp.MustCompile("(?m)^\\| `([\\w.]+)` \\| (.+) \\| (?:`(\\w+)`)? \\|$")

// The sheet has a row for each exported function and method of package lab, and for nothing
// else; the prompt's words on it are there.
func TestSheet(t *testing.T) {
	t.Parallel()
	fset, files := parsed(t, "../kernel/lab", false)
	lab, err := doc.NewFromFiles(fset, files, "metalab/kernel/lab")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	add := func(prefix string, funcs []*doc.Func) {
		for _, f := range funcs {
			names[prefix+f.Name] = true
		}
	}
	add("", lab.Funcs)
	for _, ty := range lab.Types {
		add("", ty.Funcs)
		add(ty.Name+".", ty.Methods)
	}
	text := page(t, "lab.md")
	rows := map[string]bool{}
	for _, m := range sheetRow.FindAllStringSubmatch(text, -1) {
		name, verb := m[1], m[3]
		if rows[name] {
			t.Errorf("lab.md has two rows for %s", name)
		}
		rows[name] = true
		if !names[name] {
			t.Errorf("lab.md has a row for %s, which package lab has not", name)
		}
		if verb != "" && !slices.ContainsFunc(wire.Verbs,
			func(v wire.Verb) bool { return v.Name == verb }) {
			t.Errorf("lab.md: %s: the prompt has no %s", name, verb)
		}
	}
	for n := range names {
		if !rows[n] {
			t.Errorf("lab.md has no row for %s", n)
		}
	}
	if n := strings.Count(text, "\n| `"); n != len(rows) {
		t.Errorf("lab.md has %d rows, %d of them in the form of a row", n, len(rows))
	}
}

// literal is the text of a string, or of a sum of strings.
func literal(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, aok := literal(e.X)
		b, bok := literal(e.Y)
		return a + b, aok && bok && e.Op == token.ADD
	}
	return "", false
}

// The errors of cells on the page about them are those that the kernel's tests hold it to.
func TestErrorPage(t *testing.T) {
	t.Parallel()
	var held []string
	for _, folder := range []string{"../kernel", "../kernel/cells"} {
		_, files := parsed(t, folder, true)
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if s, ok := literal(e); ok {
						held = append(held, strings.TrimPrefix(s, "ERROR: "))
						return false
					}
				}
				return true
			})
		}
	}
	said := regexp.MustCompile("(?m)^\\| `((?:line|cell) .*?)` \\| ").FindAllStringSubmatch(page(t,
		"when_it_goes_wrong.md"), -1)
	if len(said) < 8 {
		t.Fatalf("%d errors on the page", len(said))
	}
	for _, m := range said {
		if !slices.Contains(held, m[1]) {
			t.Errorf("no test of the kernel's holds it to saying %q", m[1])
		}
	}
}

// No lesson stops by a clock: what it shows is then the same on every machine. To sleep while
// something is waited for changes nothing of that.
func TestLessonsCountIterations(t *testing.T) {
	t.Parallel()
	clock := regexp.MustCompile(
		`\btime\.(Now|Since|Until|After|Tick|New)|"[^"]*\b(time|cpu)=|\bStep(For|CPU)\(`)
	paths, _ := filepath.Glob("*.ipynb")
	for _, p := range paths {
		for i, c := range read(t, p) {
			if s := clock.FindString(strings.Join(c.Source, "")); c.Type == "code" && s != "" {
				t.Errorf("%s: cell %d goes by the clock: %s", p, i+1, s)
			}
		}
	}
}
