package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Options says how Make runs the units of an experiment. Load is required.
type Options struct {
	Load    Loader
	Workers int  // units in parallel on the CPU, each on one core; 0: as many as there are cores
	Again   bool // run failed units again

	// GPUs returns the numbers of the GPUs; each runs one unit at a time. If it returns an error, the
	// units for GPUs keep waiting and the others run. Nil: number 0.
	GPUs func() ([]int, error)
	// Lost reports whether an error makes a GPU unusable in this process. That GPU then gets no more
	// units, and units that no other GPU runs keep waiting. May be nil.
	Lost func(error) bool

	Machine string                  // for Result.Machine
	Device  func(number int) string // returns the name of a GPU, for Result.Device; may be nil

	Each func(Row) // called after each unit, one at a time; may be nil
	// receives the messages of a Fabric, for example that units wait; may be nil
	Note     func(text string)
	Progress *Progress // may be nil

	// Over, when not nil, runs the units outside this process.
	Over Fabric
	// Source returns the source of a user's own solver or problem in a unit, for Over; may be nil.
	Source func(*Unit) (string, error)

	// Hold, when not nil, is called between two iterations of a unit and may block; see
	// solvers.Budget.
	Hold func(ctx context.Context) bool

	// Keeping, when not nil, makes One save its unfinished unit; see solvers.Budget.
	Keeping *solvers.Checkpointing
}

// Make runs the remaining units of an experiment, on all cores, and units for GPUs in parallel, one
// at a time on each free GPU. It stores a failed unit with its error and continues with the others.
// When ctx ends, Make abandons the units in progress and returns the cause of ctx. It returns the
// state of the experiment.
func Make(ctx context.Context, s Store, name string, o Options) (Info, error) {
	if err := given(ctx, o.Load != nil || o.Over != nil); err != nil {
		return Info{}, err
	}
	q, err := s.Queue(ctx, name, o.Again)
	if err != nil {
		return Info{}, err
	}
	info, err := s.Info(ctx, name)
	if err != nil {
		return Info{}, errors.Join(err, q.Close())
	}
	o.Keeping = nil
	m := &maker{o: o, q: q, insts: map[string]*loaded{}, gpus: map[int]*sync.Mutex{}}
	m.ctx, m.stop = context.WithCancelCause(ctx)
	if o.Over != nil {
		err = o.Over.Carry(ctx, q, o)
	} else {
		m.all()
		err = context.Cause(m.ctx)
	}
	err = errors.Join(err, q.Close())
	m.stop(nil)
	if now, e := s.Info(context.WithoutCancel(ctx), name); e == nil {
		info = now
	} else if err == nil {
		err = e
	}
	return info, err
}

// maker makes the units of a queue.
type maker struct {
	o    Options
	q    Queue
	ctx  context.Context
	stop context.CancelCauseFunc

	each sync.Mutex // held during Options.Each

	mu    sync.Mutex
	insts map[string]*loaded
	gpus  map[int]*sync.Mutex // by number; held while it makes a unit
}

// loaded is an instance that is loaded once for all units.
type loaded struct {
	once sync.Once
	inst datasets.Instance
	err  error
}

// all makes all units.
func (m *maker) all() {
	cores := m.o.Workers
	if cores < 1 {
		cores = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	for _, b := range m.q.Backends() {
		left := m.q.Left(b)
		places := make([]int, min(cores, left)) // the number of a GPU for each worker
		if b != "cpu" {
			places = m.places()
			places = places[:min(len(places), left)]
		}
		if len(places) == 0 {
			continue
		}
		l := m.o.Progress.start(left, len(places))
		for i, gpu := range places {
			wg.Go(func() { m.work(b, l, i, gpu) })
		}
	}
	wg.Wait()
}

// places are the numbers of the GPUs that make units.
func (m *maker) places() []int {
	if m.o.GPUs == nil {
		return []int{0}
	}
	all, err := m.o.GPUs()
	if err != nil {
		return nil
	}
	return all
}

// use waits until a GPU makes no unit, and returns the function that frees it again.
func (m *maker) use(gpu int) (free func()) {
	m.mu.Lock()
	l := m.gpus[gpu]
	if l == nil {
		l = &sync.Mutex{}
		m.gpus[gpu] = l
	}
	m.mu.Unlock()
	l.Lock()
	return l.Unlock
}

// work makes units of a backend until there are none left, on the GPU of a number where it is not
// the processor.
func (m *maker) work(backend string, l *lane, worker, gpu int) {
	for m.ctx.Err() == nil {
		u, ok, err := m.q.Take(m.ctx, backend)
		if err != nil {
			m.stop(err)
		}
		if err != nil || !ok {
			return
		}
		free := func() {}
		if backend != "cpu" {
			if u.Device == 0 { // otherwise the unit demands that GPU
				u.Device = gpu
			}
			free = m.use(u.Device)
		}
		l.begin(worker)
		r, lost, err := m.one(u, func(part float64) { l.see(worker, part) })
		free()
		if err == nil {
			err = m.q.Finish(context.WithoutCancel(m.ctx), u, r)
		} else if back := m.q.Return(u); back != nil {
			err = back
		}
		if err != nil {
			m.stop(err)
			return
		}
		l.end(worker)
		if m.o.Each != nil {
			row := Row{Unit: u, State: Done, Result: r}
			if r.Error != "" {
				row.State = Failed
			}
			row.Result.Trace, row.Result.Solution = nil, record.Solution{}
			m.each.Lock()
			m.o.Each(row)
			m.each.Unlock()
		}
		if lost {
			return
		}
	}
}

// one runs a unit. The error is that of the context; any other failure is a result. lost reports
// that the GPU has become unusable.
func (m *maker) one(u Unit, see func(float64)) (r Result, lost bool, err error) {
	r = Result{
		Best: math.NaN(), Gap: math.NaN(), Optimum: math.NaN(), Machine: m.o.Machine,
	}
	if u.Backend != "cpu" && m.o.Device != nil {
		r.Device = m.o.Device(u.Device)
	}
	if err := m.run(u, see, &r); err != nil {
		if m.ctx.Err() != nil {
			return r, false, context.Cause(m.ctx)
		}
		r.Error, lost = err.Error(), m.o.Lost != nil && m.o.Lost(err)
	}
	r.Ended = time.Now().UTC()
	return r, lost, nil
}

// run makes the unit's run.
func (m *maker) run(u Unit, see func(part float64), r *Result) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
		}
	}()
	inst, err := m.load(u)
	if err != nil {
		return err
	}
	if best, ok := inst.BestKnown(); ok {
		r.Optimum = best.Value
	}
	cfg := u.Config()
	cfg.Instance = inst
	v, err := solvers.Find(u.Solver, u.Variant, u.Backend)
	if err != nil {
		return err
	}
	if v.Revision != u.Revision {
		return fmt.Errorf("the unit is of revision %d of %s/%s, and this program has revision %d: "+
			"make the experiment anew under another name", u.Revision, v.Solver, v.Name, v.Revision)
	}
	part := solvers.PartOf(u.Budget)
	rule := stopOf(u.Budget)
	x, err := solvers.Once(m.ctx, cfg, solvers.Budget{
		Iterations: int(u.Budget.Iterations), Hold: m.o.Hold, Keeping: m.o.Keeping,
		Stop: func(start record.Point) func(*record.Point) string {
			over := rule(start)
			return func(p *record.Point) string {
				see(part(p))
				return over(p)
			}
		},
	})
	if err != nil {
		return err
	}
	if u.Budget.Evaluations > 0 && x.Point.Evals == 0 {
		return fmt.Errorf("%s/%s counts no evaluations, so it has no budget of %d", u.Solver, u.Variant,
			u.Budget.Evaluations)
	}
	p := x.Point
	r.Best, r.Gap, r.Digest, r.Why = p.Best, x.Gap, p.Digest, x.Why
	r.Iterations, r.Evaluations, r.Wall, r.CPU = p.Iter, p.Evals, p.Wall, p.CPU
	r.Trace, r.Solution = traceOf(x.History, p), x.Solution
	return nil
}

// load returns the instance of a unit.
func (m *maker) load(u Unit) (datasets.Instance, error) {
	name := u.Where()
	m.mu.Lock()
	l := m.insts[name]
	if l == nil {
		l = &loaded{}
		m.insts[name] = l
	}
	m.mu.Unlock()
	l.once.Do(func() { l.inst, l.err = m.o.Load(m.ctx, name) })
	if l.err != nil {
		return nil, fmt.Errorf("instance %s: %w", name, l.err)
	}
	if have := l.inst.SHA256(); have != u.Instance.SHA256 {
		return nil, fmt.Errorf("instance %s holds other data than when the experiment was planned "+
			"(SHA-256 %.12s…, not %.12s…)", name, have, u.Instance.SHA256)
	}
	return l.inst, nil
}

// stopOf returns the rule that stops a unit before its last iteration.
func stopOf(b record.Budget) solvers.Stop {
	var rules []solvers.Stop
	if b.Evaluations > 0 {
		rules = append(rules, solvers.ForEvaluations(b.Evaluations))
	}
	if b.Wall > 0 {
		rules = append(rules, solvers.ForWall(seconds(b.Wall)))
	}
	if b.CPU > 0 {
		rules = append(rules, solvers.ForCPU(seconds(b.CPU)))
	}
	return solvers.Any(rules...)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// FirstLine returns the error of a result without the stack that may follow.
func (r *Result) FirstLine() string {
	s, _, _ := strings.Cut(r.Error, "\n")
	return s
}
