package eval

import (
	"go/ast"
	"go/types"
	"strings"
)

// near is what an input may have meant by a name that the type checker does not know: a variable, a
// function, a package, a name of a package, a field or a method. It is empty where none is near.
func (c *cell) near(e types.Error) string {
	if c.s.cfg.Near == nil {
		return ""
	}
	var known []string
	add := func(name, _ string) { known = append(known, name) }
	sel, pkg := c.selector(e)
	name, bare := strings.CutPrefix(e.Msg, "undefined: ")
	switch {
	case bare && pkg != nil && !strings.Contains(name, "(but have"): // fmt.Printn
		for _, n := range pkg.Scope().Names() {
			if pkg.Scope().Lookup(n).Exported() {
				add(n, "")
			}
		}
		if n := c.s.cfg.Near(sel.Sel.Name, known); n != "" {
			return pkg.Name() + "." + n
		}
		return ""
	case bare && !strings.Contains(name, ".") && c.env.gone[name] == "": // stings, totl
		c.s.inScope(c.env, add)
		for id, obj := range c.info.Defs {
			if obj != nil && id.Name != "_" && !strings.HasPrefix(id.Name, "__") {
				add(id.Name, "")
			}
		}
		return c.s.cfg.Near(name, known)
	case sel != nil && strings.HasSuffix(e.Msg, "has no field or method "+sel.Sel.Name+")"): // a.Stp
		if t := c.info.Types[sel.X].Type; t != nil {
			membersOf(t, add)
		}
		return c.s.cfg.Near(sel.Sel.Name, known)
	}
	return ""
}

// selector is the selector expression whose name an error is about, and the package before the dot
// where it is one.
func (c *cell) selector(e types.Error) (sel *ast.SelectorExpr, pkg *types.Package) {
	ast.Inspect(c.file, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok && x.Sel.Pos() == e.Pos {
			sel = x
		}
		return true
	})
	if sel == nil {
		return nil, nil
	}
	if id, ok := sel.X.(*ast.Ident); ok {
		if of, ok := c.info.Uses[id].(*types.PkgName); ok {
			pkg = of.Imported()
		}
	}
	return sel, pkg
}
