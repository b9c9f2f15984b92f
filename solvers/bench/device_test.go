package bench_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/bench"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// clocked is an algorithm with a device that tunes for five iterations and then walks in 3 ms, or
// in 30 ms in every fifth iteration; a whole iteration takes 4 ms.
type clocked struct {
	inst datasets.Instance
	it   int64
	on   bool
	ants int
}

func (c *clocked) Declare(t *solvers.Params) {
	c.ants = 20
	t.Int(&c.ants, record.Param{
		Name: "ants", Class: record.Live, Min: 1, Max: 100, Step: 1, Unit: "ants", Doc: "Number of ants.",
		Effect: "none",
	})
}

func (c *clocked) Init(*solvers.Env) error { return nil }
func (c *clocked) Measures() []string      { return nil }

func (c *clocked) Best() float64 {
	v, err := solvers.Cost(c.inst, c.Solution())
	if err != nil {
		panic(err)
	}
	return v
}

// Solution is the tour in the order of the cities.
func (c *clocked) Solution() (s record.Solution) {
	for i := range c.inst.Size() {
		s.Perm = append(s.Perm, int32(i))
	}
	return s
}

func (c *clocked) Snapshot(*solvers.Writer)      {}
func (c *clocked) Restore(*solvers.Reader) error { return nil }
func (c *clocked) Close()                        {}
func (c *clocked) Time(on bool) bool {
	c.on = on
	return true
}

func (c *clocked) Iterate(_ context.Context, it int64, _ *record.Point) error {
	c.it = it
	return nil
}

func (c *clocked) Spans() []solvers.Span {
	if !c.on {
		return nil
	}
	walk := 3 * time.Millisecond
	if c.it%5 == 0 {
		walk *= 10
	}
	if c.it <= 5 {
		walk = time.Second
	}
	return []solvers.Span{
		{Name: "construct", Time: walk}, {Name: "iteration", Time: 4 * time.Millisecond},
	}
}

func (c *clocked) Waves() []solvers.Wave {
	return []solvers.Wave{{What: "construct", Trials: make([]wave.Trial, 1), Tuned: c.it >= 5}}
}

func init() {
	solvers.Register(solvers.Variant{
		Solver: "clocked", Name: "one", Backend: "clocked", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP},
		Title: "An algorithm with a clock", Source: "this test", Layout: "it draws nothing",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return &clocked{inst: inst}, nil
		},
	})
}

func TestSpansAreMeasured(t *testing.T) {
	t.Parallel()
	row := func(span string) bench.Row {
		return bench.Row{
			What: span, Solver: "clocked", Backend: "clocked", Instance: "rand-60-1",
			Stop: bench.Stop{Iterations: 10}, Seeds: 2,
			Measure: bench.Device, Span: span,
		}
	}
	ofSize := row("construct") // 60 cities, 20 ants
	ofSize.PerSize = true
	out, err := bench.Run(
		t.Context(),
		bench.Table{
			Name: "spans",
			Rows: []bench.Row{
				row("construct"), row("iteration"), row("iteration/construct"), row("iteration-construct"),
				ofSize, row("nap"),
			},
		},
		bench.Options{},
	)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{3, 4, 4. / 3, 1, 9} {
		if o := out[i]; o.Err != nil || len(o.Values) != 2 || o.Values[0] != want || o.Unit() != "ms" {
			t.Errorf("%s: %v %s, %v; want %v", o.Row.What, o.Values, o.Unit(), o.Err, want)
		}
	}
	if o := out[5]; o.Err == nil || !strings.Contains(o.Err.Error(), `no span "nap"`) {
		t.Errorf("%v", o.Err)
	}
}
