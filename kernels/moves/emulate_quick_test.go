package moves

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/moves"
)

// The kernels that make many scans in a launch run here without a GPU.

const quickMain = "testdata/quick.cc"

// Buffers of the emulator.
const (
	kJob = iota
	kQuick
	kWalks
	kA
	kAT
	kB
	kBT
	kDA
	kDB
	kP
	kTop
	kUntil
	kD
	kMail
	kBuffers
)

// quickHow is how scans are made; none of it changes a result.
type quickHow struct {
	kernel string // walks or team
	warps  int
	staged bool
	wide   bool // 32 bits though 8 would do
}

// quickEmulated is an engine whose kernels the emulator runs.
type quickEmulated struct {
	p     *moves.Problem
	inst  *datasets.QAP
	hows  []quickHow // of the iterations, in turn; none: as the job asks for
	made  int        // iterations
	form  moves.Exchange
	n     int
	arg   quickArg
	walks []walk
	idle  int // the first of them, which are other engines'
	buf   [kBuffers][]byte
	stale bool
}

func quickProgram() (*emulate.Program, error) {
	return emulate.Source{File: "qap.cu", Main: quickMain}.Compile()
}

func newQuickEmulated(p *moves.Problem, hows ...quickHow) (moves.Engine, error) {
	inst, ok := p.Instance.(*datasets.QAP)
	if !ok {
		return nil, fmt.Errorf("%T", p.Instance)
	}
	return &quickEmulated{
		p: p, inst: inst, hows: hows, n: inst.N, form: moves.ExchangeOf(inst),
	}, nil
}

// matrices fills the buffers of the instance, in words of one number or of four, and returns the
// tail of the names of the kernels that read these.
func (e *quickEmulated) matrices(wide bool) string {
	f := &e.form
	narrow := bytes8(f) && !wide
	e.arg.Words = int32(packWords(e.n, narrow))
	for b, m := range map[int][]int64{kA: f.A, kAT: f.AT, kB: f.B, kBT: f.BT} {
		e.buf[b] = emulate.Raw(pack(m, e.n, narrow))
	}
	e.buf[kDA], e.buf[kDB] = emulate.Raw(ints32(f.DA)), emulate.Raw(ints32(f.DB))
	switch {
	case !f.Small:
		return "64"
	case narrow:
		return "8"
	}
	return "32"
}

func (e *quickEmulated) Close() {}

func (e *quickEmulated) Load(states []moves.State) error {
	e.walks, e.stale = nil, true
	var now, top []int32
	var until []int64
	for _, s := range states {
		cost, err := solvers.Cost(e.p.Instance, s.Now)
		if err != nil {
			return err
		}
		e.walks = append(e.walks, walk{
			Clock: s.Clock, Cost: int64(cost), Low: int64(s.Low),
		})
		now, top = append(now, s.Now.Perm...), append(top, s.Top.Perm...)
		until = append(until, s.Until...)
	}
	k := len(states)
	e.buf[kP], e.buf[kTop], e.buf[kUntil] = emulate.Raw(now), emulate.Raw(top), emulate.Raw(until)
	e.buf[kD] = make([]byte, 8*k*int(moves.Pairs(int64(e.n))))
	e.buf[kMail] = make([]byte, 64*k)
	return nil
}

// Put loads the state of a walk, and those of the others again.
func (e *quickEmulated) Put(a int, s *moves.State) error {
	var states []moves.State
	for b := range e.walks {
		states = append(states, moves.State{
			Now: s.Now.Clone(), Top: s.Top.Clone(), Until: slices.Clone(s.Until),
		})
		if err := e.State(b, &states[b]); err != nil {
			return err
		}
	}
	states[a] = *s
	return e.Load(states)
}

func (e *quickEmulated) State(a int, s *moves.State) error {
	n := e.n
	s.Clock, s.Low = e.walks[a].Clock, float64(e.walks[a].Low)
	emulate.Cooked(e.buf[kP][4*a*n:], s.Now.Perm)
	emulate.Cooked(e.buf[kTop][4*a*n:], s.Top.Perm)
	emulate.Cooked(e.buf[kUntil][8*a*len(s.Until):], s.Until)
	return nil
}

func (e *quickEmulated) Share(first int) { e.idle = first }

func (e *quickEmulated) Iterate(ctx context.Context, j moves.Job, out []moves.Outcome) error {
	for a := range out {
		out[a] = moves.NewOutcome(j.Scans)
	}
	return e.Climb(ctx, j, out)
}

func (e *quickEmulated) Climb(_ context.Context, j moves.Job, out []moves.Outcome) error {
	walks, size := len(e.walks)-e.idle, moves.Pairs(int64(e.n))
	of, err := newQAP(e.inst)
	if err != nil {
		return err
	}
	jobs, err := jobsOf(of, e.p.Seed, j)
	if err != nil {
		return err
	}
	for a := range e.walks {
		e.walks[a].begin(&out[a], out[a].Left, false)
	}
	how := quickHowOf(j, e.n)
	if len(e.hows) > 0 {
		how = e.hows[e.made%len(e.hows)]
	}
	e.made++
	if !e.form.Small { // there are no others
		how = quickHow{kernel: "walks", warps: how.warps, wide: true}
	}
	tail := e.matrices(how.wide)
	e.arg.First, e.arg.Walks, e.arg.Team, e.arg.Staged = int32(e.idle), int32(walks), 1, 0
	e.arg.Pairs, e.arg.Factor = int32(e.form.Pairs), int32(e.form.Factor)
	if how.staged {
		e.arg.Staged = 1
	}
	e.buf[kJob], e.buf[kQuick] = emulate.Raw(jobs[0]), emulate.Raw(e.arg)
	e.buf[kWalks] = emulate.Raw(e.walks)
	launch := func(kernel string, blocks, warps int) {
		p, bad := quickProgram()
		if err == nil {
			err = bad
		}
		if err == nil {
			err = p.Launch(kernel, blocks, warps, e.buf[:])
		}
	}
	name := "qap_" + how.kernel + tail
	if how.kernel == "published" {
		name = "qap_team_published"
	}
	if e.form.Pairs == 2 {
		name += "_two"
	}
	if e.stale && how.kernel != "published" {
		launch("qap_fill"+tail, (walks*int(size)+63)/64, 2)
		e.stale = false
	}
	warps := how.warps
	e.stale = e.stale || how.kernel == "published"
	if how.kernel == "walks" {
		warps = max(warps, (e.n+31)/32)
	}
	launch(name, walks, warps)
	launch("perm_hash", len(e.walks), 2)
	if err != nil {
		return err
	}
	emulate.Cooked(e.buf[kWalks], e.walks)
	for a := range e.walks {
		out[a] = e.walks[a].outcome(false)
	}
	return nil
}

// TestQuick runs the kernels that make many scans in a launch without a GPU: every scan makes the
// move that solvers/moves makes.
func TestQuick(t *testing.T) {
	emulate.Need(t)
	hows := []quickHow{
		{kernel: "walks", warps: 1},
		{kernel: "walks", warps: 3},
		{kernel: "walks", warps: 4, wide: true},
		{kernel: "team", warps: 2, wide: true},
		{kernel: "published", warps: 1, wide: true},
		{kernel: "team", warps: 1, wide: true, staged: true},
		{kernel: "published", warps: 3, wide: true, staged: true},
	}
	trial := 0
	run := func(inst *datasets.QAP, kv ...any) {
		h := hows[trial%len(hows)]
		trial++
		c := try(inst, kv...)
		t.Run(fmt.Sprint(inst.Name(), c.params, h), func(t *testing.T) {
			t.Parallel()
			twins(t, c, func(p *moves.Problem) (moves.Engine, error) {
				return newQuickEmulated(p, h)
			})
		})
	}
	times := 1
	if os.Getenv("METALAB_EMULATE") == "all" {
		times = len(hows)
	}
	for i, n := range []int{2, 3, 31, 32, 33, 37} {
		for range times { // some beyond RINGS
			run(randomQAP(t, n, i), "scans", []int{3, 39, 3, 39, 3, 3}[i], "walks", 1+i%3, "aspiration",
				[]int{0, 4, 9}[i%3])
		}
	}
	for kind := range 8 {
		for range times {
			run(randomQAP(t, 11, kind), "scans", 8, "walks", 2, "aspiration", 6, "tenure", 9, "tenures",
				[]string{"cube", "uniform", "fixed"}[kind%3])
		}
	}
	run(randomQAP(t, 9, 0), "walks", 4, "exchange", 1, "tenure", 20)
	run(randomQAP(t, 7, 0), "scans", 10, "tenure", 30, "tenures", "fixed") // no move is left
}

// TestQuickInTurn makes each iteration by other kernels than the one before, in every order: what
// one of them leaves behind is what the next needs.
func TestQuickInTurn(t *testing.T) {
	emulate.Need(t)
	hows := []quickHow{
		{kernel: "walks", warps: 1},
		{kernel: "team", warps: 2, wide: true},
		{kernel: "published", warps: 1, wide: true, staged: true},
		{kernel: "walks", warps: 4, wide: true},
		{kernel: "team", warps: 1, wide: true, staged: true},
	}
	kind := 0
	for i, first := range hows {
		for _, second := range hows[:i] {
			kind++
			c := try(randomQAP(t, 9+kind, kind), "scans", 6, "walks", 1+kind%3, "aspiration", 30)
			t.Run(fmt.Sprint(first, second), func(t *testing.T) {
				t.Parallel()
				twins(t, c, func(p *moves.Problem) (moves.Engine, error) {
					return newQuickEmulated(p, first, second, second, first)
				})
			})
		}
	}
}

// enlarged is an assignment whose numbers do not fit in 32 bits, though those of its matrices do.
func enlarged(t *testing.T, q *datasets.QAP) *datasets.QAP {
	t.Helper()
	grow := func(m []int32, by int32) []int32 {
		out := slices.Clone(m)
		for i := range out {
			out[i] *= by
		}
		return out
	}
	large, err := datasets.NewQAP(q.Name()+"-large", q.N, grow(q.A, 3001), grow(q.B, -1009))
	if err != nil {
		t.Fatal(err)
	}
	return large
}

// TestQuickLarge is the like of TestQuick with D of 64 bits.
func TestQuickLarge(t *testing.T) {
	emulate.Need(t)
	for trial, n := range []int{2, 3, 11, 12, 31, 32, 33, 37} {
		for kind := range 8 {
			if n > 12 && kind%4 != trial%4 {
				continue
			}
			inst := enlarged(t, randomQAP(t, n, kind))
			if n > 3 && !moves.ExchangeOf(inst).Middle {
				t.Fatalf("%s does not need 64 bits", inst.Name())
			}
			c := try(inst, "scans", []int{39, 6, 9}[kind%3], "walks", 1+kind%3, "aspiration",
				[]int{0, 4, 9}[(trial+kind)%3], "tenure", 9, "tenures",
				[]string{"cube", "uniform", "fixed"}[kind%3])
			h := quickHow{kernel: "walks", warps: 1 + (trial+kind)%4}
			t.Run(fmt.Sprint(inst.Name(), c.params, h), func(t *testing.T) {
				t.Parallel()
				twins(t, c, func(p *moves.Problem) (moves.Engine, error) {
					return newQuickEmulated(p, h)
				})
			})
		}
	}
}
