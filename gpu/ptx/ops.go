package ptx

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// value lowers an instruction that has a value.
func (c *compiler) value(fr *frame, in ssa.Value) *val {
	switch in := in.(type) {
	case *ssa.BinOp:
		return one(c.binary(fr, in))
	case *ssa.UnOp:
		return c.unary(fr, in)
	case *ssa.ChangeType:
		return c.get(fr, in.X)
	case *ssa.Convert:
		from, ok1 := primOf(in.X.Type())
		to, ok2 := primOf(in.Type())
		if !ok1 || !ok2 {
			c.refuse("the conversion of %s to %s is not in the subset%s", short(in.X.Type()),
				short(in.Type()), instead(in.Type()))
		}
		return one(c.convert(c.one(fr, in.X), from, to))
	case *ssa.IndexAddr:
		return &val{ptr: c.indexAddr(fr, in)}
	case *ssa.FieldAddr:
		p := *c.pointerOf(fr, in.X)
		st := pointee(in.X.Type()).Underlying().(*types.Struct)
		p.off += c.fieldAt(st, in.Field)
		var fs []*types.Var
		for i := range st.NumFields() {
			fs = append(fs, st.Field(i))
		}
		p.disp += sizes.Offsetsof(fs)[in.Field]
		return &val{ptr: &p}
	case *ssa.Field:
		at := c.fieldAt(in.X.Type().Underlying().(*types.Struct), in.Field)
		return c.part(c.get(fr, in.X), at, in.Type())
	case *ssa.Extract:
		at, tu := 0, in.Tuple.Type().(*types.Tuple)
		for i := range in.Index {
			at += len(c.leaves(tu.At(i).Type()))
		}
		return c.part(c.get(fr, in.Tuple), at, in.Type())
	case *ssa.Index:
		return c.indexValue(fr, in)
	case *ssa.Slice:
		return c.slice(fr, in)
	case *ssa.MakeClosure:
		v := &val{fn: in.Fn.(*ssa.Function)}
		for _, b := range in.Bindings {
			v.bind = append(v.bind, c.get(fr, b))
		}
		return v
	case *ssa.Call:
		return c.call(fr, in)
	}
	c.refuse("%s", what(in))
	return nil
}

// part is the value of type t from leaf at on.
func (c *compiler) part(x *val, at int, t types.Type) *val {
	return &val{a: x.a[at : at+len(c.leaves(t))]}
}

// indexValue is an element of an array that is a value.
func (c *compiler) indexValue(fr *frame, in *ssa.Index) *val {
	elem, n := elemOf(in.X.Type())
	if elem == nil {
		c.refuse("an index of %s is not in the subset%s", short(in.X.Type()), instead(in.X.Type()))
	}
	if k, ok := in.Index.(*ssa.Const); ok {
		return c.part(c.get(fr, in.X), int(k.Int64())*len(c.leaves(elem)), elem)
	}
	p := fr.spills[in.X]
	if p == nil {
		c.refuse("an index that is no constant, of an array that has no address: put it into a variable")
	}
	i, q := c.index(fr, in.Index, num64(n))
	return c.load(c.element(*p, i, q, elem), elem)
}

// spilled tells whether an array, loaded as a value, is indexed by what is no constant.
func spilled(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if in, ok := r.(*ssa.Index); ok && in.X == v {
			if _, ok := in.Index.(*ssa.Const); !ok {
				return true
			}
		}
	}
	return false
}

// narrow brings the 32 bits of an 8- or 16-bit number back into its range.
func (c *compiler) narrow(a arg, p prim) arg {
	if p.cls != 'r' || p.bits == 32 {
		return a
	}
	return c.op('r', fmt.Sprintf("cvt.%s.%s", p.t(), p.mem()), a)
}

var compares = map[token.Token]string{
	token.EQL: "eq", token.NEQ: "ne", token.LSS: "lt", token.LEQ: "le", token.GTR: "gt",
	token.GEQ: "ge",
}

func (c *compiler) binary(fr *frame, in *ssa.BinOp) arg {
	p, ok := primOf(in.X.Type())
	if !ok {
		if in.Op == token.EQL || in.Op == token.NEQ {
			return c.equal(fr, in)
		}
		c.refuse("%s of %s is not in the subset%s", in.Op, short(in.X.Type()), instead(in.X.Type()))
	}
	x, y := c.one(fr, in.X), c.one(fr, in.Y)
	if cmp, ok := compares[in.Op]; ok {
		return c.compare(cmp, p, x, y)
	}
	bits := fmt.Sprintf(".b%d", max(p.bits, 32))
	var r arg
	switch in.Op {
	case token.ADD, token.SUB, token.MUL:
		name := map[token.Token]string{token.ADD: "add", token.SUB: "sub", token.MUL: "mul"}[in.Op]
		switch {
		case p.float():
			name += ".rn" // never fused
		case in.Op == token.MUL:
			name += ".lo"
		}
		r = c.op(p.cls, name+"."+p.t(), x, y)
	case token.QUO, token.REM:
		r = c.divide(in.Op, p, x, y)
	case token.AND, token.OR, token.XOR:
		name := map[token.Token]string{token.AND: "and", token.OR: "or", token.XOR: "xor"}[in.Op]
		r = c.op(p.cls, name+bits, x, y)
	case token.AND_NOT:
		r = c.op(p.cls, "and"+bits, x, c.op(p.cls, "not"+bits, y))
	case token.SHL:
		r = c.op(p.cls, "shl"+bits, x, c.shift(fr, in.Y))
	case token.SHR:
		r = c.op(p.cls, "shr."+p.t(), x, c.shift(fr, in.Y))
	default:
		c.refuse("the operator %s is not in the subset", in.Op)
	}
	return c.narrow(r, p)
}

func (c *compiler) compare(cmp string, p prim, x, y arg) arg {
	if p.cls == 'p' {
		r := c.op('p', "xor.pred", x, y)
		if cmp == "eq" {
			r = c.op('p', "not.pred", r)
		}
		return r
	}
	if cmp == "ne" && p.float() {
		cmp = "neu"
	}
	return c.op('p', "setp."+cmp+"."+p.t(), x, y)
}

// equal compares structures and arrays, and a slice with nil.
func (c *compiler) equal(fr *frame, in *ssa.BinOp) arg {
	if _, ok := in.X.Type().Underlying().(*types.Slice); ok {
		c.refuse("a comparison with nil: compare the length with 0")
	}
	x, y := c.get(fr, in.X), c.get(fr, in.Y)
	r := truth(true)
	for i, k := range c.leaves(in.X.Type()) {
		r = c.op('p', "and.pred", c.compare("eq", k.prim, x.a[i].arg, y.a[i].arg), r)
	}
	if in.Op == token.NEQ {
		r = c.op('p', "not.pred", r)
	}
	return r
}

func (c *compiler) divide(op token.Token, p prim, x, y arg) arg {
	if p.float() {
		return c.op(p.cls, "div.rn."+p.t(), x, y)
	}
	if !c.opt.Unchecked && (!y.constant() || y.bits == 0) {
		c.check(c.op('p', "setp.eq."+p.t(), y, zero(p.cls)), "integer divide by zero")
	}
	name := "div."
	if op == token.REM {
		name = "rem."
	}
	if !p.signed || p.bits < 32 || y.constant() && !minusOne(p, y) {
		return c.op(p.cls, name+p.t(), x, y)
	}
	// The smallest number over -1 is not defined in PTX: divide by 1 and turn the sign.
	odd := c.op('p', "setp.eq."+p.t(), y, one64(p.cls, -1))
	choose := fmt.Sprintf("selp.b%d", p.bits)
	q := c.op(p.cls, name+p.t(), x, c.op(p.cls, choose, one64(p.cls, 1), y, odd))
	if op == token.REM {
		return q // 0 then
	}
	return c.op(p.cls, choose, c.op(p.cls, "neg."+p.t(), q), q, odd)
}

func minusOne(p prim, a arg) bool { return a == one64(p.cls, -1) }

func one64(cls byte, x int64) arg {
	if cls == 'r' {
		return num32(int32(x))
	}
	return num64(x)
}

// shift is a count as 32 bits; PTX takes those above the width as the width, as Go wants.
func (c *compiler) shift(fr *frame, v ssa.Value) arg {
	p, _ := primOf(v.Type())
	a := c.one(fr, v)
	if a.constant() {
		if p.signed && int64(c.widen(a, p).bits) < 0 && !c.opt.Unchecked {
			c.check(truth(true), "negative shift amount")
		}
		return num32(int32(min(c.widen(a, p).bits, 64)))
	}
	if p.signed && !c.opt.Unchecked {
		c.check(c.op('p', "setp.lt."+p.t(), a, zero(p.cls)), "negative shift amount")
	}
	if p.cls == 'd' {
		a = c.op('r', "cvt.u32.u64", c.op('d', "min.u64", a, num64(64)))
	}
	return a
}

func (c *compiler) unary(fr *frame, in *ssa.UnOp) *val {
	if in.Op == token.MUL {
		return c.deref(fr, in)
	}
	p, ok := primOf(in.X.Type())
	if !ok {
		c.refuse("the operator %s of %s is not in the subset%s", in.Op, short(in.X.Type()),
			instead(in.X.Type()))
	}
	x := c.one(fr, in.X)
	switch in.Op {
	case token.SUB:
		if p.float() {
			return one(c.op(p.cls, "neg."+p.t(), x))
		}
		return one(c.narrow(c.op(p.cls, fmt.Sprintf("neg.s%d", max(32, p.bits)), x), p))
	case token.XOR:
		return one(c.narrow(c.op(p.cls, fmt.Sprintf("not.b%d", max(32, p.bits)), x), p))
	case token.NOT:
		return one(c.op('p', "not.pred", x))
	}
	c.refuse("the operator %s is not in the subset", in.Op)
	return nil
}

// deref loads what a pointer points to.
func (c *compiler) deref(fr *frame, in *ssa.UnOp) *val {
	if g, ok := in.X.(*ssa.Global); ok {
		if v := c.tableSlice(g); v != nil {
			return v
		}
	}
	p := c.pointerOf(fr, in.X)
	if spilled(in) {
		if p.table != nil {
			fr.spills[in] = p // it does not change
			return c.load(p, in.Type())
		}
		v := c.load(p, in.Type())
		q := c.local(in.Type())
		c.store(q, in.Type(), v)
		fr.spills[in] = q
		return v
	}
	return c.load(p, in.Type())
}
