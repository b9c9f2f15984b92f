package ptx

import (
	"fmt"

	"golang.org/x/tools/go/ssa"
)

func (c *compiler) special(name string) arg { return c.named('r', "mov.u32", name) }

// wide makes an int of what is never negative.
func (c *compiler) wide(a arg) *val {
	r := c.op('d', "cvt.u64.u32", a)
	return one(r)
}

// thread replaces the methods of cuda.T; args[0] is the T.
func (c *compiler) thread(name string, args []*val) *val {
	switch name {
	case "Thread":
		b := c.op('d', "mul.wide.u32", c.special("%ctaid.x"), c.special("%ntid.x"))
		r := c.op('d', "add.s64", b, c.wide(c.special("%tid.x")).a[0].arg)
		c.g.nonneg[r.reg] = true
		return one(r)
	case "Threads":
		r := c.op('d', "mul.wide.u32", c.special("%nctaid.x"), c.special("%ntid.x"))
		c.g.nonneg[r.reg] = true
		return one(r)
	case "Block":
		return c.wide(c.special("%ctaid.x"))
	case "Blocks":
		return c.wide(c.special("%nctaid.x"))
	case "Local":
		return c.wide(c.special("%tid.x"))
	case "Dim":
		return c.wide(c.special("%ntid.x"))
	case "Lane":
		return c.wide(c.op('r', "and.b32", c.special("%tid.x"), num32(31)))
	case "Warp":
		return c.wide(c.op('r', "shr.u32", c.special("%tid.x"), num32(5)))
	case "Sync":
		c.emit(&inst{op: "bar.sync 0", eff: barrier})
		return &val{}
	case "Ballot":
		return one(c.vote('r', "vote.sync.ballot.b32", args[1].a[0].arg))
	case "Any":
		return one(c.vote('p', "vote.sync.any.pred", args[1].a[0].arg))
	case "All":
		return one(c.vote('p', "vote.sync.all.pred", args[1].a[0].arg))
	}
	c.refuse("cuda.T has no %s in a kernel", name)
	return nil
}

// warp returns the mask of the warp's threads, and how many there are: the last warp of a
// block may have fewer than 32.
func (c *compiler) warp() (mask, n arg) {
	first := c.op('r', "and.b32", c.special("%tid.x"), num32(-32))
	n = c.op('r', "min.u32", c.op('r', "sub.u32", c.special("%ntid.x"), first), num32(32))
	full := num32(-1)
	return c.op('r', "shr.u32", full, c.op('r', "sub.u32", num32(32), n)), n
}

func (c *compiler) vote(cls byte, op string, p arg) arg {
	mask, _ := c.warp()
	r := c.g.reg(cls)
	c.emit(&inst{op: op, eff: barrier, dst: r, args: []arg{p, mask}})
	return c.g.arg(r)
}

// cuda replaces the functions of package cuda.
func (c *compiler) cuda(name string, in *ssa.Call, args []*val, always bool) *val {
	switch name {
	case "Shared", "SharedAtLaunch":
		return c.shared(name, in, always)
	case "Shuffle", "ShuffleDown", "ShuffleUp", "ShuffleXor":
		p, _ := primOf(in.Type())
		return one(c.shuffle(name, p, args[1].a[0].arg, args[2].a[0].arg))
	case "AtomicAdd", "AtomicMin", "AtomicMax", "AtomicAnd", "AtomicOr", "AtomicXor", "AtomicSwap",
		"AtomicCompareSwap":
		return c.atomic(name[len("Atomic"):], in, args)
	}
	c.refuse("cuda.%s cannot be called in a kernel", name)
	return nil
}

func (c *compiler) shared(name string, in *ssa.Call, always bool) *val {
	if !always {
		c.refuse("cuda.%s after a branch or in a loop: ask for the array at the kernel's begin", name)
	}
	elem, _ := elemOf(in.Type())
	for _, k := range c.leaves(elem) {
		if k.address {
			c.refuse("a shared array of slices is not in the subset")
		}
	}
	root := c.newRoot(array{written: true, param: -1})
	if name == "SharedAtLaunch" {
		if c.kern.Dynamic {
			c.refuse("a second cuda.SharedAtLaunch: a kernel has one at most")
		}
		c.kern.Dynamic = true
		name := c.entry + "_dynamic"
		fmt.Fprintf(&c.out, "\n.extern .shared .align 16 .b8 %s[];\n", name)
		bytes := c.wide(c.special("%dynamic_smem_size")).a[0].arg
		n := c.op('d', "div.u64", bytes, num64(max(1, sizes.Sizeof(elem))))
		c.g.nonneg[n.reg] = true
		base := c.named('d', "mov.u64", name)
		return &val{a: []leaf{{base, "shared", root}, {arg: n}}}
	}
	k, ok := in.Call.Args[1].(*ssa.Const)
	if !ok || k.Value == nil || k.Int64() < 0 {
		c.refuse("the length of a shared array is a constant of at least 0; cuda.SharedAtLaunch takes " +
			"the launch's")
	}
	base := c.memory("shared", elem, k.Int64())
	return &val{a: []leaf{{base, "shared", root}, {arg: num64(k.Int64())}}}
}

func (c *compiler) atomic(name string, in *ssa.Call, args []*val) *val {
	p := args[0].ptr
	q, _ := primOf(in.Type())
	if p == nil || p.cell != nil || p.space == "local" {
		c.refuse("an atomic operation works on an element of a slice or of a shared array")
	}
	if p.table != nil || c.arrays[c.find(p.root)].constant {
		c.refuse("a table of the package's is written: give the kernel a slice")
	}
	c.arrays[c.find(p.root)].written = true
	t := q.t()
	op := map[string]string{
		"Add": "add", "Min": "min", "Max": "max", "And": "and", "Or": "or", "Xor": "xor", "Swap": "exch",
		"CompareSwap": "cas",
	}[name]
	switch name {
	case "And", "Or", "Xor", "Swap", "CompareSwap":
		t = fmt.Sprintf("b%d", q.bits)
	case "Add":
		t = fmt.Sprintf("u%d", q.bits)
	}
	r := c.g.reg(q.cls)
	in2 := &inst{
		op: "atom." + p.space + "." + op + "." + t, eff: atomic, dst: r, args: []arg{p.base},
		off: p.disp, root: p.root,
	}
	for _, a := range args[1:] {
		in2.args = append(in2.args, a.a[0].arg)
	}
	c.emit(in2)
	return one(c.g.arg(r))
}

// shuffle passes words of 32 bits, one or two of them.
func (c *compiler) shuffle(name string, p prim, v, by arg) arg {
	mask, n := c.warp()
	lane := c.op('r', "and.b32", c.special("%tid.x"), num32(31))
	by = c.op('r', "and.b32", c.op('r', "cvt.u32.u64", by), num32(31))
	var from arg
	switch name {
	case "Shuffle":
		from = by
	case "ShuffleDown":
		from = c.op('r', "add.u32", lane, by)
	case "ShuffleUp":
		from = c.op('r', "sub.u32", lane, by) // above 32 where it is negative
	case "ShuffleXor":
		from = c.op('r', "xor.b32", lane, by)
	}
	from = c.op('r', "selp.b32", from, lane, c.op('p', "setp.lt.u32", from, n))
	pass := func(w arg) arg {
		r := c.g.reg('r')
		c.emit(&inst{
			op: "shfl.sync.idx.b32", eff: barrier, dst: r, args: []arg{w, from, num32(31), mask},
		})
		return c.g.arg(r)
	}
	switch p.cls {
	case 'r':
		return pass(v)
	case 'f':
		return c.op('f', "mov.b32", pass(c.op('r', "mov.b32", v)))
	case 'F':
		v = c.op('d', "mov.b64", v)
	}
	lo := pass(c.op('r', "cvt.u32.u64", v))
	hi := pass(c.op('r', "cvt.u32.u64", c.op('d', "shr.u64", v, num32(32))))
	r := c.op('d', "or.b64", c.op('d', "cvt.u64.u32", lo),
		c.op('d', "shl.b64", c.op('d', "cvt.u64.u32", hi), num32(32)))
	if p.cls == 'F' {
		return c.op('F', "mov.b64", r)
	}
	return r
}
