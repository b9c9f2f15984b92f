// Package api lists what the packages that users import offer, so that a change of that face is
// seen in a review: api.txt holds the list, and a test compares it with the sources. After a
// change that is meant
//
//	go generate ./solvers/internal/api
//
// writes it anew. What is no longer there, or takes other arguments, breaks programs of users:
// CHANGELOG.md tells of it. To add a package name it in Packages.
package api

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
)

//go:generate go run ./write

// Packages are those that users import, by their folders.
var Packages = []string{
	"datasets", "gpu", "kernel/lab", "kernel/reply", "solvers", "solvers/conform",
	"solvers/experiment", "solvers/record", "solvers/stats", "solvers/tuning",
}

// List returns what the packages under the module's folder offer, a declaration after the other, as
// they are built for Linux without a GPU.
func List(root string) ([]byte, error) {
	var out bytes.Buffer
	for _, folder := range Packages {
		if err := list(&out, root, folder); err != nil {
			return nil, err
		}
	}
	const more = "// contains filtered or unexported fields" // it would follow the brace
	const short = "} // and what is not exported"
	return bytes.ReplaceAll(out.Bytes(), []byte("}"+more), []byte(short)), nil
}

// list writes the face of a package.
func list(out *bytes.Buffer, root, folder string) error {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled, ctx.BuildTags = "linux", "amd64", false, nil
	dir := filepath.Join(root, filepath.FromSlash(folder))
	pkg, err := ctx.ImportDir(dir, 0)
	if err != nil {
		return fmt.Errorf("api: %s: %w", folder, err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range pkg.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("api: %w", err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "metalab/"+folder)
	if err != nil {
		return fmt.Errorf("api: %s: %w", folder, err)
	}
	fmt.Fprintf(out, "package metalab/%s\n\n", folder)
	w := writer{out: out}
	w.values(p.Consts)
	w.values(p.Vars)
	w.funcs(p.Funcs)
	for _, t := range p.Types {
		w.decl(t.Decl)
		w.values(t.Consts)
		w.values(t.Vars)
		w.funcs(t.Funcs)
		w.funcs(t.Methods)
	}
	return w.err
}

// writer writes declarations; it keeps the first error.
type writer struct {
	out *bytes.Buffer
	err error
}

func (w *writer) values(vs []*doc.Value) {
	for _, v := range vs {
		if v.Decl.Tok == token.VAR { // what a variable begins with is no promise
			for _, s := range v.Decl.Specs {
				s.(*ast.ValueSpec).Values = nil
			}
		}
		w.decl(v.Decl)
	}
}

func (w *writer) funcs(fs []*doc.Func) {
	for _, f := range fs {
		f.Decl.Body = nil
		w.decl(f.Decl)
	}
}

// decl writes a declaration, without the places that it had in its file.
func (w *writer) decl(d ast.Decl) {
	c := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := c.Fprint(w.out, token.NewFileSet(), d); err != nil && w.err == nil {
		w.err = fmt.Errorf("api: %w", err)
	}
	w.out.WriteString("\n\n")
}
