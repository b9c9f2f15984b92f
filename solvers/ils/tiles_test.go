package ils_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func TestTilesKeepsTheLaws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n                      int
		operator, kick, accept string
		candidates             string
	}{
		{9, "or3opt", "walk", "threshold", "near"},
		{61, "or2opt", "segment", "better", "near"},
		{90, "or3opt", "walk", "threshold", "alpha"},
	} {
		t.Run(fmt.Sprint(c.n, c.operator), func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ils", Variant: "tiles", Instance: uniform(t, c.n, 5), Seed: 7,
				Params: record.Values{
					"piece": record.Num(30), "kicks": record.Num(0.3), "chains": record.Num(3),
					"exchange": record.Num(3), "start": record.Text("random"), "descent": record.Text("none"),
					"cuts": record.Num(4), "cooling": record.Num(20), "operator": record.Text(c.operator),
					"kick": record.Text(c.kick), "accept": record.Text(c.accept),
					"candidates": record.Text(c.candidates),
				},
				Ranges: map[string][2]float64{
					"kicks": {0.01, 1}, "width": {1, 20}, "workers": {0, 4}, "cuts": {1, 8}, "piece": {8, 200},
					"exchange": {0, 3}, "cooling": {0, 30},
				},
				Structural: []record.Values{
					{"start": record.Text("greedy"), "chains": record.Num(2)},
					{"neighbours": record.Num(5), "chains": record.Num(5)},
					{"quadrant": record.Bool(false)},
					{"descent": record.Text("oropt")},
					{"start": record.Text("whole"), "descent": record.Text("oropt"), "polish": record.Num(1)},
				},
			})
		})
	}
}

// Every start and few cities are no error, and the best is what it says.
func TestTilesOnAFewCities(t *testing.T) {
	t.Parallel()
	for n := 1; n < 12; n += 1 + n/6 {
		for _, start := range []string{
			"fit", "whole", "parts", "greedy", "boruvka", "nn", "curve", "random",
		} {
			r := tilesOf(t, uniform(t, n, 5), record.Values{
				"start": record.Text(start), "chains": record.Num(2), "piece": record.Num(8),
			})
			if err := r.Step(context.Background(), 4); err != nil {
				t.Errorf("%d cities from %s: %v", n, start, err)
			}
			if _, err := r.Best(context.Background()); err != nil {
				t.Errorf("%d cities from %s: %v", n, start, err)
			}
		}
	}
}

func tilesOf(t *testing.T, in *datasets.TSP, with record.Values) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "tiles", Instance: in, Seed: 1, Params: with,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// On a 6 x 6 grid of side 10 the shortest tour has 36 edges of length 10; in pieces of 12 too.
func TestTilesSolvesASmallInstance(t *testing.T) {
	t.Parallel()
	var x, y []float64
	for i := range 36 {
		x, y = append(x, float64(10*(i%6))), append(y, float64(10*(i/6)))
	}
	in, err := datasets.NewTSP("grid36", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []float64{12, 100} {
		r := tilesOf(t, in, record.Values{
			"piece": record.Num(size), "chains": record.Num(4), "start": record.Text("random"),
			"descent": record.Text("2opt"), "kicks": record.Num(2),
		})
		if err := r.Step(context.Background(), 40); err != nil {
			t.Fatal(err)
		}
		if best := r.Last().Best; best != 360 {
			t.Errorf("pieces of %v: %v, want 360", size, best)
		}
	}
}

// Pieces of a fifth of the cities come as far as a search of the whole tour.
func TestTilesAgainstTheWholeTour(t *testing.T) {
	t.Parallel()
	in := uniform(t, 300, 3)
	r := tilesOf(t, in, record.Of("piece", 100, "descent", "2opt", "chains", 1, "accept", "better"))
	if err := r.Step(context.Background(), 61); err != nil {
		t.Fatal(err)
	}
	q, err := solvers.Open(solvers.Config{Solver: "ils", Instance: in, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	if err := q.Step(context.Background(), 60); err != nil {
		t.Fatal(err)
	}
	if a, b := r.Last().Best, q.Last().Best; a > 1.01*b {
		t.Errorf("30 kicks a city in pieces of 100: %v, want at most 1 %% above %v", a, b)
	}
}

// An instance that is no plane is refused by name.
func TestTilesNeedsAPlane(t *testing.T) {
	t.Parallel()
	in, err := datasets.NewTSP("blocks", datasets.Man2D, []float64{1, 2, 5}, []float64{1, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	_, err = solvers.Open(solvers.Config{Solver: "ils", Variant: "tiles", Instance: in, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "blocks is MAN_2D; tiles cuts the plane") {
		t.Errorf("error %v", err)
	}
}

// Kicks that are counted by cities can be told as times the cities.
func TestTilesKicksTimesCities(t *testing.T) {
	t.Parallel()
	in, err := datasets.Uniform(60, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"0.2n", "0.2"} {
		r, err := solvers.Open(solvers.Config{
			Solver: "ils", Variant: "tiles", Instance: in, Seed: 1,
			Params: record.Values{"kicks": record.Parse(name)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if k := r.Header().Params["kicks"]; k != record.Num(.2) {
			t.Errorf("%s kicks a city are %v, want 0.2", name, k)
		}
		_, err = r.Set(t.Context(), record.Values{"kicks": record.Parse("1000n")}, "")
		if err == nil || !strings.Contains(err.Error(), "kicks is 1000n, want 0.01 to") {
			t.Errorf("1000n kicks a city: error %v", err)
		}
		r.Close()
	}
}

// A step of which a share of the time is over sets cooling to the kicks that the whole of it will
// make, and the record replays without a clock.
func TestTilesTimed(t *testing.T) {
	t.Parallel()
	in := uniform(t, 200, 3)
	r := tilesOf(t, in, record.Values{
		"piece": record.Num(60), "accept": record.Text("threshold"), "timed": record.Bool(true),
		"kicks": record.Num(1),
	})
	clock := func(record.Point) func(*record.Point) string {
		return func(p *record.Point) string {
			if p.Spent = float64(p.Iter) / 8; p.Iter == 8 {
				return "the time is over"
			}
			return ""
		}
	}
	if _, err := r.StepUntil(t.Context(), -1, clock); err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for _, c := range r.Journal() {
		if c.Kind != record.KindSet {
			continue
		}
		if last, _ = c.New.Float(); c.Name != "cooling" || c.Who != "clock" {
			t.Errorf("%+v", c)
		}
	}
	if done := r.Last().Measures[3]; last < 0.9*done || last > 1.1*done {
		t.Errorf("cooling is %v after %v kicks a city", last, done)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d, err := solvers.Replay(t.Context(), rec, in, solvers.ReplayOptions{})
	if err != nil || d != nil {
		t.Errorf("the replay: %v, %v", d, err)
	}
}

// Tiles of 60 cities leave the long edges between clusters as they are; the first iteration mends
// them.
func TestTilesMendsLongEdges(t *testing.T) {
	t.Parallel()
	in, err := datasets.DIMACS(true, 1000, 5)
	if err != nil {
		t.Fatal(err)
	}
	after := func(mend float64) float64 {
		r := tilesOf(t, in, record.Of("piece", 60, "start", "greedy", "descent", "2opt", "chains", 1,
			"accept", "better", "mend", mend))
		if err := r.Step(t.Context(), 21); err != nil {
			t.Fatal(err)
		}
		return r.Last().Best
	}
	if with, without := after(20), after(0); with > 0.98*without {
		t.Errorf("%v after mending, %v without, want 2 %% less", with, without)
	}
}

// Where cities stand in a lattice the first iteration makes four starts and the kicks of polish, on
// any number of cores alike; where they do not, it is that of start=parts.
func TestTilesPolishesLattices(t *testing.T) {
	t.Parallel()
	after := func(in *datasets.TSP, with record.Values) record.Point {
		with["chains"] = record.Num(1)
		r := tilesOf(t, in, with)
		if err := r.Step(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		return r.Last()
	}
	grid := lattice(t, 75)
	fit := after(grid, record.Of("workers", 1))
	for _, with := range []record.Values{
		record.Of("workers", 3), record.Of("start", "whole"),
	} {
		if got := after(grid, with); got.Digest != fit.Digest {
			t.Errorf("with %v: %v, want %v and the same digest", with, got.Best, fit.Best)
		}
	}
	parts, whole := after(grid, record.Of("start", "parts")), after(grid, record.Of("polish", 0))
	if whole.Best >= parts.Best || fit.Best >= whole.Best {
		t.Errorf("parts %v, whole %v, polished %v: want it to fall", parts.Best, whole.Best, fit.Best)
	}
	flat := uniform(t, 500, 8)
	got, want := after(flat, record.Values{}), after(flat, record.Of("start", "parts"))
	if got.Digest != want.Digest {
		t.Errorf("a random instance: %v, want %v", got.Best, want.Best)
	}
}
