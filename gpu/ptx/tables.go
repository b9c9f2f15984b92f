package ptx

import (
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A table is a variable of a package that never changes: its bytes lie in the module.
type table struct {
	name  string
	bytes []byte
	slice bool // the variable is a slice of them
	n     int64
}

// mostTable is the most bytes of a table.
const mostTable = 4 << 20

type tables struct {
	of   map[*ssa.Global]*table
	list []*table
}

// text declares the tables.
func (ts *tables) text() string {
	var s strings.Builder
	for _, t := range ts.list {
		fmt.Fprintf(&s, ".global .align 8 .b8 %s[%d] = {", t.name, len(t.bytes))
		for i, b := range t.bytes {
			if i > 0 {
				s.WriteByte(',')
			}
			if i%24 == 0 {
				s.WriteString("\n\t")
			}
			fmt.Fprint(&s, b)
		}
		s.WriteString("\n};\n")
	}
	return s.String()
}

// at is the constant of type p at an offset.
func (t *table) at(off int64, p prim) arg {
	b := t.bytes[off:]
	le := binary.LittleEndian
	switch p.mem() {
	case "u8":
		return arg{cls: p.cls, bits: uint64(b[0])}
	case "s8":
		return num32(int32(int8(b[0])))
	case "u16":
		return num32(int32(le.Uint16(b)))
	case "s16":
		return num32(int32(int16(le.Uint16(b))))
	case "s32", "u32", "f32":
		return arg{cls: p.cls, bits: uint64(le.Uint32(b))}
	}
	return arg{cls: p.cls, bits: le.Uint64(b)}
}

// global is the address of a package variable.
func (c *compiler) global(g *ssa.Global) *val {
	t := c.table(g)
	if t.slice {
		c.refuse("the address of %s: pass the slice itself", g.Name())
	}
	base, root := c.tableBase(t)
	return &val{ptr: &pointer{space: "global", root: root, base: base, table: t}}
}

func (c *compiler) tableBase(t *table) (arg, int) {
	at := c.op('d', "cvta.to.global.u64", c.named('d', "mov.u64", t.name))
	return at, c.newRoot(array{constant: true, param: -1})
}

// tableSlice is the value of a package variable that is a slice; nil for others.
func (c *compiler) tableSlice(g *ssa.Global) *val {
	if _, ok := pointee(g.Type()).Underlying().(*types.Slice); !ok {
		return nil
	}
	t := c.table(g)
	base, root := c.tableBase(t)
	return &val{a: []leaf{{base, "global", root}, {arg: num64(t.n)}}}
}

func (c *compiler) table(g *ssa.Global) *table {
	if t := c.tables.of[g]; t != nil {
		return t
	}
	files, info := []*ast.File{c.file}, c.info
	if g.Pkg != c.pkg {
		s := c.all[g.Pkg.Pkg.Path()]
		files, info = s.files, s.info
	}
	init, found := declared(files, info, g.Object())
	if !found {
		c.refuse("the package variable %s is not found", g.Name())
	}
	if pos := changed(files, info, g.Object()); pos.IsValid() {
		c.refuse("the package variable %s changes (%s): give it to the kernel as a slice", g.Name(),
			c.fset.Position(pos))
	}
	t := &table{name: fmt.Sprintf("table_%d_%s", len(c.tables.list)+1, ascii(g.Name()))}
	typ := pointee(g.Type())
	if u, ok := typ.Underlying().(*types.Slice); ok {
		t.slice = true
		if lit, ok := init.(*ast.CompositeLit); ok {
			t.n = literalLen(info, lit)
			typ = types.NewArray(u.Elem(), t.n)
		} else if init != nil {
			c.refuse("the value of the package variable %s is no list of constants: give the kernel a slice",
				g.Name())
		}
	}
	// Each byte is a number in the text.
	if n := sizes.Sizeof(typ); n < 0 || n > mostTable {
		c.refuse("the package variable %s takes %d bytes; at most %d: give the kernel a slice", g.Name(),
			n, mostTable)
	}
	t.bytes = make([]byte, max(1, sizes.Sizeof(typ)))
	if t.slice && init == nil {
		t.bytes = make([]byte, 1)
	}
	if init != nil && !c.encode(t.bytes, typ, init, info) {
		c.refuse("the value of the package variable %s is not made of constants: give the kernel a slice",
			g.Name())
	}
	if c.tables.of == nil {
		c.tables.of = map[*ssa.Global]*table{}
	}
	c.tables.of[g] = t
	c.tables.list = append(c.tables.list, t)
	return t
}

// ascii is a name that PTX takes.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 {
			return r
		}
		return '_'
	}, s)
}

// declared finds the initial value of a package variable; nil where it has none.
func declared(files []*ast.File, info *types.Info, obj types.Object) (init ast.Expr, found bool) {
	for _, f := range files {
		for _, d := range f.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok || gd.Tok != token.VAR {
				continue
			}
			for _, s := range gd.Specs {
				vs := s.(*ast.ValueSpec)
				for i, n := range vs.Names {
					if info.Defs[n] != obj {
						continue
					}
					if i < len(vs.Values) {
						return ast.Unparen(vs.Values[i]), len(vs.Values) == len(vs.Names)
					}
					return nil, len(vs.Values) == 0
				}
			}
		}
	}
	return nil, false
}

// changed finds a place that may change the variable.
func changed(files []*ast.File, info *types.Info, obj types.Object) (at token.Pos) {
	of := func(e ast.Expr) bool {
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.SelectorExpr:
				e = x.X
			case *ast.SliceExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			case *ast.Ident:
				return info.Uses[x] == obj
			default:
				return false
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if n.Tok != token.DEFINE && of(l) {
						at = l.Pos()
					}
				}
			case *ast.IncDecStmt:
				if of(n.X) {
					at = n.Pos()
				}
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN && (n.Key != nil && of(n.Key) || n.Value != nil && of(n.Value)) {
					at = n.Pos()
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && of(n.X) {
					at = n.Pos()
				}
			}
			return true
		})
	}
	return at
}

// literalLen is the length of the list: one more than the largest index.
func literalLen(info *types.Info, lit *ast.CompositeLit) (n int64) {
	k := int64(0)
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			k, _ = constant.Int64Val(constant.ToInt(info.Types[kv.Key].Value))
		}
		k++
		n = max(n, k)
	}
	return n
}

// encode writes the value of e, of type t, into b, which is zero.
func (c *compiler) encode(b []byte, t types.Type, e ast.Expr, info *types.Info) bool {
	e = ast.Unparen(e)
	if p, ok := primOf(t); ok {
		v := info.Types[e].Value
		if v == nil {
			return false
		}
		a := literal(p, v)
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], a.bits)
		copy(b[:sizes.Sizeof(t)], w[:])
		return true
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		k, size := int64(0), sizes.Sizeof(u.Elem())
		for _, x := range lit.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				k, _ = constant.Int64Val(constant.ToInt(info.Types[kv.Key].Value))
				x = kv.Value
			}
			if !c.encode(b[k*size:], u.Elem(), x, info) {
				return false
			}
			k++
		}
		return true
	case *types.Struct:
		var fs []*types.Var
		for i := range u.NumFields() {
			fs = append(fs, u.Field(i))
		}
		offs := sizes.Offsetsof(fs)
		for i, x := range lit.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				i = fieldNamed(u, kv.Key.(*ast.Ident).Name)
				x = kv.Value
			}
			if !c.encode(b[offs[i]:], fs[i].Type(), x, info) {
				return false
			}
		}
		return true
	}
	return false
}

func fieldNamed(st *types.Struct, name string) int {
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return i
		}
	}
	return math.MaxInt
}
