package record_test

import (
	"math"
	"strings"
	"testing"

	"metalab/solvers/record"
)

func TestDrawing(t *testing.T) {
	t.Parallel()
	var d record.Drawing
	d.Bar(0, 0, 1, 2, 3)
	d.Line([]float64{0, 1}, []float64{5, 6}, 1)
	d.Dots([]float64{4}, []float64{4}, 0)
	d.Text(1, 1, "a")
	if err := d.Check(); err != nil || len(d.Shapes) != 4 {
		t.Fatalf("%v, %v", d, err)
	}
	for want, spoil := range map[string]func(d *record.Drawing){
		`shape 4 is a "disc", want bar`: func(d *record.Drawing) {
			d.Shapes = append(d.Shapes, record.Shape{Kind: "disc"})
		},
		"shape 4, line: 2 places across and 1 up": func(d *record.Drawing) {
			d.Line([]float64{1, 2}, []float64{1}, 0)
		},
		"shape 4, line: 1 places, want 2 to": func(d *record.Drawing) {
			d.Line([]float64{1}, []float64{1}, 0)
		},
		"shape 4, text: place 0 is at (NaN, 1)": func(d *record.Drawing) { d.Text(math.NaN(), 1, "b") },
		"shape 4, bar: place 1 is at (2, +Inf)": func(d *record.Drawing) {
			d.Bar(0, 0, 2, math.Inf(1), 0)
		},
		"shape 4, bar: colour -1": func(d *record.Drawing) { d.Bar(0, 0, 1, 1, -1) },
		"shape 4, text: a text of 101 bytes": func(d *record.Drawing) {
			d.Text(1, 1, strings.Repeat("x", 101))
		},
		"a text of 101 bytes": func(d *record.Drawing) { d.Y = strings.Repeat("x", 101) },
		"more than 200000 places": func(d *record.Drawing) {
			x := make([]float64, record.MaxPlaces-5)
			d.Dots(x, x, 0)
		},
	} {
		bad := record.Drawing{Shapes: append([]record.Shape(nil), d.Shapes...)}
		spoil(&bad)
		if err := bad.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
