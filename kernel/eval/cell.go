package eval

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goplus/ixgo"
)

// entry is the function that a cell's statements become. It is not called main,
// so that a user's func main is a function like others.
const entry = "cell__"

// cell is one input on its way to run.
type cell struct {
	s     *Session
	input int
	env   *env // what names mean after the cell
	prev  *env // what they meant before

	chunks []chunk
	decls  []*decl // declared in this input

	include  []*decl              // earlier declarations that it uses
	vars     map[string]*variable // earlier variables that it uses
	imports  map[string]string    // packages that it uses: name in the cell to path
	topTypes bool                 // it declares types or methods
	changed  map[string]bool      // types with new reflect types
	convert  []*variable          // variables to be carried over to the new ones

	notes []string // to report after compilation

	compiled
}

// compiled is the text that a cell becomes, and what the type checker says of it.
type compiled struct {
	text      strings.Builder
	file      *ast.File
	fn        *ast.FuncDecl
	info      *types.Info
	pkg       *types.Package
	fresh     []*newVar // variables that the statements declare
	instances []types.Type
	constant  any // value of a last expression that is a constant
}

// newVar is a variable that a cell's statements declare.
type newVar struct {
	name string
	typ  types.Type
	stmt int // index of the statement that gives it its value
}

// newCell reads an input: its declarations and imports change a copy of the env.
func (s *Session) newCell(src string, input int) (*cell, error) {
	c := &cell{
		s: s, input: input, prev: s.env, env: s.env.clone(), vars: map[string]*variable{},
		imports: map[string]string{}, changed: map[string]bool{},
	}
	chunks, err := split(src, input)
	if err != nil {
		return nil, err
	}
	uses, pkgs := map[string]bool{}, map[string]bool{}
	for _, ch := range chunks {
		n, fset, err := ch.parse(input)
		if err != nil {
			return nil, err
		}
		switch ch.tok {
		case token.IMPORT:
			for _, spec := range n.(*ast.GenDecl).Specs {
				spec := spec.(*ast.ImportSpec)
				if err := c.addImport(spec, fset); err != nil {
					return nil, err
				}
			}
		case token.ILLEGAL:
			c.chunks = append(c.chunks, ch)
			u, p := names(n)
			maps.Copy(uses, u)
			maps.Copy(pkgs, p)
		default:
			ds, err := declsOf(ch, n, fset, input)
			if err != nil {
				return nil, err
			}
			c.decls = append(c.decls, ds...)
		}
	}
	if err := c.declare(); err != nil {
		return nil, err
	}
	for _, d := range c.decls {
		maps.Copy(uses, d.uses)
		maps.Copy(pkgs, d.pkgs)
	}
	c.gather(uses, pkgs)
	return c, nil
}

// addImport keeps an import for this cell and later ones.
func (c *cell) addImport(spec *ast.ImportSpec, fset *token.FileSet) error {
	fail := func(msg string) error { return place(Compile, fset.Position(spec.Pos()), c.input, msg) }
	path := strings.Trim(spec.Path.Value, "`\"")
	if why, bad := refused[path]; bad && !(path == execPath && c.s.cfg.Programs) {
		return fail(fmt.Sprintf("package %q is not for the prompt: %s", path, why))
	}
	p, ok := ixgo.LookupPackage(path)
	if !ok {
		return fail(fmt.Sprintf("package %q is not built into this program%s; there are: %s", path,
			c.s.cfg.Elsewhere, strings.Join(importable(), " ")))
	}
	name := p.Name
	if spec.Name != nil {
		name = spec.Name.Name
	}
	switch name {
	case "_":
		return nil
	case ".":
		return fail("a dot import is not for the prompt: its names could not be told from yours")
	}
	delete(c.env.vars, name)
	delete(c.env.decls, name)
	delete(c.env.gone, name)
	c.env.imports[name] = path
	return nil
}

// importable lists the packages that an input may import.
func importable() []string {
	return slices.DeleteFunc(ixgo.PackageList(), func(p string) bool {
		return strings.Contains(p, "internal") || strings.HasPrefix(p, "github.com/goplus/") ||
			strings.HasPrefix(p, "prompt/") || // of our own making
			refused[p] != ""
	})
}

// declare enters the input's declarations, and finds out which types change and
// what becomes of the variables of these types.
func (c *cell) declare() error {
	var changed []string
	layout := map[string]bool{}
	for _, d := range c.decls {
		if d.tok == token.TYPE || d.recv != "" {
			c.topTypes = true
		}
	}
	// Types first: a method may stand before its type.
	for _, types := range []bool{true, false} {
		for _, d := range c.decls {
			if (d.tok == token.TYPE) != types {
				continue
			}
			ch, lay, dropped := c.env.declare(d)
			if len(dropped) > 0 {
				c.notes = append(c.notes, fmt.Sprintf("type %s is declared again: its methods %s are gone",
					d.names[0], strings.Join(dropped, ", ")))
			}
			changed = append(changed, ch...)
			if lay {
				layout[ch[0]] = true
			}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	c.changed = c.env.dependents(changed)
	lost := c.env.dependents(slices.Collect(maps.Keys(layout)))
	if len(layout) == 0 {
		lost = nil
	}
	again := strings.Join(slices.Sorted(maps.Keys(layout)), ", ")
	for _, name := range slices.Sorted(maps.Keys(c.env.vars)) {
		v := c.env.vars[name]
		gone, conv := false, false
		for _, d := range v.deps {
			gone = gone || lost[d]
			conv = conv || c.changed[d]
		}
		switch {
		case gone:
			delete(c.env.vars, name)
			c.env.gone[name] = fmt.Sprintf("it was dropped when type %s was declared again in input %d",
				again, c.input)
			c.notes = append(c.notes, fmt.Sprintf("type %s is declared again: variable %s is gone",
				again, name))
		case conv:
			c.convert = append(c.convert, v)
		}
	}
	return nil
}

// gather finds what the cell needs of the session: everything that its names
// reach.
func (c *cell) gather(uses, pkgs map[string]bool) {
	own := map[string]bool{}
	for _, d := range c.decls {
		for _, n := range d.names {
			own[n] = true
		}
	}
	seen := map[string]bool{}
	have := map[*decl]bool{}
	for _, d := range c.decls {
		have[d] = true
	}
	var todo []string
	add := func(m map[string]bool) {
		for n := range m {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	take := func(d *decl) {
		if !have[d] {
			have[d] = true
			c.include = append(c.include, d)
			add(d.uses)
		}
		for n := range d.pkgs {
			c.wantPackage(n)
		}
	}
	for n := range pkgs {
		c.wantPackage(n)
	}
	add(uses)
	for _, v := range c.convert {
		add(map[string]bool{v.name: true})
	}
	if len(c.convert) > 0 {
		add(c.changed)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if d := c.env.decls[n]; d != nil {
			if !own[n] {
				take(d)
			}
			if d.tok == token.TYPE {
				for _, m := range c.env.methods[n] {
					take(m)
				}
			}
		} else if v := c.env.vars[n]; v != nil && !own[n] {
			c.vars[n] = v
			for _, d := range v.deps {
				add(map[string]bool{d: true})
			}
		}
	}
	slices.SortFunc(c.include, func(a, b *decl) int {
		if a.input != b.input {
			return a.input - b.input
		}
		return (a.line-b.line)*1000 + a.col - b.col
	})
}

// wantPackage imports what a name before a dot may mean.
func (c *cell) wantPackage(name string) {
	if c.env.vars[name] != nil || c.env.decls[name] != nil {
		return
	}
	if path, ok := c.env.imports[name]; ok {
		c.imports[name] = path
	} else if path, ok := c.s.auto[name]; ok {
		c.imports[name] = path
	}
}

// compose writes the cell's text: generated lines, earlier declarations, the
// input's own, and its statements in a function. Line directives place the
// user's text where the user typed it.
func (c *cell) compose() {
	b := &c.text
	b.WriteString("package main\n")
	extra := map[string]string{}
	body := func(d *decl) string {
		text := d.text
		for _, r := range slices.Backward(d.refs) {
			if c.imports[r.name] != r.path {
				alias := r.name + pkgSuffix
				extra[alias] = r.path
				text = text[:r.off] + alias + text[r.off+len(r.name):]
			}
		}
		return text
	}
	texts := map[*decl]string{}
	for _, d := range c.include {
		texts[d] = body(d)
	}
	for _, m := range []map[string]string{c.imports, extra} {
		for _, n := range slices.Sorted(maps.Keys(m)) {
			fmt.Fprintf(b, "import %s %q\n", n, m[n])
		}
	}
	fmt.Fprintf(b, "import %s %q\n", typesName, typesPath)
	c.s.writer.reset()
	for _, n := range slices.Sorted(maps.Keys(c.vars)) {
		fmt.Fprintf(b, "var %s %s\n", n, c.s.writer.text(c.vars[n].typ))
	}
	for _, d := range slices.Concat(c.include, c.decls) {
		fmt.Fprintf(b, "%s/*line %s:%d:%d*/", d.prefix, fileName(d.input), d.line, d.col)
		d.start = b.Len()
		if t, ok := texts[d]; ok {
			b.WriteString(t)
		} else {
			b.WriteString(d.text)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "//line gen:1\nfunc %s() {\n", entry)
	for _, ch := range c.chunks {
		fmt.Fprintf(b, "/*line %s:%d:%d*/%s\n", fileName(c.input), ch.line, ch.col, ch.text)
	}
	b.WriteString("//line gen:2\n}\n")
	c.s.writer.used()
}

// check types the cell as the user wrote it, with the statements in a function.
func (c *cell) check() error {
	s := c.s
	file, err := parser.ParseFile(s.ctx.FileSet, "gen", c.text.String(), parser.SkipObjectResolution)
	if err != nil {
		return syntaxError(err, c.input)
	}
	c.file = file
	c.fn = file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	top := c.topNames()
	last := c.lastExpr()
	var first *Error
	conf := types.Config{
		Importer: s.ctx.Importer, DisableUnusedImportCheck: true,
		Error: func(err error) {
			e, ok := err.(types.Error)
			if !ok || first != nil {
				return
			}
			if e.Soft && top[e.Pos] { // declared and not used, for a variable that lives on
				return
			}
			if last != nil && e.Pos >= last.Pos() && e.Pos < last.End() &&
				strings.HasSuffix(e.Msg, "is not used") {
				return
			}
			first = c.explain(e)
		},
	}
	c.info = &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
	}
	c.pkg, _ = conf.Check("main", s.ctx.FileSet, []*ast.File{file}, c.info)
	if first != nil {
		return first
	}
	c.noteRefs()
	return nil
}

// explain makes the type checker's error plainer where we know more than it.
func (c *cell) explain(e types.Error) *Error {
	err := typeError(e, c.input)
	if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok {
		if why := c.env.gone[name]; why != "" {
			err.Msg += " (" + why + ")"
		}
	}
	if n := c.near(e); n != "" {
		err.Msg += "; did you mean " + n + "?"
	}
	if err.Input > 0 && !err.here {
		// An earlier declaration fails: something that it uses was declared anew.
		off := c.s.ctx.FileSet.File(e.Pos).Offset(e.Pos)
		for _, d := range c.include {
			if off >= d.start && off < d.start+len(d.text) {
				err.Msg = d.title() + " no longer compiles: " + err.Msg
			}
		}
	}
	return err
}

// noteRefs records where the input's declarations name packages.
func (c *cell) noteRefs() {
	base := c.s.ctx.FileSet.File(c.file.FileStart)
	for _, d := range c.decls {
		d.refs = nil
	}
	for id, obj := range c.info.Uses {
		pn, ok := obj.(*types.PkgName)
		if !ok {
			continue
		}
		off := base.Offset(id.Pos())
		for _, d := range c.decls {
			if off >= d.start && off < d.start+len(d.text) {
				d.refs = append(d.refs, pkgRef{off - d.start, id.Name, pn.Imported().Path()})
			}
		}
	}
	for _, d := range c.decls {
		slices.SortFunc(d.refs, func(a, b pkgRef) int { return a.off - b.off })
	}
}

// unlabel takes the labels off a statement.
func unlabel(st ast.Stmt) ast.Stmt {
	for {
		l, ok := st.(*ast.LabeledStmt)
		if !ok {
			return st
		}
		st = l.Stmt
	}
}

// topNames gives the places of the names that the statements declare at the top.
func (c *cell) topNames() map[token.Pos]bool {
	top := map[token.Pos]bool{}
	for _, st := range c.fn.Body.List {
		for _, id := range defined(unlabel(st)) {
			top[id.Pos()] = true
		}
	}
	return top
}

// defined lists the names that a statement of the top may declare.
func defined(st ast.Stmt) (ids []*ast.Ident) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE {
			for _, l := range st.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					ids = append(ids, id)
				}
			}
		}
	case *ast.DeclStmt:
		if g := st.Decl.(*ast.GenDecl); g.Tok == token.VAR {
			for _, sp := range g.Specs {
				ids = append(ids, sp.(*ast.ValueSpec).Names...)
			}
		}
	}
	return ids
}

// lastExpr is the expression whose value the input gives, or nil.
func (c *cell) lastExpr() ast.Expr {
	list := c.fn.Body.List
	if len(list) == 0 {
		return nil
	}
	if e, ok := list[len(list)-1].(*ast.ExprStmt); ok {
		return e.X
	}
	return nil
}
