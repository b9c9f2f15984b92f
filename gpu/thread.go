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
// handed to it one at a time; one that is called on the thread itself runs at once, so
// methods nest freely inside Device.Do.
type thread struct {
	id   atomic.Uintptr // of the thread, see backend; 0 before the start and after the end
	work chan *task
	quit chan struct{} // closed by stop
	once sync.Once
	end  chan struct{} // closed when the thread is gone
}

type task struct {
	f    func() error
	err  error
	died any // what f panicked with
	done chan struct{}
}

var tasks = sync.Pool{New: func() any { return &task{done: make(chan struct{}, 1)} }}

func newThread() *thread {
	return &thread{work: make(chan *task), quit: make(chan struct{}), end: make(chan struct{})}
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
		t.id.Store(drv.threadID())
		first <- nil
		left := true
		defer func() {
			if left { // runtime.Goexit inside a function: its caller was told
				t.id.Store(0)
				first = make(chan error, 1)
				go serve(again)
				return
			}
			t.id.Store(0)
			finish()
			close(t.end)
		}()
		for {
			select {
			case k := <-t.work:
				k.run()
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
func (k *task) run() {
	returned := false
	defer func() {
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

// here reports whether the caller is on the thread.
func (t *thread) here() bool {
	id := t.id.Load()
	return id != 0 && id == drv.threadID()
}

// do runs f on the thread and returns its error.
func (t *thread) do(ctx context.Context, f func() error) error {
	if t.here() {
		return f()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	k := tasks.Get().(*task)
	k.f, k.err, k.died = f, nil, nil
	select {
	case t.work <- k:
	case <-t.quit:
		tasks.Put(k)
		return ErrClosed
	case <-ctx.Done():
		tasks.Put(k)
		return ctx.Err()
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

// stop ends the thread and waits for it, unless called on the thread itself.
func (t *thread) stop() {
	t.once.Do(func() { close(t.quit) })
	if !t.here() {
		<-t.end
	}
}
