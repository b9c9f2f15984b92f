package gputest

import (
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// Shapes are what a family's test that changes launches at random draws of a variant whose
// instances are cities of the plane. Each line of Fixed, Live and Schedule is a parameter with the
// values that are drawn for it, as in "ants 1 7 33"; those of Live change while a run goes on.
type Shapes struct {
	Name                  string // solver/variant, and what else tells it from others
	Solver, Variant       string
	Least, Most           int // cities
	Fixed, Live, Schedule []string
	Turn                  func(n int) // of conform.Shapes
	Iterations            int         // 200 when 0
}

// Table is what [conform.CheckShapes] takes.
func (s Shapes) Table() conform.Shapes {
	fixed, live := conform.Among(s.Fixed...), conform.Among(s.Live...)
	schedule := conform.Among(s.Schedule...)
	return conform.Shapes{
		Solver: s.Solver, Variant: s.Variant, Iterations: s.Iterations, Turn: s.Turn,
		Draw: func(d *conform.Draws) (datasets.Instance, record.Values, error) {
			inst, err := Plane(d, s.Least, s.Most)
			params := d.All(fixed)
			for name, v := range d.All(live) {
				params[name] = v
			}
			return inst, params, err
		},
		Live: func(d *conform.Draws, _ datasets.Instance) record.Values { return d.Some(live) },
		Schedule: func(d *conform.Draws, _ datasets.Instance) record.Values {
			return d.Some(schedule)
		},
	}
}

// Plane draws cities, spread out or in clusters, on a lattice that is fine or has many ties, with a
// metric that GPUs compute.
func Plane(d *conform.Draws, least, most int) (*datasets.TSP, error) {
	n := d.Int(least, most)
	if d.OneIn(2) {
		n = conform.One(d, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 255, 256, 257) + d.Int(0, 1)
	}
	n = min(max(n, least), most)
	e, err := datasets.DIMACS(n >= 100 && d.OneIn(2), max(n, 10), d.Int(1, 99))
	if err != nil {
		return nil, err
	}
	spread := conform.One(d, 20.0, 300, 5000, 60000, 1e6)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(int(e.X[i]*spread/1e6)), float64(int(e.Y[i]*spread/1e6))
	}
	metric := conform.One(d, datasets.Euc2D, datasets.Ceil2D, datasets.Att)
	return datasets.NewTSP(fmt.Sprintf("plane-%d-%v-%v", n, metric, spread), metric, x, y)
}

// OnDevice changes launches of all tables at random on a GPU.
func OnDevice(t *testing.T, tables []Shapes) {
	Need(t)
	for _, s := range tables {
		t.Run(s.Name, func(t *testing.T) { conform.CheckShapes(t, s.Table()) })
	}
}

// OnCPU looks on the CPU that all that the tables draw is legal, and that no change of how work is
// shared out changes a result there.
func OnCPU(t *testing.T, tables []Shapes) {
	for _, s := range tables {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			c := s.Table()
			c.Backend, c.Cases, c.Iterations, c.Turn = "cpu", 3, 20, nil
			if testing.Short() {
				c.Cases = 1
			}
			conform.CheckShapes(t, c)
		})
	}
}
