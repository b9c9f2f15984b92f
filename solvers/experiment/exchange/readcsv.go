package exchange

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalab/solvers/experiment"
)

// Fields are what a line of results may tell.
var Fields = []string{
	"solver", "variant", "label", "instance", "seed", "best", "optimum", "iterations", "evaluations",
	"wall_s", "cpu_s", "machine", "error", "sense",
}

// A Mapping tells where the fields of a CSV file stand.
type Mapping struct {
	Columns map[string]string // field to column; a field that is not named has its own name's column
	Fixed   map[string]string // field to a value that all lines have
}

// ParseColumns reads a mapping of columns, as "best:length,wall_s:seconds".
func ParseColumns(text string) (map[string]string, error) {
	out := map[string]string{}
	if strings.TrimSpace(text) == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		field, column, ok := strings.Cut(strings.TrimSpace(part), ":")
		if !ok || column == "" || !slices.Contains(Fields, field) {
			return nil, fmt.Errorf("columns has %q, want FIELD:COLUMN with a FIELD of %s", part,
				strings.Join(Fields, ", "))
		}
		if _, twice := out[field]; twice {
			return nil, fmt.Errorf("columns names the field %s twice", field)
		}
		out[field] = column
	}
	return out, nil
}

// A ReadError is an error at a place of a file.
type ReadError struct {
	File         string
	Line, Column int // from 1 on; 0: not of one
	Err          error
}

// Error implements error.
func (e *ReadError) Error() string {
	at := e.File
	if e.Line > 0 {
		at += ":" + strconv.Itoa(e.Line)
		if e.Column > 0 {
			at += ":" + strconv.Itoa(e.Column)
		}
	}
	return at + ": " + e.Err.Error()
}

// Unwrap returns the error without its place.
func (e *ReadError) Unwrap() error { return e.Err }

// ReadCSV reads results, a line each after one with the names of the columns. Fields are separated
// by commas, semicolons or tabs, as the first line has them. Instance and best must be there, and
// a solver; a column sense says minimise or maximise. Files that CSV wrote are read as what they
// are of, with their parameters. Without seeds the runs of a solver on an instance are numbered
// from 1 on. file is the name that errors have.
func ReadCSV(r io.Reader, file string, m Mapping) ([]Foreign, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	head, err := in.Peek(1 << 12)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, &ReadError{File: file, Err: err}
	}
	if string(head[:min(len(head), 3)]) == "\ufeff" {
		_, _ = in.Discard(3) // the mark of UTF-8: it was peeked at
		head = head[3:]
	}
	bound := &lineBound{r: in}
	c := &csvReader{
		file: file, m: m, in: csv.NewReader(bound), bound: bound, next: map[[3]string]uint64{},
	}
	c.in.Comma = separator(head)
	c.in.ReuseRecord = true
	if err := c.head(); err != nil {
		return nil, err
	}
	var out []Foreign
	for {
		row, err := c.in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, c.broken(err)
		}
		bound.next(c.in)
		f, err := c.row(row)
		if err != nil {
			return nil, err
		}
		if len(out) == most {
			line, _ := c.in.FieldPos(0)
			return nil, &ReadError{file, line, 0, fmt.Errorf("more than %d runs", most)}
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		return nil, &ReadError{File: file, Err: errors.New("there are no runs after the line of names")}
	}
	return out, nil
}

// mostLine is the size of a line that is read at most, in bytes.
const mostLine = 1 << 20

// errLongLine says that a line is longer.
var errLongLine = fmt.Errorf("a line has more than %d bytes; a quote that is not closed makes one "+
	"of all that follows", mostLine)

// A lineBound ends the reading of a line that is too long, of which the reader of CSV would keep
// all in memory.
type lineBound struct {
	r    io.Reader
	read int64 // bytes returned so far
	from int64 // where the line began
	line int   // its number
}

// Read reads.
func (b *lineBound) Read(p []byte) (int, error) {
	if b.read-b.from > mostLine {
		return 0, errLongLine
	}
	n, err := b.r.Read(p)
	b.read += int64(n)
	return n, err
}

// next says that a line was read.
func (b *lineBound) next(in *csv.Reader) {
	b.from = in.InputOffset()
	b.line, _ = in.FieldPos(0)
}

// separator is the one that a first line has most of.
func separator(head []byte) rune {
	line, _, _ := strings.Cut(string(head), "\n")
	best, count := ',', strings.Count(line, ",")
	for _, r := range ";\t" {
		if n := strings.Count(line, string(r)); n > count {
			best, count = r, n
		}
	}
	return best
}

// A csvReader reads results.
type csvReader struct {
	file  string
	m     Mapping
	in    *csv.Reader
	bound *lineBound
	at    map[string]int // column of each field
	ours  *ours          // nil: the file is of another program
	next  map[[3]string]uint64
}

// broken says where a line is no CSV.
func (c *csvReader) broken(err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return &ReadError{c.file, p.Line, p.Column, p.Err}
	}
	if errors.Is(err, errLongLine) {
		return &ReadError{c.file, c.bound.line + 1, 0, err}
	}
	return &ReadError{File: c.file, Err: err}
}

// head reads the names of the columns.
func (c *csvReader) head() error {
	names, err := c.in.Read()
	if errors.Is(err, io.EOF) {
		return &ReadError{File: c.file, Err: errors.New("the file is empty, want a line of names first")}
	}
	if err != nil {
		return c.broken(err)
	}
	c.bound.next(c.in)
	c.at, c.ours = map[string]int{}, oursOf(names, c.m)
	for _, f := range Fields {
		if _, fixed := c.m.Fixed[f]; fixed {
			continue
		}
		name, mapped := c.m.Columns[f]
		if !mapped {
			name = f
		}
		i := slices.IndexFunc(names, func(s string) bool { return strings.TrimSpace(s) == name })
		switch {
		case i >= 0:
			c.at[f] = i
		case mapped || f == "best" || f == "instance" || f == "solver":
			return &ReadError{c.file, 1, 0, fmt.Errorf("there is no column %q for %s; columns are %s; %s",
				name, f, strings.Join(names, ", "), another(f))}
		}
	}
	return nil
}

// another says how to name the column of a field.
func another(field string) string {
	how := fmt.Sprintf("columns=%s:NAME names another", field)
	if field == "solver" || field == "instance" {
		how += fmt.Sprintf(", %s=NAME is for all lines", field)
	}
	return how
}

// clipped is a text in quotes, of a long one the beginning.
func clipped(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%q and %d bytes more", s[:most], len(s)-most)
}

// called is the column of a field, and the field where it is called otherwise.
func (c *csvReader) called(field string) string {
	if name, mapped := c.m.Columns[field]; mapped && name != field {
		return fmt.Sprintf("%s (%s)", name, field)
	}
	return field
}

// text is a field of a line; empty: it has none.
func (c *csvReader) text(row []string, field string) string {
	if v, fixed := c.m.Fixed[field]; fixed {
		return v
	}
	if i, ok := c.at[field]; ok {
		return uncell(strings.TrimSpace(row[i]))
	}
	return ""
}

// wrong says what a field of a line is, and what it should be.
func (c *csvReader) wrong(row []string, field, want string) error {
	line, column := c.in.FieldPos(c.at[field])
	return &ReadError{
		c.file, line, column,
		fmt.Errorf("%s is %s, want %s", c.called(field), clipped(c.text(row, field)), want),
	}
}

// row reads a line.
func (c *csvReader) row(row []string) (f Foreign, err error) {
	text := func(field string) string { return c.text(row, field) }
	wrong := func(field, want string) error { return c.wrong(row, field, want) }
	number := func(field string, least float64) float64 {
		s := text(field)
		if s == "" || err != nil {
			return math.NaN()
		}
		v, e := strconv.ParseFloat(s, 64)
		switch {
		case e != nil || !finite(v):
			err = wrong(field, "a number")
		case v < least:
			err = wrong(field, fmt.Sprintf("a number of at least %v", least))
		}
		return v
	}
	count := func(field string) int64 {
		s := text(field)
		if s == "" || err != nil {
			return 0
		}
		v, e := strconv.ParseInt(s, 10, 64)
		if e != nil || v < 0 {
			err = wrong(field, fmt.Sprintf("a whole number from 0 to %d", int64(math.MaxInt64)))
		}
		return v
	}
	f = Foreign{
		Solver: text("solver"), Variant: text("variant"), Label: text("label"),
		Instance: text("instance"), Optimum: number("optimum", math.Inf(-1)),
		Result: experiment.Result{
			Best: number("best", math.Inf(-1)), Iterations: count("iterations"),
			Evaluations: count("evaluations"), Wall: number("wall_s", 0), CPU: number("cpu_s", 0),
			Machine: text("machine"), Error: text("error"),
		},
	}
	if err != nil {
		return f, err
	}
	for _, need := range [...]string{"solver", "instance"} {
		if text(need) == "" {
			return f, wrong(need, "a name")
		}
	}
	if s := text("sense"); s != "" {
		if f.Sense = senseOf(s); f.Sense == nil {
			return f, wrong("sense", "minimise or maximise")
		}
	}
	if err := c.ours.fill(&f, c, row); err != nil || f.Left {
		return f, err
	}
	if f.Result.Error == "" && math.IsNaN(f.Result.Best) {
		return f, wrong("best", "a number")
	}
	for _, v := range [...]*float64{&f.Result.Wall, &f.Result.CPU} {
		if math.IsNaN(*v) {
			*v = 0
		}
	}
	if s := text("seed"); s != "" {
		v, e := strconv.ParseUint(s, 10, 63)
		if e != nil {
			return f, wrong("seed", fmt.Sprintf("a whole number from 0 to %d", int64(math.MaxInt64)))
		}
		f.Seed = v
		return f, nil
	}
	at := [3]string{f.Solver, f.Variant, f.Instance}
	c.next[at]++
	f.Seed = c.next[at]
	return f, nil
}
