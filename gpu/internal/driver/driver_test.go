package driver_test

import (
	"os"
	"os/exec"
	"testing"

	"metalab/gpu/internal/driver"
)

// TestHeader compiles the comparison of abi_check.c against our header and, where a
// toolkit is installed, against NVIDIA's.
func TestHeader(t *testing.T) {
	t.Parallel()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	compared := 0
	for _, include := range []string{"include", "/usr/local/cuda/include", "/opt/cuda/include"} {
		if _, err := os.Stat(include + "/cuda.h"); err != nil {
			continue
		}
		compared++
		out, err := exec.Command(cc, "-std=c11", "-Werror", "-fsyntax-only", "-I"+include, "-Iinclude",
			"testdata/abi_check.c").CombinedOutput()
		if err != nil {
			t.Errorf("%s/cuda.h: %v\n%s", include, err, out)
		}
	}
	if compared == 0 {
		t.Error("our own cuda.h is missing")
	}
}

// TestEmptyArchive checks the file that satisfies -lcuda: an archive of nothing.
func TestEmptyArchive(t *testing.T) {
	t.Parallel()
	got, err := os.ReadFile("lib/libcuda.a")
	if err != nil || string(got) != "!<arch>\n" {
		t.Errorf("lib/libcuda.a is %q (%v)", got, err)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	s := driver.Read()
	switch s.State {
	case driver.NotBuilt, driver.NotFound:
		if s.Path != "" || s.Version != 0 || len(s.Missing) > 0 {
			t.Errorf("%+v", s)
		}
	case driver.InitFailed:
		if s.Path == "" || s.Init == 0 {
			t.Errorf("%+v", s)
		}
	case driver.Loaded:
		if s.Path == "" || s.Version < 1000 {
			t.Errorf("%+v", s)
		}
	}
	if again := driver.Read(); again.State != s.State {
		t.Errorf("a second look finds %v, not %v", again.State, s.State)
	}
}
