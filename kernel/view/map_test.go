package view_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"metalab/kernel/view"
)

// Names stand beside their cities, none over another, and within the map; of crowded cities some
// have none. The scale says how long it is.
func TestNamesOfCities(t *testing.T) {
	t.Parallel()
	for _, n := range []int{12, 150} {
		d := cities(n)
		d.Km = 2
		for i := range n {
			d.Names = append(d.Names, fmt.Sprintf("city %d", i))
		}
		p, err := view.TourMap(d)
		if err != nil {
			t.Fatal(err)
		}
		var rec recorder.Canvas
		p.Draw(draw.NewCanvas(&rec, 400, 300))
		var boxes []vg.Rectangle
		scale := ""
		for _, a := range rec.Actions {
			s, ok := a.(*recorder.FillString)
			if !ok || s.String == d.Name {
				continue
			}
			if s.String[0] != 'c' {
				scale = s.String
				continue
			}
			box := vg.Rectangle{Min: s.Point, Max: vg.Point{
				X: s.Point.X + p.X.Label.TextStyle.Width(s.String)*0.7, Y: s.Point.Y + 6,
			}}
			if box.Min.X < 0 || box.Max.X > 400 || box.Min.Y < 0 || box.Max.Y > 300 {
				t.Errorf("%d cities: %q at %v", n, s.String, box)
			}
			for _, o := range boxes {
				if box.Min.X < o.Max.X && o.Min.X < box.Max.X && box.Min.Y < o.Max.Y && o.Min.Y < box.Max.Y {
					t.Errorf("%d cities: %q lies over another name", n, s.String)
				}
			}
			boxes = append(boxes, box)
		}
		if scale == "" || n == 12 && len(boxes) < 11 || n == 150 && (len(boxes) < 20 || len(boxes) >= n) {
			t.Errorf("%d cities: %d names, scale %q", n, len(boxes), scale)
		}
	}
}
