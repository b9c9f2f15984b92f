package view_test

import (
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"metalab/kernel/view"
)

// said is what a figure says where no picture can be.
func said(t *testing.T, p *plot.Plot, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(render(t, p, view.Sink{Graphics: view.None}))
}

// Quartiles are taken where some seeds have a new best and others not yet.
func TestBand(t *testing.T) {
	t.Parallel()
	best := 100.0
	d := seeded("a", 5, 0)
	d.Best = &best
	for i := range d.Seeds.Results {
		c := &d.Seeds.Results[i].Curve
		c.Iter, c.Wall, c.CPU = []int64{1, int64(10 + i)}, []float64{1, 2}, []float64{1, 2}
		c.Best = []float64{200, 110 + float64(i)} // the last new ones at 10, 11, 12, 13 and 14
	}
	for _, c := range []struct {
		look view.Look
		want string
	}{
		{view.Look{}, "gap (%), median and quartiles: 11 to 100\nmedian of the seeds: first 100, last " +
			"12, quartiles there 11 and 13\n"},
		// At iteration 11 two of five have got on, at 12 three.
		{
			view.Look{Range: view.Range{From: 1, To: 11}},
			"median of the seeds: first 100, last 100, quartiles there 11 and 100\n",
		},
		{
			view.Look{Range: view.Range{From: 1, To: 12}},
			"median of the seeds: first 100, last 12, quartiles there 11 and 100\n",
		},
		{view.Look{X: view.Time}, "time (s): 1 to 2\n"},
	} {
		p, err := c.look.Convergence(d)
		if got := said(t, p, err); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q\nlacks %q", c.look, got, c.want)
		}
	}
}

// A run's own curves stand before its band; between runs only what has no curve is a band.
func TestBandBesideCurves(t *testing.T) {
	t.Parallel()
	own := run(50)
	own.Seeds = seeded("a", 8, 1).Seeds
	p, err := view.Look{}.Convergence(own)
	if got := said(t, p, err); !strings.Contains(got, "best: first ") ||
		!strings.Contains(got, "median of 8 seeds: first ") {
		t.Errorf("a run with both: %s", got)
	}
	p, err = view.Look{}.Convergence(own, seeded("b", 5, 2))
	if got := said(t, p, err); !strings.Contains(got, "\na: first ") ||
		!strings.Contains(got, "b: median of 5 seeds: first ") || strings.Contains(got, "8 seeds") {
		t.Errorf("two runs: %s", got)
	}
	p, err = view.Look{}.Band(own, run(10))
	if got := said(t, p, err); !strings.HasPrefix(got,
		"a: median and quartiles of 8 seeds, 100 iterations each\n") || strings.Contains(got, "q0") {
		t.Errorf("the band alone: %s", got)
	}
}

func TestBox(t *testing.T) {
	t.Parallel()
	best := 100.0
	d := seeded("a", 7, 0)
	d.Best = &best
	for i, v := range []float64{110, 111, 112, 113, 114, 115, 150} {
		d.Seeds.Results[i].Best = v
	}
	p, err := view.Look{}.Box(d)
	want := "best of each seed, 100 iterations\ngap (%): 10 to 50\na: 7 seeds: least 10, quartiles " +
		"11.5 and 14.5, median 13, most 50\n"
	if got := said(t, p, err); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	longer := seeded("b", 3, 0)
	longer.Seeds.Budget = "200 iterations"
	p, err = view.Look{}.Box(d, longer)
	if got := said(t, p, err); !strings.HasPrefix(got, "best of each seed\n") ||
		!strings.Contains(got, "b: 3 seeds, 200 iterations each: ") {
		t.Errorf("different budgets: %s", got)
	}
	for _, f := range []func(...view.Data) (*plot.Plot, error){view.Look{}.Box, view.Look{}.Band} {
		p, err := f(run(5))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(render(t, p, view.Sink{Graphics: view.SVG})); !strings.Contains(got,
			"a was not repeated") {
			t.Errorf("without seeds: %.300s", got)
		}
	}
}
