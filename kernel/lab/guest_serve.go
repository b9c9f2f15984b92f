package lab

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"metalab/kernel/lab/front"
	"metalab/kernel/lab/internal/serve"
	"metalab/kernel/wire"
	"metalab/solvers/fault"
	"metalab/solvers/record"
)

// worker serves one solver to the host.
type worker struct {
	name  string
	make  func() Solver
	where string // the current operation, for errors that do not name it

	d    *described
	seed uint64

	p       *Problem
	checked float64 // the last best whose solution has its value; see check

	shown  []int // the best solution that the host has
	shownV float64
	showed time.Time // when it was sent; zero: the host has none
}

// serving is true in a worker from Declare on.
var serving bool

// serveSolver makes the process a worker, and never returns.
func serveSolver(name string, make func() Solver) {
	serving = true
	serve.Run(&worker{name: name, make: make})
}

// refuse ends a worker whose program calls lab before Declare.
func refuse() {
	serve.Refuse(os.Getenv(wire.EnvWorker), "other calls of lab stand before lab.Declare: the solver "+
		"runs in a process of its own, which begins with all that its cell does before Declare, so "+
		"let Declare come first")
}

// Hello says what the solver is.
func (w *worker) Hello() (wire.WorkerHello, error) {
	w.where = "the constructor"
	d, err := describe(w.name, w.make())
	w.where = ""
	if err != nil {
		return wire.WorkerHello{
			Protocol: wire.WorkerProtocol, Name: w.name, Refused: err.Error(),
		}, nil
	}
	return d.hello, nil
}

// callers are the packages that call somebody's code.
var callers = []string{
	"metalab/kernel/lab", "metalab/kernel/lab/problem", "metalab/solvers/own", "metalab/solvers/moves",
}

// Caught carries f out and returns its error or panic.
func (w *worker) Caught(f func() error) (e *wire.WorkerError) {
	var placed front.Placed
	defer func() {
		if x := recover(); x != nil {
			e = &wire.WorkerError{Text: serve.OneLine(fmt.Sprintf("panic: %v", x))}
			if err, ok := x.(error); ok && errors.As(err, &placed) {
				e.Text, e.Where, e.Line = placed.Place()
			} else {
				e.Where, e.Line = fault.Place(callers...)
			}
		}
		if e != nil && e.Where == "" {
			e.Where = w.where
		}
	}()
	if err := f(); err != nil {
		if errors.As(err, &placed) {
			text, where, line := placed.Place()
			return &wire.WorkerError{Text: text, Where: where, Line: line}
		}
		return &wire.WorkerError{Text: serve.OneLine(err.Error())}
	}
	return nil
}

// Answer executes one request.
func (w *worker) Answer(op byte, body []byte) ([]byte, error) {
	if w.d == nil && op != wire.OpInit {
		return nil, serve.Early(op)
	}
	switch op {
	case wire.OpInit:
		return w.init(body)
	case wire.OpSet:
		vs, err := serve.Read[record.Values](body)
		if err != nil {
			return nil, err
		}
		return nil, w.given(vs, w.d.set(vs))
	case wire.OpSnapshot:
		return w.d.snapshot()
	case wire.OpRestore:
		w.checked, w.showed = math.Inf(1), time.Time{}
		notes, err := w.d.restore(body)
		if err == nil {
			err = w.restored()
		}
		return serve.JSON(notes, err)
	case wire.OpBest:
		return w.sent(w.best())
	case wire.OpCost:
		return w.judged(body)
	}
	return nil, serve.Unknown(op)
}

// Steps returns the code that runs iterations.
func (w *worker) Steps() (*serve.Steps, error) {
	if w.d == nil {
		return nil, serve.Early(wire.OpStep)
	}
	look := w.look
	if w.p.own != nil {
		look = nil // the host could not check it
	}
	return &serve.Steps{
		Measures: len(w.d.measures), Snapshot: w.d.snapshot, Step: w.step, Best: look,
		Blame: func(e *wire.WorkerError) {
			switch {
			case e.Where != "":
			case strings.HasPrefix(e.Text, wrongBest):
				e.Where = "Best"
			default:
				e.Where = "Step"
			}
		},
	}, nil
}

// showEvery is the time between two looks at the best solution: none but with very many
// cities, where a look takes long.
func showEvery(n int) time.Duration {
	if n <= 100_000 {
		return 0
	}
	return time.Duration(n) * 400
}

// look is the best solution if the host does not have it.
func (w *worker) look() (best []byte, wait bool, err error) {
	v, s := w.best()
	same := !w.showed.IsZero() && v == w.shownV && slices.Equal(s, w.shown)
	wait = !same && !w.showed.IsZero() && time.Since(w.showed) < showEvery(len(s))
	if same || wait {
		return nil, wait, nil
	}
	if best, err = w.sent(v, s); err != nil {
		return nil, false, err
	}
	w.shown, w.shownV, w.showed = append(w.shown[:0], s...), v, time.Now()
	return best, false, nil
}

// sent is a best solution as it is sent: a real number as the lower and the upper half of its bits.
func (w *worker) sent(value float64, solution []int) ([]byte, error) {
	b := wire.WorkerBest{Value: value, Solution: make([]int32, len(solution))}
	if w.p.real() {
		b.Solution = b.Solution[:0]
		for _, x := range solution {
			b.Solution = append(b.Solution, int32(x), int32(x>>32))
		}
		return b.Append(nil), nil
	}
	for i, x := range solution {
		if x != int(int32(x)) {
			return nil, fmt.Errorf("Best: the solution holds %d", x)
		}
		b.Solution[i] = int32(x)
	}
	return b.Append(nil), nil
}

// init makes a solver and its first state, which it returns.
func (w *worker) init(body []byte) ([]byte, error) {
	var in wire.WorkerInit
	rest, err := wire.CutHead(body, &in)
	if err != nil {
		return nil, err
	}
	p, err := problemOf(in, rest)
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", in.Name, err)
	}
	s := w.make()
	if err := p.takes(s); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	d, err := describe(w.name, s)
	if err != nil {
		return nil, err
	}
	d.set(in.Params)
	if err := s.Init(p, newRand(in.Seed, 0)); err != nil {
		return nil, fmt.Errorf("its Init: %w", err)
	}
	state, err := d.snapshot()
	if err != nil {
		return nil, err
	}
	w.d, w.p, w.seed = d, p, in.Seed
	w.checked, w.showed = math.Inf(1), time.Time{}
	return state, nil
}

// step makes one iteration and appends its results.
func (w *worker) step(it int64, to []float64) ([]float64, error) {
	r := newRand(w.seed, it)
	v, err := w.d.solver.Step(it, r)
	if err != nil {
		return to, err
	}
	best, solution := w.best()
	mean := v
	if m, ok := w.d.solver.(Valuer); ok {
		if vs := m.Values(); len(vs) > 0 {
			sum := 0.0
			for _, x := range vs {
				sum += x
			}
			mean = max(sum/float64(len(vs)), slices.Min(vs))
		}
	}
	if math.IsNaN(v) || math.IsNaN(best) {
		return to, fmt.Errorf("the value %v, or the best %v, is no number", v, best)
	}
	if best < w.checked && w.p.work() <= maxCheck {
		if err := w.p.check(best, solution); err != nil {
			return to, err
		}
		w.checked = best
	}
	return w.d.values(append(to, v, best, mean, math.Float64frombits(r.trace()))), nil
}
