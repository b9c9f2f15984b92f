package solvers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"metalab/solvers/arith"
	"metalab/solvers/internal/topology"
	"metalab/solvers/record"
)

// asynchrony holds the data of islands that do not wait for each other.
type asynchrony struct {
	mode    string
	wanted  int64 // iterations of the run, the next one included
	apart   apartness
	orders  orders    // of iterations that a replay runs again
	arrived *arrivals // of the last iteration, which the run is to journal; nil: it did so
}

// apartness says when islands made iterations without waiting.
type apartness int64

const (
	never  apartness = iota
	now              // in the last iteration
	before           // not in the last one
)

// course is the progress of an asynchronous island.
type course struct {
	count int64 // iterations that it has made
	since int64 // iterations since its last epoch
	epoch int64 // that have ended
	sent  posted
	read  []int64 // the epoch of the last solution that came from each island; nil: none did
}

// posted is the solution that an island sent at the end of an epoch of its own; the zero value is
// none.
type posted struct {
	letter
	epoch int64
}

// sums are of the iterations of an island in one of the run.
type sums struct {
	evals    int64 // of the island before the iteration
	made     int
	best     float64 // of these iterations
	mean     float64
	measures []float64
}

// turns is an iteration of a run whose islands do not wait for each other.
type turns struct {
	a     *archipelago
	it    int64
	given *arrivals // the order to follow; nil: it is as they come
	sums  []sums    // by island
	slots chan struct{}

	mu      sync.Mutex
	changed *sync.Cond
	left    int      // iterations that nobody has begun
	fresh   int      // islands that go on and have begun none
	order   arrivals // so far
	done    []bool   // islands that make no more
	visited []bool   // islands whose search is over, which looked for what has arrived
	err     error    // the first
}

// together has islands wait for each other again.
func (a *archipelago) together() {
	if a.apart != now {
		return
	}
	a.apart, a.since, a.mail = before, 0, nil
	for _, x := range a.islands {
		a.epoch = max(a.epoch, x.epoch)
	}
}

// part has them wait no more.
func (a *archipelago) part() {
	if a.apart == now {
		return
	}
	a.apart = now
	for _, x := range a.islands {
		x.course = course{count: x.count, epoch: a.epoch}
	}
	a.since, a.mail = 0, nil
}

// round makes an iteration without waiting.
func (a *archipelago) round(ctx context.Context, it int64, p *record.Point) error {
	given, err := a.orders.of(it, len(a.islands))
	if err != nil {
		return err
	}
	undo, err := a.remember()
	if err != nil {
		return err
	}
	was := *a
	a.part()
	saved := make([]island, len(a.islands))
	for i, x := range a.islands {
		saved[i] = *x
		saved[i].read = slices.Clone(x.read)
	}
	t := a.turns(it, given)
	began, within := time.Now(), ctx
	if undo == nil && !a.abroad {
		within = context.WithoutCancel(ctx)
	}
	a.mark()
	t.run(within)
	if t.err != nil {
		for i, x := range a.islands {
			*x = saved[i]
		}
		a.apart, a.epoch, a.since, a.mail = was.apart, was.epoch, was.since, was.mail
		return a.undone(ctx, undo, t.err)
	}
	a.began, a.took = true, time.Since(began)
	t.tell(p)
	a.arrived = &t.order
	for _, x := range a.islands {
		x.keep(it)
	}
	return nil
}

// undone undoes an iteration that islands have abandoned, or that failed.
func (a *archipelago) undone(ctx context.Context, undo [][]byte, err error) error {
	var lost DeviceError
	switch {
	case a.abroad && ctx.Err() != nil:
		return a.takeBack(ctx.Err())
	case errors.As(err, &lost):
		return err // the run continues from before, on other devices
	case undo == nil || ctx.Err() == nil:
		return fmt.Errorf("%s", err) // no island may have run more iterations than the order says
	}
	return a.goBack(undo, ctx.Err())
}

// turns begins an iteration.
func (a *archipelago) turns(it int64, given *arrivals) *turns {
	n := len(a.islands)
	t := &turns{
		a: a, it: it, given: given, left: n * a.period, fresh: n, sums: make([]sums, n),
		done: make([]bool, n), visited: make([]bool, n), order: arrivals{Made: make([]int, n)},
	}
	t.changed = sync.NewCond(&t.mu)
	side := n
	if !a.abroad {
		side = max(1, min(n, a.env.Pool.Size()/a.inner))
	}
	t.slots = make(chan struct{}, side)
	for i, x := range a.islands {
		t.sums[i] = sums{
			best: math.Inf(1), measures: make([]float64, len(x.made.Measures)), evals: x.evals,
		}
	}
	return t
}

// run makes the iterations: those of a device on the run's thread, others side by side.
func (t *turns) run(ctx context.Context) {
	n := len(t.a.islands)
	if pick := t.picker(); pick != nil {
		for left := n; left > 0; {
			i := pick()
			if t.done[i] {
				t.fail(t.misfit(i))
				return
			}
			if !t.advance(ctx, i) {
				left--
			}
			if t.err != nil {
				return
			}
		}
	} else {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := context.AfterFunc(ctx, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.changed.Broadcast()
		})
		defer stop()
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				for t.advance(ctx, i) {
				}
				if t.failed() {
					cancel()
				}
			})
		}
		wg.Wait()
	}
	if t.err == nil && t.given != nil && len(t.order.Epochs) < len(t.given.Epochs) {
		t.fail(t.misfit(t.given.Epochs[len(t.order.Epochs)]))
	}
}

// drawTurns, where it is not nil, chooses which of the islands that go on makes the next iteration:
// for tests, which so have an order of arrival that is a function of the iteration.
var drawTurns func(env *Env, it int64) func(step, islands int) int

// picker returns a function that chooses the next island where islands run one after another; nil
// where they run in parallel.
func (t *turns) picker() func() int {
	step := -1
	var draw func(step, islands int) int
	if drawTurns != nil {
		draw = drawTurns(t.a.env, t.it)
	}
	if draw == nil && (t.a.v.Backend == hostBackend || t.a.abroad) {
		return nil
	}
	return func() int {
		if g := t.given; g != nil && len(t.order.Epochs) < len(g.Epochs) {
			return g.Epochs[len(t.order.Epochs)]
		}
		step++
		at := step
		if draw != nil && t.given == nil {
			at = draw(step, len(t.done))
		}
		for t.done[at%len(t.done)] {
			at++
		}
		return at % len(t.done)
	}
}

func (t *turns) failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err != nil
}

func (t *turns) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
}

// misfit is the error of an order that islands cannot follow.
func (t *turns) misfit(i int) error {
	return fmt.Errorf("the order of arrival of iteration %d does not fit at epoch %d of island %d: %w",
		t.it, t.a.islands[i].epoch+1, i, record.ErrFormat)
}

// advance has an island end its epoch, or else make an iteration; false: it has made its last.
func (t *turns) advance(ctx context.Context, i int) (more bool) {
	defer func() {
		if f := recover(); f != nil {
			t.fail(fmt.Errorf("island %d: panic: %v", i, f))
			more = false
		}
		if !more {
			t.mu.Lock()
			if t.done[i] = true; t.order.Made[i] == 0 {
				t.fresh--
			}
			t.changed.Broadcast()
			t.mu.Unlock()
		}
	}()
	x := t.a.islands[i]
	over := x.Ended() != ""
	var err error
	switch {
	case over && t.visited[i]:
		return false
	case over || x.since >= int64(t.a.period):
		t.visited[i] = over
		err = t.exchange(ctx, i)
	case !t.claim(i):
		return false
	default:
		err = t.iterate(ctx, i)
	}
	if err != nil {
		t.fail(fmt.Errorf("island %d: %w", i, err))
	}
	return err == nil
}

// claim takes one of the iterations that are left.
func (t *turns) claim(i int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.err != nil:
		return false
	case t.given != nil:
		if t.order.Made[i] == t.given.Made[i] {
			return false
		}
	case t.left == 0 || t.order.Made[i] > 0 && t.left <= t.fresh:
		return false // what is left is for those that have made none yet
	}
	if t.order.Made[i] == 0 {
		t.fresh--
	}
	t.left--
	t.order.Made[i]++
	return true
}

// iterate makes an iteration of an island.
func (t *turns) iterate(ctx context.Context, i int) error {
	t.slots <- struct{}{}
	defer func() { <-t.slots }()
	x, s := t.a.islands[i], &t.sums[i]
	certain := max(1, int(t.certain(i)))
	x.ahead(func() []Stretch { return []Stretch{{Iterations: certain}} })
	var q *record.Point
	var err error
	t.a.env.Pool.counted(func() { q, err = x.Iterate(ctx, x.count+1) })
	if err != nil {
		return err
	}
	x.count++
	x.since++
	x.evals += q.Evals
	x.digest = arith.Chain(x.digest, q.Digest)
	s.made++
	s.best = min(s.best, q.IterBest)
	s.mean += q.Mean
	for k, m := range q.Measures {
		s.measures[k] += m
	}
	all := len(t.sums) * t.a.period
	t.mu.Lock()
	t.a.env.Progress.Store(uint32((all - t.left) << 16 / (all + 1)))
	t.mu.Unlock()
	return nil
}

// certain returns the number of iterations until an island's epoch ends, as far as that is certain.
func (t *turns) certain(i int) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := int64(t.a.period) - t.a.islands[i].since
	switch {
	case t.given != nil && t.a.wanted < 2:
		n = min(n, 1+int64(t.given.Made[i]-t.order.Made[i]))
	case t.a.wanted < 2:
		n = min(n, 1+int64(t.left/len(t.done)))
	}
	return n
}

// exchange ends an epoch of an island: the island sends its best solution, and receives those that
// have arrived.
func (t *turns) exchange(ctx context.Context, i int) error {
	x := t.a.islands[i]
	mine := posted{letter{x.Best(), x.Solution()}, x.epoch + 1}
	came, err := t.meet(ctx, i, mine)
	if err != nil {
		return err
	}
	x.since, x.epoch = 0, mine.epoch
	for from, m := range came {
		if m.epoch == 0 || math.IsInf(m.value, 1) ||
			t.a.policy == policyBetter && m.value >= x.Best() {
			continue
		}
		changed, err := x.alg.(Admitter).Admit(x.count, m.solution.Clone(), m.value)
		if err != nil {
			return fmt.Errorf("a solution of island %d: %w", from, err)
		}
		if changed {
			x.migrants = append(x.migrants, Migrant{t.it, m.epoch, from, i, m.value})
			x.digest = arith.Chain(x.digest, uint64(m.epoch)<<32|uint64(from)<<16|uint64(i))
		}
	}
	return nil
}

// meet sends an island's solution, and returns those of others for it, by their numbers.
func (t *turns) meet(ctx context.Context, i int, mine posted) ([]posted, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.await(ctx, i); err != nil {
		return nil, err
	}
	t.order.Epochs = append(t.order.Epochs, i)
	t.changed.Broadcast()
	n := len(t.a.islands)
	x := t.a.islands[i]
	x.sent = mine
	if x.read == nil {
		x.read = make([]int64, n)
	}
	values := make([]float64, n)
	for k, y := range t.a.islands {
		if values[k] = y.sent.value; y.sent.epoch == 0 {
			values[k] = math.Inf(1)
		}
	}
	came := make([]posted, n)
	best := -1
	for _, from := range topology.Topology(t.a.topologyName).From(i, values) {
		m := t.a.islands[from].sent
		if m.epoch <= x.read[from] {
			continue // nothing has arrived since
		}
		x.read[from] = m.epoch
		if t.a.policy == policyAll {
			came[from] = m
		} else if best < 0 || values[from] < values[best] {
			best = from
		}
	}
	if best >= 0 {
		came[best] = t.a.islands[best].sent
	}
	return came, nil
}

// await blocks until island i may end an epoch, if there is a given order. The caller holds t.mu.
func (t *turns) await(ctx context.Context, i int) error {
	for t.given != nil {
		at := len(t.order.Epochs)
		if at >= len(t.given.Epochs) || t.done[t.given.Epochs[at]] {
			return t.misfit(i)
		}
		if t.given.Epochs[at] == i {
			break
		}
		if err := cmp.Or(ctx.Err(), t.err); err != nil {
			return err
		}
		t.changed.Wait()
	}
	return ctx.Err()
}

// tell fills the run's point: the best of all iterations, and means over all of them.
func (t *turns) tell(p *record.Point) {
	p.IterBest, p.Mean, p.Digest, p.Evals = math.Inf(1), 0, 0, 0
	measures := p.Measures[:len(t.sums[0].measures)] // what others of its family measure stays
	clear(measures)
	made := 0
	for i, x := range t.a.islands {
		s, q := &t.sums[i], &x.made
		made += s.made
		p.IterBest = min(p.IterBest, s.best)
		p.Mean += s.mean
		p.Evals += x.evals - s.evals
		p.Digest = arith.Chain(p.Digest, x.digest)
		q.Iter, q.Evals, q.IterBest, q.Mean = t.it, x.evals, x.Best(), x.Best()
		for k, m := range s.measures {
			measures[k] += m
			if q.Measures[k] = 0; s.made > 0 {
				q.Measures[k] = m / float64(s.made)
			}
		}
		if s.made > 0 {
			q.IterBest, q.Mean = s.best, s.mean/float64(s.made)
		}
	}
	if made == 0 { // all searches are over
		p.IterBest, p.Mean = t.a.Best(), t.a.Best()
		return
	}
	p.Mean /= float64(made)
	for k := range measures {
		measures[k] /= float64(made)
	}
}
