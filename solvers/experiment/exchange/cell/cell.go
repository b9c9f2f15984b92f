// Package cell writes texts as cells of CSV files that a spreadsheet does not compute.
package cell

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

// Text is a text as a cell of a CSV file: one that a spreadsheet would take for a formula begins
// with an apostrophe, and control characters, which terminals act on, are written out as \x1b.
// Numbers stay as they are.
func Text(s string) string {
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

// Texts is Text for the fields of a line.
func Texts(fields []string) []string {
	out := make([]string, len(fields))
	for i, s := range fields {
		out[i] = Text(s)
	}
	return out
}

// Back is the text of a cell that Text wrote.
func Back(s string) string {
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
