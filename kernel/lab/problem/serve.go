package problem

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"metalab/kernel/lab/front"
	"metalab/kernel/lab/internal/serve"
	"metalab/kernel/wire"
	_ "metalab/solvers/anneal" // on problems of one's own, as those of package moves
	_ "metalab/solvers/cmaes"
	"metalab/solvers/own"
	_ "metalab/solvers/recombine"
	"metalab/solvers/record"
	_ "metalab/solvers/threshold" // likewise
)

func init() { front.Serve(func(of front.Problem) { serve.Run(&worker{of: of}) }) }

// worker serves one problem to the host.
type worker struct {
	of front.Problem
	p  *own.Problem
	s  *search
}

// Caught carries f out and returns its error, or that of somebody's code.
func (w *worker) Caught(f func() error) (e *wire.WorkerError) {
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		fault, ok := x.(*own.Fault)
		if w.p != nil {
			if first := w.p.Fault(); first != nil { // where it began, before a pool passed it on
				fault, ok = first, true
			}
		}
		if ok {
			e = &wire.WorkerError{Text: fault.Text, Where: fault.Where, Line: fault.Line}
			return
		}
		text, _, _ := strings.Cut(fmt.Sprint(x), "\n")
		e = &wire.WorkerError{Text: "panic: " + text}
	}()
	err := f()
	if err == nil {
		return nil
	}
	if w.p != nil {
		w.p.Fault() // which the error tells
	}
	if fault := (*own.Fault)(nil); errors.As(err, &fault) {
		return &wire.WorkerError{Text: fault.Text, Where: fault.Where, Line: fault.Line}
	}
	return &wire.WorkerError{Text: serve.OneLine(err.Error())}
}

// Hello says what the problem is.
func (w *worker) Hello() (wire.WorkerHello, error) {
	h := wire.WorkerHello{Protocol: wire.WorkerProtocol, Name: w.of.Name, Refused: w.of.Refused}
	if h.Refused != "" {
		return h, nil
	}
	p, err := own.New(w.of.Name, w.of.Form, w.of.Make)
	if fault := (*own.Fault)(nil); errors.As(err, &fault) {
		return h, err
	} else if err != nil {
		h.Refused = strings.TrimPrefix(err.Error(), w.of.Name+": ")
		return h, nil
	}
	w.p = p
	h.Form, h.Params = &w.of.Form, w.of.Params
	for _, q := range w.of.Params {
		h.Own = append(h.Own, q.Name)
	}
	return h, nil
}

// Answer carries out one request.
func (w *worker) Answer(op byte, body []byte) ([]byte, error) {
	switch op {
	case wire.OpVariant:
		q, err := serve.Read[wire.WorkerVariant](body)
		if err != nil {
			return nil, err
		}
		return serve.JSON(w.variant(q))
	case wire.OpInit:
		var in wire.WorkerInit
		if _, err := wire.CutHead(body, &in); err != nil {
			return nil, err
		}
		return w.init(in)
	case wire.OpCost:
		q, err := serve.Read[wire.WorkerCost](body)
		if err != nil {
			return nil, err
		}
		if len(q.Params) > 0 {
			w.give(q.Params)
		}
		return serve.JSON(w.p.CostOf(q.Solution))
	case wire.OpDraw:
		q, err := serve.Read[wire.WorkerDraw](body)
		if err != nil {
			return nil, err
		}
		if len(q.Params) > 0 {
			w.give(q.Params)
		}
		return serve.JSON(w.p.Draw(q.Solution))
	case wire.OpCheck:
		q, err := serve.Read[wire.WorkerCheck](body)
		if err != nil {
			return nil, err
		}
		return serve.JSON(w.check(q))
	}
	if w.s == nil {
		return nil, serve.Early(op)
	}
	return w.searching(op, body)
}

// searching carries out a request to the search.
func (w *worker) searching(op byte, body []byte) ([]byte, error) {
	s := w.s
	switch op {
	case wire.OpSet:
		vs, err := serve.Read[record.Values](body)
		if err != nil {
			return nil, err
		}
		return nil, w.set(vs)
	case wire.OpSnapshot:
		return s.bare.Snapshot()
	case wire.OpRestore:
		s.checked = math.Inf(1)
		return []byte("[]"), s.bare.Restore(body)
	case wire.OpBest:
		found := wire.WorkerFound{Value: s.bare.Best(), Solution: s.bare.Solution()}
		return serve.JSON(found, nil)
	case wire.OpEnded:
		return serve.JSON(s.bare.Ended(), nil)
	case wire.OpSchedule:
		q, err := serve.Read[wire.WorkerTime](body)
		if err != nil {
			return nil, err
		}
		return serve.JSON(s.schedule(q), nil)
	}
	return nil, serve.Unknown(op)
}

// Steps is what makes iterations.
func (w *worker) Steps() (*serve.Steps, error) {
	if w.s == nil {
		return nil, serve.Early(wire.OpStep)
	}
	return &serve.Steps{
		Measures: len(w.s.bare.Measures()) + 2, Snapshot: w.s.bare.Snapshot, Step: w.step,
		Over: func(point []float64) bool { return point[len(point)-1] != 0 },
	}, nil
}
