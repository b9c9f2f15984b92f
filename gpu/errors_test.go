package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"metalab/gpu"
)

// findings joins what Doctor says, a line each.
func findings() string {
	var b strings.Builder
	for _, f := range gpu.Doctor() {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

func wantDoctor(t *testing.T, words ...string) {
	t.Helper()
	got := findings()
	for _, w := range words {
		if !strings.Contains(got, w) {
			t.Errorf("doctor does not say %q:\n%s", w, got)
		}
	}
}

// unavailable checks a process in which no GPU can be used, which is no error.
func unavailable(t *testing.T, words ...string) {
	t.Helper()
	list, err := gpu.Devices()
	if err != nil || len(list) != 0 {
		t.Errorf("devices %v, %v", list, err)
	}
	err = gpu.Available()
	wantError(t, err, gpu.ErrNoDevice, words...)
	if !gpu.IsUnavailable(err) || gpu.IsSticky(err) {
		t.Errorf("%v", err)
	}
	_, err = gpu.Open(context.Background(), 0)
	wantError(t, err, gpu.ErrNoDevice, words...)
}

func TestNoDriver(t *testing.T) {
	if !alone(t, "none", "") { // the file does not exist
		return
	}
	unavailable(t, "libcuda.so.1 was not found", "install")
	wantDoctor(
		t, "built with CUDA", "driver: its library libcuda.so.1 was not found", "METALAB_LIBCUDA=",
	)
}

func TestNoDevice(t *testing.T) {
	if !alone(t, "fake", "nodevice") {
		return
	}
	unavailable(t, "CUDA_ERROR_NO_DEVICE", "nvidia-smi")
	wantDoctor(t, "does not start: there is no device")
}

func TestZeroDevices(t *testing.T) {
	if !alone(t, "fake", "zero") {
		return
	}
	unavailable(t, "nvidia-smi")
	wantDoctor(t, "the driver sees none")
}

func TestDriverMismatch(t *testing.T) {
	if !alone(t, "fake", "mismatch") {
		return
	}
	_, err := gpu.Devices()
	wantError(t, err, nil, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "803", "restart the machine")
	_, err = gpu.Open(context.Background(), 0)
	wantError(t, err, nil, "do not match")
	wantDoctor(t, "FAIL  driver:", "803", "restart the machine")
}

func TestDriverTooOld(t *testing.T) {
	if !alone(t, "old", "") {
		return
	}
	list, err := gpu.Devices()
	if len(list) != 0 || err != nil {
		t.Errorf("%v, %v", list, err) // the CPU is used in its place
	}
	_, err = gpu.Open(context.Background(), 0)
	wantError(
		t, err, gpu.ErrDriverTooOld, "cuLaunchCooperativeKernel", "cuGraphInstantiateWithFlags",
		"CUDA 11.4",
	)
	if !gpu.IsUnavailable(err) {
		t.Error("a driver that is too old leaves a GPU available")
	}
	wantDoctor(t, "FAIL  driver:", "too old")
}

func TestWorkingDoctor(t *testing.T) {
	if !alone(t, "fake", "") {
		return
	}
	wantDoctor(
		t, "speaks CUDA 12.8", "device 0: Fake GPU A, 64.0 MiB, compute capability 9.0",
		"device 1: Fake GPU B",
	)
	if strings.Contains(findings(), "FAIL  dev") {
		t.Error(findings())
	}
}

func TestOutOfMemory(t *testing.T) {
	d := device(t)
	_, err := gpu.Alloc[float64](d, 10<<20)
	wantError(
		t, err, nil, "alloc 80.0 MiB", "CUDA_ERROR_OUT_OF_MEMORY", "of 64.0 MiB are free", "device 0",
	)
	if !gpu.IsOutOfMemory(err) || gpu.IsSticky(err) || gpu.IsLost(err) || gpu.IsUnavailable(err) {
		t.Errorf("predicates of %v", err)
	}
	if _, err := gpu.Upload(d, []float64{1}); err != nil {
		t.Errorf("after out of memory: %v", err)
	}
	_, err = d.NewArray("float64", 10<<20)
	if !gpu.IsOutOfMemory(err) {
		t.Errorf("array: %v", err)
	}
}

func TestLaunchRefusedByDriver(t *testing.T) {
	d := device(t)
	err := kernel(t, d, "refused").Launch(gpu.Config{})
	wantError(
		t, err, nil, "launch refused", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "701", "fewer threads",
	)
	if gpu.IsSticky(err) || d.Err() != nil {
		t.Errorf("%v is sticky", err)
	}
	if err := d.Sync(); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// sticky launches the kernel and checks that the device is unusable from there on.
func sticky(t *testing.T, name string, code int, words ...string) *gpu.Error {
	t.Helper()
	d := open(t, 0)
	b := must(gpu.Upload(d, []int32{1}))(t)
	g := must(d.NewStream())(t)
	k := kernel(t, d, name)
	if err := k.Launch(gpu.Config{}); err != nil {
		t.Fatalf("a launch reports its kernel's error at once: %v", err)
	}
	err := d.Sync()
	wantError(t, err, nil, append(words, "after launching "+name)...)
	var e *gpu.Error
	if !errors.As(err, &e) || e.Code != code || e.Device != 0 || !gpu.IsSticky(err) ||
		gpu.IsOutOfMemory(err) || gpu.IsUnavailable(err) {
		t.Fatalf("%#v", err)
	}
	_, alloc := gpu.Alloc[int32](d, 1)
	_, _, info := d.MemInfo()
	for i, later := range []error{
		alloc, info, b.Zero(nil), g.Sync(), k.Launch(gpu.Config{}), d.Err(),
	} {
		if !errors.Is(later, e) {
			t.Errorf("later call %d: %v, want the first error", i, later)
		}
	}
	// Another Device of the same context meets the same error by itself; a process
	// that goes on must see it too.
	if _, err := gpu.Open(context.Background(), 0); !gpu.IsSticky(err) {
		t.Errorf("opening again: %v", err)
	}
	d.Close() // must not hang or crash
	if err := b.Free(); err != nil {
		t.Errorf("free after close: %v", err)
	}
	return e
}

func TestIllegalAddress(t *testing.T) {
	if alone(t, "fake", "") {
		if e := sticky(
			t, "illegal", 700, "CUDA_ERROR_ILLEGAL_ADDRESS", "compute-sanitizer", "started anew",
		); gpu.IsLost(e) {
			t.Error("lost")
		}
	}
}

func TestAssertion(t *testing.T) {
	if alone(t, "fake", "") {
		if e := sticky(t, "assertion", 710, "CUDA_ERROR_ASSERT"); gpu.IsLost(e) {
			t.Error("lost")
		}
	}
}

func TestLostDevice(t *testing.T) {
	if alone(t, "fake", "") {
		if e := sticky(t, "unplug", 999, "CUDA_ERROR_UNKNOWN", "dmesg"); !gpu.IsLost(e) {
			t.Error("not lost")
		}
	}
}

func TestStickyInGraph(t *testing.T) {
	if !alone(t, "fake", "") {
		return
	}
	d := open(t, 0)
	k := kernel(t, d, "illegal")
	g := must(d.Capture(nil, func() error { return k.Launch(gpu.Config{}) }))(t)
	for range 2 {
		_ = g.Launch(nil)
	}
	_, err := must(gpu.Alloc[int32](open(t, 1), 1))(t).Download() // the other device works
	if err != nil {
		t.Errorf("another device: %v", err)
	}
	if err := d.Sync(); !gpu.IsSticky(err) {
		t.Errorf("%v", err)
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	e := &gpu.Error{
		Op: "alloc 1 byte", Device: 2, Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY",
		Err: errors.New("out of memory"), Hint: "free something",
	}
	if got := e.Error(); got != "gpu: device 2: alloc 1 byte: out of memory "+
		"(CUDA_ERROR_OUT_OF_MEMORY, 2); free something" {
		t.Error(got)
	}
	wrapped := fmt.Errorf("run a: %w", e)
	if !gpu.IsOutOfMemory(wrapped) || gpu.IsSticky(nil) || gpu.IsLost(errors.New("x")) {
		t.Error("predicates do not look through wrapping")
	}
	if got := (&gpu.Error{
		Op: "o", Device: -1, Err: gpu.ErrClosed,
	}).Error(); got != "gpu: o: the device was closed" {
		t.Error(got)
	}
}
