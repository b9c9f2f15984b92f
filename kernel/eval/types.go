package eval

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/types/typeutil"
)

const (
	typesPath = "prompt/types" // import path of the package of compiled types
	typesName = "types__"      // its name in cells
	oldSuffix = "__old"        // what a name is called in the cell that declares it again
	pkgSuffix = "__pkg"        // a package whose name now means something else
)

// loader is ixgo's loader with a memory for the types declared at the prompt.
// Each ixgo interpreter, and so each cell, would make reflect types of its own
// for them, and a value made in one cell would not be of "the same" type in the
// next. It also guards the loader's caches against goroutines of earlier cells.
type loader struct {
	ixgo.Loader
	mu    sync.Mutex
	types map[string]reflect.Type // by typeKey

	importing bool // only while a cell is compiled, so by one goroutine
}

// Import is the loader's, but takes the imports off compiled packages: their
// code is not interpreted, and without them a cell that says fmt need not build
// all that fmt stands on.
func (l *loader) Import(path string) (*types.Package, error) {
	if !l.importing { // a package's source imports others in turn
		l.mu.Lock()
		l.importing = true
		defer func() { l.importing = false; l.mu.Unlock() }()
	}
	p, err := l.Loader.Import(path)
	if err == nil && path != typesPath {
		if reg, ok := ixgo.LookupPackage(path); ok && reg.Source == "" {
			p.SetImports(nil)
		}
	}
	return p, err
}

// LookupReflect gives the reflect type that an earlier cell made.
func (l *loader) LookupReflect(t types.Type) (reflect.Type, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if key := typeKey(t); key != "" {
		rt, ok := l.types[key]
		return rt, ok
	}
	return l.Loader.LookupReflect(t)
}

// LookupTypes is the loader's, guarded.
func (l *loader) LookupTypes(rt reflect.Type) (types.Type, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Loader.LookupTypes(rt)
}

// remember keeps the reflect type of t.
func (l *loader) remember(t types.Type, rt reflect.Type) {
	if key := typeKey(t); key != "" && rt != nil {
		l.mu.Lock()
		l.types[key] = rt
		l.mu.Unlock()
	}
}

// remembers is remember for a caller that holds the lock.
func (l *loader) remembers(t types.Type, rt reflect.Type) {
	if key := typeKey(t); key != "" {
		l.types[key] = rt
	}
}

// known reports whether a type of the prompt has its reflect type already.
func (l *loader) known(t types.Type) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.types[typeKey(t)]
	return ok
}

// forget drops the reflect types that mention one of the named types.
func (l *loader) forget(names map[string]bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key := range l.types {
		for _, w := range strings.FieldsFunc(key,
			func(r rune) bool { return strings.ContainsRune("[], *{}();", r) }) {
			if n, ok := strings.CutPrefix(w, "main."); ok && names[n] {
				delete(l.types, key)
				break
			}
		}
	}
}

// typeKey names a type whose reflect type an interpreter makes: one declared at
// the prompt, or an instance of a generic one. It is "" for all others, and for
// types that exist only inside of one function.
func typeKey(t types.Type) string {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil || (n.Obj().Pkg().Path() != "main" && n.TypeArgs().Len() == 0) ||
		!lasting(t, nil) {
		return ""
	}
	return strings.ReplaceAll(types.TypeString(t, func(p *types.Package) string { return p.Path() }),
		oldSuffix, "")
}

// atPrompt reports whether a named type was declared at the prompt.
func atPrompt(n *types.Named) bool {
	return n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "main"
}

// lasting reports whether a type means something outside of one function: it
// has neither type parameters nor types declared in a function.
func lasting(t types.Type, local **types.TypeName) bool {
	ok := true
	walk(t, func(t types.Type) {
		switch t := t.(type) {
		case *types.TypeParam:
			ok = false
		case *types.Named:
			if atPrompt(t) && t.Obj().Parent() != nil && t.Obj().Parent() != t.Obj().Pkg().Scope() {
				ok = false
				if local != nil {
					*local = t.Obj()
				}
			}
			if t.TypeArgs().Len() == 0 && t.TypeParams().Len() > 0 {
				ok = false
			}
		}
	})
	return ok
}

// walk visits the parts that a type is written with; it does not look inside of
// named types.
func walk(t types.Type, f func(types.Type)) {
	f(t)
	switch t := t.(type) {
	case *types.Alias:
		walk(types.Unalias(t), f)
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			walk(t.TypeArgs().At(i), f)
		}
	case interface{ Elem() types.Type }: // pointer, slice, array, channel, map
		if m, ok := t.(*types.Map); ok {
			walk(m.Key(), f)
		}
		walk(t.Elem(), f)
	case *types.Struct:
		for i := range t.NumFields() {
			walk(t.Field(i).Type(), f)
		}
	case *types.Signature:
		for i := range t.Params().Len() {
			walk(t.Params().At(i).Type(), f)
		}
		for i := range t.Results().Len() {
			walk(t.Results().At(i).Type(), f)
		}
	case *types.Interface:
		for i := range t.NumExplicitMethods() {
			walk(t.ExplicitMethod(i).Type(), f)
		}
		for i := range t.NumEmbeddeds() {
			walk(t.EmbeddedType(i), f)
		}
	}
}

// depsOf lists the prompt's types that a type is written with.
func depsOf(t types.Type) (deps []string) {
	walk(t, func(t types.Type) {
		if n, ok := t.(*types.Named); ok && atPrompt(n) && !slices.Contains(deps, n.Obj().Name()) {
			deps = append(deps, n.Obj().Name())
		}
	})
	return deps
}

// writer writes types as Go text for a cell. Compiled types, which may have no
// name that an input could write (unexported, or shadowed by a variable, or made
// by reflection from an instance of a generic type), become aliases in a package
// of our own, so each is the very same type in every cell.
type writer struct {
	aliases *types.Package
	index   *typeutil.Map           // type to its alias's name
	pkgs    map[*types.Package]bool // packages that they need
	renamed map[string]bool         // names that carry oldSuffix in this cell
}

// newWriter makes the package of aliases.
func newWriter() *writer {
	w := &writer{aliases: types.NewPackage(typesPath, typesName), index: new(typeutil.Map)}
	w.aliases.MarkComplete()
	w.reset()
	return w
}

// reset forgets which packages the last cell needed.
func (w *writer) reset() {
	w.pkgs, w.renamed = map[*types.Package]bool{}, map[string]bool{}
}

// used sets the imports of the package of aliases to what this cell needs.
func (w *writer) used() {
	var list []*types.Package
	for p := range w.pkgs {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	w.aliases.SetImports(list)
}

// text writes t.
func (w *writer) text(t types.Type) string {
	if b, ok := t.(*types.Basic); ok && b.Kind() != types.UnsafePointer {
		return b.Name()
	}
	if len(depsOf(t)) == 0 {
		return w.alias(t)
	}
	switch t := t.(type) {
	case *types.Alias:
		return w.text(types.Unalias(t))
	case *types.Named:
		name := t.Obj().Name()
		if !atPrompt(t) {
			// A compiled package's generic type over a type of the prompt; its
			// source is loaded, so the generic type itself has an alias.
			name = w.alias(t.Origin())
		} else if w.renamed[name] {
			name += oldSuffix
		}
		if t.TypeArgs().Len() == 0 {
			return name
		}
		var args []string
		for i := range t.TypeArgs().Len() {
			args = append(args, w.text(t.TypeArgs().At(i)))
		}
		return name + "[" + strings.Join(args, ", ") + "]"
	case *types.Pointer:
		return "*" + w.text(t.Elem())
	case *types.Slice:
		return "[]" + w.text(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), w.text(t.Elem()))
	case *types.Map:
		return "map[" + w.text(t.Key()) + "]" + w.text(t.Elem())
	case *types.Chan:
		return [...]string{
			types.SendRecv: "chan (", types.SendOnly: "chan<- (",
			types.RecvOnly: "<-chan (",
		}[t.Dir()] + w.text(t.Elem()) + ")"
	case *types.Signature:
		return "func" + w.signature(t)
	case *types.Struct:
		var b strings.Builder
		b.WriteString("struct{")
		for i := range t.NumFields() {
			if f := t.Field(i); f.Embedded() {
				b.WriteString(w.text(f.Type()))
			} else {
				b.WriteString(f.Name() + " " + w.text(f.Type()))
			}
			if tag := t.Tag(i); tag != "" {
				fmt.Fprintf(&b, " %q", tag)
			}
			b.WriteString("; ")
		}
		return b.String() + "}"
	case *types.Interface:
		var b strings.Builder
		b.WriteString("interface{")
		for i := range t.NumExplicitMethods() {
			m := t.ExplicitMethod(i)
			b.WriteString(m.Name() + w.signature(m.Type().(*types.Signature)) + "; ")
		}
		for i := range t.NumEmbeddeds() {
			b.WriteString(w.text(t.EmbeddedType(i)) + "; ")
		}
		return b.String() + "}"
	}
	return t.String()
}

// signature writes a function's parameters and results.
func (w *writer) signature(t *types.Signature) string {
	list := func(v *types.Tuple, variadic bool) string {
		var s []string
		for i := range v.Len() {
			if variadic && i == v.Len()-1 {
				s = append(s, "..."+w.text(v.At(i).Type().(*types.Slice).Elem()))
			} else {
				s = append(s, w.text(v.At(i).Type()))
			}
		}
		return "(" + strings.Join(s, ", ") + ")"
	}
	return list(t.Params(), t.Variadic()) + list(t.Results(), false)
}

// alias names a compiled type in our package.
func (w *writer) alias(t types.Type) string {
	walk(t, func(t types.Type) {
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			w.pkgs[n.Obj().Pkg()] = true
		}
	})
	if n, ok := t.(*types.Named); ok && n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0 {
		// aliases of generic types take parameters: use the name
		return n.Obj().Pkg().Name() + "." + n.Obj().Name()
	}
	name, ok := w.index.At(t).(string)
	if !ok {
		name = fmt.Sprintf("T%d", w.index.Len())
		w.index.Set(t, name)
		// Not a types.Alias: ixgo does not look through these everywhere.
		w.aliases.Scope().Insert(types.NewTypeName(token.NoPos, w.aliases, name, t))
	}
	return typesName + "." + name
}

// shortString writes a type for people: package names, no paths.
func shortString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}
