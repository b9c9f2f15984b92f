package ptx

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A leaf is one register, or constant, of a value; space and root say where a slice's elements lie.
type leaf struct {
	arg
	space string
	root  int
}

// A val is a value: its leaves, or what is known of it when compiling.
type val struct {
	a    []leaf
	ptr  *pointer
	fn   *ssa.Function // a function, with what it has captured
	bind []*val
}

func one(a arg) *val { return &val{a: []leaf{{arg: a}}} }

// A frame is a call that is being inlined.
type frame struct {
	fn     *ssa.Function
	vals   map[ssa.Value]*val
	spills map[ssa.Value]*pointer
	blocks map[*ssa.BasicBlock]*block
	up     *frame
	always bool // it runs once in every thread: no branch leads here
	result *val // where several returns put it
	ret    *block
}

type compiler struct {
	*unit
	opt    Options
	m      *Module
	out    strings.Builder
	sites  map[string]int
	tables tables

	// of the kernel
	entry  string
	g      *graph
	cur    *block
	decl   strings.Builder
	ids    int
	pos    token.Pos
	insts  int
	roots  []int // union-find
	arrays []array
	shmem  int64
	budget arg
	kern   *Kernel
}

// An array is what a root stands for.
type array struct {
	written  bool
	constant bool // a table
	param    int  // of kern.Params; -1: none
}

func (c *compiler) refuse(format string, args ...any) {
	panic(&Refusal{c.fset.Position(c.pos), fmt.Sprintf(format, args...)})
}

// --- emitting

func (c *compiler) emit(in *inst) { c.cur.insts = append(c.cur.insts, in) }

// op emits an instruction with a result of class cls.
func (c *compiler) op(cls byte, name string, args ...arg) arg {
	r := c.g.reg(cls)
	c.emit(&inst{op: name, dst: r, args: args})
	return c.g.arg(r)
}

// source emits a move from what has a name: a special register, a parameter, an array.
func (c *compiler) named(cls byte, op, sym string) arg {
	r := c.g.reg(cls)
	c.emit(&inst{op: op, dst: r, sym: sym})
	return c.g.arg(r)
}

func (c *compiler) mov(dst reg, src arg) {
	if dst != src.reg {
		c.emit(&inst{op: "mov", dst: dst, args: []arg{src}})
	}
}

func (c *compiler) jump(to *block) { c.cur.succs = []*block{to} }

// check ends the thread where cond is true.
func (c *compiler) check(cond arg, what string) {
	p := c.fset.Position(c.pos)
	key := fmt.Sprint(p, what)
	if c.sites == nil {
		c.sites = map[string]int{}
	}
	if c.sites[key] == 0 {
		c.m.Sites = append(c.m.Sites, Site{p, what})
		c.sites[key] = len(c.m.Sites)
	}
	c.emit(&inst{op: "check", eff: check, args: []arg{cond}, site: c.sites[key]})
}

func (c *compiler) newVal(t types.Type) *val {
	v := &val{}
	for _, k := range c.leaves(t) {
		v.a = append(v.a, leaf{arg: c.g.arg(c.g.reg(k.cls))})
	}
	return v
}

// newRoot is a new array.
func (c *compiler) newRoot(a array) int {
	c.roots = append(c.roots, len(c.roots))
	c.arrays = append(c.arrays, a)
	return len(c.roots) - 1
}

func (c *compiler) find(r int) int {
	for c.roots[r] != r {
		r = c.roots[r]
	}
	return r
}

// meet lets dst be also what src is.
func (c *compiler) meet(dst, src *leaf) {
	if src.space == "" {
		return
	}
	if dst.space == "" {
		dst.space, dst.root = src.space, src.root
		return
	}
	if dst.space != src.space {
		c.refuse("a slice that lies in %s or in %s memory, depending on control flow: use two variables",
			dst.space, src.space)
	}
	if a, b := c.find(dst.root), c.find(src.root); a != b {
		c.roots[b] = a
	}
}

func (c *compiler) get(fr *frame, v ssa.Value) *val {
	switch v := v.(type) {
	case *ssa.Const:
		return c.constant(v)
	case *ssa.Function:
		return &val{fn: v}
	case *ssa.Global:
		return c.global(v)
	case *ssa.Phi:
		if fr.vals[v] == nil {
			fr.vals[v] = c.newVal(v.Type())
		}
	}
	if fr.vals[v] == nil {
		c.refuse("internal: %s = %s has no value", v.Name(), v)
	}
	return fr.vals[v]
}

// one is the register, or constant, of a value of a basic type.
func (c *compiler) one(fr *frame, v ssa.Value) arg {
	x := c.get(fr, v)
	if len(x.a) != 1 {
		c.refuse("a value of type %s here is not in the subset%s", short(v.Type()), instead(v.Type()))
	}
	return x.a[0].arg
}

// --- functions

func (c *compiler) block(fr *frame, b *ssa.BasicBlock) *block {
	if fr.blocks[b] == nil {
		fr.blocks[b] = c.g.block()
	}
	return fr.blocks[b]
}

func (c *compiler) function(fr *frame) {
	c.jump(c.block(fr, fr.fn.Blocks[0]))
	for _, b := range fr.fn.DomPreorder() {
		c.cur = c.block(fr, b)
		for _, in := range b.Instrs {
			if in.Pos().IsValid() {
				c.pos = in.Pos()
			}
			if c.insts++; c.insts > 50000 {
				c.refuse("the kernel is too long once its calls are inlined: %d instructions", c.insts)
			}
			c.instr(fr, in)
		}
	}
}

// edge makes the copies of the phi nodes of to, coming from from, and jumps.
func (c *compiler) edge(fr *frame, from, to *ssa.BasicBlock) {
	if c.opt.Bounded && to.Dominates(from) {
		at := c.pos
		for _, in := range to.Instrs {
			if in.Pos().IsValid() {
				c.pos = in.Pos()
				break
			}
		}
		c.check(c.op('p', "setp.eq.u64", c.budget, num64(0)), "given up: the budget of loop "+
			"iterations is spent")
		c.emit(&inst{op: "sub.u64", dst: c.budget.reg, args: []arg{c.budget, num64(1)}})
		c.pos = at
	}
	k := 0
	for i, p := range to.Preds {
		if p == from {
			k = i
		}
	}
	var dst, tmp []reg
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		switch phi.Type().Underlying().(type) {
		case *types.Pointer, *types.Signature:
			c.pos = phi.Pos()
			c.refuse("a pointer or function chosen by control flow: use an index, or two calls")
		}
		d, s := c.get(fr, phi), c.get(fr, phi.Edges[k])
		for i := range d.a {
			c.meet(&d.a[i], &s.a[i])
			t := c.g.reg(d.a[i].cls)
			c.mov(t, s.a[i].arg)
			dst, tmp = append(dst, d.a[i].reg), append(tmp, t)
		}
	}
	for i := range dst {
		c.mov(dst[i], c.g.arg(tmp[i]))
	}
	c.jump(c.block(fr, to))
}

func (c *compiler) instr(fr *frame, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.DebugRef:
	case *ssa.Phi:
		c.get(fr, in)
	case *ssa.Jump:
		c.edge(fr, in.Block(), in.Block().Succs[0])
	case *ssa.If:
		b, cond := in.Block(), c.one(fr, in.Cond)
		yes, no := c.g.block(), c.g.block()
		c.cur.cond, c.cur.succs = cond, []*block{yes, no}
		c.cur = yes
		c.edge(fr, b, b.Succs[0])
		c.cur = no
		c.edge(fr, b, b.Succs[1])
	case *ssa.Return:
		c.ret(fr, in)
	case *ssa.Panic:
		c.check(truth(true), "panic"+panicText(in.X))
	case *ssa.MakeInterface:
		for _, r := range *in.Referrers() {
			if _, ok := r.(*ssa.Panic); !ok {
				c.refuse("an interface is not in the subset%s", instead(in.Type()))
			}
		}
	case *ssa.Alloc:
		fr.vals[in] = c.alloc(in)
	case *ssa.Store:
		c.store(c.pointerOf(fr, in.Addr), in.Val.Type(), c.get(fr, in.Val))
	case ssa.Value:
		fr.vals[in] = c.value(fr, in)
	default:
		c.refuse("%s", what(in))
	}
}

// panicText is what a panic says, where that is a constant.
func panicText(v ssa.Value) string {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil {
		return ""
	}
	if k.Value.Kind() == constant.String {
		return ": " + constant.StringVal(k.Value)
	}
	return ": " + k.Value.String()
}

func what(in any) string {
	switch in := in.(type) {
	case *ssa.MakeMap, *ssa.MapUpdate, *ssa.Lookup, *ssa.Range, *ssa.Next:
		return "a map or a string is not in the subset: use slices"
	case *ssa.Defer, *ssa.RunDefers:
		return "defer is not in the subset: call the function where it is due"
	case *ssa.Go:
		return "go is not in the subset: the launch starts the threads"
	case *ssa.MakeChan, *ssa.Send, *ssa.Select:
		return "a channel is not in the subset: threads talk through slices and shared arrays"
	case *ssa.MakeInterface, *ssa.TypeAssert, *ssa.ChangeInterface:
		return "an interface is not in the subset: a type parameter does the same"
	case *ssa.MakeSlice:
		return "make with a length that is no constant: give the kernel a slice to work in"
	default:
		return fmt.Sprintf("%T is not in the subset", in)
	}
}

func (c *compiler) ret(fr *frame, in *ssa.Return) {
	if fr.up == nil {
		return // no successors: the thread ends
	}
	v := &val{}
	for _, r := range in.Results {
		x := c.get(fr, r)
		v.a = append(v.a, x.a...)
		if x.ptr != nil || x.fn != nil {
			v.ptr, v.fn, v.bind = x.ptr, x.fn, x.bind
		}
	}
	if fr.result == nil { // the only return
		fr.result = v
	} else {
		if v.ptr != nil || v.fn != nil {
			c.refuse("a pointer or function returned at several places: return a number instead")
		}
		for i := range v.a {
			c.meet(&fr.result.a[i], &v.a[i])
			c.mov(fr.result.a[i].reg, v.a[i].arg)
		}
	}
	c.jump(fr.ret)
}

// inline puts the function's body here.
func (c *compiler) inline(fr *frame, fn *ssa.Function, args, bind []*val, always bool) *val {
	for f := fr; f != nil; f = f.up {
		if f.fn == fn {
			c.refuse("%s calls itself: write a loop, with an array as the stack if need be", fn.Name())
		}
	}
	if len(fn.Blocks) == 0 {
		c.refuse("%s", noBody(fn))
	}
	in := &frame{
		fn: fn, vals: map[ssa.Value]*val{}, blocks: map[*ssa.BasicBlock]*block{}, up: fr, always: always,
		spills: map[ssa.Value]*pointer{},
	}
	in.ret = c.g.block()
	for i, p := range fn.Params {
		in.vals[p] = args[i]
	}
	for i, v := range fn.FreeVars {
		in.vals[v] = bind[i]
	}
	returns := 0
	for _, b := range fn.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			returns++
		}
	}
	if returns != 1 {
		in.result = c.newVal(fn.Signature.Results())
	}
	at := c.pos
	c.function(in)
	c.pos = at
	c.cur = in.ret
	if in.result == nil {
		in.result = &val{}
	}
	return in.result
}

func noBody(fn *ssa.Function) string {
	name := fn.String()
	if rest, ok := strings.CutPrefix(name, "math."); ok {
		return name + " differs in its last bits from one processor to the next: metalab/solvers/arith " +
			"has Exp2, Log2 and Pow with the same bits everywhere; of others write a polynomial of " +
			"float64(x*y) + z for " + rest
	}
	return name + " has no body that a kernel could use"
}
