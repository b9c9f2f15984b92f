package reply

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"
)

// A Sketch is a hand-drawn picture: lines, dots and words on a white ground, in pixels from its
// upper left corner. Its methods return it, so that calls can be chained. Colours are those of SVG,
// such as "steelblue" or "#888".
type Sketch struct {
	Width, Height int
	Alt           string // description of the picture, for those who cannot see it
	body          strings.Builder
}

// Line draws a line of some width.
func (s *Sketch) Line(x1, y1, x2, y2 float64, colour string, width float64) *Sketch {
	fmt.Fprintf(&s.body, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" `+
		`stroke-width="%.3g" stroke-linecap="round"/>`, x1, y1, x2, y2, Escape(colour), width)
	return s
}

// Dashed draws a dashed line.
func (s *Sketch) Dashed(x1, y1, x2, y2 float64, colour string, width float64) *Sketch {
	fmt.Fprintf(&s.body, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" `+
		`stroke-width="%.3g" stroke-dasharray="4 3"/>`, x1, y1, x2, y2, Escape(colour), width)
	return s
}

// Arrow draws a line with a head at its end.
func (s *Sketch) Arrow(x1, y1, x2, y2 float64, colour string, width float64) *Sketch {
	s.Line(x1, y1, x2, y2, colour, width)
	a, size := math.Atan2(y2-y1, x2-x1), 3+2.5*width
	for _, turn := range [2]float64{2.65, -2.65} {
		s.Line(x2, y2, x2+size*math.Cos(a+turn), y2+size*math.Sin(a+turn), colour, width)
	}
	return s
}

// Dot draws a disc of radius r.
func (s *Sketch) Dot(x, y, r float64, colour string) *Sketch {
	fmt.Fprintf(&s.body, `<circle cx="%.1f" cy="%.1f" r="%.3g" fill="%s"/>`, x, y, r, Escape(colour))
	return s
}

// Ring draws a circle of radius r.
func (s *Sketch) Ring(x, y, r float64, colour string, width float64) *Sketch {
	fmt.Fprintf(&s.body, `<circle cx="%.1f" cy="%.1f" r="%.3g" fill="none" stroke="%s" `+
		`stroke-width="%.3g"/>`, x, y, r, Escape(colour), width)
	return s
}

// Box draws a filled rectangle from its upper left corner.
func (s *Sketch) Box(x, y, width, height float64, colour string) *Sketch {
	fmt.Fprintf(&s.body, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`,
		x, y, math.Max(width, 0), math.Max(height, 0), Escape(colour))
	return s
}

// Frame draws the outline of a rectangle.
func (s *Sketch) Frame(x, y, width, height float64, colour string, line float64) *Sketch {
	fmt.Fprintf(&s.body, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" `+
		`stroke="%s" stroke-width="%.3g"/>`, x, y, math.Max(width, 0), math.Max(height, 0),
		Escape(colour), line)
	return s
}

// Text writes words of a size with their baseline at y. They begin at x, or have their middle or
// end there if anchor is "middle" or "end".
func (s *Sketch) Text(x, y, size float64, anchor, colour, text string) *Sketch {
	if anchor == "" {
		anchor = "start"
	}
	fmt.Fprintf(&s.body, `<text x="%.1f" y="%.1f" font-size="%.3g" text-anchor="%s" fill="%s">`+
		"%s</text>", x, y, size, Escape(anchor), Escape(colour), Escape(text))
	return s
}

// SVG returns the picture as an SVG file.
func (s *Sketch) SVG() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="%s" `+
		`width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="Liberation Sans,Arial,Helvetica,sans-serif">`+
		`<rect width="%d" height="%d" fill="white"/>%s</svg>`, Escape(s.Alt), s.Width, s.Height,
		s.Width, s.Height, s.Width, s.Height, s.body.String())
}

// String returns the description of the picture.
func (s *Sketch) String() string { return "picture: " + Printable(s.Alt) }

// HTML returns the picture with its description.
func (s *Sketch) HTML() string {
	return fmt.Sprintf(`<img alt="%s" style="max-width:100%%" width="%d" `+
		`src="data:image/svg+xml;base64,%s"/>`, Escape(s.Alt), s.Width,
		base64.StdEncoding.EncodeToString([]byte(s.SVG())))
}
