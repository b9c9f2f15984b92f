package wire

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Cond is a condition that ends a step.
type Cond struct {
	Name  string  // gap, best, stall, iteration, time or cpu
	Value float64 // percent, a value, iterations, or seconds
	// Strict demands a better value than Value; otherwise Value itself suffices. Only for gap and
	// best.
	Strict bool
	// Above demands a greater value than Value, Below a smaller one; best=… has neither, and means the
	// better direction. Only for gap and best.
	Above, Below bool
}

const condForms = "gap<1, best<=2579, stall=500, iteration=1000, time=10s or cpu=10s"

// ParseConds parses conditions as users type them: gap<1 (percent above the best known value),
// best<=2579 (best>=2579 for a maximised objective), stall=500 (iterations without a better best),
// iteration=1000, time=10s (of iterating), cpu=10s. Commas separate several. Blanks may surround
// commas and comparisons, and nothing else: "gap<1 100" is an error.
func ParseConds(s string) ([]Cond, error) {
	var out []Cond
	for part := range strings.SplitSeq(s, ",") {
		c, err := parseCond(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// comparisons are the characters that name and value of a condition have between them.
const comparisons = "<=>"

// CondOpen reports whether the conditions in text, without blanks at its end, continue with the
// next word: after a comma or a comparison, before either, and before a % or a unit of time.
func CondOpen(text, next string) bool {
	if text == "" || strings.IndexByte(","+comparisons, text[len(text)-1]) >= 0 ||
		next != "" && strings.IndexByte(","+comparisons, next[0]) >= 0 {
		return true
	}
	last := text[strings.LastIndexByte(text, ',')+1:]
	at := strings.IndexAny(last, comparisons)
	if at < 0 {
		return false
	}
	switch strings.TrimSpace(last[:at]) {
	case "gap":
		return next == "%"
	case "time", "cpu":
		return IsTimeUnit(next) && isNumber(strings.TrimLeft(last[at:], comparisons+" "))
	}
	return false
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func parseCond(s string) (Cond, error) {
	bad := func(why string) (Cond, error) {
		return Cond{}, errorf(CodeRequest, "condition %q: %s; want %s", s, why, condForms)
	}
	at := strings.IndexAny(s, comparisons)
	if at < 1 || at == len(s)-1 {
		return bad("no name, comparison and value")
	}
	name, op, val := strings.TrimSpace(s[:at]), s[at:at+1], s[at+1:]
	if val[0] == '=' {
		op, val = op+"=", val[1:]
	}
	val = strings.TrimSpace(val)
	c := Cond{Name: name}
	var err error
	switch name {
	case "time", "cpu":
		c.Value, err = ParseSeconds(val)
	default:
		c.Value, err = strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(val, "%")), 64)
	}
	if err != nil || math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
		return bad(fmt.Sprintf("%q is not a value", val))
	}
	switch name {
	case "gap", "best":
		if op[0] == '>' && name == "gap" || op == "==" {
			return bad("it ends a step when the value is small enough")
		}
		c.Strict, c.Above, c.Below = len(op) == 1 && op != "=", op[0] == '>', op[0] == '<'
		return c, nil
	case "stall", "iteration", "time", "cpu":
		if op[0] == '<' {
			return bad(name + " only grows")
		}
		if c.Value < 0 || (name[0] != 't' && name != "cpu" && c.Value != math.Trunc(c.Value)) {
			return bad(fmt.Sprintf("%q is not a number of that kind", val))
		}
		return c, nil
	}
	return bad(fmt.Sprintf("unknown name %q", name))
}

// timeUnits are the words for units of time, in seconds.
var timeUnits = map[string]float64{
	"ms": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
	"s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
	"m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
	"h": 3600, "hour": 3600, "hours": 3600,
	"d": 86400, "day": 86400, "days": 86400,
}

// IsTimeUnit reports whether a word is a unit of time, such as s, min and seconds.
func IsTimeUnit(word string) bool { return timeUnits[word] > 0 }

// ParseSeconds parses a time in seconds; ms, s, m, h and d (days), or these as words, may follow
// the number, and numbers of smaller units may follow these, as in 1min10s.
func ParseSeconds(s string) (float64, error) {
	v, rest, last := 0.0, s, math.Inf(1)
	for {
		number, unit, more := cutTime(rest)
		u := timeUnits[unit]
		f, err := strconv.ParseFloat(number, 64)
		switch {
		case unit == "" && rest == s && more == "":
			u = 1 // a number alone
		case u == 0 || u >= last:
			err = strconv.ErrSyntax
		}
		v += f * u
		if err != nil || !(f >= 0) || !(v <= 1e9) {
			return 0, errorf(CodeRequest, "%q is not a time; want a number of seconds, or as 500ms, "+
				"10s, 2m, 1h, 1d, 1m30s", s)
		}
		if more == "" {
			return v, nil
		}
		rest, last = more, u
	}
}

// cutTime cuts a text behind its first number and the letters that follow this.
func cutTime(s string) (number, unit, rest string) {
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	i := 0
	for i < len(s) && (!letter(s[i]) && s[i] != ' ' ||
		s[i]|0x20 == 'e' && i > 0 && i+1 < len(s) && !letter(s[i+1]) && s[i+1] != ' ') {
		i++
	}
	number = s[:i]
	for i < len(s) && s[i] == ' ' {
		i++
	}
	at := i
	for i < len(s) && letter(s[i]) {
		i++
	}
	return number, s[at:i], strings.TrimLeft(s[i:], " ")
}
