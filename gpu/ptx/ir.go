package ptx

import (
	"fmt"
	"math"
	"strings"
)

// A reg is a virtual register. Its class says what it holds: p a predicate, r 32 bits (also numbers
// of 8 and 16 bits, extended), d 64 bits, f a float32, F a float64.
type reg int32

// An arg is a register or, where reg is 0, a constant of class cls.
type arg struct {
	reg  reg
	cls  byte
	bits uint64
}

func (a arg) constant() bool { return a.reg == 0 }

func num32(x int32) arg  { return arg{cls: 'r', bits: uint64(uint32(x))} }
func num64(x int64) arg  { return arg{cls: 'd', bits: uint64(x)} }
func truth(b bool) arg   { return arg{cls: 'p', bits: map[bool]uint64{true: 1}[b]} }
func zero(cls byte) arg  { return arg{cls: cls} }
func f64(x float64) arg  { return arg{cls: 'F', bits: math.Float64bits(x)} }
func f32v(x float32) arg { return arg{cls: 'f', bits: uint64(math.Float32bits(x))} }

// real is a floating-point constant of class cls.
func real(cls byte, x float64) arg {
	if cls == 'f' {
		return f32v(float32(x))
	}
	return f64(x)
}

// effect is what an instruction does beside computing.
type effect uint8

const (
	pure    effect = iota
	load           // args[0] is the address
	store          // args[0] is the address
	atomic         // args[0] is the address
	barrier        // waits for threads, or talks to them
	check          // ends the thread where args[0] is true
)

// An inst is an instruction of PTX: op dst, args.
type inst struct {
	op   string
	eff  effect
	dst  reg
	args []arg
	off  int64  // added to the address
	sym  string // the source that is neither register nor constant
	root int    // the array that is accessed; 0: unknown
	site int    // of a check
}

// A phi is the value that a block gets from its predecessors, in their order.
type phi struct {
	dst  reg
	args []arg
}

// A block ends with a return, a jump (one successor) or a branch on cond (to succs[0] if true).
type block struct {
	id    int
	phis  []*phi
	insts []*inst
	cond  arg
	succs []*block
	preds []*block
	idom  *block
	order int // in reverse postorder
}

// A graph is the body of a kernel.
type graph struct {
	blocks []*block     // [0] is the entry
	cls    []byte       // of registers; [0] is not used
	nonneg map[reg]bool // known to be 0 to 2^56, as lengths are
}

func (g *graph) reg(cls byte) reg {
	g.cls = append(g.cls, cls)
	return reg(len(g.cls) - 1)
}

func (g *graph) block() *block {
	b := &block{id: len(g.blocks)}
	g.blocks = append(g.blocks, b)
	return b
}

func (g *graph) arg(r reg) arg { return arg{reg: r, cls: g.cls[r]} }

var (
	prefixes = map[byte]string{'p': "%p", 'r': "%r", 'd': "%rd", 'f': "%f", 'F': "%fd"}
	regTypes = map[byte]string{'p': "pred", 'r': "b32", 'd': "b64", 'f': "f32", 'F': "f64"}
)

const classes = "prdfF"

// text is a constant as PTX writes it.
func (a arg) text() string {
	switch a.cls {
	case 'p':
		if a.bits != 0 {
			return "-1"
		}
		return "0"
	case 'r':
		return fmt.Sprint(int32(uint32(a.bits)))
	case 'f':
		return fmt.Sprintf("0f%08X", uint32(a.bits))
	case 'F':
		return fmt.Sprintf("0d%016X", a.bits)
	}
	if a.bits == 1<<63 {
		return "0x8000000000000000"
	}
	return fmt.Sprint(int64(a.bits))
}

// base is the operation without its types: setp.lt.s64 is setp.
func (in *inst) base() string {
	s, _, _ := strings.Cut(in.op, ".")
	return s
}

func less(a, b arg) bool {
	if a.reg != b.reg {
		return a.reg < b.reg
	}
	return a.bits < b.bits
}
