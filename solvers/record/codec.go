package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
)

// FormatVersion is the latest version of the file format that this program reads and writes.
// Version 2 may hold repeats. A record without repeats is written as version 1, which earlier
// programs read too.
const FormatVersion = 2

// ErrFormat is wrapped by every error about a file that is no record, or none that this program can
// read.
var ErrFormat = errors.New("not a readable record")

// NewHeader returns a header with the fields that do not depend on the run.
func NewHeader() Header {
	host, _ := os.Hostname()
	made := Made()
	return Header{
		Format: "record", Version: FormatVersion, Build: made.String(), Maker: &made,
		Machine: fmt.Sprintf("%s %s/%s %d cores", host, runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
	}
}

// appendNumber writes v as JSON does, and null for what JSON has no number for.
func appendNumber(b []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, "null"...)
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendInt(b, int64(v), 10)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// AppendPoint appends the line of p, with its newline; names are the names of its
// measures.
func AppendPoint(b []byte, p Point, names []string) []byte {
	b = append(b, `{"i":`...)
	b = strconv.AppendInt(b, p.Iter, 10)
	b = append(b, `,"best":`...)
	b = appendNumber(b, p.Best)
	b = append(b, `,"iter_best":`...)
	b = appendNumber(b, p.IterBest)
	b = append(b, `,"mean":`...)
	b = appendNumber(b, p.Mean)
	for i, m := range p.Measures {
		b = append(b, ',')
		b = strconv.AppendQuote(b, names[i])
		b = append(b, ':')
		b = appendNumber(b, m)
	}
	if p.Improved {
		b = append(b, `,"improved":true`...)
	}
	b = append(b, `,"digest":"`...)
	b = appendHex(b, p.Digest)
	b = append(b, '"')
	if p.Evals > 0 {
		b = append(b, `,"evals":`...)
		b = strconv.AppendInt(b, p.Evals, 10)
	}
	b = append(b, `,"wall_s":`...)
	b = strconv.AppendFloat(b, p.Wall, 'f', 6, 64)
	b = append(b, `,"cpu_s":`...)
	b = strconv.AppendFloat(b, p.CPU, 'f', 6, 64)
	return append(b, "}\n"...)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// micro rounds seconds to microseconds.
func micro(v float64) float64 { return math.Round(v*1e6) / 1e6 }

func micros(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = micro(x)
	}
	return out
}

func appendHex(b []byte, d uint64) []byte { return fmt.Appendf(b, "%016x", d) }

// pointLine is the line of a point, less its measures.
type pointLine struct {
	Iter     int64    `json:"i"`
	Best     *float64 `json:"best"`
	IterBest *float64 `json:"iter_best"`
	Mean     *float64 `json:"mean"`
	Improved bool     `json:"improved"`
	Digest   string   `json:"digest"`
	Evals    float64  `json:"evals"`
	Wall     float64  `json:"wall_s"`
	CPU      float64  `json:"cpu_s"`
}

func orInf(v *float64) float64 {
	if v == nil {
		return math.Inf(1)
	}
	return *v
}

func parsePoint(line []byte, names []string) (Point, error) {
	var l pointLine
	if err := json.Unmarshal(line, &l); err != nil {
		return Point{}, err
	}
	d, err := strconv.ParseUint(l.Digest, 16, 64)
	if err != nil {
		return Point{}, fmt.Errorf("digest is %q, want 16 hexadecimal digits", l.Digest)
	}
	p := Point{
		Iter: l.Iter, Best: orInf(l.Best), IterBest: orInf(l.IterBest), Mean: orInf(l.Mean),
		Digest: d, Improved: l.Improved, Wall: l.Wall, CPU: l.CPU,
	}
	if !slices.Contains(names, "evals") { // a solver of one's own may call a measure so
		p.Evals = int64(l.Evals)
	}
	if len(names) > 0 {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(line, &all); err != nil {
			return Point{}, err
		}
		p.Measures = make([]float64, len(names))
		for i, n := range names {
			var v *float64
			if raw, ok := all[n]; !ok {
				return Point{}, fmt.Errorf("no measure %q", n)
			} else if err := json.Unmarshal(raw, &v); err != nil {
				return Point{}, fmt.Errorf("measure %q: %w", n, err)
			}
			p.Measures[i] = orNaN(v)
		}
	}
	return p, nil
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// endLine closes a file that was saved whole.
type endLine struct {
	End    *int64 `json:"end"`
	Digest string `json:"digest"`
}

// bestLine is the line of a best solution.
type bestLine struct {
	Iter     int64    `json:"i"`
	Value    float64  `json:"best"`
	Solution Solution `json:"solution"`
	Agent    *int     `json:"agent,omitempty"`
}

// AppendHeader appends the line of h.
func AppendHeader(b []byte, h Header) ([]byte, error) { return appendJSON(b, h) }

// AppendChange appends the line of c.
func AppendChange(b []byte, c Change) ([]byte, error) { return appendJSON(b, c) }

// AppendBest appends the line of a best solution.
func AppendBest(b []byte, x Best) ([]byte, error) { return appendJSON(b, bestLine(x)) }

func appendJSON(b []byte, v any) ([]byte, error) {
	j, err := json.Marshal(v)
	if err != nil {
		return b, err
	}
	return append(append(b, j...), '\n'), nil
}

// Encode writes the record as a complete file: the header, points and changes in order of time, the
// best solution and the end.
func (r *Record) Encode(w io.Writer) error {
	bw := bufio.NewWriterSize(w, 1<<16)
	h := r.Header
	if h.Version = 1; len(r.Repeats) > 0 {
		h.Version = FormatVersion
	}
	b, err := AppendHeader(nil, h)
	if err != nil {
		return fmt.Errorf("record: header: %w", err)
	}
	j := 0
	for _, p := range r.Points {
		// A change noted at iteration i came after the point of i.
		for ; j < len(r.Journal) && r.Journal[j].Iter < p.Iter; j++ {
			if b, err = AppendChange(b, r.Journal[j]); err != nil {
				return fmt.Errorf("record: journal: %w", err)
			}
		}
		b = AppendPoint(b, p, r.Header.Measures)
		if len(b) > 1<<16 {
			if _, err := bw.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	for ; j < len(r.Journal); j++ {
		if b, err = AppendChange(b, r.Journal[j]); err != nil {
			return fmt.Errorf("record: journal: %w", err)
		}
	}
	if r.Best.Iter > 0 {
		if b, err = AppendBest(b, r.Best); err != nil {
			return fmt.Errorf("record: best: %w", err)
		}
	}
	if b, err = r.encodeRepeats(b); err != nil {
		return fmt.Errorf("record: repeats: %w", err)
	}
	if b, err = appendJSON(b, endLine{&r.End, string(appendHex(nil, r.Digest))}); err != nil {
		return err
	}
	if _, err := bw.Write(b); err != nil {
		return err
	}
	return bw.Flush()
}

// Decode reads a record. It ignores a truncated last line; the record then has Whole false, and End
// is its last iteration. Other errors wrap ErrFormat and name the line.
func Decode(rd io.Reader) (*Record, error) {
	r, d, err := DecodePart(rd)
	if err == nil && d != nil && !(d.cut && d.Line > 1) {
		err = d.Err
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// line takes in line n.
func (r *Record) line(n int, line []byte) error {
	fail := func(err error) error { return fmt.Errorf("record: line %d: %w: %w", n, err, ErrFormat) }
	if n == 1 {
		if err := json.Unmarshal(line, &r.Header); err != nil {
			return fail(err)
		}
		if r.Header.Format != "record" {
			return fail(errors.New(`it does not begin with {"metalab":"record",…}`))
		}
		if r.Header.Version < 1 || r.Header.Version > FormatVersion {
			return fail(fmt.Errorf("it is of format version %d and this program reads versions 1 to %d; "+
				"%s", r.Header.Version, FormatVersion, r.Header.Wrote("", "")))
		}
		r.Header.Version = FormatVersion // that of the file says nothing of the run
		return nil
	}
	var kind struct {
		End      *int64          `json:"end"`
		Change   string          `json:"change"`
		Solution json.RawMessage `json:"solution"`
		Digest   string          `json:"digest"`
		Series   *int            `json:"series"`
		Seed     *uint64         `json:"seed"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return fail(err)
	}
	switch {
	case kind.End != nil:
		d, err := strconv.ParseUint(kind.Digest, 16, 64)
		if err != nil {
			return fail(fmt.Errorf("digest is %q, want 16 hexadecimal digits", kind.Digest))
		}
		r.End, r.Digest, r.Whole = *kind.End, d, true
	case kind.Change != "":
		var c Change
		if err := json.Unmarshal(line, &c); err != nil {
			return fail(err)
		}
		r.Journal = append(r.Journal, c)
	case kind.Series != nil:
		if err := r.seriesOrSeed(line, kind.Seed != nil); err != nil {
			return fail(err)
		}
	case kind.Solution != nil:
		var b bestLine
		if err := json.Unmarshal(line, &b); err != nil {
			return fail(err)
		}
		r.Best = Best(b)
	default:
		p, err := parsePoint(line, r.Header.Measures)
		if err != nil {
			return fail(err)
		}
		if k := len(r.Points); k > 0 && p.Iter <= r.Points[k-1].Iter {
			return fail(fmt.Errorf("i is %d after %d", p.Iter, r.Points[k-1].Iter))
		}
		r.Points = append(r.Points, p)
	}
	return nil
}
