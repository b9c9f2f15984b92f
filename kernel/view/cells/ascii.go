package cells

import (
	dots "math/bits"
	"strings"
)

// glyphs are characters of ASCII as they look in two by four dots, the likeliest first.
var glyphs = [...]struct {
	r    rune
	look byte
}{
	{'.', 0x40},
	{'.', 0x80},
	{'.', 0xc0},
	{'_', 0xc0},
	{'-', 0x12},
	{'-', 0x24},
	{'-', 0x36},
	{'\'', 0x01},
	{'\'', 0x08},
	{'"', 0x09},
	{'|', 0x47},
	{'|', 0xb8},
	{'|', 0xff},
	{'/', 0xac},
	{'/', 0x6a},
	{'/', 0x78},
	{'/', 0x4e},
	{'/', 0x5c},
	{'\\', 0x95},
	{'\\', 0x93},
	{'\\', 0xb1},
	{'\\', 0x87},
	{'\\', 0xa3},
	{':', 0x41},
	{':', 0x88},
	{'+', 0x5a},
	{'#', 0xff},
	{'^', 0x0b},
	{'^', 0x19},
	{'~', 0x32},
	{'~', 0x34},
	{'|', 0x07},
	{'|', 0x38},
	{'|', 0x46},
	{'|', 0xb0},
	{'|', 0x06},
	{'|', 0x30},
	{'|', 0x03},
	{'|', 0x18},
	{'|', 0x44},
	{'|', 0xa0},
}

// drawing are the characters of ASCII for braille dots, by their low byte.
var drawing = func() (out [256]rune) {
	out[0] = ' '
	for i := 1; i < 256; i++ {
		if dots.OnesCount8(uint8(i)) >= 7 {
			out[i] = '#'
			continue
		}
		least := 9
		for _, g := range glyphs {
			if far := dots.OnesCount8(uint8(i) ^ g.look); far < least {
				out[i], least = g.r, far
			}
		}
	}
	return out
}()

// tones stand for images and fills, darkest first.
const tones = " .:-=+*#%@"

// letters are those of ASCII for others that figures have.
var letters = map[rune]rune{
	'→': '>', '≤': '<', '≥': '>', '…': '.', '·': '.', '–': '-', '—': '-', '─': '-', 'λ': 'l',
	'×': 'x', '’': '\'',
	'ä': 'a', 'ö': 'o', 'ü': 'u', 'é': 'e', 'è': 'e', 'á': 'a', 'à': 'a', 'ç': 'c', 'ñ': 'n',
}

// ASCII is s in the characters of ASCII alone.
func ASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			return r
		}
		if l, ok := letters[r]; ok {
			return l
		}
		return '?'
	}, s)
}

// ascii returns what a terminal of depth d that has no characters but those of ASCII shows in
// a cell.
func (q *cell) ascii(d Depth) (r rune, fg, bg ink) {
	upper, lower := q.half[0], q.half[1]
	switch {
	case q.text == continued:
		return '?', q.ink, ink{}
	case q.text > 0 && q.text < 0x7f:
		return q.text, q.ink, ink{}
	case q.text != 0:
		if r, ok := letters[q.text]; ok {
			return r, q.ink, ink{}
		}
		return '?', q.ink, ink{}
	case q.dots != 0:
		if d != None && upper == lower {
			bg = upper
		}
		return drawing[q.dots], q.ink, bg
	case q.image && d == None:
		tone := min((luma(upper)+luma(lower))*len(tones)/512, len(tones)-1)
		return rune(tones[tone]), ink{}, ink{}
	case upper.kind == none && lower.kind == none:
		return ' ', ink{}, ink{}
	case d == None && upper.kind != none && lower.kind != none:
		return '#', ink{}, ink{}
	case d == None && upper.kind != none:
		return '"', ink{}, ink{}
	case d == None:
		return '.', ink{}, ink{}
	case lower.kind == none && upper.kind == colored:
		return '"', upper, ink{}
	case upper.kind == none && lower.kind == colored:
		return '.', lower, ink{}
	}
	return ' ', ink{}, mixed(upper, lower)
}

// mixed is the ink between two.
func mixed(a, b ink) ink {
	if a.kind != colored || b.kind != colored {
		return a
	}
	mean := func(x, y uint8) uint8 { return uint8((int(x) + int(y)) / 2) }
	return ink{kind: colored, r: mean(a.r, b.r), g: mean(a.g, b.g), b: mean(a.b, b.b)}
}
