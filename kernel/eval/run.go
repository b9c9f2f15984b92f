package eval

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"regexp"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/goplus/ixgo"
)

const (
	leaveAfter = time.Second           // how long an interrupted input may stay in compiled code
	watchEvery = 10 * time.Millisecond // how often the sizes of stacks and heap are looked at
	// bytes of all stacks above what there was, where the depth of one is unknown
	maxStacks = 3 * maxDepth
)

// state is what a running cell and the session share.
type state struct {
	show    func(...any)
	done    func(int)
	goFunc  func(any, ...any)
	spread  func(any, ...any)
	values  []any
	reached atomic.Int64 // index of the last statement that declared variables and ended
}

// run runs the cell to its end or until ctx ends. upTo is the index of the last
// statement whose variables have their values.
func (p *program) run(ctx context.Context) (values []any, upTo int, err error) {
	s := p.s
	p.state.reached.Store(-1)
	ids := make(chan mark, 1)
	done := make(chan error, 1)
	go func() {
		id := s.markGoroutine()
		ids <- id
		var err error
		defer func() {
			if r := recover(); r != nil { // ixgo recovers before; this is for its own faults
				err = ixgo.PanicError{Value: r}
			}
			if why := s.ended(id); why != nil {
				err = why // what it panicked with may have been recovered from, as by fmt
			}
			done <- err
		}()
		if err = p.interp.RunInit(); err == nil {
			_, err = p.interp.RunFunc(entry)
		}
	}()
	id := <-ids
	watch := time.NewTicker(watchEvery)
	defer watch.Stop()
	base, heap := stackBytes(), s.watchHeap()
	var leave <-chan time.Time
	interrupted := ctx.Done()
	for {
		select {
		case e := <-done:
			upTo = int(p.state.reached.Load())
			if e != nil {
				return nil, upTo, p.failure(e)
			}
			return p.result(), len(p.cell.fn.Body.List), nil
		case <-interrupted:
			interrupted = nil
			s.stopGoroutine(id, ErrInterrupted)
			leave = time.After(leaveAfter)
		case <-leave:
			return nil, int(p.state.reached.Load()), ErrLeftBehind
		case <-watch.C:
			if stackBytes() > base+maxStacks {
				s.stopGoroutine(id, ErrStack)
			}
			if err := heap.over(); err != nil {
				s.stopGoroutine(id, err)
			}
		}
	}
}

// result is what the last expression gave.
func (p *program) result() []any {
	if p.cell.constant != nil {
		return []any{p.cell.constant}
	}
	return p.state.values
}

// inTrace finds the first place in an input's text in one of ixgo's stack traces.
var inTrace = regexp.MustCompile(`\bin(\d+):(\d+)`)

// failure turns the interpreter's error into ours.
func (p *program) failure(err error) error {
	var value any
	var stack []byte
	switch e := err.(type) {
	case ixgo.PanicError:
		value, stack = e.Value, e.Stack()
	case ixgo.FatalError:
		value, stack = e.Value, e.Stack()
	default:
		if isInterrupt(err) {
			return err
		}
		return fmt.Errorf("eval: %w", err)
	}
	if e, ok := value.(ixgo.PanicError); ok {
		value = e.Value
	}
	if e, ok := value.(error); ok && isInterrupt(e) {
		return e
	}
	if e, ok := value.(exit); ok {
		return e
	}
	pos := token.Position{}
	if m := inTrace.FindSubmatch(stack); m != nil {
		pos.Filename = "in" + string(m[1])
		pos.Line, _ = strconv.Atoi(string(m[2]))
	}
	e := place(Panic, pos, p.cell.input, panicText(value))
	e.Value = value
	return e
}

// panicText writes what was panicked with as Go's runtime would.
func panicText(v any) string {
	switch v := v.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	}
	return fmt.Sprintf("%v (of type %T)", v, v)
}

// stackBytes is the memory that all goroutines' stacks take.
func stackBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// start runs a go statement. The goroutine outlives its input and its input's
// interrupt; a panic in it becomes a notice.
func (s *Session) start(input int, f any, args []any, spread bool) {
	fn := reflect.ValueOf(f)
	if fn.Kind() != reflect.Func || fn.IsNil() {
		panic(errors.New("go of nil func value"))
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = argument(fn.Type(), i, a, spread)
	}
	ids := make(chan mark, 1)
	go func() {
		id := s.markGoroutine()
		s.enter(id)
		ids <- id
		defer func() {
			r := recover()
			why := s.leave(id)
			if e, ok := r.(ixgo.PanicError); ok {
				r = e.Value
			}
			if r == nil && why != nil {
				r = why
			}
			if r != nil {
				s.notice("a goroutine that input %d started panicked: %s", input, panicText(r))
			}
		}()
		if spread {
			fn.CallSlice(in)
		} else {
			fn.Call(in)
		}
	}()
	<-ids
}

// argument gives an argument the type that the function wants: an untyped
// constant or nil has arrived as what an interface makes of it.
func argument(t reflect.Type, i int, a any, spread bool) reflect.Value {
	var want reflect.Type
	switch {
	case t.IsVariadic() && i >= t.NumIn()-1 && !spread:
		want = t.In(t.NumIn() - 1).Elem()
	default:
		want = t.In(i)
	}
	v := reflect.ValueOf(a)
	if !v.IsValid() {
		return reflect.Zero(want)
	}
	if !v.Type().AssignableTo(want) && v.CanConvert(want) {
		return v.Convert(want)
	}
	return v
}

// enter puts a background goroutine on the list, and starts the watch over
// their stacks with the first.
func (s *Session) enter(id mark) {
	s.stopMu.Lock()
	defer s.stopMu.Unlock()
	s.background[id] = true
	if len(s.background) == 1 {
		go s.watchStacks()
	}
}

// leave takes a goroutine off the list.
func (s *Session) leave(id mark) (why error) {
	s.stopMu.Lock()
	delete(s.background, id)
	s.stopMu.Unlock()
	return s.ended(id)
}

// watchStacks stops the background goroutines when one recurses without end.
// Go does not tell which one, so all end; the process goes on.
func (s *Session) watchStacks() {
	base, heap := stackBytes(), s.watchHeap()
	t := time.NewTicker(watchEvery)
	defer t.Stop()
	for range t.C {
		s.stopMu.Lock()
		var ids []mark
		for id := range s.background {
			ids = append(ids, id)
		}
		s.stopMu.Unlock()
		if len(ids) == 0 {
			return
		}
		if stackBytes() > base+2*maxStacks {
			for _, id := range ids {
				s.stopGoroutine(id, ErrStack)
			}
		}
		if err := heap.over(); err != nil {
			for _, id := range ids {
				s.stopGoroutine(id, err)
			}
		}
	}
}

// Background is the number of goroutines that inputs started and that still run.
func (s *Session) Background() int {
	s.stopMu.Lock()
	defer s.stopMu.Unlock()
	return len(s.background)
}
