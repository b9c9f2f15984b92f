package view

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// formats are the kinds of file by extension.
var formats = [...]struct {
	ext string
	g   Graphics
}{{".pdf", PDF}, {".png", PNG}, {".svg", SVG}}

// Format returns the kind of file for the extension of path. The error for an unknown extension
// lists the known ones.
func Format(path string) (Graphics, error) {
	ext := strings.ToLower(filepath.Ext(path))
	var known []string
	for _, f := range formats {
		if f.ext == ext {
			return f.g, nil
		}
		known = append(known, f.ext)
	}
	if ext == "" {
		return "", fmt.Errorf("view: the name of picture %q has no extension, want one of %s", path,
			strings.Join(known, ", "))
	}
	return "", fmt.Errorf("view: picture %q has the unknown extension %q, want one of %s", path, ext,
		strings.Join(known, ", "))
}

// renderSVG draws the sheet as SVG text. Its letters are those of any sans-serif font
// where Liberation Sans is missing.
func (f *Sheet) renderSVG(w io.Writer, s Sink) error {
	width, height, err := lengths(s.Size)
	if err != nil {
		return err
	}
	ground, dark, err := groundOf(s)
	if err != nil {
		return err
	}
	c := vgsvg.New(width, height)
	fillGround(c, ground)
	f.onto(c, dark)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	_, err = w.Write(f.told(shorten(b.Bytes())))
	return err
}

// Words describes the contents of the sheet in a line.
func (f *Sheet) Words() string {
	const most = 1000 // letters
	var lines []string
	for l := range strings.Lines(f.words()) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	text := []rune(strings.Join(lines, "; "))
	if len(text) > most {
		text = append(text[:most-1], '…')
	}
	return string(text)
}

// told adds the words of the sheet to an SVG, as screen readers and notebooks read them.
func (f *Sheet) told(svg []byte) []byte {
	var b bytes.Buffer
	b.WriteString(`<svg role="img" aria-label="`)
	_ = xml.EscapeText(&b, []byte(f.Words())) // a buffer takes all
	b.WriteString(`"`)
	return bytes.Replace(svg, []byte("<svg"), b.Bytes(), 1)
}

// shorten names fall-back fonts and drops what the defaults of SVG say anyway.
func shorten(svg []byte) []byte {
	for _, r := range [...][2]string{
		{"font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"},
		{"font-variant:normal;", ""},
		{"font-weight:normal;", ""},
		{"font-style:normal;", ""},
		{"data:image/jpg;base64", "data:image/png;base64"},
	} {
		svg = bytes.ReplaceAll(svg, []byte(r[0]), []byte(r[1]))
	}
	return svg
}

// renderPDF draws the sheet as a PDF of one page, its fonts embedded.
func (f *Sheet) renderPDF(w io.Writer, s Sink) error {
	width, height, err := lengths(s.Size)
	if err != nil {
		return err
	}
	ground, dark, err := groundOf(s)
	if err != nil {
		return err
	}
	c := vgpdf.New(width, height)
	c.EmbedFonts(true)
	fillGround(c, ground)
	f.onto(solid{c, ground}, dark)
	_, err = c.WriteTo(w)
	return err
}

// fillGround paints the whole of c.
func fillGround(c vg.CanvasSizer, k color.Color) {
	area := draw.New(c)
	c.SetColor(k)
	c.Fill(area.Path())
}
