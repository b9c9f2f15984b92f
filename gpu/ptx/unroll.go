package ptx

import "maps"

// The most that unrolling makes: iterations of a loop, and instructions of all of them.
const (
	mostTrips  = 32
	mostCopies = 400
)

// unroll writes out the loops whose number of iterations is known and small: what depends on their
// variables is computed when compiling then.
func (g *graph) unroll() {
	for range 8 { // a loop that holds one may follow it
		done := true
		ls := g.loops()
		for i := len(ls) - 1; i >= 0; i-- {
			if g.unrollOne(ls[i]) {
				done = false
				break
			}
		}
		if done {
			return
		}
		g.prune()
	}
}

// shape is a loop with one entry, one way back and one exit, at its head or at its end.
type shape struct {
	*loop
	entry, latch int // among the head's predecessors
	exits        *block
	exit         *block
}

func (l *loop) shape() (s shape, ok bool) {
	s = shape{loop: l, entry: -1, latch: -1}
	if len(l.head.preds) != 2 {
		return s, false
	}
	for i, p := range l.head.preds {
		if l.in[p] {
			s.latch = i
		} else {
			s.entry = i
		}
	}
	if s.entry < 0 || s.latch < 0 {
		return s, false
	}
	for b := range l.in {
		if len(b.succs) == 0 {
			return s, false
		}
		for _, t := range b.succs {
			if l.in[t] {
				continue
			}
			if s.exit != nil {
				return s, false
			}
			s.exits, s.exit = b, t
		}
	}
	return s, s.exit != nil && len(s.exits.succs) == 2 &&
		(s.exits == l.head || s.exits.dominates(l.head.preds[s.latch]))
}

// trips counts how often the loop leaves its exiting block into the loop.
func (g *graph) trips(s shape) (n int, ok bool) {
	def := map[reg]*inst{}
	size := 0
	for b := range s.in {
		size += len(b.insts) + len(b.phis)
		for _, in := range b.insts {
			if in.dst != 0 {
				def[in.dst] = in
			}
		}
	}
	env := map[reg]arg{}
	for _, p := range s.head.phis {
		if a := p.args[s.entry]; a.constant() {
			env[p.dst] = a
		}
	}
	var eval func(a arg, depth int) (arg, bool)
	eval = func(a arg, depth int) (arg, bool) {
		if v, ok := env[a.reg]; ok && !a.constant() {
			return v, true
		}
		in := def[a.reg]
		if a.constant() || in == nil || in.eff != pure || depth > 8 {
			return a, a.constant()
		}
		twin := *in
		twin.args = make([]arg, len(in.args))
		for i, b := range in.args {
			v, ok := eval(b, depth+1)
			if !ok {
				return a, false
			}
			twin.args[i] = v
		}
		if in.op == "mov" {
			return twin.args[0], true
		}
		return fold(g, &twin)
	}
	for n = 0; n <= mostTrips && n*size <= mostCopies; n++ {
		c, ok := eval(s.exits.cond, 0)
		if !ok || !c.constant() {
			return 0, false
		}
		if to := s.exits.succs[1-int(c.bits&1)]; !s.in[to] {
			return n, true
		}
		next := map[reg]arg{}
		for _, p := range s.head.phis {
			if v, ok := eval(p.args[s.latch], 0); ok && v.constant() {
				next[p.dst] = v
			}
		}
		env = next
	}
	return 0, false
}

// unrollOne writes out a loop, if that is possible.
func (g *graph) unrollOne(l *loop) bool {
	s, ok := l.shape()
	if !ok {
		return false
	}
	n, ok := g.trips(s)
	if !ok {
		return false
	}
	id := g.nextID()
	latch, from := l.head.preds[s.latch], l.head.preds[s.entry]
	values := map[reg]arg{} // of the iteration
	value := func(a arg) arg {
		if v, ok := values[a.reg]; ok && !a.constant() {
			return v
		}
		return a
	}
	enter := func(from, to *block) { // instead of the head
		for i, t := range from.succs {
			if t == l.head {
				from.succs[i] = to
			}
		}
	}
	var blocks []*block
	for _, b := range g.blocks { // in reverse postorder
		if l.in[b] {
			blocks = append(blocks, b)
		}
	}
	var last *block // the exiting block of the last iteration
	for t := 0; t <= n; t++ {
		before := maps.Clone(values)
		clear(values)
		for _, p := range l.head.phis {
			a := p.args[s.entry]
			if t > 0 {
				a = p.args[s.latch]
				if v, ok := before[a.reg]; ok && !a.constant() {
					a = v
				}
			}
			values[p.dst] = a
		}
		copies := map[*block]*block{}
		for _, b := range blocks {
			if t == n && s.exits == l.head && b != l.head {
				continue
			}
			copies[b] = &block{id: id}
			id++
			for _, p := range b.phis {
				if b != l.head {
					values[p.dst] = g.arg(g.reg(g.cls[p.dst]))
				}
			}
			for _, in := range b.insts {
				if in.dst != 0 {
					values[in.dst] = g.arg(g.reg(g.cls[in.dst]))
				}
			}
		}
		for b, c := range copies {
			g.copyBlock(b, c, b == l.head, value)
			for _, p := range b.preds {
				if copies[p] != nil && b != l.head {
					c.preds = append(c.preds, copies[p])
				}
			}
			for _, to := range b.succs {
				if copies[to] != nil && to != l.head {
					c.succs = append(c.succs, copies[to])
				} else if to == l.head {
					c.succs = append(c.succs, to) // for the next iteration
				}
			}
		}
		// The condition is known: it leads on, or out in the last iteration.
		x := copies[s.exits]
		if t == n {
			x.succs, last = []*block{s.exit}, x
		} else {
			for _, to := range s.exits.succs {
				switch {
				case to == l.head:
					x.succs = []*block{l.head}
				case l.in[to]:
					x.succs = []*block{copies[to]}
				}
			}
		}
		copies[l.head].preds = []*block{from}
		enter(from, copies[l.head])
		from = copies[latch]
		for _, b := range blocks {
			if copies[b] != nil {
				g.blocks = append(g.blocks, copies[b])
			}
		}
	}
	for i, p := range s.exit.preds {
		if p == s.exits {
			s.exit.preds[i] = last
		}
	}
	for _, b := range g.blocks { // what the loop computed last is used behind it
		if l.in[b] {
			continue
		}
		for _, p := range b.phis {
			for i := range p.args {
				p.args[i] = value(p.args[i])
			}
		}
		for _, in := range b.insts {
			for i := range in.args {
				in.args[i] = value(in.args[i])
			}
		}
		b.cond = value(b.cond)
	}
	return true
}

// copyBlock copies a block with other registers.
func (g *graph) copyBlock(b, c *block, head bool, value func(arg) arg) {
	if !head {
		for _, p := range b.phis {
			q := &phi{dst: value(g.arg(p.dst)).reg}
			for _, a := range p.args {
				q.args = append(q.args, value(a))
			}
			c.phis = append(c.phis, q)
		}
	}
	for _, in := range b.insts {
		twin := *in
		twin.args = make([]arg, len(in.args))
		for i, a := range in.args {
			twin.args[i] = value(a)
		}
		if in.dst != 0 {
			twin.dst = value(g.arg(in.dst)).reg
		}
		c.insts = append(c.insts, &twin)
	}
	c.cond = value(b.cond)
}
