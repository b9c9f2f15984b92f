package ptx

// A loop is what a jump back to head repeats.
type loop struct {
	head *block
	in   map[*block]bool
}

// loops finds the loops, outer ones before those inside them.
func (g *graph) loops() (ls []*loop) {
	for _, h := range g.blocks {
		var l *loop
		for _, p := range h.preds {
			if !h.dominates(p) {
				continue
			}
			if l == nil {
				l = &loop{h, map[*block]bool{h: true}}
			}
			work := []*block{p}
			for len(work) > 0 {
				b := work[len(work)-1]
				work = work[:len(work)-1]
				if !l.in[b] {
					l.in[b] = true
					work = append(work, b.preds...)
				}
			}
		}
		if l != nil {
			ls = append(ls, l)
		}
	}
	return ls
}

// preheader returns the block that leads only to the loop, and creates it if necessary.
func (g *graph) preheader(l *loop) *block {
	var outside []int
	for i, p := range l.head.preds {
		if !l.in[p] {
			outside = append(outside, i)
		}
	}
	if len(outside) != 1 {
		return nil // lowering makes one entry only
	}
	p := l.head.preds[outside[0]]
	if len(p.succs) == 1 {
		return p
	}
	b := &block{id: g.nextID(), succs: []*block{l.head}, preds: []*block{p}}
	for i, s := range p.succs {
		if s == l.head {
			p.succs[i] = b
		}
	}
	l.head.preds[outside[0]] = b
	g.blocks = append(g.blocks, b)
	return b
}

func (g *graph) nextID() (id int) {
	for _, b := range g.blocks {
		id = max(id, b.id+1)
	}
	return id
}

// hoist moves what a loop computes anew each time, with the same result, before the loop.
func (g *graph) hoist(c *compiler) {
	ls := g.loops()
	for i := len(ls) - 1; i >= 0; i-- { // inner ones first
		l := ls[i]
		pre := g.preheader(l)
		if pre == nil {
			continue
		}
		for _, other := range ls { // a new block belongs to the loops around
			if other != l && other.in[l.head] && len(pre.preds) > 0 && other.in[pre.preds[0]] {
				other.in[pre] = true
			}
		}
		inside := g.hoistFrom(l, pre)
		g.hoistLoads(c, l, pre, inside)
	}
	g.prune()
}

// hoistFrom moves what only computes, and returns the registers that stay in the loop.
func (g *graph) hoistFrom(l *loop, pre *block) (inside map[reg]bool) {
	inside = map[reg]bool{}
	for b := range l.in {
		for _, p := range b.phis {
			inside[p.dst] = true
		}
		for _, in := range b.insts {
			inside[in.dst] = true
		}
	}
	still := func(in *inst) bool {
		for _, a := range in.args {
			if !a.constant() && inside[a.reg] {
				return false
			}
		}
		return true
	}
	for _, b := range g.blocks { // in reverse postorder: definitions before uses
		if !l.in[b] {
			continue
		}
		insts := b.insts[:0]
		for _, in := range b.insts {
			if in.eff == pure && still(in) {
				pre.insts = append(pre.insts, in)
				delete(inside, in.dst)
			} else {
				insts = append(insts, in)
			}
		}
		b.insts = insts
	}
	return inside
}

// hoistLoads moves loads before the loop, from blocks that every iteration runs: of arrays that do
// not change, at places that do not. They load where the loop runs at least once and their checks
// hold, by a predicate; the checks stay where they are, so that the first one that fails is said.
func (g *graph) hoistLoads(c *compiler, l *loop, pre *block, inside map[reg]bool) {
	var bad []arg // predicates of checks: all are false where the load is reached
	emit := func(op string, args ...arg) arg {
		r := g.reg('p')
		pre.insts = append(pre.insts, &inst{op: op, dst: r, args: args})
		return g.arg(r)
	}
	take := func(b *block, when arg) arg {
		insts := b.insts[:0]
		for _, in := range b.insts {
			if a := in.args; in.eff == check && !a[0].constant() && !inside[a[0].reg] {
				bad = append(bad, a[0])
			}
			if in.eff != load || len(in.args) > 1 || in.root == 0 || c.arrays[c.find(in.root)].written ||
				inside[in.args[0].reg] {
				insts = append(insts, in)
				continue
			}
			for _, p := range bad {
				when = emit("and.pred", when, emit("not.pred", p))
			}
			bad = nil
			in.args = append(in.args, when)
			pre.insts = append(pre.insts, in)
			delete(inside, in.dst)
		}
		b.insts = insts
		return when
	}
	// If a check of the head fails, the head's loads do not happen, and the condition computed from
	// them means nothing.
	sound := take(l.head, truth(true))
	if len(l.head.succs) != 2 || l.in[l.head.succs[0]] == l.in[l.head.succs[1]] {
		return
	}
	when, ok := g.enters(l, pre)
	if !ok {
		return
	}
	body := l.head.succs[0]
	if !l.in[body] {
		body, when = l.head.succs[1], emit("not.pred", when)
	}
	if len(body.preds) == 1 {
		if !sound.constant() {
			when = emit("and.pred", when, sound)
		}
		take(body, when)
	}
}

// enters computes the condition of the loop's head before the loop.
func (g *graph) enters(l *loop, pre *block) (cond arg, ok bool) {
	first := map[reg]arg{}
	for i, p := range l.head.preds {
		if !l.in[p] {
			for _, f := range l.head.phis {
				first[f.dst] = f.args[i]
			}
		}
	}
	def := map[reg]*inst{}
	for _, in := range l.head.insts {
		def[in.dst] = in
	}
	var copies []*inst
	var value func(a arg) arg
	ok = true
	value = func(a arg) arg {
		if a.constant() {
			return a
		}
		if v, is := first[a.reg]; is {
			return v
		}
		in := def[a.reg]
		if in == nil {
			return a // from before the loop
		}
		if in.eff != pure {
			ok = false
			return a
		}
		twin := *in
		twin.args = nil
		for _, b := range in.args {
			twin.args = append(twin.args, value(b))
		}
		twin.dst = g.reg(g.cls[in.dst])
		copies = append(copies, &twin)
		first[a.reg] = g.arg(twin.dst)
		return first[a.reg]
	}
	cond = value(l.head.cond)
	if ok {
		pre.insts = append(pre.insts, copies...)
	}
	return cond, ok
}
