package ptx

import (
	"fmt"
	"strings"
)

// A numbering gives equal numbers one register, over the dominator tree: what a block has
// computed, loaded or checked need not be computed again in the blocks below it.
type numbering struct {
	g     *graph
	c     *compiler
	full  bool // else only copies are removed
	repl  map[reg]arg
	def   map[reg]*inst
	phi   map[reg]*phi
	at    map[reg]*block // of phis
	table map[string]arg
	undo  []undo
	facts map[string]bool // comparisons known to be true or false
	known map[reg]bool    // predicates known to be true or false
	epoch int
	state map[int]int // of arrays that are written: changes with each store
	where map[*inst]*block

	slack map[[2]arg]int64 // x < y - c is known: c of x and y

	assumed map[reg]bool // variables of loops that interval is looking at
	looked  int          // how many values interval has looked at for the present question
	blind   int          // above 0, interval looks at values of another iteration, and facts are not
}

// undo is what a scope has put into the maps.
type undo struct {
	key  string
	kind byte // t: table, f: facts, k: known
	reg  reg
	pair [2]arg
	old  bool
	had  bool
}

// number numbers the values of g.
func (g *graph) number(c *compiler, full bool) {
	n := &numbering{
		g: g, c: c, full: full, repl: map[reg]arg{}, table: map[string]arg{}, facts: map[string]bool{},
		known: map[reg]bool{}, state: map[int]int{}, def: map[reg]*inst{}, phi: map[reg]*phi{},
		at: map[reg]*block{}, where: map[*inst]*block{}, assumed: map[reg]bool{},
		slack: map[[2]arg]int64{},
	}
	children := map[*block][]*block{}
	for _, b := range g.blocks {
		if b.idom != b {
			children[b.idom] = append(children[b.idom], b)
		}
		for _, p := range b.phis {
			n.phi[p.dst], n.at[p.dst] = p, b
		}
		for _, in := range b.insts {
			if in.dst != 0 {
				n.def[in.dst], n.where[in] = in, b
			}
		}
	}
	var walk func(b *block)
	walk = func(b *block) {
		mark := len(n.undo)
		n.block(b)
		for _, s := range children[b] {
			walk(s)
		}
		n.rollback(mark)
	}
	walk(g.blocks[0])
	for _, b := range g.blocks { // what came round a loop
		for _, p := range b.phis {
			for i := range p.args {
				p.args[i] = n.value(p.args[i])
			}
		}
		for _, in := range b.insts {
			for i := range in.args {
				in.args[i] = n.value(in.args[i])
			}
		}
		b.cond = n.value(b.cond)
	}
	for _, b := range g.blocks {
		if len(b.succs) == 2 && b.cond.constant() {
			k := 0
			if b.cond.bits == 0 {
				k = 1
			}
			b.succs = []*block{b.succs[k]}
		}
	}
	g.prune()
}

// value is what a stands for.
func (n *numbering) value(a arg) arg {
	for !a.constant() {
		v, ok := n.repl[a.reg]
		if !ok {
			break
		}
		a = v
	}
	return a
}

// here is value, with what is known in this block.
func (n *numbering) here(a arg) arg {
	a = n.value(a)
	if !a.constant() && a.cls == 'p' {
		if v, ok := n.known[a.reg]; ok {
			return truth(v)
		}
	}
	return a
}

// rollback forgets what was learned since undo had mark entries: in blocks that do not come before
// the next one.
func (n *numbering) rollback(mark int) {
	for i := len(n.undo) - 1; i >= mark; i-- {
		u := n.undo[i]
		switch {
		case u.kind == 't':
			delete(n.table, u.key)
		case u.kind == 'f' && u.had:
			n.facts[u.key] = u.old
		case u.kind == 'f':
			delete(n.facts, u.key)
		case u.kind == 's':
			delete(n.slack, u.pair)
		case u.had:
			n.known[u.reg] = u.old
		default:
			delete(n.known, u.reg)
		}
	}
	n.undo = n.undo[:mark]
}

func (n *numbering) block(b *block) {
	n.epoch++
	clear(n.state)
	if len(b.preds) == 1 && n.full {
		if p := b.preds[0]; len(p.succs) == 2 && p.succs[0] != p.succs[1] {
			n.learn(n.value(p.cond), p.succs[0] == b)
		}
	}
	phis := b.phis[:0]
	for _, p := range b.phis {
		if !n.trivial(b, p) {
			phis = append(phis, p)
		}
	}
	b.phis = phis
	insts := b.insts[:0]
	for _, in := range b.insts {
		if !n.inst(in) {
			insts = append(insts, in)
		}
	}
	b.insts = insts
	b.cond = n.here(b.cond)
	if n.full {
		for _, s := range b.succs { // on this edge a condition is known
			for i, from := range s.preds {
				if from == b {
					for _, p := range s.phis {
						p.args[i] = n.here(p.args[i])
					}
				}
			}
		}
	}
}

// trivial removes a phi whose arguments are all the same, or that another phi equals.
func (n *numbering) trivial(b *block, p *phi) bool {
	var same arg
	first := true
	var key strings.Builder
	fmt.Fprintf(&key, "phi %d", b.id)
	for i, a := range p.args {
		a = n.value(a)
		p.args[i] = a
		fmt.Fprint(&key, " ", a)
		if a.reg == p.dst {
			continue
		}
		if !first && a != same {
			same = arg{reg: -1}
		}
		if first {
			same, first = a, false
		}
	}
	if !first && same.reg >= 0 {
		n.repl[p.dst] = same
		return true
	}
	if !n.full {
		return false
	}
	if v, ok := n.table[key.String()]; ok {
		n.repl[p.dst] = v
		return true
	}
	n.put(key.String(), n.g.arg(p.dst))
	return false
}

func (n *numbering) put(key string, v arg) {
	if _, ok := n.table[key]; !ok {
		n.table[key] = v
		n.undo = append(n.undo, undo{kind: 't', key: key})
	}
}

// inst numbers an instruction and tells whether it is not needed.
func (n *numbering) inst(in *inst) bool {
	for i := range in.args {
		if n.full {
			in.args[i] = n.here(in.args[i])
		} else {
			in.args[i] = n.value(in.args[i])
		}
	}
	if in.op == "mov" {
		n.repl[in.dst] = in.args[0]
		return true
	}
	if !n.full {
		return false
	}
	turn(in)
	if in.eff == pure {
		if v, ok := n.undone(in); ok {
			n.repl[in.dst] = v
			return true
		}
		if v, ok := fold(n.g, in); ok {
			n.repl[in.dst] = v
			return true
		}
		if in.base() == "setp" {
			if v, ok := n.implied(in); ok {
				n.repl[in.dst] = truth(v)
				return true
			}
		}
	}
	var key string
	switch in.eff {
	case pure:
		key = n.key(in, 0)
	case load:
		key = n.key(in, n.version(in))
	case store, atomic:
		n.epoch++
		if root := n.c.find(in.root); in.root != 0 {
			n.state[root] = n.epoch
		} else {
			clear(n.state)
		}
		return false
	case barrier:
		n.epoch++
		clear(n.state)
		return false
	case check:
		a := in.args[0]
		if a.constant() && a.bits == 0 {
			return true // it never fails
		}
		if !a.constant() {
			n.learn(a, false)
		}
		return false
	}
	if v, ok := n.table[key]; ok {
		n.repl[in.dst] = v
		return true
	}
	n.put(key, n.g.arg(in.dst))
	return false
}

// undone returns x if in recovers x from a value computed from it: its low half, or its bits.
func (n *numbering) undone(in *inst) (arg, bool) {
	if len(in.args) != 1 || in.args[0].constant() {
		return arg{}, false
	}
	d := n.def[in.args[0].reg]
	if d == nil || len(d.args) != 1 || d.args[0].constant() {
		return arg{}, false
	}
	x := n.value(d.args[0])
	switch in.op {
	case "cvt.u32.u64":
		return x, d.op == "cvt.u64.u32" || d.op == "cvt.s64.s32"
	case "mov.b64", "mov.b32":
		return x, d.op == in.op && n.g.cls[in.dst] == x.cls
	case "not.pred":
		return x, d.op == in.op
	}
	return arg{}, false
}

// version numbers the states of an array; 0 where it never changes.
func (n *numbering) version(in *inst) int {
	root := n.c.find(in.root)
	if in.root != 0 && !n.c.arrays[root].written {
		return 0
	}
	if n.state[root] == 0 {
		n.state[root] = n.epoch
	}
	return n.state[root]
}

// turn puts a constant last, where that is the same.
func turn(in *inst) {
	if len(in.args) != 2 || !in.args[0].constant() || in.args[1].constant() || in.eff != pure {
		return
	}
	if commutes[in.base()] {
		in.args = []arg{in.args[1], in.args[0]}
	}
	if rest, ok := strings.CutPrefix(in.op, "setp."); ok {
		cmp, t, _ := strings.Cut(rest, ".")
		if m, ok := mirror[cmp]; ok && t[0] != 'f' {
			in.op, in.args = "setp."+m+"."+t, []arg{in.args[1], in.args[0]}
		}
	}
}

var commutes = map[string]bool{
	"add": true, "mul": true, "and": true, "or": true, "xor": true, "min": true, "max": true,
}

func (n *numbering) key(in *inst, version int) string {
	args := in.args
	if commutes[in.base()] && len(args) == 2 && less(args[1], args[0]) {
		args = []arg{args[1], args[0]}
	}
	return fmt.Sprint(in.op, args, in.off, in.sym, version)
}

// learn records that a predicate is true or false from here on.
func (n *numbering) learn(a arg, v bool) {
	if a.constant() {
		return
	}
	if old, had := n.known[a.reg]; !had || old != v {
		n.known[a.reg] = v
		n.undo = append(n.undo, undo{kind: 'k', reg: a.reg, old: old, had: had})
	}
	in := n.def[a.reg]
	if in == nil {
		return
	}
	switch in.op {
	case "not.pred":
		n.learn(n.value(in.args[0]), !v)
		return
	case "and.pred":
		if v {
			n.learn(n.value(in.args[0]), true)
			n.learn(n.value(in.args[1]), true)
		}
		return
	case "or.pred":
		if !v {
			n.learn(n.value(in.args[0]), false)
			n.learn(n.value(in.args[1]), false)
		}
		return
	}
	if in.base() != "setp" {
		return
	}
	_, rest, _ := strings.Cut(in.op, ".")
	cmp, t, _ := strings.Cut(rest, ".")
	x, y := n.value(in.args[0]), n.value(in.args[1])
	n.fact(cmp, t, x, y, v)
	if t[0] == 'f' {
		return
	}
	if cmp == "lt" && v || cmp == "ge" && !v {
		n.room(t, x, y)
	}
	if cmp == "gt" && v || cmp == "le" && !v {
		n.room(t, y, x)
	}
	switch cmp {
	case "lt":
		if v {
			n.fact("le", t, x, y, true)
			n.fact("eq", t, x, y, false)
		}
	case "ge":
		if !v {
			n.fact("le", t, x, y, true)
			n.fact("eq", t, x, y, false)
		}
	case "gt":
		if v {
			n.fact("ge", t, x, y, true)
			n.fact("eq", t, x, y, false)
		}
	case "le":
		if !v {
			n.fact("ge", t, x, y, true)
			n.fact("eq", t, x, y, false)
		}
	}
}

// room records of x < y that y is z less a constant, so that x and as much is still below z.
// Without a sign z less a constant may wrap to what is far above z.
func (n *numbering) room(t string, x, y arg) {
	if t[0] != 's' {
		return
	}
	in := n.def[y.reg]
	put := func(z arg, c int64) {
		pair := [2]arg{x, z}
		if _, had := n.slack[pair]; !had {
			n.slack[pair] = c
			n.undo = append(n.undo, undo{kind: 's', pair: pair})
		}
	}
	put(y, 0)
	if in == nil || y.constant() || in.op != "sub."+t || !in.args[1].constant() {
		return
	}
	c := int64(in.args[1].bits)
	if y.cls == 'r' {
		c = int64(int32(uint32(c)))
	}
	z := n.value(in.args[0])
	if lo, _ := n.interval(z, 0); c >= 0 && c < 1<<30 && lo >= 0 {
		put(z, c)
		n.fact("lt", t, x, z, true)
	}
}

var (
	inverse = map[string]string{
		"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq",
	}
	mirror = map[string]string{
		"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne",
	}
)

// fact records a comparison in the four ways of writing it.
func (n *numbering) fact(cmp, t string, x, y arg, v bool) {
	set := func(cmp string, x, y arg, v bool) {
		key := fmt.Sprint(cmp, t, x, y)
		old, had := n.facts[key]
		if !had || old != v {
			n.facts[key] = v
			n.undo = append(n.undo, undo{kind: 'f', key: key, old: old, had: had})
		}
	}
	set(cmp, x, y, v)
	m, ok := mirror[cmp]
	if !ok {
		return // neu
	}
	set(m, y, x, v)
	if t[0] != 'f' {
		set(inverse[cmp], x, y, !v)
		set(inverse[m], y, x, !v)
	}
}

// implied tells what is known of a comparison.
func (n *numbering) implied(in *inst) (v, ok bool) {
	_, rest, _ := strings.Cut(in.op, ".")
	cmp, t, _ := strings.Cut(rest, ".")
	x, y := in.args[0], in.args[1]
	if v, ok = n.facts[fmt.Sprint(cmp, t, x, y)]; ok {
		return v, true
	}
	if x == y && !x.constant() && t[0] != 'f' {
		return cmp == "eq" || cmp == "le" || cmp == "ge", true
	}
	return n.bounds(cmp, t, x, y)
}
