package view_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"metalab/kernel/view"
	"metalab/kernel/view/cells"
)

// sample is n values around a middle.
func sample(name string, n, k int, middle float64) view.Sample {
	s := view.Sample{Name: name}
	for i := range n {
		s.Values = append(s.Values, middle*(1+0.2*wave(i+1, k)+0.1*wave(i+1, k+5)))
	}
	return s
}

// series is n curves that fall to a middle.
func series(name string, n, k int, middle float64) view.Series {
	s := view.Series{Name: name}
	for i := range n {
		var t view.Trace
		for j := range 30 {
			x := float64(1 + j*j + i%3)
			t.X = append(t.X, x)
			t.Y = append(t.Y, middle*(1+20/x+0.2*wave(i+1, k)))
		}
		s.Runs = append(s.Runs, t)
	}
	return s
}

// trials is a tuning of n configurations.
func trials(n int) view.Trials {
	t := view.Trials{Name: "gap (%)", Params: []view.Dimension{
		{Name: "q0"},
		{Name: "ants", Log: true},
		{Name: "local_search", Labels: []string{"none", "2opt", "3opt"}},
	}}
	for i := range n {
		q0, ants, ls := 0.5+0.5*math.Abs(wave(i, 3)), math.Round(4*math.Exp2(6*math.Abs(wave(i, 7)))), i%3
		t.Params[0].Values = append(t.Params[0].Values, q0)
		t.Params[1].Values = append(t.Params[1].Values, ants)
		t.Params[2].Values = append(t.Params[2].Values, float64(ls))
		t.Result = append(t.Result, 3-float64(ls)+4*(1-q0)+0.01*ants)
	}
	return t
}

// Where higher is better, the best trial is the highest.
func TestParallelMaximised(t *testing.T) {
	t.Parallel()
	for maximise, want := range map[bool]string{true: "q: 1 to 3, of the best 2", false: "best 3"} {
		p, err := view.Look{}.Parallel(view.Labels{}, view.Trials{
			Name: "value", Result: []float64{81, 82, 80}, Maximise: maximise,
			Params: []view.Dimension{{Name: "q", Values: []float64{1, 2, 3}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := string(render(t, p, view.Sink{Graphics: view.None}))
		if !strings.Contains(got, want) {
			t.Errorf("maximised %v: %s, want %q", maximise, got, want)
		}
	}
}

// studies are the figures of experiments kept as golden files.
func studies(t testing.TB) map[string]*plot.Plot {
	t.Helper()
	l := view.Look{}
	inf := math.Inf(1)
	gap := view.Labels{Title: "gap of 30 seeds on d198, 10 s each", Y: "gap (%)"}
	boxes := []view.Sample{
		sample("acs/seq", 30, 3, 2),
		sample("mmas/2opt", 20, 5, 1.2), sample("ils/queue", 44, 7, 0.8),
		sample("acs/spm-alt", 30, 11, 2.2), sample("as", 8, 13, 3.5),
	}
	length := func(name string, missing int, middle float64) view.Sample {
		s := sample(name, 40-missing, 3, middle)
		for range missing {
			s.Values = append(s.Values, inf)
		}
		for i := range s.Values {
			s.Values[i] *= math.Exp2(4 * wave(i, 9))
		}
		return s
	}
	ratios := func(name string, k int) view.Sample {
		s := view.Sample{Name: name}
		for i := range 20 {
			s.Values = append(s.Values, math.Exp2(max(0, 3*wave(i, k))))
		}
		s.Values[19] = inf
		return s
	}
	p := [][]float64{
		{1, 0.4, 0.03, 0.001},
		{0.4, 1, 0.2, 0.01},
		{0.03, 0.2, 1, 0.06},
		{0.001, 0.01, 0.06, 1},
	}
	nan := math.NaN()
	against := func(name string, scale float64) view.Response {
		r := view.Response{Name: name, X: []float64{1, 2, 4, 8, 16}}
		for i, x := range r.X {
			r.Values = append(r.Values, sample("", 10, 3+i, scale*(1+0.1*math.Abs(x-4))).Values)
		}
		return r
	}
	figs := map[string]*plot.Plot{}
	for name, f := range map[string]func() (*plot.Plot, error){
		"boxes":   func() (*plot.Plot, error) { return l.BoxPlot(gap, boxes...) },
		"violins": func() (*plot.Plot, error) { return l.ViolinPlot(gap, boxes...) },
		"medians": func() (*plot.Plot, error) {
			return l.Medians(view.Labels{Title: "medians", X: "time (s)", Y: "gap (%)", LogX: true},
				series("acs", 9, 3, 2), series("mmas", 7, 5, 1))
		},
		"ecdf": func() (*plot.Plot, error) {
			return l.ECDF(view.Labels{Title: "within 1 % of the best known", X: "iterations", LogX: true},
				length("acs", 6, 300), length("mmas", 0, 900), length("as", 30, 2000))
		},
		"profile": func() (*plot.Plot, error) {
			return l.Profile(view.Labels{Title: "performance profile over 20 instances"},
				ratios("acs", 3), ratios("mmas", 5), ratios("ils", 7))
		},
		"ranks": func() (*plot.Plot, error) {
			return l.Ranks(view.Labels{Title: "mean ranks over 14 data sets"}, view.Ranking{
				Names: []string{"C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"},
				Ranks: []float64{3.143, 2.000, 2.893, 1.964}, Distance: 1.25,
			})
		},
		"holm": func() (*plot.Plot, error) {
			return l.Ranks(view.Labels{Title: "mean ranks over 6 instances"}, view.Ranking{
				Names: []string{"ils/queue", "mmas", "acs/seq", "a solver with quite a long name"},
				Ranks: []float64{1.2, 1.9, 3.1, 3.8}, P: p,
			})
		},
		"grid": func() (*plot.Plot, error) {
			return l.Heat(view.Labels{Title: "median gap (%) of 10 seeds", X: "ants", Y: "q0"}, view.Grid{
				X: []string{"8", "16", "32", "64"}, Y: []string{"0.5", "0.9", "0.98"},
				Values: [][]float64{{4.125, 3.5, 3.2, 3.1}, {2.5, 2.1, 1.95, nan}, {2, 1.5, 1.25, 1.4}},
			})
		},
		"response": func() (*plot.Plot, error) {
			return l.Response(view.Labels{Title: "ACS", X: "local_period", Y: "gap (%)", LogX: true},
				against("d198", 1), against("pcb442", 2.5))
		},
		"speedup": func() (*plot.Plot, error) {
			return l.Speedup(view.Labels{Title: "cuda against cpu at equal results", X: "cities"},
				view.Response{
					Name: "acs", X: []float64{198, 442, 1002, 5934},
					Values: [][]float64{{0.6, 0.7}, {2.2, 2.5}, {9, 10}, {41, 45}},
				},
				view.Response{Name: "mmas", X: []float64{198, 1002}, Values: [][]float64{{1.2}, {14}}})
		},
		"parallel": func() (*plot.Plot, error) {
			return l.Parallel(view.Labels{Title: "tuning of ACS"}, trials(60))
		},
		"importance": func() (*plot.Plot, error) {
			return l.Importance(view.Labels{Title: "importance of 60 trials"}, view.Share{"q0", 0.25},
				view.Share{"local_search", 0.61}, view.Share{"ants", 0.12}, view.Share{"beta", 0.02})
		},
	} {
		p, err := f()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		figs[name] = p
	}
	return figs
}

func TestGoldenStudies(t *testing.T) {
	t.Parallel()
	for name, p := range studies(t) {
		golden(t, "study/"+name+".svg",
			render(t, p, view.Sink{Graphics: view.SVG, Size: view.Size{W: 360, H: 240}}), sameNumbers)
		golden(t, "study/"+name+".txt",
			render(t, p, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 24}), bytes.Equal)
		golden(t, "study/"+name+".words", render(t, p, view.Sink{Graphics: view.None}), bytes.Equal)
	}
	golden(t, "study/grid.ansi", render(t, studies(t)["grid"],
		view.Sink{Graphics: view.Cells, Cols: 60, Rows: 16, Depth: cells.True}), bytes.Equal)
}

// Every figure of a study can be drawn into every sink, however small.
func TestStudiesDrawEverywhere(t *testing.T) {
	t.Parallel()
	for name, p := range studies(t) {
		for _, s := range sinks() {
			if got := render(t, p, s); len(got) == 0 {
				t.Errorf("%s: nothing from %s", name, s.Graphics)
			}
		}
	}
}

// Groups are as large as can be, none within another, and of neighbours in rank.
func TestRankGroups(t *testing.T) {
	t.Parallel()
	r := view.Ranking{Names: []string{"d", "a", "c", "b"}, Ranks: []float64{3.5, 1, 2.6, 1.9}}
	for _, c := range []struct {
		distance float64
		want     string
	}{
		{0.7, "critical distance 0.7\nall differ significantly\n"},
		{0.91, "different: a, b\nnot significantly different: b, c\nnot significantly different: c, d\n"},
		{1.7, "different: a, b, c\nnot significantly different: b, c, d\n"},
		{2.6, "different: a, b, c, d\n"},
	} {
		r.Distance = c.distance
		p, err := view.Look{}.Ranks(view.Labels{}, r)
		if got := said(t, p, err); !strings.HasSuffix(got, c.want) {
			t.Errorf("distance %v: %q lacks %q", c.distance, got, c.want)
		}
	}
	// b is as good as a and as c, but a and c differ.
	r.P = [][]float64{
		{1, 0.01, 0.5, 0.01},
		{0.01, 1, 0.01, 0.2},
		{0.5, 0.01, 1, 0.3},
		{0.01, 0.2, 0.3, 1},
	}
	p, err := view.Look{}.Ranks(view.Labels{}, r)
	want := "different: a, b\nnot significantly different: b, c\nnot significantly different: c, d\n"
	if got := said(t, p, err); !strings.HasSuffix(got, want) {
		t.Errorf("p-values: %q lacks %q", got, want)
	}
}

// A critical distance that takes the whole axis has its number left of it.
func TestLongDistance(t *testing.T) {
	t.Parallel()
	p, err := view.Look{}.Ranks(view.Labels{}, view.Ranking{
		Names: []string{"ants=10 and q0=0.5", "LKH", "as"}, Ranks: []float64{1, 2, 3}, Distance: 1.97,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := string(render(t, p, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 10}))
	if bar, _, _ := strings.Cut(got, "\n"); !strings.Contains(bar, "critical distance 1.97") {
		t.Errorf("the bar has no number: %s", got)
	}
}

// A run that never reached the target counts, and is never reached.
func TestSharesOfFailures(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	p, err := view.Look{}.ECDF(view.Labels{X: "iterations"},
		view.Sample{Name: "a", Values: []float64{10, inf, 30, 20}},
		view.Sample{Name: "b", Values: []float64{inf, inf, 40}},
		view.Sample{Name: "c", Values: []float64{inf}})
	want := "a: 3 of 4 runs, 50 % at 20, most at 30\nb: 1 of 3 runs, 33.3 % at 40, most at 40\n" +
		"c: 0 of 1 run\n"
	if got := said(t, p, err); !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
}

// What contradicts itself is an error that says where; what is empty is an empty figure.
func TestStudyContradictions(t *testing.T) {
	t.Parallel()
	l, w := view.Look{}, view.Labels{}
	two := view.Look{Legend: []string{"x", "y"}}
	for want, f := range map[string]func() (*plot.Plot, error){
		"legend has 2 names, and the figure has 1 group: want 1": func() (*plot.Plot, error) {
			return two.BoxPlot(w, sample("a", 3, 1, 1))
		},
		`run 1 of "a" goes back from 2 to 1 at point 1`: func() (*plot.Plot, error) {
			back := view.Trace{X: []float64{2, 1}, Y: []float64{0, 0}}
			return l.Medians(w, view.Series{Name: "a", Runs: []view.Trace{back}})
		},
		`ratio 2 of "a" is 0.5, want 1 or more`: func() (*plot.Plot, error) {
			return l.Profile(w, view.Sample{Name: "a", Values: []float64{1, 0.5}})
		},
		`the mean rank of "a" is 3, want 1 to 1`: func() (*plot.Plot, error) {
			return l.Ranks(w, view.Ranking{Names: []string{"a"}, Ranks: []float64{3}})
		},
		"row 1 of a grid has 1 values, want 2": func() (*plot.Plot, error) {
			return l.Heat(w, view.Grid{X: []string{"1", "2"}, Y: []string{"3"}, Values: [][]float64{{4}}})
		},
		`place 2 of "a" is 1 after 2, want places that increase`: func() (*plot.Plot, error) {
			return l.Response(w, view.Response{Name: "a", X: []float64{2, 1}, Values: make([][]float64, 2)})
		},
		`a speed-up of "a" at place 1 is 0, want above 0`: func() (*plot.Plot, error) {
			return l.Speedup(w, view.Response{Name: "a", X: []float64{2}, Values: [][]float64{{0}}})
		},
		`"q0" of trial 1 is 0, want above 0 on a logarithmic scale`: func() (*plot.Plot, error) {
			return l.Parallel(w, view.Trials{
				Result: []float64{1},
				Params: []view.Dimension{{Name: "q0", Values: []float64{0}, Log: true}},
			})
		},
		`the share of "a" is 2, want 0 to 1`: func() (*plot.Plot, error) {
			return l.Importance(w, view.Share{"a", 2})
		},
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	nan := []float64{math.NaN(), math.Inf(1)}
	for name, f := range map[string]func() (*plot.Plot, error){
		"box":     func() (*plot.Plot, error) { return l.BoxPlot(w, view.Sample{Values: nan}) },
		"violin":  func() (*plot.Plot, error) { return l.ViolinPlot(w) },
		"medians": func() (*plot.Plot, error) { return l.Medians(w, view.Series{Name: "a"}) },
		"ecdf":    func() (*plot.Plot, error) { return l.ECDF(w, view.Sample{Values: nan}) },
		"ranks":   func() (*plot.Plot, error) { return l.Ranks(w, view.Ranking{}) },
		"heat":    func() (*plot.Plot, error) { return l.Heat(w, view.Grid{}) },
		"response": func() (*plot.Plot, error) {
			return l.Response(w, view.Response{X: []float64{1}, Values: [][]float64{nan}})
		},
		"parallel":   func() (*plot.Plot, error) { return l.Parallel(w, view.Trials{Result: nan[:1]}) },
		"importance": func() (*plot.Plot, error) { return l.Importance(w) },
	} {
		p, err := f()
		if got := said(t, p, err); !strings.Contains(got, " to draw\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
	// One value, and equal values, are figures like others.
	for _, v := range [][]float64{{5}, {5, 5, 5}, {0}, {-3, -3}, {math.MaxFloat64, -math.MaxFloat64}} {
		s := view.Sample{Name: "a", Values: v}
		for name, f := range map[string]func(view.Labels, ...view.Sample) (*plot.Plot, error){
			"box": l.BoxPlot, "violin": l.ViolinPlot, "ecdf": l.ECDF,
		} {
			p, err := f(view.Labels{LogX: true}, s)
			if err != nil {
				t.Fatal(err)
			}
			if got := render(t, p, view.Sink{Graphics: view.Cells}); len(got) == 0 {
				t.Errorf("%s of %v: nothing", name, v)
			}
		}
	}
}
