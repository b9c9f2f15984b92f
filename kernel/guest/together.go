package guest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// together merges the sources of a problem and of a solver that searches on it. Declarations with
// the same name must be equal. The problem comes first: the call that declares the solver does not
// return in its worker.
func together(problem, solver *sourced) (string, error) {
	j := &joined{by: map[string]declaration{}, texts: map[string]bool{}}
	for _, s := range []*sourced{problem, solver} {
		if err := j.add(s); err != nil {
			return "", err
		}
	}
	var out bytes.Buffer
	out.WriteString("package main\n\n")
	slices.Sort(j.imports)
	for _, path := range slices.Compact(j.imports) {
		out.WriteString("import " + path + "\n")
	}
	for _, t := range j.decls {
		out.WriteString("\n" + t + "\n")
	}
	out.WriteString("\nfunc main() {\n" + strings.Join(j.calls, "\n") + "\n}\n")
	text, err := format.Source(out.Bytes())
	return string(text), err
}

// sourced is a name and the source of what was declared under it.
type sourced struct{ name, text string }

// declaration is the text of one, and of what it is.
type declaration struct{ text, of string }

// joined are the declarations of several sources.
type joined struct {
	imports, decls, calls []string
	by                    map[string]declaration // by the name that they declare
	texts                 map[string]bool        // all of decls
}

// add adds those of a source that Cut or CutProblem made.
func (j *joined) add(s *sourced) error {
	fset := token.NewFileSet()
	const mode = parser.SkipObjectResolution | parser.ParseComments
	f, err := parser.ParseFile(fset, "main.go", s.text, mode)
	if err != nil {
		return fmt.Errorf("the source of %s: %w", s.name, err)
	}
	cut := func(from, to token.Pos) string {
		return s.text[fset.Position(from).Offset:fset.Position(to).Offset]
	}
	for _, im := range f.Imports {
		j.imports = append(j.imports, cut(im.Pos(), im.End()))
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "main" {
			j.calls = append(j.calls, strings.TrimSpace(cut(fn.Body.Lbrace+1, fn.Body.Rbrace)))
			continue
		}
		text := cut(d.Pos(), d.End())
		for _, name := range declares(d) {
			if old, ok := j.by[name]; ok && old.text != text {
				return fmt.Errorf("%s is not the same in %s and in %s, which are compiled together: declare "+
					"both anew, and open a new run", name, old.of, s.name)
			}
			j.by[name] = declaration{text, s.name}
		}
		if !j.texts[text] {
			j.texts[text] = true
			j.decls = append(j.decls, text)
		}
	}
	return nil
}

// declares are the names of a declaration, those of methods after their type; none of init and _,
// which there may be several of.
func declares(d ast.Decl) (names []string) {
	add := func(id *ast.Ident) {
		if id.Name != "_" {
			names = append(names, id.Name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		switch {
		case starts(d):
		case d.Recv != nil && len(d.Recv.List) == 1:
			return []string{receiverOf(d.Recv.List[0].Type) + "." + d.Name.Name}
		default:
			add(d.Name)
		}
	case *ast.GenDecl:
		for _, sp := range d.Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				add(sp.Name)
			case *ast.ValueSpec:
				for _, id := range sp.Names {
					add(id)
				}
			}
		}
	}
	return names
}
