package datasets

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// ReadRudy reads max-cut in the format of rudy, of the G-set and of Biq Mac's .mc files: a line
// with the numbers of vertices and edges, then a line for each edge, its two vertices from 1 and
// its weight, which is 1 where it is missing. Lines that begin with # or c are comments.
//
// Weights with decimal places are multiplied by a power of ten, see [Cut]. name becomes the name
// of the instance and appears in errors. Errors about the content are *SyntaxError.
func ReadRudy(r io.Reader, name string) (*Cut, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	file := name
	if file == "" {
		file = "rudy graph"
	}
	return parseRudy(data, file, name)
}

// parseRudy reads a graph from data; file is named in errors.
func parseRudy(data []byte, file, name string) (*Cut, error) {
	if err := stranger(data, file); err != nil {
		return nil, err
	}
	t := newTerms(file, data)
	n, want := 0, int64(-1)
	for t.line() {
		if t.comment('#', 'c') {
			continue
		}
		if want < 0 {
			size, err := t.l.int(1, maxSpins, "the number of vertices")
			if err != nil {
				return nil, err
			}
			if want, err = t.l.int(0, maxCouplings, "the number of edges"); err != nil {
				return nil, err
			}
			n = int(size)
		} else {
			u, v, err := t.pair(1, int64(n))
			if err != nil {
				return nil, err
			}
			if u == v {
				return nil, t.s.errorf(t.at, "an edge between two different vertices")
			}
			if err := t.weight(u, v, true); err != nil {
				return nil, err
			}
		}
		if err := t.l.done("the end of the line"); err != nil {
			return nil, err
		}
	}
	if want < 0 {
		return nil, t.s.errorf(t.s.end, "the numbers of vertices and edges")
	}
	if int64(len(t.all)) != want {
		return nil, t.s.errorf(t.s.end, "%d edges where there are %d", want, len(t.all))
	}
	return t.build(name, n, CutObjective)
}

// WriteRudy writes max-cut in the format of rudy, a graph of the G-set byte for byte as published.
// It returns an error for other objectives.
func WriteRudy(w io.Writer, c *Cut) error {
	if c.objective != CutObjective {
		return fmt.Errorf("datasets: write %s: it is no max-cut but %s, which COO holds",
			c.Title, c.objective)
	}
	edges := c.listed
	if edges == nil {
		edges = c.couplings()
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%d %d \n", c.N, len(edges))
	var line []byte
	for _, e := range edges {
		line = append(strconv.AppendInt(line[:0], int64(e.U)+1, 10), ' ')
		line = append(strconv.AppendInt(line, int64(e.V)+1, 10), ' ')
		line = append(appendScaled(line, e.Weight, c.Scale), '\n')
		b.Write(line)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("datasets: write %s: %w", c.Title, err)
	}
	return nil
}

// couplings lists the couplings, each once, in the order of the vertices.
func (c *Cut) couplings() []Edge {
	edges := make([]Edge, 0, c.Edges())
	for v := range c.N {
		near, weights := c.Neighbours(v)
		for i, u := range near {
			if int(u) > v {
				edges = append(edges, Edge{int32(v), u, int64(weights[i])})
			}
		}
	}
	return edges
}
