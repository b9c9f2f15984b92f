package eval

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Keep stores the declarations of a program that was compiled instead of evaluated, for later calls
// of [Session.Beside]: types, functions but main, constants, variables and imports. An input that
// declares the same name takes its place.
func (s *Session) Keep(program string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", program, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.kept.clone()
	for _, spec := range f.Imports {
		e.imports[ImportName(spec)] = ImportPath(spec)
	}
	var all []*decl
	for _, n := range f.Decls {
		at := fset.Position(n.Pos())
		c := chunk{
			text: program[at.Offset:fset.Position(n.End()).Offset], line: at.Line, col: at.Column,
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && (n.Name.Name == "main" || n.Name.Name == "init" || n.Name.Name == "_") {
				continue
			}
			c.tok = token.FUNC
		case *ast.GenDecl:
			if c.tok = n.Tok; c.tok == token.IMPORT {
				continue
			}
		}
		ds, err := kept(c)
		if err != nil {
			return err
		}
		all = append(all, ds...)
	}
	for _, types := range []bool{true, false} { // a method may stand before its type
		for _, d := range all {
			if (d.tok == token.TYPE) == types {
				e.declare(d)
			}
		}
	}
	s.kept = e
	return nil
}

// kept returns the declarations of a chunk, also of variables, which no input has as text.
func kept(c chunk) ([]*decl, error) {
	if c.tok != token.VAR {
		n, fset, err := c.parse(0)
		if err != nil {
			return nil, err
		}
		return declsOf(c, n, fset, 0)
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p;"+c.text, 0)
	if err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	d := &decl{tok: token.VAR, text: c.text}
	for _, s := range f.Decls[0].(*ast.GenDecl).Specs {
		for _, id := range s.(*ast.ValueSpec).Names {
			d.names = append(d.names, id.Name)
		}
	}
	d.uses, d.pkgs = names(f.Decls[0])
	return []*decl{d}, nil
}

// forget drops what an input has declared.
func (e *env) forget(c *cell) {
	for _, d := range c.decls {
		for _, n := range d.names {
			delete(e.decls, n)
			delete(e.methods, n)
		}
		if d.recv != "" {
			e.methods[d.recv] = slices.DeleteFunc(e.methods[d.recv], func(m *decl) bool {
				return m.method == d.method
			})
		}
	}
	for _, v := range c.fresh {
		delete(e.decls, v.name)
	}
}

// Beside returns more text for a program that is compiled instead of evaluated: what the program
// uses of the session and does not declare itself, at any distance. Functions, types and constants
// stand in it as they were typed, variables of plain data with their present values, see [literal].
// packages maps the names of the packages that the text names to their paths. The text is empty if
// the program uses nothing.
func (s *Session) Beside(program string) (text string, packages map[string]string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", program, 0)
	if err != nil {
		return "", nil, fmt.Errorf("eval: %w", err)
	}
	s.mu.Lock()
	e := s.env.clone()
	later := s.kept.clone()
	s.mu.Unlock()
	for n, d := range later.decls {
		delete(e.vars, n)
		if e.decls[n] = d; d.tok == token.TYPE {
			delete(e.methods, n)
		}
	}
	for _, ms := range later.methods {
		for _, m := range ms {
			e.declare(m)
		}
	}
	maps.Copy(e.imports, later.imports)
	own := e.without(f)
	if text, err = e.reached(f); err != nil || text == "" {
		return "", nil, err
	}
	return text, s.packages(e, text, own), nil
}

// without drops from an env what a program declares itself, and returns these names.
func (e *env) without(f *ast.File) (own map[string]bool) {
	own = map[string]bool{}
	drop := func(name string) {
		own[name] = true
		delete(e.vars, name)
		if d := e.decls[name]; d != nil {
			for _, n := range d.names {
				if n != name && e.decls[n] != nil && d.tok == token.CONST {
					e.decls[n] = e.decls[n].without(name)
				}
			}
			delete(e.decls, name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				drop(d.Name.Name)
				continue
			}
			t := receiver(d.Recv.List[0].Type)
			e.methods[t] = slices.DeleteFunc(e.methods[t], func(m *decl) bool {
				return m.method == d.Name.Name
			})
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					drop(s.Name.Name)
					delete(e.methods, s.Name.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						drop(id.Name)
					}
				}
			}
		}
	}
	return own
}

// reached writes the declarations that a program reaches, in the order of their names.
func (e *env) reached(f *ast.File) (string, error) {
	have := map[*decl]bool{}
	var decls []*decl
	values := map[string]*variable{}
	var take func(names map[string]bool)
	add := func(ds ...*decl) {
		for _, d := range ds {
			if !have[d] {
				have[d] = true
				decls = append(decls, d)
				take(d.uses)
			}
		}
	}
	take = func(names map[string]bool) {
		for n := range names {
			if d := e.decls[n]; d != nil {
				add(d)
				add(e.methods[n]...)
			} else if v := e.vars[n]; v != nil {
				values[n] = v
			}
		}
	}
	uses, _ := unresolved(f)
	for _, d := range f.Decls { // methods of a type that is declared elsewhere
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			uses[receiver(fn.Recv.List[0].Type)] = true
		}
	}
	take(uses)
	var texts []string
	for _, d := range decls {
		texts = append(texts, d.prefix+d.text)
	}
	// A function's local name may be that of a variable, which then is not wanted.
	body := "package main\n" + strings.Join(texts, "\n")
	g, err := parser.ParseFile(token.NewFileSet(), "", body, 0)
	if err != nil {
		return "", fmt.Errorf("eval: %w", err)
	}
	more, _ := unresolved(g)
	maps.Copy(uses, more)
	for n, v := range values {
		if text, ok := literal(reflect.ValueOf(v.ptr).Elem()); ok && uses[n] {
			texts = append(texts, "var "+n+" = "+text)
		}
	}
	slices.Sort(texts)
	if len(texts) == 0 {
		return "", nil
	}
	return "\n" + strings.Join(texts, "\n\n") + "\n", nil
}

// packages are those of inputs, and those in scope without an import line, that a text names.
func (s *Session) packages(e *env, text string, own map[string]bool) map[string]string {
	paths := map[string]string{}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+text, 0)
	if err != nil {
		return paths // the compiler tells
	}
	_, pkgs := unresolved(f)
	for n := range pkgs {
		if p := cmp.Or(e.imports[n], s.auto[n]); p != "" && !own[n] {
			paths[n] = p
		}
	}
	return paths
}

// unresolved collects the names that a file, which was parsed with its objects, does not declare,
// and those of them that stand before a dot.
func unresolved(f *ast.File) (uses, pkgs map[string]bool) {
	uses, pkgs = map[string]bool{}, map[string]bool{}
	free := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		uses[id.Name], free[id] = true, true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && free[id] {
				pkgs[id.Name] = true
			}
		}
		return true
	})
	return uses, pkgs
}

// ImportPath is the path of an import line.
func ImportPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

// ImportName is the name that a package has by its import line.
func ImportName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p := ImportPath(spec)
	base := path.Base(p)
	if n, ok := strings.CutPrefix(base, "v"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
		return path.Base(path.Dir(p)) // as math/rand/v2
	}
	return base
}
