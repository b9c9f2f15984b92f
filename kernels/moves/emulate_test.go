package moves

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/kernels/launch/emulate"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

// The kernels run here without a GPU.

const emulateMain = "testdata/emulate.cc"

func TestMain(m *testing.M) { os.Exit(emulate.Main(m)) }

func program() (*emulate.Program, error) {
	return emulate.Source{File: "moves.cu", Main: emulateMain}.Compile()
}

// TestLayout holds the Go structs to the kernels'.
func TestLayout(t *testing.T) {
	emulate.Need(t)
	p, err := program()
	if err != nil {
		t.Fatal(err)
	}
	p.Layout(t, emulateMain,
		emulate.Struct{Name: "job", Form: job{}}, emulate.Struct{Name: "walk", Form: walk{}},
		emulate.Struct{Name: "choice", Form: choice{}}, emulate.Struct{Name: "found", Form: found{}},
		emulate.Struct{Name: "qap", Form: qapArg{}}, emulate.Struct{Name: "ppp", Form: pppArg{}},
	)
}

// Buffers of the emulator.
const (
	bJob = iota
	bWalks
	bA
	bB
	bFA
	bFB
	bEA
	bEB
	bEAT
	bEBT
	bDA
	bDB
	bP
	bTop
	bUntil
	bE
	bUV
	bGiven
	bDeltas
	bParts
	bColumns
	bWant
	bV
	bTopV
	bY
	bBins
	buffers
)

// how is how scans are made; none of it changes a result.
type how struct {
	threads, warps       int // of a walk in all; of a block
	readonly, given, out bool
}

// emulated is an engine whose kernels the emulator runs.
type emulated struct {
	p     *moves.Problem
	how   how
	prog  *emulate.Program
	qap   *datasets.QAP
	ppp   *datasets.PPP
	form  moves.Exchange
	n     int
	walks []walk
	buf   [buffers][]byte
	stale bool // E is not that of the permutations
}

func newEmulated(p *moves.Problem, h how) (moves.Engine, error) {
	e := &emulated{p: p, how: h, n: p.Instance.Size()}
	var err error
	if e.prog, err = program(); err != nil {
		return nil, err
	}
	switch inst := p.Instance.(type) {
	case *datasets.QAP:
		e.qap, e.form = inst, moves.ExchangeOf(inst)
		f := e.form
		e.buf[bA], e.buf[bB] = emulate.Raw(inst.A), emulate.Raw(inst.B)
		for b, m := range map[int][]int64{
			bFA: f.FA, bFB: f.FB, bEA: f.A, bEB: f.B, bEAT: f.AT, bEBT: f.BT, bDA: f.DA, bDB: f.DB,
		} {
			e.buf[b] = emulate.Raw(m)
		}
	case *datasets.PPP:
		e.ppp = inst
		e.n = inst.N
		e.buf[bColumns], e.buf[bWant] = emulate.Raw(columns(inst)), emulate.Raw(wanted(inst))
	}
	return e, nil
}

func (e *emulated) Close() {}

func (e *emulated) Load(states []moves.State) error {
	e.walks, e.stale = nil, true
	var now, top []int32
	var v, topV []int8
	var until []int64
	for _, s := range states {
		cost, err := solvers.Cost(e.p.Instance, s.Now)
		if err != nil {
			return err
		}
		e.walks = append(e.walks, walk{Clock: s.Clock, Cost: int64(cost), Low: int64(s.Low)})
		now, top = append(now, s.Now.Perm...), append(top, s.Top.Perm...)
		v, topV = append(v, s.Now.Bits...), append(topV, s.Top.Bits...)
		until = append(until, s.Until...)
	}
	k := len(states)
	e.buf[bP], e.buf[bTop], e.buf[bUntil] = emulate.Raw(now), emulate.Raw(top), emulate.Raw(until)
	e.buf[bV], e.buf[bTopV] = emulate.Raw(v), emulate.Raw(topV)
	if e.qap != nil {
		e.buf[bE], e.buf[bUV] = make([]byte, 8*k*e.n*e.n), make([]byte, 8*4*k*e.n)
	} else {
		e.buf[bY] = make([]byte, 4*k*e.ppp.M)
	}
	return nil
}

func (e *emulated) State(a int, s *moves.State) error {
	n := e.n
	s.Clock, s.Low = e.walks[a].Clock, float64(e.walks[a].Low)
	if e.qap != nil {
		emulate.Cooked(e.buf[bP][4*a*n:], s.Now.Perm)
		emulate.Cooked(e.buf[bTop][4*a*n:], s.Top.Perm)
	} else {
		emulate.Cooked(e.buf[bV][a*n:], s.Now.Bits)
		emulate.Cooked(e.buf[bTopV][a*n:], s.Top.Bits)
	}
	emulate.Cooked(e.buf[bUntil][8*a*len(s.Until):], s.Until)
	return nil
}

func (e *emulated) Iterate(_ context.Context, j moves.Job, out []moves.Outcome) error {
	walks, flips := len(e.walks), 2
	if e.ppp != nil {
		flips = j.Neighbourhood + 1
	}
	size := moves.Pairs(int64(e.n))
	if flips == 1 {
		size = int64(e.n)
	}
	o, err := jobOf(e.p.Seed, uint64(size), e.n, flips, j)
	if err != nil {
		return err
	}
	o.Blocks = int32((e.how.threads + 32*e.how.warps - 1) / (32 * e.how.warps))
	for a := range e.walks {
		w := &e.walks[a]
		w.Least, w.Sum, w.Tally = math.MaxInt64, 0, [5]int64{}
	}
	grid := walks * int(o.Blocks)
	scan, move, hash := "ppp_published", "ppp_move", "bits_hash"
	quick := false
	if e.qap != nil {
		o.Pairs, o.Factor = int32(e.form.Pairs), int32(e.form.Factor)
		scan, move, hash = "qap_published", "qap_move", "perm_hash"
		if quick = j.Evaluation == "incremental"; quick {
			scan = "qap_incremental"
		}
	} else {
		o.M = int32(e.ppp.M)
		e.buf[bBins] = make([]byte, 2*(e.n+1)/2*grid*32*e.how.warps)
	}
	if e.how.readonly {
		scan += "_readonly"
	}
	e.buf[bJob], e.buf[bWalks] = emulate.Raw(o), emulate.Raw(e.walks)
	e.buf[bParts] = make([]byte, 48*grid)
	e.buf[bGiven], e.buf[bDeltas] = nil, nil
	if e.how.given {
		e.buf[bGiven] = emulate.Raw(neighbours(e.n, flips, size))
	}
	if e.how.out {
		e.buf[bDeltas] = make([]byte, 8*walks*int(size))
	}
	launch := func(kernel string, blocks, warps int) {
		if err == nil {
			err = e.prog.Launch(kernel, blocks, warps, e.buf[:])
		}
	}
	switch {
	case e.ppp != nil && e.stale:
		launch("ppp_load", walks, 2)
	case quick && e.stale:
		launch("qap_load", walks*e.n, 1)
	}
	e.stale = e.qap != nil && !quick // E is not kept by the published evaluation
	for range j.Scans {
		launch(scan, grid, e.how.warps)
		if e.how.out && err == nil {
			e.reduce(o)
		}
		launch(move, walks, 2)
		if quick {
			launch("qap_update", walks*e.n, 1)
		}
	}
	launch(hash, walks, 2)
	if err != nil {
		return err
	}
	emulate.Cooked(e.buf[bWalks], e.walks)
	for a := range e.walks {
		out[a] = e.walks[a].outcome()
	}
	return nil
}

// reduce is reduce=host: the kernels' own choices are thrown away.
func (e *emulated) reduce(o job) {
	emulate.Cooked(e.buf[bWalks], e.walks)
	perms := emulate.Cooked(e.buf[bP], make([]int32, len(e.buf[bP])/4))
	until := emulate.Cooked(e.buf[bUntil], make([]int64, len(e.buf[bUntil])/8))
	deltas := emulate.Cooked(e.buf[bDeltas], make([]int64, len(e.buf[bDeltas])/8))
	var parts []found
	for a, w := range e.walks {
		v := view{n: e.n, flips: int(o.Flips), clock: w.Clock}
		v.until = until[a*len(until)/len(e.walks):]
		if e.qap != nil {
			v.perm = perms[a*e.n:]
		}
		f := v.reduce(deltas[a*int(o.Size):(a+1)*int(o.Size)], o.Aspiration)
		for range o.Blocks {
			parts = append(parts, f)
		}
	}
	e.buf[bParts] = emulate.Raw(parts)
}

// random is a random assignment problem; kind says which matrices are symmetric, and whether they
// have diagonals.
func random(t *testing.T, n, kind int) *datasets.QAP {
	t.Helper()
	r := arith.NewStream(uint64(n), 0, uint32(kind), 0)
	var m [2][]int32
	for k := range m {
		m[k] = make([]int32, n*n)
		for i := range n {
			for j := range n {
				m[k][i*n+j] = int32(r.IntN(20))
				if j < i && kind>>k&1 == 0 {
					m[k][i*n+j] = m[k][j*n+i]
				}
				if i == j && kind < 4 {
					m[k][i*n+j] = 0
				}
			}
		}
	}
	q, err := datasets.NewQAP(fmt.Sprintf("random-%d-%d", n, kind), n, m[0], m[1])
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestEmulated runs the kernels' source without a GPU: every scan makes the move that solvers/moves
// makes, for all schedules.
func TestEmulated(t *testing.T) {
	emulate.Need(t)
	type trial struct {
		inst   datasets.Instance
		params record.Values
	}
	var trials []trial
	add := func(inst datasets.Instance, kv ...any) {
		trials = append(trials, trial{inst, record.Of(append([]any{"scans", 3}, kv...)...)})
	}
	// Every size once, and each way that the matrices can be.
	for i, n := range []int{2, 3, 31, 32, 33, 37} {
		add(random(t, n, i), "walks", 1+i%3, "aspiration", []int{0, 4, 9}[i%3],
			"evaluation", []string{"incremental", "linear"}[i%2])
	}
	for kind := range 8 {
		add(random(t, 11, kind), "walks", 2, "aspiration", 6, "tenure", 9, "tenures",
			[]string{"cube", "uniform", "fixed"}[kind%3])
		add(random(t, 7, kind), "evaluation", "linear", "tenure", 30, "tenures", "fixed")
	}
	for i, size := range []string{"1x1", "31x31", "33x33", "40x37"} {
		inst, err := datasets.Load("ppp-" + size + "-1")
		if err != nil {
			t.Fatal(err)
		}
		for k := range 2 {
			if size != "1x1" || k == 0 {
				add(inst, "walks", 1+i%2, "neighbourhood", []string{"hamming1", "hamming2"}[k], "tenure",
					7, "tenures", []string{"uniform", "cube"}[k])
			}
		}
	}
	hows := []how{
		{threads: 1, warps: 1},
		{threads: 100, warps: 3, readonly: true},
		{threads: 64, warps: 2, given: true},
		{threads: 600, warps: 1, out: true},
	}
	for i, c := range trials {
		h := hows[i%len(hows)]
		t.Run(fmt.Sprint(c.inst.Name(), c.params, h), func(t *testing.T) {
			backend := "emulated in " + t.Name()
			kinds := []datasets.Kind{datasets.KindQAP, datasets.KindPPP}
			solvers.Register(moves.TabuOn(backend, kinds, func(p *moves.Problem) (moves.Engine, error) {
				return newEmulated(p, h)
			}))
			defer solvers.Remove("tabu", "robust", backend)
			var runs [2]*solvers.Run
			for k, b := range []string{"cpu", backend} {
				r, err := solvers.Open(solvers.Config{
					Name: "twin", Solver: "tabu", Variant: "robust", Backend: b, Instance: c.inst, Seed: 7,
					Params: c.params,
				})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				runs[k] = r
			}
			for it := range 4 {
				for _, r := range runs {
					if err := r.Step(t.Context(), 1); err != nil {
						t.Fatal(err)
					}
				}
				x, y := runs[0].Last(), runs[1].Last()
				if x.Digest != y.Digest || x.Best != y.Best || x.Mean != y.Mean ||
					fmt.Sprint(x.Measures) != fmt.Sprint(y.Measures) {
					t.Fatalf("iteration %d: on the CPU %+v, by the kernels %+v", it+1, x, y)
				}
			}
			for _, r := range runs { // recomputes the cost
				if _, err := r.Best(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
