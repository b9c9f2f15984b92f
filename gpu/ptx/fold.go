package ptx

import (
	"math"
	"strings"
)

// fold computes what is known when compiling: constants, and operands that do nothing.
func fold(g *graph, in *inst) (arg, bool) {
	if in.sym != "" || len(in.args) == 0 {
		return arg{}, false
	}
	x := in.args[0]
	cls := g.cls[in.dst]
	whole := cls == 'r' || cls == 'd'
	if len(in.args) == 2 {
		y := in.args[1]
		if x.constant() && y.constant() {
			return fold2(in.op, cls, x, y)
		}
		switch in.base() {
		case "add", "or", "xor":
			if whole && y.constant() && y.bits == 0 {
				return x, true
			}
			if whole && x.constant() && x.bits == 0 {
				return y, true
			}
		case "sub", "shl", "shr":
			if whole && y.constant() && y.bits == 0 {
				return x, true
			}
		case "and":
			if cls == 'p' && y.constant() && y.bits != 0 {
				return x, true
			}
			if cls == 'p' && x.constant() && x.bits != 0 {
				return y, true
			}
		case "mul":
			if strings.HasPrefix(in.op, "mul.lo") && y.constant() && y.bits == 1 {
				return x, true
			}
		}
		return arg{}, false
	}
	if len(in.args) == 3 && in.base() == "selp" && in.args[2].constant() {
		if in.args[2].bits != 0 {
			return x, true
		}
		return in.args[1], true
	}
	if len(in.args) != 1 || !x.constant() {
		return arg{}, false
	}
	switch in.op {
	case "not.pred":
		return truth(x.bits == 0), true
	case "cvt.s64.s32":
		return num64(int64(int32(uint32(x.bits)))), true
	case "cvt.u64.u32":
		return num64(int64(uint32(x.bits))), true
	case "cvt.u32.u64":
		return num32(int32(uint32(x.bits))), true
	case "mov.b64", "mov.b32":
		return arg{cls: cls, bits: x.bits}, true
	case "not.b32":
		return num32(^int32(uint32(x.bits))), true
	case "not.b64":
		return num64(^int64(x.bits)), true
	case "neg.s32":
		return num32(-int32(uint32(x.bits))), true
	case "neg.s64":
		return num64(-int64(x.bits)), true
	}
	return arg{}, false
}

// fold2 computes of two constants.
func fold2(op string, cls byte, x, y arg) (arg, bool) {
	a, b := int64(x.bits), int64(y.bits)
	if x.cls == 'r' {
		a, b = int64(int32(uint32(a))), int64(int32(uint32(b)))
	}
	if strings.HasSuffix(op, "u32") {
		a, b = int64(uint32(a)), int64(uint32(b))
	}
	whole := func(v int64) (arg, bool) {
		if cls == 'r' {
			return num32(int32(uint32(uint64(v)))), true
		}
		return num64(v), true
	}
	switch op {
	case "add.s32", "add.s64", "add.u32", "add.u64":
		return whole(a + b)
	case "sub.s32", "sub.s64", "sub.u32", "sub.u64":
		return whole(a - b)
	case "mul.lo.s32", "mul.lo.s64", "mul.lo.u32", "mul.lo.u64":
		return whole(a * b)
	case "and.b32", "and.b64":
		return whole(a & b)
	case "or.b32", "or.b64":
		return whole(a | b)
	case "xor.b32", "xor.b64":
		return whole(a ^ b)
	case "min.u64":
		return num64(int64(min(uint64(a), uint64(b)))), true
	}
	if x.cls == 'F' {
		return foldReal(op, math.Float64frombits(x.bits), math.Float64frombits(y.bits))
	}
	rest, ok := strings.CutPrefix(op, "setp.")
	if !ok || x.cls != 'r' && x.cls != 'd' {
		return arg{}, false
	}
	order := 0
	switch {
	case strings.HasSuffix(op, "u64") && uint64(a) < uint64(b), !strings.HasSuffix(op, "u64") && a < b:
		order = -1
	case a != b:
		order = 1
	}
	cmp, _, _ := strings.Cut(rest, ".")
	switch cmp {
	case "eq":
		return truth(order == 0), true
	case "ne":
		return truth(order != 0), true
	case "lt":
		return truth(order < 0), true
	case "le":
		return truth(order <= 0), true
	case "gt":
		return truth(order > 0), true
	case "ge":
		return truth(order >= 0), true
	}
	return arg{}, false
}

// foldReal computes of two float64 what is rounded in one way only; a NaN is left to the device.
func foldReal(op string, a, b float64) (arg, bool) {
	var r float64
	switch op {
	case "add.rn.f64":
		r = a + b
	case "sub.rn.f64":
		r = a - b
	case "mul.rn.f64":
		r = float64(a * b)
	case "setp.lt.f64":
		return truth(a < b), true
	case "setp.le.f64":
		return truth(a <= b), true
	case "setp.gt.f64":
		return truth(a > b), true
	case "setp.ge.f64":
		return truth(a >= b), true
	default:
		return arg{}, false
	}
	return f64(r), r == r
}
