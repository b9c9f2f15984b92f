package tours

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tiles"
	"metalab/solvers/tours"
)

const tilesMain = "testdata/tiles.cc"

func tilesEmulator(t testing.TB) *emulate.Program {
	t.Helper()
	return emulate.Source{File: "tiles.cu", Main: tilesMain}.For(t)
}

// The Go structs have the fields of the kernels'.
func TestTilesLayout(t *testing.T) {
	t.Parallel()
	tilesEmulator(t).Layout(t, tilesMain,
		emulate.Struct{Name: "tile_job", Form: tileJob{}},
		emulate.Struct{Name: "tile_room", Form: tileRoom{}},
		emulate.Struct{Name: "tile_outcome", Form: tiles.Outcome{}},
		emulate.Struct{Name: "talk", Form: tileTalk},
	)
}

// tilesEmulated is an engine whose kernels run on the CPU.
type tilesEmulated struct {
	tiles.Engine
	t     testing.TB
	q     *tileProblem
	tours [][]int32
	part  tilePart
	meet  func([]int32) ([][]int32, error)
}

func (e *tilesEmulated) Part(k, n int, meet func([]int32) ([][]int32, error)) {
	e.part, e.meet = tilePart{k, n}, meet
}

func (e *tilesEmulated) Close() {}

func (e *tilesEmulated) Load(chains [][]int32) error {
	e.tours = nil
	for _, c := range chains {
		e.tours = append(e.tours, slices.Clone(c))
	}
	return nil
}

func (e *tilesEmulated) Tour(chain int, dst []int32) error {
	copy(dst, e.tours[chain])
	return nil
}

func (e *tilesEmulated) Iterate(_ context.Context, j tiles.Job, out []tiles.Outcome) error {
	n, chains := int(e.q.job.N), len(e.tours)
	points := emulate.Raw(e.q.real)
	if e.q.whole != nil {
		points = emulate.Raw(e.q.whole)
	}
	scale := append(slices.Clone(j.Scale), make([]float64, chains)...)
	bufs := [][]byte{
		emulate.Raw(e.q.partOf(j, e.part)), emulate.Raw(int32(chains)), emulate.Raw(j.Cut.Start),
		emulate.Raw(j.Cut.City), emulate.Raw(e.q.near), points, emulate.Raw(scale),
		emulate.Raw(make([]tiles.Outcome, chains)), emulate.Raw(slices.Concat(e.tours...)),
	}
	for range tileArrays - 1 {
		bufs = append(bufs, emulate.Left(4*n*chains))
	}
	bufs = append(bufs, emulate.Left(4*e.q.chunks()*chains), emulate.Raw(append(e.q.pi, 0)),
		nil, emulate.Left(4*tellNumbers*n*chains))
	launch := func(list ...tileLaunch) error {
		for _, l := range list {
			begin, end := e.part.cities(l.part, j.Cut)
			bufs[len(bufs)-2] = emulate.Raw([]int32{int32(begin), int32(end)})
			if err := tilesEmulator(e.t).Launch(l.name, l.blocks, l.warps, bufs); err != nil {
				return err
			}
		}
		return nil
	}
	if err := launch(e.q.search(j, chains, e.part)...); err != nil {
		return err
	}
	if e.part.n > 1 {
		begin, end := e.part.cities(e.part.k, j.Cut)
		heard := bufs[len(bufs)-1]
		mine := emulate.Cooked(heard, make([]int32, tellNumbers*(end-begin)*chains))
		all, err := e.meet(mine)
		if err != nil {
			return err
		}
		for k, told := range all {
			if copy(heard, emulate.Raw(told)); k != e.part.k && len(told) > 0 {
				if err := launch(said("tiles_unpack", k, len(told)/tellNumbers)); err != nil {
					return err
				}
			}
		}
	}
	if err := launch(e.q.write(chains)...); err != nil {
		return err
	}
	emulate.Cooked(bufs[7], out)
	all := emulate.Cooked(bufs[9], make([]int32, n*chains))
	for a := range e.tours {
		copy(e.tours[a], all[a*n:])
	}
	return nil
}

// A tilesTrial is an instance and how it is searched, for the twins.
type tilesTrial struct {
	n                int
	metric           datasets.Metric
	scale            float64
	neighbours, size int
	plane            string
	greedy           bool
	alpha            bool // lists of alpha-near neighbours, with weights
}

var tilesTrials = []tilesTrial{
	{1, datasets.Euc2D, 1, 8, 8, "whole", false, false},
	{8, datasets.Euc2D, 1, 8, 8, "whole", false, false},
	{33, datasets.Ceil2D, 1, 10, 33, "whole", true, false},
	{40, datasets.Euc2D, 0.25, 5, 16, "real", true, false},
	{64, datasets.Euc2D, 1e4, 8, 64, "whole", true, false},
	{97, datasets.Att, 3, 3, 31, "whole", true, false},
	{200, datasets.Euc2D, 1e3, 8, 65, "whole", true, false},
	{71, datasets.Ceil2D, 1.5, 10, 40, "real", true, false},
	{150, datasets.Euc2D, 0.01, 7, 60, "whole", true, false}, // many equal distances
	{90, datasets.Euc2D, 0.004, 1, 50, "real", true, false},
	{110, datasets.Euc2D, 1e3, 5, 60, "whole", true, true},
	{80, datasets.Ceil2D, 1.5, 7, 50, "real", true, true},
}

func (c *tilesTrial) twin(t testing.TB) *tiles.Problem {
	t.Helper()
	in := spread(t, c.n, c.metric, c.scale)
	if c.scale == 0.01 {
		for i := range in.X {
			in.X[i], in.Y[i] = float64(int(in.X[i])), float64(int(in.Y[i]))
		}
	}
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	near := sp.Quadrant(c.neighbours)
	if c.alpha {
		near = sp.Alpha(c.neighbours)
	}
	return &tiles.Problem{
		Space: sp, Near: near, Seed: 0x123456789abcdef,
		Env: &solvers.Env{Pool: solvers.NewPool(1)},
	}
}

// tilesJobs are the rounds that twins make: all operators and kicks, with and without a
// temperature.
func tilesJobs(p *tiles.Problem, size, chains, rate int) []tiles.Job {
	scale := make([]float64, chains)
	for a := range scale {
		scale[a] = float64(p.Space.Length(p.Space.Curve())) / float64(p.Space.N) / float64(3+a)
	}
	var jobs []tiles.Job
	for i, op := range []tiles.Operator{tiles.OrThreeOpt, tiles.OrTwoOpt, tiles.TwoOpt} {
		for k, kick := range []tiles.Kick{tiles.Walk, tiles.Segment} {
			j := tiles.Job{
				Iter: int64(2*i+k) + 1<<40*int64(i), Rate: rate, Kick: kick, Width: 1 + 9*k + 5*i, Operator: op,
			}
			if (i+k)%2 == 1 {
				j.Scale = scale
			}
			if i == 0 {
				j.Width = 10
			}
			j.Cut = tiles.NewCut(p.Space, p.Seed, 2*i+k, max(8, size-3*k), p.Env.Pool)
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// tilesTwins makes rounds on an engine and on the CPU, and compares all that they report.
func tilesTwins(t testing.TB, c tilesTrial, e tiles.Engine, p *tiles.Problem, chains, rate int) {
	t.Helper()
	cpu, err := tiles.NewCPU(p)
	if err != nil {
		t.Fatal(err)
	}
	first := make([][]int32, chains)
	for a := range first {
		r := arith.NewStream(p.Seed, 0, uint32(a), 1)
		first[a] = p.Space.Random(&r)
		if c.greedy && a%2 == 0 {
			first[a] = p.Space.Greedy(p.Near)
		}
	}
	for _, of := range []tiles.Engine{cpu, e} {
		if err := of.Load(first); err != nil {
			t.Fatal(err)
		}
	}
	x, y := make([]int32, c.n), make([]int32, c.n)
	for i, j := range tilesJobs(p, c.size, chains, rate) {
		want, got := make([]tiles.Outcome, chains), make([]tiles.Outcome, chains)
		if err := cpu.Iterate(context.Background(), j, want); err != nil {
			t.Fatal(err)
		}
		if err := e.Iterate(context.Background(), j, got); err != nil {
			t.Fatal(err)
		}
		for a := range want {
			_ = cpu.Tour(a, x)
			if err := e.Tour(a, y); err != nil {
				t.Fatal(err)
			}
			if want[a] != got[a] || !slices.Equal(x, y) {
				t.Fatalf("%+v, round %d, chain %d: %+v, want %+v; tours alike: %v",
					c, i, a, got[a], want[a], slices.Equal(x, y))
			}
		}
	}
}

// The kernels' source, run on the CPU, does what its twin does. With METALAB_EMULATE=long there are
// more kicks, under -short only instances of up to 64 cities.
func TestTilesEmulated(t *testing.T) {
	t.Parallel()
	rate := 100
	if os.Getenv("METALAB_EMULATE") == "long" {
		rate = 3000
	}
	for i, c := range tilesTrials {
		if testing.Short() && c.n > 64 {
			continue
		}
		t.Run(fmt.Sprint(c.n, c.metric, c.scale), func(t *testing.T) {
			p := c.twin(t)
			q, err := prepareTiles(p)
			if err != nil {
				t.Fatal(err)
			}
			if q.plane != c.plane {
				t.Fatalf("%+v: the plane is %s", c, q.plane)
			}
			q.busy, q.room = 6*i, 1<<18 // one warp a piece in the first, and more in others
			tilesTwins(t, c, &tilesEmulated{t: t, q: q, part: tilePart{0, 1}}, p, 2, rate)
		})
	}
}

// On several devices, each of which searches some of the pieces, more of them than there are or
// fewer, the tours are those of the CPU.
func TestTilesPartsEmulated(t *testing.T) {
	t.Parallel()
	emulate.Need(t)
	for i, c := range tilesTrials {
		if testing.Short() && c.n > 64 {
			continue
		}
		p := c.twin(t)
		env := *p.Env
		env.Devices = [][]int{{0, 1}, {0, 2, 3}, {1, 2, 3, 5, 7}}[i%3]
		spread := *p
		spread.Env = &env
		e, err := tiles.Spread(&spread, func(p *tiles.Problem) (tiles.Engine, error) {
			q, err := prepareTiles(p)
			q.busy, q.room = 6*i, 1<<18
			return &tilesEmulated{t: t, q: q}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Run(fmt.Sprint(c.n, c.metric, c.scale, env.Devices), func(t *testing.T) {
			tilesTwins(t, c, e, p, 1+i%3, 100)
		})
	}
}

var _ tiles.Parting = (*tilesEmulated)(nil)
