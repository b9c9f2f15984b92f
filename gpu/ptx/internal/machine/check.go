package machine

import (
	"errors"
	"fmt"
	"slices"
)

// classOf is the register class of a type.
func classOf(t string) string {
	switch t {
	case "pred":
		return "%p"
	case "u8", "s8", "u16", "s16", "u32", "s32", "b32":
		return "%r"
	case "u64", "s64", "b64":
		return "%rd"
	case "f32":
		return "%f"
	case "f64":
		return "%fd"
	}
	return ""
}

// signature is what an operation wants: the classes of its operands, the destination first; "|"
// parts those that may be either, "m" is an address, "l" a label, "s" a symbol.
func signature(in *instr) []string {
	ps := in.parts
	last := ps[len(ps)-1]
	c := classOf(last)
	either := map[string]string{"b32": "%r|%f", "b64": "%rd|%fd"}
	switch ps[0] {
	case "bra":
		return []string{"l"}
	case "ret", "bar":
		return []string{}
	case "mov":
		if either[last] != "" {
			return []string{either[last], either[last]}
		}
		return []string{c, c}
	case "ld":
		if ps[1] == "param" {
			return []string{c, "s"}
		}
		return []string{c, "m"}
	case "st", "red":
		return []string{"m", c}
	case "atom":
		if ps[2] == "cas" {
			return []string{c, "m", c, c}
		}
		return []string{c, "m", c}
	case "add", "sub", "div", "rem", "and", "or", "xor", "min", "max":
		return []string{c, c, c}
	case "mul":
		if ps[1] == "wide" {
			return []string{"%rd", "%r", "%r"}
		}
		return []string{c, c, c}
	case "mad", "fma":
		return []string{c, c, c, c}
	case "shl", "shr":
		return []string{c, c, "%r"}
	case "shf":
		return []string{"%r", "%r", "%r", "%r"}
	case "setp":
		return []string{"%p", c, c}
	case "selp":
		return []string{either[last], either[last], either[last], "%p"}
	case "not", "neg", "abs", "sqrt", "brev", "cvta":
		return []string{c, c}
	case "clz", "popc":
		return []string{"%r", c}
	case "cvt":
		return []string{classOf(ps[len(ps)-2]), c}
	case "vote":
		return []string{c, "%p", "%r"}
	case "shfl":
		return []string{"%r", "%r", "%r", "%r", "%r"}
	}
	return nil
}

func (e *entry) check(in *instr) error {
	want := signature(in)
	if want == nil || slices.Contains(want, "") {
		return errors.New("no such operation")
	}
	if len(in.args) != len(want) {
		return fmt.Errorf("%d operands, want %d", len(in.args), len(want))
	}
	for i, o := range in.args {
		w := want[i]
		switch o.kind {
		case 'l':
			if _, ok := e.labels[o.name]; !ok || w != "l" {
				return fmt.Errorf("no label %s", o.name)
			}
		case 'm':
			if w != "m" || o.class != "%rd" {
				return fmt.Errorf("operand %d is an address", i)
			}
		case 's':
			if w != "s" && in.parts[0] != "mov" {
				return fmt.Errorf("operand %d is the symbol %s", i, o.name)
			}
		case 'i':
			first := i == 0 || i == 1 && in.parts[0] != "mov" && in.parts[0] != "selp"
			if first || o.class != "" && o.class != w && w != "%r|%f" && w != "%rd|%fd" {
				return fmt.Errorf("operand %d is a number", i)
			}
		case 'r':
			if o.class != w && !(len(w) > 3 && (o.class == w[:len(o.class)] && w[len(o.class)] == '|' ||
				o.class == w[len(w)-len(o.class):])) {
				return fmt.Errorf("operand %d is of class %s, want %s", i, o.class, w)
			}
		}
	}
	return nil
}
