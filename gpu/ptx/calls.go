package ptx

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

func (c *compiler) call(fr *frame, in *ssa.Call) *val {
	if in.Call.IsInvoke() {
		c.refuse("a call through an interface is not in the subset: a type parameter does the same")
	}
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		return c.builtin(fr, in, b)
	}
	var args []*val
	for _, a := range in.Call.Args {
		args = append(args, c.get(fr, a))
	}
	f := c.get(fr, in.Call.Value)
	if f.fn == nil {
		c.refuse("a call of a function that is not known when compiling: choose with if, and call each " +
			"by its name")
	}
	name := f.fn.String()
	if o := f.fn.Origin(); o != nil {
		name = o.String()
	}
	always := fr.always && in.Block().Index == 0
	if rest, ok := strings.CutPrefix(name, "(metalab/gpu/cuda.T)."); ok {
		return c.thread(rest, args)
	}
	if rest, ok := strings.CutPrefix(name, cudaPath+"."); ok {
		return c.cuda(rest, in, args, always)
	}
	if v := c.intrinsic(name, args); v != nil {
		return v
	}
	return c.inline(fr, f.fn, args, f.bind, always)
}

func (c *compiler) builtin(fr *frame, in *ssa.Call, b *ssa.Builtin) *val {
	args := in.Call.Args
	switch b.Name() {
	case "len":
		_, n := elemOf(args[0].Type())
		if n > 0 {
			return one(num64(n))
		}
		x := c.get(fr, args[0])
		if n < 0 && len(x.a) == 2 {
			return one(x.a[1].arg)
		}
	case "min", "max":
		p, ok := primOf(in.Type())
		if !ok {
			break
		}
		r := c.one(fr, args[0])
		for _, a := range args[1:] {
			r = c.least(b.Name(), p, r, c.one(fr, a))
		}
		return one(r)
	case "ssa:wrapnilchk":
		return c.get(fr, args[0])
	case "cap":
		c.refuse("cap is not in the subset: use len")
	case "copy", "clear":
		if _, n := elemOf(args[0].Type()); n >= 0 || len(c.get(fr, args[0]).a) != 2 {
			break
		}
		if b.Name() == "clear" {
			return c.clearSlice(fr, in)
		}
		return c.copySlice(fr, in)
	case "append":
		c.refuse("%s is not in the subset: write into a slice of fixed length, in a loop", b.Name())
	case "print", "println":
		c.refuse("%s is not in the subset: write into a slice", b.Name())
	}
	c.refuse("%s of %s is not in the subset%s", b.Name(), short(args[0].Type()),
		instead(args[0].Type()))
	return nil
}

// least is min or max.
func (c *compiler) least(name string, p prim, x, y arg) arg {
	if !p.float() {
		return c.op(p.cls, name+"."+p.t(), x, y)
	}
	// PTX gives the number where one is NaN and may mix up -0 and 0; Go does neither.
	m := c.op(p.cls, name+"."+p.t(), x, y)
	b := map[byte]string{'f': ".b32", 'F': ".b64"}[p.cls]
	bits := map[byte]byte{'f': 'r', 'F': 'd'}[p.cls]
	both := "or" + b // of equal numbers, -0 is the smaller one
	if name == "max" {
		both = "and" + b
	}
	same := c.op(bits, both, c.op(bits, "mov"+b, x), c.op(bits, "mov"+b, y))
	m = c.op(p.cls, "selp"+b, c.op(p.cls, "mov"+b, same), m, c.op('p', "setp.eq."+p.t(), x, y))
	bad := c.op('p', "setp.nan."+p.t(), x, y)
	return c.op(p.cls, "selp"+b, nan(p.cls), m, bad)
}
