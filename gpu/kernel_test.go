package gpu_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"metalab/gpu"
)

func TestModuleForms(t *testing.T) {
	d := device(t)
	for name, c := range map[string]struct{ image, want string }{
		"empty":   {"", "empty"},
		"source":  {"__global__ void f() {}", "nvcc"},
		"pointer": {"version https://git-lfs.github.com/spec/v1", "Git LFS"},
		"noise":   {"hello", "neither PTX"},
	} {
		_, err := d.Module([]byte(c.image))
		wantError(t, err, gpu.ErrArgument, c.want)
		if t.Failed() {
			t.Fatal(name)
		}
	}
	_, err := d.Module([]byte(".version 7.5\n.target sm_75\nmistake"))
	wantError(t, err, nil, "CUDA_ERROR_INVALID_PTX", "218", "line 3: mistake", "load a module (PTX)")
	_, err = d.Module([]byte("\x7fELF forother"))
	wantError(t, err, nil, "CUDA_ERROR_NO_BINARY_FOR_GPU", "cubin", "kernels/build")
	for _, head := range []string{"\x7fELF", "\x50\xed\x55\xba"} {
		m := must(d.Module([]byte(head + ".entry slow(")))(t)
		if got := must(m.Kernels())(t); !slices.Equal(got, []string{"slow"}) {
			t.Errorf("kernels %v", got)
		}
	}
}

func TestKernelNotFound(t *testing.T) {
	d := device(t)
	m := must(d.Module([]byte(image)))(t)
	_, err := m.Kernel("saxpi")
	wantError(
		t, err, nil, "CUDA_ERROR_NOT_FOUND", "assertion, illegal, mixed", `extern "C"`,
		"find kernel saxpi",
	)
}

func TestKernelInfo(t *testing.T) {
	k := kernel(t, device(t), "saxpy")
	in := k.Info()
	if in.Name != "saxpy" || in.Registers != 40 || in.MaxBlock != 512 || in.Shared != 64 ||
		in.Const != 16 || in.Local != 8 ||
		in.PTX != 75 || in.Binary != 90 || in.MaxShared != 200<<10-64 ||
		!slices.Equal(in.Params, []int{8, 8, 4, 4}) {
		t.Errorf("%+v", in)
	}
	if n := must(k.Blocks(256, 0))(t); n != 8 {
		t.Errorf("%d blocks of 256", n)
	}
	if n := must(k.Blocks(256, 100<<10))(t); n != 2 { // above 48 KB: the limit is raised first
		t.Errorf("%d blocks with 100 KB", n)
	}
	if n := must(k.MaxCooperativeGrid(512, 0))(t); n != 16 {
		t.Errorf("cooperative grid %d", n)
	}
	grid, block, err := k.BestBlock(0, 256)
	if err != nil || grid != 32 || block != 256 {
		t.Errorf("%d blocks of %d, %v", grid, block, err)
	}
	_, err = k.Blocks(513, 0)
	wantError(t, err, gpu.ErrArgument, "513")
}

type mixed struct {
	A float64
	B int32
	C float32
	V gpu.View[float32]
	D int8
}

func TestArguments(t *testing.T) {
	d := device(t)
	x := must(gpu.Upload(d, []float32{1, 2, 4}))(t)
	out := must(gpu.Alloc[float64](d, 1))(t)
	if err := kernel(t, d, "sum_view").Launch(gpu.Config{}, x.View(), out); err != nil {
		t.Fatal(err)
	}
	if got := must(out.Download())(t)[0]; got != 7 {
		t.Errorf("sum of a view %v, want 7", got)
	}
	if err := kernel(t, d, "mixed").Launch(
		gpu.Config{}, mixed{0.5, 10, 0.25, x.View(), -1}, out,
	); err != nil {
		t.Fatal(err)
	}
	if got := must(out.Download())(t)[0]; got != 0.5+10+0.25-1+4 {
		t.Errorf("fields of a structure %v, want 13.75", got)
	}
	n := must(gpu.Alloc[int64](d, 1))(t)
	type mine uint16
	if err := kernel(t, d, "small").Launch(
		gpu.Config{Shared: 9}, n, int8(-3), mine(500), true, 1<<40,
	); err != nil {
		t.Fatal(err)
	}
	if got := must(n.Download())(t)[0]; got != -3+500+1+1<<40+9 {
		t.Errorf("small arguments %v", got)
	}
	// an int, a raw address
	if err := kernel(t, d, "saxpy").Launch(
		gpu.Linear(3, 64), x, uint64(x.View().Ptr), float32(1), 3,
	); err != nil {
		t.Fatal(err)
	}
	if got := must(x.Download())(t); !slices.Equal(got, []float32{2, 4, 8}) {
		t.Errorf("saxpy %v", got)
	}
}

func TestArgumentsRefused(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "saxpy")
	x := must(gpu.Upload(d, []float32{1}))(t)
	var none *gpu.Buffer[float32]
	one := gpu.Config{}
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{x, x, float32(1)}, "3 arguments, the kernel takes 4"},
		{[]any{x, x, 2.0, int32(1)}, "argument 3: float64 has 8 bytes, the kernel takes 4"},
		{[]any{x, x, float32(1), int64(1)}, "argument 4: int64 has 8 bytes"},
		{[]any{x, x, float32(1), 1 << 40}, "argument 4: 1099511627776 does not fit"},
		{[]any{x, nil, float32(1), int32(1)}, "argument 2: is nil"},
		{[]any{none, x, float32(1), int32(1)}, "argument 1: is a nil *gpu.Buffer[float32]"},
		{
			[]any{&gpu.Buffer[float32]{}, x, float32(1), int32(1)},
			"argument 1: is an empty *gpu.Buffer[float32]; it was never",
		},
		{
			[]any{x, &gpu.Array{}, float32(1), int32(1)},
			"argument 2: is an empty *gpu.Array; it was never allocated",
		},
		{[]any{x, "x", float32(1), int32(1)}, "argument 2: string is a Go string"},
		{[]any{x, []float32{1}, float32(1), int32(1)}, "argument 2: []float32 is a Go slice"},
		{[]any{x, [2]float32{}, float32(1), int32(1)}, "C passes arrays as pointers"},
		{[]any{x, struct{ P *int }{}, float32(1), int32(1)}, ".P is a Go ptr"},
	} {
		wantError(t, k.Launch(one, c.args...), gpu.ErrArgument, "launch saxpy", c.want)
	}
}

func TestConfigRefused(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "slow")
	for _, c := range []struct {
		c    gpu.Config
		want string
	}{
		{gpu.Config{Grid: gpu.Dim{Y: 70000}}, "grid Y is 70000"},
		{gpu.Config{Block: gpu.Dim{Z: 65}}, "block Z is 65"},
		{gpu.Config{Block: gpu.Dim{X: -1}}, "block X is -1"},
		{gpu.Config{Block: gpu.Dim{X: 32, Y: 32}}, "1024 threads a block, the kernel takes at most 512"},
		{gpu.Config{Shared: 200 << 10}, "204800 bytes of dynamic shared memory"},
		{gpu.Config{Shared: -1}, "-1 bytes"},
		{
			gpu.Config{Grid: gpu.Dim{X: 17}, Block: gpu.Dim{X: 512}, Cooperative: true},
			"17 blocks; 16 fit at once",
		},
	} {
		wantError(t, k.Launch(c.c), gpu.ErrArgument, c.want)
	}
	if err := k.Launch(
		gpu.Config{Shared: 150 << 10, Grid: gpu.Dim{X: 4}, Cooperative: true},
	); err != nil {
		t.Errorf("150 KB of shared memory in a cooperative grid: %v", err)
	}
	other := open(t, 1)
	s := must(other.NewStream())(t)
	wantError(t, k.Launch(gpu.Config{Stream: s}), gpu.ErrArgument, "another device")
}

func TestCall(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "saxpy")
	x := must(gpu.Upload(d, []float32{1, 1}))(t)
	y := must(gpu.Upload(d, []float32{0, 0}))(t)
	c := must(k.Bind(gpu.Linear(2, 32), y, x, float32(1), int32(2)))(t)
	for i := range 3 {
		if err := c.Set(2, float32(i)); err != nil {
			t.Fatal(err)
		}
		if err := c.Launch(); err != nil {
			t.Fatal(err)
		}
	}
	if got := must(y.Download())(t); !slices.Equal(got, []float32{3, 3}) {
		t.Errorf("got %v", got)
	}
	wantError(t, c.Set(2, 1.0), gpu.ErrArgument, "float64 has 8 bytes")
	wantError(t, c.Set(4, 1.0), gpu.ErrArgument, "argument 5 of 4")
	if err := k.Launch(gpu.Linear(2, 32), y, x, float32(0), int32(2)); err != nil {
		t.Fatal(err)
	}
}

func TestFreedModule(t *testing.T) {
	d := device(t)
	m := must(d.Module([]byte(image)))(t)
	if err := m.Free(); err != nil {
		t.Fatal(err)
	}
	_, err := m.Kernel("saxpy")
	wantError(t, err, gpu.ErrFreed)
}

func TestGraph(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "saxpy")
	s := must(d.NewStream())(t)
	x := must(gpu.Upload(d, []float32{1, 10}))(t)
	y := must(gpu.Upload(d, []float32{0, 0}))(t)
	p := must(gpu.NewPinned[float32](d, 2))(t)
	g := must(d.Capture(s, func() error {
		for range 3 {
			if err := k.Launch(
				gpu.Config{Block: gpu.Dim{X: 32}, Stream: s}, y, x, float32(1), int32(2),
			); err != nil {
				return err
			}
		}
		return p.Download(s, y)
	}))(t)
	if g.Nodes() != 4 {
		t.Errorf("%d nodes, want 4", g.Nodes())
	}
	if got := must(y.Download())(t); got[0] != 0 {
		t.Errorf("capturing did the work: %v", got)
	}
	for range 5 {
		if err := g.Launch(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sync(); err != nil || !slices.Equal(p.Slice(), []float32{15, 150}) {
		t.Errorf("after five launches %v (%v)", p.Slice(), err)
	}
}

// TestCaptureFails ends captures in every wrong way; the stream must be usable after each.
func TestCaptureFails(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "saxpy")
	mine := errors.New("mine")
	_, err := d.Capture(nil, func() error { return mine })
	wantError(t, err, mine, "capture")
	_, err = d.Capture(nil, func() error { _, err := gpu.Alloc[int32](d, 1); return err })
	wantError(t, err, nil, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "outside Device.Capture")
	_, err = d.Capture(nil, func() error { _ = d.Sync(); return nil })
	wantError(t, err, nil, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED")
	_, err = d.Capture(nil, func() error { _, err := d.Capture(nil, nil); return err })
	wantError(t, err, gpu.ErrArgument, "under way")
	func() {
		defer func() { _ = recover() }()
		_, _ = d.Capture(nil, func() error { panic("whoops") })
	}()
	x := must(gpu.Upload(d, []float32{1}))(t)
	if err := k.Launch(gpu.Config{}, x, x, float32(1), int32(1)); err != nil {
		t.Fatal(err)
	}
	if got := must(x.Download())(t)[0]; got != 2 {
		t.Errorf("after failed captures %v", got)
	}
	if n := d.Live()["graph"]; n != 0 {
		t.Errorf("%d graphs live", n)
	}
}

func TestStreamsAndEvents(t *testing.T) {
	d := device(t)
	s := must(d.NewStream())(t)
	a, b := must(d.NewEvent())(t), must(d.NewEvent())(t)
	_, err := b.Since(a)
	wantError(t, err, nil, "CUDA_ERROR_INVALID_HANDLE") // not recorded
	slow := kernel(t, d, "slow")
	for _, err := range []error{
		a.Record(s), slow.Launch(gpu.Config{Stream: s}), b.Record(s), d.Stream().After(b),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if done := must(s.Done())(t); done {
		t.Error("done at once")
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if done := must(b.Done())(t); !done || b.Sync() != nil {
		t.Error("the event is not reached")
	}
	if span := must(b.Since(a))(t); span < 0 || span > time.Minute {
		t.Errorf("span %v", span)
	}
	if err := slow.Launch(gpu.Config{Stream: s}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, s.Wait(ctx), context.Canceled)
	if err := d.Stream().Free(); err != nil || d.Sync() != nil {
		t.Errorf("freeing the device's own stream: %v", err)
	}
	span, err := d.Time(nil, func() error { return slow.Launch(gpu.Config{}) })
	if err != nil || span < 0 || d.Live()["event"] != 2 {
		t.Errorf("%v, %v, %v", span, err, d.Live())
	}
}

// TestPlainDriver runs on a driver that cannot tell a kernel's parameters.
func TestPlainDriver(t *testing.T) {
	if !alone(t, "plain", "") {
		return
	}
	d := open(t, 0)
	k := kernel(t, d, "saxpy")
	x := must(gpu.Upload(d, []float32{1}))(t)
	if k.Info().Params != nil {
		t.Errorf("parameters %v", k.Info().Params)
	}
	wantError(t, k.Launch(gpu.Config{}, x, x, float32(1), 1), gpu.ErrArgument, "int32(1) or int64(1)")
	if err := k.Launch(gpu.Config{}, x, x, float32(1), int32(1)); err != nil {
		t.Fatal(err)
	}
	m := must(d.Module([]byte(image)))(t)
	_, err := m.Kernel("nosuch")
	wantError(t, err, nil, "CUDA_ERROR_NOT_FOUND", `extern "C"`)
	if names := must(m.Kernels())(t); names != nil {
		t.Errorf("%v", names)
	}
	if os.Getenv("METALAB_LIBCUDA") == "" {
		t.Error("not the fake")
	}
}
