package view

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"metalab/kernel/view/cells"
)

// Graphics is a way to show or to store a picture.
type Graphics string

// The ways of graphics. Those after None make files.
const (
	Kitty Graphics = "kitty" // the graphics protocol of the terminal kitty
	ITerm Graphics = "iterm" // inline images of iTerm2
	Sixel Graphics = "sixel" // DEC's sixels
	Cells Graphics = "cells" // braille dots and half blocks
	None  Graphics = "none"  // no picture: its words only, as for a pipe
	SVG   Graphics = "svg"
	PNG   Graphics = "png"
	PDF   Graphics = "pdf"
)

// Size is the size of a picture in points, 1/72 inch. Zero stands for the
// default, 468 by 288 points (6.5 by 4 inches); [MapSize] suits maps better.
type Size struct {
	W vg.Length `json:"w,omitempty"`
	H vg.Length `json:"h,omitempty"`
}

// Default sizes in points.
const (
	defaultW = 6.5 * vg.Inch
	defaultH = 4 * vg.Inch
	largest  = 100 * vg.Inch
)

// or returns s with the defaults in the place of zeros.
func (s Size) or() (w, h vg.Length, err error) {
	w, h = s.W, s.H
	if w == 0 {
		w = defaultW
	}
	if h == 0 {
		h = defaultH
	}
	if !(w >= 8 && w <= largest && h >= 8 && h <= largest) {
		return 0, 0, fmt.Errorf("view: a picture of %v by %v points, want 8 to %v each way", float64(w),
			float64(h), float64(largest))
	}
	return w, h, nil
}

// A Sink says what a picture is made of. It is plain data, so that a client may
// send its own to the host that draws.
type Sink struct {
	Graphics Graphics `json:"graphics"`

	// Of a terminal: the cells that the picture takes, at least 1 (0: 80 by 24),
	// the size of a cell in pixels (0: 10 by 20), and the colours it shows.
	Cols  int         `json:"cols,omitempty"`
	Rows  int         `json:"rows,omitempty"`
	CellW int         `json:"cell_w,omitempty"`
	CellH int         `json:"cell_h,omitempty"`
	Depth cells.Depth `json:"depth,omitempty"`

	// Grow lets a sheet of several rows of plots take more rows than Rows.
	Grow bool `json:"grow,omitempty"`

	// ASCII draws cells with the characters of ASCII alone.
	ASCII bool `json:"ascii,omitempty"`

	// Tmux wraps pictures of pixels so that tmux passes them on, which needs its
	// option allow-passthrough.
	Tmux bool `json:"tmux,omitempty"`

	// Background is the colour behind the picture as "#rrggbb", white when empty.
	// On a dark one the ink is light. Cells always have the terminal's own.
	Background string `json:"background,omitempty"`

	Size Size `json:"size,omitzero"` // of SVG, PNG and PDF
	DPI  int  `json:"dpi,omitempty"` // of PNG; 0: 144

	// Colors is how many colours a PNG has at most, up to 256; 0: all. It is a fraction as
	// large with few.
	Colors int `json:"colors,omitempty"`
}

// Render draws p for the sink s and writes the result to w. Pictures for a
// terminal end with a line feed.
//
// Drawing changes no data of p, but a plot must not be drawn by two goroutines at
// once.
func Render(w io.Writer, p *plot.Plot, s Sink) error {
	return (&Sheet{Plots: []*plot.Plot{p}}).render(w, s)
}

func (f *Sheet) render(w io.Writer, to Sink) (err error) {
	defer func() {
		// gonum/plot panics where a plotter meets what it cannot draw; plots come
		// from users too, and a host must outlive them.
		if r := recover(); r != nil {
			err = fmt.Errorf("view: drawing failed: %v", r)
		}
	}()
	switch to.Graphics {
	case Kitty, ITerm, Sixel:
		return f.renderPixels(w, to)
	case Cells:
		return f.renderCells(w, to)
	case None:
		text := f.words()
		if to.ASCII {
			text = cells.ASCII(text)
		}
		_, err := io.WriteString(w, text)
		return err
	case SVG:
		return f.renderSVG(w, to)
	case PNG:
		return f.renderPNG(w, to)
	case PDF:
		return f.renderPDF(w, to)
	}
	return fmt.Errorf("view: unknown graphics %q, want kitty, iterm, sixel, cells, none, "+
		"svg, png or pdf", to.Graphics)
}
