package datasets

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// ReadColouring reads a graph in the format of the second DIMACS challenge (.col), to be coloured.
// Lines that begin with c are comments; "p edge N M" (or "p col N M") gives the numbers of vertices
// and edges; "e U V" is an edge, with vertices from 1. It ignores lines that begin with n, d, v or
// x, which some files have. M may count the lines, the different edges, or each edge twice: the
// published files do all three.
//
// name becomes the name of the graph and appears in errors. Errors about the content are
// *SyntaxError. colours is the number of colours, see NewColouring.
//
// Source: D. S. Johnson, M. A. Trick (eds), Cliques, Coloring, and Satisfiability: Second DIMACS
// Implementation Challenge, 1996, doi:10.1090/dimacs/026.
func ReadColouring(r io.Reader, name string, colours int) (*Colouring, error) {
	data, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	file := name
	if file == "" {
		file = "DIMACS graph"
	}
	return parseColouring(data, file, name, colours)
}

// parseColouring reads a graph from data; file is named in errors.
func parseColouring(data []byte, file, name string, colours int) (*Colouring, error) {
	if err := stranger(data, file); err != nil {
		return nil, err
	}
	s := newScanner(file, data)
	n, want, lines := 0, int64(-1), int64(0)
	var edges [][2]int32
	for s.skip() {
		s.section = "graph"
		text, at := s.line()
		// A scanner of the line, on the same data so that errors have its number.
		l := s
		l.pos, l.end = at, at+len(text)
		switch word := string(l.token()); word {
		case "c", "n", "d", "v", "x":
		case "p":
			if n > 0 {
				return nil, s.errorf(at, "one line that begins with p, here is a second one")
			}
			kind := l.pos
			if k := string(l.token()); k != "edge" && k != "edges" && k != "col" {
				return nil, s.errorf(kind+1, "edge or col after p")
			}
			size, err := l.int(1, maxVertices, "the number of vertices")
			if err != nil {
				return nil, err
			}
			if want, err = l.int(0, 1<<40, "the number of edges"); err != nil {
				return nil, err
			}
			n = int(size)
		case "e":
			if n == 0 {
				return nil, s.errorf(at, "a line that begins with p before the edges")
			}
			var e [2]int32
			for i := range e {
				v, err := l.int(1, int64(n), "a vertex")
				if err != nil {
					return nil, err
				}
				e[i] = int32(v - 1)
			}
			if e[0] == e[1] {
				return nil, s.errorf(at, "an edge between two different vertices")
			}
			lines++
			edges = append(edges, e)
		default:
			if word[0] != 'c' { // a comment without a space
				return nil, s.errorf(at, "a line that begins with c, p or e")
			}
			l.pos = l.end
		}
		if word := text[0]; word == 'p' || word == 'e' {
			if err := l.done("the end of the line"); err != nil {
				return nil, err
			}
		}
	}
	if n == 0 {
		return nil, s.errorf(s.end, "a line that begins with p")
	}
	g, err := NewColouring(name, n, edges, 0)
	if err != nil {
		return nil, err
	}
	if m := int64(g.Edges()); want != lines && want != m && want != 2*m {
		return nil, s.errorf(s.end, "%d edges where there are %d", want, lines)
	}
	if colours == 0 {
		return g, nil
	}
	return g.WithColours(colours)
}

// WriteColouring writes the graph in the DIMACS format, each edge once.
func WriteColouring(w io.Writer, g *Colouring) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "p edge %d %d\n", g.N, g.Edges())
	for u := range g.N {
		for _, v := range g.Neighbours(u) {
			if int(v) > u {
				fmt.Fprintf(b, "e %d %d\n", u+1, v+1)
			}
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("datasets: write %s: %w", g.graph, err)
	}
	return nil
}

// looksLikeColouring tells whether data without a telling name is a graph of DIMACS: its
// first line that is no comment begins with p.
func looksLikeColouring(data []byte) bool {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != 'c' {
			return bytes.HasPrefix(line, []byte("p edge ")) || bytes.HasPrefix(line, []byte("p col "))
		}
	}
	return false
}
