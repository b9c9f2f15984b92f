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
	"metalab/solvers/ils"
	"metalab/solvers/tours"
)

const emulateMain = "testdata/emulate.cc"

func TestMain(m *testing.M) { os.Exit(emulate.Main(m)) }

func emulator(t testing.TB) *emulate.Program {
	t.Helper()
	return emulate.Source{File: "best.cu", Main: emulateMain}.For(t)
}

// TestLayout holds the Go structs to the kernels'.
func TestLayout(t *testing.T) {
	t.Parallel()
	emulator(t).Layout(t, emulateMain,
		emulate.Struct{Name: "job", Form: job{}},
		emulate.Struct{Name: "chain", Form: chain{}},
		emulate.Struct{Name: "record", Form: pass{}},
	)
}

// emulated is an engine whose kernels run on the CPU, a block a chain.
type emulated struct {
	t      testing.TB
	q      *problem
	near   []int32
	room   []int32
	states []chain
	warps  int
	passes int32 // of a launch
	unit   int32
}

func (e *emulated) Use(near tours.Neighbours, op tours.BestOperator, chains int) error {
	e.q.use(near, op)
	e.near = append(slices.Clone(near.ID), 0)
	room := buffers * int(e.q.job.Stride) * chains
	e.room = emulate.Cooked(emulate.Left(4*room), make([]int32, room))
	e.states = make([]chain, chains)
	return nil
}

func (e *emulated) Close() {}

func (e *emulated) of(a, buffer int) []int32 {
	from := (a*buffers + buffer) * int(e.q.job.Stride)
	return e.room[from : from+int(e.q.job.N)]
}

func (e *emulated) Iterate(_ context.Context, j ils.BestJob, chains []ils.BestChain) error {
	b := e.q.of(j, len(chains))
	b.Blocks, b.Groups, b.Passes, b.Unit = 1, b.Chains, e.passes, e.unit
	for a := range chains {
		e.states[a] = state(&chains[a], e.states[a])
		if !chains[a].Loaded {
			copy(e.of(a, 0), chains[a].Tour)
		}
	}
	places := emulate.Raw(e.q.matrix)
	if e.q.whole != nil {
		places = emulate.Raw(e.q.whole)
	} else if e.q.real != nil {
		places = emulate.Raw(e.q.real)
	}
	p := emulator(e.t)
	for done := false; !done; {
		bufs := [][]byte{
			emulate.Raw(b), places, emulate.Raw(e.near), emulate.Raw(e.room), emulate.Raw(e.states),
			emulate.Left(64 * len(chains)), make([]byte, 4*barrierWords*len(chains)),
		}
		if err := p.Launch(e.q.kernel, len(chains), e.warps, bufs); err != nil {
			return err
		}
		emulate.Cooked(bufs[3], e.room)
		emulate.Cooked(bufs[4], e.states)
		done = !slices.ContainsFunc(e.states, func(s chain) bool { return s.Done == 0 })
	}
	for a := range chains {
		if chains[a].Idle {
			continue
		}
		s := &e.states[a]
		s.report(&chains[a], e.of(a, int(s.Base)), e.of(a, buffers-1))
	}
	return nil
}

// spread draws n cities; metric and scale choose the plane.
func spread(t testing.TB, n int, metric datasets.Metric, scale float64) *datasets.TSP {
	t.Helper()
	r := arith.NewStream(uint64(n), 0, 0, 0)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = scale*float64(r.IntN(1000)), scale*float64(r.IntN(1000))
	}
	in, err := datasets.NewTSP(fmt.Sprintf("spread%d", n), metric, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// A trial is an instance and how it is searched, for the twins.
type trial struct {
	n          int
	metric     datasets.Metric
	scale      float64
	neighbours int
	quadrant   bool
	kernel     string
}

var trials = []trial{
	{1, datasets.Euc2D, 1, 10, true, "best_whole"},
	{2, datasets.Euc2D, 1, 10, true, "best_whole"},
	{3, datasets.Euc2D, 1, 10, false, "best_whole"},
	{4, datasets.Ceil2D, 1, 10, true, "best_wide"},
	{5, datasets.Euc2D, 1, 10, true, "best_whole"},
	{6, datasets.Man2D, 1, 10, false, "best_matrix"},
	{7, datasets.Euc2D, 1, 10, true, "best_whole"},
	{8, datasets.Euc2D, 0.25, 10, true, "best_real"},
	{9, datasets.Euc2D, 0.003, 8, true, "best_real"},
	{11, datasets.Euc2D, 0.003, 10, true, "best_real"},
	{14, datasets.Euc2D, 0.006, 6, false, "best_real"},
	{33, datasets.Euc2D, 1, 40, true, "best_whole"},
	{64, datasets.Euc2D, 1e4, 16, true, "best_real"},
	{56, datasets.Euc2D, 1400, 11, true, "best_wide"},
	{97, datasets.Man2D, 1, 10, false, "best_matrix"},
	{130, datasets.Att, 3, 8, false, "best_real"},
	{90, datasets.Euc2D, 0.004, 16, true, "best_real"}, // many equal distances
	{77, datasets.Man2D, 0.01, 10, false, "best_matrix"},
	{101, datasets.Ceil2D, 1.5, 24, true, "best_real"},
	{83, datasets.Ceil2D, 1000, 20, true, "best_wide"},
}

// twin is the problem of a trial, and its lists.
func (c *trial) twin(t testing.TB) (*ils.BestProblem, tours.Neighbours) {
	t.Helper()
	sp, err := tours.NewSpace(spread(t, c.n, c.metric, c.scale))
	if err != nil {
		t.Fatal(err)
	}
	p := &ils.BestProblem{
		Space: sp, Seed: 0x123456789abcdef, Env: &solvers.Env{Pool: solvers.NewPool(1)},
	}
	if c.quadrant {
		return p, sp.Quadrant(c.neighbours)
	}
	return p, sp.Nearest(c.neighbours)
}

// jobs are the iterations that twins make.
var jobs = []ils.BestJob{
	{Iter: 1},
	{Iter: 2, Kicks: 6},
	{Iter: 1<<40 + 3, Kicks: 5, Always: true},
	{Iter: 4, Kicks: 3},
}

// begin is what chains begin with: random tours, of more cities the first by nearest neighbours.
func begin(p *ils.BestProblem, chains int) []ils.BestChain {
	out := make([]ils.BestChain, chains)
	for a := range out {
		r := arith.NewStream(p.Seed, 0, uint32(a), 1)
		tour := p.Space.Random(&r)
		if a == 0 && p.Space.N > 50 {
			tour = p.Space.NearestNeighbour(0)
		}
		out[a] = ils.BestChain{
			Tour: tour, Length: p.Space.Length(tour), Next: make([]int32, p.Space.N),
			Top: make([]int32, p.Space.N),
		}
	}
	return out
}

// twins makes the iterations on an engine and on the CPU, and compares all that they report.
func twins(
	t testing.TB, what string, p *ils.BestProblem, near tours.Neighbours, op tours.BestOperator,
	chains int, e ils.BestEngine, jobs []ils.BestJob,
) {
	t.Helper()
	cpu, err := ils.NewBestCPU(p)
	if err != nil {
		t.Fatal(err)
	}
	want, got := begin(p, chains), begin(p, chains)
	for i, j := range jobs {
		for _, of := range []struct {
			e ils.BestEngine
			c []ils.BestChain
		}{{cpu, want}, {e, got}} {
			if i == 0 {
				if err := of.e.Use(near, op, chains); err != nil {
					t.Fatal(err)
				}
			}
			if err := of.e.Iterate(t.Context(), j, of.c); err != nil {
				t.Fatal(err)
			}
		}
		for a := range want {
			w, g := &want[a], &got[a]
			if w.Length != g.Length || w.Least != g.Least || w.Moves != g.Moves || w.Kept != g.Kept ||
				w.Gained != g.Gained || !slices.Equal(w.Next, g.Next) || !slices.Equal(w.Top, g.Top) {
				t.Fatalf("%s, operator %v, job %d, chain %d: %+v, want %+v", what, op, i, a, g, w)
			}
			for _, c := range []*ils.BestChain{w, g} {
				c.Tour, c.Next, c.Loaded = c.Next, c.Tour, true
			}
			if a == 0 && i == 1 { // as after a change of the tour
				w.Loaded, g.Loaded = false, false
			}
		}
	}
}

// The kernels' source, run on the CPU, does what their twin does. With METALAB_EMULATE=long it does
// so with two chains and many threads for all trials, under -short only for up to 64 cities.
func TestEmulated(t *testing.T) {
	t.Parallel()
	all := os.Getenv("METALAB_EMULATE") == "long"
	for i, c := range trials {
		if testing.Short() && c.n > 64 {
			continue
		}
		p, near := c.twin(t)
		q, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		if q.kernel != c.kernel {
			t.Fatalf("%d cities: %s, want %s", c.n, q.kernel, c.kernel)
		}
		warps, chains := 1+i%4, 4
		if c.n > 20 && !all {
			warps, chains = 1+i%2, 1
		}
		for op := range tours.BestOrdered + 1 {
			e := &emulated{t: t, q: q, warps: warps, passes: int32(3 + 25*i), unit: 1 << (i % 6)}
			what := fmt.Sprintf("%d cities, %s", c.n, c.kernel)
			twins(t, what, p, near, op, chains, e, jobs)
		}
	}
}
