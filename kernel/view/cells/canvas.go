package cells

import (
	"image/color"
	"math"

	"github.com/charmbracelet/x/ansi"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// The size of a cell in points.
const (
	Width  = vg.Length(6)
	Height = vg.Length(12)
)

// Dot is the distance of two braille dots in points, across and down.
const Dot = vg.Length(3)

// faintest is the opacity, of 255, below which a stroke is not drawn.
const faintest = 0x40

// Font is the font whose characters are one cell wide.
func Font() font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Mono", Size: 10}
}

// A cell holds what is seen in one place. Text hides dots, and dots lie over fills.
type cell struct {
	text  rune // 0: none; continued: the right half of a wide character
	dots  byte // braille dots, as the low byte of U+2800…U+28FF
	image bool // halves came from an image: shades show them where colours cannot
	ink   ink  // of text and dots
	half  [2]ink
}

// continued marks the second cell of a character that is two cells wide.
const continued = -1

// state is what Push saves.
type state struct {
	a, b, c, d, e, f float64 // x' = a x + c y + e, y' = b x + d y + f
	width            vg.Length
	color            color.Color
	dashed           bool
}

// A Canvas is a grid of cells that implements vg.CanvasSizer. Make one with [New].
type Canvas struct {
	// Plain tells those who draw that no colours will be seen, so that they tell things
	// apart by other means.
	Plain bool

	// ASCII writes the characters of ASCII alone.
	ASCII bool

	cols, rows int
	cells      []cell
	now        state
	saved      []state
}

var _ vg.CanvasSizer = (*Canvas)(nil)

// New returns an empty canvas of cols by rows cells; what is below 1 counts as 1.
func New(cols, rows int) *Canvas {
	cols, rows = max(cols, 1), max(rows, 1)
	c := &Canvas{cols: cols, rows: rows, cells: make([]cell, cols*rows), now: state{a: 1, d: 1}}
	vg.Initialize(c)
	return c
}

// Cells returns the number of columns and rows.
func (c *Canvas) Cells() (cols, rows int) { return c.cols, c.rows }

// Size returns the size of the canvas in points.
func (c *Canvas) Size() (w, h vg.Length) {
	return vg.Length(c.cols) * Width, vg.Length(c.rows) * Height
}

// SetLineWidth sets the width of lines. All lines are one dot wide; those of no
// width are not drawn.
func (c *Canvas) SetLineWidth(w vg.Length) { c.now.width = w }

// SetLineDash makes lines dashed when the pattern is not empty. All dashes are
// three dots long.
func (c *Canvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.now.dashed = len(pattern) > 0 }

// SetColor sets the colour of lines, fills and text; nil is black.
func (c *Canvas) SetColor(k color.Color) {
	if k == nil {
		k = color.Black
	}
	c.now.color = k
}

// Rotate turns what is drawn next by rad, counterclockwise.
func (c *Canvas) Rotate(rad float64) {
	s, k := math.Sincos(rad)
	o := c.now
	c.now.a, c.now.b = o.a*k+o.c*s, o.b*k+o.d*s
	c.now.c, c.now.d = o.c*k-o.a*s, o.d*k-o.b*s
}

// Translate moves what is drawn next by p.
func (c *Canvas) Translate(p vg.Point) {
	x, y := float64(p.X), float64(p.Y)
	c.now.e += c.now.a*x + c.now.c*y
	c.now.f += c.now.b*x + c.now.d*y
}

// Scale scales what is drawn next.
func (c *Canvas) Scale(x, y float64) {
	c.now.a *= x
	c.now.b *= x
	c.now.c *= y
	c.now.d *= y
}

// Push saves colour, line style and transformation.
func (c *Canvas) Push() { c.saved = append(c.saved, c.now) }

// Pop restores what the last Push saved. It panics without one.
func (c *Canvas) Pop() {
	last := len(c.saved) - 1
	c.now, c.saved = c.saved[last], c.saved[:last]
}

// a dot's place: x in half cells from the left, y in quarter cells from the top.
type place struct{ x, y float64 }

// place transforms a point to dots.
func (c *Canvas) place(p vg.Point) place {
	x, y := float64(p.X), float64(p.Y)
	return place{
		x: (c.now.a*x + c.now.c*y + c.now.e) / float64(Dot),
		y: float64(4*c.rows) - (c.now.b*x+c.now.d*y+c.now.f)/float64(Dot),
	}
}

// at returns the cell at column x of row y, or nil outside.
func (c *Canvas) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= c.cols || y >= c.rows {
		return nil
	}
	return &c.cells[y*c.cols+x]
}

// FillString writes text at the baseline point p: along the row where the text
// is level, and down a column, letter under letter, where it is turned.
func (c *Canvas) FillString(f font.Face, p vg.Point, text string) {
	if f.Font.Size == 0 {
		return
	}
	k, ok := inkOf(c.now.color)
	if !ok {
		return
	}
	at := c.place(p)
	if math.IsNaN(at.x) || math.IsNaN(at.y) {
		return
	}
	runes := clean(text)
	if math.Abs(c.now.b) > math.Abs(c.now.a) {
		length := float64(f.Width(text)) / float64(Dot)
		row := int(math.Round((at.y - length/2 - 2*float64(len(runes))) / 4))
		for i, r := range runes {
			if q := c.at(int(math.Floor(at.x/2))-1, row+i); q != nil {
				q.text, q.ink = r, k
			}
		}
		return
	}
	// A font of another width than a cell's was placed by that width: centre on it.
	slack := float64(f.Width(text))/float64(Width) - float64(len(runes))
	col := int(math.Round(at.x/2 + slack/2))
	row := int(math.Floor((at.y - 1) / 4)) // a dot above the baseline is inside the letters
	c.write(col, row, runes, k)
}

// Text writes s from column col of row row, which count from 0 at the top left.
// Control characters are replaced by question marks.
func (c *Canvas) Text(col, row int, s string, k color.Color) {
	if i, ok := inkOf(k); ok {
		c.write(col, row, clean(s), i)
	}
}

// write puts runes, of which continued ones are second halves, into a row.
func (c *Canvas) write(col, row int, runes []rune, k ink) {
	for i, r := range runes {
		if q := c.at(col+i, row); q != nil {
			q.text, q.ink = r, k
		}
	}
}

// clean returns the characters of s one a cell. No control character gets
// through to the terminal, whatever a run or a file is called.
func clean(s string) []rune {
	runes := make([]rune, 0, len(s))
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a &&
			r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			r = '?'
		}
		switch ansi.StringWidth(string(r)) {
		case 0:
		case 2:
			runes = append(runes, r, continued)
		default:
			runes = append(runes, r)
		}
	}
	return runes
}
