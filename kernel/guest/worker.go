package guest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

const (
	// aheadBudget is the longest time that a worker runs ahead of the run, except for solvers whose
	// state takes long to write: then up to aheadMost, and not at all if a state takes more than a
	// twentieth of that.
	aheadBudget = 1500 * time.Microsecond
	aheadMost   = 50 * time.Millisecond

	// baseEvery is the time between two bases of a solver whose iterations are long.
	baseEvery = time.Second

	// grace is how long an abandoned iteration may continue before the host kills its worker;
	// requestLimit is the same for other requests, and initLimit for Init.
	grace        = time.Second
	requestLimit = time.Minute

	initLimit = 10 * time.Minute

	// fewIterations run twice at the beginning of a run, unless they took longer than fewTake.
	fewIterations = 3
	fewTake       = 200 * time.Millisecond

	// maxMatrix is the number of cities up to which distances are sent as a matrix, for
	// metrics that a worker does not compute.
	maxMatrix = 6000
)

// Limits that tests shorten.
var (
	// longIteration is how long an iteration takes before the session says where it is.
	longIteration = 10 * time.Second

	// evaluationLimit is the limit for requests to a search on a declared problem, which evaluate each
	// walk's solution at most; its Init has requestLimit.
	evaluationLimit = 15 * time.Second

	// checkBudget is the time that a check compares methods with Cost, and as much again with kernels.
	checkBudget = 20 * time.Second
)

// spawn starts a worker of a code and has it make the first state.
func (a *algorithm) spawn(ctx context.Context, c *Code,
	vs record.Values,
) (*process, []byte, error) {
	head, err := a.initOf(vs)
	if err != nil {
		return nil, nil, err
	}
	w, err := start(ctx, c.Program, a.of.name, a.of.session.prints(a.of.name))
	if err != nil {
		return nil, nil, err
	}
	err = w.ask(wire.OpInit, head...)
	var ans answer
	if err == nil {
		limit := initLimit
		if a.problem != nil {
			limit = requestLimit
		}
		ans, err = w.wait(ctx, limit)
	}
	if err == nil && ans.op != wire.OpInit {
		err = w.failure(ans)
	}
	if err != nil {
		w.kill()
		return nil, nil, err
	}
	return w, ans.body, nil
}

// do makes a request that is no iteration.
func (a *algorithm) do(op byte, parts ...[]byte) ([]byte, error) {
	if err := a.w.ask(op, parts...); err != nil {
		return nil, err
	}
	limit := requestLimit
	if a.problem != nil {
		limit = evaluationLimit
	}
	ans, err := a.w.wait(context.Background(), limit)
	if err == nil && ans.op != op {
		err = a.w.failure(ans)
	}
	return ans.body, err
}

// set sends values of parameters.
func (a *algorithm) set(vs record.Values) ([]byte, error) {
	b, err := json.Marshal(vs)
	if err != nil {
		return nil, err
	}
	return a.do(wire.OpSet, b)
}

// more has the worker make iterations from the run's own on.
func (a *algorithm) more(ctx context.Context) error {
	if !a.asked || a.stale {
		if err := a.here(ctx); err != nil || len(a.ready) > 0 {
			return err
		}
		if err := a.tryAgain(ctx); err != nil {
			return err
		}
		count := min(a.cur-a.since, 1<<14) // ahead as far as it went undisturbed
		budget := min(max(aheadBudget, 20*time.Duration(a.stateNS+2*a.checkNS)), aheadMost)
		if count < 1 || a.cur < a.careful || 20*time.Duration(a.stateNS) > aheadMost {
			count = 1
		}
		old := time.Since(a.baseAt) > max(baseEvery, 100*time.Duration(a.stateNS))
		q := wire.WorkerStep{
			First: a.cur + 1, Count: count, Budget: int64(budget),
			State: count > 1 || old,
		}
		if err := a.w.ask(wire.OpStep, q.Append(nil)); err != nil {
			a.fire()
			return err
		}
		a.asked, a.first, a.wanted = true, q.First, count
	}
	err := a.collect(ctx, 0)
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, errEnded): // when nobody waited: now somebody does
		return a.more(ctx)
	case a.wanted > 1:
		// It is not known which of the iterations it was: one by one tells.
		a.careful = a.first + a.wanted
		return a.more(ctx)
	}
	return err
}

// collect waits for the iterations that were asked for.
func (a *algorithm) collect(ctx context.Context, limit time.Duration) error {
	var ans answer
	var err error
	if limit == 0 {
		ans, err = a.await(ctx)
	} else {
		ans, err = a.w.wait(ctx, limit)
	}
	if a.w.pending && ctx.Err() != nil {
		a.leave(fmt.Sprintf("iteration %d did not end within %v after it was given up", a.first, grace))
		return ctx.Err()
	}
	a.asked = false
	if err == nil && ans.op != wire.OpStep {
		err = a.w.failure(ans)
	}
	var s wire.WorkerSteps
	if err == nil {
		s, err = wire.ParseWorkerSteps(ans.body)
	}
	if err == nil {
		err = a.prove(&s, !a.stale)
	}
	if err != nil {
		a.fire()
		return err
	}
	a.charge(s.CPU)
	if s.More { // another answer follows
		a.asked, a.w.pending = true, true
		a.leave("") // unless the run comes to it
	}
	if a.stale {
		a.ready, a.failed, a.at, a.stale = nil, nil, -1, s.More
		return nil
	}
	if len(s.State) > 0 {
		a.stateNS = s.StateNS
		a.rebase(base{a.cur, s.State, a.values(), a.runs})
	}
	a.width = 4 + s.Measures
	a.ready = append(a.ready, s.Points...) // behind those of an answer before that are left
	n := int64(len(s.Points) / a.width)
	a.at = a.first - 1 + n
	if s.More {
		a.at, a.first = -1, a.first+n
	}
	if len(s.Failed) > 0 {
		e := &solverError{}
		if err := json.Unmarshal(s.Failed, &e.WorkerError); err != nil {
			return err
		}
		a.failed, a.at = e, -1 // in the midst of an iteration
	}
	return nil
}

// leave ends the worker when nobody waits for its answer any more, and tells everybody why.
func (a *algorithm) leave(why string) {
	if why == "" {
		a.w.leave(grace, nil)
		return
	}
	cur, runs := a.cur, a.runs
	a.w.leave(grace, func(function string, line int) {
		a.tell(fmt.Sprintf("%s%s; its worker was ended, and the run stands at iteration %d", why,
			runs.place(function, line), cur))
	})
}

// tell says what happened to the run.
func (a *algorithm) tell(text string) {
	if a.env.Tell != nil {
		a.env.Tell(text)
	}
	a.of.session.notice(a.env.Run + ": " + text)
}

// prove checks the best solution that came with iterations. points tells that these will be
// the run's, so their best must be one that was checked.
func (a *algorithm) prove(s *wire.WorkerSteps, points bool) error {
	if a.checked() { // the worker has done it
		return nil
	}
	if len(s.Best) > 0 {
		b, err := wire.ParseWorkerBest(s.Best)
		if err != nil {
			return err
		}
		t0 := time.Now()
		got, err := solvers.Cost(a.inst, a.solution(b.Solution))
		a.checkNS = int64(time.Since(t0))
		if err := solvers.Claimed(solvers.SenseOf(a.inst), b.Value, got, err); err != nil {
			return err
		}
		a.proven = b.Value
	}
	if width := 4 + s.Measures; points && len(s.Points) > 0 && !s.Later {
		if best := s.Points[len(s.Points)-width+1]; best != a.proven {
			return fmt.Errorf("%w: it is %v, and the solution that came with it has %v",
				solvers.ErrWrongBest, best, a.proven)
		}
	}
	return nil
}

// charge counts the worker's CPU time.
func (a *algorithm) charge(cpu int64) {
	if cpu > a.cpu {
		a.env.Pool.Charge(time.Duration(cpu - a.cpu))
		a.cpu = cpu
	}
}

// here brings the worker to the run's own iteration, under its own code; a new one when it
// has gone.
func (a *algorithm) here(ctx context.Context) error {
	for a.w != nil && a.asked {
		err := a.collect(ctx, grace)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errSilent):
			a.tell(fmt.Sprintf("iteration %d did not end within %v after it was given up%s; its worker was "+
				"ended, and the run stands at iteration %d", a.first, grace, a.placeOf(err), a.cur))
		}
	}
	if a.w != nil && a.runs == a.base.code && a.code == a.runs.ID && a.at == a.cur {
		return nil
	}
	a.since = a.cur
	if a.failed != nil {
		a.fire()
	}
	if err := a.again(ctx); err != nil {
		a.fire()
		return err
	}
	if a.code == a.base.code.ID {
		return nil
	}
	return a.swap(ctx)
}

// again brings the worker from the base to the run's iteration. It keeps later iterations: the run
// may still reach them, and an iteration that takes longer than anybody waits at a time is not lost
// whenever somebody asks for the state.
func (a *algorithm) again(ctx context.Context) error {
	ready, b := a.ready, a.base
	a.failed = nil
	if a.w == nil || a.runs != b.code {
		w, _, err := a.spawn(ctx, b.code, b.params)
		if err != nil {
			return err
		}
		a.use(w, b.code, -1)
	} else if _, err := a.set(b.params); err != nil {
		return err
	}
	if _, err := a.do(wire.OpRestore, b.state); err != nil {
		return err
	}
	a.at = b.iter
	for _, c := range append(a.changes, change{iter: a.cur}) {
		if err := a.redo(ctx, c.iter); err != nil {
			return err
		}
		if c.params != nil {
			if _, err := a.set(c.params); err != nil {
				return err
			}
		}
	}
	a.ready = ready
	return nil
}

// tryAgain makes the first few iterations again, once and where they are short, so that a
// solver whose iterations come out otherwise is found out at once.
func (a *algorithm) tryAgain(ctx context.Context) error {
	if a.begun.IsZero() {
		a.begun = time.Now()
	}
	if a.tried || a.cur-a.base.iter < fewIterations {
		return nil
	}
	a.tried = true
	if time.Since(a.begun) > fewTake {
		return nil
	}
	if err := a.again(ctx); err != nil {
		a.fire()
		return err
	}
	return nil
}

// redo makes iterations again, up to one.
func (a *algorithm) redo(ctx context.Context, to int64) error {
	more := false // of the last answer
	for a.at < to || more {
		q := wire.WorkerStep{First: a.at + 1, Count: to - a.at, Budget: int64(aheadMost)}
		if more {
			a.w.pending = true
		} else if err := a.w.ask(wire.OpStep, q.Append(nil)); err != nil {
			return err
		}
		ans, err := a.w.wait(ctx, requestLimit)
		if err == nil && ans.op != wire.OpStep {
			err = a.w.failure(ans)
		}
		if err != nil {
			return err
		}
		s, err := wire.ParseWorkerSteps(ans.body)
		if err != nil {
			return err
		}
		if err := a.prove(&s, false); err != nil {
			return err
		}
		a.charge(s.CPU)
		more = s.More
		width := 4 + s.Measures
		for i := 0; i < len(s.Points); i += width {
			it := a.at + 1
			if k := it - a.base.iter - 1; k < int64(len(a.past)) && a.past[k] != traceOf(s.Points[i:]) {
				return fmt.Errorf("iteration %d, made again from the state of iteration %d, gives %v instead "+
					"of %v or drew other numbers: Step must depend on nothing but the state, the parameters and "+
					"its random numbers",
					it, a.base.iter, s.Points[i], math.Float64frombits(a.past[k].value))
			}
			a.at = it
		}
		if len(s.Failed) > 0 {
			e := &solverError{}
			if err := json.Unmarshal(s.Failed, &e.WorkerError); err != nil {
				return err
			}
			return fmt.Errorf("iteration %d, made again, fails: %s", a.at+1, a.runs.explain(e))
		}
	}
	return nil
}

// swap hands the state on to the code that the parameter names.
func (a *algorithm) swap(ctx context.Context) error {
	c, err := a.find(ctx, a.code)
	if err != nil {
		return err
	}
	state, err := a.do(wire.OpSnapshot)
	if err != nil {
		a.fire()
		return err
	}
	vs := a.values()
	w, _, err := a.spawn(ctx, c, vs)
	if err != nil {
		return fmt.Errorf("code %s: %s", c.ID, c.explain(err))
	}
	a.use(w, c, a.cur)
	raw, err := a.do(wire.OpRestore, state)
	if err == nil && a.best < math.Inf(1) {
		err = a.sameBest(a.best, a.cur)
	}
	if err != nil {
		err = fmt.Errorf("code %s cannot go on: %s; set code=%s goes back", c.ID, c.explain(err),
			a.base.code.ID)
		a.fire()
		return err
	}
	var notes []string
	if json.Unmarshal(raw, &notes) == nil && len(notes) > 0 {
		for _, n := range notes {
			a.of.session.notice(fmt.Sprintf("%s, code %s: %s", a.of.name, c.ID, n))
		}
	}
	// Start from the new code's own state: the old one has fields that it does not know.
	if state, err = a.do(wire.OpSnapshot); err != nil {
		a.fire()
		return err
	}
	a.rebase(base{a.cur, state, vs, c})
	return nil
}
