package view_test

import (
	"io"
	"testing"

	"gonum.org/v1/plot"

	"metalab/kernel/view"
	"metalab/kernel/view/cells"
)

// BenchmarkRender draws the figures that matter to each sink: a curve of 1000
// iterations and tours of 1002 to a million cities.
func BenchmarkRender(b *testing.B) {
	figs := []struct {
		name string
		make func() (*plot.Plot, view.Size)
	}{
		{"curve1000", func() (*plot.Plot, view.Size) {
			p, _ := view.Look{}.Convergence(run(1000))
			return p, view.Size{}
		}},
		{"tour1002", func() (*plot.Plot, view.Size) { return tour(1002) }},
		{"tour100k", func() (*plot.Plot, view.Size) { return tour(100_000) }},
		{"tour1M", func() (*plot.Plot, view.Size) { return tour(1_000_000) }},
	}
	for _, f := range figs {
		b.Run(f.name, func(b *testing.B) {
			p, size := f.make()
			for _, s := range []view.Sink{
				{Graphics: view.SVG, Size: size},
				{Graphics: view.PNG, Size: size},
				{Graphics: view.PDF, Size: size},
				{Graphics: view.Cells, Cols: 100, Rows: 30, Depth: cells.True},
				{Graphics: view.Kitty, Cols: 100, Rows: 30},
				{Graphics: view.ITerm, Cols: 100, Rows: 30},
				{Graphics: view.Sixel, Cols: 100, Rows: 30},
			} {
				b.Run(string(s.Graphics), func(b *testing.B) {
					var n counter
					for b.Loop() {
						n = 0
						if err := view.Render(&n, p, s); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(n)/1000, "kB")
				})
			}
		})
	}
}

func tour(n int) (*plot.Plot, view.Size) {
	d := cities(n)
	d.Trails = nil
	p, _ := view.TourMap(d)
	return p, view.MapSize(d)
}

type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

var _ io.Writer = (*counter)(nil)
