package ptx

import (
	"fmt"
	"slices"
	"strings"
)

// A printer writes a graph as PTX.
type printer struct {
	g     *graph
	body  strings.Builder
	names []string // of registers
	count map[byte]int
	sites []int
	cold  strings.Builder // where a check of several leads to
	colds int
	edges int
}

// print writes the kernel; word is the name of the parameter that is the error word's address.
func (c *compiler) print(word string) {
	p := &printer{g: c.g, names: make([]string, len(c.g.cls)), count: map[byte]int{}}
	for i, b := range c.g.blocks {
		var next *block
		if i+1 < len(c.g.blocks) {
			next = c.g.blocks[i+1]
		}
		p.block(b, next)
	}
	o := &c.out
	fmt.Fprintf(o, "\n.visible .entry %s(", c.entry)
	for i, q := range c.kern.Params {
		if i > 0 {
			o.WriteString(",")
		}
		t := q.Type
		if t == "bool" {
			t = "u8"
		}
		fmt.Fprintf(o, "\n\t.param .%s %s_p%d", t, c.entry, i)
	}
	o.WriteString("\n)\n{\n" + c.decl.String())
	for _, cls := range []byte(classes) {
		if n := p.count[cls]; n > 0 {
			fmt.Fprintf(o, "\t.reg .%s %s<%d>;\n", regTypes[cls], prefixes[cls], n+1)
		}
	}
	if len(p.sites) > 0 {
		o.WriteString("\t.reg .b32 %site, %tt<4>;\n\t.reg .b64 %word, %at;\n")
	}
	o.WriteString(p.body.String())
	o.WriteString(p.cold.String())
	for _, s := range p.sites {
		fmt.Fprintf(o, "$fail_%d:\n\tmov.u32 %%site, %d;\n\tbra $fail;\n", s, s)
	}
	if len(p.sites) > 0 {
		fmt.Fprintf(o, "$fail:\n\tld.param.u64 %%at, [%s];\n\tcvta.to.global.u64 %%at, %%at;\n", word)
		o.WriteString("\tmov.u32 %tt1, %ctaid.x;\n\tmov.u32 %tt2, %ntid.x;\n\tmov.u32 %tt3, %tid.x;\n" +
			"\tmad.lo.u32 %tt1, %tt1, %tt2, %tt3;\n\tmov.b64 %word, {%site, %tt1};\n" +
			"\tred.global.min.u64 [%at], %word;\n\tret;\n")
	}
	o.WriteString("}\n")
}

func (p *printer) e(format string, args ...any) {
	fmt.Fprintf(&p.body, "\t"+format+";\n", args...)
}

func (p *printer) fresh(cls byte) string {
	p.count[cls]++
	return fmt.Sprintf("%s%d", prefixes[cls], p.count[cls])
}

func (p *printer) reg(r reg) string {
	if p.names[r] == "" {
		p.names[r] = p.fresh(p.g.cls[r])
	}
	return p.names[r]
}

func (p *printer) arg(a arg) string {
	if a.constant() {
		return a.text()
	}
	return p.reg(a.reg)
}

// held is a in a register.
func (p *printer) held(a arg) string {
	if !a.constant() {
		return p.reg(a.reg)
	}
	r := p.fresh(a.cls)
	p.e("mov.%s %s, %s", regTypes[a.cls], r, a.text())
	return r
}

// block writes b; next is the block that follows in the text.
func (p *printer) block(b, next *block) {
	fmt.Fprintf(&p.body, "$L%d:\n", b.id)
	for i := 0; i < len(b.insts); i++ {
		if b.insts[i].eff != check {
			p.inst(b.insts[i])
			continue
		}
		i += p.checks(b.insts[i:]) - 1
	}
	switch len(b.succs) {
	case 0:
		p.e("ret")
	case 1:
		p.edge(b, b.succs[0])
		if b.succs[0] != next {
			p.e("bra $L%d", b.succs[0].id)
		}
	case 2:
		p.branch(b, next)
	}
}

func (p *printer) branch(b, next *block) {
	yes, no := b.succs[0], b.succs[1]
	cond := p.held(b.cond)
	if len(yes.phis) > 0 && len(no.phis) == 0 || len(yes.phis) == 0 && yes == next {
		yes, no, cond = no, yes, "!"+cond
	}
	if len(yes.phis) == 0 {
		p.e("@%s bra $L%d", cond, yes.id)
		p.edge(b, no)
		if no != next {
			p.e("bra $L%d", no.id)
		}
		return
	}
	p.edges++
	l := fmt.Sprintf("$E%d", p.edges)
	p.e("@%s bra %s", cond, l)
	p.edge(b, no)
	p.e("bra $L%d", no.id)
	fmt.Fprintf(&p.body, "%s:\n", l)
	p.edge(b, yes)
	if yes != next {
		p.e("bra $L%d", yes.id)
	}
}

// edge copies into the phis of to what they get from b, all at once.
func (p *printer) edge(b, to *block) {
	k := slices.Index(to.preds, b)
	type move struct {
		dst reg
		src arg
		via string
	}
	var ms []move
	dsts := map[reg]bool{}
	for _, f := range to.phis {
		if f.args[k].reg != f.dst {
			ms = append(ms, move{dst: f.dst, src: f.args[k]})
			dsts[f.dst] = true
		}
	}
	for i, m := range ms { // sources that are overwritten wait in other registers
		if !m.src.constant() && dsts[m.src.reg] {
			cls := p.g.cls[m.dst]
			ms[i].via = p.fresh(cls)
			p.e("mov.%s %s, %s", regTypes[cls], ms[i].via, p.reg(m.src.reg))
		}
	}
	for _, m := range ms {
		src := m.via
		if src == "" {
			src = p.arg(m.src)
		}
		p.e("mov.%s %s, %s", regTypes[p.g.cls[m.dst]], p.reg(m.dst), src)
	}
}

// checks writes the checks that insts begins with, and returns how many those are.
func (p *printer) checks(insts []*inst) int {
	var preds []string
	var sites []int
	for _, in := range insts {
		if in.eff != check {
			break
		}
		sites = append(sites, in.site)
		if !slices.Contains(p.sites, in.site) {
			p.sites = append(p.sites, in.site)
		}
		a := in.args[0]
		if a.constant() {
			preds = append(preds, "")
			break
		}
		preds = append(preds, p.reg(a.reg))
	}
	for i, q := range preds { // of one alone, or for certain
		if q == "" || len(preds) == 1 {
			guard := ""
			if q != "" {
				guard = "@" + q + " "
			} else {
				for j := range i {
					p.e("@%s bra $fail_%d", preds[j], sites[j])
				}
			}
			p.e("%sbra $fail_%d", guard, sites[i])
			return len(preds)
		}
	}
	any := preds[0]
	for _, q := range preds[1:] {
		r := p.fresh('p')
		p.e("or.pred %s, %s, %s", r, any, q)
		any = r
	}
	p.colds++
	p.e("@%s bra $fails_%d", any, p.colds)
	fmt.Fprintf(&p.cold, "$fails_%d:\n", p.colds)
	for i := range len(preds) - 1 {
		fmt.Fprintf(&p.cold, "\t@%s bra $fail_%d;\n", preds[i], sites[i])
	}
	fmt.Fprintf(&p.cold, "\tbra $fail_%d;\n", sites[len(sites)-1])
	return len(preds)
}

// inst writes an instruction other than a check.
func (p *printer) inst(in *inst) {
	op := in.op
	if op == "mov" {
		op = "mov." + regTypes[p.g.cls[in.dst]]
	}
	var parts []string
	args := in.args
	if in.eff == load && len(args) == 2 {
		when := args[1]
		if !when.constant() || when.bits == 0 {
			cls := p.g.cls[in.dst] // what is not loaded is 0
			p.e("mov.%s %s, %s", regTypes[cls], p.reg(in.dst), zero(cls).text())
		}
		if when.constant() && when.bits == 0 {
			return
		}
		if !when.constant() {
			op = "@" + p.reg(when.reg) + " " + op
		}
		args = args[:1]
	}
	if in.dst != 0 {
		parts = append(parts, p.reg(in.dst))
	}
	if in.sym != "" {
		parts = append(parts, in.sym)
	}
	for i, a := range args {
		switch {
		case i == 0 && (in.eff == load || in.eff == store || in.eff == atomic):
			at := p.held(a)
			if in.off != 0 {
				at = fmt.Sprintf("%s+%d", at, in.off)
			}
			at = "[" + at + "]"
			if in.dst == 0 {
				parts = append([]string{at}, parts...)
			} else {
				parts = append(parts, at)
			}
		case i == 0 && in.base() != "mov" && in.base() != "selp", in.eff == store, in.eff == atomic,
			i == 2 && in.base() == "selp", in.eff == barrier && i == 0:
			parts = append(parts, p.held(a))
		default:
			parts = append(parts, p.arg(a))
		}
	}
	if len(parts) == 0 {
		p.e("%s", op)
		return
	}
	p.e("%s %s", op, strings.Join(parts, ", "))
}
