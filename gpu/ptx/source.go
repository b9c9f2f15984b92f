package ptx

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// cudaPath is the package that every kernel imports.
const cudaPath = "metalab/gpu/cuda"

// A unit is a text with what it imports, as SSA.
type unit struct {
	fset *token.FileSet
	file *ast.File
	pkg  *ssa.Package
	info *types.Info
	all  map[string]*source
}

// A source is an imported package.
type source struct {
	types *types.Package
	files []*ast.File
	info  *types.Info
	stub  bool
}

var sizes = types.SizesFor("gc", "amd64")

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
		Instances:  map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
}

// read parses, checks and builds the text and what it imports.
func read(name, src string, o Options) (*unit, error) {
	u := &unit{fset: token.NewFileSet(), info: newInfo(), all: map[string]*source{}}
	var err error
	if u.file, err = parser.ParseFile(u.fset, name, src, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	im := &importer{u: u, source: o.Source, busy: map[string]bool{}}
	var all []error
	cfg := types.Config{
		Importer: im, Sizes: sizes, GoVersion: "go1.26",
		Error: func(err error) { all = append(all, err) },
	}
	pkg, _ := cfg.Check(u.file.Name.Name, u.fset, []*ast.File{u.file}, u.info)
	if len(all) > 0 {
		return nil, errors.Join(all...)
	}
	prog := ssa.NewProgram(u.fset, ssa.InstantiateGenerics|ssa.BuildSerially)
	var built []*ssa.Package
	for _, path := range slices.Sorted(maps.Keys(u.all)) {
		s := u.all[path]
		built = append(built, prog.CreatePackage(s.types, s.files, s.info, true))
	}
	u.pkg = prog.CreatePackage(pkg, []*ast.File{u.file}, u.info, false)
	for _, p := range append(built, u.pkg) {
		p.Build()
	}
	return u, nil
}

// importer finds packages among the stubs and the sources that the caller gives.
type importer struct {
	u      *unit
	source func(string) map[string]string
	busy   map[string]bool
}

func (im *importer) Import(path string) (*types.Package, error) {
	if s := im.u.all[path]; s != nil {
		return s.types, nil
	}
	if im.busy[path] {
		return nil, fmt.Errorf("%s imports itself", path)
	}
	im.busy[path] = true
	defer delete(im.busy, path)
	files := map[string]string{}
	src, stub := stubs[path]
	if stub {
		files[path] = src
	} else if im.source != nil {
		files = im.source(path)
	}
	if len(files) == 0 {
		return nil, errors.New("a kernel may import math, math/bits, " + cudaPath +
			" and packages whose sources are given to the compiler")
	}
	s := &source{info: newInfo(), stub: stub}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(im.u.fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, f)
	}
	cfg := types.Config{Importer: im, Sizes: sizes, GoVersion: "go1.26"}
	var err error
	s.types, err = cfg.Check(path, im.u.fset, s.files, s.info)
	if err != nil {
		return nil, err
	}
	im.u.all[path] = s
	return s.types, nil
}

func isThread(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == cudaPath && n.Obj().Name() == "T"
}
