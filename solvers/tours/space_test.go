package tours_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// drawPlane draws an instance in the plane: on a coarse grid (many ties and equal
// places), on a fine one, or in clusters.
func drawPlane(t *rapid.T, minN, maxN int) *datasets.TSP {
	n := rapid.IntRange(minN, maxN).Draw(t, "n")
	metric := rapid.SampledFrom([]datasets.Metric{
		datasets.Euc2D, datasets.Ceil2D, datasets.Att, datasets.Man2D, datasets.Max2D, datasets.Geo,
	}).Draw(t, "metric")
	return drawPoints(t, n, metric)
}

func drawPoints(t *rapid.T, n int, metric datasets.Metric) *datasets.TSP {
	span := rapid.SampledFrom([]int{3, 20, 90}).Draw(t, "span")
	unit := rapid.SampledFrom([]float64{1, 0.37, 1 << 20, 1 << 22}).Draw(t, "unit")
	if metric == datasets.Geo {
		unit = 1
	}
	g := rapid.IntRange(-span, span)
	in := &datasets.TSP{
		Title: "drawn", N: n, Metric: metric, X: make([]float64, n), Y: make([]float64, n),
	}
	for i := range n {
		in.X[i], in.Y[i] = float64(g.Draw(t, "x"))*unit, float64(g.Draw(t, "y"))*unit
	}
	return in
}

// drawMatrix draws an explicit instance, asymmetric or not, with the greatest weight that
// there is for some edges or without.
func drawMatrix(t *rapid.T, minN, maxN int) *datasets.TSP {
	n := rapid.IntRange(minN, maxN).Draw(t, "n")
	in := &datasets.TSP{
		Title: "matrix", N: n, Asymmetric: rapid.Bool().Draw(t, "asymmetric"), Matrix: make([]int32, n*n),
	}
	weight := rapid.Int32Range(0, 30)
	if rapid.Bool().Draw(t, "forbidden edges") {
		weight = rapid.OneOf(weight, rapid.Just(int32(math.MaxInt32)))
	}
	for i := range n {
		for j := range n {
			in.Matrix[i*n+j] = weight.Draw(t, "d")
			if !in.Asymmetric && j < i {
				in.Matrix[i*n+j] = in.Matrix[j*n+i]
			}
		}
	}
	return in
}

// drawSpace draws an instance of any sort and prepares it.
func drawSpace(t *rapid.T, minN, maxN int) (*datasets.TSP, *tours.Space) {
	var in *datasets.TSP
	if rapid.Bool().Draw(t, "explicit") {
		in = drawMatrix(t, minN, maxN)
	} else {
		in = drawPlane(t, minN, maxN)
	}
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	return in, sp
}

func TestSpaceKeepsTheInstance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in, sp := drawSpace(t, 1, 30)
		var length int64
		for i := range int32(sp.N) {
			if sp.Internal[sp.Orig[i]] != i {
				t.Fatalf("Internal[Orig[%d]] is %d", i, sp.Internal[sp.Orig[i]])
			}
			for j := range int32(sp.N) {
				if got, want := sp.D(i, j), in.Dist(int(sp.Orig[i]), int(sp.Orig[j])); got != want {
					t.Fatalf("D(%d, %d) is %d, the instance says %d", i, j, got, want)
				}
			}
		}
		tour := rapid.Permutation(seq(sp.N)).Draw(t, "tour")
		orig := sp.ToInstance(tour)
		if got := sp.FromInstance(orig); !slices.Equal(got, tour) {
			t.Fatalf("to the instance and back: %v became %v", tour, got)
		}
		for i := range orig {
			length += int64(in.Dist(int(orig[i]), int(orig[(i+1)%len(orig)])))
		}
		if got := sp.Length(tour); got != length {
			t.Fatalf("length %d, the instance says %d", got, length)
		}
	})
}

func seq(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// CEIL_2D has a short cut for small integer coordinates: roots just above and at integers decide.
func TestCeilIsExact(t *testing.T) {
	t.Parallel()
	for _, far := range []float64{1, 1 << 10, 1<<22 - 2, 1<<22 - 1, 1 << 22, 1 << 29} {
		in := &datasets.TSP{
			Title: "ceil", N: 4, Metric: datasets.Ceil2D, X: []float64{0, far, 0, far},
			Y: []float64{0, 0, 1, 1},
		}
		sp, err := tours.NewSpace(in)
		if err != nil {
			t.Fatal(err)
		}
		a, b := sp.Internal[0], sp.Internal[1]
		if got := sp.D(a, b); got != int32(far) {
			t.Errorf("from 0 to %v: %d", far, got)
		}
		want := int32(math.Ceil(math.Sqrt(far*far + 1)))
		if got := sp.D(a, sp.Internal[3]); got != want {
			t.Errorf("from (0, 0) to (%v, 1): %d, want %d", far, got, want)
		}
	}
}

func TestNewSpaceRefuses(t *testing.T) {
	t.Parallel()
	big := tours.MaxMatrix + 1
	for name, in := range map[string]*datasets.TSP{
		"nil":     nil,
		"no city": {Title: "x", Metric: datasets.Euc2D},
		"short coordinates": {
			Title: "x", N: 3, Metric: datasets.Euc2D, X: []float64{1, 2}, Y: []float64{1, 2},
		},
		"one coordinate": {Title: "x", N: 2, Metric: datasets.Euc2D, X: []float64{1, 2}},
		"no data":        {Title: "x", N: 3, Metric: datasets.Euc2D},
		"short matrix":   {Title: "x", N: 3, Matrix: make([]int32, 8)},
		"large Manhattan": {Title: "x", N: big, Metric: datasets.Man2D, X: make(
			[]float64, big,
		), Y: make([]float64, big)},
	} {
		if _, err := tours.NewSpace(in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A Hilbert curve visits neighbouring cells one after the other.
func TestNumberingFollowsTheCurve(t *testing.T) {
	t.Parallel()
	const side = 32
	in := &datasets.TSP{Title: "grid", N: side * side, Metric: datasets.Euc2D}
	for i := range side * side {
		in.X, in.Y = append(in.X, float64(i%side)), append(in.Y, float64(i/side))
	}
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	for c := range int32(sp.N - 1) {
		// the cells of a 31-wide box in a 65536-wide square are not all alike
		if d := sp.D(c, c+1); d > 2 {
			t.Fatalf("cities %d and %d are %d apart", c, c+1, d)
		}
	}
}

func ExampleSpace() {
	square := &datasets.TSP{
		Title: "square", N: 4, Metric: datasets.Euc2D,
		X: []float64{0, 10, 0, 10}, Y: []float64{0, 10, 10, 0},
	}
	sp, err := tours.NewSpace(square)
	if err != nil {
		fmt.Println(err)
		return
	}
	tour := sp.FromInstance([]int32{0, 2, 1, 3})
	near := sp.Nearest(2)
	fmt.Println(sp.Length(tour), near.DistOf(sp.Internal[0]))
	// Output: 40 [10 10]
}
