package cells

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"metalab/kernel/internal/share"
	"metalab/kernel/words"
)

// Go's own library says what a name that it does not have may be a slip for: where a package has
// no such name, the program that finds imports leaves the package out, and the compiler knows only
// that there is no package.

// library are the folders of the packages of Go's library by the names of the packages.
var library = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	ctx, cancel := context.WithTimeout(context.Background(), hostLimit)
	defer cancel()
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return out
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	_ = filepath.WalkDir(src, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // what cannot be read is not there
		}
		switch name := d.Name(); name {
		case "cmd", "internal", "vendor", "testdata", "builtin":
			return filepath.SkipDir
		default:
			if aVersion.MatchString(name) {
				name = filepath.Base(filepath.Dir(p))
			}
			out[name] = append(out[name], p)
		}
		return nil
	})
	return out
})

var aVersion = regexp.MustCompile(`^v\d+$`)

// parsed are the files of a package, by the name of the package: of Go's library, of lab, or of
// what lab returns.
func parsed(pkg string) []*ast.File {
	dirs := library()[pkg]
	if top, err := share.Source(); err == nil && dirs == nil {
		dirs = []string{filepath.Join(top, "kernel", pkg)}
	}
	var out []*ast.File
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
			if err == nil {
				out = append(out, file)
			}
		}
	}
	return out
}

// exported are the exported names of packages of Go's library that have a name; none of a package
// that it does not have.
func exported(pkg string) []string {
	if library()[pkg] == nil {
		return nil
	}
	var out []string
	for _, file := range parsed(pkg) {
		for _, d := range file.Decls {
			out = append(out, declared(d)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// members are the methods and fields of a type that files declare.
func members(files []*ast.File, name string) []string {
	var out []string
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil && len(n.Recv.List) == 1 && typeName(n.Recv.List[0].Type) == name {
					out = append(out, n.Name.Name)
				}
			case *ast.TypeSpec:
				st, ok := n.Type.(*ast.StructType)
				if !ok || n.Name.Name != name {
					break
				}
				for _, f := range st.Fields.List {
					for _, id := range f.Names {
						out = append(out, id.Name)
					}
				}
			}
			return true
		})
	}
	slices.Sort(out)
	return out
}

// typeName is the name of a type that a method is of.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// declared are the exported names that a declaration declares for a package.
func declared(d ast.Decl) []string {
	var out []string
	add := func(id *ast.Ident) {
		if id.IsExported() {
			out = append(out, id.Name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add(d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add(s.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					add(id)
				}
			}
		}
	}
	return out
}

// unknownName says that a package has no such name, and which is meant; it is empty where the
// package is none of Go's library, or has the name.
func unknownName(pkg, name string) string {
	names := exported(pkg)
	if len(names) == 0 || slices.Contains(names, name) {
		return ""
	}
	return "undefined: " + pkg + "." + name + meant(name, names)
}

// unknownPackage says which package of Go's library, or whether lab, is meant by the name before a
// dot of a line; it is empty where none is near.
func unknownPackage(name, line string) string {
	if !regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(line) {
		return ""
	}
	return meant(name, append(slices.Sorted(maps.Keys(library())), "lab"))
}

// unknownMember says which field or method of a type is meant; it is empty where none is near. The
// type is written as the compiler does, and code is the cell, which may declare it.
func unknownMember(typ, name, code string) string {
	pkg, of, ok := strings.Cut(strings.TrimLeft(typ, "*"), ".")
	var files []*ast.File
	if ok {
		of, _, _ = strings.Cut(of, "[")
		files = parsed(pkg)
	} else {
		of, _, _ = strings.Cut(pkg, "[")
		lines := strings.Split(code, "\n")
		for i, l := range lines {
			if isMain(l) {
				lines = lines[:i]
				break
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p;"+strings.Join(lines, "\n"),
			parser.SkipObjectResolution)
		if err != nil {
			return ""
		}
		files = append(files, file)
	}
	known := members(files, of)
	if ok {
		known = slices.DeleteFunc(known, func(n string) bool { return !token.IsExported(n) })
	}
	return meant(name, known)
}

// meant names what a name may be a slip for.
func meant(name string, names []string) string {
	if near := words.Near(name, names); near != "" {
		return "; is " + near + " meant?"
	}
	return ""
}

// listIn names the list that an answer of package lab holds, for one who takes the answer for a
// list; empty where there is none.
func listIn(answer string) string {
	for _, file := range parsed("reply") {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok || t.Name.Name != answer {
					continue
				}
				if f := listField(t.Type); f != "" {
					return "; its list is ." + f
				}
			}
		}
	}
	return ""
}

// listField is the first field of a struct that is a slice of structs.
func listField(t ast.Expr) string {
	st, ok := t.(*ast.StructType)
	if !ok {
		return ""
	}
	for _, f := range st.Fields.List {
		a, ok := f.Type.(*ast.ArrayType)
		if !ok || a.Len != nil || len(f.Names) == 0 {
			continue
		}
		if of, ok := a.Elt.(*ast.Ident); ok && of.IsExported() {
			return f.Names[0].Name
		}
	}
	return ""
}
