package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalab/gpu"
)

// The tests of a build with CUDA run against testdata/fakecuda.c: TestMain compiles it and
// runs the test binary again with it as the driver. Tests whose scenario ends a process's
// use of the device, or needs another driver, run themselves in a process of their own.
const (
	dirVar   = "METALAB_TEST_FAKES" // where the compiled drivers are; set in the second process
	childVar = "METALAB_TEST_CHILD" // the test that this process is for
)

func TestMain(m *testing.M) {
	if _, err := gpu.Devices(); errors.Is(err, gpu.ErrNoCUDA) || os.Getenv(dirVar) != "" {
		os.Exit(m.Run())
	}
	os.Exit(again())
}

// again compiles the fake drivers and runs this binary with the first of them.
func again() int {
	dir, err := os.MkdirTemp("", "fakecuda")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	for name, flags := range map[string][]string{"fake": nil, "old": {"-DOLD"}, "plain": {"-DPLAIN"}} {
		args := append(
			[]string{
				"-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-I", "internal/driver/include", "-o",
				filepath.Join(dir, name+".so"), "testdata/fakecuda.c", "-lpthread",
			},
			flags...,
		)
		if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "compile the fake driver: %v\n%s", err, out)
			return 2
		}
	}
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = append(os.Environ(), dirVar+"="+dir, "METALAB_LIBCUDA="+filepath.Join(dir, "fake.so"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode()
		}
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// withCUDA skips the test in a build without CUDA.
func withCUDA(t *testing.T) {
	t.Helper()
	if os.Getenv(dirVar) == "" {
		t.Skip("built without CUDA")
	}
}

// alone runs the calling test in a process of its own, with that fake driver (fake, old,
// plain or none) playing that scenario. It returns true in that process, and false in the
// caller's once that ended well.
func alone(t *testing.T, driver, scenario string) bool {
	t.Helper()
	withCUDA(t)
	if os.Getenv(childVar) == t.Name() {
		return true
	}
	cmd := exec.CommandContext(
		t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1", "-test.v",
	)
	lib := filepath.Join(os.Getenv(dirVar), driver+".so")
	cmd.Env = append(
		os.Environ(), childVar+"="+t.Name(), "METALAB_LIBCUDA="+lib, "METALAB_FAKE="+scenario,
	)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("in its own process: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("in its own process it did not run:\n%s", out)
	}
	return false
}

// device opens the first device for the test.
func device(t *testing.T) *gpu.Device {
	t.Helper()
	withCUDA(t)
	return open(t, 0)
}

func open(t *testing.T, ordinal int) *gpu.Device {
	t.Helper()
	d, err := gpu.Open(context.Background(), ordinal)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// image is PTX that names the fake driver's kernels.
const image = `.version 7.5
.target sm_75
.entry saxpy(
.entry sum_view(
.entry mixed(
.entry small(
.entry illegal(
.entry assertion(
.entry unplug(
.entry refused(
.entry slow(
`

func kernel(t *testing.T, d *gpu.Device, name string) *gpu.Kernel {
	t.Helper()
	m, err := d.Module([]byte(image))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// wantError checks that err is an *Error that wraps target and says all of words.
func wantError(t *testing.T, err, target error, words ...string) {
	t.Helper()
	var e *gpu.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T), want a *gpu.Error", err, err)
	}
	if target != nil && !errors.Is(err, target) {
		t.Errorf("error %v, want one that wraps %q", err, target)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}
