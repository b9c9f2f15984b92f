package eval

import (
	"fmt"
	"go/parser"
	"go/token"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// literalMost bounds the text of a variable's value in bytes.
const literalMost = 1 << 16

// literals declares the variables of plain data that a program uses and does not declare, with
// their present values: those of the session, and those of the input that runs.
func (c *cell) literals(p *program, program string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", program, 0)
	if err != nil {
		return ""
	}
	values := map[string]reflect.Value{}
	for _, id := range f.Unresolved {
		if v := c.env.vars[id.Name]; v != nil {
			values[id.Name] = reflect.ValueOf(v.ptr).Elem()
		}
		for _, v := range c.fresh {
			if v.name != id.Name || p == nil {
				continue
			}
			if ptr, ok := p.interp.GetVarAddr(v.name); ok {
				values[id.Name] = reflect.ValueOf(ptr).Elem()
			}
		}
	}
	var texts []string
	for name, v := range values {
		if text, ok := literal(v); ok {
			texts = append(texts, "\nvar "+name+" = "+text+"\n")
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, "")
}

// literal writes a value as Go. ok is false for a type that is not made of booleans, numbers and
// strings by slices, arrays and maps, for a number that Go cannot write, and for a long text.
func literal(v reflect.Value) (text string, ok bool) {
	var b strings.Builder
	ok = writeLiteral(&b, v, true)
	return b.String(), ok && b.Len() <= literalMost
}

// plain reports whether a type is made of booleans, numbers and strings by slices, arrays and maps,
// without names of its own.
func plain(t reflect.Type) bool {
	if t.PkgPath() != "" {
		return false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return plain(t.Elem())
	case reflect.Map:
		return plain(t.Key()) && plain(t.Elem())
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64:
		return true
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64
}

// writeLiteral is literal; typed wants the type in the text.
func writeLiteral(b *strings.Builder, v reflect.Value, typed bool) bool {
	t := v.Type()
	if !plain(t) || b.Len() > literalMost {
		return false
	}
	text := ""
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return writeElements(b, v)
	case reflect.Bool:
		text = strconv.FormatBool(v.Bool())
	case reflect.String:
		text = strconv.Quote(v.String())
	case reflect.Float32, reflect.Float64:
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
			return false
		}
		text = strconv.FormatFloat(f, 'g', -1, t.Bits())
	default:
		text = fmt.Sprint(v)
	}
	if typed {
		text = t.String() + "(" + text + ")"
	}
	b.WriteString(text)
	return true
}

// writeElements writes a slice, an array or a map, which may be nil.
func writeElements(b *strings.Builder, v reflect.Value) bool {
	t := v.Type()
	if t.Kind() != reflect.Array && v.IsNil() {
		b.WriteString(t.String() + "(nil)")
		return true
	}
	b.WriteString(t.String() + "{")
	if t.Kind() == reflect.Map {
		var pairs []string
		for k, e := range v.Seq2() {
			var one strings.Builder
			if !writeLiteral(&one, k, false) {
				return false
			}
			one.WriteString(": ")
			if !writeLiteral(&one, e, false) {
				return false
			}
			pairs = append(pairs, one.String())
		}
		slices.Sort(pairs)
		b.WriteString(strings.Join(pairs, ", ") + "}")
		return true
	}
	for i := range v.Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		if !writeLiteral(b, v.Index(i), false) {
			return false
		}
	}
	b.WriteString("}")
	return true
}
