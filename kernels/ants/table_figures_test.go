package ants

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// watched is the crew of the run of backend watched that was opened last.
var watched *deviceCrew

func init() { watch("watched", func(b *deviceCrew) { watched = b }) }

func median(v []time.Duration) time.Duration {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// A figureRun is a run whose times are printed.
type figureRun struct {
	solvers.Config
	seeds int
	own   map[string]float64 // what is no parameter of the solver
}

// figureRunOf reads SOLVER/VARIANT:INSTANCE[:NAME=VALUE...], where ants=n means as many as there
// are cities, preset is paper unless said otherwise, seeds counts from 1, and the names of own are
// no parameters.
func figureRunOf(t *testing.T, word string, own map[string]float64) figureRun {
	t.Helper()
	part := strings.Split(word, ":")
	if len(part) < 2 {
		t.Fatalf("%q is not SOLVER/VARIANT:INSTANCE[:NAME=VALUE...]", word)
	}
	f := figureRun{seeds: 3, own: maps.Clone(own)}
	f.Solver, f.Variant, _ = strings.Cut(part[0], "/")
	f.Preset, f.Params = "paper", record.Values{}
	inst, err := datasets.Load(part[1])
	if err != nil {
		t.Fatal(err)
	}
	f.Instance = inst
	for _, kv := range part[2:] {
		name, value, _ := strings.Cut(kv, "=")
		x, err := strconv.ParseFloat(value, 64)
		_, mine := f.own[name]
		switch {
		case name == "preset":
			f.Preset = value
		case name == "ants" && value == "n":
			f.Params[name] = record.Num(float64(inst.(*datasets.TSP).N))
		case err != nil:
			f.Params[name] = record.Text(value)
		case name == "seeds":
			f.seeds = int(x)
		case mine:
			f.own[name] = x
		default:
			f.Params[name] = record.Num(x)
		}
	}
	return f
}

func (f figureRun) open(t *testing.T, seed int) *solvers.Run {
	t.Helper()
	f.Seed = uint64(seed)
	r, err := solvers.Open(f.Config)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// gap is how far a run's best is above the best known, in percent.
func (f figureRun) gap(r *solvers.Run) float64 {
	known, ok := f.Instance.BestKnown()
	if !ok {
		return 0
	}
	return 100 * (r.Last().Best/known.Value - 1)
}

// tuned is how the tuner has the construction launched; the zero one where it tunes nothing.
func (f figureRun) tuned(t *testing.T) wave.Config {
	t.Helper()
	r := f.open(t, 1)
	defer r.Close()
	for range 200 {
		step(t, r, 1)
		waves, err := r.Waves(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if len(waves) == 0 || len(waves[0].Trials) == 0 {
			break
		}
		if waves[0].Tuned {
			return waves[0].Config
		}
	}
	return wave.Config{}
}

// TestFiguresTable prints what the walk and a whole iteration take by a device's events, when
// METALAB_FIGURES_TABLE is set to a list of runs, see figureRunOf. A first run tells how the tuner
// has the walk launched, and others, which are launched so from their beginning, are timed from the
// iteration after=0 on, count=20 of them: in turn the walk alone, and the whole. Printed are the
// medians of the seeds' medians, and those of their means, which is what the published programs
// print of a run.
func TestFiguresTable(t *testing.T) {
	list := os.Getenv("METALAB_FIGURES_TABLE")
	if list == "" {
		t.Skip("METALAB_FIGURES_TABLE is not set")
	}
	gputest.Need(t)
	for _, word := range strings.Fields(list) {
		t.Run(word, func(t *testing.T) {
			figureRunOf(t, word, map[string]float64{"after": 0, "count": 20}).table(t, word)
		})
	}
}

func (f figureRun) table(t *testing.T, word string) {
	ctx := context.Background()
	f.Backend = "watched"
	shape := f.tuned(t)
	f.Params["trials"] = record.Num(0)
	names := []string{"construct", "iteration"}
	medians, means := make([][]time.Duration, len(names)), make([][]time.Duration, len(names))
	each, last := "", 0.0
	for seed := 1; seed <= f.seeds; seed++ {
		r := f.open(t, seed)
		if shape != (wave.Config{}) {
			watched.launches.construction.Own = func() wave.Config { return shape }
		}
		if n := int(f.own["after"]); n > 0 {
			step(t, r, n)
		}
		if err := r.Time(ctx, true); err != nil {
			t.Fatal(err)
		}
		spans := make([][]time.Duration, len(names))
		for i := range int(f.own["count"]) {
			step(t, r, 1)
			took, err := r.Spans(ctx)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(took, func(s solvers.Span) bool { return s.Name == names[i%2] })
			if at < 0 {
				t.Fatalf("%s: no span %q", word, names[i%2])
			}
			spans[i%2] = append(spans[i%2], took[at].Time)
		}
		for i := range names {
			medians[i] = append(medians[i], median(spans[i]))
			means[i] = append(means[i], mean(spans[i]))
		}
		each += fmt.Sprintf(" %.4f/%.4f", ms(median(spans[0])), ms(median(spans[1])))
		last = f.gap(r)
		r.Close()
	}
	construct, whole := ms(median(medians[0])), ms(median(medians[1]))
	fmt.Printf("FIG %s construct %.4f iteration %.4f ms over %.3f means %.4f %.4f threads %d block "+
		"%d runs%s gap %.2f\n",
		word, construct, whole, whole/construct, ms(median(means[0])), ms(median(means[1])),
		shape.Threads, shape.Block, each, last)
}

func mean(v []time.Duration) (sum time.Duration) {
	for _, d := range v {
		sum += d
	}
	return sum / time.Duration(len(v))
}

// ms are milliseconds.
func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }

// TestFiguresGap prints how long runs take until a gap by the clock, their opening apart, when
// METALAB_FIGURES_GAP is set to a list of runs, see figureRunOf. A run ends when its gap is at most
// until=0 percent, or when seconds=60 are over, or after iterations=0 (0: any number) iterations,
// and looks every by=4 iterations. Tuning counts.
func TestFiguresGap(t *testing.T) {
	list := os.Getenv("METALAB_FIGURES_GAP")
	if list == "" {
		t.Skip("METALAB_FIGURES_GAP is not set")
	}
	gputest.Need(t)
	for _, word := range strings.Fields(list) {
		t.Run(word, func(t *testing.T) {
			own := map[string]float64{"until": 0, "seconds": 60, "iterations": 0, "by": 4}
			figureRunOf(t, word, own).race(t, word)
		})
	}
}

func (f figureRun) race(t *testing.T, word string) {
	f.Backend = "cuda"
	by, most := int(f.own["by"]), int(f.own["iterations"])
	var seconds, gaps []float64
	each, reached, tours := "", 0, 0.0
	for seed := 1; seed <= f.seeds; seed++ {
		from := time.Now()
		r := f.open(t, seed)
		opened := time.Since(from).Seconds()
		done, took, gap := 0, 0.0, 0.0
		from = time.Now()
		for done == 0 || gap > f.own["until"] && took < f.own["seconds"] && (most == 0 || done < most) {
			k := by
			if most > 0 {
				k = min(by, most-done)
			}
			step(t, r, k)
			done += k
			took, gap = time.Since(from).Seconds(), f.gap(r)
		}
		if gap <= f.own["until"] {
			reached++
		}
		ants, _ := r.Header().Params["ants"].Float()
		tours += ants * float64(done) / took
		seconds, gaps = append(seconds, took), append(gaps, gap)
		each += fmt.Sprintf(" %.3fs/%d/%.3f%%", took, done, gap)
		if seed == 1 {
			each = fmt.Sprintf(" (opened in %.2f s)", opened) + each
		}
		r.Close()
	}
	mean := 0.0
	for _, g := range gaps {
		mean += g / float64(len(gaps))
	}
	slices.Sort(seconds)
	fmt.Printf("GAP %s median %.3f s mean gap %.3f reached %d of %d, %.0f tours/s; runs%s\n",
		word, seconds[len(seconds)/2], mean, reached, f.seeds, tours/float64(f.seeds), each)
}
