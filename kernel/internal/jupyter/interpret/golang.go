package interpret

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"metalab/kernel/eval"
	"metalab/kernel/guest"
	"metalab/kernel/lab/front"
)

// command is the line that a cell begins with which is compiled.
const command = "%%go"

// compiles reports whether a cell is to be compiled.
func compiles(code string) bool {
	first, _, _ := strings.Cut(code, "\n")
	return strings.TrimSpace(first) == command
}

// stopLimit is how long a program may take to end when its cell is interrupted.
const stopLimit = 5 * time.Second

// compiled compiles a cell and executes it as a program of its own, which shares the session and
// the output of its cell. What it uses of earlier cells is compiled with it; variables of plain
// data are copied. A cell of declarations alone is compiled, and later ones see these.
func (k *kernel) compiled(ctx context.Context, code string) error {
	p, err := k.program(code)
	if err != nil || p.text == "" {
		return err
	}
	dir, err := os.MkdirTemp("", "go")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, binary := filepath.Join(dir, "cell.go"), filepath.Join(dir, "cell")
	if err := os.WriteFile(file, []byte(p.text), 0o600); err != nil {
		return err
	}
	out, err := guest.Build(ctx, file, binary)
	switch {
	case ctx.Err() != nil:
		return eval.ErrInterrupted
	case errors.Is(err, guest.ErrNoGo):
		return errors.New(command + " compiles its cell, and there is no Go here: install it from " +
			"go.dev/dl, or write the cell without " + command)
	case err != nil && strings.TrimSpace(out) == "":
		return err
	case err != nil:
		return errors.New(k.mistake(out, p.lines))
	}
	if err := k.eval.Keep(p.own); err != nil || p.declares {
		return err
	}
	return k.execute(ctx, binary, filepath.Join(dir, "said"))
}

// execute executes the program of a cell. It shows by a pipe, as in GoNB.
func (k *kernel) execute(ctx context.Context, binary, said string) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, binary)
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdout, os.Stderr, []*os.File{w}
	const first = 3 // the number of the first of the extra files
	cmd.Env = append(os.Environ(), fmt.Sprintf("GONB_PIPE=/dev/fd/%d", first), front.EnvSaid+"="+said)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopLimit
	err = cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return err
	}
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		k.pass(r)
	}()
	err = cmd.Wait()
	r.SetReadDeadline(time.Now().Add(stopLimit)) // a program of the program's may hold the pipe
	<-shown
	r.Close()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return eval.ErrInterrupted
	case err == nil:
		return nil
	}
	if s, ok := front.ReadSaid(said); ok {
		if len(s.At) > 0 {
			return fmt.Errorf("line %d: %s", s.At[0].Line, s.Text)
		}
		return errors.New(s.Text)
	}
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return fmt.Errorf("the program was ended by the signal %v", status.Signal())
		}
		return fmt.Errorf("the program ended with the status %d", exit.ExitCode())
	}
	return err
}

// pass shows what a program shows, until it ends. The fields are those of GoNB's messages.
func (k *kernel) pass(r io.Reader) {
	gob.Register(map[string]any{})
	gob.Register([]byte{})
	for d := gob.NewDecoder(r); ; {
		var m struct {
			Data, Metadata map[string]any
			DisplayID      string
		}
		if d.Decode(&m) != nil {
			return
		}
		k.display(m.DisplayID, m.Data, m.Metadata)
	}
}

// mistakes is how many of the compiler's mistakes are shown.
const mistakes = 5

var (
	placed   = regexp.MustCompile(`^\S*cell\.go:(\d+):\d+: (.*)$`)
	vendored = regexp.MustCompile(`cannot find module providing package (\S+):`)
)

// mistake is what the compiler says of a cell, by the lines of the cell, and of what stands below
// them.
func (k *kernel) mistake(out string, lines int) string {
	var said []string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		m := placed.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		text := m[2]
		if v := vendored.FindStringSubmatch(text); v != nil {
			text = "package " + v[1] + " is not in the source that is beside this program; a clone of " +
				"metalab that METALAB_SOURCE names has more"
		}
		if name, ok := strings.CutPrefix(text, "undefined: "); ok {
			text += k.notCopied(name)
		}
		at := "line " + m[1]
		if n, err := strconv.Atoi(m[1]); err == nil && n > lines {
			at = "what an earlier cell declares"
		}
		said = append(said, at+": "+text)
	}
	if len(said) == 0 {
		return strings.TrimSpace(out)
	}
	return strings.Join(said[:min(len(said), mistakes)], "\n")
}

// notCopied says why a variable of other cells is not in a cell that is compiled; empty for another
// name.
func (k *kernel) notCopied(name string) string {
	for _, v := range k.eval.Vars() {
		if v.Name == name {
			return ", a variable of type " + v.Type + " of another cell: only numbers and strings, and " +
				"slices, arrays and maps of these, to 64 KiB, are copied into a cell that is compiled"
		}
	}
	return ""
}

// A goProgram is the program of a cell that is compiled.
type goProgram struct {
	text     string // the cell, and below it what it uses of earlier cells; empty: nothing to do
	own      string // the text without that
	lines    int    // of own, with the numbers that they have in the cell
	declares bool   // the cell has declarations alone, and nothing to execute
}

// program makes a Go program of a cell that begins with %%go: declarations, with statements below a
// line of %% or of %main, or alone. Packages that it names without an import line are imported.
func (k *kernel) program(code string) (p goProgram, err error) {
	lines := strings.Split(code, "\n")
	lines[0] = ""
	main := slices.IndexFunc(lines, func(l string) bool {
		l = strings.TrimSpace(l)
		return l == "%%" || l == "%main"
	})
	if main >= 0 {
		lines[main] = "func main() {"
		lines = append(lines, "}")
	}
	for i, l := range lines {
		if l := strings.TrimSpace(l); strings.HasPrefix(l, "%") || strings.HasPrefix(l, "!") {
			return p, fmt.Errorf("line %d: %s is no Go, which alone stands in a cell that is compiled",
				i+1, strings.Fields(l)[0])
		}
	}
	text := strings.Join(lines, "\n")
	files := token.NewFileSet()
	f, err := parsed(files, text)
	if err != nil && main < 0 { // it may be statements alone
		text = statements(lines)
		if g, serr := parsed(files, text); serr == nil {
			f, err = g, nil
		}
	}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 && list[0].Pos.Line > strings.Count(code, "\n")+1 {
		return p, fmt.Errorf("line %d: the cell ends before what it began", strings.Count(code, "\n")+1)
	}
	if err != nil {
		return p, errors.New(k.mistake("cell.go:"+err.Error(), len(lines)))
	}
	if len(f.Decls) == 0 {
		return p, nil
	}
	if !slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Name.Name == "main" && fn.Recv == nil
	}) {
		p.declares = true
		text += "\nfunc main() {}"
	}
	earlier, packages, err := k.eval.Beside("package main; " + text)
	if err != nil {
		return p, err
	}
	own := missing(files, f, earlier)
	p.own = "package main; " + imports(own) + text
	p.lines = strings.Count(p.own, "\n") + 1
	for _, s := range f.Imports {
		name, path := eval.ImportName(s), eval.ImportPath(s)
		if other := packages[name]; other != "" && other != path {
			return p, fmt.Errorf("line %d: %s is package %q here, and %q in a declaration of an earlier "+
				"cell that is used: give it another name", files.Position(s.Pos()).Line, name, path, other)
		}
		delete(packages, name)
	}
	maps.Copy(own, packages)
	p.text = "package main; " + imports(own) + text + earlier
	return p, nil
}

// imports are import lines of packages, by their names, on one line.
func imports(packages map[string]string) (text string) {
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		text += fmt.Sprintf("import %s %q; ", name, packages[name])
	}
	return text
}

// statements is a text of imports and statements as a function main below the imports.
func statements(lines []string) string {
	at := 0 // the line behind the last import
	for open, i := false, 0; i < len(lines); i++ {
		l := strings.TrimSpace(lines[i])
		switch {
		case open:
			open = l != ")"
		case strings.HasPrefix(l, "import"):
			open = strings.HasSuffix(l, "(")
		default:
			continue
		}
		at = i + 1
	}
	lines = slices.Clone(lines)
	if at == len(lines) {
		lines = append(lines, "")
	}
	lines[at] = "func main() {" + lines[at]
	return strings.Join(lines, "\n") + "\n}"
}

// parsed parses the text of a program without its package clause.
func parsed(files *token.FileSet, text string) (*ast.File, error) {
	return parser.ParseFile(files, "", "package main; "+text, parser.SkipObjectResolution)
}

// missing are the packages that a file names without importing them, by their names; earlier is
// more text of its package.
func missing(files *token.FileSet, f *ast.File, earlier string) map[string]string {
	paths := map[string]string{}
	all := []*ast.File{f}
	if g, err := parsed(files, earlier); err == nil {
		all = append(all, g)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	check := types.Config{
		Importer: nowhere{}, Error: func(error) {},
	}
	_, _ = check.Check("main", files, all, &info) // the compiler tells
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name, ok := s.X.(*ast.Ident)
		if ok && info.Uses[name] == nil && known[name.Name] != "" {
			paths[name.Name] = known[name.Name]
		}
		return true
	})
	return paths
}

// nowhere finds no package: what a program imports has its name, and this is enough.
type nowhere struct{}

func (nowhere) Import(string) (*types.Package, error) { return nil, errors.New("not looked for") }

// known are the packages that a cell need not import, by their names.
var known = func() map[string]string {
	m := map[string]string{}
	for _, p := range []string{
		"bufio", "bytes", "cmp", "context", "encoding/binary", "encoding/csv", "encoding/json", "errors",
		"fmt", "hash/fnv", "image", "image/color", "io", "iter", "maps", "math", "math/big", "math/bits",
		"math/cmplx", "os", "os/exec", "path/filepath", "reflect", "regexp", "runtime", "slices", "sort",
		"strconv", "strings", "sync", "sync/atomic", "syscall", "time", "unicode", "unsafe",
		"metalab/datasets", "metalab/gpu/cuda", "metalab/kernel/lab", "metalab/kernel/lab/problem",
		"metalab/kernel/reply", "metalab/solvers", "metalab/solvers/stats", "metalab/solvers/wave",
	} {
		m[path.Base(p)] = p
	}
	m["rand"] = "math/rand/v2"
	return m
}()
