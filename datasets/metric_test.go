package datasets_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
)

func TestMetricKeywords(t *testing.T) {
	t.Parallel()
	for m := datasets.Explicit; m <= datasets.XRay2; m++ {
		got, err := datasets.ParseMetric(m.String())
		if err != nil || got != m {
			t.Errorf("ParseMetric(%q) = %v, %v", m.String(), got, err)
		}
	}
	if _, err := datasets.ParseMetric("SPECIAL"); err == nil ||
		!strings.Contains(err.Error(), "documentation") {
		t.Errorf("SPECIAL is refused with %v", err)
	}
	if _, err := datasets.ParseMetric("EUC_4D"); err == nil {
		t.Error("EUC_4D is taken")
	}
}

// Distances worked out by hand from the rules of TSPLIB95.
func TestDistances(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		metric datasets.Metric
		a, b   [3]float64
		want   int32
	}{
		{datasets.Euc2D, [3]float64{0, 0}, [3]float64{3, 4}, 5},
		{datasets.Euc2D, [3]float64{0, 0}, [3]float64{0, 2.5}, 3},           // halves up
		{datasets.Euc2D, [3]float64{0, 0}, [3]float64{1, 1}, 1},             // 1.41
		{datasets.Euc2D, [3]float64{-1e6, 0}, [3]float64{1e6, 0}, 2e6},      //
		{datasets.Ceil2D, [3]float64{0, 0}, [3]float64{1, 1}, 2},            // 1.41
		{datasets.Ceil2D, [3]float64{0, 0}, [3]float64{3, 4}, 5},            //
		{datasets.Man2D, [3]float64{0, 0}, [3]float64{-1.25, 1.25}, 3},      // 2.5
		{datasets.Max2D, [3]float64{0, 0}, [3]float64{1.4, -2.5}, 3},        //
		{datasets.Att, [3]float64{0, 0}, [3]float64{10, 0}, 4},              // 3.16 rounds down, so up
		{datasets.Att, [3]float64{0, 0}, [3]float64{12, 0}, 4},              // 3.79 rounds up
		{datasets.Euc3D, [3]float64{0, 0, 0}, [3]float64{2, 3, 6}, 7},       //
		{datasets.Man3D, [3]float64{0, 0, 0}, [3]float64{1, -2, 3}, 6},      //
		{datasets.Max3D, [3]float64{0, 0, 0}, [3]float64{1, -2, 3.6}, 4},    //
		{datasets.XRay1, [3]float64{10, 0, 0}, [3]float64{355, 9, 1}, 1500}, // 15 the short way round
		{datasets.XRay1, [3]float64{0, 0, 0}, [3]float64{1, 2, 30.1}, 3010},
		{datasets.XRay2, [3]float64{10, 0, 0}, [3]float64{355, 9, 1}, 1200}, // 15/1.25
		{datasets.XRay2, [3]float64{0, 0, 0}, [3]float64{1, 9, 1}, 600},     // 9/1.5
		{datasets.XRay2, [3]float64{0, 0, 0}, [3]float64{1, 1, 2.3}, 200},   // 2.3/1.15
		// half the equator, pi 3.141592
		{datasets.Geo, [3]float64{0, 0}, [3]float64{0, 180}, 20039},
		{datasets.Geo, [3]float64{0, 0}, [3]float64{0, 0}, 1}, // the rule adds 1
		// ulysses16, cities 1 and 2
		{datasets.Geo, [3]float64{38.24, 20.42}, [3]float64{39.57, 26.15}, 509},
	} {
		x, y, z := []float64{tt.a[0], tt.b[0]}, []float64{tt.a[1], tt.b[1]}, []float64{tt.a[2], tt.b[2]}
		p, err := datasets.NewTSP("two", tt.metric, x, y)
		if tt.metric.Dim() == 3 {
			p, err = datasets.NewTSP3D("two", tt.metric, x, y, z)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !p.Coordinates() {
			t.Errorf("%s does not count as computed from coordinates", tt.metric)
		}
		if got, back := p.Dist(0, 1), p.Dist(1, 0); got != tt.want || back != tt.want {
			t.Errorf("%s from %v to %v is %d and %d, want %d", tt.metric, tt.a, tt.b, got, back, tt.want)
		}
	}
}

// The TSPLIB95 manual gives the lengths of the tour 1, 2, …, n.
func TestCanonicalTours(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	for name, want := range map[string]int64{"pcb442": 221440, "gr666": 423710, "att532": 309636} {
		p := readTSP(t, filepath.Join(dir, "tsplib", name+".tsp"))
		tour := make([]int32, p.N)
		for i := range tour {
			tour[i] = int32(i)
		}
		if got, err := p.Length(tour); err != nil || got != want {
			t.Errorf("%s: the canonical tour has length %d (%v), want %d", name, got, err, want)
		}
	}
}

// Our own cosine and arc cosine give the distances that package math gives.
func TestGeoAgreesWithMath(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	rad := func(v float64) float64 {
		deg := math.Trunc(v)
		return 3.141592 * (deg + 5*(v-deg)/3) / 180
	}
	for _, name := range []string{"burma14", "gr137", "gr202", "gr229", "gr431", "ali535", "gr666"} {
		p := readTSP(t, filepath.Join(dir, "tsplib", name+".tsp"))
		for i := range p.N {
			for j := range i {
				q1 := math.Cos(rad(p.Y[i]) - rad(p.Y[j]))
				q2 := math.Cos(rad(p.X[i]) - rad(p.X[j]))
				q3 := math.Cos(rad(p.X[i]) + rad(p.X[j]))
				c := min(1, max(-1, 0.5*((1+q1)*q2-(1-q1)*q3)))
				exact := 6378.388*math.Acos(c) + 1
				if got := p.Dist(i, j); got != int32(exact) && math.Abs(exact-math.Round(exact)) > 1e-9*exact {
					t.Fatalf("%s: distance of %d and %d is %d, math has %v", name, i, j, got, exact)
				}
			}
		}
	}
}

func TestConstructorsRefuse(t *testing.T) {
	t.Parallel()
	one, two := []float64{0}, []float64{0, 1}
	far := []float64{0, 3e9}
	points := func(m datasets.Metric, x, y []float64) error {
		_, err := datasets.NewTSP(
			"p", m, x, y,
		)
		return err
	}
	matrix := func(n int, asym bool, d ...int32) error {
		_, err := datasets.NewMatrixTSP(
			"p", n, d, asym,
		)
		return err
	}
	for name, err := range map[string]error{
		"no cities":         points(datasets.Euc2D, nil, nil),
		"unequal":           points(datasets.Euc2D, one, two),
		"matrix metric":     points(datasets.Explicit, two, two),
		"three dimensions":  points(datasets.Euc3D, two, two),
		"NaN":               points(datasets.Euc2D, []float64{0, math.NaN()}, two),
		"infinite":          points(datasets.Euc2D, two, []float64{0, math.Inf(-1)}),
		"too far":           points(datasets.Euc2D, far, []float64{0, 0}),
		"range overflows":   points(datasets.Man2D, []float64{-1e308, 1e308}, two),
		"far by ceil":       points(datasets.Ceil2D, []float64{0, 1<<31 - 1}, []float64{0, 0}),
		"not degrees":       points(datasets.Geo, []float64{0, 400}, two),
		"matrix too short":  matrix(2, false, 0, 1, 1),
		"negative distance": matrix(2, true, 0, -1, 1, 0),
		"not symmetric":     matrix(2, false, 0, 1, 2, 0),
		"no matrix":         matrix(0, false),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "datasets: ") {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	// Each width counts: alone it is in range, with the others it is not; and a little less is.
	for _, c := range []struct {
		metric     datasets.Metric
		x, y, z    float64
		inside     float64 // a factor that brings it into range
		dimensions int
	}{
		{datasets.Man2D, 1.5e9, 1.5e9, 0, .7, 2},
		{datasets.Max2D, 1.5e9, 2.2e9, 0, .9, 2},
		{datasets.Euc2D, 1.6e9, 1.6e9, 0, .9, 2},
		{datasets.Att, 1.6e9, 1.6e9, 0, .9, 2},
		{datasets.Man3D, 8e8, 8e8, 8e8, .8, 3},
		{datasets.Max3D, 1, 1, 2.2e9, .9, 3},
		{datasets.Euc3D, 1.3e9, 1.3e9, 1.3e9, .9, 3},
		{datasets.XRay1, 2.2e7, 1, 1, .9, 3},
		{datasets.XRay1, 1, 2.2e7, 1, .9, 3},
		{datasets.XRay2, 1, 1, 2.2e7, .9, 3},
	} {
		try := func(f float64) error {
			x, y, z := []float64{0, f * c.x}, []float64{f * c.y, 0}, []float64{0, f * c.z}
			if c.dimensions == 2 {
				return points(c.metric, x, y)
			}
			_, err := datasets.NewTSP3D("p", c.metric, x, y, z)
			return err
		}
		if err := try(1); err == nil || !strings.Contains(err.Error(), "31 bits") {
			t.Errorf("%s over %g, %g, %g: error is %v", c.metric, c.x, c.y, c.z, err)
		}
		if err := try(c.inside); err != nil {
			t.Errorf("%s over %g times %g, %g, %g: %v", c.metric, c.inside, c.x, c.y, c.z, err)
		}
	}
	if _, err := datasets.NewTSP3D("p", datasets.Euc2D, two, two, two); err == nil {
		t.Error("NewTSP3D takes EUC_2D")
	}
	if err := matrix(2, true, 7, 1, 2, 7); err != nil {
		t.Errorf("asymmetric matrix: %v", err)
	}
}

func TestDistPanicsOnMisuse(t *testing.T) {
	t.Parallel()
	m, err := datasets.NewMatrixTSP("m", 2, []int32{0, 1, 2, 0}, true)
	if err != nil {
		t.Fatal(err)
	}
	if m.Kind() != datasets.KindATSP || m.Dist(0, 1) != 1 || m.Dist(1, 0) != 2 {
		t.Errorf("matrix instance is %s with %d and %d", m.Kind(), m.Dist(0, 1), m.Dist(1, 0))
	}
	for _, ij := range [][2]int{{0, 2}, {-1, 0}, {2, -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Dist(%d, %d) does not panic", ij[0], ij[1])
				}
			}()
			m.Dist(ij[0], ij[1])
		}()
	}
}
