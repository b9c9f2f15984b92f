//go:build cuda

package tours

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// The device does what the twin does.
func TestTilesTwin(t *testing.T) {
	gputest.Need(t)
	all := append(tilesTrials[:len(tilesTrials):len(tilesTrials)],
		tilesTrial{3001, datasets.Euc2D, 1, 8, 250, "whole", true, false},
		tilesTrial{2500, datasets.Euc2D, 1e4, 8, 1000, "whole", true, false},
		tilesTrial{1001, datasets.Ceil2D, 1.5, 10, 400, "real", true, true},
	)
	for _, c := range all {
		p := c.twin(t)
		e, err := NewTiles(p)
		if err != nil {
			t.Fatal(err)
		}
		rate := 3000
		if c.n > 500 {
			rate = 500
		}
		tilesTwins(t, c, e, p, 3, rate)
		t.Logf("%+v: alike", c)
		e.Close()
	}
}

// Several devices, each of which searches some of the pieces, do it, too.
func TestTilesPartsOnGPUs(t *testing.T) {
	gputest.Need(t)
	list, err := gpu.Devices()
	if err != nil || len(list) < 2 {
		t.Skipf("there are %d GPUs, want 2 or more: %v", len(list), err)
	}
	all := append(tilesTrials[:len(tilesTrials):len(tilesTrials)],
		tilesTrial{3001, datasets.Euc2D, 1, 8, 250, "whole", true, false},
		tilesTrial{2500, datasets.Euc2D, 1e4, 8, 1000, "whole", true, false},
		tilesTrial{1001, datasets.Ceil2D, 1.5, 10, 400, "real", true, true},
	)
	for i, c := range all {
		p := c.twin(t)
		for _, d := range list {
			p.Env.Devices = append(p.Env.Devices, d.Ordinal)
		}
		e, err := tiles.Spread(p, NewTiles)
		if err != nil {
			t.Fatal(err)
		}
		tilesTwins(t, c, e, p, 1+i%3, 500)
		t.Logf("%+v: alike", c)
		e.Close()
	}
}

func TestTilesLaws(t *testing.T) {
	gputest.Need(t)
	in, err := datasets.DIMACS(false, 61, 5)
	if err != nil {
		t.Fatal(err)
	}
	conform.Check(t, conform.Case{
		Solver: "ils", Variant: "tiles", Backend: "cuda", Instance: in, Seed: 7,
		Params: record.Values{
			"piece": record.Num(30), "kicks": record.Num(0.3), "chains": record.Num(3),
			"exchange": record.Num(3), "start": record.Text("random"), "descent": record.Text("none"),
			"cuts": record.Num(4), "accept": record.Text("threshold"),
		},
		Ranges: map[string][2]float64{
			"kicks": {0.01, 1}, "width": {1, 20}, "workers": {0, 4}, "cuts": {1, 8}, "piece": {8, 200},
			"exchange": {0, 3}, "cooling": {0, 30},
		},
		Structural: []record.Values{{"chains": record.Num(5)}},
	})
}

// TestTilesFigures prints how fast rounds are and how far they come. METALAB_TILES names instances
// and parameters, one run a line: instance seconds name=value ... devices=0+1 variant=pools seed=2
func TestTilesFigures(t *testing.T) {
	text := os.Getenv("METALAB_TILES")
	if text == "" {
		t.Skip("METALAB_TILES has the runs")
	}
	gputest.Need(t)
	for _, line := range splitLines(text) {
		in, err := datasets.Load(line.instance)
		if err != nil {
			t.Fatal(err)
		}
		devices, variant, seed := line.devices(), line.word("variant", "tiles"), line.word("seed", "1")
		first, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		r, err := solvers.Open(solvers.Config{
			Solver: "ils", Variant: variant, Backend: "cuda", Instance: in, Seed: first,
			Params: line.params, Devices: devices,
		})
		if err != nil {
			t.Fatal(err)
		}
		opened := time.Since(begin)
		known, _ := in.BestKnown()
		mark, evals, at := time.Second, int64(0), time.Now()
		report := func(record.Point) func(*record.Point) string {
			return func(p *record.Point) string {
				since := time.Since(begin)
				if p.Iter == 1 {
					t.Logf("%s: opened after %v, first optimum after %v: %.0f", line.text, opened, since, p.Best)
					evals, at = p.Evals, time.Now()
				}
				if since > mark {
					t.Logf("%s: %.1f s, iteration %d, best %.0f, mean %.0f, gap %.3f, %.0f kicks/s, %.4f",
						line.text, since.Seconds(), p.Iter, p.Best, p.Mean,
						solvers.Gap(p.Best, &known.Value), float64(p.Evals-evals)/time.Since(at).Seconds(),
						p.Measures)
					mark += mark / 4
				}
				return ""
			}
		}
		stop := solvers.Any(report, solvers.ForWall(line.limit-opened))
		if _, err := r.StepUntil(context.Background(), -1, stop); err != nil {
			t.Fatal(err)
		}
		best, err := r.Best(context.Background())
		t.Logf("%s: best %.0f, gap %.3f, %.4f, verified %v", line.text, best.Value,
			solvers.Gap(best.Value, &known.Value), r.Last().Measures, err)
		if err := errors.Join(r.Time(context.Background(), true),
			r.Step(context.Background(), 2)); err != nil {
			t.Fatal(err)
		}
		spans, err := r.Spans(context.Background())
		t.Logf("%s: %v, %v", line.text, spans, err)
		r.Close()
	}
}

type tilesLine struct {
	text, instance string
	limit          time.Duration
	params         record.Values
}

// devices are those of a run whose parameters have devices=, as in devices=0,1.
func (l *tilesLine) devices() []int {
	v, ok := l.params["devices"]
	delete(l.params, "devices")
	if !ok {
		return nil
	}
	list, err := solvers.ParseDevices(strings.ReplaceAll(v.String(), "+", ","))
	if err != nil {
		return nil
	}
	return list
}

// word is a parameter that is none of the solver's.
func (l *tilesLine) word(name, without string) string {
	v, ok := l.params[name]
	delete(l.params, name)
	if !ok {
		return without
	}
	return v.String()
}

func splitLines(text string) (out []tilesLine) {
	for _, l := range strings.Split(text, ";") {
		f := strings.Fields(l)
		if len(f) < 2 {
			continue
		}
		d, _ := time.ParseDuration(f[1])
		v := tilesLine{text: l, instance: f[0], limit: d, params: record.Values{}}
		for _, p := range f[2:] {
			name, value, _ := strings.Cut(p, "=")
			if x, err := strconv.ParseFloat(value, 64); err == nil {
				v.params[name] = record.Num(x)
			} else if x, err := strconv.ParseBool(value); err == nil {
				v.params[name] = record.Bool(x)
			} else {
				v.params[name] = record.Text(value)
			}
		}
		out = append(out, v)
	}
	return out
}

// The GPU makes the kept runs too. With METALAB_GOLDEN_OUT set it writes them there.
func TestTilesGoldenDevice(t *testing.T) { gputest.Remake(t, tilesGoldenRuns(t)) }

func TestPoolsGoldenDevice(t *testing.T) { gputest.Remake(t, poolsGoldenRuns(t)) }
