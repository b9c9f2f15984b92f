package view

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/charmbracelet/x/ansi/sixel"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// mostPixels bounds the pixels of a picture.
const mostPixels = 64 << 20

// background returns the colour behind the picture and whether it is dark.
func groundOf(s Sink) (k color.RGBA, dark bool, err error) {
	if s.Background == "" {
		return color.RGBA{0xff, 0xff, 0xff, 0xff}, false, nil
	}
	v, err := strconv.ParseUint(strings.TrimPrefix(s.Background, "#"), 16, 32)
	if err != nil || len(s.Background) != 7 || s.Background[0] != '#' {
		return k, false, fmt.Errorf("view: background is %q, want #rrggbb", s.Background)
	}
	r, g, b := uint8(v>>16), uint8(v>>8), uint8(v)
	luma := (299*int(r) + 587*int(g) + 114*int(b)) / 1000
	return color.RGBA{r, g, b, 0xff}, luma < 128, nil
}

// paint draws the sheet into pixels.
func (f *Sheet) paint(w, h vg.Length, dpi int, s Sink) (image.Image, error) {
	k, dark, err := groundOf(s)
	if err != nil {
		return nil, err
	}
	if px := float64(w/vg.Inch) * float64(h/vg.Inch) * float64(dpi) * float64(dpi); dpi < 1 ||
		px > mostPixels {
		return nil, fmt.Errorf("view: a picture of %.0f pixels at %d dpi, want at most %d", px, dpi,
			mostPixels)
	}
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(k))
	f.onto(c, dark)
	return c.Image(), nil
}

// renderPNG draws the sheet as a PNG.
func (f *Sheet) renderPNG(w io.Writer, s Sink) error {
	width, height, err := lengths(s.Size)
	if err != nil {
		return err
	}
	if s.DPI == 0 {
		s.DPI = 144
	}
	img, err := f.paint(width, height, s.DPI, s)
	if err != nil {
		return err
	}
	if s.Colors == 0 {
		return png.Encode(w, img)
	}
	if s.Colors < 2 || s.Colors > 256 {
		return fmt.Errorf("view: a picture of %d colours, want 2 to 256", s.Colors)
	}
	// The best compression takes 5 times as long for 5 %, which a notebook is worth.
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if s.Quick {
		e.CompressionLevel = png.DefaultCompression
	}
	few := reduced(img, s.Colors)
	if s.Kept && s.Background == "" {
		few = cleared(few)
	}
	return e.Encode(w, few)
}

// renderPixels draws the sheet into the pixels of a terminal.
func (f *Sheet) renderPixels(w io.Writer, s Sink) error {
	cols, rows, err := gridOf(s)
	if err != nil {
		return err
	}
	_, down := f.cellGrid(cols)
	rows = grown(s, rows, down)
	cw, ch := s.CellW, s.CellH
	if cw == 0 || ch == 0 {
		cw, ch = 10, 20
	}
	if cw < 1 || ch < 1 || cw > 200 || ch > 400 {
		return fmt.Errorf("view: a cell of %d by %d pixels, want 1 to 200 by 1 to 400", cw, ch)
	}
	// Letters of a figure as large as those of the terminal: 14 points a row, on
	// whole dots an inch.
	dpi := max(int(math.Round(float64(ch)*72/14)), 20)
	inch := func(px int) vg.Length { return vg.Length(px) * vg.Inch / vg.Length(dpi) }
	img, err := f.paint(inch(cols*cw), inch(rows*ch), dpi, s)
	if err != nil {
		return err
	}
	seq, err := encode(img, s.Graphics, cols, rows)
	if err != nil {
		return err
	}
	if s.Tmux {
		seq = passthrough(seq)
	}
	_, err = io.WriteString(w, seq+"\n")
	return err
}

// encode writes img in a terminal's protocol, cols by rows cells large.
func encode(img image.Image, g Graphics, cols, rows int) (string, error) {
	var b bytes.Buffer
	switch g {
	case Kitty:
		err := kitty.EncodeGraphics(&b, img, &kitty.Options{
			Action: kitty.TransmitAndPut, Transmission: kitty.Direct, Format: kitty.PNG,
			Chunk: true, Columns: cols, Rows: rows, Quite: 2,
		})
		return b.String(), err
	case ITerm:
		if err := png.Encode(&b, img); err != nil {
			return "", err
		}
		return ansi.ITerm2(iterm2.File{
			Name:  base64.StdEncoding.EncodeToString([]byte("figure.png")),
			Size:  int64(b.Len()),
			Width: iterm2.Cells(cols), Height: iterm2.Cells(rows), Inline: true, IgnoreAspectRatio: true,
			Content: []byte(base64.StdEncoding.EncodeToString(b.Bytes())),
		}), nil
	case Sixel:
		var enc sixel.Encoder
		if err := enc.Encode(&b, img); err != nil {
			return "", err
		}
		return ansi.SixelGraphics(0, 1, 0, b.Bytes()), nil
	}
	return "", fmt.Errorf("view: %q is not a protocol for pixels", g)
}

// passthrough wraps each escape sequence of seq for tmux.
func passthrough(seq string) string {
	var b strings.Builder
	for seq != "" {
		end := strings.Index(seq, "\x1b\\")
		if end < 0 { // of iTerm2, which ends in BEL
			end = len(seq) - 2
		}
		b.WriteString(ansi.TmuxPassthrough(seq[:end+2]))
		seq = seq[end+2:]
	}
	return b.String()
}
