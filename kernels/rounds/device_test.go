//go:build cuda

package rounds

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/ils"
	"metalab/solvers/record"
	"metalab/solvers/rounds"
)

func engine(t testing.TB, p *rounds.Problem) *Engine {
	t.Helper()
	e, err := NewEngine(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e.(*Engine)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The device does what the twin does, for every number of warps and of threads a proposal.
func TestTwin(t *testing.T) {
	gputest.Need(t)
	all := append(
		slices.Clone(trials), trial{1002, datasets.Euc2D, 1, 10, 32, "whole_plane"},
		trial{5600, datasets.Euc2D, 1, 10, 32, "whole_plane"},
		trial{1001, datasets.Euc2D, 0.1, 16, 16, "real_plane"},
	)
	if testing.Short() {
		all = trials[8:12]
	}
	for _, c := range all {
		twins(t, c, false)
		twins(t, c, true)
	}
}

func twins(t *testing.T, c trial, or bool) {
	t.Helper()
	p := twin(t, spread(t, c.n, c.metric, c.scale), c.neighbours, c.width)
	p.Or = or
	const chains = 7
	first := starts(p, chains)
	jobs := []rounds.Job{
		{Iter: 1, Descend: true},
		{Iter: 2, Kicks: 40, Size: 10},
		{Iter: 1<<40 + 3, Kicks: 20, Size: 50, Always: true},
	}
	cpu, err := rounds.NewCPU(p)
	must(t, err)
	must(t, cpu.Load(first))
	var want [][]rounds.Outcome
	var tours [][]int32
	for _, j := range jobs {
		out := make([]rounds.Outcome, chains)
		must(t, cpu.Iterate(context.Background(), j, out))
		want = append(want, out)
	}
	for a := range chains {
		tour := make([]int32, c.n)
		must(t, cpu.Tour(a, tour))
		tours = append(tours, tour)
	}
	e := engine(t, p)
	for _, warps := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 32} {
		for _, lanes := range []int{0, 1, 4, 16} {
			if testing.Short() && (warps > 5 || lanes > 0) || or && warps%3 != 1 && lanes != 0 {
				continue
			}
			must(t, e.Load(first))
			got := make([]rounds.Outcome, chains)
			for i, j := range jobs {
				j.Warps, j.Lanes = warps, lanes
				must(t, e.Iterate(context.Background(), j, got))
				what := fmt.Sprintf("%d cities, %s, insertions %v, %+v", c.n, c.plane, or, j)
				same(t, what, got, want[i], func(a int) ([]int32, []int32) {
					if i < len(jobs)-1 {
						return nil, nil
					}
					tour := make([]int32, c.n)
					must(t, e.Tour(a, tour))
					return tour, tours[a]
				})
			}
		}
	}
}

func TestKeepsTheLaws(t *testing.T) {
	gputest.Need(t)
	in, err := datasets.DIMACS(false, 61, 5)
	must(t, err)
	for _, moves := range [][2]string{{ils.TwoOpt, ils.TwoOptOr}, {ils.TwoOptOr, ils.TwoOpt}} {
		t.Run(moves[0], func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: "ils", Variant: "2opt-rounds", Backend: "cuda", Instance: in, Seed: 7,
				Params: record.Values{
					"kicks": record.Num(7), "chains": record.Num(3), "accept": record.Text("always"),
					"moves": record.Text(moves[0]),
				},
				Ranges: map[string][2]float64{
					"kicks": {1, 20}, "size": {1, 60}, "workers": {0, 4}, "warps": {0, 10}, "lanes": {0, 8},
				},
				Structural: []record.Values{
					{"start": record.Text("random"), "chains": record.Num(2)},
					{"neighbours": record.Num(5), "chains": record.Num(5)},
					{"moves": record.Text(moves[1])},
				},
			})
		})
	}
}

// A run goes on where it stands on the other backend, back and forth.
func TestForkAcross(t *testing.T) {
	gputest.Need(t)
	ctx := context.Background()
	in, err := datasets.DIMACS(true, 150, 3)
	must(t, err)
	open := func(backend string) *solvers.Run {
		r, err := solvers.Open(solvers.Config{
			Solver: "ils", Variant: "2opt-rounds", Backend: backend, Instance: in, Seed: 5,
			Params: record.Values{"chains": record.Num(9), "kicks": record.Num(20)},
		})
		must(t, err)
		t.Cleanup(r.Close)
		return r
	}
	whole := open("cpu")
	must(t, whole.Step(ctx, 12))
	r := open("cpu")
	for i := range 4 {
		must(t, r.Step(ctx, 3))
		f, err := r.Fork(ctx, solvers.Fork{Name: "f", Backend: []string{"cuda", "cpu"}[i%2]})
		must(t, err)
		t.Cleanup(f.Close)
		r = f
	}
	if a, b := whole.Last(), r.Last(); a.Digest != b.Digest || a.Best != b.Best {
		t.Errorf("undisturbed %016x %v, across %016x %v", a.Digest, a.Best, b.Digest, b.Best)
	}
}

func TestTooManyCities(t *testing.T) {
	gputest.Need(t)
	in, err := datasets.Uniform(60000, 1)
	must(t, err)
	_, err = solvers.Open(
		solvers.Config{
			Solver: "ils", Variant: "2opt-rounds", Backend: "cuda", Instance: in,
			Params: record.Values{"chains": record.Num(1)},
		},
	)
	if err == nil || !strings.Contains(err.Error(), "want at most") {
		t.Errorf("60,000 cities: %v", err)
	}
	t.Log(err)
}

// antStarts are tours as the ants of a first iteration walk: the next city is drawn among the
// 32 nearest that are left in proportion to 1/d^2, else it is the nearest of all.
func antStarts(p *rounds.Problem, chains int) [][]int32 {
	sp := p.Space
	near := sp.Nearest(32)
	pool := solvers.NewPool(0)
	defer pool.Close()
	out := make([][]int32, chains)
	pool.Run(chains, func(a, _ int) {
		r := arith.NewStream(77, 0, uint32(a), 9)
		seen := make([]bool, sp.N)
		c := int32(r.IntN(sp.N))
		tour := append(make([]int32, 0, sp.N), c)
		for seen[c] = true; len(tour) < sp.N; seen[c] = true {
			var w [32]float64
			sum := 0.0
			for k, o := range near.Of(c) {
				if !seen[o] {
					d := math.Max(float64(near.DistOf(c)[k]), 0.5)
					w[k] = 1 / (d * d)
					sum += w[k]
				}
			}
			next := int32(-1)
			if x := r.Float64() * sum; sum > 0 {
				for k, o := range near.Of(c) {
					if w[k] > 0 {
						next = o
						if x -= w[k]; x < 0 {
							break
						}
					}
				}
			} else {
				for o := range int32(sp.N) {
					if !seen[o] && (next < 0 || sp.D(c, o) < sp.D(c, next)) {
						next = o
					}
				}
			}
			c = next
			tour = append(tour, c)
		}
		out[a] = tour
	})
	return out
}

// TestFigures prints times when METALAB_FIGURES is set: of 2-opt of 800 tours, by events,
// medians of five, and of iterations with kicks.
func TestFigures(t *testing.T) {
	if os.Getenv("METALAB_FIGURES") == "" {
		t.Skip("METALAB_FIGURES is not set")
	}
	gputest.Need(t)
	const chains = 800
	for _, name := range []string{"pr1002", "pr2392", "fnl4461"} {
		in, err := datasets.LoadTSP(name)
		must(t, err)
		known, _ := in.BestKnown()
		gap := func(out []rounds.Outcome) float64 {
			var sum int64
			for _, o := range out {
				sum += o.Length
			}
			return 100 * (float64(sum)/float64(len(out))/known.Value - 1)
		}
		var ants, nn [][]int32
		or := false
		descent := func(what string, from [][]int32, neighbours, width, warps, lanes int, exact bool) {
			p := twin(t, in, neighbours, width)
			p.Or = or
			e := engine(t, p)
			defer e.Close()
			if !exact { // the same cities by float64
				must(t, e.naive())
			}
			var spans []time.Duration
			out := make([]rounds.Outcome, chains)
			for range 5 {
				must(t, e.Load(from))
				span, err := e.Dev.Time(nil, func() error {
					return e.launch(
						rounds.Job{Iter: 1, Descend: true, Warps: warps, Lanes: lanes},
					)
				})
				must(t, err)
				spans = append(spans, span)
			}
			slices.Sort(spans)
			must(t, e.out.DownloadTo(out))
			fmt.Printf("%s %s insertions %v k=%d width=%d W=%d L=%d: %.3f ms (%.3f..%.3f) gap %.2f%% "+
				"rounds %d moves %d %v\n", name, what, or, neighbours, width, warps, lanes,
				spans[2].Seconds()*1e3, spans[0].Seconds()*1e3, spans[4].Seconds()*1e3, gap(out),
				out[0].Rounds, out[0].Moves, e.kernels[e.q.names(e.q.plane)[0]].Info())
		}
		brief := os.Getenv("METALAB_FIGURES") == "brief"
		p := twin(t, in, 10, 32)
		ants = antStarts(p, chains)
		for a := range chains {
			if a < 16 {
				nn = append(nn, p.Space.NearestNeighbour(int32(a*p.Space.N/16)))
			} else {
				nn = append(nn, nn[a%16])
			}
		}
		for _, s := range [][2]int{
			{1, 0},
			{2, 0},
			{3, 0},
			{4, 0},
			{4, 1},
			{4, 2},
			{4, 4},
			{4, 16},
			{5, 0},
			{6, 0},
			{8, 0},
			{10, 0},
			{16, 0},
			{32, 0},
		} {
			if brief && s != [2]int{4, 0} {
				continue
			}
			descent("ants", ants, 10, 32, s[0], s[1], true)
		}
		or = true
		for _, s := range [][2]int{{4, 0}, {8, 0}, {2, 0}, {6, 0}, {4, 4}, {4, 8}, {8, 8}, {10, 0}} {
			descent("ants", ants, 10, 32, s[0], s[1], true)
			if brief && s == [2]int{8, 0} {
				break
			}
		}
		or = false
		if !brief {
			descent("ants", ants, 10, 8, 4, 0, true)
			descent("ants", ants, 10, 16, 4, 0, true)
			descent("ants", ants, 16, 32, 4, 0, true)
			descent("nn", nn, 10, 32, 4, 0, true)
			descent("float64 ants", ants, 10, 32, 4, 0, false)
		}
		for i, s := range [][2]int{
			{4, 0}, {4, 0}, {8, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {4, 4}, {4, 8}, {6, 0}, {8, 0},
		} {
			if brief && i > 1 {
				break
			}
			p.Or = i == 1 || i == 2
			e := engine(t, p)
			must(t, e.Load(ants))
			out := make([]rounds.Outcome, chains)
			must(t, e.Iterate(context.Background(), rounds.Job{Iter: 1, Descend: true}, out))
			var sum time.Duration
			for i := range 100 {
				span, err := e.Dev.Time(nil, func() error {
					return e.launch(rounds.Job{Iter: int64(i + 2), Kicks: 20, Size: 50, Warps: s[0], Lanes: s[1]})
				})
				must(t, err)
				sum += span
			}
			must(t, e.out.DownloadTo(out))
			fmt.Printf("%s 100 iterations of 20 kicks, 800 chains, insertions %v, W=%d L=%d: mean %.3f "+
				"ms, %.1f million kicks/s, gap %.2f%%\n", name, p.Or, s[0], s[1],
				sum.Seconds()*10, 800*20*100/sum.Seconds()/1e6, gap(out))
			e.Close()
		}
	}
}

// naive lets the engine compute distances in float64 where whole numbers would do.
func (e *Engine) naive() error {
	return e.Dev.Do(context.Background(), func() (err error) {
		places := make([]real, len(e.q.whole))
		for c, w := range e.q.whole {
			places[c] = real{float64(w & 0xffff), float64(w >> 16)}
		}
		near := make([]uint32, 0, 2*len(e.q.near))
		for _, v := range e.q.near {
			near = append(near, v&0xffff, v>>16)
		}
		e.q.plane, e.q.whole = "real_plane", nil
		for _, name := range e.q.names("real_plane") {
			if e.kernels[name], err = e.image.Get(name); err != nil {
				return err
			}
		}
		if e.near, err = gpu.Upload(e.Dev, near); err != nil {
			return err
		}
		e.places, err = gpu.Upload(e.Dev, places)
		return err
	})
}
