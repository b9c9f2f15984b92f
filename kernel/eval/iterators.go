package eval

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"sync"

	"github.com/goplus/ixgo"
)

// ixgo knows compiled packages by reflection, and reflection knows an instance
// of a generic type, such as the iter.Seq[float64] that a method returns, only
// as a type with an odd name. Package iter itself is interpreted, so the same
// type exists twice and slices.Collect does not take the compiled one. The
// loader looks such a name up in the scope of package iter before it makes a type
// of its own; so we put the true instance there, under the odd name.
//
// It must be there before the package's functions are read, and its type
// arguments may be types of that very package. The moment between is when ixgo
// loads the package's dependencies: we give it one more, whose source imports a
// path of ours, and act when that import is asked for.
const (
	hookPath  = "prompt/hook/"   // imported by
	beforePkg = "prompt/before/" // the source of this package, a dependency of the bound one
)

// hookAll adds the dependency to all bound packages but Go's own, once and before any session is
// there: sessions read ixgo's table of packages, which has no lock.
var hookAll = sync.OnceFunc(func() {
	for _, path := range ixgo.PackageList() {
		first, _, _ := strings.Cut(path, "/")
		if first == "metalab" || strings.Contains(first, ".") {
			hook(path)
		}
	}
})

// hook adds the dependency to a bound package.
func hook(path string) {
	pkg, ok := ixgo.LookupPackage(path)
	if !ok || pkg.Source != "" || pkg.Deps["iter"] == "" {
		return
	}
	pkg.Deps[beforePkg+path] = "before"
	ixgo.RegisterPackage(&ixgo.Package{
		Name: "before", Path: beforePkg + path, Deps: map[string]string{},
		Source: fmt.Sprintf("package before\n\nimport _ %q\n", hookPath+path),
	})
}

// importer is ixgo's importer, with the hook.
type importer struct {
	types.Importer
	s *Session
}

// Import imports a package.
func (i importer) Import(path string) (*types.Package, error) {
	bound, ok := strings.CutPrefix(path, hookPath)
	if !ok {
		return i.Importer.Import(path)
	}
	if err := i.s.nameInstances(bound); err != nil {
		return nil, err
	}
	p := types.NewPackage(path, "hook")
	p.MarkComplete()
	return p, nil
}

// nameInstances puts the instances of iter's types that a bound package
// mentions into the scope of package iter.
func (s *Session) nameInstances(path string) error {
	pkg, ok := ixgo.LookupPackage(path)
	if !ok {
		return fmt.Errorf("package %q is not registered", path)
	}
	iter, err := s.ctx.Importer.Import("iter")
	if err != nil {
		return err
	}
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		if t.PkgPath() == "iter" && strings.Contains(t.Name(), "[") {
			for i := range t.In(0).NumIn() {
				visit(t.In(0).In(i))
			}
			s.nameInstance(iter, t)
			return
		}
		if t.Name() != "" {
			if t.PkgPath() != path {
				return
			}
			for _, m := range []reflect.Type{t, reflect.PointerTo(t)} {
				for i := range m.NumMethod() {
					visit(m.Method(i).Type)
				}
			}
		}
		switch t.Kind() {
		case reflect.Map:
			visit(t.Key())
			visit(t.Elem())
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
			visit(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				visit(t.Field(i).Type)
			}
		case reflect.Func:
			for i := range t.NumIn() {
				visit(t.In(i))
			}
			for i := range t.NumOut() {
				visit(t.Out(i))
			}
		}
	}
	for _, m := range []map[string]reflect.Type{pkg.NamedTypes, pkg.Interfaces} {
		for _, t := range m {
			visit(t)
		}
	}
	for _, m := range []map[string]reflect.Value{pkg.Funcs, pkg.Vars} {
		for _, v := range m {
			visit(v.Type())
		}
	}
	return nil
}

// nameInstance enters one instance.
func (s *Session) nameInstance(iter *types.Package, rt reflect.Type) {
	name, _, _ := strings.Cut(rt.Name(), "[")
	generic, ok := iter.Scope().Lookup(name).(*types.TypeName)
	if !ok || iter.Scope().Lookup(rt.Name()) != nil {
		return
	}
	var args []types.Type
	for i := range rt.In(0).NumIn() {
		args = append(args, s.toType(rt.In(0).In(i)))
	}
	inst, err := types.Instantiate(nil, generic.Type(), args, false)
	if err != nil {
		return
	}
	iter.Scope().Insert(types.NewTypeName(token.NoPos, iter, rt.Name(), inst))
	s.loader.remembers(inst, rt)
}
