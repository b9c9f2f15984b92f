package datasets

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ReadCOO reads an Ising model or a QUBO in the coordinate format of dimod: a line "# vartype=SPIN"
// or "# vartype=BINARY", then lines of two variables and a bias, where the same variable twice
// means h or the diagonal. Variables are numbers or other words, which are kept in
// [Cut].Labels unless they are the numbers from 0. Two comments more are ours: "# offset=2.5", and
// "# objective=cut" or "# objective=maxqubo" where the value is maximised.
//
// name becomes the name of the instance and appears in errors. Errors about the content are
// *SyntaxError.
func ReadCOO(r io.Reader, name string) (*Cut, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	return parseCOO(data, cmp.Or(name, "COO"), name)
}

func parseCOO(data []byte, file, name string) (*Cut, error) {
	if err := stranger(data, file); err != nil {
		return nil, err
	}
	t := newTerms(file, data)
	var objective Objective
	for t.line() {
		if t.comment('#') {
			if err := t.header(&objective); err != nil {
				return nil, err
			}
			continue
		}
		if objective == "" {
			return nil, t.s.errorf(t.at, "a line # vartype=SPIN or # vartype=BINARY before the first bias")
		}
		u, v := t.label(string(t.l.token())), t.label(string(t.l.token()))
		if u < 0 || v < 0 {
			return nil, t.s.errorf(t.at, "two variables, of at most %d", maxSpins)
		}
		if err := t.weight(u, v, false); err != nil {
			return nil, err
		}
		if x := t.all[len(t.all)-1]; u == v && objective == CutObjective && x.value.digits != 0 {
			return nil, t.s.errorf(x.at, "0, as a cut has no fields")
		}
		if err := t.l.done("the end of the line"); err != nil {
			return nil, err
		}
	}
	if len(t.names) == 0 {
		return nil, t.s.errorf(t.s.end, "lines of two variables and a bias")
	}
	t.number()
	return t.build(name, len(t.labels), objective)
}

// header reads a comment.
func (t *terms) header(objective *Objective) error {
	key, value, _ := strings.Cut(strings.TrimLeft(string(t.text), "# \t"), "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case key == "vartype" && value == "SPIN":
		*objective = EnergyObjective
	case key == "vartype" && value == "BINARY":
		*objective = QUBOObjective
	case key == "vartype":
		return t.s.errorf(t.at, "vartype SPIN or BINARY")
	case key == "objective" && value == "cut" && *objective == EnergyObjective:
		*objective = CutObjective
	case key == "objective" && value == "maxqubo" && *objective == QUBOObjective:
		*objective = MaxQUBOObjective
	case key == "objective":
		return t.s.errorf(t.at, "objective cut after vartype SPIN, or maxqubo after BINARY")
	case key == "offset":
		d, err := parseDecimal(value)
		if err != nil {
			return t.s.errorf(t.at, "an offset, %s", err)
		}
		t.constant, t.places = d, max(t.places, d.places)
	}
	return nil
}

// label is the number of a variable, -1 where there are too many, or none.
func (t *terms) label(word string) int32 {
	if v, ok := t.labels[word]; ok {
		return v
	}
	if word == "" || len(t.labels) == maxSpins {
		return -1
	}
	v := int32(len(t.labels))
	t.labels[word] = v
	t.names = append(t.names, word)
	return v
}

// number sorts variables that are numbers, and drops the names of those from 0 on.
func (t *terms) number() {
	place := make(map[string]int, len(t.names))
	for _, word := range t.names {
		x, ok := number(word)
		if !ok {
			return
		}
		place[word] = x
	}
	order := slices.Clone(t.names)
	slices.SortFunc(order, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
	to := make([]int32, len(order))
	for i, word := range order {
		to[t.labels[word]] = int32(i)
	}
	for i := range t.all {
		t.all[i].u, t.all[i].v = to[t.all[i].u], to[t.all[i].v]
	}
	if t.names = order; place[order[len(order)-1]] == len(order)-1 {
		t.names = nil
	}
}

// WriteCOO writes any instance as ReadCOO reads it.
func WriteCOO(w io.Writer, c *Cut) error {
	b := bufio.NewWriter(w)
	ones, offset, sign := c.linear()
	switch c.objective {
	case CutObjective:
		b.WriteString("# vartype=SPIN\n# objective=cut\n")
	case EnergyObjective:
		b.WriteString("# vartype=SPIN\n")
	case QUBOObjective:
		b.WriteString("# vartype=BINARY\n")
	case MaxQUBOObjective:
		b.WriteString("# vartype=BINARY\n# objective=maxqubo\n")
	}
	if offset != 0 {
		fmt.Fprintf(b, "# offset=%s\n", appendScaled(nil, offset, c.Scale))
	}
	name := func(v int32) string {
		if c.Labels != nil {
			return c.Labels[v]
		}
		return strconv.Itoa(int(v))
	}
	put := func(u, v int32, x int64) {
		fmt.Fprintf(b, "%s %s %s\n", name(u), name(v), appendScaled(nil, x, c.Scale))
	}
	// Of each variable a line, so that none is lost.
	for v, x := range ones {
		put(int32(v), int32(v), x)
	}
	for _, e := range c.couplings() {
		put(e.U, e.V, sign*e.Weight)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("datasets: write %s: %w", c.Title, err)
	}
	return nil
}

// linear returns the fields or the diagonal, and the offset, as a file has them, and the sign of
// couplings there.
func (c *Cut) linear() (ones []int64, offset, sign int64) {
	ones, sign = make([]int64, c.N), 1
	switch c.objective {
	case CutObjective:
		return ones, 0, 1
	case EnergyObjective:
		copy(ones, c.field)
		return ones, c.shift, 1
	case MaxQUBOObjective:
		sign = -1
	case QUBOObjective:
	}
	offset = c.shift
	for v := range ones {
		_, weights := c.Neighbours(v)
		h := c.Field(v)
		for _, w := range weights {
			h -= int64(w)
		}
		ones[v] = sign * h / 2
		offset -= h
	}
	for _, e := range c.couplings() {
		offset -= e.Weight
	}
	return ones, sign * offset / 4, sign
}
