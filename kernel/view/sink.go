package view

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"metalab/kernel/view/cells"
	"metalab/kernel/wire"
)

// Graphics is a way to show or to store a picture.
type Graphics = wire.Graphics

// The ways of graphics. Those after None make files.
const (
	Kitty Graphics = "kitty" // the graphics protocol of the terminal kitty
	ITerm Graphics = "iterm" // inline images of iTerm2
	Sixel Graphics = "sixel" // DEC's sixels
	Cells Graphics = "cells" // braille dots and half blocks
	None  Graphics = "none"  // no picture: its words only, for a pipe
	SVG   Graphics = "svg"
	PNG   Graphics = "png"
	PDF   Graphics = "pdf"
)

// A Sink is the target of a picture. A client sends its own to the host that draws.
type Sink = wire.Sink

// Size is the size of a picture in points, 1/72 inch. Zero stands for the default, 468 by 288
// points (6.5 by 4 inches); [MapSize] suits maps better.
type Size = wire.Size

// Default sizes in points.
const (
	defaultW = 6.5 * vg.Inch
	defaultH = 4 * vg.Inch
	largest  = 100 * vg.Inch
)

// lengths are the width and the height of s, with the defaults in the place of zeros.
func lengths(s Size) (w, h vg.Length, err error) {
	w, h = vg.Length(s.W), vg.Length(s.H)
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
