package moves

import (
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"

	"pgregory.net/rapid"
)

// Every neighbour lies in its crown as far as the box allows, where it lay before, and the
// value of the walk is that of the instance.
func TestBallWalks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		inst, err := datasets.NewWeierstrass(n, rapid.SampledFrom([]int{2, 3, 16}).Draw(t, "b"), 0.25, 40)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newBallWalk(inst)
		if err != nil {
			t.Fatal(err)
		}
		count := rapid.IntRange(1, 30).Draw(t, "neighbours")
		radius := rapid.Float64Range(1e-6, 2).Draw(t, "radius")
		single := rapid.Bool().Draw(t, "single")
		w.shape(count, radius, single)
		w.Renew(
			rapid.Uint64().Draw(t, "seed"), rapid.Int64Range(0, 1<<40).Draw(t, "scan"),
			rapid.IntRange(0, 4095).Draw(t, "walk"),
		)
		draws := arith.NewStream(1, 0, 0, 9)
		w.Random(&draws)
		y := make([]float64, n)
		for k, nb := range w.Neighbourhoods() {
			if nb.Size() != int64(count) {
				t.Fatalf("%d neighbours, want %d", nb.Size(), count)
			}
			r := radius
			if k == 1 {
				r = min(4*radius, 2)
			}
			for i := range nb.Size() {
				m := nb.Move(i)
				w.point(m, y)
				var square float64
				inside := true
				for a, v := range y {
					d := v - w.x[a]
					square += d * d
					inside = inside && math.Abs(w.x[a])+r < 1
				}
				far := math.Sqrt(square) / r * float64(count)
				if far > float64(i+1)+1e-6 || inside && far < float64(i)-1e-6 {
					t.Fatalf("neighbour %d of %s is %v crowns away", i, nb.Name(), far)
				}
				cost, err := inst.Cost(y)
				if err != nil || w.Delta(m) != cost-w.Cost() {
					t.Fatalf("delta %v, cost from %v to %v (%v)", w.Delta(m), w.Cost(), cost, err)
				}
				if v := w.value(k, i, m); !single && v != w.Delta(m) ||
					math.Abs(v-w.Delta(m)) > 1e-4*float64(n) {
					t.Fatalf("value %v, delta %v, single precision %v", v, w.Delta(m), single)
				}
			}
			m := nb.Move(nb.Size() / 2)
			after := w.Cost() + w.Delta(m)
			w.Apply(m)
			if c, err := inst.Cost(w.x); err != nil || c != w.Cost() || math.Abs(c-after) > 1e-12 {
				t.Fatalf("after the move %v, the walk says %v, foretold %v (%v)", c, w.Cost(), after, err)
			}
		}
	})
}

// Directions are spread evenly: the mean of their coordinates and of the squares.
func TestDirectionsAreEven(t *testing.T) {
	t.Parallel()
	inst, err := datasets.NewWeierstrass(3, 2, 0.25, 10)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newBallWalk(inst)
	if err != nil {
		t.Fatal(err)
	}
	w.shape(1, 0.5, false)
	const trials = 30000
	var mean, square [3]float64
	y := make([]float64, 3)
	for i := range trials {
		w.Renew(5, int64(i), 0)
		w.point(Move{At: [3]int32{0, none, none}}, y)
		norm := math.Sqrt(y[0]*y[0] + y[1]*y[1] + y[2]*y[2])
		for k, v := range y {
			mean[k] += v / norm / trials
			square[k] += v / norm * v / norm / trials
		}
	}
	for k := range 3 {
		if math.Abs(mean[k]) > 0.02 || math.Abs(square[k]-1.0/3) > 0.01 {
			t.Errorf("coordinate %d of a direction: mean %v, mean square %v", k, mean[k], square[k])
		}
	}
}
