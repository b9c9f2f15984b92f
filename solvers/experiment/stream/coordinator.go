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
	// time; 0: 1024, or twice the workers' cores where that is more.
	Window int
}

var _ experiment.Fabric = (*Fabric)(nil)

// Reach is nil where the broker answers.
func (f *Fabric) Reach(ctx context.Context) error {
	_, err := Workers(ctx, f.Address)
	return err
}

// coordinator is a Fabric that executes a queue.
type coordinator struct {
	f   *Fabric
	l   *link
	q   experiment.Queue
	o   experiment.Options
	ctx context.Context

	p     *namespace
	watch jetstream.KeyWatcher

	out  map[string]*sent        // units that are with the broker, by key
	sums map[string]storedResult // results that were stored
	payloads
	pool
	bad    map[string]bool // workers whose results were refused
	tries  map[string]int  // how often a result could not be fetched, by key
	kinds  map[string]bool // that have a consumer
	filled int             // units that the broker had when the window was filled; 0: it is not
	audits int             // results that came twice and were the same
	faults []error         // results that came twice and were not
	noted  string
	looks  int
	made   func(time.Duration, int)
}

// pool is the workers at the last look.
type pool struct {
	can  map[string]bool // algorithms that workers have; empty: there are none
	side int             // cores of all workers
}

// payloads are the objects that the broker stores for units.
type payloads struct {
	insts map[string]*instance // by hash
	codes map[string]*instance // sources of users' code, by hash
}

// sent is a unit that the broker has.
type sent struct {
	u    experiment.Unit
	kind string
	code string // the hash of its source; empty: it needs none
	data []byte

	// The number of its message in the stream of that name; in is empty where another has sent it.
	seq uint64
	in  string
}

// storedResult describes a stored result.
type storedResult struct {
	sum    [32]byte
	object string // its name with the broker
	exact  bool   // another result must be the same
	text   string // of the unit
}

type instance struct {
	inst     datasets.Instance
	packed   []byte
	seen     int       // the number of the look that looked for it
	uploaded time.Time // when the broker was found to have it; zero: it may lack it
}

// Carry implements experiment.Fabric. Units of algorithms that no worker has stay with the broker
// until a worker with them joins. Carry accepts a result if it can be the unit's: its solution must
// have the claimed cost, within the budget; otherwise it accepts nothing more from that worker. A
// second result must equal the first one except for times; the error at the end names those that do
// not.
func (f *Fabric) Carry(ctx context.Context, q experiment.Queue, o experiment.Options) error {
	l, err := dial(ctx, f.Address, f.Timing, nil)
	if err != nil {
		return err
	}
	defer l.close()
	left := 0
	for _, b := range q.Backends() {
		left += q.Left(b)
	}
	a := &coordinator{
		f: f, l: l, q: q, o: o, ctx: ctx, out: map[string]*sent{}, sums: map[string]storedResult{},
		payloads: payloads{insts: map[string]*instance{}, codes: map[string]*instance{}},
		bad:      map[string]bool{}, tries: map[string]int{},
		kinds: map[string]bool{}, pool: pool{side: 1},
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

func (a *coordinator) note(text string) {
	if text != a.noted && a.o.Note != nil {
		a.o.Note(text)
	}
	a.noted = text
}

// carry sends units and takes results until there are no more.
func (a *coordinator) carry() error {
	if err := a.reconcile(); err != nil {
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
				if err := a.receive(e); err != nil && !a.waits(err) {
					return err
				}
			}
		case <-tick.C:
			due = true
		case <-a.ctx.Done():
			return context.Cause(a.ctx)
		}
		if due {
			due, a.filled = false, 0
			if err := a.reconcile(); err != nil && !a.waits(err) {
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
func (a *coordinator) waits(err error) bool {
	var l localError
	if a.ctx.Err() != nil || errors.As(err, &l) || a.l.nc.IsClosed() {
		return false
	}
	a.note("the broker does not answer: " + err.Error())
	return true
}

// send gives a unit to the broker, unless a result is there.
func (a *coordinator) send(s *sent) error {
	key := s.u.Key.String()
	if e, err := a.p.results.Get(a.ctx, firstKey(key)); err == nil {
		return a.receive(e)
	}
	if err := a.upload(s); err != nil {
		return err
	}
	if !a.kinds[s.kind] {
		_, err := a.p.stream.CreateOrUpdateConsumer(a.ctx, jetstream.ConsumerConfig{
			Durable: token(s.kind), Description: s.kind, FilterSubject: a.l.unit(s.kind, ">"),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: a.l.t.AckWait, MaxDeliver: -1,
			MaxAckPending: 1 << 20, MemoryStorage: true, Metadata: metaOf(&s.u),
		})
		if err != nil {
			return err
		}
		a.kinds[s.kind] = true
	}
	ack, err := a.l.js.Publish(a.ctx, a.l.unit(s.kind, key), s.data)
	var api *jetstream.APIError
	s.in = ""
	switch {
	case err == nil:
		s.seq, s.in = ack.Sequence, ack.Stream
	case errors.As(err, &api) && api.ErrorCode == 10077: // the subject has one: it is there
		err = nil
	}
	return err
}

// withdraw takes a unit from the broker, if it is there. Its message is deleted by its number: to
// purge its subject would have the broker forget what it is to give away again of lost workers.
func (a *coordinator) withdraw(ctx context.Context, s *sent) error {
	seq := s.seq
	if s.in != a.p.name {
		m, err := a.p.stream.GetLastMsgForSubject(ctx, a.l.unit(s.kind, s.u.Key.String()))
		if err != nil {
			return err
		}
		seq = m.Sequence
	}
	return a.p.stream.DeleteMsg(ctx, seq)
}

// receive handles what came under a key of the results.
func (a *coordinator) receive(e jetstream.KeyValueEntry) error {
	key := e.Key()
	unit, later, ok := unitOf(key)
	if !ok || e.Operation() != jetstream.KeyValuePut {
		return nil
	}
	s := a.out[unit]
	_, known := a.sums[unit]
	if s == nil && !known {
		return nil // of another experiment
	}
	m, err := readMade(e.Value())
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
		a.forget(e, m.SHA256) // the one that is stored
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
		return a.audit(unit, e, m.SHA256, worker, &r)
	}
	i, err := a.instance(&s.u)
	if err != nil {
		return err
	}
	if err := fits(&s.u, i.inst, &r); err != nil {
		return a.refuse(s, key, worker, err)
	}
	return a.finish(s, e, m, &r)
}

// finish stores a result, and takes it from the broker.
func (a *coordinator) finish(
	s *sent, e jetstream.KeyValueEntry, m made, r *experiment.Result,
) error {
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
	a.sums[unit] = storedResult{sum(r), m.SHA256, exact(&s.u), fmt.Sprintf("%d (%s on %s, seed %d)",
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
	a.forget(e, m.SHA256)
	a.p.dropKept(a.ctx, unit)
	// Its worker may have been lost before it said so.
	_ = a.withdraw(a.ctx, s)
	return nil
}

// forget takes a result from the broker; what stays is forgotten when its time is over.
// The key goes first: who finds it, and no object, knows that the result is false; see unread.
// Another result that has come under the key meanwhile stays: an entry is seen twice if send finds
// it, too.
func (a *coordinator) forget(e jetstream.KeyValueEntry, object string) {
	if a.p.results.Purge(a.ctx, e.Key(), jetstream.LastRevision(e.Revision())) == nil {
		_ = a.p.objects.Delete(a.ctx, object)
	}
}

// reconcile compares what the broker has with what is wanted of it: what is missing is sent again,
// be it that the broker was lost or that a worker took a unit and gave no result.
func (a *coordinator) reconcile() error {
	a.looks++
	p, err := a.l.make(a.ctx)
	if err != nil {
		return err
	}
	if lost := p.name != a.p.name; lost || a.watch == nil {
		a.p = p
		if lost {
			clear(a.kinds)
			for _, all := range []map[string]*instance{a.insts, a.codes} {
				for _, i := range all {
					i.uploaded = time.Time{}
				}
			}
		}
		if a.watch != nil {
			a.unwatch()
		}
		if a.watch, err = a.p.results.WatchAll(a.ctx, jetstream.IgnoreDeletes()); err != nil {
			a.watch = nil
			return err
		}
	}
	if err := a.uploadAgain(); err != nil {
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

// unwatch ends the watch of the results. It reads those that have arrived meanwhile: otherwise
// their writers would wait for ever.
func (a *coordinator) unwatch() {
	updates := a.watch.Updates()
	_ = a.watch.Stop() // a connection that was lost has ended it
	go func() {
		for range updates {
		}
	}()
}

// end gives back what is under way: the broker and all workers forget it.
func (a *coordinator) end() {
	if a.watch != nil {
		a.unwatch()
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(a.ctx), 5*time.Second)
	defer end()
	keys := slices.Sorted(maps.Keys(a.out))
	for _, key := range keys {
		s := a.out[key]
		if ctx.Err() == nil {
			_ = a.withdraw(ctx, s)
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
