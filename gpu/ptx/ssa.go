package ptx

// prune removes blocks that nothing leads to and fills in the predecessors.
func (g *graph) prune() {
	seen := map[*block]bool{}
	var post []*block
	type step struct {
		b *block
		k int
	}
	stack := []step{{g.blocks[0], 0}}
	seen[g.blocks[0]] = true
	for len(stack) > 0 {
		s := &stack[len(stack)-1]
		if s.k < len(s.b.succs) {
			n := s.b.succs[s.k]
			s.k++
			if !seen[n] {
				seen[n] = true
				stack = append(stack, step{n, 0})
			}
			continue
		}
		post = append(post, s.b)
		stack = stack[:len(stack)-1]
	}
	old := map[*block][]*block{} // the order of the phis' arguments
	for _, b := range post {
		old[b], b.preds = b.preds, nil
	}
	g.blocks = g.blocks[:0]
	for i := len(post) - 1; i >= 0; i-- {
		post[i].order = len(g.blocks)
		g.blocks = append(g.blocks, post[i])
	}
	for _, b := range g.blocks {
		for _, s := range b.succs {
			s.preds = append(s.preds, b)
		}
	}
	for _, b := range g.blocks { // phis in the new order, without those that come from nowhere
		for _, p := range b.phis {
			args := make([]arg, len(b.preds))
			for i, from := range b.preds {
				for k, o := range old[b] {
					if o == from {
						args[i] = p.args[k]
					}
				}
			}
			p.args = args
		}
	}
	g.dominators()
}

// dominators is the algorithm of Cooper, Harvey and Kennedy; blocks are in reverse postorder.
func (g *graph) dominators() {
	for _, b := range g.blocks {
		b.idom = nil
	}
	g.blocks[0].idom = g.blocks[0]
	for changed := true; changed; {
		changed = false
		for _, b := range g.blocks[1:] {
			var d *block
			for _, p := range b.preds {
				if p.idom == nil {
					continue
				}
				if d == nil {
					d = p
					continue
				}
				q := p
				for q != d {
					for q.order > d.order {
						q = q.idom
					}
					for d.order > q.order {
						d = d.idom
					}
				}
			}
			if b.idom != d {
				b.idom, changed = d, true
			}
		}
	}
}

// dominates tells whether every way to b leads through a.
func (a *block) dominates(b *block) bool {
	for b.order > a.order {
		b = b.idom
	}
	return a == b
}

// toSSA gives every definition of a register a register of its own, and phis where they meet
// (Braun et al., Simple and efficient construction of static single assignment form, 2013).
func (g *graph) toSSA() {
	defs := map[reg]int{}
	for _, b := range g.blocks {
		for _, in := range b.insts {
			if in.dst != 0 {
				defs[in.dst]++
			}
		}
	}
	out := map[*block]map[reg]arg{}
	entry := map[*block]map[reg]arg{}
	for _, b := range g.blocks {
		out[b], entry[b] = map[reg]arg{}, map[reg]arg{}
	}
	uses := map[*inst][]int{} // arguments whose value comes from above the block
	conds := map[*block]bool{}
	for _, b := range g.blocks {
		for _, in := range b.insts {
			for i, a := range in.args {
				if defs[a.reg] < 2 || a.constant() {
					continue
				}
				if v, ok := out[b][a.reg]; ok {
					in.args[i] = v
				} else {
					uses[in] = append(uses[in], i)
				}
			}
			if defs[in.dst] > 1 {
				r := g.reg(g.cls[in.dst])
				out[b][in.dst] = g.arg(r)
				in.dst = r
			}
		}
		if len(b.succs) == 2 && !b.cond.constant() && defs[b.cond.reg] > 1 {
			if v, ok := out[b][b.cond.reg]; ok {
				b.cond = v
			} else {
				conds[b] = true
			}
		}
	}
	var above func(b *block, r reg) arg
	below := func(b *block, r reg) arg {
		if v, ok := out[b][r]; ok {
			return v
		}
		return above(b, r)
	}
	above = func(b *block, r reg) arg {
		if v, ok := entry[b][r]; ok {
			return v
		}
		switch len(b.preds) {
		case 0:
			return zero(g.cls[r]) // never used
		case 1:
			v := below(b.preds[0], r)
			entry[b][r] = v
			return v
		}
		p := &phi{dst: g.reg(g.cls[r]), args: make([]arg, len(b.preds))}
		b.phis = append(b.phis, p)
		entry[b][r] = g.arg(p.dst)
		for i, from := range b.preds {
			p.args[i] = below(from, r)
		}
		return entry[b][r]
	}
	for _, b := range g.blocks {
		for _, in := range b.insts {
			for _, i := range uses[in] {
				in.args[i] = above(b, in.args[i].reg)
			}
		}
		if conds[b] {
			b.cond = above(b, b.cond.reg)
		}
	}
}

// sweep removes what computes values that nothing uses.
func (g *graph) sweep() {
	def := map[reg]*inst{}
	phis := map[reg]*phi{}
	live := map[reg]bool{}
	var work []reg
	need := func(a arg) {
		if !a.constant() && !live[a.reg] {
			live[a.reg] = true
			work = append(work, a.reg)
		}
	}
	for _, b := range g.blocks {
		for _, p := range b.phis {
			phis[p.dst] = p
		}
		for _, in := range b.insts {
			if in.dst != 0 {
				def[in.dst] = in
			}
			if in.eff != pure && in.eff != load {
				for _, a := range in.args {
					need(a)
				}
			}
		}
		if len(b.succs) == 2 {
			need(b.cond)
		}
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		if in := def[r]; in != nil {
			for _, a := range in.args {
				need(a)
			}
		}
		if p := phis[r]; p != nil {
			for _, a := range p.args {
				need(a)
			}
		}
	}
	for _, b := range g.blocks {
		phis := b.phis[:0]
		for _, p := range b.phis {
			if live[p.dst] {
				phis = append(phis, p)
			}
		}
		b.phis = phis
		insts := b.insts[:0]
		for _, in := range b.insts {
			if in.eff != pure && in.eff != load || live[in.dst] {
				insts = append(insts, in)
			}
		}
		b.insts = insts
	}
}

// join makes one block of two that always follow one another.
func (g *graph) join() {
	gone := map[*block]bool{}
	for _, b := range g.blocks {
		for !gone[b] && len(b.succs) == 1 && len(b.succs[0].preds) == 1 && b.succs[0] != b {
			s := b.succs[0]
			for _, p := range s.phis {
				b.insts = append(b.insts, &inst{op: "mov", dst: p.dst, args: p.args})
			}
			b.insts = append(b.insts, s.insts...)
			b.cond, b.succs = s.cond, s.succs
			for _, t := range s.succs {
				for i, p := range t.preds {
					if p == s {
						t.preds[i] = b
					}
				}
			}
			s.succs = nil
			gone[s] = true
		}
	}
	g.prune()
}
