package view

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A wordCanvas is a canvas for where no picture can be: plotters say what they would draw, and
// strokes go nowhere.
type wordCanvas struct {
	lines                    []string
	left, right, bottom, top float64 // what the data span
}

func newWordCanvas() *wordCanvas {
	return &wordCanvas{left: math.Inf(1), right: math.Inf(-1), bottom: math.Inf(1), top: math.Inf(-1)}
}

// span takes in the range of data, which is that of a DataRange.
func (s *wordCanvas) span(xmin, xmax, ymin, ymax float64) {
	s.left, s.right = min(s.left, xmin), max(s.right, xmax)
	s.bottom, s.top = min(s.bottom, ymin), max(s.top, ymax)
}

// say takes in a line.
func (s *wordCanvas) say(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// words says in a few lines what the sheet shows.
func (f *Sheet) words() string {
	var b strings.Builder
	clean := func(s string) string { return strings.Map(printable, strings.ReplaceAll(s, "\n", " ")) }
	if f.Title != "" && len(f.Plots) > 1 {
		b.WriteString(clean(f.Title) + "\n")
	}
	for i, p := range f.Plots {
		if i > 0 {
			b.WriteByte('\n')
		}
		if p.Title.Text != "" {
			b.WriteString(clean(p.Title.Text) + "\n")
		}
		s := newWordCanvas()
		q := *p
		q.BackgroundColor = nil
		q.Draw(draw.New(s))
		for _, a := range [...]struct {
			axis             plot.Axis
			lo, hi, lo2, hi2 float64
		}{{p.X, s.left, s.right, p.X.Min, p.X.Max}, {p.Y, s.bottom, s.top, p.Y.Min, p.Y.Max}} {
			lo, hi := a.lo, a.hi
			if !(lo <= hi) {
				lo, hi = a.lo2, a.hi2
			}
			if a.axis.Label.Text != "" && finite(lo) && finite(hi) {
				fmt.Fprintf(&b, "%s: %s to %s\n", clean(a.axis.Label.Text), Number(lo), Number(hi))
			}
		}
		for _, l := range s.lines {
			b.WriteString(clean(l) + "\n")
		}
	}
	return b.String()
}

// Number formats v for people: integers as integers, others with six digits, or large ones, such as
// mean lengths, with one behind the point.
func Number(v float64) string {
	a := math.Abs(v)
	if v == math.Trunc(v) && a < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	if a >= 1e5 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// speak says the first and the last value of the curve, and between what it was.
func (k *Curve) speak(s *wordCanvas) {
	s.span(k.DataRange())
	first, last, lo, hi, n := 0.0, 0.0, math.Inf(1), math.Inf(-1), 0
	for i, y := range k.Y {
		if !finite(y) || !finite(k.X[i]) {
			continue
		}
		if n == 0 {
			first = y
		}
		last, lo, hi = y, min(lo, y), max(hi, y)
		n++
	}
	if n == 0 || k.Name == "" {
		return
	}
	line := fmt.Sprintf("%s: first %s, last %s", k.Name, Number(first), Number(last))
	if lo < min(first, last) {
		line += ", least " + Number(lo)
	}
	if hi > max(first, last) {
		line += ", most " + Number(hi)
	}
	if at := len(k.Low) - 1; at >= 0 {
		line += fmt.Sprintf(", quartiles there %s and %s", Number(k.Low[at]), Number(k.High[at]))
	}
	s.say("%s", line)
}

// speak says which changes there were.
func (m *Marks) speak(s *wordCanvas) {
	const most = 8
	for i, k := range m.Marks {
		if i == most {
			s.say("and %d more marks", len(m.Marks)-i)
			break
		}
		if k.Label != "" {
			s.say("at %s: %s", Number(k.X), k.Label)
		}
	}
}

// Size is some size: nothing is seen.
func (s *wordCanvas) Size() (w, h vg.Length) { return defaultW, defaultH }

// SetLineWidth does nothing.
func (s *wordCanvas) SetLineWidth(vg.Length) {}

// SetLineDash does nothing.
func (s *wordCanvas) SetLineDash([]vg.Length, vg.Length) {}

// SetColor does nothing.
func (s *wordCanvas) SetColor(color.Color) {}

// Rotate does nothing.
func (s *wordCanvas) Rotate(float64) {}

// Translate does nothing.
func (s *wordCanvas) Translate(vg.Point) {}

// Scale does nothing.
func (s *wordCanvas) Scale(float64, float64) {}

// Push does nothing.
func (s *wordCanvas) Push() {}

// Pop does nothing.
func (s *wordCanvas) Pop() {}

// Stroke does nothing.
func (s *wordCanvas) Stroke(vg.Path) {}

// Fill does nothing.
func (s *wordCanvas) Fill(vg.Path) {}

// FillString does nothing: titles and labels are said by words.
func (s *wordCanvas) FillString(font.Face, vg.Point, string) {}

// DrawImage does nothing.
func (s *wordCanvas) DrawImage(vg.Rectangle, image.Image) {}
