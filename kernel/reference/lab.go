package reference

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"metalab/solvers/record"
)

// readPackage reads the doc comments of the package in a folder of the sources.
func readPackage(root, dir string) (*doc.Package, *token.FileSet, error) {
	paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		return nil, nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		f, err := parser.ParseFile(fset, path, src, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "metalab/"+dir)
	if err != nil {
		return nil, nil, fmt.Errorf("reference: %s: %w", dir, err)
	}
	return p, fset, nil
}

// prose is a doc comment as Markdown, with its headings below one of a level.
func prose(p *doc.Package, text string, level int) string {
	pr := p.Printer()
	pr.HeadingLevel = level
	pr.HeadingID = func(*comment.Heading) string { return "" }
	pr.DocLinkURL = func(l *comment.DocLink) string {
		if l.ImportPath != "" && l.ImportPath != p.ImportPath {
			return ""
		}
		if l.Recv == "" || !isMethod(p, l.Recv, l.Name) {
			return "#" + anchor(cmp.Or(l.Recv, l.Name))
		}
		return "#" + anchor(l.Recv+"."+l.Name)
	}
	return string(pr.Markdown(p.Parser().Parse(text)))
}

// isMethod reports whether a type has a method of a name, and no field.
func isMethod(p *doc.Package, typ, name string) bool {
	return slices.ContainsFunc(p.Types, func(t *doc.Type) bool {
		return t.Name == typ && slices.ContainsFunc(t.Methods, func(f *doc.Func) bool {
			return f.Name == name
		})
	})
}

// labPage is package lab: what is typed in cells, and in Go at the prompt.
func labPage(root string) (Page, error) {
	p, fset, err := readPackage(root, "kernel/lab")
	if err != nil {
		return Page{}, err
	}
	var b, body strings.Builder
	var list table
	list.row("name", "what it is")
	add := func(name, about string, decl any) error {
		var code bytes.Buffer
		if err := format.Node(&code, fset, decl); err != nil {
			return err
		}
		list.row(link(name, "#"+anchor(name)), escape(p.Synopsis(about)))
		fmt.Fprintf(&body, "## %s\n\n```go\n%s\n```\n\n%s\n", name, code.String(), prose(p, about, 3))
		return nil
	}
	function := func(recv string, f *doc.Func) error {
		f.Decl.Body, f.Decl.Doc = nil, nil
		if recv != "" {
			recv += "."
		}
		return add(recv+f.Name, f.Doc, f.Decl)
	}
	values := func(vs []*doc.Value) error {
		for _, v := range vs {
			v.Decl.Doc = nil
			if err := add(strings.Join(v.Names, ", "), v.Doc, v.Decl); err != nil {
				return err
			}
		}
		return nil
	}
	if err := values(append(slices.Clone(p.Consts), p.Vars...)); err != nil {
		return Page{}, err
	}
	for _, f := range p.Funcs {
		if err := function("", f); err != nil {
			return Page{}, err
		}
	}
	for _, t := range p.Types {
		t.Decl.Doc = nil
		if err := add(t.Name, t.Doc, t.Decl); err != nil {
			return Page{}, err
		}
		if err := values(append(slices.Clone(t.Consts), t.Vars...)); err != nil {
			return Page{}, err
		}
		for _, f := range t.Funcs {
			if err := function("", f); err != nil {
				return Page{}, err
			}
		}
		for _, f := range t.Methods {
			if err := function(t.Name, f); err != nil {
				return Page{}, err
			}
		}
	}
	fmt.Fprintf(&b, "%s\n## All names\n\n%s\n%s", prose(p, p.Doc, 2), list.String(), body.String())
	return Page{
		Path: "lab.md", Title: "Package lab", Text: b.String(),
		About: "What is called in a cell of a notebook and in Go at the prompt: every function, " +
			"type and method.",
	}, nil
}

// recordPage is the file that keeps a run.
func recordPage(root string, src sources) (Page, error) {
	p, _, err := readPackage(root, "solvers/record")
	if err != nil {
		return Page{}, err
	}
	// The page omits the part of the comment for maintainers of the package.
	about, _, _ := strings.Cut(p.Doc, "\n# Adding a field")
	var b strings.Builder
	b.WriteString(prose(p, about, 2))
	b.WriteString("\n## Fields of the header\n\nThe first line has these fields, beside " +
		"`metalab` and `version`.\n\n")
	b.WriteString(src.fields(reflect.TypeFor[record.Header](), "records.md"))
	b.WriteString("\n## A change of the journal\n\n" + src.fields(reflect.TypeFor[record.Change](),
		"records.md"))
	b.WriteString("\n## A parameter\n\n" + src.fields(reflect.TypeFor[record.Param](), "records.md"))
	return Page{
		Path: "records.md", Title: "Records", Text: b.String(),
		About: "The file of a run, line by line: header, points, changes, solutions, repeats.",
	}, nil
}
