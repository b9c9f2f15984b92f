package view_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi/sixel"

	"metalab/kernel/view"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	p := figures(t)["compare"]
	for name, magic := range map[string]string{
		"a.svg": "<?xml", "b.PNG": "\x89PNG", "c.pdf": "%PDF",
	} {
		g, err := view.Format(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := view.Render(&b, p, view.Sink{Graphics: g}); err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(b.Bytes(), []byte(magic)) {
			t.Errorf("%s begins with %.8q, want %q", name, b.Bytes(), magic)
		}
		negative := view.Sink{Graphics: g, Size: view.Size{W: -1}}
		if err := view.Render(io.Discard, p, negative); err == nil {
			t.Errorf("%s: drew a picture of negative size", name)
		}
	}
	for name, want := range map[string]string{
		"a.gif": `unknown extension ".gif", want one of .pdf, .png, .svg`,
		"plain": `no extension, want one of .pdf, .png, .svg`,
	} {
		if _, err := view.Format(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", name, err, want)
		}
	}
}

func TestPixels(t *testing.T) {
	t.Parallel()
	p := figures(t)["best"]
	s := view.Sink{Cols: 40, Rows: 12, CellW: 8, CellH: 16}
	check := func(name string, img image.Image, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if b := img.Bounds(); b.Dx() != 320 || b.Dy() != 192 {
			t.Errorf("%s: %v pixels, want 320 by 192", name, b)
		}
	}

	s.Graphics = view.Kitty
	out := string(render(t, p, s))
	var payload strings.Builder
	for _, m := range regexp.MustCompile(
		`\x1b_G([^;\x1b]*);([^\x1b]*)\x1b\\`).FindAllStringSubmatch(out, -1) {
		payload.WriteString(m[2])
	}
	if !strings.Contains(out, "c=40") || !strings.Contains(out, "r=12") ||
		!strings.Contains(out, "a=T") {
		t.Errorf("kitty: begins %.60q", out)
	}
	img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(payload.String())))
	check("kitty", img, err)

	s.Tmux = true
	if wrapped := string(render(t, p, s)); !strings.HasPrefix(wrapped, "\x1bPtmux;\x1b\x1b_G") ||
		strings.Count(wrapped, "\x1bPtmux;") != strings.Count(out, "\x1b_G") {
		t.Errorf("tmux: begins %.60q", wrapped)
	}
	s.Tmux = false

	s.Graphics = view.ITerm
	out = string(render(t, p, s))
	m := regexp.MustCompile(
		`^\x1b\]1337;File=([^:]*):([A-Za-z0-9+/=]*)\x07\n$`).FindStringSubmatch(out)
	if m == nil || !strings.Contains(m[1], "width=40;height=12") ||
		!strings.Contains(m[1], "inline=1") {
		t.Fatalf("iterm: begins %.90q", out)
	}
	img, err = png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[2])))
	check("iterm", img, err)

	s.Graphics = view.Sixel
	out = string(render(t, p, s))
	if !strings.HasPrefix(out, "\x1bP0;1q") || !strings.HasSuffix(out, "\x1b\\\n") {
		t.Fatalf("sixel: begins %.30q", out)
	}
	var dec sixel.Decoder
	img, err = dec.Decode(strings.NewReader(out[len("\x1bP0;1q") : len(out)-3]))
	check("sixel", img, err)
}

func TestRenderRefuses(t *testing.T) {
	t.Parallel()
	p := figures(t)["best"]
	for _, s := range []view.Sink{
		{Graphics: "gif"},
		{},
		{Graphics: view.Cells, Cols: 1 << 30, Rows: 1},
		{Graphics: view.Cells, Cols: -1},
		{Graphics: view.Kitty, CellW: 9999, CellH: 10},
		{Graphics: view.Kitty, Cols: 2000, Rows: 2000, CellW: 200, CellH: 400},
		{Graphics: view.PNG, DPI: 1 << 20},
		{Graphics: view.PNG, DPI: -1},
		{Graphics: view.PNG, Colors: 300},
		{Graphics: view.PNG, Background: "red"},
		{Graphics: view.SVG, Background: "#12345g"},
		{Graphics: view.PDF, Size: view.Size{W: 1e9}},
	} {
		if err := view.Render(&bytes.Buffer{}, p, s); err == nil ||
			!strings.HasPrefix(err.Error(), "view: ") {
			t.Errorf("%+v: error is %v", s, err)
		}
	}
}

func TestRenderLeavesThePlot(t *testing.T) {
	t.Parallel()
	for name, p := range figures(t) {
		s := view.Sink{Graphics: view.SVG}
		want := render(t, p, s)
		for _, other := range sinks() {
			render(t, p, other)
		}
		if got := render(t, p, s); !bytes.Equal(got, want) {
			t.Errorf("%s: the SVG is another one after other sinks were drawn", name)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	got := string(render(t, figures(t)["best"], view.Sink{Graphics: view.None}))
	want := "acs on pr1002\niteration: 1 to 120\ngap (%): 0 to 22.622\n" +
		"mean: first 21.7915, last 1.6, least 1.13062, most 22.622\niteration best: first 19.7321, " +
		"last 0\nbest: first 19.7321, last 0\n" +
		"at 30: q0 0.9→0.98\nat 60: ants 10→32, local_period 1→4\n"
	if got != want { // the ranges are those of the data, not of the axes
		t.Errorf("got %q, want %q", got, want)
	}
	if got := string(render(t, figures(t)["tour"], view.Sink{Graphics: view.None})); !strings.Contains(
		got, "a tour of 60 cities, 4 edges new since the last picture\n") {
		t.Errorf("tour: %q", got)
	}
	if got := string(render(t, figures(t)["nothing"],
		view.Sink{Graphics: view.None})); got != "a: acs on pr1002\nno iterations yet\n" {
		t.Errorf("nothing: %q", got)
	}
	text := string(render(t, figures(t)["best"], view.Sink{Graphics: view.Cells}))
	if strings.Contains(text, "\x1b") || strings.Count(text, "\n") != 24 {
		t.Errorf("text is not 24 plain lines:\n%s", text)
	}
}
