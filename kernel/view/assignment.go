package view

import (
	"fmt"
	"image"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Fields draws two matrices side by side on one scale of colours, the largest values brightest: the
// cost of each pair of facilities before and after.
type Fields struct {
	*Assignment
	hi float64
}

// between is the room between the matrices, in their widths.
const between = 0.12

// NewFields returns the matrices of a. It returns an error unless they have N x N entries.
func NewFields(a *Assignment) (*Fields, error) {
	if a.N < 1 || len(a.Before) != a.N*a.N || len(a.After) != a.N*a.N {
		return nil, fmt.Errorf("view: matrices of %d and %d entries, want two of %d x %d", len(a.Before),
			len(a.After), a.N, a.N)
	}
	f := &Fields{Assignment: a}
	for _, m := range [][]float64{a.Before, a.After} {
		for _, v := range m {
			if finite(v) {
				f.hi = max(f.hi, v)
			}
		}
	}
	return f, nil
}

// AssignmentFields draws the costs of the pairs of facilities before and after.
func AssignmentFields(d Data) (*plot.Plot, error) {
	p := base(d.title())
	if d.Problem == nil || d.Problem.Assignment == nil {
		return empty(p, "no assignment to draw"), nil
	}
	f, err := NewFields(d.Problem.Assignment)
	if err != nil {
		return nil, err
	}
	bare(p)
	p.Add(f)
	return p, nil
}

// DataRange returns the range of both matrices.
func (f *Fields) DataRange() (xmin, xmax, ymin, ymax float64) { return 0, 2 + between, 0, 1 }

// GlyphBoxes reserves the room of the captions below the matrices.
func (f *Fields) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 0.5, Y: 0, Rectangle: vg.Rectangle{Min: vg.Point{Y: -20}}}}
}

// bins returns the largest value of each field of a k by k matrix as a shade from 1 to 255.
func (f *Fields) bins(m []float64, k int) []uint8 {
	field := make([]uint8, k*k)
	for i := range f.N {
		for j := range f.N {
			v := m[i*f.N+j]
			if !(v > 0) {
				v = 0
			}
			s := uint8(1)
			if f.hi > 0 {
				// The root: most pairs cost little, and would all be dark.
				s = uint8(1 + math.Round(254*math.Sqrt(min(v/f.hi, 1))))
			}
			at := i*k/f.N*k + j*k/f.N
			field[at] = max(field[at], s)
		}
	}
	return field
}

// Plot draws the matrices, the first facility at the top left, and their captions.
func (f *Fields) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	trX, trY := plt.Transforms(&c)
	style := draw.TextStyle{
		Font: to.font(tickSize), Color: ink, Handler: plt.X.Label.TextStyle.Handler, XAlign: draw.XCenter,
		YAlign: draw.YTop,
	}
	for i, m := range [][]float64{f.Before, f.After} {
		x := float64(i) * (1 + between)
		r := vg.Rectangle{Min: vg.Point{X: trX(x), Y: trY(0)}, Max: vg.Point{X: trX(x + 1), Y: trY(1)}}
		k := min(finest, f.N)
		if short := min(r.Size().X, r.Size().Y) / to.dot; to.cells && float64(short) > 4 {
			k = min(k, max(int(short), 8))
		}
		img := image.NewPaletted(image.Rect(0, 0, k, k), viridis[:])
		copy(img.Pix, f.bins(m, k))
		tiles(c, to, r, img)
		words := [...]string{"before: ", "best: "}[i] + strconv.FormatFloat([...]float64{
			f.BeforeCost,
			f.AfterCost,
		}[i], 'f', -1, 64)
		c.FillText(style, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Min.Y - 4}, words)
	}
}
