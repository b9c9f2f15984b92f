package ptx

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// kernel compiles one entry.
func (c *compiler) kernel(fn *ssa.Function) (err error) {
	defer func() {
		if r := recover(); r != nil {
			ref, ok := r.(*Refusal)
			if !ok { // a defect here must not end the session of whoever compiles
				ref = &Refusal{c.fset.Position(c.pos), fmt.Sprintf("internal: %v", r)}
			}
			err = ref
		}
	}()
	c.entry, c.ids, c.insts, c.shmem = fn.Name(), 0, 0, 0
	c.g = &graph{cls: []byte{0}, nonneg: map[reg]bool{}}
	c.cur = c.g.block()
	c.roots, c.arrays = nil, nil
	c.newRoot(array{written: true, param: -1}) // 0: unknown
	c.decl.Reset()
	c.pos = fn.Pos()
	c.kern = &Kernel{Name: fn.Name()}
	if len(fn.Blocks) == 0 {
		c.refuse("%s has no body", fn.Name())
	}
	if fn.Signature.Results().Len() > 0 {
		c.refuse("a kernel returns nothing: write into a slice")
	}
	fr := &frame{
		fn: fn, vals: map[ssa.Value]*val{}, blocks: map[*ssa.BasicBlock]*block{}, always: true,
		spills: map[ssa.Value]*pointer{},
	}
	for i, p := range fn.Params {
		fr.vals[p] = c.param(p, i-1)
	}
	if c.opt.Bounded {
		a := c.named('d', "ld.param.u64", fmt.Sprintf("[%s]", c.paramName(Param{Type: "u64", Arg: -1})))
		c.budget = c.g.arg(c.g.reg('d'))
		c.mov(c.budget.reg, a)
	}
	word := c.paramName(Param{Type: "u64", Arg: -1})
	c.function(fr)
	for i := range c.arrays {
		if a := &c.arrays[c.find(i)]; c.arrays[i].written {
			a.written = true
		}
	}
	for i, a := range c.arrays {
		root := c.arrays[c.find(i)]
		if a.constant && root.written {
			c.refuse("a table of the package's is written: give the kernel a slice")
		}
		if a.param >= 0 {
			c.kern.Params[a.param].Written = root.written
		}
	}
	if !c.opt.Outline {
		c.optimise()
		c.print(word)
	}
	c.m.Kernels = append(c.m.Kernels, *c.kern)
	return nil
}

// paramName declares a parameter and returns its name.
func (c *compiler) paramName(p Param) string {
	c.kern.Params = append(c.kern.Params, p)
	return fmt.Sprintf("%s_p%d", c.entry, len(c.kern.Params)-1)
}

// param reads argument number n.
func (c *compiler) param(p *ssa.Parameter, n int) *val {
	if p.Pos().IsValid() {
		c.pos = p.Pos()
	}
	switch p.Type().Underlying().(type) {
	case *types.Pointer:
		c.refuse("a pointer as a kernel's parameter: use a slice of one element")
	case *types.Signature:
		c.refuse("a function as a kernel's parameter: call it by name, or make one kernel for each")
	}
	v := &val{}
	ks := c.leaves(p.Type())
	words := names(p.Type(), p.Name())
	for i, k := range ks {
		q := Param{Name: words[i], Arg: n, Type: k.mem(), Slice: k.address}
		if k.cls == 'p' {
			q.Type = "bool"
		}
		if k.address {
			q.Elem = c.layout(k.elem)
		}
		name := c.paramName(q)
		cls := k.cls
		if cls == 'p' {
			cls = 'r'
		}
		l := leaf{arg: c.named(cls, "ld.param."+k.mem(), "["+name+"]")}
		if k.cls == 'p' {
			l.arg = c.op('p', "setp.ne.u32", l.arg, num32(0))
		}
		if k.address {
			l.arg = c.op('d', "cvta.to.global.u64", l.arg)
			l.space = "global"
			l.root = c.newRoot(array{param: len(c.kern.Params) - 1})
		}
		if i > 0 && ks[i-1].address {
			c.g.nonneg[l.reg] = true // a length
		}
		v.a = append(v.a, l)
	}
	return v
}

// optimise makes SSA of the graph and works on it.
func (c *compiler) optimise() {
	g := c.g
	g.prune()
	g.toSSA()
	if c.opt.Plain {
		g.number(c, false)
		g.sweep()
		return
	}
	g.number(c, true)
	g.sweep()
	g.unroll()
	for range 2 {
		g.join()
		g.number(c, true)
		g.sweep()
		g.hoist(c)
	}
	g.join()
	g.number(c, true)
	g.join()
	g.sweep()
	g.merge()
	for _, b := range g.blocks {
		for _, in := range b.insts {
			if rest, ok := strings.CutPrefix(in.op, "ld.global."); ok && in.root != 0 &&
				!c.arrays[c.find(in.root)].written {
				in.op = "ld.global.nc." + rest // through the cache of what does not change
			}
		}
	}
}
