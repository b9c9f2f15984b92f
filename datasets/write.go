package datasets

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteTSP writes the instance in the format of TSPLIB95. For two-dimensional instances without
// further data the file has, byte for byte, the form of the DIMACS challenge's files: six header
// lines, then a city a line, no EOF line. ReadTSP reads it back; coordinates keep every bit.
func WriteTSP(w io.Writer, t *TSP) error {
	b := bufio.NewWriterSize(w, 1<<16)
	header := func(key, value string) {
		fmt.Fprintf(
			b, "%s : %s\n", key, strings.Join(strings.Fields(value), " "),
		)
	}
	header("NAME", t.Title)
	for line := range strings.SplitSeq(t.Comment, "\n") {
		header("COMMENT", line)
	}
	typ := "TSP"
	if t.Asymmetric {
		typ = "ATSP"
	}
	header("TYPE", typ)
	header("DIMENSION", strconv.Itoa(t.N))
	header("EDGE_WEIGHT_TYPE", t.Metric.String())
	points := func(section string, coords ...[]float64) {
		b.WriteString(section + "\n")
		var line []byte
		for i := range t.N {
			line = strconv.AppendInt(line[:0], int64(i+1), 10)
			for _, c := range coords {
				line = appendFloat(append(line, ' '), c[i])
			}
			b.Write(append(line, '\n'))
		}
	}
	if len(t.Fixed) > 0 {
		b.WriteString("FIXED_EDGES_SECTION\n")
		for _, e := range t.Fixed {
			fmt.Fprintf(b, "%d %d\n", e[0]+1, e[1]+1)
		}
		b.WriteString("-1\n")
	}
	if t.Metric == Explicit {
		header("EDGE_WEIGHT_FORMAT", "FULL_MATRIX")
		b.WriteString("EDGE_WEIGHT_SECTION\n")
		var line []byte
		for i := range t.N {
			line = line[:0]
			for _, d := range t.Matrix[i*t.N : (i+1)*t.N] {
				line = append(strconv.AppendInt(line, int64(d), 10), ' ')
			}
			line[len(line)-1] = '\n'
			b.Write(line)
		}
	}
	switch {
	case t.Metric.Dim() == 3:
		points("NODE_COORD_SECTION", t.X, t.Y, t.Z)
	case t.Metric.Dim() == 2:
		points("NODE_COORD_SECTION", t.X, t.Y)
	}
	if own := t.ShowX != nil &&
		(t.Metric.Dim() != 2 || &t.ShowX[0] != &t.X[0] && t.Metric != Geo); own {
		points("DISPLAY_DATA_SECTION", t.ShowX, t.ShowY)
	}
	if err := b.Flush(); err != nil { // it returns the first error of any write
		return fmt.Errorf("datasets: write %s: %w", t.Name(), err)
	}
	return nil
}

// appendFloat writes v so that reading gives v back: whole numbers without a point.
func appendFloat(line []byte, v float64) []byte {
	if v == float64(int64(v)) && v > -1e15 && v < 1e15 {
		return strconv.AppendInt(line, int64(v), 10)
	}
	return strconv.AppendFloat(line, v, 'g', -1, 64)
}

// WriteTour writes a tour of cities numbered from 0 in the format of TSPLIB95.
// ReadTour reads it back.
func WriteTour(w io.Writer, name, comment string, tour []int32) error {
	b := bufio.NewWriterSize(w, 1<<16)
	one := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	fmt.Fprintf(
		b, "NAME : %s\nCOMMENT : %s\nTYPE : TOUR\nDIMENSION : %d\nTOUR_SECTION\n", one(name),
		one(comment), len(tour),
	)
	var line []byte
	for _, c := range tour {
		line = append(strconv.AppendInt(line[:0], int64(c)+1, 10), '\n')
		b.Write(line)
	}
	b.WriteString("-1\nEOF\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("datasets: write tour %s: %w", one(name), err)
	}
	return nil
}
