package stream

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// remoteIsland is the client of an island that runs on a remote worker. It keeps a state of the
// island and the list of operations since then. The worker gets the operations that it has not
// done; a worker that lacks the island gets the state and all operations.
type remoteIsland struct {
	s      *Islands
	v      solvers.Variant
	inst   datasets.Instance
	number int
	here   solvers.Algorithm // has the parameters, and makes nothing
	packed []byte
	table  *solvers.Params
	env    *solvers.Env
	seed   uint64
	values record.Values // as it began
	start  *record.Solution

	checkpoint
	lookahead

	assignment

	heardOf int // operations whose answer has been stored

	best   float64
	ended  string
	found  *record.Solution // of the best; nil: it is still to be fetched
	before marked           // the last mark
}

// assignment is the worker that has an island.
type assignment struct {
	worker string // empty: none
	done   int    // operations that it has done; below 0: it is to begin anew
	turn   int    // how often one has begun
}

// checkpoint is the last state that is here, and what was done since.
type checkpoint struct {
	state      []byte // nil: the first
	operations []operation
	chain      uint64    // of the digests of the iterations among them
	kept       string    // the object of the state that the broker has; empty: none
	since      time.Time // the state was fetched
	took       time.Duration
}

// marked is the knowledge about an island at a mark.
type marked struct {
	best       float64
	ended      string
	solution   *record.Solution
	chain      uint64
	operations int
}

var (
	_ solvers.Algorithm    = (*remoteIsland)(nil)
	_ solvers.Admitter     = (*remoteIsland)(nil)
	_ solvers.RemoteIsland = (*remoteIsland)(nil)
	_ solvers.Changer      = (*remoteIsland)(nil)
	_ solvers.Finisher     = (*remoteIsland)(nil)
	_ solvers.Counter      = (*remoteIsland)(nil)
	_ solvers.Starter      = (*remoteIsland)(nil)
)

func (a *remoteIsland) Declare(t *solvers.Params) {
	a.here.Declare(t)
	a.table = t
}

func (a *remoteIsland) Measures() []string { return a.here.Measures() }

func (a *remoteIsland) Counts() string {
	if c, ok := a.here.(solvers.Counter); ok {
		return c.Counts()
	}
	return ""
}

func (a *remoteIsland) StartAt(s record.Solution) { a.start = &s }

// Init asks nobody yet.
func (a *remoteIsland) Init(env *solvers.Env) error {
	a.env, a.seed, a.values, a.best, a.done = env, env.Seed, a.table.Values(), math.Inf(1), -1
	a.since = time.Now()
	return nil
}

// Restore has the island begin at a state, which is all that is left to read.
func (a *remoteIsland) Restore(r *solvers.Reader) error {
	state, err := r.Take()
	if err != nil {
		return err
	}
	a.drop()
	a.state, a.operations, a.chain, a.done, a.found = state, nil, 0, -1, nil
	a.heardOf = 0
	a.values = a.table.Values()
	return nil
}

// Know implements solvers.RemoteIsland.
func (a *remoteIsland) Know(best float64, s record.Solution, ended string) {
	a.best, a.found, a.ended = best, &s, ended
}

func (a *remoteIsland) Changed(names []string) {
	a.drop()
	all, set := a.table.Values(), record.Values{}
	for _, n := range names {
		set[n] = all[n]
	}
	a.operations = append(a.operations, operation{Do: doSet, Set: set})
}

func (a *remoteIsland) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := a.await(ctx); err != nil {
		return err
	}
	if len(a.points) > 0 && a.points[0].Do != doAdmit && a.points[0].Iter == it {
		defer a.requestAhead(it)
		return a.consume(p)
	}
	if err := a.refresh(ctx); err != nil {
		return err
	}
	a.drop()
	a.operations = append(a.operations, operation{Do: doIterate, Iter: it})
	t, err := a.request(ctx, "")
	if err != nil {
		return err
	}
	a.requestAhead(it)
	q := *t.Point
	q.CPU = t.CPU
	return a.point(&q, p)
}

// Mark implements solvers.RemoteIsland.
func (a *remoteIsland) Mark() {
	a.before = marked{a.best, a.ended, a.found, a.chain, len(a.operations)}
}

// Return implements solvers.RemoteIsland.
func (a *remoteIsland) Return() {
	if n := a.before.operations; n < len(a.operations) {
		a.operations = a.operations[:n]
		a.heardOf = min(a.heardOf, n)
		a.done = -1 // the worker may have made it
		a.best, a.ended, a.found = a.before.best, a.before.ended, a.before.solution
		a.chain = a.before.chain
		a.drop()
	}
}

func (a *remoteIsland) Admit(it int64, s record.Solution, cost float64) (bool, error) {
	if changed, ok := a.admitted(it, s, cost); ok {
		return changed, nil
	}
	a.drop()
	a.operations = append(a.operations,
		operation{Do: doAdmit, Iter: it, Solution: &s, Cost: number(cost)})
	t, err := a.requestOrRun("")
	return t.Changed, err
}

func (a *remoteIsland) Best() float64 { return a.best }

func (a *remoteIsland) Ended() string { return a.ended }

// Solution fetches the best solution, which must cost what is said.
func (a *remoteIsland) Solution() record.Solution {
	if a.found == nil && !math.IsInf(a.best, 1) && !a.lookBack() {
		if _, err := a.requestOrRun(wantSolution); err != nil {
			a.note(err.Error())
		}
	}
	if a.found == nil {
		return record.Solution{}
	}
	return a.found.Clone()
}

// Snapshot fetches the state.
func (a *remoteIsland) Snapshot(w *solvers.Writer) {
	var err error
	if len(a.operations) > 0 || a.state == nil {
		_, err = a.requestOrRun(wantState)
		a.since = time.Now()
	}
	if err == nil {
		err = w.Copy(a.state)
	}
	if err != nil { // a state that Restore refuses
		w.Bytes("lost", []byte(err.Error()))
	}
}

// refresh fetches the state where that is due: what was done since would be done again if the
// worker was lost.
func (a *remoteIsland) refresh(ctx context.Context) error {
	if len(a.operations) > a.before.operations || len(a.points) > 0 || !a.due() {
		return nil // of a state after the mark there is no way back
	}
	began := time.Now()
	_, err := a.request(ctx, wantState)
	a.since = time.Now()
	a.took = a.since.Sub(began)
	if err == nil {
		a.Mark()
	}
	return err
}

// due reports whether the last state is old.
func (a *remoteIsland) due() bool {
	after := a.s.Renew
	if after == 0 {
		after = max(10*time.Second, 50*a.took)
	}
	return len(a.operations) > 0 && time.Since(a.since) >= after
}

// note tells what happens, the run too.
func (a *remoteIsland) note(text string) {
	a.s.note(text)
	if a.env != nil && a.env.Tell != nil {
		a.env.Tell(text)
	}
}

// Close tells the worker that the island is no longer wanted.
func (a *remoteIsland) Close() {
	a.drop()
	a.here.Close()
	if a.worker == "" || a.s.l.nc.IsClosed() {
		return
	}
	ctx, end := context.WithTimeout(context.Background(), 2*time.Second)
	defer end()
	_, _ = a.send(ctx, a.worker, &islandRequest{Run: a.s.run, Island: a.number, Want: wantEnd})
	a.forget(ctx, "")
	a.s.release(a.worker, false)
	a.worker = ""
}

// String says which workers have the islands.
func (s *Islands) String() string {
	has := s.Reached()
	out := ""
	for _, n := range slices.Sorted(maps.Keys(has)) {
		out += fmt.Sprintf(", %d with %s", has[n], n)
	}
	if out == "" {
		return "no island is with a worker"
	}
	return out[2:]
}
