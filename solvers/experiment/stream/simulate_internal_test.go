package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"metalab/solvers/conform"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

// simulated says what the processes of [TestSimulate] simulate: WORKERSxCORES, and xUNITS a core.
const simulated = "METALAB_SIMULATED"

// Workers with units of a minute in virtual time: the broker, the workers and who asks are the real
// ones, and only the units are a sleep. So all waiting is as it would be where processors were
// infinitely fast, and what is left is the time of processors that the machinery takes. A worker is
// killed after 100 s, and with four units a core and more the broker after 145 s.
// METALAB_SIMULATE="100x10 10000x1x2" simulates so many workers of so many cores, with five units a
// core and with two.
func TestSimulate(t *testing.T) {
	if s := os.Getenv(simulated); s != "" {
		defer outside(t)()
		synctest.Test(t, func(t *testing.T) { simulate(t, s) })
		return
	}
	sizes := "4x10x3 4x10x4"
	if conform.IsLong() {
		sizes = "8x20x3 8x20x4"
	}
	if s := os.Getenv("METALAB_SIMULATE"); s != "" {
		sizes = s
	} else if testing.Short() {
		t.Skip("it simulates workers")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for size := range strings.FieldsSeq(sizes) {
		// A process of its own: the client's timers, which it keeps for later, are of virtual time.
		cmd := exec.Command(self, "-test.run=^TestSimulate$", "-test.v", "-test.timeout=30m")
		cmd.Env = append(os.Environ(), simulated+"="+size)
		out, err := cmd.CombinedOutput()
		if t.Logf("%s", out); err != nil {
			t.Errorf("%s: %v", size, err)
		}
	}
}

// outside has a server outside of the bubble of virtual time, until the function that is returned
// is called: what all servers of a process share has a goroutine of the first one's first stream.
func outside(t *testing.T) (end func()) {
	t.Helper()
	b, err := broker.Start(broker.Options{Token: testToken, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := dial(t.Context(), Address{URL: b.URL(), Token: testToken}, Timing{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		l.close()
		runtime.GC() // and the client's timers are forgotten, which it would take again
		runtime.GC()
	}()
	if _, err := l.make(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b.Close
}

// A sim is the world of a simulation.
type sim struct {
	*testing.T
	size                   string
	workers, cores, rounds int
	result                 experiment.Result
	broker                 atomic.Pointer[broker.Broker]
	began                  time.Time

	mu     sync.Mutex
	starts map[uint64][]time.Duration // of each unit, by seed
	last   time.Duration              // when a unit began last for the first time
	killed time.Duration              // when a worker was
	late   bool                       // whether its units began again later than they should
	spans  [][2]time.Duration         // in which units were under way
	under  map[uint64]*cable          // who has a unit under way, by seed
	had    map[uint64]bool            // units that were under way with the worker
}

// A cable is a way to the broker that can be cut.
type cable struct {
	s     *sim
	mu    sync.Mutex
	conns []net.Conn
	isCut bool
}

var errCut = errors.New("the cable is cut")

// InProcessConn implements nats.InProcessConnProvider.
func (c *cable) InProcessConn() (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.s.broker.Load()
	if c.isCut || b == nil {
		return nil, errCut
	}
	conn, err := b.InProcessConn()
	if err == nil {
		c.conns = append(c.conns, conn)
	}
	return conn, err
}

func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isCut = true
	for _, conn := range c.conns {
		_ = conn.Close()
	}
}

// lasts is how long a unit takes: 50 to 70 s.
func lasts(seed uint64) time.Duration {
	return 50*time.Second + time.Duration(seed*7919%20_000)*time.Millisecond
}

// one is a unit: its time passes, and it is kept every ten seconds as others are.
func (s *sim) one(ctx context.Context, c *cable, u *experiment.Unit, o *experiment.Options) (
	experiment.Result, bool, error,
) {
	s.mu.Lock()
	now := time.Since(s.began)
	if s.starts[u.Seed] = append(s.starts[u.Seed], now); len(s.starts[u.Seed]) == 1 {
		s.last = now
	}
	s.under[u.Seed] = c
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.spans = append(s.spans, [2]time.Duration{now, time.Since(s.began)})
	}()
	left := lasts(u.Seed)
	for it := int64(1); left > 0; it++ {
		d := min(left, 10*time.Second)
		if err := pause(ctx, d); err != nil {
			return experiment.Result{}, false, err
		}
		if left -= d; left > 0 {
			run := make([]byte, 20<<10) // as much as a record and a state of 1000 cities
			binary.LittleEndian.PutUint64(run, u.Seed)
			run[9] = byte(it)
			o.Keeping.To(it, run)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.under, u.Seed)
	r := s.result
	r.Wall = lasts(u.Seed).Seconds()
	return r, false, nil
}

// serve starts a broker, the first or the next.
func (s *sim) serve() {
	s.Helper()
	b, err := broker.Start(broker.Options{Token: testToken, Dir: s.TempDir(), Within: true})
	if err != nil {
		s.Fatal(err)
	}
	s.broker.Store(b)
}

func (s *sim) address(c *cable) Address {
	return Address{URL: "nats://127.0.0.1:1", Token: testToken, within: c}
}

// simulate is a simulation in a process of its own, which it ends: the client leaves goroutines.
func simulate(t *testing.T, size string) {
	s := &sim{
		T: t, size: size, rounds: 5, starts: map[uint64][]time.Duration{}, under: map[uint64]*cable{},
		had: map[uint64]bool{},
	}
	if n, _ := fmt.Sscanf(size, "%dx%dx%d", &s.workers, &s.cores, &s.rounds); n < 2 {
		t.Fatalf("%s: want WORKERSxCORES", size)
	}
	units := s.rounds * s.workers * s.cores
	store := storeOf(t, units, "rand-1000-1", record.Budget{Iterations: 20})
	q, err := store.Queue(t.Context(), "e", false)
	if err != nil {
		t.Fatal(err)
	}
	u, _, err := q.Take(t.Context(), "cpu")
	if err != nil {
		t.Fatal(err)
	}
	s.result, _, err = experiment.One(t.Context(), u, experiment.Options{Load: loadAny}, nil)
	if err = errors.Join(err, q.Return(u), q.Close()); err != nil {
		t.Fatal(err)
	}
	s.serve()
	first, kill := s.join()
	idle := s.cpuFor(time.Minute)
	s.tell("idle %.3f CPU ms/s a worker, %.3f cores in all", 1000*idle/float64(s.workers)/60, idle/60)
	s.began = time.Now()
	before, real, ended := cpuSeconds(t), s.real(), make(chan error, 1)
	go func() {
		info, err := experiment.Make(t.Context(), store, "e", experiment.Options{
			Load: loadAny, Over: &Fabric{Address: s.address(&cable{s: s})},
		})
		if err == nil && info.Done != units {
			err = fmt.Errorf("%d of %d units are made", info.Done, units)
		}
		ended <- err
	}()
	s.cpuFor(40 * time.Second)
	messages, bytes := s.broker.Load().Traffic()
	busy := s.cpuFor(time.Minute) // each core begins a unit in it
	messages2, bytes2 := s.broker.Load().Traffic()
	s.tell("a minute: %.3f cores, %d messages, %.1f MB to the broker", busy/60, messages2-messages,
		float64(bytes2-bytes)/1e6)
	s.lose(first, kill)
	if s.rounds > 3 {
		s.cpuFor(45 * time.Second)
		b := s.broker.Swap(nil)
		b.Close()
		time.Sleep(time.Second)
		s.serve()
		s.tell("the minute after the broker was lost: %.3f cores", s.cpuFor(time.Minute)/60)
	}
	select {
	case err = <-ended:
	case <-time.After(time.Hour):
		err = errors.New("units are under way nowhere and wait for ever")
	}
	s.tell("%d units in %v of virtual and %v of real time, %.2f CPU ms each", units,
		time.Since(s.began).Round(time.Second), (s.real() - real).Round(time.Second/10),
		1000*(cpuSeconds(t)-before)/float64(units))
	time.Sleep(2 * time.Minute) // until what was killed is judged
	if share := s.judge(); err != nil || share < 0.9 || s.late {
		s.tell("it fails: %v; cores were busy too little: %v; lost units began too late: %v", err,
			share < 0.9, s.late)
		os.Exit(1)
	}
	os.Exit(0)
}

// tell prints a line.
func (s *sim) tell(format string, a ...any) {
	fmt.Printf("%s: %s\n", s.size, fmt.Sprintf(format, a...))
}

// real is a time of day outside of the simulation.
func (s *sim) real() time.Duration {
	var t syscall.Timeval
	if err := syscall.Gettimeofday(&t); err != nil {
		s.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// join has all workers join, and returns the first one's cable and what ends it.
func (s *sim) join() (first *cable, kill context.CancelFunc) {
	s.Helper()
	bytes, before := held(), cpuSeconds(s)
	var joined sync.WaitGroup
	joined.Add(s.workers)
	for i := range s.workers {
		c := &cable{s: s}
		life, end := context.WithCancel(context.Background())
		if i == 0 {
			first, kill = c, end
		} else {
			s.Cleanup(end)
		}
		w := &Worker{
			Address: s.address(c), Name: fmt.Sprintf("w%d", i), Cores: s.cores,
			Joined: func(string) { joined.Done() },
			one: func(
				ctx context.Context, u experiment.Unit, o experiment.Options,
			) (experiment.Result, bool, error) {
				return s.one(ctx, c, &u, &o)
			},
		}
		go func() { _ = w.Run(life) }() // the process ends before it
	}
	joined.Wait()
	n := float64(s.workers)
	s.tell("to join: %.2f CPU ms and %.0f KB each", 1000*(cpuSeconds(s)-before)/n,
		(held()-bytes)/n/1024)
	return first, kill
}

// cpuFor lets time pass, and returns the CPU seconds of that.
func (s *sim) cpuFor(d time.Duration) float64 {
	s.Helper()
	before := cpuSeconds(s)
	time.Sleep(d)
	return cpuSeconds(s) - before
}

// lose kills a worker.
func (s *sim) lose(c *cable, kill context.CancelFunc) {
	s.mu.Lock()
	for seed, by := range s.under {
		if by == c {
			s.had[seed] = true
		}
	}
	s.killed = time.Since(s.began)
	s.mu.Unlock()
	c.cut()
	kill()
	go func() {
		time.Sleep(2 * time.Minute)
		s.mu.Lock()
		defer s.mu.Unlock()
		var after []float64
		for seed := range s.had {
			for _, t := range s.starts[seed] {
				if t > s.killed {
					after = append(after, (t - s.killed).Seconds())
					break
				}
			}
		}
		slices.Sort(after)
		most := (DefaultTiming.AckWait + 5*time.Second).Seconds()
		s.late = len(after) < len(s.had) || after[len(after)-1] > most
		s.tell("a worker was killed that had %d units; %d began again, half of them after %.1f s, the "+
			"last after %.1f s", len(s.had), len(after), after[len(after)/2], after[len(after)-1])
	}()
}

// judge tells how busy the cores were until the last unit began.
func (s *sim) judge() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	busy := time.Duration(0)
	for _, x := range s.spans {
		busy += max(0, min(x[1], s.last)-x[0])
	}
	there := float64(s.last)*float64(s.workers) - float64(max(0, s.last-s.killed))
	share := float64(busy) / there / float64(s.cores)
	s.tell("until the last unit began, after %v, the cores were busy %.2f %% of the time; %d times a "+
		"unit began again", s.last.Round(time.Second), 100*share, len(s.spans)-len(s.starts))
	return share
}
