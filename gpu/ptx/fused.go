package ptx

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A fusion follows floating-point products to sums. Go may round x*y + z once, on some processors,
// also where the product went through a variable or a function that was inlined; PTX does what is
// written. A conversion keeps Go from it: float64(x*y) + z.
type fusion struct {
	u     *unit
	vars  map[types.Object]bool // hold a product: variables, fields, elements of these
	funcs map[types.Object]bool // return one
	grew  bool
}

// fused lists the sums of the text that Go may fuse with a product.
func (u *unit) fused() (all []error) {
	f := &fusion{u: u, vars: map[types.Object]bool{}, funcs: map[types.Object]bool{}}
	for f.grew = true; f.grew; {
		f.grew = false
		f.spread(u.file, u.info)
		for _, s := range u.all {
			if !s.stub {
				for _, file := range s.files {
					f.spread(file, s.info)
				}
			}
		}
	}
	sum := func(at token.Pos, info *types.Info, t ast.Expr, parts ...ast.Expr) {
		if !inexact(info.TypeOf(t)) || info.Types[t].Value != nil {
			return
		}
		for _, e := range parts {
			if f.product(e, info) {
				all = append(all, &Refusal{u.fset.Position(at), f.say(e, info)})
				return
			}
		}
	}
	ast.Inspect(u.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.ADD || n.Op == token.SUB {
				sum(n.OpPos, u.info, n, n.X, n.Y)
			}
		case *ast.IncDecStmt:
			sum(n.TokPos, u.info, n.X, n.X)
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
				sum(n.TokPos, u.info, n.Lhs[0], n.Lhs[0], n.Rhs[0])
			}
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b error) int {
		return a.(*Refusal).Pos.Offset - b.(*Refusal).Pos.Offset
	})
	return all
}

func (f *fusion) say(e ast.Expr, info *types.Info) string {
	text := types.ExprString(ast.Unparen(e))
	t := short(info.TypeOf(e))
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.MUL {
		return "the product " + text + " feeds a sum, and Go rounds the two at once on some processors" +
			": write " + t + "(" + text + ")"
	}
	return text + " may be a product, feeds a sum, and Go rounds the two at once on some processors" +
		": write " + t + "(" + text + ") here, or convert the product"
}

// inexact tells whether a type is, or may be, a floating-point one.
func inexact(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsFloat != 0
	case *types.Interface: // of a type parameter
		for e := range u.EmbeddedTypes() {
			if inexact(e) {
				return true
			}
		}
	case *types.Union:
		for term := range u.Terms() {
			if inexact(term.Type()) {
				return true
			}
		}
	}
	return false
}

// product tells whether e may be an unrounded product.
func (f *fusion) product(e ast.Expr, info *types.Info) bool {
	e = ast.Unparen(e)
	if tv, ok := info.Types[e]; ok && (tv.Value != nil || !inexact(tv.Type)) {
		return false
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op == token.MUL
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.ADD) && f.product(e.X, info)
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		return f.vars[holder(e, info)]
	case *ast.CallExpr:
		if tv, ok := info.Types[e.Fun]; ok && tv.IsType() {
			return false // rounded
		}
		if lit, ok := ast.Unparen(e.Fun).(*ast.FuncLit); ok {
			return f.makes(lit, info)
		}
		return f.funcs[callee(e, info)]
	}
	return false
}

// holder is the variable or field that e is, or is an element of.
func holder(e ast.Expr, info *types.Info) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			if o := info.Uses[x]; o != nil {
				return o
			}
			return info.Defs[x]
		case *ast.SelectorExpr:
			if s := info.Selections[x]; s != nil {
				return s.Obj()
			}
			return info.Uses[x.Sel]
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

func callee(e *ast.CallExpr, info *types.Info) types.Object {
	fun := ast.Unparen(e.Fun)
	if x, ok := fun.(*ast.IndexExpr); ok {
		fun = x.X
	}
	var o types.Object
	switch x := fun.(type) {
	case *ast.Ident:
		o = info.Uses[x]
	case *ast.SelectorExpr:
		o = info.Uses[x.Sel]
	}
	if fn, ok := o.(*types.Func); ok {
		return fn.Origin()
	}
	return o
}

func (f *fusion) mark(m map[types.Object]bool, o types.Object) {
	if o != nil && !m[o] {
		m[o], f.grew = true, true
	}
}

// spread follows products into variables, parameters and results.
func (f *fusion) spread(file *ast.File, info *types.Info) {
	put := func(to, from ast.Expr) {
		if f.product(from, info) {
			f.mark(f.vars, holder(to, info))
		}
		if lit, ok := ast.Unparen(from).(*ast.FuncLit); ok && f.makes(lit, info) {
			f.mark(f.funcs, holder(to, info))
		}
	}
	for _, d := range file.Decls {
		fd, _ := d.(*ast.FuncDecl)
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				switch {
				case n.Tok == token.MUL_ASSIGN && inexact(info.TypeOf(n.Lhs[0])):
					f.mark(f.vars, holder(n.Lhs[0], info))
				case n.Tok != token.ASSIGN && n.Tok != token.DEFINE: // a sum or such
				case len(n.Lhs) == len(n.Rhs):
					for i := range n.Lhs {
						put(n.Lhs[i], n.Rhs[i])
					}
				default: // of several results we know only that one of them is a product
					if c, ok := n.Rhs[0].(*ast.CallExpr); ok && f.funcs[callee(c, info)] {
						for _, l := range n.Lhs {
							if inexact(info.TypeOf(l)) {
								f.mark(f.vars, holder(l, info))
							}
						}
					}
				}
			case *ast.ValueSpec:
				for i, v := range n.Values {
					if i < len(n.Names) {
						put(n.Names[i], v)
					}
				}
			case *ast.CompositeLit:
				f.literal(n, info)
			case *ast.ReturnStmt:
				if fd == nil {
					return true
				}
				for _, r := range n.Results {
					if f.product(r, info) {
						f.mark(f.funcs, info.Defs[fd.Name])
					}
				}
				if len(n.Results) == 0 && fd.Type.Results != nil { // those that have names
					for _, r := range fd.Type.Results.List {
						for _, name := range r.Names {
							if f.vars[info.Defs[name]] {
								f.mark(f.funcs, info.Defs[fd.Name])
							}
						}
					}
				}
			case *ast.CallExpr:
				f.arguments(n, info)
			}
			return true
		})
	}
}

// makes tells whether a function without a name returns a product.
func (f *fusion) makes(lit *ast.FuncLit, info *types.Info) (is bool) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			is = is || slices.ContainsFunc(r.Results, func(e ast.Expr) bool {
				return f.product(e, info)
			})
		}
		return true
	})
	return is
}

func (f *fusion) literal(n *ast.CompositeLit, info *types.Info) {
	st, ok := info.TypeOf(n).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if f.product(kv.Value, info) {
				f.mark(f.vars, holder(kv.Key, info))
			}
		} else if f.product(e, info) && i < st.NumFields() {
			f.mark(f.vars, st.Field(i))
		}
	}
}

// arguments follows products from the arguments of a call to the parameters.
func (f *fusion) arguments(n *ast.CallExpr, info *types.Info) {
	var t types.Type
	if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
		t = info.TypeOf(lit)
	} else if o := callee(n, info); o != nil {
		t = o.Type()
	}
	if t == nil {
		return
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return
	}
	ps := sig.Params()
	for i, a := range n.Args {
		if i < ps.Len() && f.product(a, info) {
			f.mark(f.vars, ps.At(i))
		}
	}
}
