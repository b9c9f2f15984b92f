package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// A Damage is the place from which the file of a record is unreadable.
type Damage struct {
	Line int   // of the first damaged line
	Kept int64 // bytes before it
	Lost int64 // bytes from that line on
	Err  error // the problem of that line

	cut bool // it is the last line, and has no end
}

// DecodePart is Decode for a file that may be damaged. It returns the record up to the first
// damaged line (nil if that is the first line of all) and the place of the damage (nil if there is
// none). A truncated last line, such as a killed process leaves, counts as damage only if it holds
// bytes that no program wrote.
func DecodePart(rd io.Reader) (*Record, *Damage, error) {
	r := &Record{}
	d, err := eachLine(rd, r.line)
	if err != nil || d != nil && d.Line == 1 {
		return nil, d, err
	}
	if !r.Whole || d != nil {
		r.Whole, r.End = false, 0
		if k := len(r.Points); k > 0 {
			r.End, r.Digest = r.Points[k-1].Iter, r.Points[k-1].Digest
		}
		for len(r.Journal) > 0 && r.Journal[len(r.Journal)-1].Iter > r.End {
			r.Journal = r.Journal[:len(r.Journal)-1] // it stands after points that are lost
		}
	}
	return r, d, nil
}

// eachLine calls f for each whole line, which f may not keep, up to the first that f or the
// line's seal finds damaged. The error is that of a read.
func eachLine(rd io.Reader, f func(n int, line []byte) error) (*Damage, error) {
	br := bufio.NewReaderSize(rd, 1<<16)
	var at int64
	for n := 1; ; n++ {
		line, rerr := br.ReadSlice('\n')
		if errors.Is(rerr, bufio.ErrBufferFull) {
			var rest []byte
			line = slices.Clone(line)
			rest, rerr = br.ReadBytes('\n')
			line = append(line, rest...)
		}
		if rerr != nil && !errors.Is(rerr, io.EOF) {
			return nil, fmt.Errorf("record: line %d: %w", n, rerr)
		}
		cut := rerr != nil
		damaged := func(err error) (*Damage, error) {
			left, rerr := io.Copy(io.Discard, br)
			return &Damage{Line: n, Kept: at, Lost: int64(len(line)) + left, Err: err, cut: cut}, rerr
		}
		text := bytes.TrimSpace(line)
		switch {
		case n == 1 && len(text) == 0:
			return damaged(fmt.Errorf("record: line 1: the file is empty: %w", ErrFormat))
		case cut && len(text) == 0:
			return nil, nil
		case cut && n > 1:
			if bytes.IndexByte(text, 0) >= 0 {
				return damaged(fmt.Errorf("record: line %d: it holds zero bytes: %w", n, ErrFormat))
			}
			return nil, nil // it was being written
		case len(text) > 0:
			err := checkSeal(text)
			if err != nil {
				err = fmt.Errorf("record: line %d: %w: %w", n, err, ErrFormat)
			} else {
				err = f(n, text)
			}
			if err != nil {
				return damaged(err)
			}
			if cut {
				return nil, nil
			}
		}
		at += int64(len(line))
	}
}

// ReadPart is DecodePart of the file at path.
func ReadPart(path string) (*Record, *Damage, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("record: %w", err)
	}
	defer f.Close()
	return DecodePart(f)
}

// A Summary is the entry of a record in a list.
type Summary struct {
	Header Header // the zero header where the first line is damaged
	End    int64  // the last iteration in the record
	Best   float64
	Seeds  int     // results of its repeats
	Damage *Damage // nil if nothing is damaged
}

// Summarize reads the summary of a record. It checks the checksum of every line, or that a line
// without one is JSON, and parses only the first and the last point. That is many times as fast as
// DecodePart, which may find more damage.
func Summarize(rd io.Reader) (*Summary, error) {
	r, s := &Record{}, &Summary{Best: math.Inf(1)}
	var last []byte
	d, err := eachLine(rd, func(n int, line []byte) error {
		switch {
		case n == 1:
			return r.line(n, line)
		case !sealed(line) && !json.Valid(line):
			return fmt.Errorf("record: line %d: it is no JSON: %w", n, ErrFormat)
		case isPoint(line):
			last = append(last[:0], line...)
		case isSeeded(line):
			s.Seeds++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.Damage = d; d != nil && d.Line == 1 {
		return s, nil
	}
	s.Header = r.Header
	if last != nil {
		var p pointLine
		if err := json.Unmarshal(last, &p); err != nil {
			return nil, fmt.Errorf("record: the last point: %w: %w", err, ErrFormat)
		}
		s.End, s.Best = p.Iter, orInf(p.Best)
	}
	return s, nil
}

// isSeeded tells the line of a seed, as AppendSeeded begins it, from others.
func isSeeded(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(`{"series":`))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, "0123456789"), []byte(`,"seed":`))
}

// isPoint tells the line of a point, as AppendPoint begins it, from others.
func isPoint(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(`{"i":`))
	if !ok {
		return false
	}
	for len(rest) > 0 && rest[0] != ',' {
		rest = rest[1:]
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"best":`)); !ok {
		return false
	}
	i := bytes.IndexByte(rest, ',')
	return i > 0 && bytes.HasPrefix(rest[i:], []byte(`,"iter_best":`))
}
