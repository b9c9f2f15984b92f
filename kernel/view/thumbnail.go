package view

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// ThumbnailSide is the longer side of a thumbnail in pixels; pages show it at half of that,
// so that it is sharp on screens of twice the density.
const ThumbnailSide = 400

// ThumbnailCities returns a PNG of cities as dots on a transparent ground, north up, or nil if
// there are none with finite coordinates. Crowded cities give denser dots, and the picture stays
// small for any number of cities.
func ThumbnailCities(x, y []float64) []byte {
	xmin, xmax, ymin, ymax := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i := range x {
		if finite(x[i]) && finite(y[i]) {
			xmin, xmax, ymin, ymax = min(xmin, x[i]), max(xmax, x[i]), min(ymin, y[i]), max(ymax, y[i])
		}
	}
	if !(xmin <= xmax) {
		return nil
	}
	const margin = 6.0
	span := max(xmax-xmin, ymax-ymin, math.SmallestNonzeroFloat64)
	scale := (ThumbnailSide - 2*margin) / span
	if math.IsInf(scale, 0) {
		scale = 1
	}
	w, h := int(2*margin+(xmax-xmin)*scale+1), int(2*margin+(ymax-ymin)*scale+1)
	// As many dots as cover about a sixth of the ground, of 1 to 4 pixels radius.
	r := min(max(math.Sqrt(float64(w)*float64(h)/float64(len(x))/6/math.Pi), 0.8), 4)
	ink := make([]float64, w*h)
	for i := range x {
		if !finite(x[i]) || !finite(y[i]) {
			continue
		}
		cx, cy := margin+(x[i]-xmin)*scale, margin+(ymax-y[i])*scale
		for py := max(int(cy-r-1), 0); py <= min(int(cy+r+1), h-1); py++ {
			for px := max(int(cx-r-1), 0); px <= min(int(cx+r+1), w-1); px++ {
				d := math.Hypot(float64(px)+0.5-cx, float64(py)+0.5-cy)
				cover := min(max(r+0.5-d, 0), 1)
				ink[py*w+px] = 1 - (1-ink[py*w+px])*(1-cover*0.85)
			}
		}
	}
	return thumbnail(w, h, func(i int) float64 { return ink[i] })
}

// ThumbnailMatrices returns a PNG of n x m matrices beside each other, with entries from
// transparent for the smallest to dark for the largest. It averages large matrices. It is nil for
// empty matrices.
func ThumbnailMatrices(n, m int, at ...func(i, j int) float64) []byte {
	if n <= 0 || m <= 0 || len(at) == 0 {
		return nil
	}
	const gap = 16
	side := (ThumbnailSide - gap*(len(at)-1)) / len(at)
	h, w := side, side
	if n < m {
		h = max(side*n/m, 1)
	} else {
		w = max(side*m/n, 1)
	}
	width := len(at)*w + gap*(len(at)-1)
	ink := make([]float64, width*h)
	for k, f := range at {
		means := cellMeans(n, m, min(h, n), min(w, m), f)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range means {
			lo, hi = min(lo, v), max(hi, v)
		}
		rows, cols := min(h, n), min(w, m)
		for y := range h {
			for x := range w {
				v := 0.5
				if hi > lo {
					v = (means[y*rows/h*cols+x*cols/w] - lo) / (hi - lo)
				}
				ink[y*width+k*(w+gap)+x] = 0.06 + 0.94*v
			}
		}
	}
	return thumbnail(width, h, func(i int) float64 { return ink[i] })
}

// cellMeans averages an n x m matrix down to rows x cols.
func cellMeans(n, m, rows, cols int, at func(i, j int) float64) []float64 {
	out := make([]float64, rows*cols)
	for r := range rows {
		for c := range cols {
			i0, i1, j0, j1 := r*n/rows, (r+1)*n/rows, c*m/cols, (c+1)*m/cols
			sum := 0.0
			for i := i0; i < i1; i++ {
				for j := j0; j < j1; j++ {
					sum += at(i, j)
				}
			}
			out[r*cols+c] = sum / float64((i1-i0)*(j1-j0))
		}
	}
	return out
}

// thumbnail encodes ink of 0 to 1 in 16 steps of one colour over a clear ground: it shows on
// light pages and on dark ones, and compresses well.
func thumbnail(w, h int, ink func(i int) float64) []byte {
	const steps = 15
	pal := make(color.Palette, steps+1)
	for i := range pal {
		pal[i] = color.NRGBA{R: 0x39, G: 0x87, B: 0xe5, A: uint8(255 * i / steps)}
	}
	img := image.NewPaletted(image.Rect(0, 0, w, h), pal)
	for i := range img.Pix {
		img.Pix[i] = uint8(math.Round(min(max(ink(i), 0), 1) * steps))
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
		return nil // bytes.Buffer takes everything
	}
	return b.Bytes()
}

// ThumbnailFunction returns a PNG of a function of one variable between lo and hi.
func ThumbnailFunction(f func(x float64) float64, lo, hi float64) []byte {
	const w, h = ThumbnailSide, ThumbnailSide / 2
	v := make([]float64, 4*w)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range v {
		v[i] = f(lo + (hi-lo)*float64(i)/float64(len(v)-1))
		if finite(v[i]) {
			low, high = min(low, v[i]), max(high, v[i])
		}
	}
	if !(low < high) {
		return nil
	}
	ink := make([]float64, w*h)
	row := func(y float64) int { return int((h - 3) * (high - min(max(y, low), high)) / (high - low)) }
	for i := 1; i < len(v); i++ {
		if !finite(v[i-1]) || !finite(v[i]) {
			continue
		}
		a, b := row(v[i-1]), row(v[i])
		for y := min(a, b); y <= max(a, b)+1; y++ {
			ink[y*w+i*w/len(v)] = 1
		}
	}
	return thumbnail(w, h, func(i int) float64 { return ink[i] })
}
