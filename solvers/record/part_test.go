package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/solvers/record"
)

// appended is a file as an Appender leaves it.
func appended(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.run")
	s := sample()
	a, err := record.Create(path, s.Header)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		p := s.Points[0]
		p.Iter = int64(i + 1)
		a.Point(p, s.Header.Measures)
		c := s.Journal[0]
		c.Iter = p.Iter
		a.Change(c)
	}
	a.Best(s.Best)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestFlippedAnywhere changes each byte of a file in turn: what stands before the line is
// read, and the line is named. Only the name of the seal itself may be changed unnoticed, and
// the last newline, without which the last line is one that was being written.
func TestFlippedAnywhere(t *testing.T) {
	t.Parallel()
	b := appended(t)
	for i := range b {
		bad := bytes.Clone(b)
		bad[i] ^= 1
		line := 1 + bytes.Count(b[:i], []byte("\n"))
		begin := bytes.LastIndexByte(b[:i], '\n') + 1
		end := begin + bytes.IndexByte(b[begin:], '\n')
		r, d, err := record.DecodePart(bytes.NewReader(bad))
		if err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
		if d == nil {
			name := end - len(`,"crc32c":"01234567"}`)
			if i != len(b)-1 && (i < name || i >= name+len(`,"crc32c":"`)) && i != end-1 && i != end-2 {
				t.Fatalf("byte %d, of line %d: nothing is said to be damaged:\n%s", i, line, bad[begin:])
			}
			continue
		}
		if d.Line != line || d.Kept != int64(begin) || d.Lost != int64(len(b)-begin) {
			t.Fatalf("byte %d, of line %d from %d on: %+v", i, line, begin, d)
		}
		if line == 1 {
			if r != nil {
				t.Fatalf("byte %d: the header is damaged and is taken: %+v", i, r.Header)
			}
			continue
		}
		want, _, err := record.DecodePart(bytes.NewReader(b[:begin]))
		if err != nil || len(r.Points) != len(want.Points) || r.End != want.End ||
			len(r.Journal) != len(want.Journal) || r.Digest != want.Digest {
			t.Fatalf(
				"byte %d, of line %d: %d points, %d changes, want %d and %d (%v)", i, line, len(r.Points),
				len(r.Journal), len(want.Points), len(want.Journal), err,
			)
		}
		if _, err := record.Decode(bytes.NewReader(bad)); err == nil && i != len(b)-1 {
			t.Fatalf("byte %d: Decode takes a damaged file", i)
		}
		s, err := record.Summarize(bytes.NewReader(bad))
		if err != nil || s.Damage == nil || s.Damage.Line != line || s.End != want.End {
			t.Fatalf("byte %d, of line %d: damage %+v, summary %+v, %v", i, line, d, s, err)
		}
	}
}

// What a crash of the machine or a full disk leaves of a file.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	good := appended(t)
	lines := bytes.SplitAfter(good, []byte("\n"))
	upTo := func(n int) []byte { return bytes.Join(lines[:n], nil) }
	zeros := make([]byte, 300)
	for _, c := range []struct {
		name string
		file []byte
		line int   // that is damaged; 0: none
		end  int64 // what is read
		says string
	}{
		{"good", good, 0, 5, ""},
		{"empty", nil, 1, 0, "the file is empty"},
		{"half a header", good[:40], 1, 0, "line 1"},
		{"zeros alone", zeros, 1, 0, "line 1"},
		{"the header alone", lines[0], 0, 0, ""},
		{"being written", good[:len(good)-30], 0, 5, ""},
		{"zeros at the end", append(bytes.Clone(good), zeros...), 13, 5, "zero bytes"},
		{
			"zeros and a newline at the end", append(append(bytes.Clone(good), zeros...), '\n'), 13, 5,
			"line 13",
		},
		{
			"a page of zeros", append(append(upTo(5), zeros...), good[len(upTo(5))+300:]...), 6, 2,
			"checksum",
		},
		{"a line of another program", append(upTo(5), "{\"i\":3,\"best\":\n"...), 6, 2, "line 6"},
	} {
		r, d, err := record.DecodePart(bytes.NewReader(c.file))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		line, says := 0, ""
		if r == nil {
			r = &record.Record{}
		}
		if d != nil {
			line, says = d.Line, d.Err.Error()
		}
		if line != c.line || r.End != c.end || !strings.Contains(says, c.says) {
			t.Errorf(
				"%s: damaged at line %d (%s), read up to %d; want line %d (%s), %d", c.name, line, says, r.End,
				c.line, c.says, c.end,
			)
		}
		s, err := record.Summarize(bytes.NewReader(c.file))
		if err != nil || s.End != c.end || (s.Damage == nil) != (c.line == 0) {
			t.Errorf("%s: summary %+v, %v", c.name, s, err)
		}
	}
}
