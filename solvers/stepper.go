package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A Stepper is the algorithm of a variant without a run, for a program that iterates on behalf of a
// run in another process. Call its methods from one goroutine at a time.
type Stepper struct {
	inst   datasets.Instance
	alg    Algorithm
	params *Params
	env    *Env
	head   StateHead
	point  record.Point
	counts string
	cores  int   // of its loops; 0: all
	on     []int // its devices; nil: whichever has room
	spent  time.Duration
}

// Share limits the algorithm to so many cores. Call it before Init.
func (b *Stepper) Share(cores int) { b.cores = cores }

// NewStepper returns the algorithm of a variant, with its parameters at their defaults for the
// instance.
func NewStepper(v Variant, inst datasets.Instance) (*Stepper, error) {
	if absent(inst) {
		return nil, fmt.Errorf("solvers: %w", errNoInstance)
	}
	alg, params, err := prepare(v, inst, "default", nil, nil)
	if err != nil {
		return nil, err
	}
	return bareOf(v, inst, alg, params), nil
}

// bareOf is the Stepper of an algorithm.
func bareOf(v Variant, inst datasets.Instance, alg Algorithm, params *Params) *Stepper {
	b := &Stepper{inst: inst, alg: alg, params: params}
	b.head = StateHead{
		Version: stateVersion, Solver: v.Solver, Variant: v.Name, Revision: v.Revision,
		SHA256: inst.SHA256(),
	}
	if c, ok := alg.(Counter); ok {
		b.counts = c.Counts()
	}
	b.point.Measures = make([]float64, len(alg.Measures()))
	return b
}

// Params returns the parameters.
func (b *Stepper) Params() []record.Param { return b.params.List() }

// Measures returns the names of the algorithm's measures.
func (b *Stepper) Measures() []string { return b.alg.Measures() }

// Counts returns the name of what the algorithm counts as evaluations; see Counter.
func (b *Stepper) Counts() string { return b.counts }

// StartsAt reports whether the algorithm can begin at a given solution.
func (b *Stepper) StartsAt() bool {
	_, ok := b.alg.(Starter)
	return ok
}

// Init builds the first state from the parameters vs and, where it is not nil, from the solution
// start.
func (b *Stepper) Init(seed uint64, vs record.Values, start *record.Solution) error {
	pool := NewPool(b.cores)
	pool.cores.Store(int32(b.cores))
	env := &Env{
		Seed: seed, Pool: pool, Progress: &atomic.Uint32{}, Devices: b.on,
		Run: "on " + b.inst.Name(), // in words about memory
	}
	return b.begin(env, vs, start)
}

// begin is Init in a given environment.
func (b *Stepper) begin(env *Env, vs record.Values, start *record.Solution) error {
	if err := b.params.setAll(vs); err != nil {
		return err
	}
	if s, ok := b.alg.(Starter); ok && start != nil {
		s.StartAt(start.Clone())
	}
	b.head.Seed, b.env = env.Seed, env
	b.point.Measures = make([]float64, len(b.alg.Measures())) // parameters may add some
	return b.alg.Init(env)
}

// On sets the GPUs for a GPU variant; none: the one with the most free memory. Call it before Init.
func (b *Stepper) On(devices ...int) { b.on = devices }

// Devices returns the GPUs on which the algorithm runs, after Init; none: the CPU.
func (b *Stepper) Devices() []int { return b.env.Devices }

// Algorithm returns the algorithm itself, for its optional interfaces.
func (b *Stepper) Algorithm() Algorithm { return b.alg }

// Set changes parameters between two iterations.
func (b *Stepper) Set(vs record.Values) error {
	vs = b.params.renamed(vs)
	before := b.params.Values()
	if err := b.params.setAll(vs); err != nil {
		return err
	}
	var changed []string
	for _, n := range sortedNames(vs) {
		if before[n] != b.params.Values()[n] {
			changed = append(changed, n)
		}
	}
	if c, ok := b.alg.(Changer); ok && len(changed) > 0 {
		c.Changed(changed)
	}
	return nil
}

// Iterate runs one iteration. The point belongs to the Stepper, and the next call overwrites it.
func (b *Stepper) Iterate(ctx context.Context, it int64) (*record.Point, error) {
	if b.env.Pool.of == nil { // else it is an island, and the run's clock counts it
		defer b.metered()()
	}
	p := &b.point
	p.Iter, p.IterBest, p.Mean, p.Digest, p.Evals = it, math.Inf(1), math.Inf(1), 0, 0
	err := b.alg.Iterate(ctx, it, p)
	if err == nil && b.env.Pool.of == nil {
		made.Add(1)
	}
	p.Best = b.alg.Best()
	return p, err
}

// metered begins to count an iteration's CPU time.
func (b *Stepper) metered() (end func()) {
	runtime.LockOSThread() // so that the thread's CPU time is the iteration's
	began, nested := cpus.enter()
	a := cpus.open(b.env.Pool)
	return func() {
		b.spent = cpus.take(a, true)
		cpus.close(a)
		cpus.leave(began, nested)
		runtime.UnlockOSThread()
	}
}

// Spent returns the CPU time of the last iteration, of a search that is no island of a run in this
// process.
func (b *Stepper) Spent() time.Duration { return b.spent }

// Best returns the value of the best solution.
func (b *Stepper) Best() float64 { return b.alg.Best() }

// Solution returns a copy of the best solution.
func (b *Stepper) Solution() record.Solution { return b.alg.Solution() }

// Ended returns why the search is over; see Finisher.
func (b *Stepper) Ended() string {
	if e, ok := b.alg.(Finisher); ok {
		return e.Ended()
	}
	return ""
}

// Admit offers a solution to the algorithm; see Admitter.
func (b *Stepper) Admit(it int64, s record.Solution, cost float64) (changed bool, err error) {
	a, ok := b.alg.(Admitter)
	if !ok {
		return false, errors.New("the search takes in no solutions of others")
	}
	return a.Admit(it, s, cost)
}

// Close frees what the algorithm and its loops hold.
func (b *Stepper) Close() {
	b.alg.Close()
	if b.env != nil {
		b.env.Pool.Close()
	}
}

// Snapshot returns the state.
func (b *Stepper) Snapshot() ([]byte, error) {
	h := b.head
	h.Params = b.params.Values()
	w, err := newWriter(h, 0)
	if err != nil {
		return nil, err
	}
	b.alg.Snapshot(w)
	return w.bytes(), nil
}

// Restore reads a state that Snapshot wrote.
func (b *Stepper) Restore(state []byte) error {
	r, err := NewReader(state)
	if err != nil {
		return err
	}
	if err := b.alg.Restore(r); err != nil {
		return err
	}
	return r.Err()
}
