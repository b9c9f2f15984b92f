package stream

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"metalab/datasets"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

// A relay is an address behind which the broker can be exchanged.
type relay struct {
	l  net.Listener
	mu sync.Mutex
	to string
	at []net.Conn
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{l: l, to: to}
	t.Cleanup(func() { l.Close(); r.turn("") })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go r.pass(c)
		}
	}()
	return r
}

func (r *relay) url() string { return "nats://" + r.l.Addr().String() }

func (r *relay) pass(c net.Conn) {
	defer c.Close()
	r.mu.Lock()
	d, err := net.Dial("tcp", strings.TrimPrefix(r.to, "nats://"))
	if err == nil {
		r.at = append(r.at, c, d)
	}
	r.mu.Unlock()
	if err != nil {
		return
	}
	defer d.Close()
	go func() { _, _ = io.Copy(d, c); d.Close() }()
	_, _ = io.Copy(c, d)
}

// turn cuts all connections; those that come go to another broker.
func (r *relay) turn(to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to = to
	for _, c := range r.at {
		c.Close()
	}
	r.at = nil
}

// newBroker starts one beside that of the scene.
func newBroker(t *testing.T, token string) *broker.Broker {
	t.Helper()
	b, err := broker.Start(broker.Options{Token: token, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// waiting is the number of units that the broker has.
func (s *scene) waiting(p *namespace) uint64 {
	info, err := p.stream.Info(s.Context())
	if err != nil {
		return 0
	}
	return info.State.Msgs
}

// A broker that was lost with all units, and with the instance, gets all again from the plan.
func TestLostBroker(t *testing.T) {
	inst := pentagon(t)
	units := unitsAt(t, inst, 3)
	s := newScene(t, units)
	s.insts["/nowhere/five.tsp"] = inst
	r := newRelay(t, s.a.URL)
	_, p := s.hostile()
	s.a.URL = r.url()
	s.ask()
	s.until("the units", func() bool { return s.waiting(p) == 3 })
	r.turn(newBroker(t, testToken).URL())
	s.join("a")
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
}

// Where another broker is behind the address, whose token is another, all end with that reason.
func TestAnotherToken(t *testing.T) {
	units := unitsOf(t, 1)
	units[0].Budget = record.Budget{Wall: 600}
	units[0].Key, _ = units[0].MakeKey()
	s := newScene(t, units)
	r := newRelay(t, s.a.URL)
	s.a.URL = r.url()
	_, _, ended := s.join("a")
	s.ask()
	s.until("the unit", func() bool {
		all, err := Workers(t.Context(), s.a)
		return err == nil && len(all) == 1 && len(all[0].Making) == 1
	})
	r.turn(newBroker(t, "another"+testToken).URL())
	for who, err := range map[string]error{"who asked": s.result(), "the worker": <-ended} {
		if !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("%s ends with %v", who, err)
		}
	}
}

// A worker that is told to stop gives its unit back at once: nobody waits for AckWait.
func TestStopGivesBack(t *testing.T) {
	units := unitsOf(t, 1)
	units[0].Budget = record.Budget{Wall: 600}
	units[0].Key, _ = units[0].MakeKey()
	s := newScene(t, units)
	s.t.AckWait = time.Hour
	_, _, ended := s.join("a")
	s.ask()
	making := func() bool {
		all, err := Workers(t.Context(), s.a)
		return err == nil && len(all) == 1 && len(all[0].Making) == 1
	}
	s.until("the unit", making)
	if err := Order(t.Context(), s.a, "a", Stop); err != nil {
		t.Fatal(err)
	}
	<-ended
	s.join("b")
	s.until("the unit again", making)
}

// unitsAt are units on an instance that no name generates.
func unitsAt(t *testing.T, inst datasets.Instance, seeds int) []experiment.Unit {
	t.Helper()
	p := experiment.Plan{
		Settings: []experiment.Setting{{Solver: "toy"}}, Instances: []string{"/nowhere/five.tsp"},
		Seeds: seeds, First: 1, Budget: record.Budget{Iterations: 5},
	}
	units, err := p.Units(t.Context(), func(ctx context.Context, _ string) (datasets.Instance, error) {
		return inst, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return units
}

// An instance that the broker has lost, or forgotten as its time was over, is brought again.
func TestInstanceAgain(t *testing.T) {
	inst := pentagon(t)
	units := unitsAt(t, inst, 2)
	s := newScene(t, units)
	s.insts["/nowhere/five.tsp"] = inst
	_, p := s.hostile()
	s.ask()
	s.until("the units", func() bool { return s.waiting(p) == 2 })
	if err := p.objects.Delete(t.Context(), instanceKey(inst.SHA256())); err != nil {
		t.Fatal(err)
	}
	s.join("a")
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
}

// Objects that are not what their names say are refused, and hold nothing up.
func TestFalseObjects(t *testing.T) {
	for what, put := range map[string]func(s *scene, p *namespace, sha string) error{
		"that of the name": func(s *scene, p *namespace, sha string) error {
			_, err := p.objects.PutString(s.Context(), sha, "something else")
			return err
		},
		"more than": func(s *scene, p *namespace, sha string) error {
			if _, err := p.objects.PutString(s.Context(), sha, "small"); err != nil {
				return err
			}
			subject := "$O." + s.objects() + ".M." + base64.URLEncoding.EncodeToString([]byte(sha))
			m, err := s.streamOf(p).GetLastMsgForSubject(s.Context(), subject)
			if err != nil {
				return err
			}
			text := strings.Replace(string(m.Data), `"size":5`, `"size":99000000`, 1)
			l, _ := s.hostile()
			_, err = l.js.Publish(s.Context(), subject, []byte(text))
			return err
		},
		"not found": func(*scene, *namespace, string) error { return nil },
		"a result is refused": func(s *scene, p *namespace, sha string) error { // its parts are missing
			_, err := p.objects.PutString(s.Context(), sha, "something else")
			return errors.Join(err, s.streamOf(p).Purge(s.Context(),
				jetstream.WithPurgeSubject("$O."+s.objects()+".C.>")))
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			units := unitsOf(t, 3)
			s := newScene(t, units)
			_, p := s.hostile()
			h := sha256.Sum256([]byte(what))
			m := made{Format: format, SHA256: hex.EncodeToString(h[:]), Worker: "mallory"}
			if err := put(s, p, m.SHA256); err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(&m)
			if err == nil {
				_, err = p.results.Put(t.Context(), firstKey(units[0].Key.String()), b)
			}
			if err != nil {
				t.Fatal(err)
			}
			s.ask()
			s.until("the refusal", func() bool { return s.said("is refused") && s.said(what) })
			s.join("honest")
			if err := s.result(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func (s *scene) objects() string { return "metalab_" + DefaultUser + "_objects" }

// streamOf is the stream below the objects.
func (s *scene) streamOf(*namespace) jetstream.Stream {
	s.Helper()
	l, _ := s.hostile()
	st, err := l.js.Stream(s.Context(), "OBJ_"+s.objects())
	if err != nil {
		s.Fatal(err)
	}
	return st
}

// Two experiments of the same units at the same time: who finds that the other has taken a result
// away trusts its worker as before.
func TestTwoWantTheSame(t *testing.T) {
	units := unitsOf(t, 60)
	s := newScene(t, units)
	other := &scene{T: t, a: s.a, store: &experiment.Memory{}, t: s.t}
	if _, err := other.store.Add(t.Context(), "e", experiment.Plan{}, units); err != nil {
		t.Fatal(err)
	}
	s.ask()
	other.ask()
	s.join("a")
	for _, x := range []*scene{s, other} {
		if err := x.result(); err != nil {
			t.Fatal(err)
		}
		if x.said("refused") {
			t.Errorf("%q", x.notes)
		}
	}
}

// Units of the processor that wait leave room for those of GPUs.
func TestBackendsShareNoWindow(t *testing.T) {
	units := unitsOf(t, 5)
	units[4].Backend = "cuda"
	units[4].Key, _ = units[4].MakeKey()
	s := newScene(t, units)
	s.window = 2
	_, p := s.hostile()
	s.ask()
	s.until("2 and 1", func() bool { return s.waiting(p) == 3 })
}

// Units that no worker can make leave room for those that one can.
func TestUnmadeLeaveTheWindow(t *testing.T) {
	units := unitsOf(t, 8)
	for i := range units[:6] {
		units[i].Revision = 99
		units[i].Key, _ = units[i].MakeKey()
	}
	s := newScene(t, units)
	s.window = 2
	s.join("a")
	s.ask()
	s.until("the last two are made", func() bool {
		for _, n := range []int{7, 8} {
			row, err := s.store.Row(t.Context(), "e", n)
			if err != nil || row.State != experiment.Done {
				return false
			}
		}
		return true
	})
}

// A result that no message can have is an error of the unit, which is not made again for ever.
func TestResultWithoutMessage(t *testing.T) {
	units := unitsOf(t, 1)
	s := newScene(t, units)
	l, p := s.hostile()
	x := &activeWorker{w: &Worker{}, l: l, name: "a", workState: workState{p: p}}
	r := s.made(units[0])
	r.Solution.Real = []float64{math.NaN()}
	if err := x.deliver(t.Context(), &units[0], &r); err != nil {
		t.Fatal(err)
	}
	s.ask()
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
	row, err := s.store.Row(t.Context(), "e", 1)
	if err != nil || !strings.Contains(row.Result.Error, "cannot be sent") {
		t.Errorf("%v: %+v", err, row)
	}
}
