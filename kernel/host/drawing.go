package host

import (
	"bytes"
	"image/png"
	"io"
	"strings"

	"metalab/kernel/internal/written"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
)

// A Drawing is the target of a figure, and its form.
type Drawing struct {
	verb  string
	sink  wire.Sink
	to    string // a file; empty: the reply
	force bool   // whatever is there
}

// DrawingOf is the drawing that a request asks for; force is of its file.
func DrawingOf(verb string, sink *wire.Sink, to string, force bool) (d Drawing, err error) {
	d = Drawing{verb: verb, sink: wire.Sink{Graphics: view.SVG}, to: to, force: force}
	if sink != nil {
		d.sink = *sink
	}
	if to == "" {
		return d, nil
	}
	if err := Absolute(verb, to); err != nil {
		return d, err
	}
	d.sink.Graphics, err = view.Format(to)
	return d, err
}

// Put draws a sheet into a reply, or into the file, which then holds what is named.
func (d *Drawing) Put(
	h *Host, rep *reply.PlotReply, sheet *view.Sheet, holds written.Thing,
) error {
	rep.Mime = mimeOf(d.sink.Graphics)
	if d.to == "" && d.sink.Kept && d.sink.Graphics == view.PNG {
		if err := d.keptPNG(rep, sheet); err != nil {
			return d.wrong(err)
		}
		return nil
	}
	var b bytes.Buffer
	if err := sheet.Render(&b, d.sink); err != nil {
		return d.wrong(err)
	}
	if d.to != "" {
		rep.Path = d.to
		_, err := h.Write(&File{Verb: d.verb, Path: d.to, Holds: holds, Force: d.force},
			func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
		return err
	}
	rep.Data = b.Bytes()
	return nil
}

// wrong is an error of package view about the request.
func (d *Drawing) wrong(err error) error {
	return wrong(d.verb + ": " + strings.TrimPrefix(err.Error(), "view: "))
}

// keptPNG draws a sheet for a notebook: with two of its pixels for each of the page's, and coarser
// if it is too large or is to be there soon. A PNG is what every reader of notebooks shows; SVG is
// not. It has no ground: notebooks are light or dark.
func (d *Drawing) keptPNG(rep *reply.PlotReply, sheet *view.Sheet) error {
	const enough = 120_000 // bytes
	var b bytes.Buffer
	s, dpis := d.sink, []int{192, 144, 96, 60}
	s.Colors = 64
	if d.sink.Quick {
		dpis = dpis[2:]
	}
	for _, s.DPI = range dpis {
		b.Reset()
		if err := sheet.Render(&b, s); err != nil {
			return err
		}
		if b.Len() <= enough {
			break
		}
	}
	head, err := png.DecodeConfig(bytes.NewReader(b.Bytes()))
	if err != nil {
		return err
	}
	rep.Data, rep.Words = b.Bytes(), sheet.Words()
	rep.Wide, rep.High = (head.Width*96+s.DPI/2)/s.DPI, (head.Height*96+s.DPI/2)/s.DPI
	return nil
}
