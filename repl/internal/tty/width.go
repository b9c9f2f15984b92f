package tty

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

const (
	newlineSign = '↵' // stands for a newline within the input
	clusterSign = '·' // stands for a character that would join its neighbour

	maxStretch = 64 // runes looked at together for whether they join; keeps view linear
)

// view returns the form of text on the screen with a cursor at pos, and the place of the cursor in
// it, in runes.
//
// go-prompt places the cursor by adding up the widths of single runes, but measures a line by
// grapheme clusters. If the two differ (joined emoji, flags, skin tones, some scripts), the cursor
// is not where the text is. So view separates characters that would join, which makes both sums
// equal. The text itself does not change.
func view(text []rune, pos int) (string, int) {
	out := make([]rune, 0, len(text))
	at, start := 0, 0 // start: of the stretch in which runes may still join
	for i, r := range text {
		if i == pos {
			at = len(out)
		}
		switch {
		case r == '\n':
			r = newlineSign
		case simple(r):
		case r == '\u200d' || r == '\ufe0e' || r == '\ufe0f' || !unicode.IsPrint(r) &&
			!unicode.Is(unicode.M, r):
			continue // joiners, selectors and other formats have no shape of their own
		}
		out = append(out, r)
		last := len(out) - 1
		if simple(r) && (last == 0 || simple(out[last-1])) || last-start > maxStretch {
			start = last
			continue
		}
		// Mostly it is the last one that joins, but a few signs join what follows.
		for j := last; j >= start &&
			runewidth.StringWidth(string(out[start:])) != runeWidths(out[start:]); j-- {
			if !simple(out[j]) {
				out[j] = clusterSign
			}
		}
	}
	if pos >= len(text) {
		at = len(out)
	}
	return string(out), at
}

// simple tells whether a rune never changes the width of what is before it.
func simple(r rune) bool {
	return r >= 0x20 && r < 0x7f || r >= 0xa1 && r < 0x300 && r != 0xad && r != 0xa9 && r != 0xae ||
		r >= 0x3400 && r < 0xa000 || r >= 0x3041 && r < 0x3097
}

func runeWidths(rs []rune) int {
	n := 0
	for _, r := range rs {
		n += runewidth.RuneWidth(r)
	}
	return n
}

// fit makes a text that starts at column col of a screen of cols columns take
// exactly the cells that its widths add up to. A character of two cells that
// would straddle the margin leaves an empty cell behind in a terminal, which
// go-prompt does not count; it is shown as two signs of one cell instead.
func fit(text string, col, cols int) string {
	var b strings.Builder
	for _, r := range text {
		w := runewidth.RuneWidth(r)
		if w == 2 && col%cols == cols-1 {
			b.WriteString("›‹")
		} else {
			b.WriteRune(r)
		}
		col += w
	}
	return b.String()
}

// oneLine makes s fit for a single row of at most width cells: control
// characters vanish, and what is too long ends in an ellipsis.
func oneLine(s string, width int) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	if width <= 0 {
		return ""
	}
	return runewidth.Truncate(clean(s), width, "…")
}
