package guest

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Source is the part of a Go file that makes a solver.
type Source struct {
	Text  string         // the declarations, sorted and formatted, and the constructor
	lines map[int]string // lines of the file that are among them, by number
}

// Cut extracts the parts of a program's source that define a solver: its type and methods, the
// constructor in the call of Declare at a line, and all declarations of the file that these use,
// directly or not, with the functions init that name one of them. Declarations of other cells do
// not affect it, so the text, without comments outside of declarations, identifies the code. ok is
// false if the source lacks the type or the call.
func Cut(file []byte, typ string, line int, solver string) (s Source, ok bool) {
	return cut(file, typ, line, "Declare", solver)
}

// CutProblem extracts the parts of a program's source that define a problem: the call of
// DeclareProblem at a line, or else the only one, and all declarations that its arguments use.
func CutProblem(file []byte, line int, problem string) (s Source, ok bool) {
	return cut(file, "", line, "DeclareProblem", problem)
}

func cut(file []byte, typ string, line int, function, name string) (s Source, ok bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", file, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return s, false
	}
	typ = strings.TrimPrefix(typ, "*")
	c := &cutter{decls: map[string][]ast.Node{}, chosen: map[ast.Node]bool{}}
	c.index(f)
	args := arguments(fset, f, line, function, name)
	if len(args) == 0 || typ != "" && len(c.decls[typ]) == 0 {
		return s, false
	}
	for _, a := range args {
		c.names(a)
	}
	c.choose(typ)
	c.started(f)
	s.lines = map[int]string{}
	var texts []string
	all := strings.Split(string(file), "\n")
	write := func(n ast.Node, prefix string) {
		from, to := fset.Position(n.Pos()), fset.Position(n.End())
		texts = append(texts, prefix+string(file[from.Offset:to.Offset]))
		for l := from.Line; l <= to.Line && l <= len(all); l++ {
			s.lines[l] = all[l-1]
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if c.chosen[d] && !starts(d) {
				write(d, "")
			}
		case *ast.GenDecl:
			if d.Tok == token.CONST && c.chosen[d] { // whole, for iota counts in it
				write(d, "")
				continue
			}
			for _, sp := range d.Specs {
				if c.chosen[sp] {
					write(sp, d.Tok.String()+" ")
				}
			}
		}
	}
	slices.Sort(texts) // cells come in any order
	for _, d := range f.Decls {
		if c.chosen[d] && starts(d) { // these run in their order
			write(d, "")
		}
	}
	own := len(texts)
	for _, a := range args {
		write(a, "")
	}
	var out bytes.Buffer
	out.WriteString("package main\n\n")
	for _, path := range c.used(f) {
		out.WriteString("import " + path + "\n")
	}
	for _, t := range texts[:own] {
		out.WriteString("\n" + t + "\n")
	}
	out.WriteString("\nfunc main() {\n\tlab." + function + "(" + strconv.Quote(name) + ", " +
		strings.Join(texts[own:], ", ") + ")\n}\n")
	text, err := format.Source(out.Bytes())
	if err != nil {
		text = out.Bytes()
	}
	s.Text = string(text)
	return s, true
}

// cutter chooses declarations.
type cutter struct {
	decls  map[string][]ast.Node // by the name that they declare; methods by their receiver's
	chosen map[ast.Node]bool
	done   map[string]bool
	seen   map[string]bool // names used
}

func (c *cutter) index(f *ast.File) {
	c.done, c.seen = map[string]bool{}, map[string]bool{}
	add := func(name string, n ast.Node) { c.decls[name] = append(c.decls[name], n) }
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				if d.Name.Name != "main" && !starts(d) {
					add(d.Name.Name, d)
				}
			} else if len(d.Recv.List) == 1 {
				add(receiverOf(d.Recv.List[0].Type), d)
			}
		case *ast.GenDecl:
			for _, sp := range d.Specs {
				switch sp := sp.(type) {
				case *ast.TypeSpec:
					add(sp.Name.Name, sp)
				case *ast.ValueSpec:
					for _, n := range sp.Names {
						if d.Tok == token.CONST {
							add(n.Name, d)
						} else {
							add(n.Name, sp)
						}
					}
				}
			}
		}
	}
}

// receiverOf is the name of a receiver's type.
func receiverOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return receiverOf(x.X)
	case *ast.ParenExpr:
		return receiverOf(x.X)
	case *ast.IndexExpr:
		return receiverOf(x.X)
	case *ast.IndexListExpr:
		return receiverOf(x.X)
	}
	return ""
}

// starts tells whether d is a function init, which nothing names.
func starts(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && f.Recv == nil && f.Name.Name == "init"
}

// started adds the functions init that name an extracted declaration, and all that these use.
func (c *cutter) started(f *ast.File) {
	for again := true; again; {
		again = false
		for _, d := range f.Decls {
			if starts(d) && !c.chosen[d] && c.touches(d) {
				c.chosen[d], again = true, true
				c.names(d)
			}
		}
	}
}

// touches reports whether a node names an extracted declaration.
func (c *cutter) touches(n ast.Node) (yes bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		yes = yes || ok && c.done[id.Name] && len(c.decls[id.Name]) > 0
		return !yes
	})
	return yes
}

// choose takes what declares a name, and all that this uses.
func (c *cutter) choose(name string) {
	if c.done[name] {
		return
	}
	c.done[name] = true
	for _, n := range c.decls[name] {
		c.chosen[n] = true
		c.names(n)
	}
}

// names chooses what a node names. It may take a declaration too many, of the name of a
// local variable; never one too few.
func (c *cutter) names(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			c.names(n.X)
			return false
		case *ast.Ident:
			c.seen[n.Name] = true
			c.choose(n.Name)
		}
		return true
	})
}

// version is the end of a path that is not the name of its package, as in math/rand/v2.
var version = regexp.MustCompile("^v[0-9]+$")

// used are the imports whose names are used, as they are written, in the file's order.
func (c *cutter) used(f *ast.File) []string {
	var out []string
	for _, im := range f.Imports {
		path, _ := strconv.Unquote(im.Path.Value)
		words := strings.Split(path, "/")
		if n := len(words); n > 1 && version.MatchString(words[n-1]) {
			words = words[:n-1]
		}
		name, text := words[len(words)-1], im.Path.Value
		if im.Name != nil {
			name, text = im.Name.Name, im.Name.Name+" "+text
		}
		if c.seen[name] || path == "metalab/kernel/lab" {
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return out
}

// arguments returns the arguments after the name in the call of a function, for a solver or a
// problem, that holds a line, or else in the only one.
func arguments(fset *token.FileSet, f *ast.File, line int, function, name string) []ast.Expr {
	var at, any []ast.Expr
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) < 2 || function == "Declare" && len(c.Args) != 2 {
			return true
		}
		s, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || s.Sel.Name != function {
			return true
		}
		if lit, ok := c.Args[0].(*ast.BasicLit); ok {
			if said, err := strconv.Unquote(lit.Value); err != nil || said != name {
				return true
			}
		}
		any = c.Args[1:]
		if from, to := fset.Position(c.Pos()).Line, fset.Position(c.End()).Line; from <= line &&
			line <= to {
			at = any
		}
		return true
	})
	if at != nil {
		return at
	}
	return any
}

// line is the line of the solver's own source at which an error was, empty when it is not
// known.
func (c *Code) line(_ string, n int) string { return short(c.lines[n]) }
