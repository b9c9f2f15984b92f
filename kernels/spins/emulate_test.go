package spins

import (
	"context"
	"fmt"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
	"metalab/solvers/spins"
)

func TestMain(m *testing.M) { os.Exit(emulate.Main(m)) }

var source = emulate.Source{File: "spins.cu", Main: "testdata/emulate.cc"}

// TestLayout holds the Go structs to the kernels'.
func TestLayout(t *testing.T) {
	t.Parallel()
	source.For(t).Layout(t, source.Main,
		emulate.Struct{Name: "job", Form: job{}},
		emulate.Struct{Name: "slice", Form: slice{}},
		emulate.Struct{Name: "place", Form: place{}},
		emulate.Struct{Name: "group", Form: spins.Group{}},
	)
}

// emulated is an engine whose kernels run on the CPU.
type emulated struct {
	program *emulate.Program
	p       *spins.Problem
	n       *net
	kernel  string
	state   []byte
}

// emulating registers a backend that emulates; where words says "shared" or "global" or, by the
// number of walks, both.
func emulating(t *testing.T, words string) (backend string) {
	t.Helper()
	program := source.For(t)
	backend = "emulated in " + t.Name()
	open := func(p *spins.Problem) (spins.Engine, error) {
		n, err := newNet(p.Net)
		if err != nil {
			return nil, err
		}
		e := &emulated{program: program, p: p, n: n, kernel: "spins_" + words}
		if words == "" {
			e.kernel = []string{"spins_shared", "spins_global"}[p.Walks%2]
		}
		return e, nil
	}
	solvers.Register(spins.On(backend, open))
	solvers.Register(spins.PopulationOn(backend, open))
	t.Cleanup(func() {
		solvers.Remove("anneal", "spins", backend)
		solvers.Remove("anneal", "population", backend)
	})
	return backend
}

func (e *emulated) Load(words [][]uint32) error {
	stride := e.n.stride()
	all := make([]uint32, len(words)*stride)
	for g, of := range words {
		e.n.pack(all[g*stride:(g+1)*stride], of)
	}
	e.state = emulate.Raw(all)
	return nil
}

func (e *emulated) Iterate(ctx context.Context, j spins.Job, out []spins.Group) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	groups, raw := e.p.Groups(), emulate.Left(len(out)*272)
	buffers := [][]byte{
		emulate.Raw(e.n.job(e.p, j)), emulate.Raw(e.n.first), emulate.Raw(e.n.slices),
		emulate.Raw(e.n.places), emulate.Raw(e.n.adjacent), emulate.Raw(e.n.table(j.Levels)),
		e.state, raw, nil, nil,
	}
	if err := e.program.Launch(e.kernel, groups, e.n.block(j)/32, buffers); err != nil {
		return err
	}
	if err := e.program.Launch("spins_count", groups, 1+j.Sweeps%3, buffers); err != nil {
		return err
	}
	emulate.Cooked(raw, out)
	return nil
}

func (e *emulated) Choose(parents []int32) error {
	to := emulate.Left(len(e.state))
	buffers := [][]byte{
		emulate.Raw(e.n.job(e.p, spins.Job{Levels: new(spins.Levels)})), nil, nil, nil, nil, nil, e.state,
		nil, emulate.Raw(padded(parents)), to,
	}
	if err := e.program.Launch("spins_choose", e.p.Groups(), 1+e.p.Walks%3, buffers); err != nil {
		return err
	}
	e.state = to
	return nil
}

func (e *emulated) Words(group int, dst []uint32) error {
	stride := e.n.stride()
	from := emulate.Cooked(e.state[4*group*stride:], make([]uint32, stride))
	e.n.unpack(dst, from)
	return nil
}

func (e *emulated) Close() {}

// graph draws an instance that the kernels take: of all degrees, with or without odd cycles.
func graph(d *conform.Draws, most int) (*datasets.Cut, error) {
	n := d.Int(1, most)
	if d.OneIn(3) {
		n = min(conform.One(d, 31, 32, 33, 64, 65, 97), most)
	}
	density := conform.One(d, 1, 4, 15, 50, 100)
	lattice, hub := d.OneIn(3), d.OneIn(3)
	signs := conform.One(d, 1, 2)
	var edges []datasets.Edge
	fields := make([]int64, n)
	for v := range n {
		fields[v] = int64(d.Int(-1, 1))
		for u := range v {
			if lattice && v-u != 1 && v-u != 8 || !lattice && !(hub && u == 0) && d.IntN(100) >= density {
				continue
			}
			w := 3 - 6*int64(d.IntN(signs))
			edges = append(edges, datasets.Edge{U: int32(u), V: int32(v), Weight: w})
		}
	}
	name := fmt.Sprintf("graph-%d-%d", n, len(edges))
	if d.OneIn(3) {
		for i := range fields {
			fields[i] *= 3
		}
		return datasets.NewIsing(name, n, fields, edges, 0)
	}
	return datasets.NewCut(name, n, edges)
}

// shapes draws instances, parameters and blocks at random.
func shapes(backend, variant string, most, walks int) conform.Shapes {
	lines := []string{"walks 1 2 31 32 33 64 65 " + fmt.Sprint(walks)}
	if variant == "population" {
		lines = append(lines, "island 1 2 31 32 50 128")
	}
	fixed := conform.Among(lines...)
	live := conform.Among("sweeps 1 2 3 5", "temperature 0 0.05 0.2 0.5 2 100",
		"cooling 0.5 0.8 0.95", "schedule linear geometric")
	schedule := conform.Among("block 0 1 32 64 96 128 250 512", "workers 0 1 2")
	return conform.Shapes{
		Solver: "anneal", Variant: variant, Backend: backend,
		Draw: func(d *conform.Draws) (datasets.Instance, record.Values, error) {
			inst, err := graph(d, most)
			params := d.All(fixed)
			for name, v := range d.All(live) {
				params[name] = v
			}
			return inst, params, err
		},
		Live: func(d *conform.Draws, _ datasets.Instance) record.Values { return d.Some(live) },
		Schedule: func(d *conform.Draws, _ datasets.Instance) record.Values {
			return d.Some(schedule)
		},
	}
}

// The kernels make the CPU's runs, in shared memory and in the device's, whatever the blocks.
func TestEmulateShapes(t *testing.T) {
	t.Parallel()
	backend := emulating(t, "")
	for _, variant := range []string{"spins", "population"} {
		s := shapes(backend, variant, 100, 70)
		s.Cases, s.Iterations = 12, 12
		if testing.Short() {
			s.Cases = 3
		}
		conform.CheckShapes(t, s)
	}
}

// Every number of edges at which another kernel begins is that of the law, cold and hot.
func TestEmulateDegrees(t *testing.T) {
	t.Parallel()
	backend := emulating(t, "shared")
	for _, degree := range []int{
		0, 1, 2, 3, 4, 6, 7, 8, 14, 15, 16, 30, 31, 32, 62, 63, 64, 200, 4096,
	} {
		var edges []datasets.Edge
		for v := range degree {
			edges = append(edges, datasets.Edge{U: 0, V: int32(v) + 1, Weight: 1 - 2*int64(v%3&1)})
		}
		star, err := datasets.NewCut(fmt.Sprint("star-", degree), degree+2, edges)
		if err != nil {
			t.Fatal(err)
		}
		// Heated when it is cold, the vertex in the middle has the largest losses.
		hot := []float64{0.05, 3, 20, 0.05, 100}
		var points [2][]record.Point
		for i, on := range []string{"cpu", backend} {
			r, err := solvers.Open(solvers.Config{
				Solver: "anneal", Variant: "spins", Backend: on, Instance: star, Seed: 5,
				Params: record.Of("walks", 40, "sweeps", 3, "cooling", 1),
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, temperature := range hot {
				if _, err := r.Set(t.Context(), record.Of("temperature", temperature), "test"); err != nil {
					t.Fatal(err)
				}
				if err := r.Step(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
				points[i] = append(points[i], r.Last())
			}
			r.Close()
		}
		for k, a := range points[0] {
			if b := points[1][k]; a.Digest != b.Digest || a.Mean != b.Mean ||
				a.Measures[1] != b.Measures[1] {
				t.Errorf("degree %d at %v: %x, mean %v, flips %v on the CPU, %x, %v, %v by the kernels", degree,
					hot[k], a.Digest, a.Mean, a.Measures[1], b.Digest, b.Mean, b.Measures[1])
			}
		}
	}
}

// Instances that the kernels do not take are refused with the reason.
func TestRefused(t *testing.T) {
	t.Parallel()
	c, err := datasets.NewCut("sizes", 3, []datasets.Edge{
		{U: 0, V: 1, Weight: 2}, {U: 1, V: 2, Weight: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newNet(spins.NewNet(c)); err == nil {
		t.Error("weights of two sizes are taken")
	}
	edges := make([]datasets.Edge, mostEdges+1)
	for v := range edges {
		edges[v] = datasets.Edge{U: 0, V: int32(v) + 1, Weight: 1}
	}
	if c, err = datasets.NewCut("star", len(edges)+1, edges); err != nil {
		t.Fatal(err)
	}
	if _, err := newNet(spins.NewNet(c)); err == nil {
		t.Errorf("a vertex of %d edges is taken", len(edges))
	}
}
