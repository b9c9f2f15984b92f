package ptx

import (
	"bytes"
	"go/ast"
	"go/parser"
	goprinter "go/printer"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// declared lists what the files export, as text without bodies, comments and fields that are not
// exported.
func exported(t *testing.T, fset *token.FileSet, files []*ast.File) map[string]string {
	t.Helper()
	all := map[string]string{}
	text := func(n any) string {
		var b bytes.Buffer
		if err := goprinter.Fprint(&b, fset, n); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(b.String()), " ")
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() {
					d.Body, d.Doc = nil, nil
					name := d.Name.Name
					if d.Recv != nil {
						name = text(d.Recv.List[0].Type) + "." + name
					}
					all[name] = text(d)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok && ts.Name.IsExported() {
						if _, ok := ts.Type.(*ast.InterfaceType); ok {
							all[ts.Name.Name] = text(ts.Type)
						} else {
							all[ts.Name.Name] = "type"
						}
					}
				}
			}
		}
	}
	return all
}

// TestStubs holds the stub of package cuda against the package.
func TestStubs(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	var files []*ast.File
	names, err := filepath.Glob("../cuda/*.go")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, n, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	stub, err := parser.ParseFile(fset, "stub.go", stubs[cudaPath], 0)
	if err != nil {
		t.Fatal(err)
	}
	want, got := exported(t, fset, files), exported(t, fset, []*ast.File{stub})
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: the stub has %q, the package %q", name, got[name], text)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s is not in the package", name)
		}
	}
}
