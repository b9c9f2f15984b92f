package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"metalab/gpu"
)

func TestWithoutCUDA(t *testing.T) {
	t.Parallel()
	list, err := gpu.Devices()
	if err == nil {
		t.Skip("built with CUDA")
	}
	wantError(t, err, gpu.ErrNoCUDA, "withcuda")
	if len(list) != 0 || !gpu.IsUnavailable(err) || gpu.IsSticky(err) || gpu.IsLost(err) ||
		gpu.IsOutOfMemory(err) {
		t.Errorf("%d devices, %v", len(list), err)
	}
	_, err = gpu.Open(context.Background(), 3)
	wantError(t, err, gpu.ErrNoCUDA, "device 3", "open")
	wantError(t, gpu.Available(), gpu.ErrNoCUDA)
}

func TestDevices(t *testing.T) {
	withCUDA(t)
	list := must(gpu.Devices())(t)
	if len(list) != 2 {
		t.Fatalf("%d devices, want 2", len(list))
	}
	want := gpu.Info{
		Ordinal: 1, Name: "Fake GPU B", UUID: "GPU-11111111-1111-1111-1111-111111111111",
		Memory: 64 << 20, Driver: 12080,
		Major: 9, SMs: 4, Warp: 32, MaxBlock: 1024, MaxThreadsSM: 2048, SharedBlock: 48 << 10,
		SharedBlockMax: 200 << 10,
		L2:             1 << 20, ClockKHz: 1000000, PCIBus: 2, Cooperative: true,
	}
	if list[1] != want {
		t.Errorf("got %+v\nwant %+v", list[1], want)
	}
	if got := list[0].String(); got != "0: Fake GPU A, 64.0 MiB, compute capability 9.0, 4 "+
		"multiprocessors, CUDA 12.8" {
		t.Errorf("%q", got)
	}
	if err := gpu.Available(); err != nil {
		t.Error(err)
	}
}

func TestOpenOutOfRange(t *testing.T) {
	withCUDA(t)
	for _, n := range []int{-1, 2} {
		_, err := gpu.Open(context.Background(), n)
		wantError(t, err, gpu.ErrNoDevice, "from 0 to 1")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if d, err := gpu.Open(ctx, 0); err == nil {
		d.Close() // it may win the race
	} else {
		wantError(t, err, context.Canceled)
	}
}

func TestClosed(t *testing.T) {
	d := device(t)
	b := must(gpu.Alloc[int32](d, 4))(t)
	s := must(d.NewStream())(t)
	d.Close()
	d.Close()
	_, err := b.Download()
	wantError(t, err, gpu.ErrClosed)
	wantError(t, d.Do(context.Background(), func() error { return nil }), gpu.ErrClosed)
	wantError(t, s.Sync(), gpu.ErrClosed)
	if err := b.Free(); err != nil {
		t.Errorf("free after close: %v", err)
	}
}

func TestDoNestsAndPassesErrors(t *testing.T) {
	d := device(t)
	mine := errors.New("mine")
	n := 0
	err := d.Do(t.Context(), func() error {
		b, err := gpu.Upload(d, []int32{1, 2, 3}) // a call inside Do does not wait for itself
		if err != nil {
			return err
		}
		n = b.Len()
		return d.Do(t.Context(), func() error { return mine })
	})
	if err != mine || n != 3 {
		t.Errorf("%v, %d elements", err, n)
	}
}

func TestDoPanicsInTheCaller(t *testing.T) {
	d := device(t)
	func() {
		defer func() {
			if r := fmt.Sprint(recover()); !strings.Contains(r, "whoops") ||
				!strings.Contains(r, "device_test.go") {
				t.Errorf("recovered %.80q", r)
			}
		}()
		_ = d.Do(t.Context(), func() error { panic("whoops") })
	}()
	if _, _, err := d.MemInfo(); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}

func TestDoSurvivesGoexit(t *testing.T) {
	d := device(t)
	b := must(gpu.Upload(d, []int32{7}))(t)
	if err := d.Do(t.Context(), func() error { runtime.Goexit(); return nil }); err == nil {
		t.Error("no error from a function that ended its goroutine")
	}
	if got := must(b.Download())(t); got[0] != 7 {
		t.Errorf("got %v", got)
	}
}

func TestDoCancelled(t *testing.T) {
	d := device(t)
	inside, leave := make(chan struct{}), make(chan struct{})
	go func() { _ = d.Do(context.Background(), func() error { close(inside); <-leave; return nil }) }()
	<-inside
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := d.Do(ctx, func() error { t.Error("it ran"); return nil }); !errors.Is(
		err, context.DeadlineExceeded,
	) {
		t.Errorf("%v", err)
	}
	close(leave)
}

func TestManyGoroutines(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "saxpy")
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x, err := gpu.Upload(d, []float32{float32(g), 1})
			if err != nil {
				t.Error(err)
				return
			}
			for range 20 {
				if err := k.Launch(gpu.Linear(2, 32), x, x, float32(0), int32(2)); err != nil {
					t.Error(err)
				}
			}
			if got, err := x.Download(); err != nil || got[0] != float32(g) {
				t.Error(got, err)
			}
		}()
	}
	wg.Wait()
}

// TestBalance opens and closes a device a thousand times, with something of every kind on
// it: some freed, some left to Close. The keeper sees the memory that all of them use.
func TestBalance(t *testing.T) {
	keeper := device(t)
	before, total, err := keeper.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		d, err := gpu.Open(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		m := must(d.Module([]byte(image)))(t)
		k := must(m.Kernel("saxpy"))(t)
		b := must(gpu.Alloc[float32](d, 1000))(t)
		p := must(gpu.NewPinned[float32](d, 1000))(t)
		a := must(d.Upload([]float64{1, 2}))(t)
		s := must(d.NewStream())(t)
		e := must(d.NewEvent())(t)
		g := must(d.Capture(s, func() error {
			return k.Launch(gpu.Config{Stream: s}, b, b, float32(1), int32(4))
		}))(t)
		if _, err := k.LaunchTimed(gpu.Config{}, b, b, float32(1), int32(4)); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if got := fmt.Sprint(d.Live()); got != "map[buffer:2 event:1 graph:1 module:1 pinned:1 "+
				"stream:1]" {
				t.Errorf("live: %s", got)
			}
		}
		if i%2 == 0 {
			for _, f := range []func() error{
				b.Free, p.Free, a.Free, s.Free, e.Free, g.Free, m.Free, m.Free,
			} {
				if err := f(); err != nil {
					t.Fatal(err)
				}
			}
			if n := len(d.Live()); n != 0 {
				t.Fatalf("live after free: %v", d.Live())
			}
		}
		d.Close()
	}
	after, _, err := keeper.MemInfo()
	if err != nil || after != before {
		t.Errorf("%d bytes free of %d before, %d after (%v)", before, total, after, err)
	}
	keeper.Close()
	fresh := open(t, 0)
	if free, _, err := fresh.MemInfo(); err != nil || free != before {
		t.Errorf("%d bytes free in a new context, %d in the first (%v)", free, before, err)
	}
}

func TestPeers(t *testing.T) {
	a := device(t)
	b := open(t, 1)
	if can := must(a.CanAccessPeer(b))(t); !can {
		t.Fatal("no peer access")
	}
	src := must(gpu.Upload(a, []float32{1, 2, 3}))(t)
	dst := must(gpu.Alloc[float32](b, 3))(t)
	if err := dst.CopyFrom(nil, src); err != nil {
		t.Fatal(err)
	}
	if got := must(dst.Download())(t); got[2] != 3 {
		t.Errorf("copied %v", got)
	}
	k := kernel(t, b, "saxpy")
	err := k.Launch(gpu.Linear(3, 32), dst, src, float32(2), int32(3))
	wantError(t, err, gpu.ErrArgument, "argument 2", "device 0", "EnablePeer")
	for range 2 {
		if err := b.EnablePeer(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Launch(gpu.Linear(3, 32), dst, src, float32(2), int32(3)); err != nil {
		t.Fatal(err)
	}
	if got := must(dst.Download())(t); got[2] != 9 {
		t.Errorf("across devices %v", got)
	}
}
