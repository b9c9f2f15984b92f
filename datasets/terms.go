package datasets

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// terms reads the lines of a file of weights, and scales what it has read.
type terms struct {
	s, l     scanner // of the file, and of a line of it
	text     []byte  // the line
	at       int     // where it begins
	all      []term
	constant decimal // the offset
	places   int     // the most decimal places so far
	labels   map[string]int32
	names    []string
}

// A term is a weight of one vertex (u is v), or of two.
type term struct {
	u, v  int32
	value decimal
	at    int // where it stands in the file
}

// A decimal is digits over 10 to the power of places.
type decimal struct {
	digits int64
	places int
}

// mostPlaces is how many decimal places weights may have.
const mostPlaces = 15

// mostScale is 10 to the power of mostPlaces.
const mostScale = 1_000_000_000_000_000

func newTerms(file string, data []byte) *terms {
	return &terms{s: newScanner(file, data), labels: map[string]int32{}}
}

// line moves to the next line that is not empty, and reports whether there is one.
func (t *terms) line() bool {
	if !t.s.skip() {
		return false
	}
	t.text, t.at = t.s.line()
	t.l = t.s
	t.l.pos, t.l.end = t.at, t.at+len(t.text)
	return true
}

// comment reports whether the line begins with one of these bytes.
func (t *terms) comment(begins ...byte) bool { return bytes.IndexByte(begins, t.text[0]) >= 0 }

// pair reads two vertices, of which the first is lo and the last hi, numbered from 0.
func (t *terms) pair(lo, hi int64) (u, v int32, err error) {
	a, err := t.l.int(lo, hi, "a vertex")
	if err != nil {
		return 0, 0, err
	}
	b, err := t.l.int(lo, hi, "a vertex")
	return int32(a - lo), int32(b - lo), err
}

// weight reads the weight of u and v. Where none is needed, it is 1 if it is missing.
func (t *terms) weight(u, v int32, optional bool) error {
	at := t.l.pos
	if optional && !t.l.skip() {
		t.all = append(t.all, term{u, v, decimal{1, 0}, at})
		return nil
	}
	d, at, err := t.decimal("a weight")
	if err != nil {
		return err
	}
	t.all = append(t.all, term{u, v, d, at})
	return nil
}

// decimal reads a number.
func (t *terms) decimal(what string) (d decimal, at int, err error) {
	t.l.skip()
	at = t.l.pos
	word := string(t.l.token())
	if d, err = parseDecimal(word); err != nil {
		return d, at, t.s.errorf(at, "%s, %s", what, err)
	}
	t.places = max(t.places, d.places)
	return d, at, nil
}

// parseDecimal reads a decimal number exactly.
func parseDecimal(word string) (d decimal, err error) {
	mantissa, power, _ := strings.Cut(strings.ToLower(word), "e")
	exponent := 0
	if power != "" || strings.HasSuffix(strings.ToLower(word), "e") {
		if exponent, err = strconv.Atoi(power); err != nil || exponent < -400 || exponent > 400 {
			return d, fmt.Errorf("a decimal number")
		}
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	part = strings.TrimRight(part, "0")
	sign := ""
	if whole != "" && (whole[0] == '-' || whole[0] == '+') {
		sign, whole = strings.TrimPrefix(whole[:1], "+"), whole[1:]
	}
	digits := whole + part
	plain := digits != "" || strings.Contains(mantissa, ".") && whole+mantissa != "."
	for _, c := range []byte(digits) {
		plain = plain && c-'0' < 10
	}
	if !plain || whole == "" && part == "" && !strings.Contains(mantissa, "0") {
		return d, fmt.Errorf("a decimal number")
	}
	d.places = len(part) - exponent
	digits = strings.TrimLeft(digits, "0")
	for len(digits) > 0 && digits[len(digits)-1] == '0' && d.places > 0 {
		digits, d.places = digits[:len(digits)-1], d.places-1
	}
	if digits == "" {
		return decimal{}, nil
	}
	if d.places < 0 {
		if len(digits)-d.places > 17 {
			return d, fmt.Errorf("at most 17 digits")
		}
		digits, d.places = digits+strings.Repeat("0", -d.places), 0
	}
	if len(digits) > 17 || d.places > mostPlaces {
		return d, fmt.Errorf("at most 17 digits, of which %d are decimal places", mostPlaces)
	}
	d.digits, err = strconv.ParseInt(sign+digits, 10, 64)
	return d, err
}

// scaled is d times 10 to the power of places, which is at least its own; ok is false if that is
// more than most.
func (d decimal) scaled(places int, most int64) (x int64, ok bool) {
	x = d.digits
	for range places - d.places {
		if x > most || x < -most {
			return x, false
		}
		x *= 10
	}
	return x, x >= -most && x <= most
}

// build makes the instance of the terms: edges, and terms of one vertex.
func (t *terms) build(name string, n int, objective Objective) (*Cut, error) {
	scale := int64(1)
	for range t.places {
		scale *= 10
	}
	var ones []int64
	var edges []Edge
	const most = 1 << 53
	for _, x := range t.all {
		limit := int64(maxFlip)
		if x.u == x.v {
			limit = most
		}
		w, ok := x.value.scaled(t.places, limit)
		if !ok {
			return nil, t.tooLarge(x.at, limit, scale)
		}
		if x.u != x.v {
			edges = append(edges, Edge{x.u, x.v, w})
			continue
		}
		if ones == nil {
			ones = make([]int64, n)
		}
		if ones[x.u] += w; ones[x.u] > most || ones[x.u] < -most {
			return nil, t.tooLarge(x.at, most, scale)
		}
	}
	offset, ok := t.constant.scaled(t.places, most)
	if !ok {
		return nil, t.tooLarge(0, most, scale)
	}
	var c *Cut
	var err error
	switch objective {
	case CutObjective:
		c, err = NewCut(name, n, edges)
	case EnergyObjective:
		c, err = NewIsing(name, n, ones, edges, offset)
	default:
		c, err = NewQUBO(name, n, ones, edges, offset, objective == MaxQUBOObjective)
	}
	if err != nil {
		return nil, err
	}
	c.Scale = scale
	if len(t.names) > 0 {
		c.Labels = t.names
	}
	return c, nil
}

// tooLarge is the error of a weight that is beyond what is counted with.
func (t *terms) tooLarge(at int, most, scale int64) error {
	if scale == 1 {
		return t.s.errorf(at, "a weight from -%d to %d", most, most)
	}
	return t.s.errorf(at, "a weight that times %d, as there are decimal places, is from -%d to %d",
		scale, most, most)
}

// appendScaled writes x / scale, a power of ten, exactly.
func appendScaled(line []byte, x, scale int64) []byte {
	if scale == 1 {
		return strconv.AppendInt(line, x, 10)
	}
	if x < 0 {
		line, x = append(line, '-'), -x
	}
	line = strconv.AppendInt(line, x/scale, 10)
	if x %= scale; x == 0 {
		return line
	}
	digits := strconv.FormatInt(scale+x, 10)[1:]
	return append(append(line, '.'), strings.TrimRight(digits, "0")...)
}
