package record

import (
	"fmt"
	"math"
)

// MaxPlaces is the largest total number of places in the shapes of a Drawing.
const MaxPlaces = 200_000

// A Drawing is a picture of a solution, in the units of its axes. The method Plot of a user's
// problem returns one. Later shapes lie above earlier ones. The methods add shapes, and copy
// slices. A colour is a number from 0: 0 is the colour of the axes, and all others differ from each
// other.
type Drawing struct {
	Title string `json:"title,omitempty"` // empty: that of the run's figures
	X     string `json:"x,omitempty"`     // label of the horizontal axis
	Y     string `json:"y,omitempty"`     // label of the vertical axis
	Map   bool   `json:"map,omitempty"`   // both axes have the same scale and are hidden

	Shapes []Shape `json:"shapes"`
}

// The kinds of a Shape.
const (
	ShapeBar  = "bar"  // two opposite corners
	ShapeLine = "line" // through all its places, at least 2
	ShapeDots = "dots" // a dot at each place
	ShapeText = "text" // centred at a place
)

// A Shape is a part of a Drawing.
type Shape struct {
	Kind   string    `json:"kind"`
	X      []float64 `json:"x"`
	Y      []float64 `json:"y"` // as many as of X
	Colour int       `json:"colour,omitempty"`
	Text   string    `json:"text,omitempty"` // at most 100 bytes
}

// Bar adds a filled rectangle between two opposite corners.
func (d *Drawing) Bar(x0, y0, x1, y1 float64, colour int) {
	d.add(ShapeBar, []float64{x0, x1}, []float64{y0, y1}, colour, "")
}

// Line adds a line through places, at least 2, with equally many x and y.
func (d *Drawing) Line(x, y []float64, colour int) {
	d.add(ShapeLine, append([]float64(nil), x...), append([]float64(nil), y...), colour, "")
}

// Dots adds a dot at each place, with equally many x and y.
func (d *Drawing) Dots(x, y []float64, colour int) {
	d.add(ShapeDots, append([]float64(nil), x...), append([]float64(nil), y...), colour, "")
}

// Text adds a word centred at a place.
func (d *Drawing) Text(x, y float64, text string) {
	d.add(ShapeText, []float64{x}, []float64{y}, 0, text)
}

func (d *Drawing) add(kind string, x, y []float64, colour int, text string) {
	d.Shapes = append(d.Shapes, Shape{Kind: kind, X: x, Y: y, Colour: colour, Text: text})
}

// Check returns an error that names the first shape that cannot be drawn, and why.
func (d *Drawing) Check() error {
	const word = 100
	places := 0
	for _, s := range []string{d.Title, d.X, d.Y} {
		if len(s) > word {
			return fmt.Errorf("a text of %d bytes, want at most %d", len(s), word)
		}
	}
	for i, s := range d.Shapes {
		least, most := 1, MaxPlaces
		switch s.Kind {
		case ShapeBar:
			least, most = 2, 2
		case ShapeLine:
			least = 2
		case ShapeDots:
		case ShapeText:
			most = 1
		default:
			return fmt.Errorf("shape %d is a %q, want bar, line, dots or text", i, s.Kind)
		}
		if len(s.X) != len(s.Y) {
			return fmt.Errorf("shape %d, %s: %d places across and %d up, want as many", i, s.Kind, len(s.X),
				len(s.Y))
		}
		if len(s.X) < least || len(s.X) > most {
			return fmt.Errorf("shape %d, %s: %d places, want %d to %d", i, s.Kind, len(s.X), least, most)
		}
		if places += len(s.X); places > MaxPlaces {
			return fmt.Errorf("more than %d places", MaxPlaces)
		}
		for k := range s.X {
			if x, y := s.X[k], s.Y[k]; !(math.Abs(x) <= 1e300 && math.Abs(y) <= 1e300) {
				return fmt.Errorf("shape %d, %s: place %d is at (%v, %v), want numbers", i, s.Kind, k, x, y)
			}
		}
		if s.Colour < 0 {
			return fmt.Errorf("shape %d, %s: colour %d, want 0 or more", i, s.Kind, s.Colour)
		}
		if len(s.Text) > word {
			return fmt.Errorf("shape %d, %s: a text of %d bytes, want at most %d", i, s.Kind, len(s.Text),
				word)
		}
	}
	return nil
}
