package genetic

import (
	"context"
	"fmt"
	"os"
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/genetic"
	"metalab/solvers/tours"
)

const eaxMain = "testdata/emulate_eax.cc"

func eaxEmulator(t testing.TB) *emulate.Program {
	t.Helper()
	return emulate.Source{File: "eax.cu", Main: eaxMain}.For(t)
}

// TestEaxLayout holds the Go structs to the kernels'.
func TestEaxLayout(t *testing.T) {
	t.Parallel()
	eaxEmulator(t).Layout(t, eaxMain,
		emulate.Struct{Name: "job", Form: job{}},
		emulate.Struct{Name: "turn", Form: turn{}},
		emulate.Struct{Name: "bred", Form: genetic.Bred{}},
	)
}

// eaxMock is an engine of ga/eax-rounds whose kernels run on the CPU.
type eaxMock struct {
	p     *genetic.RoundsProblem
	run   *emulate.Program
	shape eaxShape
	slots uint64
	tours []byte
	hash  []uint64
	long  []int64 // by tour: its length
}

func (e *eaxMock) Close() {}

// launch runs a kernel with the buffers of testdata/emulate_eax.cc.
func (e *eaxMock) launch(name string, j job, r turn, more map[int][]byte) ([][]byte, error) {
	in := make([][]byte, 17)
	in[0], in[5] = emulate.Raw(j), emulate.Raw(r)
	if e.p.Space.Matrix != nil {
		in[2] = emulate.Raw(e.p.Space.Matrix)
	} else {
		in[1] = emulate.Raw(places(e.p.Space))
	}
	in[3], in[4] = emulate.Raw(e.p.Near.ID), emulate.Raw(e.p.Near.Dist)
	in[7], in[10], in[14] = e.tours, emulate.Raw(e.p.Entropy), make([]byte, 4)
	for k, b := range more {
		in[k] = b
	}
	if err := e.run.Launch(name, e.shape.blocks, e.shape.warps, in); err != nil {
		return nil, err
	}
	if emulate.Cooked(in[14], []int32{0})[0] != 0 {
		return nil, fmt.Errorf("the table of edges is full")
	}
	return in, nil
}

// table counts the edges of the population.
func (e *eaxMock) table(counts []int64) ([]byte, error) {
	n := e.p.Space.N
	r := turn{Tours: int32(len(e.hash)), Slots: e.slots}
	in, err := e.launch("count"+eaxSuffix(n), eaxJob(e.p, 0), r, map[int][]byte{
		9: make([]byte, 8*e.slots),
	})
	if err != nil {
		return nil, err
	}
	return in[9], e.tally(in[9], counts)
}

func (e *eaxMock) tally(table []byte, counts []int64) error {
	in, err := e.launch("tally_edges", job{}, turn{Slots: e.slots}, map[int][]byte{
		9: table, 15: make([]byte, 8*len(counts)),
	})
	if err == nil {
		emulate.Cooked(in[15], counts)
	}
	return err
}

func (e *eaxMock) Load(tours [][]int32, counts []int64) error {
	n := e.p.Space.N
	row := n * int(eaxWidth(n))
	e.tours, e.hash = make([]byte, len(tours)*row), make([]uint64, len(tours))
	e.long = make([]int64, len(tours))
	for i, t := range tours {
		packInto(e.tours[i*row:], t)
		e.hash[i], e.long[i] = arith.HashPerm(t), e.p.Space.Length(t)
	}
	e.slots = slotsFor(distinct(tours))
	_, err := e.table(counts)
	return err
}

func (e *eaxMock) Breed(
	_ context.Context, j genetic.RoundsJob, out []genetic.Bred, counts []int64,
	tour func(i int) []int32,
) error {
	n := e.p.Space.N
	table, err := e.table(counts)
	if err != nil {
		return err
	}
	hash, long, fresh := emulate.Raw(e.hash), emulate.Raw(e.long), emulate.Left(len(e.tours))
	bred := make([]byte, bredBytes*len(j.Ring))
	for lo := 0; lo < len(j.Ring); lo += j.Round {
		r := turnOf(&j, e.shape, n, lo, min(lo+j.Round, len(j.Ring)), e.slots)
		for _, name := range []string{"couples_" + plane(e.p.Space), "settle"} {
			_, err := e.launch(name+eaxSuffix(n), eaxJob(e.p, j.Iteration), r, map[int][]byte{
				6: emulate.Raw(j.Ring), 8: hash, 9: table, 11: fresh, 12: bred,
				13: emulate.Left(e.shape.blocks * int(e.shape.scratch(n))), 16: long,
			})
			if err != nil {
				return err
			}
		}
	}
	emulate.Cooked(bred, out)
	emulate.Cooked(hash, e.hash)
	emulate.Cooked(long, e.long)
	row := n * int(eaxWidth(n))
	for i := range out {
		if out[i].Gain > 0 {
			unpackFrom(e.tours[i*row:(i+1)*row], tour(i))
		}
	}
	return e.tally(table, counts)
}

// eaxProblem is a trial with a population of local optima.
func (c trial) eaxProblem(t testing.TB, population int) (*genetic.RoundsProblem, [][]int32) {
	t.Helper()
	q := c.problem(t)
	p := &genetic.RoundsProblem{
		Space: q.Space, Near: q.Near(), Population: population, Entropy: genetic.Entropy(population),
		Env: &solvers.Env{Seed: 0x123456789abcdef, Pool: solvers.NewPool(1)},
	}
	search, err := tours.NewSearch(p.Space, p.Near, tours.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	list := make([][]int32, population)
	for i := range list {
		r := arith.NewStream(5, 0, uint32(i), 0)
		list[i] = p.Space.Random(&r)
		if i%4 > 0 {
			search.Improve(list[i], nil, tours.TwoOpt)
		}
	}
	return p, list
}

// crossed makes generations by two engines, and compares them.
func crossed(
	t *testing.T, what string, p *genetic.RoundsProblem, first [][]int32, generations int,
	got, want genetic.RoundsEngine,
) (replaced, blocks int) {
	t.Helper()
	m, n := len(first), p.Space.N
	var lists [2][][]int32
	var counts [2][]int64
	var bred [2][]genetic.Bred
	for k, e := range []genetic.RoundsEngine{got, want} {
		for _, f := range first {
			lists[k] = append(lists[k], append([]int32(nil), f...))
		}
		counts[k], bred[k] = make([]int64, m+1), make([]genetic.Bred, m)
		if err := e.Load(lists[k], counts[k]); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	if fmt.Sprint(counts[0]) != fmt.Sprint(counts[1]) {
		t.Fatalf("%s: edges by tours %v, want %v", what, counts[0], counts[1])
	}
	j := genetic.RoundsJob{Round: (m + 1) / 2, Children: 3, Longest: 24}
	for i := range m {
		j.Ring = append(j.Ring, int32(i))
	}
	for g := range generations {
		r := arith.NewStream(6, uint64(g), 0, 0)
		r.Shuffle(j.Ring)
		j.Iteration, j.Greedy, j.Blocks = uint64(g)<<31+2, g%3 == 2, g%2 == 1
		for k, e := range []genetic.RoundsEngine{got, want} {
			err := e.Breed(context.Background(), j, bred[k], counts[k], func(i int) []int32 {
				return lists[k][i]
			})
			if err != nil {
				t.Fatalf("%s, generation %d: %v", what, g, err)
			}
		}
		for i := range m {
			if bred[0][i] != bred[1][i] {
				t.Fatalf("%s, generation %d, tour %d: %+v, want %+v", what, g, i, bred[0][i], bred[1][i])
			}
			if bred[1][i].Gain > 0 {
				replaced++
				if j.Blocks {
					blocks++
				}
			}
			for c := range n {
				if lists[0][i][c] != lists[1][i][c] {
					t.Fatalf("%s, generation %d, tour %d: city %d at place %d, want %d", what, g, i,
						lists[0][i][c], c, lists[1][i][c])
				}
			}
		}
		if fmt.Sprint(counts[0]) != fmt.Sprint(counts[1]) {
			t.Fatalf("%s, generation %d: edges by tours %v, want %v", what, g, counts[0], counts[1])
		}
	}
	return replaced, blocks
}

// The kernels make what package genetic makes, with edges that are left in shared memory and
// outside of it, and with city numbers of 16 and of 32 bits.
func TestEaxEmulated(t *testing.T) {
	run := eaxEmulator(t)
	defer func(n int) { eaxWide = n }(eaxWide)
	replaced, blocks := 0, 0
	for i, c := range trials {
		if c.n < 5 || os.Getenv("METALAB_EMULATE") == "" && i != 10 && i != 12 {
			continue // METALAB_EMULATE=all makes all sizes
		}
		for k, shape := range []eaxShape{{2, 3, 1 + i%2}, {3, 1, 0}} {
			eaxWide = []int{1 << 15, (i + 1) % 2 << 15}[k]
			p, first := c.eaxProblem(t, 7)
			want, err := genetic.NewRoundsCPU(p)
			if err != nil {
				t.Fatal(err)
			}
			e := &eaxMock{p: p, run: run, shape: shape}
			what := fmt.Sprintf("%+v, %+v, %d bytes", c, shape, eaxWidth(c.n))
			r, b := crossed(t, what, p, first, 5, e, want)
			replaced, blocks = replaced+r, blocks+b
		}
	}
	if replaced < 10 || blocks == 0 {
		t.Errorf("%d tours were replaced, %d by blocks: the trials show nothing", replaced, blocks)
	}
	t.Logf("%d tours were replaced, %d by blocks", replaced, blocks)
}
