package stream

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

// The figures of doc.go are these benchmarks:
//
//	go test ./solvers/experiment/stream -run xxx -bench . -benchtime 1x
//
// METALAB_WORKERS=10000 adds so many simulated workers: real ones, each with a connection of its
// own, in the process of a real broker. CPU seconds are those of all: broker, workers and who asks.

// cpuSeconds are those of this process.
func cpuSeconds(tb testing.TB) float64 {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// held is the memory that this process uses, in bytes.
func held() float64 {
	runtime.GC()
	s := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"},
	}
	metrics.Read(s)
	return float64(s[0].Value.Uint64() + s[1].Value.Uint64())
}

// A mill is a broker with workers in this process.
type mill struct {
	testing.TB
	b    *broker.Broker
	a    Address
	dir  string
	stop context.CancelFunc
	wg   sync.WaitGroup
}

func newMill(tb testing.TB) *mill {
	tb.Helper()
	m := &mill{TB: tb, dir: tb.TempDir()}
	var err error
	if m.b, err = broker.Start(broker.Options{Token: testToken, Dir: m.dir}); err != nil {
		tb.Fatal(err)
	}
	m.a = Address{URL: m.b.URL(), Token: testToken, within: m.b}
	return m
}

// join starts workers, and returns when all have joined.
func (m *mill) join(workers int) {
	m.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	m.stop = cancel
	var joined sync.WaitGroup
	joined.Add(workers)
	gate := make(chan struct{}, 64) // so many join at a time
	for i := range workers {
		gate <- struct{}{}
		w := &Worker{
			Address: m.a, Name: fmt.Sprintf("w%d", i), Cores: 1,
			Joined: func(string) { joined.Done(); <-gate },
		}
		m.wg.Go(func() {
			if err := w.Run(ctx); err != nil && ctx.Err() == nil {
				m.Error(err)
			}
		})
	}
	joined.Wait()
}

func (m *mill) close() {
	if m.stop != nil {
		m.stop()
	}
	m.wg.Wait()
	m.b.Close()
}

func loadAny(ctx context.Context, name string) (datasets.Instance, error) {
	return datasets.LoadContext(ctx, name)
}

// storeOf has an experiment of so many units.
func storeOf(tb testing.TB, n int, instance string, b record.Budget) *experiment.Memory {
	tb.Helper()
	p := experiment.Plan{
		Settings:  []experiment.Setting{{Solver: "toy", Variant: "swap"}},
		Instances: []string{instance}, Seeds: n, First: 1, Budget: b,
	}
	units, err := p.Units(tb.Context(), loadAny)
	if err != nil {
		tb.Fatal(err)
	}
	s := &experiment.Memory{}
	if _, err := s.Add(tb.Context(), "e", p, units); err != nil {
		tb.Fatal(err)
	}
	return s
}

// carry makes the units of a store, over f where that is not nil, and returns the CPU and other
// seconds that it took.
func carry(tb testing.TB, s *experiment.Memory, f experiment.Fabric) (cpu, wall float64) {
	tb.Helper()
	began, before := time.Now(), cpuSeconds(tb)
	info, err := experiment.Make(tb.Context(), s, "e", experiment.Options{Load: loadAny, Over: f})
	if err != nil || info.Left() > 0 || info.Failed > 0 {
		tb.Fatalf("%d units are left, %d failed: %v", info.Left(), info.Failed, err)
	}
	return cpuSeconds(tb) - before, time.Since(began).Seconds()
}

// BenchmarkWorkers makes units that cost next to nothing: what is left is the machinery, for one
// worker and for many.
func BenchmarkWorkers(b *testing.B) {
	sizes := []int{1, 10, 100, 1000}
	if n, err := strconv.Atoi(os.Getenv("METALAB_WORKERS")); err == nil {
		sizes = append(sizes, n)
	}
	for _, workers := range sizes {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for range b.N {
				benchWorkers(b, workers)
			}
		})
	}
}

func benchWorkers(b *testing.B, workers int) {
	const idle = 10 * time.Second
	units := max(1000, workers)
	alone, _ := carry(b, storeOf(b, units, "rand-60-1", record.Budget{Iterations: 20}), nil)
	m := newMill(b)
	defer m.close()
	bytes, began, before := held(), time.Now(), cpuSeconds(b)
	m.join(workers)
	n := float64(workers)
	b.ReportMetric(1000*(cpuSeconds(b)-before)/n, "cpu-ms/join")
	b.ReportMetric(time.Since(began).Seconds(), "s-joining")
	b.ReportMetric((held()-bytes)/n/1024, "KB/worker")
	time.Sleep(2 * time.Second)
	before = cpuSeconds(b)
	time.Sleep(idle)
	b.ReportMetric(1000*(cpuSeconds(b)-before)/n/idle.Seconds(), "idle-cpu-ms/worker/s")
	s := storeOf(b, units, "rand-60-1", record.Budget{Iterations: 20})
	messages, size := m.b.Traffic()
	cpu, wall := carry(b, s, &Fabric{Address: m.a})
	b.ReportMetric(1000*(cpu-alone)/float64(units), "cpu-ms/unit")
	b.ReportMetric(float64(units)/wall, "units/s")
	messages2, size2 := m.b.Traffic()
	b.ReportMetric(float64(messages2-messages)/float64(units), "messages/unit")
	b.ReportMetric(float64(size2-size)/float64(units), "B/unit")
	time.Sleep(2 * time.Second)
	before = cpuSeconds(b)
	time.Sleep(idle) // with an algorithm whose units may come
	b.ReportMetric(1000*(cpuSeconds(b)-before)/n/idle.Seconds(), "later-cpu-ms/worker/s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSecond makes units of a second by as many workers as the machine has cores, up to ten:
// what they take longer is the way to the next one.
func BenchmarkSecond(b *testing.B) {
	for range b.N {
		workers := min(10, runtime.NumCPU())
		units := 10 * workers
		m := newMill(b)
		m.join(workers)
		_, wall := carry(b, storeOf(b, units, "rand-60-1", record.Budget{Wall: 1}), &Fabric{Address: m.a})
		b.ReportMetric(100*(wall*float64(workers)/float64(units)-1), "%-longer")
		b.ReportMetric(float64(workers), "workers")
		m.close()
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkJoin is the time from the start of a worker to the result of its first unit, where units
// wait.
func BenchmarkJoin(b *testing.B) {
	for range b.N {
		m := newMill(b)
		s := storeOf(b, 1, "rand-60-1", record.Budget{Iterations: 20})
		told, ended := make(chan struct{}), make(chan struct{})
		var first atomic.Int64
		go func() {
			defer close(ended)
			_, err := experiment.Make(b.Context(), s, "e", experiment.Options{
				Load: loadAny, Over: &Fabric{Address: m.a},
				Each: func(experiment.Row) { first.CompareAndSwap(0, time.Now().UnixNano()) },
				Note: func(string) {
					select {
					case told <- struct{}{}:
					default:
					}
				},
			})
			if err != nil {
				b.Error(err)
			}
		}()
		<-told // that no worker has joined: the unit waits
		began := time.Now()
		m.join(1)
		<-ended
		b.ReportMetric(time.Unix(0, first.Load()).Sub(began).Seconds(), "s-to-result")
		m.close()
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkLost is the time from the loss of a worker to the result of its unit by another, in
// parts of AckWait.
func BenchmarkLost(b *testing.B) {
	for range b.N {
		m := newMill(b)
		s := storeOf(b, 1, "rand-60-1", record.Budget{Iterations: 20})
		ended := make(chan struct{})
		t := testTiming
		t.AckWait = 4 * time.Second
		go func() {
			defer close(ended)
			carry(b, s, &Fabric{Address: m.a, Timing: t})
		}()
		began := take(b, m.a, t)
		ctx, cancel := context.WithCancel(context.Background())
		w := &Worker{Address: m.a, Name: "a", Cores: 1, Timing: t}
		m.wg.Go(func() { _ = w.Run(ctx) })
		<-ended
		b.ReportMetric(time.Since(began).Seconds()/t.AckWait.Seconds(), "AckWaits")
		cancel()
		m.close()
	}
	b.ReportMetric(0, "ns/op")
}

// take fetches a unit as a worker does that is then lost, and returns when.
func take(tb testing.TB, a Address, t Timing) time.Time {
	tb.Helper()
	l, err := dial(tb.Context(), a, t, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer l.close()
	kind := token(kindOf("toy", "swap", "cpu", 1))
	for {
		p, err := l.make(tb.Context())
		if err != nil {
			tb.Fatal(err)
		}
		if c, err := p.stream.Consumer(tb.Context(), kind); err == nil {
			if batch, err := c.FetchNoWait(1); err == nil {
				for range batch.Messages() {
					return time.Now()
				}
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// BenchmarkBroker is what the broker has in memory and on disk of a unit that waits, and of a
// result that nobody has fetched.
func BenchmarkBroker(b *testing.B) {
	for range b.N {
		const units = 1000
		m := newMill(b)
		l, err := dial(b.Context(), m.a, Timing{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		p, err := l.make(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		memory := func() float64 {
			info, err := l.js.AccountInfo(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			return float64(info.Memory)
		}
		s := storeOf(b, units, "E1k.0", record.Budget{Iterations: 200})
		before := memory()
		q, err := s.Queue(b.Context(), "e", false)
		if err != nil {
			b.Fatal(err)
		}
		var one experiment.Unit
		for range units {
			u, _, err := q.Take(b.Context(), "cpu")
			if err != nil {
				b.Fatal(err)
			}
			one = u
			data, err := writeTask(&u, "")
			if err == nil {
				_, err = l.js.Publish(b.Context(), l.unit("x", u.Key.String()), data)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric((memory()-before)/units, "B/waiting")
		r, _, err := experiment.One(b.Context(), one, experiment.Options{Load: loadAny}, nil)
		if err != nil {
			b.Fatal(err)
		}
		before = memory()
		for i := range 100 {
			r.Wall = float64(i) // else the objects are the same
			data, err := writeOutcome(one.Key, "w", &r)
			if err == nil {
				err = p.put(b.Context(), fmt.Sprintf("%v-%d", one.Key, i), "w", data)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric((memory()-before)/100, "B/result")
		info, err := l.js.AccountInfo(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Store), "B-on-disk")
		l.close()
		m.close()
	}
	b.ReportMetric(0, "ns/op")
}
