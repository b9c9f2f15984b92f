package view_test

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/cmpimg"

	"metalab/kernel/view"
	"metalab/kernel/view/cells"
)

var update = flag.Bool("update", false, "write the golden files anew")

// figures are the pictures kept as golden files.
func figures(t testing.TB) map[string]*plot.Plot {
	t.Helper()
	small := cities(60)
	lengths := small
	for i := range 200 {
		lengths.Lengths = append(lengths.Lengths, math.Round(1000+60*wave(i, 3)+30*wave(i, 11)))
	}
	optimum := 900.0
	lengths.Best = &optimum
	lengths.Points = run(20).Points[:1]
	lengths.Points[0].Best = 930
	figs := map[string]*plot.Plot{}
	for name, f := range map[string]func() (*plot.Plot, error){
		"best": func() (*plot.Plot, error) { return view.Look{}.Convergence(run(120)) },
		"compare": func() (*plot.Plot, error) {
			return view.Look{}.Convergence(run(120),
				named(run(80), "b"))
		},
		"unknown":   func() (*plot.Plot, error) { return view.Look{}.Convergence(withoutBest(run(120))) },
		"tour":      func() (*plot.Plot, error) { return view.TourMap(small) },
		"trails":    func() (*plot.Plot, error) { return view.PheromoneMap(small) },
		"heat":      func() (*plot.Plot, error) { return view.PheromoneHeat(small) },
		"branching": func() (*plot.Plot, error) { return view.Look{}.Branching(run(120)) },
		"lengths":   func() (*plot.Plot, error) { return view.Lengths(lengths) },
		"band": func() (*plot.Plot, error) {
			return view.Look{}.Convergence(seeded("a", 8, 1),
				seeded("b", 5, 2))
		},
		"box": func() (*plot.Plot, error) {
			return view.Look{}.Box(seeded("a", 8, 1),
				seeded("b", 5, 2))
		},
		"fork": func() (*plot.Plot, error) {
			return view.Look{}.Convergence(run(120),
				forked(run(120), "b", 70))
		},
		"nothing": func() (*plot.Plot, error) {
			return view.Look{}.Convergence(view.Data{Title: "a: acs on pr1002"})
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

func TestGoldenSVG(t *testing.T) {
	t.Parallel()
	for name, p := range figures(t) {
		got := render(t, p, view.Sink{Graphics: view.SVG, Size: view.Size{W: 360, H: 240}})
		golden(t, name+".svg", got, sameNumbers)
	}
}

func TestGoldenCells(t *testing.T) {
	t.Parallel()
	for name, p := range figures(t) {
		golden(t, name+".txt", render(t, p, view.Sink{Graphics: view.Cells, Cols: 80, Rows: 24}),
			bytes.Equal)
	}
	for _, name := range []string{"compare", "heat", "fork"} {
		golden(t, name+".ascii",
			render(t, figures(t)[name], view.Sink{Graphics: view.Cells, Cols: 70, Rows: 20, ASCII: true}),
			bytes.Equal)
	}
	for _, name := range []string{"compare", "heat"} {
		p := figures(t)[name]
		golden(t, name+".ansi",
			render(t, p, view.Sink{Graphics: view.Cells, Cols: 60, Rows: 16, Depth: cells.True}),
			bytes.Equal)
	}
}

func TestGoldenPNG(t *testing.T) {
	t.Parallel()
	near := func(got, want []byte) bool {
		ok, err := cmpimg.EqualApprox("png", got, want, 0.05)
		return err == nil && ok
	}
	for name, p := range figures(t) {
		if name == "nothing" || name == "unknown" {
			continue
		}
		s := view.Sink{Graphics: view.PNG, Size: view.Size{W: 240, H: 160}, DPI: 72}
		golden(t, name+".png", render(t, p, s), near)
	}
	few := view.Sink{Graphics: view.PNG, Size: view.Size{W: 240, H: 160}, DPI: 72, Colors: 32}
	golden(t, "few.png", render(t, figures(t)["tour"], few), near)
	all, small := len(render(t, figures(t)["trails"], view.Sink{Graphics: view.PNG})),
		len(render(t, figures(t)["trails"], view.Sink{Graphics: view.PNG, Colors: 32}))
	if small*2 > all {
		t.Errorf("32 colours take %d bytes, all %d", small, all)
	}
	dark := view.Sink{
		Graphics: view.PNG, Size: view.Size{W: 240, H: 160}, DPI: 72,
		Background: "#1e1e2e",
	}
	golden(t, "dark.png", render(t, figures(t)["compare"], dark), near)
}

// render draws p for s.
func render(t testing.TB, p *plot.Plot, s view.Sink) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := view.Render(&b, p, s); err != nil {
		t.Fatalf("render %s: %v", s.Graphics, err)
	}
	return b.Bytes()
}

// golden compares got with a golden file, which -update writes.
func golden(t *testing.T, name string, got []byte, same func(got, want []byte) bool) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if len(got) > 30_000 {
			t.Errorf("%s has %d bytes, want at most 30000", name, len(got))
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !same(got, want) {
		out := filepath.Join(t.ArtifactDir(), filepath.Base(name))
		_ = os.WriteFile(out, got, 0o644)
		t.Errorf("%s differs from its golden file (got %d bytes, want %d); -update renews it", name,
			len(got), len(want))
	}
}

var numbers = regexp.MustCompile(`-?\d+(\.\d+)?(e-?\d+)?`)

// sameNumbers compares texts: their words exactly, their numbers to 0.05.
func sameNumbers(got, want []byte) bool {
	if !bytes.Equal(numbers.ReplaceAll(got, []byte("#")), numbers.ReplaceAll(want, []byte("#"))) {
		return false
	}
	g, w := numbers.FindAll(got, -1), numbers.FindAll(want, -1)
	for i := range g {
		a, _ := strconv.ParseFloat(string(g[i]), 64)
		b, _ := strconv.ParseFloat(string(w[i]), 64)
		if math.Abs(a-b) > 0.05 {
			return false
		}
	}
	return true
}
