package guest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// algorithm runs the iterations of a declared solver.
//
// A message to the worker and back takes some ten microseconds, which is much for a solver whose
// iterations are short. So the worker prefetches: it runs several iterations ahead of the run. When
// something needs the state at the run's own iteration (a change, a picture, a save), the worker
// returns to an earlier state, the base, and repeats the iterations since then, with the same
// changes of parameters. The laws demand equal results, and the host checks that. Nothing outside
// can tell the difference. The base also lets the run survive its worker.
type algorithm struct {
	of    *solver
	inst  datasets.Instance
	table *solvers.Params
	cells map[string]*cell
	code  string // the parameter
	names []string
	env   *solvers.Env

	working
	cur  int64 // the run's iteration
	best float64

	base    base
	changes []change // since the base
	past    []trace  // of the iterations since the base

	ahead
	pace
	searched
}

// working is the worker of an algorithm.
type working struct {
	w    *process
	runs *Code // the code of w
	at   int64 // the iteration whose state w has; -1: not known
	cpu  int64 // of w, as far as it was counted
}

// ahead holds the prefetched iterations: those that the worker has run, or was asked for.
type ahead struct {
	ready  []float64 // iterations after cur that w has made
	width  int       // numbers of an iteration in ready
	failed error     // of the iteration after these
	asked  bool      // a request for ready is pending
	stale  bool      // its answer is of no use
	first  int64     // its first iteration
	wanted int64     // how many were asked for
}

// pace is by which it is found how many iterations to ask for, and when to ask for a state.
type pace struct {
	begun time.Time // the first iteration
	tried bool      // repeated iterations proved equal
	told  bool      // that an iteration takes long

	since   int64 // the iteration from which on nobody changed or looked at anything
	careful int64 // up to this iteration a request is for one
	stateNS int64 // what a state takes
	checkNS int64 // what it takes to check a best solution

	proven float64 // value of the last best solution that came and was checked
	baseAt time.Time
}

// searched is of a search on a problem that somebody declared; see searching and paired.
type searched struct {
	problem *Instance // the search runs in its process
	on      *Instance // the solver that somebody declared runs together with it
	variant wire.WorkerVariant
	start   *record.Solution
	over    bool // the search said so after the last iteration
	loose   bool // the problem has changed: the best may be worse than before
}

// cell is the value of a parameter.
type cell struct {
	p record.Param
	f float64
	i int
	s string
	b bool
}

// base is a state that the run had.
type base struct {
	iter   int64
	state  []byte
	params record.Values
	code   *Code
}

// change holds the new values of parameters after an iteration.
type change struct {
	iter   int64
	params record.Values
}

// trace is the part of an iteration that a repetition must reproduce.
type trace struct{ value, best, draws uint64 }

func newAlgorithm(of *solver, inst datasets.Instance) *algorithm {
	_, _, names := of.view()
	return &algorithm{
		of: of, inst: inst, cells: map[string]*cell{}, names: names, working: working{at: -1},
		best: math.Inf(1), pace: pace{proven: math.NaN()},
	}
}

// Declare adds the parameters of all codes of the solver, and the code itself.
func (a *algorithm) Declare(t *solvers.Params) {
	a.table = t
	codes, params, _ := a.of.view()
	a.code = codes[len(codes)-1].ID
	if a.problem == nil {
		t.Enum(&a.code, codeParamOf(codes))
	}
	if a.on != nil {
		params = append(slices.Clone(a.on.code.Hello.Params), params...)
	}
	for _, p := range params {
		a.declare(p)
	}
}

func codeParamOf(codes []*Code) record.Param {
	p := record.Param{
		Name: codeParam, Class: record.Live, Type: record.Enum,
		Doc:    "the code that makes the iterations, by the hash of its source",
		Effect: "the state is handed on by the names of its fields",
	}
	for _, c := range codes {
		p.Options = append(p.Options, c.ID)
	}
	return p
}

func (a *algorithm) declare(p record.Param) {
	c := &cell{p: p}
	a.cells[p.Name] = c
	c.f, _ = p.Default.Float()
	c.i = int(c.f)
	c.s, _ = p.Default.Word()
	c.b, _ = p.Default.Truth()
	switch p.Type {
	case record.Float:
		a.table.Float(&c.f, p)
	case record.Int:
		a.table.Int(&c.i, p)
	case record.Enum:
		a.table.Enum(&c.s, p)
	default:
		a.table.Truth(&c.b, p)
	}
}

// values are the parameters as they are sent.
func (a *algorithm) values() record.Values {
	vs := record.Values{}
	for n, c := range a.cells {
		switch c.p.Type {
		case record.Float:
			vs[n] = record.Num(c.f)
		case record.Int:
			vs[n] = record.Num(float64(c.i))
		case record.Enum:
			vs[n] = record.Text(c.s)
		default:
			vs[n] = record.Bool(c.b)
		}
	}
	return vs
}

// Source is the source of a code.
func (a *algorithm) Source(name string, v record.Value) string {
	if name != codeParam {
		return ""
	}
	id, _ := v.Word()
	if c := a.of.code(id); c != nil {
		return c.text(a.of.name)
	}
	return ""
}

// Init starts the worker.
func (a *algorithm) Init(env *solvers.Env) error {
	a.env = env
	c, err := a.find(context.Background(), a.code)
	if err != nil {
		return err
	}
	vs := a.values()
	w, state, err := a.spawn(context.Background(), c, vs)
	if err != nil {
		return fmt.Errorf("%s: %s", a.of.name, c.explain(err))
	}
	a.use(w, c, 0)
	a.rebase(base{0, state, vs, c})
	if a.problem == nil || a.variant.Backend == "cpu" {
		return nil
	}
	// the next worker uses the device of the first one
	s, err := searching{a}.schedule(wire.WorkerTime{})
	if err != nil {
		a.fire()
		return fmt.Errorf("%s: %s", a.of.name, c.explain(err))
	}
	env.Devices = s.Devices
	return nil
}

// use adopts a worker whose state belongs to an iteration.
func (a *algorithm) use(w *process, c *Code, at int64) {
	a.fire()
	a.w, a.runs, a.at, a.cpu = w, c, at, 0
}

// fire ends the worker.
func (a *algorithm) fire() {
	if a.w != nil {
		a.w.kill()
	}
	a.w, a.at, a.asked, a.stale = nil, -1, false, false
	a.ready, a.failed = nil, nil
}

// rebase makes a state the base.
func (a *algorithm) rebase(b base) {
	a.base, a.baseAt = b, time.Now()
	a.changes, a.past = nil, a.past[:0]
}

// Measures names the measures of all codes that there were at the opening.
func (a *algorithm) Measures() []string { return a.names }

// Best is the value of the best solution.
func (a *algorithm) Best() float64 { return a.best }

// Close ends the worker.
func (a *algorithm) Close() { a.fire() }

// halted is an error after which the run stands where it stood.
func (a *algorithm) halted(err error) error {
	c := a.runs
	if c == nil {
		c = a.base.code
	}
	return fmt.Errorf("%s: %s; %w: the run stands at iteration %d", a.of.name, c.explain(err),
		solvers.ErrHalted, a.cur)
}

// Iterate makes an iteration, or tells of one that the worker has made already.
func (a *algorithm) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if len(a.ready) == 0 && a.failed == nil {
		if err := a.more(ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return a.halted(err)
		}
	}
	if len(a.ready) == 0 {
		err := a.halted(a.failed)
		a.fire() // its state is of the midst of an iteration
		return err
	}
	x := a.ready[:a.width]
	value, best := x[0], x[1]
	switch {
	case best > value:
		a.fire()
		return a.halted(fmt.Errorf("the value of Step is %v and that of Best %v: the best "+
			"must not be worse", value, best))
	case best > a.best && !a.loose:
		a.fire()
		return a.halted(fmt.Errorf("the value of Best is %v after %v: the best must not get worse",
			best, a.best))
	}
	t := traceOf(x)
	p.IterBest, p.Mean = value, max(x[2], value)
	p.Digest = arith.Chain(arith.Chain(t.value, t.best), t.draws)
	a.measures(x[4:], p.Measures)
	if a.problem != nil {
		p.Evals, a.over = int64(x[a.width-2]), x[a.width-1] != 0
	}
	a.loose = false
	a.ready = a.ready[a.width:]
	a.past = append(a.past, t)
	a.cur, a.best = it, best
	return nil
}

func traceOf(x []float64) trace {
	return trace{math.Float64bits(x[0]), math.Float64bits(x[1]), math.Float64bits(x[3])}
}

// measures puts the numbers of the code's measures where the run has them.
func (a *algorithm) measures(from, to []float64) {
	for i, n := range a.names {
		to[i] = math.NaN()
		if k := slices.Index(a.runs.Hello.Measures, n); k >= 0 && k < len(from) {
			to[i] = from[k]
		}
	}
}

// Solution returns the best solution, empty when the worker cannot be had.
func (a *algorithm) Solution() record.Solution {
	f, err := a.found()
	if err != nil {
		return record.Solution{}
	}
	return f.Solution
}

// solution is one as the instance has them.
func (a *algorithm) solution(entries []int32) record.Solution {
	if a.on != nil && a.on.form.Kind == record.FormReals { // two halves of each
		x := make([]float64, len(entries)/2)
		for i := range x {
			x[i] = math.Float64frombits(uint64(uint32(entries[2*i])) | uint64(entries[2*i+1])<<32)
		}
		return record.Solution{Real: x}
	}
	bits := a.inst.Kind() == datasets.KindPPP || a.inst.Kind() == datasets.KindCut
	if !bits && (a.on == nil || a.on.form.Kind != record.FormBits) {
		return record.Solution{Perm: entries}
	}
	s := record.Solution{Bits: make([]int8, len(entries))}
	for i, x := range entries {
		if s.Bits[i] = int8(x); int32(s.Bits[i]) != x {
			s.Bits[i] = 2 // which the cost function refuses
		}
	}
	return s
}

// Verify checks the best where the worker went ahead to a better one, and where its solution
// was too large to come with every iteration.
func (a *algorithm) Verify() error {
	if a.best == a.proven {
		return nil
	}
	s := a.Solution()
	if s.Perm == nil && s.Bits == nil && s.Real == nil {
		return nil // nothing was found: the next step tells why
	}
	got, err := solvers.Cost(a.inst, s)
	if err := solvers.Claimed(solvers.SenseOf(a.inst), a.best, got, err); err != nil {
		return err
	}
	a.proven = a.best
	return nil
}

// Changed applies new values of parameters.
func (a *algorithm) Changed(names []string) {
	a.ready, a.failed, a.since = nil, nil, a.cur // made with the old values
	a.stale = a.asked
	if slices.Equal(names, []string{codeParam}) {
		return // here sees it
	}
	vs := a.values()
	a.changes = append(a.changes, change{a.cur, vs})
	if a.w == nil || a.asked || a.at != a.cur || a.code != a.base.code.ID {
		a.at = -1 // made good when the worker is needed
		return
	}
	if _, err := a.set(vs); err != nil {
		a.fire()
	}
}

// Snapshot writes the state. Without a worker it writes none, and loading the run then repeats its
// iterations.
func (a *algorithm) Snapshot(w *solvers.Writer) {
	var state []byte
	err := a.here(context.Background())
	if err == nil {
		if state, err = a.do(wire.OpSnapshot); err != nil {
			a.fire()
		}
	}
	if err == nil {
		a.rebase(base{a.cur, state, a.values(), a.runs})
	} else {
		a.of.session.notice(a.halted(err).Error())
	}
	w.Float64s("best", a.best)
	w.Bytes("state", state)
}

// Restore reads a state, also one that other code wrote.
func (a *algorithm) Restore(r *solvers.Reader) error {
	best := r.Float64s("best", 1)[0]
	state := r.Bytes("state", -1)
	if err := r.Err(); err != nil {
		return err
	}
	if len(state) == 0 {
		return fmt.Errorf("%s: the state was not kept, for the solver did not answer: %w", a.of.name,
			solvers.ErrState)
	}
	if _, err := a.do(wire.OpRestore, state); err != nil {
		return fmt.Errorf("%s: %s", a.of.name, a.runs.explain(err))
	}
	if len(a.ofProblem()) == 0 && a.problem == nil { // else parameters of it may have changed since
		if err := a.sameBest(best, r.Head.Iter); err != nil {
			return err
		}
	}
	a.cur, a.at, a.best = r.Head.Iter, r.Head.Iter, best
	a.rebase(base{a.cur, state, a.values(), a.runs})
	return nil
}

// sameBest checks that code which took over a state has the best solution too.
func (a *algorithm) sameBest(best float64, iter int64) error {
	if iter == 0 {
		return nil
	}
	body, err := a.do(wire.OpBest)
	if err != nil {
		return fmt.Errorf("%s: %s", a.of.name, a.runs.explain(err))
	}
	b, err := wire.ParseWorkerBest(body)
	if err == nil && b.Value != best {
		err = fmt.Errorf("%s: code %s has taken over a best of %v, and it was %v: a field that holds "+
			"it has another name or type", a.of.name, a.runs.ID, b.Value, best)
	}
	return err
}
