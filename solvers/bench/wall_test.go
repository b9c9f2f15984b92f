package bench_test

import (
	"testing"

	"metalab/solvers/bench"
)

// TestFromFile: a stop by the wall ends a run, and every measure that goes with it has a figure.
func TestFromFile(t *testing.T) {
	t.Parallel()
	row := func(m bench.Measure, stop bench.Stop, instance string, before int) bench.Row {
		return bench.Row{
			What: string(m), Solver: "ils", Variant: "tiles", Instance: instance, Stop: stop, Seeds: 1,
			Measure: m, Before: before,
		}
	}
	out, err := bench.Run(t.Context(), bench.Table{Name: "wall", Rows: []bench.Row{
		row(bench.Gap, bench.Stop{Wall: 0.05}, "E1k.0", 0),
		row(bench.Best, bench.Stop{Wall: 0.05}, "rand-60-1", 0),
		row(bench.Seconds, bench.Stop{Wall: 0.05}, "rand-60-1", 0),
		row(bench.Memory, bench.Stop{Wall: 600, Iterations: 1}, "rand-60-1", 0),
		row(bench.PerSecond, bench.Stop{Wall: 600, Iterations: 9}, "rand-60-1", 2),
		row(bench.Gap, bench.Stop{Wall: 0.01}, "rand-60-1", 0), // no best known value
	}}, bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range out {
		if last := i == len(out)-1; last != (o.Err != nil) || !last && !(o.Values[0] > 0) {
			t.Errorf("%s: %v, %v", o.Row.What, o.Values, o.Err)
		}
	}
	if v := out[2].Values[0]; v < 0.05 {
		t.Errorf("a run of 0.05 s took %v", v)
	}
}
