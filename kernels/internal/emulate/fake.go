package emulate

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalab/gpu"
)

// FakeImage is an image that the driver of [OnFake] loads. It has every kernel, and none does
// anything.
var FakeImage = []byte(".version 7.5\n.target sm_75\n.entry nothing(\n")

// OnFake runs the calling test, of a folder in kernels, in a process of its own whose driver is
// package gpu's fake, which has 64 MiB. It returns true there, and false in the caller's process
// once that ended well.
func OnFake(t *testing.T) bool {
	t.Helper()
	const child = "METALAB_ON_FAKE"
	if os.Getenv(child) == t.Name() {
		return true
	}
	if _, err := gpu.Devices(); errors.Is(err, gpu.ErrNoCUDA) {
		t.Skip("built without CUDA")
	}
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	lib := filepath.Join(t.TempDir(), "fake.so")
	home := filepath.Join("..", "..", "gpu")
	args := []string{
		"-shared", "-fPIC", "-O1", "-DANY", "-DPLAIN", "-I",
		filepath.Join(home, "internal", "driver", "include"), "-o", lib,
		filepath.Join(home, "testdata", "fakecuda.c"), "-lpthread",
	}
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("compile the fake driver: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1",
		"-test.v")
	cmd.Env = append(os.Environ(), child+"="+t.Name(), "METALAB_LIBCUDA="+lib)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("in its own process: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	return false
}
