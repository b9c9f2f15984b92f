package datasets

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strconv"
)

// MaxFile is the size in bytes beyond which readers refuse a file.
const MaxFile = 1 << 30

// readAll reads all of r, at most MaxFile bytes. It trusts a file's size only as
// a hint for the first allocation.
func readAll(r io.Reader, file string) ([]byte, error) {
	size := int64(16 << 10)
	switch r := r.(type) {
	case interface{ Len() int }: // bytes.Reader and its like
		size = int64(r.Len()) + 1 // one more, to see the end
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			size = min(max(info.Size(), 0), MaxFile) + 1
		}
	}
	buf := make([]byte, 0, size)
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if len(buf) > MaxFile {
			return nil, &SyntaxError{
				File: file, Want: fmt.Sprintf("at most %d bytes", MaxFile), Found: "more",
			}
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, fmt.Errorf("datasets: read %s: %w", file, err)
		}
	}
}

// scanner reads numbers and lines from a file held in memory. It does not count
// lines while it goes: the line of a position is found when an error needs it.
type scanner struct {
	file    string
	data    []byte
	pos     int
	end     int    // reading stops here: the end of the section
	section string // named in errors
	hasCR   bool   // whether data holds a carriage return
}

func newScanner(file string, data []byte) scanner {
	data = plainText(data)
	return scanner{file: file, data: data, end: len(data), hasCR: bytes.IndexByte(data, '\r') >= 0}
}

// errorf returns an error about what is at position at.
func (s *scanner) errorf(at int, want string, args ...any) *SyntaxError {
	return &SyntaxError{
		File: s.file, Line: lineAt(s.data, at), Section: s.section,
		Want: fmt.Sprintf(want, args...), Found: s.found(at),
	}
}

// lineAt returns the number, from 1, of the line that holds data[at]. A line
// ends in LF, CR LF or CR.
func lineAt(data []byte, at int) int {
	head := data[:min(at, len(data))]
	n := 1 + bytes.Count(head, []byte{'\n'})
	for i, c := range head {
		if c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			n++
		}
	}
	return n
}

// found describes what is at position at, for an error.
func (s *scanner) found(at int) string {
	switch {
	case at >= len(s.data):
		return "the end of the file"
	case at >= s.end && s.section != "":
		return "the end of the section"
	}
	end := at
	for end < len(s.data) && !isSpace(s.data[end]) && end-at < 64 {
		end++
	}
	return "“" + clip(string(s.data[at:end])) + "”"
}

// skip moves to the next token and reports whether there is one.
func (s *scanner) skip() bool {
	for s.pos < s.end && isSpace(s.data[s.pos]) {
		s.pos++
	}
	return s.pos < s.end
}

func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 || c == 0x1a }

// token returns the next run of characters without white space.
func (s *scanner) token() []byte {
	s.skip()
	start := s.pos
	for s.pos < s.end && !isSpace(s.data[s.pos]) {
		s.pos++
	}
	return s.data[start:s.pos]
}

// float reads a number: digits with or without sign, point and exponent (e, E,
// or d, D as FORTRAN writes it). what names it in the error.
func (s *scanner) float(what string) (float64, error) {
	if !s.skip() {
		return 0, s.errorf(s.pos, "%s", what)
	}
	start := s.pos
	p, end, data := start, s.end, s.data
	neg := data[p] == '-'
	if neg || data[p] == '+' {
		p++
	}
	var m uint64
	digits, scale := 0, 0
	for ; p < end && data[p]-'0' < 10; p++ {
		m = m*10 + uint64(data[p]-'0')
		digits++
	}
	if p < end && data[p] == '.' {
		for p++; p < end && data[p]-'0' < 10; p++ {
			m = m*10 + uint64(data[p]-'0')
			digits++
			scale--
		}
	}
	if digits == 0 {
		return 0, s.errorf(start, "%s", what)
	}
	if p < end && data[p]|0x20 <= 'e' && data[p]|0x20 >= 'd' {
		p++
		minus := p < end && data[p] == '-'
		if p < end && (minus || data[p] == '+') {
			p++
		}
		e, first := 0, p
		for ; p < end && data[p]-'0' < 10; p++ {
			e = min(e*10+int(data[p]-'0'), 100000)
		}
		if p == first {
			return 0, s.errorf(start, "%s", what)
		}
		if minus {
			e = -e
		}
		scale += e
	}
	if p < end && !isSpace(data[p]) {
		return 0, s.errorf(start, "%s", what)
	}
	s.pos = p
	if digits > 18 || m > 1<<53 || scale < -22 || scale > 22 {
		return s.slowFloat(start, what)
	}
	// Both m and the power of ten are exact, so one operation rounds correctly.
	f := float64(m)
	if scale < 0 {
		f /= pow10[-scale]
	} else {
		f *= pow10[scale]
	}
	if neg {
		f = -f
	}
	return f, nil
}

// slowFloat reads the number that is spelt by data[start:pos].
func (s *scanner) slowFloat(start int, what string) (float64, error) {
	text := bytes.Map(func(r rune) rune {
		if r == 'd' || r == 'D' {
			return 'e'
		}
		return r
	}, s.data[start:s.pos])
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, s.errorf(start, "%s in the range of float64", what)
	}
	return f, nil
}

var pow10 = [23]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// int reads an integer from lo to hi, which may be spelt like a float ("12.0").
func (s *scanner) int(lo, hi int64, what string) (int64, error) {
	if !s.skip() {
		return 0, s.errorf(s.pos, "%s", what)
	}
	start := s.pos
	p, end, data := start, s.end, s.data
	neg := data[p] == '-'
	if neg || data[p] == '+' {
		p++
	}
	var v int64
	first := p
	for ; p < end && data[p]-'0' < 10; p++ {
		v = v*10 + int64(data[p]-'0')
	}
	if p == first || p-first > 18 || (p < end && !isSpace(data[p])) {
		f, err := s.float(what)
		if err != nil {
			return 0, err
		}
		if f != float64(int64(f)) || f < -1<<53 || f > 1<<53 {
			return 0, s.errorf(start, "%s", what)
		}
		v, p = int64(f), s.pos
	} else if neg {
		v = -v
	}
	if lo == hi && v != lo {
		return 0, s.errorf(start, "%s", what)
	}
	if v < lo || v > hi {
		return 0, s.errorf(start, "%s from %d to %d", what, lo, hi)
	}
	s.pos = p
	return v, nil
}

// done is an error unless only white space is left before the end.
func (s *scanner) done(want string, args ...any) error {
	if s.skip() {
		return s.errorf(s.pos, want, args...)
	}
	return nil
}

// line returns the next line without its end, and where it starts.
func (s *scanner) line() (text []byte, start int) {
	start = s.pos
	rest := s.data[s.pos:s.end]
	var n int
	if s.hasCR { // CR ends a line too: alone, or (an empty line more, which harms nothing) before LF
		n = bytes.IndexAny(rest, "\r\n")
	} else {
		n = bytes.IndexByte(rest, '\n')
	}
	if n < 0 {
		n = len(rest)
	}
	s.pos += min(n+1, len(rest))
	return rest[:n], start
}
