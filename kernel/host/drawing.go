package host

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A drawing says what becomes of a figure: where it goes, and what it is made of.
type drawing struct {
	verb string
	sink view.Sink
	to   string // a file; empty: the reply
	png  bool   // with a small PNG beside an SVG in the reply
}

// drawingOf is the drawing that a request asks for.
func drawingOf(verb string, sink *wire.Sink, to string) (d drawing, err error) {
	d = drawing{verb: verb, sink: view.Sink{Graphics: view.SVG}, to: to}
	if sink != nil {
		d.sink, d.png = sinkOf(*sink), sink.PNG
	}
	if to == "" {
		return d, nil
	}
	if err := absolute(verb, to); err != nil {
		return d, err
	}
	d.sink.Graphics, err = view.Format(to)
	return d, err
}

// put draws a sheet into a reply, or into the file.
func (d *drawing) put(rep *reply.PlotReply, sheet *view.Sheet) error {
	var b bytes.Buffer
	if err := sheet.Render(&b, d.sink); err != nil {
		return d.wrong(err)
	}
	rep.Mime = mimeOf(d.sink.Graphics)
	if d.to != "" {
		rep.Path = d.to
		err := record.Atomic(d.to, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
		if err != nil {
			return fmt.Errorf("%s: %w", d.verb, err)
		}
		return nil
	}
	rep.Data = b.Bytes()
	if d.png && d.sink.Graphics == view.SVG {
		var err error
		if rep.PNG, err = smallPNG(sheet, d.sink); err != nil {
			return d.wrong(err)
		}
	}
	return nil
}

// wrong is an error of package view about the request.
func (d *drawing) wrong(err error) error {
	return wrong(d.verb + ": " + strings.TrimPrefix(err.Error(), "view: "))
}

// smallPNG returns a sheet as PNG, which a notebook stores beside its SVG for viewers that show no
// SVG: small, and coarser if it is too large.
func smallPNG(sheet *view.Sheet, s view.Sink) ([]byte, error) {
	const enough = 40_000 // bytes
	var b bytes.Buffer
	s.Graphics = view.PNG
	for _, s.DPI = range [...]int{96, 60} {
		b.Reset()
		s.Colors = 64
		if err := sheet.Render(&b, s); err != nil {
			return nil, err
		}
		if b.Len() <= enough {
			break
		}
	}
	return b.Bytes(), nil
}
