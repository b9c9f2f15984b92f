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

// preheader is the block before the loop, that leads to it alone; it is made if need be.
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
		g.hoistFrom(l, pre)
	}
	g.prune()
}

func (g *graph) hoistFrom(l *loop, pre *block) {
	inside := map[reg]bool{}
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
}
