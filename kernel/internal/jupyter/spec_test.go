package jupyter

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpec(t *testing.T) {
	t.Parallel()
	p := Place{filepath.Join(t.TempDir(), "kernels", KernelName)}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := NewSpec(p, "/src/metalab", "5eed", "/go/bin", "/usr/bin:/go/bin::/bin:/usr/bin")
	if err := s.Write(p.SpecFile()); err != nil {
		t.Fatal(err)
	}
	got, err := ReadSpec(p.SpecFile())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Error(diff)
	}
	if want := filepath.Join(p.Dir, "bin") + ":/go/bin:/usr/bin:/bin"; got.Env["PATH"] != want {
		t.Errorf("PATH %s, want %s", got.Env["PATH"], want)
	}
	if got.Flag("-module") != "/src/metalab" || got.Flag("-sources") != "5eed" ||
		got.Flag("-none") != "" || (Spec{}).Flag("-module") != "" {
		t.Errorf("flags of %v", got.Argv)
	}
	if got.InterruptMode != "message" {
		t.Error("interrupts by signal would reach nobody")
	}
}
