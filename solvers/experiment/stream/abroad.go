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

// abroad is the client of an island that runs on a remote worker. It keeps a state of the island
// and the list of deeds since then. The worker gets the deeds that it has not done; a worker that
// lacks the island gets the state and all deeds.
type abroad struct {
	s      *Islands
	v      solvers.Variant
	inst   datasets.Instance
	number int
	here   solvers.Algorithm // has the parameters, and makes nothing
	parcel []byte
	table  *solvers.Params
	env    *solvers.Env
	seed   uint64
	values record.Values // as it began
	start  *record.Solution

	past
	future

	holder

	heardOf int // deeds whose answer has been stored

	best   float64
	ended  string
	found  *record.Solution // of the best; nil: it is still to be fetched
	before outlook          // the last mark
}

// holder is the worker that has an island.
type holder struct {
	worker string // empty: none
	done   int    // deeds that it has done; below 0: it is to begin anew
	turn   int    // how often one has begun
}

// past is the last state that is here, and what was done since.
type past struct {
	state []byte // nil: the first
	deeds []deed
	chain uint64    // of the digests of the iterations among them
	kept  string    // the object of the state that the broker has; empty: none
	since time.Time // the state was fetched
	took  time.Duration
}

// outlook is the knowledge about an island at a mark.
type outlook struct {
	best     float64
	ended    string
	solution *record.Solution
	chain    uint64
	deeds    int
}

var (
	_ solvers.Algorithm = (*abroad)(nil)
	_ solvers.Admitter  = (*abroad)(nil)
	_ solvers.Guest     = (*abroad)(nil)
	_ solvers.Changer   = (*abroad)(nil)
	_ solvers.Ender     = (*abroad)(nil)
	_ solvers.Counter   = (*abroad)(nil)
	_ solvers.Starter   = (*abroad)(nil)
)

func (a *abroad) Declare(t *solvers.Params) {
	a.here.Declare(t)
	a.table = t
}

func (a *abroad) Measures() []string { return a.here.Measures() }

func (a *abroad) Counts() string {
	if c, ok := a.here.(solvers.Counter); ok {
		return c.Counts()
	}
	return ""
}

func (a *abroad) StartAt(s record.Solution) { a.start = &s }

// Init asks nobody yet.
func (a *abroad) Init(env *solvers.Env) error {
	a.env, a.seed, a.values, a.best, a.done = env, env.Seed, a.table.Values(), math.Inf(1), -1
	a.since = time.Now()
	return nil
}

// Restore has the island begin at a state, which is all that is left to read.
func (a *abroad) Restore(r *solvers.Reader) error {
	state, err := r.Take()
	if err != nil {
		return err
	}
	a.drop()
	a.state, a.deeds, a.chain, a.done, a.found = state, nil, 0, -1, nil
	a.heardOf = 0
	a.values = a.table.Values()
	return nil
}

// Know implements solvers.Guest.
func (a *abroad) Know(best float64, s record.Solution, ended string) {
	a.best, a.found, a.ended = best, &s, ended
}

func (a *abroad) Changed(names []string) {
	a.drop()
	all, set := a.table.Values(), record.Values{}
	for _, n := range names {
		set[n] = all[n]
	}
	a.deeds = append(a.deeds, deed{Do: doSet, Set: set})
}

func (a *abroad) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := a.arrive(ctx); err != nil {
		return err
	}
	if len(a.spots) > 0 && a.spots[0].Do != doAdmit && a.spots[0].Iter == it {
		defer a.press(it)
		return a.consume(p)
	}
	if err := a.refresh(ctx); err != nil {
		return err
	}
	a.drop()
	a.deeds = append(a.deeds, deed{Do: doIterate, Iter: it})
	t, err := a.ask(ctx, "")
	if err != nil {
		return err
	}
	a.press(it)
	q := *t.Point
	q.CPU = t.CPU
	return a.point(&q, p)
}

// Mark implements solvers.Guest.
func (a *abroad) Mark() {
	a.before = outlook{a.best, a.ended, a.found, a.chain, len(a.deeds)}
}

// Return implements solvers.Guest.
func (a *abroad) Return() {
	if n := a.before.deeds; n < len(a.deeds) {
		a.deeds = a.deeds[:n]
		a.heardOf = min(a.heardOf, n)
		a.done = -1 // the worker may have made it
		a.best, a.ended, a.found = a.before.best, a.before.ended, a.before.solution
		a.chain = a.before.chain
		a.drop()
	}
}

func (a *abroad) Admit(it int64, s record.Solution, cost float64) (bool, error) {
	if changed, ok := a.admitted(it, s, cost); ok {
		return changed, nil
	}
	a.drop()
	a.deeds = append(a.deeds, deed{Do: doAdmit, Iter: it, Solution: &s, Cost: number(cost)})
	t, err := a.atOnce("")
	return t.Changed, err
}

func (a *abroad) Best() float64 { return a.best }

func (a *abroad) Ended() string { return a.ended }

// Solution fetches the best solution, which must cost what is said.
func (a *abroad) Solution() record.Solution {
	if a.found == nil && !math.IsInf(a.best, 1) && !a.lookBack() {
		if _, err := a.atOnce(tellSolution); err != nil {
			a.note(err.Error())
		}
	}
	if a.found == nil {
		return record.Solution{}
	}
	return a.found.Clone()
}

// Snapshot fetches the state.
func (a *abroad) Snapshot(w *solvers.Writer) {
	var err error
	if len(a.deeds) > 0 || a.state == nil {
		_, err = a.atOnce(tellState)
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
func (a *abroad) refresh(ctx context.Context) error {
	if len(a.deeds) > a.before.deeds || len(a.spots) > 0 || !a.due() {
		return nil // of a state after the mark there is no way back
	}
	began := time.Now()
	_, err := a.ask(ctx, tellState)
	a.since = time.Now()
	a.took = a.since.Sub(began)
	if err == nil {
		a.Mark()
	}
	return err
}

// due reports whether the last state is old.
func (a *abroad) due() bool {
	after := a.s.Renew
	if after == 0 {
		after = max(10*time.Second, 50*a.took)
	}
	return len(a.deeds) > 0 && time.Since(a.since) >= after
}

// note tells what happens, the run too.
func (a *abroad) note(text string) {
	a.s.note(text)
	if a.env != nil && a.env.Tell != nil {
		a.env.Tell(text)
	}
}

// Close tells the worker that the island is no longer wanted.
func (a *abroad) Close() {
	a.drop()
	a.here.Close()
	if a.worker == "" || a.s.l.nc.IsClosed() {
		return
	}
	ctx, end := context.WithTimeout(context.Background(), 2*time.Second)
	defer end()
	_, _ = a.send(ctx, a.worker, &call{Run: a.s.run, Island: a.number, Tell: tellNothing})
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
