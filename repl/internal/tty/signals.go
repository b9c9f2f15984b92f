package tty

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// patience is how long a request to end may take before the next one is no
// longer held back.
const patience = time.Second

// A watcher tells an input of what happens elsewhere while a line is typed.
// Outside of that nothing is caught: signals do what they always do.
type watcher struct {
	in      *input
	restore func()
	ch      chan os.Signal
	quit    chan struct{}
	done    sync.WaitGroup

	mu   sync.Mutex
	sig  os.Signal // that asked the process to end
	at   time.Time // when it came
	told bool      // ReadLine has returned it
}

// watch begins to watch for signals and the end of ctx. Restore is called
// before the process is let die of a signal.
func watch(ctx context.Context, in *input, restore func()) *watcher {
	w := &watcher{in: in, restore: restore, ch: make(chan os.Signal, 8), quit: make(chan struct{})}
	signal.Notify(w.ch, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGTERM, syscall.SIGHUP,
		syscall.SIGINT, syscall.SIGQUIT)
	w.done.Add(1)
	go func() {
		defer w.done.Done()
		ended := ctx.Done()
		for {
			select {
			case <-w.quit:
				return
			case <-ended:
				ended = nil
				in.post(outCancel)
			case s := <-w.ch:
				w.take(s)
			}
		}
	}()
	return w
}

func (w *watcher) take(s os.Signal) {
	switch s {
	case syscall.SIGWINCH, syscall.SIGCONT:
		w.in.post(outRedraw)
	case syscall.SIGINT: // not from the keyboard, where ^C is a byte now
		w.in.post(outInterrupt)
	case syscall.SIGQUIT:
		w.endBy(s)
	default:
		w.mu.Lock()
		again := w.sig != nil && time.Since(w.at) > patience // a hangup comes twice at once
		if w.sig == nil {
			w.sig, w.at = s, time.Now()
		}
		w.mu.Unlock()
		if again { // the first did not help: a callback must be stuck
			w.endBy(s)
		}
		w.in.post(outSignal)
	}
}

// endBy restores the terminal and lets a signal have its usual effect.
func (w *watcher) endBy(s os.Signal) {
	w.restore()
	endBy(s)
}

// endBy lets a signal take its usual course.
func endBy(s os.Signal) {
	signal.Reset(s)
	if n, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), n)
	}
}

// signal returns the signal that asked the process to end, for ReadLine to tell.
func (w *watcher) signal() os.Signal {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = true
	if w.sig == syscall.SIGHUP {
		// Once the terminal has gone the system signals again, and must not kill the program while it
		// saves its data.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	return w.sig
}

// stop ends the watching. A signal to end that came too late for ReadLine to report has its usual
// effect.
func (w *watcher) stop() {
	signal.Stop(w.ch)
	close(w.quit)
	w.done.Wait()
	for {
		select {
		case s := <-w.ch:
			w.take(s)
			continue
		default:
		}
		break
	}
	if w.in.forget() && !w.told {
		w.endBy(w.sig)
	}
}
