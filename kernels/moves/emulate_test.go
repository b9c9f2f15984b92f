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
	"metalab/solvers/record"
)

// The kernels run here without a GPU.

func TestMain(m *testing.M) { os.Exit(emulate.Main(m)) }

// An emulation is what the emulator needs of a problem.
type emulation interface {
	// source are the kernels, and structs those of the problem, for TestLayout.
	source() emulate.Source
	structs() []emulate.Struct

	// problem plans the jobs.
	problem() problem

	// load fills the problem's own buffers, from index own on; state copies a walk's back.
	load(e *emulated, states []moves.State)
	state(e *emulated, a int, s *moves.State)

	// adopt makes room for a launch of so many threads, as problem.adopt does.
	adopt(e *emulated, threads int)

	// renew, scan, step and hash are those of problem, by Program.Launch. scan returns the kernel's
	// name, without _readonly.
	renew(e *emulated, stale bool) error
	scan(e *emulated) string
	step(e *emulated, o job) error
	hash(e *emulated) error
	judge(e *emulated, o job) func(a int, m moves.Move, clock, limit int64) (late, tabu bool)
}

// A resident emulation has kernels that make all scans.
type residentEmulation interface {
	whole(e *emulated, jobs []job) (bool, error)
}

// A preparing emulation makes launches before that of the kernel whose name scanOf returns, in
// place of scan.
type preparing interface {
	scanOf(e *emulated, o job) (string, error)
}

// emulations are those of the problems, with what is tried of them.
var emulations = []struct {
	kind   datasets.Kind
	make   func(datasets.Instance) emulation
	trials func(t *testing.T) []trial
}{
	{datasets.KindQAP, newEmulatedQAP, trialsQAP},
	{datasets.KindPPP, newEmulatedPPP, trialsPPP},
	{datasets.KindWeierstrass, newEmulatedBall, trialsBall},
	{datasets.KindTSP, newEmulatedTSP, trialsTSP},
	{datasets.KindATSP, newEmulatedTSP, trialsATSP},
	{datasets.KindColouring, newEmulatedColouring, trialsColouring},
}

// A trial is a run that both make, of tabu unless solver says another.
type trial struct {
	inst    datasets.Instance
	params  record.Values
	solver  string
	devices []int // over which walks are shared out
}

// try is a trial of tabu search with three scans in an iteration, unless kv says otherwise.
func try(inst datasets.Instance, kv ...any) trial {
	return trial{inst: inst, params: record.Of(append([]any{"scans", 3}, kv...)...)}
}

// climbs are trials of climbing: each way to choose and to begin, with several walks.
func climbs(inst datasets.Instance, kv ...any) []trial {
	var out []trial
	for i, with := range []trial{
		{solver: "hill", params: record.Of("select", "best", "begin", "random", "walks", 3)},
		{solver: "hill", params: record.Of("select", "first", "restarts", 2, "walks", 2)},
		{solver: "hill", params: record.Of("select", "random", "exchange", 2, "walks", 2)},
		{solver: "vnd", params: record.Of("select", "best")},
		{solver: "vnd", params: record.Of("select", "first", "walks", 2)},
	} {
		with.inst = inst
		with.params["scans"] = record.Of("scans", 8+i)["scans"]
		for name, v := range record.Of(kv...) {
			if name != "depth" || with.solver == "vnd" {
				with.params[name] = v
			}
		}
		out = append(out, with)
	}
	return out
}

// load loads an instance.
func load(t *testing.T, name string) datasets.Instance {
	t.Helper()
	inst, err := datasets.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// TestLayout holds the Go structs to the kernels'.
func TestLayout(t *testing.T) {
	emulate.Need(t)
	for _, m := range emulations {
		of := m.make(m.trials(t)[0].inst)
		p, err := of.source().Compile()
		if err != nil {
			t.Fatal(err)
		}
		p.Layout(t, of.source().Main, append(of.structs(),
			emulate.Struct{Name: "job", Form: job{}}, emulate.Struct{Name: "walk", Form: walk{}},
			emulate.Struct{Name: "choice", Form: choice{}}, emulate.Struct{Name: "found", Form: found{}},
		)...)
	}
}

// Buffers of the emulator that all problems have, as in testdata/emulate.h.
const (
	bJob = iota
	bWalks
	bGiven
	bDeltas
	bParts
	own // and on: the problem's
)

// how is how scans are made; none of it changes a result.
type how struct {
	threads, warps                int  // of a walk in all; of a block
	readonly, given, out, passing bool // passing: not by kernels that make all scans
}

// emulated is an engine whose kernels the emulator runs.
type emulated struct {
	p     *moves.Problem
	of    emulation
	how   how
	asks  bool // how is what the job asks for
	prog  *emulate.Program
	walks []walk
	jobs  []job
	asked moves.Job
	buf   [][]byte
	stale bool
	part  part
	parts bool // scans are worth to be shared
}

func newEmulated(p *moves.Problem, h how) (moves.Engine, error) {
	e := &emulated{p: p, how: h, buf: make([][]byte, own)}
	for _, m := range emulations {
		if m.kind == p.Instance.Kind() {
			e.of = m.make(p.Instance)
		}
	}
	var err error
	e.prog, err = e.of.source().Compile()
	return e, err
}

func (e *emulated) Close() {}

// set sets the n-th of the problem's own buffers to numbers.
func (e *emulated) set(n int, v any) {
	for len(e.buf) <= own+n {
		e.buf = append(e.buf, nil)
	}
	e.buf[own+n] = emulate.Raw(v)
}

// launch runs a kernel.
func (e *emulated) launch(kernel string, o job, blocks, warps int) error {
	e.buf[bJob] = emulate.Raw(o)
	return e.prog.Launch(kernel, blocks, warps, e.buf)
}

func (e *emulated) Load(states []moves.State) error {
	e.walks = make([]walk, len(states))
	for a := range states {
		if err := e.head(a, &states[a]); err != nil {
			return err
		}
	}
	e.of.load(e, states)
	return nil
}

// head sets the head of a walk.
func (e *emulated) head(a int, s *moves.State) error {
	cost, err := solvers.Cost(e.p.Instance, s.Now)
	real := s.Now.Real != nil
	e.walks[a] = walk{
		Clock: s.Clock, Cost: number(cost, real), Low: number(s.Low, real), Level: int32(s.Level),
		From: s.From,
	}
	e.stale = true
	return err
}

// Put loads the states of all walks again, one of them a new one.
func (e *emulated) Put(a int, s *moves.State) error {
	states := make([]moves.State, len(e.walks))
	for b := range states {
		states[b] = moves.State{
			Now: s.Now.Clone(), Top: s.Now.Clone(), Until: slices.Clone(s.Until),
		}
		e.of.state(e, b, &states[b])
	}
	states[a] = *s
	e.of.load(e, states)
	return e.head(a, s)
}

func (e *emulated) State(a int, s *moves.State) error {
	w := &e.walks[a]
	s.Clock, s.Low = w.Clock, value(w.Low, s.Now.Real != nil)
	s.Level, s.From = int(w.Level), w.From
	e.of.state(e, a, s)
	return nil
}

func (e *emulated) Iterate(ctx context.Context, j moves.Job, out []moves.Outcome) error {
	for a := range out {
		out[a] = moves.NewOutcome(j.Scans)
	}
	return e.Climb(ctx, j, out)
}

func (e *emulated) Climb(_ context.Context, j moves.Job, out []moves.Outcome) (err error) {
	if e.asked = j; e.asks {
		e.how = howOf(j)
	}
	if e.jobs, err = jobsOf(e.of.problem(), e.p.Seed, j); err != nil {
		return err
	}
	blocks := (e.how.threads + 32*e.how.warps - 1) / (32 * e.how.warps)
	grid := len(e.walks) * blocks
	for i := range e.jobs {
		e.jobs[i].Blocks, e.jobs[i].Span = int32(blocks), int32(blocks)
	}
	real, passes := e.jobs[0].Real != 0, 0
	for a := range e.walks {
		e.walks[a].begin(&out[a], out[a].Left, real)
		passes = max(passes, out[a].Left)
	}
	e.buf[bWalks] = emulate.Raw(e.walks)
	e.buf[bParts] = emulate.Left(48 * (grid + len(e.walks)*max(1, e.part.n)))
	e.buf[bGiven], e.buf[bDeltas] = nil, nil
	e.of.adopt(e, grid*32*e.how.warps)
	if err := e.of.renew(e, e.stale); err != nil {
		return err
	}
	e.stale = false
	done := false
	if e.part.shared() {
		if done, err = true, e.together(passes); err != nil {
			return err
		}
	}
	if r, ok := e.of.(residentEmulation); ok && !done && !e.how.passing && !e.how.given && !e.how.out {
		if done, err = r.whole(e, e.jobs); err != nil {
			return err
		}
	}
	for range passes {
		for _, o := range e.jobs {
			if done {
				break
			}
			if err := e.pass(o, grid); err != nil {
				return err
			}
		}
	}
	if err := e.of.hash(e); err != nil {
		return err
	}
	emulate.Cooked(e.buf[bWalks], e.walks)
	for a := range e.walks {
		out[a] = e.walks[a].outcome(real)
	}
	return nil
}

// pass makes a scan in one neighbourhood.
func (e *emulated) pass(o job, grid int) error {
	nb, err := neighbourhood(e.p, o)
	if err != nil {
		return err
	}
	if e.how.given {
		e.buf[bGiven] = emulate.Raw(neighbours(nb))
	}
	if e.how.out {
		e.buf[bDeltas] = make([]byte, 8*len(e.walks)*int(o.Size))
	}
	scan := e.of.scan(e)
	if p, ok := e.of.(preparing); ok {
		if scan, err = p.scanOf(e, o); err != nil {
			return err
		}
	}
	if e.how.readonly {
		scan += "_readonly"
	}
	if err := e.launch(scan, o, grid, e.how.warps); err != nil {
		return err
	}
	if e.how.out {
		e.reduce(o, nb)
	}
	return e.of.step(e, o)
}

// reduce is reduce=host: the kernels' own choices are thrown away.
func (e *emulated) reduce(o job, nb moves.Neighbourhood) {
	emulate.Cooked(e.buf[bWalks], e.walks)
	deltas := emulate.Cooked(e.buf[bDeltas], make([]int64, len(e.buf[bDeltas])/8))
	c := chooser{o, nb, e.of.judge(e, o)}
	var parts []found
	for a := range e.walks {
		f := c.reduce(a, &e.walks[a], deltas[a*int(o.Size):(a+1)*int(o.Size)])
		parts = append(parts, slices.Repeat([]found{f}, int(o.Blocks))...)
	}
	e.buf[bParts] = emulate.Raw(parts)
}

// padded is a memory of n times: climbing has none.
func padded(times []int64, n int) []int64 {
	return append(slices.Clip(times), make([]int64, n-len(times))...)
}

// int64s are the numbers of a problem's own buffer, and int32s those of another.
func (e *emulated) int64s(n int) []int64 {
	return emulate.Cooked(e.buf[own+n], make([]int64, len(e.buf[own+n])/8))
}

func (e *emulated) int32s(n int) []int32 {
	return emulate.Cooked(e.buf[own+n], make([]int32, len(e.buf[own+n])/4))
}

// hows are the schedules that are tried, in turn.
var hows = []how{
	{threads: 1, warps: 1},
	{threads: 100, warps: 3, readonly: true},
	{threads: 64, warps: 2, given: true},
	{threads: 600, warps: 1, out: true},
	{threads: 33, warps: 2, passing: true},
}

// TestEmulated runs the kernels' source without a GPU: every scan makes the move that solvers/moves
// makes, for all schedules. It takes every third trial, and all with METALAB_EMULATE=all.
func TestEmulated(t *testing.T) {
	emulate.Need(t)
	for _, m := range emulations {
		for i, c := range m.trials(t) {
			if i%3 != 0 && os.Getenv("METALAB_EMULATE") != "all" {
				continue
			}
			h := hows[i%len(hows)]
			t.Run(fmt.Sprint(c.solver, c.inst.Name(), c.params, h), func(t *testing.T) {
				t.Parallel()
				twins(t, c, func(p *moves.Problem) (moves.Engine, error) { return newEmulated(p, h) })
			})
		}
	}
}

// twins runs a trial on the CPU and by an engine.
func twins(t *testing.T, c trial, engine func(*moves.Problem) (moves.Engine, error)) {
	backend := "by the kernels in " + t.Name()
	var v solvers.Variant
	switch c.solver {
	case "hill":
		v = moves.HillOn(backend, Kinds(), engine)
	case "vnd":
		v = moves.VNDOn(backend, Kinds(), engine)
	default:
		v = moves.TabuOn(backend, Kinds(), engine)
	}
	solvers.Register(v)
	defer solvers.Remove(v.Solver, v.Name, backend)
	var runs [2]*solvers.Run
	for k, b := range []string{"cpu", backend} {
		r, err := solvers.Open(solvers.Config{
			Name: "twin", Solver: v.Solver, Variant: v.Name, Backend: b, Instance: c.inst, Seed: 7,
			Params: c.params, Devices: c.devices,
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
}
