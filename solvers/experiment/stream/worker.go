package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"metalab/solvers/experiment"
)

// A Worker runs units of a broker until it gets the command to end. It runs no program, and reads
// no file, that a unit names; instances come by their hash. It accepts code of others only if Code
// is set.
type Worker struct {
	Address Address
	Name    string // of letters, digits, - and _, up to 64; another worker's gets a suffix
	Cores   int    // units on the processor side by side; 0: as many as there are cores
	GPUs    []int  // numbers of the GPUs, each of which makes one unit at a time
	Build   string // the version, for who lists the workers; empty: that of this program
	Timing  Timing
	// Keep is the period after which the broker gets the progress of a unit, from which another worker
	// continues after a loss; 0: 10 s, and at least fifty times what that takes.
	Keep time.Duration
	// KeepMost is the total size of the broker's objects, in bytes, from which it gets no more of
	// that; 0: 1 GiB.
	KeepMost uint64

	// Options says where units run: Machine, Device, Lost.
	Options experiment.Options
	// Code compiles the code of units with a user's solver or problem; nil: this worker gets none of
	// them.
	Code Coder
	// Say receives a line about each event; may be nil.
	Say func(string)
	// Joined receives the worker's final name once it works; may be nil.
	Joined func(name string)

	// one makes a unit in the place of experiment.One, where workers are simulated.
	one func(context.Context, experiment.Unit, experiment.Options) (experiment.Result, bool, error)
}

var errStopped = errors.New("stopped")

// activeWorker is a worker that runs.
type activeWorker struct {
	w       *Worker
	l       *link
	name    string
	began   time.Time
	can     map[string]string // words of the algorithms it has, by token
	backend map[string]string // of each token

	ctx  context.Context // ends when the work in progress is to be abandoned
	stop context.CancelCauseFunc

	take  chan struct{} // has one while somebody asks for a unit
	wake  chan struct{}
	drain chan struct{} // closed when the worker accepts no more units
	once  sync.Once

	mu sync.Mutex
	workState
	insts *cache
}

// workState holds a worker's present and past work, under its lock.
type workState struct {
	p      *namespace
	kinds  []jetstream.Consumer // of units that it makes
	read   time.Time            // when kinds were
	making map[string]*job      // by key
	why    []string
	// why units and results were refused, and whether that is not told yet
	refusals []string
	news     bool
	made     int64
	failed   int64
	islands  hostedIslands
	sources  map[string]string // of code, by hash
}

// A job is a unit under way.
type job struct {
	text string
	drop context.CancelCauseFunc
}

var errDropped = errors.New("it is no longer wanted")

// Run works until ctx ends, or until the command to drain or stop arrives. It returns nil after a
// command.
func (w *Worker) Run(ctx context.Context) error {
	if !name.MatchString(w.Name) {
		return fmt.Errorf("stream: the worker is called %.80q, want 1 to 64 letters, digits, - and _",
			w.Name)
	}
	l, err := dial(ctx, w.Address, w.Timing, func(err error) {
		if w.Say != nil {
			w.Say(fmt.Sprintf("no broker at %s yet%s: this worker joins when there is one",
				redacted(w.Address.URL), hint(err)))
		}
	})
	if err != nil {
		return err
	}
	defer l.close()
	x := &activeWorker{
		w: w, l: l, name: w.Name, began: time.Now(), can: map[string]string{},
		backend: map[string]string{}, take: make(chan struct{}, 1),
		wake: make(chan struct{}, 1), drain: make(chan struct{}),
		workState: workState{making: map[string]*job{}, sources: map[string]string{}}, insts: newCache(),
	}
	x.islands.all = map[string]*hostedIsland{}
	x.islands.cores = make(chan struct{}, cmp.Or(max(w.Cores, 0), runtime.GOMAXPROCS(0)))
	x.ctx, x.stop = context.WithCancelCause(ctx)
	defer x.stop(nil)
	for k, backend := range w.kinds() {
		x.can[token(k)], x.backend[token(k)] = k, backend
	}
	if err := x.join(); err != nil {
		return err
	}
	defer x.leave()
	var wg sync.WaitGroup
	wg.Go(x.greet)
	cores := w.Cores
	if cores < 1 {
		cores = runtime.GOMAXPROCS(0)
	}
	var slots sync.WaitGroup
	for range cores {
		slots.Go(func() { x.slot("cpu", 0) })
	}
	for _, gpu := range w.GPUs {
		slots.Go(func() { x.slot("cuda", gpu) })
	}
	slots.Wait()
	err = context.Cause(x.ctx)
	x.stop(errStopped) // ends greet, and islands that are at work
	wg.Wait()
	x.islands.end()
	if err == nil || errors.Is(err, errStopped) {
		return nil
	}
	return err
}

func (x *activeWorker) say(format string, a ...any) {
	if x.w.Say != nil {
		x.w.Say(fmt.Sprintf(format, a...))
	}
}

// join waits for the broker, takes a name and listens to orders.
func (x *activeWorker) join() error {
	for {
		p, err := x.l.make(x.ctx)
		if err == nil {
			x.p = p
			break
		}
		if x.l.nc.IsClosed() {
			return fmt.Errorf("stream: broker %s: %w", x.l.where, x.l.closed())
		}
		if err := pause(x.ctx, time.Second/4); err != nil {
			return err
		}
	}
	for i := 2; ; i++ {
		_, err := x.p.workers.Create(x.ctx, x.name, x.hello())
		if err == nil {
			break
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			if x.l.nc.IsClosed() {
				return fmt.Errorf("stream: broker %s: %w", x.l.where, x.l.closed())
			}
			if err := pause(x.ctx, time.Second/4); err != nil { // it was lost meanwhile
				return err
			}
			if p, err := x.l.make(x.ctx); err == nil {
				x.p = p
			}
			i--
			continue
		}
		x.name = fmt.Sprintf("%.56s-%d", x.w.Name, i)
	}
	for subject, f := range map[string]func(*nats.Msg){
		x.l.subject("worker", x.name): x.order,
		x.l.subject("drop"):           x.drop,
		x.l.subject("island", x.name): func(m *nats.Msg) { go x.island(m) },
		x.l.subject("wake"): func(*nats.Msg) {
			select {
			case x.wake <- struct{}{}:
			default:
			}
		},
	} {
		if _, err := x.l.nc.Subscribe(subject, f); err != nil {
			return fmt.Errorf("stream: broker %s: %w", x.l.where, err)
		}
	}
	if x.w.Joined != nil {
		x.w.Joined(x.name)
	}
	return nil
}

// leave takes the worker off the list.
func (x *activeWorker) leave() {
	ctx, end := context.WithTimeout(context.WithoutCancel(x.ctx), time.Second)
	defer end()
	_ = x.place().workers.Delete(ctx, x.name) // else it is off the list when its time is over
	_ = x.l.nc.FlushWithContext(ctx)
}

func (x *activeWorker) place() *namespace {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.p
}

// order executes a command to this worker.
func (x *activeWorker) order(m *nats.Msg) {
	o, err := readOrder(m.Data)
	if err == nil && o.Why != "" {
		x.refused("results of this worker are refused by who asked: %s", o.Why)
		return
	}
	if err == nil && o.Do == "" {
		err = fmt.Errorf("an order to a worker says neither %s nor %s", Drain, Stop)
	}
	if err != nil {
		_ = m.Respond([]byte(err.Error())) // a client that is gone needs no answer
		return
	}
	// The answer is at the broker before this worker ends, and its connection with it.
	_ = m.Respond([]byte("ok"))
	_ = x.l.nc.FlushTimeout(time.Second)
	x.once.Do(func() { close(x.drain) })
	if o.Do == Stop {
		x.say("told to stop")
		x.stop(errStopped)
	} else {
		x.say("told to drain: it ends when what is under way is made")
	}
}

// drop ends units that are no longer wanted.
func (x *activeWorker) drop(m *nats.Msg) {
	o, err := readOrder(m.Data)
	if err != nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, k := range o.Keys {
		if j := x.making[k]; j != nil {
			j.drop(errDropped)
		}
	}
}

// hello returns the worker's present report.
func (x *activeWorker) hello() []byte {
	held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}} // without stopping all
	metrics.Read(held)
	x.mu.Lock()
	defer x.mu.Unlock()
	h := Hello{
		Format: format, Name: x.name, Build: cmp.Or(x.w.Build, program()), Machine: x.w.Options.Machine,
		Cores: x.w.Cores, GPUs: len(x.w.GPUs), Variants: slices.Sorted(maps.Values(x.can)),
		Made: x.made, Failed: x.failed, UpS: time.Since(x.began).Seconds(),
		Memory: held[0].Value.Uint64(),
		Making: []string{}, Why: slices.Concat(x.why, x.refusals),
	}
	if h.Cores < 1 {
		h.Cores = runtime.GOMAXPROCS(0)
	}
	for _, j := range x.making {
		h.Making = append(h.Making, j.text)
	}
	h.Making = append(h.Making, x.islands.texts()...)
	slices.Sort(h.Making)
	select {
	case <-x.drain:
		h.Draining = true
	default:
	}
	b, _ := json.Marshal(&h) // of words and whole numbers
	return b
}

// greet says again and again that the worker lives. Whether it does the broker decides, by its
// clock alone: what is not renewed is off the list, for all who read it.
func (x *activeWorker) greet() {
	told, before := time.Now(), int64(0)
	for {
		if pause(x.ctx, min(x.l.t.Hello, time.Second)) != nil {
			return
		}
		x.mu.Lock()
		made, news := x.made, x.news
		x.news = false
		x.mu.Unlock()
		if made == before && !news && time.Since(told) < x.l.t.Hello {
			continue // nothing new
		}
		told, before = time.Now(), made
		if _, err := x.place().workers.Put(x.ctx, x.name, x.hello()); err != nil {
			x.reopen()
		}
	}
}

// reopen looks for what the broker keeps after something failed.
func (x *activeWorker) reopen() {
	if x.l.nc.IsClosed() { // for good: another broker is there now, which does not know its token
		x.stop(fmt.Errorf("stream: broker %s: %w", x.l.where, x.l.closed()))
	}
	p, err := x.l.make(x.ctx)
	if err != nil {
		return // later again
	}
	x.mu.Lock()
	same := x.p.name == p.name
	x.p, x.kinds, x.read = p, nil, time.Time{}
	x.mu.Unlock()
	if !same {
		_, _ = p.workers.Put(x.ctx, x.name, x.hello()) // later again
	}
}

// slot makes units of a backend, one after another.
func (x *activeWorker) slot(backend string, gpu int) {
	for x.ctx.Err() == nil {
		m := x.next(backend)
		if m == nil {
			return
		}
		if lost := x.one(m, gpu); lost {
			x.say("GPU %d fails, and makes no more units", gpu)
			return
		}
	}
}

// Times between two polls for a waiting unit: the first, and the longest. Coordinators wake the
// workers when they add units; but nobody reports that a unit of a lost worker waits again.
const (
	soonest = time.Second / 2
	latest  = 2 * time.Second
)

// next waits for a unit; nil: there are to be no more. One is fetched at a time, and nothing
// ahead: what is fetched is under way.
func (x *activeWorker) next(backend string) jetstream.Msg {
	x.take <- struct{}{}
	defer func() { <-x.take }()
	for wait := soonest; ; wait = min(2*wait, latest) {
		select {
		case <-x.drain:
			return nil
		case <-x.ctx.Done():
			return nil
		default:
		}
		if m := x.fetch(backend); m != nil {
			return m
		}
		<-x.take // another backend's turn
		select {
		case <-x.wake:
			x.mu.Lock()
			x.read = time.Time{}
			x.mu.Unlock()
			wait = soonest / 2
		case <-time.After(wait):
		case <-x.drain:
		case <-x.ctx.Done():
		}
		x.take <- struct{}{}
	}
}

// fetch asks for a unit of each algorithm in turn; nil where none waits.
func (x *activeWorker) fetch(backend string) jetstream.Msg {
	all, err := x.consumers()
	if err != nil {
		x.reopen()
		return nil
	}
	for _, c := range all {
		if x.backend[c.CachedInfo().Name] != backend {
			continue
		}
		b, err := c.FetchNoWait(1)
		if err != nil {
			x.reopen()
			return nil
		}
		for m := range b.Messages() {
			return m
		}
		if err := b.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
			x.reopen()
			return nil
		}
	}
	return nil
}

// consumers returns those of the algorithms that this worker has; it records why there are others.
func (x *activeWorker) consumers() ([]jetstream.Consumer, error) {
	x.mu.Lock()
	if time.Since(x.read) < max(time.Second, x.l.t.Hello/2) {
		defer x.mu.Unlock()
		return x.kinds, nil
	}
	p := x.p
	x.mu.Unlock()
	var mine []jetstream.Consumer
	var why []string
	var infos []*jetstream.ConsumerInfo
	list := p.stream.ListConsumers(x.ctx)
	for info := range list.Info() { // to the end: else who lists them waits for ever
		infos = append(infos, info)
	}
	if err := list.Err(); err != nil {
		return nil, err
	}
	for _, info := range infos {
		if x.can[info.Name] == "" {
			if info.NumPending > 0 {
				why = append(why, x.reason(&info.Config))
			}
			continue
		}
		c, err := p.stream.Consumer(x.ctx, info.Name)
		if err != nil {
			return nil, err
		}
		mine = append(mine, c)
	}
	slices.SortFunc(mine, func(a, b jetstream.Consumer) int {
		return a.CachedInfo().Created.Compare(b.CachedInfo().Created)
	})
	slices.Sort(why)
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, s := range why {
		if !slices.Contains(x.why, s) {
			x.say("%s", s)
		}
	}
	x.news = x.news || !slices.Equal(x.why, why)
	x.kinds, x.read, x.why = mine, time.Now(), why
	return mine, nil
}
