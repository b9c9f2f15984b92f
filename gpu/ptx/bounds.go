package ptx

import (
	"fmt"
	"strings"
)

// bounds knows checks of an index that a loop's condition implies: i < n as numbers with a sign,
// where i is not negative, is i < n without one.
func (n *numbering) bounds(cmp, t string, x, y arg) (v, ok bool) {
	below := n.below
	switch {
	case cmp == "ge" && t == "u64": // an index of 64 bits against a length
		if y.constant() {
			if _, hi := n.interval(x, 0); n.atLeast0(x) && hi < int64(y.bits) && int64(y.bits) > 0 {
				return false, true
			}
		}
		if below("s64", x, y) && n.atLeast0(x) {
			return false, true
		}
		if k, ok := n.upTo(x); ok && below("s64", k, y) && n.atLeast0(x) {
			return false, true
		}
	case cmp == "ge" && t == "u32":
		if !n.atLeast0(x) {
			return false, false
		}
		if y.constant() {
			if _, hi := n.interval(x, 0); hi < int64(uint32(y.bits)) {
				return false, true
			}
			return false, false
		}
		// y is min(len, 2^31); the loop's bound may be len itself, as an int32.
		if m := n.def[y.reg]; m != nil && m.op == "cvt.u32.u64" {
			if k := n.def[n.value(m.args[0]).reg]; k != nil && k.op == "min.u64" {
				for _, l := range k.args {
					l = n.value(l)
					if !l.constant() && n.g.nonneg[l.reg] {
						if w, ok := n.table[fmt.Sprint("cvt.u32.u64", []arg{l}, 0, "", 0)]; ok &&
							below("s32", x, n.value(w)) {
							return false, true
						}
					}
				}
			}
		}
	}
	return false, false
}

// below tells whether x < y is known, as numbers with a sign of type t.
func (n *numbering) below(t string, x, y arg) bool {
	if n.facts[fmt.Sprint("lt", t, x, y)] {
		return true
	}
	if in := n.def[x.reg]; in != nil && !x.constant() && in.op == "add."+t && in.args[1].constant() {
		k := int64(in.args[1].bits)
		if x.cls == 'r' {
			k = int64(int32(uint32(k)))
		}
		if room, ok := n.slack[[2]arg{n.value(in.args[0]), y}]; ok && k >= 0 && k <= room {
			return true
		}
	}
	p := n.phi[x.reg]
	if p == nil || x.constant() || !n.before(y, n.at[x.reg]) {
		return false
	}
	for i, e := range p.args { // every value that comes was compared with y
		if !n.compared(n.value(e), y, t, n.at[x.reg].preds[i]) {
			return false
		}
	}
	return true
}

// before tells whether a has its value before b begins, and keeps it in all of b's repetitions.
func (n *numbering) before(a arg, b *block) bool {
	if a.constant() {
		return true
	}
	at := n.at[a.reg]
	if at == nil {
		at = n.where[n.def[a.reg]]
	}
	return at != nil && at != b && at.dominates(b)
}

// compared finds a branch above b that only x < y takes.
func (n *numbering) compared(x, y arg, t string, b *block) bool {
	for ; b != nil && b.idom != b; b = b.idom {
		if cmp, u, p, q := n.branch(b); u == t && (p == x && q == y && cmp == "lt" ||
			p == y && q == x && cmp == "gt") {
			return true
		}
	}
	return false
}

// branch is the comparison that is true where b is reached from its only predecessor.
func (n *numbering) branch(b *block) (cmp, t string, x, y arg) {
	if len(b.preds) != 1 {
		return "", "", x, y
	}
	p := b.preds[0]
	if len(p.succs) != 2 || p.succs[0] == p.succs[1] || p.cond.constant() {
		return "", "", x, y
	}
	in := n.def[n.value(p.cond).reg]
	if in == nil || in.base() != "setp" || len(in.args) != 2 {
		return "", "", x, y
	}
	_, rest, _ := strings.Cut(in.op, ".")
	cmp, t, _ = strings.Cut(rest, ".")
	if p.succs[0] != b {
		if t[0] == 'f' {
			return "", "", x, y
		}
		cmp = inverse[cmp]
	}
	return cmp, t, n.value(in.args[0]), n.value(in.args[1])
}

// upTo is z where x is z minus what is not negative, and z is not negative: x is z at most.
func (n *numbering) upTo(x arg) (z arg, ok bool) {
	in := n.def[x.reg]
	if in == nil || x.constant() || in.op != "add.s64" && in.op != "sub.s64" {
		return arg{}, false
	}
	lo, hi := n.interval(in.args[1], 0)
	if in.op == "add.s64" && hi > 0 || in.op == "sub.s64" && lo < 0 || !n.atLeast0(in.args[0]) {
		return arg{}, false
	}
	return n.value(in.args[0]), true
}

// atLeast0 tells whether a number, read with a sign, is never negative.
func (n *numbering) atLeast0(a arg) bool {
	lo, _ := n.interval(a, 0)
	return lo >= 0
}

const (
	lowest  = -1 << 63
	highest = 1<<63 - 1
	longest = 1 << 56 // more than any memory holds
	widest  = 1 << 60 // two of these can be added

	mostLooked = 2000 // values that interval looks at for one question: they branch
)

// interval bounds a number, read with a sign.
func (n *numbering) interval(a arg, depth int) (lo, hi int64) {
	a = n.value(a)
	lo, hi = lowest, highest
	if a.cls == 'r' {
		lo, hi = -1<<31, 1<<31-1
	}
	if a.constant() {
		if a.cls == 'r' {
			return int64(int32(uint32(a.bits))), int64(int32(uint32(a.bits)))
		}
		return int64(a.bits), int64(a.bits)
	}
	if n.g.nonneg[a.reg] {
		return 0, longest
	}
	if depth == 0 {
		n.looked = 0
	}
	if n.looked++; depth > 6 || n.looked > mostLooked {
		return lo, hi
	}
	if n.blind == 0 &&
		n.facts[fmt.Sprint("ge", map[byte]string{'r': "s32", 'd': "s64"}[a.cls], a, zero(a.cls))] {
		defer func() { lo = max(lo, 0) }()
	}
	if p := n.phi[a.reg]; p != nil {
		return n.phiInterval(a, p, lo, hi, depth)
	}
	in := n.def[a.reg]
	if in == nil {
		return lo, hi
	}
	if in.sym != "" && in.op == "mov.u32" {
		return 0, 1<<31 - 1 // numbers of threads and blocks
	}
	sub := func(i int) (int64, int64) { return n.interval(in.args[i], depth+1) }
	switch in.op {
	case "cvt.u64.u32":
		l, h := sub(0)
		if l >= 0 {
			return l, h
		}
		return 0, 1<<32 - 1
	case "cvt.s64.s32", "cvt.s32.s8", "cvt.s32.s16":
		l, h := sub(0)
		if in.op != "cvt.s64.s32" {
			return -1 << 15, 1<<15 - 1
		}
		return l, h
	case "cvt.u32.u8":
		return 0, 255
	case "cvt.u32.u16":
		return 0, 1<<16 - 1
	case "cvt.u32.u64":
		if l, h := sub(0); l >= 0 && h < 1<<31 {
			return l, h
		}
	case "ld.global.u8", "ld.global.nc.u8":
		return 0, 255
	case "ld.global.u16", "ld.global.nc.u16":
		return 0, 1<<16 - 1
	case "and.b32", "and.b64":
		l, h := sub(0)
		m, k := sub(1)
		switch {
		case l >= 0 && m >= 0:
			return 0, min(h, k)
		case l >= 0:
			return 0, h
		case m >= 0:
			return 0, k
		}
	case "shr.s64", "shr.s32", "shr.u64", "shr.u32":
		if l, h := sub(0); l >= 0 {
			if k := in.args[1]; k.constant() && k.bits < 63 {
				return l >> k.bits, h >> k.bits
			}
			return 0, h
		}
	case "rem.s64", "rem.s32", "rem.u64", "rem.u32":
		l, h := sub(0)
		m, k := sub(1)
		if l >= 0 && m > 0 {
			return 0, min(h, k-1)
		}
	case "div.s64", "div.s32", "div.u64", "div.u32":
		l, h := sub(0)
		if m, _ := sub(1); l >= 0 && m > 0 {
			return 0, h / m
		}
	case "add.s64", "add.s32":
		l, h := sub(0)
		m, k := sub(1)
		if l > -widest && m > -widest && h <= widest && k <= widest &&
			(a.cls == 'd' || l+m >= -1<<31 && h+k < 1<<31) {
			return l + m, h + k
		}
	case "sub.s64", "sub.s32":
		l, h := sub(0)
		m, k := sub(1)
		if l > -widest && m > -widest && h <= widest && k <= widest &&
			(a.cls == 'd' || l-k >= -1<<31 && h-m < 1<<31) {
			return l - k, h - m
		}
	case "min.s64", "min.s32":
		l, h := sub(0)
		m, k := sub(1)
		return min(l, m), min(h, k)
	case "max.s64", "max.s32":
		l, h := sub(0)
		m, k := sub(1)
		return max(l, m), max(h, k)
	case "selp.b32", "selp.b64":
		l, h := sub(0)
		m, k := sub(1)
		return min(l, m), max(h, k)
	}
	return lo, hi
}

// phiInterval is that of a variable of a loop which starts with something and goes up in steps, if
// the loop's condition keeps it from wrapping.
func (n *numbering) phiInterval(a arg, p *phi, lo, hi int64, depth int) (int64, int64) {
	if n.assumed[a.reg] {
		return lo, hi
	}
	low, high := int64(highest), int64(lowest)
	n.assumed[a.reg] = true
	defer delete(n.assumed, a.reg)
	var back []int
	for i, e := range p.args {
		e = n.value(e)
		if in := n.def[e.reg]; !e.constant() && in != nil && (in.op == "add.s64" || in.op == "add.s32") &&
			n.value(in.args[0]) == a {
			back = append(back, i)
			continue
		}
		if e == a {
			continue
		}
		l, h := n.earlier(e, a, depth)
		low, high = min(low, l), max(high, h)
	}
	if low == highest {
		return lo, hi
	}
	limit := int64(1<<31 - 1)
	if a.cls == 'd' {
		limit = highest
	}
	var steps []int64 // where the increased one is compared, all that the variable can be counts
	for _, i := range back {
		e := n.value(p.args[i])
		in := n.def[e.reg]
		least, step := n.earlier(in.args[1], a, depth)
		if least < 0 {
			return lo, hi
		}
		// Either the variable is below a bound where it is increased, or the increased one
		// is below a bound where it comes back.
		top, ok := n.guarded(a, a, n.where[in], depth)
		if !ok {
			if top, ok = n.guarded(e, a, n.at[a.reg].preds[i], depth); !ok {
				return lo, hi
			}
			high = max(high, top-1)
			steps = append(steps, step)
			continue
		}
		if top > widest || top-1 > limit-step {
			return lo, hi
		}
		high = max(high, top-1+step)
	}
	for _, step := range steps {
		if high > limit-step {
			return lo, hi
		}
	}
	return low, high
}

// earlier returns the interval of the values that a variable receives. Facts known here about a
// value that another iteration computes anew did not hold for the value that the variable received.
func (n *numbering) earlier(e, variable arg, depth int) (lo, hi int64) {
	if e = n.value(e); !n.before(e, n.at[variable.reg]) {
		n.blind++
		defer func() { n.blind-- }()
	}
	return n.interval(e, depth+1)
}

// guarded finds a branch above b that only a number below a bound takes, and the bound.
func (n *numbering) guarded(a, variable arg, b *block, depth int) (top int64, ok bool) {
	for ; b != nil && b.idom != b; b = b.idom {
		cmp, t, x, y := n.branch(b)
		if t != "s32" && t != "s64" {
			continue
		}
		if y == a {
			x, y, cmp = y, x, mirror[cmp]
		}
		if x != a || cmp != "lt" && cmp != "le" {
			continue
		}
		if _, top = n.earlier(y, variable, depth); cmp == "le" {
			top++
		}
		return top, top <= widest
	}
	return 0, false
}
