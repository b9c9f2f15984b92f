// Package binding writes the files that bind a compiled Go package to the
// prompt: see package metalab/kernel/eval/bind for what they are for. The command is
// metalab/kernel/eval/bind/gen.
package binding

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/doc"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Generate writes the binding of the package with the given import path, as a
// file of a package of the given name. It runs the go command, in dir, to build
// the package's imports, so it works wherever the package builds.
func Generate(dir, importPath, packageName string) ([]byte, error) {
	p, err := load(dir, importPath)
	if err != nil {
		return nil, fmt.Errorf("binding: %s: %w", importPath, err)
	}
	return p.write(packageName)
}

// Check compares a generated file with what Generate would write now; a
// difference is an error that says what to run.
func Check(dir, importPath, file string) error {
	have, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("binding: %w", err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, have, parser.PackageClauseOnly)
	if err != nil {
		return fmt.Errorf("binding: %w", err)
	}
	want, err := Generate(dir, importPath, f.Name.Name)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return fmt.Errorf("binding: %s is not what package %s is now: run go generate in %s", file,
			importPath, filepath.Dir(file))
	}
	return nil
}

// module begins the import paths of our packages.
const module = "metalab/"

// source is a type-checked package with its comments.
type source struct {
	pkg *types.Package
	doc *doc.Package
}

// load type-checks a package from its source, over the export data of its
// imports.
func load(dir, path string) (*source, error) {
	run := func(args ...string) (string, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(errs.String()))
		}
		return string(out), nil
	}
	files, err := run("list", "-f", "{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}", path)
	if err != nil {
		return nil, err
	}
	exports, err := run("list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", path)
	if err != nil {
		return nil, err
	}
	export := map[string]string{}
	for l := range strings.Lines(exports) {
		if p, file, ok := strings.Cut(strings.TrimSpace(l), "\t"); ok {
			export[p] = file
		}
	}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range strings.Fields(files) {
		a, err := parser.ParseFile(fset, f, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, a)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc",
		func(p string) (io.ReadCloser, error) {
			if export[p] == "" {
				return nil, fmt.Errorf("no export data for %s", p)
			}
			return os.Open(export[p])
		})}
	pkg, err := conf.Check(path, fset, parsed, nil)
	if err != nil {
		return nil, err
	}
	d, err := doc.NewFromFiles(fset, parsed, path)
	if err != nil {
		return nil, err
	}
	return &source{pkg, d}, nil
}

// deprecated reports whether a function is there for old programs alone; it is not bound.
func (p *source) deprecated(name string) bool {
	return slices.ContainsFunc(p.doc.Funcs, func(f *doc.Func) bool {
		return f.Name == name && strings.Contains(f.Doc, "Deprecated: ")
	})
}

// matrices reports whether a function, or a method of a type, takes matrices of gonum, which are
// bound nowhere: no input could make one. Without them a page need not have gonum's linear algebra.
func matrices(obj types.Object) bool {
	says := func(t types.Type) bool {
		return strings.Contains(types.TypeString(t, nil), "gonum.org/v1/gonum/mat.")
	}
	switch obj := obj.(type) {
	case *types.Func:
		return says(obj.Type())
	case *types.TypeName:
		n, ok := obj.Type().(*types.Named)
		return ok && slices.ContainsFunc(slices.Collect(n.Methods()),
			func(m *types.Func) bool { return m.Exported() && says(m.Type()) })
	}
	return false
}

// write writes the binding.
func (p *source) write(packageName string) ([]byte, error) {
	var named, interfaces, aliases, vars, funcs, typed, untyped []string
	docs := p.comments()
	scope := p.pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() || p.deprecated(name) || matrices(obj) {
			continue
		}
		switch obj := obj.(type) {
		case *types.TypeName:
			entry := fmt.Sprintf("%q: reflect.TypeFor[q.%s](),", name, name)
			if a, ok := obj.Type().(*types.Alias); ok {
				if a.TypeParams().Len() > 0 {
					return nil, p.generic("type", name)
				}
				if n, ok := types.Unalias(a).(*types.Named); ok && n.TypeArgs().Len() > 0 {
					return nil, fmt.Errorf("binding: %s.%s is an alias of an instance of a generic type, which "+
						"inputs could not use: define a type", p.pkg.Path(), name)
				}
				aliases = append(aliases, entry)
				continue
			}
			n := obj.Type().(*types.Named)
			if n.TypeParams().Len() > 0 {
				return nil, p.generic("type", name)
			}
			if types.IsInterface(n) {
				if !n.Underlying().(*types.Interface).IsMethodSet() {
					return nil, p.generic("constraint", name)
				}
				interfaces = append(interfaces, entry)
				p.describe(name, n.Underlying().(*types.Interface), docs)
			} else {
				named = append(named, entry)
			}
			for i := range n.NumMethods() {
				if m := n.Method(i); m.Exported() {
					docs[name+"."+m.Name()] = p.signature(m) + "\n" + docs[name+"."+m.Name()]
				}
			}
		case *types.Func:
			if obj.Type().(*types.Signature).TypeParams().Len() > 0 {
				return nil, p.generic("function", name)
			}
			funcs = append(funcs, fmt.Sprintf("%q: reflect.ValueOf(q.%s),", name, name))
			docs[name] = p.signature(obj) + "\n" + docs[name]
			continue
		case *types.Var:
			vars = append(vars, fmt.Sprintf("%q: reflect.ValueOf(&q.%s),", name, name))
		case *types.Const:
			if b, ok := obj.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
				untyped = append(untyped, fmt.Sprintf("%q: {Typ: %q, Value: %s},", name, b.Name(),
					value(obj.Val())))
			} else {
				typed = append(typed, fmt.Sprintf("%q: {Typ: reflect.TypeOf(q.%s), Value: %s},", name, name,
					value(obj.Val())))
			}
		}
		if docs[name] != "" {
			docs[name] = "\n" + docs[name]
		}
	}
	var deps []string
	for _, d := range p.pkg.Imports() {
		deps = append(deps, fmt.Sprintf("%q: %q,", d.Path(), d.Name()))
	}
	slices.Sort(deps)
	var text []string
	for key, d := range docs {
		if strings.TrimSpace(d) != "" {
			text = append(text, fmt.Sprintf("%q: %q,", key, strings.TrimRight(d, "\n")))
		}
	}
	slices.Sort(text)

	var b bytes.Buffer
	fmt.Fprintf(&b,
		"// Code generated by metalab/kernel/eval/bind/gen from package %s; DO NOT EDIT.\n\npackage "+
			"%s\n\nimport (\n", p.pkg.Path(), packageName)
	if len(typed)+len(untyped) > 0 {
		b.WriteString("\"go/constant\"\n")
		if strings.Contains(strings.Join(slices.Concat(typed, untyped), ""), "token.") {
			b.WriteString("\"go/token\"\n")
		}
	}
	q := "q"
	if len(named)+len(interfaces)+len(aliases)+len(vars)+len(funcs)+len(typed) == 0 {
		q = "_"
	}
	fmt.Fprintf(&b, "\"reflect\"\n\n%s %q\n\"metalab/kernel/eval\"\n\n", q, p.pkg.Path())
	fmt.Fprint(&b, "\"github.com/goplus/ixgo\"\n)\n\n")
	fmt.Fprintf(&b, "func init() {\nixgo.RegisterPackage(&ixgo.Package{\nName: %q,\nPath: %q,\n",
		p.pkg.Name(), p.pkg.Path())
	table := func(field, typ string, rows []string) {
		fmt.Fprintf(&b, "%s: map[string]%s{\n%s\n},\n", field, typ, strings.Join(rows, "\n"))
	}
	table("Deps", "string", deps)
	table("Interfaces", "reflect.Type", interfaces)
	table("NamedTypes", "reflect.Type", named)
	table("AliasTypes", "reflect.Type", aliases)
	table("Vars", "reflect.Value", vars)
	table("Funcs", "reflect.Value", funcs)
	table("TypedConsts", "ixgo.TypedConst", typed)
	table("UntypedConsts", "ixgo.UntypedConst", untyped)
	fmt.Fprintf(&b, "})\neval.RegisterDocs(%q, map[string]string{\n%s\n})\n}\n", p.pkg.Path(),
		strings.Join(text, "\n"))
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("binding: generated text: %w", err)
	}
	return out, nil
}

// generic is the error of an exported generic thing.
func (p *source) generic(what, name string) error {
	return fmt.Errorf("binding: %s.%s is a generic %s, which inputs could not use: give it concrete "+
		"types, or do not export it", p.pkg.Path(), name, what)
}

// signature writes a function's parameters and results, with their names.
func (p *source) signature(f *types.Func) string {
	return types.TypeString(f.Type(), func(q *types.Package) string {
		if q == p.pkg {
			return ""
		}
		return q.Name()
	})
}

// comments are the comments of the package, of ours only: what others have written about
// theirs is not copied.
func (p *source) comments() map[string]string {
	if !strings.HasPrefix(p.pkg.Path(), module) {
		return map[string]string{}
	}
	text := func(comment string) string { return strings.TrimSpace(string(p.doc.Text(comment))) }
	m := map[string]string{"": text(p.doc.Doc)}
	if m[""] != "" {
		m[""] = "\n" + m[""]
	}
	funcs := func(prefix string, list []*doc.Func) {
		for _, f := range list {
			m[prefix+f.Name] = text(f.Doc)
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, n := range v.Names {
				if len(v.Names) == 1 {
					m[n] = text(v.Doc)
				}
			}
		}
	}
	funcs("", p.doc.Funcs)
	values(p.doc.Consts)
	values(p.doc.Vars)
	for _, t := range p.doc.Types {
		m[t.Name] = text(t.Doc)
		funcs("", t.Funcs)
		funcs(t.Name+".", t.Methods)
		values(t.Consts)
		values(t.Vars)
	}
	return m
}

// describe adds the methods of an interface to docs, with their comments where they are ours.
func (p *source) describe(name string, t *types.Interface, docs map[string]string) {
	for i := range t.NumExplicitMethods() {
		if m := t.ExplicitMethod(i); m.Exported() {
			docs[name+"."+m.Name()] = p.signature(m) + "\n"
		}
	}
	if !strings.HasPrefix(p.pkg.Path(), module) {
		return
	}
	for _, d := range p.doc.Types {
		if d.Name != name {
			continue
		}
		ast.Inspect(d.Decl, func(x ast.Node) bool {
			it, ok := x.(*ast.InterfaceType)
			if !ok {
				return true
			}
			for _, f := range it.Methods.List {
				for _, id := range f.Names {
					if docs[name+"."+id.Name] != "" {
						docs[name+"."+id.Name] += strings.TrimSpace(string(p.doc.Text(f.Doc.Text())))
					}
				}
			}
			return false
		})
	}
}

// value writes a constant's value exactly.
func value(v constant.Value) string {
	switch v.Kind() {
	case constant.Bool:
		return fmt.Sprintf("constant.MakeBool(%t)", constant.BoolVal(v))
	case constant.String:
		return fmt.Sprintf("constant.MakeString(%q)", constant.StringVal(v))
	case constant.Int:
		if i, ok := constant.Int64Val(v); ok {
			return fmt.Sprintf("constant.MakeInt64(%d)", i)
		}
		return fmt.Sprintf("constant.MakeFromLiteral(%q, token.INT, 0)", v.ExactString())
	case constant.Float:
		num, den := constant.Num(v), constant.Denom(v)
		return fmt.Sprintf("constant.BinaryOp(%s, token.QUO, %s)", number(num), number(den))
	case constant.Complex:
		return fmt.Sprintf("constant.BinaryOp(constant.ToComplex(%s), token.ADD, constant.MakeImag(%s))",
			value(constant.Real(v)), value(constant.Imag(v)))
	}
	return "nil"
}

// number writes an integer constant of any size as a float constant.
func number(v constant.Value) string {
	return fmt.Sprintf("constant.MakeFromLiteral(%q, token.FLOAT, 0)", v.ExactString()+".0")
}
