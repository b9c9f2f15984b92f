package view_test

import (
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

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

// BenchmarkKept draws the picture that goes with sliders: a curve and a tour, as a notebook keeps
// them, and as they are shown while the run goes on.
func BenchmarkKept(b *testing.B) {
	d := cities(1002)
	r := run(1000)
	d.Points, d.Best, d.Objective = r.Points, r.Best, r.Objective
	d.Measures, d.Journal, d.Trails = r.Measures, r.Journal, nil
	for _, dpi := range []int{192, 96} {
		s := view.Sink{Graphics: view.PNG, Colors: 64, DPI: dpi}
		b.Run(fmt.Sprint(dpi), func(b *testing.B) {
			var n counter
			cpu := cpuTime(b)
			for b.Loop() {
				n = 0
				sheet, err := view.Draw("best,tour", view.Look{}, d)
				if err == nil {
					err = sheet.Render(&n, s)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((cpuTime(b)-cpu).Seconds()*1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(n)/1000, "kB")
		})
	}
}

// cpuTime is the time that this process has had on all cores.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
