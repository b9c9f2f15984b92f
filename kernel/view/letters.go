package view

import (
	"slices"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/kernel/view/cells"
)

// letters returns a letter for each curve, which identifies it without colours: the first letter of
// its name, or letters of the alphabet if two names begin with the same.
func letters(curves []*Curve) []rune {
	out := make([]rune, len(curves))
	for i, c := range curves {
		for _, r := range c.Name {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				out[i] = r
			}
			break
		}
		if out[i] == 0 || slices.Contains(out[:i], out[i]) {
			for i := range out {
				out[i] = rune('A' + i%26)
			}
			return out
		}
	}
	return out
}

// letterEvery is the number of columns from one letter of a curve to the next.
const letterEvery = 16

// letters writes the letter along the lines, each curve's in columns of its own.
func (k *Curve) letters(c draw.Canvas, lines [][]vg.Point) {
	t := targetOf(c)
	phase := int(k.Letter) * 5 % letterEvery
	wrote := false
	for _, l := range lines {
		for i := range l[:max(len(l)-1, 0)] {
			a, b := l[i], l[i+1]
			if b.X <= a.X {
				continue
			}
			for col := int(a.X / cells.Width); col <= int(b.X/cells.Width); col++ {
				x := (vg.Length(col) + 0.5) * cells.Width
				if col%letterEvery != phase || x < a.X || x > b.X {
					continue
				}
				y := a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X)
				wrote = t.letter(c, k.Letter, vg.Point{X: x, Y: y}) || wrote
			}
		}
	}
	if !wrote && len(lines) > 0 { // a short curve
		last := lines[len(lines)-1]
		t.letter(c, k.Letter, last[len(last)-1])
	}
}

// letter writes a letter into the cell at p, and reports whether that is inside of c.
func (t target) letter(c draw.Canvas, r rune, p vg.Point) bool {
	if !finite(float64(p.X)) || !finite(float64(p.Y)) {
		return false
	}
	// The last cell is inside also where the curve runs along the border.
	x := min(p.X, c.Max.X-1)
	cell := vg.Point{
		X: vg.Length(int(x/cells.Width)) * cells.Width,
		Y: vg.Length(int(p.Y/cells.Height)) * cells.Height,
	}
	if p.X < c.Min.X || p.X > c.Max.X+1 {
		return false
	}
	c.FillText(draw.TextStyle{Font: cells.Font(), Color: ink, Handler: plot.DefaultTextHandler},
		cell, string(r))
	return true
}
