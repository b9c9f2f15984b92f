package ants

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/internal/devices"
	"metalab/solvers/internal/topology"
	"metalab/solvers/record"
)

// A member is a colony with its policy.
type member interface {
	solvers.Algorithm
	solvers.Changer
	solvers.Tracer
	solvers.Trailer
	solvers.LengthReporter
	solvers.Counter
	solvers.Sharer
	solvers.Timer
	solvers.Waver
	base() *colony
	// receive takes a tour of another colony, shorter than any of its own.
	receive(tour []int32, length, it int64) error
}

func (c *colony) base() *colony { return c }

// colonies implements the parameter colonies: several colonies with the same parameters, each with
// trails, ants and draws of its own. With one colony it is that colony.
//
// An iteration is one of each colony; then, at every exchange_period-th, colonies receive the best
// tours of others, and do not pass a received tour on in the same exchange. The place of the work
// changes nothing: on devices, each colony runs on one of the run's, in turn; on the CPU they run
// in parallel, with equal shares of the cores.
//
// The exchange goes through the host: a tour is 4 bytes a city each way, 9.6 KB of pr2392, which
// takes less than one launch; copies from device to device would save nothing.
type colonies struct {
	make func() member // another colony before Init
	all  []member
	devs []int // the device of each; empty on the CPU
	hold map[int]*sync.Mutex
	pool *solvers.Pool
	at   []record.Point // of the last iteration, by colony
	errs []error

	received int64 // tours that colonies took from others, so far
	err      error
}

func newColonies(make func() member) *colonies {
	return &colonies{make: make, all: []member{make()}}
}

// first is the first colony, whose parameters are those of all.
func (s *colonies) first() *colony { return s.all[0].base() }

func (s *colonies) Declare(t *solvers.Params) { s.all[0].Declare(t) }

func (s *colonies) Init(env *solvers.Env) error {
	n := max(1, s.first().colonies)
	if n == 1 {
		return s.all[0].Init(env)
	}
	for len(s.all) < n {
		m := s.make()
		m.base().params = s.first().params
		s.all = append(s.all, m)
	}
	s.pool = env.Pool
	s.at, s.errs = make([]record.Point, n), make([]error, n)
	envs := make([]*solvers.Env, n)
	for k := range envs {
		e := *env
		e.Seed = topology.Seed(env.Seed, k)
		e.Pool = env.Pool.Part(1)
		e.Run = fmt.Sprintf("%s, colony %d", env.Run, k+1)
		if len(env.Devices) > 0 {
			e.Devices = []int{env.Devices[k%len(env.Devices)]}
		}
		envs[k] = &e
	}
	// The first by itself: where no device is named it chooses that of all.
	if err := s.all[0].Init(envs[0]); err != nil {
		return err
	}
	if env.Devices == nil {
		env.Devices = envs[0].Devices
	}
	for k, e := range envs[1:] {
		if e.Devices == nil && env.Devices != nil {
			e.Devices = env.Devices
		}
		envs[k+1] = e
	}
	env.Pool.Run(n-1, func(i, _ int) { s.errs[i+1] = s.all[i+1].Init(envs[i+1]) })
	s.hold = map[int]*sync.Mutex{}
	for k, e := range envs {
		if len(e.Devices) > 0 {
			s.devs = append(s.devs, e.Devices[0])
			s.hold[e.Devices[0]] = &sync.Mutex{}
		}
		s.at[k].Measures = make([]float64, len(s.all[k].Measures()))
	}
	return errors.Join(s.errs...)
}

// Parts implements solvers.Spreader.
func (s *colonies) Parts() int { return len(s.all) }

func (s *colonies) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if len(s.all) == 1 {
		return s.all[0].Iterate(ctx, it, p)
	}
	if err := errors.Join(ctx.Err(), s.err); err != nil {
		return err
	}
	// All colonies run an iteration or none, so none is interrupted.
	ctx = context.WithoutCancel(ctx)
	s.each(func(k int) { s.errs[k] = s.all[k].Iterate(ctx, it, &s.at[k]) })
	if err := s.failed(); err != nil {
		s.err = fmt.Errorf("of %d colonies some made the iteration: %v", len(s.all), err)
		if !errors.Is(err, solvers.ErrHalted) { // the state is not as it was
			s.err = err
		}
		return s.err
	}
	s.sum(p)
	c := s.first()
	if topology.Due(it, c.exchangePeriod) {
		if s.err = s.exchange(it, topology.Topology(c.exchange)); s.err != nil {
			return s.err
		}
	}
	p.Measures[len(p.Measures)-1] = float64(s.received)
	return nil
}

// each calls f for each colony: those of a device beside each other, but one after the other while
// a tuner tries launches there, whose times it compares.
func (s *colonies) each(f func(k int)) {
	if len(s.devs) == 0 {
		share := max(1, s.pool.Size()/len(s.all))
		for _, m := range s.all {
			m.base().env.Pool.Resize(share)
		}
		s.pool.Run(len(s.all), func(k, _ int) { f(k) })
		return
	}
	var wg sync.WaitGroup
	for k := range s.all {
		wg.Go(func() {
			defer func() {
				if x := recover(); x != nil {
					s.errs[k] = fmt.Errorf("colony %d: panic: %v\n%s", k+1, x, debug.Stack())
				}
			}()
			if !s.settled(k) {
				l := s.hold[s.devs[k]]
				l.Lock()
				defer l.Unlock()
			}
			if d, ok := s.all[k].base().crew.(doer); ok {
				d.Do(func() { f(k) })
				return
			}
			f(k)
		})
	}
	wg.Wait()
}

// A doer is a crew with a thread of its own, on which many calls take less time than from another.
type doer interface{ Do(f func()) }

// failed are the errors of the colonies, one of each device.
func (s *colonies) failed() error {
	var all []error
	seen := map[int]bool{}
	for k, err := range s.errs {
		if len(s.devs) > 0 && err != nil {
			if seen[s.devs[k]] {
				continue
			}
			seen[s.devs[k]] = true
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}

// settled tells whether the tuner of a colony has made all its trials.
func (s *colonies) settled(k int) bool {
	return !slices.ContainsFunc(s.all[k].Waves(), func(w solvers.Wave) bool { return !w.Tuned })
}

// sum makes the point of all colonies of theirs: measures are means.
func (s *colonies) sum(p *record.Point) {
	p.IterBest, p.Mean, p.Evals, p.Digest = math.Inf(1), 0, 0, 0
	clear(p.Measures)
	n := float64(len(s.all))
	for k := range s.at {
		q := &s.at[k]
		p.IterBest = min(p.IterBest, q.IterBest)
		p.Mean += q.Mean / n
		p.Evals += q.Evals
		p.Digest = arith.Chain(p.Digest, q.Digest)
		for i, v := range q.Measures {
			p.Measures[i] += v / n
		}
	}
	p.Mean = max(p.Mean, p.IterBest)
}

// values are the lengths of the colonies' best tours.
func (s *colonies) values() []float64 {
	out := make([]float64, len(s.all))
	for k, m := range s.all {
		out[k] = m.Best()
	}
	return out
}

// exchange lets colonies receive the best tours of others, as those are before it.
func (s *colonies) exchange(it int64, t topology.Topology) error {
	values := s.values()
	type parcel struct {
		to, from int
		tour     []int32
		length   int64
	}
	var all []parcel
	for to := range s.all {
		best := -1
		for _, from := range t.From(to, values) {
			if values[from] < values[to] && (best < 0 || values[from] < values[best]) {
				best = from
			}
		}
		if best >= 0 {
			c := s.all[best].base()
			c.fetchBest()
			all = append(all, parcel{to, best, slices.Clone(c.best), c.bestLength})
		}
	}
	for _, x := range all {
		if err := s.all[x.to].receive(x.tour, x.length, it); err != nil {
			return err
		}
		s.received++
	}
	return nil
}

// leader is the colony with the best tour.
func (s *colonies) leader() member { return s.all[topology.Leader(s.values())] }

func (s *colonies) Measures() []string {
	names := s.all[0].Measures()
	if s.first().colonies > 1 { // also before Init
		names = append(slices.Clone(names), "received")
	}
	return names
}

func (s *colonies) Best() float64 { return s.leader().Best() }

func (s *colonies) Solution() record.Solution { return s.leader().Solution() }

func (s *colonies) Counts() string { return s.all[0].Counts() }

func (s *colonies) Trails(limit int) ([]solvers.Trail, int) { return s.leader().Trails(limit) }

func (s *colonies) Trace() (all [][]int32) {
	for _, m := range s.all {
		all = append(all, m.Trace()...)
	}
	return all
}

func (s *colonies) Lengths() (all []float64) {
	for _, m := range s.all {
		all = append(all, m.Lengths()...)
	}
	return all
}

func (s *colonies) Changed(names []string) {
	for k, m := range s.all {
		if k > 0 {
			m.base().params = s.first().params
		}
		m.Changed(names)
	}
}

// Turn takes the turns of all devices, in the order of their numbers, so that runs which share
// several cannot wait for each other.
func (s *colonies) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if len(s.devs) == 0 || len(s.all) == 1 {
		return s.all[0].Turn(ctx)
	}
	var list []solvers.Sharer
	for _, d := range slices.Compact(slices.Sorted(slices.Values(s.devs))) {
		list = append(list, s.all[slices.Index(s.devs, d)])
	}
	return devices.Turn(ctx, list)
}

func (s *colonies) Time(on bool) bool {
	can := false
	for _, m := range s.all {
		can = m.Time(on) || can
	}
	return can
}

// Spans are those of the first colony.
func (s *colonies) Spans() []solvers.Span { return s.all[0].Spans() }

func (s *colonies) Waves() (all []solvers.Wave) {
	if len(s.all) == 1 {
		return s.all[0].Waves()
	}
	for k, m := range s.all {
		for _, w := range m.Waves() {
			w.What = fmt.Sprintf("colony %d: %s", k+1, w.What)
			all = append(all, w)
		}
	}
	return all
}

func (s *colonies) Close() {
	for _, m := range s.all {
		m.Close()
		if e := m.base().env; e != nil && len(s.all) > 1 {
			e.Pool.Close()
		}
	}
}

// The state of several colonies, in order: "colonies" (how many, and how many tours they have
// received), and that of each. The state of a single colony is its own.

func (s *colonies) Snapshot(w *solvers.Writer) {
	if len(s.all) > 1 {
		w.Int64s("colonies", int64(len(s.all)), s.received)
	}
	for _, m := range s.all {
		m.Snapshot(w)
	}
}

// Restore reads a state, which may have another number of colonies. If it has fewer, Restore uses
// them in turn; if more, it uses the first ones, and the first colony gets the best tour of the
// others.
func (s *colonies) Restore(r *solvers.Reader) error {
	was := 1
	if f, ok := r.Params["colonies"].Float(); ok {
		was = int(f)
	}
	s.received, s.err = 0, nil
	if was > 1 {
		v := r.Int64s("colonies", 2)
		if r.Err() == nil && v[0] != int64(was) {
			return fmt.Errorf("ants: the state has %d colonies, and its parameters say %d: %w", v[0], was,
				solvers.ErrState)
		}
		s.received = v[1]
	}
	from := make([]solvers.Reader, was) // where the state of each begins
	restore := func(k, of int) error {
		at := from[of]
		if err := s.all[k].Restore(&at); err != nil {
			return err
		}
		if at.Err() != nil {
			return at.Err()
		}
		if of+1 < was {
			from[of+1] = at
		} else {
			*r = at
		}
		return nil
	}
	from[0] = *r
	var tour []int32
	length := int64(unknown)
	for of := range was {
		k := of
		if of >= len(s.all) {
			k = 0 // it is read, and then replaced
		}
		if err := restore(k, of); err != nil {
			return err
		}
		if c := s.all[k].base(); of >= len(s.all) && c.bestLength < length {
			tour, length = slices.Clone(c.best), c.bestLength
		}
	}
	if was > len(s.all) {
		end := *r
		if err := restore(0, 0); err != nil {
			return err
		}
		*r = end
		if length < s.all[0].base().bestLength {
			if err := s.all[0].receive(tour, length, r.Head.Iter); err != nil {
				return err
			}
		}
	}
	for k := was; k < len(s.all); k++ {
		end := *r
		if err := restore(k, k%was); err != nil {
			return err
		}
		*r = end
	}
	return nil
}
