package smoke_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/gpu"
	"metalab/kernels/smoke"
)

// imageVar names an image to test in place of the committed one.
const imageVar = "METALAB_SMOKE_IMAGE"

// device opens the first GPU; without one the test is skipped.
func device(t testing.TB) *gpu.Device {
	t.Helper()
	if err := gpu.Available(); err != nil {
		t.Skip(err)
	}
	d, err := gpu.Open(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func module(t testing.TB, d *gpu.Device) *gpu.Module {
	t.Helper()
	image, err := smoke.Image()
	if p := os.Getenv(imageVar); p != "" {
		image, err = os.ReadFile(p)
	}
	ok(t, err)
	return must(d.Module(image))(t)
}

func kernel(t testing.TB, d *gpu.Device, name string) *gpu.Kernel {
	t.Helper()
	return must(module(t, d).Kernel(name))(t)
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestImage looks at the committed image, which needs no GPU.
func TestImage(t *testing.T) {
	t.Parallel()
	image := must(smoke.Image())(t)
	if len(image) < 1000 || string(image[:4]) != "\x50\xed\x55\xba" {
		t.Errorf("the image has %d bytes and is no fatbin", len(image))
	}
}

func TestCheck(t *testing.T) {
	d := device(t)
	if os.Getenv(imageVar) != "" {
		t.Skip("it checks the committed image")
	}
	t.Logf("saxpy of 1000: %v", must(smoke.Check(t.Context(), d))(t))
}

func TestInfo(t *testing.T) {
	d := device(t)
	in := d.Info()
	free, total, err := d.MemInfo()
	ok(t, err)
	t.Logf("%+v, %v of %v free", in, gpu.Bytes(free), gpu.Bytes(total))
	if in.Warp != 32 || in.SMs < 1 || in.Memory < 1<<30 || free > total ||
		in.SharedBlockMax < in.SharedBlock {
		t.Errorf("%+v", in)
	}
	for _, f := range gpu.Doctor() {
		t.Log(f)
		if f.Level == gpu.Problem {
			t.Errorf("doctor: %v", f)
		}
	}
	names := must(module(t, d).Kernels())(t)
	if names != nil && !slices.Contains(names, "saxpy") {
		t.Errorf("kernels %v", names)
	}
	t.Logf("%+v", kernel(t, d, "reverse_shared").Info())
}

// TestSaxpy compares bit for bit with Go: products are not fused on either side.
func TestSaxpy(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "saxpy")
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 31, 1000003} {
		x, y := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = r.Float32()-0.5, r.Float32()-0.5
		}
		a := r.Float32()
		bx, by := must(gpu.Upload(d, x))(t), must(gpu.Upload(d, y))(t)
		ok(t, k.Launch(gpu.Linear(n, 256), by, bx, a, n))
		got := must(by.Download())(t)
		for i := range got {
			if want := y[i] + float32(a*x[i]); got[i] != want {
				t.Fatalf("n %d: element %d is %v, want %v", n, i, got[i], want)
			}
		}
	}
}

// TestPTX loads text as one types it, and text with a mistake.
func TestPTX(t *testing.T) {
	d := device(t)
	const twice = `.version 6.3
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 p)
{
	.reg .u64 %a; .reg .u32 %t; .reg .u64 %o; .reg .s32 %v;
	ld.param.u64 %a, [p];
	cvta.to.global.u64 %a, %a;
	mov.u32 %t, %tid.x;
	mul.wide.u32 %o, %t, 4;
	add.u64 %a, %a, %o;
	ld.global.s32 %v, [%a];
	add.s32 %v, %v, %v;
	st.global.s32 [%a], %v;
	ret;
}
`
	k := must(must(d.Module([]byte(twice)))(t).Kernel("twice"))(t)
	a := must(d.Upload([]int32{1, 2, 3}))(t)
	ok(t, k.Launch(gpu.Linear(3, 3), a))
	if got := must(a.Int32s())(t); !slices.Equal(got, []int32{2, 4, 6}) {
		t.Errorf("got %v", got)
	}
	_, err := d.Module([]byte(strings.Replace(twice, "add.s32", "add.s33", 1)))
	if err == nil || !strings.Contains(err.Error(), "CUDA_ERROR_INVALID_PTX") ||
		!strings.Contains(err.Error(), "s33") {
		t.Errorf("PTX with a mistake: %v", err)
	}
	t.Log(err)
	_, err = module(t, d).Kernel("saxpi")
	t.Log(err)
	if err == nil {
		t.Error("found a kernel that is not there")
	}
}

func TestFields(t *testing.T) {
	d := device(t)
	v := must(gpu.Upload(d, []float32{1, 2, 4}))(t)
	out := must(gpu.Alloc[float64](d, 8))(t)
	type mixed struct {
		A float64
		B int32
		C float32
		V gpu.View[float32]
		D int8
		E bool
		F uint16
	}
	ok(
		t,
		kernel(t, d, "fields").Launch(
			gpu.Config{}, mixed{0.5, -10, 0.25, v.View(), -1, true, 65535}, int8(-7), out,
		),
	)
	if got := must(out.Download())(t); !slices.Equal(
		got, []float64{0.5, -10, 0.25, 4, -1, 1, 65535, -7},
	) {
		t.Errorf("got %v", got)
	}
}

// TestSharedMemory uses all the shared memory a block can have: far above 48 KB.
func TestSharedMemory(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "reverse_shared")
	n := k.Info().MaxShared / 4
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i)
	}
	bx, by := must(gpu.Upload(d, x))(t), must(gpu.Alloc[float32](d, n))(t)
	ok(t, k.Launch(gpu.Config{Block: gpu.Dim{X: 512}, Shared: 4 * n}, by.View(), bx.View()))
	slices.Reverse(x)
	if got := must(by.Download())(t); !slices.Equal(got, x) {
		t.Error("reversed wrongly")
	}
	t.Logf(
		"%v of shared memory a block, %d blocks an SM; 40 KB: %d", gpu.Bytes(4*n),
		must(k.Blocks(512, 4*n))(t), must(k.Blocks(512, 40<<10))(t),
	)
	if err := k.Launch(
		gpu.Config{Shared: 4*n + 4}, by.View(), bx.View(),
	); !errors.Is(err, gpu.ErrArgument) {
		t.Errorf("more shared memory than there is: %v", err)
	}
}

func TestCooperative(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "ring")
	const rounds = 20
	n := must(k.MaxCooperativeGrid(64, 0))(t)
	start := make([]uint32, n)
	for i := range start {
		start[i] = uint32(i * i)
	}
	count, next := must(gpu.Upload(d, start))(t), must(gpu.Alloc[uint32](d, n))(t)
	c := gpu.Config{Grid: gpu.Dim{X: n}, Block: gpu.Dim{X: 64}, Cooperative: true}
	span := must(k.LaunchTimed(c, count, next, int32(rounds)))(t)
	t.Logf("%d blocks, %d barriers: %v", n, 2*rounds, span)
	got := must(count.Download())(t)
	for i := range got {
		if want := start[(i+rounds)%n] + rounds; got[i] != want {
			t.Fatalf("block %d: %d, want %d", i, got[i], want)
		}
	}
	c.Grid.X++
	if err := k.Launch(c, count, next, int32(1)); !errors.Is(err, gpu.ErrArgument) {
		t.Errorf("a grid that does not fit: %v", err)
	}
}

func TestGraph(t *testing.T) {
	d := device(t)
	k := kernel(t, d, "saxpy")
	s := must(d.NewStream())(t)
	const n, kernels, launches = 1000, 100, 10
	x, y := must(gpu.Alloc[float32](d, n))(t), must(gpu.Alloc[float32](d, n))(t)
	p := must(gpu.NewPinned[float32](d, n))(t)
	ok(t, x.Fill(nil, 1), y.Zero(nil), d.Sync())
	c := gpu.Linear(n, 128)
	c.Stream = s
	g := must(d.Capture(s, func() error {
		for range kernels {
			if err := k.Launch(c, y, x, float32(1), int32(n)); err != nil {
				return err
			}
		}
		return p.Download(s, y)
	}))(t)
	for range launches {
		ok(t, g.Launch(s))
	}
	ok(t, s.Wait(t.Context()))
	if g.Nodes() != kernels+1 || p.Slice()[0] != kernels*launches ||
		p.Slice()[n-1] != kernels*launches {
		t.Errorf("%d nodes, %v … %v", g.Nodes(), p.Slice()[0], p.Slice()[n-1])
	}
}

func TestPinnedCopies(t *testing.T) {
	d := device(t)
	const n = 16 << 20
	up, down := must(gpu.NewPinned[uint32](d, n))(t), must(gpu.NewPinned[uint32](d, n))(t)
	b := must(gpu.Alloc[uint32](d, n))(t)
	for i := range up.Slice() {
		up.Slice()[i] = uint32(i) * 2654435761
	}
	rate := func(what string, f func() error) {
		ok(t, f(), d.Sync())
		span := must(d.Time(nil, f))(t)
		t.Logf("%s: %.1f GB/s", what, float64(b.Bytes())/1e9/span.Seconds())
	}
	rate("pinned to device", func() error { return up.Upload(nil, b) })
	rate("device to pinned", func() error { return down.Download(nil, b) })
	if !slices.Equal(up.Slice(), down.Slice()) {
		t.Error("copied wrongly")
	}
	c := must(gpu.Alloc[uint32](d, n))(t)
	rate("device to device", func() error { return c.CopyFrom(nil, b) })
	start := time.Now()
	got := must(c.Download())(t)
	t.Logf("device to Go: %.1f GB/s", float64(b.Bytes())/1e9/time.Since(start).Seconds())
	if !slices.Equal(got, up.Slice()) {
		t.Error("downloaded wrongly")
	}
}

// TestTimed measures a kernel that cannot be faster: 20 million cycles are 5 ms at 4 GHz.
func TestTimed(t *testing.T) {
	d := device(t)
	span := must(kernel(t, d, "spin").LaunchTimed(gpu.Config{}, int64(20_000_000)))(t)
	t.Logf("20 million cycles: %v", span)
	if span < 5*time.Millisecond {
		t.Errorf("%v", span)
	}
}

func TestOutOfMemory(t *testing.T) {
	d := device(t)
	_, err := gpu.Alloc[byte](d, int(2*d.Info().Memory))
	t.Log(err)
	if !gpu.IsOutOfMemory(err) || gpu.IsSticky(err) {
		t.Errorf("%v", err)
	}
	if _, err := gpu.Upload(d, []int32{1}); err != nil {
		t.Error(err)
	}
}

func TestPeers(t *testing.T) {
	a := device(t)
	if n := len(must(gpu.Devices())(t)); n < 2 {
		t.Skip("one GPU")
	}
	b := must(gpu.Open(t.Context(), 1))(t)
	defer b.Close()
	src, dst := must(gpu.Upload(a, []float32{1, 2, 3}))(t), must(gpu.Alloc[float32](b, 3))(t)
	ok(t, dst.CopyFrom(nil, src))
	if can := must(b.CanAccessPeer(a))(t); can {
		ok(
			t, b.EnablePeer(a),
			kernel(t, b, "saxpy").Launch(gpu.Linear(3, 32), dst, src, float32(2), int32(3)),
		)
		if got := must(dst.Download())(t); !slices.Equal(got, []float32{3, 6, 9}) {
			t.Errorf("got %v", got)
		}
	}
}

// TestSticky writes outside all memory, in a process of its own, and goes on here.
func TestSticky(t *testing.T) {
	const child = "METALAB_TEST_STICKY"
	d := device(t)
	if os.Getenv(child) == "" {
		cmd := exec.CommandContext(
			t.Context(), os.Args[0], "-test.run=^TestSticky$", "-test.v", "-test.count=1",
		)
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "PASS: TestSticky") {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
		ok(t, d.Sync()) // the other process's error is not ours
		return
	}
	b := must(gpu.Upload(d, []int32{1}))(t)
	ok(t, kernel(t, d, "illegal").Launch(gpu.Config{}))
	err := d.Sync()
	t.Log(err)
	var e *gpu.Error
	if !errors.As(err, &e) || e.Code != 700 || !gpu.IsSticky(err) || gpu.IsLost(err) {
		t.Fatalf("%v", err)
	}
	_, again := b.Download()
	_, open := gpu.Open(t.Context(), 0)
	if !errors.Is(again, e) || !gpu.IsSticky(open) {
		t.Errorf("afterwards: %v; opening again: %v", again, open)
	}
	d.Close()
}
