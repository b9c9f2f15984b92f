package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"metalab/solvers/stats"
)

// vector is a value by another program, with the command that made it.
type vector struct {
	Test, Source string
	Want         []float64
	X, Y         []float64
	Groups       [][]float64
	Q            float64
	K            int
}

func results(t stats.Test, err error) ([]float64, error) { return []float64{t.Statistic, t.P}, err }

func interval(e stats.Estimate, err error) ([]float64, error) {
	return []float64{e.Value, e.Low, e.High}, err
}

func mean(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s / float64(len(x))
}

// by computes a vector here.
var by = map[string]func(v *vector) ([]float64, error){
	"mannwhitney": func(v *vector) ([]float64, error) { return results(stats.MannWhitney(v.X, v.Y)) },
	"wilcoxon": func(v *vector) ([]float64, error) {
		return results(stats.Wilcoxon(v.X, v.Y, stats.DropZeros))
	},
	"wilcoxon-pratt": func(v *vector) ([]float64, error) {
		return results(stats.Wilcoxon(v.X, v.Y, stats.Pratt))
	},
	"kruskal": func(v *vector) ([]float64, error) { return results(stats.KruskalWallis(v.Groups...)) },
	"friedman": func(v *vector) ([]float64, error) {
		r, err := stats.Friedman(v.Groups)
		return []float64{r.Chi.Statistic, r.Chi.P}, err
	},
	"iman-davenport": func(v *vector) ([]float64, error) {
		r, err := stats.Friedman(v.Groups)
		return []float64{r.F.Statistic, r.F.P}, err
	},
	"range": func(v *vector) ([]float64, error) { return []float64{stats.Range(v.Q, v.K)}, nil },
	"range-quantile": func(v *vector) ([]float64, error) {
		return []float64{stats.RangeQuantile(v.Q, v.K)}, nil
	},
	"holm":     func(v *vector) ([]float64, error) { return stats.Holm(v.X), nil },
	"hochberg": func(v *vector) ([]float64, error) { return stats.Hochberg(v.X), nil },
	"finner":   func(v *vector) ([]float64, error) { return stats.Finner(v.X), nil },
	"shift":    func(v *vector) ([]float64, error) { return interval(stats.Shift(v.X, v.Y, v.Q)) },
	"shift-of-pairs": func(v *vector) ([]float64, error) {
		return interval(stats.ShiftOfPairs(v.X, v.Y, v.Q))
	},
	"cliff": func(v *vector) ([]float64, error) { return interval(stats.CliffsDelta(v.X, v.Y, v.Q)) },
	"bootstrap-mean": func(v *vector) ([]float64, error) {
		return interval(stats.Bootstrap(func(s ...[]float64) float64 { return mean(s[0]) },
			stats.Resampling{Seed: 7, Draws: 999}, v.X))
	},
	"bootstrap-difference": func(v *vector) ([]float64, error) {
		return interval(stats.Bootstrap(func(s ...[]float64) float64 { return mean(s[0]) - mean(s[1]) },
			stats.Resampling{Seed: 7, Draws: 999}, v.X, v.Y))
	},
}

// What is computed here agrees with scipy and R to 1e-10.
func TestVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for i, v := range all {
		tried[v.Test] = true
		got, err := by[v.Test](&v)
		if err != nil {
			t.Errorf("vector %d, %s: %v", i, v.Test, err)
			continue
		}
		for j, want := range v.Want {
			if d := math.Abs(got[j] - want); !(d <= 1e-10*max(1, math.Abs(want))) {
				t.Errorf("vector %d, %s, value %d is %.15g, want %.15g (%s)", i, v.Test, j, got[j], want,
					v.Source)
			}
		}
	}
	for name := range by {
		if !tried[name] {
			t.Errorf("no vector for %s", name)
		}
	}
}
