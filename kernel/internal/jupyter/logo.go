package jupyter

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The kernel's logo is a short tour through eight cities, the one under way in a lighter
// colour. Cities are in a square of side 64.
var logoTour = [][2]float64{
	{12, 44},
	{20, 18},
	{33, 30},
	{46, 11},
	{55, 30},
	{44, 42},
	{52, 55},
	{28, 54},
}

var (
	logoBack = color.NRGBA{0x1f, 0x2a, 0x44, 0xff}
	logoLine = color.NRGBA{0x5f, 0xd3, 0xbc, 0xff}
	logoCity = color.NRGBA{0xff, 0xd1, 0x66, 0xff}
)

// WriteLogos writes the logos into dir under the names that Jupyter looks for.
func WriteLogos(dir string) error {
	for _, size := range []int{32, 64} {
		var b bytes.Buffer
		if err := png.Encode(&b, drawLogo(size)); err != nil {
			return err
		}
		name := "logo-" + strconv.Itoa(size) + "x" + strconv.Itoa(size) + ".png"
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "logo-svg.svg"), []byte(svgLogo()), 0o644)
}

// drawLogo draws the logo with 16 samples a pixel, by distance to what is drawn.
func drawLogo(size int) image.Image {
	const n = 4
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	unit := 64 / float64(size)
	for y := range size {
		for x := range size {
			var r, g, b, a float64
			for s := range n * n {
				c := logoAt((float64(x)+(float64(s%n)+0.5)/n)*unit, (float64(y)+(float64(s/n)+0.5)/n)*unit)
				w := float64(c.A) / 255
				r, g, b, a = r+w*float64(c.R), g+w*float64(c.G), b+w*float64(c.B), a+w
			}
			if a > 0 {
				img.SetNRGBA(x, y, color.NRGBA{
					uint8(r / a), uint8(g / a), uint8(b / a),
					uint8(255 * a / (n * n)),
				})
			}
		}
	}
	return img
}

// logoAt is the colour at a point of the square.
func logoAt(x, y float64) color.NRGBA {
	const corner = 12
	dx, dy := max(math.Abs(x-32)-(32-corner), 0), max(math.Abs(y-32)-(32-corner), 0)
	if math.Hypot(dx, dy) > corner {
		return color.NRGBA{}
	}
	for _, c := range logoTour {
		if math.Hypot(x-c[0], y-c[1]) < 4.2 {
			return logoCity
		}
	}
	for i, c := range logoTour {
		if d := logoTour[(i+1)%len(logoTour)]; toSegment(x, y, c, d) < 1.6 {
			return logoLine
		}
	}
	return logoBack
}

// toSegment is the distance of a point from the line between two points.
func toSegment(x, y float64, a, b [2]float64) float64 {
	vx, vy := b[0]-a[0], b[1]-a[1]
	t := min(max(((x-a[0])*vx+(y-a[1])*vy)/(vx*vx+vy*vy), 0), 1)
	return math.Hypot(x-a[0]-t*vx, y-a[1]-t*vy)
}

// svgLogo is the same logo as SVG.
func svgLogo() string {
	var points, cities strings.Builder
	for _, c := range logoTour {
		x, y := strconv.Itoa(int(c[0])), strconv.Itoa(int(c[1]))
		points.WriteString(x + "," + y + " ")
		cities.WriteString(`<circle cx="` + x + `" cy="` + y + `" r="4.2"/>`)
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
		`<rect width="64" height="64" rx="12" fill="#1f2a44"/>` +
		`<polygon points="` + strings.TrimSpace(points.String()) +
		`" fill="none" stroke="#5fd3bc" stroke-width="3.2"/>` +
		`<g fill="#ffd166">` + cities.String() + "</g></svg>\n"
}
