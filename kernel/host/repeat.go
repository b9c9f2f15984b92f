package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// DefaultSeeds is the default number of seeds of a repeat, maxSeeds the greatest.
const (
	DefaultSeeds = 10
	maxSeeds     = 10_000
)

// Withdrawal is the time in which the host notices that a client has abandoned its repeat, for
// example by ^C. During that time a new repeat in the background waits instead of failing.
const Withdrawal = 2 * time.Second

// repeating is a repeat of a run that is under way.
type repeating struct {
	asked *wire.RepeatRequest
	plan  solvers.Repeats
	call  string // that waits for it; empty in the background
	ctx   context.Context
	end   context.CancelCauseFunc
	done  chan struct{} // closed when all its work has ended

	far func() (parts float64, seeds int, left time.Duration) // see solvers.Gauge

	mu   sync.Mutex
	last string // what the latest seed gave, in words
}

// say notes what is shown beside how far the repeat is.
func (j *repeating) say(s string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last = s
}

// stand returns how far the repeat is.
func (j *repeating) stand() *reply.Repeating {
	parts, seeds, left := j.far()
	if seeds > 0 {
		parts += float64(j.plan.Seeds - seeds) // seeds with earlier results
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return &reply.Repeating{
		Seeds: j.plan.Seeds, Done: reply.Num(parts), LeftS: reply.Num(left.Seconds()),
		Budget: j.plan.Budget.String(), Background: j.call == "", Last: j.last,
	}
}

// repeatStand returns how far the run's current repeat is, nil if there is none.
func (e *Run) repeatStand() *reply.Repeating {
	e.mu.Lock()
	j := e.repeating
	e.mu.Unlock()
	if j == nil {
		return nil
	}
	return j.stand()
}

// endRepeat ends the run's current repeat; with forGood it waits for that and allows no other.
func (e *Run) endRepeat(why error, forGood bool) {
	e.mu.Lock()
	j := e.repeating
	e.over = e.over || forGood
	e.mu.Unlock()
	if j == nil {
		return
	}
	j.end(why)
	if forGood {
		<-j.done
	}
}

// planOf checks the request of a repeat.
func (e *Run) planOf(q *wire.RepeatRequest) (solvers.Repeats, error) {
	p := solvers.Repeats{
		Seeds: DefaultSeeds, Fresh: q.Fresh, Changes: q.Changes, Gauge: &solvers.Gauge{},
	}
	if q.Seeds != nil {
		p.Seeds = *q.Seeds
	}
	if p.Seeds < 1 || p.Seeds > maxSeeds {
		return p, wrong(fmt.Sprintf("repeat: seeds is %d, want 1 to %d", p.Seeds, maxSeeds))
	}
	b := record.Budget{Iterations: q.N, Wall: float64(q.Wall), CPU: float64(q.CPU), Until: q.Until}
	if b == (record.Budget{}) {
		if b.Iterations = e.run.Last().Iter; b.Iterations == 0 {
			all := e.run.Repeats()
			if len(all) == 0 {
				return p, wrong(fmt.Sprintf("repeat: %s has made no iteration; say how many each seed "+
					"makes, as in: repeat %s %d n=1000", e.name, e.name, p.Seeds))
			}
			b = all[len(all)-1].Budget
		}
	}
	var err error
	if p.Devices, err = e.GPUsFor("repeat", q.On); err != nil {
		return p, err
	}
	if p.Stop, err = stopOf(b, e.run.Last(), e.run.Instance()); err != nil {
		return p, wrong("repeat: " + err.Error())
	}
	p.Budget = b
	return p, nil
}

// repeatable reports why seeds cannot make the run's changes.
func (e *Run) repeatable(ctx context.Context, q *wire.RepeatRequest) error {
	cs, why, err := e.run.Changes(ctx)
	switch {
	case err != nil:
		return err
	case why != "":
		return wrong(fmt.Sprintf("repeat: no run makes %s of %s again; without the word changes seeds "+
			"have its present parameters from iteration 1 on", why, e.name))
	case len(cs) > 0 && q.Over != "" && q.Over != "local":
		return wrong(fmt.Sprintf("repeat: workers make no changes: repeat %s with over=local", e.name))
	}
	return nil
}

// unmade lists the changes of the run after iteration 0 that its seeds do not make, because they
// have its present parameters from iteration 1 on.
func (e *Run) unmade(ctx context.Context, q *wire.RepeatRequest) (out []reply.Change) {
	if q.Changes {
		return nil
	}
	cs, _, err := e.run.Changes(ctx)
	if err != nil {
		return nil // it was closed
	}
	for _, x := range cs {
		if x.Iter > 0 {
			out = append(out, wireChange(x))
		}
	}
	return out
}

var _ = handle("repeat", (*Host).repeat)

func (h *Host) repeat(c *Call, q *wire.RepeatRequest) (*reply.RepeatReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	plan, err := e.planOf(q)
	if err != nil {
		return nil, err
	}
	if plan.Changes {
		if err := e.repeatable(c.ctx, q); err != nil {
			return nil, err
		}
	}
	by, err := e.seedsOver(c.ctx, q, &plan)
	if err != nil {
		return nil, err
	}
	j, err := e.beginRepeat(c, q, plan, by)
	if err != nil {
		return nil, err
	}
	if q.Background {
		if err := h.behind(e, j); err != nil {
			return nil, err
		}
		none := &record.Series{Budget: plan.Budget, Backend: e.run.Variant().Backend}
		return &reply.RepeatReply{
			Status: e.Status("repeat"), Series: e.series(none), Wanted: plan.Seeds, Background: true,
			Unmade: e.unmade(c.ctx, q),
		}, nil
	}
	s, had, err := e.carryOut(j)
	if err != nil {
		return nil, err
	}
	rep := &reply.RepeatReply{
		Status: e.Status("repeat"), Series: e.series(&s), Wanted: plan.Seeds, Had: had, Fresh: q.Fresh,
		Unmade: e.unmade(c.ctx, q),
	}
	for _, other := range e.run.Repeats() {
		rep.Apart += len(other.Seeds)
	}
	rep.Apart -= len(s.Seeds)
	return rep, nil
}

// beginRepeat makes a repeat the run's current one. It first waits for the one before, whose
// results need not be computed again.
func (e *Run) beginRepeat(
	c *Call, q *wire.RepeatRequest, plan solvers.Repeats, by Seeder,
) (*repeating, error) {
	tick := time.NewTicker(gaugeEvery)
	defer tick.Stop()
	asked := time.Now()
	for {
		e.mu.Lock()
		if e.over {
			e.mu.Unlock()
			return nil, fmt.Errorf("repeat %s: %w", e.name, solvers.ErrClosed)
		}
		other := e.repeating
		if other == nil {
			j := &repeating{
				asked: q, plan: plan, call: c.id, done: make(chan struct{}), far: plan.Gauge.Far,
			}
			if by != nil {
				j.plan.Over, j.far = by.Over(j.say), by.Far
			}
			ctx := c.ctx
			if q.Background {
				ctx, j.call = e.host.ctx, ""
			}
			j.ctx, j.end = context.WithCancelCause(ctx)
			j.plan.Done = func(x record.Seeded) {
				j.say(fmt.Sprintf("seed %d: %v", x.Seed, value(senseOf(e.run), x.Best)))
				e.tell(j, j.call)
			}
			e.repeating = j
			e.host.replaying(1)
			e.mu.Unlock()
			return j, nil
		}
		e.mu.Unlock()
		if q.Background && other.ctx.Err() == nil && time.Since(asked) > Withdrawal {
			return nil, wrong(fmt.Sprintf("repeat: %s is being repeated: %s; pause %s ends that",
				e.name, other.stand(), e.name))
		}
		select {
		case <-other.done:
		case <-tick.C:
			e.tell(other, c.id)
		case <-c.ctx.Done():
			return nil, c.ctx.Err()
		}
	}
}

// tell sends all clients, and the call that waits, an event about how far a repeat is.
func (e *Run) tell(j *repeating, call string) { e.host.Publish(e.far(j, call)) }

// far is that event.
func (e *Run) far(j *repeating, call string) wire.Event {
	s, far := e.Status(""), j.stand()
	note := "repeat " + e.name + ", " + far.Budget + " each"
	if far.Last != "" {
		note += "; " + far.Last
	}
	left := time.Duration(float64(far.LeftS) * float64(time.Second))
	ev := ProgressOf(call, note, float64(far.Done), far.Seeds, left)
	ev.Status = &s
	return ev
}

// carryOut makes a repeat that was begun.
func (e *Run) carryOut(j *repeating) (s record.Series, had int, err error) {
	defer func() {
		j.end(nil)
		e.mu.Lock()
		e.repeating = nil
		e.mu.Unlock()
		close(j.done)
		e.host.replaying(-1)
		now := e.Status("")
		e.host.Publish(wire.Event{Kind: wire.EventProgress, Status: &now})
	}()
	far := func() wire.Event { return e.far(j, j.call) }
	x := &Holder{
		What: "the repeat of " + e.name, End: "pause " + e.name, Background: j.call == "",
		Say: j.say,
	}
	if j.plan.Hold = x.Hold; j.plan.Over != nil {
		x, j.plan.Hold = nil, nil // the cores of this machine are free
	}
	err = e.host.OnAllCores(j.ctx, x, far, func() error {
		s, had, err = e.run.Repeat(j.ctx, j.plan)
		return err
	})
	cause := context.Cause(j.ctx)
	switch {
	case err == nil || !errors.Is(cause, solvers.ErrPaused) && !errors.Is(cause, solvers.ErrClosed):
	case len(s.Seeds) == 0:
		err = fmt.Errorf("%s: %w before a seed was made", e.name, cause)
	default:
		err = fmt.Errorf("%s: %w; %d of %d seeds are made and kept: repeat %s %d goes on with the others",
			e.name, cause, len(s.Seeds), max(j.plan.Seeds, len(s.Seeds)), e.name, j.plan.Seeds)
	}
	return s, had, err
}

// background returns the request of the repeat that runs in the background, nil if there is none.
// Clients send those that they wait for again.
func (e *Run) background() *wire.RepeatRequest {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.repeating == nil || e.repeating.call != "" {
		return nil
	}
	q := *e.repeating.asked
	q.Fresh = false // seeds that ran again do not run a third time
	return &q
}

// behind runs a repeat in the background.
func (h *Host) behind(e *Run, j *repeating) error {
	work := func() {
		s, _, err := e.carryOut(j)
		now := e.Status("")
		note := fmt.Sprintf("%s: %s (seeds %s lists them, plot %s box draws them)",
			e.name, e.series(&s).Words(), e.name, e.name)
		if err != nil {
			note = "repeat: " + FirstLine(err.Error())
		}
		if h.ctx.Err() == nil {
			h.Publish(wire.Event{Kind: wire.EventNotice, Status: &now, Note: note})
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		j.end(nil)
		close(j.done)
		h.replaying(-1)
		return &wire.Error{Code: wire.CodeHost, Message: "the host is ending"}
	}
	h.work.Go(work)
	return nil
}

var _ = handle("seeds", (*Host).seeds)

// seeds lists what repeats of a run have given.
func (h *Host) seeds(_ *Call, q *wire.RunRequest) (*reply.SeedsReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	rep := &reply.SeedsReply{Status: e.Status("seeds"), Series: []reply.Series{}}
	latest := e.run.LatestSeries()
	for i, s := range e.run.Repeats() {
		if len(s.Seeds) == 0 {
			continue
		}
		if i == latest {
			rep.Latest = len(rep.Series)
		}
		rep.Series = append(rep.Series, e.series(&s))
	}
	return rep, nil
}

// series returns the results of repeats under one setting.
func (e *Run) series(s *record.Series) reply.Series {
	best, sense := bestKnown(e.run), senseOf(e.run)
	w := reply.Series{
		Budget: s.Budget.String(), Changed: e.otherwise(s), Results: make([]reply.Seeded, len(s.Seeds)),
	}
	for i, x := range s.Seeds {
		w.Results[i] = reply.Seeded{
			Seed: x.Seed, Iteration: x.Iter, Best: value(sense, x.Best),
			Gap: reply.Num(solvers.Gap(x.Best, best)), WallS: reply.Num(x.Wall), CPUS: reply.Num(x.CPU),
			Why: x.Why, Digest: fmt.Sprintf("%016x", x.Digest),
		}
	}
	w.BestQ = over(w.Results, func(x reply.Seeded) reply.Num { return x.Best })
	w.GapQ = over(w.Results, func(x reply.Seeded) reply.Num { return x.Gap })
	w.IterQ = over(w.Results, func(x reply.Seeded) reply.Num { return reply.Num(x.Iteration) })
	w.WallQ = over(w.Results, func(x reply.Seeded) reply.Num { return x.WallS })
	w.CPUQ = over(w.Results, func(x reply.Seeded) reply.Num { return x.CPUS })
	return w
}

// over are the quartiles of something over seeds.
func over(xs []reply.Seeded, of func(reply.Seeded) reply.Num) reply.Quartiles {
	v := make([]float64, len(xs))
	for i, x := range xs {
		v[i] = float64(of(x))
	}
	return quartiles(v)
}

// otherwise lists in what the parameters of a series differ from the run's present ones.
func (e *Run) otherwise(s *record.Series) []string {
	out := []string{}
	if b := e.run.Variant().Backend; s.Backend != b {
		out = append(out, "on="+s.Backend)
	}
	if len(s.Changes) > 0 {
		return append(out, "its changes")
	}
	now := present(e)
	for _, n := range sortedKeys(s.Params) {
		if v, ok := now[n]; ok && v != s.Params[n] {
			out = append(out, n+"="+s.Params[n].String())
		}
	}
	return out
}

// ofNow returns the series with the run's present setting, the latest last, and the number of seeds
// of others. Seeds that repeat its changes are of now until there are others.
func (e *Run) ofNow() (now []record.Series, others int) {
	changes, _, err := e.run.Changes(context.Background())
	if err != nil {
		changes = nil // it was closed
	}
	for _, s := range e.run.Repeats() {
		switch {
		case len(s.Seeds) == 0:
		case len(s.Changes) > 0 && s.SameChanges(changes) && s.Backend == e.run.Variant().Backend:
			now = append(now, s)
		case len(e.otherwise(&s)) == 0:
			now = append(now, s)
		default:
			others += len(s.Seeds)
		}
	}
	return now, others
}
