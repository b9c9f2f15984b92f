package eval

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Complete lists what may stand at pos; see Evaluator. It knows the types of
// variables, of fields and methods at any depth, of calls and of elements, so
// a.Best(). completes too; it runs nothing.
func (s *Session) Complete(text string, pos int) []Suggestion {
	pos = max(0, min(pos, len(text)))
	start := pos
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		start -= n
	}
	word, before := text[start:pos], text[:start]
	if word != "" && unicode.IsDigit(rune(word[0])) || inLiteral(before) {
		return nil
	}
	s.mu.Lock()
	e := s.env
	s.mu.Unlock()
	e = s.withLocals(e, before)
	var out []Suggestion
	add := func(name, about string) {
		if len(name) >= len(word) && strings.EqualFold(name[:len(word)], word) {
			out = append(out, Suggestion{name, about, start})
		}
	}
	if base, ok := strings.CutSuffix(strings.TrimRight(before, " \t"), "."); ok {
		s.members(e, operand(base), add)
	} else {
		s.inScope(e, add)
	}
	slices.SortFunc(out, func(a, b Suggestion) int {
		// A suggestion that is spelled as typed comes first.
		exact := func(x Suggestion) int {
			if strings.HasPrefix(x.Text, word) {
				return 0
			}
			return 1
		}
		return cmp.Or(exact(a)-exact(b), strings.Compare(a.Text, b.Text))
	})
	return slices.CompactFunc(out, func(a, b Suggestion) bool { return a.Text == b.Text })
}

// inLiteral reports whether text ends inside of a string, rune or comment.
func inLiteral(text string) bool {
	_, _, list := lex(text, 0)
	for _, e := range list {
		if strings.Contains(e.Msg, "not terminated") {
			return true
		}
	}
	toks, _, _ := lex(text, scanner.ScanComments)
	for _, t := range toks {
		if t.tok == token.COMMENT && strings.HasPrefix(t.lit, "//") && t.off+len(t.lit) >= len(text) {
			return true
		}
	}
	return false
}

// operand cuts the expression that ends at the end of text: a.b(c)[d].
func operand(text string) string {
	i := len(text)
	for i > 0 {
		c := text[i-1]
		switch {
		case c == ')' || c == ']' || c == '}':
			depth := 0
			for i > 0 {
				i--
				if strings.IndexByte(")]}", text[i]) >= 0 {
					depth++
				} else if strings.IndexByte("([{", text[i]) >= 0 {
					depth--
				}
				if depth == 0 {
					break
				}
			}
			if depth != 0 {
				return ""
			}
		case c == '.' || c == '_' || c >= utf8.RuneSelf || unicode.IsLetter(rune(c)) ||
			unicode.IsDigit(rune(c)):
			i--
		default:
			return text[i:]
		}
	}
	return text
}

// inScope lists the names that inputs may use.
func (s *Session) inScope(e *env, add func(name, about string)) {
	for name, v := range e.vars {
		about := shortString(v.typ)
		if v.typ == types.Typ[types.Invalid] { // of a statement that was not evaluated yet
			about = "variable"
		}
		add(name, about)
	}
	for name, d := range e.decls {
		about := d.tok.String()
		if d.tok == token.FUNC {
			about = signatureText(d.text)
		}
		add(name, about)
	}
	for _, m := range []map[string]string{e.imports, s.auto} {
		for name, path := range m {
			if e.vars[name] == nil && e.decls[name] == nil {
				about := "package " + path
				if doc := sentence(docOf(path, "")); doc != "" {
					about += ": " + doc
				}
				add(name, about)
			}
		}
	}
	for _, name := range types.Universe.Names() {
		if b, ok := types.Universe.Lookup(name).(*types.Builtin); ok {
			add(b.Name(), "built-in function")
		}
	}
}

// signatureText is a function's text up to its body.
func signatureText(text string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p;"+text, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) == 0 {
		return "func"
	}
	if fn, ok := f.Decls[0].(*ast.FuncDecl); ok && fn.Body != nil {
		head := text[:int(fn.Body.Lbrace)-1-len("package p;")]
		return "func" + oneLine(strings.TrimSpace(head[strings.IndexByte(head, '('):]))
	}
	return "func"
}

// members lists what may stand behind a dot after an expression.
func (s *Session) members(e *env, base string, add func(name, about string)) {
	x, err := parser.ParseExpr(base)
	if err != nil {
		return
	}
	if id, ok := x.(*ast.Ident); ok && e.vars[id.Name] == nil && e.decls[id.Name] == nil {
		path := cmp.Or(e.imports[id.Name], s.auto[id.Name])
		if path == "" {
			return
		}
		pkg := s.imported(path)
		if pkg == nil {
			return
		}
		for _, name := range pkg.Scope().Names() {
			if obj := pkg.Scope().Lookup(name); obj.Exported() {
				add(name, about(obj, docOf(path, name)))
			}
		}
		return
	}
	if t := s.exprType(e, x); t != nil {
		membersOf(t, add)
	}
}

// membersOf lists the methods and fields of a type.
func membersOf(t types.Type, add func(name, about string)) {
	set := types.NewMethodSet(t)
	if _, ptr := t.Underlying().(*types.Pointer); !ptr && !types.IsInterface(t) {
		set = types.NewMethodSet(types.NewPointer(t)) // a variable is addressable
	}
	seen := map[string]bool{}
	for i := range set.Len() {
		obj := set.At(i).Obj()
		if obj.Exported() || atHome(obj) {
			seen[obj.Name()] = true
			add(obj.Name(), about(obj, methodDoc(obj)))
		}
	}
	fields(t, seen, 0, add)
}

// fields lists the fields of a struct, or of one that is pointed to, and those
// promoted from embedded ones.
func fields(t types.Type, seen map[string]bool, depth int, add func(name, about string)) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 4 {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if !seen[f.Name()] && (f.Exported() || atHome(f)) {
			seen[f.Name()] = true
			add(f.Name(), shortString(f.Type()))
		}
	}
	for i := range st.NumFields() {
		if f := st.Field(i); f.Embedded() {
			fields(f.Type(), seen, depth+1, add)
		}
	}
}

// atHome reports whether an object was declared at the prompt, where lower case
// is visible.
func atHome(obj types.Object) bool { return obj.Pkg() != nil && obj.Pkg().Path() == "main" }

// about describes an object.
func about(obj types.Object, doc string) string {
	var text string
	switch obj := obj.(type) {
	case *types.TypeName:
		text = "type"
		if _, ok := obj.Type().Underlying().(*types.Struct); ok {
			text = "struct type"
		} else if types.IsInterface(obj.Type()) {
			text = "interface type"
		}
	case *types.Const:
		text = "= " + obj.Val().String()
	default:
		text = shortString(obj.Type())
	}
	sig, comment, _ := strings.Cut(doc, "\n")
	if sig != "" {
		text = sig
	}
	if first := sentence(comment); first != "" {
		text += " — " + first
	}
	return text
}

// imported loads a package unless an input is being evaluated; then it is had
// only if it is loaded already.
func (s *Session) imported(path string) *types.Package {
	s.mu.Lock()
	p := s.loaded[path]
	s.mu.Unlock()
	if p != nil {
		return p
	}
	if !s.turn.TryLock() {
		return nil
	}
	defer s.turn.Unlock()
	return s.load(path)
}

// load imports a package; the caller has the turn.
func (s *Session) load(path string) *types.Package {
	p, err := s.ctx.Importer.Import(path)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded[path] = p
	return p
}

// exprType is the type of an expression, found without type-checking it whole;
// nil when it is beyond this.
func (s *Session) exprType(e *env, x ast.Expr) types.Type {
	switch x := x.(type) {
	case *ast.Ident:
		if v := e.vars[x.Name]; v != nil && v.typ != types.Typ[types.Invalid] {
			return v.typ
		}
		if t, ok := types.Universe.Lookup(x.Name).(*types.TypeName); ok && e.decls[x.Name] == nil {
			return t.Type()
		}
	case *ast.ParenExpr:
		return s.exprType(e, x.X)
	case *ast.StarExpr:
		if t := s.exprType(e, x.X); t != nil {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				return p.Elem()
			}
		}
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok && e.vars[id.Name] == nil {
			if path := cmp.Or(e.imports[id.Name], s.auto[id.Name]); path != "" {
				if pkg := s.imported(path); pkg != nil {
					if obj := pkg.Scope().Lookup(x.Sel.Name); obj != nil {
						return obj.Type()
					}
				}
				return nil
			}
		}
		if t := s.exprType(e, x.X); t != nil {
			var pkg *types.Package
			if n, ok := types.Unalias(deref(t)).(*types.Named); ok {
				pkg = n.Obj().Pkg()
			}
			if obj, _, _ := types.LookupFieldOrMethod(t, true, pkg, x.Sel.Name); obj != nil {
				return obj.Type()
			}
		}
	case *ast.CallExpr:
		if t := s.exprType(e, x.Fun); t != nil {
			if sig, ok := t.Underlying().(*types.Signature); ok && sig.Results().Len() == 1 {
				return sig.Results().At(0).Type()
			}
		}
	case *ast.IndexExpr:
		if t := s.exprType(e, x.X); t != nil {
			if el, ok := deref(t).Underlying().(interface{ Elem() types.Type }); ok {
				return el.Elem()
			}
		}
	}
	return s.literalType(e, x)
}

// literalType is the type of a literal, of its address, and of a type itself.
func (s *Session) literalType(e *env, x ast.Expr) types.Type {
	switch x := x.(type) {
	case *ast.CompositeLit:
		if x.Type != nil {
			return s.exprType(e, x.Type)
		}
	case *ast.UnaryExpr:
		if t := s.exprType(e, x.X); t != nil && x.Op == token.AND {
			return types.NewPointer(t)
		}
	case *ast.BasicLit:
		switch x.Kind {
		case token.INT:
			return types.Typ[types.Int]
		case token.FLOAT:
			return types.Typ[types.Float64]
		case token.STRING:
			return types.Typ[types.String]
		}
	case *ast.ArrayType:
		elem, pointer := x.Elt, false
		if star, ok := elem.(*ast.StarExpr); ok {
			elem, pointer = star.X, true
		}
		t := s.exprType(e, elem)
		if t == nil || x.Len != nil {
			return nil
		}
		if pointer {
			t = types.NewPointer(t)
		}
		return types.NewSlice(t)
	}
	return nil
}

// deref is what a pointer points to, or t.
func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
