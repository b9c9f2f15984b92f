package ptx

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

// A prim is the representation of a basic type: a register of class cls, sign- or zero-extended to
// 32 bits if it has fewer.
type prim struct {
	cls    byte
	bits   int
	signed bool
}

var (
	pint = prim{'d', 64, true}
	pu64 = prim{'d', 64, false}
)

// t is the type in arithmetic: s32, u64, f64.
func (p prim) t() string {
	switch {
	case p.cls == 'f':
		return "f32"
	case p.cls == 'F':
		return "f64"
	case p.signed:
		return fmt.Sprintf("s%d", max(p.bits, 32))
	}
	return fmt.Sprintf("u%d", max(p.bits, 32))
}

// mem is the type of a load or a store: u8, s16, f64.
func (p prim) mem() string {
	if p.cls == 'p' {
		return "u8"
	}
	if p.bits < 32 && p.signed {
		return fmt.Sprintf("s%d", p.bits)
	}
	if p.bits < 32 {
		return fmt.Sprintf("u%d", p.bits)
	}
	return p.t()
}

func (p prim) float() bool { return p.cls == 'f' || p.cls == 'F' }

func primOf(t types.Type) (prim, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return prim{}, false
	}
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		return prim{'p', 8, false}, true
	case types.Int, types.Int64, types.UntypedInt:
		return pint, true
	case types.Uint, types.Uint64, types.Uintptr:
		return pu64, true
	case types.Int8, types.Int16, types.Int32, types.UntypedRune:
		return prim{'r', int(8 * sizes.Sizeof(b)), true}, true
	case types.Uint8, types.Uint16, types.Uint32:
		return prim{'r', int(8 * sizes.Sizeof(b)), false}, true
	case types.Float32:
		return prim{'f', 32, true}, true
	case types.Float64, types.UntypedFloat:
		return prim{'F', 64, true}, true
	}
	return prim{}, false
}

// A kind is a leaf of a type: what one register keeps.
type kind struct {
	prim
	off     int64      // in memory
	address bool       // of a slice's elements
	elem    types.Type // of such elements
}

// leaves flattens a type into the kinds that registers hold.
func (c *compiler) leaves(t types.Type) (ks []kind) {
	add := func(u types.Type, at int64) {
		for _, k := range c.leaves(u) {
			k.off += at
			ks = append(ks, k)
		}
	}
	if p, ok := primOf(t); ok {
		return []kind{{prim: p}}
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return []kind{{prim: pu64, address: true, elem: u.Elem()}, {prim: pint, off: 8}}
	case *types.Struct:
		var fs []*types.Var
		for i := range u.NumFields() {
			fs = append(fs, u.Field(i))
		}
		for i, at := range sizes.Offsetsof(fs) {
			add(fs[i].Type(), at)
		}
		return ks
	case *types.Array:
		if u.Len() > 4096 {
			c.refuse("an array of %d elements as a value; at most 4096: index it in place", u.Len())
		}
		for i := range u.Len() {
			add(u.Elem(), i*sizes.Sizeof(u.Elem()))
		}
		return ks
	case *types.Tuple:
		for i := range u.Len() {
			add(u.At(i).Type(), 0)
		}
		return ks
	case *types.Pointer, *types.Signature:
		return nil
	}
	c.refuse("the type %s is not in the subset%s", short(t), instead(t))
	return nil
}

// layout describes how a type lies in memory: its size, and the type and place of each number.
func (c *compiler) layout(t types.Type) string {
	s := fmt.Sprint(sizes.Sizeof(t), ":")
	for _, k := range c.leaves(t) {
		name := k.mem()
		if k.cls == 'p' {
			name = "bool"
		}
		s += fmt.Sprintf(" %s@%d", name, k.off)
	}
	return s
}

// names gives every leaf of a type its name in Go.
func names(t types.Type, name string) (all []string) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return []string{name, "len(" + name + ")"}
	case *types.Struct:
		for i := range u.NumFields() {
			all = append(all, names(u.Field(i).Type(), name+"."+u.Field(i).Name())...)
		}
		return all
	case *types.Array:
		for i := range u.Len() {
			all = append(all, names(u.Elem(), fmt.Sprintf("%s[%d]", name, i))...)
		}
		return all
	}
	return []string{name}
}

func short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// instead says what to write for a type that is refused.
func instead(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return ": use slices, or arrays indexed by a number"
	case *types.Chan:
		return ": threads talk through slices, shared arrays and atomic operations"
	case *types.Interface:
		return ": a type parameter or a function value that is known when compiling does the same"
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return ": use []uint8"
		}
		if u.Info()&types.IsComplex != 0 {
			return ": use a structure of two numbers"
		}
	}
	return ""
}

// constant makes the leaves of a constant.
func (c *compiler) constant(k *ssa.Const) *val {
	p, ok := primOf(k.Type())
	if !ok || k.Value == nil {
		v := &val{}
		for _, l := range c.leaves(k.Type()) {
			v.a = append(v.a, leaf{arg: zero(l.cls)})
		}
		return v
	}
	return one(literal(p, k.Value))
}

func literal(p prim, v constant.Value) arg {
	switch {
	case p.cls == 'p':
		return truth(constant.BoolVal(v))
	case p.cls == 'f':
		x, _ := constant.Float32Val(constant.ToFloat(v))
		return f32v(x)
	case p.cls == 'F':
		x, _ := constant.Float64Val(constant.ToFloat(v))
		return f64(x)
	}
	v = constant.ToInt(v)
	var x uint64
	if i, ok := constant.Int64Val(v); ok {
		x = uint64(i)
	} else {
		x, _ = constant.Uint64Val(v)
	}
	if p.cls == 'r' {
		return num32(int32(uint32(x)))
	}
	return num64(int64(x))
}

// fieldAt is the number of leaves before field k.
func (c *compiler) fieldAt(st *types.Struct, k int) (at int) {
	for i := range k {
		at += len(c.leaves(st.Field(i).Type()))
	}
	return at
}

func pointee(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

// elemOf is the type of the elements of a slice (length -1) or an array, or a pointer to one.
func elemOf(t types.Type) (types.Type, int64) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem(), -1
	case *types.Array:
		return u.Elem(), u.Len()
	case *types.Pointer:
		return elemOf(u.Elem())
	}
	return nil, 0
}

func hasArray(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return true
	case *types.Struct:
		for i := range u.NumFields() {
			if hasArray(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// nan is the NaN that min and max give, of class cls.
func nan(cls byte) arg { return real(cls, math.NaN()) }
