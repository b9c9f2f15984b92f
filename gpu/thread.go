package gpu

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// thread is the operating-system thread that owns a device's context. Functions are
// handed to it one at a time; one that is called by another runs at once, so
// methods nest freely inside Device.Do.
//
// A guest is another thread on which functions may run instead, in its turn: handing a function
// over and its result back wakes two threads, which takes as long as a small kernel.
type thread struct {
	turn  chan struct{}  // holds one while a function runs
	busy  atomic.Uintptr // the thread that runs it, see backend; else 0
	guest atomic.Uintptr // 0: none
	enter func() error   // makes the context the guest's
	work  chan *task
	quit  chan struct{} // closed by stop
	once  sync.Once
	end   chan struct{} // closed when the thread has ended
}

type task struct {
	f    func() error
	err  error
	died any // what f panicked with
	done chan struct{}
}

var tasks = sync.Pool{New: func() any { return &task{done: make(chan struct{}, 1)} }}

func newThread() *thread {
	return &thread{
		turn: make(chan struct{}, 1), work: make(chan *task), quit: make(chan struct{}),
		end: make(chan struct{}),
	}
}

// start runs begin on a new thread and, if that succeeds, serves it until stop; finish is
// the last thing it does. again is called in place of begin where a function ended its
// goroutine (as testing's FailNow does) and another thread had to take over.
func (t *thread) start(begin, again func() error, finish func()) error {
	first := make(chan error, 1)
	var serve func(begin func() error)
	serve = func(begin func() error) {
		// Never unlocked: the thread ends with its goroutine, and the driver's
		// state of it with the thread.
		runtime.LockOSThread()
		if err := begin(); err != nil {
			first <- err
			close(t.end)
			return
		}
		first <- nil
		id := drv.threadID()
		left := true
		defer func() {
			if left { // runtime.Goexit inside a function: its caller has an answer already
				first = make(chan error, 1)
				go serve(again)
				return
			}
			t.turn <- struct{}{} // never given back
			finish()
			close(t.end)
		}()
		for {
			select {
			case k := <-t.work:
				k.run(t, id)
			case <-t.quit:
				left = false
				return
			}
		}
	}
	go serve(begin)
	return <-first
}

// run runs the task's function and wakes its caller, whatever the function does.
func (k *task) run(t *thread, id uintptr) {
	returned := false
	t.busy.Store(id)
	defer func() {
		t.busy.Store(0)
		if !returned {
			if r := recover(); r != nil {
				k.died = fmt.Sprintf("%v\n\non the device's thread:\n%s", r, debug.Stack())
			} else {
				k.err = errGoexit
			}
		}
		k.done <- struct{}{}
	}()
	k.err = k.f()
	returned = true
}

var errGoexit = fmt.Errorf("the function ended its goroutine")

// here reports whether the caller is called by a function that has the turn.
func (t *thread) here() bool {
	id := t.busy.Load()
	return id != 0 && id == drv.threadID()
}

// do runs f in its turn and returns its error.
func (t *thread) do(ctx context.Context, f func() error) error {
	if t.here() {
		return f()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case t.turn <- struct{}{}:
	case <-t.quit:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-t.turn }()
	select {
	case <-t.quit: // both were ready
		return ErrClosed
	default:
	}
	if guest := t.guest.Load(); guest != 0 && guest == drv.threadID() {
		return t.visit(guest, f)
	}
	k := tasks.Get().(*task)
	k.f, k.err, k.died = f, nil, nil
	select {
	case t.work <- k:
	case <-t.quit:
		tasks.Put(k)
		return ErrClosed
	}
	<-k.done
	err, died := k.err, k.died
	k.f = nil
	tasks.Put(k)
	if died != nil {
		panic(died) // in the caller's goroutine, as if f had been called there
	}
	return err
}

// visit runs f on the guest, which calls it.
func (t *thread) visit(id uintptr, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := t.enter(); err != nil {
		return err
	}
	t.busy.Store(id)
	defer t.busy.Store(0)
	return f()
}

// stop ends the thread and waits for it, unless called on the thread itself.
func (t *thread) stop() {
	t.once.Do(func() { close(t.quit) })
	if !t.here() {
		<-t.end
	}
}
