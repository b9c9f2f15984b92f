package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A Fabric has units made by the workers of a broker; see experiment.Options.
type Fabric struct {
	Address Address
	Timing  Timing
	// Window is the greatest number of units that the broker has of an experiment and a backend at a
	// time; 0: 1024.
	Window int
}

var _ experiment.Fabric = (*Fabric)(nil)

// Reach is nil where the broker answers.
func (f *Fabric) Reach(ctx context.Context) error {
	_, err := Workers(ctx, f.Address)
	return err
}

// asker is a Fabric that carries out a queue.
type asker struct {
	f   *Fabric
	l   *link
	q   experiment.Queue
	o   experiment.Options
	ctx context.Context

	p     *place
	watch jetstream.KeyWatcher

	out    map[string]*sent     // units that are with the broker, by key
	sums   map[string]stored    // results that were stored
	insts  map[string]*instance // by hash
	bad    map[string]bool      // workers whose results were refused
	tries  map[string]int       // how often a result could not be fetched, by key
	kinds  map[string]bool      // that have a consumer
	side   int                  // cores of all workers
	audits int                  // results that came twice and were the same
	faults []error              // results that came twice and were not
	noted  string
	looks  int
	made   func(time.Duration, int)
}

// sent is a unit that the broker has.
type sent struct {
	u    experiment.Unit
	kind string
	data []byte
}

// stored is what is known of a result that was stored.
type stored struct {
	sum    [32]byte
	object string // its name with the broker
	exact  bool   // another result must be the same
	text   string // of the unit
}

type instance struct {
	inst   datasets.Instance
	parcel []byte
	seen   int       // the number of the look that looked for it
	there  time.Time // when the broker was found to have it; zero: it may lack it
}

// Carry implements experiment.Fabric. Units of algorithms that no worker has stay with the broker
// until one joins that has them. A result is taken if it can be the unit's: its solution costs what
// it says, within the budget; else nothing more is taken of its worker. A result that comes a
// second time must be the first but for its times; the error at the end names those that are not.
func (f *Fabric) Carry(ctx context.Context, q experiment.Queue, o experiment.Options) error {
	l, err := dial(ctx, f.Address, f.Timing, false)
	if err != nil {
		return err
	}
	defer l.close()
	left := 0
	for _, b := range q.Backends() {
		left += q.Left(b)
	}
	a := &asker{
		f: f, l: l, q: q, o: o, ctx: ctx, out: map[string]*sent{}, sums: map[string]stored{},
		insts: map[string]*instance{}, bad: map[string]bool{}, tries: map[string]int{},
		kinds: map[string]bool{}, side: 1,
		made: o.Progress.Elsewhere(left),
	}
	if a.p, err = l.make(ctx); err != nil {
		return err
	}
	err = a.carry()
	if err != nil && ctx.Err() == nil && l.nc.IsClosed() {
		err = fmt.Errorf("stream: broker %s: %w", l.where, l.closed())
	}
	a.end()
	if a.audits > 0 {
		a.note(fmt.Sprintf("%d results came twice and were the same", a.audits))
	}
	return errors.Join(append([]error{err}, a.faults...)...)
}

func (a *asker) note(text string) {
	if text != a.noted && a.o.Note != nil {
		a.o.Note(text)
	}
	a.noted = text
}

// carry sends units and takes results until there are no more.
func (a *asker) carry() error {
	if err := a.look(); err != nil {
		return err
	}
	tick := time.NewTicker(a.l.t.Check)
	defer tick.Stop()
	due := false
	for {
		if err := a.fill(); err != nil && !a.waits(err) {
			return err
		}
		if len(a.out) == 0 {
			return a.ctx.Err()
		}
		var updates <-chan jetstream.KeyValueEntry
		if a.watch != nil {
			updates = a.watch.Updates()
		}
		select {
		case e, ok := <-updates:
			if !ok {
				a.watch = nil // made again at the next look
			} else if e != nil {
				if err := a.see(e.Key(), e.Operation(), e.Value()); err != nil && !a.waits(err) {
					return err
				}
			}
		case <-tick.C:
			due = true
		case <-a.ctx.Done():
			return context.Cause(a.ctx)
		}
		if due {
			due = false
			if err := a.look(); err != nil && !a.waits(err) {
				return err
			}
		}
	}
}

// A localError is one of this side, which no waiting mends.
type localError struct{ error }

func (e localError) Unwrap() error { return e.error }

// waits reports whether an error is one of the broker or of the way to it, which passes: all is
// done again at the next look.
func (a *asker) waits(err error) bool {
	var l localError
	if a.ctx.Err() != nil || errors.As(err, &l) || a.l.nc.IsClosed() {
		return false
	}
	a.note("the broker does not answer: " + err.Error())
	return true
}

// fill sends units until the window is full.
func (a *asker) fill() error {
	window := a.f.Window
	if window < 1 {
		window = 1024
	}
	news := false
	has := map[string]int{} // those of one backend leave room for the others
	for _, s := range a.out {
		has[s.u.Backend]++
	}
	for _, b := range a.q.Backends() {
		for ; has[b] < window; has[b]++ {
			u, ok, err := a.q.Take(a.ctx, b)
			if err != nil {
				return localError{err}
			}
			if !ok {
				break
			}
			s := &sent{u: u, kind: kindOf(u.Solver, u.Variant, u.Backend, u.Revision)}
			if s.data, err = writeTask(&u); err != nil {
				return localError{errors.Join(err, a.q.Return(u))}
			}
			if _, err := readTask(s.data); err != nil { // no worker would take it
				return localError{errors.Join(err, a.q.Return(u))}
			}
			a.out[u.Key.String()] = s
			news = true
			if err := a.send(s); err != nil {
				return err // it is sent at the next look
			}
		}
	}
	if news {
		return a.l.nc.Publish(a.l.subject("wake"), nil)
	}
	return nil
}

// send gives a unit to the broker, unless a result is there.
func (a *asker) send(s *sent) error {
	key := s.u.Key.String()
	if e, err := a.p.results.Get(a.ctx, firstKey(key)); err == nil {
		return a.see(e.Key(), e.Operation(), e.Value())
	}
	if err := a.bring(s); err != nil {
		return err
	}
	if !a.kinds[s.kind] {
		_, err := a.p.stream.CreateOrUpdateConsumer(a.ctx, jetstream.ConsumerConfig{
			Durable: token(s.kind), Description: s.kind, FilterSubject: a.l.unit(s.kind, ">"),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: a.l.t.AckWait, MaxDeliver: -1,
			MaxAckPending: 1 << 20, MemoryStorage: true,
		})
		if err != nil {
			return err
		}
		a.kinds[s.kind] = true
	}
	_, err := a.l.js.Publish(a.ctx, a.l.unit(s.kind, key), s.data)
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == 10077 { // the subject has one: it is there
		err = nil
	}
	return err
}

// see takes what came under a key of the results.
func (a *asker) see(key string, op jetstream.KeyValueOp, value []byte) error {
	unit, later, ok := unitOf(key)
	if !ok || op != jetstream.KeyValuePut {
		return nil
	}
	s := a.out[unit]
	_, known := a.sums[unit]
	if s == nil && !known {
		return nil // of another experiment
	}
	m, err := readMade(value)
	if err != nil {
		return a.refuse(s, key, "", err)
	}
	if a.bad[m.Worker] {
		return a.refuse(s, key, m.Worker, nil)
	}
	size := 0
	if s != nil {
		size = s.u.Instance.Size
	}
	if !later && s == nil && a.sums[unit].object == m.SHA256 {
		a.forget(key, m.SHA256) // the one that is stored
		return nil
	}
	b, err := a.p.get(a.ctx, m.SHA256, maxOutcome+outcomeEach*size)
	if err != nil {
		return a.unread(s, key, &m, err)
	}
	of, worker, r, err := readOutcome(b, maxOutcome+outcomeEach*size)
	if err == nil && (of.String() != unit || worker != m.Worker) {
		err = fmt.Errorf("its result is that of unit %v by %s", of, worker)
	}
	if err != nil {
		return a.refuse(s, key, m.Worker, err)
	}
	if s == nil {
		return a.audit(unit, key, m.SHA256, worker, &r)
	}
	i, err := a.instance(&s.u)
	if err != nil {
		return err
	}
	if err := fits(&s.u, i.inst, &r); err != nil {
		return a.refuse(s, key, worker, err)
	}
	return a.finish(s, key, m, &r)
}

// finish stores a result, and takes it from the broker.
func (a *asker) finish(s *sent, key string, m made, r *experiment.Result) error {
	unit := s.u.Key.String()
	if best := s.u.Instance.Best; best != nil {
		r.Optimum = *best
	}
	if r.Error == "" {
		r.Gap = solvers.Gap(r.Best, s.u.Instance.Best)
	}
	r.Ended = time.Now().UTC() // by the clock of this machine
	if err := a.q.Finish(context.WithoutCancel(a.ctx), s.u, *r); err != nil {
		return localError{err}
	}
	delete(a.out, unit)
	a.sums[unit] = stored{sum(r), m.SHA256, exact(&s.u), fmt.Sprintf("%d (%s on %s, seed %d)",
		s.u.Number, s.u.Label, s.u.Instance.Name, s.u.Seed)}
	a.made(time.Duration(r.Wall*float64(time.Second)), a.side)
	if a.o.Each != nil {
		row := experiment.Row{Unit: s.u, State: experiment.Done, Result: *r}
		if r.Error != "" {
			row.State = experiment.Failed
		}
		row.Result.Trace, row.Result.Solution = nil, record.Solution{}
		a.o.Each(row)
	}
	a.forget(key, m.SHA256)
	// Its worker may have been lost before it said so.
	_ = a.p.stream.Purge(a.ctx, jetstream.WithPurgeSubject(a.l.unit(s.kind, unit)))
	return nil
}

// forget takes a result from the broker; what stays is forgotten when its time is over.
// The key goes first: who finds it, and no object, knows that the result is false; see unread.
func (a *asker) forget(key, object string) {
	if a.p.results.Purge(a.ctx, key) == nil {
		_ = a.p.objects.Delete(a.ctx, object)
	}
}

// unread deals with a result that could not be fetched. Another who wanted the same unit may have
// taken it away, key first; where the key is there and the object is not or is another, its worker
// is false. What cannot be fetched again and again is made again.
func (a *asker) unread(s *sent, key string, m *made, why error) error {
	e, err := a.p.results.Get(a.ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil // the next look sends the unit again
	}
	if err != nil {
		return err
	}
	if now, err := readMade(e.Value()); err != nil || now != *m {
		return nil // it is another result by now, which is seen by itself
	}
	if !isFalse(why) {
		if a.tries[key]++; a.tries[key] < 3 {
			a.note("a result cannot be fetched yet: " + why.Error())
			return nil
		}
		delete(a.tries, key)
		return a.refuse(s, key, "", why)
	}
	return a.refuse(s, key, m.Worker, why)
}

// isFalse reports whether an error says that an object is not what it should be.
func isFalse(err error) bool {
	return errors.Is(err, errObject) || errors.Is(err, jetstream.ErrObjectNotFound) ||
		errors.Is(err, jetstream.ErrDigestMismatch) || errors.Is(err, jetstream.ErrBadObjectMeta) ||
		errors.Is(err, jetstream.ErrCantGetBucket)
}

// audit compares a result that came later than the one that is stored.
func (a *asker) audit(unit, key, object, worker string, r *experiment.Result) error {
	a.forget(key, object)
	have := a.sums[unit]
	if sum(r) == have.sum {
		a.audits++
		return nil
	}
	if !have.exact {
		return nil // it depends on the clock, or on an order of threads
	}
	a.faults = append(a.faults, fmt.Errorf("unit %s was made twice with different results, the "+
		"second time by worker %s (best %v): a search is not deterministic, or a worker is false",
		have.text, worker, r.Best))
	a.note(a.faults[len(a.faults)-1].Error())
	return nil
}

// exact reports whether every result of a unit is the same.
func exact(u *experiment.Unit) bool {
	v, err := solvers.Find(u.Solver, u.Variant, u.Backend)
	return err == nil && v.Deterministic && u.Budget.Wall == 0 && u.Budget.CPU == 0
}

// unitOf is the unit of a key of the results, and whether it came later than another result.
func unitOf(key string) (unit string, later, ok bool) {
	switch {
	case len(key) == 6+64 && key[:6] == "first.":
		return key[6:], false, true
	case len(key) > 6+64+1 && key[:6] == "later.":
		return key[6 : 6+64], true, true
	}
	return "", false, false
}

// refuse takes a result away that cannot be the unit's, trusts its worker no more, and sends the
// unit again.
func (a *asker) refuse(s *sent, key, worker string, why error) error {
	switch {
	case why != nil && worker == "":
		a.note(fmt.Sprintf("a result is refused: %v", why))
	case why != nil:
		a.bad[worker] = true
		a.note(fmt.Sprintf("a result of worker %s is refused, and all that follow: %v", worker, why))
	}
	if err := a.p.results.Purge(a.ctx, key); err != nil || s == nil {
		return err
	}
	return a.send(s)
}

// look compares what the broker has with what is wanted of it: what is missing is sent again, be
// it that the broker was lost or that a worker took a unit and gave no result.
func (a *asker) look() error {
	a.looks++
	p, err := a.l.make(a.ctx)
	if err != nil {
		return err
	}
	if lost := p.name != a.p.name; lost || a.watch == nil {
		a.p = p
		if lost {
			clear(a.kinds)
			for _, i := range a.insts {
				i.there = time.Time{}
			}
		}
		if a.watch != nil {
			_ = a.watch.Stop()
		}
		if a.watch, err = a.p.results.WatchAll(a.ctx, jetstream.IgnoreDeletes()); err != nil {
			a.watch = nil
			return err
		}
	}
	if err := a.bringAgain(); err != nil {
		return err
	}
	info, err := a.p.stream.Info(a.ctx, jetstream.WithSubjectFilter(a.l.subject("unit", ">")))
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(a.out)) {
		s := a.out[key]
		if s == nil || info.State.Subjects[a.l.unit(s.kind, key)] > 0 {
			continue
		}
		if err := a.send(s); err != nil {
			return err
		}
	}
	return a.count()
}

// count notes how many cores there are, and why units wait.
func (a *asker) count() error {
	all, err := a.p.list(a.ctx)
	if err != nil {
		return err
	}
	a.side = 0
	has := map[string]bool{}
	for _, w := range all {
		a.side += w.Cores + w.GPUs
		for _, v := range w.Variants {
			has[v] = true
		}
	}
	wait := map[string]int{}
	for _, s := range a.out {
		if !has[s.kind] {
			wait[s.kind]++
		}
	}
	switch {
	case len(all) == 0 && len(a.out) > 0:
		a.note(fmt.Sprintf("%d units wait: no worker has joined; repl worker %s joins one", len(a.out),
			a.l.where))
	case len(wait) > 0:
		kind := slices.Sorted(maps.Keys(wait))[0]
		a.note(fmt.Sprintf("units wait: no worker has %s", kind))
	}
	return nil
}

// end gives back what is under way: the broker and all workers forget it.
func (a *asker) end() {
	if a.watch != nil {
		_ = a.watch.Stop()
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(a.ctx), 5*time.Second)
	defer end()
	keys := slices.Sorted(maps.Keys(a.out))
	for _, key := range keys {
		s := a.out[key]
		if ctx.Err() == nil {
			_ = a.p.stream.Purge(ctx, jetstream.WithPurgeSubject(a.l.unit(s.kind, key)))
		}
		_ = a.q.Return(s.u)
	}
	for part := range slices.Chunk(keys, maxDropped) {
		if b, err := json.Marshal(&order{Format: format, Keys: part}); err == nil {
			_ = a.l.nc.Publish(a.l.subject("drop"), b) // who misses it finds out at a renewal
		}
	}
	_ = a.l.nc.FlushWithContext(ctx)
}
