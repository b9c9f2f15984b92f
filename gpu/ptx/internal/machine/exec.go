package machine

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// exec runs an instruction that neither jumps nor waits.
func (t *thread) exec(in *instr) error {
	last := in.parts[len(in.parts)-1]
	switch in.parts[0] {
	case "ld":
		if in.parts[1] == "param" {
			v, err := t.get(in.args[1])
			if err == nil {
				var w [8]byte
				write(w[:], v)
				t.put(in.args[0], read(w[:sizeOf(last)], last))
			}
			return err
		}
		b, err := t.memory(in, in.args[1], sizeOf(last), false)
		if err == nil {
			t.put(in.args[0], read(b, last))
		}
		return err
	case "st":
		v, err := t.get(in.args[1])
		if err != nil {
			return err
		}
		b, err := t.memory(in, in.args[0], sizeOf(last), true)
		if err == nil {
			write(b, v)
		}
		return err
	case "atom", "red":
		return t.atomic(in, last)
	}
	var xs [4]uint64
	for i, o := range in.args[1:] {
		v, err := t.get(o)
		if err != nil {
			return err
		}
		xs[i] = v
	}
	v, err := compute(in, last, xs)
	if err != nil {
		return err
	}
	t.put(in.args[0], v)
	return nil
}

func (t *thread) atomic(in *instr, last string) error {
	at, rest := in.args[0], in.args[1:]
	if in.parts[0] == "atom" {
		at, rest = in.args[1], in.args[2:]
	}
	b, err := t.memory(in, at, sizeOf(last), true)
	if err != nil {
		return err
	}
	old := read(b, last)
	v, err := t.get(rest[0])
	if err != nil {
		return err
	}
	switch op := in.parts[2]; op {
	case "exch":
	case "cas":
		w, err := t.get(rest[1])
		if err != nil {
			return err
		}
		same := old == v || sizeOf(last) == 4 && uint32(old) == uint32(v)
		if v = old; same {
			v = w
		}
	default:
		if v, err = compute(&instr{op: op + "." + last, parts: []string{op, last}}, last,
			[4]uint64{old, v}); err != nil {
			return err
		}
	}
	write(b, v)
	if in.parts[0] == "atom" {
		t.put(in.args[0], old)
	}
	return nil
}

// compute is the result of what neither loads nor stores.
func compute(in *instr, last string, x [4]uint64) (uint64, error) {
	ps := in.parts
	switch ps[0] {
	case "mov", "cvta":
		return x[0], nil
	case "setp":
		return bit(compare(ps[1], last, x[0], x[1])), nil
	case "selp":
		if x[2] != 0 {
			return x[0], nil
		}
		return x[1], nil
	case "cvt":
		return convert(ps[1:], x[0])
	case "popc":
		return uint64(bits.OnesCount64(mask(last, x[0]))), nil
	case "clz":
		return uint64(bits.LeadingZeros64(mask(last, x[0])) - 64 + 8*sizeOf(last)), nil
	case "brev":
		return bits.Reverse64(x[0]) >> (64 - 8*sizeOf(last)), nil
	case "shf":
		return uint64(uint32((x[1]<<32 | uint64(uint32(x[0]))) >> (32 - x[2]&31))), nil
	}
	switch last {
	case "pred":
		return logic(ps[0], x[0]&1, x[1]&1, 1)
	case "f32":
		a, b := float64(f32(x[0])), float64(f32(x[1])) // one operation in float64 rounds as in float32
		if ps[0] == "fma" {
			return 0, fmt.Errorf("%s is not known", in.op)
		}
		v, err := inexact(in, a, b, 0)
		return uint64(math.Float32bits(float32(v))), err
	case "f64":
		v, err := inexact(in, math.Float64frombits(x[0]), math.Float64frombits(x[1]),
			math.Float64frombits(x[2]))
		return math.Float64bits(v), err
	}
	return integer(in, last, x)
}

func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }

func mask(t string, x uint64) uint64 {
	if sizeOf(t) == 4 {
		return uint64(uint32(x))
	}
	return x
}

func logic(op string, a, b, ones uint64) (uint64, error) {
	switch op {
	case "and":
		return a & b, nil
	case "or":
		return a | b, nil
	case "xor":
		return a ^ b, nil
	case "not":
		return ^a & ones, nil
	}
	return 0, fmt.Errorf("%s is not known", op)
}

func inexact(in *instr, a, b, c float64) (float64, error) {
	rounds := len(in.parts) > 2 && in.parts[1] == "rn"
	switch in.parts[0] {
	case "add", "sub", "mul", "div", "sqrt", "fma":
		if !rounds {
			return 0, fmt.Errorf("%s does not say how it rounds", in.op)
		}
	}
	switch in.parts[0] {
	case "add":
		return a + b, nil
	case "sub":
		return a - b, nil
	case "mul":
		return float64(a * b), nil
	case "div":
		return a / b, nil
	case "sqrt":
		return math.Sqrt(a), nil
	case "fma":
		return math.FMA(a, b, c), nil
	case "neg":
		return math.Copysign(a, -math.Copysign(1, a)), nil
	case "abs":
		return math.Abs(a), nil
	case "min", "max":
		switch {
		case a != a:
			return b, nil
		case b != b || a == b: // which of -0 and 0 is not said
			return a, nil
		case (a < b) == (in.parts[0] == "min"):
			return a, nil
		}
		return b, nil
	}
	return 0, fmt.Errorf("%s is not known", in.op)
}

func integer(in *instr, t string, x [4]uint64) (uint64, error) {
	signed, wide := t[0] == 's', sizeOf(t) == 8
	a, b := mask(t, x[0]), mask(t, x[1])
	sa, sb := int64(a), int64(b)
	if !wide {
		sa, sb = int64(int32(uint32(a))), int64(int32(uint32(b)))
	}
	width := uint64(8 * sizeOf(t))
	switch op := in.parts[0]; op {
	case "add":
		return a + b, nil
	case "sub":
		return a - b, nil
	case "neg":
		return -a, nil
	case "abs":
		return uint64(max(sa, -sa)), nil
	case "mad":
		return a*b + mask(t, x[2]), nil
	case "mul":
		switch in.parts[1] {
		case "lo":
			return a * b, nil
		case "wide":
			if signed {
				return uint64(sa * sb), nil
			}
			return a * b, nil
		case "hi":
			hi, _ := bits.Mul64(a, b)
			return hi, nil
		}
	case "div", "rem":
		if b == 0 {
			return 0xDEADBEEF, nil // not defined
		}
		if signed && sb == -1 {
			if sa == -1<<(width-1) {
				return 0xDEADBEEF, nil // not defined
			}
		}
		switch {
		case signed && op == "div":
			return uint64(sa / sb), nil
		case signed:
			return uint64(sa % sb), nil
		case op == "div":
			return a / b, nil
		}
		return a % b, nil
	case "and", "or", "xor", "not":
		return logic(op, a, b, ^uint64(0))
	case "shl":
		if k := uint64(uint32(x[1])); k < width {
			return a << k, nil
		}
		return 0, nil
	case "shr":
		k := min(uint64(uint32(x[1])), width)
		if signed {
			return uint64(sa >> k), nil
		}
		return a >> k, nil
	case "min", "max":
		less := a < b
		if signed {
			less = sa < sb
		}
		if less == (op == "min") {
			return a, nil
		}
		return b, nil
	}
	return 0, fmt.Errorf("%s is not known", in.op)
}

func compare(cmp, t string, x, y uint64) bool {
	if t[0] == 'f' {
		a, b := math.Float64frombits(x), math.Float64frombits(y)
		if t == "f32" {
			a, b = float64(f32(x)), float64(f32(y))
		}
		switch cmp {
		case "nan":
			return a != a || b != b
		case "neu":
			return a != b
		case "eq":
			return a == b
		case "lt":
			return a < b
		case "le":
			return a <= b
		case "gt":
			return a > b
		}
		return a >= b
	}
	order := 0
	a, b := mask(t, x), mask(t, y)
	less := a < b
	if t[0] == 's' {
		less = int64(a) < int64(b)
		if sizeOf(t) == 4 {
			less = int32(uint32(a)) < int32(uint32(b))
		}
	}
	if less {
		order = -1
	} else if a != b {
		order = 1
	}
	switch cmp {
	case "eq":
		return order == 0
	case "ne":
		return order != 0
	case "lt":
		return order < 0
	case "le":
		return order <= 0
	case "gt":
		return order > 0
	}
	return order >= 0
}

// convert is cvt; ps are the parts behind it.
func convert(ps []string, x uint64) (uint64, error) {
	mode := ""
	if strings.HasPrefix(ps[0], "r") {
		mode, ps = ps[0], ps[1:]
	}
	to, from := ps[0], ps[1]
	if from[0] != 'f' {
		var w [8]byte
		write(w[:], x)
		v := read(w[:sizeOf(from)], from)
		if from == "s32" {
			v = uint64(int64(int32(uint32(v))))
		}
		if to[0] != 'f' {
			write(w[:], v)
			v = read(w[:sizeOf(to)], to)
			return v, nil
		}
		if mode != "rn" {
			return 0, fmt.Errorf("cvt of an integer to %s does not say how it rounds", to)
		}
		switch {
		case to == "f32" && from[0] == 's':
			return uint64(math.Float32bits(float32(int64(v)))), nil
		case to == "f32":
			return uint64(math.Float32bits(float32(v))), nil
		case from[0] == 's':
			return math.Float64bits(float64(int64(v))), nil
		}
		return math.Float64bits(float64(v)), nil
	}
	a := math.Float64frombits(x)
	if from == "f32" {
		a = float64(f32(x))
	}
	if to[0] == 'f' {
		switch {
		case to == "f64" && from == "f32" && mode == "":
		case to == "f32" && mode == "rn":
			return uint64(math.Float32bits(float32(a))), nil
		case to == from && strings.HasSuffix(mode, "i"):
			a = map[string]func(float64) float64{
				"rmi": math.Floor, "rpi": math.Ceil, "rzi": math.Trunc, "rni": math.RoundToEven,
			}[mode](a)
			if to == "f32" {
				return uint64(math.Float32bits(float32(a))), nil
			}
		default:
			return 0, fmt.Errorf("cvt %s of %s to %s", mode, from, to)
		}
		return math.Float64bits(a), nil
	}
	if mode != "rzi" {
		return 0, fmt.Errorf("cvt %s of %s to %s", mode, from, to)
	}
	a = math.Trunc(a)
	lo, hi := -math.Ldexp(1, 8*sizeOf(to)-1), math.Ldexp(1, 8*sizeOf(to)-1)
	switch {
	case a != a:
		return 0, nil
	case a <= lo:
		return 1 << (8*sizeOf(to) - 1), nil
	case a >= hi:
		return 1<<(8*sizeOf(to)-1) - 1, nil
	}
	return uint64(int64(a)), nil
}
