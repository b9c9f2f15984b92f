package exchange

import (
	"fmt"
	"strconv"
	"strings"
)

// A spreadsheet takes a cell that begins with one of these for a formula, also where it comes from
// a CSV file, and computes it: see "CSV Injection" of OWASP. The last are the wide ones of East
// Asia.
const formula = "=+-@\t\r\n＝＋－＠"

// guard stands before such a cell, and makes it text.
const guard = "'"

// Cell is a text as a cell of a CSV file: one that a spreadsheet would take for a formula begins
// with an apostrophe, and control characters, which terminals act on, are written out as \x1b.
// Numbers stay as they are.
func Cell(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	if strings.ContainsFunc(s, isControl) {
		var b strings.Builder
		for _, r := range s {
			if isControl(r) {
				fmt.Fprintf(&b, `\x%02x`, r)
				continue
			}
			b.WriteRune(r)
		}
		s = b.String()
	}
	if beginsFormula(s) {
		return guard + s
	}
	return s
}

// Cells is Cell for the fields of a line.
func Cells(fields []string) []string {
	out := make([]string, len(fields))
	for i, s := range fields {
		out[i] = Cell(s)
	}
	return out
}

// uncell is the text of a cell that Cell wrote.
func uncell(s string) string {
	if rest, ok := strings.CutPrefix(s, guard); ok && beginsFormula(rest) {
		return rest
	}
	return s
}

func beginsFormula(s string) bool {
	for _, r := range s {
		return strings.ContainsRune(formula, r)
	}
	return false
}

// isControl tells characters that do something from those that are seen, but for tabs and the ends
// of lines, which CSV can hold.
func isControl(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0
}
