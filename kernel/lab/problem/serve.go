package problem

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"metalab/kernel/lab/front"
	"metalab/kernel/wire"
	_ "metalab/solvers/anneal" // on problems of one's own, as those of package moves
	"metalab/solvers/own"
	_ "metalab/solvers/recombine"
)

func init() { front.Serve(serve) }

// maxStack bounds the stack of somebody's code in bytes, so that an endless recursion is reported
// at once and not when a gigabyte is full.
const maxStack = 256 << 20

// worker serves one problem to the host.
type worker struct {
	out  *os.File
	of   front.Problem
	p    *own.Problem
	s    *search
	buf  []byte
	hand chan frame
}

// frame is a message of the host.
type frame struct {
	op   byte
	body []byte
}

// serve makes the process a worker, and never returns.
func serve(of front.Problem) {
	in, out := os.NewFile(wire.WorkerIn, "host"), os.NewFile(wire.WorkerOut, "host")
	// children of somebody's code are not workers, and must not keep the pipes open
	os.Unsetenv(wire.EnvWorker)
	debug.SetMaxStack(maxStack)
	syscall.CloseOnExec(wire.WorkerIn)
	syscall.CloseOnExec(wire.WorkerOut)
	w := &worker{out: out, of: of, hand: make(chan frame)}
	w.guard(w.hello)
	go w.read(in)
	for f := range w.hand {
		w.guard(func() error { return w.answer(f) })
	}
}

// read reads messages. When the host has ended the process ends too, whatever it does.
func (w *worker) read(in io.Reader) {
	for {
		op, body, err := wire.ReadFrame(in)
		if err != nil {
			os.Exit(0)
		}
		w.hand <- frame{op, body}
	}
}

// reply sends an answer.
func (w *worker) reply(op byte, parts ...[]byte) {
	if err := wire.WriteFrame(w.out, op, parts...); err != nil {
		os.Exit(0) // the host has ended
	}
}

// replyJSON sends a value.
func (w *worker) replyJSON(op byte, v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		w.reply(op, b)
	}
	return err
}

// guard carries f out and answers with its error or panic.
func (w *worker) guard(f func() error) {
	if e := w.caught(f); e != nil {
		b, _ := json.Marshal(e) // strings and a number: it cannot fail
		w.reply(wire.OpError, b)
	}
}

// caught carries f out and returns its error, or that of somebody's code.
func (w *worker) caught(f func() error) (e *wire.WorkerError) {
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
	return &wire.WorkerError{Text: strings.Join(strings.Fields(err.Error()), " ")}
}

// hello says what the problem is.
func (w *worker) hello() error {
	h := wire.WorkerHello{Protocol: wire.WorkerProtocol, Name: w.of.Name, Refused: w.of.Refused}
	if h.Refused == "" {
		p, err := own.New(w.of.Name, w.of.Form, w.of.Make)
		if fault := (*own.Fault)(nil); errors.As(err, &fault) {
			return err
		} else if err != nil {
			h.Refused = strings.TrimPrefix(err.Error(), w.of.Name+": ")
		} else {
			w.p = p
			h.Form, h.Params = &w.of.Form, w.of.Params
			for _, q := range w.of.Params {
				h.Own = append(h.Own, q.Name)
			}
		}
	}
	return w.replyJSON(wire.OpHello, h)
}

// answer carries out one request.
func (w *worker) answer(f frame) error {
	switch f.op {
	case wire.OpVariant:
		var q wire.WorkerVariant
		if err := json.Unmarshal(f.body, &q); err != nil {
			return err
		}
		h, err := w.variant(q)
		if err != nil {
			return err
		}
		return w.replyJSON(f.op, h)
	case wire.OpInit:
		var in wire.WorkerInit
		if _, err := wire.CutHead(f.body, &in); err != nil {
			return err
		}
		state, err := w.init(in)
		if err == nil {
			w.reply(f.op, state)
		}
		return err
	case wire.OpCost:
		return w.costOf(f)
	case wire.OpDraw:
		var q wire.WorkerDraw
		if err := json.Unmarshal(f.body, &q); err != nil {
			return err
		}
		if len(q.Params) > 0 {
			w.give(q.Params)
		}
		d, err := w.p.Draw(q.Solution)
		if err != nil {
			return err
		}
		return w.replyJSON(f.op, d)
	case wire.OpCheck:
		var q wire.WorkerCheck
		if err := json.Unmarshal(f.body, &q); err != nil {
			return err
		}
		c, err := w.check(q)
		if err != nil {
			return err
		}
		return w.replyJSON(f.op, c)
	}
	if w.s == nil {
		return fmt.Errorf("request %q before the first", f.op)
	}
	return w.searching(f)
}
