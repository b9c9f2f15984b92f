package stream

import (
	"context"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"metalab/datasets"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

const testToken = "0123456789abcdef0123456789abcdef"

var testTiming = Timing{
	AckWait: time.Second, Renew: 200 * time.Millisecond, Hello: 200 * time.Millisecond,
	Check: 200 * time.Millisecond,
}

// A scene is a broker, and an experiment of units that is asked for over it.
type scene struct {
	*testing.T
	a      Address
	store  *experiment.Memory
	insts  map[string]datasets.Instance
	t      Timing
	window int
	source func(*experiment.Unit) (string, error)
	setUp  func(*Worker) // changes workers that join; nil: nothing
	stop   context.CancelFunc
	end    chan error // what Make returned

	mu    sync.Mutex
	notes []string
}

func newScene(t *testing.T, units []experiment.Unit) *scene {
	t.Helper()
	b, err := broker.Start(broker.Options{Token: testToken, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	s := &scene{
		T: t, a: Address{URL: b.URL(), Token: testToken}, store: &experiment.Memory{},
		insts: map[string]datasets.Instance{}, t: testTiming,
	}
	if _, err := s.store.Add(t.Context(), "e", experiment.Plan{}, units); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *scene) load(ctx context.Context, name string) (datasets.Instance, error) {
	if i := s.insts[name]; i != nil {
		return i, nil
	}
	return datasets.LoadContext(ctx, name)
}

// ask begins to make the experiment.
func (s *scene) ask() {
	ctx, cancel := context.WithCancel(context.Background())
	s.stop, s.end = cancel, make(chan error, 1)
	done := make(chan struct{})
	s.Cleanup(func() { cancel(); <-done })
	go func() {
		defer close(done)
		_, err := experiment.Make(ctx, s.store, "e", experiment.Options{
			Load: s.load, Over: &Fabric{Address: s.a, Timing: s.t, Window: s.window},
			Source: s.source,
			Note: func(text string) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.notes = append(s.notes, text)
			},
		})
		s.end <- err
	}()
}

func (s *scene) said(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(strings.Join(s.notes, "\n"), text)
}

// until waits for what comes.
func (s *scene) until(what string, f func() bool) {
	s.Helper()
	for range 6000 {
		if f() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.Fatalf("%s has not come; %q was said", what, s.notes)
}

// result is what Make returned.
func (s *scene) result() error {
	s.Helper()
	select {
	case err := <-s.end:
		return err
	case <-time.After(5 * time.Minute):
		s.Fatalf("it does not end; %q was said", s.notes)
		return nil
	}
}

// join starts a worker, and returns what ends it and what it ended with.
func (s *scene) join(name string) (w *Worker, end context.CancelFunc, ended chan error) {
	s.Helper()
	return s.joinWith(name, nil)
}

// joinWith is join of a worker that takes code, if it has what that is made known by.
func (s *scene) joinWith(
	name string, code Coder,
) (w *Worker, end context.CancelFunc, ended chan error) {
	s.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	joined := make(chan struct{})
	w = &Worker{
		Address: s.a, Name: name, Cores: 1, Timing: s.t, Code: code,
		Joined: func(string) { close(joined) },
	}
	if s.setUp != nil {
		s.setUp(w)
	}
	ended = make(chan error, 1)
	done := make(chan struct{})
	go func() { ended <- w.Run(ctx); close(done) }()
	s.Cleanup(func() { cancel(); <-done })
	<-joined
	return w, cancel, ended
}

// hostile is a connection of somebody who has the token.
func (s *scene) hostile() (*link, *namespace) {
	s.Helper()
	l, err := dial(s.Context(), s.a, s.t, nil)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(l.close)
	p, err := l.make(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return l, p
}

// made is the result of a unit as it should be.
func (s *scene) made(u experiment.Unit) experiment.Result {
	s.Helper()
	r, _, err := experiment.One(s.Context(), u, experiment.Options{Load: s.load}, nil)
	if err != nil || r.Error != "" {
		s.Fatal(err, r.Error)
	}
	return r
}

func (s *scene) put(p *namespace, u *experiment.Unit, worker string, r *experiment.Result) {
	s.Helper()
	b, err := writeOutcome(u.Key, worker, r)
	if err == nil {
		err = p.put(s.Context(), u.Key.String(), worker, b)
	}
	if err != nil {
		s.Fatal(err)
	}
}

// Results that are not the unit's are refused, and the unit is made by another.
func TestHostileWorker(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*experiment.Result)
		want   string
	}{
		{"better than it is", func(r *experiment.Result) { r.Best-- }, "costs"},
		{"no tour", func(r *experiment.Result) { r.Solution.Perm[0] = r.Solution.Perm[1] }, "none"},
		{"of another size", func(r *experiment.Result) { r.Solution.Perm = nil }, "none"},
		{"too long", func(r *experiment.Result) { r.Iterations++ }, "iterations"},
		{"too short", func(r *experiment.Result) { r.Iterations, r.Trace = 1, nil }, "iterations"},
		{"no trace", func(r *experiment.Result) { r.Trace = nil }, "no trace"},
		{"no number", func(r *experiment.Result) { r.Trace[0].Best = math.NaN() }, "no number"},
		{"endless", func(r *experiment.Result) { r.Trace[0].Wall = math.Inf(1) }, "numbers"},
		{"failed with a value", func(r *experiment.Result) { r.Error = "x" }, "it failed, and"},
		{"worse later", func(r *experiment.Result) {
			r.Trace[0].Best = 0
		}, "worse"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			units := unitsOf(t, 1)
			s := newScene(t, units)
			_, p := s.hostile()
			good := s.made(units[0])
			if err := fits(&units[0], mustLoad(t), &good); err != nil {
				t.Fatal(err)
			}
			r := s.made(units[0])
			c.change(&r)
			s.put(p, &units[0], "mallory", &r)
			s.ask()
			s.until("the refusal", func() bool {
				return s.said("worker mallory is refused") && s.said(c.want)
			})
			s.join("honest")
			if err := s.result(); err != nil {
				t.Fatal(err)
			}
			row, err := s.store.Row(t.Context(), "e", 1)
			if err != nil || sum(&row.Result) != sum(strip(good)) {
				t.Errorf("%v: %+v, want %+v", err, row.Result, good)
			}
		})
	}
}

func mustLoad(t *testing.T) datasets.Instance {
	t.Helper()
	inst, err := datasets.Load("rand-60-1")
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// strip takes away what rows do not have.
func strip(r experiment.Result) *experiment.Result {
	r.Trace, r.Solution = nil, record.Solution{}
	return &r
}

// What is written under a key by somebody else is no result of the unit.
func TestHostileKeys(t *testing.T) {
	units := unitsOf(t, 2)
	s := newScene(t, units)
	l, p := s.hostile()
	other := s.made(units[1])
	b, err := writeOutcome(units[1].Key, "mallory", &other)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.put(t.Context(), units[0].Key.String(), "mallory", b); err != nil {
		t.Fatal(err)
	}
	if _, err := p.results.PutString(t.Context(), firstKey(units[1].Key.String()), "{"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.workers.PutString(t.Context(), "w", `{"name":"\u001b[2J"}`); err != nil {
		t.Fatal(err)
	}
	if err := l.nc.Publish(l.subject("drop"), []byte("{")); err != nil {
		t.Fatal(err)
	}
	s.ask()
	s.join("honest")
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
	if !s.said("its result is that of unit") {
		t.Errorf("%q was said", s.notes)
	}
}

// A worker that takes a unit and says it was made, without a result, loses nothing.
func TestTakenWithoutResult(t *testing.T) {
	units := unitsOf(t, 1)
	s := newScene(t, units)
	_, p := s.hostile()
	s.ask()
	s.until("the unit", func() bool {
		c, err := p.stream.Consumer(t.Context(), token(kindOf("toy", "swap", "cpu", 1)))
		if err != nil {
			return false
		}
		b, err := c.FetchNoWait(1)
		if err != nil {
			return false
		}
		for m := range b.Messages() {
			return m.DoubleAck(t.Context()) == nil
		}
		return false
	})
	s.join("honest")
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
}

// A second result of a unit is compared with the first: the same is counted, another is an error.
func TestAudit(t *testing.T) {
	for _, differs := range []bool{false, true} {
		units := unitsOf(t, 2)
		s := newScene(t, units)
		_, p := s.hostile()
		s.ask()
		first := s.made(units[0])
		s.put(p, &units[0], "quick", &first)
		s.until("the result", func() bool {
			i, _ := s.store.Info(t.Context(), "e")
			return i.Done == 1
		})
		late := s.made(units[0]) // a worker that was slow, or cut off
		late.Wall, late.CPU, late.Machine = 99, 98, "slow"
		if differs {
			late.Digest++
		}
		s.put(p, &units[0], "slow", &late)
		s.until("that it was read", func() bool {
			key := units[0].Key.String()
			_, err1 := p.results.Get(t.Context(), firstKey(key))
			_, err2 := p.results.Get(t.Context(), secondKey(key, "slow"))
			return err1 != nil && err2 != nil
		})
		second := s.made(units[1])
		s.put(p, &units[1], "quick", &second)
		err := s.result()
		switch {
		case differs && (err == nil || !strings.Contains(err.Error(), "unit 1 (toy/swap on rand-60-1") ||
			!strings.Contains(err.Error(), "worker slow")):
			t.Errorf("another result: %v", err)
		case !differs && (err != nil || !s.said("1 results came twice and were the same")):
			t.Errorf("the same result: %v, %q", err, s.notes)
		}
		row, err := s.store.Row(t.Context(), "e", 1)
		if err != nil || row.Result.Digest != first.Digest || row.Result.Wall == 99 {
			t.Errorf("the first result stays: %v %v", row, err)
		}
	}
}

// A unit under way is renewed again and again, so that it is not given away while its worker lives,
// and the worker does not give it up.
func TestLongUnit(t *testing.T) {
	units := unitsOf(t, 1)
	units[0].Budget = record.Budget{Wall: 600}
	units[0].Key, _ = units[0].MakeKey()
	s := newScene(t, units)
	s.t.AckWait = time.Hour
	l, _ := s.hostile()
	var renewed atomic.Int64
	_, err := l.nc.Subscribe("$JS.ACK.>", func(m *nats.Msg) {
		if string(m.Data) == "+WPI" {
			renewed.Add(1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	s.join("a")
	s.ask()
	s.until("5 renewals", func() bool { return renewed.Load() >= 5 })
	all, err := Workers(t.Context(), s.a)
	if err != nil || len(all) != 1 || len(all[0].Making) != 1 || all[0].Made != 0 {
		t.Errorf("after 5 renewals: %v %+v", err, all)
	}
}

// When who asked gives up, the broker and the workers forget the units, and they wait again.
func TestGivenUp(t *testing.T) {
	units := unitsOf(t, 6)
	for i := range units {
		units[i].Budget = record.Budget{Wall: 600}
		units[i].Key, _ = units[i].MakeKey()
	}
	s := newScene(t, units)
	s.join("a")
	s.ask()
	making := func(n int) func() bool {
		return func() bool {
			all, err := Workers(t.Context(), s.a)
			return err == nil && len(all) == 1 && len(all[0].Making) == n
		}
	}
	s.until("the first", making(1))
	s.stop()
	if err := s.result(); err == nil {
		t.Error("it was given up without an error")
	}
	s.until("the end of the first", making(0))
	_, p := s.hostile()
	info, err := p.stream.Info(t.Context())
	if err != nil || info.State.Msgs != 0 {
		t.Errorf("%v: the broker has %d units", err, info.State.Msgs)
	}
	i, err := s.store.Info(t.Context(), "e")
	if err != nil || i.Left() != 6 {
		t.Errorf("%v: %d are left, want 6", err, i.Left())
	}
}

// A worker gets only units of algorithms that it has in the same revision, and says why.
func TestOtherRevision(t *testing.T) {
	units := unitsOf(t, 1)
	units[0].Revision = 99
	units[0].Key, _ = units[0].MakeKey()
	s := newScene(t, units)
	s.join("old")
	s.ask()
	s.until("why", func() bool {
		all, err := Workers(t.Context(), s.a)
		return err == nil && len(all) == 1 && len(all[0].Why) == 1 && strings.HasPrefix(all[0].Why[0],
			"no units of toy/swap on cpu, revision 99: here it is revision 1, which gives other results")
	})
	s.until("what who asks is told", func() bool {
		return s.said("units wait: no worker has toy/swap on cpu, revision 99")
	})
}

// Drain ends a worker after the unit under way, stop at once; the unit goes to another.
func TestOrders(t *testing.T) {
	units := unitsOf(t, 1)
	units[0].Budget = record.Budget{Wall: 6}
	units[0].Key, _ = units[0].MakeKey()
	s := newScene(t, units)
	_, _, stopped := s.join("a")
	s.ask()
	making := func(name string) func() bool {
		return func() bool {
			all, err := Workers(t.Context(), s.a)
			return err == nil && len(all) > 0 && all[0].Name == name && len(all[0].Making) == 1
		}
	}
	s.until("the unit", making("a"))
	if err := Order(t.Context(), s.a, "a", Stop); err != nil {
		t.Fatal(err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	_, _, drained := s.join("b")
	s.until("the unit again", making("b"))
	if err := Order(t.Context(), s.a, "b", Drain); err != nil {
		t.Fatal(err)
	}
	if err := s.result(); err != nil {
		t.Error(err)
	}
	if err := <-drained; err != nil {
		t.Error(err)
	}
	if err := Order(t.Context(), s.a, "b", Drain); err == nil || !strings.Contains(err.Error(),
		"there is no worker b") {
		t.Errorf("a worker that has gone: %v", err)
	}
}

// An instance that no name generates comes by its hash.
func TestInstanceByHash(t *testing.T) {
	inst := pentagon(t)
	p := experiment.Plan{
		Settings: []experiment.Setting{{Solver: "toy"}}, Instances: []string{"/nowhere/five.tsp"},
		Seeds: 2, First: 1, Budget: record.Budget{Iterations: 5},
	}
	units, err := p.Units(t.Context(), func(context.Context, string) (datasets.Instance, error) {
		return inst, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := newScene(t, units)
	s.insts["/nowhere/five.tsp"] = inst
	s.join("a")
	s.ask()
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
	row, err := s.store.Row(t.Context(), "e", 2)
	if err != nil || row.State != experiment.Done {
		t.Errorf("%v: %v", err, row)
	}
}
