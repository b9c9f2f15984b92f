package ils_test

import (
	"context"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

func TestBestKeepsTheLaws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n      int
		accept string
	}{{40, "better"}, {24, "always"}} {
		t.Run(c.accept, func(t *testing.T) {
			t.Parallel()
			conform.Check(t, conform.Case{
				Solver: "ils", Variant: "best", Instance: dimacs(t, c.n), Seed: 7, Trials: 8,
				Params: record.Values{
					"kicks": record.Num(2), "chains": record.Num(2), "neighbours": record.Num(6),
					"accept": record.Text(c.accept),
				},
				Ranges: map[string][2]float64{
					"kicks": {1, 4}, "chains": {1, 4}, "neighbours": {1, 8}, "workers": {0, 4},
				},
				Structural: []record.Values{
					{"start": record.Text("random"), "chains": record.Num(3)},
					{"start": record.Text("greedy"), "operator": record.Text("2opt")},
				},
			})
		})
	}
}

func openBest(t *testing.T, in datasets.Instance, seed uint64, params record.Values) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "best", Instance: in, Seed: seed, Params: params,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestBestOnAFewCities(t *testing.T) {
	t.Parallel()
	for n := 1; n < 12; n++ {
		in := dimacs(t, n)
		for _, start := range []string{"nn", "greedy", "curve", "random"} {
			r := openBest(t, in, 1, record.Values{"start": record.Text(start), "chains": record.Num(2)})
			if err := r.Step(t.Context(), 3); err != nil {
				t.Errorf("%d cities from %s: %v", n, start, err)
			}
			if _, err := r.Best(t.Context()); err != nil {
				t.Errorf("%d cities from %s: %v", n, start, err)
			}
		}
	}
}

// The defaults are those of paper-iterated, and its start differs between seeds.
func TestBestIsThePaper(t *testing.T) {
	t.Parallel()
	in := dimacs(t, 100)
	lengths := map[float64]bool{}
	for seed := range uint64(3) {
		r := openBest(t, in, seed, nil)
		p, err := solvers.Open(solvers.Config{
			Solver: "ils", Variant: "best", Instance: in, Seed: seed, Preset: "paper-iterated",
		})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for _, x := range []*solvers.Run{r, p} {
			if err := x.Step(t.Context(), 2); err != nil {
				t.Fatal(err)
			}
		}
		if r.Last().Digest != p.Last().Digest {
			t.Errorf("seed %d: the defaults give %v, the preset paper-iterated %v", seed, r.Last(), p.Last())
		}
		lengths[r.History()[0].Best] = true
	}
	if len(lengths) < 2 {
		t.Errorf("three seeds have the same first optimum: %v", lengths)
	}
}

// A change of the operator or of the lists is followed by a search without a kick, in the run and
// in a fork; so is none.
func TestBestSearchesAfterAChange(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := openBest(t, dimacs(t, 300), 3, record.Values{"operator": record.Text("2opt")})
	if err := r.Step(ctx, 2); err != nil {
		t.Fatal(err)
	}
	before := r.Last()
	with := record.Values{"operator": record.Text("3opt")}
	f, err := r.Fork(ctx, solvers.Fork{Name: "f", With: with})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := r.Set(ctx, with, ""); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*solvers.Run{r, f} {
		if err := x.Step(ctx, 1); err != nil {
			t.Fatal(err)
		}
		if p := x.Last(); p.Evals-before.Evals != 1 || p.Best >= before.Best || p.Measures[0] != 0 {
			t.Errorf("%s: %+v after %+v; want one search, without a kick, that gains", x.Name(), p, before)
		}
	}
	if a, b := r.Last().Best, f.Last().Best; a != b {
		t.Errorf("the run goes to %v, its fork to %v", a, b)
	}
}

// With accept=always the tour gets longer again; the best on the way is kept.
func TestBestAlways(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	longer := 0
	for i := 0; i < 40 && (i < 15 || longer == 0); i++ {
		r := openBest(t, dimacs(t, 100), uint64(i), record.Values{
			"accept": record.Text("always"), "operator": record.Text("2opt"), "start": record.Text("random"),
		})
		if err := r.Step(ctx, 2); err != nil {
			t.Fatal(err)
		}
		p := r.Last()
		if p.Iter > 1 && p.Measures[0] != 1 || p.IterBest > p.Mean || p.Best > p.IterBest {
			t.Errorf("%+v; want that all are kept, and the shortest on the way", p)
		}
		if p.Improved && p.Mean > p.Best {
			longer++
		}
		if _, err := r.Best(ctx); err != nil {
			t.Error(err)
		}
	}
	if longer == 0 {
		t.Error("no iteration left a best tour that it found on the way")
	}
}

// A search that takes minutes gives up when it is told to, and the run can go on.
func TestBestGivesUp(t *testing.T) {
	t.Parallel()
	in, err := datasets.LoadContext(t.Context(), "E10k.0")
	if err != nil {
		t.Fatal(err)
	}
	r := openBest(t, in, 1, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Step(ctx, 1); err == nil || r.Last().Iter != 0 {
		t.Errorf("error %v at iteration %d", err, r.Last().Iter)
	}
}

// On a 6 x 6 grid of side 10 the shortest tour has 36 edges of length 10.
func TestBestSolvesASmallInstance(t *testing.T) {
	t.Parallel()
	var x, y []float64
	for i := range 36 {
		x, y = append(x, float64(10*(i%6))), append(y, float64(10*(i/6)))
	}
	in, err := datasets.NewTSP("grid36", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, operator := range []string{"2opt", "3opt"} {
		r := openBest(t, in, 1, record.Values{"operator": record.Text(operator)})
		if err := r.Step(t.Context(), 60); err != nil {
			t.Fatal(err)
		}
		if best := r.Last().Best; best != 360 {
			t.Errorf("by %s: %v, want 360", operator, best)
		}
	}
}

// A number of kicks may be so many times the cities, wherever it is a value: what is stored and
// recorded is the number.
func TestKicksTimesTheCities(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	in := dimacs(t, 101)
	kicks := func(r *solvers.Run) record.Value {
		params, err := r.Params(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range params {
			if p.Name == "kicks" {
				return p.Value
			}
		}
		return record.Value{}
	}
	r := openBest(t, in, 1, record.Values{"kicks": record.Parse("0.1n")})
	if k, h := kicks(r), r.Header().Params["kicks"]; k != record.Num(11) || h != k {
		t.Errorf("0.1n kicks are %v, in the header %v, want 11", k, h)
	}
	with := record.Values{"kicks": record.Parse("2n")}
	f, err := r.Fork(ctx, solvers.Fork{Name: "f", With: with})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	notes := f.Journal()
	if k := kicks(f); k != record.Num(202) || notes[len(notes)-1].With["kicks"] != k {
		t.Errorf("2n kicks are %v, in the journal %v, want 202", k, notes[len(notes)-1].With)
	}
	if made, err := r.Set(ctx, record.Values{"kicks": record.Parse("n")}, ""); err != nil ||
		made[0].New != record.Num(101) {
		t.Errorf("set to n: %v, %v", made, err)
	}
	for value, want := range map[string]string{
		"20000n": "kicks is 20000n, here 2020000, want an integer from 1 to 1000000, or times the " +
			"cities, as 0.1n",
		"0n":  "kicks is 0n, here 0, want an integer from 1",
		"-1n": "kicks is -1n, want an integer from 1",
		"xn":  "kicks is xn, want an integer from 1",
	} {
		_, err := r.Set(ctx, record.Values{"kicks": record.Parse(value)}, "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", value, err, want)
		}
	}
	if _, err := r.Set(ctx, record.Values{"chains": record.Parse("n")}, ""); err == nil {
		t.Error("chains=n is taken, and no number of chains is in proportion to the cities")
	}
	p, err := solvers.Open(solvers.Config{
		Solver: "ils", Variant: "queue", Instance: in, Params: record.Of("kicks", "10n"),
	})
	if err != nil || p.Header().Params["kicks"] != record.Num(1010) {
		t.Errorf("10n kicks of ils/queue: %v", err)
	}
	p.Close()
}
