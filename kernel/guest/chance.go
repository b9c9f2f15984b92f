package guest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
)

// chance finds code in a solver's source that prevents repeatable runs. refused is the sentence
// about numbers that differ each time, empty if there are none; notes are about code that may make
// a result depend on something other than state, parameters and random numbers.
func chance(source string) (refused string, notes []string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "solver.go", source, parser.SkipObjectResolution)
	if err != nil {
		return "", nil // the compiler has taken it
	}
	c := &chances{info: types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{},
	}, notes: map[string]bool{}}
	// The check does not load packages: their types stay unknown, which is no error here. It knows the
	// source's own declarations.
	conf := types.Config{Importer: emptyImporter{}, Error: func(error) {}}
	c.pkg, _ = conf.Check("main", fset, []*ast.File{f}, &c.info)
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "main" {
			continue // the call of Declare
		}
		c.where = declared(d)
		ast.Inspect(d, c.look)
	}
	return c.refused, slices.Sorted(maps.Keys(c.notes))
}

// emptyImporter imports packages without what they hold.
type emptyImporter struct{}

// Import returns a package that holds nothing.
func (emptyImporter) Import(p string) (*types.Package, error) {
	name := path.Base(p)
	if p == "math/rand/v2" {
		name = "rand"
	}
	pkg := types.NewPackage(p, name)
	pkg.MarkComplete()
	return pkg, nil
}

// chances holds the findings in a source.
type chances struct {
	info    types.Info
	pkg     *types.Package
	where   string // the declaration that is looked at
	refused string
	notes   map[string]bool
}

// declared is the name of a declaration, as "(*Walk).Step".
func declared(d ast.Decl) string {
	fn, ok := d.(*ast.FuncDecl)
	switch {
	case !ok:
		return "a variable"
	case fn.Recv == nil || len(fn.Recv.List) != 1:
		return fn.Name.Name
	}
	t := types.ExprString(fn.Recv.List[0].Type)
	if strings.HasPrefix(t, "*") {
		t = "(" + t + ")"
	}
	return t + "." + fn.Name.Name
}

// makers are the functions of math/rand whose numbers depend only on their arguments.
var makers = []string{"New", "NewSource", "NewZipf", "NewPCG", "NewChaCha8"}

const instead = "so no run could be made again; draw from the *lab.Rand that Init and " +
	"Step are given: " +
	"r.IntN(n), r.Float64(), r.Perm(n), r.Shuffle(p)"

func (c *chances) look(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		c.selected(n)
	case *ast.GoStmt:
		c.note("%s starts goroutines: which of them is first must not matter", c.where)
	case *ast.RangeStmt:
		if t := c.info.Types[n.X].Type; t != nil {
			if _, ok := t.Underlying().(*types.Map); ok {
				c.note("%s ranges over a map, %s, whose order is another one each time: sort its keys, "+
					"or keep a slice",
					c.where, types.ExprString(n.X))
			}
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, x := range n.Lhs {
				c.assigned(x)
			}
		}
	case *ast.IncDecStmt:
		c.assigned(n.X)
	}
	return true
}

func (c *chances) note(format string, args ...any) { c.notes[fmt.Sprintf(format, args...)] = true }

// selected checks an identifier of a package.
func (c *chances) selected(s *ast.SelectorExpr) {
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return
	}
	p, ok := c.info.Uses[x].(*types.PkgName)
	if !ok {
		return // a variable of that name
	}
	name, what := s.Sel.Name, types.ExprString(s)
	switch p.Imported().Path() {
	case "math/rand", "math/rand/v2":
		upper := name[0] >= 'A' && name[0] <= 'Z'
		isType := slices.Contains([]string{"Rand", "Source", "Source64", "Zipf", "PCG", "ChaCha8"}, name)
		switch {
		case !upper || isType:
		case !slices.Contains(makers, name):
			c.refuse("%s uses %s of %s, which gives other numbers each time, %s", c.where, what,
				p.Imported().Path(), instead)
		case c.where == "a variable":
			c.refuse("%s outside of the solver is made by %s, and what it has given is no part "+
				"of the state, %s", c.where, what, instead)
		}
	case "crypto/rand":
		c.refuse("%s uses %s of crypto/rand, which gives other numbers each time, %s", c.where,
			what, instead)
	case "hash/maphash":
		c.note("%s uses %s, whose hashes are others in each process: use hash/fnv", c.where, what)
	case "time":
		if name == "Now" || name == "Since" || name == "Until" {
			c.note("%s uses %s: what depends on a clock comes out otherwise each time", c.where, what)
		}
	}
}

func (c *chances) refuse(format string, args ...any) {
	if c.refused == "" {
		c.refused = fmt.Sprintf(format, args...)
	}
}

// assigned looks at what is changed: a variable outside of the solver is not part of its state.
func (c *chances) assigned(x ast.Expr) {
	for {
		switch y := x.(type) {
		case *ast.IndexExpr:
			x = y.X
			continue
		case *ast.SelectorExpr:
			x = y.X
			continue
		case *ast.StarExpr:
			x = y.X
			continue
		case *ast.ParenExpr:
			x = y.X
			continue
		case *ast.Ident:
			if v, ok := c.info.Uses[y].(*types.Var); ok && c.pkg != nil && v.Parent() == c.pkg.Scope() {
				c.note("%s changes %s, a variable outside of the solver, which forks and saved "+
					"runs do not have: "+
					"make it a field", c.where, y.Name)
			}
		}
		return
	}
}
