package cells

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

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

// exported are the exported names of packages of Go's library that have a name; none of a package
// that it does not have.
func exported(pkg string) []string {
	var out []string
	for _, dir := range library()[pkg] {
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			for _, d := range file.Decls {
				out = append(out, declared(d)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
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

// meant names what a name may be a slip for, first of those that begin with its letter.
func meant(name string, names []string) string {
	name = strings.ToLower(name)
	lower, alike := make([]string, len(names)), []string{}
	for i, n := range names {
		lower[i] = strings.ToLower(n)
		if name != "" && strings.HasPrefix(lower[i], name[:1]) {
			alike = append(alike, lower[i])
		}
	}
	near := words.Near(name, alike)
	if near == "" {
		near = words.Near(name, lower)
	}
	if i := slices.Index(lower, near); near != "" && i >= 0 {
		return "; is " + names[i] + " meant?"
	}
	return ""
}
