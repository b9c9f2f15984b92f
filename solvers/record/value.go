package record

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// A Value is the value of a parameter: a number, a truth value or a word.
// Values are compared with ==. In JSON they are numbers, booleans and strings.
type Value struct {
	kind byte // 0 none, 'n' number, 'b' truth, 't' text
	num  float64
	text string
}

// Num returns the value of a number. Integers are exact up to 2^53.
func Num(v float64) Value { return Value{kind: 'n', num: v} }

// Text returns the value of a word.
func Text(s string) Value { return Value{kind: 't', text: s} }

// Bool returns a truth value.
func Bool(b bool) Value {
	if b {
		return Value{kind: 'b', num: 1}
	}
	return Value{kind: 'b'}
}

// IsZero reports whether v is empty.
func (v Value) IsZero() bool { return v.kind == 0 }

// Float returns the number, and whether v is a number.
func (v Value) Float() (float64, bool) { return v.num, v.kind == 'n' }

// Word returns the text, and whether v is a word.
func (v Value) Word() (string, bool) { return v.text, v.kind == 't' }

// Truth returns the truth value, and whether v is one.
func (v Value) Truth() (bool, bool) { return v.num != 0, v.kind == 'b' }

// String returns v as users type it at the prompt.
func (v Value) String() string {
	switch v.kind {
	case 'n':
		return strconv.FormatFloat(v.num, 'g', -1, 64)
	case 'b':
		return strconv.FormatBool(v.num != 0)
	case 't':
		return v.text
	}
	return ""
}

// MarshalJSON writes a number, a boolean, a string or null.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case 'n':
		if math.IsNaN(v.num) || math.IsInf(v.num, 0) {
			return nil, fmt.Errorf("record: %v is not a value of a parameter", v.num)
		}
		return json.Marshal(v.num)
	case 'b':
		return json.Marshal(v.num != 0)
	case 't':
		return json.Marshal(v.text)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(b []byte) error {
	var x any
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	switch x := x.(type) {
	case nil:
		*v = Value{}
	case float64:
		*v = Num(x)
	case bool:
		*v = Bool(x)
	case string:
		*v = Text(x)
	default:
		return fmt.Errorf("record: %s is not a number, a truth value or a word", b)
	}
	return nil
}

// Parse reads a value as users type it: true and false, a number, else a word.
func Parse(s string) Value {
	switch s {
	case "true":
		return Bool(true)
	case "false":
		return Bool(false)
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		return Num(f)
	}
	return Text(s)
}

// TimesSize parses n, 10n and 0.1n, multiples of the size of an instance, and returns the factor.
func TimesSize(s string) (factor float64, ok bool) {
	s, ok = strings.CutSuffix(s, "n")
	if !ok {
		return 0, false
	}
	if s == "" {
		return 1, true
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && f >= 0 && !math.IsInf(f, 0)
}

// Values holds the values of parameters by name.
type Values map[string]Value

// Has reports whether there is a value with that name.
func (v Values) Has(name string) bool {
	_, ok := v[name]
	return ok
}

// Of builds Values from alternating names and Go values, such as Of("ants", 25, "local_search",
// "oropt"). A name without a value, and a value that is no number, truth value or word, become
// values that no parameter accepts, so that the call that receives them returns the error.
func Of(pairs ...any) Values {
	vs := Values{}
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			name = fmt.Sprintf("%v (a %T, want a name)", pairs[i], pairs[i])
		}
		if i+1 == len(pairs) {
			vs[name] = Text("missing")
			continue
		}
		vs[name] = of(pairs[i+1])
	}
	return vs
}

// of is the value that a Go value is.
func of(x any) Value {
	switch x := x.(type) {
	case Value:
		return x
	case bool:
		return Bool(x)
	case string:
		return Text(x)
	case nil:
		return Text("nil")
	}
	switch v := reflect.ValueOf(x); {
	case v.CanInt():
		return Num(float64(v.Int()))
	case v.CanUint():
		return Num(float64(v.Uint()))
	case v.CanFloat():
		return Num(v.Float())
	}
	return Text(fmt.Sprintf("%v (a %T, want a number, a truth value or a word)", x, x))
}
