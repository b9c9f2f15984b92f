package datasets

import (
	"math"
	"strings"
)

// weightFormat says which entries of the matrix a format lists, and in what order.
type weightFormat struct {
	upper, diag, byCol bool
	full               bool
}

// weightFormats are the formats of TSPLIB95. For a symmetric matrix, a "column" format lists one
// triangle by columns, which is the other triangle by rows.
var weightFormats = map[string]weightFormat{
	"FULL_MATRIX":    {full: true},
	"UPPER_ROW":      {upper: true},
	"LOWER_ROW":      {},
	"UPPER_DIAG_ROW": {upper: true, diag: true},
	"LOWER_DIAG_ROW": {diag: true},
	"UPPER_COL":      {upper: true, byCol: true},
	"LOWER_COL":      {byCol: true},
	"UPPER_DIAG_COL": {upper: true, diag: true, byCol: true},
	"LOWER_DIAG_COL": {diag: true, byCol: true},
}

const formatList = "FULL_MATRIX, UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW, LOWER_DIAG_ROW, " +
	"UPPER_COL, LOWER_COL, UPPER_DIAG_COL, LOWER_DIAG_COL"

// weights reads EDGE_WEIGHT_SECTION.
func (p *tsplib) weights(t *TSP) error {
	found := p.enter("EDGE_WEIGHT_SECTION")
	if t.Metric != Explicit {
		if found {
			return &SyntaxError{
				File: p.file, Line: lineAt(p.data, p.sections[p.section].heading), Section: p.section,
				Want: "no weights, for EDGE_WEIGHT_TYPE is " + t.Metric.String(),
			}
		}
		return nil
	}
	f, ok := weightFormats[p.value("EDGE_WEIGHT_FORMAT")]
	if !ok {
		return p.keyError("EDGE_WEIGHT_FORMAT", "one of %s", formatList)
	}
	if !found {
		return &SyntaxError{
			File: p.file, Want: "EDGE_WEIGHT_SECTION for EDGE_WEIGHT_TYPE EXPLICIT",
			Found: "no such section",
		}
	}
	if t.N > maxMatrix {
		return p.keyError("DIMENSION", "at most %d cities with a matrix", maxMatrix)
	}
	n, count := t.N, t.N*t.N
	if !f.full {
		count = n * (n - 1) / 2
		if f.diag {
			count += n
		}
	}
	// An entry has at least two bytes, so a file that is too short fails here, before any allocation.
	if room := (p.end - p.pos + 1) / 2; room < count {
		at := p.pos
		have := 0
		for len(p.token()) > 0 {
			have++
		}
		p.pos = at
		return p.errorf(
			p.end, "%d weights (%s, DIMENSION %d) where there are %d", count, p.value("EDGE_WEIGHT_FORMAT"),
			n, have,
		)
	}
	t.Matrix = make([]int32, n*n)
	var err error
	if f.full {
		err = p.fullMatrix(t)
	} else {
		err = p.triangle(t.Matrix, n, f)
	}
	if err != nil {
		return err
	}
	return p.done(
		"the end of the section after %d weights (%s, DIMENSION %d)", count,
		strings.TrimSpace(p.value("EDGE_WEIGHT_FORMAT")), n,
	)
}

// weight reads one entry; diagonal entries may be anything that is a whole number.
func (p *tsplib) weight(diagonal bool) (int32, error) {
	if diagonal {
		_, err := p.int(-1<<53, 1<<53, "a weight, a whole number")
		return 0, err
	}
	v, err := p.int(0, math.MaxInt32, "a weight, a whole number")
	return int32(v), err
}

func (p *tsplib) fullMatrix(t *TSP) error {
	n := t.N
	for i := range n {
		for j := range n {
			p.skip()
			at := p.pos
			v, err := p.weight(i == j)
			if err != nil {
				return err
			}
			t.Matrix[i*n+j] = v
			if j < i && !t.Asymmetric && t.Matrix[j*n+i] != v {
				return p.errorf(
					at, "%d, the weight from city %d to city %d, again in the other direction (TYPE is TSP)",
					t.Matrix[j*n+i], j+1, i+1,
				)
			}
		}
	}
	return nil
}

// triangle reads a triangle into both halves of the matrix d.
func (p *tsplib) triangle(d []int32, n int, f weightFormat) error {
	off := 1
	if f.diag {
		off = 0
	}
	for i := range n {
		from, to := 0, i+1-off // the lower triangle by rows, the upper one by columns
		if f.upper != f.byCol {
			from, to = i+off, n
		}
		for j := from; j < to; j++ {
			v, err := p.weight(i == j)
			if err != nil {
				return err
			}
			d[i*n+j], d[j*n+i] = v, v
		}
	}
	return nil
}
