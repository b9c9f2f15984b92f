package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers/fault"
	"metalab/solvers/record"
)

// worker serves one solver to the host.
type worker struct {
	out  *os.File
	name string
	make func() Solver

	d    *described
	seed uint64
	cpu  int64 // when the first state was made
	buf  []byte

	p       *Problem
	checked float64 // the last best whose solution has its value; see check

	shown  []int // the best solution that the host has
	shownV float64
	showed time.Time // when it was sent; zero: the host has none
}

// frame is a message of the host.
type frame struct {
	op   byte
	body []byte
}

// maxStack bounds the stack of a solver in bytes, so that an endless recursion is reported at once
// and not when a gigabyte is full.
const maxStack = 256 << 20

// serving is true in a worker from Declare on.
var serving bool

// serve makes the process a worker, and never returns.
func serve(name string, make func() Solver) {
	serving = true
	in, out := os.NewFile(wire.WorkerIn, "host"), os.NewFile(wire.WorkerOut, "host")
	// children of the solver are not workers, and must not keep the pipes open
	os.Unsetenv(wire.EnvWorker)
	debug.SetMaxStack(maxStack)
	closeOnExec(wire.WorkerIn)
	closeOnExec(wire.WorkerOut)
	w := &worker{out: out, name: name, make: make}
	frames := newFrames(in)
	w.guard("the constructor", func() error {
		d, err := describe(name, make())
		hello := wire.WorkerHello{Protocol: wire.WorkerProtocol, Name: name}
		if err != nil {
			hello.Refused = err.Error()
		} else {
			hello = d.hello
		}
		b, err := json.Marshal(hello)
		if err != nil {
			return err
		}
		w.reply(wire.OpHello, b)
		return nil
	})
	for f := range frames {
		w.guard("", func() error { return w.answer(f) })
	}
	os.Exit(0)
}

// refuse ends a worker whose program calls lab before Declare.
func refuse() {
	name := os.Getenv(wire.EnvWorker)
	b, _ := json.Marshal(wire.WorkerHello{ // strings and numbers: it cannot fail
		Protocol: wire.WorkerProtocol, Name: name,
		Refused: "other calls of lab stand before lab.Declare: the solver runs in a process of its " +
			"own, which begins with all that its cell does before Declare, so let Declare come first",
	})
	// if it fails, the host has ended
	_ = wire.WriteFrame(os.NewFile(wire.WorkerOut, "host"), wire.OpHello, b)
	os.Exit(1)
}

// newFrames reads messages. When the host has ended the process ends too, whatever the solver does.
func newFrames(in io.Reader) <-chan frame {
	c := make(chan frame)
	go func() {
		for {
			op, body, err := wire.ReadFrame(in)
			if err != nil {
				os.Exit(0)
			}
			c <- frame{op, body}
		}
	}()
	return c
}

// reply sends an answer.
func (w *worker) reply(op byte, parts ...[]byte) {
	if err := wire.WriteFrame(w.out, op, parts...); err != nil {
		os.Exit(0) // the host has ended
	}
}

// guard carries f out and answers with its error or panic.
func (w *worker) guard(where string, f func() error) {
	if e := caught(f); e != nil {
		if e.Where == "" {
			e.Where = where
		}
		b, _ := json.Marshal(e) // strings and a number: it cannot fail
		w.reply(wire.OpError, b)
	}
}

// caught carries f out and returns its error or panic.
func caught(f func() error) (e *wire.WorkerError) {
	defer func() {
		if x := recover(); x != nil {
			e = &wire.WorkerError{Text: oneLine(fmt.Sprintf("panic: %v", x))}
			e.Where, e.Line = fault.Place("metalab/kernel/lab")
		}
	}()
	if err := f(); err != nil {
		return &wire.WorkerError{Text: oneLine(err.Error())}
	}
	return nil
}

// answer carries out one request.
func (w *worker) answer(f frame) error {
	if w.d == nil && f.op != wire.OpInit {
		return fmt.Errorf("request %q before the first", f.op)
	}
	switch f.op {
	case wire.OpInit:
		return w.init(f.body)
	case wire.OpSet:
		var vs record.Values
		if err := json.Unmarshal(f.body, &vs); err != nil {
			return err
		}
		changed := w.d.set(vs)
		if c, ok := w.d.solver.(Changer); ok && len(changed) > 0 {
			c.Changed(changed)
		}
		w.reply(f.op)
	case wire.OpStep:
		q, err := wire.ParseWorkerStep(f.body)
		if err != nil {
			return err
		}
		return w.steps(q)
	case wire.OpSnapshot:
		s, err := w.d.snapshot()
		if err != nil {
			return err
		}
		w.reply(f.op, s)
	case wire.OpRestore:
		w.checked, w.showed = math.Inf(1), time.Time{}
		notes, err := w.d.restore(f.body)
		if err != nil {
			return err
		}
		b, err := json.Marshal(notes)
		if err != nil {
			return err
		}
		w.reply(f.op, b)
	case wire.OpBest:
		v, s := w.d.solver.Best()
		b, err := bestOf(v, s)
		if err != nil {
			return err
		}
		w.reply(f.op, b)
	default:
		return fmt.Errorf("request %q, which this worker does not know", f.op)
	}
	return nil
}

// bestOf is a best solution as it is sent.
func bestOf(value float64, solution []int) ([]byte, error) {
	b := wire.WorkerBest{Value: value, Solution: make([]int32, len(solution))}
	for i, x := range solution {
		if x != int(int32(x)) {
			return nil, fmt.Errorf("Best: the solution holds %d", x)
		}
		b.Solution[i] = int32(x)
	}
	return b.Append(nil), nil
}

// init makes a solver and its first state.
func (w *worker) init(body []byte) error {
	var in wire.WorkerInit
	rest, err := wire.CutHead(body, &in)
	if err != nil {
		return err
	}
	p, err := problemOf(in, rest)
	if err != nil {
		return fmt.Errorf("instance %s: %w", in.Name, err)
	}
	s := w.make()
	d, err := describe(w.name, s)
	if err != nil {
		return err
	}
	d.set(in.Params)
	if err := s.Init(p, newRand(in.Seed, 0)); err != nil {
		return fmt.Errorf("its Init: %w", err)
	}
	state, err := d.snapshot()
	if err != nil {
		return err
	}
	w.d, w.p, w.seed, w.cpu = d, p, in.Seed, ownCPU()
	w.checked, w.showed = math.Inf(1), time.Time{}
	w.reply(wire.OpInit, state)
	return nil
}

// step makes one iteration and appends its results.
func (w *worker) step(it int64, to []float64) ([]float64, error) {
	r := newRand(w.seed, it)
	v, err := w.d.solver.Step(it, r)
	if err != nil {
		return to, err
	}
	best, solution := w.d.solver.Best()
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
