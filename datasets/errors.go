package datasets

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A SyntaxError is the place at which a file violates its format.
type SyntaxError struct {
	File    string // name of the file or instance as given to the reader
	Line    int    // from 1; 0 when it concerns the file as a whole
	Section string // section or keyword in which the reader was; empty outside of any
	Want    string // what was expected
	Found   string // what was there instead, shortened; empty when nothing was
	// the format that the reader assumed, if the file's name does not say it; else empty
	Taken string
}

// Error returns one line: file, line, section, what was expected, what was found.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	b.WriteString("datasets: ")
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Section != "" {
		b.WriteString(": ")
		b.WriteString(e.Section)
	}
	b.WriteString(": expected ")
	b.WriteString(e.Want)
	if e.Found != "" {
		b.WriteString(", found ")
		b.WriteString(e.Found)
	}
	if e.Taken != "" {
		b.WriteString("; ")
		b.WriteString(e.Taken)
	}
	return b.String()
}

// clip shortens s for a message and makes control characters visible.
func clip(s string) string {
	const most = 40
	if len(s) > most {
		cut := most
		for cut > most-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}
