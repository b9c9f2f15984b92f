package machine

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Module is parsed PTX.
type Module struct {
	entries map[string]*entry
	tables  map[string][]byte
	dynamic map[string]bool

	// Steps is how many instructions threads have run, of kernels that ended.
	Steps int64
}

type entry struct {
	name   string
	params []string // names
	types  []string
	arrays map[string]array
	regs   map[string]int
	code   []*instr
	labels map[string]int
}

type array struct {
	space string
	at    uint64
	size  int
}

// instr is an instruction; the parts of its operation are cut at the dots.
type instr struct {
	guard   int // register; -1: none
	negated bool
	op      string
	parts   []string
	args    []operand
	line    int
}

type operand struct {
	kind  byte // register, i(nteger or float), memory, special or symbol, v(ector of two), label
	reg   int
	reg2  int
	class string // of a register: %r, %rd and so on
	bits  uint64
	off   int64
	name  string
}

var (
	tableLine  = regexp.MustCompile(`^\.global \.align 8 \.b8 (\w+)\[(\d+)\] = \{$`)
	arrayLine  = regexp.MustCompile(`^\.(shared|local) \.align 8 \.b8 (\w+)\[(\d+)\]$`)
	externLine = regexp.MustCompile(`^\.extern \.shared \.align 16 \.b8 (\w+)\[\]$`)
	paramLine  = regexp.MustCompile(`^\.param \.(\w+) (\w+)$`)
	regLine    = regexp.MustCompile(`^\.reg \.(\w+) (.*)$`)
	labelLine  = regexp.MustCompile(`^(\$\w+):$`)
	guardPart  = regexp.MustCompile(`^@(!?)(%\w+)\s+(.*)$`)
	regName    = regexp.MustCompile(`^(%[a-z]+)(\d*)$`)
	memPart    = regexp.MustCompile(`^\[([%\w]+)(?:\+(-?\d+))?\]$`)
)

var regClass = map[string]string{
	"pred": "%p", "b32": "%r", "b64": "%rd", "f32": "%f", "f64": "%fd",
}

// Parse reads a module.
func Parse(text string) (*Module, error) {
	m := &Module{entries: map[string]*entry{}, tables: map[string][]byte{}, dynamic: map[string]bool{}}
	p := &parser{m: m, classes: map[string]string{}}
	for i, line := range strings.Split(text, "\n") {
		if k := strings.Index(line, "//"); k >= 0 {
			line = line[:k]
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := p.line(line, i+1); err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", i+1, line, err)
		}
	}
	for _, e := range m.entries {
		for _, in := range e.code {
			if err := e.check(in); err != nil {
				return nil, fmt.Errorf("line %d: %s: %w", in.line, in.op, err)
			}
		}
	}
	return m, nil
}

type parser struct {
	m       *Module
	e       *entry
	state   int // 0 module, 1 parameters, 2 body, 3 table
	table   string
	size    int
	classes map[string]string // of registers that are declared by name
	counts  map[string]int
	space   map[string]uint64
}

func (p *parser) line(s string, n int) error {
	switch p.state {
	case 0:
		return p.module(s)
	case 1:
		if s == ")" {
			return nil
		}
		if s == "{" {
			p.state = 2
			return nil
		}
		f := paramLine.FindStringSubmatch(strings.TrimSuffix(s, ","))
		if f == nil {
			return errors.New("no parameter")
		}
		p.e.params, p.e.types = append(p.e.params, f[2]), append(p.e.types, f[1])
		return nil
	case 3:
		if s == "};" {
			p.state = 0
			if len(p.m.tables[p.table]) != p.size {
				return fmt.Errorf("%d bytes of %d", len(p.m.tables[p.table]), p.size)
			}
			return nil
		}
		for _, w := range strings.Split(strings.TrimSuffix(s, ","), ",") {
			v, err := strconv.ParseUint(w, 10, 8)
			if err != nil {
				return err
			}
			p.m.tables[p.table] = append(p.m.tables[p.table], byte(v))
		}
		return nil
	}
	return p.body(s, n)
}

func (p *parser) module(s string) error {
	switch {
	case s == ".version 7.0", s == ".target sm_75", s == ".address_size 64":
		return nil
	case strings.HasPrefix(s, ".visible .entry ") && strings.HasSuffix(s, "("):
		name := strings.TrimSuffix(strings.TrimPrefix(s, ".visible .entry "), "(")
		if p.m.entries[name] != nil {
			return errors.New("a second entry of that name")
		}
		p.e = &entry{
			name: name, arrays: map[string]array{}, regs: map[string]int{}, labels: map[string]int{},
		}
		p.m.entries[name], p.counts, p.state = p.e, map[string]int{}, 1
		p.classes, p.space = map[string]string{}, map[string]uint64{}
		return nil
	}
	if f := externLine.FindStringSubmatch(strings.TrimSuffix(s, ";")); f != nil {
		p.m.dynamic[f[1]] = true
		return nil
	}
	if f := tableLine.FindStringSubmatch(s); f != nil {
		p.table, p.state = f[1], 3
		p.size, _ = strconv.Atoi(f[2])
		return nil
	}
	return errors.New("neither a directive nor an entry")
}

func (p *parser) body(s string, n int) error {
	e := p.e
	if s == "}" {
		p.state = 0
		return nil
	}
	if f := labelLine.FindStringSubmatch(s); f != nil {
		if _, ok := e.labels[f[1]]; ok {
			return errors.New("a second label of that name")
		}
		e.labels[f[1]] = len(e.code)
		return nil
	}
	s, ok := strings.CutSuffix(s, ";")
	if !ok {
		return errors.New("no semicolon")
	}
	if f := arrayLine.FindStringSubmatch(s); f != nil {
		size, _ := strconv.Atoi(f[3])
		e.arrays[f[2]] = array{f[1], p.space[f[1]], size}
		p.space[f[1]] += uint64(size+15)/16*16 + 16 // a gap that nobody may touch
		return nil
	}
	if f := regLine.FindStringSubmatch(s); f != nil {
		return p.registers(f[1], f[2])
	}
	in := &instr{guard: -1, line: n}
	if f := guardPart.FindStringSubmatch(s); f != nil {
		r, class, err := p.register(f[2])
		if err != nil {
			return err
		}
		if class != "%p" {
			return errors.New("the guard is no predicate")
		}
		in.guard, in.negated, s = r, f[1] != "", f[3]
	}
	op, rest, _ := strings.Cut(s, " ")
	in.op, in.parts = op, strings.Split(op, ".")
	if op == "bar.sync" && rest == "0" {
		rest = ""
	}
	rest = strings.ReplaceAll(rest, "{%site, %tt1}", "{%site %tt1}")
	if rest != "" {
		for _, a := range strings.Split(rest, ", ") {
			o, err := p.operand(a)
			if err != nil {
				return err
			}
			in.args = append(in.args, o)
		}
	}
	e.code = append(e.code, in)
	return nil
}

func (p *parser) registers(typ, list string) error {
	class := regClass[typ]
	if class == "" {
		return errors.New("no such type of registers")
	}
	for _, r := range strings.Split(list, ", ") {
		name, count, ok := strings.Cut(r, "<")
		if !ok {
			p.classes[r] = class
			continue
		}
		k, err := strconv.Atoi(strings.TrimSuffix(count, ">"))
		if err != nil {
			return err
		}
		p.classes[name], p.counts[name] = class, k
	}
	return nil
}

// register returns the number and the class of a declared register.
func (p *parser) register(s string) (int, string, error) {
	f := regName.FindStringSubmatch(s)
	if f == nil {
		return 0, "", fmt.Errorf("%s is no register", s)
	}
	class := p.classes[s]
	if class == "" {
		class = p.classes[f[1]]
		if k, err := strconv.Atoi(f[2]); err != nil || k < 0 || k >= p.counts[f[1]] {
			return 0, "", fmt.Errorf("%s is not declared", s)
		}
	}
	k, ok := p.e.regs[s]
	if !ok {
		k = len(p.e.regs)
		p.e.regs[s] = k
	}
	return k, class, nil
}

func (p *parser) operand(s string) (o operand, err error) {
	switch {
	case s == "":
		return o, errors.New("an empty operand")
	case strings.HasPrefix(s, "[%"):
		f := memPart.FindStringSubmatch(s)
		if f == nil {
			return o, fmt.Errorf("%s is no address", s)
		}
		o.kind = 'm'
		o.reg, o.class, err = p.register(f[1])
		o.off, _ = strconv.ParseInt("0"+f[2], 10, 64)
		if strings.HasPrefix(f[2], "-") {
			o.off, _ = strconv.ParseInt(f[2], 10, 64)
		}
		return o, err
	case s[0] == '[':
		return operand{kind: 's', name: s[1 : len(s)-1]}, nil
	case s[0] == '{':
		a, b, _ := strings.Cut(s[1:len(s)-1], " ")
		o.kind = 'v'
		if o.reg, _, err = p.register(a); err == nil {
			o.reg2, _, err = p.register(b)
		}
		return o, err
	case s[0] == '$':
		return operand{kind: 'l', name: s}, nil
	case special[s]:
		return operand{kind: 's', name: s}, nil
	case s[0] == '%':
		o.kind = 'r'
		o.reg, o.class, err = p.register(s)
		return o, err
	case strings.HasPrefix(s, "0f"), strings.HasPrefix(s, "0d"):
		o.kind = 'i'
		o.class = map[byte]string{'f': "%f", 'd': "%fd"}[s[1]]
		o.bits, err = strconv.ParseUint(s[2:], 16, 64)
		return o, err
	case s[0] == '-' || s[0] >= '0' && s[0] <= '9':
		o.kind = 'i'
		if v, err := strconv.ParseInt(s, 0, 64); err == nil {
			o.bits = uint64(v)
			return o, nil
		}
		o.bits, err = strconv.ParseUint(s, 0, 64)
		return o, err
	}
	return operand{kind: 's', name: s}, nil
}

var special = map[string]bool{
	"%tid.x": true, "%ntid.x": true, "%ctaid.x": true, "%nctaid.x": true, "%dynamic_smem_size": true,
}
