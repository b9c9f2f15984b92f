package eval

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// decl is one function, method, type, or group of constants declared at the
// prompt. Its text goes into every later cell that uses it, so a function always
// calls what its names mean now, as in a notebook, where a cell is compiled anew.
type decl struct {
	tok       token.Token // CONST, TYPE or FUNC
	prefix    string      // "type " for a type, whose text starts at the name
	text      string
	input     int
	line, col int
	names     []string // what it declares; a method's own name is not one
	recv      string   // a method's receiver type
	method    string   // a method's name
	uses      map[string]bool
	pkgs      map[string]bool // names used as x in x.y, which may be packages
	refs      []pkgRef        // where text names a package, found when it was checked
	start     int             // offset of text in the cell being compiled
}

// pkgRef is a package's name in a declaration's text.
type pkgRef struct {
	off  int
	name string
	path string
}

// title names a declaration for messages.
func (d *decl) title() string {
	if d.recv != "" {
		return fmt.Sprintf("method %s.%s", d.recv, d.method)
	}
	return d.tok.String() + " " + strings.Join(d.names, ", ")
}

// parse checks one chunk's syntax, so that errors stand in the user's own text.
func (c chunk) parse(input int) (ast.Node, *token.FileSet, error) {
	fset := token.NewFileSet()
	line := fmt.Sprintf("/*line %s:%d:%d*/", fileName(input), c.line, c.col)
	text := "package p;" + line + c.text + "\n"
	if c.tok == token.ILLEGAL {
		text = "package p;func _() {" + line + c.text + "\n}"
	}
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, c.syntaxError(err, input)
	}
	if c.tok == token.ILLEGAL {
		return f.Decls[0].(*ast.FuncDecl).Body, fset, nil
	}
	return f.Decls[0], fset, nil
}

// syntaxError places the parser's error; one behind the text is at its end.
func (c chunk) syntaxError(err error, input int) error {
	e, ok := syntaxError(err, input).(*Error)
	lines := strings.Split(strings.TrimRight(c.text, " \t\r\n"), "\n")
	endLine, endCol := c.line+len(lines)-1, len(lines[len(lines)-1])+1
	if len(lines) == 1 {
		endCol += c.col - 1
	}
	if ok && (e.Line > endLine || e.Line == endLine && e.Col >= endCol) {
		e.Line, e.Col, e.Msg = endLine, endCol, "unexpected end: "+
			strings.TrimSuffix(strings.TrimSuffix(e.Msg, ", found '}'"), ", found newline")
	}
	return e
}

// declsOf returns the declarations of a chunk; it splits a group of types, but not a group of
// constants, in which iota counts.
func declsOf(c chunk, n ast.Node, fset *token.FileSet, input int) ([]*decl, error) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		d := &decl{tok: token.FUNC, text: c.text, input: input, line: c.line, col: c.col}
		if n.Recv == nil {
			if n.Name.Name == "init" {
				return nil, place(Compile, fset.Position(n.Name.Pos()), input,
					"func init is not for the prompt: write its statements")
			}
			if n.Body == nil {
				return nil, place(Compile, fset.Position(n.Name.Pos()), input, "missing function body")
			}
			d.names = []string{n.Name.Name}
		} else if len(n.Recv.List) == 1 {
			d.recv, d.method = receiver(n.Recv.List[0].Type), n.Name.Name
		}
		d.uses, d.pkgs = names(n)
		return []*decl{d}, nil
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			d := &decl{tok: token.CONST, text: c.text, input: input, line: c.line, col: c.col}
			for _, s := range n.Specs {
				for _, id := range s.(*ast.ValueSpec).Names {
					if id.Name != "_" {
						d.names = append(d.names, id.Name)
					}
				}
			}
			d.uses, d.pkgs = names(n)
			return []*decl{d}, nil
		}
		base := fset.File(n.Pos())
		first := base.Offset(n.Pos())
		var out []*decl
		for _, s := range n.Specs {
			s := s.(*ast.TypeSpec)
			from, to := base.Offset(s.Pos())-first, base.Offset(s.End())-first
			p := fset.Position(s.Pos())
			d := &decl{
				tok: token.TYPE, prefix: "type ", text: c.text[from:to], input: input, line: p.Line,
				col: p.Column, names: []string{s.Name.Name},
			}
			d.uses, d.pkgs = names(s)
			out = append(out, d)
		}
		return out, nil
	}
	return nil, nil
}

// receiver is the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.ParenExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	}
	return ""
}

// names collects the identifiers of a node that may mean something outside of
// it, and those that stand before a dot. It takes too many (local names,
// parameters): a name too many only makes a cell longer.
func names(n ast.Node) (uses, pkgs map[string]bool) {
	uses, pkgs = map[string]bool{}, map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				uses[id.Name], pkgs[id.Name] = true, true
			} else {
				u, p := names(n.X)
				maps.Copy(uses, u)
				maps.Copy(pkgs, p)
			}
			return false
		case *ast.Ident:
			uses[n.Name] = true
		}
		return true
	})
	return uses, pkgs
}

// env is what the session's names mean. Cells work on a copy, and the session
// takes it over when the cell has compiled.
type env struct {
	vars    map[string]*variable
	decls   map[string]*decl
	methods map[string][]*decl // by receiver
	imports map[string]string  // name to path
	gone    map[string]string  // dropped names, with the reason
}

// newEnv makes an empty env.
func newEnv() *env {
	return &env{
		map[string]*variable{},
		map[string]*decl{},
		map[string][]*decl{},
		map[string]string{},
		map[string]string{},
	}
}

// clone copies an env; the declarations themselves are shared.
func (e *env) clone() *env {
	c := &env{
		maps.Clone(e.vars), maps.Clone(e.decls),
		map[string][]*decl{},
		maps.Clone(e.imports),
		maps.Clone(e.gone),
	}
	for k, v := range e.methods {
		c.methods[k] = slices.Clone(v)
	}
	return c
}

// declare puts a declaration in the place of what had its names before. It
// reports the types whose identity changes by it.
func (e *env) declare(d *decl) (changed []string, layout bool, dropped []string) {
	if d.recv != "" {
		ms := e.methods[d.recv]
		for i, m := range ms {
			if m.method == d.method {
				if m.text == d.text { // the new one is in the input's own text
					ms[i] = d
					return nil, false, nil
				}
				ms = slices.Delete(ms, i, i+1)
				break
			}
		}
		e.methods[d.recv] = append(ms, d)
		return []string{d.recv}, false, nil
	}
	for _, n := range d.names {
		delete(e.vars, n)
		delete(e.gone, n)
		old := e.decls[n]
		if old != nil && old.tok == token.TYPE && !(d.tok == token.TYPE && old.text == d.text) {
			changed, layout = append(changed, n), true
			for _, m := range e.methods[n] {
				dropped = append(dropped, m.method)
			}
			delete(e.methods, n)
		}
		if old != nil && old.tok == token.CONST && old != d {
			old = old.without(n)
			for _, m := range old.names {
				e.decls[m] = old
			}
		}
		e.decls[n] = d
	}
	return changed, layout, dropped
}

// without is a group of constants with one name blanked out.
func (d *decl) without(name string) *decl {
	c := *d
	c.names = slices.DeleteFunc(slices.Clone(d.names), func(n string) bool { return n == name })
	toks, _, _ := lex(d.text, 0)
	depth := 0
	for i, t := range toks {
		switch t.tok {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			depth--
		}
		if t.tok == token.IDENT && t.lit == name && depth <= 1 && i > 0 &&
			(toks[i-1].tok == token.CONST || toks[i-1].tok == token.LPAREN ||
				toks[i-1].tok == token.SEMICOLON || toks[i-1].tok == token.COMMA) {
			c.text = d.text[:t.off] + "_" + strings.Repeat(" ", len(name)-1) + d.text[t.off+len(name):]
			break
		}
	}
	return &c
}

// dependents lists the types whose declarations mention one of the named types,
// at any distance, and these themselves.
func (e *env) dependents(types []string) map[string]bool {
	in := map[string]bool{}
	for _, t := range types {
		in[t] = true
	}
	for grown := true; grown; {
		grown = false
		for name, d := range e.decls {
			if d.tok != token.TYPE || in[name] {
				continue
			}
			for u := range d.uses {
				if in[u] {
					in[name], grown = true, true
					break
				}
			}
		}
	}
	return in
}
