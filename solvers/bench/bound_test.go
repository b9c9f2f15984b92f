package bench

import (
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers/record"
)

// The bound of a scan is the counted work over what an H200 does in a second.
func TestBound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		instance string
		params   record.Values
		want     float64 // microseconds; 0: none is known
	}{
		{"ppp-101x117-1", record.Of("neighbourhood", "hamming2"), 6786 * 2 * 101 / 33454.08},
		{"ppp-101x117-1", record.Of("neighbourhood", "hamming3"), 0},
		{
			"weierstrass-10", record.Of("neighbourhood", "ball", "neighbours", 10000),
			10000 * 10 * 101 / 4181760.,
		},
		{"tai10a", record.Of("neighbourhood", "swap", "evaluation", "incremental"), 0},
		{"tai10a", record.Of("neighbourhood", "swap", "evaluation", "linear"), 45 * 10 * 6 / 16727040.},
	} {
		inst, err := datasets.Load(c.instance)
		if err != nil {
			t.Fatal(err)
		}
		got, err := bound(inst, c.params)
		want := c.want
		if c.instance == "ppp-101x117-1" {
			want /= 1e3
		}
		if (err != nil) != (c.want == 0) || math.Abs(got*1e6-want) > 1e-9*want {
			t.Errorf("%s %v: %v us, %v, want %v", c.instance, c.params, got*1e6, err, want)
		}
	}
}
