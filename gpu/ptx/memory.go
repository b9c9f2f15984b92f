package ptx

import (
	"fmt"
	"go/types"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A pointer is known when compiling: a variable in registers, or a place in memory.
type pointer struct {
	cell  *val // in registers, from leaf off on
	off   int
	space string
	root  int
	base  arg
	disp  int64
	table *table // base is its begin
	// side holds the slices of a structure in local memory, from leaf off on: which array a slice is
	// of must be known when compiling.
	side *val
}

// dynamic says whether the variable must lie in memory: it is, or holds, an array that is indexed
// by what is known at run time only, or sliced, or given away.
func dynamic(v ssa.Value, elem types.Type) bool {
	if !hasArray(elem) {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			if _, ok := r.Index.(*ssa.Const); !ok || dynamic(r, pointee(r.Type())) {
				return true
			}
		case *ssa.FieldAddr:
			if dynamic(r, pointee(r.Type())) {
				return true
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == v {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// memory declares n elements of type t and returns their address.
func (c *compiler) memory(space string, t types.Type, n int64) arg {
	c.ids++
	name := fmt.Sprintf("%s_%s_%d", c.entry, space, c.ids)
	size := (max(1, n*sizes.Sizeof(t)) + 7) / 8 * 8
	if space == "shared" {
		if c.shmem += size; c.shmem > 48<<10 {
			c.refuse("the kernel's shared arrays take %d bytes; at most 49152: use cuda.SharedAtLaunch",
				c.shmem)
		}
	}
	fmt.Fprintf(&c.decl, "\t.%s .align 8 .b8 %s[%d];\n", space, name, size)
	return c.named('d', "mov.u64", name)
}

func (c *compiler) alloc(in *ssa.Alloc) *val {
	t := pointee(in.Type())
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Signature:
		return &val{ptr: &pointer{cell: &val{}}}
	}
	if !dynamic(in, t) {
		cell := c.newVal(t)
		for _, l := range cell.a {
			c.mov(l.reg, zero(l.cls))
		}
		return &val{ptr: &pointer{cell: cell}}
	}
	p := c.local(t)
	if slices.ContainsFunc(c.leaves(t), func(k kind) bool { return k.address }) {
		p.side = c.newVal(t)
		for _, l := range p.side.a {
			c.mov(l.reg, zero(l.cls))
		}
	}
	return &val{ptr: p}
}

// local is a variable in local memory, set to zero.
func (c *compiler) local(t types.Type) *pointer {
	size := sizes.Sizeof(t)
	if size > 64<<10 {
		c.refuse("an array of %d bytes in each thread; at most 65536: give the kernel a slice", size)
	}
	base := c.memory("local", t, 1)
	root := c.newRoot(array{written: true, param: -1})
	words := (size + 7) / 8
	put := func(at arg, off int64) {
		c.emit(&inst{
			op: "st.local.u64", eff: store, args: []arg{at, num64(0)}, off: off, root: root,
		})
	}
	if words <= 16 {
		for i := range words {
			put(base, 8*i)
		}
	} else {
		at := c.g.arg(c.g.reg('d'))
		c.mov(at.reg, base)
		end := c.op('d', "add.s64", base, num64(8*words))
		loop, after := c.g.block(), c.g.block()
		c.jump(loop)
		c.cur = loop
		put(at, 0)
		c.emit(&inst{op: "add.s64", dst: at.reg, args: []arg{at, num64(8)}})
		loop.cond, loop.succs = c.op('p', "setp.lt.u64", at, end), []*block{loop, after}
		c.cur = after
	}
	return &pointer{space: "local", base: base, root: root}
}

func (c *compiler) pointerOf(fr *frame, v ssa.Value) *pointer {
	p := c.get(fr, v).ptr
	if p == nil {
		c.refuse("a pointer that is not known when compiling: use a slice and an index")
	}
	return p
}

func (c *compiler) load(p *pointer, t types.Type) *val {
	ks := c.leaves(t)
	v := &val{}
	if p.cell != nil {
		v.ptr, v.fn, v.bind = p.cell.ptr, p.cell.fn, p.cell.bind
		for i := range ks {
			l := p.cell.a[p.off+i]
			r := c.g.reg(l.cls)
			c.mov(r, l.arg)
			l.arg = c.g.arg(r)
			v.a = append(v.a, l)
		}
		return v
	}
	for i, k := range ks {
		if k.address && p.side == nil {
			c.refuse("a slice read from memory: keep slices in variables and parameters")
		}
		if k.address || p.side != nil && i > 0 && ks[i-1].address {
			l := p.side.a[p.off+i]
			r := c.g.reg(l.cls)
			c.mov(r, l.arg)
			l.arg = c.g.arg(r)
			v.a = append(v.a, l)
			continue
		}
		if p.table != nil {
			v.a = append(v.a, leaf{arg: p.table.at(p.disp+k.off, k.prim)})
			continue
		}
		cls := k.cls
		if cls == 'p' {
			cls = 'r'
		}
		r := c.g.reg(cls)
		c.emit(&inst{
			op: "ld." + p.space + "." + k.mem(), eff: load, dst: r, args: []arg{p.base},
			off: p.disp + k.off, root: p.root,
		})
		a := c.g.arg(r)
		if k.cls == 'p' {
			a = c.op('p', "setp.ne.u32", a, num32(0))
		}
		v.a = append(v.a, leaf{arg: a})
	}
	return v
}

func (c *compiler) store(p *pointer, t types.Type, v *val) {
	if p.cell != nil {
		c.storeCell(p, v)
		return
	}
	c.arrays[c.find(p.root)].written = true
	ks := c.leaves(t)
	for i, k := range ks {
		if k.address && p.side == nil {
			c.refuse("a slice stored in memory: keep slices in variables and parameters")
		}
		if k.address || p.side != nil && i > 0 && ks[i-1].address {
			l := &p.side.a[p.off+i]
			c.meet(l, &v.a[i])
			c.mov(l.reg, v.a[i].arg)
			continue
		}
		a := v.a[i].arg
		if k.cls == 'p' {
			a = c.op('r', "selp.b32", num32(1), num32(0), a)
		}
		c.emit(&inst{
			op: "st." + p.space + "." + k.mem(), eff: store, args: []arg{p.base, a},
			off: p.disp + k.off, root: p.root,
		})
	}
}

func (c *compiler) storeCell(p *pointer, v *val) {
	if v.ptr != nil || v.fn != nil {
		if p.cell.ptr != nil || p.cell.fn != nil || len(p.cell.a) > 0 {
			c.refuse("a variable of a pointer or function type is set twice: use two variables")
		}
		p.cell.ptr, p.cell.fn, p.cell.bind = v.ptr, v.fn, v.bind
	}
	for i := range v.a {
		l := &p.cell.a[p.off+i]
		c.meet(l, &v.a[i])
		c.mov(l.reg, v.a[i].arg)
	}
}

// index checks the index v against the length n and returns it with its type.
func (c *compiler) index(fr *frame, v ssa.Value, n arg) (arg, prim) {
	const what = "index out of range"
	p, _ := primOf(v.Type())
	i := c.one(fr, v)
	switch {
	case c.opt.Unchecked:
	case i.constant():
		k := uint64(int64(int32(uint32(i.bits))))
		if p.cls == 'd' || !p.signed {
			k = i.bits
		}
		if !n.constant() {
			c.check(c.op('p', "setp.le.u64", n, num64(int64(k))), what)
		} else if k >= n.bits {
			c.check(truth(true), what)
		}
	case p.cls == 'r' && (p.signed || p.bits < 32):
		// Compared as numbers of 32 bits without a sign: negative ones are above 2^31.
		if n.constant() {
			n = num32(int32(min(n.bits, 1<<31-1)))
		} else {
			n = c.op('r', "cvt.u32.u64", c.op('d', "min.u64", n, num64(1<<31)))
		}
		c.check(c.op('p', "setp.ge.u32", i, n), what)
	default:
		i = c.widen(i, p)
		p = pint
		c.check(c.op('p', "setp.ge.u64", i, n), what)
	}
	return i, p
}

func (c *compiler) widen(a arg, p prim) arg {
	if p.cls == 'd' {
		return a
	}
	if a.constant() {
		if p.signed {
			return num64(int64(int32(uint32(a.bits))))
		}
		return num64(int64(uint32(a.bits)))
	}
	return c.op('d', "cvt."+p.t()[:1]+"64."+p.t(), a)
}

// element is the address of element i.
func (c *compiler) element(q pointer, i arg, p prim, elem types.Type) *pointer {
	size := sizes.Sizeof(elem)
	if i.constant() {
		q.disp += int64(c.widen(i, p).bits) * size
		return &q
	}
	q.table = nil
	switch {
	case p.cls == 'r' && size > 1 && size < 1<<31:
		q.base = c.op('d', "add.s64", q.base,
			c.op('d', "mul.wide."+p.t(), i, num32(int32(size))))
		return &q
	case p.cls == 'r':
		i = c.widen(i, p)
	}
	if x, k, ok := c.sum(i); ok && k*size > -1<<20 && k*size < 1<<20 {
		i = x // the address of i+k is that of i and k elements, also where i+k overflows
		q.disp += k * size
	}
	switch {
	case size == 1:
		q.base = c.op('d', "add.s64", q.base, i)
	case size&(size-1) == 0:
		q.base = c.op('d', "add.s64", q.base,
			c.op('d', "shl.b64", i, num32(int32(bits.TrailingZeros64(uint64(size))))))
	default:
		q.base = c.op('d', "add.s64", q.base, c.op('d', "mul.lo.s64", i, num64(size)))
	}
	return &q
}

// sum tells whether a is the sum of a number and a constant, which the block has just made.
func (c *compiler) sum(a arg) (x arg, k int64, ok bool) {
	for i := len(c.cur.insts) - 1; i >= max(0, len(c.cur.insts)-12); i-- {
		in := c.cur.insts[i]
		if in.dst != a.reg {
			continue
		}
		if (in.op == "add.s64" || in.op == "add.u64") && in.args[1].constant() &&
			!in.args[0].constant() {
			return in.args[0], int64(in.args[1].bits), true
		}
		break
	}
	return arg{}, 0, false
}

func (c *compiler) indexAddr(fr *frame, in *ssa.IndexAddr) *pointer {
	elem, n := elemOf(in.X.Type())
	if n < 0 {
		x := c.get(fr, in.X)
		l := x.a[0]
		if l.space == "" {
			l.space = "global" // a nil slice
		}
		i, p := c.index(fr, in.Index, x.a[1].arg)
		return c.element(pointer{space: l.space, root: l.root, base: l.arg}, i, p, elem)
	}
	q := c.pointerOf(fr, in.X)
	i, p := c.index(fr, in.Index, num64(n))
	if q.cell != nil {
		if !i.constant() {
			c.refuse("internal: a variable index of an array in registers")
		}
		r := *q
		r.off += int(i.bits) * len(c.leaves(elem))
		return &r
	}
	if q.side != nil && slices.ContainsFunc(c.leaves(elem), func(k kind) bool { return k.address }) {
		c.refuse("a slice stored in memory: keep slices in variables and parameters")
	}
	return c.element(*q, i, p, elem)
}

// slice makes x[lo:hi] of a slice or an array; its capacity is not kept.
func (c *compiler) slice(fr *frame, in *ssa.Slice) *val {
	elem, n := elemOf(in.X.Type())
	if elem == nil {
		c.refuse("a slice of %s is not in the subset%s", short(in.X.Type()), instead(in.X.Type()))
	}
	if in.Max != nil {
		c.refuse("x[lo:hi:max] is not in the subset: write x[lo:hi]")
	}
	var base leaf
	length := num64(n)
	if n >= 0 {
		p := c.pointerOf(fr, in.X)
		if p.cell != nil {
			c.refuse("internal: a slice of an array in registers")
		}
		base = leaf{p.base, p.space, p.root}
		if p.disp != 0 {
			base.arg = c.op('d', "add.s64", p.base, num64(p.disp))
		}
	} else {
		x := c.get(fr, in.X)
		base, length = x.a[0], x.a[1].arg
	}
	lo, hi := num64(0), length
	bound := func(v ssa.Value) arg {
		p, _ := primOf(v.Type())
		return c.widen(c.one(fr, v), p)
	}
	if in.Low != nil {
		lo = bound(in.Low)
	}
	if in.High != nil {
		hi = bound(in.High)
	}
	const what = "slice bounds out of range"
	if !c.opt.Unchecked { // beyond the length is refused, where Go allows up to the capacity
		if in.High != nil {
			c.check(c.op('p', "setp.gt.u64", hi, length), what)
		}
		if in.Low != nil {
			c.check(c.op('p', "setp.gt.u64", lo, hi), what)
		}
	}
	if in.Low != nil {
		base.arg = c.op('d', "add.s64", base.arg, c.op('d', "mul.lo.s64", lo, num64(sizes.Sizeof(elem))))
		hi = c.op('d', "sub.s64", hi, lo)
		c.g.nonneg[hi.reg] = true
	}
	return &val{a: []leaf{base, {arg: hi}}}
}
