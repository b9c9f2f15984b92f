package bundle

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// gonumModule has stat and floats, which Go at the prompt of a page has, and the linear algebra
// that a few functions of stat need: two megabytes of code. These take matrices, which no input can
// make, so package kernel/eval/bind does not bind them.
const gonumModule = "gonum.org/v1/gonum"

// algebra are the packages that a page does not have.
var algebra = []string{
	gonumModule + "/mat", gonumModule + "/optimize/convex/lp", gonumModule + "/blas",
	gonumModule + "/lapack",
}

// trimGonum copies the packages of gonum that the program needs into a folder, without what uses
// its linear algebra.
func (p *building) trimGonum(ctx context.Context, to string) error {
	out, err := p.list(ctx, "{{with .Module}}{{if eq .Path \""+gonumModule+"\"}}"+
		"{{$.ImportPath}}\t{{$.Dir}}{{end}}{{end}}")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		pkg, from, _ := strings.Cut(strings.TrimSpace(line), "\t")
		under := func(of string) bool { return pkg == of || strings.HasPrefix(pkg, of+"/") }
		if pkg == "" || slices.ContainsFunc(algebra, under) {
			continue
		}
		dir := filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(pkg, gonumModule)))
		if err := trimPackage(from, dir, algebra); err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
	}
	return nil
}

// trimPackage copies a package without the declarations that use the packages lack, or others that
// do.
func trimPackage(from, to string, lack []string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	set, trimmed := token.NewFileSet(), map[string]*ast.File{}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || strings.HasSuffix(name, "_test.go") ||
			!(strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".s")) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if uses := func(pkg string) bool { return bytes.Contains(text, []byte(`"`+pkg+`"`)) }; !slices.
			ContainsFunc(lack, uses) {
			if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
				return err
			}
			continue
		}
		f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		trimmed[name] = f
	}
	gone := map[string]bool{} // what is declared no more
	for again := true; again; {
		again = false
		for _, f := range trimmed {
			n := len(f.Decls)
			f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool { return without(d, f, lack, gone) })
			again = again || len(f.Decls) < n
		}
	}
	for name, f := range trimmed {
		imports(f)
		var b bytes.Buffer
		if err := format.Node(&b, set, f); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// without reports whether a declaration must be removed, because of a package or a removed
// declaration that it uses; if so, it adds its names to gone.
func without(d ast.Decl, f *ast.File, lack []string, gone map[string]bool) bool {
	if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
		return false
	}
	lacks := map[string]bool{}
	for _, i := range f.Imports {
		if path := strings.Trim(i.Path.Value, `"`); slices.Contains(lack, path) {
			lacks[path[strings.LastIndex(path, "/")+1:]] = true
		}
	}
	goes := false
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && lacks[x.Name] {
				goes = true
			}
			ast.Inspect(n.X, func(n ast.Node) bool {
				x, ok := n.(*ast.Ident)
				goes = goes || ok && gone[x.Name]
				return true
			})
			return false
		case *ast.Ident:
			goes = goes || gone[n.Name]
		}
		return true
	})
	if !goes {
		return false
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			gone[d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if t, ok := s.(*ast.TypeSpec); ok {
				gone[t.Name.Name] = true
			}
		}
	}
	return true
}

// imports leaves a file those imports that it uses.
func imports(f *ast.File) {
	used := map[string]bool{}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			return false
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
			i := s.(*ast.ImportSpec)
			path := strings.Trim(i.Path.Value, `"`)
			return i.Name == nil && !used[path[strings.LastIndex(path, "/")+1:]]
		})
		return len(g.Specs) == 0
	})
}
