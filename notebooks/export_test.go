package notebooks_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"metalab/notebooks/internal/browser"
)

// What is drawn, in shares of the area: what is not white, and what has a colour.
type drawn struct{ ink, colour float64 }

// drawnOf looks at the pixels of a PNG, on white where it has no ground of its own.
func drawnOf(t *testing.T, b []byte) (d drawn, wide int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	box := img.Bounds()
	page := image.NewRGBA(box)
	draw.Draw(page, box, image.White, image.Point{}, draw.Src)
	draw.Draw(page, box, img, box.Min, draw.Over)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			k := page.RGBAAt(x, y)
			low, high := min(k.R, k.G, k.B), max(k.R, k.G, k.B)
			if low < 0xd0 {
				d.ink++
			}
			if high-low > 0x40 {
				d.colour++
			}
		}
	}
	area := float64(box.Dx() * box.Dy())
	return drawn{d.ink / area, d.colour / area}, box.Dx()
}

// A notebook that is exported to HTML by nbconvert shows its pictures: where the page has one, a
// browser draws as much ink and colour as the picture has, at the size that it is to have.
func TestExportedPictures(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts nbconvert and a browser")
	}
	const convert = "/usr/bin/jupyter-nbconvert" // Debian's, which empties SVG
	if _, err := os.Stat(convert); err != nil {
		t.Skip("no jupyter-nbconvert")
	}
	b := browser.Start(t)
	dir := t.TempDir()
	paths := notebooks(t)
	cmd := exec.Command(convert, append([]string{
		"--log-level=ERROR", "--to", "html", "--output-dir", dir,
		// A page needs nothing from elsewhere to show pictures.
		"--HTMLExporter.mathjax_url=", "--HTMLExporter.require_js_url=",
	}, paths...)...)
	cmd.Env = append(os.Environ(), "PYDEVD_DISABLE_FILE_VALIDATION=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	all := 0
	for _, path := range paths {
		p := b.Open("file://" + filepath.Join(dir, strings.TrimSuffix(path, ".ipynb")+".html"))
		p.Expect("") // of a page without its libraries
		at := 0
		for i, c := range read(t, path) {
			for _, o := range c.Outputs {
				at++
				kept := strings.Join(o.Data["image/png"], "")
				// TestSavedWidgets looks at what widgets show.
				if _, ok := o.Data["application/vnd.jupyter.widget-view+json"]; kept == "" || ok {
					continue
				}
				all++
				raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(kept))
				if err != nil {
					t.Fatal(err)
				}
				want, _ := drawnOf(t, raw)
				// The output's place, whatever is in it.
				place := fmt.Sprintf("picture-%d", at)
				p.Eval(fmt.Sprintf(`{
					const e = document.querySelectorAll(".jp-OutputArea-child")[%d]
					e.querySelector(".jp-OutputArea-output").firstElementChild.id = %q
				}`, at-1, place), nil)
				var shot []byte
				p.Do(chromedp.Screenshot("#"+place, &shot, chromedp.ByQuery))
				got, wide := drawnOf(t, shot)
				if d := wide - o.Meta.PNG.Width; d < -1 || d > 1 {
					t.Errorf("%s: cell %d: a picture is %d wide, want %d", path, i+1, wide, o.Meta.PNG.Width)
				}
				for name, v := range map[string][2]float64{
					"ink": {got.ink, want.ink}, "colour": {got.colour, want.colour},
				} {
					if v[0] < v[1]*0.6-0.001 || v[0] > v[1]*1.6+0.01 {
						t.Errorf("%s: cell %d: %.2f %% of a picture is %s, %.2f %% in the file", path, i+1,
							100*v[0], name, 100*v[1])
					}
				}
			}
		}
		p.Close()
	}
	if all < 30 {
		t.Errorf("%d pictures in all notebooks", all)
	}
}
