// Package extract extracts from a Go file the parts that a kernel needs: the given functions and
// methods, all declarations that they use, directly or not, and only those fields of a structure
// that these name. The omitted rest, such as a program's main function, a method that draws
// pictures or a field of a type that no GPU has, need not be in the subset that metalab/gpu/ptx
// compiles.
package extract

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Part is the result of Of.
type Part struct {
	Imports []string // as they are written: "math", m "math"
	// Text are the declarations. A line directive before each says where it stands in the file, so
	// that errors name its lines and columns.
	Text string
	// Fields are those that the narrowed structures keep, in order; an embedded one has the name of
	// its type.
	Fields map[string][]Field
}

// A Field is one of a narrowed structure.
type Field struct {
	Name string
	Pos  token.Position
}

// Of extracts from a file, whose name appears in errors, what the roots need: a function, a type,
// or "Type.Method", where it ignores a missing method. narrow lists the structures that lose the
// fields that nothing names.
func Of(name string, file []byte, roots, narrow []string) (*Part, error) {
	c := &cutter{
		fset: token.NewFileSet(), text: file, name: name, decls: map[string]decl{},
		methods: map[string][]*ast.FuncDecl{}, named: map[string]bool{}, chosen: map[ast.Node]bool{},
		narrow: map[string]bool{}, before: map[string]bool{},
	}
	f, err := parser.ParseFile(c.fset, name, file, 0)
	if err != nil {
		return nil, err
	}
	for _, t := range narrow {
		c.narrow[t] = true
	}
	c.index(f)
	for _, r := range roots {
		typ, method, ok := strings.Cut(r, ".")
		if !ok {
			if _, ok := c.decls[r]; !ok {
				return nil, fmt.Errorf("%s declares no %s", name, r)
			}
			c.use(r)
			continue
		}
		c.use(typ)
		for _, m := range c.methods[typ] {
			if m.Name.Name == method {
				c.take(m)
			}
		}
	}
	for again := true; again; {
		before := len(c.chosen) + len(c.named)
		c.settle()
		again = len(c.chosen)+len(c.named) > before
	}
	p := &Part{Fields: map[string][]Field{}}
	c.write(f, p)
	return p, nil
}

// decl is what declares a name at the top of the file.
type decl struct {
	node ast.Node // to extract; for constants the whole group, in which iota counts
	tok  token.Token
}

type cutter struct {
	fset    *token.FileSet
	text    []byte
	name    string
	decls   map[string]decl
	methods map[string][]*ast.FuncDecl // by the receiver's type
	named   map[string]bool            // all names that the extracted code uses, also behind a dot
	before  map[string]bool            // those before a dot that the file does not declare: packages
	chosen  map[ast.Node]bool
	narrow  map[string]bool
}

func (c *cutter) index(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				if d.Name.Name != "init" {
					c.decls[d.Name.Name] = decl{d, token.FUNC}
				}
			} else if len(d.Recv.List) == 1 {
				t := receiver(d.Recv.List[0].Type)
				c.methods[t] = append(c.methods[t], d)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					c.decls[s.Name.Name] = decl{s, d.Tok}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if d.Tok == token.CONST {
							c.decls[n.Name] = decl{d, d.Tok}
						} else {
							c.decls[n.Name] = decl{s, d.Tok}
						}
					}
				}
			}
		}
	}
}

// receiver is the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.ParenExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	}
	return ""
}

// use takes what declares a name.
func (c *cutter) use(name string) {
	if d, ok := c.decls[name]; ok {
		c.take(d.node)
	}
}

// take takes a node, and what it names.
func (c *cutter) take(n ast.Node) {
	if c.chosen[n] {
		return
	}
	c.chosen[n] = true
	if s, ok := n.(*ast.TypeSpec); ok && c.narrow[s.Name.Name] {
		if _, ok := s.Type.(*ast.StructType); ok {
			return // settle looks at the fields
		}
	}
	c.names(n)
}

func (c *cutter) names(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil {
				c.before[x.Name] = true
			}
			c.names(n.X)
			c.named[n.Sel.Name] = true
			return false
		case *ast.Ident:
			c.named[n.Name] = true
			c.use(n.Name)
		}
		return true
	})
}

// settle adds the used methods and fields of extracted types.
func (c *cutter) settle() {
	for name, d := range c.decls {
		s, ok := d.node.(*ast.TypeSpec)
		if !ok || !c.chosen[s] {
			continue
		}
		for _, m := range c.methods[name] {
			if c.named[m.Name.Name] {
				c.take(m)
			}
		}
		if st, ok := s.Type.(*ast.StructType); ok && c.narrow[name] {
			for _, f := range st.Fields.List {
				if len(c.kept(f)) > 0 {
					c.names(f.Type)
				}
			}
		}
	}
}

// kept are the names of a field that something uses.
func (c *cutter) kept(f *ast.Field) (names []Field) {
	if len(f.Names) == 0 {
		return []Field{{receiver(f.Type), c.fset.Position(f.Pos())}}
	}
	for _, n := range f.Names {
		if c.named[n.Name] {
			names = append(names, Field{n.Name, c.fset.Position(n.Pos())})
		}
	}
	return names
}

// place is a line directive for what follows, alone on its line.
func (c *cutter) place(pos token.Pos, before int) string {
	at := c.fset.Position(pos)
	if at.Column -= before; at.Column < 1 {
		at.Column = 1
	}
	return fmt.Sprintf("\n//line %s:%d:%d\n", c.name, at.Line, at.Column)
}

func (c *cutter) source(n ast.Node) string {
	return string(c.text[c.fset.Position(n.Pos()).Offset:c.fset.Position(n.End()).Offset])
}

func (c *cutter) write(f *ast.File, p *Part) {
	var b strings.Builder
	spec := func(s ast.Spec, tok string) {
		if t, ok := s.(*ast.TypeSpec); ok && c.narrow[t.Name.Name] {
			if st, ok := t.Type.(*ast.StructType); ok {
				c.narrowed(&b, p, t, st)
				return
			}
		}
		b.WriteString(c.place(s.Pos(), len(tok)+1) + tok + " " + c.source(s) + "\n")
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if c.chosen[d] {
				b.WriteString(c.place(d.Pos(), 0) + c.source(d) + "\n")
			}
		case *ast.GenDecl:
			if d.Tok == token.CONST && c.chosen[d] {
				b.WriteString(c.place(d.Pos(), 0) + c.source(d) + "\n")
				continue
			}
			for _, s := range d.Specs {
				if c.chosen[s] {
					spec(s, d.Tok.String())
				}
			}
		}
	}
	p.Text = b.String()
	for _, im := range f.Imports {
		if name := imported(im); c.before[name] {
			text := im.Path.Value
			if im.Name != nil {
				text = name + " " + text
			}
			p.Imports = append(p.Imports, text)
		}
	}
	slices.Sort(p.Imports)
}

// narrowed writes a structure with the fields that are used.
func (c *cutter) narrowed(b *strings.Builder, p *Part, t *ast.TypeSpec, st *ast.StructType) {
	name := t.Name.Name
	b.WriteString(c.place(t.Pos(), len("type ")) + "type " + name + " struct {")
	p.Fields[name] = []Field{}
	for _, f := range st.Fields.List {
		kept := c.kept(f)
		for _, k := range kept {
			b.WriteString(c.place(f.Pos(), 0))
			if len(f.Names) > 0 {
				b.WriteString(k.Name + " ")
			}
			b.WriteString(c.source(f.Type))
		}
		p.Fields[name] = append(p.Fields[name], kept...)
	}
	b.WriteString("\n}\n")
}

var version = regexp.MustCompile("^v[0-9]+$")

// imported is the name under which a file has an import.
func imported(im *ast.ImportSpec) string {
	if im.Name != nil {
		return im.Name.Name
	}
	p, err := strconv.Unquote(im.Path.Value)
	if err != nil {
		return ""
	}
	if version.MatchString(path.Base(p)) {
		p = path.Dir(p)
	}
	return path.Base(p)
}
