package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"metalab/gpu"
)

// hosted runs f on a goroutine that is locked to its thread, which calls on d come to directly.
func hosted(t *testing.T, d *gpu.Device, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		d.Host()
		f()
	}()
	<-done
}

func thread(t *testing.T, d *gpu.Device) (id int) {
	t.Helper()
	if err := d.Do(t.Context(), func() error { id = syscall.Gettid(); return nil }); err != nil {
		t.Error(err)
	}
	return id
}

// TestHost: functions run on the thread that asked, as they do on the device's own.
func TestHost(t *testing.T) {
	d := device(t)
	own := thread(t, d)
	hosted(t, d, func() {
		mine := syscall.Gettid()
		if got := thread(t, d); got != mine || got == own {
			t.Errorf("thread %d, the caller's is %d, the device's %d", got, mine, own)
		}
		k := kernel(t, d, "saxpy")
		want := errors.New("mine")
		err := d.Do(t.Context(), func() error {
			x, err := gpu.Upload(d, []float32{2, 3})
			if err != nil {
				return err
			}
			if err := k.Launch(gpu.Linear(2, 32), x, x, float32(1), int32(2)); err != nil {
				return err
			}
			if got, err := x.Download(); err != nil || len(got) != 2 {
				return fmt.Errorf("%v %v", got, err)
			}
			return d.Do(t.Context(), func() error { return want })
		})
		if err != want {
			t.Error(err)
		}
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, "whoops") {
					t.Errorf("recovered %q", r)
				}
			}()
			_ = d.Do(t.Context(), func() error { panic("whoops") })
		}()
		if _, _, err := d.MemInfo(); err != nil {
			t.Errorf("after a panic: %v", err)
		}
	})
	thread(t, d) // from elsewhere
}

// TestHostGone: a goroutine that ends inside a function, and its thread with it, leave the device
// as it was.
func TestHostGone(t *testing.T) {
	d := device(t)
	hosted(t, d, func() { _ = d.Do(t.Context(), func() error { runtime.Goexit(); return nil }) })
	if _, _, err := d.MemInfo(); err != nil {
		t.Error(err)
	}
	hosted(t, d, d.Close)
	if err := d.Do(t.Context(), func() error { return nil }); !errors.Is(err, gpu.ErrClosed) {
		t.Errorf("closed by its host: %v", err)
	}
}

// TestHostTakesTurns: a function of the host and those of others never run at the same time, and
// one that waits may be cancelled, on either thread.
func TestHostTakesTurns(t *testing.T) {
	d := device(t)
	inside, leave := make(chan struct{}), make(chan struct{})
	refused := func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := d.Do(ctx, func() error { t.Error("it ran"); return nil }); !errors.Is(
			err, context.DeadlineExceeded,
		) {
			t.Errorf("%v", err)
		}
	}
	go hosted(t, d, func() {
		_ = d.Do(context.Background(), func() error { close(inside); <-leave; return nil })
	})
	<-inside
	refused()
	close(leave)

	n, in := 0, 0
	count := func() error {
		if in++; in != 1 {
			t.Error("two at once")
		}
		n++
		in--
		return nil
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			for range 200 {
				if g%2 == 0 {
					d.Host()
				}
				if err := d.Do(context.Background(), count); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if n != 8*200 {
		t.Errorf("%d of %d", n, 8*200)
	}

	// Closed while the host is inside: that ends first.
	inside, leave = make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	go hosted(t, d, func() {
		ended <- d.Do(context.Background(), func() error {
			close(inside)
			<-leave
			_, _, err := d.MemInfo()
			return err
		})
	})
	<-inside
	closed := make(chan struct{})
	go func() { d.Close(); close(closed) }()
	close(leave)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-closed
}
