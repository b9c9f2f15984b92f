package ptx

import (
	"golang.org/x/tools/go/ssa"
)

// times emits a loop of n iterations.
func (c *compiler) times(n arg, body func(i arg)) {
	i := c.g.arg(c.g.reg('d'))
	c.mov(i.reg, num64(0))
	loop, after := c.g.block(), c.g.block()
	c.cur.cond, c.cur.succs = c.op('p', "setp.lt.s64", i, n), []*block{loop, after}
	c.cur = loop
	body(i)
	c.emit(&inst{op: "add.s64", dst: i.reg, args: []arg{i, num64(1)}})
	c.cur.cond, c.cur.succs = c.op('p', "setp.lt.s64", i, n), []*block{loop, after}
	c.cur = after
}

// place is element i of a slice.
func (c *compiler) place(fr *frame, v ssa.Value, i arg) *pointer {
	elem, _ := elemOf(v.Type())
	l := c.get(fr, v).a[0]
	if l.space == "" {
		l.space = "global" // a nil slice
	}
	return c.element(pointer{space: l.space, root: l.root, base: l.arg}, i, pint, elem)
}

// copySlice is copy(to, from), whatever of them overlaps.
func (c *compiler) copySlice(fr *frame, in *ssa.Call) *val {
	to, from := in.Call.Args[0], in.Call.Args[1]
	elem, n := elemOf(from.Type())
	if elem == nil || n >= 0 {
		c.refuse("copy from %s is not in the subset", short(from.Type()))
	}
	x, y := c.get(fr, to), c.get(fr, from)
	count := c.op('d', "min.s64", x.a[1].arg, y.a[1].arg)
	same := x.a[0].space == y.a[0].space && c.find(x.a[0].root) == c.find(y.a[0].root)
	ahead := truth(true)
	if same {
		ahead = c.op('p', "setp.le.u64", x.a[0].arg, y.a[0].arg)
	}
	c.times(count, func(i arg) {
		if same { // from the end where what is written was not read yet
			last := c.op('d', "sub.s64", c.op('d', "sub.s64", count, num64(1)), i)
			i = c.op('d', "selp.b64", i, last, ahead)
		}
		c.store(c.place(fr, to, i), elem, c.load(c.place(fr, from, i), elem))
	})
	return one(count)
}

// clearSlice is clear(x).
func (c *compiler) clearSlice(fr *frame, in *ssa.Call) *val {
	x := in.Call.Args[0]
	elem, _ := elemOf(x.Type())
	zeros := &val{}
	for _, k := range c.leaves(elem) {
		if k.address {
			c.refuse("clear of a slice of slices is not in the subset")
		}
		zeros.a = append(zeros.a, leaf{arg: zero(k.cls)})
	}
	c.times(c.get(fr, x).a[1].arg, func(i arg) { c.store(c.place(fr, x, i), elem, zeros) })
	return &val{}
}
