package datasets

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
)

// ReadSparse reads a QUBO in the format .sparse of the Biq Mac Library: comments, which begin with
// #, the numbers of variables and entries, then a line "i j q" an entry, variables from 1. The
// value x'Qx is minimised, where Q is symmetric: an entry of the diagonal counts once, one of i and
// j twice, as q(i,j) and q(j,i). An entry that stands twice, in either order, is refused.
//
// The format is that of A. Wiegele, Biq Mac Library, 2007. name becomes the name of the instance
// and appears in errors. Errors about the content are *SyntaxError.
func ReadSparse(r io.Reader, name string) (*Cut, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	return parseSparse(data, cmp.Or(name, "sparse matrix"), name)
}

func parseSparse(data []byte, file, name string) (*Cut, error) {
	if err := stranger(data, file); err != nil {
		return nil, err
	}
	t := newTerms(file, data)
	n, want := int64(-1), int64(0)
	seen := map[[2]int32]bool{}
	for t.line() {
		if t.comment('#') {
			continue
		}
		if n < 0 {
			var err error
			if n, err = t.l.int(1, maxSpins, "the number of variables"); err != nil {
				return nil, err
			}
			if want, err = t.l.int(0, maxCouplings, "the number of entries"); err != nil {
				return nil, err
			}
		} else {
			u, v, err := t.pair(1, n)
			if err != nil {
				return nil, err
			}
			at := [2]int32{min(u, v), max(u, v)}
			if seen[at] {
				return nil, t.s.errorf(t.at, "an entry that is not there yet: Q is symmetric")
			}
			seen[at] = true
			if err := t.weight(u, v, false); err != nil {
				return nil, err
			}
			if u != v {
				t.all[len(t.all)-1].value.digits *= 2
			}
		}
		if err := t.l.done("the end of the line"); err != nil {
			return nil, err
		}
	}
	if n < 0 {
		return nil, t.s.errorf(t.s.end, "the numbers of variables and entries")
	}
	if int64(len(t.all)) != want {
		return nil, t.s.errorf(t.s.end, "%d entries where there are %d", want, len(t.all))
	}
	return t.build(name, int(n), QUBOObjective)
}

// WriteSparse writes a QUBO that is minimised as ReadSparse reads it, without names of variables.
// It returns an error for other objectives, and for an offset, which the format lacks.
func WriteSparse(w io.Writer, c *Cut) error {
	if err := c.isQUBO(); err != nil {
		return err
	}
	ones, offset, _ := c.linear()
	if offset != 0 || c.objective == MaxQUBOObjective {
		return fmt.Errorf("datasets: write %s: .sparse has no offset (%s) and is minimised (here %s); "+
			"COO holds both", c.Title, appendScaled(nil, offset, c.Scale), c.objective)
	}
	entries := 0
	for _, x := range ones {
		if x != 0 {
			entries++
		}
	}
	pairs := c.couplings()
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%d %d\n", c.N, entries+len(pairs))
	for v, x := range ones {
		if x != 0 {
			fmt.Fprintf(b, "%d %d %s\n", v+1, v+1, appendScaled(nil, x, c.Scale))
		}
	}
	for _, e := range pairs {
		half, scale := e.Weight/2, c.Scale
		if e.Weight%2 != 0 {
			if half, scale = 5*e.Weight, 10*c.Scale; scale > mostScale {
				return fmt.Errorf("datasets: write %s: half of the weight of %d and %d has more than %d "+
					"decimal places", c.Title, e.U, e.V, mostPlaces)
			}
		}
		fmt.Fprintf(b, "%d %d %s\n", e.U+1, e.V+1, appendScaled(nil, half, scale))
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("datasets: write %s: %w", c.Title, err)
	}
	return nil
}
