package genetic

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/genetic"
	"metalab/solvers/tours"
)

const emulateMain = "testdata/emulate.cc"

func TestMain(m *testing.M) { os.Exit(emulate.Main(m)) }

func emulator(t testing.TB) *emulate.Program {
	t.Helper()
	return emulate.Source{File: "genetic.cu", Main: emulateMain}.For(t)
}

// TestLayout holds the Go structs to the kernels'.
func TestLayout(t *testing.T) {
	t.Parallel()
	emulator(t).Layout(t, emulateMain,
		emulate.Struct{Name: "job", Form: job{}},
		emulate.Struct{Name: "world", Form: world{}},
		emulate.Struct{Name: "birth", Form: genetic.Birth{}},
		emulate.Struct{Name: "child", Form: genetic.Made{}},
		emulate.Struct{Name: "plan", Form: plan{}},
	)
}

// mock is an engine whose kernels run on the CPU.
type mock struct {
	p    *genetic.Problem
	run  *emulate.Program
	crew crew
	near bool // links lie in shared memory
	on   *ground
	rows []byte
}

func (e *mock) Room(tours, births int) error {
	if more := (tours+births)*int(rowBytes(e.p.Space.N)) - len(e.rows); more > 0 {
		e.rows = append(e.rows, emulate.Left(more)...)
	}
	return nil
}

func (e *mock) row(row int32) []byte {
	at := int(row) * int(rowBytes(e.p.Space.N))
	return e.rows[at:][:e.p.Space.N*int(width(e.p.Space.N))]
}

func (e *mock) Put(row int32, tour []int32) error {
	copy(e.row(row), packed(tour))
	return nil
}

func (e *mock) Tour(row int32, tour []int32) error {
	unpacked(e.row(row), tour)
	return nil
}

// launch runs a kernel, with the buffers that testdata/emulate.cc names.
func (e *mock) launch(
	kernel string, j job, m plan, births []genetic.Birth, which []int32, beside, edges []byte,
) (made []byte, err error) {
	sp := e.p.Space
	in := make([][]byte, 17)
	in[0] = emulate.Raw(j)
	if sp.Matrix != nil {
		in[3] = emulate.Raw(sp.Matrix)
	} else {
		in[1], in[2] = emulate.Raw(places(sp)), emulate.Raw(whole(sp))
	}
	in[4] = emulate.Raw(sp.Internal)
	near := e.p.Near()
	in[5], in[6] = emulate.Raw(near.ID), emulate.Raw(near.Dist)
	in[7], in[8], in[9] = e.rows, emulate.Raw(births), emulate.Left(16*int(max(j.Births, 1)))
	blocks, warps := e.crew.blocks, e.crew.strong+e.crew.weak
	if strings.HasPrefix(kernel, "reproduce") {
		in[10] = emulate.Left(int(e.crew.scratch(sp.N, e.near)))
	} else {
		in[10] = emulate.Left(blocks * warps * int(rowBytes(sp.N)+treeBytes(sp.N)))
	}
	in[11], in[12], in[13] = emulate.Raw(which), beside, edges
	if sp.Matrix == nil {
		in[14] = emulate.Raw(boxes(sp.X, sp.Y))
	}
	in[15] = emulate.Raw(m)
	in[16] = emulate.Raw(shorts(sp))
	err = e.run.Launch(kernel, blocks, warps, in)
	return in[9], err
}

func (e *mock) Start(
	_ context.Context, j genetic.Job, births []genetic.Birth, out []genetic.Made,
) error {
	name := "random_"
	if j.Nearest {
		name = "nearest_"
	}
	k := jobOf(e.p, j, len(births), 0)
	name += plane(e.p.Space) + wideness(e.p.Space.N)
	made, err := e.launch(name, k, plan{}, births, nil, nil, nil)
	emulate.Cooked(made, out)
	return err
}

func (e *mock) Reproduce(
	_ context.Context, j genetic.Job, births []genetic.Birth, out []genetic.Made,
) error {
	var of ordered
	of.order(births)
	b, err := e.launch(
		e.on.kernel(e.p.Space.N, e.near), jobOf(e.p, j, len(births), e.p.Near().K),
		plan{Linked: int32(of.linked), Strong: int32(e.crew.strong)},
		of.births, nil, nil, nil,
	)
	made := make([]genetic.Made, len(births))
	emulate.Cooked(b, made)
	for x, i := range of.at {
		out[i] = made[x]
	}
	return err
}

func (e *mock) Differ(row int32, rows []int32) (edges int64, err error) {
	n := e.p.Space.N
	j := jobOf(e.p, genetic.Job{}, 0, 0)
	beside, sum := emulate.Left(2*n*int(width(n))), make([]byte, 8)
	which := append([]int32{row}, rows...)
	if _, err = e.launch("around"+wideness(n), j, plan{}, nil, which, beside, sum); err != nil {
		return 0, err
	}
	_, err = e.launch("differ"+wideness(n), j, plan{}, nil, which, beside, sum)
	emulate.Cooked(sum, &edges)
	return edges, err
}

func (e *mock) Close() {}

// A trial is an instance and what is bred on it.
type trial struct {
	n      int
	metric datasets.Metric
	scale  float64
}

var trials = []trial{
	{1, datasets.Euc2D, 1},
	{2, datasets.Euc2D, 1},
	{3, datasets.Ceil2D, 1},
	{4, datasets.Att, 1},
	{5, datasets.Geo, 0.05},
	{7, datasets.Euc2D, 0.1},
	{8, datasets.Euc2D, 1},
	{31, datasets.Euc2D, 1},
	{32, datasets.Att, 1},
	{33, datasets.Euc2D, 1},
	{37, datasets.Geo, 0.05},
	{61, datasets.Ceil2D, 0.1},
	{97, datasets.Euc2D, 0.01},
}

// problem draws an instance with some cities at one place.
func (c trial) problem(t testing.TB) *genetic.Problem {
	t.Helper()
	r := arith.NewStream(uint64(c.n), 0, 0, 0)
	x, y := make([]float64, c.n), make([]float64, c.n)
	for i := range c.n {
		x[i], y[i] = c.scale*float64(r.IntN(1000)), c.scale*float64(r.IntN(1000))
		if i%5 == 4 {
			x[i], y[i] = x[i-1], y[i-1]
		}
	}
	in, err := datasets.NewTSP(fmt.Sprintf("trial%d", c.n), c.metric, x, y)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	return &genetic.Problem{
		Space: sp, Near: func() tours.Neighbours { return sp.Nearest(10) }, Seed: 0x123456789abcdef,
		Env: &solvers.Env{Seed: 0x123456789abcdef, Pool: solvers.NewPool(1)},
	}
}

// generations are the jobs of a trial, and the births of each: tours 0 to 3 are the parents.
func generations(n int) (jobs []genetic.Job, births [][]genetic.Birth) {
	for i, j := range []genetic.Job{
		{Iteration: 2, Drawn: true},
		{Iteration: 3, Mutation: 1, Moves: 3},
		{Iteration: 1<<40 + 4, Mutation: 0.5, Moves: 40, Gaining: true, Drawn: true},
	} {
		var list []genetic.Birth
		for k, cross := range []genetic.Cross{
			genetic.SCX, genetic.BCSCX, genetic.ARX, genetic.None, genetic.BCSCX, genetic.None,
		} {
			b := genetic.Birth{
				Seed: uint64(n + k), To: int32(6*i + k + 4),
				A: int32(4*min(i, 1) + k%3), B: int32(4*min(i, 1) + k%4),
				Place: int32(k + 3), Cross: cross, From: int32(n / 3), Until: int32(n / 2),
			}
			if k == 5 {
				b.Improve = 1
			}
			list = append(list, b)
		}
		jobs, births = append(jobs, j), append(births, list)
	}
	return jobs, births
}

// breed makes all generations of a trial, and compares what two engines make of them.
func breed(t *testing.T, what string, p *genetic.Problem, got, want genetic.Engine) {
	t.Helper()
	ctx, n := context.Background(), p.Space.N
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const rows = 22
	must(got.Room(rows, 0))
	must(want.Room(rows, 0))
	same := func(when string, from int32, a, b []genetic.Made) {
		t.Helper()
		x, y := make([]int32, n), make([]int32, n)
		for i := range a {
			must(got.Tour(from+int32(i), x))
			must(want.Tour(from+int32(i), y))
			for k := range x {
				if x[k] != y[k] {
					t.Fatalf("%s, %s, tour %d: city %d at place %d, want %d", what, when, i, x[k], k, y[k])
				}
			}
			if a[i] != b[i] {
				t.Fatalf("%s, %s, tour %d: %+v, want %+v", what, when, i, a[i], b[i])
			}
		}
	}
	var first []genetic.Birth
	for i := range 4 {
		first = append(first, genetic.Birth{Seed: uint64(i / 2), To: int32(i), Place: int32(7 * i)})
	}
	for _, j := range []genetic.Job{{Drawn: true}, {Nearest: true, Drawn: true}, {Nearest: true}, {}} {
		a, b := make([]genetic.Made, 4), make([]genetic.Made, 4)
		must(got.Start(ctx, j, first, a))
		must(want.Start(ctx, j, first, b))
		same(fmt.Sprintf("start %+v", j), 0, a, b)
	}
	jobs, births := generations(n)
	for i, j := range jobs {
		a, b := make([]genetic.Made, len(births[i])), make([]genetic.Made, len(births[i]))
		must(got.Reproduce(ctx, j, births[i], a))
		must(want.Reproduce(ctx, j, births[i], b))
		same(fmt.Sprintf("%+v", j), births[i][0].To, a, b)
	}
	if n < 2 {
		return
	}
	list := []int32{0, 1, 5, 9, 21}
	a, err := got.Differ(5, list)
	must(err)
	b, err := want.Differ(5, list)
	must(err)
	if a != b {
		t.Fatalf("%s: %d edges differ, want %d", what, a, b)
	}
}

// The kernels make what package genetic makes on all grounds, with links in shared memory and
// outside of it, with city numbers of 16 and of 32 bits, by crews of different warps.
func TestEmulated(t *testing.T) {
	run := emulator(t)
	defer func(n int) { wideFrom = n }(wideFrom)
	for i, c := range append(slices.Clone(trials), trial{1301, datasets.Euc2D, 1}) {
		for k, on := range []*ground{
			onShort, onWhole, onReal, onMatrix, onReal, onReal, onMatrix, onMatrix,
		} {
			wideFrom = 1 << 16
			if k > 3 && k%2 == 0 {
				wideFrom = 0
			}
			p := c.problem(t)
			if !stands(p.Space, on) || c.n > 1000 && k != 0 && k != 4 {
				continue
			}
			want, err := genetic.NewCPU(p)
			if err != nil {
				t.Fatal(err)
			}
			e := mock{p: p, run: run, on: on, near: k < 4, crew: crew{
				blocks: 1 + k%3, strong: 1 + i%2, weak: (i + k) % 3,
			}}
			what := fmt.Sprintf("%+v, %s, near %v, %d bytes", c, on.name, e.near, width(c.n))
			breed(t, what, p, &e, want)
		}
	}
}

// stands is whether an instance can be compared on a ground.
func stands(sp *tours.Space, on *ground) bool {
	return (on == onMatrix) == (sp.Matrix != nil) && (on != onShort || shorts(sp) != nil) &&
		(on != onWhole || whole(sp) != nil)
}

// A tree of three levels leads to the nearest neighbours too, far from the last city as well.
func TestNearestEmulated(t *testing.T) {
	p := trial{1060, datasets.Euc2D, 0.1}.problem(t)
	want, err := genetic.NewCPU(p)
	if err != nil {
		t.Fatal(err)
	}
	got := &mock{p: p, run: emulator(t), crew: crew{blocks: 1, weak: 1}}
	x, y := make([]int32, p.Space.N), make([]int32, p.Space.N)
	var made [2][]genetic.Made
	for k, e := range []genetic.Engine{got, want} {
		if err := e.Room(1, 0); err != nil {
			t.Fatal(err)
		}
		made[k] = make([]genetic.Made, 1)
		births := []genetic.Birth{{Seed: 9}}
		err := e.Start(t.Context(), genetic.Job{Nearest: true}, births, made[k])
		if err == nil {
			err = e.Tour(0, [][]int32{x, y}[k])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(x, y) || made[0][0] != made[1][0] {
		t.Errorf("a tour of %+v, want %+v", made[0][0], made[1][0])
	}
}
