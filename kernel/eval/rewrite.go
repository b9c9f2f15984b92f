package eval

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math/big"
	"strings"
)

// Names of the functions that generated code calls; see Session.run.
const (
	showName   = "show__"   // takes the values of the last expression
	doneName   = "done__"   // says that a statement which declares variables has ended
	goName     = "go__"     // starts a goroutine whose panic does not end the process
	spreadName = "spread__" // the same for a call f(xs...)
)

// rewrite turns the checked cell into what runs: the variables that its
// statements declare become variables of the package, so that their addresses
// outlive the cell.
func (c *cell) rewrite() error {
	seen := map[string]bool{}
	for i, st := range c.fn.Body.List {
		for _, id := range defined(unlabel(st)) {
			obj, ok := c.info.Defs[id].(*types.Var)
			if !ok || id.Name == "_" || seen[id.Name] {
				continue
			}
			var local *types.TypeName
			if !lasting(obj.Type(), &local) {
				what := "its type exists only inside of one function"
				if local != nil {
					what = fmt.Sprintf("its type %s is declared inside of a function", local.Name())
				}
				return place(Compile, c.s.ctx.FileSet.Position(id.Pos()), c.input,
					fmt.Sprintf("cannot keep %s: %s", id.Name, what))
			}
			seen[id.Name] = true
			c.fresh = append(c.fresh, &newVar{id.Name, obj.Type(), i})
		}
	}
	c.renameOld(seen)
	c.noteInstances()

	var out []ast.Stmt
	list := c.fn.Body.List
	last := c.lastExpr()
	for i, st := range list {
		declares := false
		for _, v := range c.fresh {
			declares = declares || v.stmt == i
		}
		st = c.assigns(st)
		if i == len(list)-1 && last != nil {
			st = c.show(last)
		}
		out = append(out, st)
		if declares {
			out = append(out,
				&ast.ExprStmt{X: call(doneName, st.Pos(), &ast.BasicLit{
					ValuePos: st.Pos(), Kind: token.INT,
					Value: fmt.Sprint(i),
				})})
		}
	}
	c.fn.Body.List = out
	c.guardGo()
	return c.addGenerated()
}

// renameOld gives another name, in this cell, to what had the name of one of
// its new variables before: x := f(x) means two x.
func (c *cell) renameOld(fresh map[string]bool) {
	rename := func(id *ast.Ident, obj types.Object) {
		if obj == nil || !fresh[id.Name] {
			return
		}
		if _, pkg := obj.(*types.PkgName); pkg || obj.Parent() == c.pkg.Scope() {
			id.Name += oldSuffix
			c.s.writer.renamed[obj.Name()] = true
		}
	}
	for id, obj := range c.info.Defs {
		rename(id, obj)
	}
	for id, obj := range c.info.Uses {
		rename(id, obj)
	}
}

// noteInstances finds the instances of generic types that values of this cell
// may have, so that later cells know them.
func (c *cell) noteInstances() {
	seen := map[string]bool{}
	note := func(t types.Type) {
		if t == nil {
			return
		}
		walk(t, func(t types.Type) {
			n, ok := t.(*types.Named)
			if !ok || n.TypeArgs().Len() == 0 {
				return
			}
			if key := typeKey(n); key != "" && !seen[key] && !c.s.loader.known(n) {
				if !atPrompt(n) && len(depsOf(n)) == 0 {
					if _, ok := c.s.loader.LookupReflect(n); ok {
						return // compiled
					}
				}
				seen[key] = true
				c.instances = append(c.instances, n)
			}
		})
	}
	for _, tv := range c.info.Types {
		note(tv.Type)
	}
	for _, v := range c.fresh {
		note(v.typ)
	}
}

// assigns turns a statement that declares variables into an assignment.
func (c *cell) assigns(st ast.Stmt) ast.Stmt {
	switch st := st.(type) {
	case *ast.LabeledStmt:
		st.Stmt = c.assigns(st.Stmt)
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE {
			st.Tok = token.ASSIGN
		}
	case *ast.DeclStmt:
		g := st.Decl.(*ast.GenDecl)
		if g.Tok != token.VAR {
			return st
		}
		b := &ast.BlockStmt{Lbrace: st.Pos(), Rbrace: st.End()}
		for _, sp := range g.Specs {
			sp := sp.(*ast.ValueSpec)
			if len(sp.Values) == 0 {
				continue
			}
			a := &ast.AssignStmt{TokPos: sp.Pos(), Tok: token.ASSIGN, Rhs: sp.Values}
			for i, n := range sp.Names {
				a.Lhs = append(a.Lhs, n)
				if n.Name == "_" && sp.Type != nil && i < len(a.Rhs) {
					a.Rhs[i] = &ast.CallExpr{
						Fun:  &ast.ParenExpr{Lparen: sp.Type.Pos(), X: sp.Type},
						Args: []ast.Expr{sp.Values[i]},
					}
				}
			}
			b.List = append(b.List, a)
		}
		return b
	}
	return st
}

// show wraps the last expression, unless it is a call without results, or one of
// fmt that prints: how many bytes these were says nothing. An untyped constant is
// shown as what it is, however large.
func (c *cell) show(x ast.Expr) ast.Stmt {
	tv := c.info.Types[x]
	switch {
	case tv.IsVoid() || tv.IsBuiltin() || c.prints(x):
		return &ast.ExprStmt{X: x}
	case tv.Value != nil && isUntyped(tv.Type):
		if v, ok := bigConstant(tv.Value); ok {
			c.constant = v
			return &ast.EmptyStmt{Semicolon: x.Pos()}
		}
	}
	return &ast.ExprStmt{X: call(showName, x.Pos(), x)}
}

// prints reports whether an expression is a call of fmt.Println or of one like it.
func (c *cell) prints(x ast.Expr) bool {
	f, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := f.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	obj := c.info.Uses[sel.Sel]
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "fmt" &&
		(strings.HasPrefix(obj.Name(), "Print") || strings.HasPrefix(obj.Name(), "Fprint"))
}

// isUntyped reports whether t is an untyped constant's type.
func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// bigConstant gives the value of an integer constant that int cannot hold.
func bigConstant(v constant.Value) (any, bool) {
	if v.Kind() != constant.Int {
		return nil, false
	}
	if _, ok := constant.Int64Val(v); ok {
		return nil, false
	}
	if u, ok := constant.Uint64Val(v); ok {
		return u, true
	}
	if b, ok := constant.Val(v).(*big.Int); ok {
		return b, true
	}
	return nil, false
}

// call makes name(args...) at a position.
func call(name string, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{
		Fun: &ast.Ident{NamePos: pos, Name: name}, Lparen: pos, Args: args,
		Rparen: pos,
	}
}

// guardGo sends every go statement through the session, which recovers the
// goroutine's panics: an unrecovered one would end the process.
func (c *cell) guardGo() {
	ast.Inspect(c.file, func(n ast.Node) bool {
		g, ok := n.(*ast.GoStmt)
		if !ok {
			return true
		}
		x := g.Call
		pos := x.Pos()
		_, instance := c.info.Instances[ident(x.Fun)]
		if c.info.Types[x.Fun].IsBuiltin() || instance {
			// No function value to hand over: call it in a function of ours.
			body := &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: x}}, Rbrace: pos}
			lit := &ast.FuncLit{Type: &ast.FuncType{
				Func:   pos,
				Params: &ast.FieldList{Opening: pos, Closing: pos},
			}, Body: body}
			g.Call = call(goName, pos, lit)
			return true
		}
		name := goName
		if x.Ellipsis.IsValid() {
			name = spreadName
		}
		g.Call = call(name, pos, append([]ast.Expr{x.Fun}, x.Args...)...)
		return true
	})
}

// ident is the identifier of a function's name.
func ident(x ast.Expr) *ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

// keep makes the interpreter compile all methods of the types in the cell: it
// would leave out those of types that the cell itself does not put into an
// interface, but the types live on.
func (c *cell) keep(b *strings.Builder) {
	var values []string
	scope := c.pkg.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		n := obj.Type().(*types.Named)
		if n.TypeParams().Len() > 0 || types.IsInterface(n) {
			continue
		}
		if typeKey(n) != "" {
			values = append(values, fmt.Sprintf("(*%s)(nil)", c.s.writer.text(n)))
		}
	}
	for _, t := range c.instances {
		if !types.IsInterface(t) {
			values = append(values, fmt.Sprintf("(*%s)(nil)", c.s.writer.text(t)))
		}
	}
	if len(values) > 0 {
		fmt.Fprintf(b, "var keep__ = []interface{}{%s}\n", strings.Join(values, ", "))
	}
}

// addGenerated adds the declarations of the new variables, of the functions
// that generated code calls, and of pointers that make the interpreter tell us
// its reflect types.
func (c *cell) addGenerated() error {
	w := c.s.writer
	var b strings.Builder
	fmt.Fprintf(&b, "package main\nimport %s %q\n", typesName, typesPath)
	fmt.Fprintf(&b,
		"var %s func(...interface{})\nvar %s func(int)\nvar %s, %s func(interface{}, ...interface{})\n",
		showName, doneName, goName, spreadName)
	for _, v := range c.fresh {
		fmt.Fprintf(&b, "var %s %s\n", v.name, w.text(v.typ))
	}
	c.keep(&b)
	for i, t := range c.instances {
		fmt.Fprintf(&b, "var instance%d__ *%s\n", i, w.text(t))
	}
	f, err := parser.ParseFile(c.s.ctx.FileSet, "gen", b.String(), parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("eval: generated text: %w", err)
	}
	c.file.Decls = append(c.file.Decls, f.Decls[1:]...) // the import is there already
	w.used()
	return nil
}
