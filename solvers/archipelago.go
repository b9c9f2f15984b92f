package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/internal/topology"
	"metalab/solvers/record"
)

// The parameters that a run of islands has beside those of the search; ParamIslands turns a run
// into one of islands.
const (
	ParamIslands  = "islands"
	ParamTopology = "migration_topology"
	ParamPeriod   = "migration_period"
	ParamDelay    = "migration_delay"
	ParamPolicy   = "migration_policy"
	ParamMode     = "migration_mode"
)

// The values of ParamMode.
const (
	ModeSync  = "sync"
	ModeAsync = "async"
)

// MaxIslands is the largest number of islands of a run. An island is a search with a seed of its
// own and the run's parameters. Now and then it accepts solutions of other islands, its migrants.
//
// One iteration of the run is one iteration of each island. After every migration_period iterations
// an epoch ends: each island sends its best solution, and receives solutions that others sent
// migration_delay epochs earlier, as topology and policy decide. So no island waits for the slowest
// one, and yet the run is a function of its record alone.
//
// With migration_mode=async islands never wait. An iteration of the run is then as many island
// iterations as all islands run in an epoch, and whichever island is free runs the next one, so a
// fast island runs more. Each island has its own epochs; at the end of each it receives what has
// arrived since the last. The journal stores the order in which epochs ended, and a replay follows
// that order.
const MaxIslands = 1024

// archipelago is the algorithm of a run of islands.
type archipelago struct {
	// Parameters; those of the search are in the fields of lead, which makes no iterations.
	number, period, delay int
	topologyName, policy  string
	lead                  Algorithm
	table                 *Params
	v                     Variant
	inst                  datasets.Instance
	env                   *Env
	given                 *record.Solution
	inner                 int           // goroutines of an island
	took                  time.Duration // the last iteration
	began                 bool          // an iteration was run since Init or Restore
	abroad                bool          // see PlaceIslands

	asynchrony

	// The state, beside that of the islands.
	islands []*island
	epoch   int64      // that have ended
	since   int64      // iterations since then
	mail    [][]letter // what was sent at the end of the last epochs, by island; the last is epoch's
}

// island is a search and what is known of it.
type island struct {
	*Stepper
	course
	digest   uint64 // chained
	evals    int64
	bestIter int64
	hist     history
	migrants []Migrant
	made     record.Point // of the iteration under way
	err      error
}

// newArchipelago makes a run's islands of an algorithm.
func newArchipelago(v Variant, inst datasets.Instance, lead Algorithm) (*archipelago, error) {
	if _, ok := lead.(Admitter); !ok {
		lead.Close()
		return nil, noIslands(v, inst)
	}
	a := defaultIslands()
	a.v, a.inst, a.lead = v, inst, lead
	return a, nil
}

func defaultIslands() *archipelago {
	return &archipelago{
		number: 1, period: 10, delay: 1, topologyName: string(topology.Ring), policy: policyBetter,
		asynchrony: asynchrony{mode: ModeSync},
	}
}

// IslandParams returns the parameters that a run of islands has beside those of the search.
func IslandParams() []record.Param {
	var t Params
	defaultIslands().declareOwn(&t)
	return t.List()
}

// noIslands says that a search cannot be one of islands, and which can.
func noIslands(v Variant, inst datasets.Instance) error {
	var others []string
	for _, o := range Variants() {
		if o.Backend != hostBackend || !o.takes(inst.Kind()) {
			continue
		}
		if alg, err := o.Make(inst); err == nil {
			if _, ok := alg.(Admitter); ok {
				others = append(others, o.Solver+"/"+o.Name)
			}
			alg.Close()
		}
	}
	hint := ""
	if len(others) > 0 {
		hint = "; those that do: " + strings.Join(slices.Compact(others), ", ")
	}
	return fmt.Errorf("islands: %s/%s takes in no solutions of others%s", v.Solver, v.Name, hint)
}

func (a *archipelago) Declare(t *Params) {
	a.lead.Declare(t)
	a.table = t
	a.declareOwn(t)
}

// declareOwn declares the parameters of the islands.
func (a *archipelago) declareOwn(t *Params) {
	t.Int(&a.number, record.Param{
		Name: ParamIslands, Class: record.Structural, Min: 1, Max: MaxIslands, Step: 1, Unit: "islands",
		Doc: "Searches side by side, each with a seed of its own (the first with that of the run), " +
			"which send each other their best solutions. An iteration is one of each.",
		Effect: "in a fork those with the best solutions go on, new ones begin anew; of a run without " +
			"islands each goes on from its state",
	})
	t.Enum(&a.topologyName, record.Param{
		Name: ParamTopology, Class: record.Live, Options: topology.Words,
		Doc: "Who sends to whom: ring, each to the next; all, each to all others; star, each to the " +
			"first, and this to each; best, the one with the best solution to all others.",
		Effect: "from the next epoch on",
	})
	t.Int(&a.period, record.Param{
		Name: ParamPeriod, Class: record.Live, Min: 1, Max: 1e6, Step: 1, Unit: "iterations",
		Doc:    "Iterations of an epoch, at whose end solutions are sent and taken in.",
		Effect: "the epoch ends when it has so many",
	})
	t.Int(&a.delay, record.Param{
		Name: ParamDelay, Class: record.Live, Min: 0, Max: 1000, Step: 1, Unit: "epochs",
		Doc: "How many epochs ago a solution was sent when it is taken in; 0: at once, so that all " +
			"wait for the slowest.",
		Effect: "solutions that were sent before, and longer ago than the delay was, are gone",
	})
	t.Enum(&a.mode, record.Param{
		Name: ParamMode, Class: record.Live, Options: []string{ModeSync, ModeAsync},
		Doc: "Whether islands wait for each other: sync, an iteration is one of each; async, it is as " +
			"many of them as an epoch of all has, made by those that are free, and each takes in what " +
			"has arrived when its own epoch ends; the order is journalled, and migration_delay is unused.",
		Effect: "solutions that were sent before are gone, and epochs begin anew",
	})
	t.Enum(&a.policy, record.Param{
		Name: ParamPolicy, Class: record.Live, Options: []string{policyBetter, policyBest, policyAll},
		Doc: "What an island takes in of what is sent to it: better, the best if it is better than all " +
			"that it found; best, the best; all, each.",
		Effect: "from the next epoch on",
	})
}

// own tells whether a parameter is one of the islands and not of the search.
func own(name string) bool {
	switch name {
	case ParamIslands, ParamTopology, ParamPeriod, ParamDelay, ParamPolicy, ParamMode:
		return true
	}
	return false
}

// paramWorkers is the name that searches give to the number of their goroutines.
const paramWorkers = "workers"

// values returns the values of the search's parameters with these names. The islands share the
// goroutines; see staff.
func (a *archipelago) values(names []string) record.Values {
	out := record.Values{}
	for _, n := range names {
		if e := a.table.find(n); e != nil && !own(n) {
			if out[n] = e.value(); n == paramWorkers && e.Class == record.Schedule {
				out[n] = record.Num(0)
			}
		}
	}
	return out
}

func (a *archipelago) Init(env *Env) error {
	a.env = env
	a.employ()
	a.islands = make([]*island, a.number)
	for i := range a.islands {
		b, err := NewStepper(a.v, a.inst)
		if err != nil {
			return err
		}
		a.islands[i] = &island{Stepper: b}
	}
	var names []string
	for i := range a.table.list {
		names = append(names, a.table.list[i].Name)
	}
	vs := a.values(names)
	a.each(func(i int) {
		x := a.islands[i]
		pool := env.Pool.Part(0)
		pool.cores.Store(int32(a.inner))
		x.err = x.begin(&Env{
			Seed: topology.Seed(env.Seed, i), Pool: pool, Progress: &atomic.Uint32{}, Run: env.Run,
			Devices: slices.Clone(env.Devices), Tell: env.Tell,
		}, vs, a.given)
		if a.v.Backend != hostBackend && len(env.Devices) == 0 {
			env.Devices = slices.Clone(x.env.Devices) // the first island chose; see each
		}
		x.made.Measures = make([]float64, len(x.alg.Measures()))
	})
	return a.failed()
}

// employ sets the goroutines of all islands together.
func (a *archipelago) employ() {
	if e := a.table.find(paramWorkers); e != nil && e.Class == record.Schedule {
		w, _ := e.value().Float()
		a.env.Pool.Resize(int(w))
	}
	a.share()
}

// share shares out the goroutines to the islands.
func (a *archipelago) share() {
	inner := max(1, a.env.Pool.Size()/a.number)
	if inner == a.inner {
		return
	}
	a.inner = inner
	for _, x := range a.islands {
		x.env.Pool.cores.Store(int32(inner))
		x.env.Pool.Resize(0)
	}
}

// each calls f for every island: in parallel for islands on cores, on the run's thread for islands
// on a device.
func (a *archipelago) each(f func(i int)) {
	if a.v.Backend == hostBackend {
		a.env.Pool.Run(len(a.islands), func(i, _ int) { f(i) })
		return
	}
	for i := range a.islands {
		f(i)
	}
}

// wait is each for what islands elsewhere are waited for: then all at once.
func (a *archipelago) wait(f func(i int)) {
	if !a.abroad {
		a.each(f)
		return
	}
	var wg sync.WaitGroup
	for i := range a.islands {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// failed is the first island's error.
func (a *archipelago) failed() error {
	for i, x := range a.islands {
		if x.err != nil {
			return fmt.Errorf("island %d: %w", i, x.err)
		}
	}
	return nil
}

// StartAt makes all islands begin at the solution.
func (a *archipelago) StartAt(s record.Solution) { a.given = &s }

// Changed passes the changes on to the islands.
func (a *archipelago) Changed(names []string) {
	if slices.Contains(names, paramWorkers) {
		a.employ()
	}
	vs := a.values(names)
	delete(vs, paramWorkers)
	if len(vs) == 0 {
		return
	}
	for _, x := range a.islands {
		if err := x.Set(vs); err != nil { // the table took them already
			panic(err)
		}
	}
}

// undoable is the longest iteration for which the engine saves the islands' states first. It can
// then abandon the iteration, and islands that have finished theirs go back.
const undoable = time.Second

func (a *archipelago) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	a.share()
	if a.mode == ModeAsync {
		return a.round(ctx, it, p)
	}
	a.together()
	undo, err := a.remember()
	if err != nil {
		return err
	}
	began, done := time.Now(), atomic.Int64{}
	within := ctx
	if undo == nil && !a.abroad {
		within = context.WithoutCancel(ctx)
	}
	a.mark()
	a.wait(func(i int) {
		a.islands[i].ahead(func() []Stretch { return a.follow(i) })
		a.islands[i].iterate(within)
		a.env.Progress.Store(uint32(done.Add(1) << 16 / int64(a.number)))
	})
	if err := a.failed(); err != nil {
		if a.abroad && ctx.Err() != nil {
			return a.takeBack(ctx.Err())
		}
		var lost DeviceError
		if errors.As(err, &lost) {
			return err // the run continues from before, on other devices
		}
		if undo == nil || ctx.Err() == nil {
			return fmt.Errorf("%s", err) // no island may have made another iteration than the others
		}
		return a.goBack(undo, ctx.Err())
	}
	a.began, a.took = true, time.Since(began)
	a.tell(it, p)
	if a.since++; a.since >= int64(a.period) {
		a.since = 0
		a.epoch++
		if err := a.migrate(it, p); err != nil {
			return err
		}
	}
	for _, x := range a.islands {
		x.keep(it)
	}
	return nil
}

// remember returns the islands' states, where the next iteration may be long; else nil.
func (a *archipelago) remember() ([][]byte, error) {
	if a.abroad || a.began && a.took < undoable || a.v.Backend != hostBackend {
		return nil, nil
	}
	states := make([][]byte, len(a.islands))
	a.each(func(i int) { states[i], a.islands[i].err = a.islands[i].Snapshot() })
	return states, a.failed()
}

// goBack undoes an abandoned iteration.
func (a *archipelago) goBack(states [][]byte, why error) error {
	a.each(func(i int) { a.islands[i].err = a.islands[i].Stepper.Restore(states[i]) })
	if err := a.failed(); err != nil {
		return fmt.Errorf("an iteration that was given up cannot be taken back: %s", err)
	}
	return why
}

// iterate makes an iteration of an island; one whose search is over waits for migrants.
func (x *island) iterate(ctx context.Context) {
	defer func() {
		if f := recover(); f != nil {
			x.err = fmt.Errorf("panic: %v", f)
		}
	}()
	p := &x.made
	if x.Ended() != "" {
		clear(p.Measures)
		p.Digest, p.Evals, p.IterBest, p.Mean = 0, 0, x.Best(), x.Best()
		return
	}
	q, err := x.Iterate(ctx, x.count+1)
	if x.err = err; err == nil {
		copy(p.Measures, q.Measures)
		p.Digest, p.Evals, p.IterBest, p.Mean = q.Digest, q.Evals, q.IterBest, q.Mean
	}
}

// tell fills the run's point from those of the islands: the best of all, means, and sums.
func (a *archipelago) tell(it int64, p *record.Point) {
	n := float64(len(a.islands))
	p.IterBest, p.Mean, p.Digest, p.Evals = math.Inf(1), 0, 0, 0
	measures := p.Measures[:len(a.islands[0].made.Measures)] // what others of its family measure stays
	clear(measures)
	for _, x := range a.islands {
		x.count++
		q := &x.made
		p.IterBest = min(p.IterBest, q.IterBest)
		p.Mean += q.Mean
		p.Evals += q.Evals
		p.Digest = arith.Chain(p.Digest, q.Digest)
		for i, m := range q.Measures {
			measures[i] += m
		}
		x.evals += q.Evals
		x.digest = arith.Chain(x.digest, q.Digest)
		q.Iter, q.Evals = it, x.evals
	}
	p.Mean /= n
	for i := range measures {
		measures[i] /= n
	}
}

// keep notes the island's point in its history.
func (x *island) keep(it int64) {
	p := x.made
	p.Best, p.Digest, p.Wall, p.CPU = x.Best(), x.digest, 0, 0
	before := math.Inf(1)
	if n := len(x.hist.points); n > 0 {
		before = x.hist.points[n-1].Best
	}
	if p.Improved = p.Best < before; p.Improved {
		x.bestIter = it
	}
	if p.Improved || Kept(it) {
		x.hist.keep(p)
	}
}

// leader is the island with the best solution, of equal ones the first.
func (a *archipelago) leader() *island {
	best := a.islands[0]
	for _, x := range a.islands {
		if x.Best() < best.Best() {
			best = x
		}
	}
	return best
}

func (a *archipelago) Measures() []string { return a.lead.Measures() }

func (a *archipelago) Best() float64 { return a.leader().Best() }

func (a *archipelago) Solution() record.Solution { return a.leader().Solution() }

func (a *archipelago) Close() {
	a.lead.Close()
	for _, x := range a.islands {
		if x == nil {
			continue
		}
		x.Close()
	}
}
