// Package labdoc reads what package lab has from its sources, for the table lab.tsv that the
// notebook's kernel has of it: go generate ./kernel/cells writes it, and a test compares.
package labdoc

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Table returns the table of the package whose sources are in a folder: a line for each exported
// function, type, constant and variable, in order, with its name, its declaration and the first
// sentence about it, with tabs between them.
func Table(dir string) ([]byte, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, path, src, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "metalab/kernel/lab")
	if err != nil {
		return nil, err
	}
	var lines []string
	add := func(name, about string, decl any) error {
		if !token.IsExported(name) {
			return nil
		}
		var b bytes.Buffer
		if err := format.Node(&b, fset, decl); err != nil {
			return err
		}
		lines = append(lines, name+"\t"+strings.Join(strings.Fields(b.String()), " ")+"\t"+
			p.Synopsis(about))
		return nil
	}
	funcs := p.Funcs
	values := append(slices.Clone(p.Consts), p.Vars...)
	for _, t := range p.Types {
		funcs = append(funcs, t.Funcs...)
		values = append(append(values, t.Consts...), t.Vars...)
		decl, err := methods(fset, t)
		if err != nil {
			return nil, err
		}
		if err := add(t.Name, t.Doc, ast.NewIdent(decl)); err != nil {
			return nil, err
		}
	}
	for _, f := range funcs {
		f.Decl.Body, f.Decl.Doc = nil, nil
		if err := add(f.Name, f.Doc, f.Decl); err != nil {
			return nil, err
		}
	}
	for _, v := range values {
		for _, name := range v.Names {
			if err := add(name, v.Doc, ast.NewIdent(v.Decl.Tok.String()+" "+name)); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n") + "\n"), nil
}

// methods is the declaration of a type in a line: of an interface with its methods, which are what
// a type of the reader's must have, of another type the name alone.
func methods(fset *token.FileSet, t *doc.Type) (string, error) {
	decl := "type " + t.Name
	for _, spec := range t.Decl.Specs {
		of, ok := spec.(*ast.TypeSpec)
		if !ok || of.Name.Name != t.Name {
			continue
		}
		i, ok := of.Type.(*ast.InterfaceType)
		if !ok {
			continue
		}
		var all []string
		for _, m := range i.Methods.List {
			var b bytes.Buffer
			if err := format.Node(&b, fset, m.Type); err != nil {
				return "", err
			}
			name := ""
			if len(m.Names) > 0 {
				name = m.Names[0].Name
			}
			all = append(all, name+strings.TrimPrefix(b.String(), "func"))
		}
		return decl + " interface { " + strings.Join(all, "; ") + " }", nil
	}
	return decl, nil
}
