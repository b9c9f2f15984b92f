package datasets

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
)

// ReadQUBO reads a QUBO in the format of qbsolv: comments, which begin with c, the line "p qubo 0
// maxNodes nNodes nCouplers", then nNodes lines "i i weight" of the diagonal and nCouplers lines
// "i j weight" of pairs, i below j, variables from 0 to maxNodes - 1. The value is minimised. Two
// comments are ours: "c offset=2.5", and "c objective=maxqubo" where it is maximised.
//
// name becomes the name of the instance and appears in errors. Errors about the content are
// *SyntaxError.
func ReadQUBO(r io.Reader, name string) (*Cut, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	return parseQUBO(data, cmp.Or(name, "QUBO"), name)
}

func parseQUBO(data []byte, file, name string) (*Cut, error) {
	if err := stranger(data, file); err != nil {
		return nil, err
	}
	t := newTerms(file, data)
	objective, n, ones, pairs := QUBOObjective, int64(-1), int64(0), int64(0)
	for t.line() {
		if t.comment('c') {
			if err := t.remark(&objective); err != nil {
				return nil, err
			}
			continue
		}
		var err error
		if n < 0 {
			if n, ones, pairs, err = t.problem(); err != nil {
				return nil, err
			}
			continue
		}
		u, v, err := t.pair(0, n-1)
		switch {
		case err != nil:
			return nil, err
		case ones > 0 && u != v:
			return nil, t.s.errorf(t.at, "a diagonal entry, a variable twice, of which %d are to come", ones)
		case ones == 0 && u >= v:
			return nil, t.s.errorf(t.at, "a pair of variables, the smaller first")
		case ones == 0 && pairs == 0:
			return nil, t.s.errorf(t.at, "the end of the file, as p qubo counts no entry more")
		}
		if err := t.weight(u, v, false); err != nil {
			return nil, err
		}
		if ones > 0 {
			ones--
		} else {
			pairs--
		}
		if err := t.l.done("the end of the line"); err != nil {
			return nil, err
		}
	}
	if n < 0 {
		return nil, t.s.errorf(t.s.end, "a line p qubo 0 maxNodes nNodes nCouplers")
	}
	if ones+pairs > 0 {
		return nil, t.s.errorf(t.s.end, "%d entries more", ones+pairs)
	}
	return t.build(name, int(n), objective)
}

// problem reads the line that begins with p: the variables, and the entries of both kinds.
func (t *terms) problem() (n, ones, pairs int64, err error) {
	if string(t.l.token()) != "p" || string(t.l.token()) != "qubo" {
		return 0, 0, 0, t.s.errorf(t.at, "p qubo 0 maxNodes nNodes nCouplers")
	}
	// The topology is 0, or unconstrained.
	if word := string(t.l.token()); word != "0" && word != "unconstrained" {
		return 0, 0, 0, t.s.errorf(t.at, "the topology 0 or unconstrained")
	}
	if n, err = t.l.int(1, maxSpins, "the number of variables"); err != nil {
		return 0, 0, 0, err
	}
	if ones, err = t.l.int(0, n, "the number of diagonal entries"); err != nil {
		return 0, 0, 0, err
	}
	if pairs, err = t.l.int(0, maxCouplings, "the number of pairs"); err != nil {
		return 0, 0, 0, err
	}
	return n, ones, pairs, t.l.done("the end of the line")
}

// remark reads a comment, which may be one of ours.
func (t *terms) remark(objective *Objective) error {
	key, value, _ := strings.Cut(strings.TrimSpace(string(t.text[1:])), "=")
	switch {
	case key == "objective" && value == string(MaxQUBOObjective):
		*objective = MaxQUBOObjective
	case key == "offset":
		d, err := parseDecimal(strings.TrimSpace(value))
		if err != nil {
			return t.s.errorf(t.at, "an offset, %s", err)
		}
		t.constant, t.places = d, max(t.places, d.places)
	}
	return nil
}

// WriteQUBO writes a QUBO as ReadQUBO reads it, without names of variables. It returns an error for
// max-cut and Ising models.
func WriteQUBO(w io.Writer, c *Cut) error {
	if err := c.isQUBO(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	ones, offset, sign := c.linear()
	if c.objective == MaxQUBOObjective {
		b.WriteString("c objective=maxqubo\n")
	}
	if offset != 0 {
		fmt.Fprintf(b, "c offset=%s\n", appendScaled(nil, offset, c.Scale))
	}
	pairs := c.couplings()
	fmt.Fprintf(b, "p qubo 0 %d %d %d\n", c.N, len(ones), len(pairs))
	for v, x := range ones {
		fmt.Fprintf(b, "%d %d %s\n", v, v, appendScaled(nil, x, c.Scale))
	}
	for _, e := range pairs {
		fmt.Fprintf(b, "%d %d %s\n", e.U, e.V, appendScaled(nil, sign*e.Weight, c.Scale))
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("datasets: write %s: %w", c.Title, err)
	}
	return nil
}

// isQUBO returns an error unless the instance is a QUBO.
func (c *Cut) isQUBO() error {
	if c.objective == QUBOObjective || c.objective == MaxQUBOObjective {
		return nil
	}
	return fmt.Errorf("datasets: write %s: it is no QUBO but of the objective %s, which COO holds",
		c.Title, c.objective)
}
