package eval

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"sync"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"
	"golang.org/x/tools/go/ssa"
)

// A call through an interface, in ixgo v1.1.1, looks its method up with package
// reflect when the value's type is not one of the same interpreter. For a type
// that another interpreter made, that is, one declared in an earlier input, this
// takes a closure for machine code, and the process dies. It also keeps what it
// found in a variable that goroutines share. So all such calls become calls of a
// compiled helper of ours.

var (
	anyType  = reflect.TypeFor[any]()
	helperMu sync.Mutex
	helpers  = map[string]reflect.Value{} // by helperName
	methods  sync.Map                     // methodKey to reflect.Value of a func
)

// methodKey names a method of a type.
type methodKey struct {
	typ  reflect.Type
	name string
}

// helperName names the helper for methods of a name and numbers of parameters
// and results.
func helperName(name string, in, out int) string {
	return fmt.Sprintf("invoke__%s_%d_%d", name, in, out)
}

// throughHelper turns an interface call into a call of its helper.
func (s *Session) throughHelper(prog *ssa.Program, call *ssa.CallCommon) {
	sig := call.Signature()
	in, out := sig.Params().Len(), sig.Results().Len()
	name := call.Method.Name()
	key := helperName(name, in, out)
	// The helper takes and gives interfaces: that is what ixgo's registers hold.
	tuple := func(n int) *types.Tuple {
		v := make([]*types.Var, n)
		for i := range v {
			v[i] = types.NewVar(token.NoPos, nil, "", types.NewInterfaceType(nil, nil))
		}
		return types.NewTuple(v...)
	}
	f := prog.NewFunction(key, types.NewSignatureType(nil, nil, nil, tuple(in+1), tuple(out), false),
		"call through an interface")
	s.ctx.RegisterExternal(key, helper(key, name, in, out).Interface())
	call.Args = append([]ssa.Value{call.Value}, call.Args...)
	call.Value, call.Method = f, nil
}

// helper makes the compiled helper, or gives the one made before.
func helper(key, name string, in, out int) reflect.Value {
	helperMu.Lock()
	defer helperMu.Unlock()
	if h, ok := helpers[key]; ok {
		return h
	}
	list := func(n int) []reflect.Type {
		t := make([]reflect.Type, n)
		for i := range t {
			t[i] = anyType
		}
		return t
	}
	h := reflect.MakeFunc(reflect.FuncOf(list(in+1), list(out), false),
		func(args []reflect.Value) []reflect.Value {
			return invoke(name, args)
		})
	helpers[key] = h
	return h
}

// invoke calls a method of args[0], whatever made its type.
func invoke(name string, args []reflect.Value) []reflect.Value {
	recv := args[0].Elem()
	if !recv.IsValid() {
		panic(ixgo.RuntimeError("invalid memory address or nil pointer dereference"))
	}
	key := methodKey{recv.Type(), name}
	cached, ok := methods.Load(key)
	if !ok {
		m, found := reflectx.MethodByName(key.typ, name)
		if !found || !m.Func.IsValid() {
			panic(ixgo.RuntimeError(fmt.Sprintf("method %s of %v was not compiled in", name, key.typ)))
		}
		cached, _ = methods.LoadOrStore(key, m.Func)
	}
	f := cached.(reflect.Value)
	t := f.Type()
	in := make([]reflect.Value, len(args))
	in[0] = recv
	for i, a := range args[1:] {
		if in[i+1] = a.Elem(); !in[i+1].IsValid() {
			in[i+1] = reflect.Zero(t.In(i + 1))
		}
	}
	var out []reflect.Value
	if t.IsVariadic() {
		out = f.CallSlice(in)
	} else {
		out = f.Call(in)
	}
	for i, r := range out {
		v := reflect.New(anyType).Elem()
		if r.Kind() != reflect.Interface || !r.IsNil() {
			v.Set(r)
		}
		out[i] = v
	}
	return out
}

// away makes a compiled method known whose type's package is bound to no name: a value of
// lab.Get("a").Array("trails") is one of package wire. In ixgo v1.1.1 such a method, called on what
// a call gives, has no package, and without one its code is not looked up.
func (s *Session) away(f *ssa.Function) {
	recv := f.Signature.Recv()
	if recv == nil || f.Pkg != nil || len(f.Blocks) > 0 {
		return
	}
	if typ, ok := s.loader.LookupReflect(recv.Type()); ok {
		if m, ok := reflectx.MethodByName(typ, f.Name()); ok && m.Func.IsValid() {
			s.ctx.RegisterExternal(f.String(), m.Func.Interface())
		}
	}
}
