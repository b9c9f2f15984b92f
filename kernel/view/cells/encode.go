package cells

import (
	"bytes"
	"image/color"
	"io"
	"strconv"
)

// Depth says how many colours a terminal shows.
type Depth int

// The depths of colour, untyped: a sink has them as a number.
const (
	None = 0   // no colours at all: shades of blocks stand for them
	C256 = 256 // the 6 x 6 x 6 cube and 24 greys of xterm
	True = 24  // 24 bits
)

// An ink is a colour as a terminal takes it.
type ink struct {
	kind    byte
	r, g, b uint8
}

// The kinds of ink.
const (
	none    = iota // nothing
	own            // the terminal's own ink
	colored        // r, g, b
)

// inkOf returns the ink for a colour: dark greys are the terminal's own ink,
// faint ones a middle grey. ok is false where nothing would be seen.
func inkOf(k color.Color) (i ink, ok bool) {
	c := color.NRGBAModel.Convert(k).(color.NRGBA)
	if c.A < faintest {
		return ink{}, false
	}
	lo, hi := min(c.R, c.G, c.B), max(c.R, c.G, c.B)
	if hi < 0x60 && hi-lo < 0x10 {
		if c.A < 0xb0 {
			return ink{kind: colored, r: 0x80, g: 0x80, b: 0x80}, true
		}
		return ink{kind: own}, true
	}
	return ink{kind: colored, r: c.R, g: c.G, b: c.B}, true
}

// shades stand for images where there are no colours, darkest first.
var shades = [5]rune{' ', '░', '▒', '▓', '█'}

// show returns what a terminal of depth d shows in a cell.
func (q *cell) show(d Depth, ascii bool) (r rune, fg, bg ink) {
	if ascii {
		return q.ascii(d)
	}
	upper, lower := q.half[0], q.half[1]
	switch {
	case q.text != 0:
		return q.text, q.ink, ink{}
	case q.dots != 0:
		if d != None && upper == lower {
			bg = upper
		}
		return rune(0x2800) + rune(q.dots), q.ink, bg
	case q.image && d == None:
		return shades[min(4, (luma(upper)+luma(lower))*5/512)], ink{}, ink{}
	case upper.kind != none && upper == lower:
		return '█', upper, ink{}
	case upper.kind != none && lower.kind != none && d == None:
		return '█', upper, ink{}
	case upper.kind != none:
		return '▀', upper, lower
	case lower.kind != none:
		return '▄', lower, ink{}
	}
	return ' ', ink{}, ink{}
}

// luma is the brightness of an ink, 0 to 255.
func luma(k ink) int { return (int(k.r)*3 + int(k.g)*6 + int(k.b)) / 10 }

// Encode writes the canvas as rows lines, each ended by "\n", with colours of
// depth d and no blanks at the ends. Each line sets its own colours and ends in
// the terminal's.
func (c *Canvas) Encode(w io.Writer, d Depth) error {
	var buf bytes.Buffer
	for y := range c.rows {
		row := c.cells[y*c.cols : (y+1)*c.cols]
		end := len(row)
		for ; end > 0; end-- {
			if r, _, bg := row[end-1].show(d, c.ASCII); r != ' ' || bg.kind != none {
				break
			}
		}
		var fg, bg ink
		for i := range row[:end] {
			r, f, b := row[i].show(d, c.ASCII)
			if r == continued {
				continue
			}
			if d != None {
				if r != ' ' && same(f) != same(fg) {
					buf.WriteString(sgr(38, f, d))
					fg = f
				}
				if b != bg {
					buf.WriteString(sgr(48, b, d))
					bg = b
				}
			}
			buf.WriteRune(r)
		}
		if fg.kind == colored || bg.kind != none {
			buf.WriteString("\x1b[0m")
		}
		buf.WriteByte('\n')
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// same makes equal the two inks that both mean the terminal's own.
func same(k ink) ink {
	if k.kind == own {
		return ink{}
	}
	return k
}

// sgr selects an ink for letters (38) or grounds (48).
func sgr(which int, k ink, d Depth) string {
	if k.kind != colored {
		return "\x1b[" + strconv.Itoa(which+1) + "m" // 39 and 49 are the terminal's own
	}
	s := "\x1b[" + strconv.Itoa(which)
	if d == C256 {
		return s + ";5;" + strconv.Itoa(xterm(k)) + "m"
	}
	return s + ";2;" + strconv.Itoa(int(k.r)) + ";" + strconv.Itoa(int(k.g)) + ";" +
		strconv.Itoa(int(k.b)) + "m"
}

// xterm returns the nearest of xterm's colours 16 to 255.
func xterm(k ink) int {
	cube := func(v uint8) (index, value int) { // levels 0, 95, 135, 175, 215, 255
		if v < 48 {
			return 0, 0
		}
		if v < 115 {
			return 1, 95
		}
		i := (int(v) - 35) / 40
		return i, 55 + 40*i
	}
	r, rv := cube(k.r)
	g, gv := cube(k.g)
	b, bv := cube(k.b)
	grey := min(max((int(k.r)+int(k.g)+int(k.b))/3-3, 0)/10, 23) // levels 8, 18, … 238
	level := 8 + 10*grey
	far := func(r, g, b int) int {
		dr, dg, db := r-int(k.r), g-int(k.g), b-int(k.b)
		return dr*dr + dg*dg + db*db
	}
	if far(level, level, level) < far(rv, gv, bv) {
		return 232 + grey
	}
	return 16 + 36*r + 6*g + b
}
