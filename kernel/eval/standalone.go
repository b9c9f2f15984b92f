package eval

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Standalone writes a program that makes one call of the input that is being evaluated, or
// was last: the call of a package's function whose first argument is a literal string, with
// the declarations of the session that its arguments use, at any distance. Variables of plain data
// are in it with their present values, see [literal]; others are not. The program is formatted Go;
// line is that of the call in it.
func (s *Session) Standalone(pkg, function, first string) (file []byte, line int, err error) {
	s.mu.Lock()
	c, p := s.latest, s.running
	s.mu.Unlock()
	if c == nil {
		return nil, 0, fmt.Errorf("eval: no input calls %s.%s", pkg, function)
	}
	call, text := c.call(pkg, function, first)
	if call == nil {
		return nil, 0, fmt.Errorf("eval: the input does not call %s.%s(%q, …) itself", pkg,
			function, first)
	}
	uses, pkgs := names(call)
	var decls []*decl
	have := map[*decl]bool{}
	var take func(uses map[string]bool)
	add := func(d *decl) {
		if have[d] {
			return
		}
		have[d] = true
		decls = append(decls, d)
		for p := range d.pkgs {
			pkgs[p] = true
		}
		take(d.uses)
	}
	take = func(uses map[string]bool) {
		for n := range uses {
			if d := c.env.decls[n]; d != nil {
				add(d)
			}
			for _, m := range c.env.methods[n] {
				add(m)
			}
		}
	}
	take(uses)
	slices.SortFunc(decls, func(a, b *decl) int {
		// always the same, whatever the order of inputs
		return strings.Compare(a.prefix+a.text, b.prefix+b.text)
	})
	var out bytes.Buffer
	out.WriteString("package main\n\n")
	var paths []string
	for p := range pkgs {
		path, ok := c.env.imports[p]
		if !ok {
			path, ok = s.auto[p]
		}
		if ok && c.env.decls[p] == nil {
			paths = append(paths, p+" "+strconv.Quote(path))
		}
	}
	slices.Sort(paths)
	for _, p := range paths {
		name, path, _ := strings.Cut(p, " ")
		if strings.HasSuffix(path, "/"+name+`"`) || path == strconv.Quote(name) {
			p = path
		}
		out.WriteString("import " + p + "\n")
	}
	for _, d := range decls {
		out.WriteString("\n" + d.prefix + d.text + "\n")
	}
	main := "\nfunc main() {\n\t" + text + "\n}\n"
	out.WriteString(c.literals(p, out.String()+main))
	out.WriteString(main)
	if file, err = format.Source(out.Bytes()); err != nil {
		return nil, 0, fmt.Errorf("eval: %w", err)
	}
	return file, bytes.Count(file[:bytes.LastIndex(file, []byte("\nfunc main()"))], []byte("\n")) + 3,
		nil
}

// call finds a call among the statements of the input.
func (c *cell) call(pkg, function, first string) (found *ast.CallExpr, text string) {
	const before = "package p;func _() {"
	for _, ch := range c.chunks {
		src := before + ch.text + "\n}"
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != function {
				return true
			}
			id, ok := sel.X.(*ast.Ident)
			lit, isLit := call.Args[0].(*ast.BasicLit)
			if !ok || !isLit || id.Name != pkg || lit.Value != strconv.Quote(first) &&
				lit.Value != "`"+first+"`" {
				return true
			}
			found = call
			text = src[fset.Position(call.Pos()).Offset:fset.Position(call.End()).Offset]
			return true
		})
	}
	return found, text
}

// Unused drops the imports from a program that a compiler calls unused: what a name before a
// dot means is only known when the types are.
func Unused(file []byte, compiler string) (smaller []byte, changed bool) {
	var out [][]byte
	for _, line := range bytes.SplitAfter(file, []byte("\n")) {
		path, isImport := bytes.CutPrefix(bytes.TrimSpace(line), []byte("import "))
		if isImport && strings.Contains(compiler, string(path[bytes.IndexByte(path, '"'):])+" imported") {
			changed = true
			continue
		}
		out = append(out, line)
	}
	return bytes.Join(out, nil), changed
}
