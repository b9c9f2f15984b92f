// Package rooms lists the rooms of the project, that is its folders with what is below them: how
// many lines and exported identifiers each has, without tests and what is generated, and which
// other rooms it imports.
//
//	go run ./solvers/internal/rooms/write -table   # the whole table
//	go generate ./solvers/internal/rooms           # rooms.txt: who imports whom
//
// A test holds rooms.txt to the sources, so that a review sees a new arrow between rooms. In which
// direction arrows may run at all, .ci/arrows says.
package rooms

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:generate go run ./write

// module is the project's own path.
const module = "metalab/"

// A Room is a folder with what is below it, as far as that is no room of its own.
type Room struct {
	Name     string
	Lines    int
	Exported int // functions, methods, types, constants and variables that other packages may name
	Public   int // those of them that another module may name, too
	Imports  []string
}

// of is the room of a package, by its folder: the first two names of it, or three below
// kernel/host, which has rooms itself; the name internal does not count.
func of(folder string) string {
	parts := strings.Split(folder, "/")
	most := 2
	if strings.HasPrefix(folder, "kernel/host/") {
		most = 3
	}
	for i, part := range parts {
		if part == "internal" {
			continue
		}
		if most--; most == 0 {
			return strings.Join(parts[:i+1], "/")
		}
	}
	return folder
}

// Find reads the rooms below a folder, by name.
func Find(root string) ([]Room, error) {
	found := map[string]*Room{}
	arrows := map[string]map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() {
			if base == "testdata" || strings.HasPrefix(base, ".") && base != "." && base != ".." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(f) {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		name := of(filepath.ToSlash(folder))
		if found[name] == nil {
			found[name], arrows[name] = &Room{Name: name}, map[string]bool{}
		}
		r := found[name]
		r.Lines += set.Position(f.FileEnd).Line
		if f.Name.Name != "main" {
			n := exported(f)
			r.Exported += n
			if !slices.Contains(strings.Split(filepath.ToSlash(folder), "/"), "internal") {
				r.Public += n
			}
		}
		for _, i := range f.Imports {
			to, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(to, module); ok && of(own) != name {
				arrows[name][of(own)] = true
			}
		}
		return nil
	})
	var out []Room
	for _, name := range slices.Sorted(maps.Keys(found)) {
		found[name].Imports = slices.Sorted(maps.Keys(arrows[name]))
		out = append(out, *found[name])
	}
	return out, err
}

// exported counts the identifiers of a file that begin with a capital letter: those of the package,
// and the methods of its exported types.
func exported(f *ast.File) (n int) {
	count := func(id *ast.Ident) {
		if id.IsExported() {
			n++
		}
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				count(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					count(s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						count(id)
					}
				}
			}
		}
	}
	return n
}

// receiver is the name of a receiver's type.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// Arrows is a line a room: which rooms it imports.
func Arrows(rooms []Room) []byte {
	var b bytes.Buffer
	for _, r := range rooms {
		fmt.Fprintf(&b, "%s:", r.Name)
		for _, to := range r.Imports {
			fmt.Fprintf(&b, " %s", to)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// Table is the table of the rooms in Markdown, with a line of sums.
func Table(rooms []Room) []byte {
	var b bytes.Buffer
	b.WriteString("| room | lines | exported | public | imports | imported by |\n")
	b.WriteString("| --- | --: | --: | --: | --: | --: |\n")
	by := map[string]int{}
	for _, r := range rooms {
		for _, to := range r.Imports {
			by[to]++
		}
	}
	lines, all, public := 0, 0, 0
	for _, r := range rooms {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", path.Clean(r.Name), r.Lines, r.Exported,
			r.Public, len(r.Imports), by[r.Name])
		lines, all, public = lines+r.Lines, all+r.Exported, public+r.Public
	}
	fmt.Fprintf(&b, "| all %d | %d | %d | %d | | |\n", len(rooms), lines, all, public)
	return b.Bytes()
}
